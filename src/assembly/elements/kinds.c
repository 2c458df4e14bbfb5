#include "assembly/elements/kinds.h"

struct sg_element sg_element_on_nodes(const struct sg_element_ops *ops, const size_t *first, size_t nodes,
                                      size_t dim)
{
    struct sg_element element = {.ops = ops, .dof_count = nodes * dim};
    for (size_t i = 0; i < nodes; i++)
        for (size_t d = 0; d < dim; d++) element.dof[i * dim + d] = first[i] + d;
    return element;
}

bool sg_element_find_nodes(struct sg_builder *builder, const struct sg_setting *node,
                           const struct sg_texts *names, struct sg_node_ref *refs)
{
    bool found = true;
    for (size_t i = 0; i < names->count; i++) {
        struct sg_node_name name = {names->data[i], node, "nodes"};
        found = sg_system_find_node(builder->system, &name, builder->diagnostics, &refs[i]) && found;
    }
    for (size_t i = 1; found && i < names->count; i++)
        for (size_t j = 0; j < i; j++) {
            if (refs[i].node != refs[j].node) continue;
            sg_complain_about(builder->diagnostics, SG_ERROR, node, "nodes",
                              "'%.100s' and '%.100s' are one node", names->data[j], names->data[i]);
            return false;
        }
    return found;
}

bool sg_element_check_axis(struct sg_builder *builder, const struct sg_setting *node, int axis)
{
    size_t dim = builder->system->dim;
    if ((size_t)axis < dim) return true;
    sg_complain_about(builder->diagnostics, SG_ERROR, node, "axis", "the model has %zu dimension%s: %s", dim,
                      dim == 1 ? "" : "s", dim == 1 ? "x alone" : "x and y alone");
    return false;
}
