#include "model/storeys.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "linalg/columns.h"
#include "linalg/modal.h"
#include "model/system.h"

enum { NAME = 160 };

struct pair {
    size_t upper, lower; /* global nodes */
};

struct storey {
    char *name;    /* "BODY.storey3" */
    double height; /* m */
    struct pair *pairs;
    size_t count, capacity;
};

struct storeys {
    struct storey *items;
    size_t count, capacity;
    struct sg_system *system;
    struct sg_columns drift; /* n x count: by the free dofs */
    double *motion;          /* motion_count x count: by prescribed ones */
    const char **names;      /* count, for the results; of the items */
    double *heights;         /* count */
};

/* --- drifts by the dofs --------------------------------------------------------------------------- */

static size_t motion_of(const struct sg_system *system, size_t full)
{
    size_t m = 0;
    while (m < system->motion_count && system->motions[m].dof != full) m++;
    return m;
}

/* weight x of a node in column k; what is held adds nothing */
static void put(struct storeys *storeys, size_t k, size_t node, double x, double *column)
{
    const struct sg_system *system = storeys->system;
    size_t dof = sg_system_dof(system, node, 0), i = system->free_of_full[dof];
    if (i != SIZE_MAX) {
        column[i] += x;
        return;
    }
    size_t motion = motion_of(system, sg_system_leader(system, dof));
    if (motion < system->motion_count) storeys->motion[motion * storeys->count + k] += x;
}

static size_t entries_of(const struct storeys *storeys)
{
    size_t sum = 0;
    for (size_t k = 0; k < storeys->count; k++) sum += 2 * storeys->items[k].count;
    return sum;
}

static void fill_column(struct storeys *storeys, size_t k, double *column)
{
    const struct storey *storey = &storeys->items[k];
    struct sg_columns *drift = &storeys->drift;
    double weight = 1.0 / (double)storey->count;
    size_t next = drift->start[k];
    memset(column, 0, storeys->system->n * sizeof *column);
    for (size_t i = 0; i < storey->count; i++) {
        put(storeys, k, storey->pairs[i].upper, weight, column);
        put(storeys, k, storey->pairs[i].lower, -weight, column);
    }
    for (size_t i = 0; i < storeys->system->n; i++) {
        if (column[i] == 0.0) continue;
        drift->row[next] = i;
        drift->value[next++] = column[i];
    }
    drift->start[k + 1] = next;
}

static sg_status settle(void *data, struct sg_system *system, struct sg_error *err)
{
    struct storeys *storeys = data;
    double *column = NULL;
    storeys->system = system;
    TRY(sg_columns_init_sparse(&system->arena, &storeys->drift, system->n, storeys->count,
                               entries_of(storeys), err));
    TRY(SG_ARENA_NEW(&system->arena, &storeys->motion, system->motion_count * storeys->count, err));
    TRY(SG_ARENA_NEW(&system->arena, &storeys->names, storeys->count, err));
    TRY(SG_ARENA_NEW(&system->arena, &storeys->heights, storeys->count, err));
    TRY(SG_ARENA_NEW(&system->arena, &column, system->n, err));
    for (size_t k = 0; k < storeys->count; k++) {
        fill_column(storeys, k, column);
        storeys->names[k] = storeys->items[k].name;
        storeys->heights[k] = storeys->items[k].height;
    }
    sg_arena_drop(&system->arena, column);
    system->labels.storey_count = storeys->count;
    system->labels.storey_names = storeys->names;
    system->labels.storey_heights = storeys->heights;
    return SG_OK;
}

static sg_status to_modal(void *data, const struct sg_modal *modal, struct sg_error *err)
{
    struct storeys *storeys = data;
    return sg_modal_project_columns(&storeys->system->arena, modal, &storeys->drift, err);
}

/* --- histories ------------------------------------------------------------------------------------ */

static void fill_drift(const void *owner, const struct sg_snapshot *now, double *row)
{
    const struct storeys *storeys = owner;
    const struct sg_system *system = storeys->system;
    for (size_t k = 0; k < storeys->count; k++) row[k] = sg_columns_dot(&storeys->drift, k, now->u);
    for (size_t m = 0; m < system->motion_count; m++) {
        double moved = sg_system_motion(system, m, now->t, 0);
        for (size_t k = 0; k < storeys->count; k++) row[k] += storeys->motion[m * storeys->count + k] * moved;
    }
}

static void fill_ratio(const void *owner, const struct sg_snapshot *now, double *row)
{
    const struct storeys *storeys = owner;
    fill_drift(owner, now, row);
    for (size_t k = 0; k < storeys->count; k++) row[k] /= storeys->heights[k];
}

static void add_quantities(const void *data, struct sg_quantities *list)
{
    const struct storeys *storeys = data;
    struct sg_quantity drift = {.name = "drift",
                                .unit = "m",
                                .description =
                                    "displacement along x of the upper floor of each storey relative to "
                                    "the lower one, mean over its columns",
                                .width = storeys->count,
                                .of_displacement = true,
                                .fill = fill_drift,
                                .owner = storeys};
    struct sg_quantity ratio = drift;
    ratio.name = "drift_ratio";
    ratio.unit = "1";
    ratio.description = "drift of each storey over its height";
    ratio.on_request = true;
    ratio.fill = fill_ratio;
    sg_quantities_add(list, drift);
    sg_quantities_add(list, ratio);
}

static const struct sg_aspect_ops storeys_aspect = {
    .size = sizeof(struct storeys), .settle = settle, .to_modal = to_modal, .add_quantities = add_quantities};

/* --- as bodies name them -------------------------------------------------------------------------- */

void sg_storeys_open(struct sg_aspects *aspects, const char *body, const char *name, double height)
{
    char text[NAME], *copy = NULL;
    struct sg_error ignored = {0}; /* the builder says what `failed` means */
    struct storeys *storeys = sg_aspect_open(aspects, &storeys_aspect);
    if (storeys == NULL ||
        !sg_aspect_grow(aspects, &storeys->items, storeys->count, &storeys->capacity, sizeof *storeys->items))
        return;
    snprintf(text, sizeof text, "%s.%s", body, name);
    aspects->failed = sg_arena_copy_text(aspects->arena, text, &copy, &ignored) != SG_OK;
    if (!aspects->failed) storeys->items[storeys->count++] = (struct storey){.name = copy, .height = height};
}

void sg_storeys_add(struct sg_aspects *aspects, size_t upper, size_t lower)
{
    struct storeys *storeys = sg_aspect_open(aspects, &storeys_aspect);
    if (storeys == NULL || storeys->count == 0) return;
    struct storey *storey = &storeys->items[storeys->count - 1];
    if (sg_aspect_grow(aspects, &storey->pairs, storey->count, &storey->capacity, sizeof *storey->pairs))
        storey->pairs[storey->count++] = (struct pair){upper, lower};
}
