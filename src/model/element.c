#include "model/element.h"

#include "support/arena.h"

void sg_elements_add(struct sg_elements *list, const struct sg_element *element)
{
    struct sg_error ignored = {0}; /* the builder says what `failed` means */
    list->failed = list->failed || sg_arena_grow(list->arena, &list->items, list->count, &list->capacity,
                                                 sizeof *list->items, &ignored) != SG_OK;
    if (list->failed) return;
    list->items[list->count++] = *element;
    if (element->ops->drives) list->driving++;
}
