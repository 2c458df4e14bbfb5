#include "benchmarks/exact/van_der_pol.h"

#include <math.h>

#include "benchmarks/exact/exact.h"

struct sg_van_der_pol sg_van_der_pol_benchmark(void)
{
    return (struct sg_van_der_pol){
        .xi = 5.0, .omega0 = 1.0, .scale = 1.0, .wall = -0.25, .restitution = 1.0, .x = 1.0, .v = 1.0};
}

sg_status sg_van_der_pol_check(const struct sg_van_der_pol *oscillator, struct sg_error *err)
{
    const struct sg_van_der_pol *o = oscillator;
    if (!(o->xi >= 0.0) || isinf(o->xi))
        FAIL(err, SG_BAD_DECK, "Van der Pol oscillator: xi is %g, must not be negative", o->xi);
    if (!(o->omega0 > 0.0) || isinf(o->omega0))
        FAIL(err, SG_BAD_DECK, "Van der Pol oscillator: frequency is %g, must be positive", o->omega0);
    if (!(o->scale > 0.0) || isinf(o->scale))
        FAIL(err, SG_BAD_DECK, "Van der Pol oscillator: scale is %g, must be positive", o->scale);
    if (!(o->restitution >= 0.0 && o->restitution <= 1.0))
        FAIL(err, SG_BAD_DECK, "Van der Pol oscillator: restitution is %g, must be in [0, 1]",
             o->restitution);
    if (!(o->x > o->wall))
        FAIL(err, SG_BAD_DECK, "Van der Pol oscillator: starts at %g, not above the wall at %g", o->x,
             o->wall);
    return SG_OK;
}

static void rate(const void *owner, const double *y, double *dy)
{
    const struct sg_van_der_pol *o = owner;
    const double relative = y[0] / o->scale;
    dy[0] = y[1];
    dy[1] = o->xi * o->omega0 * (1.0 - relative * relative) * y[1] - o->omega0 * o->omega0 * y[0];
}

static double gap(const void *owner, const double *y)
{
    const struct sg_van_der_pol *o = owner;
    return y[0] - o->wall;
}

static void impact(const void *owner, double *y)
{
    const struct sg_van_der_pol *o = owner;
    y[0] = o->wall;
    y[1] *= -o->restitution;
}

struct sg_smooth_motion sg_van_der_pol_motion(const struct sg_van_der_pol *oscillator)
{
    return (struct sg_smooth_motion){.dim = 2,
                                     .max_step = 0.1 / oscillator->omega0,
                                     .rate = rate,
                                     .gap = isinf(oscillator->wall) ? NULL : gap,
                                     .impact = impact,
                                     .owner = oscillator};
}

struct sg_smooth_state sg_van_der_pol_start(const struct sg_van_der_pol *oscillator)
{
    return (struct sg_smooth_state){.y = {oscillator->x, oscillator->v}};
}

sg_status sg_van_der_pol_cycle(const struct sg_van_der_pol *oscillator, struct sg_van_der_pol_cycle *cycle,
                               struct sg_error *err)
{
    enum { IMPACTS = 11, LONGEST = 1000 };
    const struct sg_smooth_motion motion = sg_van_der_pol_motion(oscillator);
    struct sg_smooth_state state = sg_van_der_pol_start(oscillator);
    TRY(sg_van_der_pol_check(oscillator, err));
    for (size_t k = 0; k < IMPACTS; k++) {
        const double last = state.impact_time;
        TRY(sg_smooth_advance(&motion, state.t + LONGEST / oscillator->omega0, true, &state, err));
        if (state.impacts == k) FAIL(err, SG_NO_SOLUTION, "Van der Pol oscillator: no impact after %zu", k);
        *cycle = (struct sg_van_der_pol_cycle){state.impact_time - last, fabs(state.before[1])};
    }
    return SG_OK;
}

/* --- for benchmarks --------------------------------------------------------------------------------- */

/* Positions at times that runs of all steps have in common. */
enum { SAMPLES = 3001, FREE_SAMPLES = 1001 };
static const double SPACING = 1e-2; /* s */

struct reference {
    int wall;
    size_t count;
    struct sg_van_der_pol_cycle cycle;
    double position[SAMPLES];
};

static const struct sg_keyword rows[] = {{.name = "wall",
                                          .type = SG_BOOL,
                                          .meaning = "whether there is a wall",
                                          .fallback = "true",
                                          .offset = offsetof(struct reference, wall)},
                                         {0}};

static sg_status sample(const struct sg_van_der_pol *oscillator, struct reference *self, struct sg_error *err)
{
    const struct sg_smooth_motion motion = sg_van_der_pol_motion(oscillator);
    struct sg_smooth_state state = sg_van_der_pol_start(oscillator);
    self->count = self->wall != 0 ? SAMPLES : FREE_SAMPLES;
    for (size_t i = 0; i < self->count; i++) {
        TRY(sg_smooth_advance(&motion, SPACING * (double)i, false, &state, err));
        self->position[i] = state.y[0];
    }
    return SG_OK;
}

static sg_status create(void *data, struct sg_error *err)
{
    struct reference *self = data;
    struct sg_van_der_pol oscillator = sg_van_der_pol_benchmark();
    if (self->wall != 0) TRY(sg_van_der_pol_cycle(&oscillator, &self->cycle, err));
    if (self->wall == 0) oscillator.wall = -HUGE_VAL;
    return sample(&oscillator, self, err);
}

/* at the sample that is nearest */
static double position_at(const struct reference *self, double t)
{
    const double k = round(t / SPACING);
    return k >= 0.0 && k < (double)self->count ? self->position[(size_t)k] : NAN;
}

SG_EXACT_FUNCTION(position, struct reference, position_at(self, x[0].values[0]))
SG_EXACT_FUNCTION(period, struct reference, self->cycle.period)
SG_EXACT_FUNCTION(speed, struct reference, self->cycle.speed)

static const struct sg_exact_function functions[] = {
    {"position", 1, 0, position, 0, "position(t) at multiples of 10 ms to 30 s, without wall to 10 s, m"},
    {"period", 0, 0, period, 0, "of the limit cycle, s"},
    {"speed", 0, 0, speed, 0, "of impacts of the limit cycle, m/s"},
    {0}};

const struct sg_exact_ops sg_exact_van_der_pol = {
    .kind = {"van-der-pol", "a Van der Pol oscillator against a wall", rows},
    .size = sizeof(struct reference),
    .create = create,
    .functions = functions};
