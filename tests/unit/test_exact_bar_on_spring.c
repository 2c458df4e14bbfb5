/* The exact force of a bar on a spring, against its own delay equation and its limits. */
#include <check.h>
#include <math.h>
#include <string.h>

#include "benchmarks/exact/bar_on_spring.h"

static struct sg_bar_on_spring make(double stiffness)
{
    struct sg_impacting_bar_spec spec = sg_impacting_bar_benchmark();
    struct sg_bar_on_spring exact;
    struct sg_error err = {0};
    ck_assert_msg(sg_bar_on_spring_init(&spec, stiffness, &exact, &err) == SG_OK, "%s", err.text);
    return exact;
}

static void near(double a, double b, double tolerance)
{
    ck_assert_msg(fabs(a - b) <= tolerance, "%.17g is not %.17g within %g", a, b, tolerance);
}

/* F' = kappa (v0 - F/Z - (2/Z) F(t - T)) at many times, by central differences */
START_TEST(satisfies_the_waves)
{
    static const double stiffness[] = {1e9, 1e10};
    struct sg_bar_on_spring x = make(stiffness[_i]);
    double v0 = 5.0, z = x.bar.force / v0, time = x.bar.opens - x.bar.closes, d = 1e-11;
    for (int k = 1; k < 200; k++) {
        double t = x.closes + (x.opens - x.closes) * (k + 0.5) / 201.0;
        if (fabs(t - x.bar.opens) < 1e-8) continue; /* a kink */
        double slope = (sg_bar_on_spring_force(&x, t + d) - sg_bar_on_spring_force(&x, t - d)) / (2.0 * d);
        double back = t - time > x.closes ? sg_bar_on_spring_force(&x, t - time) : 0.0;
        double speed = v0 - sg_bar_on_spring_force(&x, t) / z - 2.0 / z * back;
        /* 1e-16 of 1.3e5 N over 2e-11 s is 1 N/s; (a d)^2 is 1e-11; of kappa v0 */
        near(slope / (x.stiffness * v0), speed / v0, 1e-6);
    }
    near(sg_bar_on_spring_force(&x, x.opens - 1e-15) / x.bar.force, 0.0, 1e-8);
}
END_TEST

START_TEST(has_its_integrals)
{
    struct sg_bar_on_spring x = make(1e9);
    double sum = 0.0, most = 0.0, h = (x.opens - x.closes) / 400000.0;
    for (int k = 0; k < 400000; k++) {
        double f = sg_bar_on_spring_force(&x, x.closes + (k + 0.5) * h);
        sum += f * h;
        most = fmax(most, f);
    }
    /* midpoints: (a h)^2 / 24, some 1e-12, and one kink */
    near(x.impulse / sum, 1.0, 1e-9);
    near(x.depth * 1e9 / most, 1.0, 1e-9);
}
END_TEST

/* a bar on a spring without end is a bar on a wall: the impulse lacks momentum of order 1/kappa^(1/2) or less
 */
START_TEST(tends_to_the_wall)
{
    double soft = make(1e11).impulse, stiff = make(1e13).impulse, wall = make(1e13).bar.impulse;
    ck_assert(wall > stiff);
    ck_assert(stiff > soft);
    near(stiff / wall, 1.0, 1e-4);
    near(make(1e13).opens / make(1e13).bar.opens, 1.0, 1e-4);
}
END_TEST

START_TEST(refuses_what_it_does_not_hold_for)
{
    struct sg_impacting_bar_spec spec = sg_impacting_bar_benchmark();
    static const double wrong[] = {0.0, -1.0, HUGE_VAL, 1e8};
    for (size_t k = 0; k < 4; k++) {
        struct sg_bar_on_spring exact;
        struct sg_error err = {0};
        ck_assert_int_eq(sg_bar_on_spring_init(&spec, wrong[k], &exact, &err), SG_BAD_DECK);
        ck_assert(strstr(err.text, "stiffness") != NULL);
    }
}
END_TEST

Suite *sg_suite_exact_bar_on_spring(void);
Suite *sg_suite_exact_bar_on_spring(void)
{
    Suite *suite = suite_create("exact_bar_on_spring");
    TCase *tcase = tcase_create("bar");
    tcase_add_loop_test(tcase, satisfies_the_waves, 0, 2);
    tcase_add_test(tcase, has_its_integrals);
    tcase_add_test(tcase, tends_to_the_wall);
    tcase_add_test(tcase, refuses_what_it_does_not_hold_for);
    suite_add_tcase(suite, tcase);
    return suite;
}
