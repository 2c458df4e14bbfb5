/* Sturm counts of tridiagonal pencils; for the eigenvalue functions alone. */
#ifndef SG_LINALG_STURM_H
#define SG_LINALG_STURM_H

#include <stddef.h>

/* K - x M: diagonals and couplings, n and n - 1; md and mo NULL: M = I, mo NULL: M diagonal */
struct sg_pencil {
    size_t n;
    const double *kd, *ko, *md, *mo;
};

/* the smallest (index 0) or largest (index n - 1) eigenvalue by bisection, to the last bits of the
 * largest; M positive definite, all entries finite. NaN if it is beyond the reals. */
double sg_pencil_eigenvalue(const struct sg_pencil *pencil, size_t index);

#endif
