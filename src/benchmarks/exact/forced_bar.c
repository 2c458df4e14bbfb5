#include "benchmarks/exact/forced_bar.h"

#include <complex.h>
#include <math.h>
#include <stddef.h>

#include "benchmarks/exact/exact.h"

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

/* --- for benchmarks --------------------------------------------------------------------------------- */

static const struct sg_keyword rows[] = {{0}};

/* The kind has no numbers of its own: all are operands. */
struct forced_bar {
    char none;
};

/* of omega, damping, force, and steps a period of the midpoint rule */
static double amplitude_by_midpoint(const struct sg_exact_row *x)
{
    const struct sg_forced_bar load = {x[0].values[0], x[1].values[0], x[2].values[0]};
    struct sg_forced_bar seen =
        sg_forced_bar_by_midpoint(&load, 2.0 * acos(-1.0) / load.omega / x[3].values[0]);
    return sg_forced_bar_amplitude(&seen);
}

SG_EXACT_FUNCTION(amplitude, struct forced_bar, amplitude_by_midpoint(x))
SG_EXACT_FUNCTION(backbone, struct forced_bar, sg_forced_bar_backbone(x[0].values[0], x[1].values[0]))
SG_EXACT_FUNCTION(tapered_backbone, struct forced_bar, sg_forced_bar_tapered_backbone(x[0].values[0]))

static const struct sg_exact_function functions[] = {
    {"amplitude", 4, 0, amplitude, 0,
     "amplitude(omega, c, F, n) of the end without contact, by the midpoint rule with n steps a period, m"},
    {"backbone", 2, 0, backbone, 0, "backbone(energy, gap): frequency ratio of a motion with contact, 1"},
    {"tapered_backbone", 1, 0, tapered_backbone, 0,
     "tapered_backbone(energy ratio): the same of a tapered bar, 1"},
    {0}};

const struct sg_exact_ops sg_exact_forced_bar = {
    .kind = {"forced-bar", "a loaded bar that is held at one end and may strike a stop", rows},
    .size = sizeof(struct forced_bar),
    .create = NULL,
    .functions = functions};
