#include "model/constraint.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "model/constraint_item.h"
#include "model/system.h"
#include "support/arena.h"
#include "support/memory.h"

/* --- frames --------------------------------------------------------------------------------------- */

static void fill_pattern(const struct sg_constraints *set, struct sg_columns *g)
{
    size_t next = 0;
    for (size_t k = 0; k < set->items; k++) {
        const struct sg_constraint *item = &set->item[k];
        for (size_t r = 0; r < item->rows; r++) {
            g->start[item->first_row + r] = next;
            memcpy(g->row + next, item->free, item->free_count * sizeof *g->row);
            next += item->free_count;
        }
    }
    g->start[set->count] = next;
}

sg_status sg_constraint_frame_init(struct sg_constraint_frame *frame, const struct sg_system *system,
                                   struct sg_error *err)
{
    const struct sg_constraints *set = &system->constraints;
    *frame = (struct sg_constraint_frame){0};
    TRY(SG_ARENA_NEW(&frame->arena, &frame->g, set->count, err));
    TRY(SG_ARENA_NEW(&frame->arena, &frame->drift, set->count, err));
    TRY(sg_columns_init_sparse(&frame->arena, &frame->G, system->n, set->count, set->entries, err));
    fill_pattern(set, &frame->G);
    return SG_OK;
}

void sg_constraint_frame_release(struct sg_constraint_frame *frame)
{
    sg_arena_release(&frame->arena);
    *frame = (struct sg_constraint_frame){0};
}

/* --- the constraint's own dofs -------------------------------------------------------------------- */

/* number of the motion of a full dof, SIZE_MAX: it is held where it is */
static size_t motion_of(const struct sg_system *system, size_t full)
{
    for (size_t m = 0; m < system->motion_count; m++)
        if (system->motions[m].dof == full) return m;
    return SIZE_MAX;
}

/* an item at a state; v is needed where it is asked for */
struct item_at {
    const struct sg_system *system;
    const struct sg_constraint *item;
    double t;
    const double *u, *v; /* n */
};

/* displacement (order 0), velocity (1) or acceleration (2) of dof k if it is prescribed; 0 if it is free */
static double prescribed(const struct item_at *at, size_t k, int order)
{
    if (at->item->column_entry[k] != SIZE_MAX) return 0;
    size_t m = motion_of(at->system, at->item->dof[k]);
    return m == SIZE_MAX ? 0 : sg_system_motion(at->system, m, at->t, order);
}

/* the free dof that own dof k is */
static size_t free_of(const struct sg_constraint *item, size_t k)
{
    return item->free[item->column_entry[k]];
}

static double coordinate(const struct item_at *at, size_t k)
{
    double moved = at->item->column_entry[k] != SIZE_MAX ? at->u[free_of(at->item, k)] : prescribed(at, k, 0);
    return at->system->reference[at->item->dof[k]] + moved;
}

static double velocity(const struct item_at *at, size_t k)
{
    return at->item->column_entry[k] != SIZE_MAX ? at->v[free_of(at->item, k)] : prescribed(at, k, 1);
}

static void gather(const struct item_at *at, double x[SG_CONSTRAINT_DOFS])
{
    for (size_t k = 0; k < at->item->dof_count; k++) x[k] = coordinate(at, k);
}

static double motion(const struct item_at *at, int order)
{
    if (!at->item->moves) return 0;
    struct sg_signal_value value = sg_signal_at(&at->system->signals[at->item->signal], at->t);
    return sg_signal_pick(&value, (enum sg_signal_order)((int)at->item->order + order));
}

/* --- g, drift, G ---------------------------------------------------------------------------------- */

/* a gradient by own dofs into a column, its prescribed part into the drift */
static void write_row(const struct item_at *at, const double *gradient, size_t row,
                      struct sg_constraint_frame *frame)
{
    const struct sg_constraint *item = at->item;
    double *column = frame->G.value + frame->G.start[row];
    memset(column, 0, item->free_count * sizeof *column);
    for (size_t k = 0; k < item->dof_count; k++) {
        if (item->column_entry[k] != SIZE_MAX)
            column[item->column_entry[k]] += gradient[k];
        else if (gradient[k] != 0)
            frame->drift[row] += gradient[k] * prescribed(at, k, 1);
    }
}

static void place_linear(const struct item_at *at, struct sg_constraint_frame *frame)
{
    const struct sg_constraint *item = at->item;
    double sum = -item->value;
    for (size_t k = 0; k < item->dof_count; k++) sum += item->coefficient[k] * coordinate(at, k);
    frame->g[item->first_row] = sum;
    write_row(at, item->coefficient, item->first_row, frame);
}

static void place_item(const struct item_at *at, struct sg_constraint_frame *frame)
{
    const struct sg_constraint *item = at->item;
    struct sg_constraint_value value = {.g = {0}};
    double x[SG_CONSTRAINT_DOFS];
    gather(at, x);
    item->ops->at(item, x, &value);
    for (size_t r = 0; r < item->rows; r++) {
        frame->g[item->first_row + r] = value.g[r];
        write_row(at, value.gradient[r], item->first_row + r, frame);
    }
}

void sg_constraints_evaluate(const struct sg_system *system, double t, const double *u,
                             struct sg_constraint_frame *frame)
{
    const struct sg_constraints *set = &system->constraints;
    memset(frame->drift, 0, set->count * sizeof *frame->drift);
    for (size_t k = 0; k < set->items; k++) {
        const struct sg_constraint *item = &set->item[k];
        const struct item_at at = {system, item, t, u, NULL};
        if (item->ops->at == NULL)
            place_linear(&at, frame);
        else
            place_item(&at, frame);
        frame->g[item->first_row] -= motion(&at, 0);
        frame->drift[item->first_row] -= motion(&at, 1);
    }
}

/* --- derivatives of G ----------------------------------------------------------------------------- */

/* An item has so many second derivatives a row. */
static size_t square_of(const struct sg_constraint *item)
{
    return item->dof_count * item->dof_count;
}

static size_t hessian_entries_of(const struct sg_constraint *item)
{
    return item->affine ? 0 : item->rows * square_of(item);
}

static void hessians_of_item(const struct item_at *at, double *hessian)
{
    const struct sg_constraint *item = at->item;
    double x[SG_CONSTRAINT_DOFS];
    if (item->affine) return;
    gather(at, x);
    memset(hessian, 0, hessian_entries_of(item) * sizeof *hessian);
    item->ops->second(item, x, hessian);
}

void sg_constraints_hessians(const struct sg_system *system, double t, const double *u, double *hessian)
{
    const struct sg_constraints *set = &system->constraints;
    for (size_t k = 0; k < set->items; k++) {
        const struct item_at at = {system, &set->item[k], t, u, NULL};
        hessians_of_item(&at, hessian);
        hessian += hessian_entries_of(at.item);
    }
}

/* Accelerations of prescribed dofs do this to row r. */
static double prescribed_part(const struct item_at *at, size_t r)
{
    const struct sg_constraint *item = at->item;
    struct sg_constraint_value value = {.g = {0}};
    const double *gradient = item->coefficient;
    double x[SG_CONSTRAINT_DOFS], sum = r == 0 ? -motion(at, 2) : 0;
    if (gradient == NULL) {
        gather(at, x);
        item->ops->at(item, x, &value);
        gradient = value.gradient[r];
    }
    for (size_t k = 0; k < item->dof_count; k++) sum += gradient[k] * prescribed(at, k, 2);
    return sum;
}

static void gather_velocity(const struct item_at *at, double v[SG_CONSTRAINT_DOFS])
{
    for (size_t k = 0; k < at->item->dof_count; k++) v[k] = velocity(at, k);
}

/* entry k of H v */
static double second_dot(const struct sg_constraint *item, const double *h, size_t k, const double *v)
{
    double sum = 0;
    for (size_t l = 0; l < item->dof_count; l++) sum += h[l + k * item->dof_count] * v[l];
    return sum;
}

static void bias_of_item(const struct item_at *at, double *bias)
{
    double hessian[SG_CONSTRAINT_ROWS * SG_CONSTRAINT_SQUARE], v[SG_CONSTRAINT_DOFS];
    const struct sg_constraint *item = at->item;
    hessians_of_item(at, hessian);
    gather_velocity(at, v);
    for (size_t r = 0; r < item->rows; r++) {
        bias[r] = prescribed_part(at, r);
        for (size_t k = 0; k < item->dof_count && !item->affine; k++)
            bias[r] += v[k] * second_dot(item, hessian + r * square_of(item), k, v);
    }
}

void sg_constraints_bias(const struct sg_system *system, double t, const double *u, const double *v,
                         double *bias)
{
    const struct sg_constraints *set = &system->constraints;
    for (size_t k = 0; k < set->items; k++) {
        const struct item_at at = {system, &set->item[k], t, u, v};
        bias_of_item(&at, bias + at.item->first_row);
    }
}

static void rate_gradient_of_item(const struct item_at *at, const double *hessian, struct sg_columns *rate)
{
    const struct sg_constraint *item = at->item;
    double v[SG_CONSTRAINT_DOFS];
    gather_velocity(at, v);
    for (size_t r = 0; r < item->rows; r++) {
        double *column = rate->value + rate->start[item->first_row + r];
        memset(column, 0, item->free_count * sizeof *column);
        for (size_t k = 0; k < item->dof_count && !item->affine; k++)
            if (item->column_entry[k] != SIZE_MAX)
                column[item->column_entry[k]] += second_dot(item, hessian + r * square_of(item), k, v);
    }
}

void sg_constraints_rate_gradient(const struct sg_system *system, const double *hessian, double t,
                                  const double *v, struct sg_columns *rate)
{
    const struct sg_constraints *set = &system->constraints;
    for (size_t k = 0; k < set->items; k++) {
        const struct item_at at = {system, &set->item[k], t, NULL, v};
        rate_gradient_of_item(&at, hessian, rate);
        hessian += hessian_entries_of(at.item);
    }
}

/* --- the sum of second derivatives ---------------------------------------------------------------- */

void sg_constraints_second_pattern(const struct sg_system *system, size_t *row, size_t *column)
{
    const struct sg_constraints *set = &system->constraints;
    size_t next = 0;
    for (size_t j = 0; j < set->items; j++) {
        const struct sg_constraint *item = &set->item[j];
        if (item->affine) continue;
        for (size_t a = 0; a < item->free_count; a++)
            for (size_t b = 0; b <= a; b++) {
                bool below = item->free[a] >= item->free[b];
                row[next] = item->free[below ? a : b];
                column[next++] = item->free[below ? b : a];
            }
    }
}

/* weight h, by own dofs, into the lower triangle of entries; own dofs may be the same free one */
static void scatter(const struct sg_constraint *item, double weight, const double *h, double *value)
{
    for (size_t k = 0; k < item->dof_count; k++, h += item->dof_count)
        for (size_t l = 0; l <= k; l++) {
            size_t a = item->column_entry[k], b = item->column_entry[l];
            if (h[l] == 0.0 || a == SIZE_MAX || b == SIZE_MAX) continue;
            size_t at = a > b ? a * (a + 1) / 2 + b : b * (b + 1) / 2 + a;
            value[at] += (a == b && k != l ? 2 * weight : weight) * h[l];
        }
}

void sg_constraints_second(const struct sg_system *system, const double *hessian, const double *lambda,
                           double *value)
{
    const struct sg_constraints *set = &system->constraints;
    memset(value, 0, set->second_entries * sizeof *value);
    for (size_t j = 0; j < set->items; j++) {
        const struct sg_constraint *item = &set->item[j];
        if (item->affine) continue;
        for (size_t r = 0; r < item->rows; r++)
            scatter(item, lambda[item->first_row + r], hessian + r * square_of(item), value);
        value += item->free_count * (item->free_count + 1) / 2;
        hessian += hessian_entries_of(item);
    }
}

double sg_constraints_size(const struct sg_system *system, size_t i, double t, const double *u)
{
    const struct sg_constraints *set = &system->constraints;
    size_t k = 0;
    while (i >= set->item[k].first_row + set->item[k].rows) k++;
    const struct sg_constraint *item = &set->item[k];
    const struct item_at at = {system, item, t, u, NULL};
    double sum = fabs(item->value);
    for (size_t j = 0; j < 2; j++)
        for (size_t d = 0; d < 3; d++) sum += fabs(item->point[j].arm[d]);
    for (size_t d = 0; d < item->dof_count; d++)
        sum += (item->coefficient == NULL ? 1 : fabs(item->coefficient[d])) * fabs(coordinate(&at, d));
    return sum;
}
