/* Bilateral constraints of a model: m rows
 *
 *     g(q, t) = 0,   G = dg/dq,   dg/dt = G v + drift = 0,
 *     M v' = f + G^T lambda,
 *
 * q the free coordinates. lambda is in N where g is in m and in N m where it is in rad; a positive one pushes
 * g up, as the reaction of a contact does. Ideal: their power is lambda . G v = -lambda . drift, nothing but
 * what moving supports and prescribed coordinates put in.
 *
 * A deck's item makes one row or more: a kind of constraint is a file of constraints/. Nodal coordinates
 * only.
 */
#ifndef SG_MODEL_CONSTRAINT_H
#define SG_MODEL_CONSTRAINT_H

#include <stdbool.h>
#include <stddef.h>

#include "linalg/columns.h"
#include "model/constraint_item.h"
#include "model/system.h"
#include "results/quantity.h"
#include "support/status.h"

/* Constraints at one configuration and time. */
struct sg_constraint_frame {
    struct sg_arena arena; /* has all of it */
    double *g;             /* m, m or rad */
    double *drift;         /* m, 1/s of it: dg/dt at fixed q, of prescribed coordinates and moving supports */
    struct sg_columns G;   /* n x m: column i is the gradient of row i; its pattern never changes */
};

/* Release in any case. Without constraints it is empty. */
sg_status sg_constraint_frame_init(struct sg_constraint_frame *frame, const struct sg_system *system,
                                   struct sg_error *err);
void sg_constraint_frame_release(struct sg_constraint_frame *frame);

/* g, drift and G at u (n) and t; allocates nothing, as all that follows */
void sg_constraints_evaluate(const struct sg_system *system, double t, const double *u,
                             struct sg_constraint_frame *frame);

/* bias (m): d2g/dt2 at v' = 0, so that d2g/dt2 = G v' + bias: the velocity-quadratic term (d(G v)/dq) v with
 * what time itself does */
void sg_constraints_bias(const struct sg_system *system, double t, const double *u, const double *v,
                         double *bias);

/* second derivatives of all rows at u and t into `hessian` (hessian_entries), out of which the next two are
 * made: by the coordinates of each item, prescribed ones too, and none of affine items */
void sg_constraints_hessians(const struct sg_system *system, double t, const double *u, double *hessian);

/* d(G v + drift)/dq at fixed v and t into the values of `rate` (n x m), whose pattern is that of a frame's G:
 * column i is the gradient of dg_i/dt */
void sg_constraints_rate_gradient(const struct sg_system *system, const double *hessian, double t,
                                  const double *v, struct sg_columns *rate);

/* sum_i lambda_i d2g_i/dq2, symmetric: `second_entries` places of the lower triangle (some may be equal: they
 * add up), and their values. -(this) is what the constraints add to the tangent stiffness. */
void sg_constraints_second_pattern(const struct sg_system *system, size_t *row, size_t *column);
void sg_constraints_second(const struct sg_system *system, const double *hessian, const double *lambda,
                           double *value);

/* The rounding of g_i is measured by this, m or rad: the sizes of the coordinates that it is the difference
 * of. */
double sg_constraints_size(const struct sg_system *system, size_t i, double t, const double *u);

/* constraint_force, constraint_impulse, constraint_violation, constraint_rate, where there are any: the first
 * two out of the snapshot, which a strategy fills */
void sg_constraints_register(const struct sg_system *system, struct sg_quantities *list);

#endif
