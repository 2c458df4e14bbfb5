#include <check.h>
#include <math.h>

#include "exact_sdof_contact.h"

Suite *sg_suite_exact_sdof_contact(void);

static const struct sg_sdof_contact_spec cases[] = {
    /* spring and contact; starts open, closes on the way down */
    {.mass = 2.0, .stiffness = 8.0, .contact_stiffness = 150.0, .gap = 0.4, .u0 = 1.0},
    /* loaded towards the contact, from a moving start */
    {.mass = 1.0,
     .stiffness = 5.0,
     .contact_stiffness = 40.0,
     .gap = 0.2,
     .load = -3.0,
     .u0 = 0.5,
     .v0 = 2.0},
    /* starts closed (gap -.3) */
    {.mass = 1.5, .stiffness = 4.0, .contact_stiffness = 90.0, .gap = 0.2, .u0 = -0.5, .v0 = -1.0},
    /* no spring: a ball dropped on an elastic ground */
    {.mass = 1.0, .contact_stiffness = 1000.0, .gap = 0.0, .load = -10.0, .u0 = 0.45},
    /* preloaded: at rest the gap would be -.2 */
    {.mass = 1.0, .stiffness = 10.0, .contact_stiffness = 30.0, .gap = -0.2, .v0 = 4.0},
};
enum { CASES = sizeof cases / sizeof *cases };

static struct sg_sdof_contact make(const struct sg_sdof_contact_spec *spec)
{
    struct sg_sdof_contact sdof;
    ck_assert_int_eq(sg_sdof_contact_init(spec, &sdof, NULL), SG_OK);
    return sdof;
}

static double energy(const struct sg_sdof_contact_state *state)
{
    return state->kinetic + state->strain + state->contact + state->potential;
}

START_TEST(starts_where_it_should_and_keeps_energy)
{
    for (int i = 0; i < CASES; i++) {
        const struct sg_sdof_contact sdof = make(&cases[i]);
        const struct sg_sdof_contact_state start = sg_sdof_contact_at(&sdof, 0.0);
        ck_assert_double_eq_tol(start.u, cases[i].u0, 1e-15);
        ck_assert_double_eq_tol(start.v, cases[i].v0, 1e-15);
        for (int k = 0; k < 2000; k++) { /* 1e-12: rounding of energies below 10 J over 20 s of arcs */
            const struct sg_sdof_contact_state now = sg_sdof_contact_at(&sdof, 0.01 * k);
            ck_assert_double_eq_tol(energy(&now), energy(&start), 1e-12);
            ck_assert(now.closed ? now.gap <= 1e-13 : now.gap >= -1e-13);
            ck_assert_double_ge(now.force, -1e-10);
        }
    }
}
END_TEST

static double acceleration(const struct sg_sdof_contact_spec *spec, double u)
{
    const double gap = spec->gap + u;
    return (spec->load - spec->stiffness * u + spec->contact_stiffness * fmax(0.0, -gap)) / spec->mass;
}

START_TEST(agrees_with_small_steps)
{
    const double h = 1e-5;
    for (int i = 0; i < CASES; i++) {
        const struct sg_sdof_contact_spec *spec = &cases[i];
        const struct sg_sdof_contact sdof = make(spec);
        double u = spec->u0, v = spec->v0;
        for (int n = 1; n <= 400000; n++) {
            v += 0.5 * h * acceleration(spec, u);
            u += h * v;
            v += 0.5 * h * acceleration(spec, u);
            if (n % 1000 != 0) continue;
            const struct sg_sdof_contact_state now = sg_sdof_contact_at(&sdof, n * h);
            /* velocity Verlet: phase error (w h)^2 / 24 x w t = 2e-8 x 4 s x 32 / 24 at most */
            ck_assert_double_eq_tol(now.u, u, 1e-6);
            ck_assert_double_eq_tol(now.v, v, 1e-5);
        }
    }
}
END_TEST

START_TEST(events_lie_on_the_constraint)
{
    for (int i = 0; i < CASES; i++) {
        const struct sg_sdof_contact sdof = make(&cases[i]);
        const double speed = sg_sdof_contact_speed(&sdof);
        double last = 0.0;
        bool closes, closed_before = sdof.starts_closed;
        for (size_t k = 0; k < 12; k++) {
            const double t = sg_sdof_contact_event(&sdof, k, &closes);
            ck_assert_double_gt(t, last);
            ck_assert_int_eq(closes, !closed_before);
            const struct sg_sdof_contact_state before = sg_sdof_contact_at(&sdof, t - 1e-7);
            const struct sg_sdof_contact_state after = sg_sdof_contact_at(&sdof, t + 1e-7);
            ck_assert_int_eq(before.closed, closed_before);
            ck_assert_int_eq(after.closed, closes);
            /* within 1e-7 s: position changes by V 1e-7, velocity by a 1e-7 with a < 20 */
            ck_assert_double_eq_tol(after.gap, 0.0, 1.01e-7 * speed + 1e-13);
            ck_assert_double_eq_tol(after.v, closes ? -speed : speed, 3e-6);
            closed_before = closes;
            last = t;
        }
    }
}
END_TEST

START_TEST(elastic_ground_by_hand)
{
    /* fall sqrt(2 x .45 / 10) = .3 s, V = 3; closed: g = -(a) (1 - cos) - (V/w) sin with a = 10/1000,
     * duration (2 pi - 2 acos(..)) / w = (pi + 2 atan(a w / V)) / w */
    const struct sg_sdof_contact sdof = make(&cases[3]);
    const double w = sqrt(1000.0), contact = (acos(-1.0) + 2.0 * atan(0.01 * w / 3.0)) / w;
    ck_assert_double_eq_tol(sg_sdof_contact_event(&sdof, 0, NULL), 0.3, 1e-14);
    ck_assert_double_eq_tol(sg_sdof_contact_event(&sdof, 1, NULL), 0.3 + contact, 1e-14);
    ck_assert_double_eq_tol(sg_sdof_contact_event(&sdof, 2, NULL), 0.9 + contact, 1e-14);
    ck_assert_double_eq_tol(sg_sdof_contact_event(&sdof, 20, NULL), 0.3 + 10.0 * (0.6 + contact), 1e-12);
    ck_assert_double_eq_tol(sg_sdof_contact_speed(&sdof), 3.0, 1e-14);
}
END_TEST

START_TEST(motion_that_never_touches_is_harmonic)
{
    const struct sg_sdof_contact_spec spec = {
        .mass = 1.0, .stiffness = 4.0, .contact_stiffness = 10.0, .gap = 1.0, .u0 = 0.9};
    const struct sg_sdof_contact sdof = make(&spec);
    ck_assert(isinf(sg_sdof_contact_event(&sdof, 0, NULL)));
    ck_assert(isinf(sg_sdof_contact_event(&sdof, 5, NULL)));
    ck_assert_double_eq(sg_sdof_contact_speed(&sdof), 0.0);
    ck_assert_double_eq_tol(sg_sdof_contact_at(&sdof, 7.0).u, 0.9 * cos(14.0), 1e-14);
}
END_TEST

START_TEST(pressed_at_rest_stays_closed)
{
    const struct sg_sdof_contact_spec spec = {.mass = 1.0, .contact_stiffness = 100.0, .load = -10.0};
    const struct sg_sdof_contact sdof = make(&spec);
    ck_assert(sdof.starts_closed);
    ck_assert(isinf(sg_sdof_contact_event(&sdof, 0, NULL)));
    /* g = -.1 (1 - cos 10 t): touches 0 but does not open */
    ck_assert_double_eq_tol(sg_sdof_contact_at(&sdof, 3.0).gap, -0.1 * (1.0 - cos(30.0)), 1e-14);
    ck_assert(sg_sdof_contact_at(&sdof, 100.0).closed);
}
END_TEST

START_TEST(two_masses_collide_once)
{
    const struct sg_two_mass_spec spec = {
        .mass = {2.0, 3.0}, .velocity = {1.5, -0.5}, .contact_stiffness = 480.0, .gap = 0.5};
    struct sg_two_mass pair;
    ck_assert_int_eq(sg_two_mass_init(&spec, &pair, NULL), SG_OK);
    /* closes after .5 / 2 s, for half a period of the reduced mass 1.2: pi / 20 */
    ck_assert_double_eq_tol(sg_sdof_contact_event(&pair.relative, 0, NULL), 0.25, 1e-15);
    ck_assert_double_eq_tol(sg_sdof_contact_event(&pair.relative, 1, NULL), 0.25 + acos(-1.0) / 20.0, 1e-15);
    ck_assert(isinf(sg_sdof_contact_event(&pair.relative, 2, NULL)));
    for (int i = 0; i < 300; i++) { /* 1e-13: rounding */
        const struct sg_two_mass_state now = sg_two_mass_at(&pair, 0.01 * i);
        ck_assert_double_eq_tol(2.0 * now.v[0] + 3.0 * now.v[1], 1.5, 1e-13);
        ck_assert_double_eq_tol(now.kinetic + now.contact, 2.625, 1e-13);
        ck_assert_double_eq_tol(0.5 + now.u[1] - now.u[0], now.gap, 1e-13);
        ck_assert_double_eq_tol(now.force, 480.0 * fmax(0.0, -now.gap), 1e-10);
    }
    /* elastic collision: relative velocity reversed, v' = 2 v_G - v with v_G = .3 */
    ck_assert_double_eq_tol(sg_two_mass_at(&pair, 5.0).v[0], -0.9, 1e-14);
    ck_assert_double_eq_tol(sg_two_mass_at(&pair, 5.0).v[1], 1.1, 1e-14);
}
END_TEST

START_TEST(two_masses_that_part_never_meet)
{
    const struct sg_two_mass_spec spec = {
        .mass = {1.0, 1.0}, .velocity = {0.0, 1.0}, .contact_stiffness = 10.0, .gap = 0.5};
    struct sg_two_mass pair;
    ck_assert_int_eq(sg_two_mass_init(&spec, &pair, NULL), SG_OK);
    ck_assert(isinf(sg_sdof_contact_event(&pair.relative, 0, NULL)));
    ck_assert_double_eq_tol(sg_two_mass_at(&pair, 2.0).u[1], 2.0, 1e-15);
}
END_TEST

START_TEST(rejects_bad_values)
{
    struct sg_error err;
    struct sg_sdof_contact sdof;
    struct sg_two_mass pair;
    struct sg_sdof_contact_spec spec = cases[0];
    spec.contact_stiffness = 0.0;
    ck_assert_int_eq(sg_sdof_contact_init(&spec, &sdof, &err), SG_BAD_DECK);
    ck_assert_str_eq(err.text, "contact oscillator: contact stiffness is 0, must be positive");
    spec = cases[0];
    spec.mass = -1.0;
    ck_assert_int_eq(sg_sdof_contact_init(&spec, &sdof, &err), SG_BAD_DECK);
    spec = cases[0];
    spec.stiffness = -1.0;
    ck_assert_int_eq(sg_sdof_contact_init(&spec, &sdof, &err), SG_BAD_DECK);
    const struct sg_two_mass_spec touching = {.mass = {1.0, 1.0}, .contact_stiffness = 10.0};
    ck_assert_int_eq(sg_two_mass_init(&touching, &pair, &err), SG_BAD_DECK);
    const struct sg_two_mass_spec massless = {.mass = {1.0, 0.0}, .contact_stiffness = 10.0, .gap = 1.0};
    ck_assert_int_eq(sg_two_mass_init(&massless, &pair, &err), SG_BAD_DECK);
}
END_TEST

Suite *sg_suite_exact_sdof_contact(void)
{
    Suite *suite = suite_create("exact_sdof_contact");
    TCase *tests = tcase_create("contact oscillator");
    tcase_add_test(tests, starts_where_it_should_and_keeps_energy);
    tcase_add_test(tests, agrees_with_small_steps);
    tcase_add_test(tests, events_lie_on_the_constraint);
    tcase_add_test(tests, elastic_ground_by_hand);
    tcase_add_test(tests, motion_that_never_touches_is_harmonic);
    tcase_add_test(tests, pressed_at_rest_stays_closed);
    tcase_add_test(tests, two_masses_collide_once);
    tcase_add_test(tests, two_masses_that_part_never_meet);
    tcase_add_test(tests, rejects_bad_values);
    suite_add_tcase(suite, tests);
    return suite;
}
