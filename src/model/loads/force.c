#include "model/loads/load.h"

struct spec {
    const char *node;
    const struct sg_node *signal;
    struct sg_reals direction;
};

static const struct sg_keyword rows[] = {
    {.name = "node",
     .type = SG_TEXT,
     .meaning =
         "node that is pushed: BODY.left, BODY.right, BODY.NUMBER, or BODY if it has one node; of a set, "
         "BODY.SET, each node is pushed so",
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
    {0}};

static bool read_direction(struct sg_builder *builder, const struct sg_node *node, const struct spec *spec,
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

static sg_status apply(struct sg_builder *builder, const struct sg_node *node)
{
    const struct sg_system *system = builder->system;
    struct spec spec = {0};
    struct sg_node_list nodes;
    double unit[3];
    sg_node_fill(node, rows, &spec);
    size_t signal = 0;
    TRY(sg_builder_signal(builder, spec.signal, &signal));
    struct sg_node_name name = {spec.node, node, "node"};
    if (!sg_system_find_nodes(system, &name, builder->diagnostics, &nodes)) return SG_OK;
    if (!read_direction(builder, node, &spec, unit)) return SG_OK;
    if (!acts(system, &nodes, unit)) {
        sg_complain_about(builder->diagnostics, SG_WARNING, node, "node",
                          "'%s' is supported: the force goes into the support and has no effect", spec.node);
        return SG_OK;
    }
    struct sg_load *load = NULL;
    TRY(sg_load_add(builder, signal, SG_VALUE, &load));
    fill(system, &nodes, unit, load->pattern);
    return SG_OK;
}

const struct sg_load_ops sg_load_force = {
    .kind = {.name = "force", .meaning = "a force on one node that follows a signal", .rows = rows},
    .apply = apply,
};
