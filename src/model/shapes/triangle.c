/* Triangles of order 1 and 2. */
#include "model/shapes/simplex.h"

static const struct sg_shape_point points_3[] = {
    {{1.0 / 6, 1.0 / 6}, 1.0 / 6}, {{2.0 / 3, 1.0 / 6}, 1.0 / 6}, {{1.0 / 6, 2.0 / 3}, 1.0 / 6}};

/* Strang and Fix; Dunavant 1985, degree 4 */
#define A1 0.44594849091596488632
#define W1 (0.22338158967801146570 / 2)
#define A2 0.09157621350977074346
#define W2 (0.10995174365532186764 / 2)
static const struct sg_shape_point points_6[] = {{{A1, A1}, W1},         {{1 - 2 * A1, A1}, W1},
                                                 {{A1, 1 - 2 * A1}, W1}, {{A2, A2}, W2},
                                                 {{1 - 2 * A2, A2}, W2}, {{A2, 1 - 2 * A2}, W2}};

static const struct sg_shape_point point_1[] = {{{1.0 / 3, 1.0 / 3}, 0.5}};

static const double nodes[][3] = {{0, 0}, {1, 0}, {0, 1}, {0.5, 0}, {0.5, 0.5}, {0, 0.5}};

static const double slopes[3][2] = {{-1, -1}, {1, 0}, {0, 1}};

static void tri3(const double at[3], struct sg_shape_values *values)
{
    *values =
        (struct sg_shape_values){.n = {1 - at[0] - at[1], at[0], at[1]}, .d = {{-1, -1}, {1, 0}, {0, 1}}};
}

static void tri6(const double at[3], struct sg_shape_values *values)
{
    const double area[3] = {1 - at[0] - at[1], at[0], at[1]};
    for (size_t k = 0; k < 3; k++) {
        size_t next = (k + 1) % 3;
        values->n[k] = area[k] * (2 * area[k] - 1);
        values->n[3 + k] = 4 * area[k] * area[next];
        for (size_t c = 0; c < 2; c++) {
            values->d[k][c] = (4 * area[k] - 1) * slopes[k][c];
            values->d[3 + k][c] = 4 * (slopes[k][c] * area[next] + area[k] * slopes[next][c]);
        }
    }
}

/* the samples are the corners of a triangle half as large about the same center */
static void linear(const double at[3], double *weights)
{
    const double area[3] = {1 - at[0] - at[1], at[0], at[1]};
    for (size_t k = 0; k < 3; k++) weights[k] = 2 * area[k] - 1.0 / 3;
}

const struct sg_shape_kind sg_shape_tri3 = {
    2, points_3, 3, point_1, 1, nodes, {1.0 / 3, 1.0 / 3}, tri3, sg_simplex_constant, NULL, 0};
const struct sg_shape_kind sg_shape_tri6 = {2,    points_6, 6,    points_3, 3, nodes, {1.0 / 3, 1.0 / 3},
                                            tri6, linear,   NULL, 0};
