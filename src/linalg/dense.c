#include "linalg/dense.h"

#include <cblas.h>
#include <lapacke.h>

#include "support/arena.h"

void sg_dense_multiply(const struct sg_dense_shape *shape, const double *a, const double *b, double *c)
{
    int rows = (int)shape->rows, inner = (int)shape->inner, columns = (int)shape->columns;
    if (rows == 0 || inner == 0 || columns == 0) return;
    cblas_dgemm(CblasColMajor, shape->transposed ? CblasTrans : CblasNoTrans, CblasNoTrans, rows, columns,
                inner, 1.0, a, shape->transposed ? inner : rows, b, inner, 0.0, c, rows);
}

static sg_status judge(lapack_int info, const char *what, size_t n, struct sg_error *err)
{
    if (info == LAPACK_WORK_MEMORY_ERROR || info == LAPACK_TRANSPOSE_MEMORY_ERROR)
        FAIL(err, SG_NO_MEMORY, "out of memory: %s of a matrix of order %zu", what, n);
    if (info < 0) FAIL(err, SG_NO_SOLUTION, "a matrix of order %zu has an entry that is not finite", n);
    if (info > 0) FAIL(err, SG_NO_SOLUTION, "%s of a matrix of order %zu did not converge", what, n);
    return SG_OK;
}

sg_status sg_dense_eigenvalues(size_t n, double *a, double complex *value, struct sg_error *err)
{
    lapack_int order = (lapack_int)n;
    SG_LOCAL_ARENA(scratch);
    double *parts = NULL, nothing;
    if (n == 0) return SG_OK;
    TRY(SG_ARENA_NEW(&scratch, &parts, 2 * n, err));
    lapack_int info = LAPACKE_dgeev(LAPACK_COL_MAJOR, 'N', 'N', order, a, order, parts, parts + n, &nothing,
                                    order, &nothing, order);
    for (size_t i = 0; i < n; i++) value[i] = parts[i] + parts[n + i] * I;
    return judge(info, "the eigenvalues", n, err);
}

sg_status sg_dense_least_squares(size_t n, double *a, double *b, double rcond, struct sg_error *err)
{
    lapack_int order = (lapack_int)n, rank = 0;
    SG_LOCAL_ARENA(scratch);
    double *singular = NULL;
    if (n == 0) return SG_OK;
    TRY(SG_ARENA_NEW(&scratch, &singular, n, err));
    lapack_int info =
        LAPACKE_dgelsd(LAPACK_COL_MAJOR, order, order, 1, a, order, b, order, singular, rcond, &rank);
    return judge(info, "the singular values", n, err);
}
