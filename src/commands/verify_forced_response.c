/* Forced response of a bar: without contact its exact amplitude, with contact the peaks of energy against the
 * backbone that is known in closed form, and the same curves by other treatments of contact. */
#include <math.h>

#include "benchmarks/forced_bar.h"
#include "commands/verify.h"

static const char *const histories[] = {
    "frequency",      "branch",           "amplitude_factor", "damping",      "energy", "first_harmonic",
    "power/external", "power/dissipated", "steady",           "energy_ratio", NULL,
};

enum trial { FREE, PEAKS, CURVES, PENALTY, EVENTS, NODAL, TAPERED };
enum { STEPS = 400, PEAKS_BRANCHES = 4 };

#define SWEEP(from, to, count) "analysis.from=" from, "analysis.to=" to, "analysis.count=" count
#define CURVE                  SWEEP("1.2", "1.36", "9"), "analysis.amplitudes=[0.05]", "analysis.dampings=[0.2, 0.4]"

static const struct sg_trial trials[] = {
    [FREE] = {"no contact",
              {SWEEP("0.8", "1.35", "6"), "analysis.dampings=[0.1, 0.4]", "contacts.[0].gap=10.0",
               "analysis.tolerance=1e-9"}},
    [PEAKS] = {"Moreau-Jean, c 0.1 and 0.2", {SWEEP("1.28", "1.345", "14"), "analysis.dampings=[0.1, 0.2]"}},
    [CURVES] = {"Moreau-Jean, F 0.05", {CURVE}},
    [PENALTY] = {"penalty", {CURVE, "strategy.type=penalty", "contacts.[0].stiffness_factor=3"}},
    [EVENTS] = {"event-driven",
                {CURVE, "strategy.type=event-driven", "integrator.type=exact",
                 "contacts.[0].stiffness_factor=3"}},
    [NODAL] = {"nodal boundary method", {CURVE, "strategy.type=nbm", "integrator.type=exact"}},
    [TAPERED] = {"tapered, c 0.1 and 0.2",
                 {SWEEP("1.18", "1.29", "12"), "analysis.amplitudes=[0.005, 0.001]",
                  "analysis.dampings=[0.1, 0.2]",
                  "bodies.[0].modulus={type=\"linear\"; start=1.0; end=0.5;}"}},
    {0}};

static double at(const struct sg_trace *trace, size_t row, const char *history)
{
    return sg_trace_row(trace, row)[sg_trace_column(trace, history)];
}

/* fmax that keeps NaN */
static double larger(double a, double b)
{
    return a >= b ? a : b;
}

/* --- without contact ------------------------------------------------------------------------------ */

static double amplitude_error(const struct sg_verification *verification, size_t trial)
{
    const struct sg_trace *trace = &verification->traces[trial];
    double worst = 0.0;
    for (size_t i = 0; i < trace->row_count; i++) {
        const struct sg_forced_bar load = {at(trace, i, "frequency"), at(trace, i, "damping"),
                                           at(trace, i, "amplitude_factor")};
        struct sg_forced_bar seen = sg_forced_bar_by_midpoint(&load, 2.0 * acos(-1.0) / load.omega / STEPS);
        worst = larger(fabs(at(trace, i, "first_harmonic") / sg_forced_bar_amplitude(&seen) - 1.0), worst);
    }
    return worst;
}

static double not_periodic(const struct sg_verification *verification, size_t trial)
{
    const struct sg_trace *trace = &verification->traces[trial];
    double count = 0.0;
    for (size_t i = 0; i < trace->row_count; i++) count += at(trace, i, "steady") != 1.0;
    return count;
}

/* --- with contact --------------------------------------------------------------------------------- */

struct peak {
    double frequency, energy; /* ratios */
};

static struct peak find_peak(const struct sg_trace *trace, size_t branch)
{
    struct peak peak = {NAN, 0.0};
    for (size_t i = 0; i < trace->row_count; i++) {
        if (at(trace, i, "branch") != (double)branch || !(at(trace, i, "energy_ratio") > peak.energy))
            continue;
        peak = (struct peak){sg_trace_row(trace, i)[0], at(trace, i, "energy_ratio")};
    }
    return peak;
}

/* of all branches the largest distance of the peak from the backbone at its energy */
static double peak_error(const struct sg_verification *verification, size_t trial)
{
    const struct sg_trace *trace = &verification->traces[trial];
    double worst = 0.0;
    for (size_t branch = 0; branch < PEAKS_BRANCHES; branch++) {
        struct peak peak = find_peak(trace, branch);
        double gap = 1e-3, pi = acos(-1.0), touch = pi * pi / 16.0 * gap * gap;
        double backbone = trial == TAPERED ? sg_forced_bar_tapered_backbone(peak.energy)
                                           : sg_forced_bar_backbone(peak.energy * touch, gap);
        worst = larger(fabs(peak.frequency / backbone - 1.0), worst);
    }
    return worst;
}

/* loads give what damping takes, and the impacts of the end's mass */
static double power_error(const struct sg_verification *verification, size_t trial)
{
    const struct sg_trace *trace = &verification->traces[trial];
    double worst = 0.0;
    for (size_t i = 0; i < trace->row_count; i++) {
        if (!(at(trace, i, "steady") > 0.0)) continue;
        worst = larger(fabs(at(trace, i, "power/dissipated") / at(trace, i, "power/external") - 1.0), worst);
    }
    return worst;
}

static double curve_difference(const struct sg_verification *verification, size_t trial)
{
    const struct sg_trace *trace = &verification->traces[trial], *other = &verification->traces[CURVES];
    double worst = 0.0;
    if (trace->row_count != other->row_count) return NAN;
    for (size_t i = 0; i < trace->row_count; i++)
        worst = larger(fabs(at(trace, i, "energy") / at(other, i, "energy") - 1.0), worst);
    return worst;
}

static const struct sg_figure figures[] = {
    /* 20 quadratic elements: 3e-8 of the frequency, of which a resonance of width c/omega makes 16 times as
       much */
    {"amplitude, relative error", FREE, amplitude_error, 0.0, 1e-6},
    {"points that are not periodic", FREE, not_periodic, 0.0, 0.5},
    {"peaks' frequency against the backbone, F 0.05 and 0.005", PEAKS, peak_error, 0.0, 0.015},
    /* to the distance of 1e-6 at which a motion counts as periodic, over the share of it that a period takes
     */
    {"power of loads less that of damping and impacts", PEAKS, power_error, 0.0, 1e-5},
    /* Moreau-Jean's energies change by 4 % from 400 steps a period to 2000: it loses some at each impact */
    {"energies against Moreau-Jean's", PENALTY, curve_difference, 0.0, 0.06},
    {"energies against Moreau-Jean's", EVENTS, curve_difference, 0.0, 0.06},
    {"energies against Moreau-Jean's", NODAL, curve_difference, 0.0, 0.06},
    {"peaks' frequency against the nonsmooth modes, F 0.005 and 0.001", TAPERED, peak_error, 0.0, 0.015},
    {0}};

const struct sg_benchmark sg_benchmark_forced_response = {
    .name = "forced_response",
    .meaning = "steady motions of a loaded bar that strikes a stop, over the load's frequency",
    .trials = trials,
    .figures = figures,
    .histories = histories,
};
