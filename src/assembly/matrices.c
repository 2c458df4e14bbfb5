#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#include "assembly/builder.h"
#include "support/memory.h"

static sg_status free_block(struct sg_builder *builder, const struct sg_triplets *full,
                            enum sg_matrix_role role, struct sg_matrix *a)
{
    SG_LOCAL_ARENA(scratch);
    struct sg_triplets ff = {.arena = &scratch, .n = builder->system->n};
    sg_builder_scatter(builder, full, 1, role, &ff);
    return sg_matrix_assemble(&builder->system->arena, a, &ff, builder->err);
}

struct massless {
    size_t body, node, last; /* its first and last node without mass */
    size_t count;
    double mass;
    bool turns; /* it is the rotation of the first that has none */
};

static void complain_massless(struct sg_builder *builder, const struct massless *found)
{
    if (found->count == 0) return;
    const struct sg_setting *bodies = sg_setting_child(sg_deck_root(builder->deck), "bodies");
    char more[64] = "";
    if (found->count > 1) snprintf(more, sizeof more, ", as %zu more of the body", found->count - 1);
    sg_complain(builder->diagnostics, SG_ERROR, sg_setting_item(bodies, found->body),
                "node '%s' has the %s %g %s%s: a node that is free to %s needs one above 0",
                builder->system->names->node_names[found->node], found->turns ? "moment of inertia" : "mass",
                found->mass, found->turns ? "kg m^2" : "kg", more, found->turns ? "turn" : "move");
}

/* Bodies don't share mass and each kind's mass matrix is positive definite where all its entries on the
 * diagonal are, so these decide; sg_builder_check_definite is for the others. */
static void check_mass(struct sg_builder *builder)
{
    const struct sg_system *system = builder->system;
    struct massless found = {0};
    for (size_t i = 0; i < system->n; i++) {
        double mass = sg_matrix_entry(&system->M, i, i);
        if (mass > 0) continue;
        size_t node = (size_t)system->places[system->free_dof[i]].node;
        size_t body = (size_t)system->names->node_bodies[node];
        if (found.count > 0 && found.last == node) continue;
        if (found.count > 0 && found.body != body) {
            complain_massless(builder, &found);
            found.count = 0;
        }
        if (found.count++ == 0)
            found = (struct massless){body, node, node,
                                      1,    mass, system->places[system->free_dof[i]].axis == SG_ROTATION};
        found.last = node;
    }
    complain_massless(builder, &found);
}

/* the largest entry of a positive semidefinite matrix stands on its diagonal */
static sg_status largest_stiffness(struct sg_builder *builder)
{
    const struct sg_triplets *full = &builder->stiffness;
    SG_AUTO_FREE double *diagonal = NULL;
    TRY(SG_NEW(&diagonal, full->n, builder->err));
    for (size_t k = 0; k < full->count; k++)
        if (full->row[k] == full->column[k]) diagonal[full->row[k]] += full->value[k];
    for (size_t i = 0; i < full->n; i++)
        builder->system->max_stiffness = fmax(builder->system->max_stiffness, diagonal[i]);
    return SG_OK;
}

/* free dofs, then moving supports; SIZE_MAX for what rests at 0 */
static size_t place_of(const struct sg_builder *builder, size_t full)
{
    const struct sg_system *system = builder->system;
    if (system->free_of_full[full] != SIZE_MAX) return system->free_of_full[full];
    size_t m = builder->motion_of_full[full];
    return m == SIZE_MAX ? SIZE_MAX : system->n + m;
}

static void find_grounded(size_t n, struct sg_row_sums *sums)
{
    while (sums->first < n && sums->value[sums->first] == 0) sums->first++;
    sums->end = n;
    while (sums->end > sums->first && sums->value[sums->end - 1] == 0) sums->end--;
}

/* Sums that only rounding keeps from 0 are 0: in large motions they would make energy. */
static sg_status sum_stiffness(struct sg_builder *builder)
{
    struct sg_system *system = builder->system;
    const struct sg_triplets *full = &builder->stiffness;
    size_t count = system->n + system->motion_count;
    double *sums = NULL;
    SG_AUTO_FREE double *sizes = NULL;
    if (system->K.zero) return SG_OK;
    TRY(SG_ARENA_NEW(&system->arena, &system->grounding.value, count, builder->err));
    TRY(SG_NEW(&sizes, count, builder->err));
    sums = system->grounding.value;
    for (size_t k = 0; k < full->count; k++) {
        size_t i = place_of(builder, full->row[k]), j = place_of(builder, full->column[k]);
        if (i == SIZE_MAX || j == SIZE_MAX) continue;
        sums[i] += full->value[k];
        sizes[i] += fabs(full->value[k]);
        if (i == j) continue;
        sums[j] += full->value[k];
        sizes[j] += fabs(full->value[k]);
    }
    for (size_t i = 0; i < count; i++)
        if (fabs(sums[i]) <= 8 * DBL_EPSILON * sizes[i]) sums[i] = 0;
    find_grounded(system->n, &system->grounding);
    return SG_OK;
}

sg_status sg_build_matrices(struct sg_builder *builder)
{
    struct sg_system *system = builder->system;
    TRY(free_block(builder, &builder->mass, SG_MASS, &system->M));
    TRY(free_block(builder, &builder->stiffness, SG_STIFFNESS, &system->K));
    TRY(sum_stiffness(builder));
    size_t errors = builder->diagnostics->errors;
    /* Where there are constraints, these decide whether dofs can do without mass. */
    if (sg_builder_count(builder, "constraints") == 0) check_mass(builder);
    if (builder->diagnostics->errors == errors) TRY(sg_builder_check_definite(builder));
    return largest_stiffness(builder);
}
