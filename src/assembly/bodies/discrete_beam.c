#include <math.h>

#include "assembly/bodies/body.h"

struct spec {
    struct sg_reals positions, masses;
    double y, bending_stiffness;
};

static const struct sg_keyword rows[] = {
    {.name = "positions",
     .type = SG_REALS,
     .unit = "m",
     .meaning = "x of the nodes, rising by equal distances dx",
     .example = "[0.0, 0.5, 1.0]",
     .flags = SG_REQUIRED,
     .min_items = 3,
     .offset = offsetof(struct spec, positions)},
    {.name = "y",
     .type = SG_REAL,
     .unit = "m",
     .meaning = "y of all nodes",
     .fallback = "0.0",
     .offset = offsetof(struct spec, y)},
    {.name = "masses",
     .type = SG_REALS,
     .unit = "kg",
     .meaning = "masses of the nodes; above 0 unless supported",
     .example = "[0.5, 1.0, 0.5]",
     .flags = SG_REQUIRED,
     .range = SG_NON_NEGATIVE,
     .min_items = 3,
     .offset = offsetof(struct spec, masses)},
    {.name = "bending_stiffness",
     .type = SG_REAL,
     .unit = "N m^2",
     .meaning = "kb of the energy kb dx / 2 times the sum of ((u_(i-1) - 2 u_i + u_(i+1)) / dx^2)^2",
     .example = "0.02",
     .flags = SG_REQUIRED,
     .range = SG_NON_NEGATIVE,
     .offset = offsetof(struct spec, bending_stiffness)},
    {0}};

/* m; of the whole length, so that the positions' rounding does not add up */
static double spacing(const struct spec *spec)
{
    size_t last = spec->positions.count - 1;
    return (spec->positions.data[last] - spec->positions.data[0]) / (double)last;
}

static void check_positions(const struct sg_setting *node, const struct spec *spec,
                            struct sg_diagnostics *diagnostics)
{
    const double *x = spec->positions.data;
    double dx = spacing(spec);
    for (size_t i = 1; i < spec->positions.count; i++) {
        double step = x[i] - x[i - 1];
        if (step > 0 && isfinite(dx) && fabs(step - dx) <= 1e-9 * dx) continue;
        sg_complain_about(
            diagnostics, SG_ERROR, node, "positions",
            "node %zu is %g m right of node %zu where the mean distance is %g m: they must be equal", i, step,
            i - 1, dx);
        return;
    }
}

static sg_status measure(const struct sg_body_source *source, struct sg_body_size *size)
{
    const struct sg_setting *node = source->node;
    struct sg_diagnostics *diagnostics = source->diagnostics;
    struct spec spec = {0};
    sg_setting_fill(node, rows, &spec);
    size_t errors = diagnostics->errors, count = spec.positions.count;
    *size = (struct sg_body_size){.nodes = count, .elements = count - 1, .dim = 2};
    if (spec.masses.count != count)
        sg_complain_about(diagnostics, SG_ERROR, node, "masses", "has %zu numbers where 'positions' has %zu",
                          spec.masses.count, count);
    check_positions(node, &spec, diagnostics);
    return diagnostics->errors > errors ? SG_BAD_DECK : SG_OK;
}

/* kb / dx^3 times (1, -2, 1)(1, -2, 1)^T at the inner node i and its neighbours */
static void add_bending(const struct sg_body_target *target, size_t i, double stiffness)
{
    static const double curvature[] = {1, -2, 1};
    for (size_t a = 0; a < 3; a++)
        for (size_t b = 0; b <= a; b++)
            sg_triplets_add(target->stiffness, target->first_dof + 2 * (i - 1 + a) + 1,
                            target->first_dof + 2 * (i - 1 + b) + 1, stiffness * curvature[a] * curvature[b]);
}

static sg_status assemble(const struct sg_body_source *source, const struct sg_body_target *target)
{
    struct spec spec = {0};
    sg_setting_fill(source->node, rows, &spec);
    size_t last = spec.positions.count - 1;
    double dx = spacing(&spec), stiffness = spec.bending_stiffness / (dx * dx * dx);
    for (size_t i = 0; i <= last; i++) {
        size_t x = target->first_dof + 2 * i, y = x + 1;
        target->position[2 * i] = spec.positions.data[i];
        target->position[2 * i + 1] = spec.y;
        target->held[2 * i] = true;
        sg_triplets_add(target->mass, x, x, spec.masses.data[i]);
        sg_triplets_add(target->mass, y, y, spec.masses.data[i]);
        if (i > 0 && i < last) add_bending(target, i, stiffness);
        if (i < last) sg_body_join(target, i, target->first + i, target->first + i + 1);
    }
    return SG_OK;
}

const struct sg_body_ops sg_body_discrete_beam = {
    .kind = {.name = "discrete_beam",
             .meaning =
                 "point masses along x in 2-D that move in y only, with the energy of bending between them",
             .rows = rows},
    .small_motion = true,
    .measure = measure,
    .assemble = assemble,
};
