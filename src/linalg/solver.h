/* Factors of S = a M + b C + c K for one triple (a, b, c), real or complex, in storage made once and
 * filled again and again: what the effective operator is built of.
 *
 * The classes: diagonal (reciprocals), tridiagonal (L D L^T from both ends, "twisted"), banded (L D L^T)
 * and dense (Cholesky), both by LAPACK's LU if complex, sparse (CHOLMOD; UMFPACK if complex). M, C and K
 * may each be of any class up to the factor's in the order of enum sg_matrix_class.
 *
 * Only the sparse class allocates after sg_factor_init: inside CHOLMOD at the first factorisation,
 * inside UMFPACK at each. */
#ifndef SG_LINALG_SOLVER_H
#define SG_LINALG_SOLVER_H

#include <complex.h>
#include <stdbool.h>
#include <stddef.h>

#include "linalg/matrix.h"
#include "support/arena.h"
#include "support/status.h"

/* borrowed; all n x n. C (and any other) may be `zero`. */
struct sg_mck {
    const struct sg_matrix *m, *c, *k;
};

/* The union of the patterns of M, C and K and the fill-reducing analysis of it. It holds CHOLMOD's
 * workspace too, so that one thread at a time uses it and the factors made from it. */
struct sg_symbolic;

/* `complex_too`: also the analysis for complex factors. */
sg_status sg_symbolic_create(struct sg_arena *arena, const struct sg_mck *mck, bool complex_too,
                             struct sg_symbolic **symbolic, struct sg_error *err);

struct sg_factor_layout {
    enum sg_matrix_class kind;
    size_t n;
    size_t width;                 /* half bandwidth: banded only */
    bool complex_valued;          /* then only the _complex functions may be used, else only the others */
    struct sg_symbolic *symbolic; /* sparse only; borrowed */
};

/* the smallest class and width that hold all three; the caller adds `complex_valued`, `symbolic` */
struct sg_factor_layout sg_factor_layout_for(const struct sg_mck *mck);

struct sg_sparse_factor;

struct sg_factor {
    struct sg_factor_layout layout;
    double *re, *im;     /* reciprocal pivots: n (dense: diagonal of S) */
    double *l_re, *l_im; /* tridiagonal: multipliers, n */
    double *a;           /* banded, dense: factor as LAPACK stores it, complex numbers interleaved */
    int *pivot;          /* complex banded, dense: n */
    double *work;        /* complex banded, dense: 2 n */
    struct sg_sparse_factor *sparse;
};

/* Allocates for the class. */
sg_status sg_factor_init(struct sg_arena *arena, struct sg_factor *f, const struct sg_factor_layout *layout,
                         struct sg_error *err);

/* Forms and factors S; weight = {a, b, c}. SG_NO_SOLUTION if S is not positive definite: a pivot is not
 * above 8 machine epsilons of its diagonal entry (sparse: not above 0); the message names the dof. The
 * factor may be computed again afterwards, but not used. */
sg_status sg_factor_compute(struct sg_factor *f, const struct sg_mck *mck, const double weight[3],
                            struct sg_error *err);

/* The same for complex weights; S is complex symmetric. Diagonal and tridiagonal factors don't pivot:
 * right whenever a, b, c lie in an open half plane and M, C, K are positive semidefinite, their
 * combination definite (see factor_tridiagonal.c). SG_NO_SOLUTION if a pivot vanishes. */
sg_status sg_factor_compute_complex(struct sg_factor *f, const struct sg_mck *mck,
                                    const double complex weight[3], struct sg_error *err);

/* x := S^-1 x. Not finite if the sparse library fails. */
void sg_factor_solve(const struct sg_factor *f, double *x);

/* re + i im := S^-1 (re + i im) */
void sg_factor_solve_complex(const struct sg_factor *f, double *restrict re, double *restrict im);

#endif
