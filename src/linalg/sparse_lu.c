#include "linalg/sparse_lu.h"

#include <limits.h>
#include <stdbool.h>
#include <string.h>
#include <suitesparse/umfpack.h>

#include "support/arena.h"

struct sg_sparse_lu {
    size_t n, count;   /* of the analysis; count 0: none */
    int *row, *column; /* its entries */
    int *start, *index, *map;
    double *value, *b;
    void *symbolic;
    double control[UMFPACK_CONTROL];
};

static void forget(struct sg_sparse_lu *lu)
{
    if (lu->symbolic != NULL) umfpack_di_free_symbolic(&lu->symbolic);
    lu->symbolic = NULL;
    lu->count = 0;
}

static void forget_last(void *lu)
{
    forget(lu);
}

sg_status sg_sparse_lu_create(struct sg_arena *arena, size_t n, size_t entries, struct sg_sparse_lu **lu,
                              struct sg_error *err)
{
    if (n >= INT_MAX || entries >= INT_MAX)
        FAIL(err, SG_BAD_DECK, "a system of %zu unknowns is too large for the sparse solver, which takes %d",
             n, INT_MAX);
    TRY(SG_ARENA_NEW(arena, lu, 1, err));
    struct sg_sparse_lu *self = *lu;
    umfpack_di_defaults(self->control);
    TRY(SG_ARENA_NEW(arena, &self->row, entries, err));
    TRY(SG_ARENA_NEW(arena, &self->column, entries, err));
    TRY(SG_ARENA_NEW(arena, &self->index, entries, err));
    TRY(SG_ARENA_NEW(arena, &self->map, entries, err));
    TRY(SG_ARENA_NEW(arena, &self->value, entries, err));
    TRY(SG_ARENA_NEW(arena, &self->b, n, err));
    TRY(SG_ARENA_NEW(arena, &self->start, n + 1, err));
    return sg_arena_own(arena, self, forget_last, err);
}

static sg_status check(int status, struct sg_error *err)
{
    if (status == UMFPACK_OK) return SG_OK;
    if (status == UMFPACK_WARNING_singular_matrix) FAIL(err, SG_NO_SOLUTION, "the system is singular");
    if (status == UMFPACK_ERROR_out_of_memory) FAIL(err, SG_NO_MEMORY, "out of memory for a sparse system");
    FAIL(err, SG_INTERNAL, "UMFPACK fails with status %d", status);
}

static sg_status analyse(struct sg_sparse_lu *lu, const struct sg_sparse_entries *a, struct sg_error *err)
{
    int n = (int)a->n, count = (int)a->count;
    size_t bytes = a->count * sizeof(int);
    if (lu->count == a->count && lu->n == a->n && memcmp(lu->row, a->row, bytes) == 0 &&
        memcmp(lu->column, a->column, bytes) == 0)
        return SG_OK;
    forget(lu);
    memcpy(lu->row, a->row, bytes);
    memcpy(lu->column, a->column, bytes);
    TRY(check(umfpack_di_triplet_to_col(n, n, count, a->row, a->column, a->value, lu->start, lu->index,
                                        lu->value, lu->map),
              err));
    TRY(check(umfpack_di_symbolic(n, n, lu->start, lu->index, NULL, &lu->symbolic, lu->control, NULL), err));
    lu->n = a->n;
    lu->count = a->count;
    return SG_OK;
}

sg_status sg_sparse_lu_solve(struct sg_sparse_lu *lu, const struct sg_sparse_entries *a, double sound,
                             size_t count, double *x, struct sg_error *err)
{
    double info[UMFPACK_INFO];
    void *numeric = NULL;
    TRY(analyse(lu, a, err));
    memset(lu->value, 0, (size_t)lu->start[a->n] * sizeof(double));
    for (size_t k = 0; k < a->count; k++) lu->value[lu->map[k]] += a->value[k];
    int status =
        umfpack_di_numeric(lu->start, lu->index, lu->value, lu->symbolic, &numeric, lu->control, info);
    if (status == UMFPACK_OK && !(info[UMFPACK_RCOND] > sound)) status = UMFPACK_WARNING_singular_matrix;
    for (size_t k = 0; k < count && status == UMFPACK_OK; k++) {
        memcpy(lu->b, x + k * a->n, a->n * sizeof(double));
        status = umfpack_di_solve(UMFPACK_A, lu->start, lu->index, lu->value, x + k * a->n, lu->b, numeric,
                                  lu->control, NULL);
    }
    if (numeric != NULL) umfpack_di_free_numeric(&numeric);
    return check(status, err);
}
