/* The local problem of the contacts of one instant, behind one face. With blocks of 1 + tangents rows, the
 * normal row first:
 *
 *     w = H r + b,   0 <= w_N _|_ r_N >= 0,
 *     |r_T| <= mu r_N,   w_T = -alpha r_T with alpha >= 0 where |r_T| = mu r_N > 0, else w_T = 0.
 *
 * H = W^T D W (Delassus operator), symmetric positive semidefinite, often singular where contacts are
 * redundant. Frictionless problems are solved exactly by pivoting (lcp.h); frictional ones by nonsmooth
 * Gauss-Seidel over the contacts, each solved exactly (Jourdan, Alart and Jean 1998), with Newton's method
 * tried now and then from where it is (Alart and Curnier 1991). */
#ifndef SG_CONTACT_SOLVER_H
#define SG_CONTACT_SOLVER_H

#include <stddef.h>

#include "contact/lcp.h"
#include "support/status.h"

struct sg_contact_problem {
    size_t count;           /* contacts */
    size_t tangents;        /* 0, 1 or 2 */
    const double *h;        /* (count (1 + tangents))^2, column-major, all of it */
    const double *b;        /* count (1 + tangents), m/s or m */
    const double *friction; /* count; NULL: 0 */
};

struct sg_contact_report {
    long long iterations; /* pivots or sweeps */
    /* Largest violation of a line above, in units of b: |min(w_N, h r_N)|, and |h r_T - P(h r_T - w_T)|
     * with P the projection on |.| <= mu h r_N; h is a diagonal entry of H of the contact. */
    double residual;
    double scale; /* the largest |b|, in units of b */
};

struct sg_friction_block;

struct sg_contact_solver {
    size_t capacity, tangents;
    double tolerance; /* 1e-12: of the residual, relative to the largest |b|; 1e-15 of the largest row sum of
                       * |H r| is granted to rounding beside it */
    double accepted;  /* 1e-4: relative residual that will do where `patience` sweeps did not do better */
    long long patience;       /* 1000 sweeps */
    long long max_iterations; /* 10000 sweeps */
    struct sg_lcp lcp;
    double *work, *best;
    size_t *index;
    unsigned char *member;
    struct sg_friction_block *blocks;
};

/* for up to `capacity` contacts; release in any case */
sg_status sg_contact_solver_init(struct sg_contact_solver *solver, size_t capacity, size_t tangents,
                                 struct sg_error *err);
void sg_contact_solver_release(struct sg_contact_solver *solver);

/* `r`: initial guess on entry (0 will do), solution on exit. Sweeps over many contacts with friction may come
 * to a halt near a solution: the best that they found is taken if its residual is within `accepted`, and the
 * report tells it. SG_NO_SOLUTION with the residual reached where none is found within max_iterations. Equal
 * input gives equal bits. */
sg_status sg_contact_solve(struct sg_contact_solver *solver, const struct sg_contact_problem *problem,
                           double *r, struct sg_contact_report *report, struct sg_error *err);

#endif
