/* Dense matrices of general kind by BLAS and LAPACK, column-major: products, eigenvalues, minimum-norm
 * solutions. */
#ifndef SG_LINALG_DENSE_H
#define SG_LINALG_DENSE_H

#include <complex.h>
#include <stdbool.h>
#include <stddef.h>

#include "support/status.h"

/* C (rows x columns) = A B, or A^T B if `transposed`; A has `inner` columns (rows, if transposed), each
 * matrix as many rows as it stores, no gaps. C apart from A and B. */
struct sg_dense_shape {
    size_t rows, inner, columns;
    bool transposed;
};
void sg_dense_multiply(const struct sg_dense_shape *shape, const double *a, const double *b, double *c);

/* All eigenvalues of a (n x n, destroyed), complex ones in pairs, in no particular order. Allocates.
 * SG_NO_SOLUTION if an entry is not finite or the iteration fails. */
sg_status sg_dense_eigenvalues(size_t n, double *a, double complex *value, struct sg_error *err);

/* x of least |A x - b|, and of least |x| among these: a (n x n) and b (n) are destroyed, b becomes x.
 * Singular values up to rcond times the largest count as 0. Allocates. Errors as above. */
sg_status sg_dense_least_squares(size_t n, double *a, double *b, double rcond, struct sg_error *err);

#endif
