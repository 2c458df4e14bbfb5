#include "model/element.h"
#include "support/memory.h"

void sg_elements_add(struct sg_elements *list, const struct sg_element *element)
{
    list->failed = list->failed || !sg_grow(&list->items, list->count, &list->capacity, sizeof *list->items);
    if (list->failed) return;
    list->items[list->count++] = *element;
    if (element->ops->drives) list->driving++;
}

void sg_elements_release(struct sg_elements *list)
{
    sg_free(list->items);
    *list = (struct sg_elements){0};
}
