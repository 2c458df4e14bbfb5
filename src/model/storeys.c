#include "model/storeys.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/builder.h"
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

/* --- drifts by the dofs --------------------------------------------------------------------------- */

/* weight x of a node in column k; what is held adds nothing */
static void put(struct sg_builder *builder, size_t k, size_t node, double x, double *column)
{
    struct sg_system *system = builder->system;
    size_t dof = sg_system_dof(system, node, 0), i = system->free_of_full[dof];
    if (i != SIZE_MAX) {
        column[i] += x;
        return;
    }
    size_t motion =
        system->motion_count > 0 ? builder->motion_of_full[sg_system_leader(system, dof)] : SIZE_MAX;
    if (motion != SIZE_MAX) system->storeys.motion[motion * system->storeys.count + k] += x;
}

static size_t entries_of(const struct sg_storeys *storeys)
{
    size_t sum = 0;
    for (size_t k = 0; k < storeys->count; k++) sum += 2 * storeys->items[k].count;
    return sum;
}

static void fill_column(struct sg_builder *builder, size_t k, double *column)
{
    struct sg_storeys *storeys = &builder->system->storeys;
    const struct sg_storey *storey = &storeys->items[k];
    struct sg_columns *drift = &storeys->drift;
    double weight = 1.0 / (double)storey->count;
    size_t next = drift->start[k];
    memset(column, 0, builder->system->n * sizeof *column);
    for (size_t i = 0; i < storey->count; i++) {
        put(builder, k, storey->pairs[i].upper, weight, column);
        put(builder, k, storey->pairs[i].lower, -weight, column);
    }
    for (size_t i = 0; i < builder->system->n; i++) {
        if (column[i] == 0.0) continue;
        drift->row[next] = i;
        drift->value[next++] = column[i];
    }
    drift->start[k + 1] = next;
}

sg_status sg_build_storeys(struct sg_builder *builder)
{
    struct sg_system *system = builder->system;
    struct sg_storeys *storeys = &system->storeys;
    double *column = NULL;
    if (storeys->count == 0) return SG_OK;
    TRY(sg_columns_init_sparse(&storeys->drift, system->n, storeys->count, entries_of(storeys),
                               builder->err));
    TRY(SG_NEW(&storeys->motion, system->motion_count * storeys->count, builder->err));
    TRY(SG_NEW(&storeys->names, storeys->count, builder->err));
    TRY(SG_NEW(&storeys->heights, storeys->count, builder->err));
    TRY(SG_NEW(&column, system->n, builder->err));
    for (size_t k = 0; k < storeys->count; k++) {
        fill_column(builder, k, column);
        storeys->names[k] = storeys->items[k].name;
        storeys->heights[k] = storeys->items[k].height;
    }
    sg_free(column);
    system->labels.storey_count = storeys->count;
    system->labels.storey_names = storeys->names;
    system->labels.storey_heights = storeys->heights;
    return SG_OK;
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
