#include "linalg/constrained_modes.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "linalg/vector.h"
#include "support/arena.h"

/* 2 n^2 doubles of workspace are counted in an int */
enum { MOST_COORDINATES = 32000 };

sg_status sg_modes_workspace_init(struct sg_arena *arena, struct sg_modes_workspace *w, size_t n, size_t q,
                                  struct sg_error *err)
{
    *w = (struct sg_modes_workspace){0};
    if (n > MOST_COORDINATES)
        FAIL(err, SG_NO_MEMORY, "the modes of %zu coordinates are beyond LAPACK's workspace, allowed: %d", n,
             (int)MOST_COORDINATES);
    w->lwork = (int)(1 + 6 * n + 2 * n * n + 64 * (n + q));
    w->liwork = (int)(3 + 5 * n);
    TRY(SG_ARENA_NEW(arena, &w->rows, n * q, err));
    TRY(SG_ARENA_NEW(arena, &w->reduced, n * n, err));
    TRY(SG_ARENA_NEW(arena, &w->tau, q, err));
    TRY(SG_ARENA_NEW(arena, &w->work, (size_t)w->lwork, err));
    TRY(SG_ARENA_NEW(arena, &w->iwork, (size_t)w->liwork, err));
    return SG_ARENA_NEW(arena, &w->touched, n, err);
}

sg_status sg_constrained_modes_init(struct sg_arena *arena, struct sg_constrained_modes *modes, size_t n,
                                    struct sg_error *err)
{
    *modes = (struct sg_constrained_modes){0};
    TRY(SG_ARENA_NEW(arena, &modes->index, n, err));
    TRY(SG_ARENA_NEW(arena, &modes->vectors, n * n, err));
    return SG_ARENA_NEW(arena, &modes->k, n, err);
}

static void find_touched(struct sg_constrained_modes *modes, struct sg_modes_workspace *w,
                         const struct sg_effective *op, size_t n)
{
    const struct sg_columns *columns = sg_effective_rows_view(op)->w;
    memset(w->touched, 0, n);
    for (size_t i = 0; i < sg_effective_active_count(op); i++) {
        size_t j = sg_effective_active_row(op, i), first = 0, count = 0;
        sg_columns_range(columns, j, &first, &count);
        memset(w->touched + first, 1, count);
    }
    modes->m = 0;
    for (size_t i = 0; i < n; i++)
        if (w->touched[i]) modes->index[modes->m++] = i;
}

/* row j of A on the touched coordinates */
static void gather_row(const struct sg_constrained_modes *modes, const struct sg_columns *columns, size_t j,
                       double *row)
{
    for (size_t i = 0; i < modes->m; i++) row[i] = sg_columns_entry(columns, j, modes->index[i]);
}

/* diag(k) + sum kappa w w^T into vectors (m x m, full); the rigid rows into w->rows; their number */
static size_t assemble(struct sg_constrained_modes *modes, struct sg_modes_workspace *w,
                       const struct sg_effective *op, const double *diag)
{
    const struct sg_effective_rows *rows = sg_effective_rows_view(op);
    size_t m = modes->m, rigid = 0;
    double *a = modes->vectors, *spring = w->reduced;
    memset(a, 0, m * m * sizeof *a);
    for (size_t i = 0; i < m; i++) a[i * m + i] = diag[modes->index[i]];
    for (size_t i = 0; i < sg_effective_active_count(op); i++) {
        size_t j = sg_effective_active_row(op, i);
        if (!isfinite(rows->kappa[j])) {
            gather_row(modes, rows->w, j, w->rows + m * rigid++);
            continue;
        }
        gather_row(modes, rows->w, j, spring);
        for (size_t c = 0; c < m; c++) sg_axpy(m, rows->kappa[j] * spring[c], spring, a + c * m);
    }
    return rigid;
}

/* Rigid rows R (m x rigid) leave the motions R^T x = 0. With R = Q1 T, Q = [Q1 Q2] orthogonal, these are
 * x = Q2 y; and as the coordinates are modal, M = I, the constrained problem is a standard one again,
 *
 *     (Q2^T A Q2) y = omega^2 y,   A = diag(k) + sum kappa w w^T.
 *
 * Q is kept as the product of `rigid` reflections, so that this costs m^2 rigid beside the eigenproblem. */
/* Q^T A Q with Q of the QR factors of the rigid rows; the trailing block is A in their null space. */
static sg_status reduce(struct sg_constrained_modes *modes, struct sg_modes_workspace *w, size_t rigid,
                        struct sg_error *err)
{
    lapack_int m = (lapack_int)modes->m, b = (lapack_int)rigid;
    double *a = modes->vectors;
    lapack_int info = LAPACKE_dgeqrf_work(LAPACK_COL_MAJOR, m, b, w->rows, m, w->tau, w->work, w->lwork);
    double largest = fabs(w->rows[0]);
    for (size_t i = 0; info == 0 && i < rigid; i++)
        if (fabs(w->rows[i * modes->m + i]) <= 1e-12 * largest) info = 1;
    if (info != 0) FAIL(err, SG_NO_SOLUTION, "the %zu resting rigid contacts are linearly dependent", rigid);
    info =
        LAPACKE_dormqr_work(LAPACK_COL_MAJOR, 'L', 'T', m, m, b, w->rows, m, w->tau, a, m, w->work, w->lwork);
    if (info == 0)
        info = LAPACKE_dormqr_work(LAPACK_COL_MAJOR, 'R', 'N', m, m, b, w->rows, m, w->tau, a, m, w->work,
                                   w->lwork);
    if (info != 0) FAIL(err, SG_INTERNAL, "LAPACK dormqr: argument %d", (int)-info);
    return SG_OK;
}

static sg_status eigen(struct sg_modes_workspace *w, size_t n, double *a, double *k, struct sg_error *err)
{
    lapack_int info = LAPACKE_dsyevd_work(LAPACK_COL_MAJOR, 'V', 'L', (lapack_int)n, a, (lapack_int)n, k,
                                          w->work, w->lwork, w->iwork, w->liwork);
    if (info != 0)
        FAIL(err, SG_NO_SOLUTION, "the eigenvalues of the %zu modes of a closed phase did not converge", n);
    return SG_OK;
}

/* the eigenvectors of the trailing block, put back through Q */
static sg_status expand(struct sg_constrained_modes *modes, struct sg_modes_workspace *w, size_t rigid,
                        struct sg_error *err)
{
    size_t m = modes->m, r = m - rigid;
    for (size_t c = 0; c < r; c++)
        memcpy(w->reduced + c * r, modes->vectors + (c + rigid) * m + rigid, r * sizeof(double));
    TRY(eigen(w, r, w->reduced, modes->k, err));
    memset(modes->vectors, 0, m * r * sizeof(double));
    for (size_t c = 0; c < r; c++)
        memcpy(modes->vectors + c * m + rigid, w->reduced + c * r, r * sizeof(double));
    lapack_int info =
        LAPACKE_dormqr_work(LAPACK_COL_MAJOR, 'L', 'N', (lapack_int)m, (lapack_int)r, (lapack_int)rigid,
                            w->rows, (lapack_int)m, w->tau, modes->vectors, (lapack_int)m, w->work, w->lwork);
    if (info != 0) FAIL(err, SG_INTERNAL, "LAPACK dormqr: argument %d", (int)-info);
    return SG_OK;
}

sg_status sg_constrained_modes_compute(struct sg_constrained_modes *modes, struct sg_modes_workspace *w,
                                       const struct sg_effective *op, const double *diag,
                                       struct sg_error *err)
{
    find_touched(modes, w, op, sg_effective_rows_view(op)->w->n);
    size_t rigid = assemble(modes, w, op, diag);
    modes->r = modes->m - rigid;
    if (rigid == 0) return eigen(w, modes->m, modes->vectors, modes->k, err);
    if (rigid > modes->m)
        FAIL(err, SG_NO_SOLUTION, "%zu resting rigid contacts hold %zu coordinates: they are dependent",
             rigid, modes->m);
    TRY(reduce(modes, w, rigid, err));
    /* as many as coordinates: nothing is left to move */
    return modes->r == 0 ? SG_OK : expand(modes, w, rigid, err);
}
