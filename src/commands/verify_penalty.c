/* The impacting bar on unilateral springs: the exact motion of the continuous bar, energy by stiffness and
 * step, and the forms that conserve and dissipate. */
#include <math.h>

#include "benchmarks/bar_on_spring.h"
#include "commands/verify.h"

static const char *const histories[] = {
    "gap", "contact_force", "impulse", "energy/total", "energy/numerical", "momentum/linear", NULL,
};

enum trial {
    SOFT,
    SOFT_HALF,
    SOFT_FINE,
    SPRING,
    SPRING_FINE,
    STIFF,
    STIFF_FINE,
    EXPLICIT,
    BATHE,
    CONSERVING,
    CONSERVING_STIFF,
    DISSIPATING
};

#define PENALTY(integrator, stiffness)                                                                       \
    "strategy.type=penalty", "integrator.type=" integrator, "contacts.[0].stiffness=" stiffness
#define HALF "time.step=3.435e-7"
#define FINE "time.step=1.7175e-7"

static const struct sg_trial trials[] = {
    [SOFT] = {"trapezoidal, 1e9 N/m", {PENALTY("trapezoidal", "1e9")}},
    [SOFT_HALF] = {"trapezoidal, 1e9 N/m, half the step", {PENALTY("trapezoidal", "1e9"), HALF}},
    [SOFT_FINE] = {"trapezoidal, 1e9 N/m, a quarter of the step", {PENALTY("trapezoidal", "1e9"), FINE}},
    [SPRING] = {"trapezoidal, 1e10 N/m", {PENALTY("trapezoidal", "1e10")}},
    [SPRING_FINE] = {"trapezoidal, 1e10 N/m, a quarter of the step", {PENALTY("trapezoidal", "1e10"), FINE}},
    [STIFF] = {"trapezoidal, 1e11 N/m", {PENALTY("trapezoidal", "1e11")}},
    [STIFF_FINE] = {"trapezoidal, 1e11 N/m, a quarter of the step", {PENALTY("trapezoidal", "1e11"), FINE}},
    [EXPLICIT] = {"central difference, 1e9 N/m", {PENALTY("central-difference", "1e9")}},
    [BATHE] = {"Bathe, 1e9 N/m", {PENALTY("bathe", "1e9")}},
    [CONSERVING] = {"conserving, 1e9 N/m", {PENALTY("theta", "1e9"), "strategy.form=conserving"}},
    [CONSERVING_STIFF] = {"conserving, 1e13 N/m", {PENALTY("theta", "1e13"), "strategy.form=conserving"}},
    [DISSIPATING] = {"dissipating, 1e11 N/m",
                     {PENALTY("theta", "1e11"), "strategy.form=dissipating", "strategy.dissipation=0.5"}},
    {0}};

static sg_status exact_init(void *exact, struct sg_error *err)
{
    const struct sg_impacting_bar_spec spec = sg_impacting_bar_benchmark();
    return sg_bar_on_spring_init(&spec, 1e9, exact, err);
}

static double last(const struct sg_verification *verification, size_t trial, const char *history)
{
    const struct sg_trace *trace = &verification->traces[trial];
    return sg_trace_last(trace)[sg_trace_column(trace, history)];
}

/* --- the contact ---------------------------------------------------------------------------------- */

static double impulse_error(const struct sg_verification *verification, size_t trial)
{
    const struct sg_bar_on_spring *exact = verification->exact;
    return last(verification, trial, "impulse") / exact->impulse - 1.0;
}

static double impulse_balance(const struct sg_verification *verification, size_t trial)
{
    const struct sg_trace *trace = &verification->traces[trial];
    const double before = sg_trace_row(trace, 0)[sg_trace_column(trace, "momentum/linear")];
    return last(verification, trial, "impulse") - (last(verification, trial, "momentum/linear") - before);
}

static double depth_error(const struct sg_verification *verification, size_t trial)
{
    const struct sg_bar_on_spring *exact = verification->exact;
    return verification->traces[trial].summary.max_penetration / exact->depth - 1.0;
}

static double force_error_at(const void *exact, double t, const double *values)
{
    const struct sg_bar_on_spring *bar = exact;
    return (values[0] - sg_bar_on_spring_force(bar, t)) / bar->bar.force;
}

static double force_error(const struct sg_verification *verification, size_t trial)
{
    struct sg_trace_span run = {"contact_force", 0.0, HUGE_VAL};
    return sg_trace_worst(&verification->traces[trial], run, force_error_at, verification->exact);
}

/* --- energy --------------------------------------------------------------------------------------- */

/* the largest rise of the total energy in a step, of the whole */
static double rise(const struct sg_verification *verification, size_t trial)
{
    const struct sg_trace *trace = &verification->traces[trial];
    const size_t column = sg_trace_column(trace, "energy/total");
    double most = -HUGE_VAL;
    for (size_t i = 1; i < trace->row_count; i++)
        most = fmax(most, sg_trace_row(trace, i)[column] - sg_trace_row(trace, i - 1)[column]);
    return most / sg_trace_row(trace, 0)[column];
}

static double loss(const struct sg_verification *verification, size_t trial)
{
    const struct sg_trace *trace = &verification->traces[trial];
    const double before = sg_trace_row(trace, 0)[sg_trace_column(trace, "energy/total")];
    return 1.0 - last(verification, trial, "energy/total") / before;
}

/* The exact bar is continuous: 50 elements are off by less than a hundredth of the force's plateau, and its
 * integral by far less. In the steps where a contact begins and ends the trapezoidal rule gains or loses some
 * kappa h^2 v^2 / 8, a part that falls and rises with where in the step that is: limits of the drift are
 * twice what is found, and fall with the stiffness and the square of the step. */
static const struct sg_figure figures[] = {
    {"impulse: relative error", SOFT, impulse_error, 0.0, 1e-4},
    {"balance of impulses (N s)", SOFT, impulse_balance, 0.0, 1e-11},
    {"largest overlap: relative error", SOFT, depth_error, 0.0, 5e-3},
    {"force: largest error, of the plateau", SOFT, force_error, 0.0, 0.01},
    {"energy drift", SOFT, sg_measure_drift, 0.0, 1.3e-4},
    {"energy drift", SOFT_HALF, sg_measure_drift, 0.0, 5e-5},
    {"impulse: relative error", SOFT_FINE, impulse_error, 0.0, 1e-5},
    {"energy drift", SOFT_FINE, sg_measure_drift, 0.0, 5e-6},
    {"energy drift", SPRING, sg_measure_drift, 0.0, 1.3e-3},
    {"energy drift", SPRING_FINE, sg_measure_drift, 0.0, 5e-5},
    {"energy drift", STIFF, sg_measure_drift, 0.0, 8e-3},
    {"energy drift", STIFF_FINE, sg_measure_drift, 0.0, 5e-4},
    {"impulse: relative error", EXPLICIT, impulse_error, 0.0, 1e-4},
    {"balance of impulses (N s)", EXPLICIT, impulse_balance, 0.0, 1e-11},
    {"energy drift", EXPLICIT, sg_measure_drift, 0.0, 1.3e-4},
    {"impulse: relative error", BATHE, impulse_error, 0.0, 1e-4},
    {"balance of impulses (N s)", BATHE, impulse_balance, 0.0, 1e-11},
    {"energy drift", BATHE, sg_measure_drift, 0.0, 1e-4},
    {"impulse: relative error", CONSERVING, impulse_error, 0.0, 1e-4},
    {"energy drift", CONSERVING, sg_measure_drift, 0.0, 1e-10},
    {"energy drift", CONSERVING_STIFF, sg_measure_drift, 0.0, 1e-10},
    {"energy lost", CONSERVING_STIFF, loss, 0.0, 1e-10},
    {"largest rise of energy in a step", DISSIPATING, rise, 0.0, 1e-13},
    {"energy drift", DISSIPATING, sg_measure_drift, 0.0, 1e-10},
    {0}};

const struct sg_benchmark sg_benchmark_penalty_bar = {
    .name = "penalty_bar",
    .meaning = "the impacting bar on unilateral springs: force, impulse, depth; energy by stiffness and step",
    .trials = trials,
    .figures = figures,
    .histories = histories,
    .exact_size = sizeof(struct sg_bar_on_spring),
    .exact_init = exact_init,
};
