#include "model/storeys.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/names.h"
#include "model/scratch.h"
#include "model/system.h"
#include "support/memory.h"

enum { NAME = 160 };

void sg_storeys_open(struct sg_storeys *storeys, const char *name, double height)
{
    char text[NAME], *copy = NULL;
    struct sg_error ignored = {0}; /* the builder tells what `failed` means */
    if (storeys->failed) return;
    snprintf(text, sizeof text, "%s.%s", storeys->body, name);
    if (sg_copy_text(text, &copy, &ignored) != SG_OK ||
        !sg_grow(&storeys->items, storeys->count, &storeys->capacity, sizeof *storeys->items)) {
        sg_free(copy);
        storeys->failed = true;
        return;
    }
    storeys->items[storeys->count++] = (struct sg_storey){.name = copy, .height = height};
}

void sg_storeys_add(struct sg_storeys *storeys, size_t upper, size_t lower)
{
    if (storeys->failed) return;
    struct sg_storey *storey = &storeys->items[storeys->count - 1];
    storeys->failed = !sg_grow(&storey->pairs, storey->count, &storey->capacity, sizeof *storey->pairs);
    if (!storeys->failed) storey->pairs[storey->count++] = (struct sg_storey_pair){upper, lower};
}

void sg_storeys_release(struct sg_storeys *storeys)
{
    for (size_t k = 0; k < storeys->count; k++) {
        sg_free(storeys->items[k].name);
        free(storeys->items[k].pairs);
    }
    free(storeys->items);
    sg_columns_release(&storeys->drift);
    sg_free(storeys->motion);
    sg_free(storeys->names);
    sg_free(storeys->heights);
    *storeys = (struct sg_storeys){0};
}

/* --- histories ------------------------------------------------------------------------------------ */

static void fill_drift(const void *owner, const struct sg_snapshot *now, double *row)
{
    const struct sg_system *system = owner;
    const struct sg_storeys *storeys = &system->storeys;
    for (size_t k = 0; k < storeys->count; k++) row[k] = sg_columns_dot(&storeys->drift, k, now->u);
    for (size_t m = 0; m < system->motion_count; m++) {
        double moved = sg_system_motion(system, m, now->t, 0);
        for (size_t k = 0; k < storeys->count; k++) row[k] += storeys->motion[m * storeys->count + k] * moved;
    }
}

static void fill_ratio(const void *owner, const struct sg_snapshot *now, double *row)
{
    const struct sg_system *system = owner;
    fill_drift(owner, now, row);
    for (size_t k = 0; k < system->storeys.count; k++) row[k] /= system->storeys.heights[k];
}

void sg_storeys_register(const struct sg_system *system, struct sg_quantities *list)
{
    struct sg_quantity drift = {.name = "drift",
                                .unit = "m",
                                .description =
                                    "displacement along x of the upper floor of each storey relative to "
                                    "the lower one, mean over its columns",
                                .width = system->storeys.count,
                                .of_displacement = true,
                                .fill = fill_drift,
                                .owner = system};
    struct sg_quantity ratio = drift;
    if (system->storeys.count == 0) return;
    ratio.name = "drift_ratio";
    ratio.unit = "1";
    ratio.description = "drift of each storey over its height";
    ratio.on_request = true;
    ratio.fill = fill_ratio;
    sg_quantities_add(list, drift);
    sg_quantities_add(list, ratio);
}
