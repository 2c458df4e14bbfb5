/* The stop criterion on made-up histories, and a run that it ends. */
#include "run_fixture.h"
#include "strategies/time_stepping/stop_criterion.h"

static struct sg_stop_criterion criterion(double tolerance, double period)
{
    return (struct sg_stop_criterion){.on = true, .spec = {tolerance, period}};
}

/* A vibration that stays: the ratio |cos| passes through zero every half period, and is below the tolerance
 * for a while each time. */
START_TEST(zero_crossings_do_not_stop)
{
    struct sg_stop_criterion stop = criterion(0.5, 1.0);
    for (int i = 0; i < 100000; i++) {
        double t = 0.001 * i;
        ck_assert(!sg_stop_criterion_feed(&stop, t, fabs(cos(2.0 * acos(-1.0) * t)), 1.0));
    }
}
END_TEST

/* exp(-t) |cos|: the last peak above the tolerance is the truth */
START_TEST(stops_one_period_after_the_last_excess)
{
    double tolerance = 1e-3, period = 1.0, last = 0.0, stopped = -1.0;
    struct sg_stop_criterion stop = criterion(tolerance, period);
    for (int i = 0; i < 20000 && stopped < 0.0; i++) {
        double t = 0.001 * i, ratio = exp(-t) * fabs(cos(2.0 * acos(-1.0) * t));
        if (sg_stop_criterion_feed(&stop, t, 3.0 * ratio, 3.0)) stopped = t;
        if (ratio > tolerance) last = t;
    }
    ck_assert(last > 6.0);
    /* from the first calm step on; rounding of the sum may cost a step */
    NEAR(stopped, last + 0.001 + period, 0.0011);
}
END_TEST

START_TEST(one_excess_begins_the_period_anew)
{
    struct sg_stop_criterion stop = criterion(0.1, 10.0);
    for (int i = 0; i <= 40; i++) {
        double ratio = i % 8 == 7 ? 0.2 : 0.01;
        ck_assert(!sg_stop_criterion_feed(&stop, i, ratio, 1.0));
    }
    for (int i = 41; i < 50; i++) ck_assert(!sg_stop_criterion_feed(&stop, i, 0.01, 1.0));
    ck_assert(sg_stop_criterion_feed(&stop, 50, 0.01, 1.0)); /* calm since 40 */
}
END_TEST

START_TEST(without_contact_nothing_is_calm)
{
    struct sg_stop_criterion stop = criterion(0.1, 2.0);
    for (int i = 0; i < 100; i++) ck_assert(!sg_stop_criterion_feed(&stop, i, 0.0, 0.0));
    /* a contact that opens for one step */
    for (int i = 100; i < 200; i++) ck_assert(!sg_stop_criterion_feed(&stop, i, 0.0, i % 2));
    for (int i = 200; i < 300; i++) ck_assert(!sg_stop_criterion_feed(&stop, i, NAN, 1.0));
    for (int i = 300; i < 400; i++) ck_assert(!sg_stop_criterion_feed(&stop, i, 0.0, NAN));
    struct sg_stop_criterion off;
    sg_stop_criterion_init(&off, NULL);
    for (int i = 0; i < 100; i++) ck_assert(!sg_stop_criterion_feed(&off, i, 0.0, 1.0));
}
END_TEST

/* half a period before the save, half after */
START_TEST(a_resumed_run_stops_at_the_same_time)
{
    struct sg_stop_criterion stop = criterion(0.1, 10.0), other = criterion(0.1, 10.0);
    struct sg_archive archive = {0};
    for (int i = 0; i <= 5; i++) ck_assert(!sg_stop_criterion_feed(&stop, i, 0.0, 1.0));
    sg_archive_rewind(&archive);
    sg_stop_criterion_archive(&stop, &archive);
    archive.loading = true;
    archive.cursor = 0;
    sg_stop_criterion_archive(&other, &archive);
    ck_assert(sg_archive_finish(&archive, NULL) == SG_OK);
    for (int i = 6; i <= 9; i++) ck_assert(!sg_stop_criterion_feed(&other, i, 0.0, 1.0));
    ck_assert(sg_stop_criterion_feed(&other, 10, 0.0, 1.0));
    sg_archive_release(&archive);
}
END_TEST

/* --- a run ---------------------------------------------------------------------------------------- */

/* two masses, the lower one rests on a wall under the weight of both: the upper one's vibration, period 2 pi
 * / 10 s, dies as exp(-0.5 t) */
static const char *const text =
    "bodies = ( { type = \"particles\"; name = \"p\"; positions = [0, 1]; masses = [1, 1];"
    "  springs = ( { nodes = [0, 1]; stiffness = 100; damping = 1; } ); } );"
    "loads = ( { type = \"gravity\"; acceleration = -10; } );"
    "contacts = ( { type = \"wall\"; node = \"p.0\"; gap = 0; } );"
    "integrator = { type = \"central-difference\"; }; strategy = { type = \"time-stepping\"; };"
    "time = { end = 100; step = 0.01; stop = { tolerance = 1e-4; period = 0.7; }; };";

static const char *const schemes[][2] = {{"integrator.type=central-difference", "strategy.level=velocity"},
                                         {"integrator.type=central-difference", "strategy.level=position"},
                                         {"integrator.type=theta", "strategy.level=velocity"},
                                         {"integrator.type=trapezoidal", "strategy.level=position"}};

START_TEST(ends_a_run_at_rest)
{
    struct run run;
    struct sg_summary summary = {0};
    RUN(&run, text, schemes[_i][0], schemes[_i][1]);
    const struct run_row *last = run_last(&run);
    run.job.strategy.ops->summarize(&run.job.strategy, &summary);
    ck_assert(summary.stopped);
    /* The damping force on both masses, sqrt(2) x 1 N s/m x 1 m/s at the start (10 m/s^2 / 10 1/s), over 20
     * N: 0.0707 exp(-t / 2) = 1e-4 at 13.12 s. Its last peak above comes at most half a period of the square,
     * 0.314 s, before; then 0.7 s of calm; 0.02 s for the reaction, which vibrates too, and whole steps. */
    double latest = 2.0 * log(sqrt(2.0) / 20.0 / 1e-4) + 0.7;
    ck_assert_msg(last->t > latest - 0.314 - 0.02 && last->t < latest + 0.02, "%g", last->t);
    /* v of the order of tolerance x 20 N / (1 N s/m), m/s; sag m g / k */
    BELOW(fabs(last->v[1]), 2e-3);
    NEAR(last->u[1] - last->u[0], -0.1, 2e-4);
    run_release(&run);
    RUN(&run, text, schemes[_i][0], schemes[_i][1], "time.stop.period=1e6");
    NEAR(run_last(&run)->t, 100.0, 0.0);
    run_release(&run);
}
END_TEST

START_TEST(needs_damping)
{
    struct run run;
    run_read(&run, (const char *const[]){text, "bodies.[0].springs.[0].damping=0", NULL});
    run_build(&run);
    ck_assert_int_eq(run.status, SG_BAD_DECK);
    sg_diagnostics_render(&run.diagnostics, &run.findings);
    ck_assert(strstr(sg_text_view(&run.findings), "time.stop: needs a damped model") != NULL);
    run_release(&run);
}
END_TEST

Suite *sg_suite_stop_criterion(void)
{
    Suite *suite = suite_create("stop_criterion");
    TCase *tcase = tcase_create("stop criterion");
    tcase_add_test(tcase, zero_crossings_do_not_stop);
    tcase_add_test(tcase, stops_one_period_after_the_last_excess);
    tcase_add_test(tcase, one_excess_begins_the_period_anew);
    tcase_add_test(tcase, without_contact_nothing_is_calm);
    tcase_add_test(tcase, a_resumed_run_stops_at_the_same_time);
    tcase_add_loop_test(tcase, ends_a_run_at_rest, 0, 3);
    tcase_add_test(tcase, needs_damping);
    suite_add_tcase(suite, tcase);
    return suite;
}
