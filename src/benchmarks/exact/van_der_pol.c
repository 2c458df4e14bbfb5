#include "benchmarks/exact/van_der_pol.h"

#include <math.h>

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
