/* The ball that comes to rest through infinitely many impacts: nonsmooth generalized-alpha and its rivals. */
#include <math.h>

#include "benchmarks/exact/ball.h"
#include "commands/verify_impulses.h"

static const char *const histories[] = {"gap", "active", "energy/total", "impulse", NULL};

enum trial { DECK, TENTH, SHIFTED, SHIFTED_DENSE, MODIFIED, INDEX_3, VELOCITY, MOREAU };

#define SHIFT "bodies.[0].positions=[1.02]"

static const struct sg_trial trials[] = {
    [DECK] = {"nonsmooth generalized-alpha", {NULL}},
    [TENTH] = {"a tenth of the step", {"time.step=2e-4"}},
    [SHIFTED] = {"from 1.02 m", {SHIFT}},
    [SHIFTED_DENSE] = {"from 1.02 m, generic Newton", {SHIFT, "strategy.solver=dense"}},
    [MODIFIED] = {"modified complementarity", {SG_TRIAL_MODIFIED}},
    [INDEX_3] = {"index 3", {SG_TRIAL_INDEX_3}},
    [VELOCITY] = {"velocity level (2013)", {SG_TRIAL_VELOCITY}},
    [MOREAU] = {"Moreau-Jean", {SG_TRIAL_MOREAU}},
    {0}};

static sg_status exact_init(void *exact, struct sg_error *err)
{
    struct sg_ball *ball = exact;
    *ball = (struct sg_ball){.height = 0.801, .gravity = 10.0, .restitution = 0.8};
    return sg_ball_check(ball, err);
}

static struct sg_impact impact(const struct sg_verification *verification, size_t trial, size_t k)
{
    struct sg_impact impacts[4] = {{NAN, NAN}, {NAN, NAN}, {NAN, NAN}, {NAN, NAN}};
    sg_trace_impacts(&verification->traces[trial], 0, impacts, 4);
    return impacts[k];
}

#define IMPACT(k)                                                                                            \
    static double time_##k(const struct sg_verification *verification, size_t trial)                         \
    {                                                                                                        \
        return impact(verification, trial, k).t;                                                             \
    }                                                                                                        \
    static double impulse_##k(const struct sg_verification *verification, size_t trial)                      \
    {                                                                                                        \
        return impact(verification, trial, k).impulse;                                                       \
    }                                                                                                        \
    static double error_##k(const struct sg_verification *verification, size_t trial)                        \
    {                                                                                                        \
        const struct sg_ball *ball = verification->exact;                                                    \
        return impulse_##k(verification, trial) - 1.8 * sg_ball_impact_speed(ball, k);                       \
    }
IMPACT(0)
IMPACT(1)
IMPACT(2)
IMPACT(3)

/* N s, of the last step */
static double rest(const struct sg_verification *verification, size_t trial)
{
    const struct sg_trace *trace = &verification->traces[trial];
    const size_t column = sg_trace_column(trace, "impulse");
    return sg_trace_last(trace)[column] - sg_trace_row(trace, trace->row_count - 2)[column];
}

/* s: the first of two steps on end with an impulse */
static double accumulation(const struct sg_verification *verification, size_t trial)
{
    const struct sg_trace *trace = &verification->traces[trial];
    const size_t column = sg_trace_column(trace, "active");
    for (size_t i = 1; i < trace->row_count; i++)
        if (sg_trace_row(trace, i)[column] > 0.0 && sg_trace_row(trace, i - 1)[column] > 0.0)
            return sg_trace_row(trace, i - 1)[0];
    return NAN;
}

/* 1 if the contact opens and closes at least twenty times in the last second, when the ball rests */
static double chatters(const struct sg_verification *verification, size_t trial)
{
    const struct sg_trace *trace = &verification->traces[trial];
    size_t switches = 0;
    for (size_t k = 0; k < trace->event_count; k++) switches += trace->events[k].t > 4.0;
    return switches >= 20 ? 1.0 : 0.0;
}

/* J over the floor, the largest */
static double most_energy(const struct sg_verification *verification, size_t trial)
{
    const struct sg_trace *trace = &verification->traces[trial];
    const size_t column = sg_trace_column(trace, "energy/total");
    double most = 0.0;
    for (size_t i = 0; i < trace->row_count; i++)
        most = fmax(most, 8.01 + sg_trace_row(trace, i)[column] - sg_trace_row(trace, 0)[column]);
    return most;
}

/* m: of the gap to the trial before, over the run */
static double difference(const struct sg_verification *verification, size_t trial)
{
    const struct sg_trace *a = &verification->traces[trial], *b = &verification->traces[trial - 1];
    return sg_trace_apart(a, b, "gap");
}

/* Times and impulses are those of the scheme, which can be had by hand: 1e-9 is rounding. The impulse of a
 * step holds the weight over the step and a velocity of up to a step's age: errors of m g h (1 + e) at most,
 * and those of the impacts before. Computed accumulation: an O(h) bias that the loss of m g q_n an impact
 * makes. */
static const struct sg_figure figures[] = {
    {"penetration (m)", DECK, sg_measure_penetration, 0.0, 1e-12},
    {"rise of energy in a step (J)", DECK, sg_measure_energy_rise, 0.0, 1e-12},
    {"sum of impulses (N s)", DECK, sg_measure_impulse, 50.0, 1e-9},
    {"impulse of a step at rest (N s)", DECK, rest, 0.02, 1e-12},
    {"impact 1 (s)", DECK, time_0, 0.402, 1e-9},
    {"impact 2 (s)", DECK, time_1, 1.042, 1e-9},
    {"impact 3 (s)", DECK, time_2, 1.552, 1e-9},
    {"impact 4 (s)", DECK, time_3, 1.958, 1e-9},
    {"impulse 1 (N s)", DECK, impulse_0, 7.22, 1e-9},
    {"impulse 2 (N s)", DECK, impulse_1, 5.744, 1e-9},
    {"impulse 3 (N s)", DECK, impulse_2, 4.5848, 1e-9},
    {"impulse 4 (N s)", DECK, impulse_3, 3.64016, 1e-9},
    {"impulse 1: error (N s)", DECK, error_0, 0.0, 0.036},
    {"impulse 4: error (N s)", DECK, error_3, 0.0, 0.08},
    {"impacts accumulate at (s)", DECK, accumulation, 3.44, 0.05},
    {"solves a step", DECK, sg_measure_newton_mean, 1.0, 1.0},
    {"solves a step, most", DECK, sg_measure_newton_most, 1.5, 1.5},
    {"rejected steps", DECK, sg_measure_rejected, 0.0, 0.5},
    {"impulse 1: error (N s)", TENTH, error_0, 0.0, 0.0036},
    {"impulse 2: error (N s)", TENTH, error_1, 0.0, 0.006},
    {"impulse 3: error (N s)", TENTH, error_2, 0.0, 0.008},
    {"impulse 4: error (N s)", TENTH, error_3, 0.0, 0.008},
    {"sum of impulses (N s)", TENTH, sg_measure_impulse, 50.0, 1e-9},
    {"gap: difference of the condensed step's (m)", SHIFTED_DENSE, difference, 0.0, 1e-12},
    {"chatters at rest", MODIFIED, chatters, 1.0, 0.5},
    {"largest energy (J)", INDEX_3, most_energy, 126.0, 0.5},
    {"sum of impulses (N s)", VELOCITY, sg_measure_impulse, 50.0, 1e-9},
    {"sum of impulses (N s)", MOREAU, sg_measure_impulse, 50.0, 1e-9},
    {0}};

const struct sg_benchmark sg_benchmark_ball_accumulation = {
    .name = "ball_accumulation",
    .meaning = "nonsmooth generalized-alpha: a ball never enters the floor on its way to rest",
    .trials = trials,
    .figures = figures,
    .histories = histories,
    .exact_size = sizeof(struct sg_ball),
    .exact_init = exact_init,
};
