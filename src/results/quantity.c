#include "results/quantity.h"

#include <stdlib.h>

void sg_quantities_release(struct sg_quantities *list)
{
    free(list->items);
    *list = (struct sg_quantities){0};
}

void sg_quantities_add(struct sg_quantities *list, struct sg_quantity quantity)
{
    if (list->count == list->capacity) {
        size_t capacity = list->capacity == 0 ? 32 : 2 * list->capacity;
        struct sg_quantity *items = realloc(list->items, capacity * sizeof *items);
        list->failed = list->failed || items == NULL;
        if (items == NULL) return;
        list->items = items;
        list->capacity = capacity;
    }
    list->items[list->count++] = quantity;
}

double sg_snapshot_velocity_time(const struct sg_snapshot *now)
{
    return now->u_next == NULL ? now->t : (now->t + now->t_next) / 2;
}
