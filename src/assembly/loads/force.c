#include <stdint.h>

#include "assembly/elements/kinds.h"
#include "assembly/loads/load.h"

struct spec {
    const char *node;
    const struct sg_setting *signal;
    struct sg_reals direction, arm;
};

static const struct sg_keyword rows[] = {
    {.name = "node",
     .type = SG_TEXT,
     .meaning = "node that the force acts on: BODY.left, BODY.right, BODY.NUMBER, or BODY if it has one "
                "node; for a set, BODY.SET, the force acts on each node",
     .example = "\"bar.right\"",
     .flags = SG_REQUIRED,
     .offset = offsetof(struct spec, node)},
    {.name = "signal",
     .type = SG_GROUP,
     .unit = "N",
     .meaning = "the force over time, positive along the direction",
     .flags = SG_REQUIRED,
     .kinds = &sg_signal_kinds,
     .offset = offsetof(struct spec, signal)},
    {.name = "direction",
     .type = SG_REALS,
     .unit = "1",
     .meaning = "vector along which it acts, of any length; must be given above 1-D",
     .example = "[1.0, 0.0]",
     .max_items = 3,
     .offset = offsetof(struct spec, direction)},
    {.name = "arm",
     .type = SG_REALS,
     .unit = "m",
     .min_items = 2,
     .max_items = 2,
     .meaning =
         "point of a rigid body at which it acts, seen from its node along the body's own axes: the "
         "force keeps its direction, its moment follows the body's turn, which makes the model nonlinear",
     .example = "[0.1, -0.2]",
     .offset = offsetof(struct spec, arm)},
    {0}};

static bool read_direction(struct sg_builder *builder, const struct sg_setting *node, const struct spec *spec,
                           double unit[3])
{
    if (builder->system->dim == 1 || spec->direction.data != NULL)
        return sg_load_direction(builder, node, spec->direction, unit);
    sg_complain_about(builder->diagnostics, SG_ERROR, node, "direction",
                      "must be given: a node has %zu coordinates", builder->system->dim);
    return false;
}

/* free dof of node k of a list along an axis; SIZE_MAX: prescribed */
static size_t dof_at(const struct sg_system *system, const struct sg_node_list *nodes, size_t k, size_t axis)
{
    return system->free_of_full[sg_system_dof(system, sg_node_list_at(nodes, k), axis)];
}

/* true if a part of the force acts on a coordinate that is free to move */
static bool acts(const struct sg_system *system, const struct sg_node_list *nodes, const double unit[3])
{
    for (size_t k = 0; k < nodes->count; k++)
        for (size_t d = 0; d < system->dim; d++)
            if (unit[d] != 0 && dof_at(system, nodes, k, d) != SIZE_MAX) return true;
    return false;
}

static void fill(const struct sg_system *system, const struct sg_node_list *nodes, const double unit[3],
                 double *pattern)
{
    for (size_t k = 0; k < nodes->count; k++)
        for (size_t d = 0; d < system->dim; d++) {
            size_t dof = dof_at(system, nodes, k, d);
            if (dof != SIZE_MAX) pattern[dof] += unit[d];
        }
}

/* the moments about the nodes, as elements */
static void add_moments(struct sg_builder *builder, const struct spec *spec, const struct sg_node_list *nodes,
                        size_t signal, const double unit[3])
{
    struct sg_system *system = builder->system;
    for (size_t k = 0; k < nodes->count; k++) {
        size_t rotation = sg_system_rotation(system, sg_node_list_at(nodes, k));
        struct sg_element element = {.ops = &sg_element_arm_force,
                                     .dof_count = 1,
                                     .dof = {rotation},
                                     .parameter = {spec->arm.data[0], spec->arm.data[1], unit[0], unit[1]},
                                     .signal = &system->signals[signal]};
        if (system->free_of_full[rotation] != SIZE_MAX) sg_elements_add(&system->elements, &element);
    }
}

/* An arm needs nodes that turn. */
static bool check_arm(struct sg_builder *builder, const struct sg_setting *node, const struct spec *spec,
                      const struct sg_node_list *nodes)
{
    const struct sg_system *system = builder->system;
    if (spec->arm.data == NULL) return true;
    for (size_t k = 0; k < nodes->count; k++) {
        size_t target = sg_node_list_at(nodes, k);
        if (sg_system_rotation(system, target) != SIZE_MAX) continue;
        sg_complain_about(builder->diagnostics, SG_ERROR, node, "arm",
                          "'%.100s' has no rotation that the arm (%g, %g) m could turn with",
                          sg_system_node_name(system, target), spec->arm.data[0], spec->arm.data[1]);
        return false;
    }
    return true;
}

static sg_status apply(struct sg_builder *builder, const struct sg_setting *node)
{
    const struct sg_system *system = builder->system;
    struct spec spec = {0};
    struct sg_node_list nodes;
    double unit[3];
    sg_setting_fill(node, rows, &spec);
    size_t signal = 0;
    TRY(sg_builder_signal(builder, spec.signal, &signal));
    struct sg_node_name name = {spec.node, node, "node"};
    if (!sg_system_find_nodes(system, &name, builder->diagnostics, &nodes)) return SG_OK;
    bool sound = check_arm(builder, node, &spec, &nodes);
    if (!read_direction(builder, node, &spec, unit) || !sound) return SG_OK;
    if (spec.arm.data != NULL) add_moments(builder, &spec, &nodes, signal, unit);
    if (spec.arm.data == NULL && !acts(system, &nodes, unit)) {
        sg_complain_about(builder->diagnostics, SG_WARNING, node, "node",
                          "'%s' is supported: the force goes into the support and has no effect", spec.node);
        return SG_OK;
    }
    struct sg_load *load = NULL;
    TRY(sg_system_add_load(builder->system, signal, SG_VALUE, &load, builder->err));
    fill(system, &nodes, unit, load->pattern);
    return SG_OK;
}

const struct sg_load_ops sg_load_force = {
    .kind = {.name = "force", .meaning = "a force on one node that follows a signal", .rows = rows},
    .apply = apply,
};
