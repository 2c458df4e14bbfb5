/* A force on every bit of mass: f = M 1 a(t), so its nodal form is as consistent as the body's mass matrix.
 * The right-hand side of u_tt + c u_t - (A u_x)_x = F cos(w t) is one. */
#include "assembly/loads/load.h"
#include "model/dof_rows.h"

struct spec {
    const char *body;
    const struct sg_setting *signal;
    struct sg_reals direction;
};

static const struct sg_keyword rows[] = {
    {.name = "body",
     .type = SG_TEXT,
     .meaning = "body that the force acts on; by default all of them",
     .example = "\"bar\"",
     .offset = offsetof(struct spec, body)},
    {.name = "signal",
     .type = SG_GROUP,
     .unit = "N/kg",
     .meaning = "force per mass over time, positive along the direction",
     .flags = SG_REQUIRED,
     .kinds = &sg_signal_kinds,
     .offset = offsetof(struct spec, signal)},
    {.name = "direction",
     .type = SG_REALS,
     .unit = "1",
     .meaning = "vector along which it acts, of any length; by default the last axis: x, y in 2-D, z in 3-D",
     .example = "[1.0, 0.0]",
     .max_items = 3,
     .offset = offsetof(struct spec, direction)},
    {0}};

/* false if none of it acts on a coordinate that is free to move */
static bool fill(const struct sg_builder *builder, struct sg_dof_span dofs, const double unit[3],
                 double *pattern)
{
    bool acts = false;
    for (size_t full = dofs.first; full < dofs.first + dofs.count; full++) {
        size_t dof = builder->system->free_of_full[full];
        double force = sg_builder_rigid(builder, unit, full);
        if (dof == SIZE_MAX || force == 0) continue;
        pattern[dof] += force;
        acts = true;
    }
    return acts;
}

static sg_status apply(struct sg_builder *builder, const struct sg_setting *node)
{
    struct spec spec = {0};
    struct sg_dof_span dofs;
    double unit[3];
    sg_setting_fill(node, rows, &spec);
    size_t signal = 0;
    TRY(sg_builder_signal(builder, spec.signal, &signal));
    if (!sg_dof_span_find(builder->system, node, spec.body, &dofs, builder->diagnostics)) return SG_OK;
    if (!sg_load_direction(builder, node, spec.direction, unit)) return SG_OK;
    struct sg_load *load = NULL;
    TRY(sg_system_add_load(builder->system, signal, SG_VALUE, &load, builder->err));
    if (fill(builder, dofs, unit, load->pattern)) return SG_OK;
    sg_complain_about(
        builder->diagnostics, SG_WARNING, node, "body",
        "%s%.64s%s has no mass that is free to move along the direction: the force has no effect",
        spec.body != NULL ? "'" : "", spec.body != NULL ? spec.body : "the model",
        spec.body != NULL ? "'" : "");
    return SG_OK;
}

const struct sg_load_ops sg_load_body_force = {
    .kind = {.name = "body-force",
             .meaning = "a force per mass on all of a body, or of all bodies, that follows a signal",
             .rows = rows},
    .apply = apply,
};
