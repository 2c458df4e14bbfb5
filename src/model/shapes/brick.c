/* The brick of order 1. */
#include <string.h>

#include "model/shapes/shape.h"

#define G 0.57735026918962576451 /* sqrt(1/3) */

/* clang-format off */
static const struct sg_shape_point gauss_2[] = {
    {{-G, -G, -G}, 1}, {{G, -G, -G}, 1}, {{G, G, -G}, 1}, {{-G, G, -G}, 1},
    {{-G, -G, G}, 1},  {{G, -G, G}, 1},  {{G, G, G}, 1},  {{-G, G, G}, 1}};

#define H 0.77459666924148337704 /* sqrt(3/5) */
#define P (5.0 / 9)
#define Q (8.0 / 9)
static const struct sg_shape_point gauss_3[] = {
    {{-H, -H, -H}, P * P * P}, {{0, -H, -H}, Q * P * P}, {{H, -H, -H}, P * P * P},
    {{-H, 0, -H}, P * Q * P}, {{0, 0, -H}, Q * Q * P}, {{H, 0, -H}, P * Q * P},
    {{-H, H, -H}, P * P * P}, {{0, H, -H}, Q * P * P}, {{H, H, -H}, P * P * P},
    {{-H, -H, 0}, P * P * Q}, {{0, -H, 0}, Q * P * Q}, {{H, -H, 0}, P * P * Q},
    {{-H, 0, 0}, P * Q * Q}, {{0, 0, 0}, Q * Q * Q}, {{H, 0, 0}, P * Q * Q},
    {{-H, H, 0}, P * P * Q}, {{0, H, 0}, Q * P * Q}, {{H, H, 0}, P * P * Q},
    {{-H, -H, H}, P * P * P}, {{0, -H, H}, Q * P * P}, {{H, -H, H}, P * P * P},
    {{-H, 0, H}, P * Q * P}, {{0, 0, H}, Q * Q * P}, {{H, 0, H}, P * Q * P},
    {{-H, H, H}, P * P * P}, {{0, H, H}, Q * P * P}, {{H, H, H}, P * P * P}};

static const double nodes[][3] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1},
                                  {-1, -1, 1},  {1, -1, 1},  {1, 1, 1},  {-1, 1, 1}};
/* clang-format on */

static void hex8(const double at[3], struct sg_shape_values *values)
{
    for (size_t k = 0; k < 8; k++) {
        double f[3];
        for (size_t c = 0; c < 3; c++) f[c] = 1 + nodes[k][c] * at[c];
        values->n[k] = f[0] * f[1] * f[2] / 8;
        values->d[k][0] = nodes[k][0] * f[1] * f[2] / 8;
        values->d[k][1] = nodes[k][1] * f[2] * f[0] / 8;
        values->d[k][2] = nodes[k][2] * f[0] * f[1] / 8;
    }
}

/* the samples are the corners of a cube 1/sqrt(3) as large */
static void trilinear(const double at[3], double *weights)
{
    struct sg_shape_values values = {0};
    hex8((const double[3]){at[0] / G, at[1] / G, at[2] / G}, &values);
    memcpy(weights, values.n, 8 * sizeof *weights);
}

const struct sg_shape_kind sg_shape_hex8 = {3,         gauss_2, 8,         gauss_2, 8, nodes,
                                            {0, 0, 0}, hex8,    trilinear, gauss_3, 27};
