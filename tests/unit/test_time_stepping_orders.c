/* Orders and accounts of time-stepping, and what the tests would see of faulty variants: a test that passes
 * with a wrong scheme shows nothing. */
#include <stdio.h>

#include "run_fixture.h"

/* u'' + 2 xi w u' + w^2 u = 0, w = 2, xi = .2; the wall is far away */
static const char *const oscillator_text =
    "bodies = ( { type = \"particles\"; name = \"m\"; positions = [0.0]; masses = [2.0];"
    " springs = ( { node = 0; stiffness = 8.0; damping = 1.6; } ); } );"
    "initial = ( { body = \"m\"; displacement = 1.0; velocity = 0.5; } );"
    "contacts = ( { type = \"wall\"; node = \"m\"; position = -50.0; } );"
    "integrator = { type = \"central-difference\"; };"
    "strategy = { type = \"time-stepping\"; };"
    "time = { end = 5.0; step = 0.01; };";

static double exact_oscillator(double t)
{
    double w = 2.0, xi = 0.2, d = w * sqrt(1.0 - xi * xi);
    return exp(-xi * w * t) * (cos(d * t) + (0.5 + xi * w) / d * sin(d * t));
}

/* the mean error of u over a run, relative */
static double error_of(double h, const char *a, const char *b)
{
    struct run run;
    char step[64];
    snprintf(step, sizeof step, "time.step=%.17g", h);
    RUN(&run, oscillator_text, step, a, b);
    double error = 0.0, size = 0.0;
    for (size_t i = 0; i < run.count; i++) {
        double u = exact_oscillator(run.rows[i].t);
        error += fabs(run.rows[i].u[0] - u);
        size += fabs(u);
    }
    run_release(&run);
    return error / size;
}

struct order_case {
    const char *integrator, *option;
    double order;
};

static const struct order_case order_cases[] = {
    {"integrator.type=central-difference", "integrator.damping=implicit", 2.0},
    {"integrator.type=central-difference", "integrator.damping=explicit", 1.0},
    {"integrator.type=theta", "integrator.forces=midpoint", 2.0},
    {"integrator.type=theta", "integrator.forces=average", 2.0},
    {"integrator.type=theta", "integrator.theta=0.7", 1.0},
};

START_TEST(has_its_order)
{
    const struct order_case *c = &order_cases[_i];
    double coarse = error_of(5.0 / 2048.0, c->integrator, c->option);
    double fine = error_of(5.0 / 4096.0, c->integrator, c->option);
    NEAR(log2(coarse / fine), c->order, 0.05);
}
END_TEST

/* loads of every shape: order 2 with a load that depends on time, exact account for theta = 1/2 */
static const char *const driven_text =
    "bodies = ( { type = \"bar\"; name = \"bar\"; length = 1.0; elements = 8; area = 1.0; modulus = 4.0;"
    " density = 1.0; mass = \"lumped\"; } );"
    "initial = ( { body = \"bar\"; displacement = 0.05; velocity = -0.1; } );"
    "loads = ( { type = \"gravity\"; acceleration = -1.0; },"
    " { type = \"force\"; node = \"bar.right\"; signal = { type = \"harmonic\"; amplitude = 0.3;"
    " frequency = 0.7; }; } );"
    "damping = { mass = 0.05; stiffness = 0.002; };"
    "contacts = ( { type = \"wall\"; node = \"bar.left\"; position = 0.0; restitution = 0.3; } );"
    "integrator = { type = \"central-difference\"; };"
    "strategy = { type = \"time-stepping\"; };"
    "time = { end = 4.0; step = 0.005; };";

static const char *const accounts[][3] = {
    {"integrator.type=central-difference", "integrator.damping=explicit", "integrator.operator=nodal"},
    {"integrator.type=central-difference", "integrator.damping=implicit", "integrator.operator=nodal"},
    {"integrator.type=central-difference", "integrator.damping=implicit", "integrator.operator=modal"},
    {"integrator.type=theta", "integrator.forces=midpoint", "integrator.operator=nodal"},
    {"integrator.type=theta", "integrator.forces=average", "integrator.operator=modal"},
};

START_TEST(accounts_close)
{
    struct run run;
    RUN(&run, driven_text, accounts[_i][0], accounts[_i][1], accounts[_i][2]);
    ck_assert_uint_gt(run_events_of(&run, SG_EVENT_IMPACT), 2);
    /* J, at every step: rounding of 800 steps in energies of 1 J; works of the load are those of the scheme
     */
    BELOW(run_imbalance(&run), 1e-12);
    ck_assert(run_last(&run)->dissipated > 0.01);
    ck_assert(fabs(run_last(&run)->external) > 1e-4);
    run_release(&run);
}
END_TEST

/* M dv = impulses: a free body keeps its momentum but for what contacts give, at every step */
START_TEST(momentum_is_what_contacts_give)
{
    struct run run;
    RUN(&run, driven_text, accounts[_i][0], accounts[_i][1], accounts[_i][2], "damping.mass=0",
        "loads.[1].signal.amplitude=0");
    double p0 = NAN;
    for (size_t i = 0; i < run.count; i++) {
        const struct run_row *row = &run.rows[i];
        double p = 0.0, h = 0.005;
        for (size_t k = 0; k <= 8; k++) p += (k % 8 == 0 ? 0.0625 : 0.125) * row->v[k];
        /* gravity pulls with 1 N for the whole of the steps */
        double rest = p - row->impulse[0] + h * (double)i;
        if (i == 0) p0 = rest;
        /* N s: rounding of 800 steps */
        NEAR(rest, p0, 1e-13);
    }
    run_release(&run);
}
END_TEST

/* --- variants that must be caught ----------------------------------------------------------------- */

/* central differences of u'' = -w^2 u, by hand: `start`: the share of the half step before, `share` of h in u
 */
static double variant_error(double h, double start, double share)
{
    double w = 2.0, u = 1.0, v = 0.5 - start * h * w * w, error = 0.0, size = 0.0;
    for (int i = 1; (double)i * h <= 5.0; i++) {
        double t = (double)i * h, exact = cos(w * t) + 0.5 / w * sin(w * t);
        u += share * h * v;
        v -= h * w * w * u;
        error += fabs(u - exact);
        size += fabs(exact);
    }
    return error / size;
}

START_TEST(catches_faulty_central_differences)
{
    double h = 5.0 / 2048.0;
    double right = log2(variant_error(h, 0.5, 1.0) / variant_error(h / 2, 0.5, 1.0));
    double no_start = log2(variant_error(h, 0.0, 1.0) / variant_error(h / 2, 0.0, 1.0));
    double printed = variant_error(h / 2, 0.5, 0.5);
    NEAR(right, 2.0, 0.05);
    /* without the half step the order is 1, and a tolerance of .05 sees it */
    NEAR(no_start, 1.0, 0.05);
    /* the printed h/2 does not converge at all */
    ck_assert(printed > 0.5);
    /* the program is the right variant to rounding of 2048 steps */
    struct run run;
    char step[64];
    snprintf(step, sizeof step, "time.step=%.17g", h);
    RUN(&run, oscillator_text, step, "bodies.[0].springs.[0].damping=0");
    double u = 1.0, v = 0.5 - 0.5 * h * 4.0;
    for (size_t i = 1; i < run.count; i++) {
        u += h * v;
        v -= h * 4.0 * u;
        NEAR(run.rows[i].u[0], u, 1e-12);
    }
    run_release(&run);
}
END_TEST

/* a body that rests on a wall that is not at 0, by the position level with restitution */
static const char *const shelf_text =
    "bodies = ( { type = \"particles\"; name = \"ball\"; positions = [3.0]; masses = [1.0]; } );"
    "loads = ( { type = \"gravity\"; acceleration = -10.0; } );"
    "contacts = ( { type = \"wall\"; node = \"ball\"; position = 2.0; restitution = 0.5; } );"
    "integrator = { type = \"central-difference\"; };"
    "strategy = { type = \"time-stepping\"; level = \"position\"; };"
    "time = { end = 8.0; step = 0.01; };";

START_TEST(rests_on_its_wall)
{
    struct run run;
    RUN(&run, shelf_text);
    /* gone the bounces (3 half lives of v in a second): rounding is left */
    NEAR(run_last(&run)->gap[0], 0.0, 1e-10);
    run_release(&run);
    /* the printed gap, z(n+1) + e z(n-1) - wall >= 0, would rest at wall / (1 + e) */
    double z0 = 3.0, z = 3.0, e = 0.5, h = 0.01;
    for (int i = 0; i < 800; i++) {
        double next = 2.0 * z - z0 - 10.0 * h * h;
        next = fmax(next, 2.0 - e * z0);
        z0 = z;
        z = next;
    }
    NEAR(z, 2.0 / (1.0 + e), 1e-3);
}
END_TEST

/* --- two contacts that share a body --------------------------------------------------------------- */

/* three balls in a row between walls: contacts couple through the middle one */
static const char *const row_text =
    "bodies = ( { type = \"particles\"; name = \"row\"; positions = [0.0, 1.0, 2.0]; masses = [1.0, 2.0, "
    "1.5]; } );"
    "initial = ( { body = \"row\"; velocity = 1.0; velocity_slope = -1.5; } );"
    "contacts = ( { type = \"pair\"; nodes = [\"row.0\", \"row.1\"]; gap = 0.5; restitution = 1.0; },"
    " { type = \"pair\"; nodes = [\"row.1\", \"row.2\"]; gap = 1.0; restitution = 1.0; },"
    " { type = \"wall\"; node = \"row.0\"; position = -0.3; restitution = 1.0; },"
    " { type = \"wall\"; node = \"row.2\"; side = \"upper\"; position = 2.4; restitution = 1.0; } );"
    "integrator = { type = \"central-difference\"; };"
    "strategy = { type = \"time-stepping\"; };"
    "time = { end = 20.0; step = 0.005; };";

START_TEST(coupled_contacts_conserve)
{
    static const char *const kinds[] = {"integrator.type=central-difference", "integrator.type=theta"};
    struct run run;
    RUN(&run, row_text, kinds[_i]);
    ck_assert_uint_gt(run_events_of(&run, SG_EVENT_IMPACT), 20);
    double energy = run.rows[0].kinetic;
    for (size_t i = 0; i < run.count; i++)
        /* J of 3.5: e = 1 conserves also in impacts of several contacts, to rounding of 4000 steps */
        NEAR(run.rows[i].kinetic, energy, 1e-11);
    run_release(&run);
}
END_TEST

/* --- samples -------------------------------------------------------------------------------------- */

START_TEST(samples_lie_on_the_line)
{
    struct run run;
    run_read(&run,
             (const char *const[]){driven_text, accounts[_i][0], accounts[_i][1], accounts[_i][2], NULL});
    run_build(&run);
    run_must(&run, "samples");
    run.sample_every = 0.0013;
    run_go(&run);
    run_must(&run, "samples");
    size_t row = 0;
    for (size_t k = 0; k < run.sample_count; k++) {
        const struct run_row *sample = &run.samples[k];
        while (run.rows[row + 1].t < sample->t) row++;
        const struct run_row *a = &run.rows[row], *b = &run.rows[row + 1];
        double share = (sample->t - a->t) / (b->t - a->t);
        /* m: rounding of the sum */
        for (size_t i = 0; i < 9; i++) NEAR(sample->u[i], a->u[i] + share * (b->u[i] - a->u[i]), 1e-13);
        NEAR(sample->impulse[0], a->impulse[0] + share * (b->impulse[0] - a->impulse[0]), 1e-13);
        NEAR(sample->gap[0], 0.0 + sample->u[0], 1e-13);
    }
    ck_assert_uint_gt(run.sample_count, 2000);
    run_release(&run);
}
END_TEST

/* --- refusals ------------------------------------------------------------------------------------- */

START_TEST(refuses_what_it_cannot)
{
    static const char *const wrong[][3] = {
        {"integrator.type=exact", NULL, "does not work with integrator"},
        {"integrator.type=theta", "strategy.level=position", "does not work with integrator"},
        {"integrator.type=newmark", "integrator.beta=0", "beta"},
    };
    struct run run;
    const char *level = _i == 2 ? "strategy.level=position" : wrong[_i][1];
    const char *more = _i == 2 ? wrong[_i][1] : NULL;
    run_read(&run, (const char *const[]){oscillator_text, wrong[_i][0], level, more, NULL});
    run_build(&run);
    ck_assert_int_eq(run.status, SG_BAD_DECK);
    sg_diagnostics_render(&run.diagnostics, &run.findings);
    ck_assert_ptr_nonnull(strstr(sg_text_view(&run.findings), wrong[_i][2]));
    run_release(&run);
}
END_TEST

/* An unstable step ends with a message that names step, time and dof, not with numbers that are none: the
 * very step, whatever loop it was taken by (K diagonal or tridiagonal, a load or none), in flight and in
 * contact. */
START_TEST(stops_where_the_state_is_lost)
{
    static const char *const bodies[] = {
        "bodies = ( { type = \"particles\"; name = \"m\"; positions = [0.0]; masses = [2.0];"
        " springs = ( { node = 0; stiffness = 8.0; } ); } );",
        "bodies = ( { type = \"particles\"; name = \"m\"; positions = [0.0, 1.0, 2.0, 3.0];"
        " masses = [2.0, 2.0, 2.0, 2.0]; springs = ( { node = 0; stiffness = 8.0; }, { nodes = [0, 1];"
        " stiffness = 8.0; }, { nodes = [1, 2]; stiffness = 8.0; }, { nodes = [2, 3]; stiffness = 8.0; }"
        " ); } );"};
    static const char *const walls[] = {"-50.0", "-1e300"},
                             *const loads[] = {"",
                                               "loads = ( { type = \"gravity\"; acceleration = -9.81; } );"};
    char text[2048];
    struct run run;
    long long step = 0;
    snprintf(text, sizeof text,
             "%s initial = ( { body = \"m\"; displacement = 1.0; velocity = 0.5; } );"
             "contacts = ( { type = \"wall\"; node = \"m.left\"; position = %s; } ); %s"
             "integrator = { type = \"central-difference\"; operator = \"nodal\"; };"
             "strategy = { type = \"time-stepping\"; };"
             "time = { end = 1e4; step = 1.5; allow_unstable = true; };",
             bodies[_i & 1], walls[_i >> 1 & 1], loads[_i >> 2 & 1]);
    run_read(&run, (const char *const[]){text, NULL});
    run_build(&run);
    run_must(&run, "unstable");
    run_go(&run);
    ck_assert_int_eq(run.status, SG_NO_SOLUTION);
    ck_assert_int_eq(sscanf(run.err.text, "the state is not finite at step %lld", &step), 1);
    ck_assert_int_eq(step, (long long)run.count);
    for (size_t k = 0; k < run.count; k++)
        for (size_t i = 0; i < run.job.system->n; i++) ck_assert(isfinite(run.rows[k].v[i]));
    run_release(&run);
}
END_TEST

Suite *sg_suite_time_stepping_orders(void);
Suite *sg_suite_time_stepping_orders(void)
{
    Suite *suite = suite_create("time_stepping_orders");
    TCase *all = tcase_create("all");
    tcase_set_timeout(all, 60);
    tcase_add_loop_test(all, has_its_order, 0, sizeof order_cases / sizeof *order_cases);
    tcase_add_loop_test(all, accounts_close, 0, 5);
    tcase_add_loop_test(all, momentum_is_what_contacts_give, 0, 5);
    tcase_add_test(all, catches_faulty_central_differences);
    tcase_add_test(all, rests_on_its_wall);
    tcase_add_loop_test(all, coupled_contacts_conserve, 0, 2);
    tcase_add_loop_test(all, samples_lie_on_the_line, 0, 5);
    tcase_add_loop_test(all, refuses_what_it_cannot, 0, 3);
    tcase_add_loop_test(all, stops_where_the_state_is_lost, 0, 8);
    suite_add_tcase(suite, all);
    return suite;
}
