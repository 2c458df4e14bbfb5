#include "results/quantity.h"

#include <stdlib.h>

#include "support/memory.h"

void sg_quantities_release(struct sg_quantities *list)
{
    free(list->items);
    *list = (struct sg_quantities){0};
}

void sg_quantities_add(struct sg_quantities *list, struct sg_quantity quantity)
{
    list->failed = list->failed || !sg_grow(&list->items, list->count, &list->capacity, sizeof *list->items);
    if (list->failed) return;
    list->items[list->count++] = quantity;
}

double sg_snapshot_velocity_time(const struct sg_snapshot *now)
{
    return now->u_next == NULL ? now->t : (now->t + now->t_next) / 2;
}
