#include "benchmarks/exact/bar_on_spring.h"

#include <math.h>

enum { BISECTIONS = 200 };

/* F/(Z v0) after the wave has come back */
static double falling(double x, double still)
{
    return (2.0 + 2.0 * x - still) * exp(-x) - 1.0;
}

/* where it is 0: it falls from 1 - exp(-a T) to -1, its slope being (exp(-a T) - 2 x) exp(-x) */
static double end_of(double still)
{
    double low = 0.5 * still, high = 10.0;
    for (int k = 0; k < BISECTIONS; k++) {
        double middle = 0.5 * (low + high);
        if (falling(middle, still) > 0.0)
            low = middle;
        else
            high = middle;
    }
    return low;
}

sg_status sg_bar_on_spring_init(const struct sg_impacting_bar_spec *spec, double stiffness,
                                struct sg_bar_on_spring *exact, struct sg_error *err)
{
    *exact = (struct sg_bar_on_spring){.stiffness = stiffness};
    TRY(sg_impacting_bar_init(spec, &exact->bar, err));
    if (!(stiffness > 0.0) || isinf(stiffness))
        FAIL(err, SG_BAD_DECK, "bar on a spring: the stiffness is %g, must be positive", stiffness);
    double z = exact->bar.force / spec->speed, time = exact->bar.opens - exact->bar.closes;
    double a = exact->rate = stiffness / z, still = exp(-a * time), x = end_of(still);
    if (!(x < a * time))
        FAIL(err, SG_BAD_DECK, "bar on a spring: the stiffness of %g N/m holds the bar for a second wave",
             stiffness);
    exact->closes = exact->bar.closes;
    exact->opens = exact->bar.opens + x / a;
    exact->depth = exact->bar.force / stiffness * falling(0.5 * still, still);
    double rising = time - (1.0 - still) / a;
    double after = ((2.0 - still) * (1.0 - exp(-x)) + 2.0 * (1.0 - (1.0 + x) * exp(-x)) - x) / a;
    exact->impulse = exact->bar.force * (rising + after);
    return SG_OK;
}

double sg_bar_on_spring_force(const struct sg_bar_on_spring *exact, double t)
{
    double a = exact->rate, s = t - exact->closes, time = exact->bar.opens - exact->bar.closes;
    if (t <= exact->closes || t >= exact->opens) return 0.0;
    if (s < time) return exact->bar.force * (1.0 - exp(-a * s));
    return exact->bar.force * falling(a * (s - time), exp(-a * time));
}
