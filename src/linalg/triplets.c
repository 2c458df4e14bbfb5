#include "linalg/matrix.h"

static bool resize(struct sg_triplets *t, void *list, size_t size, size_t *capacity)
{
    *capacity = t->capacity;
    return sg_arena_grow(t->arena, list, t->count, capacity, size, NULL) == SG_OK;
}

static bool reserve(struct sg_triplets *t)
{
    size_t capacity = 0;
    if (t->count < t->capacity) return true;
    if (!resize(t, &t->row, sizeof *t->row, &capacity)) return false;
    if (!resize(t, &t->column, sizeof *t->column, &capacity)) return false;
    if (!resize(t, &t->value, sizeof *t->value, &capacity)) return false;
    t->capacity = capacity;
    return true;
}

void sg_triplets_add(struct sg_triplets *t, size_t i, size_t j, double value)
{
    if (t->failed) return;
    if (!reserve(t)) {
        t->failed = true;
        return;
    }
    t->row[t->count] = i > j ? i : j;
    t->column[t->count] = i > j ? j : i;
    t->value[t->count] = value;
    t->count++;
}

size_t sg_triplets_bandwidth(const struct sg_triplets *t)
{
    size_t width = 0;
    for (size_t e = 0; e < t->count; e++) {
        size_t distance = t->row[e] - t->column[e];
        if (t->value[e] != 0 && distance > width) width = distance;
    }
    return width;
}

static void add_banded(const struct sg_matrix *a, struct sg_triplets *t)
{
    for (size_t j = 0; j < a->n; j++)
        for (size_t d = 0; d <= a->width && j + d < a->n; d++) {
            double value = a->band[d + j * (a->width + 1)];
            if (value != 0) sg_triplets_add(t, j + d, j, value);
        }
}

static void add_dense(const struct sg_matrix *a, struct sg_triplets *t)
{
    for (size_t j = 0; j < a->n; j++)
        for (size_t i = j; i < a->n; i++)
            if (a->band[i + j * a->n] != 0) sg_triplets_add(t, i, j, a->band[i + j * a->n]);
}

static void add_sparse(const struct sg_matrix *a, struct sg_triplets *t)
{
    for (size_t j = 0; j < a->n; j++)
        for (size_t e = a->start[j]; e < a->start[j + 1]; e++)
            if (a->value[e] != 0) sg_triplets_add(t, a->row[e], j, a->value[e]);
}

static void add_diagonals(const struct sg_matrix *a, struct sg_triplets *t)
{
    for (size_t i = 0; i < a->n; i++)
        if (a->diag[i] != 0) sg_triplets_add(t, i, i, a->diag[i]);
    if (a->kind != SG_TRIDIAGONAL) return;
    for (size_t i = 0; i + 1 < a->n; i++)
        if (a->off[i] != 0) sg_triplets_add(t, i + 1, i, a->off[i]);
}

void sg_matrix_to_triplets(const struct sg_matrix *a, struct sg_triplets *t)
{
    if (a->zero) return;
    if (a->kind == SG_BANDED)
        add_banded(a, t);
    else if (a->kind == SG_DENSE)
        add_dense(a, t);
    else if (a->kind == SG_SPARSE)
        add_sparse(a, t);
    else
        add_diagonals(a, t);
}

enum { BAND_LIMIT = 256, DENSE_LIMIT = 2000 };

enum sg_matrix_class sg_triplets_class(const struct sg_triplets *t)
{
    size_t width = sg_triplets_bandwidth(t);
    if (width == 0) return SG_DIAGONAL;
    if (width == 1) return SG_TRIDIAGONAL;
    if (width <= BAND_LIMIT && 4 * width <= t->n) return SG_BANDED;
    return t->n <= DENSE_LIMIT ? SG_DENSE : SG_SPARSE;
}
