/* The tangent S_t of an iterate, its right-hand side, and the correction that they give.
 *
 * Unknowns are increments x = [dW; -dLam; -dLamT | dv~; -h dlam | dU/h; -dnu/h], multipliers of the active
 * rows alone, and S_t x = -r. With B = h^2 K, D = h C, S = h vd_by_v M + h C + h q_by_v K, G of the
 * respective active rows, and with the second derivatives of constraints left out, S_t of level `both` is
 *
 *                dW   -dLam   dv~   -h dlam    dU/h  -dnu/h
 *     jump      [ M    G^T                                   ]
 *               [ G           G                              ]
 *     smooth    [ D           S      Gb^T      B             ]
 *               [             Gb                             ]
 *     correction[                              M     G^T     ]
 *               [             (c/h) G          G             ],     c = q_by_v
 *
 * with rates of tangents, or the edge of the friction cone, as further rows and columns behind those of Lam,
 * whose columns reach the correction too, by H^T/2; and with the tangents of contacts that are held behind
 * those of nu. The jump stands first: where no force depends on velocities (D = 0) its rows are its own but
 * for G dv~, and an elimination takes them apart from the rest. */
#ifndef SG_STRATEGIES_GENERALIZED_ALPHA_TANGENT_H
#define SG_STRATEGIES_GENERALIZED_ALPHA_TANGENT_H

#include "strategies/generalized_alpha/step.h"

/* the first unknown of each motion and of its multipliers; SIZE_MAX: not there */
struct sg_ggl_layout {
    size_t motion[SG_GGL_PARTS], multiplier[SG_GGL_PARTS], total;
};

/* `parts`: the set of those that are solved for, with the couplings between them */
struct sg_ggl_layout sg_ggl_layout(const struct sg_ggl *ggl, int parts);

/* the most entries that ggl->saddle may get */
size_t sg_ggl_count_entries(const struct sg_ggl_problem *p);

/* S_t of the iterate just evaluated into ggl->saddle, with its scales */
void sg_ggl_assemble(struct sg_ggl *ggl, int parts);
/* [M Gb^T; Gb 0], of the first rows */
void sg_ggl_assemble_mass(struct sg_ggl *ggl, size_t bilateral);

/* x := -r, and the iterate += x */
void sg_ggl_right_side(const struct sg_ggl *ggl, int parts, double *x);
void sg_ggl_apply(struct sg_ggl *ggl, int parts, const double *x);

#endif
