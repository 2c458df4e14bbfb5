#include "strategies/generalized_alpha/curvature.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "contact/gaps/gap.h"
#include "model/constraint.h"

/* Tells whether the second derivatives of contact j are known, and not 0 for ever. */
static bool bends(const struct sg_contact_set *set, size_t j)
{
    const struct sg_gap *gap = &set->gaps[j];
    return !set->fixed[j] && !gap->straight && !gap->ops->no_hessian;
}

/* --- memory --------------------------------------------------------------------------------------- */

static sg_status copy_pattern(struct sg_arena *arena, const struct sg_columns *of, struct sg_columns *w,
                              struct sg_error *err)
{
    TRY(sg_columns_init_sparse(arena, w, of->n, of->q, of->start[of->q], err));
    memcpy(w->start, of->start, (of->q + 1) * sizeof *w->start);
    if (of->row != NULL) memcpy(w->row, of->row, of->start[of->q] * sizeof *w->row);
    return SG_OK;
}

/* Lists the free dofs of the lower triangle of a contact's second derivatives; returns how many entries it
 * has. */
static size_t places(const struct sg_gap_hessian *hessian, size_t *row, size_t *column)
{
    size_t count = 0;
    for (size_t a = 0; a < hessian->count; a++)
        for (size_t b = 0; b <= a; b++) {
            if (hessian->dof[a] == SIZE_MAX || hessian->dof[b] == SIZE_MAX) continue;
            if (row != NULL) {
                bool below = hessian->dof[a] >= hessian->dof[b];
                row[count] = hessian->dof[below ? a : b];
                column[count] = hessian->dof[below ? b : a];
            }
            count++;
        }
    return count;
}

static size_t count_places(const struct sg_curvature *self, size_t *row, size_t *column)
{
    struct sg_gap_hessian hessian;
    size_t count = 0;
    for (size_t j = 0; j < self->contacts->q; j++) {
        self->first[j] = self->bilateral + count;
        if (self->slot[j] == SIZE_MAX) continue;
        sg_gap_hessian_at(&self->contacts->gaps[j], self->system->u0, &hessian);
        count += places(&hessian, row == NULL ? NULL : row + count, row == NULL ? NULL : column + count);
    }
    return count;
}

/* Numbers the contacts that bend: theirs alone are kept. */
static sg_status init_bent(struct sg_arena *arena, struct sg_curvature *self, struct sg_error *err)
{
    size_t bent = 0;
    TRY(SG_ARENA_NEW(arena, &self->slot, self->contacts->q, err));
    for (size_t j = 0; j < self->contacts->q; j++)
        self->slot[j] = bends(self->contacts, j) ? bent++ : SIZE_MAX;
    self->bends = bent;
    TRY(SG_ARENA_NEW(arena, &self->bent, bent, err));
    return SG_ARENA_NEW(arena, &self->known, bent, err);
}

sg_status sg_curvature_init(struct sg_arena *arena, struct sg_curvature *self, const struct sg_system *system,
                            const struct sg_contact_set *contacts, const struct sg_columns *const rows[2],
                            struct sg_error *err)
{
    *self = (struct sg_curvature){
        .system = system, .contacts = contacts, .bilateral = system->constraints.second_entries};
    for (size_t k = 0; k < 2; k++)
        if (rows[k] != NULL) TRY(copy_pattern(arena, rows[k], &self->rate[k], err));
    TRY(init_bent(arena, self, err));
    TRY(SG_ARENA_NEW(arena, &self->first, contacts->q + 1, err));
    size_t count = self->bilateral + count_places(self, NULL, NULL);
    TRY(SG_ARENA_NEW(arena, &self->row, count, err));
    TRY(SG_ARENA_NEW(arena, &self->column, count, err));
    TRY(SG_ARENA_NEW(arena, &self->second.value, count, err));
    TRY(SG_ARENA_NEW(arena, &self->hessians, system->constraints.hessian_entries, err));
    if (self->bilateral > 0) sg_constraints_second_pattern(system, self->row, self->column);
    count_places(self, self->row + self->bilateral, self->column + self->bilateral);
    self->second.count = count;
    self->second.row = self->row;
    self->second.column = self->column;
    return SG_OK;
}

/* --- values --------------------------------------------------------------------------------------- */

/* This is the entry of H v at a dof, whose own number may stand for several of the contact's. */
static double product_at(const struct sg_gap_hessian *hessian, size_t dof, const double *v)
{
    double sum = 0.0;
    for (size_t a = 0; a < hessian->count; a++) {
        if (hessian->dof[a] != dof) continue;
        for (size_t b = 0; b < hessian->count; b++)
            if (hessian->dof[b] != SIZE_MAX) sum += hessian->second[a][b] * v[hessian->dof[b]];
    }
    return sum;
}

void sg_curvature_update(struct sg_curvature *self, double t, const double *u)
{
    sg_constraints_hessians(self->system, t, u, self->hessians);
    self->u = u;
    memset(self->known, 0, self->bends);
}

/* Second derivatives of contact j, made once a configuration; NULL: it never bends. */
static const struct sg_gap_hessian *hessian_of(struct sg_curvature *self, size_t j)
{
    size_t slot = self->slot[j];
    if (slot == SIZE_MAX) return NULL;
    if (!self->known[slot]) sg_gap_hessian_at(&self->contacts->gaps[j], self->u, &self->bent[slot]);
    self->known[slot] = true;
    return &self->bent[slot];
}

void sg_curvature_rates(struct sg_curvature *self, double t, const double *v, bool contacts)
{
    struct sg_columns *rate = &self->rate[1];
    if (self->system->constraints.count > 0)
        sg_constraints_rate_gradient(self->system, self->hessians, t, v, &self->rate[0]);
    for (size_t j = 0; j < self->contacts->q && contacts; j++) {
        const struct sg_gap_hessian *hessian = hessian_of(self, j);
        for (size_t k = rate->start[j]; hessian != NULL && k < rate->start[j + 1]; k++)
            rate->value[k] = product_at(hessian, rate->row[k], v);
    }
}

static void weigh_contact(const struct sg_gap_hessian *hessian, double multiplier, double *value)
{
    size_t count = 0;
    for (size_t a = 0; a < hessian->count; a++)
        for (size_t b = 0; b <= a; b++) {
            if (hessian->dof[a] == SIZE_MAX || hessian->dof[b] == SIZE_MAX) continue;
            /* two of the contact's dofs that are one: both halves of the square come to the diagonal */
            double twice = a != b && hessian->dof[a] == hessian->dof[b] ? 2.0 : 1.0;
            value[count++] = twice * multiplier * hessian->second[a][b];
        }
}

void sg_curvature_sum(struct sg_curvature *self, const double *multiplier)
{
    size_t m = self->system->constraints.count, first = self->bilateral;
    if (self->bilateral > 0)
        sg_constraints_second(self->system, self->hessians, multiplier, self->second.value);
    memset(self->second.value + first, 0, (self->second.count - first) * sizeof(double));
    for (size_t j = 0; j < self->contacts->q; j++) {
        const struct sg_gap_hessian *hessian = multiplier[m + j] == 0.0 ? NULL : hessian_of(self, j);
        if (hessian != NULL) weigh_contact(hessian, multiplier[m + j], self->second.value + self->first[j]);
    }
}
