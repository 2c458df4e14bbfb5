/* The local problem of the contacts of one instant, with blocks of 1 + tangents rows, the
 * normal row first:
 *
 *     w = H r + b,   0 <= w_N _|_ r_N >= 0,
 *     |r_T| <= mu r_N,   w_T = -alpha r_T with alpha >= 0 where |r_T| = mu r_N > 0, else w_T = 0.
 *
 * H = W^T D W (Delassus operator), symmetric positive semidefinite, often singular where contacts are
 * redundant. */
#ifndef SG_CONTACT_SOLVERS_PROBLEM_H
#define SG_CONTACT_SOLVERS_PROBLEM_H

#include <stdbool.h>
#include <stddef.h>

struct sg_contact_problem {
    size_t count;           /* contacts */
    size_t tangents;        /* 0, 1 or 2 */
    const double *h;        /* (count (1 + tangents))^2, column-major, all of it */
    const double *b;        /* count (1 + tangents), m/s or m */
    const double *friction; /* count; NULL: 0 */
};

/* A contact whose law has no solution: an impulse along (1, direction) in its friction cone moves nothing,
 * and yet without impulses its velocities close by `speed` along that. With friction below |direction| it
 * would slide. */
struct sg_contact_jam {
    bool found;
    size_t contact;   /* in the problem's order */
    double direction; /* 1: tangential by normal impulse */
    double speed;     /* in units of b */
};

struct sg_contact_report {
    struct sg_contact_jam jam; /* where there is no solution for want of one of this contact */
    long long iterations;      /* pivots or sweeps */
    /* Largest violation of a line above, in units of b: |min(w_N, h r_N)|, and |h r_T - P(h r_T - w_T)|
     * with P the projection on |.| <= mu h r_N; h is a diagonal entry of H of the contact. */
    double residual;
    double scale; /* the largest |b|, in units of b */
};

#endif
