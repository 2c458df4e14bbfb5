#include "model/names.h"
#include "model/scratch.h"
#include "model/system.h"
#include "support/arena.h"
#include "support/memory.h"

static double motion_sum(const struct sg_system *system, size_t m)
{
    size_t axis = (size_t)system->places[system->motions[m].dof].axis, count = system->motion_count;
    const double *mass = system->motion_pp + ((size_t)SG_MASS * count + m) * count;
    return axis == SG_ROTATION ? mass[m] : system->momentum_pp[m + axis * count];
}

static sg_status check_rows(const struct sg_system *system, struct sg_error *err)
{
    for (size_t i = 0; i < system->n; i++) {
        const char *name = system->names->dof_names[system->free_dof[i]];
        double mass = sg_system_row_mass(system, i);
        if (!(mass > 0.0))
            FAIL(err, SG_BAD_DECK, "the mass can't be lumped: its row of '%s' sums up to %g kg", name, mass);
        for (size_t d = 0; d < system->dim; d++)
            if (d != sg_system_axis(system, i) && system->momentum[i + d * system->n] != 0.0)
                FAIL(err, SG_BAD_DECK, "the mass can't be lumped: '%s' shares it with another axis", name);
    }
    return SG_OK;
}

static void add_scaled(const struct sg_matrix *a, double factor, struct sg_triplets *t)
{
    size_t first = t->count;
    sg_matrix_to_triplets(a, t);
    for (size_t k = first; k < t->count; k++) t->value[k] *= factor;
}

/* C with alpha times the lumped mass instead of alpha M */
static sg_status replace_damping(struct sg_system *system, struct sg_error *err)
{
    SG_LOCAL_ARENA(scratch);
    struct sg_triplets t = {.arena = &scratch, .n = system->n};
    if (system->proportional) {
        add_scaled(&system->K, system->beta, &t);
    } else {
        add_scaled(&system->C, 1.0, &t);
        add_scaled(&system->M, -system->alpha, &t);
    }
    for (size_t i = 0; i < system->n; i++)
        sg_triplets_add(&t, i, i, system->alpha * sg_system_row_mass(system, i));
    return sg_matrix_assemble(&system->arena, &system->C, &t, err);
}

/* Lumps what moving supports share with free dofs and with each other. */
static void lump_motions(struct sg_system *system)
{
    size_t count = system->motion_count;
    double alpha = system->alpha;
    for (size_t m = 0; m < count; m++) {
        struct sg_motion *motion = &system->motions[m];
        for (size_t i = 0; i < system->n; i++) {
            motion->damping[i] -= alpha * motion->mass[i];
            motion->mass[i] = 0.0;
        }
        double *mass = system->motion_pp + ((size_t)SG_MASS * count + m) * count;
        double *damping = system->motion_pp + ((size_t)SG_DAMPING * count + m) * count;
        for (size_t k = 0; k < count; k++) {
            double lumped = k == m ? motion_sum(system, m) : 0.0;
            damping[k] += alpha * (lumped - mass[k]);
            mass[k] = lumped;
        }
    }
}

static sg_status replace_support_loads(struct sg_system *system, struct sg_error *err)
{
    size_t kept = 0;
    for (size_t k = 0; k < system->load_count; k++) {
        if (system->loads[k].from_support)
            sg_arena_drop(&system->arena, system->loads[k].pattern);
        else
            system->loads[kept++] = system->loads[k];
    }
    system->load_count = kept;
    return sg_system_add_support_loads(system, err);
}

/* dofs that never move carry no momentum */
static sg_status replace_full(struct sg_system *system, struct sg_error *err)
{
    struct sg_triplets lumped = {.arena = &system->arena, .n = system->n_full};
    if (system->dim == 1) return SG_OK;
    for (size_t i = 0; i < system->n; i++)
        sg_triplets_add(&lumped, system->free_dof[i], system->free_dof[i], sg_system_row_mass(system, i));
    for (size_t m = 0; m < system->motion_count; m++)
        sg_triplets_add(&lumped, system->motions[m].dof, system->motions[m].dof, motion_sum(system, m));
    system->mass_full = lumped;
    if (lumped.failed) FAIL(err, SG_NO_MEMORY, "out of memory for a lumped mass of %zu dofs", lumped.n);
    return SG_OK;
}

static sg_status replace_mass(struct sg_system *system, struct sg_error *err)
{
    SG_LOCAL_ARENA(scratch);
    struct sg_matrix mass = {0};
    struct sg_triplets t = {.arena = &scratch, .n = system->n};
    for (size_t i = 0; i < system->n; i++) sg_triplets_add(&t, i, i, sg_system_row_mass(system, i));
    TRY(sg_matrix_assemble(&system->arena, &mass, &t, err));
    system->M = mass;
    return SG_OK;
}

sg_status sg_system_lump(struct sg_system *system, struct sg_error *err)
{
    if (system->modal != NULL) FAIL(err, SG_INTERNAL, "a mass in modal coordinates can't be lumped");
    if (system->M.kind == SG_DIAGONAL) return SG_OK;
    TRY(check_rows(system, err));
    system->spare = NULL;
    if (system->alpha != 0.0) TRY(replace_damping(system, err));
    TRY(replace_mass(system, err));
    lump_motions(system);
    TRY(replace_full(system, err));
    return replace_support_loads(system, err);
}
