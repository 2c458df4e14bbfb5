/* Whether matrices that come from files are such that motion goes well where dofs are free to move: the mass
 * positive definite, the stiffness positive semidefinite, or how far it is not.
 *
 * A symmetric matrix is positive definite exactly where Cholesky's factorisation of it ends, and then so are
 * all its leading blocks: the first block that fails is found by halving, and its last row is where the
 * motion begins that gains energy. A semidefinite matrix fails at its rigid motions by rounding, so a share
 * of the diagonal is added first. The share is meant for each dof alike, whatever its unit, so the block is
 * scaled to S K S with s_i = |k_ii|^-1/2; by Sylvester's law of inertia that changes no sign of an
 * eigenvalue. Two shares tell apart what a file with few digits leaves (between 1e-10 and 1e-6 of the
 * diagonal, a warning about the file) from motions that grow, whose number is that of negative pivots of L D
 * L^T. */
#include <math.h>

#include "assembly/bodies/body.h"
#include "assembly/builder.h"
#include "linalg/inertia.h"
#include "linalg/solver.h"
#include "support/arena.h"

/* the body's part of a full matrix, of its free dofs alone, which follow one another from free dof *base on
 */
static void take_block(const struct sg_builder *builder, size_t body, const struct sg_triplets *full,
                       struct sg_triplets *block, size_t *base)
{
    const struct sg_system *system = builder->system;
    const struct sg_model_body *of = &system->names->bodies[body];
    size_t first = of->first_dof, end = first + of->dof_count;
    *base = SIZE_MAX;
    for (size_t i = first; i < end; i++) {
        size_t own = system->free_of_full[i];
        if (own == SIZE_MAX || system->free_dof[own] != i) continue;
        if (*base == SIZE_MAX) *base = own;
        block->n++;
    }
    for (size_t k = 0; k < full->count; k++) {
        if (full->row[k] < first || full->row[k] >= end) continue;
        size_t i = system->free_of_full[full->row[k]], j = system->free_of_full[full->column[k]];
        if (i != SIZE_MAX && j != SIZE_MAX) sg_triplets_add(block, i - *base, j - *base, full->value[k]);
    }
}

/* SG_NO_SOLUTION if it is not positive definite */
static sg_status factor(struct sg_arena *arena, const struct sg_matrix *mass, struct sg_error *err)
{
    static const double weight[3] = {1, 0, 0};
    struct sg_mck mck = {mass, mass, mass};
    struct sg_factor_layout layout = sg_factor_layout_for(&mck);
    struct sg_factor found = {0};
    if (layout.kind == SG_SPARSE) TRY(sg_symbolic_create(arena, &mck, false, &layout.symbolic, err));
    TRY(sg_factor_init(arena, &found, &layout, err));
    return sg_factor_compute(&found, &mck, weight, err);
}

/* --- stiffness ------------------------------------------------------------------------------------ */

/* Files of few digits leave errors of this share of the diagonal. */
static const double coarse = 1e-6;

/* The block scaled to a diagonal of 1 or -1; of dofs without stiffness of their own see scale_couplings. */
struct scaled {
    const struct sg_triplets *block;
    double *scale;        /* n: 1 / sqrt |k_ii| */
    unsigned char *still; /* n: the row has no stiffness at all */
};

/* A dof that is coupled, but has no stiffness of its own, gets its largest coupling to 1, whatever its size:
 * a motion that gains energy is there. */
static void scale_couplings(struct scaled *k)
{
    for (size_t e = 0; e < k->block->count; e++) {
        size_t i = k->block->row[e], j = k->block->column[e];
        if (k->block->value[e] == 0 || i == j) continue;
        for (int side = 0; side < 2; side++) {
            size_t own = side == 0 ? i : j, other = side == 0 ? j : i;
            if (k->scale[own] > 0) continue;
            double beside = k->scale[other] > 0 ? k->scale[other] : 1 / sqrt(fabs(k->block->value[e]));
            k->scale[own] = -fmax(-k->scale[own], fabs(k->block->value[e]) * beside);
        }
    }
    for (size_t i = 0; i < k->block->n; i++)
        if (k->scale[i] <= 0) k->scale[i] = k->scale[i] < 0 ? -1 / k->scale[i] : 1;
}

static sg_status scaled_init(struct sg_arena *arena, struct scaled *k, const struct sg_triplets *block,
                             struct sg_error *err)
{
    *k = (struct scaled){.block = block};
    TRY(SG_ARENA_NEW(arena, &k->scale, block->n, err));
    TRY(SG_ARENA_NEW(arena, &k->still, block->n, err));
    for (size_t i = 0; i < block->n; i++) k->still[i] = 1;
    for (size_t e = 0; e < block->count; e++) {
        size_t i = block->row[e], j = block->column[e];
        if (block->value[e] == 0) continue;
        k->still[i] = k->still[j] = 0;
        if (i == j) k->scale[i] += block->value[e];
    }
    for (size_t i = 0; i < block->n; i++) k->scale[i] = k->scale[i] == 0 ? 0 : 1 / sqrt(fabs(k->scale[i]));
    scale_couplings(k);
    return SG_OK;
}

/* the first n rows and columns, with `shift` of their diagonal added to it */
static void shifted(const struct scaled *k, size_t n, double shift, struct sg_triplets *t)
{
    t->n = n;
    for (size_t i = 0; i < n; i++) sg_triplets_add(t, i, i, k->still[i] ? 1 : shift);
    for (size_t e = 0; e < k->block->count; e++) {
        size_t i = k->block->row[e], j = k->block->column[e];
        if (i < n && j < n) sg_triplets_add(t, i, j, k->block->value[e] * k->scale[i] * k->scale[j]);
    }
}

/* SG_NO_SOLUTION if they are not positive semidefinite */
static sg_status is_semidefinite(const struct scaled *k, size_t n, double shift, struct sg_error *err)
{
    SG_LOCAL_ARENA(scratch);
    struct sg_triplets t = {.arena = &scratch};
    struct sg_matrix matrix = {0};
    shifted(k, n, shift, &t);
    TRY(sg_matrix_assemble(&scratch, &matrix, &t, err));
    return factor(&scratch, &matrix, err);
}

/* the first row up to which the block is not: there a motion begins that gains energy */
static sg_status find_first(const struct scaled *k, double shift, size_t *first, struct sg_error *err)
{
    size_t good = 0, bad = k->block->n;
    while (bad - good > 1) {
        struct sg_error why = {0};
        size_t middle = good + (bad - good) / 2;
        sg_status status = is_semidefinite(k, middle, shift, &why);
        if (status != SG_OK && status != SG_NO_SOLUTION) FAIL(err, status, "%s", why.text);
        if (status == SG_OK)
            good = middle;
        else
            bad = middle;
    }
    *first = bad - 1;
    return SG_OK;
}

static const char *node_of(const struct sg_builder *builder, size_t free)
{
    const struct sg_system *system = builder->system;
    return sg_system_node_name(system, (size_t)system->places[system->free_dof[free]].node);
}

/* Eigenvalues below 0, `first` seen. Scaling does not change how many; some may be lost to roundings. */
static sg_status complain_growing(struct sg_builder *builder, const struct scaled *k, const char *where,
                                  const struct sg_setting *node)
{
    SG_LOCAL_ARENA(scratch);
    struct sg_triplets t = {.arena = &scratch};
    struct sg_error why = {0};
    size_t count = 1, n = k->block->n;
    shifted(k, n, coarse, &t);
    sg_status status = sg_triplets_count_negative(&t, &count, &why);
    if (status != SG_OK && status != SG_NO_SOLUTION) FAIL(builder->err, status, "%s", why.text);
    bool exact = status == SG_OK && count > 0;
    if (!exact) count = 1;
    builder->system->growing += count;
    sg_complain_about(
        builder->diagnostics, SG_WARNING, node, "stiffness",
        "%s%zu of the %zu eigenvalues of the stiffness where dofs are free to move %s negative, seen "
        "at node '%.64s'",
        exact ? "" : "at least ", count, n, count == 1 ? "is" : "are", where);
    sg_hint(builder->diagnostics, "as many motions grow by themselves: this is right for a structure that "
                                  "buckles or snaps through; else look for a wrong sign or a missing entry");
    return SG_OK;
}

/* What a file of few digits leaves is told as such. */
static sg_status judge(struct sg_builder *builder, const struct scaled *k, size_t base,
                       const struct sg_setting *node)
{
    const double shifts[] = {coarse, 1e-10};
    for (size_t s = 0; s < 2; s++) {
        struct sg_error why = {0};
        size_t first = 0;
        sg_status status = is_semidefinite(k, k->block->n, shifts[s], &why);
        if (status == SG_OK) continue;
        if (status != SG_NO_SOLUTION) FAIL(builder->err, status, "%s", why.text);
        TRY(find_first(k, shifts[s], &first, builder->err));
        const char *where = node_of(builder, base + first);
        if (s == 0) return complain_growing(builder, k, where, node);
        sg_complain_about(
            builder->diagnostics, SG_WARNING, node, "stiffness",
            "the stiffness matrix is not positive semidefinite where dofs are free to move, seen "
            "at node '%.64s', by less than 1e-6 of its diagonal",
            where);
        sg_hint(builder->diagnostics, "some motion of the body gains energy from its own deformation");
        return SG_OK;
    }
    return SG_OK;
}

static void complain_still(struct sg_builder *builder, const struct scaled *k, size_t base,
                           const struct sg_setting *node)
{
    size_t count = 0, first = 0;
    for (size_t i = 0; i < k->block->n; i++) {
        if (!k->still[i]) continue;
        if (count++ == 0) first = i;
    }
    if (count == 0 || count == k->block->n) return;
    sg_complain_about(
        builder->diagnostics, SG_WARNING, node, "stiffness",
        "%zu of %zu free dofs %s no stiffness, the first at node '%.64s': nothing ties %s to the rest", count,
        k->block->n, count == 1 ? "has" : "have", node_of(builder, base + first), count == 1 ? "it" : "them");
}

static sg_status check_stiffness(struct sg_builder *builder, size_t body, const struct sg_setting *node)
{
    SG_LOCAL_ARENA(scratch);
    struct sg_triplets block = {.arena = &scratch};
    struct scaled k = {0};
    size_t base = 0;
    take_block(builder, body, &builder->stiffness, &block, &base);
    sg_status status = SG_OK;
    if (block.failed)
        status = sg_fail(builder->err, SG_NO_MEMORY, "out of memory for a check of a stiffness");
    if (status == SG_OK && block.n > 0) status = scaled_init(&scratch, &k, &block, builder->err);
    if (status == SG_OK && block.n > 0) status = judge(builder, &k, base, node);
    if (status == SG_OK && block.n > 0) complain_still(builder, &k, base, node);
    return status;
}

/* --- mass ----------------------------------------------------------------------------------------- */

static sg_status complain_mass(struct sg_builder *builder, const struct sg_triplets *block, size_t base,
                               const struct sg_setting *node)
{
    SG_LOCAL_ARENA(scratch);
    struct scaled k = {0};
    size_t first = 0;
    TRY(scaled_init(&scratch, &k, block, builder->err));
    TRY(find_first(&k, 0.0, &first, builder->err));
    sg_complain_about(builder->diagnostics, SG_ERROR, node, "mass",
                      "'%s' is not positive definite where dofs are free to move, seen at node '%.64s'",
                      sg_setting_text(node, "mass"), node_of(builder, base + first));
    sg_hint(builder->diagnostics, "some motion of the body would have no kinetic energy, or less than none");
    return SG_OK;
}

static sg_status check_mass(struct sg_builder *builder, size_t body, const struct sg_setting *node)
{
    SG_LOCAL_ARENA(scratch);
    struct sg_triplets block = {.arena = &scratch};
    struct sg_matrix mass = {0};
    struct sg_error why = {0};
    size_t base = 0;
    take_block(builder, body, &builder->mass, &block, &base);
    sg_status status = block.n > 0 ? sg_matrix_assemble(&scratch, &mass, &block, &why) : SG_OK;
    if (status == SG_OK && block.n > 0) status = factor(&scratch, &mass, &why);
    if (status == SG_NO_SOLUTION)
        status = complain_mass(builder, &block, base, node);
    else if (status != SG_OK)
        status = sg_fail(builder->err, status, "%s", why.text);
    return status;
}

sg_status sg_builder_check_definite(struct sg_builder *builder)
{
    const struct sg_setting *list = sg_setting_child(sg_deck_root(builder->deck), "bodies");
    for (size_t k = 0; k < builder->system->names->body_count; k++) {
        const struct sg_setting *node = sg_setting_item(list, k);
        /* each kind is the first member of its ops */
        const struct sg_body_ops *ops = (const struct sg_body_ops *)(const void *)sg_setting_kind(node);
        if (!ops->any_mass) continue;
        TRY(check_mass(builder, k, node));
        TRY(check_stiffness(builder, k, node));
    }
    return SG_OK;
}
