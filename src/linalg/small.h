/* Small dense systems (q up to some 64: contacts, constraints) by plain loops: no library call, no
 * allocation. Column-major, leading dimension q. */
#ifndef SG_LINALG_SMALL_H
#define SG_LINALG_SMALL_H

#include <complex.h>
#include <stdbool.h>
#include <stddef.h>

/* P A = L U with partial pivoting, in place, the diagonal of U inverted; pivot[q] holds the row exchanges.
 * False if a column has no nonzero finite pivot. */
bool sg_small_factor_complex(size_t q, double complex *a, size_t *pivot);

/* x := A^-1 x */
void sg_small_solve_complex(size_t q, const double complex *a, const size_t *pivot, double complex *x);

/* The same for real A, of any size: zeros of A are skipped where they last, so that a banded A costs the
 * square of its width a row. */
bool sg_small_factor(size_t q, double *a, size_t *pivot);
void sg_small_solve(size_t q, const double *a, const size_t *pivot, double *x);

/* the smallest pivot of what sg_small_factor made, relative to the largest: 1 */
double sg_small_condition(size_t q, const double *a);

#endif
