#include "linalg/saddle.h"

#include <string.h>

#include "linalg/small.h"
#include "linalg/sparse_lu.h"

/* --- memory --------------------------------------------------------------------------------------- */

sg_status sg_saddle_init(struct sg_arena *arena, struct sg_saddle *saddle, size_t most, size_t capacity,
                         struct sg_error *err)
{
    *saddle = (struct sg_saddle){.most = most};
    TRY(SG_ARENA_NEW(arena, &saddle->scale, most, err));
    if (capacity == 0) {
        TRY(SG_ARENA_NEW(arena, &saddle->dense, most * most, err));
        return SG_ARENA_NEW(arena, &saddle->pivot, most, err);
    }
    TRY(SG_ARENA_NEW(arena, &saddle->row, capacity, err));
    TRY(SG_ARENA_NEW(arena, &saddle->column, capacity, err));
    TRY(SG_ARENA_NEW(arena, &saddle->value, capacity, err));
    return sg_sparse_lu_create(arena, most, capacity, &saddle->sparse, err);
}

size_t sg_saddle_entries(const struct sg_matrix *a)
{
    if (a == NULL || a->zero) return 0;
    switch (a->kind) {
    case SG_DIAGONAL:
        return a->n;
    case SG_TRIDIAGONAL:
        return 3 * a->n;
    case SG_BANDED:
        return (2 * a->width + 1) * a->n;
    case SG_SPARSE:
        return 2 * a->start[a->n];
    default:
        return a->n * a->n;
    }
}

void sg_saddle_clear(struct sg_saddle *saddle, size_t size)
{
    saddle->count = 0;
    saddle->size = size;
    if (saddle->dense != NULL) memset(saddle->dense, 0, size * size * sizeof(double));
}

/* --- entries -------------------------------------------------------------------------------------- */

static void add_both(struct sg_block at, size_t i, size_t j, double value)
{
    if (value == 0.0) return;
    sg_saddle_add(at, i, j, value);
    if (i != j) sg_saddle_add(at, j, i, value);
}

static void add_diagonal(struct sg_block at, size_t n, const double *diagonal)
{
    for (size_t j = 0; j < n; j++) sg_saddle_cell(at)[j * (at.saddle->size + 1)] += at.s * diagonal[j];
}

void sg_saddle_add_matrix(struct sg_block at, const struct sg_matrix *a)
{
    size_t n = a->n, width = a->kind == SG_DENSE ? n - 1 : a->width;
    if (a->zero || at.s == 0.0) return;
    if (a->kind == SG_DIAGONAL && at.saddle->dense != NULL) {
        add_diagonal(at, n, a->diag);
        return;
    }
    for (size_t j = 0; j < n; j++) {
        if (a->kind == SG_DIAGONAL || a->kind == SG_TRIDIAGONAL) add_both(at, j, j, a->diag[j]);
        if (a->kind == SG_TRIDIAGONAL && j + 1 < n) add_both(at, j + 1, j, a->off[j]);
        for (size_t k = 0; k <= width && j + k < n && a->band != NULL; k++)
            add_both(at, j + k, j,
                     a->kind == SG_DENSE ? a->band[j * n + j + k] : a->band[j * (width + 1) + k]);
        for (size_t k = a->start == NULL ? 0 : a->start[j]; a->start != NULL && k < a->start[j + 1]; k++)
            add_both(at, a->row[k], j, a->value[k]);
    }
}

void sg_saddle_list(struct sg_block at, const struct sg_columns *w, size_t j, bool as_row)
{
    for (size_t k = w->start[j]; k < w->start[j + 1]; k++) {
        size_t i = sg_columns_row(w, j, k);
        if (w->value[k] != 0.0) sg_saddle_add(at, as_row ? 0 : i, as_row ? i : 0, w->value[k]);
    }
}

void sg_saddle_add_symmetric(struct sg_block at, const struct sg_symmetric_entries *a)
{
    for (size_t k = 0; k < a->count; k++) add_both(at, a->row[k], a->column[k], a->value[k]);
}

/* --- solving -------------------------------------------------------------------------------------- */

static void scale_vectors(const struct sg_saddle *saddle, size_t count, double *x)
{
    for (size_t k = 0; k < count; k++)
        for (size_t i = 0; i < saddle->size; i++) x[k * saddle->size + i] *= saddle->scale[i];
}

static void scale_dense(size_t size, const double *restrict scale, double *restrict a)
{
    for (size_t j = 0; j < size; j++) {
        double *restrict column = a + j * size, own = scale[j];
        for (size_t i = 0; i < size; i++) column[i] *= scale[i] * own;
    }
}

static sg_status solve_dense(struct sg_saddle *saddle, double sound, size_t count, double *x,
                             struct sg_error *err)
{
    size_t size = saddle->size;
    double *a = saddle->dense;
    scale_dense(size, saddle->scale, a);
    if (!sg_small_factor(size, a, saddle->pivot) || (sound > 0.0 && !(sg_small_condition(size, a) > sound)))
        FAIL(
            err, SG_NO_SOLUTION,
            "the system of motion and constraints is singular: a mass without a constraint that holds it, or "
            "constraints that repeat one another");
    for (size_t k = 0; k < count; k++) sg_small_solve(size, a, saddle->pivot, x + k * size);
    return SG_OK;
}

static sg_status solve_sparse(struct sg_saddle *saddle, double sound, size_t count, double *x,
                              struct sg_error *err)
{
    const double *scale = saddle->scale;
    struct sg_sparse_entries a = {saddle->size, saddle->count, saddle->row, saddle->column, saddle->value};
    for (size_t k = 0; k < saddle->count; k++)
        saddle->value[k] *= scale[saddle->row[k]] * scale[saddle->column[k]];
    return sg_sparse_lu_solve(saddle->sparse, &a, sound, count, x, err);
}

/* Motions and multipliers stand in one matrix,
 *
 *     S = | A    G |     A some multiple of M + b C + c K,
 *         | G^T  0 |     G the gradients of constraints and closed contacts,
 *
 * which has as many negative eigenvalues as G has columns, so that no Cholesky factor exists and pivots are
 * sought. Entries of A (kg) and G (1, m) may be of any size beside each other; with D the diagonal matrix of
 * scales, (D S D) (D^-1 x) = D r compares like with like. Scales are powers of two: nothing is rounded. */
sg_status sg_saddle_solve(struct sg_saddle *saddle, double sound, size_t count, double *x,
                          struct sg_error *err)
{
    scale_vectors(saddle, count, x);
    TRY(saddle->dense != NULL ? solve_dense(saddle, sound, count, x, err)
                              : solve_sparse(saddle, sound, count, x, err));
    scale_vectors(saddle, count, x);
    return SG_OK;
}
