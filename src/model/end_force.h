/* What the shape functions of a body say about the force at one of its ends: a strong condition there, as the
 * nodal boundary method (model/nodal_boundary.h) needs it. */
#ifndef SG_MODEL_END_FORCE_H
#define SG_MODEL_END_FORCE_H

#include <stddef.h>

#include "model/aspect.h"
#include "model/lagrange.h"

/* The force on the end, along the axis, by which the last element is held where it is:
 *
 *     F = stiffness sum_i slope_i u_i,    slope_i = d phi_i / ds at the end, s pointing out of the body,
 *
 * over the nodes of the last element. Models with one coordinate a node only. */
struct sg_end_force {
    double stiffness;                /* N: E A at the end */
    size_t count;                    /* at most SG_LAGRANGE_NODES */
    size_t node[SG_LAGRANGE_NODES];  /* global; node[0] is the end */
    double slope[SG_LAGRANGE_NODES]; /* 1/m; slope[0] > 0 */
};

void sg_end_forces_add(struct sg_aspects *aspects, const struct sg_end_force *end);

/* the one of a node, or NULL */
const struct sg_end_force *sg_end_forces_find(const struct sg_aspects *aspects, size_t node);

#endif
