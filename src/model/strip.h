/* Bodies along the axis whose displacement is a polynomial in each element: what is known of their fields
 * between nodes. Bars register themselves; models with one coordinate a node only. */
#ifndef SG_MODEL_STRIP_H
#define SG_MODEL_STRIP_H

#include <stdbool.h>
#include <stddef.h>

#include "model/aspect.h"
#include "model/lagrange.h"
#include "model/profile.h"
#include "support/status.h"

/* Element k has the nodes first + k order .. first + (k + 1) order and covers s in [k size, (k + 1) size], s
 * the distance from node 0. */
struct sg_strip {
    size_t first; /* global node */
    size_t elements;
    int order;
    double size;                              /* m */
    struct sg_profile area, modulus, density; /* owned */
};

/* an aspect (model/aspect.h) */
struct sg_strips {
    struct sg_strip *items;
    size_t count, capacity;
};

/* copies the strip and its profiles, which are the aspects' arena's then */
void sg_strips_add(struct sg_aspects *aspects, const struct sg_strip *strip);

/* Gives those of a model; an empty list where no body has one. */
const struct sg_strips *sg_strips_of(const struct sg_aspects *aspects);

/* at s: rho A (kg/m), E A (N), and d(E A)/ds (N/m) */
struct sg_strip_section {
    double mass, stiffness, slope;
};
struct sg_strip_section sg_strip_section(const struct sg_strip *strip, double s);

/* all elements are alike */
bool sg_strip_is_uniform(const struct sg_strip *strip);

/* Element matrices int rho A phi_i phi_j ds and int E A phi_i' phi_j' ds, lower triangles, exact. The rows of
 * the second sum to zero. */
struct sg_strip_element {
    double mass[SG_LAGRANGE_NODES][SG_LAGRANGE_NODES], stiffness[SG_LAGRANGE_NODES][SG_LAGRANGE_NODES];
};
void sg_strip_integrate(const struct sg_strip *strip, size_t k, struct sg_strip_element *element);

/* Residual estimator, eq. (62): size^4 sum over all elements of all strips of
 *
 *     int ( rho A (a + alpha v) - (E A (u + beta v)')' )^2 ds,
 *
 * jumps between elements left out; u, v, a: by global node. alpha (1/s), beta (s): Rayleigh damping. */
struct sg_strip_motion {
    const double *u, *v, *a;
    double alpha, beta;
};
double sg_strips_residual(const struct sg_strips *list, const struct sg_strip_motion *motion);

#endif
