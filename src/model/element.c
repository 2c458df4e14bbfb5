#include <string.h>

#include "model/element.h"
#include "support/memory.h"

void sg_elements_add(struct sg_elements *list, const struct sg_element *element)
{
    if (list->failed) return;
    if (list->count == list->capacity) {
        size_t capacity = list->capacity == 0 ? 16 : 2 * list->capacity;
        struct sg_element *items = NULL;
        if (SG_NEW(&items, capacity, NULL) != SG_OK) {
            list->failed = true;
            return;
        }
        if (list->count > 0) memcpy(items, list->items, list->count * sizeof *items);
        sg_free(list->items);
        list->items = items;
        list->capacity = capacity;
    }
    list->items[list->count++] = *element;
    if (element->ops->drives) list->driving++;
}

void sg_elements_release(struct sg_elements *list)
{
    sg_free(list->items);
    *list = (struct sg_elements){0};
}
