/* Small dense systems (q up to some 64: contacts, constraints) by plain loops: no library call, no
 * allocation. Column-major, leading dimension q. */
#ifndef SG_LINALG_SMALL_H
#define SG_LINALG_SMALL_H

#include <complex.h>
#include <stdbool.h>
#include <stddef.h>

/* A = L D L^T of a symmetric positive semidefinite A, whose lower triangle is read and overwritten: L D
 * below, reciprocals of D on the diagonal. A pivot not above `tolerance` times its diagonal entry of A
 * drops its row and column (reciprocal 0). Returns the rank: q if A is positive definite. */
size_t sg_small_factor(size_t q, double *a, double tolerance);

/* x := A^-1 x; the components of dropped rows become 0, so that a consistent semidefinite system is
 * solved too. */
void sg_small_solve(size_t q, const double *a, double *x);

/* P A = L U with partial pivoting, in place, the diagonal of U inverted; pivot[q] holds the row exchanges.
 * False if a column has no nonzero finite pivot. */
bool sg_small_factor_complex(size_t q, double complex *a, size_t *pivot);

/* x := A^-1 x */
void sg_small_solve_complex(size_t q, const double complex *a, const size_t *pivot, double complex *x);

#endif
