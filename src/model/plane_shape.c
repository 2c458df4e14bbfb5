#include "model/plane_shape.h"

#include <string.h>

/* --- points --------------------------------------------------------------------------------------- */

#define G2 0.57735026918962576451 /* sqrt(1/3) */
#define G3 0.77459666924148337704 /* sqrt(3/5) */

static const struct sg_plane_point gauss_2[] = {{-G2, -G2, 1}, {G2, -G2, 1}, {G2, G2, 1}, {-G2, G2, 1}};

#define OUTER (25.0 / 81)
#define EDGE  (40.0 / 81)
static const struct sg_plane_point gauss_3[] = {{-G3, -G3, OUTER}, {G3, -G3, OUTER}, {G3, G3, OUTER},
                                                {-G3, G3, OUTER},  {0, -G3, EDGE},   {G3, 0, EDGE},
                                                {0, G3, EDGE},     {-G3, 0, EDGE},   {0, 0, 64.0 / 81}};

static const struct sg_plane_point triangle_3[] = {
    {1.0 / 6, 1.0 / 6, 1.0 / 6}, {2.0 / 3, 1.0 / 6, 1.0 / 6}, {1.0 / 6, 2.0 / 3, 1.0 / 6}};

/* Strang and Fix; Dunavant 1985, degree 4 */
#define A1 0.44594849091596488632
#define W1 (0.22338158967801146570 / 2)
#define A2 0.09157621350977074346
#define W2 (0.10995174365532186764 / 2)
static const struct sg_plane_point triangle_6[] = {{A1, A1, W1}, {1 - 2 * A1, A1, W1}, {A1, 1 - 2 * A1, W1},
                                                   {A2, A2, W2}, {1 - 2 * A2, A2, W2}, {A2, 1 - 2 * A2, W2}};

static const struct sg_plane_point triangle_1[] = {{1.0 / 3, 1.0 / 3, 0.5}};

static const double quad_nodes[][2] = {{-1, -1}, {1, -1}, {1, 1},  {-1, 1}, {0, -1},
                                       {1, 0},   {0, 1},  {-1, 0}, {0, 0}};
static const double triangle_nodes[][2] = {{0, 0}, {1, 0}, {0, 1}, {0.5, 0}, {0.5, 0.5}, {0, 0.5}};

/* --- functions ------------------------------------------------------------------------------------ */

static void tri3(double xi, double eta, struct sg_plane_values *values)
{
    *values = (struct sg_plane_values){.n = {1 - xi - eta, xi, eta}, .d = {{-1, -1}, {1, 0}, {0, 1}}};
}

static void tri6(double xi, double eta, struct sg_plane_values *values)
{
    static const double d[3][2] = {{-1, -1}, {1, 0}, {0, 1}};
    const double area[3] = {1 - xi - eta, xi, eta};
    for (size_t k = 0; k < 3; k++) {
        size_t next = (k + 1) % 3;
        values->n[k] = area[k] * (2 * area[k] - 1);
        values->n[3 + k] = 4 * area[k] * area[next];
        for (size_t c = 0; c < 2; c++) {
            values->d[k][c] = (4 * area[k] - 1) * d[k][c];
            values->d[3 + k][c] = 4 * (d[k][c] * area[next] + area[k] * d[next][c]);
        }
    }
}

static void quad4(double xi, double eta, struct sg_plane_values *values)
{
    for (size_t k = 0; k < 4; k++) {
        const double *at = quad_nodes[k];
        double x = 1 + at[0] * xi, y = 1 + at[1] * eta;
        values->n[k] = x * y / 4;
        values->d[k][0] = at[0] * y / 4;
        values->d[k][1] = x * at[1] / 4;
    }
}

/* the serendipity functions */
static void quad8(double xi, double eta, struct sg_plane_values *values)
{
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

static void quad9(double xi, double eta, struct sg_plane_values *values)
{
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

static void constant(double xi, double eta, double *weights)
{
    (void)xi;
    (void)eta;
    weights[0] = 1;
}

/* the samples are the corners of a triangle half as large about the same center */
static void linear(double xi, double eta, double *weights)
{
    const double area[3] = {1 - xi - eta, xi, eta};
    for (size_t k = 0; k < 3; k++) weights[k] = 2 * area[k] - 1.0 / 3;
}

/* the samples are the corners of a square 1/sqrt(3) as large */
static void bilinear(double xi, double eta, double *weights)
{
    struct sg_plane_values values = {0};
    quad4(xi / G2, eta / G2, &values);
    memcpy(weights, values.n, 4 * sizeof *weights);
}

/* -------------------------------------------------------------------------------------------------- */

static const struct sg_plane_shape shapes[SG_SHAPE_COUNT] = {
    [SG_SHAPE_TRI3] = {triangle_3, 3, triangle_1, 1, triangle_nodes, {1.0 / 3, 1.0 / 3}, tri3, constant},
    [SG_SHAPE_TRI6] = {triangle_6, 6, triangle_3, 3, triangle_nodes, {1.0 / 3, 1.0 / 3}, tri6, linear},
    [SG_SHAPE_QUAD4] = {gauss_2, 4, gauss_2, 4, quad_nodes, {0, 0}, quad4, bilinear},
    [SG_SHAPE_QUAD8] = {gauss_3, 9, gauss_2, 4, quad_nodes, {0, 0}, quad8, bilinear},
    [SG_SHAPE_QUAD9] = {gauss_3, 9, gauss_2, 4, quad_nodes, {0, 0}, quad9, bilinear},
};

const struct sg_plane_shape *sg_plane_shape_find(enum sg_element_shape shape)
{
    return shape < SG_SHAPE_COUNT && shapes[shape].values != NULL ? &shapes[shape] : NULL;
}
