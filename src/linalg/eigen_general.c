#include "linalg/eigen.h"

#include <lapacke.h>
#include <stdbool.h>

/* LAPACK's real form of a pair: column j is the real part, column j + 1 the imaginary part, of the one with
 * the positive imaginary part */
static void unpack(size_t n, const double *packed, const double *im, double complex *vectors)
{
    for (size_t j = 0; j < n; j++) {
        bool pair = im[j] != 0.0 && j + 1 < n;
        for (size_t i = 0; i < n; i++) {
            double re = packed[j * n + i], other = pair ? packed[(j + 1) * n + i] : 0.0;
            vectors[j * n + i] = re + other * I;
            if (pair) vectors[(j + 1) * n + i] = re - other * I;
        }
        if (pair) j++;
    }
}

sg_status sg_eigen_small(size_t n, const double *a, struct sg_eigen_small *out, struct sg_error *err)
{
    double copy[SG_EIGEN_SMALL * SG_EIGEN_SMALL], left[SG_EIGEN_SMALL * SG_EIGEN_SMALL];
    double right[SG_EIGEN_SMALL * SG_EIGEN_SMALL], re[SG_EIGEN_SMALL], im[SG_EIGEN_SMALL];
    lapack_int order = (lapack_int)n;
    if (n == 0 || n > SG_EIGEN_SMALL)
        FAIL(err, SG_INTERNAL, "a matrix of order %zu is not small: at most %d", n, (int)SG_EIGEN_SMALL);
    for (size_t i = 0; i < n * n; i++) copy[i] = a[i];
    lapack_int info =
        LAPACKE_dgeev(LAPACK_COL_MAJOR, 'V', 'V', order, copy, order, re, im, left, order, right, order);
    if (info == LAPACK_WORK_MEMORY_ERROR) FAIL(err, SG_NO_MEMORY, "out of memory: eigenvalues");
    if (info < 0) FAIL(err, SG_NO_SOLUTION, "a matrix of order %zu has an entry that is not finite", n);
    if (info > 0) FAIL(err, SG_NO_SOLUTION, "the eigenvalues of a matrix of order %zu did not converge", n);
    out->n = n;
    for (size_t j = 0; j < n; j++) out->value[j] = re[j] + im[j] * I;
    unpack(n, left, im, out->left);
    unpack(n, right, im, out->right);
    return SG_OK;
}
