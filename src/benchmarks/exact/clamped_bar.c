#include "benchmarks/exact/clamped_bar.h"

#include <math.h>

sg_status sg_clamped_bar_init(double gap, double period, struct sg_clamped_bar *bar, struct sg_error *err)
{
    if (!(gap > 0.0 && period > 3.0 && period <= 4.0))
        FAIL(err, SG_BAD_DECK, "no such motion of a clamped bar: gap %g m, period %g s", gap, period);
    *bar = (struct sg_clamped_bar){gap, period, gap / (period - 3.0)};
    return SG_OK;
}

/* f, which falls by a (4 - T)/2 a period */
static double wave(const struct sg_clamped_bar *bar, double s)
{
    double half = bar->slope / 2.0, turns = floor((s + 1.0) / bar->period);
    double r = s - bar->period * turns;
    return half * (r < 1.0 ? -r : r - 2.0) - turns * half * (4.0 - bar->period);
}

double sg_clamped_bar_displacement(const struct sg_clamped_bar *bar, double x, double t)
{
    return wave(bar, t + x) - wave(bar, t - x);
}
