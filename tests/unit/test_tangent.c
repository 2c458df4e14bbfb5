/* Systems with nonlinear elements: internal force, tangent, energies and powers that belong together. */
#include "element_fixture.h"
#include "model/tangent.h"
#include "support/memory.h"

/* has what a test makes */
static struct sg_arena arena;

static void release_arena(void)
{
    sg_arena_release(&arena);
}

#define STEP 1e-5

/* every kind of the axis, beside linear springs and dashpots; p.4 is held displaced */
#define MIXED(support)                                                                                       \
    "bodies = ( { type = \"particles\"; name = \"p\"; positions = [0.0, 1.0, 2.5, 4.0, 5.0];"                \
    "  masses = [1, 2, 3, 4, 5]; springs = ( { nodes = [1, 2]; stiffness = 40; damping = 2; } ); } );"       \
    "supports = ( { node = \"p.0\"; " support "}, { node = \"p.4\"; } );"                                    \
    "elements = ( { type = \"spring\"; nodes = [\"p.0\", \"p.1\"]; stiffness = 10; length = 0.8; },"         \
    "  { type = \"spring\"; nodes = [\"p.1\", \"p.3\"]; stiffness = 5; },"                                   \
    "  { type = \"dashpot\"; nodes = [\"p.3\", \"p.4\"]; coefficient = 3; exponent = 3; },"                  \
    "  { type = \"dashpot\"; nodes = [\"p.0\", \"p.2\"]; coefficient = 2; exponent = 2; },"                  \
    "  { type = \"van_der_pol\"; node = \"p.2\"; coefficient = 4; scale = 0.5; } );"                         \
    "initial = ( { body = \"p\"; displacement = 0.1; velocity = 0.4; velocity_slope = 0.3; } );"
#define MOVING "motion = { type = \"harmonic\"; amplitude = 0.3; frequency = 0.2; };"

/* --- a plane chain from a model on the axis: dofs 2 i and 2 i + 1 are x and y of node i ----------- */

static void take_elements(struct fixture *f)
{
    struct sg_error err = {0};
    ck_assert(sg_element_dofs_init(&f->system->arena, &f->system->scratch->elements, f->system, &err) ==
              SG_OK);
}

static void join(struct fixture *f, size_t a, size_t b)
{
    const size_t first[2] = {2 * a, 2 * b};
    struct sg_element e = sg_element_on_nodes(&sg_element_spring, first, 2, 2);
    e.parameter[SG_SPRING_STIFFNESS] = 3;
    e.parameter[SG_SPRING_LENGTH] = 0.9;
    sg_elements_add(&f->system->elements, &e);
}

static void bend(struct fixture *f, size_t a)
{
    const size_t first[3] = {2 * a, 2 * a + 2, 2 * a + 4};
    struct sg_element e = sg_element_on_nodes(&sg_element_torsion_spring, first, 3, 2);
    e.parameter[SG_TORSION_STIFFNESS] = 0.5;
    e.parameter[SG_TORSION_ANGLE] = 0.2;
    sg_elements_add(&f->system->elements, &e);
}

static struct fixture plane_chain(size_t nodes)
{
    struct sg_text text = {0};
    for (int k = 0; k < 2; k++) {
        sg_text_append(&text, k == 0 ? "bodies = ( { type = \"particles\"; name = \"p\"; positions = ["
                                     : "]; masses = [");
        for (size_t i = 0; i < 2 * nodes; i++) {
            double x = (double)(i / 2), y = 0.3 * sin(x);
            sg_text_append(&text, "%s%.6f", i == 0 ? "" : ", ", k == 1 ? 1.0 : i % 2 == 0 ? x : y);
        }
    }
    sg_text_append(&text, "]; } );");
    struct fixture f = fixture_model(sg_text_view(&text));
    sg_text_release(&text);
    for (size_t i = 0; i + 1 < nodes; i++) join(&f, i, i + 1);
    for (size_t i = 0; i + 2 < nodes; i++) bend(&f, i);
    return f;
}

/* --- tangents ------------------------------------------------------------------------------------- */

struct state {
    double t, *u, *v;
};

static struct state state_of(const struct fixture *f, double size)
{
    unsigned long long seed = 23;
    struct state at = {.t = 0.7};
    ck_assert(SG_NEW(&at.u, f->system->n, NULL) == SG_OK && SG_NEW(&at.v, f->system->n, NULL) == SG_OK);
    for (size_t i = 0; i < f->system->n; i++) {
        at.u[i] = size * element_random(&seed);
        at.v[i] = element_random(&seed);
    }
    return at;
}

static void release_state(struct state *at)
{
    sg_free(at->u);
    sg_free(at->v);
}

/* column j of d(internal)/d(x), x one of the state's arrays: central difference of order 4 */
static void difference(const struct sg_system *system, struct state *at, double *x, size_t j, double *column)
{
    static const double offset[4] = {-2, -1, 1, 2};
    double was = x[j], *f[4] = {NULL, NULL, NULL, NULL};
    for (size_t k = 0; k < 4; k++) {
        ck_assert(SG_NEW(&f[k], system->n, NULL) == SG_OK);
        x[j] = was + offset[k] * STEP;
        sg_system_internal(system, at->t, at->u, at->v, f[k]);
    }
    x[j] = was;
    for (size_t i = 0; i < system->n; i++)
        column[i] = (8 * (f[2][i] - f[1][i]) - (f[3][i] - f[0][i])) / (12 * STEP);
    for (size_t k = 0; k < 4; k++) sg_free(f[k]);
}

struct check {
    const struct sg_system *system;
    struct state *at;
    const struct sg_matrix *matrix;
    double *x; /* what the matrix is the derivative by */
};

/* 1e-7 of the largest entry: differences are good to some 1e-10 of it */
static void compare_column(const struct check *check, size_t j)
{
    double *column = NULL, limit = 1e-7 * fmax(sg_matrix_max_abs(check->matrix), 1e-2);
    ck_assert(SG_NEW(&column, check->system->n, NULL) == SG_OK);
    difference(check->system, check->at, check->x, j, column);
    for (size_t i = 0; i < check->system->n; i++)
        NEAR(sg_matrix_entry(check->matrix, i, j), column[i], limit);
    sg_free(column);
}

static void check_tangent(const struct sg_system *system, enum sg_matrix_class K, enum sg_matrix_class C,
                          size_t stride)
{
    struct fixture f = {.system = (struct sg_system *)system};
    struct sg_tangent tangent;
    struct sg_error err = {0};
    ck_assert_msg(sg_tangent_init(&arena, &tangent, system, &err) == SG_OK, "%s", err.text);
    ck_assert_int_eq((int)tangent.K.kind, (int)K);
    ck_assert_int_eq((int)tangent.C.kind, (int)C);
    for (int round = 0; round < 2; round++) { /* the second update must not see the first */
        struct state at = state_of(&f, round == 0 ? 0.3 : 0.1);
        sg_tangent_update(&tangent, system, at.t, at.u, at.v);
        struct check stiffness = {system, &at, &tangent.K, at.u}, damping = {system, &at, &tangent.C, at.v};
        for (size_t j = 0; j < system->n; j += stride) {
            compare_column(&stiffness, j);
            compare_column(&damping, j);
        }
        release_state(&at);
    }
}

START_TEST(tangent_of_mixed_elements)
{
    struct fixture f = fixture_model(MIXED(MOVING));
    ck_assert_uint_eq(f.system->n, 3);
    check_tangent(f.system, SG_DENSE, SG_TRIDIAGONAL, 1);
    fixture_release(&f);
}
END_TEST

START_TEST(tangent_of_a_chain_is_banded)
{
    struct fixture f = plane_chain(16);
    take_elements(&f);
    check_tangent(f.system, SG_BANDED, SG_DIAGONAL, 1);
    fixture_release(&f);
}
END_TEST

START_TEST(tangent_of_a_ring_is_dense)
{
    struct fixture f = plane_chain(12);
    join(&f, 0, 11);
    take_elements(&f);
    check_tangent(f.system, SG_DENSE, SG_DIAGONAL, 1);
    fixture_release(&f);
}
END_TEST

START_TEST(tangent_of_a_large_ring_is_sparse)
{
    struct fixture f = plane_chain(1100);
    join(&f, 0, 1099);
    take_elements(&f);
    check_tangent(f.system, SG_SPARSE, SG_DIAGONAL, 73);
    fixture_release(&f);
}
END_TEST

START_TEST(tangent_without_elements_is_the_system)
{
    struct fixture f = fixture_model(RICH);
    struct sg_tangent tangent;
    struct sg_error err = {0};
    struct state at = state_of(&f, 1);
    ck_assert(sg_tangent_init(&arena, &tangent, f.system, &err) == SG_OK);
    sg_tangent_update(&tangent, f.system, at.t, at.u, at.v);
    for (size_t i = 0; i < f.system->n; i++)
        for (size_t j = 0; j < f.system->n; j++) {
            ck_assert(sg_matrix_entry(&tangent.K, i, j) == sg_matrix_entry(&f.system->K, i, j));
            ck_assert(sg_matrix_entry(&tangent.C, i, j) == sg_matrix_entry(&f.system->C, i, j));
        }
    release_state(&at);
    fixture_release(&f);
}
END_TEST

/* --- energies ------------------------------------------------------------------------------------- */

START_TEST(force_is_the_gradient_of_the_strain_energy)
{
    struct fixture f = plane_chain(8);
    take_elements(&f);
    const struct sg_system *system = f.system;
    struct state at = state_of(&f, 0.3);
    double force[16], rest[16] = {0};
    sg_system_internal(system, at.t, at.u, rest, force);
    for (size_t j = 0; j < 16; j++) {
        double was = at.u[j], s[2];
        for (size_t k = 0; k < 2; k++) {
            at.u[j] = was + (k == 0 ? -STEP : STEP);
            s[k] = sg_system_strain(system, at.u, at.t);
        }
        at.u[j] = was;
        NEAR(force[j], (s[1] - s[0]) / (2 * STEP), 1e-8); /* h^2 f2 / 6 + eps / h, forces near 1 */
    }
    release_state(&at);
    fixture_release(&f);
}
END_TEST

START_TEST(damping_power_is_what_the_velocity_dependent_forces_do)
{
    struct fixture f = fixture_model(MIXED(""));
    const struct sg_system *system = f.system;
    struct state at = state_of(&f, 0.3);
    double moving[3], still[3], rest[3] = {0}, power = 0;
    sg_system_internal(system, 0, at.u, at.v, moving);
    sg_system_internal(system, 0, at.u, rest, still);
    for (size_t i = 0; i < 3; i++) power += at.v[i] * (moving[i] - still[i]);
    NEAR(sg_system_damping_power(system, at.u, at.v, 0), power, 1e-13 * fabs(power)); /* some ten roundings */
    release_state(&at);
    fixture_release(&f);
}
END_TEST

/* While the free dofs stand still all work of the moving support goes into strain energy and its own kinetic
 * energy; dampers apart. */
START_TEST(support_work_against_elements)
{
    struct fixture f = fixture_model(
        "bodies = ( { type = \"particles\"; name = \"p\"; positions = [0.0, 1.0]; masses = [2, 3]; } );"
        "supports = ( { node = \"p.0\"; motion = { type = \"harmonic\"; amplitude = 0.3; frequency = 0.2; }; "
        "} );"
        "elements = ( { type = \"spring\"; nodes = [\"p.0\", \"p.1\"]; stiffness = 10; length = 0.8; } );");
    const struct sg_system *system = f.system;
    const double u[1] = {0.15}, v[1] = {0};
    double work = 0, h = 0.01, end = 1.5;
    for (int k = 0; k < 150; k++) {
        struct sg_step_ends step = {k * h, (k + 1) * h, u, v, u, v};
        work += sg_system_support_work(system, &step);
    }
    double change = sg_system_strain(system, u, end) - sg_system_strain(system, u, 0) +
                    sg_system_kinetic(system, v, end) - sg_system_kinetic(system, v, 0);
    ck_assert(fabs(change) > 0.1);
    NEAR(work, change, 1e-8); /* Simpson's rule: h^4 / 180 times derivatives near 10 */
    fixture_release(&f);
}
END_TEST

START_TEST(damping_work_of_elements_alone)
{
    struct fixture f =
        fixture_model("bodies = ( { type = \"particles\"; name = \"p\"; positions = [0.0]; masses = [2]; } );"
                      "elements = ( { type = \"dashpot\"; node = \"p\"; coefficient = 3; exponent = 2; } );");
    const double u0[1] = {0}, u1[1] = {1}, v[1] = {2};
    struct sg_step_ends step = {0, 0.5, u0, v, u1, v};
    SAME(sg_system_damping_work_simpson(f.system, &step), 12); /* c v^3 h at constant speed */
    fixture_release(&f);
}
END_TEST

#define TWINS(springs, elements)                                                                             \
    "bodies = ( { type = \"particles\"; name = \"p\"; positions = [0.0, 0.0, 0.0]; masses = [1, 2, "         \
    "3];" springs " } ); supports = ( { node = \"p.0\"; motion = { type = \"harmonic\"; amplitude = 0.3; "   \
    "frequency = 0.2; "                                                                                      \
    "}; } );" elements

/* springs without undeformed length between nodes at one place are linear: the same as those of K */
START_TEST(staggered_strain_of_linear_elements_is_that_of_K)
{
    struct fixture a = fixture_model(
        TWINS("springs = ( { nodes = [0, 1]; stiffness = 4; }, { nodes = [1, 2]; stiffness = 7; } );", ""));
    struct fixture b = fixture_model(
        TWINS("", "elements = ( { type = \"spring\"; nodes = [\"p.0\", \"p.1\"]; stiffness = 4; },"
                  "{ type = \"spring\"; nodes = [\"p.1\", \"p.2\"]; stiffness = 7; } );"));
    const double u[2] = {0.4, -0.7}, next[2] = {0.45, -0.5};
    struct sg_snapshot now = {.t = 0.6, .u = u, .v = u, .u_next = next, .t_next = 0.9};
    SAME(sg_system_strain(a.system, u, 0.6), sg_system_strain(b.system, u, 0.6));
    SAME(sg_system_staggered_strain(a.system, &now), sg_system_staggered_strain(b.system, &now));
    fixture_release(&a);
    fixture_release(&b);
}
END_TEST

START_TEST(staggered_strain_by_its_definition)
{
    struct fixture f = plane_chain(6);
    take_elements(&f);
    struct state x = state_of(&f, 0.3), y = state_of(&f, 0.2);
    double fx[12], fy[12], rest[12] = {0}, product = 0;
    sg_system_internal(f.system, 0, x.u, rest, fx);
    sg_system_internal(f.system, 0, y.u, rest, fy);
    for (size_t i = 0; i < 12; i++) product += (y.u[i] - x.u[i]) * (fy[i] - fx[i]);
    double wanted =
        (sg_system_strain(f.system, x.u, 0) + sg_system_strain(f.system, y.u, 0)) / 2 - product / 4;
    struct sg_snapshot now = {.u = x.u, .v = x.v, .u_next = y.u};
    NEAR(sg_system_staggered_strain(f.system, &now), wanted,
         1e-14); /* coordinates up to 6: eps of their lengths */
    release_state(&x);
    release_state(&y);
    fixture_release(&f);
}
END_TEST

Suite *sg_suite_tangent(void)
{
    Suite *suite = suite_create("tangent");
    TCase *matrices = tcase_create("matrices");
    tcase_add_checked_fixture(matrices, NULL, release_arena);
    tcase_add_test(matrices, tangent_of_mixed_elements);
    tcase_add_test(matrices, tangent_of_a_chain_is_banded);
    tcase_add_test(matrices, tangent_of_a_ring_is_dense);
    tcase_add_test(matrices, tangent_of_a_large_ring_is_sparse);
    tcase_add_test(matrices, tangent_without_elements_is_the_system);
    suite_add_tcase(suite, matrices);
    TCase *energies = tcase_create("energies");
    tcase_add_checked_fixture(energies, NULL, release_arena);
    tcase_add_test(energies, force_is_the_gradient_of_the_strain_energy);
    tcase_add_test(energies, damping_power_is_what_the_velocity_dependent_forces_do);
    tcase_add_test(energies, support_work_against_elements);
    tcase_add_test(energies, damping_work_of_elements_alone);
    tcase_add_test(energies, staggered_strain_of_linear_elements_is_that_of_K);
    tcase_add_test(energies, staggered_strain_by_its_definition);
    suite_add_tcase(suite, energies);
    return suite;
}
