/* Eigenvalues of symmetric matrices and pencils, and of small matrices of any kind. Set-up only: all of these
 * allocate. */
#ifndef SG_LINALG_EIGEN_H
#define SG_LINALG_EIGEN_H

#include <complex.h>
#include <stddef.h>

#include "linalg/columns.h"
#include "linalg/matrix.h"
#include "support/status.h"

/* A Z = Z diag(w): `a` (n x n, column-major, lower triangle read) becomes Z, orthonormal columns; w[n]
 * ascends. SG_NO_SOLUTION if an entry is not finite or the iteration fails. */
sg_status sg_eigen_dense(size_t n, double *a, double *w, struct sg_error *err);

/* The largest and the smallest eigenvalue of K x = lambda M x, M positive definite (else SG_BAD_DECK).
 * How, and how well, with eps = 2.2e-16 and lambda_max the largest modulus of an eigenvalue:
 *   M and K at most tridiagonal, any n   bisection with Sturm counts, some 10 eps lambda_max
 *   n <= SG_EIGEN_DENSE                  LAPACK, some n eps lambda_max
 *   beyond                               Lanczos with a factored M (smallest: with K + shift M), ended when
 *                                        the value stands still to 1e-13: from below, in general within
 *                                        1e-12 relative (smallest: 1e-12 lambda_max absolute)
 * A smallest value that is rounding by that measure is 0: a rigid mode. */
enum { SG_EIGEN_DENSE = 600 };
sg_status sg_eigen_largest(const struct sg_matrix *m, const struct sg_matrix *k, double *value,
                           struct sg_error *err);
sg_status sg_eigen_smallest(const struct sg_matrix *m, const struct sg_matrix *k, double *value,
                            struct sg_error *err);

/* The largest eigenvalue of diag(k) + W diag(kappa) W^T (k: n, kappa: q, not negative): that of the
 * closed model in modal coordinates. Lanczos as above. */
sg_status sg_eigen_largest_lowrank(const double *k, const struct sg_columns *w, const double *kappa,
                                   double *value, struct sg_error *err);

/* All eigenvalues of a real matrix of any kind, with right and left eigenvectors: A x = value x and
 * y^H A = value y^H, column by column, of length 1. Pairs stand together, the positive imaginary part first.
 */
enum { SG_EIGEN_SMALL = 4 };
struct sg_eigen_small {
    size_t n;
    double complex value[SG_EIGEN_SMALL];
    double complex left[SG_EIGEN_SMALL * SG_EIGEN_SMALL];
    double complex right[SG_EIGEN_SMALL * SG_EIGEN_SMALL];
};
/* `a`: n x n, column-major, n <= SG_EIGEN_SMALL (else SG_INTERNAL). SG_NO_SOLUTION if an entry is not finite
 */
sg_status sg_eigen_small(size_t n, const double *a, struct sg_eigen_small *out, struct sg_error *err);

#endif
