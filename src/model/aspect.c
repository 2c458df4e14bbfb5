#include "model/aspect.h"

const void *sg_aspect_find(const struct sg_aspects *aspects, const struct sg_aspect_ops *ops)
{
    for (size_t k = 0; k < aspects->count; k++)
        if (aspects->items[k].ops == ops) return aspects->items[k].data;
    return NULL;
}

bool sg_aspect_grow(struct sg_aspects *aspects, void *list, size_t count, size_t *capacity, size_t size)
{
    struct sg_error ignored = {0}; /* the builder says what `failed` means */
    if (aspects->failed) return false;
    aspects->failed = sg_arena_grow(aspects->arena, list, count, capacity, size, &ignored) != SG_OK;
    return !aspects->failed;
}

void *sg_aspect_open(struct sg_aspects *aspects, const struct sg_aspect_ops *ops)
{
    struct sg_error ignored = {0};
    for (size_t k = 0; k < aspects->count; k++)
        if (aspects->items[k].ops == ops) return aspects->items[k].data;
    if (!sg_aspect_grow(aspects, &aspects->items, aspects->count, &aspects->capacity, sizeof *aspects->items))
        return NULL;
    void *data = NULL;
    aspects->failed = sg_arena_alloc(aspects->arena, 1, ops->size, "aspect", &data, &ignored) != SG_OK;
    if (aspects->failed) return NULL;
    aspects->items[aspects->count++] = (struct sg_aspect){ops, data};
    return data;
}

sg_status sg_aspects_settle(struct sg_system *system, struct sg_aspects *aspects, struct sg_error *err)
{
    for (size_t k = 0; k < aspects->count; k++) {
        const struct sg_aspect *aspect = &aspects->items[k];
        if (aspect->ops->settle != NULL) TRY(aspect->ops->settle(aspect->data, system, err));
    }
    return SG_OK;
}

sg_status sg_aspects_to_modal(struct sg_aspects *aspects, const struct sg_modal *modal, struct sg_error *err)
{
    for (size_t k = 0; k < aspects->count; k++) {
        const struct sg_aspect *aspect = &aspects->items[k];
        if (aspect->ops->to_modal != NULL) TRY(aspect->ops->to_modal(aspect->data, modal, err));
    }
    return SG_OK;
}

void sg_aspects_add_quantities(const struct sg_aspects *aspects, struct sg_quantities *list)
{
    for (size_t k = 0; k < aspects->count; k++) {
        const struct sg_aspect *aspect = &aspects->items[k];
        if (aspect->ops->add_quantities != NULL) aspect->ops->add_quantities(aspect->data, list);
    }
}
