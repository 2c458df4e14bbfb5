/* Two beams with non-matching nodes: what must be conserved where contacts act on each other. */
#include <math.h>

#include "commands/verify.h"

static const char *const histories[] = {
    "contact_force", "momentum/linear", "momentum/angular", "energy/numerical", "energy/dissipated", NULL,
};

enum trial { DECK, HALF, PLASTIC };

#define E(value)                                                                                             \
    "contacts.[0].restitution=" value, "contacts.[1].restitution=" value, "contacts.[2].restitution=" value, \
        "contacts.[3].restitution=" value, "contacts.[4].restitution=" value

static const struct sg_trial trials[] = {
    [DECK] = {"e = 1", {NULL}}, [HALF] = {"e = 0.5", {E("0.5")}}, [PLASTIC] = {"e = 0", {E("0.0")}}, {0}};

enum { CONTACTS = 5 };

static sg_status exact_init(void *exact, struct sg_error *err)
{
    (void)exact, (void)err;
    return SG_OK;
}

static double worst(const struct sg_verification *verification, size_t trial, const char *history,
                    sg_trace_error *error)
{
    struct sg_trace_span run = {history, 0.0, HUGE_VAL};
    return sg_trace_worst(&verification->traces[trial], run, error, NULL);
}

static double momentum_error(const void *exact, double t, const double *values)
{
    (void)exact, (void)t;
    return fmax(fabs(values[0]), fabs(values[1] + 0.9));
}

static double moment_error(const void *exact, double t, const double *values)
{
    (void)exact, (void)t;
    return values[0] + 0.429496875;
}

static double momentum(const struct sg_verification *verification, size_t trial)
{
    return worst(verification, trial, "momentum/linear", momentum_error);
}

static double moment(const struct sg_verification *verification, size_t trial)
{
    return worst(verification, trial, "momentum/angular", moment_error);
}

static double identity(const struct sg_verification *verification, size_t trial)
{
    return worst(verification, trial, "energy/numerical", sg_trace_itself);
}

static double largest_loss(const struct sg_verification *verification, size_t trial)
{
    return worst(verification, trial, "energy/dissipated", sg_trace_itself);
}

static double loss(const struct sg_verification *verification, size_t trial)
{
    const struct sg_trace *trace = &verification->traces[trial];
    return sg_trace_last(trace)[sg_trace_column(trace, "energy/dissipated")];
}

/* rows in which at least `least` contacts push */
static double rows_with(const struct sg_trace *trace, size_t least)
{
    const size_t column = sg_trace_column(trace, "contact_force");
    double rows = 0.0;
    for (size_t i = 0; i < trace->row_count; i++) {
        size_t count = 0;
        for (size_t j = 0; j < CONTACTS; j++) count += sg_trace_row(trace, i)[column + j] > 0.0;
        rows += count >= least;
    }
    return rows;
}

static double contact_steps(const struct sg_verification *verification, size_t trial)
{
    return rows_with(&verification->traces[trial], 1);
}

static double coupled_steps(const struct sg_verification *verification, size_t trial)
{
    return rows_with(&verification->traces[trial], 2);
}

/* 1e-12: rounding of 2000 steps of 1 J and 1 N s. Counts and losses were computed a second time by another
 * program that tries every set of contacts; losses to the rounding that impacts enlarge. */
static const struct sg_figure figures[] = {
    {"momentum: error (kg m/s)", DECK, momentum, 0.0, 1e-12},
    {"angular momentum: error (kg m^2/s)", DECK, moment, 0.0, 1e-12},
    {"energy: error (J)", DECK, identity, 0.0, 1e-12},
    {"energy that impacts take (J)", DECK, largest_loss, 0.0, 1e-12},
    {"steps in contact", DECK, contact_steps, 24.0, 0.5},
    {"steps in more than one contact", DECK, coupled_steps, 2.0, 0.5},
    {"momentum: error (kg m/s)", HALF, momentum, 0.0, 1e-12},
    {"angular momentum: error (kg m^2/s)", HALF, moment, 0.0, 1e-12},
    {"energy: error (J)", HALF, identity, 0.0, 1e-12},
    {"energy that impacts take (J)", HALF, loss, 0.24780979055423744, 1e-9},
    {"momentum: error (kg m/s)", PLASTIC, momentum, 0.0, 1e-12},
    {"angular momentum: error (kg m^2/s)", PLASTIC, moment, 0.0, 1e-12},
    {"energy: error (J)", PLASTIC, identity, 0.0, 1e-12},
    {"energy that impacts take (J)", PLASTIC, loss, 0.24885267806455266, 1e-9},
    {0}};

const struct sg_benchmark sg_benchmark_two_beams = {
    .name = "two_beams",
    .meaning = "beams with non-matching nodes: momenta and energy through coupled contacts",
    .trials = trials,
    .figures = figures,
    .histories = histories,
    .exact_size = sizeof(int),
    .exact_init = exact_init,
};
