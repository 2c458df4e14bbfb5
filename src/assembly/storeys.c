/* Drifts of the storeys by the dofs, once it is known which are free. */
#include <string.h>

#include "assembly/builder.h"
#include "support/memory.h"

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
