/* Kinds with one row: coefficient . x - value, x the current coordinates of the dofs. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "assembly/constraints/kinds.h"
#include "support/memory.h"

struct linear_spec {
    struct sg_texts dofs;
    struct sg_reals coefficients;
    const struct sg_setting *motion;
    double value;
    int quantity;
};

struct coordinate_spec {
    const char *node;
    const struct sg_setting *motion;
    double value;
    int axis, quantity;
};

#define VALUE_ROWS(spec, unit_text, text)                                                                    \
    {.name = "value",                                                                                        \
     .type = SG_REAL,                                                                                        \
     .unit = (unit_text),                                                                                    \
     .example = "0.0",                                                                                       \
     .meaning = (text),                                                                                      \
     .offset = offsetof(struct spec, value)},                                                                \
        {.name = "motion",                                                                                   \
         .type = SG_GROUP,                                                                                   \
         .unit = (unit_text),                                                                                \
         .meaning = "signal that adds to 'value'",                                                           \
         .kinds = &sg_signal_kinds,                                                                          \
         .offset = offsetof(struct spec, motion)},                                                           \
    {                                                                                                        \
        .name = "quantity", .type = SG_CHOICE, .choices = "displacement|velocity|acceleration",              \
        .fallback = "\"displacement\"",                                                                      \
        .meaning = "quantity that the signal gives; a velocity or an acceleration is integrated from zero",  \
        .offset = offsetof(struct spec, quantity)                                                            \
    }

static const struct sg_keyword linear_rows[] = {
    {.name = "dofs",
     .type = SG_TEXTS,
     .flags = SG_REQUIRED,
     .min_items = 1,
     .meaning = "coordinates of the sum: NODE.x, NODE.y, NODE.z, NODE.rotation; in 1-D NODE will do",
     .example = "[\"gears.0.rotation\", \"gears.1.rotation\"]",
     .offset = offsetof(struct linear_spec, dofs)},
    {.name = "coefficients",
     .type = SG_REALS,
     .flags = SG_REQUIRED,
     .min_items = 1,
     .meaning = "factor of each coordinate; the factors choose the unit of the sum",
     .example = "[1.0, 2.0]",
     .offset = offsetof(struct linear_spec, coefficients)},
    VALUE_ROWS(linear_spec, NULL, "value of the sum; by default the one at the start"),
    {0}};

static const struct sg_keyword coordinate_rows[] = {
    {.name = "node",
     .type = SG_TEXT,
     .flags = SG_REQUIRED,
     .meaning = "the node: BODY.left, BODY.right, BODY.NUMBER, or BODY if it has one node",
     .example = "\"crank\"",
     .offset = offsetof(struct coordinate_spec, node)},
    {.name = "axis",
     .type = SG_CHOICE,
     .choices = "x|y|z|rotation",
     .fallback = "\"x\"",
     .meaning = "coordinate of the node",
     .offset = offsetof(struct coordinate_spec, axis)},
    VALUE_ROWS(coordinate_spec, "m",
               "value of the coordinate (position, not displacement), in rad for a rotation; by default the "
               "one at the start"),
    {0}};

/* "hub.rotation" -> its full dof; SIZE_MAX with a finding */
static size_t dof_named(const struct sg_constraint_builder *builder, const struct sg_setting *node,
                        const char *text)
{
    static const char *const ways[] = {"x", "y", "z", "rotation"};
    struct sg_builder *model = builder->model;
    const struct sg_system *system = model->system;
    const char *dot = strrchr(text, '.');
    char name[SG_CONSTRAINT_NAME];
    struct sg_node_ref ref;
    size_t way = 0;
    while (way < 4 && (dot == NULL || strcmp(dot + 1, ways[way]) != 0)) way++;
    size_t length = way < 4 ? (size_t)(dot - text) : strlen(text);
    snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name - 1), text);
    struct sg_node_name target = {name, node, "dofs"};
    if (!sg_system_find_node(system, &target, model->diagnostics, &ref)) return SIZE_MAX;
    if (way == 4 && system->dim == 1) way = 0;
    size_t dof = way < system->dim ? sg_system_dof(system, ref.node, way)
                 : way == 3        ? sg_system_rotation(system, ref.node)
                                   : SIZE_MAX;
    if (dof == SIZE_MAX)
        sg_complain_about(model->diagnostics, SG_ERROR, node, "dofs",
                          "'%.100s' is no coordinate of node '%.100s'", text, name);
    return dof;
}

/* The signal's velocity must not jump: the constraint's force would be an impulse. */
static sg_status read_motion(const struct sg_constraint_builder *builder, const struct sg_setting *motion,
                             int quantity, struct sg_constraint *self)
{
    struct sg_builder *model = builder->model;
    size_t errors = model->diagnostics->errors;
    if (motion == NULL) return SG_OK;
    self->moves = true;
    self->order = (enum sg_signal_order)(SG_VALUE - quantity);
    TRY(sg_builder_signal(model, motion, &self->signal));
    const struct sg_signal *signal = &model->system->signals[self->signal];
    if (model->diagnostics->errors != errors || signal->continuity >= 1 - quantity || quantity == 2)
        return SG_OK;
    sg_complain_about(model->diagnostics, SG_ERROR, self->node, "motion",
                      "a signal '%s' with %s makes the velocity jump", signal->ops->kind.name,
                      signal->continuity < 0 ? "jumps" : "kinks");
    sg_hint(model->diagnostics, "give the acceleration: quantity = \"acceleration\"");
    return SG_OK;
}

static sg_status allot(const struct sg_constraint_builder *builder, size_t count, struct sg_constraint *self)
{
    TRY(sg_constraint_allot(&builder->model->system->arena, self, count, builder->model->err));
    self->rows = 1;
    self->affine = true;
    self->open = true;
    return SG_ARENA_NEW(&builder->model->system->arena, &self->coefficient, count, builder->model->err);
}

static sg_status build_linear(struct sg_constraint_builder *builder, const struct sg_setting *node,
                              struct sg_constraint *self)
{
    struct linear_spec spec = {0};
    sg_setting_fill(node, linear_rows, &spec);
    if (spec.coefficients.count != spec.dofs.count) {
        sg_complain_about(builder->model->diagnostics, SG_ERROR, node, "coefficients",
                          "has %zu number%s for %zu dof%s", spec.coefficients.count,
                          spec.coefficients.count == 1 ? "" : "s", spec.dofs.count,
                          spec.dofs.count == 1 ? "" : "s");
        return SG_OK;
    }
    TRY(allot(builder, spec.dofs.count, self));
    bool found = true;
    for (size_t k = 0; k < spec.dofs.count; k++) {
        self->dof[k] = dof_named(builder, node, spec.dofs.data[k]);
        self->coefficient[k] = spec.coefficients.data[k];
        found = found && self->dof[k] != SIZE_MAX;
    }
    if (!found) self->rows = 0;
    self->value = spec.value;
    snprintf(builder->name, sizeof builder->name, "%.100s-linear", spec.dofs.data[0]);
    return read_motion(builder, spec.motion, spec.quantity, self);
}

static sg_status build_coordinate(struct sg_constraint_builder *builder, const struct sg_setting *node,
                                  struct sg_constraint *self)
{
    struct sg_builder *model = builder->model;
    struct coordinate_spec spec = {0};
    struct sg_node_ref ref;
    sg_setting_fill(node, coordinate_rows, &spec);
    struct sg_node_name name = {spec.node, node, "node"};
    TRY(read_motion(builder, spec.motion, spec.quantity, self));
    if (!sg_system_find_node(model->system, &name, model->diagnostics, &ref)) return SG_OK;
    size_t axis = (size_t)spec.axis, dof = SIZE_MAX;
    if (axis < model->system->dim) dof = sg_system_dof(model->system, ref.node, axis);
    if (axis == SG_ROTATION) dof = sg_system_rotation(model->system, ref.node);
    if (dof == SIZE_MAX) {
        sg_complain_about(model->diagnostics, SG_ERROR, node, "axis", "'%.100s' has no such coordinate",
                          spec.node);
        return SG_OK;
    }
    TRY(allot(builder, 1, self));
    self->dof[0] = dof;
    self->coefficient[0] = 1;
    self->value = spec.value;
    snprintf(builder->name, sizeof builder->name, "%s-coordinate", model->system->labels.dof_names[dof]);
    return SG_OK;
}

static void settle(struct sg_constraint *self, const double *x)
{
    if (!isnan(self->value)) return;
    self->value = 0;
    for (size_t k = 0; k < self->dof_count; k++) self->value += self->coefficient[k] * x[k];
}

const struct sg_constraint_ops sg_constraint_linear = {
    .kind = {.name = "linear",
             .meaning = "a linear combination of coordinates has a value",
             .rows = linear_rows},
    .build = build_linear,
    .settle = settle,
};

const struct sg_constraint_ops sg_constraint_coordinate = {
    .kind = {.name = "coordinate",
             .meaning = "a coordinate has a value, or follows a signal",
             .rows = coordinate_rows},
    .build = build_coordinate,
    .settle = settle,
};
