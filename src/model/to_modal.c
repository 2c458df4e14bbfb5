#include <string.h>

#include "model/modal_damping.h"
#include "model/names.h"
#include "model/scratch.h"
#include "model/system.h"
#include "support/arena.h"
#include "support/memory.h"

/* matrix <- diag(a + b k + more), more NULL: 0 */
static sg_status set_diagonal(struct sg_system *system, struct sg_matrix *matrix, const double ab[2],
                              const double *more, struct sg_error *err)
{
    const struct sg_modal *modal = system->modal;
    SG_LOCAL_ARENA(scratch);
    struct sg_triplets t = {.arena = &scratch, .n = modal->n};
    for (size_t i = 0; i < modal->n; i++)
        sg_triplets_add(&t, i, i, ab[0] + ab[1] * modal->k[i] + (more == NULL ? 0.0 : more[i]));
    sg_status status = SG_OK;
    if (t.failed) status = sg_fail(err, SG_NO_MEMORY, "out of memory for %zu modal matrix entries", modal->n);
    if (status == SG_OK) status = sg_matrix_init(&system->arena, matrix, &t, SG_DIAGONAL, err);
    return status;
}

static sg_status set_damping(struct sg_system *system, const struct sg_modal *modal, struct sg_error *err)
{
    SG_AUTO_FREE double *rate = NULL;
    sg_status status = SG_OK;
    if (system->modal_ratios != NULL) TRY(sg_modal_damping_rates(system, modal, &rate, err));
    status = set_diagonal(system, &system->C, (const double[]){system->alpha, system->beta}, rate, err);
    return status;
}

static void project_force(struct sg_system *system, double *x)
{
    memcpy(system->scratch->u, x, system->n * sizeof *x);
    sg_modal_project_force(system->modal, system->scratch->u, x);
}

static void project_state(struct sg_system *system, double *x)
{
    memcpy(system->scratch->u, x, system->n * sizeof *x);
    sg_modal_project_state(system->modal, system->scratch->u, x);
}

static void project_vectors(struct sg_system *system)
{
    project_state(system, system->u0);
    project_state(system, system->v0);
    project_force(system, system->gravity);
    for (size_t d = 0; d < system->dim; d++) project_force(system, system->momentum + d * system->n);
    for (size_t k = 0; k < system->load_count; k++) project_force(system, system->loads[k].pattern);
    for (size_t m = 0; m < system->motion_count; m++)
        for (int role = SG_MASS; role <= SG_STIFFNESS; role++)
            project_force(system, sg_motion_column(&system->motions[m], (enum sg_matrix_role)role));
}

sg_status sg_system_to_modal(struct sg_system *system, struct sg_modal *modal, struct sg_error *err)
{
    if (system->modal != NULL || modal->n != system->n || !system->classical)
        FAIL(err, SG_INTERNAL, "no modal coordinates: the system %s",
             !system->classical ? "has damping that couples the modes" : "does not fit the basis");
    system->modal = modal;
    TRY(set_diagonal(system, &system->M, (const double[]){1, 0}, NULL, err));
    TRY(set_damping(system, modal, err));
    TRY(set_diagonal(system, &system->K, (const double[]){0, 1}, NULL, err));
    TRY(sg_modal_project_columns(&system->arena, modal, &system->center, err));
    TRY(sg_aspects_to_modal(&system->aspects, modal, err));
    project_vectors(system);
    TRY(SG_ARENA_NEW(&system->arena, &system->scratch->late_nodal, SG_LATE_ROWS * system->n, err));
    if (system->dim > 1)
        TRY(SG_ARENA_NEW(&system->arena, &system->scratch->late_full, 2 * SG_LATE_ROWS * system->n_full,
                         err));
    sg_arena_drop(&system->arena, system->grounding.value);
    system->grounding.value = NULL;
    return SG_OK;
}
