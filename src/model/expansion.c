#include "model/expansion.h"

#include <string.h>

#include "model/names.h"
#include "model/scratch.h"
#include "model/system.h"
#include "support/arena.h"

/* --- all dofs ------------------------------------------------------------------------------------- */

void sg_system_expand(const struct sg_system *system, const double *x, double t, int order, double *full)
{
    const double *nodal = x;
    if (system->modal != NULL) {
        sg_modal_expand(system->modal, x, system->scratch->u);
        nodal = system->scratch->u;
    }
    double *p = system->scratch->p;
    for (size_t m = 0; m < system->motion_count; m++) p[m] = sg_system_motion(system, m, t, order);
    sg_system_complete(system, nodal, p, full);
}

size_t sg_expansion_parts(const struct sg_system *system)
{
    return system->modal == NULL ? 0 : system->n + system->motion_count;
}

void sg_expansion_take(const struct sg_system *system, const double *x, double t, int order, double *parts)
{
    memcpy(parts, x, system->n * sizeof *parts);
    for (size_t m = 0; m < system->motion_count; m++)
        parts[system->n + m] = sg_system_motion(system, m, t, order);
}

void sg_expansion_make(const struct sg_system *system, const double *parts, size_t lead, double *full)
{
    double *nodal = system->scratch->late_nodal;
    struct sg_modal_rows rows = {SG_LATE_ROWS, parts, lead, nodal, system->n};
    sg_modal_expand_rows(system->modal, &rows);
    for (size_t k = 0; k < SG_LATE_ROWS; k++) {
        sg_system_complete(system, nodal + k * system->n, parts + k * lead + system->n, full);
        full += system->n_full;
    }
}

/* --- some dofs ------------------------------------------------------------------------------------ */

/* A scalar product waits for memory where the product of matrices has it in cache: that makes all dofs at the
 * price of some eighth of them. */
enum { FEW = 8 };

static size_t motion_of(const struct sg_system *system, size_t dof)
{
    size_t m = 0;
    while (m < system->motion_count && system->motions[m].dof != dof) m++;
    return m;
}

static sg_status pick_rows(struct sg_some_dofs *some, struct sg_error *err)
{
    const struct sg_system *system = some->system;
    struct sg_columns *rows = &some->rows;
    TRY(sg_columns_init_sparse(&some->arena, rows, system->n, some->count, some->count, err));
    TRY(SG_ARENA_NEW(&some->arena, &some->motion, some->count, err));
    for (size_t k = 0, next = 0; k < some->count; k++) {
        size_t dof = sg_system_leader(system, some->dof[k]), i = system->free_of_full[dof];
        some->motion[k] = motion_of(system, dof);
        if (i != SIZE_MAX) {
            rows->row[next] = i;
            rows->value[next++] = 1;
        }
        rows->start[k + 1] = next;
    }
    return sg_modal_project_columns(&some->arena, system->modal, rows, err);
}

sg_status sg_some_dofs_init(struct sg_some_dofs *some, const struct sg_system *system, const size_t *dof,
                            size_t count, struct sg_error *err)
{
    *some = (struct sg_some_dofs){.system = system, .dof = dof, .count = count};
    bool modal = system->modal != NULL;
    if (count == 0) return SG_OK;
    if (modal && count <= system->n / FEW) return pick_rows(some, err);
    return sg_arena_alloc(&some->arena, modal ? SG_LATE_ROWS : 1, system->n_full * sizeof(double),
                          "some_dofs", &some->full, err);
}

void sg_some_dofs_release(struct sg_some_dofs *some)
{
    sg_arena_release(&some->arena);
    *some = (struct sg_some_dofs){0};
}

static void pick(const struct sg_some_dofs *some, const double *full, double *row)
{
    for (size_t k = 0; k < some->count; k++) row[k] = full[some->dof[k]];
}

void sg_some_dofs_fill(const struct sg_some_dofs *some, const double *x, double t, int order, double *row)
{
    const struct sg_system *system = some->system;
    if (some->motion == NULL) {
        sg_system_expand(system, x, t, order, some->full);
        pick(some, some->full, row);
        return;
    }
    for (size_t k = 0; k < some->count; k++) {
        bool moved = some->motion[k] < system->motion_count;
        row[k] =
            moved ? sg_system_motion(system, some->motion[k], t, order) : sg_columns_dot(&some->rows, k, x);
    }
}

size_t sg_some_dofs_parts(const struct sg_some_dofs *some)
{
    return some->motion != NULL ? 0 : sg_expansion_parts(some->system);
}

void sg_some_dofs_make(const struct sg_some_dofs *some, const double *parts, size_t lead, double *rows)
{
    sg_expansion_make(some->system, parts, lead, some->full);
    for (size_t k = 0; k < SG_LATE_ROWS; k++)
        pick(some, some->full + k * some->system->n_full, rows + k * some->count);
}
