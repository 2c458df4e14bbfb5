/* A block against a floor: the energy of five implicit schemes, and whether the update disturbs the stresses,
 * after Noh 2011. */
#include <math.h>

#include "commands/verify.h"

enum { ELEMENTS = 8 * 12, NODES_BELOW = 9 };

static const char *const histories[] = {"energy/total", "von_mises", "momentum/linear", "gap", NULL};

enum trial { BATHE, BATHE_PLAIN, TRAPEZOIDAL, TRAPEZOIDAL_PLAIN, CHAUDHARY };

#define PLAIN "strategy.update=false"

static const struct sg_trial trials[] = {
    [BATHE] = {"bathe, update", {NULL}},
    [BATHE_PLAIN] = {"bathe, no update", {PLAIN}},
    [TRAPEZOIDAL] = {"trapezoidal, update", {"integrator.type=trapezoidal"}},
    [TRAPEZOIDAL_PLAIN] = {"trapezoidal, no update", {"integrator.type=trapezoidal", PLAIN}},
    [CHAUDHARY] = {"chaudhary-bathe, no update", {"integrator.type=chaudhary-bathe", PLAIN}},
    {0}};

/* --- energy and momentum -------------------------------------------------------------------------- */

static double extreme_energy(const struct sg_trace *trace, double sign)
{
    size_t column = sg_trace_column(trace, "energy/total");
    double first = sg_trace_row(trace, 0)[column], extreme = 1.0;
    for (size_t i = 0; i < trace->row_count; i++) {
        double ratio = sg_trace_row(trace, i)[column] / first;
        if (!(sign * ratio <= sign * extreme)) extreme = ratio;
    }
    return extreme;
}

static double most_energy(const struct sg_verification *verification, size_t trial)
{
    return extreme_energy(&verification->traces[trial], 1.0);
}

static double least_energy(const struct sg_verification *verification, size_t trial)
{
    return extreme_energy(&verification->traces[trial], -1.0);
}

/* the floor has no friction: what the block carries along it never changes */
static double sideways(const struct sg_verification *verification, size_t trial)
{
    const struct sg_trace *trace = &verification->traces[trial];
    size_t column = sg_trace_column(trace, "momentum/linear");
    return sg_trace_last(trace)[column] / sg_trace_row(trace, 0)[column] - 1.0;
}

static double touches(const struct sg_verification *verification, size_t trial)
{
    const struct sg_trace *trace = &verification->traces[trial];
    size_t column = sg_trace_column(trace, "gap");
    for (size_t i = 0; i < trace->row_count; i++)
        for (size_t j = 0; j < NODES_BELOW; j++)
            if (sg_trace_row(trace, i)[column + j] < 1e-9) return sg_trace_row(trace, i)[0];
    return NAN;
}

/* --- stresses ------------------------------------------------------------------------------------- */

/* || a - b || / || a || of the centers' stresses of von Mises at one instant, a with the update, b without,
 * || || the root mean square over the elements (none weighted: they are equally large). While there is no
 * stress, the difference alone. */
static double difference(const double *a, const double *b)
{
    double apart = 0.0, size = 0.0;
    for (size_t k = 0; k < ELEMENTS; k++) {
        apart += (a[k] - b[k]) * (a[k] - b[k]);
        size += a[k] * a[k];
    }
    return size > 1e-12 * ELEMENTS ? sqrt(apart / size) : sqrt(apart);
}

static double worst_difference(const struct sg_verification *verification, double from, double until)
{
    const struct sg_trace *updated = &verification->traces[BATHE],
                          *plain = &verification->traces[BATHE_PLAIN];
    size_t column = sg_trace_column(updated, "von_mises");
    double worst = 0.0; /* of all instants */
    if (updated->row_count != plain->row_count) return NAN;
    for (size_t i = 0; i < updated->row_count; i++) {
        const double *a = sg_trace_row(updated, i), *b = sg_trace_row(plain, i);
        if (a[0] > from && a[0] <= until) worst = fmax(worst, difference(a + column, b + column));
    }
    return worst;
}

static double early_difference(const struct sg_verification *verification, size_t trial)
{
    (void)trial;
    return worst_difference(verification, 0.0, 0.22 + 1e-9);
}

static double late_difference(const struct sg_verification *verification, size_t trial)
{
    (void)trial;
    return worst_difference(verification, 0.22 + 1e-9, 0.4 + 1e-9);
}

#define ENERGIES(trial)                                                                                      \
    {"energy: least E/E0", trial, least_energy, 0.995, 0.035},                                               \
    {                                                                                                        \
        "energy: most E/E0", trial, most_energy, 0.995, 0.035                                                \
    }

/* The limits of energies, .96 to 1.03, and of stresses are those of the paper's figures; momentum to
 * rounding. The largest difference to .22 s, .1197, is at .21 s, where the block lets go and stresses are
 * low: of the field without the update it is .1114, of the largest field of the run .033. Of Bathe's scheme
 * the second point of the step from .13 s on finds the floor. */
static const struct sg_figure figures[] = {
    ENERGIES(BATHE),
    {"first row on the floor (s)", BATHE, touches, 0.14, 1e-9},
    ENERGIES(BATHE_PLAIN),
    {"momentum along the floor: change", BATHE_PLAIN, sideways, 0.0, 1e-11},
    {"von Mises: |update - none|/|update| to .22 s", BATHE_PLAIN, early_difference, 0.0, 0.12},
    {"von Mises: |update - none|/|update| later", BATHE_PLAIN, late_difference, 0.0, 0.30},
    ENERGIES(TRAPEZOIDAL),
    ENERGIES(TRAPEZOIDAL_PLAIN),
    ENERGIES(CHAUDHARY),
    {0}};

const struct sg_benchmark sg_benchmark_block_impact = {
    .name = "block_impact",
    .meaning =
        "block of plane elements against a floor: energy of five schemes, stresses with and without update",
    .trials = trials,
    .figures = figures,
    .histories = histories,
};
