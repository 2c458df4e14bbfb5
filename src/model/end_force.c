#include "model/end_force.h"

struct list {
    struct sg_end_force *items;
    size_t count, capacity;
};

static const struct sg_aspect_ops end_forces = {.size = sizeof(struct list)};

void sg_end_forces_add(struct sg_aspects *aspects, const struct sg_end_force *end)
{
    struct list *list = sg_aspect_open(aspects, &end_forces);
    if (list == NULL) return;
    if (!sg_aspect_grow(aspects, &list->items, list->count, &list->capacity, sizeof *list->items)) return;
    list->items[list->count++] = *end;
}

const struct sg_end_force *sg_end_forces_find(const struct sg_aspects *aspects, size_t node)
{
    const struct list *list = sg_aspect_find(aspects, &end_forces);
    for (size_t k = 0; list != NULL && k < list->count; k++)
        if (list->items[k].node[0] == node) return &list->items[k];
    return NULL;
}
