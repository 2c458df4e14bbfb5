/* Two masses on springs: the event-driven strategy against the exact impacts, and the energy of implicit
 * schemes with and without the update, after Noh 2011. */
#include <math.h>

#include "benchmarks/spring_pair.h"
#include "commands/verify.h"

static const char *const histories[] = {"displacement", "energy/total", "energy/numerical", NULL};

enum trial { EVENTS, BATHE, BATHE_COARSE, PLAIN, PLAIN_COARSE, TRAPEZOIDAL, TRAPEZOIDAL_COARSE, CHAUDHARY };

#define TRAPEZOID "integrator.type=trapezoidal"
#define COARSE    "time.step=0.05"

static const struct sg_trial trials[] = {
    [EVENTS] = {"exact, event-driven",
                {"integrator.type=exact", "strategy.type=event-driven", "strategy.gap_tolerance=1.0e-13",
                 "strategy.time_tolerance=1.0e-13"}},
    [BATHE] = {"bathe, update", {NULL}},
    [BATHE_COARSE] = {"bathe, update, dt = .05", {COARSE}},
    [PLAIN] = {"trapezoidal, no update", {TRAPEZOID, "strategy.update=false"}},
    [PLAIN_COARSE] = {"trapezoidal, no update, dt = .05", {TRAPEZOID, "strategy.update=false", COARSE}},
    [TRAPEZOIDAL] = {"trapezoidal, update", {TRAPEZOID}},
    [TRAPEZOIDAL_COARSE] = {"trapezoidal, update, dt = .05", {TRAPEZOID, COARSE}},
    [CHAUDHARY] = {"chaudhary-bathe, no update",
                   {"integrator.type=chaudhary-bathe", "strategy.update=false", "time.end=1000.0",
                    "output.every=0.1"}},
    {0}};

static sg_status exact_init(void *exact, struct sg_error *err)
{
    const struct sg_spring_pair_spec spec = sg_spring_pair_benchmark();
    return sg_spring_pair_init(&spec, exact, err);
}

/* --- impacts ------------------------------------------------------------------------------------------ */

static double impacts(const struct sg_verification *verification, size_t trial)
{
    return (double)sg_trace_count(&verification->traces[trial], SG_EVENT_IMPACT);
}

/* the largest error of an impact's time until `until` */
static double worst_impact(const struct sg_verification *verification, size_t trial, double until)
{
    const struct sg_spring_pair *pair = verification->exact;
    const struct sg_trace *trace = &verification->traces[trial];
    double worst = 0.0;
    size_t k = 0;
    for (size_t i = 0; i < trace->event_count; i++) {
        if (trace->events[i].kind != SG_EVENT_IMPACT) continue;
        if (++k > pair->impacts) return NAN;
        if (pair->arcs[k].t <= until) worst = fmax(worst, fabs(trace->events[i].t - pair->arcs[k].t));
    }
    return k == pair->impacts ? worst : NAN;
}

static double first_half(const struct sg_verification *verification, size_t trial)
{
    return worst_impact(verification, trial, 20.0);
}

static double all_impacts(const struct sg_verification *verification, size_t trial)
{
    return worst_impact(verification, trial, 40.0);
}

/* --- energy and motion --------------------------------------------------------------------------------- */

enum { ENERGY = 63 }; /* J */

static double energy_error(const void *exact, double t, const double *values)
{
    (void)exact, (void)t;
    return values[0] / ENERGY - 1.0;
}

static double worst_energy(const struct sg_verification *verification, size_t trial)
{
    struct sg_trace_span run = {"energy/total", 0.0, HUGE_VAL};
    return sg_trace_worst(&verification->traces[trial], run, energy_error, NULL);
}

static double energy_at(const struct sg_trace *trace, double t)
{
    size_t column = sg_trace_column(trace, "energy/total"), i = 0;
    while (i + 1 < trace->row_count && sg_trace_row(trace, i)[0] < t - 1e-9) i++;
    return sg_trace_row(trace, i)[column];
}

/* J */
static double gain(const struct sg_verification *verification, size_t trial)
{
    return energy_at(&verification->traces[trial], 40.0) - ENERGY;
}

static double inverse_at_20(const struct sg_verification *verification, size_t trial)
{
    return 1.0 / energy_at(&verification->traces[trial], 20.0);
}

static double energy_ratio(const void *exact, double t, const double *values)
{
    return energy_error(exact, t, values) + 1.0;
}

/* of the last 20 s the largest, as a step in contact ends with less */
static double late_energy(const struct sg_verification *verification, size_t trial)
{
    struct sg_trace_span span = {"energy/total", 980.0, HUGE_VAL};
    return sg_trace_worst(&verification->traces[trial], span, energy_ratio, NULL);
}

static double stopped_dofs(const struct sg_verification *verification, size_t trial)
{
    return (double)verification->traces[trial].summary.update_nonphysical;
}

static double motion_error(const void *exact, double t, const double *values)
{
    struct sg_spring_pair_state truth = sg_spring_pair_at(exact, t);
    return fmax(fabs(values[0] - truth.u[0]), fabs(values[1] - truth.u[1]));
}

static double motion_until(const struct sg_verification *verification, size_t trial, double until)
{
    struct sg_trace_span span = {"displacement", 0.0, until};
    return sg_trace_worst(&verification->traces[trial], span, motion_error, verification->exact);
}

static double motion_to_10(const struct sg_verification *verification, size_t trial)
{
    return motion_until(verification, trial, 10.0);
}

static double motion_to_3(const struct sg_verification *verification, size_t trial)
{
    return motion_until(verification, trial, 3.0);
}

/* Impacts: gap tolerance 1e-13 m at some m/s; the motion is chaotic, an error grows a hundredfold in 20 s.
 * Energies: of a second program, and of the paper's figure 4-4. Motion, of 6 m: impacts are up to a step
 * late, and without the update rebounds too fast or too slow. The slow gain of
 * Chaudhary and Bathe's scheme: starts 1e-4 to 1e-2 m apart end with 62 to 88 J after some 600 impacts. */
static const struct sg_figure figures[] = {
    {"impacts in 40 s", EVENTS, impacts, 23.0, 0.5},
    {"impacts to t = 20: error (s)", EVENTS, first_half, 0.0, 1e-10},
    {"impacts to t = 40: error (s)", EVENTS, all_impacts, 0.0, 1e-8},
    {"energy: largest change of E/63", EVENTS, worst_energy, 0.0, 1e-11},
    {"energy: largest change of E/63", BATHE, worst_energy, 0.0, 1e-4},
    {"dofs stopped", BATHE, stopped_dofs, 0.0, 0.5},
    {"motion to t = 10: error (m)", BATHE, motion_to_10, 0.0, 0.2},
    {"energy: largest change of E/63", BATHE_COARSE, worst_energy, 0.0, 1e-3},
    {"1 / E at t = 20 (1/J)", PLAIN, inverse_at_20, 0.0, 1e-3},
    {"motion to t = 3: error (m)", PLAIN, motion_to_3, 0.0, 0.8},
    {"1 / E at t = 20 (1/J)", PLAIN_COARSE, inverse_at_20, 0.0, 1e-3},
    {"motion to t = 10: error (m)", TRAPEZOIDAL, motion_to_10, 0.0, 0.2},
    {"dofs stopped", TRAPEZOIDAL_COARSE, stopped_dofs, 1.0, 0.5},
    {"energy made by t = 40 (J)", TRAPEZOIDAL_COARSE, gain, 1.217, 5e-4},
    {"energy: E/63 by t = 1000", CHAUDHARY, late_energy, 1.25, 0.25},
    {0}};

const struct sg_benchmark sg_benchmark_spring_pair = {
    .name = "spring_pair",
    .meaning = "two masses on springs: impacts, and the energy of implicit schemes with and without update",
    .trials = trials,
    .figures = figures,
    .histories = histories,
    .exact_size = sizeof(struct sg_spring_pair),
    .exact_init = exact_init,
};
