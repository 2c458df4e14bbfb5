/* Whether mass matrices that come from files are positive definite where their dofs are free to move. */
#include "linalg/solver.h"
#include "model/bodies/body.h"
#include "model/builder.h"
#include "support/memory.h"

/* the body's part of M, of its free dofs alone, which follow one another */
static void take_block(const struct sg_builder *builder, size_t body, struct sg_triplets *block)
{
    const struct sg_system *system = builder->system;
    const struct sg_model_body *of = &system->names->bodies[body];
    const struct sg_triplets *full = &builder->mass;
    size_t first = of->first_dof, end = first + of->dof_count, base = SIZE_MAX;
    for (size_t i = first; i < end; i++) {
        size_t own = system->free_of_full[i];
        if (own == SIZE_MAX || system->free_dof[own] != i) continue;
        if (base == SIZE_MAX) base = own;
        block->n++;
    }
    for (size_t k = 0; k < full->count; k++) {
        if (full->row[k] < first || full->row[k] >= end) continue;
        size_t i = system->free_of_full[full->row[k]], j = system->free_of_full[full->column[k]];
        if (i != SIZE_MAX && j != SIZE_MAX) sg_triplets_add(block, i - base, j - base, full->value[k]);
    }
}

/* SG_NO_SOLUTION if it is not positive definite */
static sg_status factor(const struct sg_matrix *mass, struct sg_error *err)
{
    static const double weight[3] = {1, 0, 0};
    struct sg_mck mck = {mass, mass, mass};
    struct sg_factor_layout layout = sg_factor_layout_for(&mck);
    struct sg_symbolic *symbolic = NULL;
    struct sg_factor found = {0};
    sg_status status = SG_OK;
    if (layout.kind == SG_SPARSE) status = sg_symbolic_create(&mck, false, &symbolic, err);
    layout.symbolic = symbolic;
    if (status == SG_OK) status = sg_factor_init(&found, &layout, err);
    if (status == SG_OK) {
        status = sg_factor_compute(&found, &mck, weight, err);
        sg_factor_release(&found);
    }
    sg_symbolic_destroy(symbolic);
    return status;
}

static sg_status check_body(struct sg_builder *builder, size_t body, const struct sg_node *node)
{
    struct sg_triplets block = {0};
    struct sg_matrix mass = {0};
    struct sg_error why = {0};
    take_block(builder, body, &block);
    sg_status status = block.n > 0 ? sg_builder_matrix(&block, &mass, &why) : SG_OK;
    if (status == SG_OK && block.n > 0) status = factor(&mass, &why);
    sg_matrix_release(&mass);
    sg_triplets_release(&block);
    if (status == SG_OK) return SG_OK;
    if (status != SG_NO_SOLUTION) FAIL(builder->err, status, "%s", why.text);
    sg_complain_about(builder->diagnostics, SG_ERROR, node, "mass",
                      "the mass matrix of '%.64s' is not positive definite where its dofs are free to move",
                      builder->system->names->bodies[body].name);
    sg_hint(builder->diagnostics, "some motion of the body would have no kinetic energy, or less than none");
    return SG_OK;
}

sg_status sg_builder_check_definite(struct sg_builder *builder)
{
    const struct sg_node *list = sg_node_child(sg_deck_root(builder->deck), "bodies");
    for (size_t k = 0; k < builder->system->names->body_count; k++) {
        const struct sg_node *node = sg_node_item(list, k);
        /* each kind is the first member of its ops */
        const struct sg_body_ops *ops = (const struct sg_body_ops *)(const void *)sg_node_kind(node);
        if (ops->any_mass) TRY(check_body(builder, k, node));
    }
    return SG_OK;
}
