/* Contacts at a configuration: gaps, normals and tangents. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "contact/contact_set.h"
#include "contact/gaps/gap.h"
#include "linalg/modal.h"
#include "support/arena.h"

sg_status sg_contact_set_to_modal(struct sg_contact_set *set, const struct sg_modal *modal,
                                  struct sg_error *err)
{
    if (!set->affine) FAIL(err, SG_INTERNAL, "modal coordinates are asked for contacts that are not affine");
    TRY(sg_modal_project_columns(&set->arena, modal, &set->w, err));
    return set->tangents == 0 ? SG_OK : sg_modal_project_columns(&set->arena, modal, &set->tangent, err);
}

void sg_contact_set_gaps(const struct sg_contact_set *set, const double *u, const double *v, double *gap,
                         double *rate)
{
    sg_columns_dots(&set->w, u, v, gap, rate);
    for (size_t j = 0; j < set->q; j++) gap[j] += set->offset[j];
}

double sg_contact_set_gap(const struct sg_contact_set *set, size_t j, double t, const double *u)
{
    if (set->fixed[j]) return set->offset[j] + sg_columns_dot(&set->w, j, u);
    struct sg_gap_value value;
    sg_gap_at(&set->gaps[j], u, &value);
    sg_gap_move(&set->gaps[j], t, &value.gap);
    return value.gap;
}

void sg_contact_set_drift(const struct sg_contact_set *set, double t, double *drift)
{
    double unused = 0.0;
    for (size_t j = 0; j < set->q; j++)
        if (!set->fixed[j] && set->gaps[j].moves) drift[j] = sg_gap_move(&set->gaps[j], t, &unused);
}

double sg_contact_set_obstacle_way(const struct sg_contact_set *set, size_t j, double t0, double t1)
{
    double before = 0.0, after = 0.0;
    if (set->fixed[j]) return 0.0;
    sg_gap_move(&set->gaps[j], t0, &before);
    sg_gap_move(&set->gaps[j], t1, &after);
    return before - after;
}

/* Machine epsilon times a size: the sum of such grains overflows no sooner than the sizes themselves do. */
static double grain(double size)
{
    return DBL_EPSILON * fabs(size);
}

/* of the positions that enter a gap; displacements of fixed ones apart, which may be modal */
static double reference_grain(const struct sg_gap *gap)
{
    double sum = grain(gap->size);
    for (size_t d = 0; d < SG_GAP_AXES; d++) sum += grain(gap->center[d]);
    for (size_t i = 0; i < gap->node_count * gap->dim; i++)
        if (sg_gap_depends_on(gap, i)) sum += grain(gap->reference[i]);
    for (size_t k = 0; k < gap->node_count; k++)
        sum += grain(gap->node[k].point[0]) + grain(gap->node[k].point[1]) + grain(gap->node[k].radius);
    return sum;
}

double sg_contact_set_rounding(const struct sg_contact_set *set, size_t j, double t, const double *u)
{
    const struct sg_gap *gap = &set->gaps[j];
    double moved = 0.0, sum = reference_grain(gap) + grain(gap->fixed.gap);
    if (set->fixed[j]) return sum + grain(set->offset[j]) + grain(sg_columns_dot_abs(&set->w, j, u));
    sg_gap_move(gap, t, &moved);
    for (size_t i = 0; i < gap->node_count * gap->dim; i++)
        if (gap->dof[i] != SIZE_MAX) sum += grain(u[gap->dof[i]]);
    return sum + grain(moved);
}

/* --- frames --------------------------------------------------------------------------------------- */

static sg_status copy_columns(struct sg_arena *arena, const struct sg_columns *from, struct sg_columns *to,
                              struct sg_error *err)
{
    size_t entries = from->start[from->q];
    TRY(sg_columns_init_sparse(arena, to, from->n, from->q, entries, err));
    memcpy(to->start, from->start, (from->q + 1) * sizeof *to->start);
    memcpy(to->row, from->row, entries * sizeof *to->row);
    memcpy(to->value, from->value, entries * sizeof *to->value);
    return SG_OK;
}

sg_status sg_contact_frame_init(struct sg_contact_frame *frame, const struct sg_contact_set *set,
                                struct sg_error *err)
{
    *frame = (struct sg_contact_frame){.normal = &set->w};
    if (set->tangents > 0) frame->tangent = &set->tangent;
    TRY(SG_ARENA_NEW(&frame->arena, &frame->gap, set->q, err));
    TRY(SG_ARENA_NEW(&frame->arena, &frame->drift, set->q, err));
    if (set->affine) return SG_OK;
    frame->normal = &frame->own_normal;
    TRY(copy_columns(&frame->arena, &set->w, &frame->own_normal, err));
    if (set->tangents == 0) return SG_OK;
    frame->tangent = &frame->own_tangent;
    return copy_columns(&frame->arena, &set->tangent, &frame->own_tangent, err);
}

void sg_contact_frame_release(struct sg_contact_frame *frame)
{
    sg_arena_release(&frame->arena);
    *frame = (struct sg_contact_frame){0};
}

static void place_one(const struct sg_contact_set *set, size_t j, const double *u,
                      struct sg_contact_frame *frame)
{
    const struct sg_gap *gap = &set->gaps[j];
    struct sg_gap_value value;
    sg_gap_at(gap, u, &value);
    frame->gap[j] = value.gap;
    if (gap->straight) return;
    sg_gap_fill_column(gap, &value, &frame->own_normal, j);
    if (set->tangents > 0) sg_gap_fill_tangents(gap, &value, &frame->own_tangent, j);
}

void sg_contact_set_place(const struct sg_contact_set *set, double t, const double *u,
                          struct sg_contact_frame *frame)
{
    for (size_t j = 0; j < set->q; j++) {
        if (set->fixed[j]) {
            frame->gap[j] = set->offset[j] + sg_columns_dot(&set->w, j, u);
            continue;
        }
        place_one(set, j, u, frame);
        frame->drift[j] = sg_gap_move(&set->gaps[j], t, &frame->gap[j]);
    }
}
