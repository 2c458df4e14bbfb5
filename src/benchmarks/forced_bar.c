#include "benchmarks/forced_bar.h"

#include <complex.h>
#include <math.h>

double sg_forced_bar_amplitude(const struct sg_forced_bar *bar)
{
    double complex squared = bar->omega * bar->omega - I * bar->omega * bar->damping;
    return cabs(bar->force / squared * (1.0 / ccos(csqrt(squared)) - 1.0));
}

struct sg_forced_bar sg_forced_bar_by_midpoint(const struct sg_forced_bar *bar, double h)
{
    double half = 0.5 * bar->omega * h;
    return (struct sg_forced_bar){2.0 / h * tan(half), bar->damping, bar->force / cos(half)};
}

double sg_forced_bar_backbone(double energy, double gap)
{
    return 4.0 / (3.0 + gap / sqrt(2.0 * energy));
}
