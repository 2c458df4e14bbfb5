#include <stdint.h>

#include "assembly/loads/load.h"

struct spec {
    const char *node;
    const struct sg_setting *signal;
};

static const struct sg_keyword rows[] = {
    {.name = "node",
     .type = SG_TEXT,
     .meaning = "node that the moment acts on, which must have a rotation; for a set, BODY.SET, the moment "
                "acts on each node",
     .example = "\"crank\"",
     .flags = SG_REQUIRED,
     .offset = offsetof(struct spec, node)},
    {.name = "signal",
     .type = SG_GROUP,
     .unit = "N m",
     .meaning = "the moment over time, positive from x to y",
     .flags = SG_REQUIRED,
     .kinds = &sg_signal_kinds,
     .offset = offsetof(struct spec, signal)},
    {0}};

/* adds the moment at each node; false with a finding if one has no rotation. *free: some can turn. */
static bool fill(struct sg_builder *builder, const struct sg_setting *node, const struct sg_node_list *nodes,
                 double *pattern, bool *free)
{
    const struct sg_system *system = builder->system;
    *free = false;
    for (size_t k = 0; k < nodes->count; k++) {
        size_t full = sg_system_rotation(system, sg_node_list_at(nodes, k));
        if (full == SIZE_MAX) {
            sg_complain_about(builder->diagnostics, SG_ERROR, node, "node",
                              "'%s' has no rotation that a moment could turn",
                              sg_system_node_name(system, sg_node_list_at(nodes, k)));
            return false;
        }
        size_t dof = system->free_of_full[full];
        if (dof == SIZE_MAX) continue;
        pattern[dof] += 1;
        *free = true;
    }
    return true;
}

static sg_status apply(struct sg_builder *builder, const struct sg_setting *node)
{
    struct spec spec = {0};
    struct sg_node_list nodes;
    size_t signal = 0;
    sg_setting_fill(node, rows, &spec);
    TRY(sg_builder_signal(builder, spec.signal, &signal));
    struct sg_node_name name = {spec.node, node, "node"};
    if (!sg_system_find_nodes(builder->system, &name, builder->diagnostics, &nodes)) return SG_OK;
    struct sg_load *load = NULL;
    bool free = false;
    TRY(sg_system_add_load(builder->system, signal, SG_VALUE, &load, builder->err));
    if (fill(builder, node, &nodes, load->pattern, &free) && !free)
        sg_complain_about(builder->diagnostics, SG_WARNING, node, "node",
                          "'%s' is supported: the moment goes into the support and has no effect", spec.node);
    return SG_OK;
}

const struct sg_load_ops sg_load_moment = {
    .kind = {.name = "moment",
             .meaning = "a moment on the rotation of a node that follows a signal",
             .rows = rows},
    .apply = apply,
};
