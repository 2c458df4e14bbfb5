/* Reference elements of bodies that deform: shape functions and integration points by enum sg_element_shape,
 * in a plane or in space.
 *
 * Quadrilaterals and bricks live in [-1, 1]^dim, triangles and tetrahedra where all coordinates and 1 - their
 * sum are not negative; corner 0 is at (-1, -1, -1) or (0, 0, 0), the rest as in results/element_shape.h. A
 * new one is a struct sg_shape_kind in a file beside this and a line of the list in results/element_shape.h.
 */
#ifndef SG_MODEL_SHAPES_SHAPE_H
#define SG_MODEL_SHAPES_SHAPE_H

#include <stddef.h>

#include "results/element_shape.h"

enum { SG_SHAPE_SAMPLES = 8 };

struct sg_shape_point {
    double at[3], weight; /* weights add up to the area or volume of the reference element */
};

/* functions at a point, and their derivatives by its coordinates */
struct sg_shape_values {
    double n[SG_SHAPE_NODES], d[SG_SHAPE_NODES][3];
};

/* One shape. Full integration: stiffness and consistent mass of an undistorted element (straight edges,
 * middles in the middle, a parallelogram or its like in space) are exact.
 *
 *     tri3    3 points of degree 2     quad4          2 x 2 Gauss points, degree 3 along each axis
 *     tri6    6 points of degree 4     quad8, quad9   3 x 3, degree 5
 *     tet4    4 points of degree 2     hex8           2 x 2 x 2, degree 3 along each axis; its mass
 *                                    3 x 3 x 3: the Jacobian of a skewed brick is of degree 2 */
struct sg_shape_kind {
    size_t dim; /* of its coordinates: 2 or 3 */
    const struct sg_shape_point *points;
    size_t point_count;
    const struct sg_shape_point *samples; /* where stresses are most accurate; their weights mean nothing */
    size_t sample_count;                  /* at most SG_SHAPE_SAMPLES */
    const double (*nodes)[3];             /* their coordinates */
    double center[3];
    void (*values)(const double at[3], struct sg_shape_values *values);
    /* weights of the samples in the polynomial of lowest degree through their values, at a point */
    void (*extrapolate)(const double at[3], double *weights);
    const struct sg_shape_point *mass_points; /* of the mass where it needs other points; NULL: `points` */
    size_t mass_point_count;
};

/* NULL: nothing that deforms has this shape */
const struct sg_shape_kind *sg_shape_find(enum sg_element_shape shape);

#endif
