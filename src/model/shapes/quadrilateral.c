/* Quadrilaterals of order 1 and 2. */
#include <stdbool.h>
#include <string.h>

#include "model/shapes/shape.h"

/* --- points --------------------------------------------------------------------------------------- */

#define G2 0.57735026918962576451 /* sqrt(1/3) */
#define G3 0.77459666924148337704 /* sqrt(3/5) */

static const struct sg_shape_point gauss_2[] = {
    {{-G2, -G2}, 1}, {{G2, -G2}, 1}, {{G2, G2}, 1}, {{-G2, G2}, 1}};

#define OUTER (25.0 / 81)
#define EDGE  (40.0 / 81)
static const struct sg_shape_point gauss_3[] = {{{-G3, -G3}, OUTER}, {{G3, -G3}, OUTER}, {{G3, G3}, OUTER},
                                                {{-G3, G3}, OUTER},  {{0, -G3}, EDGE},   {{G3, 0}, EDGE},
                                                {{0, G3}, EDGE},     {{-G3, 0}, EDGE},   {{0, 0}, 64.0 / 81}};

static const double quad_nodes[][3] = {{-1, -1}, {1, -1}, {1, 1},  {-1, 1}, {0, -1},
                                       {1, 0},   {0, 1},  {-1, 0}, {0, 0}};

/* --- functions ------------------------------------------------------------------------------------ */

static void quad4(const double point[3], struct sg_shape_values *values)
{
    double xi = point[0], eta = point[1];
    for (size_t k = 0; k < 4; k++) {
        const double *at = quad_nodes[k];
        double x = 1 + at[0] * xi, y = 1 + at[1] * eta;
        values->n[k] = x * y / 4;
        values->d[k][0] = at[0] * y / 4;
        values->d[k][1] = x * at[1] / 4;
    }
}

/* the serendipity functions */
static void quad8(const double point[3], struct sg_shape_values *values)
{
    double xi = point[0], eta = point[1];
    for (size_t k = 0; k < 4; k++) {
        const double *at = quad_nodes[k];
        double x = 1 + at[0] * xi, y = 1 + at[1] * eta, sum = at[0] * xi + at[1] * eta - 1;
        values->n[k] = x * y * sum / 4;
        values->d[k][0] = at[0] * y * (sum + x) / 4;
        values->d[k][1] = at[1] * x * (sum + y) / 4;
    }
    for (size_t k = 4; k < 8; k++) {
        const double *at = quad_nodes[k];
        bool across = at[0] == 0; /* a middle of an edge along xi */
        double x = across ? 1 - xi * xi : 1 + at[0] * xi, y = across ? 1 + at[1] * eta : 1 - eta * eta;
        values->n[k] = x * y / 2;
        values->d[k][0] = (across ? -2 * xi : at[0]) * y / 2;
        values->d[k][1] = x * (across ? at[1] : -2 * eta) / 2;
    }
}

/* Lagrange polynomial of degree 2 that is 1 at `node` out of -1, 0, 1, and its derivative */
static void lagrange(double node, double x, double out[2])
{
    out[0] = node == 0 ? 1 - x * x : x * (x + node) / 2;
    out[1] = node == 0 ? -2 * x : x + node / 2;
}

static void quad9(const double point[3], struct sg_shape_values *values)
{
    double xi = point[0], eta = point[1];
    for (size_t k = 0; k < 9; k++) {
        double x[2], y[2];
        lagrange(quad_nodes[k][0], xi, x);
        lagrange(quad_nodes[k][1], eta, y);
        values->n[k] = x[0] * y[0];
        values->d[k][0] = x[1] * y[0];
        values->d[k][1] = x[0] * y[1];
    }
}

/* --- extrapolation -------------------------------------------------------------------------------- */

/* the samples are the corners of a square 1/sqrt(3) as large */
static void bilinear(const double at[3], double *weights)
{
    struct sg_shape_values values = {0};
    quad4((const double[3]){at[0] / G2, at[1] / G2}, &values);
    memcpy(weights, values.n, 4 * sizeof *weights);
}

/* -------------------------------------------------------------------------------------------------- */

const struct sg_shape_kind sg_shape_quad4 = {2,      gauss_2, 4,        gauss_2, 4, quad_nodes,
                                             {0, 0}, quad4,   bilinear, NULL,    0};
const struct sg_shape_kind sg_shape_quad8 = {2,      gauss_3, 9,        gauss_2, 4, quad_nodes,
                                             {0, 0}, quad8,   bilinear, NULL,    0};
const struct sg_shape_kind sg_shape_quad9 = {2,      gauss_3, 9,        gauss_2, 4, quad_nodes,
                                             {0, 0}, quad9,   bilinear, NULL,    0};
