/* Steps of affine constraints by their rows alone: with S the smooth block of the tangent,
 *
 *     Y = M^-1 G^T,   Z = S^-1 Gb^T,   X = S^-1 h^2 K Y,   P = S^-1 h C Y
 *
 * corrections are affine in those of the multipliers, y1 = -h dlam, y3 = -dnu/h, y5 = -dLam:
 *
 *     dv~ = x1 - Z y1 + X y3 + P y5,   dU/h = x3 - Y y3,   dW = x5 - Y y5.
 *
 * For schur.c and condensed.c alone. */
#ifndef SG_STRATEGIES_GENERALIZED_ALPHA_SCHUR_H
#define SG_STRATEGIES_GENERALIZED_ALPHA_SCHUR_H

#include "strategies/generalized_alpha/nonsmooth_alpha.h"

struct sg_ggl_schur {
    struct sg_arena arena;         /* has all of it */
    struct sg_factor mass, smooth; /* of M; of S */
    struct sg_symbolic *symbolic[2];
    struct sg_matrix none;       /* C where there is none */
    double h;                    /* s: that S is of; NaN: none */
    double *Y, *Z, *X, *P;       /* n x rows (Z: n x bilateral); P NULL: no damping */
    double *GY, *GZ, *GX, *GP;   /* rows x columns of these */
    double *x1, *x3, *x5, *work; /* n */
    double *small;               /* (bilateral + 2 rows)^2 */
    size_t *pivot;
    double *y;   /* its right-hand side, solution */
    double *aim; /* its right-hand side, kept */
    /* the small system that is factored: its lists, h */
    size_t *closed, *pushed, closed_count, pushed_count;
    double factored;
    double yielded; /* by which its rows do */
    /* rows, of the condensed step */
    double *gap, *rate, *shift;
};

/* makes S and what follows from it for ggl->h; at once if it is of this h already and the system linear */
sg_status sg_ggl_schur_prepare(struct sg_ggl *ggl, struct sg_error *err);
/* y := the small system of the lists solved for it; where its rows depend on one another they yield from then
 * on, as ggl->yield says */
sg_status sg_ggl_schur_small(struct sg_ggl *ggl, struct sg_error *err);
/* unknowns of the small system: of lam, of nu, of Lam */
size_t sg_ggl_schur_size(const struct sg_ggl *ggl);
/* the constraint of its row i */
size_t sg_ggl_schur_row(const struct sg_ggl *ggl, size_t i);

#endif
