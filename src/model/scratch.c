#include "model/scratch.h"

static void release_frame(void *frame)
{
    sg_constraint_frame_release(frame);
}

sg_status sg_system_allocate_scratch(struct sg_system *system, struct sg_error *err)
{
    TRY(SG_ARENA_NEW(&system->arena, &system->scratch, 1, err));
    TRY(SG_ARENA_NEW(&system->arena, &system->scratch->u, system->n, err));
    TRY(SG_ARENA_NEW(&system->arena, &system->scratch->v, system->n, err));
    TRY(SG_ARENA_NEW(&system->arena, &system->scratch->values, 3 * system->signal_count, err));
    TRY(SG_ARENA_NEW(&system->arena, &system->scratch->p, 2 * system->motion_count, err));
    if (system->dim > 1) TRY(SG_ARENA_NEW(&system->arena, &system->scratch->full, 3 * system->n_full, err));
    TRY(sg_arena_own(&system->arena, &system->scratch->constraints, release_frame, err));
    TRY(sg_constraint_frame_init(&system->scratch->constraints, system, err));
    return sg_element_dofs_init(&system->arena, &system->scratch->elements, system, err);
}
