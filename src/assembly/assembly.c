#include "assembly/assembly.h"

#include <math.h>

#include "assembly/builder.h"
#include "support/arena.h"
#include "support/memory.h"

/* --- what remains once all parts are there ------------------------------------------------------------ */

static sg_status fill_state(struct sg_builder *builder)
{
    struct sg_system *system = builder->system;
    TRY(SG_ARENA_NEW(&system->arena, &system->u0, system->n, builder->err));
    TRY(SG_ARENA_NEW(&system->arena, &system->v0, system->n, builder->err));
    for (size_t i = 0; i < system->n; i++) {
        system->u0[i] = builder->u[system->free_dof[i]];
        system->v0[i] = builder->v[system->free_dof[i]];
    }
    return SG_OK;
}

static sg_status fill_momentum(struct sg_builder *builder)
{
    struct sg_system *system = builder->system;
    size_t n = system->n, motions = system->motion_count;
    TRY(SG_ARENA_NEW(&system->arena, &system->momentum, system->dim * n, builder->err));
    TRY(SG_ARENA_NEW(&system->arena, &system->momentum_pp, system->dim * motions, builder->err));
    for (size_t d = 0; d < system->dim; d++) {
        const double *weight = builder->row_mass + d * system->n_full;
        for (size_t i = 0; i < n; i++) system->momentum[i + d * n] = weight[system->free_dof[i]];
        for (size_t m = 0; m < motions; m++)
            system->momentum_pp[m + d * motions] = weight[system->motions[m].dof];
    }
    if (system->dim == 1) return SG_OK;
    system->mass_full = builder->mass;
    return SG_OK;
}

/* weight of a dof along an axis in the mean over its body; plain mean where a body (wholly supported) has no
 * mass */
static double center_weight(const struct sg_builder *builder, size_t full)
{
    const struct sg_system *system = builder->system;
    struct sg_dof_place place = system->places[full];
    const struct sg_model_body *body = &system->names->bodies[system->names->node_bodies[place.node]];
    if (!(body->mass > 0)) return 1 / (double)body->count;
    return builder->row_mass[full + (size_t)place.axis * system->n_full] / body->mass;
}

static void fill_center(struct sg_builder *builder, size_t body, size_t axis)
{
    struct sg_system *system = builder->system;
    const struct sg_model_body *of = &system->names->bodies[body];
    struct sg_columns *center = &system->center;
    size_t dim = system->dim, column = dim * body + axis, next = center->start[column];
    for (size_t node = of->first; node < of->first + of->count; node++) {
        size_t full = sg_system_dof(system, node, axis);
        if (system->free_of_full[full] == SIZE_MAX) continue;
        center->row[next] = system->free_of_full[full];
        center->value[next++] = center_weight(builder, full);
    }
    center->start[column + 1] = next;
}

static sg_status fill_centers(struct sg_builder *builder)
{
    struct sg_system *system = builder->system;
    const struct sg_model_names *names = system->names;
    size_t dim = system->dim, width = names->body_count * dim;
    TRY(sg_columns_init_sparse(&system->arena, &system->center, system->n, width, system->n, builder->err));
    TRY(sg_arena_alloc(&system->arena, system->motion_count, width * sizeof(double), "center_pp",
                       &system->center_pp, builder->err));
    for (size_t k = 0; k < names->body_count; k++)
        for (size_t d = 0; d < dim; d++) fill_center(builder, k, d);
    for (size_t m = 0; m < system->motion_count; m++) {
        struct sg_dof_place place = system->places[system->motions[m].dof];
        size_t body = (size_t)names->node_bodies[place.node];
        if (place.axis == SG_ROTATION) continue;
        system->center_pp[m * width + dim * body + (size_t)place.axis] =
            center_weight(builder, system->motions[m].dof);
    }
    return SG_OK;
}

static sg_status build(struct sg_builder *builder)
{
    TRY(sg_build_bodies(builder));
    TRY(sg_build_supports(builder));
    TRY(sg_build_initial(builder));
    TRY(sg_build_motions(builder));
    TRY(sg_build_matrices(builder));
    TRY(sg_build_damping(builder));
    TRY(sg_build_loads(builder));
    TRY(sg_build_elements(builder));
    TRY(fill_state(builder));
    TRY(fill_momentum(builder));
    TRY(fill_centers(builder));
    TRY(sg_aspects_settle(builder->system, &builder->system->aspects, builder->err));
    TRY(sg_build_constraints(builder));
    return sg_system_allocate_scratch(builder->system, builder->err);
}

static sg_status verdict(const struct sg_builder *builder, sg_status status)
{
    if (status != SG_OK && status != SG_BAD_DECK) return status;
    if (builder->verdict == SG_NO_INPUT) return SG_NO_INPUT;
    if (status == SG_OK && !sg_builder_failed(builder)) return SG_OK;
    FAIL(builder->err, SG_BAD_DECK, "the model has faults: see the findings");
}

sg_status sg_system_create(const struct sg_deck *deck, struct sg_system **system,
                           struct sg_diagnostics *diagnostics, struct sg_error *err)
{
    return sg_system_create_varied(deck, NULL, NULL, system, diagnostics, err);
}

sg_status sg_system_create_varied(const struct sg_deck *deck, const struct sg_variation *variation,
                                  struct sg_modal_store *modes, struct sg_system **system,
                                  struct sg_diagnostics *diagnostics, struct sg_error *err)
{
    *system = NULL;
    struct sg_builder builder = {.deck = deck,
                                 .diagnostics = diagnostics,
                                 .err = err,
                                 .variation = variation,
                                 .modes = modes,
                                 .errors_before = diagnostics->errors};
    TRY(SG_NEW(&builder.system, 1, err));
    builder.mass.arena = &builder.system->arena;
    builder.dashpots.arena = builder.stiffness.arena = &builder.scratch;
    builder.system->aspects.arena = builder.system->elements.arena = &builder.system->arena;
    sg_status built = build(&builder), status = verdict(&builder, built);
    sg_arena_release(&builder.scratch);
    bool faulty = built == SG_OK && (status == SG_BAD_DECK || status == SG_NO_INPUT);
    if (status != SG_OK && !faulty)
        sg_system_destroy(builder.system);
    else
        *system = builder.system;
    return status;
}
