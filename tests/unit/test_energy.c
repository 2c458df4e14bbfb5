#include <check.h>
#include <math.h>
#include <stdio.h>

#include "model_fixture.h"

/* has what a test makes */
static struct sg_arena arena;

static void release_arena(void)
{
    sg_arena_release(&arena);
}

/* --- both coordinate sets ------------------------------------------------------------------------- */

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
    agree(sg_system_damping_power(nodal, x->u0, x->v0, t), sg_system_damping_power(modal, y->u0, y->v0, t));
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
    struct fixture a = fixture_model(RICH), b = fixture_model(RICH);
    ck_assert_uint_eq(a.system->n, RICH_FREE);
    ck_assert_uint_eq(a.system->n_full, RICH_FULL);
    struct sg_modal *modal = NULL;
    ck_assert_int_eq(sg_modal_create(&arena, &b.system->M, &b.system->K, &modal, &b.err), SG_OK);
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
    ck_assert_int_eq(sg_modal_create(&arena, &f.system->M, &f.system->K, &modal, &f.err), SG_OK);
    ck_assert_int_eq(sg_system_to_modal(f.system, modal, &f.err), SG_INTERNAL);
    fixture_release(&f);
}
END_TEST

/* --- full energies: against the model whose dofs are all free ------------------------------------- */

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

/* --- large motions -------------------------------------------------------------------------------- */

/* 2^20 m away, in displacements that are exact there: the energy of the elongations, k / 2 (1/4 + 1/16) m^2.
 * Stiffnesses are such that sums of rows leave roundings. */
static void check_far(const char *deck, const double *x)
{
    struct fixture f = fixture_model(deck);
    double far[3], next[3], expected = 0.1 / 2 / 4 + 0.7 / 2 / 16;
    for (size_t i = 0; i < f.system->n; i++) {
        far[i] = 1048576 + x[i];
        next[i] = 1048576 + x[i] / 2;
    }
    struct sg_snapshot now = {.u = far, .u_next = next};
    SAME(sg_system_strain(f.system, far, 0), expected);
    SAME(sg_system_staggered_strain(f.system, &now), expected / 2);
    for (size_t i = 0; i < f.system->n; i++) far[i] = 1048576.1;
    if (f.system->motion_count == 0) NEAR(sg_system_strain(f.system, far, 0), 0, 0);
    fixture_release(&f);
}

START_TEST(strain_keeps_its_digits_far_away)
{
#define PAIR_OF_SPRINGS                                                                                      \
    "bodies = ( { type = \"particles\"; positions = [0, 1, 2]; masses = [1, 1, 1];"                          \
    "  springs = ( { nodes = [0, 1]; stiffness = 0.1; }, { nodes = [1, 2]; stiffness = 0.7; } ); } );"
    check_far(PAIR_OF_SPRINGS, (double[]){0, 0.5, 0.75});
    check_far(PAIR_OF_SPRINGS "supports = ( { node = \"particles.0\";"
                              "  motion = { type = \"constant\"; value = 1048576.0; }; } );",
              (double[]){0.5, 0.75});
    check_far(PAIR_OF_SPRINGS "supports = ( { node = \"particles.1\";"
                              "  motion = { type = \"constant\"; value = 1048576.0; }; } );",
              (double[]){-0.5, 0.25});
}
END_TEST

/* a spring to a support that rests is one, however large the motion; k / 2 u^2 */
START_TEST(strain_of_a_grounded_spring)
{
    struct fixture f = fixture_model(PAIR_OF_SPRINGS "supports = ( { node = \"particles.0\"; } );");
    SAME(sg_system_strain(f.system, (double[]){3e5, 3e5}, 0), 0.05 * 9e10);
    fixture_release(&f);
}
END_TEST

/* --- works: exact trajectories of one free dof ---------------------------------------------------- */

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
    for (int k = 0; k < 9; k++) {
        double t = 0.37 * k, u, v, load;
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

/* Two forces, one of which ends at the step's end, and gravity. */
#define FORCES                                                                                               \
    "loads = ( { type = \"gravity\"; acceleration = -9.0; }, { type = \"force\"; node = \"bar.right\"; "     \
    "signal = { type = \"pulse\"; amplitude = 3; duration = 1.5; shape = \"rectangle\"; }; }, { type = "     \
    "\"force\"; node = \"bar.left\"; signal = { type = \"harmonic\"; amplitude = 2; circular_frequency = "   \
    "4; }; } );"

/* The sums over a step against Simpson's rule by its three loads, which are made one by one. */
START_TEST(load_over_a_step)
{
    struct fixture f = fixture_model(BAR("elements = 3;") FORCES);
    const double t0 = 0.9, h = 0.6;
    double start[4], middle[4], end[4], behind[4], impulse[4], change[4];
    ck_assert_uint_eq(f.system->n, 4);
    sg_system_load(f.system, t0, start);
    sg_system_load(f.system, t0 + h / 2, middle);
    sg_system_load_before(f.system, t0 + h, end);
    sg_system_load(f.system, t0 + h, behind);
    ck_assert_double_gt(fabs(end[3] - behind[3]), 2.9); /* the pulse is over behind the step */
    sg_system_load_over(f.system, t0, h, impulse, change);
    for (size_t i = 0; i < 4; i++) {
        NEAR(impulse[i], h / 6 * (start[i] + 4 * middle[i] + end[i]), 1e-13); /* rounding of some N s */
        NEAR(change[i], end[i] - start[i], 1e-13);
    }
    fixture_release(&f);
}
END_TEST

/* Works over a step, with damping that is tridiagonal in nodes and diagonal in modes, against Simpson's rule
 * by the powers at start, middle and end. */
START_TEST(works_over_a_step_are_those_of_the_powers)
{
    static const char *const deck = BAR("elements = 3;") FORCES "damping = { mass = 0.3; stiffness = 0.2; };";
    struct fixture f = fixture_model(deck), g = fixture_model(deck);
    const double h = 0.6, u0[4] = {.1, -.2, .3, .5}, v0[4] = {1, 2, -1, .4}, u1[4] = {.4, .1, -.3, .2},
                 v1[4] = {-.5, .7, 1.5, 2};
    double u[4], v[4], y[4][4];
    for (size_t i = 0; i < 4; i++) {
        u[i] = (u0[i] + u1[i]) / 2 + h / 8 * (v0[i] - v1[i]);
        v[i] = 1.5 * (u1[i] - u0[i]) / h - (v0[i] + v1[i]) / 4;
    }
    struct sg_step_ends step = {0.9, 0.9 + h, u0, v0, u1, v1};
    double load = h / 6 *
                  (sg_system_load_product(f.system, v0, 0.9, false) +
                   4 * sg_system_load_product(f.system, v, 1.2, false) +
                   sg_system_load_product(f.system, v1, 1.5, true)),
           damping = h / 6 *
                     (sg_system_damping_power(f.system, u0, v0, 0.9) +
                      4 * sg_system_damping_power(f.system, u, v, 1.2) +
                      sg_system_damping_power(f.system, u1, v1, 1.5));
    agree(sg_system_load_work_simpson(f.system, &step), load);
    agree(sg_system_damping_work_simpson(f.system, &step), damping);
    struct sg_modal *modal = NULL;
    ck_assert_int_eq(sg_modal_create(&arena, &g.system->M, &g.system->K, &modal, &g.err), SG_OK);
    ck_assert_int_eq(sg_system_to_modal(g.system, modal, &g.err), SG_OK);
    const double *const x[4] = {u0, v0, u1, v1};
    for (size_t k = 0; k < 4; k++) sg_modal_project_state(modal, x[k], y[k]);
    struct sg_step_ends same = {0.9, 0.9 + h, y[0], y[1], y[2], y[3]};
    ck_assert_int_eq(g.system->C.kind, SG_DIAGONAL);
    agree(sg_system_load_work_simpson(g.system, &same), load);
    agree(sg_system_damping_work_simpson(g.system, &same), damping);
    fixture_release(&f);
    fixture_release(&g);
}
END_TEST

Suite *sg_suite_energy(void)
{
    Suite *suite = suite_create("energy");
    TCase *cases = tcase_create("energy");
    tcase_add_checked_fixture(cases, NULL, release_arena);
    tcase_add_test(cases, nodal_and_modal_agree);
    tcase_add_test(cases, dashpots_refuse_modal_coordinates);
    tcase_add_test(cases, energies_include_prescribed_dofs);
    tcase_add_test(cases, strain_keeps_its_digits_far_away);
    tcase_add_test(cases, strain_of_a_grounded_spring);
    tcase_add_test(cases, work_of_a_harmonic_force_has_order_four);
    tcase_add_test(cases, work_of_a_moving_support_has_order_four);
    tcase_add_test(cases, work_of_an_accelerated_support_has_order_four);
    tcase_add_test(cases, support_loads_balance_the_motion);
    tcase_add_test(cases, a_jump_belongs_to_the_step_behind_it);
    tcase_add_test(cases, load_over_a_step);
    tcase_add_test(cases, works_over_a_step_are_those_of_the_powers);
    suite_add_tcase(suite, cases);
    return suite;
}
