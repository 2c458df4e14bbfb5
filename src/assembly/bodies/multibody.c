#include <math.h>

#include "assembly/bodies/body.h"

struct spec {
    struct sg_reals positions, masses, inertias;
};

static const struct sg_keyword rows[] = {
    {.name = "positions",
     .type = SG_REALS,
     .unit = "m",
     .meaning = "centres of mass of the rigid bodies, one behind the other: [x0, y0, x1, y1, ...]",
     .example = "[0.0, 1.0]",
     .flags = SG_REQUIRED,
     .min_items = 2,
     .offset = offsetof(struct spec, positions)},
    {.name = "masses",
     .type = SG_REALS,
     .unit = "kg",
     .meaning = "masses of the rigid bodies; above 0 unless supported",
     .example = "[1.0]",
     .flags = SG_REQUIRED,
     .range = SG_NON_NEGATIVE,
     .min_items = 1,
     .offset = offsetof(struct spec, masses)},
    {.name = "inertias",
     .type = SG_REALS,
     .unit = "kg m^2",
     .meaning = "moments of inertia of the rigid bodies about their centres of mass; above 0 unless the "
                "rotation is supported",
     .example = "[0.1]",
     .flags = SG_REQUIRED,
     .range = SG_NON_NEGATIVE,
     .min_items = 1,
     .offset = offsetof(struct spec, inertias)},
    {0}};

static void check_count(const struct sg_body_source *source, const char *keyword, size_t found, size_t bodies)
{
    if (found == bodies) return;
    sg_complain_about(source->diagnostics, SG_ERROR, source->node, keyword,
                      "has %zu number%s for %zu rigid bod%s", found, found == 1 ? "" : "s", bodies,
                      bodies == 1 ? "y" : "ies");
}

static sg_status measure(const struct sg_body_source *source, struct sg_body_size *size)
{
    struct spec spec = {0};
    sg_setting_fill(source->node, rows, &spec);
    size_t errors = source->diagnostics->errors, bodies = spec.positions.count / 2;
    if (spec.positions.count % 2 != 0)
        sg_complain_about(source->diagnostics, SG_ERROR, source->node, "positions",
                          "has %zu numbers, which is not two for each rigid body", spec.positions.count);
    else
        for (size_t k = 0; k < 2; k++)
            check_count(source, k == 0 ? "masses" : "inertias",
                        k == 0 ? spec.masses.count : spec.inertias.count, bodies);
    if (source->diagnostics->errors != errors) FAIL(source->err, SG_BAD_DECK, "a multibody has faults");
    *size = (struct sg_body_size){.nodes = bodies, .dim = 2, .rotates = true};
    return SG_OK;
}

static sg_status assemble(const struct sg_body_source *source, const struct sg_body_target *target)
{
    struct spec spec = {0};
    sg_setting_fill(source->node, rows, &spec);
    for (size_t i = 0; i < spec.masses.count; i++) {
        size_t dof = target->first_dof + target->node_dofs * i;
        for (size_t d = 0; d < 3; d++) {
            double mass = d < 2 ? spec.masses.data[i] : spec.inertias.data[i];
            sg_triplets_add(target->mass, dof + d, dof + d, mass);
            if (d < 2) target->position[2 * i + d] = spec.positions.data[2 * i + d];
        }
    }
    return SG_OK;
}

const struct sg_body_ops sg_body_multibody = {
    .kind = {.name = "multibody",
             .meaning = "rigid bodies in a plane, which move and turn: a node each, with x, y and a rotation",
             .rows = rows},
    .measure = measure,
    .assemble = assemble,
};
