/* Two shear buildings that pound, by every treatment of contact: no exact solution is known, but what
 * engineers ask for must not depend on the treatment. */
#include <math.h>

#include "commands/verify.h"

static const char *const histories[] = {
    "displacement", "gap", "contact_force", "impulse", "energy/total", "energy/numerical", NULL,
};

enum trial { EVENTS, KELVIN_VOIGT, HERTZ, MOREAU_JEAN, ALPHA, APART };
enum { ROOF_A = 7, ROOF_B = 12, FLOORS = 5 };

#define STEP "time.step=1e-4"

static const struct sg_trial trials[] = {
    [EVENTS] = {"event-driven, elastic", {NULL}},
    [KELVIN_VOIGT] = {"penalty, Kelvin-Voigt",
                      {"integrator.type=trapezoidal", "strategy.type=penalty", STEP}},
    [HERTZ] = {"penalty, Hertz",
               {"integrator.type=trapezoidal", "strategy.type=penalty", "strategy.law=hertz", STEP}},
    [MOREAU_JEAN] = {"Moreau-Jean", {"integrator.type=theta", "strategy.type=time-stepping", STEP}},
    [ALPHA] = {"nonsmooth generalized-alpha",
               {"integrator.type=generalized-alpha", "strategy.type=time-stepping", "strategy.level=both",
                STEP}},
    [APART] = {"a metre apart", {"bodies.[1].positions=[1.0, 1.0, 1.0, 1.0, 1.0]"}},
    {0}};

/* m, the largest displacement of a floor */
static double peak(const struct sg_verification *verification, size_t trial, size_t dof)
{
    const struct sg_trace *trace = &verification->traces[trial];
    size_t column = sg_trace_column(trace, "displacement") + dof;
    double most = 0.0;
    for (size_t i = 0; i < trace->row_count; i++) most = fmax(most, fabs(sg_trace_row(trace, i)[column]));
    return most;
}

static double roof_a(const struct sg_verification *verification, size_t trial)
{
    return peak(verification, trial, ROOF_A) / peak(verification, EVENTS, ROOF_A);
}

static double roof_b(const struct sg_verification *verification, size_t trial)
{
    return peak(verification, trial, ROOF_B) / peak(verification, EVENTS, ROOF_B);
}

/* N s, of all floors; springs between events tell forces, the others impulses */
static double impulse(const struct sg_trace *trace, bool forces)
{
    size_t force = sg_trace_column(trace, "contact_force"), given = sg_trace_column(trace, "impulse");
    double sum = 0.0;
    for (size_t j = 0; j < FLOORS && !forces; j++) sum += sg_trace_last(trace)[given + j];
    for (size_t i = 1; i < trace->row_count && forces; i++) {
        const double *before = sg_trace_row(trace, i - 1), *row = sg_trace_row(trace, i);
        for (size_t j = 0; j < FLOORS; j++)
            sum += 0.5 * (row[0] - before[0]) * (row[force + j] + before[force + j]);
    }
    return sum;
}

static double impulses(const struct sg_verification *verification, size_t trial)
{
    return impulse(&verification->traces[trial], false) / impulse(&verification->traces[EVENTS], true);
}

static double deepest(const struct sg_verification *verification, size_t trial)
{
    const struct sg_trace *trace = &verification->traces[trial];
    size_t column = sg_trace_column(trace, "gap");
    double least = 0.0;
    for (size_t i = 0; i < trace->row_count; i++)
        for (size_t j = 0; j < FLOORS; j++) least = fmin(least, sg_trace_row(trace, i)[column + j]);
    return -least;
}

static double poundings(const struct sg_verification *verification, size_t trial)
{
    const struct sg_trace *trace = &verification->traces[trial];
    return (double)(sg_trace_count(trace, SG_EVENT_CLOSE) + sg_trace_count(trace, SG_EVENT_IMPACT));
}

/* Roofs: springs that lose nothing, dashpots and rigid contacts with e = 0.6 stay together within 2 %, where
 * without pounding a goes 22 % farther and b 15 %. Impulses are the momentum that the buildings exchange:
 * with e = 0.6 up to 7 % less than without loss. Rigid contacts close by the way of a step at velocity level,
 * by rounding with both. */
static const struct sg_figure figures[] = {
    {"energy: largest drift over total", EVENTS, sg_measure_drift, 0.0, 2e-5},
    {"roof of a, to event-driven", KELVIN_VOIGT, roof_a, 1.0, 0.02},
    {"roof of b, to event-driven", KELVIN_VOIGT, roof_b, 1.0, 0.02},
    {"impulses, to event-driven", KELVIN_VOIGT, impulses, 1.0, 0.1},
    {"roof of a, to event-driven", HERTZ, roof_a, 1.0, 0.02},
    {"roof of b, to event-driven", HERTZ, roof_b, 1.0, 0.02},
    {"impulses, to event-driven", HERTZ, impulses, 1.0, 0.1},
    {"energy: largest drift over total", HERTZ, sg_measure_drift, 0.0, 5e-5},
    {"roof of a, to event-driven", MOREAU_JEAN, roof_a, 1.0, 0.03},
    {"roof of b, to event-driven", MOREAU_JEAN, roof_b, 1.0, 0.03},
    {"impulses, to event-driven", MOREAU_JEAN, impulses, 1.0, 0.1},
    {"penetration (m)", MOREAU_JEAN, deepest, 0.0, 1e-4},
    {"roof of a, to event-driven", ALPHA, roof_a, 1.0, 0.03},
    {"roof of b, to event-driven", ALPHA, roof_b, 1.0, 0.03},
    {"impulses, to event-driven", ALPHA, impulses, 1.0, 0.1},
    {"penetration (m)", ALPHA, deepest, 0.0, 1e-12},
    {"roof of a, to event-driven", APART, roof_a, 1.22, 0.03},
    {"roof of b, to event-driven", APART, roof_b, 1.15, 0.03},
    {"poundings", APART, poundings, 0.0, 0.5},
    {0}};

const struct sg_benchmark sg_benchmark_two_shear_buildings = {
    .name = "two_shear_buildings",
    .meaning = "pounding of two buildings in an earthquake, by five treatments of contact",
    .trials = trials,
    .figures = figures,
    .histories = histories,
};
