/* The linear complementarity problem of a few to some hundred contacts:
 *
 *     0 <= w = G r + b   _|_   r >= 0,      G symmetric positive semidefinite (a Delassus operator). */
#ifndef SG_CONTACT_SOLVERS_LCP_H
#define SG_CONTACT_SOLVERS_LCP_H

#include <stdbool.h>
#include <stddef.h>

#include "support/status.h"

/* Scratch for up to q contacts; release frees it. The basic rows are those whose reaction may be positive
 * (w = 0); L L^T = G over them, in the order of `order`. L keeps the zeros that precede a row of G, so
 * that a tridiagonal G costs O(q) and a diagonal one a division a row. */
struct sg_lcp {
    size_t q;                                /* may be set below that of init from solve to solve */
    double *matrix, *rhs, *kept, *w, *terms; /* L by rows: q x q; else q */
    size_t *order, *first;                   /* q; first[a]: where row a of L begins */
    size_t count, factored;                  /* basic rows; those whose row of L holds */
    unsigned char *basic, *wrong;            /* q; wrong: on the wrong side of the set, linalg/pivoting.h */
    long long pivots;                        /* of the last solve: changes of the set of basic rows */
};

sg_status sg_lcp_init(struct sg_lcp *lcp, size_t q, struct sg_error *err);
void sg_lcp_release(struct sg_lcp *lcp);

/* G is q x q, of which the rows and columns with member[i] != 0 take part (others: r = 0). Block principal
 * pivoting (linalg/pivoting.h), finite for positive definite G; where G is singular, the primal active set
 * of Lawson and Hanson (1974), which goes on along null vectors; projected Gauss-Seidel if rounding defeats
 * both. Of the solutions of a singular G a vertex is taken: the rows with r > 0 are linearly independent.
 * SG_NO_SOLUTION if none converges, as where no r makes w >= 0. */
sg_status sg_lcp_solve(struct sg_lcp *lcp, const double *g, const double *b, const unsigned char *member,
                       double *r, struct sg_error *err);

/* The same from a guess: r > 0 on entry where the reaction is thought to act. */
sg_status sg_lcp_solve_warm(struct sg_lcp *lcp, const double *g, const double *b, const unsigned char *member,
                            double *r, struct sg_error *err);

/* Whether row j is a linear combination of the independent rows with set[i] != 0, j apart. */
bool sg_lcp_depends(struct sg_lcp *lcp, const double *g, const unsigned char *set, size_t j);

#endif
