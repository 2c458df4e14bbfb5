#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "model_fixture.h"

#define BAR(rest)                                                                                            \
    "bodies = ( { type = \"bar\"; length = 2.0; area = 3.0; modulus = 5.0; density = 7.0; " rest " } );"

/* --- bodies ------------------------------------------------------------------------------------------- */

static const struct {
    const char *mass;
    double own, coupling; /* of an element of mass 1 */
} masses[] = {{"consistent", 1.0 / 3, 1.0 / 6}, {"lumped", 0.5, 0}, {"average", 5.0 / 12, 1.0 / 12}};

/* four elements of length 0.5: m = 7 * 3 * 0.5 kg, k = 5 * 3 / 0.5 N/m */
START_TEST(bar_matrices_equal_hand_formulas)
{
    char deck[256];
    snprintf(deck, sizeof deck, BAR("elements = 4; mass = \"%s\";"), masses[_i].mass);
    struct fixture f = fixture_model(deck);
    const struct sg_system *s = f.system;
    double m = 10.5, k = 30;
    ck_assert_uint_eq(s->n, 5);
    ck_assert_int_eq(s->M.kind, masses[_i].coupling == 0 ? SG_DIAGONAL : SG_TRIDIAGONAL);
    ck_assert_int_eq(s->K.kind, SG_TRIDIAGONAL);
    for (size_t i = 0; i < 5; i++) {
        double share = i == 0 || i == 4 ? 1 : 2;
        SAME(sg_matrix_entry(&s->M, i, i), share * masses[_i].own * m);
        SAME(sg_matrix_entry(&s->K, i, i), share * k);
        if (i == 4) continue;
        SAME(sg_matrix_entry(&s->M, i + 1, i), masses[_i].coupling * m);
        SAME(sg_matrix_entry(&s->K, i + 1, i), -k);
    }
    SAME(s->max_stiffness, 2 * k);
    double total = 0;
    for (size_t i = 0; i < 5; i++) total += s->momentum[i];
    SAME(total, 42); /* rho A L */
    fixture_release(&f);
}
END_TEST

START_TEST(a_rigid_motion_has_no_strain)
{
    struct fixture f = fixture_model(BAR("elements = 4;"));
    double ones[5] = {1, 1, 1, 1, 1}, force[5];
    sg_matrix_multiply(&f.system->K, ones, force);
    for (size_t i = 0; i < 5; i++) NEAR(force[i], 0, 0); /* the entries cancel exactly */
    NEAR(sg_system_strain(f.system, ones, 0), 0, 0);
    SAME(sg_system_kinetic(f.system, ones, 0), 21); /* m / 2 */
    struct sg_modal *modal = NULL;
    ck_assert_int_eq(sg_modal_create(&f.system->M, &f.system->K, &modal, &f.err), SG_OK);
    NEAR(modal->k[0], 0, 1e-12); /* rounding of the largest, about 30 */
    ck_assert_double_gt(modal->k[1], 0.1);
    sg_modal_destroy(modal);
    fixture_release(&f);
}
END_TEST

static double first_frequency_error(const char *mass, int elements)
{
    char deck[320];
    snprintf(deck, sizeof deck,
             BAR("elements = %d; mass = \"%s\";") "supports = ( { node = \"bar.left\"; } );", elements, mass);
    struct fixture f = fixture_model(deck);
    struct sg_modal *modal = NULL;
    ck_assert_int_eq(sg_modal_create(&f.system->M, &f.system->K, &modal, &f.err), SG_OK);
    double exact = acos(-1.0) / 2 * sqrt(5.0 / 7.0) / 2.0; /* pi c / (2 L) */
    double error = fabs(sqrt(modal->k[0]) - exact) / exact;
    sg_modal_destroy(modal);
    fixture_release(&f);
    return error;
}

START_TEST(first_frequency_converges)
{
    /* order 2 for consistent and lumped, whose errors have opposite signs; the average has order 4 */
    static const double order[] = {2, 2, 4};
    double coarse = first_frequency_error(masses[_i].mass, 10);
    double fine = first_frequency_error(masses[_i].mass, 20);
    NEAR(log2(coarse / fine), order[_i], 0.03); /* next term of the series */
}
END_TEST

/* u(x) = rho g (L x - x^2 / 2) / E, met by linear elements exactly at their nodes */
START_TEST(static_elongation_equals_closed_form)
{
    struct fixture f =
        fixture_model(BAR("elements = 8;") "supports = ( { node = \"bar.left\"; } );"
                                           "loads = ( { type = \"gravity\"; acceleration = 9.81; } );");
    struct sg_system *s = f.system;
    struct sg_modal *modal = NULL;
    ck_assert_int_eq(sg_modal_create(&s->M, &s->K, &modal, &f.err), SG_OK);
    ck_assert_int_eq(sg_system_to_modal(s, modal, &f.err), SG_OK);
    double load[8], y[8], full[9];
    sg_system_load(s, 0, load);
    for (size_t i = 0; i < 8; i++) y[i] = load[i] / modal->k[i];
    sg_system_expand(s, y, 0, 0, full);
    for (size_t i = 0; i < 9; i++) {
        double x = 0.25 * (double)i;
        NEAR(full[i], 7 * 9.81 / 5 * (2 * x - x * x / 2), 1e-11); /* condition 1e3, values near 30 */
    }
    /* half of the lost potential is stored */
    NEAR(sg_system_strain(s, y, 0), -sg_system_gravity_energy(s, y, 0) / 2, 1e-9);
    fixture_release(&f);
}
END_TEST

START_TEST(particles_have_springs_and_dashpots)
{
    struct fixture f = fixture_model(
        "bodies = ( { type = \"particles\"; name = \"p\"; positions = [3, 1, 2]; masses = [1, 2, 4];"
        "  springs = ( { nodes = [0, 2]; stiffness = 10; damping = 0.5; }, { node = 1; stiffness = 7; } ); } "
        ");");
    const struct sg_system *s = f.system;
    static const double K[3][3] = {{10, 0, -10}, {0, 7, 0}, {-10, 0, 10}};
    static const double C[3][3] = {{0.5, 0, -0.5}, {0, 0, 0}, {-0.5, 0, 0.5}};
    for (size_t i = 0; i < 3; i++)
        for (size_t j = 0; j < 3; j++) {
            NEAR(sg_matrix_entry(&s->K, i, j), K[i][j], 0);
            NEAR(sg_matrix_entry(&s->C, i, j), C[i][j], 0);
        }
    ck_assert_int_eq(s->M.kind, SG_DIAGONAL);
    ck_assert_int_eq(s->K.kind, SG_DENSE); /* bandwidth 2 of 3 */
    ck_assert(s->damped && !s->proportional);
    ck_assert_uint_eq(s->labels.element_count, 1);
    ck_assert_int_eq(s->labels.element_nodes[0], 0);
    ck_assert_int_eq(s->labels.element_nodes[1], 2);
    fixture_release(&f);
}
END_TEST

START_TEST(classes_follow_the_bandwidth)
{
    /* a chain of 12 whose springs join next neighbours but one: bandwidth 2 */
    char deck[2048] = "bodies = ( { type = \"particles\"; positions = [0,1,2,3,4,5,6,7,8,9,10,11];"
                      "masses = [1,1,1,1,1,1,1,1,1,1,1,1]; springs = (";
    for (int i = 0; i + 2 < 12; i++)
        snprintf(deck + strlen(deck), sizeof deck - strlen(deck), "%s{ nodes = [%d, %d]; stiffness = 1; }",
                 i == 0 ? " " : ", ", i, i + 2);
    snprintf(deck + strlen(deck), sizeof deck - strlen(deck), " ); } );");
    struct fixture f = fixture_model(deck);
    ck_assert_int_eq(f.system->K.kind, SG_BANDED);
    ck_assert_uint_eq(f.system->K.width, 2);
    ck_assert_int_eq(f.system->C.kind, SG_DIAGONAL);
    ck_assert(f.system->C.zero && !f.system->damped && f.system->proportional);
    fixture_release(&f);
}
END_TEST

/* --- names -------------------------------------------------------------------------------------------- */

START_TEST(nodes_are_found_by_name)
{
    struct fixture f = fixture_model(
        "bodies = ( { type = \"bar\"; name = \"a\"; length = 1; area = 1; modulus = 1; density = 1;"
        "  elements = 2; position = 4.0; direction = \"negative\"; },"
        "  { type = \"particles\"; name = \"ball\"; positions = [9.0]; masses = [1.0]; } );");
    struct sg_node_ref ref = {0};
    const struct sg_node *root = sg_deck_root(f.deck);
    static const struct {
        const char *name;
        size_t node;
        double position;
    } found[] = {{"a.left", 2, 3}, {"a.right", 0, 4},    {"a.0", 0, 4},   {"a.1", 1, 3.5},
                 {"ball", 3, 9},   {"ball.right", 3, 9}, {"ball.0", 3, 9}};
    for (size_t k = 0; k < sizeof found / sizeof *found; k++) {
        ck_assert(sg_system_find_node(f.system, found[k].name, root, "bodies", &f.diagnostics, &ref));
        ck_assert_uint_eq(ref.node, found[k].node);
        ck_assert_uint_eq(ref.full_dof, found[k].node);
        NEAR(ref.position, found[k].position, 0); /* binary fractions */
    }
    static const char *const lost[] = {
        "a", "a.3", "a.-1", "a.x", "a.", "", "b.left", "a.99999999999999999999", "al"};
    for (size_t k = 0; k < sizeof lost / sizeof *lost; k++) {
        size_t errors = f.diagnostics.errors;
        ck_assert(!sg_system_find_node(f.system, lost[k], root, "bodies", &f.diagnostics, &ref));
        ck_assert_uint_eq(f.diagnostics.errors, errors + 1);
    }
    ck_assert_str_eq(f.system->labels.dof_names[1], "a.1");
    ck_assert_str_eq(f.system->labels.dof_names[3], "ball.0");
    ck_assert_str_eq(f.system->labels.body_names[1], "ball");
    ck_assert_int_eq(f.system->labels.node_bodies[3], 1);
    fixture_release(&f);
}
END_TEST

/* --- supports, initial state -------------------------------------------------------------------------- */

START_TEST(fixed_dofs_are_eliminated)
{
    struct fixture f = fixture_model(BAR("elements = 4;") "supports = ( { node = \"bar.left\"; } );");
    const struct sg_system *s = f.system;
    ck_assert_uint_eq(s->n, 4);
    ck_assert_uint_eq(s->n_full, 5);
    ck_assert_uint_eq(s->free_of_full[0], SIZE_MAX);
    ck_assert_uint_eq(s->free_dof[0], 1);
    ck_assert_uint_eq(s->motion_count, 0);
    SAME(sg_matrix_entry(&s->K, 0, 0), 60);
    double x[4] = {1, 2, 3, 4}, full[5];
    sg_system_expand(s, x, 0, 0, full);
    for (size_t i = 0; i < 5; i++) NEAR(full[i], (double)i, 0);
    fixture_release(&f);
}
END_TEST

START_TEST(initial_fields_add_up)
{
    struct fixture f = fixture_model(BAR(
        "elements = 4; direction = \"negative\";") "initial = ( { body = \"bar\"; displacement = 1; "
                                                   "displacement_slope = 0.5;"
                                                   "              velocity = -2; velocity_slope = 4; } );");
    for (size_t i = 0; i < 5; i++) {
        double x = 2 - 0.5 * (double)i; /* from the left end, which is node 4 */
        SAME(f.system->u0[i], 1 + 0.5 * x);
        NEAR(f.system->v0[i], -2 + 4 * x, 1e-15);
    }
    fixture_release(&f);
}
END_TEST

/* A fixed node keeps its initial displacement: a uniform one strains nothing. */
START_TEST(a_support_holds_where_the_node_starts)
{
    struct fixture f =
        fixture_model(BAR("elements = 4;") "supports = ( { node = \"bar.left\"; } );"
                                           "initial = ( { body = \"bar\"; displacement = 0.25; } );");
    const struct sg_system *s = f.system;
    ck_assert_uint_eq(s->motion_count, 1);
    double full[5], force[4], load[4];
    sg_system_expand(s, s->u0, 3, 0, full);
    NEAR(full[0], 0.25, 0);
    NEAR(sg_system_strain(s, s->u0, 3), 0, 1e-13); /* cancels from 30 * 0.25^2 */
    sg_system_load(s, 3, load);
    sg_matrix_multiply(&s->K, s->u0, force);
    for (size_t i = 0; i < 4; i++) NEAR(load[i], force[i], 1e-13);
    ck_assert_ptr_nonnull(strstr(sg_text_view(&f.findings), "holds 'bar.0'"));
    fixture_release(&f);
}
END_TEST

/* --- damping ------------------------------------------------------------------------------------------ */

START_TEST(damping_is_a_sum_of_mass_and_stiffness)
{
    struct fixture f = fixture_model(BAR("elements = 4;") "damping = { mass = 0.5; stiffness = 0.25; };");
    const struct sg_system *s = f.system;
    ck_assert(s->damped && s->proportional);
    for (size_t i = 0; i < 5; i++)
        for (size_t j = 0; j <= i; j++)
            SAME(sg_matrix_entry(&s->C, i, j),
                 0.5 * sg_matrix_entry(&s->M, i, j) + 0.25 * sg_matrix_entry(&s->K, i, j));
    fixture_release(&f);
}
END_TEST

START_TEST(ratios_fix_alpha_and_beta)
{
    /* two oscillators, omega = 2 and 5 rad/s, in falling order */
    struct fixture f =
        fixture_model("bodies = ( { type = \"particles\"; positions = [0, 1]; masses = [1, 1];"
                      "  springs = ( { node = 0; stiffness = 25; }, { node = 1; stiffness = 4; } ); } );"
                      "damping = { ratios = [0.1, 0.2]; modes = [1, 2]; };");
    /* 2 z w = alpha + beta w^2: 0.4 = alpha + 4 beta, 2 = alpha + 25 beta */
    SAME(f.system->beta, 1.6 / 21);
    SAME(f.system->alpha, 0.4 - 6.4 / 21);
    fixture_release(&f);
}
END_TEST

/* --- both coordinate sets ------------------------------------------------------------------------------ */

/* everything at once: bodies apart and joined, moving, fixed and displaced supports, loads, damping */
static const char *const rich =
    "bodies = ( { type = \"bar\"; length = 2; area = 3; modulus = 50; density = 7; elements = 6; },"
    "  { type = \"bar\"; name = \"other\"; length = 1; area = 2; modulus = 30; density = 1; elements = 5;"
    "    position = 3; mass = \"average\"; },"
    "  { type = \"particles\"; name = \"p\"; positions = [7, 8, 9]; masses = [1, 2, 3];"
    "    springs = ( { nodes = [0, 1]; stiffness = 40; }, { nodes = [1, 2]; stiffness = 50; } ); } );"
    "supports = ( { node = \"bar.left\"; motion = { type = \"harmonic\"; amplitude = 0.3; frequency = 0.7; "
    "}; },"
    "  { node = \"bar.right\"; quantity = \"acceleration\";"
    "    motion = { type = \"pulse\"; amplitude = 2; duration = 3; }; },"
    "  { node = \"other.right\"; }, { node = \"p.0\"; quantity = \"velocity\";"
    "    motion = { type = \"piecewise-linear\"; times = [0, 1, 2]; values = [0, 1, -1]; }; } );"
    "loads = ( { type = \"gravity\"; acceleration = -9.81; },"
    "  { type = \"force\"; node = \"other.left\"; signal = { type = \"harmonic\"; amplitude = 5; frequency = "
    "1; }; },"
    "  { type = \"force\"; node = \"p.2\"; signal = { type = \"constant\"; value = -2; }; } );"
    "initial = ( { body = \"other\"; displacement = 0.1; velocity = 1; velocity_slope = 2; },"
    "  { body = \"p\"; velocity = 3; } );"
    "damping = { mass = 0.1; stiffness = 0.02; };";

enum { RICH_FREE = 12, RICH_FULL = 16 };

static double next_random(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (double)*seed / 4294967296.0 - 0.5;
}

struct states {
    double u0[RICH_FREE], v0[RICH_FREE], u1[RICH_FREE], v1[RICH_FREE];
};

static struct states random_states(unsigned seed)
{
    struct states s;
    for (size_t i = 0; i < RICH_FREE; i++) {
        s.u0[i] = next_random(&seed);
        s.v0[i] = next_random(&seed);
        s.u1[i] = next_random(&seed);
        s.v1[i] = next_random(&seed);
    }
    return s;
}

static struct states project_states(const struct sg_modal *modal, const struct states *s)
{
    struct states y;
    sg_modal_project_state(modal, s->u0, y.u0);
    sg_modal_project_state(modal, s->v0, y.v0);
    sg_modal_project_state(modal, s->u1, y.u1);
    sg_modal_project_state(modal, s->v1, y.v1);
    return y;
}

static void check_expansion(const struct sg_system *nodal, const struct sg_system *modal, const double *x,
                            const double *y, double t)
{
    double a[RICH_FULL], b[RICH_FULL];
    for (int order = 0; order < 2; order++) {
        sg_system_expand(nodal, x, t, order, a);
        sg_system_expand(modal, y, t, order, b);
        for (size_t i = 0; i < RICH_FULL; i++) NEAR(a[i], b[i], 1e-12); /* values near 1 */
    }
}

/* Agreement to 1e-12 of the largest value on the way: rounding of an orthogonal transformation. */
static void agree(double a, double b)
{
    NEAR(a, b, 1e-12 * fmax(100, fabs(a)));
}

static void check_functions(const struct sg_system *nodal, const struct sg_system *modal,
                            const struct states *x, const struct states *y, double t)
{
    agree(sg_system_kinetic(nodal, x->v0, t), sg_system_kinetic(modal, y->v0, t));
    agree(sg_system_strain(nodal, x->u0, t), sg_system_strain(modal, y->u0, t));
    agree(sg_system_gravity_energy(nodal, x->u0, t), sg_system_gravity_energy(modal, y->u0, t));
    agree(sg_system_damping_power(nodal, x->v0, t), sg_system_damping_power(modal, y->v0, t));
    struct sg_step_ends a = {t, t + 0.5, x->u0, x->v0, x->u1, x->v1};
    struct sg_step_ends b = {t, t + 0.5, y->u0, y->v0, y->u1, y->v1};
    agree(sg_system_support_work(nodal, &a), sg_system_support_work(modal, &b));
    agree(sg_system_load_work_simpson(nodal, &a), sg_system_load_work_simpson(modal, &b));
    agree(sg_system_damping_work_simpson(nodal, &a), sg_system_damping_work_simpson(modal, &b));
}

static void check_quantities(const struct sg_system *nodal, const struct sg_system *modal,
                             const struct states *x, const struct states *y, double t)
{
    struct sg_quantities a = {0}, b = {0};
    sg_system_register(nodal, &a);
    sg_system_register(modal, &b);
    ck_assert(!a.failed && !b.failed && a.count == b.count);
    struct sg_snapshot sx = {
        .t = t, .u = x->u0, .v = x->v0, .contact_energy = 1, .external = 2, .dissipated = 3};
    struct sg_snapshot sy = sx;
    sy.u = y->u0;
    sy.v = y->v0;
    for (size_t k = 0; k < a.count; k++) {
        double p[RICH_FULL] = {0}, q[RICH_FULL] = {0};
        a.items[k].fill(a.items[k].owner, &sx, p);
        b.items[k].fill(b.items[k].owner, &sy, q);
        for (size_t i = 0; i < RICH_FULL; i++) agree(p[i], q[i]);
    }
    sg_quantities_release(&a);
    sg_quantities_release(&b);
}

static void check_load(const struct sg_system *nodal, const struct sg_system *modal, double t)
{
    double f[RICH_FREE], projected[RICH_FREE], g[RICH_FREE];
    sg_system_load(nodal, t, f);
    sg_modal_project_force(modal->modal, f, projected);
    sg_system_load(modal, t, g);
    for (size_t i = 0; i < RICH_FREE; i++) agree(projected[i], g[i]);
}

START_TEST(nodal_and_modal_agree)
{
    struct fixture a = fixture_model(rich), b = fixture_model(rich);
    ck_assert_uint_eq(a.system->n, RICH_FREE);
    ck_assert_uint_eq(a.system->n_full, RICH_FULL);
    struct sg_modal *modal = NULL;
    ck_assert_int_eq(sg_modal_create(&b.system->M, &b.system->K, &modal, &b.err), SG_OK);
    ck_assert_int_eq(sg_system_to_modal(b.system, modal, &b.err), SG_OK);
    ck_assert_int_eq(b.system->M.kind, SG_DIAGONAL);
    for (unsigned seed = 1; seed <= 10; seed++) {
        double t = 0.31 * seed;
        struct states x = random_states(seed), y = project_states(modal, &x);
        check_expansion(a.system, b.system, x.u0, y.u0, t);
        check_functions(a.system, b.system, &x, &y, t);
        check_quantities(a.system, b.system, &x, &y, t);
        check_load(a.system, b.system, t);
    }
    double start[RICH_FREE];
    sg_modal_expand(modal, b.system->v0, start);
    for (size_t i = 0; i < RICH_FREE; i++) agree(start[i], a.system->v0[i]);
    fixture_release(&a);
    fixture_release(&b);
}
END_TEST

START_TEST(dashpots_refuse_modal_coordinates)
{
    struct fixture f = fixture_model("bodies = ( { type = \"particles\"; positions = [0]; masses = [1];"
                                     "  springs = ( { node = 0; stiffness = 1; damping = 1; } ); } );");
    struct sg_modal *modal = NULL;
    ck_assert_int_eq(sg_modal_create(&f.system->M, &f.system->K, &modal, &f.err), SG_OK);
    ck_assert_int_eq(sg_system_to_modal(f.system, modal, &f.err), SG_INTERNAL);
    fixture_release(&f);
}
END_TEST

/* --- full energies: against the model whose dofs are all free ------------------------------------------- */

/* The energies with prescribed dofs are those of the free model in the expanded state. */
START_TEST(energies_include_prescribed_dofs)
{
    static const char *const bar =
        BAR("elements = 3;") "loads = ( { type = \"gravity\"; acceleration = 2; } );";
    char deck[1024];
    snprintf(
        deck, sizeof deck,
        "%s supports = ( { node = \"bar.0\"; motion = { type = \"harmonic\"; amplitude = 0.3; frequency = 1; "
        "}; },"
        "{ node = \"bar.1\"; quantity = \"velocity\"; motion = { type = \"constant\"; value = 0.7; }; } );",
        bar);
    struct fixture whole = fixture_model(bar), part = fixture_model(deck);
    double u[2] = {0.2, -0.4}, v[2] = {1.5, 0.6}, full_u[4], full_v[4], t = 0.4;
    sg_system_expand(part.system, u, t, 0, full_u);
    sg_system_expand(part.system, v, t, 1, full_v);
    NEAR(full_u[1], 0.28, 1e-15);
    NEAR(full_v[0], 0.3 * 2 * acos(-1.0) * cos(0.8 * acos(-1.0)), 1e-14);
    SAME(sg_system_kinetic(part.system, v, t), sg_system_kinetic(whole.system, full_v, t));
    SAME(sg_system_strain(part.system, u, t), sg_system_strain(whole.system, full_u, t));
    SAME(sg_system_gravity_energy(part.system, u, t), sg_system_gravity_energy(whole.system, full_u, t));
    fixture_release(&whole);
    fixture_release(&part);
}
END_TEST

/* --- works: exact trajectories of one free dof -----------------------------------------------------------
 */

/* x = mean + drift t + Re( z e^{i w t} ) + Re( free e^{s t} ): real and imaginary parts apart */
struct trajectory {
    double mean, drift, w, re, im, own_w, own_re, own_im;
};

static void trajectory_at(const struct trajectory *x, double t, double *u, double *v)
{
    double c = cos(x->w * t), s = sin(x->w * t), oc = cos(x->own_w * t), os = sin(x->own_w * t);
    *u = x->mean + x->drift * t + x->re * c - x->im * s + x->own_re * oc - x->own_im * os;
    *v = x->drift - x->w * (x->re * s + x->im * c) - x->own_w * (x->own_re * os + x->own_im * oc);
}

static double energy(const struct sg_system *s, const double *u, const double *v, double t)
{
    return sg_system_kinetic(s, v, t) + sg_system_strain(s, u, t) + sg_system_gravity_energy(s, u, t);
}

/* energy gained - works + losses over 3 s in `steps` steps along the exact trajectory */
static double residual(const struct sg_system *s, const struct trajectory *x, int steps)
{
    double end = 3, balance = 0, u0, v0, u1, v1;
    trajectory_at(x, 0, &u0, &v0);
    balance += energy(s, &u0, &v0, 0);
    for (int k = 0; k < steps; k++) {
        double t0 = end * k / steps, t1 = end * (k + 1) / steps;
        trajectory_at(x, t1, &u1, &v1);
        struct sg_step_ends step = {t0, t1, &u0, &v0, &u1, &v1};
        balance += sg_system_load_work_simpson(s, &step) + sg_system_support_work(s, &step) -
                   sg_system_damping_work_simpson(s, &step);
        u0 = u1;
        v0 = v1;
    }
    return energy(s, &u0, &v0, end) - balance;
}

static void check_order_four(const struct sg_system *s, const struct trajectory *x)
{
    double coarse = residual(s, x, 40), fine = residual(s, x, 80);
    ck_assert_double_gt(fabs(coarse), 1e-9);  /* well above rounding, or the ratio says nothing */
    NEAR(log2(fabs(coarse / fine)), 4, 0.15); /* next term of the series */
}

/* m = 2, k = 50, so omega0 = 5; F = 3 sin(2 t), with the free motion that starts from rest */
START_TEST(work_of_a_harmonic_force_has_order_four)
{
    struct fixture f =
        fixture_model("bodies = ( { type = \"particles\"; positions = [0]; masses = [2]; springs = ( { node "
                      "= 0; stiffness = 50; } ); } );"
                      "loads = ( { type = \"force\"; node = \"particles\";"
                      "  signal = { type = \"harmonic\"; amplitude = 3; circular_frequency = 2; }; } );");
    double a = 3 / (50 - 2 * 4.0);
    struct trajectory x = {.w = 2, .im = -a, .own_w = 5, .own_im = a * 2 / 5};
    double u = 1, v = 1;
    trajectory_at(&x, 0, &u, &v);
    NEAR(u, 0, 0);
    NEAR(v, 0, 1e-15);
    check_order_four(f.system, &x);
    fixture_release(&f);
}
END_TEST

/* z of the free dof for u_p = Re(p e^{iwt}): -(k_fp - w^2 m_fp + i w c_fp) p / (k - w^2 m + i w c) */
static struct trajectory respond(const struct sg_system *s, double w, double p_re, double p_im)
{
    const struct sg_motion *motion = &s->motions[0];
    double a = sg_matrix_entry(&s->K, 0, 0) - w * w * sg_matrix_entry(&s->M, 0, 0);
    double b = w * sg_matrix_entry(&s->C, 0, 0);
    double c = motion->stiffness[0] - w * w * motion->mass[0], d = w * motion->damping[0];
    double re = -(c * p_re - d * p_im), im = -(c * p_im + d * p_re), square = a * a + b * b;
    return (struct trajectory){.mean = s->gravity[0] / sg_matrix_entry(&s->K, 0, 0),
                               .w = w,
                               .re = (re * a + im * b) / square,
                               .im = (im * a - re * b) / square};
}

#define ONE_ELEMENT BAR("elements = 1;") "loads = ( { type = \"gravity\"; acceleration = -9.81; } );"

/* one element between a shaken node and a free one: M, C, K all couple; damped steady state */
START_TEST(work_of_a_moving_support_has_order_four)
{
    struct fixture f = fixture_model(
        ONE_ELEMENT "damping = { mass = 0.3; stiffness = 0.2; };"
                    "supports = ( { node = \"bar.left\";"
                    "  motion = { type = \"harmonic\"; amplitude = 0.4; circular_frequency = 2; }; } );");
    struct trajectory x = respond(f.system, 2, 0, -0.4);
    check_order_four(f.system, &x);
    fixture_release(&f);
}
END_TEST

/* The same by acceleration: u_p = (a / w) t - (a / w^2) sin(w t). Nothing opposes the drift, since the
 * damping has no mass part. */
START_TEST(work_of_an_accelerated_support_has_order_four)
{
    struct fixture f = fixture_model(
        ONE_ELEMENT "damping = { stiffness = 0.2; };"
                    "supports = ( { node = \"bar.left\"; quantity = \"acceleration\";"
                    "  motion = { type = \"harmonic\"; amplitude = 0.4; circular_frequency = 2; }; } );");
    struct trajectory x = respond(f.system, 2, 0, 0.4 / 4);
    x.drift = 0.4 / 2;
    NEAR(sg_system_motion(f.system, 0, 1, 0), 0.2 - 0.1 * sin(2.0), 1e-15);
    NEAR(sg_system_motion(f.system, 0, 1, 1), 0.2 * (1 - cos(2.0)), 1e-15);
    NEAR(sg_system_motion(f.system, 0, 1, 2), 0.4 * sin(2.0), 1e-15);
    check_order_four(f.system, &x);
    fixture_release(&f);
}
END_TEST

/* The loads that a moving support gives are what is left of M a + C v + K u on its trajectory. */
START_TEST(support_loads_balance_the_motion)
{
    struct fixture f = fixture_model(
        ONE_ELEMENT "damping = { mass = 0.3; stiffness = 0.2; };"
                    "supports = ( { node = \"bar.left\";"
                    "  motion = { type = \"harmonic\"; amplitude = 0.4; circular_frequency = 2; }; } );");
    const struct sg_system *s = f.system;
    struct trajectory x = respond(s, 2, 0, -0.4);
    for (double t = 0; t < 3; t += 0.37) {
        double u, v, load;
        trajectory_at(&x, t, &u, &v);
        double a = -4 * (u - x.mean);
        sg_system_load(s, t, &load);
        double inner = sg_matrix_entry(&s->M, 0, 0) * a + sg_matrix_entry(&s->C, 0, 0) * v +
                       sg_matrix_entry(&s->K, 0, 0) * u;
        NEAR(inner, load, 1e-12 * 200); /* terms up to 200 N */
    }
    fixture_release(&f);
}
END_TEST

/* A step that ends at a jump sees the load from the left: F x 1 s x 2 m/s. */
START_TEST(a_jump_belongs_to_the_step_behind_it)
{
    struct fixture f = fixture_model(
        "bodies = ( { type = \"particles\"; positions = [0]; masses = [1]; } );"
        "loads = ( { type = \"force\"; node = \"particles\"; signal = { type = \"pulse\"; amplitude = 3;"
        "  duration = 1; shape = \"rectangle\"; }; } );");
    double u0 = 0, u1 = 2, v = 2, load = -1;
    struct sg_step_ends step = {0, 1, &u0, &v, &u1, &v}, next = {1, 2, &u0, &v, &u1, &v};
    NEAR(sg_system_load_work_simpson(f.system, &step), 6, 1e-14);
    NEAR(sg_system_load_work_simpson(f.system, &next), 0, 0);
    sg_system_load(f.system, 1, &load);
    NEAR(load, 0, 0);
    sg_system_load_before(f.system, 1, &load);
    NEAR(load, 3, 0);
    NEAR(sg_system_next_break(f.system, 0), 1, 0);
    fixture_release(&f);
}
END_TEST

/* --- quantities --------------------------------------------------------------------------------------- */

START_TEST(quantities_have_their_shapes)
{
    struct fixture f = fixture_model(rich);
    struct sg_quantities list = {0};
    sg_system_register(f.system, &list);
    static const struct {
        const char *name;
        size_t width;
    } expected[] = {
        {"displacement", RICH_FULL}, {"velocity", RICH_FULL},  {"energy/kinetic", 0},
        {"energy/strain", 0},        {"energy/gravity", 0},    {"energy/contact", 0},
        {"energy/external", 0},      {"energy/dissipated", 0}, {"energy/total", 0},
        {"momentum/linear", 1},      {"momentum/angular", 0},  {"center/displacement", 3},
        {"center/velocity", 3},
    };
    ck_assert_uint_eq(list.count, sizeof expected / sizeof *expected);
    for (size_t k = 0; k < list.count; k++) {
        ck_assert_str_eq(list.items[k].name, expected[k].name);
        ck_assert_uint_eq(list.items[k].width, expected[k].width);
        ck_assert(!list.items[k].on_request);
    }
    sg_quantities_release(&list);
    fixture_release(&f);
}
END_TEST

/* a bar that moves by 1 + x: its centre by 2, its momentum m * 2 */
START_TEST(centers_and_momentum_are_weighted_by_mass)
{
    struct fixture f = fixture_model(BAR("elements = 4;") "initial = ( { body = \"bar\"; velocity = 1;"
                                                          "  velocity_slope = 1; displacement = 3; } );");
    struct sg_quantities list = {0};
    sg_system_register(f.system, &list);
    struct sg_snapshot now = {.u = f.system->u0, .v = f.system->v0};
    double row = 0;
    for (size_t k = 0; k < list.count; k++) {
        const struct sg_quantity *q = &list.items[k];
        if (q->width > 1) continue;
        q->fill(q->owner, &now, &row);
        if (strcmp(q->name, "center/velocity") == 0) SAME(row, 2);
        if (strcmp(q->name, "center/displacement") == 0) SAME(row, 3);
        if (strcmp(q->name, "momentum/linear") == 0) SAME(row, 84);
        if (strcmp(q->name, "energy/total") == 0) SAME(row, 42 / 2.0 * (4 + 1 / 3.0)); /* mean of (1 + x)^2 */
    }
    sg_quantities_release(&list);
    fixture_release(&f);
}
END_TEST

/* --- faults ------------------------------------------------------------------------------------------- */

#define PARTICLES(rest) "bodies = ( { type = \"particles\"; " rest " } );"
#define TWO             PARTICLES("positions = [0, 1]; masses = [1, 1];")
#define SHAKEN(rest)    TWO "supports = ( { node = \"particles.0\"; " rest " } );"

static const struct {
    const char *deck, *words;
} faults[] = {
    {"bodies = ( );", "there is no body"},
    {BAR("elements = 2000000000;"), "the limit is 10000000"},
    {BAR("elements = 2; name = \"a.b\";"), "has a dot"},
    {BAR("elements = 2; name = \"\";"), "is empty"},
    {BAR("elements = 2; position = 1e20;"), "can't be told apart"},
    {"bodies = ( { type = \"bar\"; length = 1; area = 1e308; modulus = 1e308; density = 1; elements = 1; } "
     ");",
     "stiffness of 'bar.0' is not a finite"},
    {"bodies = ( { type = \"bar\"; length = 1; area = 1e308; modulus = 1e-9; density = 1e9; elements = 1; } "
     ");",
     "mass of 'bar.0' is not a finite"},
    {"bodies = ( { type = \"particles\"; positions = [0]; masses = [1]; },"
     "           { type = \"particles\"; positions = [0]; masses = [1]; } );",
     "also the name of bodies.[0]"},
    {PARTICLES("positions = [0, 1]; masses = [1];"), "has 1 numbers where 'positions' has 2"},
    {PARTICLES("positions = [0, 1]; masses = [1, 0];"), "'particles.1' has the mass 0 kg"},
    {PARTICLES("positions = [0, 1]; masses = [-2, 1];"), "'particles.0' has the mass -2 kg"},
    {PARTICLES("positions = [0, 1]; masses = [1, 1]; springs = ( { stiffness = 1; } );"),
     "give either 'nodes'"},
    {PARTICLES(
         "positions = [0, 1]; masses = [1, 1]; springs = ( { node = 0; nodes = [0, 1]; stiffness = 1; } );"),
     "not both"},
    {PARTICLES("positions = [0, 1]; masses = [1, 1]; springs = ( { nodes = [0, 2]; stiffness = 1; } );"),
     "2 is no particle: they are 0 to 1"},
    {PARTICLES("positions = [0, 1]; masses = [1, 1]; springs = ( { nodes = [0.0, 0.5]; stiffness = 1; } );"),
     "0.5 is no particle"},
    {PARTICLES("positions = [0, 1]; masses = [1, 1]; springs = ( { nodes = [1, 1]; stiffness = 1; } );"),
     "to itself"},
    {PARTICLES("positions = [0, 1]; masses = [1, 1]; springs = ( { node = 5; stiffness = 1; } );"),
     "5 is no particle"},
    {TWO "supports = ( { node = \"particles.0\"; }, { node = \"particles.0\"; } );", "supported twice"},
    {TWO "supports = ( { node = \"particles.0\"; }, { node = \"particles.1\"; } );",
     "every node is supported"},
    {TWO "supports = ( { node = \"bar.left\"; } );", "names no body: there is 'particles'"},
    {TWO "supports = ( { node = \"particles\"; } );", "\"particles.0\" to \"particles.1\""},
    {SHAKEN("quantity = \"velocity\";"), "needs a 'motion'"},
    {SHAKEN("motion = { type = \"pulse\"; amplitude = 1; duration = 1; };"),
     "makes the support's velocity jump"},
    {SHAKEN("motion = { type = \"piecewise-linear\"; times = [0, 1]; values = [0, 1]; };"),
     "quantity = \"acceleration\""},
    {SHAKEN("quantity = \"velocity\"; motion = { type = \"pulse\"; amplitude = 1; duration = 1; shape = "
            "\"rectangle\"; };"),
     "with jumps"},
    {TWO "loads = ( { type = \"force\"; node = \"particles.7\"; signal = { type = \"constant\"; value = 1; "
         "}; } );",
     "'particles.7' is no node"},
    {TWO "initial = ( { body = \"ball\"; } );", "names no body"},
    {TWO "initial = ( { body = \"particles\"; }, { body = \"particles\"; } );",
     "has an initial state already"},
    {TWO "initial = ( { body = \"particles\"; displacement = 1e308; displacement_slope = 1e308; } );",
     "is not a finite number"},
    {TWO "damping = { ratios = [0.1, 0.1]; };", "must be given together"},
    {TWO "damping = { ratios = [0.1, 0.1]; modes = [1, 2]; mass = 1; };", "give either 'mass'"},
    {TWO "damping = { ratios = [0.1, 0.1]; modes = [1, 2]; };", "mode 1 is rigid"},
    {TWO "damping = { ratios = [0.1, 0.1]; modes = [1, 3]; };", "3 is no mode: they are 1 to 2"},
    {PARTICLES("positions = [0, 1]; masses = [1, 1];"
               "springs = ( { node = 0; stiffness = 1; }, { node = 1; stiffness = 1; } );") //
     "damping = { ratios = [0.1, 0.1]; modes = [1, 2]; };",
     "have the same frequency"},
};

START_TEST(faults_are_findings)
{
    fixture_refused(faults[_i].deck, SG_BAD_DECK, faults[_i].words);
}
END_TEST

START_TEST(all_faults_are_told_at_once)
{
    struct fixture f = fixture_deck(
        TWO
        "supports = ( { node = \"x\"; } ); initial = ( { body = \"y\"; } );"
        "loads = ( { type = \"force\"; node = \"z\"; signal = { type = \"harmonic\"; amplitude = 1; }; } );"
        "damping = { ratios = [0.1, 0.1]; };");
    fixture_create(&f);
    ck_assert_int_eq(f.status, SG_BAD_DECK);
    ck_assert_uint_eq(f.diagnostics.errors, 5);
    fixture_release(&f);
}
END_TEST

START_TEST(a_missing_table_is_no_input)
{
    fixture_refused(TWO "initial = ( { body = \"particles\"; displacement_table = \"no_such_file\"; } );",
                    SG_NO_INPUT, "no_such_file");
}
END_TEST

static void warned(const char *deck, const char *words)
{
    struct fixture f = fixture_model(deck);
    ck_assert_msg(strstr(sg_text_view(&f.findings), words) != NULL, "%s", sg_text_view(&f.findings));
    fixture_release(&f);
}

START_TEST(doubtful_decks_are_warned_about)
{
    warned(TWO
           "supports = ( { node = \"particles.0\"; } ); loads = ( { type = \"force\"; node = \"particles.0\";"
           "  signal = { type = \"constant\"; value = 1; }; } );",
           "has no effect");
    warned(PARTICLES("positions = [0, 1, 2]; masses = [1, 1, 1]; springs = ( { node = 0; stiffness = 1; },"
                     "{ node = 1; stiffness = 100; }, { node = 2; stiffness = 400; } );") //
           "damping = { ratios = [0.5, 0.01]; modes = [1, 2]; };",
           "is damped negatively");
}
END_TEST

static void add_all(TCase *cases)
{
    tcase_add_test(cases, a_rigid_motion_has_no_strain);
    tcase_add_test(cases, static_elongation_equals_closed_form);
    tcase_add_test(cases, particles_have_springs_and_dashpots);
    tcase_add_test(cases, classes_follow_the_bandwidth);
    tcase_add_test(cases, nodes_are_found_by_name);
    tcase_add_test(cases, fixed_dofs_are_eliminated);
    tcase_add_test(cases, initial_fields_add_up);
    tcase_add_test(cases, a_support_holds_where_the_node_starts);
    tcase_add_test(cases, damping_is_a_sum_of_mass_and_stiffness);
    tcase_add_test(cases, ratios_fix_alpha_and_beta);
    tcase_add_test(cases, nodal_and_modal_agree);
    tcase_add_test(cases, dashpots_refuse_modal_coordinates);
    tcase_add_test(cases, energies_include_prescribed_dofs);
    tcase_add_test(cases, work_of_a_harmonic_force_has_order_four);
    tcase_add_test(cases, work_of_a_moving_support_has_order_four);
    tcase_add_test(cases, work_of_an_accelerated_support_has_order_four);
    tcase_add_test(cases, support_loads_balance_the_motion);
    tcase_add_test(cases, a_jump_belongs_to_the_step_behind_it);
    tcase_add_test(cases, quantities_have_their_shapes);
    tcase_add_test(cases, centers_and_momentum_are_weighted_by_mass);
}

Suite *sg_suite_model(void);
Suite *sg_suite_model(void)
{
    Suite *suite = suite_create("model");
    TCase *cases = tcase_create("systems");
    tcase_add_loop_test(cases, bar_matrices_equal_hand_formulas, 0, 3);
    tcase_add_loop_test(cases, first_frequency_converges, 0, 3);
    add_all(cases);
    suite_add_tcase(suite, cases);
    TCase *wrong = tcase_create("faults");
    tcase_add_loop_test(wrong, faults_are_findings, 0, (int)(sizeof faults / sizeof *faults));
    tcase_add_test(wrong, all_faults_are_told_at_once);
    tcase_add_test(wrong, a_missing_table_is_no_input);
    tcase_add_test(wrong, doubtful_decks_are_warned_about);
    suite_add_tcase(suite, wrong);
    return suite;
}
