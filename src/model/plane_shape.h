/* Shape functions and integration points of the elements in a plane, by enum sg_element_shape.
 *
 * Quadrilaterals live in [-1, 1]^2, triangles in 0 <= xi, eta, xi + eta <= 1; corner 0 is at (-1, -1) or (0,
 * 0), the rest as in results/element_shape.h. */
#ifndef SG_MODEL_PLANE_SHAPE_H
#define SG_MODEL_PLANE_SHAPE_H

#include <stdbool.h>
#include <stddef.h>

#include "results/element_shape.h"

enum { SG_PLANE_SAMPLES = 4 };

struct sg_plane_point {
    double xi, eta, weight; /* weights add up to the area of the reference element: 4 or 1/2 */
};

/* functions at a point, and their derivatives by xi and eta */
struct sg_plane_values {
    double n[SG_SHAPE_NODES], d[SG_SHAPE_NODES][2];
};

/* One shape. Full integration: stiffness and consistent mass of an undistorted element (straight edges,
 * middles in the middle, a parallelogram) are exact.
 *
 *     tri3    3 points of degree 2     quad4          2 x 2 Gauss points, degree 3 along each axis
 *     tri6    6 points of degree 4     quad8, quad9   3 x 3, degree 5 */
struct sg_plane_shape {
    const struct sg_plane_point *points;
    size_t point_count;
    const struct sg_plane_point *samples; /* where stresses are most accurate; their weights mean nothing */
    size_t sample_count;                  /* at most SG_PLANE_SAMPLES */
    const double (*nodes)[2];             /* xi, eta of the nodes */
    double center[2];
    void (*values)(double xi, double eta, struct sg_plane_values *values);
    /* weights of the samples in the linear (bilinear) field through their values, at a point */
    void (*extrapolate)(double xi, double eta, double *weights);
};

/* NULL where the shape is not one in a plane */
const struct sg_plane_shape *sg_plane_shape_find(enum sg_element_shape shape);

#endif
