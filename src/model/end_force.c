#include "model/end_force.h"

#include <stdlib.h>

#include "support/memory.h"

void sg_end_forces_add(struct sg_end_forces *list, const struct sg_end_force *end)
{
    if (list->failed) return;
    list->failed = !sg_grow(&list->items, list->count, &list->capacity, sizeof *list->items);
    if (!list->failed) list->items[list->count++] = *end;
}

void sg_end_forces_release(struct sg_end_forces *list)
{
    free(list->items);
    *list = (struct sg_end_forces){0};
}

const struct sg_end_force *sg_end_forces_find(const struct sg_end_forces *list, size_t node)
{
    for (size_t k = 0; k < list->count; k++)
        if (list->items[k].node[0] == node) return &list->items[k];
    return NULL;
}
