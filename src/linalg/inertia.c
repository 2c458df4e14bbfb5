#include "linalg/inertia.h"

#include <math.h>
#include <suitesparse/cholmod.h>

#include "support/arena.h"

struct pivots {
    cholmod_common common;
    cholmod_sparse a;
    cholmod_factor *factor;
    long *start, *row;
};

static sg_status borrow(struct sg_arena *arena, struct pivots *p, const struct sg_matrix *a,
                        struct sg_error *err)
{
    size_t count = a->start[a->n];
    TRY(SG_ARENA_NEW(arena, &p->start, a->n + 1, err));
    TRY(SG_ARENA_NEW(arena, &p->row, count, err));
    for (size_t j = 0; j <= a->n; j++) p->start[j] = (long)a->start[j];
    for (size_t e = 0; e < count; e++) {
        p->row[e] = (long)a->row[e];
        if (!isfinite(a->value[e])) FAIL(err, SG_NO_SOLUTION, "the matrix is not finite");
    }
    p->a = (cholmod_sparse){.nrow = a->n,
                            .ncol = a->n,
                            .nzmax = count,
                            .p = p->start,
                            .i = p->row,
                            .x = a->value,
                            .stype = -1,
                            .itype = CHOLMOD_LONG,
                            .xtype = CHOLMOD_REAL,
                            .dtype = CHOLMOD_DOUBLE,
                            .sorted = 1,
                            .packed = 1};
    return SG_OK;
}

/* simplicial: the other factors of CHOLMOD are L L^T, which ends at the first negative pivot */
static sg_status factorize(struct pivots *p, struct sg_error *err)
{
    p->common.supernodal = CHOLMOD_SIMPLICIAL;
    p->factor = cholmod_l_analyze(&p->a, &p->common);
    if (p->factor != NULL) cholmod_l_factorize(&p->a, p->factor, &p->common);
    int status = p->common.status;
    if (status == CHOLMOD_OUT_OF_MEMORY || status == CHOLMOD_TOO_LARGE)
        FAIL(err, SG_NO_MEMORY, "out of memory: pivots of %zu dofs", p->a.nrow);
    if (status < 0 || p->factor == NULL) FAIL(err, SG_INTERNAL, "CHOLMOD fails with status %d", status);
    if (p->factor->minor < p->a.nrow) FAIL(err, SG_NO_SOLUTION, "a pivot vanishes");
    return SG_OK;
}

static size_t count_negative(const cholmod_factor *factor)
{
    const long *start = factor->p;
    const double *value = factor->x;
    size_t count = 0;
    /* the diagonal of D stands first in each column */
    for (size_t j = 0; j < factor->n; j++) count += value[start[j]] < 0;
    return count;
}

static void close_pivots(void *pivots)
{
    struct pivots *p = pivots;
    cholmod_l_free_factor(&p->factor, &p->common);
    cholmod_l_finish(&p->common);
}

static sg_status count_pivots(struct sg_arena *arena, const struct sg_triplets *t, size_t *count,
                              struct sg_error *err)
{
    struct sg_matrix a = {0};
    struct pivots *p = NULL;
    TRY(sg_matrix_init(arena, &a, t, SG_SPARSE, err));
    TRY(SG_ARENA_NEW(arena, &p, 1, err));
    cholmod_l_start(&p->common);
    TRY(sg_arena_own(arena, p, close_pivots, err));
    p->common.print = 0;
    TRY(borrow(arena, p, &a, err));
    TRY(factorize(p, err));
    *count = count_negative(p->factor);
    return SG_OK;
}

sg_status sg_triplets_count_negative(const struct sg_triplets *t, size_t *count, struct sg_error *err)
{
    SG_LOCAL_ARENA(scratch);
    return count_pivots(&scratch, t, count, err);
}
