#include "benchmarks/exact/forced_bar.h"

#include <complex.h>
#include <math.h>
#include <stddef.h>

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

double sg_forced_bar_tapered_backbone(double ratio)
{
    static const double frequency[] = {1.03, 1.10, 1.16, 1.22, 1.265, 1.28};
    static const double energy[] = {1.21, 2.51, 5.97, 22.2, 165.0, 792.0};
    enum { LAST = sizeof energy / sizeof *energy - 1 };
    size_t i = 1;
    if (ratio <= energy[0]) return frequency[0];
    if (ratio >= energy[LAST]) return frequency[LAST];
    while (ratio > energy[i]) i++;
    double share = log(ratio / energy[i - 1]) / log(energy[i] / energy[i - 1]);
    return frequency[i - 1] + share * (frequency[i] - frequency[i - 1]);
}

double sg_forced_bar_backbone(double energy, double gap)
{
    return 4.0 / (3.0 + gap / sqrt(2.0 * energy));
}
