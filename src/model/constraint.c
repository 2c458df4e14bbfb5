#include "model/constraint.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "model/constraints/kinds.h"
#include "support/memory.h"

/* --- frames ------------------------------------------------------------------------------------------ */

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
    TRY(SG_NEW(&frame->g, set->count, err));
    TRY(SG_NEW(&frame->drift, set->count, err));
    TRY(sg_columns_init_sparse(&frame->G, system->n, set->count, set->entries, err));
    fill_pattern(set, &frame->G);
    return SG_OK;
}

void sg_constraint_frame_release(struct sg_constraint_frame *frame)
{
    sg_free(frame->g);
    sg_free(frame->drift);
    sg_columns_release(&frame->G);
    *frame = (struct sg_constraint_frame){0};
}

/* --- the constraint's own dofs ------------------------------------------------------------------------- */

/* number of the motion of a full dof, SIZE_MAX: it is held where it is */
static size_t motion_of(const struct sg_system *system, size_t full)
{
    for (size_t m = 0; m < system->motion_count; m++)
        if (system->motions[m].dof == full) return m;
    return SIZE_MAX;
}

/* displacement (order 0), velocity (1) or acceleration (2) of dof k, of a free one its value in `of` (n) */
static double own(const struct sg_system *system, const struct sg_constraint *item, size_t k,
                  const double *of, double t, int order)
{
    if (item->place[k] != SIZE_MAX) return of == NULL ? 0 : of[item->free[item->place[k]]];
    size_t m = motion_of(system, item->dof[k]);
    return m == SIZE_MAX ? 0 : sg_system_motion(system, m, t, order);
}

static double coordinate(const struct sg_system *system, const struct sg_constraint *item, size_t k,
                         const double *u, double t)
{
    return system->reference[item->dof[k]] + own(system, item, k, u, t, 0);
}

static double motion(const struct sg_system *system, const struct sg_constraint *item, double t, int order)
{
    if (!item->moves) return 0;
    struct sg_signal_value value = sg_signal_at(&system->signals[item->signal], t);
    return sg_signal_pick(&value, (enum sg_signal_order)((int)item->order + order));
}

/* --- g, drift, G --------------------------------------------------------------------------------------- */

/* a gradient by own dofs into a column, its prescribed part into the drift */
static void write_row(const struct sg_system *system, const struct sg_constraint *item, double t,
                      const double *gradient, size_t row, struct sg_constraint_frame *frame)
{
    double *column = frame->G.value + frame->G.start[row];
    memset(column, 0, item->free_count * sizeof *column);
    for (size_t k = 0; k < item->dof_count; k++) {
        if (item->place[k] != SIZE_MAX)
            column[item->place[k]] += gradient[k];
        else if (gradient[k] != 0)
            frame->drift[row] += gradient[k] * own(system, item, k, NULL, t, 1);
    }
}

static void place_linear(const struct sg_system *system, const struct sg_constraint *item, double t,
                         const double *u, struct sg_constraint_frame *frame)
{
    double sum = -item->value;
    for (size_t k = 0; k < item->dof_count; k++)
        sum += item->coefficient[k] * coordinate(system, item, k, u, t);
    frame->g[item->first_row] = sum;
    write_row(system, item, t, item->coefficient, item->first_row, frame);
}

static void gather(const struct sg_system *system, const struct sg_constraint *item, double t,
                   const double *u, double x[SG_CONSTRAINT_DOFS])
{
    for (size_t k = 0; k < item->dof_count; k++) x[k] = coordinate(system, item, k, u, t);
}

static void place_item(const struct sg_system *system, const struct sg_constraint *item, double t,
                       const double *u, struct sg_constraint_frame *frame)
{
    struct sg_constraint_value value = {.g = {0}};
    double x[SG_CONSTRAINT_DOFS];
    gather(system, item, t, u, x);
    item->ops->at(item, x, &value);
    for (size_t r = 0; r < item->rows; r++) {
        frame->g[item->first_row + r] = value.g[r];
        write_row(system, item, t, value.gradient[r], item->first_row + r, frame);
    }
}

void sg_constraints_place(const struct sg_system *system, double t, const double *u,
                          struct sg_constraint_frame *frame)
{
    const struct sg_constraints *set = &system->constraints;
    memset(frame->drift, 0, set->count * sizeof *frame->drift);
    for (size_t k = 0; k < set->items; k++) {
        const struct sg_constraint *item = &set->item[k];
        if (item->ops->at == NULL)
            place_linear(system, item, t, u, frame);
        else
            place_item(system, item, t, u, frame);
        frame->g[item->first_row] -= motion(system, item, t, 0);
        frame->drift[item->first_row] -= motion(system, item, t, 1);
    }
}

/* --- derivatives of G ------------------------------------------------------------------------------------
 */

/* d2g/dx2 of row r by own dofs; false: 0 */
static bool second_of_row(const struct sg_system *system, const struct sg_constraint *item, size_t r,
                          double t, const double *u, double h[SG_CONSTRAINT_SQUARE])
{
    if (item->affine || item->ops->second == NULL) return false;
    double x[SG_CONSTRAINT_DOFS], weight[SG_CONSTRAINT_ROWS] = {0};
    gather(system, item, t, u, x);
    weight[r] = 1;
    memset(h, 0, SG_CONSTRAINT_SQUARE * sizeof *h);
    item->ops->second(item, x, weight, h);
    return true;
}

/* what accelerations of prescribed dofs do to row r */
static double prescribed_part(const struct sg_system *system, const struct sg_constraint *item, size_t r,
                              double t, const double *u)
{
    struct sg_constraint_value value = {.g = {0}};
    const double *gradient = item->coefficient;
    double x[SG_CONSTRAINT_DOFS], sum = r == 0 ? -motion(system, item, t, 2) : 0;
    if (item->free_count == item->dof_count) return sum;
    if (gradient == NULL) {
        gather(system, item, t, u, x);
        item->ops->at(item, x, &value);
        gradient = value.gradient[r];
    }
    for (size_t k = 0; k < item->dof_count; k++)
        if (item->place[k] == SIZE_MAX) sum += gradient[k] * own(system, item, k, NULL, t, 2);
    return sum;
}

/* hv (dof_count) := H v */
static void apply_second(const struct sg_system *system, const struct sg_constraint *item, double t,
                         const double *v, const double *h, double hv[SG_CONSTRAINT_DOFS])
{
    size_t size = item->dof_count;
    memset(hv, 0, size * sizeof *hv);
    for (size_t l = 0; l < size; l++) {
        double speed = own(system, item, l, v, t, 1);
        for (size_t k = 0; k < size; k++) hv[k] += h[k + l * size] * speed;
    }
}

static double bias_of_row(const struct sg_system *system, const struct sg_constraint *item, size_t r,
                          double t, const double *const state[2])
{
    double h[SG_CONSTRAINT_SQUARE], hv[SG_CONSTRAINT_DOFS];
    double sum = prescribed_part(system, item, r, t, state[0]);
    if (!second_of_row(system, item, r, t, state[0], h)) return sum;
    apply_second(system, item, t, state[1], h, hv);
    for (size_t k = 0; k < item->dof_count; k++) sum += hv[k] * own(system, item, k, state[1], t, 1);
    return sum;
}

void sg_constraints_bias(const struct sg_system *system, double t, const double *u, const double *v,
                         double *bias)
{
    const struct sg_constraints *set = &system->constraints;
    const double *const state[2] = {u, v};
    for (size_t k = 0; k < set->items; k++)
        for (size_t r = 0; r < set->item[k].rows; r++)
            bias[set->item[k].first_row + r] = bias_of_row(system, &set->item[k], r, t, state);
}

void sg_constraints_rate_gradient(const struct sg_system *system, double t, const double *u, const double *v,
                                  struct sg_columns *rate)
{
    const struct sg_constraints *set = &system->constraints;
    double h[SG_CONSTRAINT_SQUARE], hv[SG_CONSTRAINT_DOFS];
    for (size_t j = 0; j < set->items; j++)
        for (size_t r = 0; r < set->item[j].rows; r++) {
            const struct sg_constraint *item = &set->item[j];
            double *column = rate->value + rate->start[item->first_row + r];
            memset(column, 0, item->free_count * sizeof *column);
            if (!second_of_row(system, item, r, t, u, h)) continue;
            apply_second(system, item, t, v, h, hv);
            for (size_t k = 0; k < item->dof_count; k++)
                if (item->place[k] != SIZE_MAX) column[item->place[k]] += hv[k];
        }
}

/* --- the sum of second derivatives ------------------------------------------------------------------------
 */

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

/* h by own dofs into the lower triangle of entries */
static void scatter(const struct sg_constraint *item, const double *h, double *value)
{
    size_t size = item->dof_count;
    for (size_t k = 0; k < size; k++)
        for (size_t l = 0; l < size; l++) {
            size_t a = item->place[k], b = item->place[l];
            if (a == SIZE_MAX || b == SIZE_MAX || a < b) continue;
            value[a * (a + 1) / 2 + b] += h[k + l * size];
        }
}

void sg_constraints_second(const struct sg_system *system, double t, const double *u, const double *lambda,
                           double *value)
{
    const struct sg_constraints *set = &system->constraints;
    double *next = value, x[SG_CONSTRAINT_DOFS], h[SG_CONSTRAINT_SQUARE];
    memset(value, 0, set->second_entries * sizeof *value);
    for (size_t j = 0; j < set->items; j++) {
        const struct sg_constraint *item = &set->item[j];
        if (item->affine) continue;
        gather(system, item, t, u, x);
        memset(h, 0, sizeof h);
        item->ops->second(item, x, lambda + item->first_row, h);
        scatter(item, h, next);
        next += item->free_count * (item->free_count + 1) / 2;
    }
}

double sg_constraints_size(const struct sg_system *system, size_t i, double t, const double *u)
{
    const struct sg_constraints *set = &system->constraints;
    size_t k = 0;
    while (i >= set->item[k].first_row + set->item[k].rows) k++;
    const struct sg_constraint *item = &set->item[k];
    double sum = fabs(item->value);
    for (size_t j = 0; j < 2; j++)
        for (size_t d = 0; d < 3; d++) sum += fabs(item->point[j].arm[d]);
    for (size_t d = 0; d < item->dof_count; d++)
        sum += (item->coefficient == NULL ? 1 : fabs(item->coefficient[d])) *
               fabs(coordinate(system, item, d, u, t));
    return sum;
}
