#include "benchmarks/exact/clamped_bar.h"

#include <math.h>
#include <stdbool.h>

#include "benchmarks/exact/exact.h"
#include "model/lagrange.h"

sg_status sg_clamped_bar_init(double gap, double period, struct sg_clamped_bar *bar, struct sg_error *err)
{
    if (!(gap > 0.0 && period > 3.0 && period <= 4.0))
        FAIL(err, SG_BAD_DECK, "no such motion of a clamped bar: gap %g m, period %g s", gap, period);
    *bar = (struct sg_clamped_bar){gap, period, gap / (period - 3.0)};
    return SG_OK;
}

/* f, which falls by a (4 - T)/2 a period */
static double wave(const struct sg_clamped_bar *bar, double s)
{
    double half = bar->slope / 2.0, turns = floor((s + 1.0) / bar->period);
    double r = s - bar->period * turns;
    return half * (r < 1.0 ? -r : r - 2.0) - turns * half * (4.0 - bar->period);
}

double sg_clamped_bar_displacement(const struct sg_clamped_bar *bar, double x, double t)
{
    return wave(bar, t + x) - wave(bar, t - x);
}

/* --- for benchmarks --------------------------------------------------------------------------------- */

static const struct sg_keyword rows[] = {{.name = "gap",
                                          .type = SG_REAL,
                                          .unit = "m",
                                          .flags = SG_REQUIRED,
                                          .meaning = "gap of the free end",
                                          .example = "0.1",
                                          .range = SG_POSITIVE,
                                          .offset = offsetof(struct sg_clamped_bar, gap)},
                                         {.name = "period",
                                          .type = SG_REAL,
                                          .unit = "s",
                                          .flags = SG_REQUIRED,
                                          .meaning = "period, above 3 and at most 4",
                                          .example = "3.5",
                                          .range = SG_POSITIVE,
                                          .offset = offsetof(struct sg_clamped_bar, period)},
                                         {0}};

static sg_status create(void *data, struct sg_error *err)
{
    const struct sg_clamped_bar given = *(const struct sg_clamped_bar *)data;
    return sg_clamped_bar_init(given.gap, given.period, data, err);
}

/* A mesh of `elements` equal elements of the order: operands two and three before the last. */
struct mesh {
    int order, elements;
    bool fits;
};

static struct mesh mesh_of(const struct sg_exact_row *nodes, const struct sg_exact_row *order,
                           const struct sg_exact_row *elements)
{
    struct mesh mesh = {(int)order->values[0], (int)elements->values[0], false};
    mesh.fits = mesh.order >= 1 && mesh.order < SG_LAGRANGE_NODES && mesh.elements >= 1 &&
                nodes->width == (size_t)mesh.order * (size_t)mesh.elements + 1;
    return mesh;
}

/* The integral over the bar of the squared error of the field that nodal displacements give, at one time: by
 * Gauss points, element by element. */
static void squared_error(const void *data, const struct sg_exact_row *x, double *result)
{
    const struct mesh mesh = mesh_of(&x[0], &x[2], &x[3]);
    const struct sg_gauss rule = sg_gauss_rule();
    const double *u = x[0].values;
    double sum = 0.0;
    for (int g = 0; g < SG_GAUSS_POINTS && mesh.fits; g++) {
        struct sg_lagrange at = sg_lagrange_at(mesh.order, rule.point[g]);
        for (int k = 0; k < mesh.elements; k++) {
            double place = (k + rule.point[g]) / mesh.elements;
            double error = -sg_clamped_bar_displacement(data, place, x[1].values[0]);
            for (int i = 0; i <= mesh.order; i++) error += at.value[i] * u[k * mesh.order + i];
            sum += rule.weight[g] * error * error;
        }
    }
    *result = mesh.fits ? sum / mesh.elements : NAN;
}

/* The jump of energy where shape functions change, eq. (54), from the velocities of the last element: its
 * mass by exact integration, rho A = 1. */
static void energy_jump(const void *data, const struct sg_exact_row *x, double *result)
{
    const struct mesh mesh = mesh_of(&x[0], &x[1], &x[2]);
    const struct sg_gauss rule = sg_gauss_rule();
    double rate = 0.0, mass[SG_LAGRANGE_NODES] = {0.0}, sum = 0.0;
    (void)data;
    *result = NAN;
    if (!mesh.fits) return;
    const struct sg_lagrange end = sg_lagrange_at(mesh.order, 1.0);
    const double *last = x[0].values + mesh.order * (mesh.elements - 1);
    for (int i = 0; i < mesh.order; i++) rate -= end.slope[i] / end.slope[mesh.order] * last[i];
    for (int g = 0; g < SG_GAUSS_POINTS; g++) {
        struct sg_lagrange at = sg_lagrange_at(mesh.order, rule.point[g]);
        for (int i = 0; i <= mesh.order; i++)
            mass[i] += rule.weight[g] / mesh.elements * at.value[mesh.order] * at.value[i];
    }
    for (int i = 0; i < mesh.order; i++) sum += mass[i] * last[i];
    *result = -fabs(rate) * (0.5 * mass[mesh.order] * rate + sum);
}

static const struct sg_exact_function functions[] = {
    {"squared_error", 4, 1, squared_error, 0,
     "squared_error(u, t, order, elements): integral over the bar of the squared error, m^3"},
    {"energy_jump", 3, 1, energy_jump, 0,
     "energy_jump(v, order, elements): of the nodal boundary method, eq. (54), J"},
    {0}};

const struct sg_exact_ops sg_exact_clamped_bar = {
    .kind = {"clamped-bar", "a clamped bar that moves periodically against a wall", rows},
    .size = sizeof(struct sg_clamped_bar),
    .create = create,
    .functions = functions};
