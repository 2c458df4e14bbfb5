/* Newton's iterations of time-stepping, on the Van der Pol oscillator: x'' - 5 (1 - x^2) x' + x = 0. */
#include <stdio.h>

#include "run_fixture.h"

static const char *const text =
    "bodies = ( { type = \"particles\"; name = \"m\"; positions = [0.0]; masses = [1.0];"
    " springs = ( { node = 0; stiffness = 1.0; } ); } );"
    "elements = ( { type = \"van_der_pol\"; node = \"m\"; coefficient = 5.0; scale = 1.0; } );"
    "initial = ( { body = \"m\"; displacement = 1.0; velocity = 1.0; } );"
    "contacts = ( { type = \"wall\"; node = \"m\"; gap = 0.25; restitution = 1.0; } );"
    "integrator = { type = \"central-difference\"; };"
    "strategy = { type = \"time-stepping\"; };"
    "time = { end = 4.0; step = 0.01; };";

struct motion {
    double x, v;
};

static struct motion slope(struct motion m)
{
    return (struct motion){m.v, 5.0 * (1.0 - m.x * m.x) * m.v - m.x};
}

static struct motion along(struct motion m, struct motion d, double h)
{
    return (struct motion){m.x + h * d.x, m.v + h * d.v};
}

/* Runge and Kutta's rule of order 4, 16 substeps: error far below the runs' */
static struct motion reference(struct motion m, double h)
{
    double s = h / 16.0;
    for (int i = 0; i < 16; i++) {
        struct motion a = slope(m), b = slope(along(m, a, 0.5 * s)), c = slope(along(m, b, 0.5 * s)),
                      d = slope(along(m, c, s));
        m.x += s / 6.0 * (a.x + 2.0 * b.x + 2.0 * c.x + d.x);
        m.v += s / 6.0 * (a.v + 2.0 * b.v + 2.0 * c.v + d.v);
    }
    return m;
}

/* without impacts, relative mean error */
static double error_of(double h, const char *a, const char *b)
{
    struct run run;
    char step[64];
    snprintf(step, sizeof step, "time.step=%.17g", h);
    RUN(&run, text, step, a, b, "contacts.[0].gap=50.0");
    struct motion exact = {1.0, 1.0};
    double error = 0.0, size = 0.0;
    for (size_t i = 1; i < run.count; i++) {
        exact = reference(exact, h);
        error += fabs(run.rows[i].u[0] - exact.x);
        size += fabs(exact.x);
    }
    ck_assert_uint_eq(run_events_of(&run, SG_EVENT_IMPACT), 0);
    run_release(&run);
    return error / size;
}

struct order_case {
    const char *integrator, *option;
    double order;
};

static const struct order_case cases[] = {
    {"integrator.type=central-difference", "integrator.damping=explicit", 1.0},
    {"integrator.type=central-difference", "integrator.damping=implicit", 2.0},
    {"integrator.type=theta", "integrator.forces=midpoint", 2.0},
    {"integrator.type=theta", "integrator.forces=average", 2.0},
};

START_TEST(has_its_order)
{
    const struct order_case *c = &cases[_i];
    double coarse = error_of(1.0 / 1024.0, c->integrator, c->option);
    double fine = error_of(1.0 / 2048.0, c->integrator, c->option);
    NEAR(log2(coarse / fine), c->order, 0.05);
}
END_TEST

/* published for all schemes: 43 impacts in 300 s; the limit cycle's impact speed by the exact solution */
START_TEST(stays_on_its_limit_cycle)
{
    const struct order_case *c = &cases[_i];
    struct run run;
    RUN(&run, text, c->integrator, c->option, "time.end=300.0", "time.step=0.001");
    ck_assert_uint_eq(run_events_of(&run, SG_EVENT_IMPACT), 43);
    /* m/s, order 1 at impacts: steps of 1e-3 s at accelerations of some 26 m/s^2 */
    NEAR(run.events[run.event_count - 2].gap_velocity, -5.593154, 0.03);
    run_release(&run);
}
END_TEST

/* the energy account of the scheme's own algebra closes in nonlinear systems too, where it has one: the
 * spring is linear, all else is damping and impacts with e = 1 */
START_TEST(accounts_close)
{
    static const size_t exact[] = {0, 1, 2};
    const struct order_case *c = &cases[exact[_i]];
    struct run run;
    RUN(&run, text, c->integrator, c->option, "time.end=30.0", "time.step=0.001");
    /* J: Newton's tolerance in a work of some 100 J over 3e4 steps */
    BELOW(run_imbalance(&run), 1e-9);
    ck_assert(fabs(run_last(&run)->dissipated) > 0.1);
    run_release(&run);
}
END_TEST

/* an iteration factors once and solves once, and once more in each step that it closes a contact */
START_TEST(counts_its_work)
{
    struct run run;
    struct sg_summary summary = {0};
    RUN(&run, text, cases[_i].integrator, cases[_i].option);
    run.job.strategy.ops->summarize(&run.job.strategy, &summary);
    struct sg_effective_counts counts = sg_phase_counts(&run.job.phase);
    ck_assert_int_ge(summary.newton_iterations, 2 * summary.steps);
    ck_assert_int_eq(counts.factorizations, summary.newton_iterations);
    ck_assert_int_gt(counts.solves, summary.newton_iterations);
    ck_assert_int_lt(counts.solves, 2 * summary.newton_iterations);
    run_release(&run);
}
END_TEST

/* Few iterations are not enough for whole steps: they are halved, and the end is met all the same. */
START_TEST(halves_what_does_not_converge)
{
    struct run run;
    RUN(&run, text, "integrator.type=theta", "time.step=0.25", "time.end=10.0", "strategy.max_iterations=4");
    struct sg_summary summary = {0};
    run.job.strategy.ops->summarize(&run.job.strategy, &summary);
    ck_assert_int_gt(summary.rejected_steps, 0);
    ck_assert_int_gt(summary.steps, 40);
    NEAR(run_last(&run)->t, 10.0, 0.0);
    for (size_t i = 1; i < run.count; i++) {
        /* s: pieces of steps are binary fractions, so their times are exact */
        double pieces = run.rows[i].t * 4.0 * 1024.0;
        NEAR(pieces, round(pieces), 0.0);
        ck_assert(run.rows[i].t > run.rows[i - 1].t);
    }
    run_release(&run);
}
END_TEST

START_TEST(gives_up_with_a_reason)
{
    struct run run;
    run_read(&run, (const char *const[]){text, "integrator.type=theta", "strategy.max_iterations=1", NULL});
    run_build(&run);
    run_must(&run, "give up");
    run_go(&run);
    ck_assert_int_eq(run.status, SG_NO_SOLUTION);
    ck_assert_ptr_nonnull(strstr(run.err.text, "Newton's iterations don't converge at step 1, t = 0 s"));
    run_release(&run);
}
END_TEST

Suite *sg_suite_time_stepping_nonlinear(void);
Suite *sg_suite_time_stepping_nonlinear(void)
{
    Suite *suite = suite_create("time_stepping_nonlinear");
    TCase *all = tcase_create("all");
    tcase_set_timeout(all, 120);
    tcase_add_loop_test(all, has_its_order, 0, 4);
    tcase_add_loop_test(all, stays_on_its_limit_cycle, 0, 4);
    tcase_add_loop_test(all, accounts_close, 0, 3);
    tcase_add_loop_test(all, counts_its_work, 1, 4);
    tcase_add_test(all, halves_what_does_not_converge);
    tcase_add_test(all, gives_up_with_a_reason);
    suite_add_tcase(suite, all);
    return suite;
}
