/* Eigenvalues of symmetric matrices and pencils. Set-up only: all of these allocate. */
#ifndef SG_LINALG_EIGEN_H
#define SG_LINALG_EIGEN_H

#include <stddef.h>

#include "linalg/columns.h"
#include "linalg/matrix.h"
#include "support/status.h"

/* A Z = Z diag(w): `a` (n x n, column-major, lower triangle read) becomes Z, orthonormal columns; w[n]
 * ascends. SG_NO_SOLUTION if an entry is not finite or the iteration fails. */
sg_status sg_eigen_dense(size_t n, double *a, double *w, struct sg_error *err);

#endif
