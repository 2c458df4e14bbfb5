/* Elements in space: what the kernel of the plane does with a third coordinate. */
#include <string.h>

#include "linalg/modal.h"
#include "model/continuum/element.h"
#include "model/shapes/shape.h"
#include "model_fixture.h"

static const enum sg_element_shape shapes[] = {SG_SHAPE_TET4, SG_SHAPE_HEX8};
enum { SHAPES = 2, ROWS = 24 };

static const struct sg_material steel = {.modulus = 2.1e11, .poisson = 0.3, .density = 7850};

/* a skewed tetrahedron, and the skewed brick whose frequencies another program has computed */
static const double tetrahedron[12] = {0.01, 0, 0, 0.12, 0.01, 0, 0.03, 0.10, -0.01, 0.02, 0.01, 0.11};
static const double brick[24] = {0,    0, 0,   0.12, 0.01, 0,    0.11, 0.10, -0.01, -0.01, 0.09, 0.01,
                                 0.01, 0, 0.1, 0.1,  0,    0.11, 0.12, 0.11, 0.1,   0,     0.1,  0.09};

static const double *corners_of(enum sg_element_shape shape)
{
    return shape == SG_SHAPE_TET4 ? tetrahedron : brick;
}

/* They are 1 at their node and 0 at the others, add up to 1, and their derivatives are those of differences:
 * of degree 1 along each axis, so that rounding, 1e-16 / 1e-5, is the only error. */
START_TEST(functions_interpolate)
{
    const struct sg_shape_kind *shape = sg_shape_find(shapes[_i]);
    size_t count = sg_element_shape_nodes(shapes[_i]);
    struct sg_shape_values at;
    double step = 1e-5;
    ck_assert_uint_eq(shape->dim, 3);
    for (size_t k = 0; k < count; k++) {
        shape->values(shape->nodes[k], &at);
        for (size_t i = 0; i < count; i++) NEAR(at.n[i], i == k ? 1 : 0, 1e-15);
    }
    for (size_t p = 0; p < shape->point_count; p++) {
        double sum = 0;
        shape->values(shape->points[p].at, &at);
        for (size_t i = 0; i < count; i++) sum += at.n[i];
        NEAR(sum, 1, 1e-15);
        for (size_t c = 0; c < 3; c++) {
            struct sg_shape_values above, below;
            double high[3], low[3];
            memcpy(high, shape->points[p].at, sizeof high);
            memcpy(low, high, sizeof low);
            high[c] += step;
            low[c] -= step;
            shape->values(high, &above);
            shape->values(low, &below);
            for (size_t i = 0; i < count; i++)
                NEAR(at.d[i][c], (above.n[i] - below.n[i]) / (2 * step), 1e-10);
        }
    }
}
END_TEST

/* int x y over the reference element, and the first degree that a rule misses: of the tetrahedron 2!/5!
 * of x^2 and 1/5! of x y; of the brick 8/3 of x^2, and 8/27 of x^2 y^2 z^2 */
START_TEST(points_integrate)
{
    const struct sg_shape_kind *shape = sg_shape_find(shapes[_i]);
    bool tetrahedral = shapes[_i] == SG_SHAPE_TET4;
    double volume = 0, square = 0, mixed = 0;
    for (size_t p = 0; p < shape->point_count; p++) {
        const double *x = shape->points[p].at;
        double weight = shape->points[p].weight;
        volume += weight;
        square += weight * x[0] * x[0];
        mixed += weight * (tetrahedral ? x[1] * x[2] : x[0] * x[0] * x[1] * x[1] * x[2] * x[2]);
    }
    NEAR(volume, tetrahedral ? 1.0 / 6 : 8, 1e-14);
    NEAR(square, tetrahedral ? 1.0 / 60 : 8.0 / 3, 1e-14);
    NEAR(mixed, tetrahedral ? 1.0 / 120 : 8.0 / 27, 1e-14);
}
END_TEST

/* gradient of a displacement that is linear in x: not symmetric, so that it turns, too */
static const double slope[3][3] = {{2e-3, 5e-4, -1e-3}, {-1e-3, 1e-3, 4e-4}, {3e-4, -7e-4, -1.5e-3}};

static void move(enum sg_element_shape shape, double *u)
{
    const double *x = corners_of(shape);
    for (size_t i = 0; i < 3 * sg_element_shape_nodes(shape); i++) {
        u[i] = 0;
        for (size_t c = 0; c < 3; c++) u[i] += slope[i % 3][c] * x[3 * (i / 3) + c];
    }
}

/* The stresses of Hooke's law anywhere in a skewed element, to 1e-12 of the largest (4e8 Pa); and its energy,
 * volume times stress times strain / 2, out of K. */
START_TEST(linear_fields_are_exact)
{
    double u[ROWS], stress[SG_STRESSES], energy = 0, density = 0, trace = 0;
    double lame = 2.1e11 * 0.3 / (1.3 * 0.4), mu = 2.1e11 / 2.6;
    const struct sg_shape_kind *shape = sg_shape_find(shapes[_i]);
    struct sg_element_matrices matrices;
    size_t rows = 3 * sg_element_shape_nodes(shapes[_i]);
    move(shapes[_i], u);
    for (size_t c = 0; c < 3; c++) trace += slope[c][c];
    for (size_t p = 0; p < shape->point_count; p++) {
        struct sg_element_point point = {.shape = shapes[_i], .x = corners_of(shapes[_i]), .u = u};
        memcpy(point.at, shape->points[p].at, sizeof point.at);
        sg_element_stress(&point, &steel, stress);
        for (size_t c = 0; c < 3; c++) NEAR(stress[c], lame * trace + 2 * mu * slope[c][c], 1e-3);
        NEAR(stress[SG_XY], mu * (slope[0][1] + slope[1][0]), 1e-3);
        NEAR(stress[SG_YZ], mu * (slope[1][2] + slope[2][1]), 1e-3);
        NEAR(stress[SG_XZ], mu * (slope[0][2] + slope[2][0]), 1e-3);
    }
    sg_element_integrate(shapes[_i], &steel, corners_of(shapes[_i]), &matrices);
    ck_assert(matrices.jacobian > 0);
    for (size_t j = 0; j < rows; j++)
        for (size_t i = 0; i < rows; i++) energy += u[i] * matrices.stiffness[i + rows * j] * u[j] / 2;
    for (size_t c = 0; c < 3; c++) density += stress[c] * slope[c][c] / 2;
    density += (stress[SG_XY] * (slope[0][1] + slope[1][0]) + stress[SG_YZ] * (slope[1][2] + slope[2][1]) +
                stress[SG_XZ] * (slope[0][2] + slope[2][0])) /
               2;
    double mass = 0;
    for (size_t j = 0; j < rows; j += 3)
        for (size_t i = 0; i < rows; i += 3) mass += matrices.mass[i + rows * j];
    NEAR(energy, density * mass / 7850, 1e-12 * energy);
}
END_TEST

/* squared circular frequencies of the free element, rising; 3 x nodes of them */
static struct sg_modal *modes_of(struct sg_arena *arena, enum sg_element_shape shape)
{
    struct sg_element_matrices matrices;
    struct sg_error err = {0};
    struct sg_modal *modal = NULL;
    size_t rows = 3 * sg_element_shape_nodes(shape);
    struct sg_triplets m = {.arena = arena, .n = rows}, k = {.arena = arena, .n = rows};
    struct sg_matrix mass = {0}, stiffness = {0};
    sg_element_integrate(shape, &steel, corners_of(shape), &matrices);
    for (size_t j = 0; j < rows; j++)
        for (size_t i = j; i < rows; i++) {
            sg_triplets_add(&m, i, j, matrices.mass[i + rows * j]);
            sg_triplets_add(&k, i, j, matrices.stiffness[i + rows * j]);
        }
    ck_assert(sg_matrix_assemble(arena, &mass, &m, &err) == SG_OK &&
              sg_matrix_assemble(arena, &stiffness, &k, &err) == SG_OK);
    ck_assert(sg_modal_create(arena, &mass, &stiffness, &modal, &err) == SG_OK);
    return modal;
}

/* six motions without energy and no seventh: rounding to 1e-13 of the largest */
START_TEST(six_motions_are_rigid)
{
    struct sg_arena arena = {0};
    struct sg_modal *modal = modes_of(&arena, shapes[_i]);
    ck_assert_uint_eq(modal->block_count, 1);
    for (size_t i = 0; i < 6; i++) NEAR(modal->k[i], 0, 1e-13 * modal->k[modal->n - 1]);
    ck_assert_msg(modal->k[6] > 1e-3 * modal->k[modal->n - 1], "%g", modal->k[6]);
    sg_arena_release(&arena);
}
END_TEST

/* of the brick by an independent program, nine digits: first two frequencies of the free element */
START_TEST(brick_has_its_frequencies)
{
    struct sg_arena arena = {0};
    struct sg_modal *modal = modes_of(&arena, SG_SHAPE_HEX8);
    NEAR(sqrt(modal->k[6]) / (2 * acos(-1.0)), 15811.7451, 1e-4);
    NEAR(sqrt(modal->k[7]) / (2 * acos(-1.0)), 18555.909, 1e-3);
    sg_arena_release(&arena);
}
END_TEST

START_TEST(what_is_inside_out_shows)
{
    struct sg_element_matrices matrices;
    double x[12];
    memcpy(x, tetrahedron, sizeof x);
    for (size_t c = 0; c < 3; c++) {
        x[3 + c] = tetrahedron[6 + c];
        x[6 + c] = tetrahedron[3 + c];
    }
    sg_element_integrate(SG_SHAPE_TET4, &steel, x, &matrices);
    ck_assert(matrices.jacobian < 0);
}
END_TEST

Suite *sg_suite_solid_elements(void)
{
    Suite *suite = suite_create("solid_elements");
    TCase *tests = tcase_create("elements");
    tcase_add_loop_test(tests, functions_interpolate, 0, SHAPES);
    tcase_add_loop_test(tests, points_integrate, 0, SHAPES);
    tcase_add_loop_test(tests, linear_fields_are_exact, 0, SHAPES);
    tcase_add_loop_test(tests, six_motions_are_rigid, 0, SHAPES);
    tcase_add_test(tests, brick_has_its_frequencies);
    tcase_add_test(tests, what_is_inside_out_shows);
    suite_add_tcase(suite, tests);
    return suite;
}
