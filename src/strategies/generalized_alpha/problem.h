/* A mechanical problem as the nonsmooth generalized-alpha method sees it: mass, force and constraints, with
 * their derivatives. Rows of constraints are numbered bilateral first, unilateral behind them. */
#ifndef SG_STRATEGIES_GENERALIZED_ALPHA_PROBLEM_H
#define SG_STRATEGIES_GENERALIZED_ALPHA_PROBLEM_H

#include <stdbool.h>
#include <stddef.h>

#include "contact/law.h"
#include "linalg/columns.h"
#include "linalg/matrix.h"
#include "linalg/saddle.h"

/* Functions get `self`; what they fill in belongs to the problem. */
struct sg_ggl_problem {
    size_t n, bilateral, unilateral;
    size_t tangents; /* directions of friction of a unilateral row; 0: no friction */
    bool linear;     /* f = load(t) - K q - C v for ever */
    bool affine;     /* G never changes */
    const struct sg_matrix *M, *K,
        *C;                    /* K = -df/dq, C = -df/dv of the last `linearize`; C NULL: no damping */
    const struct sg_law *laws; /* unilateral */
    const double *friction;    /* unilateral, 1 */
    const double *rounding;    /* rows, m or rad: machine epsilons of what g is the difference of */
    /* m by which a unit of each dof, and of each bilateral row, moves points: 1 of displacements, a length of
     * rotations, of a mode its largest displacement. NULL: 1 */
    const double *dof_length, *row_length;
    const struct sg_columns *rows[2]; /* Gb^T, Gu^T of the last `evaluate`; NULL where there are none */
    const struct sg_columns *tangent; /* n x (unilateral tangents), likewise */
    double *gap, *drift;              /* rows: g, dg/dt of the last `evaluate` */
    void *self;
    /* gaps, their rates in time and G at the configuration q */
    void (*evaluate)(void *self, double t, const double *q);
    /* unilateral gaps alone; G may be lost */
    void (*find_gaps)(void *self, double t, const double *q);
    void (*force)(void *self, double t, const double *q, const double *v, double *f);
    /* K and C; NULL where linear */
    void (*linearize)(void *self, double t, const double *q, const double *v);
    /* d(G v + drift)/dq, in the pattern of `rows`, into `rate`; of the bilateral rows alone unless contacts
     * are asked for. NULL where all is affine, as the next; both of the last `evaluate`. */
    void (*differentiate_rates)(void *self, const double *v, bool contacts);
    /* sum_j multiplier_j d2g_j/dq2, into `second` */
    void (*sum_second)(void *self, const double *multiplier);
    const struct sg_columns *rate[2];
    const struct sg_symmetric_entries *second;
};

#endif
