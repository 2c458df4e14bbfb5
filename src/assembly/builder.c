#include "assembly/builder.h"

#include <math.h>

bool sg_builder_failed(const struct sg_builder *builder)
{
    return builder->verdict != SG_OK || builder->diagnostics->errors > builder->errors_before;
}

sg_status sg_builder_tolerate(struct sg_builder *builder, sg_status status)
{
    if (status != SG_BAD_DECK && status != SG_NO_INPUT) return status;
    if (builder->verdict != SG_NO_INPUT) builder->verdict = status;
    return SG_OK;
}

size_t sg_builder_count(const struct sg_builder *builder, const char *list)
{
    const struct sg_setting *node = sg_setting_child(sg_deck_root(builder->deck), list);
    return node == NULL ? 0 : sg_setting_count(node);
}

sg_status sg_builder_signal(struct sg_builder *builder, const struct sg_setting *node, size_t *index)
{
    struct sg_system *system = builder->system;
    *index = system->signal_count++;
    struct sg_signal *signal = &system->signals[*index];
    const struct sg_variation *variation = builder->variation;
    sg_status status =
        sg_signal_init(&system->arena, node, builder->deck, signal, builder->diagnostics, builder->err);
    bool varied = status == SG_OK && variation != NULL && !isnan(variation->omega);
    if (varied && signal->ops->retune != NULL)
        signal->ops->retune(signal, variation->omega, variation->factor);
    return sg_builder_tolerate(builder, status);
}

double sg_builder_rigid(const struct sg_builder *builder, const double *a, size_t i)
{
    double sum = 0;
    for (size_t d = 0; d < builder->system->dim; d++)
        sum += a[d] * builder->row_mass[i + d * builder->system->n_full];
    return sum;
}

/* one entry of the full matrix at (i, j), i != j counted once for both triangles */
static void scatter_entry(struct sg_builder *builder, const size_t at[2], double value,
                          enum sg_matrix_role role, struct sg_triplets *ff)
{
    struct sg_system *system = builder->system;
    size_t i = system->free_of_full[at[0]], j = system->free_of_full[at[1]];
    size_t a = builder->motion_of_full[at[0]], b = builder->motion_of_full[at[1]];
    if (i != SIZE_MAX && j != SIZE_MAX) {
        sg_triplets_add(ff, i > j ? i : j, i > j ? j : i, value);
    } else if (i != SIZE_MAX && b != SIZE_MAX) {
        sg_motion_column(&system->motions[b], role)[i] += value;
    } else if (j != SIZE_MAX && a != SIZE_MAX) {
        sg_motion_column(&system->motions[a], role)[j] += value;
    } else if (a != SIZE_MAX && b != SIZE_MAX) {
        size_t count = system->motion_count;
        double *pp = system->motion_pp + (size_t)role * count * count;
        pp[a * count + b] += value;
        if (a != b) pp[b * count + a] += value;
    }
}

void sg_builder_scatter(struct sg_builder *builder, const struct sg_triplets *full, double factor,
                        enum sg_matrix_role role, struct sg_triplets *ff)
{
    for (size_t k = 0; k < full->count; k++) {
        size_t at[2] = {full->row[k], full->column[k]};
        scatter_entry(builder, at, factor * full->value[k], role, ff);
    }
}
