/* Time-stepping against exact motion, conservation and the published figures of the explicit benchmarks (Di
 * Stasio et al. 2019): ball and bar. */
#include <stdio.h>

#include "run_fixture.h"

static const char *const ball_text =
    "bodies = ( { type = \"particles\"; name = \"ball\"; positions = [1.0]; masses = [1.0]; } );"
    "loads = ( { type = \"gravity\"; acceleration = -9.81; } );"
    "contacts = ( { type = \"wall\"; node = \"ball\"; position = 0.0; restitution = 1.0; } );"
    "integrator = { type = \"central-difference\"; };"
    "strategy = { type = \"time-stepping\"; };"
    "time = { end = 4.0; step = 0.01; };";

static const double g = 9.81;

/* --- ball ----------------------------------------------------------------------------------------- */

static const char *const schemes[] = {"integrator.type=central-difference", "integrator.type=theta"};

START_TEST(falls_exactly)
{
    struct run run;
    RUN(&run, ball_text, schemes[_i], "time.end=0.44");
    for (size_t i = 0; i < run.count; i++) {
        double t = run.rows[i].t;
        /* both rules are exact for a parabola; the tolerance is rounding of 44 steps */
        NEAR(1.0 + run.rows[i].u[0], 1.0 - 0.5 * g * t * t, 1e-14);
    }
    ck_assert_uint_eq(run.count, 45);
    run_release(&run);
}
END_TEST

/* the last step is shortened, and the velocity's kick with it */
START_TEST(falls_exactly_to_an_odd_end)
{
    struct run run;
    RUN(&run, ball_text, schemes[_i], "time.end=0.4337");
    const struct run_row *last = run_last(&run);
    NEAR(last->t, 0.4337, 0.0);
    /* as above */
    NEAR(last->u[0], -0.5 * g * 0.4337 * 0.4337, 1e-14);
    run_release(&run);
}
END_TEST

/* an impact in the shortest run that a deck may ask for: the force of 2 N s is a number */
START_TEST(forces_of_the_shortest_run_are_finite)
{
    struct run run;
    RUN(&run,
        "bodies = ( { type = \"particles\"; name = \"ball\"; positions = [0.0]; masses = [1.0]; } );"
        "initial = ( { node = \"ball\"; velocity = -1.0; } );"
        "contacts = ( { type = \"wall\"; node = \"ball\"; position = 0.0; restitution = 1.0; } );"
        "integrator = { type = \"central-difference\"; };"
        "strategy = { type = \"time-stepping\"; };"
        "time = { end = 1.0e-100; step = 0.01; };",
        schemes[_i]);
    const struct run_row *last = run_last(&run);
    NEAR(last->impulse[0], 2.0, 1e-15);
    /* central differences have the impact in the half step that they begin with */
    NEAR(_i == 0 ? run.rows[0].force[0] : last->force[0], _i == 0 ? 4e100 : 2e100, 1e86);
    NEAR(last->v[0], 1.0, 1e-15);
    run_release(&run);
}
END_TEST

/* a kick a step and one to begin with, and the wall's column in each that it pushes in: nothing is factored
 */
START_TEST(explicit_steps_count_their_kicks)
{
    struct run run;
    RUN(&run, ball_text);
    struct sg_effective_counts counts = sg_phase_counts(&run.job.phase);
    size_t impacts = run_events_of(&run, SG_EVENT_IMPACT); /* of a step each */
    ck_assert_uint_gt(impacts, 0);
    ck_assert_uint_eq(run_events_of(&run, SG_EVENT_OPEN), impacts);
    ck_assert_int_eq(counts.solves, 401 + (long long)impacts);
    ck_assert_int_eq(counts.factorizations, 0);
    run_release(&run);
}
END_TEST

/* between impacts every step conserves, and so does the impact with e = 1 */
static double highest_after(const struct run *run, double t0)
{
    double best = -1.0;
    for (size_t i = 0; i < run->count; i++)
        if (run->rows[i].t > t0) best = fmax(best, 1.0 + run->rows[i].u[0]);
    return best;
}

START_TEST(rebounds_to_its_height)
{
    struct run run;
    /* from 1 m an apex falls on a sample with both schemes (the impact mirrors the sequence of samples) */
    RUN(&run, ball_text, schemes[_i], "time.end=20.0");
    NEAR(highest_after(&run, 0.6), 1.0, 1e-12);
    NEAR(highest_after(&run, 15.0), 1.0, 1e-12);
    /* rounding of 2000 steps in energies of 10 J */
    BELOW(run_imbalance(&run), 1e-12);
    NEAR(run_last(&run)->dissipated, 0.0, 1e-12);
    run_release(&run);
}
END_TEST

START_TEST(penetrates_as_published)
{
    static const double depth[] = {3.790e-2, 1.534e-2};
    struct run run;
    RUN(&run, ball_text, schemes[_i], "contacts.[0].restitution=0");
    /* the last digit printed */
    NEAR(run_deepest(&run), depth[_i], 5.01e-6);
    /* plastic: at rest where it hit, its fall dissipated */
    NEAR(run_last(&run)->v[0], 0.0, 1e-13);
    NEAR(run_last(&run)->gap[0], -run_deepest(&run), 1e-13);
    BELOW(run_imbalance(&run), 1e-12);
    ck_assert_uint_eq(run_events_of(&run, SG_EVENT_IMPACT), 1);
    ck_assert_uint_eq(run_events_of(&run, SG_EVENT_OPEN), 0);
    /* at rest the force is the weight */
    NEAR(run_last(&run)->force[0], g, 1e-11);
    run_release(&run);
}
END_TEST

START_TEST(position_level_overshoots_as_published)
{
    struct run run;
    RUN(&run, ball_text, "strategy.level=position");
    /* Paoli and Schatzman: four digits are printed */
    NEAR(highest_after(&run, 0.6), 1.0312, 5e-5);
    run_release(&run);
    RUN(&run, ball_text, "strategy.level=position", "contacts.[0].restitution=0");
    /* Carpenter: on the floor to rounding, from the first impact on */
    BELOW(run_deepest(&run), 1e-15);
    NEAR(highest_after(&run, 0.6), 0.0, 1e-14);
    run_release(&run);
}
END_TEST

START_TEST(implicit_position_level_explodes_as_published)
{
    struct run run;
    RUN(&run, ball_text, "strategy.level=position", "integrator.type=trapezoidal",
        "contacts.[0].restitution=0", "time.end=6.0");
    double first = 0.0, second = 0.0;
    for (size_t i = 0; i < run.count; i++) {
        double z = 1.0 + run.rows[i].u[0], t = run.rows[i].t;
        if (t < 0.5) continue;
        if (t < 4.0) first = fmax(first, z);
        second = fmax(second, z);
    }
    /* apexes of "about 5.7, then 8.8": two digits are printed */
    NEAR(first, 5.7, 0.05);
    NEAR(second, 8.8, 0.05);
    run_release(&run);
}
END_TEST

START_TEST(comes_to_rest_after_infinitely_many_bounces)
{
    struct run run;
    RUN(&run, ball_text, schemes[_i], "contacts.[0].restitution=0.8", "time.end=6.0");
    for (size_t i = 0; i < run.count; i++) {
        const struct run_row *row = &run.rows[i];
        /* exact end of the bounces: 4.0637 s; then only bounces within a step are left */
        if (row->t > 4.2) BELOW(1.0 + row->u[0], 1e-3);
        if (row->t > 5.5) NEAR(row->v[0], 0.0, 1e-12);
    }
    BELOW(run_imbalance(&run), 1e-12);
    run_release(&run);
}
END_TEST

static sg_status drop_step(void *self, const struct sg_snapshot *now, const struct sg_sampler *sampler,
                           int localized, struct sg_error *err)
{
    double *gap = self;
    (void)sampler, (void)localized, (void)err;
    if (now->t > 6.0 && isnan(gap[0])) gap[0] = now->gap[0];
    gap[1] = now->gap[0];
    return SG_OK;
}

static sg_status drop_event(void *self, const struct sg_event *event, struct sg_error *err)
{
    (void)self, (void)event, (void)err;
    return SG_OK;
}

/* 10^6 steps: at rest the ball neither sinks nor rises, beyond rounding of its weight */
START_TEST(rests_without_drift)
{
    struct run run;
    double gap[2] = {NAN, NAN};
    run_read(&run, (const char *const[]){ball_text, schemes[_i], "contacts.[0].restitution=0.8",
                                         "bodies.[0].masses=[0.3]", "time.end=1.0e4", NULL});
    struct sg_observer observer = {.self = gap, .step = drop_step, .event = drop_event};
    run.status = sg_job_build(&run.job, run.deck, &run.diagnostics, &run.err);
    if (run.status == SG_OK) run.status = sg_job_attach(&run.job, observer, &run.diagnostics, &run.err);
    run_must(&run, "drift");
    run_go(&run);
    run_must(&run, "drift");
    struct sg_summary summary = {0};
    run.job.strategy.ops->summarize(&run.job.strategy, &summary);
    ck_assert_int_eq(summary.steps, 1000000);
    /* h times the rounding of a velocity of .1 m/s, for 10^6 steps of one sign */
    NEAR(gap[1], gap[0], 1e6 * 0.01 * 1e-17);
    run_release(&run);
}
END_TEST

/* --- impacting bar -------------------------------------------------------------------------------- */

static const char *const bar_text =
    "bodies = ( { type = \"bar\"; name = \"bar\"; length = 0.254; elements = 50; area = 6.45e-4;"
    " modulus = 2.1e11; density = 7847.0; mass = \"lumped\"; position = 2.5e-4; } );"
    "initial = ( { body = \"bar\"; velocity = -5.0; } );"
    "contacts = ( { type = \"wall\"; node = \"bar.left\"; position = 0.0; } );"
    "integrator = { type = \"central-difference\"; };"
    "strategy = { type = \"time-stepping\"; };"
    "time = { end = 3.435e-4; step = 6.87e-7; };";

static void contact_steps(const struct run *run, size_t *first, size_t *count)
{
    *first = *count = 0;
    for (size_t i = 0; i < run->count; i++) {
        if (!(run->rows[i].force[0] > 0.0)) continue;
        if (*count == 0) *first = i;
        ++*count;
    }
}

START_TEST(bar_hits_and_leaves_as_published)
{
    struct run run;
    size_t first, count;
    RUN(&run, bar_text);
    contact_steps(&run, &first, &count);
    ck_assert_uint_eq(run.count, 501);
    ck_assert_uint_eq(first, 73);
    ck_assert_uint_eq(count, 144);
    /* N s, six digits are printed */
    NEAR(run_last(&run)->impulse[0], 12.7381, 5e-5);
    /* momentum: the impulses are what turned it, exactly (17.7 N s, rounding of 500 steps) */
    double total = 0.254 * 6.45e-4 * 7847.0, p = 0.0;
    for (size_t i = 0; i <= 50; i++) p += total / 50.0 * (i % 50 == 0 ? 0.5 : 1.0) * run_last(&run)->v[i];
    NEAR(p + 5.0 * total, run_last(&run)->impulse[0], 1e-12);
    run_release(&run);
}
END_TEST

static const char *const elements[] = {"bodies.[0].elements=25", "bodies.[0].elements=50",
                                       "bodies.[0].elements=100", "bodies.[0].elements=200"};
static const double element_count[] = {25.0, 50.0, 100.0, 200.0};

START_TEST(bar_loses_the_energy_of_its_nose)
{
    struct run run;
    char step[64], end[64];
    double n = element_count[_i], h = 6.87e-7 * 50.0 / n;
    snprintf(step, sizeof step, "time.step=%.17g", h);
    snprintf(end, sizeof end, "time.end=%.17g", 500.0 * h * n / 50.0);
    RUN(&run, bar_text, elements[_i], step, end);
    double energy = run.rows[0].kinetic;
    /* exact: the lumped node is 1/(2N) of the mass, and all of its energy goes */
    NEAR(run_last(&run)->dissipated / energy, 1.0 / (2.0 * n), 1e-10);
    /* the identity at every step; the tolerance is rounding of u . K u, whose terms reach 1e5 J beside 16 J
     */
    BELOW(run_imbalance(&run) / energy, 1e-9);
    run_release(&run);
}
END_TEST

static const char *const operators[] = {"integrator.operator=modal", "integrator.operator=nodal"};

START_TEST(bar_by_moreau_jean)
{
    struct run run;
    RUN(&run, bar_text, "integrator.type=theta", "bodies.[0].mass=consistent", operators[_i]);
    double energy = run.rows[0].kinetic;
    /* percent, four digits are printed */
    NEAR(100.0 * run_last(&run)->dissipated / energy, 0.9071, 5e-5);
    BELOW(run_imbalance(&run) / energy, 1e-10);
    run_release(&run);
}
END_TEST

/* the two coordinates must tell one story */
START_TEST(bar_in_both_coordinates)
{
    struct run nodal, modal;
    RUN(&nodal, bar_text, "integrator.operator=nodal");
    RUN(&modal, bar_text, "integrator.operator=modal");
    ck_assert_uint_eq(nodal.count, modal.count);
    for (size_t i = 0; i < nodal.count; i++) /* m: rounding of modes in displacements of 1e-3 */
        BELOW(run_distance(nodal.rows[i].u, modal.rows[i].u, 51), 1e-13);
    run_release(&nodal);
    run_release(&modal);
}
END_TEST

Suite *sg_suite_time_stepping(void);
Suite *sg_suite_time_stepping(void)
{
    Suite *suite = suite_create("time_stepping");
    TCase *ball = tcase_create("ball");
    tcase_set_timeout(ball, 60);
    tcase_add_loop_test(ball, falls_exactly, 0, 2);
    tcase_add_loop_test(ball, falls_exactly_to_an_odd_end, 0, 2);
    tcase_add_test(ball, explicit_steps_count_their_kicks);
    tcase_add_loop_test(ball, forces_of_the_shortest_run_are_finite, 0, 2);
    tcase_add_loop_test(ball, rebounds_to_its_height, 0, 2);
    tcase_add_loop_test(ball, penetrates_as_published, 0, 2);
    tcase_add_test(ball, position_level_overshoots_as_published);
    tcase_add_test(ball, implicit_position_level_explodes_as_published);
    tcase_add_loop_test(ball, comes_to_rest_after_infinitely_many_bounces, 0, 2);
    tcase_add_loop_test(ball, rests_without_drift, 0, 2);
    suite_add_tcase(suite, ball);
    TCase *bar = tcase_create("bar");
    tcase_add_test(bar, bar_hits_and_leaves_as_published);
    tcase_add_loop_test(bar, bar_loses_the_energy_of_its_nose, 0, 4);
    tcase_add_loop_test(bar, bar_by_moreau_jean, 0, 2);
    tcase_add_test(bar, bar_in_both_coordinates);
    suite_add_tcase(suite, bar);
    return suite;
}
