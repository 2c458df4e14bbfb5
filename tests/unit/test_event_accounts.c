/* What event-driven runs keep count of: energies, impulses, events, the steps after them. */
#include "run_fixture.h"

/* a bar whose held end is shaken, above a rigid wall: impacts while the support moves */
static const char shaken[] =
    "bodies = ( { type = \"bar\"; name = \"bar\"; length = 1.0; elements = 4; area = 1.0; modulus = 1.0;"
    " density = 1.0; position = 0.5; } );"
    "supports = ( { node = \"bar.right\"; motion = { type = \"harmonic\"; amplitude = -0.6; frequency = 0.2; "
    "}; } );"
    "contacts = ( { type = \"wall\"; node = \"bar.left\"; position = 0.3; restitution = 0.5; } );"
    "integrator = { type = \"botr\"; rho_inf = 1.0; };"
    "strategy = { type = \"event-driven\"; };"
    "time = { end = 3.0; step = 0.002; };";

START_TEST(impacts_make_a_moving_support_work)
{
    struct run run;
    RUN(&run, shaken);
    ck_assert_uint_ge(run_events_of(&run, SG_EVENT_IMPACT), 5);
    /* of 1.4 J; time errors and Simpson's rule for the works give 2e-6, the support's impulses 3e-3 */
    BELOW(run_imbalance(&run), 1e-5);
    run_release(&run);
}
END_TEST

/* nothing couples the moved particle to the free one, so that no load depends on time */
static const char uncoupled[] =
    "bodies = ( { type = \"particles\"; name = \"p\"; positions = [0.0, 1.0]; masses = [1.0, 2.0]; } );"
    "supports = ( { node = \"p.1\"; motion = { type = \"harmonic\"; amplitude = 0.1; frequency = 0.5; }; } );"
    "loads = ( { type = \"gravity\"; acceleration = -9.81; } );"
    "integrator = { type = \"trapezoidal\"; };"
    "strategy = { type = \"event-driven\"; };"
    "time = { end = 1.0; step = 0.01; };";

START_TEST(supports_without_coupling_work)
{
    static const char *const integrators[] = {"integrator.type=\"trapezoidal\"", "integrator.type=\"botr\""};
    struct run run;
    RUN(&run, uncoupled, integrators[_i]);
    ck_assert(run.job.phase.steady);
    /* d(m v^2/2 - m g u) of the support alone, of energies near 10 J: rounding */
    BELOW(run_imbalance(&run), 1e-12);
    run_release(&run);
}
END_TEST

/* at rest on the wall from the start */
static const char resting[] =
    "bodies = ( { type = \"particles\"; name = \"p\"; positions = [0.0]; masses = [1.0]; } );"
    "loads = ( { type = \"gravity\"; acceleration = -10.0; } );"
    "contacts = ( { type = \"wall\"; node = \"p\"; position = 0.0; } );"
    "integrator = { type = \"trapezoidal\"; };"
    "strategy = { type = \"event-driven\"; };"
    "time = { end = 1.0; step = 0.1; contact_step = 0.02; };";

START_TEST(samples_inside_steps_have_their_impulse)
{
    struct run run = {0};
    static const char *const deck[] = {resting, NULL};
    run_read(&run, deck);
    run.sample_every = 0.03;
    run_build(&run);
    run_must(&run, resting);
    run_go(&run);
    run_must(&run, resting);
    ck_assert_uint_eq(run.sample_count, 33);
    /* 10 N from the start on: rounding of sums */
    for (size_t i = 0; i < run.sample_count; i++)
        NEAR(run.samples[i].impulse[0], 10.0 * run.samples[i].t, 1e-13);
    run_release(&run);
}
END_TEST

START_TEST(closing_at_the_start_is_an_event)
{
    static const char *const laws[] = {"contacts.[0].restitution=0.5", "contacts.[0].stiffness=1e3"};
    struct run run;
    RUN(&run, resting, laws[_i]);
    ck_assert_uint_ge(run.event_count, 1);
    ck_assert_int_eq(run.events[0].kind, SG_EVENT_CLOSE);
    ck_assert(run.events[0].t == 0);
    /* ten increments of the contact step follow, as after every event */
    ck_assert_uint_gt(run.count, 11);
    NEAR(run.rows[1].t, 0.02, 1e-15);
    NEAR(run.rows[10].t, 0.2, 1e-15);
    run_release(&run);
}
END_TEST

/* a is lifted off the floor by a force that jumps at 0.5, where b arrives, too late by less than gTol */
static const char together[] =
    "bodies = ( { type = \"particles\"; name = \"p\"; positions = [0.0, 1.0]; masses = [1.0, 1.0]; } );"
    "initial = ( { body = \"p\"; velocity_slope = -1.0; } );"
    "loads = ( { type = \"force\"; node = \"p.0\";"
    " signal = { type = \"pulse\"; shape = \"rectangle\"; amplitude = -10.0; duration = 0.5; }; },"
    " { type = \"force\"; node = \"p.0\"; signal = { type = \"constant\"; value = 5.0; }; } );"
    "contacts = ( { type = \"wall\"; node = \"p.0\"; position = 0.0; },"
    " { type = \"wall\"; node = \"p.1\"; gap = 0.499999999; stiffness = 1e3; } );"
    "integrator = { type = \"trapezoidal\"; };"
    "strategy = { type = \"event-driven\"; };"
    "time = { end = 0.6; step = 0.1; };";

START_TEST(release_at_a_jump_keeps_the_events_there)
{
    struct run run;
    RUN(&run, together);
    double opens = 0, closes = 0;
    for (size_t i = 0; i < run.event_count; i++) {
        if (run.events[i].contact == 0 && run.events[i].kind == SG_EVENT_OPEN) opens = run.events[i].t;
        if (run.events[i].contact == 1 && run.events[i].kind == SG_EVENT_CLOSE) closes = run.events[i].t;
    }
    ck_assert(opens == 0.5);
    ck_assert(closes == 0.5);
    run_release(&run);
}
END_TEST

Suite *sg_suite_event_accounts(void);

Suite *sg_suite_event_accounts(void)
{
    Suite *suite = suite_create("event_accounts");
    TCase *accounts = tcase_create("accounts");
    tcase_add_test(accounts, impacts_make_a_moving_support_work);
    tcase_add_loop_test(accounts, supports_without_coupling_work, 0, 2);
    tcase_add_test(accounts, samples_inside_steps_have_their_impulse);
    tcase_add_loop_test(accounts, closing_at_the_start_is_an_event, 0, 2);
    tcase_add_test(accounts, release_at_a_jump_keeps_the_events_there);
    suite_add_tcase(suite, accounts);
    return suite;
}
