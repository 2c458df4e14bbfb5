/* The bouncing bar: counts of Depouhon, Detournay and Denoel 2014 (tables 1 and 2, as far as they can be
 * reproduced), and the exact motion of the continuous bar. */
#include <math.h>

#include "commands/verify.h"

static const char *const histories[] = {
    "energy/total", "energy/numerical", "momentum/linear", "contact_force", "center/displacement", NULL,
};

enum trial { RHO_0, COARSE, RHO_5, TOLERANCE_4, TOLERANCE_6, RHO_1 };

#define WIDER(tolerance)                                                                                     \
    {                                                                                                        \
        "integrator.rho_inf=1.0", "strategy.gap_tolerance=" tolerance, "strategy.time_tolerance=" tolerance  \
    }

static const struct sg_trial trials[] = {
    [RHO_0] = {"rho_inf 0", {"integrator.rho_inf=0.0"}},
    [COARSE] = {"rho_inf 0.5, 50 elements", {"integrator.rho_inf=0.5", "bodies.[0].elements=50"}},
    [RHO_5] = {"rho_inf 0.5", {"integrator.rho_inf=0.5"}},
    [TOLERANCE_4] = {"rho_inf 1, tolerances 1e-4", WIDER("1.0e-4")},
    [TOLERANCE_6] = {"rho_inf 1, tolerances 1e-6", WIDER("1.0e-6")},
    [RHO_1] = {"rho_inf 1", {"integrator.rho_inf=1.0"}},
    {0}};

static sg_status exact_init(void *exact, struct sg_error *err)
{
    struct sg_bouncing_bar_spec spec = sg_bouncing_bar_benchmark();
    return sg_bouncing_bar_init(&spec, exact, err);
}

/* --- contact phases ------------------------------------------------------------------------------- */

enum { PHASES = 4 }; /* in two periods */

/* contacts last 2 L/c0, flights three times as long, chatter stays within a contact */
static size_t contact_phases(const struct sg_verification *verification, size_t trial,
                             struct sg_contact_interval *phases)
{
    const struct sg_bouncing_bar *bar = verification->exact;
    struct sg_phase_rule rule = {0, bar->transit};
    return sg_trace_phases(&verification->traces[trial], rule, phases, PHASES);
}

static double phase_count(const struct sg_verification *verification, size_t trial)
{
    struct sg_contact_interval phases[PHASES];
    return (double)contact_phases(verification, trial, phases);
}

static double first_closing(const struct sg_verification *verification, size_t trial)
{
    struct sg_contact_interval phases[PHASES];
    return contact_phases(verification, trial, phases) > 0 ? phases[0].closes : NAN;
}

static double first_opening(const struct sg_verification *verification, size_t trial)
{
    struct sg_contact_interval phases[PHASES];
    return contact_phases(verification, trial, phases) > 0 ? phases[0].opens : NAN;
}

static double worst_phase(const struct sg_verification *verification, size_t trial)
{
    struct sg_contact_interval phases[PHASES];
    double worst = 0.0;
    if (contact_phases(verification, trial, phases) != PHASES) return NAN;
    for (size_t k = 0; k < PHASES; k++) {
        struct sg_contact_interval exact = sg_bouncing_bar_contact(verification->exact, k);
        worst = fmax(worst, fmax(fabs(phases[k].closes - exact.closes), fabs(phases[k].opens - exact.opens)));
    }
    return worst;
}

/* in the middle of the first flight */
static double flight(const struct sg_verification *verification)
{
    const struct sg_bouncing_bar *bar = verification->exact;
    return sg_bouncing_bar_contact(bar, 0).opens + bar->fall;
}

/* The scheme's own impulse over the duration of the exact contact: what the momentum gained on gravity. */
static double mean_force(const struct sg_verification *verification, size_t trial)
{
    const struct sg_bouncing_bar *bar = verification->exact;
    const struct sg_trace *trace = &verification->traces[trial];
    const struct sg_bouncing_bar_spec *spec = &bar->spec;
    double weight = spec->line_density * spec->length * spec->gravity;
    size_t i = 0, column = sg_trace_column(trace, "momentum/linear");
    while (i + 1 < trace->row_count && sg_trace_row(trace, i)[0] < flight(verification)) i++;
    const double *row = sg_trace_row(trace, i);
    return (row[column] + weight * row[0]) / (2.0 * bar->transit);
}

static double mean_of_force_history(const struct sg_verification *verification, size_t trial)
{
    const struct sg_bouncing_bar *bar = verification->exact;
    struct sg_trace_span span = {"contact_force", 0.0, flight(verification)};
    return sg_trace_integral(&verification->traces[trial], span) / (2.0 * bar->transit);
}

/* --- errors over time ----------------------------------------------------------------------------- */

static double displacement_error(const void *exact, double t, const double *values)
{
    return values[0] - sg_bouncing_bar_at(exact, t).displacement;
}

static double momentum_error(const void *exact, double t, const double *values)
{
    return values[0] - sg_bouncing_bar_at(exact, t).momentum;
}

static double energy_error(const void *exact, double t, const double *values)
{
    struct sg_bouncing_bar_totals totals = sg_bouncing_bar_at(exact, t);
    return values[0] / (totals.kinetic + totals.strain + totals.gravity) - 1.0;
}

static double worst_displacement(const struct sg_verification *verification, size_t trial)
{
    struct sg_trace_span two_periods = {"center/displacement", 0.0, HUGE_VAL};
    return sg_trace_worst(&verification->traces[trial], two_periods, displacement_error, verification->exact);
}

static double worst_in_period(const struct sg_verification *verification, size_t trial, const char *history,
                              sg_trace_error *error)
{
    const struct sg_bouncing_bar *bar = verification->exact;
    struct sg_trace_span period = {history, 0.0, bar->period};
    return sg_trace_worst(&verification->traces[trial], period, error, bar);
}

static double worst_energy(const struct sg_verification *verification, size_t trial)
{
    return worst_in_period(verification, trial, "energy/total", energy_error);
}

static double worst_momentum(const struct sg_verification *verification, size_t trial)
{
    return worst_in_period(verification, trial, "momentum/linear", momentum_error);
}

/* --- trends --------------------------------------------------------------------------------------- */

static double displacement_trend(const struct sg_verification *verification, size_t trial)
{
    return sg_measure_ratio(verification, trial, worst_displacement);
}

static double phase_trend(const struct sg_verification *verification, size_t trial)
{
    return sg_measure_ratio(verification, trial, worst_phase);
}

static double drift_trend(const struct sg_verification *verification, size_t trial)
{
    return sg_measure_ratio(verification, trial, sg_measure_drift);
}

/* Counts at rho_inf < 1 are stable and may differ by the rounding of a few steps; at 1 the chatter is
 * chaotic in its last digits.
 *
 * Errors against the continuous bar are those of the mesh, which smears the wave front and leaves energy
 * behind it; they fall as the elements shrink, by 0.5 to 0.6 for each halving:
 *
 *     elements                              50      100      200      400
 *     worst begin or end of contact (s)     0.181   0.107    0.062    0.036
 *     displacement of the centre (m)        1.20    0.618    0.345    0.196
 *     momentum (kg m/s)                     6.1     3.42     1.88     1.04
 *     energy, relative                      0.033   0.0183   0.0104   0.0060
 *     mean force, of its history (N)        14.3    7.3      3.6      1.8
 *     mean force, of the momentum (N)       1.46    0.79     0.44     0.24
 *
 * The limits are half as much again as the error of this mesh, and the trend is a figure of its own. The
 * first contact ends within two elements' transit times, 2 L / 100 c0, and begins exactly but for the
 * time tolerance: a parabola is exact. The force history is worse than the momentum since chatter is
 * faster than the steps that sample it. */
static const struct sg_figure figures[] = {
    {"highest frequency, open (rad/s)", RHO_0, sg_measure_omega_free, 734.8469, 734.8469e-7},
    {"highest frequency, closed (rad/s)", RHO_0, sg_measure_omega_closed, 6660.4536, 6660.4536e-7},
    {"step (s)", RHO_0, sg_measure_step, 3.42013e-3, 0.5e-8},
    {"step after events (s)", RHO_0, sg_measure_contact_step, 3.77343e-4, 0.5e-9},
    {"increments", RHO_0, sg_measure_increments, 3372.0, 3.0},
    {"closings", RHO_0, sg_measure_closings, 30.0, 1.0},
    {"increments", RHO_5, sg_measure_increments, 3633.0, 3.0},
    {"closings", RHO_5, sg_measure_closings, 71.0, 1.0},
    {"contact phases", RHO_5, phase_count, 4.0, 0.5},
    {"first contact begins (s)", RHO_5, first_closing, 1.0, 1e-8},
    {"first contact ends (s)", RHO_5, first_opening, 5.0 / 3.0, 0.02 / 3.0},
    {"contacts: error of begins and ends (s)", RHO_5, worst_phase, 0.0, 0.16},
    {"contacts: error relative to 50 elements", RHO_5, phase_trend, 0.0, 0.65},
    {"mean force in first contact (N)", RHO_5, mean_force, 400.0, 1.2},
    {"mean of its history (N)", RHO_5, mean_of_force_history, 400.0, 11.0},
    {"centre: error of displacement (m)", RHO_5, worst_displacement, 0.0, 0.92},
    {"centre: error relative to 50 elements", RHO_5, displacement_trend, 0.0, 0.65},
    {"energy in a period: relative error", RHO_5, worst_energy, 0.0, 0.027},
    {"momentum in a period: error (kg m/s)", RHO_5, worst_momentum, 0.0, 5.1},
    {"drift relative to tolerances 1e-4", TOLERANCE_6, drift_trend, 0.0, 0.1},
    {"drift relative to tolerances 1e-6", RHO_1, drift_trend, 0.0, 0.1},
    {"increments", RHO_1, sg_measure_increments, 11382.0, 113.8},
    {"closings", RHO_1, sg_measure_closings, 973.0, 9.7},
    {"energy drift", RHO_1, sg_measure_drift, 0.0, 1e-9},
    {0}};

const struct sg_benchmark sg_benchmark_bouncing_bar = {
    .name = "bouncing_bar",
    .meaning = "elastic bar that falls on a wall and bounces: counts, phases, conservation",
    .trials = trials,
    .figures = figures,
    .histories = histories,
    .exact_size = sizeof(struct sg_bouncing_bar),
    .exact_init = exact_init,
};
