/* Frictional contacts by nonsmooth Gauss-Seidel and Newton; for solver.c alone. */
#ifndef SG_CONTACT_SOLVERS_FRICTION_H
#define SG_CONTACT_SOLVERS_FRICTION_H

#include <stdbool.h>
#include <stddef.h>

#include "contact/solvers/problem.h"

/* One contact's own block A = [a, c^T; c, B] of H, in the form in which it is solved */
struct sg_friction_block {
    double a, c[2];      /* normal; coupling, in the axes of `axis` */
    double stiffness[2]; /* eigenvalues of the Schur complement B - c c^T / a; 0 where they are rounding */
    double axis[2];      /* cosine and sine of the first eigenvector */
    double scale[2];     /* w a reaction: a; the largest of B's diagonal (a if B = 0) */
    size_t rows[3][2];   /* of each of its columns of H: first row that isn't 0, and one past the last */
};

/* H is n x n, column-major; the block has 1 + tangents rows from row `at` */
void sg_friction_block_set(struct sg_friction_block *block, const double *h, size_t n, size_t at,
                           size_t tangents);

/* r of the contact alone: w = A r + q within the lines of problem.h. False, with r a frictionless
 * one, if there is none: A is singular and slip would pull the contact shut. */
bool sg_friction_local(const struct sg_friction_block *block, double mu, size_t tangents, const double *q,
                       double *r);

/* What shows that the contact alone has no solution for q: A is singular, so that (1, direction) with
 * A (1, direction) = 0 moves nothing, it is in the cone, and q . (1, direction) = -speed < 0. Of one tangent;
 * in space none is found. */
bool sg_friction_jams(const struct sg_friction_block *block, double mu, size_t tangents, const double *q,
                      struct sg_contact_jam *jam);

/* How far (r, w) of the contact is from these lines, as w, by the natural map: r_N against
 * max(0, r_N - w_N / a), r_T against the projection of r_T - w_T / (scale of B) on the disk of radius
 * mu r_N. Zero exactly at solutions. */
double sg_friction_residual(const struct sg_friction_block *block, double mu, size_t tangents,
                            const double *r, const double *w);

enum { SG_FRICTION_INTERIOR = 9 };

/* An iterate; everything is borrowed. rows = 1 + tangents, n = count rows. */
struct sg_friction_state {
    const struct sg_contact_problem *problem;
    const struct sg_friction_block *blocks; /* count */
    size_t rows, n;
    double *r, *w;               /* n */
    double *rhs, *kept, *matrix; /* scratch: n, n, n x n */
    size_t *pivot, *closed;      /* scratch: n */
    unsigned char *drawn;        /* scratch: count */
    double *interior;            /* scratch: SG_FRICTION_INTERIOR n */
    double scale;                /* the largest |b| */
    double shift;                /* scratch of Newton's method */
    double terms; /* the largest sum of sizes of the terms of H r: what rounding is relative to */
};

/* w = H r + b and its terms; uses rhs */
void sg_friction_evaluate(struct sg_friction_state *state);

/* the largest residual of the contacts */
double sg_friction_worst(const struct sg_friction_state *state);

/* The convergence threshold: the tolerance plus what rounding alone can leave of a residual. */
double sg_friction_allowed(const struct sg_friction_state *state, double tolerance);

/* What Newton's method adds to the diagonal of closed rows, relative to it: the next iterate is then the
 * solution of the equations that is next to r (proximal point), which where contacts are redundant is as good
 * as any. `follow` times the residual relative to b, between `least` and 1e-2: far from a solution the
 * contacts that are taken for closed are a guess, and their equations need not be consistent. */
struct sg_friction_shift {
    double least, follow;
};

/* Newton's method on the natural map (Alart and Curnier 1991) for the contacts that are closed by it, from
 * r and w. r and w stay as they were if the residual does not end below what it was. With a seed other than
 * 0 the first step takes the contacts that are furthest from a solution as sticking or slipping somewhere,
 * drawn from it: a way out of cycles, for there are solutions that no sweep and no step of Newton's leads
 * to where friction couples strongly with the normal direction. */
void sg_friction_newton(struct sg_friction_state *state, struct sg_friction_shift shift,
                        unsigned long long seed);

/* An interior-point method from the middle of all cones, with Newton's method tried as it comes near: for
 * problems in which sweeps and Newton's method from where these are get nowhere. With w_N + mu |w_T| in the
 * place of w_N the problem is a convex one over cones, of which |w_T| is taken from the step before (De Saxce
 * and Feng 1998; Acary, Cadoux, Lemarechal and Malick 2011); its steps are scaled after Nesterov and Todd.
 * Redundant contacts do no harm. `again` tries Newton's method more often. r and w become the best found, or
 * stay. */
void sg_friction_interior(struct sg_friction_state *state, double tolerance, bool again);

#endif
