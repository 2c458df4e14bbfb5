#include <check.h>
#include <math.h>
#include <string.h>

#include "benchmarks/exact/ball.h"
#include "benchmarks/exact/smooth_motion.h"

Suite *sg_suite_smooth_motion(void);

/* --- a ball: exact in closed form ----------------------------------------------------------------- */

static void ball_rate(const void *owner, const double *y, double *rate)
{
    const struct sg_ball *ball = owner;
    rate[0] = y[1];
    rate[1] = -ball->gravity;
}

static double ball_gap(const void *owner, const double *y)
{
    (void)owner;
    return y[0];
}

static void ball_impact(const void *owner, double *y)
{
    const struct sg_ball *ball = owner;
    y[0] = 0.0;
    y[1] *= -ball->restitution;
}

static struct sg_smooth_motion ball_motion(const struct sg_ball *ball)
{
    return (struct sg_smooth_motion){
        .dim = 2, .max_step = 0.1, .rate = ball_rate, .gap = ball_gap, .impact = ball_impact, .owner = ball};
}

START_TEST(a_ball_bounces_as_it_exactly_does)
{
    const struct sg_ball ball = {.height = 1.0, .gravity = 9.81, .restitution = 0.9};
    const struct sg_smooth_motion motion = ball_motion(&ball);
    struct sg_smooth_state state = {.y = {1.0, 0.0}};
    struct sg_error err = {0};
    for (int i = 1; i <= 300; i++) { /* up to impact 11; 1e-12: rounding of as many sums */
        const double t = i * 0.02;
        const struct sg_ball_state exact = sg_ball_at(&ball, t);
        ck_assert_int_eq(sg_smooth_advance(&motion, t, false, &state, &err), SG_OK);
        ck_assert_double_eq(state.t, t);
        ck_assert_uint_eq(state.impacts, exact.impacts);
        ck_assert_double_eq_tol(state.y[0], exact.height, 1e-12);
        ck_assert_double_eq_tol(state.y[1], exact.velocity, 1e-11);
    }
    ck_assert_uint_ge(state.impacts, 9);
}
END_TEST

START_TEST(it_stops_at_an_impact_if_asked_to)
{
    const struct sg_ball ball = {.height = 1.0, .gravity = 9.81, .restitution = 0.5};
    const struct sg_smooth_motion motion = ball_motion(&ball);
    struct sg_smooth_state state = {.y = {1.0, 0.0}};
    struct sg_error err = {0};
    for (size_t k = 0; k < 8; k++) { /* 1e-12 as above */
        ck_assert_int_eq(sg_smooth_advance(&motion, 10.0, true, &state, &err), SG_OK);
        ck_assert_uint_eq(state.impacts, k + 1);
        ck_assert_double_eq_tol(state.impact_time, sg_ball_impact_time(&ball, k), 1e-12);
        ck_assert_double_eq_tol(-state.before[1], sg_ball_impact_speed(&ball, k), 1e-12);
        ck_assert_double_eq(state.y[1], -0.5 * state.before[1]);
    }
}
END_TEST

START_TEST(a_ball_that_comes_to_rest_is_no_motion)
{
    const struct sg_ball ball = {.height = 1.0, .gravity = 9.81, .restitution = 0.0};
    const struct sg_smooth_motion motion = ball_motion(&ball);
    struct sg_smooth_state state = {.y = {1.0, 0.0}};
    struct sg_error err = {0};
    ck_assert_int_eq(sg_smooth_advance(&motion, 2.0, false, &state, &err), SG_NO_SOLUTION);
    ck_assert_ptr_nonnull(strstr(err.text, "flights vanish at t = 0.4515"));
}
END_TEST

/* --- an oscillator without wall ------------------------------------------------------------------- */

static void oscillator_rate(const void *owner, const double *y, double *rate)
{
    (void)owner;
    rate[0] = y[1];
    rate[1] = -y[0];
}

START_TEST(an_oscillator_keeps_time)
{
    const struct sg_smooth_motion motion = {.dim = 2, .max_step = 0.5, .rate = oscillator_rate};
    struct sg_smooth_state state = {.y = {0.3, 0.4}};
    struct sg_error err = {0};
    ck_assert_int_eq(sg_smooth_advance(&motion, 100.0, true, &state, &err), SG_OK);
    ck_assert_uint_eq(state.impacts, 0);
    /* 200 steps of 1e-13 */
    ck_assert_double_eq_tol(state.y[0], 0.3 * cos(100.0) + 0.4 * sin(100.0), 2e-11);
    ck_assert_double_eq_tol(state.y[1], 0.4 * cos(100.0) - 0.3 * sin(100.0), 2e-11);
}
END_TEST

static void ending_rate(const void *owner, const double *y, double *rate)
{
    (void)owner;
    rate[0] = sqrt(1.0 - y[0]); /* y = 1 - (1 - t/2)^2, no rate beyond y = 1 */
}

START_TEST(where_there_is_no_rate_it_ends)
{
    const struct sg_smooth_motion motion = {.dim = 1, .max_step = 0.3, .rate = ending_rate};
    struct sg_smooth_state state = {.y = {0.0}};
    struct sg_error err = {0};
    ck_assert_int_eq(sg_smooth_advance(&motion, 1.0, false, &state, &err), SG_OK);
    ck_assert_double_eq_tol(state.y[0], 0.75, 1e-12); /* a few steps of 1e-13 */
    state.y[0] = 1.5;
    ck_assert_int_eq(sg_smooth_advance(&motion, 2.0, false, &state, &err), SG_NO_SOLUTION);
    ck_assert_ptr_nonnull(strstr(err.text, "steps vanish at t = 1 s"));
}
END_TEST

Suite *sg_suite_smooth_motion(void)
{
    Suite *suite = suite_create("smooth_motion");
    TCase *tests = tcase_create("reference motion");
    tcase_add_test(tests, a_ball_bounces_as_it_exactly_does);
    tcase_add_test(tests, it_stops_at_an_impact_if_asked_to);
    tcase_add_test(tests, a_ball_that_comes_to_rest_is_no_motion);
    tcase_add_test(tests, an_oscillator_keeps_time);
    tcase_add_test(tests, where_there_is_no_rate_it_ends);
    suite_add_tcase(suite, tests);
    return suite;
}
