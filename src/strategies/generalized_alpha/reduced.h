/* Corrections by the constraints' rows alone: the elimination of the motions from S_t, for level `both` in
 * its monolithic form, constraints whose G never changes, and masses in every dof.
 *
 * With Y = M^-1 G^T a correction of positions is Y times its multipliers, and so is a jump of velocities. Let
 * S be the block of the smooth motion (tangent.h), y1 = -h dlam, y3 = -dnu/h, y5 = -dLam, and x1, x3, x5 what
 * right-hand sides give without multipliers. Since U and W act on the smooth motion by h^2 K and h C,
 *
 *     dv~  = x1 - Z y1 + X y3 + P y5
 *     dU/h = x3        - Y y3
 *     dW   = x5               - Y y5
 *
 *     Z = S^-1 Gb^T,   X = S^-1 h^2 K Y,   P = S^-1 h C Y.
 *
 * In the rows of S_t that stand for constraints this leaves a system of the active multipliers, the Schur
 * complement. With G3 the closed rows, G5 those that push, and s = q_by_v / h = beta / gamma,
 *
 *     [   -Gb Z      Gb X            Gb P        ] [ y1 ]     [ cs ]   [   Gb x1         ]
 *     [ -s G3 Z    s G3 X - G3 Y   s G3 P        ] [ y3 ] = - [ cp ] - [ s G3 x1 + G3 x3 ]
 *     [   -G5 Z      G5 X            G5 P - G5 Y ] [ y5 ]     [ cv ]   [   G5 x1 + G5 x5 ]
 *
 * with the violations cs, cp, cv. It is made of two matrices of all rows of G, G [-Z X P] and G Y, which stay
 * as long as K, C and h do; the active sets choose from them. Newton's method solves it in each iteration
 * (method `schur`). Linear systems need it in a step but once for each set of rows that is tried
 * (condensed.h): it is the same elimination, begun at U = W = 0. */
#ifndef SG_STRATEGIES_GENERALIZED_ALPHA_REDUCED_H
#define SG_STRATEGIES_GENERALIZED_ALPHA_REDUCED_H

#include "linalg/solver.h"
#include "strategies/generalized_alpha/step.h"

struct sg_ggl_reduced {
    struct sg_factor mass, smooth; /* of M; of S */
    struct sg_matrix none;         /* C where there is none */
    double h;                      /* s: that S is of; NaN: none */
    size_t columns;                /* of X: bilateral + rows, and with damping rows more */
    double *Y, *X;                 /* n x rows; n x columns: [-Z X P] */
    double *GY, *GX;               /* rows x rows, rows x columns: G times them */
    size_t size, *chosen;          /* the Schur complement at hand: its unknowns as columns of X */
    double *matrix;                /* size^2, factored */
    size_t *pivot;
    double *y, *right_side; /* size: right-hand side, then solution; scratch */
    /* what is factored; h NaN: nothing */
    size_t factored_size, *factored;
    double factored_h, regularization;
    /* of condensed.c */
    double *gap, *rate, *shift;    /* rows */
    unsigned char *in_set, *wrong; /* 2 rows: closed, then pushed */
};

sg_status sg_ggl_reduced_init(struct sg_ggl *ggl, struct sg_error *err);

/* It does what sg_ggl_respond says. */
sg_status sg_ggl_reduced_respond(struct sg_ggl *ggl, size_t bilateral, size_t count, double *x,
                                 struct sg_error *err);

/* Writes the correction of all parts into ggl->x, by the layout of tangent.h. */
sg_status sg_ggl_reduced_solve(struct sg_ggl *ggl, struct sg_error *err);

/* --- for condensed.c ------------------------------------------------------------------------------ */

/* Makes S and what follows from it for ggl->h, unless they are of this h already and the system is linear. */
sg_status sg_ggl_reduced_prepare(struct sg_ggl *ggl, struct sg_error *err);

/* x := S^-1 x */
void sg_ggl_reduced_smooth(struct sg_ggl *ggl, double *x);

/* Takes the active rows of all parts as the unknowns of the Schur complement. */
void sg_ggl_reduced_choose(struct sg_ggl *ggl);

/* Solves it for y, in place. Rows that depend on one another are regularized from then on, as
 * ggl->regularization says. */
sg_status sg_ggl_reduced_multipliers(struct sg_ggl *ggl, struct sg_error *err);

/* column of the multiplier of a row in X; of the jump only where there is damping, else >= columns */
static inline size_t sg_ggl_reduced_column(const struct sg_ggl *ggl, size_t part, size_t row)
{
    size_t bilateral = ggl->problem->bilateral;
    return row + (part == SG_GGL_SMOOTH ? 0 : part == SG_GGL_CORRECTION ? bilateral : bilateral + ggl->rows);
}

/* part and row of unknown i: the inverse of it */
struct sg_ggl_unknown {
    enum sg_ggl_part_name part;
    size_t row;
};
struct sg_ggl_unknown sg_ggl_reduced_unknown(const struct sg_ggl *ggl, size_t i);

#endif
