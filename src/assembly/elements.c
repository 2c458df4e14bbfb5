#include "assembly/builder.h"
#include "model/element.h"

sg_status sg_build_elements(struct sg_builder *builder)
{
    const struct sg_setting *list = sg_setting_child(sg_deck_root(builder->deck), "elements");
    for (size_t k = 0; k < sg_builder_count(builder, "elements"); k++) {
        const struct sg_setting *node = sg_setting_item(list, k);
        /* each kind is the first member of its ops */
        const struct sg_element_ops *ops = (const struct sg_element_ops *)(const void *)sg_setting_kind(node);
        TRY(ops->build(builder, node));
    }
    if (builder->system->elements.failed)
        FAIL(builder->err, SG_NO_MEMORY, "out of memory for the model's nonlinear elements");
    return SG_OK;
}
