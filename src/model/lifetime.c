#include "model/system.h"

#include "model/constraint.h"
#include "model/scratch.h"
#include "results/modal_store.h"
#include "support/memory.h"

sg_status sg_system_modes(struct sg_system *system, struct sg_modal_store *store, struct sg_modal **modal,
                          struct sg_error *err)
{
    struct sg_modal_store none = {0};
    *modal = system->spare;
    system->spare = NULL;
    if (*modal != NULL) return SG_OK;
    return sg_modal_store_create(&system->arena, store != NULL ? store : &none, &system->M, &system->K, modal,
                                 err);
}

void sg_system_start_at(struct sg_system *system, const double *u, const double *v)
{
    for (size_t i = 0; i < system->n; i++) {
        system->u0[i] = u[system->free_dof[i]];
        system->v0[i] = v[system->free_dof[i]];
    }
}

/* --- end ------------------------------------------------------------------------------------------ */

void sg_system_destroy(struct sg_system *system)
{
    if (system == NULL) return;
    sg_arena_release(&system->arena);
    sg_free(system);
}
