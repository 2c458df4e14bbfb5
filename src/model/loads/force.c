#include "model/loads/load.h"

struct spec {
    const char *node;
    const struct sg_node *signal;
};

static const struct sg_keyword rows[] = {
    {.name = "node",
     .type = SG_TEXT,
     .meaning = "node that is pushed: BODY.left, BODY.right, BODY.NUMBER, or BODY if it has one node",
     .example = "\"bar.right\"",
     .flags = SG_REQUIRED,
     .offset = offsetof(struct spec, node)},
    {.name = "signal",
     .type = SG_GROUP,
     .unit = "N",
     .meaning = "the force over time, positive along the axis",
     .flags = SG_REQUIRED,
     .kinds = &sg_signal_kinds,
     .offset = offsetof(struct spec, signal)},
    {0}};

static sg_status apply(struct sg_builder *builder, const struct sg_node *node)
{
    struct spec spec = {0};
    struct sg_node_ref ref = {0};
    sg_node_fill(node, rows, &spec);
    size_t signal = 0;
    TRY(sg_builder_signal(builder, spec.signal, &signal));
    struct sg_node_name name = {spec.node, node, "node"};
    if (!sg_system_find_node(builder->system, &name, builder->diagnostics, &ref)) return SG_OK;
    size_t dof = builder->system->free_of_full[ref.full_dof];
    if (dof == SIZE_MAX) {
        sg_complain_about(builder->diagnostics, SG_WARNING, node, "node",
                          "'%s' is supported: the force goes into the support and has no effect", spec.node);
        return SG_OK;
    }
    struct sg_load *load = NULL;
    TRY(sg_load_add(builder, signal, SG_VALUE, &load));
    load->pattern[dof] = 1;
    return SG_OK;
}

const struct sg_load_ops sg_load_force = {
    .kind = {.name = "force", .meaning = "a force on one node that follows a signal", .rows = rows},
    .apply = apply,
};
