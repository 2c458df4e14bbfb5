#include <check.h>
#include <math.h>

#include "exact_sdof.h"

Suite *sg_suite_exact_sdof(void);

/* m = 2, k = 18: 3 rad/s, critical damping 12 */
static struct sg_sdof_spec loaded(double damping)
{
    return (struct sg_sdof_spec){.mass = 2.0,
                                 .damping = damping,
                                 .stiffness = 18.0,
                                 .constant = 1.5,
                                 .ramp = -0.7,
                                 .cosine = 2.0,
                                 .sine = 0.9,
                                 .frequency = 2.2,
                                 .u0 = 0.3,
                                 .v0 = -1.1};
}

static const double dampings[] = {0.0, 0.4, 3.0, 12.0, 12.000001, 40.0};
enum { DAMPINGS = sizeof dampings / sizeof *dampings };

static double load(const struct sg_sdof_spec *spec, double t)
{
    return spec->constant + spec->ramp * t + spec->cosine * cos(spec->frequency * t) +
           spec->sine * sin(spec->frequency * t);
}

static double acceleration(const struct sg_sdof_spec *spec, double t, double u, double v)
{
    return (load(spec, t) - spec->damping * v - spec->stiffness * u) / spec->mass;
}

START_TEST(meets_initial_values_and_the_equation)
{
    for (int i = 0; i < DAMPINGS; i++) {
        const struct sg_sdof_spec spec = loaded(dampings[i]);
        struct sg_sdof sdof;
        ck_assert_int_eq(sg_sdof_init(&spec, &sdof, NULL), SG_OK);
        ck_assert_double_eq_tol(sg_sdof_at(&sdof, 0.0).u, spec.u0, 1e-15);
        ck_assert_double_eq_tol(sg_sdof_at(&sdof, 0.0).v, spec.v0, 1e-14);
        for (int k = 0; k < 100; k++) { /* 1e-12: rounding of forces up to 40 N */
            const struct sg_sdof_state now = sg_sdof_at(&sdof, 0.3 * k);
            ck_assert_double_eq_tol(now.a, acceleration(&spec, 0.3 * k, now.u, now.v), 1e-12);
        }
    }
}
END_TEST

static void runge_kutta(const struct sg_sdof_spec *spec, double t, double h, double *u, double *v)
{
    const double u1 = *v, v1 = acceleration(spec, t, *u, *v);
    const double u2 = *v + 0.5 * h * v1, v2 = acceleration(spec, t + 0.5 * h, *u + 0.5 * h * u1, u2);
    const double u3 = *v + 0.5 * h * v2, v3 = acceleration(spec, t + 0.5 * h, *u + 0.5 * h * u2, u3);
    const double u4 = *v + h * v3, v4 = acceleration(spec, t + h, *u + h * u3, u4);
    *u += h / 6.0 * (u1 + 2.0 * u2 + 2.0 * u3 + u4);
    *v += h / 6.0 * (v1 + 2.0 * v2 + 2.0 * v3 + v4);
}

START_TEST(agrees_with_runge_kutta)
{
    const double h = 1e-3;
    for (int i = 0; i < DAMPINGS; i++) {
        const struct sg_sdof_spec spec = loaded(dampings[i]);
        struct sg_sdof sdof;
        ck_assert_int_eq(sg_sdof_init(&spec, &sdof, NULL), SG_OK);
        double u = spec.u0, v = spec.v0;
        for (int n = 0; n < 10000; n++) {
            runge_kutta(&spec, n * h, h, &u, &v);
            const struct sg_sdof_state now = sg_sdof_at(&sdof, (n + 1) * h);
            /* (20 rad/s x h)^4 x 3e-6 of the stiffest case; its own rounding is below 1e-12 */
            ck_assert_double_eq_tol(now.u, u, 1e-9);
            ck_assert_double_eq_tol(now.v, v, 1e-8);
        }
    }
}
END_TEST

START_TEST(follows_a_static_ramp)
{
    struct sg_sdof sdof;
    const struct sg_sdof_spec spec = {.mass = 1.0, .damping = 2.0, .stiffness = 5.0, .ramp = 10.0};
    ck_assert_int_eq(sg_sdof_init(&spec, &sdof, NULL), SG_OK);
    /* long after the start: u = (f1 t - c f1 / k) / k; exp(-50) is nothing */
    ck_assert_double_eq_tol(sg_sdof_at(&sdof, 50.0).u, (500.0 - 4.0) / 5.0, 1e-12);
    ck_assert_double_eq_tol(sg_sdof_at(&sdof, 50.0).v, 2.0, 1e-14);
}
END_TEST

START_TEST(overdamped_motion_stays_finite)
{
    struct sg_sdof sdof;
    const struct sg_sdof_spec spec = {.mass = 1.0, .damping = 1e4, .stiffness = 1.0, .u0 = 1.0};
    ck_assert_int_eq(sg_sdof_init(&spec, &sdof, NULL), SG_OK);
    /* slow root -1e-4 (1 + 1e-8): u(1e4) = e^-1 to the order of 1e-8 */
    ck_assert_double_eq_tol(sg_sdof_at(&sdof, 1e4).u, exp(-1.0), 2e-8);
}
END_TEST

START_TEST(undamped_energy_is_constant)
{
    struct sg_sdof sdof;
    const struct sg_sdof_spec spec = {.mass = 2.0, .stiffness = 18.0, .u0 = 0.3, .v0 = 1.0};
    ck_assert_int_eq(sg_sdof_init(&spec, &sdof, NULL), SG_OK);
    for (int i = 0; i < 1000; i++) {
        const struct sg_sdof_state now = sg_sdof_at(&sdof, 0.1 * i);
        ck_assert_double_eq_tol(now.v * now.v + 9.0 * now.u * now.u, 1.81, 1e-13); /* rounding */
    }
}
END_TEST

START_TEST(rejects_bad_values)
{
    struct sg_sdof sdof;
    struct sg_error err;
    struct sg_sdof_spec spec = loaded(0.0);
    spec.frequency = 3.0;
    ck_assert_int_eq(sg_sdof_init(&spec, &sdof, &err), SG_BAD_DECK);
    ck_assert_str_eq(err.text, "oscillator: load frequency 3 is the natural one, and there is no damping");
    spec = loaded(-1.0);
    ck_assert_int_eq(sg_sdof_init(&spec, &sdof, &err), SG_BAD_DECK);
    spec = loaded(1.0);
    spec.mass = 0.0;
    ck_assert_int_eq(sg_sdof_init(&spec, &sdof, &err), SG_BAD_DECK);
    spec = loaded(1.0);
    spec.stiffness = 0.0;
    ck_assert_int_eq(sg_sdof_init(&spec, &sdof, &err), SG_BAD_DECK);
}
END_TEST

Suite *sg_suite_exact_sdof(void)
{
    Suite *suite = suite_create("exact_sdof");
    TCase *tests = tcase_create("oscillator");
    tcase_add_test(tests, meets_initial_values_and_the_equation);
    tcase_add_test(tests, agrees_with_runge_kutta);
    tcase_add_test(tests, follows_a_static_ramp);
    tcase_add_test(tests, overdamped_motion_stays_finite);
    tcase_add_test(tests, undamped_energy_is_constant);
    tcase_add_test(tests, rejects_bad_values);
    suite_add_tcase(suite, tests);
    return suite;
}
