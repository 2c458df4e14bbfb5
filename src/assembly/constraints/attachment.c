#include <math.h>
#include <stdint.h>
#include <stdio.h>

#include "assembly/constraints/kinds.h"
#include "support/memory.h"

/* --- geometry ------------------------------------------------------------------------------------- */

void sg_attachment_at(const struct sg_constraint *self, size_t k, const double *x, struct sg_attached *at)
{
    const struct sg_attachment *point = &self->point[k];
    *at = (struct sg_attached){.x = {0}};
    for (size_t d = 0; d < self->dim; d++) at->x[d] = point->fixed ? point->arm[d] : x[point->base + d];
    if (!point->turns) return;
    double angle = x[point->base + self->dim], c = cos(angle), s = sin(angle);
    double turned[2] = {c * point->arm[0] - s * point->arm[1], s * point->arm[0] + c * point->arm[1]};
    at->x[0] += turned[0];
    at->x[1] += turned[1];
    at->turn[0] = -turned[1];
    at->turn[1] = turned[0];
    at->second[0] = -turned[0];
    at->second[1] = -turned[1];
}

void sg_attachment_gradient(const struct sg_constraint *self, size_t k, const struct sg_attached *at,
                            const double *along, double *gradient)
{
    const struct sg_attachment *point = &self->point[k];
    if (point->fixed) return;
    for (size_t d = 0; d < self->dim; d++) {
        gradient[point->base + d] += along[d];
        if (point->turns) gradient[point->base + self->dim] += along[d] * at->turn[d];
    }
}

void sg_attachment_second(const struct sg_constraint *self, size_t k, const struct sg_attached *at,
                          const double *along, double *h)
{
    const struct sg_attachment *point = &self->point[k];
    if (!point->turns) return;
    size_t rotation = point->base + self->dim;
    for (size_t d = 0; d < self->dim; d++) h[rotation * (self->dof_count + 1)] += along[d] * at->second[d];
}

bool sg_attachments_turn(const struct sg_constraint *self)
{
    return self->point[0].turns || self->point[1].turns;
}

/* --- building ------------------------------------------------------------------------------------- */

sg_status sg_constraint_allot(struct sg_arena *arena, struct sg_constraint *self, size_t count,
                              struct sg_error *err)
{
    self->dof_count = count;
    TRY(SG_ARENA_NEW(arena, &self->dof, count, err));
    TRY(SG_ARENA_NEW(arena, &self->column_entry, count, err));
    return SG_ARENA_NEW(arena, &self->free, count, err);
}

struct joint {
    struct sg_constraint_builder *builder;
    const struct sg_setting *node;
    const struct sg_attachment_spec *spec;
    struct sg_node_ref refs[2];
};

static bool find_nodes(struct joint *joint)
{
    struct sg_builder *model = joint->builder->model;
    const struct sg_texts *names = &joint->spec->nodes;
    bool found = true;
    for (size_t k = 0; k < names->count; k++) {
        struct sg_node_name name = {names->data[k], joint->node, "nodes"};
        found = sg_system_find_node(model->system, &name, model->diagnostics, &joint->refs[k]) && found;
    }
    if (!found || names->count == 1 || joint->refs[0].node != joint->refs[1].node) return found;
    sg_complain_about(model->diagnostics, SG_ERROR, joint->node, "nodes",
                      "'%.100s' and '%.100s' are one node", names->data[0], names->data[1]);
    return false;
}

static bool check_numbers(const struct joint *joint, const char *keyword, struct sg_reals given,
                          size_t wanted)
{
    if (given.data == NULL || given.count == wanted) return true;
    sg_complain_about(joint->builder->model->diagnostics, SG_ERROR, joint->node, keyword,
                      "has %zu number%s where %zu are meant", given.count, given.count == 1 ? "" : "s",
                      wanted);
    return false;
}

static bool check_point(const struct joint *joint)
{
    size_t nodes = joint->spec->nodes.count;
    if (joint->spec->point.data != NULL && nodes == 2) {
        sg_complain_about(joint->builder->model->diagnostics, SG_ERROR, joint->node, "point",
                          "is the partner of a single node, and 'nodes' names two");
        return false;
    }
    return check_numbers(joint, "point", joint->spec->point, joint->builder->model->system->dim);
}

/* An arm needs a node that turns: else it would be another node's place. */
static bool check_arms(const struct joint *joint)
{
    const struct sg_system *system = joint->builder->model->system;
    struct sg_reals arms = joint->spec->arms;
    size_t nodes = joint->spec->nodes.count;
    if (arms.data == NULL) return true;
    if (!check_numbers(joint, "arms", arms, 2 * nodes)) return false;
    for (size_t k = 0; k < nodes; k++) {
        bool zero = arms.data[2 * k] == 0 && arms.data[2 * k + 1] == 0;
        if (zero || sg_system_rotation(system, joint->refs[k].node) != SIZE_MAX) continue;
        sg_complain_about(joint->builder->model->diagnostics, SG_ERROR, joint->node, "arms",
                          "'%.100s' has no rotation that the arm (%g, %g) m could turn with",
                          joint->spec->nodes.data[k], arms.data[2 * k], arms.data[2 * k + 1]);
        return false;
    }
    return true;
}

static void set_point(const struct joint *joint, size_t k, size_t base, struct sg_constraint *self)
{
    const struct sg_system *system = joint->builder->model->system;
    struct sg_attachment *point = &self->point[k];
    const double *arms = joint->spec->arms.data;
    size_t node = joint->refs[k].node, rotation = sg_system_rotation(system, node);
    point->base = base;
    for (size_t d = 0; d < system->dim; d++) self->dof[base + d] = sg_system_dof(system, node, d);
    if (rotation == SIZE_MAX) return;
    self->dof[base + system->dim] = rotation;
    if (arms == NULL) return;
    for (size_t d = 0; d < 2; d++) point->arm[d] = arms[2 * k + d];
    point->turns = point->arm[0] != 0 || point->arm[1] != 0;
}

static size_t dofs_of(const struct joint *joint, size_t k)
{
    const struct sg_system *system = joint->builder->model->system;
    return system->dim + (sg_system_rotation(system, joint->refs[k].node) == SIZE_MAX ? 0 : 1);
}

static void set_name(const struct joint *joint, const char *kind)
{
    const struct sg_texts *names = &joint->spec->nodes;
    char *name = joint->builder->name;
    if (names->count == 2)
        snprintf(name, SG_CONSTRAINT_NAME, "%.100s-%.100s-%s", names->data[0], names->data[1], kind);
    else
        snprintf(name, SG_CONSTRAINT_NAME, "%.100s-%s", names->data[0], kind);
}

sg_status sg_attachments_build(struct sg_constraint_builder *builder, const struct sg_setting *node,
                               const struct sg_attachment_spec *spec, struct sg_constraint *self, bool *built)
{
    struct joint joint = {builder, node, spec, {{0}}};
    bool found = find_nodes(&joint), sound = check_point(&joint);
    *built = found && check_arms(&joint) && sound;
    if (!*built) return SG_OK;
    set_name(&joint, self->ops->kind.name);
    self->dim = builder->model->system->dim;
    size_t first = dofs_of(&joint, 0), second = spec->nodes.count == 2 ? dofs_of(&joint, 1) : 0;
    TRY(sg_constraint_allot(&builder->model->system->arena, self, first + second, builder->model->err));
    set_point(&joint, 0, 0, self);
    self->point[1].fixed = second == 0;
    if (second > 0) set_point(&joint, 1, first, self);
    for (size_t d = 0; d < self->dim && spec->point.data != NULL; d++)
        self->point[1].arm[d] = spec->point.data[d];
    return SG_OK;
}
