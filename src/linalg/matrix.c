#include "linalg/matrix.h"

#include <math.h>
#include <stdint.h>

#include "support/arena.h"
#include "support/bisect.h"

static sg_status check_fits(const struct sg_triplets *t, enum sg_matrix_class kind, struct sg_error *err)
{
    if (t->failed) FAIL(err, SG_NO_MEMORY, "out of memory: matrix of %zu dofs", t->n);
    size_t limit = kind == SG_DIAGONAL ? 0 : 1;
    for (size_t e = 0; e < t->count; e++) {
        if (t->row[e] >= t->n)
            FAIL(err, SG_INTERNAL, "matrix entry (%zu, %zu) lies outside %zu dofs", t->row[e], t->column[e],
                 t->n);
        if (kind != SG_DIAGONAL && kind != SG_TRIDIAGONAL) continue;
        if (t->value[e] != 0 && t->row[e] - t->column[e] > limit)
            FAIL(err, SG_INTERNAL, "matrix entry (%zu, %zu) lies outside half bandwidth %zu", t->row[e],
                 t->column[e], limit);
    }
    return SG_OK;
}

static sg_status fill_diagonals(struct sg_arena *arena, struct sg_matrix *a, const struct sg_triplets *t,
                                struct sg_error *err)
{
    TRY(SG_ARENA_NEW_STREAMED(arena, &a->diag, a->n, err));
    if (a->kind == SG_TRIDIAGONAL) TRY(SG_ARENA_NEW_STREAMED(arena, &a->off, a->n, err));
    for (size_t e = 0; e < t->count; e++) {
        if (t->row[e] == t->column[e])
            a->diag[t->row[e]] += t->value[e];
        else if (t->value[e] != 0)
            a->off[t->column[e]] += t->value[e];
    }
    return SG_OK;
}

static sg_status fill_banded(struct sg_arena *arena, struct sg_matrix *a, const struct sg_triplets *t,
                             struct sg_error *err)
{
    size_t height = a->width + 1;
    if (a->n != 0 && height > SIZE_MAX / a->n)
        FAIL(err, SG_NO_MEMORY, "out of memory: band of %zu x %zu", height, a->n);
    TRY(SG_ARENA_NEW(arena, &a->band, height * a->n, err));
    for (size_t e = 0; e < t->count; e++)
        if (t->value[e] != 0) a->band[t->row[e] - t->column[e] + t->column[e] * height] += t->value[e];
    return SG_OK;
}

static sg_status fill_dense(struct sg_arena *arena, struct sg_matrix *a, const struct sg_triplets *t,
                            struct sg_error *err)
{
    if (a->n != 0 && a->n > SIZE_MAX / a->n)
        FAIL(err, SG_NO_MEMORY, "out of memory: dense matrix of %zu dofs", a->n);
    TRY(SG_ARENA_NEW(arena, &a->band, a->n * a->n, err));
    for (size_t e = 0; e < t->count; e++) {
        size_t i = t->row[e], j = t->column[e];
        a->band[i + j * a->n] += t->value[e];
        if (i != j) a->band[j + i * a->n] += t->value[e];
    }
    return SG_OK;
}

/* Triplets bucketed by row, to be walked row by row: order[first[i] .. first[i+1]-1]. */
struct row_order {
    size_t *first, *order;
};

static sg_status sort_by_row(struct sg_arena *arena, const struct sg_triplets *t, struct row_order *rows,
                             struct sg_error *err)
{
    TRY(SG_ARENA_NEW(arena, &rows->first, t->n + 2, err));
    TRY(SG_ARENA_NEW(arena, &rows->order, t->count, err));
    for (size_t e = 0; e < t->count; e++) rows->first[t->row[e] + 2]++;
    for (size_t i = 0; i < t->n; i++) rows->first[i + 2] += rows->first[i + 1];
    for (size_t e = 0; e < t->count; e++) rows->order[rows->first[t->row[e] + 1]++] = e;
    return SG_OK;
}

/* `last[j]` = 1 + the latest place written in column j; rows come in ascending order, so that a repeated
 * entry is always the latest one. */
static void merge_columns(struct sg_matrix *a, const struct sg_triplets *t, const struct row_order *rows,
                          size_t *last)
{
    for (size_t j = 0; j < a->n; j++) {
        a->row[a->start[j]] = j;
        last[j] = a->start[j] + 1;
    }
    for (size_t p = 0; p < t->count; p++) {
        size_t e = rows->order[p], i = t->row[e], j = t->column[e];
        if (a->row[last[j] - 1] != i) a->row[last[j]++] = i;
        a->value[last[j] - 1] += t->value[e];
    }
}

static void close_gaps(struct sg_matrix *a, const size_t *last)
{
    size_t used = 0;
    for (size_t j = 0; j < a->n; j++) {
        size_t begin = a->start[j];
        a->start[j] = used;
        for (size_t e = begin; e < last[j]; e++, used++) {
            a->row[used] = a->row[e];
            a->value[used] = a->value[e];
        }
    }
    a->start[a->n] = used;
}

static sg_status fill_sparse(struct sg_arena *arena, struct sg_matrix *a, const struct sg_triplets *t,
                             struct sg_error *err)
{
    SG_LOCAL_ARENA(scratch);
    struct row_order rows = {0};
    size_t *last = NULL;
    TRY(SG_ARENA_NEW(arena, &a->start, a->n + 1, err));
    TRY(SG_ARENA_NEW(arena, &a->row, a->n + t->count, err));
    TRY(SG_ARENA_NEW(arena, &a->value, a->n + t->count, err));
    sg_status status = SG_ARENA_NEW(&scratch, &last, a->n, err);
    if (status == SG_OK) status = sort_by_row(&scratch, t, &rows, err);
    if (status == SG_OK) {
        for (size_t e = 0; e < t->count; e++) a->start[t->column[e] + 1]++;
        for (size_t j = 0; j < a->n; j++) a->start[j + 1] += a->start[j] + 1;
        merge_columns(a, t, &rows, last);
        close_gaps(a, last);
    }
    return status;
}

static size_t class_width(const struct sg_triplets *t, enum sg_matrix_class kind)
{
    if (kind == SG_DIAGONAL) return 0;
    if (kind == SG_TRIDIAGONAL) return 1;
    if (kind == SG_DENSE) return t->n == 0 ? 0 : t->n - 1;
    return sg_triplets_bandwidth(t);
}

static sg_status fill(struct sg_arena *arena, struct sg_matrix *a, const struct sg_triplets *t,
                      struct sg_error *err)
{
    if (a->kind == SG_BANDED) return fill_banded(arena, a, t, err);
    if (a->kind == SG_SPARSE) return fill_sparse(arena, a, t, err);
    if (a->kind == SG_DENSE) return fill_dense(arena, a, t, err);
    return fill_diagonals(arena, a, t, err);
}

sg_status sg_matrix_init(struct sg_arena *arena, struct sg_matrix *a, const struct sg_triplets *t,
                         enum sg_matrix_class kind, struct sg_error *err)
{
    *a = (struct sg_matrix){.kind = kind, .n = t->n};
    TRY(check_fits(t, kind, err));
    a->width = class_width(t, kind);
    TRY(fill(arena, a, t, err));
    a->zero = sg_matrix_max_abs(a) == 0;
    return SG_OK;
}

sg_status sg_matrix_assemble(struct sg_arena *arena, struct sg_matrix *a, const struct sg_triplets *t,
                             struct sg_error *err)
{
    if (t->failed) FAIL(err, SG_NO_MEMORY, "out of memory while a matrix of %zu rows was assembled", t->n);
    return sg_matrix_init(arena, a, t, sg_triplets_class(t), err);
}

static size_t sparse_find(const struct sg_matrix *a, size_t i, size_t j)
{
    size_t low = a->start[j];
    SG_BISECT(low, a->start[j + 1], middle, a->row[middle] < i);
    return low;
}

double *sg_matrix_place(struct sg_matrix *a, size_t i, size_t j)
{
    if (a->kind == SG_DENSE) return &a->band[i + j * a->n];
    if (a->kind == SG_SPARSE) {
        size_t e = sparse_find(a, i, j);
        return e < a->start[j + 1] && a->row[e] == i ? &a->value[e] : NULL;
    }
    if (i - j > a->width) return NULL;
    if (a->kind == SG_BANDED) return &a->band[i - j + j * (a->width + 1)];
    return i == j ? &a->diag[i] : &a->off[j];
}

double sg_matrix_entry(const struct sg_matrix *a, size_t i, size_t j)
{
    size_t row = i > j ? i : j, column = i > j ? j : i;
    if (a->kind == SG_DENSE) return a->band[row + column * a->n];
    if (a->kind == SG_SPARSE) {
        size_t e = sparse_find(a, row, column);
        return e < a->start[column + 1] && a->row[e] == row ? a->value[e] : 0;
    }
    if (row - column > a->width) return 0;
    if (a->kind == SG_BANDED) return a->band[row - column + column * (a->width + 1)];
    return row == column ? a->diag[row] : a->off[column];
}

static double largest(const double *value, size_t count)
{
    double most = 0;
    for (size_t i = 0; i < count && !isnan(most); i++)
        if (!(fabs(value[i]) <= most)) most = fabs(value[i]);
    return most;
}

double sg_matrix_max_abs(const struct sg_matrix *a)
{
    if (a->kind == SG_BANDED) return largest(a->band, (a->width + 1) * a->n);
    if (a->kind == SG_DENSE) return largest(a->band, a->n * a->n);
    if (a->kind == SG_SPARSE) return largest(a->value, a->start[a->n]);
    double most = largest(a->diag, a->n);
    if (a->kind == SG_DIAGONAL) return most;
    return fmax(most, largest(a->off, a->n));
}
