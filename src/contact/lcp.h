/* The small linear complementarity problem of a few contacts:
 *
 *     0 <= w = G r + b   _|_   r >= 0,      G symmetric positive semidefinite (a Delassus operator). */
#ifndef SG_CONTACT_LCP_H
#define SG_CONTACT_LCP_H

#include <stdbool.h>
#include <stddef.h>

#include "support/status.h"

/* scratch for up to q contacts; release frees it */
struct sg_lcp {
    size_t q;
    double *matrix, *rhs, *kept; /* q x q, q, q */
    unsigned char *basic;        /* q */
};

sg_status sg_lcp_init(struct sg_lcp *lcp, size_t q, struct sg_error *err);
void sg_lcp_release(struct sg_lcp *lcp);

/* G is q x q, of which the rows and columns with member[i] != 0 take part (others: r = 0). Principal
 * pivoting by the least index (Murty 1974), finite for positive definite G; projected Gauss-Seidel where
 * G is singular. Of the solutions of a singular G a vertex is taken: the rows with r > 0 are linearly
 * independent. SG_NO_SOLUTION if neither converges. */
sg_status sg_lcp_solve(struct sg_lcp *lcp, const double *g, const double *b, const unsigned char *member,
                       double *r, struct sg_error *err);

/* Whether row j is a linear combination of the independent rows with set[i] != 0, j apart. */
bool sg_lcp_depends(struct sg_lcp *lcp, const double *g, const unsigned char *set, size_t j);

#endif
