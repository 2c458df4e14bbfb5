/* The rigid ball that bounces with restitution, through the accumulation of its impacts to rest. */
#include <math.h>

#include "benchmarks/ball.h"
#include "commands/verify.h"

static const char *const histories[] = {
    "gap",
    "contact_force",
    "impulse",
    "energy/total",
    "energy/numerical",
    "energy/dissipated",
    "momentum/linear",
    NULL,
};

enum trial { DECK };

static const struct sg_trial trials[] = {[DECK] = {"as it ships", {NULL}}, {0}};

#define HEIGHT        1.0
#define GRAVITY       9.81
#define MASS          1.0
#define GAP_TOLERANCE 1e-10

static sg_status exact_init(void *exact, struct sg_error *err)
{
    struct sg_ball *ball = exact;
    *ball = (struct sg_ball){.height = HEIGHT, .gravity = GRAVITY, .restitution = 0.8};
    return sg_ball_check(ball, err);
}

static double worst_impact(const struct sg_verification *verification, size_t trial)
{
    enum { IMPACTS = 20 };
    const struct sg_trace *trace = &verification->traces[trial];
    double worst = 0.0;
    size_t k = 0;
    for (size_t i = 0; i < trace->event_count && k < IMPACTS; i++) {
        if (trace->events[i].kind != SG_EVENT_IMPACT) continue;
        worst = fmax(worst, fabs(trace->events[i].t - sg_ball_impact_time(verification->exact, k++)));
    }
    return k == IMPACTS ? worst : NAN;
}

/* --- rest ----------------------------------------------------------------------------------------- */

static double rest_time(const struct sg_verification *verification, size_t trial)
{
    struct sg_contact_interval phase;
    struct sg_phase_rule rule = {0, 0.0};
    return sg_trace_phases(&verification->traces[trial], rule, &phase, 1) > 0 ? phase.closes : NAN;
}

static double accumulation_error(const struct sg_verification *verification, size_t trial)
{
    return fabs(rest_time(verification, trial) - sg_ball_accumulation(verification->exact));
}

static double rest_count(const struct sg_verification *verification, size_t trial)
{
    const struct sg_trace *trace = &verification->traces[trial];
    return (double)(sg_trace_count(trace, SG_EVENT_CLOSE) + sg_trace_count(trace, SG_EVENT_OPEN));
}

static double worst_at_rest(const struct sg_verification *verification, size_t trial, const char *history,
                            sg_trace_error *error)
{
    double start = rest_time(verification, trial);
    struct sg_trace_span span = {history, start, HUGE_VAL};
    if (isnan(start)) return NAN;
    return sg_trace_worst(&verification->traces[trial], span, error, NULL);
}

static double gap_error(const void *exact, double t, const double *values)
{
    (void)exact, (void)t;
    return values[0];
}

static double force_error(const void *exact, double t, const double *values)
{
    (void)exact, (void)t;
    return values[0] - MASS * GRAVITY;
}

static double rest_gap(const struct sg_verification *verification, size_t trial)
{
    return worst_at_rest(verification, trial, "gap", gap_error);
}

static double rest_force(const struct sg_verification *verification, size_t trial)
{
    return worst_at_rest(verification, trial, "contact_force", force_error);
}

/* --- balances at the end -------------------------------------------------------------------------- */

static double last(const struct sg_trace *trace, const char *history)
{
    return sg_trace_last(trace)[sg_trace_column(trace, history)];
}

static double impulse_balance(const struct sg_verification *verification, size_t trial)
{
    const struct sg_trace *trace = &verification->traces[trial];
    double end = sg_trace_last(trace)[0];
    return fabs(last(trace, "impulse") - MASS * GRAVITY * end - last(trace, "momentum/linear"));
}

static double dissipated(const struct sg_verification *verification, size_t trial)
{
    return last(&verification->traces[trial], "energy/dissipated");
}

/* Rest begins at the impact whose rebound v^2/(2 g) is lower than four gap tolerances; the impacts left out
 * would have taken 2 v / (g (1 - e)) <= 2 sqrt(8 gap_tolerance / g) / (1 - e) = 9.03e-5 s more, to which the
 * errors of the impacts before are added. The ball rests up to two gap tolerances from the floor: by as
 * much its height of fall, and so what is dissipated, is uncertain. */
static const struct sg_figure figures[] = {
    {"first 20 impacts: error (s)", DECK, worst_impact, 0.0, 1e-8},
    {"accumulation: error (s)", DECK, accumulation_error, 0.0, 9.04e-5},
    {"beginnings and ends of rest", DECK, rest_count, 1.0, 0.5},
    {"gap at rest (m)", DECK, rest_gap, 0.0, 2.0 * GAP_TOLERANCE},
    {"reaction at rest: error (N)", DECK, rest_force, 0.0, 1e-12},
    {"balance of impulses (N s)", DECK, impulse_balance, 0.0, 1e-9},
    {"dissipated in all (J)", DECK, dissipated, MASS *GRAVITY *HEIGHT, 2.0 * GAP_TOLERANCE *MASS *GRAVITY},
    {"energy drift", DECK, sg_measure_drift, 0.0, 1e-12},
    {0}};

const struct sg_benchmark sg_benchmark_ball_events = {
    .name = "ball_events",
    .meaning = "rigid ball that bounces infinitely often and comes to rest: impacts, reaction, balances",
    .trials = trials,
    .figures = figures,
    .histories = histories,
    .exact_size = sizeof(struct sg_ball),
    .exact_init = exact_init,
};
