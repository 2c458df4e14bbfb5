/* The rotating spring inside a circle, smooth and rough. */
#include <math.h>

#include "benchmarks/rotating_spring.h"
#include "commands/verify.h"

static const char *const histories[] = {"momentum/angular", "contact_force", "displacement", NULL};

#define THETA(forces) "integrator.type=theta", "integrator.forces=" forces

static double contacts(const struct sg_verification *verification, size_t trial)
{
    const struct sg_trace *trace = &verification->traces[trial];
    const size_t column = sg_trace_column(trace, "contact_force");
    size_t count = 0;
    for (size_t i = 0; i < trace->row_count; i++) count += sg_trace_row(trace, i)[column] > 0.0;
    return (double)count;
}

static double momentum_at_end(const struct sg_verification *verification, size_t trial)
{
    const struct sg_trace *trace = &verification->traces[trial];
    return sg_trace_last(trace)[sg_trace_column(trace, "momentum/angular")];
}

/* --- without friction ----------------------------------------------------------------------------- */

#define MOMENTUM 1.6
#define START    0.8

enum trial { DECK, MIDPOINT, AVERAGE, COARSE, FINE };

static const struct sg_trial trials[] = {
    [DECK] = {"CD-Lagrange", {NULL}},
    [MIDPOINT] = {"Moreau-Jean, midpoint", {THETA("midpoint")}},
    [AVERAGE] = {"Moreau-Jean, average", {THETA("average")}},
    [COARSE] = {"CD-Lagrange, 1 ms", {"time.step=1.0e-3", "time.end=5.0"}},
    [FINE] = {"CD-Lagrange, 0.01 ms", {"time.step=1.0e-5", "time.end=5.0"}},
    {0}};

struct exact {
    struct sg_rotating_spring spring;
    double x[2], first; /* m, s: position at 5 s, the first impact */
};

static sg_status exact_init(void *exact, struct sg_error *err)
{
    struct exact *reference = exact;
    reference->spring = sg_rotating_spring_benchmark(false);
    const struct sg_smooth_motion motion = sg_rotating_spring_motion(&reference->spring);
    struct sg_smooth_state state = sg_rotating_spring_start(&reference->spring);
    TRY(sg_rotating_spring_check(&reference->spring, err));
    TRY(sg_smooth_advance(&motion, 5.0, true, &state, err));
    reference->first = state.impact_time;
    TRY(sg_smooth_advance(&motion, 5.0, false, &state, err));
    reference->x[0] = state.y[0];
    reference->x[1] = state.y[1];
    return SG_OK;
}

static double momentum_error(const void *exact, double t, const double *values)
{
    (void)exact, (void)t;
    return values[0] / MOMENTUM - 1.0;
}

static double momentum_drift(const struct sg_verification *verification, size_t trial)
{
    struct sg_trace_span run = {"momentum/angular", 0.0, HUGE_VAL};
    return sg_trace_worst(&verification->traces[trial], run, momentum_error, NULL);
}

static double largest_momentum(const struct sg_verification *verification, size_t trial)
{
    struct sg_trace_span run = {"momentum/angular", 0.0, HUGE_VAL};
    return sg_trace_worst(&verification->traces[trial], run, sg_trace_itself, NULL);
}

static double smallest_momentum(const struct sg_verification *verification, size_t trial)
{
    const struct sg_trace *trace = &verification->traces[trial];
    const size_t column = sg_trace_column(trace, "momentum/angular");
    double least = HUGE_VAL;
    for (size_t i = 0; i < trace->row_count; i++) least = fmin(least, sg_trace_row(trace, i)[column]);
    return least;
}

static double place_error(const struct sg_verification *verification, size_t trial)
{
    const struct exact *exact = verification->exact;
    const struct sg_trace *trace = &verification->traces[trial];
    const double *mass = sg_trace_last(trace) + sg_trace_column(trace, "displacement") + 2;
    return hypot(mass[0] + START - exact->x[0], mass[1] - exact->x[1]);
}

static double place_trend(const struct sg_verification *verification, size_t trial)
{
    return sg_measure_ratio(verification, trial, place_error);
}

/* Momenta: a rounding a step. The drift of the average and the number of contacts were computed a second
 * time by another program; 1e-6: Newton's tolerance over 1000 steps. Place: each of five impacts comes up to
 * a step too late and shifts the motion after it by up to twice the way of a step at 1.6 m/s, which turning
 * at 1.6 rad/s doubles at most. */
static const struct sg_figure figures[] = {
    {"angular momentum: relative error", DECK, momentum_drift, 0.0, 1e-13},
    {"steps in contact", DECK, contacts, 91.0, 0.5},
    {"angular momentum: relative error", MIDPOINT, momentum_drift, 0.0, 1e-13},
    {"steps in contact", MIDPOINT, contacts, 91.0, 0.5},
    {"angular momentum, smallest (kg m^2/s)", AVERAGE, smallest_momentum, 1.5780452, 1e-6},
    {"angular momentum, largest (kg m^2/s)", AVERAGE, largest_momentum, 1.6041390, 1e-6},
    {"place after 5 s: error (m)", COARSE, place_error, 0.0, 3e-2},
    {"place after 5 s: error (m)", FINE, place_error, 0.0, 3e-4},
    {"place: error relative to 1 ms", FINE, place_trend, 0.0, 0.05},
    {0}};

const struct sg_benchmark sg_benchmark_rotating_spring = {
    .name = "rotating_spring",
    .meaning = "mass on a turning spring inside a circle: angular momentum through impacts",
    .trials = trials,
    .figures = figures,
    .histories = histories,
    .exact_size = sizeof(struct exact),
    .exact_init = exact_init,
};

/* --- with friction -------------------------------------------------------------------------------- */

enum rough_trial { ROUGH_DECK, ROUGH_MIDPOINT, ROUGH_COARSE, ROUGH_FINE };

static const struct sg_trial rough_trials[] = {
    [ROUGH_DECK] = {"CD-Lagrange", {NULL}},
    [ROUGH_MIDPOINT] = {"Moreau-Jean, midpoint", {THETA("midpoint")}},
    [ROUGH_COARSE] = {"CD-Lagrange, 1 ms, first impact", {"time.step=1.0e-3", "time.end=1.0"}},
    [ROUGH_FINE] = {"CD-Lagrange, 0.01 ms, first impact", {"time.step=1.0e-5", "time.end=1.0"}},
    {0}};

struct rough_exact {
    double momentum; /* kg m^2/s, after the impact */
};

static sg_status rough_init(void *exact, struct sg_error *err)
{
    struct rough_exact *reference = exact;
    const struct sg_rotating_spring spring = sg_rotating_spring_benchmark(true);
    const struct sg_smooth_motion motion = sg_rotating_spring_motion(&spring);
    struct sg_smooth_state state = sg_rotating_spring_start(&spring);
    TRY(sg_rotating_spring_check(&spring, err));
    TRY(sg_smooth_advance(&motion, 100.0, false, &state, err));
    reference->momentum = sg_rotating_spring_angular_momentum(&spring, state.y);
    return SG_OK;
}

static double exact_momentum(const struct sg_verification *verification, size_t trial)
{
    (void)trial;
    return ((const struct rough_exact *)verification->exact)->momentum;
}

static double loss_error(const struct sg_verification *verification, size_t trial)
{
    const struct rough_exact *exact = verification->exact;
    return momentum_at_end(verification, trial) - exact->momentum;
}

static double first_contact(const struct sg_verification *verification, size_t trial)
{
    const struct sg_trace *trace = &verification->traces[trial];
    const size_t column = sg_trace_column(trace, "contact_force");
    size_t i = 0;
    while (i < trace->row_count && !(sg_trace_row(trace, i)[column] > 0.0)) i++;
    return (double)i;
}

/* The exact motion has one impact; coarse steps penetrate, come back, and meet the circle again. The
 * momenta after all were computed a second time by another program. One impact by fine steps: its momentum
 * is wrong by the change of speed within a step, 5 m/s^2 times R mu h, and what the state is not on the
 * circle. */
static const struct sg_figure rough_figures[] = {
    {"reference: angular momentum in the end", ROUGH_DECK, exact_momentum, 1.157824, 1e-6},
    {"first step in contact", ROUGH_DECK, first_contact, 4.0, 0.5},
    {"steps in contact", ROUGH_DECK, contacts, 4.0, 0.5},
    {"angular momentum in the end (kg m^2/s)", ROUGH_DECK, momentum_at_end, 1.1178012400, 1e-8},
    {"steps in contact", ROUGH_MIDPOINT, contacts, 8.0, 0.5},
    {"angular momentum in the end (kg m^2/s)", ROUGH_MIDPOINT, momentum_at_end, 0.9066976157, 1e-6},
    {"first impact: error of angular momentum", ROUGH_COARSE, loss_error, 0.0, 5e-3},
    {"first impact: error of angular momentum", ROUGH_FINE, loss_error, 0.0, 5e-5},
    {0}};

const struct sg_benchmark sg_benchmark_rotating_spring_friction = {
    .name = "rotating_spring_friction",
    .meaning = "mass on a turning spring inside a rough circle: what friction takes",
    .trials = rough_trials,
    .figures = rough_figures,
    .histories = histories,
    .exact_size = sizeof(struct rough_exact),
    .exact_init = rough_init,
};
