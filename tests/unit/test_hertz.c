/* Penalty by Hertz's law: closed forms of collisions, the dashpot's restitution by an independent solution,
 * and the law of the force itself. */
#include <stdio.h>

#include "contact/laws/hertz_formulas.h"
#include "penalty_fixture.h"

Suite *sg_suite_hertz(void);

/* --- the dashpot ---------------------------------------------------------------------------------- */

/* e of x'' = -x^1.5 (1 + a x') from x' = 1, by Runge-Kutta until the spring is relaxed */
static double integrated_restitution(double a)
{
    double x = 0, v = 1, h = 2e-4;
    for (;;) {
        double k[4], l[4], y = x, u = v;
        for (int i = 0; i < 4; i++) {
            double back = i < 2 ? 0.5 * h : h;
            k[i] = u;
            l[i] = y > 0 ? -y * sqrt(y) * fmax(0, 1 + a * u) : 0;
            y = x + back * k[i];
            u = v + back * l[i];
        }
        x += h / 6 * (k[0] + 2 * k[1] + 2 * k[2] + k[3]);
        v += h / 6 * (l[0] + 2 * l[1] + 2 * l[2] + l[3]);
        if (x < 0) return -v; /* the force has gone with x^1.5 before */
    }
}

START_TEST(dashpot_gives_the_restitution)
{
    static const double ratios[] = {0.001, 0.05, 0.24, 0.26, 0.8, 1.5, 4.0, 20.0};
    for (size_t i = 0; i < sizeof ratios / sizeof *ratios; i++) {
        double a = ratios[i], e = sg_hertz_restitution(a);
        /* the last step is h v of order 2 in x^1.5 below 1e-5, a tenth of which is force: 1e-9 */
        NEAR(e, integrated_restitution(a), 1e-8);
        NEAR(sg_hertz_dashpot(e), a, 1e-10 * (1 + a) / fmin(1, a)); /* e's digits end where it is flat in a */
    }
    ck_assert(sg_hertz_dashpot(1.0) == 0 && sg_hertz_restitution(0.0) == 1);
}
END_TEST

/* a = 3 (1 - e^2) / 4 of the literature agrees with it near e = 1, and not below: e = .6 comes out as .756 */
START_TEST(the_literatures_dashpot_is_an_approximation)
{
    static const double wanted[] = {0.98, 0.6}, made[] = {0.9806, 0.7561};
    for (size_t i = 0; i < 2; i++) {
        double a = 0.75 * (1 - wanted[i] * wanted[i]);
        NEAR(sg_hertz_restitution(a), integrated_restitution(a), 1e-8);
        NEAR(sg_hertz_restitution(a), made[i], 1e-4);
    }
}
END_TEST

/* 2 int dy / sqrt(1 - y^2.5) by y = 1 - s^2, Simpson's rule */
static double duration_factor(void)
{
    enum { N = 20000 };
    double sum = 0;
    for (int i = 0; i <= N; i++) {
        double s = (double)i / N, y = 1 - s * s, weight = i == 0 || i == N ? 1 : i % 2 == 1 ? 4 : 2;
        sum += weight * (i == 0 ? 2 / sqrt(2.5) : 2 * s / sqrt(1 - y * y * sqrt(y)));
    }
    return 2 * sum / (3 * N);
}

START_TEST(closed_forms_are_what_they_say)
{
    double k = 3e6, m = 1.2, v = 0.7, x = sg_hertz_depth(k, m, v);
    NEAR(sg_hertz_energy(k, x), 0.5 * m * v * v, 1e-15); /* all of the motion is in the spring */
    NEAR(sg_hertz_duration(k, m, v), duration_factor() * x / v, 1e-9 * x / v);
    NEAR(duration_factor(), 2.9432, 1e-4); /* Hertz's number, as books have it */
    double d = 1e-6 * x;
    NEAR((sg_hertz_energy(k, x + d) - sg_hertz_energy(k, x - d)) / (2 * d), sg_hertz_force(k, x),
         1e-9 * sg_hertz_force(k, x));
    ck_assert(sg_hertz_force(k, -1.0) == 0 && sg_hertz_energy(k, -1.0) == 0);
}
END_TEST

/* --- two balls ------------------------------------------------------------------------------------ */

/* 2 and 3 kg, meeting at 5 m/s at t = .1: reduced mass 1.2 kg, .0587 m deep for 34.5 ms */
static const char *const balls_text =
    "bodies = ( { type = \"particles\"; name = \"b\"; positions = [0.0, 0.5]; masses = [2.0, 3.0]; } );"
    "initial = ( { node = \"b.0\"; velocity = 3.0; }, { node = \"b.1\"; velocity = -2.0; } );"
    "contacts = ( { type = \"pair\"; nodes = [\"b.0\", \"b.1\"]; hertz_stiffness = 4.5e4; } );"
    "integrator = { type = \"trapezoidal\"; };"
    "strategy = { type = \"penalty\"; law = \"hertz\"; }; time = { end = 0.2; step = 2.0e-5; };";
enum { BALLS_K = 45000 };

static double peak_force(const struct run *run)
{
    double peak = 0;
    for (size_t i = 0; i < run->count; i++) peak = fmax(peak, run->rows[i].force[0]);
    return peak;
}

START_TEST(two_balls_collide_as_hertz_says)
{
    struct run run;
    double mu = 1.2, v = 5, x = pow(1.25 * mu * v * v / BALLS_K, 0.4), h = 2e-5;
    RUN(&run, balls_text, schemes[_i]);
    ck_assert_uint_eq(run.event_count, 2);
    /* events are told at ends of steps; the first and last forces may fall below one */
    NEAR(run.events[0].t, 0.1, 1.5 * h);
    NEAR(run.events[1].t - run.events[0].t, duration_factor() * x / v, 3 * h);
    /* some 1700 steps a contact: the top of a parabola between two of them, and the scheme's h^2 */
    NEAR(peak_force(&run), BALLS_K * x * sqrt(x), 2e-5 * BALLS_K * x * sqrt(x));
    BELOW(fabs(run_deepest(&run) - x), 2e-5 * x);
    /* elastic: the relative velocity is turned, and what is common stays */
    NEAR(run_last(&run)->v[0], -3.0, 1e-4);
    NEAR(run_last(&run)->v[1], 2.0, 1e-4);
    NEAR(run_last(&run)->impulse[0], 2 * mu * v, 1e-3);
    BELOW(run_imbalance(&run), 15 * 1e-4); /* of 15 J */
    run_release(&run);
}
END_TEST

/* The end against a step a hundred times as short: the force begins with x^1.5, so that contact
 * within a step costs less than with springs, and all schemes keep their h^2. */
static double end_error(const char *scheme, const char *step, const double exact[2])
{
    struct run run;
    RUN(&run, balls_text, scheme, step);
    double error = run_distance(run_last(&run)->u, exact, 2);
    run_release(&run);
    return error;
}

START_TEST(converges_with_order_two)
{
    struct run run;
    RUN(&run, balls_text, schemes[_i], "time.step=1e-6");
    double exact[2] = {run_last(&run)->u[0], run_last(&run)->u[1]};
    run_release(&run);
    double coarse = end_error(schemes[_i], "time.step=1e-3", exact);
    double fine = end_error(schemes[_i], "time.step=1e-4", exact);
    BELOW(coarse, 2e-3); /* of .3 m; 34 steps a contact */
    /* 100 but for where in a step the contact begins */
    BELOW(fine, coarse / 50);
}
END_TEST

START_TEST(bounces_with_the_restitution)
{
    static const struct {
        const char *set;
        double e;
    } wanted[] = {{"contacts.[0].restitution=0.9", 0.9},
                  {"contacts.[0].restitution=0.6", 0.6},
                  {"contacts.[0].restitution=0.2", 0.2}};
    for (size_t k = 0; k < 3; k++) {
        struct run run;
        double e = wanted[k].e, loss = 0.5 * 1.2 * 25 * (1 - e * e);
        RUN(&run, balls_text, schemes[_i], wanted[k].set, "time.end=0.3");
        /* no jump of the force: h^2 of 1700 steps a contact, and more of them for small e */
        NEAR((run_last(&run)->v[1] - run_last(&run)->v[0]) / 5, e, 1e-4);
        NEAR(run_last(&run)->dissipated, loss, 1e-3 * loss);
        BELOW(run_imbalance(&run), 1e-3 * 21.0);
        for (size_t i = 0; i < run.count; i++) ck_assert(run.rows[i].force[0] >= 0);
        run_release(&run);
    }
}
END_TEST

START_TEST(takes_the_literatures_dashpot_if_asked)
{
    struct run run;
    RUN(&run, balls_text, "contacts.[0].restitution=0.6", "strategy.dashpot=hertzdamp", "time.end=0.3");
    NEAR((run_last(&run)->v[1] - run_last(&run)->v[0]) / 5, sg_hertz_restitution(0.48), 1e-4);
    run_release(&run);
}
END_TEST

/* --- the law of every force ----------------------------------------------------------------------- */

/* five balls between walls, coupled by springs, started at random; all contacts of their own stiffness */
#define WALL(node, position, k, e)                                                                           \
    "{ type = \"wall\"; node = \"row." #node "\"; position = " #position "; hertz_stiffness = " #k           \
    "; restitution = " #e "; }"
#define PAIR(a, b, gap_, k, e)                                                                               \
    "{ type = \"pair\"; nodes = [\"row." #a "\", \"row." #b "\"]; gap = " #gap_ "; hertz_stiffness = " #k    \
    "; restitution = " #e "; }"
#define ROW(e)                                                                                               \
    "bodies = ( { type = \"particles\"; name = \"row\"; positions = [0.0, 1.0, 2.0, 3.0, 4.0];"              \
    "  masses = [1.0, 0.5, 2.0, 1.0, 0.7]; springs = ( { nodes = [0, 1]; stiffness = 40.0; },"               \
    "  { nodes = [3, 4]; stiffness = 25.0; } ); } );"                                                        \
    "initial = ( { node = \"row.0\"; velocity = -1.3; }, { node = \"row.1\"; velocity = 2.0; },"             \
    "  { node = \"row.2\"; velocity = -0.4; }, { node = \"row.3\"; velocity = 1.1; },"                       \
    "  { node = \"row.4\"; velocity = -2.2; } ); loads = ( { type = \"gravity\"; acceleration = -2.0; } );"  \
    "contacts = ( " WALL(0, -0.1, 1.0e4, e) "," PAIR(0, 1, 0.2, 3.0e3, e) "," PAIR(                          \
        1, 2, 0.1, 6.0e3, e) "," PAIR(2, 3, 0.1, 5.0e3,                                                      \
                                      e) "," PAIR(3, 4, 0.05, 9.0e3,                                         \
                                                  e) " );"                                                   \
                                                     "integrator = { type = \"trapezoidal\"; }; strategy = " \
                                                     "{ type = \"penalty\"; law = \"hertz\"; };"             \
                                                     "time = { end = 4.0; step = 0.01; };"

static double share_of(int scheme)
{
    return scheme == THETA ? 0.5 : scheme == ALPHA ? 0.8 / 1.8 : 0.0;
}

START_TEST(pushes_by_the_overlap_at_its_point)
{
    struct run run;
    RUN(&run, ROW(1.0), schemes[_i]);
    const struct sg_contact_set *set = run.job.contacts;
    double share = share_of(_i);
    size_t pushing = 0, together = 0;
    for (size_t i = 1; i < run.count; i++) {
        size_t closed = 0;
        for (size_t j = 0; j < set->q; j++) {
            double x = -(1 - share) * run.rows[i].gap[j] - share * run.rows[i - 1].gap[j];
            /* forces of 100 N; 1e4 N/m of slope times gaps of displacements of order 1 */
            NEAR(run.rows[i].force[j], x > 0 ? set->laws[j].number[0] * pow(x, 1.5) : 0, 1e-9);
            closed += run.rows[i].force[j] > 0;
        }
        pushing += closed;
        together += closed > 1;
    }
    ck_assert_uint_gt(pushing, 20);
    ck_assert_uint_gt(together, 3);
    run_release(&run);
}
END_TEST

/* With dashpots the force is k x^1.5 (1 + a x' / v), v the fastest approach since the contact closed, told by
 * the run itself. Of the trapezoidal rule the point is the end of the step. */
START_TEST(dashpots_act_by_the_speed_of_the_impact)
{
    struct run run;
    RUN(&run, ROW(0.5), "integrator.operator=nodal"); /* normals of the set go with rows' velocities */
    const struct sg_contact_set *set = run.job.contacts;
    double a = sg_hertz_dashpot(0.5);
    size_t seen = 0;
    for (size_t j = 0; j < set->q; j++) {
        double speed = 0;
        for (size_t i = 1; i < run.count; i++) {
            const struct run_row *row = &run.rows[i], *before = &run.rows[i - 1];
            double approach = -sg_columns_dot(&set->w, j, before->v);
            speed = before->gap[j] < 0 ? fmax(speed, approach) : 0;
            /* steps that begin open take the approach without contacts too, which rows don't show */
            if (!(before->gap[j] < 0) || !(row->force[j] > 0) || speed == 0) continue;
            if (run.rows[i - 1].force[j] == 0) continue;
            double rate = -sg_columns_dot(&set->w, j, row->v),
                   spring = set->laws[j].number[0] * pow(-row->gap[j], 1.5);
            double least = spring * (1 + a * rate / speed);
            /* the impact was at least as fast as what rows show */
            ck_assert(rate >= 0 ? row->force[j] <= least + 1e-8 : row->force[j] >= least - 1e-8);
            ck_assert(rate >= 0 ? row->force[j] >= spring - 1e-8 : row->force[j] <= spring + 1e-8);
            seen++;
        }
    }
    ck_assert_uint_gt(seen, 20);
    run_release(&run);
}
END_TEST

/* --- curved gaps, nonlinear systems, contacts at rest --------------------------------------------- */

/* a mass on a nonlinear spring within a circle */
static const char *const pendulum_text =
    "bodies = ( { type = \"particles\"; name = \"anchor\"; dim = 2; positions = [0.0, 0.0]; masses = [0.0]; "
    "},"
    "  { type = \"particles\"; name = \"mass\"; dim = 2; positions = [0.8, 0.0]; masses = [1.0]; } );"
    "elements = ( { type = \"spring\"; nodes = [\"anchor\", \"mass\"]; stiffness = 10.0; length = 1.0; } );"
    "supports = ( { node = \"anchor\"; } );"
    "contacts = ( { type = \"circle\"; node = \"mass\"; center = [0.0, 0.0]; radius = 1.4; inside = true;"
    "  hertz_stiffness = 3e3; } );"
    "initial = ( { body = \"mass\"; velocity_vector = [1.0, 3.0]; } );"
    "integrator = { type = \"theta\"; }; strategy = { type = \"penalty\"; law = \"hertz\"; };"
    "time = { end = 10.0; step = 0.004; };";

START_TEST(takes_nonlinear_systems_and_curved_gaps)
{
    static const char *const types[] = {"integrator.type=theta", "integrator.type=central-difference"};
    static const char *const steps[] = {"time.step=0.004", "time.step=0.001"};
    double drift[2];
    for (size_t k = 0; k < 2; k++) {
        struct run run;
        RUN(&run, pendulum_text, types[_i], steps[k]);
        ck_assert_uint_gt(run_events_of(&run, SG_EVENT_CLOSE), 5);
        drift[k] = run_imbalance(&run);
        run_release(&run);
    }
    /* of 5.2 J: the rules' own h^2, of contacts as well */
    BELOW(drift[0], 2e-2);
    BELOW(drift[1], drift[0] / 8);
}
END_TEST

/* A weight that is put down gently, where the speed of the impact is next to nothing: it sinks, swings, and
 * comes to rest where k x^1.5 = m g. */
START_TEST(a_weight_put_down_comes_to_rest)
{
    struct run run;
    RUN(&run,
        "bodies = ( { type = \"particles\"; name = \"b\"; positions = [0.0]; masses = [2.0]; } );"
        "contacts = ( { type = \"wall\"; node = \"b\"; position = 0.0; hertz_stiffness = 2.0e4;"
        "  restitution = 0.2; } ); loads = ( { type = \"gravity\"; acceleration = -9.81; } );"
        "strategy = { type = \"penalty\"; law = \"hertz\"; }; time = { end = 30.0; step = 0.002; };"
        "integrator = { type = \"trapezoidal\"; };",
        schemes[_i]);
    double rest = pow(2.0 * 9.81 / 2.0e4, 2.0 / 3.0);
    /* swinging about rest with x small the dashpot's c = a k x^1.5 / v stays: many periods of it in 30 s */
    NEAR(-run_last(&run)->gap[0], rest, 1e-3 * rest);
    BELOW(run_deepest(&run), 2.5 * rest); /* without loss it would sink to (5/2)^(2/3) = 1.84 of it */
    BELOW(run_imbalance(&run), 0.02 * 2.0 * 9.81 * rest);
    run_release(&run);
}
END_TEST

/* --- what is refused ------------------------------------------------------------------------------ */

static void refused(const char *what, const char *const *deck)
{
    struct run run;
    run_read(&run, deck);
    run_build(&run);
    ck_assert_int_eq(run.status, SG_BAD_DECK);
    sg_text_release(&run.findings);
    sg_diagnostics_render(&run.diagnostics, &run.findings);
    ck_assert_msg(strstr(sg_text_view(&run.findings), what) != NULL, "%s", sg_text_view(&run.findings));
    run_release(&run);
}
#define REFUSED(what, ...) refused((what), (const char *const[]){__VA_ARGS__, NULL})

START_TEST(what_cannot_be_done_is_told)
{
    REFUSED("has no stiffness, which strategy 'penalty' needs", balls_text, "strategy.law=kelvin-voigt");
    REFUSED("has no hertz_stiffness, which strategy 'penalty' needs", pendulum_text,
            "contacts.[0]={ type = \"circle\"; node = \"mass\"; center = [0.0, 0.0]; radius = 1.4;"
            " inside = true; stiffness = 1.0e3; }");
    REFUSED("\"hertz\" needs form = \"standard\"", balls_text, "integrator.type=theta",
            "strategy.form=conserving");
}
END_TEST

Suite *sg_suite_hertz(void)
{
    Suite *suite = suite_create("hertz");
    TCase *law = tcase_create("law"), *balls = tcase_create("balls"), *rest = tcase_create("rest");
    tcase_set_timeout(balls, 60);
    tcase_add_test(law, dashpot_gives_the_restitution);
    tcase_add_test(law, the_literatures_dashpot_is_an_approximation);
    tcase_add_test(law, closed_forms_are_what_they_say);
    tcase_add_loop_test(balls, two_balls_collide_as_hertz_says, 0, SCHEME_COUNT);
    tcase_add_loop_test(balls, converges_with_order_two, 0, SCHEME_COUNT);
    tcase_add_loop_test(balls, bounces_with_the_restitution, 0, SCHEME_COUNT);
    tcase_add_test(balls, takes_the_literatures_dashpot_if_asked);
    tcase_add_loop_test(rest, pushes_by_the_overlap_at_its_point, 0, SCHEME_COUNT);
    tcase_add_test(rest, dashpots_act_by_the_speed_of_the_impact);
    tcase_add_loop_test(rest, takes_nonlinear_systems_and_curved_gaps, 0, 2);
    tcase_add_loop_test(rest, a_weight_put_down_comes_to_rest, 0, SCHEME_COUNT);
    tcase_add_test(rest, what_cannot_be_done_is_told);
    suite_add_tcase(suite, law);
    suite_add_tcase(suite, balls);
    suite_add_tcase(suite, rest);
    return suite;
}
