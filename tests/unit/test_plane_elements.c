/* Elements in a plane on their own, and static problems with known solutions. */
#include "model/plane_element.h"
#include "plane_fixture.h"

static const char *const states[] = {"stress", "strain"};

/* --- shape functions ------------------------------------------------------------------------------ */

/* they are 1 at their node and 0 at the others, add up to 1, and their derivatives are those of differences
 */
START_TEST(functions_interpolate)
{
    const struct sg_plane_shape *shape = sg_plane_shape_find(plane_shapes[_i]);
    size_t count = sg_element_shape_nodes(plane_shapes[_i]);
    struct sg_plane_values at;
    for (size_t k = 0; k < count; k++) {
        shape->values(shape->nodes[k][0], shape->nodes[k][1], &at);
        for (size_t i = 0; i < count; i++) NEAR(at.n[i], i == k ? 1 : 0, 1e-15);
    }
    for (size_t p = 0; p < shape->point_count; p++) {
        double xi = shape->points[p].xi, eta = shape->points[p].eta, sum = 0, step = 1e-5;
        struct sg_plane_values right, left, above, below;
        shape->values(xi, eta, &at);
        shape->values(xi + step, eta, &right);
        shape->values(xi - step, eta, &left);
        shape->values(xi, eta + step, &above);
        shape->values(xi, eta - step, &below);
        for (size_t i = 0; i < count; i++) {
            sum += at.n[i];
            /* rounding, 1e-16 / 1e-5; the functions are of degree 2 along each axis: no other error */
            NEAR(at.d[i][0], (right.n[i] - left.n[i]) / (2 * step), 1e-10);
            NEAR(at.d[i][1], (above.n[i] - below.n[i]) / (2 * step), 1e-10);
        }
        NEAR(sum, 1, 1e-15);
    }
}
END_TEST

static double power(double x, int exponent)
{
    double out = 1;
    for (int k = 0; k < exponent; k++) out *= x;
    return out;
}

static double factorial(int n)
{
    return n < 2 ? 1 : n * factorial(n - 1);
}

/* int xi^a eta^b over the reference element */
static double monomial(bool triangle, int a, int b)
{
    if (triangle) return factorial(a) * factorial(b) / factorial(a + b + 2);
    return a % 2 == 1 || b % 2 == 1 ? 0 : 4.0 / ((a + 1) * (b + 1));
}

/* as exact as promised, and no more than that (else the promise is of another rule) */
START_TEST(points_integrate)
{
    static const int degrees[PLANE_SHAPES] = {2, 4, 3, 5, 5};
    bool triangle = sg_element_shape_corners(plane_shapes[_i]) == 3;
    const struct sg_plane_shape *shape = sg_plane_shape_find(plane_shapes[_i]);
    int degree = degrees[_i];
    for (int a = 0; a <= degree + 1; a++)
        for (int b = 0; b <= degree; b++) {
            double sum = 0;
            for (size_t p = 0; p < shape->point_count; p++)
                sum +=
                    shape->points[p].weight * power(shape->points[p].xi, a) * power(shape->points[p].eta, b);
            bool exact = triangle ? a + b <= degree : a <= degree;
            if (exact) NEAR(sum, monomial(triangle, a, b), 1e-15);
            if (a == degree + 1 && b == 0) ck_assert(fabs(sum - monomial(triangle, a, b)) > 1e-6);
        }
}
END_TEST

/* --- one element ---------------------------------------------------------------------------------- */

static const struct sg_plane_material steel = {200, 0.3, 1.5, 0.7, true};

/* A distorted element of any shape: corners moved, edges straight but those of the quadratic ones, whose
 * first middle is off the line. */
static void distorted(enum sg_element_shape shape, double *x)
{
    static const double corners[4][2] = {{3, 2}, {5.2, 2.3}, {5.0, 4.1}, {2.8, 3.6}};
    size_t count = sg_element_shape_nodes(shape), sides = sg_element_shape_corners(shape);
    memset(x, 0, SG_PLANE_DOFS * sizeof *x);
    for (size_t k = 0; k < sides; k++) memcpy(x + 2 * k, corners[k], 2 * sizeof *x);
    for (size_t k = sides; k < count; k++)
        for (size_t c = 0; c < 2; c++)
            x[2 * k + c] = k == 8 ? (x[c] + x[2 + c] + x[4 + c] + x[6 + c]) / 4
                                  : (x[2 * (k - sides) + c] + x[2 * ((k - sides + 1) % sides) + c]) / 2;
    if (count > sides) x[2 * sides + 1] -= 0.15;
}

/* Three eigenvalues are rounding, the fourth is that of a deformation: no mode without energy but the rigid
 * ones. */
START_TEST(three_motions_are_rigid)
{
    struct sg_plane_matrices matrices;
    struct sg_error err = {0};
    double x[SG_PLANE_DOFS], values[SG_PLANE_DOFS];
    size_t rows = 2 * sg_element_shape_nodes(plane_shapes[_i]);
    distorted(plane_shapes[_i], x);
    sg_plane_matrices(plane_shapes[_i], &steel, x, &matrices);
    ck_assert(matrices.jacobian > 0);
    ck_assert(sg_eigen_dense(rows, matrices.stiffness, values, &err) == SG_OK);
    for (size_t k = 0; k < 3; k++) NEAR(values[k], 0, 1e-13 * values[rows - 1]);
    ck_assert_msg(values[3] > 1e-3 * values[rows - 1], "%g of %g", values[3], values[rows - 1]);
}
END_TEST

/* of the polygon and, under the parabola of a first edge, 2/3 of its height times its width */
static double area_of(enum sg_element_shape shape, const double *x)
{
    size_t sides = sg_element_shape_corners(shape);
    double sum = 0;
    for (size_t k = 0; k < sides; k++) {
        const double *a = x + 2 * k, *b = x + 2 * ((k + 1) % sides);
        sum += (a[0] * b[1] - b[0] * a[1]) / 2;
    }
    bool bulge = sg_element_shape_nodes(shape) > sides;
    return bulge ? sum + 2.0 / 3 * 0.15 * (x[2] - x[0]) : sum;
}

/* Sums along each axis are the mass of the area; M is positive definite. */
START_TEST(mass_is_that_of_the_area)
{
    struct sg_plane_matrices matrices;
    struct sg_error err = {0};
    double x[SG_PLANE_DOFS], values[SG_PLANE_DOFS], along[2] = {0, 0}, across = 0;
    size_t rows = 2 * sg_element_shape_nodes(plane_shapes[_i]);
    distorted(plane_shapes[_i], x);
    sg_plane_matrices(plane_shapes[_i], &steel, x, &matrices);
    for (size_t j = 0; j < rows; j++)
        for (size_t i = 0; i < rows; i++) {
            double m = matrices.mass[i + rows * j];
            if (i % 2 == j % 2)
                along[i % 2] += m;
            else
                across += fabs(m);
        }
    double mass = 1.5 * 0.7 * area_of(plane_shapes[_i], x);
    NEAR(along[0], mass, 1e-14 * mass);
    NEAR(along[1], mass, 1e-14 * mass);
    NEAR(across, 0, 0);
    ck_assert(sg_eigen_dense(rows, matrices.mass, values, &err) == SG_OK);
    ck_assert(values[0] > 1e-4 * values[rows - 1]);
}
END_TEST

/* The square of side h with lumped mass: its highest mode is the uniform growth u = (x, y) by symmetry, of
 * omega^2 = 4 (D11 + D12) / (rho h^2) from the two energies. */
START_TEST(square_has_its_critical_step)
{
    struct sg_error err = {0};
    double x[8] = {0, 0, 0.5, 0, 0.5, 0.5, 0, 0.5}, values[8], d[3][3];
    struct sg_plane_matrices matrices;
    sg_plane_elasticity(&steel, d);
    sg_plane_matrices(SG_SHAPE_QUAD4, &steel, x, &matrices);
    double lumped = steel.density * steel.thickness * 0.25 / 4, h = 0.5;
    for (size_t k = 0; k < 64; k++) matrices.stiffness[k] /= lumped;
    ck_assert(sg_eigen_dense(8, matrices.stiffness, values, &err) == SG_OK);
    double expected = 4 * (d[0][0] + d[0][1]) / (steel.density * h * h);
    NEAR(values[7], expected, 1e-13 * expected);
}
END_TEST

START_TEST(bad_shapes_show_in_the_jacobian)
{
    struct sg_plane_matrices matrices;
    const double clockwise[8] = {0, 0, 0, 1, 1, 1, 1, 0}, concave[8] = {0, 0, 1, 0, 0.2, 0.2, 0, 1};
    sg_plane_matrices(SG_SHAPE_QUAD4, &steel, clockwise, &matrices);
    NEAR(matrices.jacobian, -0.25, 1e-15);
    /* of the corner that points inward: half of its edges' cross product, (0.8 x 0.8 - 0.2 x 0.2) */
    sg_plane_matrices(SG_SHAPE_QUAD4, &steel, concave, &matrices);
    NEAR(matrices.jacobian, -(0.8 * 0.8 - 0.2 * 0.2) / 4, 1e-15);
    ck_assert_uint_eq(matrices.at_corner, 2);
    /* the middle of an edge in its first quarter: the Jacobian vanishes at that corner */
    const double quarter[12] = {0, 0, 1, 0, 0, 1, 0.24, 0, 0.5, 0.5, 0, 0.5};
    sg_plane_matrices(SG_SHAPE_TRI6, &steel, quarter, &matrices);
    ck_assert(matrices.jacobian < 0);
    ck_assert_uint_eq(matrices.at_corner, 0);
}
END_TEST

/* --- patches -------------------------------------------------------------------------------------- */

/* exx, eyy, exy and the rotation of a field that is linear in x */
static void linear_field(const double *x, double *u)
{
    u[0] = 0.1 + 2e-3 * x[0] + 1.5e-3 * x[1];
    u[1] = -0.2 - 0.5e-3 * x[0] - 1e-3 * x[1];
}

/* Moves inner corners anywhere, and puts what lies on edges and in centers in their middles again. */
static void distort(const struct sg_system *system, double *x)
{
    unsigned long long seed = 12345;
    bool *seen = calloc(system->labels.node_count, sizeof *seen);
    ck_assert_ptr_nonnull(seen);
    for (size_t e = 0; e < sg_plane_elements_of(&system->aspects)->count; e++) {
        const struct sg_plane_element *element = &sg_plane_elements_of(&system->aspects)->items[e];
        for (size_t k = 0; k < sg_element_shape_corners(element->shape); k++) {
            double *at = x + 2 * element->node[k];
            bool inner = fabs(at[0]) < 0.99 && fabs(at[1]) < 0.49 && !seen[element->node[k]];
            seen[element->node[k]] = true;
            for (size_t c = 0; inner && c < 2; c++) {
                seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
                at[c] += 0.12 * ((double)(seed >> 11) / 4503599627370496.0 - 1.0);
            }
        }
    }
    free(seen);
    for (size_t e = 0; e < sg_plane_elements_of(&system->aspects)->count; e++) {
        const struct sg_plane_element *element = &sg_plane_elements_of(&system->aspects)->items[e];
        const size_t *node = element->node;
        size_t sides = sg_element_shape_corners(element->shape);
        for (size_t k = sides; k < sg_element_shape_nodes(element->shape); k++)
            for (size_t c = 0; c < 2; c++)
                x[2 * node[k] + c] =
                    k == 8 ? (x[2 * node[0] + c] + x[2 * node[1] + c] + x[2 * node[2] + c] +
                              x[2 * node[3] + c]) /
                                 4
                           : (x[2 * node[k - sides] + c] + x[2 * node[(k - sides + 1) % sides] + c]) / 2;
    }
}

/* sxx, syy, sxy, szz of the linear field, from Hooke's law in three dimensions rather than from D */
static void hooke(bool strain, double out[SG_PLANE_STRESSES])
{
    double e = 200, nu = 0.3, exx = 2e-3, eyy = -1e-3, exy = (1.5e-3 - 0.5e-3) / 2;
    double ezz = strain ? 0 : -nu / (1 - nu) * (exx + eyy);
    double lame = e * nu / ((1 + nu) * (1 - 2 * nu)), mu = e / (2 * (1 + nu)), trace = exx + eyy + ezz;
    const double stress[SG_PLANE_STRESSES] = {lame * trace + 2 * mu * exx, lame * trace + 2 * mu * eyy,
                                              2 * mu * exy, lame * trace + 2 * mu * ezz};
    memcpy(out, stress, sizeof stress);
}

static void check_stresses(const struct sg_system *system, const double *x, const double *u, bool strain)
{
    double expected[SG_PLANE_STRESSES];
    hooke(strain, expected);
    for (size_t e = 0; e < sg_plane_elements_of(&system->aspects)->count; e++) {
        const struct sg_plane_element *element = &sg_plane_elements_of(&system->aspects)->items[e];
        const struct sg_plane_shape *shape = sg_plane_shape_find(element->shape);
        double at[SG_PLANE_DOFS], move[SG_PLANE_DOFS], stress[SG_PLANE_STRESSES];
        for (size_t i = 0; i < 2 * sg_element_shape_nodes(element->shape); i++) {
            at[i] = x[2 * element->node[i / 2] + i % 2];
            move[i] = u[2 * element->node[i / 2] + i % 2];
        }
        for (size_t p = 0; p < shape->point_count; p++) {
            struct sg_plane_place place = {element->shape, at, move, shape->points[p].xi,
                                           shape->points[p].eta};
            sg_plane_stress_at(&place, &sg_plane_elements_of(&system->aspects)->materials[element->material],
                               stress);
            for (size_t c = 0; c < SG_PLANE_STRESSES; c++) NEAR(stress[c], expected[c], 1e-12);
        }
    }
}

/* A patch of distorted elements whose boundary follows a linear field follows it inside, with its stresses:
 * to 1e-12 of the largest displacement (0.2) and of stresses (0.5). */
START_TEST(patches_hold_linear_fields)
{
    bool strain = _i % 2 == 1;
    struct plane_mesh mesh = {plane_shapes[_i / 2], 2, 1, 4, 3, states[_i % 2]};
    struct fixture f = plane_model(&mesh);
    size_t n = f.system->n_full;
    double *x = plane_zeros(n), *u = plane_zeros(n), *exact = plane_zeros(n), *none = plane_zeros(n);
    bool *held = calloc(n, sizeof *held);
    ck_assert_ptr_nonnull(held);
    memcpy(x, f.system->labels.node_positions, n * sizeof *x);
    distort(f.system, x);
    double *k = plane_stiffness(f.system, x);
    for (size_t i = 0; i < n; i += 2) linear_field(x + i, exact + i);
    struct sg_node_list boundary = plane_nodes(f.system, "b.boundary");
    for (size_t i = 0; i < 2 * boundary.count; i++) {
        size_t dof = 2 * sg_node_list_at(&boundary, i / 2) + i % 2;
        held[dof] = true;
        u[dof] = exact[dof];
    }
    ck_assert(2 * boundary.count < n);
    plane_solve(n, k, held, none, u);
    for (size_t i = 0; i < n; i++) NEAR(u[i], exact[i], 1e-12 * 0.2);
    check_stresses(f.system, x, u, strain);
    free(x);
    free(u);
    free(exact);
    free(none);
    free(held);
    free(k);
    fixture_release(&f);
}
END_TEST

/* --- cantilever ----------------------------------------------------------------------------------- */

/* Timoshenko and Goodier, Theory of Elasticity, article 21: a cantilever of length L and depth D that a
 * parabolic shear traction of resultant P bends down at x = L, in plane stress; here about the middle of the
 * mesh. */
enum { LENGTH = 4, DEPTH = 2 };
static const double load = 1.0;

static void timoshenko(const double *at, double *u)
{
    double l = LENGTH, d = DEPTH, e = 200, nu = 0.3, t = 0.7, x = at[0] + l / 2, y = at[1];
    double factor = load / (6 * e * t * d * d * d / 12);
    u[0] = factor * y * ((6 * l - 3 * x) * x + (2 + nu) * (y * y - d * d / 4));
    u[1] = -factor * (3 * nu * y * y * (l - x) + (4 + 5 * nu) * d * d * x / 4 + (3 * l - x) * x * x);
}

/* the traction over an edge of the right side, by Gauss' three points: exact up to degree 5 */
static void load_edge(const double *x, const struct sg_set_edge *edge, double *f)
{
    static const double points[3][2] = {
        {-0.77459666924148337704, 5.0 / 9}, {0, 8.0 / 9}, {0.77459666924148337704, 5.0 / 9}};
    double a = x[2 * edge->node[0] + 1], b = x[2 * edge->node[1] + 1], d = DEPTH;
    for (size_t p = 0; p < 3; p++) {
        double s = points[p][0], y = (a + b) / 2 + s * (b - a) / 2;
        double traction = -load * 6 / (d * d * d) * (d * d / 4 - y * y) * points[p][1] * (b - a) / 2;
        bool linear = edge->shape == SG_SHAPE_LINE2;
        f[2 * edge->node[0] + 1] += traction * (linear ? (1 - s) / 2 : s * (s - 1) / 2);
        f[2 * edge->node[1] + 1] += traction * (linear ? (1 + s) / 2 : s * (s + 1) / 2);
        if (!linear) f[2 * edge->node[2] + 1] += traction * (1 - s * s);
    }
}

/* the largest error of a node, relative to the tip's displacement */
static double cantilever_error(enum sg_element_shape shape, int cells)
{
    struct plane_mesh mesh = {shape, LENGTH, DEPTH, 2 * cells, cells, "stress"};
    struct fixture f = plane_model(&mesh);
    size_t n = f.system->n_full;
    const double *x = f.system->labels.node_positions, tip[2] = {LENGTH / 2.0, 0};
    double *force = plane_zeros(n), *u = plane_zeros(n), *k = plane_stiffness(f.system, x), worst = 0,
           exact[2];
    bool *held = calloc(n, sizeof *held);
    ck_assert_ptr_nonnull(held);
    struct sg_node_list left = plane_nodes(f.system, "b.left"), right = plane_nodes(f.system, "b.right");
    for (size_t i = 0; i < left.count; i++) {
        size_t dof = 2 * sg_node_list_at(&left, i);
        timoshenko(x + dof, u + dof);
        held[dof] = held[dof + 1] = true;
    }
    for (size_t i = 0; i < right.set->edge_count; i++) load_edge(x, &right.set->edges[i], force);
    plane_solve(n, k, held, force, u);
    for (size_t i = 0; i < n; i += 2) {
        timoshenko(x + i, exact);
        worst = fmax(worst, hypot(u[i] - exact[0], u[i + 1] - exact[1]));
    }
    timoshenko(tip, exact);
    free(force);
    free(u);
    free(k);
    free(held);
    fixture_release(&f);
    return worst / fabs(exact[1]);
}

/* Order 2 of the linear elements. The quadratic ones, of order 3 in the mean, are better at nodes of a
 * regular mesh (quad9: 4). Orders by halving the elements, within 15 % of those. */
START_TEST(cantilevers_converge)
{
    static const double orders[PLANE_SHAPES] = {2, 3, 2, 3, 3};
    static const int cells[PLANE_SHAPES] = {4, 2, 4, 2, 2};
    double coarse = cantilever_error(plane_shapes[_i], cells[_i]);
    double fine = cantilever_error(plane_shapes[_i], 2 * cells[_i]), order = log2(coarse / fine);
    ck_assert_msg(order > 0.85 * orders[_i], "%s: errors %g, %g, order %g",
                  sg_element_shape_name(plane_shapes[_i]), coarse, fine, order);
    ck_assert_msg(fine < (orders[_i] > 2 ? 2e-3 : 5e-2), "error %g", fine);
}
END_TEST

Suite *sg_suite_plane_elements(void)
{
    Suite *suite = suite_create("plane_elements");
    TCase *tests = tcase_create("elements in a plane");
    tcase_add_loop_test(tests, functions_interpolate, 0, PLANE_SHAPES);
    tcase_add_loop_test(tests, points_integrate, 0, PLANE_SHAPES);
    tcase_add_loop_test(tests, three_motions_are_rigid, 0, PLANE_SHAPES);
    tcase_add_loop_test(tests, mass_is_that_of_the_area, 0, PLANE_SHAPES);
    tcase_add_test(tests, square_has_its_critical_step);
    tcase_add_test(tests, bad_shapes_show_in_the_jacobian);
    tcase_add_loop_test(tests, patches_hold_linear_fields, 0, 2 * PLANE_SHAPES);
    tcase_add_loop_test(tests, cantilevers_converge, 0, PLANE_SHAPES);
    suite_add_tcase(suite, tests);
    return suite;
}
