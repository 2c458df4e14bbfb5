/* Strategy penalty against closed forms of springs and dashpots, conservation laws, and the law of the force
 * itself, contact by contact and step by step. */
#include <stdio.h>

#include "contact/laws/spring.h"
#include "penalty_fixture.h"

static const double pi = 3.14159265358979323846;

/* --- the law of the force ------------------------------------------------------------------------- */

static double potential(double kappa, double g)
{
    return g < 0.0 ? 0.5 * kappa * g * g : 0.0;
}

START_TEST(step_force_works_by_energies)
{
    unsigned long long state = 17;
    for (int k = 0; k < 2000; k++) {
        double g0 = run_random(&state), g1 = run_random(&state), kappa = 3.0,
               chi = 0.5 + 0.5 * run_random(&state);
        struct sg_law_step f = sg_law_spring_step(kappa, chi, g0, g1);
        double n = fmin(g1, 0.0) - fmin(g0, 0.0), loss = 0.5 * chi * kappa * n * n;
        /* sums of a few terms of size 3 */
        NEAR(f.value * (g1 - g0), potential(kappa, g0) - potential(kappa, g1) - loss, 1e-14);
        NEAR(f.taken, loss, 1e-15);
        ck_assert(f.value >= 0.0);
        ck_assert(f.slope <= 0.0);
        /* a central difference: its own error is d^2, and the force has kinks where a gap is 0 */
        double d = 1e-5;
        if (fabs(g1) < 1e-2 || fabs(g1 - g0) < 1e-1) continue;
        double up = sg_law_spring_step(kappa, chi, g0, g1 + d).value;
        double down = sg_law_spring_step(kappa, chi, g0, g1 - d).value;
        NEAR(f.slope, (up - down) / (2.0 * d), 1e-6);
    }
    /* equal ends: the derivative of the energy; and no division by nothing */
    NEAR(sg_law_spring_step(3.0, 0.0, -0.5, -0.5).value, 1.5, 1e-15);
    NEAR(sg_law_spring_step(3.0, 0.0, 0.0, 0.0).value, 0.0, 0.0);
    NEAR(sg_law_spring_step(3.0, 0.0, 0.0, -1e-300).slope, -1.5, 1e-15);
}
END_TEST

/* --- ball on a spring ----------------------------------------------------------------------------- */

/* of the ball above, until it has left: displacement from x = 0.3 */
static double exact_ball(double t)
{
    double s = t - 0.1;
    if (s <= 0.0) return -3.0 * t;
    if (s >= pi / 10.0) return -0.3 + 3.0 * (s - pi / 10.0);
    return -0.3 - 0.3 * sin(10.0 * s);
}

/* the largest error while it touches; steps meet the start of the contact */
static double contact_error(const char *scheme, const char *step)
{
    struct run run;
    double worst = 0.0;
    RUN(&run, ball_text, scheme, step, "time.end=0.4");
    for (size_t i = 0; i < run.count; i++)
        worst = fmax(worst, fabs(run.rows[i].u[0] - exact_ball(run.rows[i].t)));
    ck_assert_uint_eq(run_events_of(&run, SG_EVENT_CLOSE), 1);
    run_release(&run);
    return worst;
}

START_TEST(follows_the_ball_with_order_two)
{
    double coarse = contact_error(schemes[_i], "time.step=0.002");
    double fine = contact_error(schemes[_i], "time.step=0.001");
    /* the schemes' own (omega h)^2 / 12 to / 24 of the phase by pi, amplitude 0.3: some 1e-4 */
    BELOW(coarse, 2e-4);
    /* order 2: a ratio of 4, less a term of order h in it */
    NEAR(coarse / fine, 4.0, 0.25);
}
END_TEST

START_TEST(conserves_while_it_touches)
{
    struct run run;
    if (_i == ALPHA)
        RUN(&run, ball_text, schemes[_i], "integrator.rho_inf=1");
    else
        RUN(&run, ball_text, schemes[_i]);
    double first = NAN;
    size_t rows = 0;
    for (size_t i = 1; i + 1 < run.count; i++) {
        bool closed =
            run.rows[i - 1].gap[0] < -1e-9 && run.rows[i].gap[0] < -1e-9 && run.rows[i + 1].gap[0] < -1e-9;
        if (!closed) continue;
        if (rows++ == 0) first = run.rows[i].numerical;
        /* energy 9 J, some hundred steps: rounding */
        NEAR(run.rows[i].numerical, first, 1e-12);
    }
    ck_assert_uint_gt(rows, 150);
    run_release(&run);
}
END_TEST

/* where the scheme's force stands: af of generalized-alpha's default rho_inf 0.8, theta 1/2 */
static double share_of(int scheme)
{
    return scheme == THETA ? 0.5 : scheme == ALPHA ? 0.8 / 1.8 : 0.0;
}

static void check_law(const struct run *run, double share, double tolerance)
{
    const struct sg_contact_set *set = run->job.contacts;
    size_t pushing = 0;
    for (size_t i = 1; i < run->count; i++)
        for (size_t j = 0; j < set->q; j++) {
            double gap = (1.0 - share) * run->rows[i].gap[j] + share * run->rows[i - 1].gap[j];
            NEAR(run->rows[i].force[j], sg_law_stiffness(&set->laws[j]) * fmax(0.0, -gap), tolerance);
            pushing += run->rows[i].force[j] > 0.0;
        }
    ck_assert_uint_gt(pushing, 20);
}

/* a row of five balls between walls, all contacts coupled by springs, started at random */
static const char *const row_text =
    "bodies = ( { type = \"particles\"; name = \"row\"; positions = [0.0, 1.0, 2.0, 3.0, 4.0];"
    "  masses = [1.0, 0.5, 2.0, 1.0, 0.7]; springs = ( { nodes = [0, 1]; stiffness = 40.0; },"
    "  { nodes = [3, 4]; stiffness = 25.0; } ); } );"
    "initial = ( { node = \"row.0\"; velocity = -1.3; }, { node = \"row.1\"; velocity = 2.0; "
    "},"
    "  { node = \"row.2\"; velocity = -0.4; }, { node = \"row.3\"; velocity = 1.1; },"
    "  { node = \"row.4\"; velocity = -2.2; } );"
    "loads = ( { type = \"gravity\"; acceleration = -2.0; } );"
    "contacts = ( { type = \"wall\"; node = \"row.0\"; position = -0.1; stiffness = 4000.0; },"
    "  { type = \"pair\"; nodes = [\"row.0\", \"row.1\"]; gap = 0.2; stiffness = 900.0; },"
    "  { type = \"pair\"; nodes = [\"row.1\", \"row.2\"]; gap = 0.1; stiffness = 2000.0; },"
    "  { type = \"pair\"; nodes = [\"row.2\", \"row.3\"]; gap = 0.1; stiffness = 1500.0; },"
    "  { type = \"pair\"; nodes = [\"row.3\", \"row.4\"]; gap = 0.05; stiffness = 3000.0; } );"
    "integrator = { type = \"trapezoidal\"; };"
    "strategy = { type = \"penalty\"; };"
    "time = { end = 4.0; step = 0.01; };";

START_TEST(pushes_by_the_overlap_at_its_point)
{
    struct run run;
    RUN(&run, row_text, schemes[_i]);
    /* forces up to 100 N; gaps of displacements of order 1 times 4000 N/m, some 1e-12, and the pivoting's own
     */
    check_law(&run, share_of(_i), 1e-9);
    run_release(&run);
}
END_TEST

/* --- the rigid limit ------------------------------------------------------------------------------ */

START_TEST(tends_to_the_rigid_wall)
{
    static const double stiffness[] = {2e4, 2e6, 2e8};
    double last = HUGE_VAL;
    for (size_t k = 0; k < 3; k++) {
        struct run run;
        char kappa[64], step[64];
        double omega = sqrt(stiffness[k] / 2.0);
        snprintf(kappa, sizeof kappa, "contacts.[0].stiffness=%g", stiffness[k]);
        snprintf(step, sizeof step, "time.step=%.17g", pi / omega / 30.0);
        RUN(&run, ball_text, "integrator.type=theta", "strategy.form=conserving", "time.end=0.2", kappa,
            step);
        /* the rigid ball is back at its start at t = 0.2: the spring holds it for pi / omega (the midpoint
         * rule's is longer by (omega h)^2 / 12, and the ends of the contact fall within steps) */
        double error = fabs(run_last(&run)->u[0]);
        NEAR(error / (3.0 * pi / omega), 1.0, 0.05);
        BELOW(error, 0.2 * last);
        last = error;
        run_release(&run);
    }
}
END_TEST

/* --- conserving and dissipating ------------------------------------------------------------------- */

static const char *const midpoints[][2] = {{"integrator.type=theta", "integrator.theta=0.5"},
                                           {"integrator.type=generalized-alpha", "integrator.rho_inf=1"}};

START_TEST(conserves_through_all_contacts)
{
    struct run run;
    RUN(&run, row_text, midpoints[_i][0], midpoints[_i][1], "strategy.form=conserving", "time.end=20");
    ck_assert_uint_gt(run_events_of(&run, SG_EVENT_CLOSE), 50);
    /* 2000 steps of 8 J and gravity's 20 J: rounding, 1e-10 is the promise */
    BELOW(run_imbalance(&run), 1e-10);
    NEAR(run_last(&run)->dissipated, 0.0, 0.0);
    run_release(&run);
}
END_TEST

/* steps as long as a contact: the force of the energies stays stable where the standard form gains or loses
 */
START_TEST(conserves_with_stiff_springs)
{
    struct run run;
    RUN(&run, row_text, midpoints[_i][0], midpoints[_i][1], "strategy.form=conserving", "time.end=20",
        "contacts.[0].stiffness=1e8", "contacts.[1].stiffness=1e9");
    ck_assert_uint_gt(run_events_of(&run, SG_EVENT_CLOSE), 50);
    /* as above; a stiffness of 1e9 N/m and displacements of 1e-16 make 1e-7 N, over ways of 1e-4 m in a step
     */
    BELOW(run_imbalance(&run), 2e-10 * 28.0);
    run_release(&run);
}
END_TEST

static double total(const struct run_row *row)
{
    return row->kinetic + row->strain + row->gravity + row->contact;
}

START_TEST(dissipates_and_never_gains)
{
    struct run run;
    RUN(&run, row_text, midpoints[_i][0], midpoints[_i][1], "strategy.form=dissipating", "time.end=20");
    ck_assert_uint_gt(run_events_of(&run, SG_EVENT_CLOSE), 50);
    /* rounding of 8 J and gravity's 20 J, a step */
    for (size_t i = 1; i < run.count; i++) BELOW(total(&run.rows[i]) - total(&run.rows[i - 1]), 1e-12);
    /* what is lost is what is told */
    BELOW(run_imbalance(&run), 1e-10);
    ck_assert(run_last(&run)->dissipated > 0.5);
    run_release(&run);
}
END_TEST

static double lost_in_one_bounce(const char *step)
{
    struct run run;
    RUN(&run, ball_text, "integrator.type=theta", "strategy.form=dissipating", "strategy.dissipation=0.2",
        step);
    double lost = run_last(&run)->dissipated;
    run_release(&run);
    return lost;
}

/* like a dashpot c = chi kappa h / 2, of the damping ratio z = chi omega h / 4, which takes e = 1 - pi z */
START_TEST(dissipates_with_order_one)
{
    double coarse = lost_in_one_bounce("time.step=0.002"), fine = lost_in_one_bounce("time.step=0.001");
    /* the energy lost is 9 J (1 - e^2) up to terms of z^2 = 1e-6 and the steps in which the contact begins
     * and ends, a part of order h of it */
    NEAR(coarse, 9.0 * 2.0 * pi * 0.2 * 10.0 * 0.002 / 4.0, 0.02 * coarse);
    NEAR(coarse / fine, 2.0, 0.04);
}
END_TEST

/* within a circle, and on a wall that moves: normals that change, and work from outside */
static const char *const curved_text =
    "bodies = ( { type = \"particles\"; name = \"mass\"; dim = 2; positions = [0.2, 0.1, -0.3, 0.0];"
    "  masses = [1.0, 2.0]; } );"
    "initial = ( { node = \"mass.0\"; velocity_vector = [1.7, 0.9]; },"
    "  { node = \"mass.1\"; velocity_vector = [-0.6, 1.1]; } );"
    "loads = ( { type = \"gravity\"; acceleration = -1.0; } );"
    "contacts = ( { type = \"circle\"; node = \"mass.0\"; center = [0.0, 0.0]; radius = 1.0; inside = true;"
    "    stiffness = 3000.0; },"
    "  { type = \"circle\"; node = \"mass.1\"; center = [0.0, 0.0]; radius = 1.0; inside = true;"
    "    stiffness = 1000.0; },"
    "  { type = \"nodes\"; nodes = [\"mass.0\", \"mass.1\"]; distance = 0.2; stiffness = 500.0; } );"
    "integrator = { type = \"theta\"; };"
    "strategy = { type = \"penalty\"; form = \"conserving\"; };"
    "time = { end = 20.0; step = 0.02; };";

START_TEST(conserves_along_curved_gaps)
{
    struct run run;
    RUN(&run, curved_text, midpoints[_i][0], midpoints[_i][1]);
    ck_assert_uint_gt(run_events_of(&run, SG_EVENT_CLOSE), 20);
    /* 1000 steps of some 4 J; iterations stop at 1e-12 of the impulses */
    BELOW(run_imbalance(&run), 1e-10);
    run_release(&run);
}
END_TEST

static const char *const piston_text =
    "bodies = ( { type = \"particles\"; name = \"mass\"; dim = 2; positions = [0.0, 0.5]; masses = [1.0]; } "
    ");"
    "loads = ( { type = \"gravity\"; acceleration = -9.81; } );"
    "contacts = ( { type = \"plane\"; node = \"mass\"; normal = [0.0, 1.0]; point = [0.0, 0.0]; stiffness = "
    "1e4;"
    "    motion = { type = \"harmonic\"; amplitude = 0.05; frequency = 3.0; }; } );"
    "integrator = { type = \"theta\"; };"
    "strategy = { type = \"penalty\"; form = \"conserving\"; };"
    "time = { end = 5.0; step = 0.002; };";

START_TEST(counts_the_work_of_a_wall_that_moves)
{
    struct run run;
    RUN(&run, piston_text);
    ck_assert_uint_gt(run_events_of(&run, SG_EVENT_CLOSE), 3);
    ck_assert(fabs(run_last(&run)->external) > 1.0);
    /* 2500 steps of some 10 J */
    BELOW(run_imbalance(&run), 1e-10);
    run_release(&run);
}
END_TEST

START_TEST(curved_gaps_keep_the_law)
{
    struct run run;
    RUN(&run, curved_text, "strategy.form=standard", schemes[_i], "time.end=10", "time.step=0.01");
    /* gaps are no straight line over a step: only forces at its end can be compared */
    if (share_of(_i) == 0.0) check_law(&run, 0.0, 1e-9);
    /* no conservation, but none of the schemes explodes or dies in ten seconds of some 4 J */
    BELOW(run_imbalance(&run), 1.0);
    run_release(&run);
}
END_TEST

/* --- dashpots ------------------------------------------------------------------------------------- */

/* never a pull, whatever the dashpot */
START_TEST(dashpots_never_pull)
{
    struct run run;
    RUN(&run, row_text, schemes[_i], "contacts.[0].restitution=0.2", "contacts.[2].restitution=0.4",
        "contacts.[4].restitution=0.7");
    double lost = 0.0;
    for (size_t i = 1; i < run.count; i++) {
        for (size_t j = 0; j < 5; j++) ck_assert(run.rows[i].force[j] >= 0.0);
        lost = run.rows[i].dissipated;
    }
    ck_assert(lost > 1.0);
    /* of 8 J and gravity's 20 J; steps of a tenth of the contacts' duration */
    BELOW(run_imbalance(&run), 1.5);
    run_release(&run);
}
END_TEST

/* --- a bar, by a second method -------------------------------------------------------------------- */

static const char *const bar_text =
    "bodies = ( { type = \"bar\"; name = \"bar\"; length = 1.0; elements = 8; area = 1.0; modulus = 1.0;"
    "  density = 1.0; mass = \"lumped\"; } );"
    "initial = ( { body = \"bar\"; velocity = -0.5; } );"
    "contacts = ( { type = \"wall\"; node = \"bar.left\"; gap = 0.1; stiffness = 20.0; },"
    "  { type = \"wall\"; node = \"bar.right\"; side = \"upper\"; gap = 0.2; stiffness = 10.0; } );"
    "integrator = { type = \"exact\"; };"
    "strategy = { type = \"event-driven\"; gap_tolerance = 1e-13; time_tolerance = 1e-13; };"
    "time = { end = 4.0; step = 0.01; };";

static double bar_error(const char *scheme, const char *step, const double *exact)
{
    struct run run;
    RUN(&run, bar_text, scheme, "strategy.type=penalty", step);
    ck_assert_uint_eq(run.job.system->n, 9);
    double error = run_distance(run_last(&run)->u, exact, 9);
    run_release(&run);
    return error;
}

/* The walls' impulses are the change of momentum, in every row. (generalized-alpha has its balance between
 * steps: its momentum follows by a part of a step.) */
START_TEST(impulses_are_the_momentum)
{
    struct run run;
    double given = 0.0;
    if (_i == ALPHA) return;
    RUN(&run, bar_text, schemes[_i], "strategy.type=penalty");
    for (size_t i = 0; i < run.count; i++) {
        const struct run_row *row = &run.rows[i];
        double p = -(row->v[0] + row->v[8]) / 16.0;
        for (size_t k = 0; k < 9; k++) p += row->v[k] / 8.0;
        NEAR(p, -0.5 + row->impulse[0] - row->impulse[1], 1e-13); /* N s: rounding of 400 steps */
        given = fmin(row->impulse[0], row->impulse[1]);
    }
    ck_assert(given > 0.1); /* both walls */
    run_release(&run);
}
END_TEST

/* the same springs, between events by the modes and with the events located: no time step at all */
START_TEST(tends_to_the_motion_between_events)
{
    struct run run;
    double exact[9];
    RUN(&run, bar_text);
    ck_assert_uint_ge(run_events_of(&run, SG_EVENT_CLOSE), 2);
    memcpy(exact, run_last(&run)->u, sizeof exact);
    run_release(&run);
    double coarse = bar_error(schemes[_i], "time.step=0.004", exact);
    double fine = bar_error(schemes[_i], "time.step=0.001", exact);
    /* (omega h)^2 t omega / 24 of the higher modes, omega to 16: some 1e-3 of half a metre; order 2 is a
     * sixteenth, less what a kink of the force within a step leaves */
    BELOW(coarse, 2e-3);
    BELOW(fine, coarse / 12.0);
}
END_TEST

/* a mass on a nonlinear spring within a circle */
static const char *const pendulum_text =
    "bodies = ( { type = \"particles\"; name = \"anchor\"; dim = 2; positions = [0.0, 0.0]; masses = [0.0]; "
    "},"
    "  { type = \"particles\"; name = \"mass\"; dim = 2; positions = [0.8, 0.0]; masses = [1.0]; } );"
    "elements = ( { type = \"spring\"; nodes = [\"anchor\", \"mass\"]; stiffness = 10.0; length = 1.0; } );"
    "supports = ( { node = \"anchor\"; } );"
    "contacts = ( { type = \"circle\"; node = \"mass\"; center = [0.0, 0.0]; radius = 1.4; inside = true;"
    "  stiffness = 1e3; } );"
    "initial = ( { body = \"mass\"; velocity_vector = [1.0, 3.0]; } );"
    "integrator = { type = \"theta\"; };"
    "strategy = { type = \"penalty\"; };"
    "time = { end = 10.0; step = 0.004; };";

static double pendulum_drift(const char *form, const char *step)
{
    struct run run;
    RUN(&run, pendulum_text, form, step);
    ck_assert_uint_gt(run_events_of(&run, SG_EVENT_CLOSE), 5);
    double drift = run_imbalance(&run);
    run_release(&run);
    return drift;
}

START_TEST(takes_nonlinear_systems)
{
    static const char *const forms[] = {"strategy.form=standard", "strategy.form=conserving"};
    double coarse = pendulum_drift(forms[_i], "time.step=0.004");
    double fine = pendulum_drift(forms[_i], "time.step=0.001");
    /* of 5.2 J; the midpoint rule's own h^2, of contacts in the standard form h^2 as well */
    BELOW(coarse, 5e-2);
    BELOW(fine, coarse / 8.0);
}
END_TEST

/* --- what is refused ------------------------------------------------------------------------------ */

static void refused(const char *what, const char *const *deck)
{
    struct run run;
    run_read(&run, deck);
    run_build(&run);
    ck_assert_int_eq(run.status, SG_BAD_DECK);
    sg_diagnostics_render(&run.diagnostics, &run.findings);
    ck_assert_msg(strstr(sg_text_view(&run.findings), what) != NULL, "%s", sg_text_view(&run.findings));
    run_release(&run);
}
#define REFUSED(what, ...) refused((what), (const char *const[]){__VA_ARGS__, NULL})

/* 2 / omega = 0.2 s */
START_TEST(explicit_steps_end_at_the_springs_limit)
{
    struct run run;
    const char *central = "integrator.type=central-difference";
    REFUSED("beyond the critical step 0.2 s", ball_text, central, "time.step=0.201");
    RUN(&run, ball_text, central, "time.step=0.199");
    run_release(&run);
    RUN(&run, ball_text, central, "time.step=0.201", "time.allow_unstable=true");
    run_release(&run);
    REFUSED("beyond the critical step", ball_text, "integrator.type=newmark", "integrator.beta=0",
            "time.step=0.201");
}
END_TEST

START_TEST(what_cannot_be_done_is_told)
{
    REFUSED("needs a step of midpoint type", ball_text, "integrator.type=theta", "integrator.theta=0.6",
            "strategy.form=conserving");
    REFUSED("needs a step of midpoint type", ball_text, "integrator.type=generalized-alpha",
            "strategy.form=dissipating");
    REFUSED("in form 'conserving' does not work with integrator 'trapezoidal'", ball_text,
            "strategy.form=conserving");
    REFUSED("a dashpot needs form", ball_text, "integrator.type=theta", "strategy.form=conserving",
            "contacts.[0].restitution=0.5");
    REFUSED("has friction, which strategy 'penalty' can't treat", curved_text, "contacts.[0].friction=0.1");
}
END_TEST

Suite *sg_suite_penalty(void);
Suite *sg_suite_penalty(void)
{
    Suite *suite = suite_create("penalty");
    TCase *law = tcase_create("law"), *ball = tcase_create("ball"), *forms = tcase_create("forms");
    TCase *bar = tcase_create("systems"), *dashpots = tcase_create("dashpots"),
          *refusals = tcase_create("refusals");
    tcase_add_test(law, step_force_works_by_energies);
    tcase_add_loop_test(ball, follows_the_ball_with_order_two, 0, SCHEME_COUNT);
    tcase_add_loop_test(ball, conserves_while_it_touches, 0, BATHE); /* which damps, as the last one swings */
    tcase_add_loop_test(ball, pushes_by_the_overlap_at_its_point, 0, SCHEME_COUNT);
    tcase_add_test(ball, tends_to_the_rigid_wall);
    tcase_add_loop_test(forms, conserves_through_all_contacts, 0, 2);
    tcase_add_loop_test(forms, conserves_with_stiff_springs, 0, 2);
    tcase_add_loop_test(forms, dissipates_and_never_gains, 0, 2);
    tcase_add_test(forms, dissipates_with_order_one);
    tcase_add_loop_test(forms, conserves_along_curved_gaps, 0, 2);
    tcase_add_test(forms, counts_the_work_of_a_wall_that_moves);
    tcase_add_loop_test(forms, curved_gaps_keep_the_law, 0, SCHEME_COUNT);
    tcase_add_loop_test(dashpots, dashpots_never_pull, 0, SCHEME_COUNT);
    tcase_add_test(refusals, explicit_steps_end_at_the_springs_limit);
    tcase_add_test(refusals, what_cannot_be_done_is_told);
    suite_add_tcase(suite, law);
    suite_add_tcase(suite, ball);
    suite_add_tcase(suite, forms);
    tcase_add_loop_test(bar, impulses_are_the_momentum, 0, SCHEME_COUNT);
    tcase_add_loop_test(bar, tends_to_the_motion_between_events, 0, SCHEME_COUNT);
    tcase_add_loop_test(bar, takes_nonlinear_systems, 0, 2);
    suite_add_tcase(suite, bar);
    suite_add_tcase(suite, dashpots);
    suite_add_tcase(suite, refusals);
    return suite;
}
