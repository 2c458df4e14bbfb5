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

static void release_motions(struct sg_system *system)
{
    for (size_t m = 0; m < system->motion_count; m++) {
        sg_free(system->motions[m].mass);
        sg_free(system->motions[m].damping);
        sg_free(system->motions[m].stiffness);
    }
    sg_free(system->motions);
    sg_free(system->motion_pp);
    sg_free(system->grounding.value);
}

static void release_loads(struct sg_system *system)
{
    for (size_t k = 0; k < system->load_count; k++) sg_free(system->loads[k].pattern);
    for (size_t k = 0; k < system->signal_count; k++) sg_signal_release(&system->signals[k]);
    sg_free(system->loads);
    sg_free(system->signals);
    sg_free(system->grounds);
    sg_free(system->gravity);
}

void sg_system_destroy(struct sg_system *system)
{
    if (system == NULL) return;
    release_motions(system);
    sg_free(system->modal_ratios);
    release_loads(system);
    sg_elements_release(&system->elements);
    sg_constraints_release(&system->constraints);
    sg_free(system->free_dof);
    sg_free(system->free_of_full);
    sg_model_names_destroy(system->names);
    sg_system_scratch_destroy(system->scratch);
    sg_arena_release(&system->arena);
    sg_free(system);
}
