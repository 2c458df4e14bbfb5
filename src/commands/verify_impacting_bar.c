/* The impacting bar: counts and losses of the schemes, and the exact motion of the continuous bar. */
#include <math.h>

#include "benchmarks/impacting_bar.h"
#include "commands/verify.h"

static const char *const histories[] = {
    "gap", "contact_force", "impulse", "energy/total", "energy/numerical", "momentum/linear", NULL,
};

enum trial { DECK, COARSE, FINE, FINEST, JEAN, JEAN_FINE };

#define MESH(elements, step) "bodies.[0].elements=" elements, "time.step=" step
#define MOREAU_JEAN          "integrator.type=theta", "bodies.[0].mass=consistent"

static const struct sg_trial trials[] = {
    [DECK] = {"CD-Lagrange, 50 elements", {NULL}},
    [COARSE] = {"CD-Lagrange, 25 elements", {MESH("25", "1.374e-6")}},
    [FINE] = {"CD-Lagrange, 100 elements", {MESH("100", "3.435e-7")}},
    [FINEST] = {"CD-Lagrange, 200 elements", {MESH("200", "1.7175e-7")}},
    [JEAN] = {"Moreau-Jean, 50 elements", {MOREAU_JEAN}},
    [JEAN_FINE] = {"Moreau-Jean, 100 elements", {MOREAU_JEAN, MESH("100", "3.435e-7")}},
    {0}};

static sg_status exact_init(void *exact, struct sg_error *err)
{
    const struct sg_impacting_bar_spec spec = sg_impacting_bar_benchmark();
    return sg_impacting_bar_init(&spec, exact, err);
}

static double critical_step(const struct sg_verification *verification, size_t trial)
{
    return 2.0 / sg_measure_omega_free(verification, trial);
}

/* --- the contact ---------------------------------------------------------------------------------- */

struct contact_rows {
    size_t first, count;
};

static struct contact_rows pushing(const struct sg_trace *trace)
{
    const size_t column = sg_trace_column(trace, "contact_force");
    struct contact_rows rows = {0, 0};
    for (size_t i = 0; i < trace->row_count; i++) {
        if (!(sg_trace_row(trace, i)[column] > 0.0)) continue;
        if (rows.count++ == 0) rows.first = i;
    }
    return rows;
}

static double first_step(const struct sg_verification *verification, size_t trial)
{
    return (double)pushing(&verification->traces[trial]).first;
}

static double contact_steps(const struct sg_verification *verification, size_t trial)
{
    return (double)pushing(&verification->traces[trial]).count;
}

/* over the middle eight tenths of the contact, relative to the exact one */
static double plateau_error(const struct sg_verification *verification, size_t trial)
{
    const struct sg_impacting_bar *bar = verification->exact;
    const struct sg_trace *trace = &verification->traces[trial];
    const struct contact_rows rows = pushing(trace);
    const size_t column = sg_trace_column(trace, "contact_force"), margin = rows.count / 10;
    double sum = 0.0;
    if (rows.count < 20) return NAN;
    for (size_t i = margin; i < rows.count - margin; i++) sum += sg_trace_row(trace, rows.first + i)[column];
    return sum / (double)(rows.count - 2 * margin) / bar->force - 1.0;
}

static double last(const struct sg_trace *trace, const char *history)
{
    return sg_trace_last(trace)[sg_trace_column(trace, history)];
}

static double impulse(const struct sg_verification *verification, size_t trial)
{
    return last(&verification->traces[trial], "impulse");
}

static double impulse_balance(const struct sg_verification *verification, size_t trial)
{
    const struct sg_trace *trace = &verification->traces[trial];
    const double before = sg_trace_row(trace, 0)[sg_trace_column(trace, "momentum/linear")];
    return impulse(verification, trial) - (last(trace, "momentum/linear") - before);
}

static double impulse_error(const struct sg_verification *verification, size_t trial)
{
    const struct sg_impacting_bar *bar = verification->exact;
    return impulse(verification, trial) / bar->impulse - 1.0;
}

static double gap_error(const void *exact, double t, const double *values)
{
    const struct sg_impacting_bar *bar = exact;
    return values[0] - (bar->spec.gap + sg_impacting_bar_at(bar, 0.0, t).displacement);
}

static double worst_gap(const struct sg_verification *verification, size_t trial)
{
    struct sg_trace_span run = {"gap", 0.0, HUGE_VAL};
    return sg_trace_worst(&verification->traces[trial], run, gap_error, verification->exact);
}

/* --- energy --------------------------------------------------------------------------------------- */

static double loss(const struct sg_verification *verification, size_t trial)
{
    const struct sg_trace *trace = &verification->traces[trial];
    const double before = sg_trace_row(trace, 0)[sg_trace_column(trace, "energy/total")];
    return 1.0 - last(trace, "energy/total") / before;
}

/* The figures of the schemes are those of a second program. Counts are exact. A node that hits loses its
 * own kinetic energy, the (2 N)th part of the whole; 1e-10: rounding of the strain energy, whose
 * displacements are fifty times its stretches. The impulse lacks the momentum of about that node: 1/N, and
 * the rest of the errors is that of the mesh, too: plateau 5e-5, displacement three elements' way at
 * 5 m/s. */
static const struct sg_figure figures[] = {
    {"largest stable step (s)", DECK, critical_step, 9.81987e-7, 0.5e-12},
    {"first step in contact", DECK, first_step, 73.0, 0.5},
    {"steps in contact", DECK, contact_steps, 144.0, 0.5},
    {"energy lost", DECK, loss, 1.0 / 100.0, 1e-10},
    {"impulse (N s)", DECK, impulse, 12.738099685292953, 1e-10},
    {"impulse: relative error", DECK, impulse_error, 0.0, 0.01},
    {"balance of impulses (N s)", DECK, impulse_balance, 0.0, 1e-11},
    {"plateau of the force: relative error", DECK, plateau_error, 0.0, 1e-3},
    {"end that hits: error (m)", DECK, worst_gap, 0.0, 1.5e-5},
    {"energy drift", DECK, sg_measure_drift, 0.0, 1e-10},
    {"energy lost", COARSE, loss, 1.0 / 50.0, 1e-10},
    {"energy lost", FINE, loss, 1.0 / 200.0, 1e-10},
    {"energy lost", FINEST, loss, 1.0 / 400.0, 1e-10},
    {"impulse: relative error", FINEST, impulse_error, 0.0, 0.004},
    {"steps in contact", JEAN, contact_steps, 144.0, 0.5},
    {"energy lost", JEAN, loss, 0.00907069924971926, 1e-9},
    {"impulse (N s)", JEAN, impulse, 12.786987921903245, 1e-8},
    {"plateau of the force: relative error", JEAN, plateau_error, 0.0, 1e-3},
    {"energy drift", JEAN, sg_measure_drift, 0.0, 1e-10},
    {"energy lost", JEAN_FINE, loss, 0.004535349624857576, 1e-9},
    {0}};

const struct sg_benchmark sg_benchmark_impacting_bar = {
    .name = "impacting_bar",
    .meaning =
        "elastic bar against a wall: contact steps, impulse, plateau, the energy of the node that hits",
    .trials = trials,
    .figures = figures,
    .histories = histories,
    .exact_size = sizeof(struct sg_impacting_bar),
    .exact_init = exact_init,
};
