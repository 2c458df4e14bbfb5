/* The tetrahedron of order 1. */
#include "model/shapes/simplex.h"

/* Hammer, Marlowe and Stroud 1956, degree 2: (5 - sqrt 5) / 20 and (5 + 3 sqrt 5) / 20 */
#define A 0.13819660112501051518
#define B 0.58541019662496845446
static const struct sg_shape_point points_4[] = {
    {{A, A, A}, 1.0 / 24}, {{B, A, A}, 1.0 / 24}, {{A, B, A}, 1.0 / 24}, {{A, A, B}, 1.0 / 24}};

static const struct sg_shape_point point_1[] = {{{0.25, 0.25, 0.25}, 1.0 / 6}};

static const double nodes[][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

static void tet4(const double at[3], struct sg_shape_values *values)
{
    *values = (struct sg_shape_values){.n = {1 - at[0] - at[1] - at[2], at[0], at[1], at[2]},
                                       .d = {{-1, -1, -1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
}

const struct sg_shape_kind sg_shape_tet4 = {
    3, points_4, 4, point_1, 1, nodes, {0.25, 0.25, 0.25}, tet4, sg_simplex_constant, NULL, 0};
