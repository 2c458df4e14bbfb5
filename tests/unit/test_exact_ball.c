#include <check.h>
#include <math.h>
#include <stdint.h>

#include "benchmarks/exact/ball.h"

Suite *sg_suite_exact_ball(void);

/* h = 5, g = 10: t_0 = 1 s, V = 10 m/s */
static struct sg_ball ball(double restitution)
{
    return (struct sg_ball){.height = 5.0, .gravity = 10.0, .restitution = restitution};
}

START_TEST(impact_times_follow_the_flights)
{
    const double restitutions[] = {0.0, 0.3, 0.5, 0.9, 0.999999, 1.0};
    for (int i = 0; i < 6; i++) {
        const struct sg_ball b = ball(restitutions[i]);
        double t = 1.0, speed = 10.0;
        for (size_t k = 0; k < 60; k++) { /* 1e-12: rounding of 60 sums up to 120 */
            ck_assert_double_eq_tol(sg_ball_impact_time(&b, k), t, 1e-12);
            ck_assert_double_eq_tol(sg_ball_impact_speed(&b, k), speed, 1e-12);
            speed *= restitutions[i];
            t += 2.0 * speed / 10.0;
        }
    }
}
END_TEST

START_TEST(flights_are_parabolas)
{
    const struct sg_ball b = ball(0.8);
    for (size_t k = 0; k < 30; k++) {
        const double start = sg_ball_impact_time(&b, k), end = sg_ball_impact_time(&b, k + 1);
        const double speed = 10.0 * pow(0.8, (double)k + 1.0);
        for (int i = 1; i < 10; i++) {
            const double t = start + (end - start) * i / 10.0;
            const struct sg_ball_state now = sg_ball_at(&b, t);
            ck_assert_uint_eq(now.impacts, k + 1);
            /* energy and velocity of the flight; 1e-13: rounding of t - t_k */
            ck_assert_double_eq_tol(0.5 * now.velocity * now.velocity + 10.0 * now.height,
                                    0.5 * speed * speed, 1e-12);
            ck_assert_double_eq_tol(now.velocity, speed * (1.0 - i / 5.0), 1e-12);
        }
    }
}
END_TEST

START_TEST(restitution_holds_at_every_impact)
{
    const struct sg_ball b = ball(0.7);
    for (size_t k = 0; k < 20; k++) {
        const double t = sg_ball_impact_time(&b, k);
        const double before = sg_ball_at(&b, t - 1e-9).velocity, after = sg_ball_at(&b, t + 1e-9).velocity;
        ck_assert_double_eq_tol(after, -0.7 * before, 4e-8); /* g times 2e-9 s, both sides */
        ck_assert_double_eq_tol(sg_ball_at(&b, t + 1e-9).height, 0.0, 2e-8);
    }
}
END_TEST

START_TEST(first_fall)
{
    const struct sg_ball b = ball(0.5);
    ck_assert_double_eq(sg_ball_at(&b, 0.0).height, 5.0);
    ck_assert_double_eq_tol(sg_ball_at(&b, 0.5).height, 3.75, 1e-15);
    ck_assert_double_eq_tol(sg_ball_at(&b, 0.5).velocity, -5.0, 1e-15);
    ck_assert_uint_eq(sg_ball_at(&b, 0.5).impacts, 0);
    ck_assert_double_eq_tol(sg_ball_at(&b, 1.0).velocity, 5.0, 1e-14); /* at the impact: after it */
}
END_TEST

START_TEST(rests_beyond_the_accumulation)
{
    const struct sg_ball b = ball(0.5);
    ck_assert_double_eq_tol(sg_ball_accumulation(&b), 3.0, 1e-15);
    ck_assert_double_eq_tol(sg_ball_impact_time(&b, 200), 3.0, 1e-14); /* the series has converged */
    for (int i = 0; i < 10; i++) {
        const struct sg_ball_state rest = sg_ball_at(&b, 3.0 + i);
        ck_assert_double_eq(rest.height, 0.0);
        ck_assert_double_eq(rest.velocity, 0.0);
        ck_assert_uint_eq(rest.impacts, SIZE_MAX);
    }
}
END_TEST

START_TEST(settles_smoothly_into_rest)
{
    const struct sg_ball b = ball(0.9);
    const double end = sg_ball_accumulation(&b), first = 1.0;
    for (int i = 0; i < 45; i++) {
        const double left = ldexp(end - first, -i);
        const struct sg_ball_state now = sg_ball_at(&b, end - left);
        /* flights shrink with the time left: speed <= V left / (e (end - t_0)), height <= speed^2 / 2g;
         * 1e-13: rounding of times near 19 s */
        const double speed = 10.0 * left / (end - first) / 0.9 + 1e-13;
        ck_assert_double_le(fabs(now.velocity), speed);
        ck_assert_double_ge(now.height, 0.0);
        ck_assert_double_le(now.height, speed * speed / 20.0 + 1e-13);
        ck_assert_uint_lt(now.impacts, 1000);
    }
}
END_TEST

START_TEST(elastic_ball_never_rests)
{
    const struct sg_ball b = ball(1.0);
    ck_assert(isinf(sg_ball_accumulation(&b)));
    for (int i = 0; i < 200; i++) {
        const double t = 0.01 * i;
        const struct sg_ball_state first = sg_ball_at(&b, t), later = sg_ball_at(&b, t + 2000.0);
        if (i == 100) continue;                                     /* the impact itself */
        ck_assert_double_eq_tol(first.height, later.height, 1e-11); /* V times rounding of 2000 s */
        ck_assert_double_eq_tol(first.velocity, later.velocity, 1e-11);
    }
}
END_TEST

START_TEST(inelastic_ball_rests_at_once)
{
    const struct sg_ball b = ball(0.0);
    ck_assert_double_eq(sg_ball_accumulation(&b), 1.0);
    ck_assert_double_eq(sg_ball_impact_time(&b, 3), 1.0);
    ck_assert_double_gt(sg_ball_at(&b, 0.999).height, 0.0);
    ck_assert_double_eq(sg_ball_at(&b, 1.0).velocity, 0.0);
    ck_assert_uint_eq(sg_ball_at(&b, 2.0).impacts, 1);
}
END_TEST

START_TEST(rejects_bad_values)
{
    struct sg_error err;
    struct sg_ball b = ball(1.5);
    ck_assert_int_eq(sg_ball_check(&b, &err), SG_BAD_DECK);
    ck_assert_str_eq(err.text, "ball: restitution is 1.5, must be in [0, 1]");
    b = ball(0.5);
    b.gravity = -1.0;
    ck_assert_int_eq(sg_ball_check(&b, &err), SG_BAD_DECK);
    b.gravity = 10.0;
    b.height = 0.0;
    ck_assert_int_eq(sg_ball_check(&b, &err), SG_BAD_DECK);
    b.height = 5.0;
    ck_assert_int_eq(sg_ball_check(&b, &err), SG_OK);
}
END_TEST

Suite *sg_suite_exact_ball(void)
{
    Suite *suite = suite_create("exact_ball");
    TCase *tests = tcase_create("ball");
    tcase_add_test(tests, impact_times_follow_the_flights);
    tcase_add_test(tests, flights_are_parabolas);
    tcase_add_test(tests, restitution_holds_at_every_impact);
    tcase_add_test(tests, first_fall);
    tcase_add_test(tests, rests_beyond_the_accumulation);
    tcase_add_test(tests, settles_smoothly_into_rest);
    tcase_add_test(tests, elastic_ball_never_rests);
    tcase_add_test(tests, inelastic_ball_rests_at_once);
    tcase_add_test(tests, rejects_bad_values);
    suite_add_tcase(suite, tests);
    return suite;
}
