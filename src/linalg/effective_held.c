/* Rows that are always there: rigid ones behind those of the contacts, active for ever. Impulses and the
 * Delassus operator of the contacts are those of the system that keeps them. */
#include <math.h>
#include <string.h>

#include "linalg/effective_slot.h"
#include "linalg/small.h"
#include "linalg/vector.h"
#include "support/arena.h"

static void copy_columns(const struct sg_columns *from, size_t first, struct sg_columns *to)
{
    size_t base = to->start[first], count = from->start[from->q];
    for (size_t j = 0; j < from->q; j++) to->start[first + j + 1] = base + from->start[j + 1];
    memcpy(to->row + base, from->row, count * sizeof *to->row);
    memcpy(to->value + base, from->value, count * sizeof *to->value);
}

static sg_status join_rows(struct sg_arena *arena, struct sg_effective *op, const struct sg_columns *held,
                           struct sg_error *err)
{
    const struct sg_effective_rows rows = op->rows;
    size_t q = rows.w->q, entries = rows.w->start[q] + held->start[held->q];
    TRY(sg_columns_init_sparse(arena, &op->joined, op->mck.m->n, q + held->q, entries, err));
    copy_columns(rows.w, 0, &op->joined);
    copy_columns(held, q, &op->joined);
    op->rows.w = &op->joined;
    return SG_OK;
}

/* Stiffnesses and offsets are the operator's own: those of contacts change with their status. */
static sg_status copy_numbers(struct sg_arena *arena, struct sg_effective *op, struct sg_error *err)
{
    const struct sg_effective_rows given = op->rows;
    size_t q = op->contacts + op->held;
    TRY(SG_ARENA_NEW(arena, &op->kappa, q, err));
    TRY(SG_ARENA_NEW(arena, &op->offset, q, err));
    for (size_t j = 0; j < q; j++) {
        op->kappa[j] = j < op->contacts ? given.kappa[j] : HUGE_VAL;
        op->offset[j] = j < op->contacts ? given.offset[j] : 0.0;
    }
    op->rows.kappa = op->kappa;
    op->rows.offset = op->offset;
    return SG_OK;
}

sg_status sg_effective_held_init(struct sg_arena *arena, struct sg_effective *op, struct sg_error *err)
{
    const struct sg_columns *held = op->rows.held;
    op->contacts = op->rows.w->q;
    op->held = held == NULL ? 0 : held->q;
    TRY(copy_numbers(arena, op, err));
    if (held == NULL || op->held == 0) return SG_OK;
    if (op->rows.w->q > 0 && op->rows.w->row == NULL)
        FAIL(err, SG_INTERNAL, "held rows beside dense rows of contacts");
    TRY(join_rows(arena, op, held, err));
    TRY(SG_ARENA_NEW(arena, &op->held_pivot, op->held, err));
    TRY(sg_arena_alloc(arena, op->held, op->held * sizeof(double), "held.gram", &op->held_gram, err));
    return sg_arena_alloc(arena, op->held, op->contacts * sizeof(double), "held.pull", &op->held_pull, err);
}

/* Rows that always hold (joints, b) answer an impulse at contacts (c) by one of their own. Gap rates change
 * by
 *
 *     | H_cc  H_cb |  | r |
 *     | H_bc  H_bb |  | s |,   and joints keep theirs: s = -H_bb^-1 H_bc r,
 *
 * so that contacts feel the Schur complement H_cc - H_cb H_bb^-1 H_bc, and the model moves by
 * M^-1 (W_c r + W_b s). `pull` is a column of -H_bb^-1 H_bc. */
static void reduce_contact(struct sg_effective *op, size_t j)
{
    size_t q = op->q, c = op->contacts;
    double *pull = op->held_pull + j * op->held, *response = op->mass_response + j * op->n;
    for (size_t b = 0; b < op->held; b++) pull[b] = -op->delassus[j * q + c + b];
    sg_small_solve(op->held, op->held_gram, op->held_pivot, pull);
    for (size_t b = 0; b < op->held; b++) {
        sg_axpy(op->n, pull[b], op->mass_response + (c + b) * op->n, response);
        for (size_t i = 0; i < c; i++) op->delassus[j * q + i] += op->delassus[(c + b) * q + i] * pull[b];
    }
}

sg_status sg_effective_held_reduce(struct sg_effective *op, struct sg_error *err)
{
    size_t q = op->q, c = op->contacts;
    if (op->held == 0) return SG_OK;
    for (size_t b = 0; b < op->held; b++)
        for (size_t a = 0; a < op->held; a++)
            op->held_gram[a + b * op->held] = op->delassus[(c + b) * q + c + a];
    if (!sg_small_factor(op->held, op->held_gram, op->held_pivot))
        FAIL(err, SG_NO_SOLUTION, "the %zu rows that are always held depend on one another", op->held);
    for (size_t j = 0; j < c; j++) reduce_contact(op, j);
    for (size_t j = 0; j < c; j++)
        memmove(op->delassus + j * c, op->delassus + j * q, c * sizeof *op->delassus);
    return SG_OK;
}

void sg_effective_held_impulse(const struct sg_effective *op, const double *r, double *impulse)
{
    for (size_t j = 0; j < op->contacts; j++)
        if (r[j] != 0.0) sg_axpy(op->held, r[j], op->held_pull + j * op->held, impulse);
}
