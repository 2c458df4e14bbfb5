/* The local problem of problem.h behind one face. Frictionless problems are solved exactly by pivoting
 * (lcp.h); frictional ones by nonsmooth Gauss-Seidel over the contacts, each solved exactly (Jourdan, Alart
 * and Jean 1998), with Newton's method tried now and then from where it is (Alart and Curnier 1991). */
#ifndef SG_CONTACT_SOLVERS_SOLVER_H
#define SG_CONTACT_SOLVERS_SOLVER_H

#include <stddef.h>

#include "contact/solvers/lcp.h"
#include "contact/solvers/problem.h"
#include "support/status.h"

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
