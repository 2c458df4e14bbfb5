/* Time-stepping by the nonsmooth generalized-alpha method through decks: friction, levels, nonlinear
 * elements, moving obstacles, what is recorded. */
#include "shipped_fixture.h"

#define ALPHA "integrator = { type = \"generalized-alpha\"; };"

/* --- friction ------------------------------------------------------------------------------------- */

/* a mass on a floor, thrown along it: stops after v / (mu g) */
static const char *const slider =
    "bodies = ( { type = \"particles\"; name = \"mass\"; dim = 2; positions = [0.0, 0.0]; masses = [2.0]; } "
    ");"
    "loads = ( { type = \"gravity\"; acceleration = -10.0; } );"
    "contacts = ( { type = \"plane\"; node = \"mass\"; normal = [0.0, 1.0]; point = [0.0, 0.0]; friction = "
    "0.3; } );"
    "initial = ( { body = \"mass\"; velocity_vector = [1.0, 0.0]; } );" ALPHA
    "strategy = { type = \"time-stepping\"; level = \"both\"; }; time = { end = 0.5; step = 0.01; };";

/* In each step that slides Lam_T = mu m g h: the scheme is exact until the mass stops, within the step of
 * t = 1/3. */
static void check_slide(const struct run *run, size_t across)
{
    for (size_t i = 0; i < run->count; i++) {
        const struct run_row *row = &run->rows[i];
        double exact = fmax(1 - 3 * row->t, 0);
        NEAR(hypot(row->v[0], across > 0 ? row->v[across] : 0), row->t > 0.325 && row->t < 0.345 ? 0 : exact,
             0.02);
        if (row->t < 0.325) NEAR(hypot(row->v[0], across > 0 ? row->v[across] : 0), exact, 1e-12);
        if (row->t > 0.345) BELOW(fabs(row->v[0]), 1e-12);
        BELOW(-row->gap[0], 1e-15);
    }
    /* all kinetic energy went into friction, 1 J; work by the mean of the velocities is exact */
    NEAR(run_last(run)->dissipated, 1, 1e-10);
    BELOW(run_imbalance(run), 1e-10);
}

START_TEST(friction_stops_a_mass)
{
    static const char *const levels[] = {"strategy.level=both", "strategy.level=velocity"};
    static const char *const solvers[] = {"strategy.solver=dense", "strategy.solver=sparse"};
    for (size_t l = 0; l < 2; l++)
        for (size_t s = 0; s < 2; s++) {
            struct run run;
            RUN(&run, slider, levels[l], solvers[s]);
            check_slide(&run, 0);
            run_release(&run);
        }
}
END_TEST

/* in space the friction follows the direction of sliding */
START_TEST(friction_in_space)
{
    struct run run;
    RUN(&run, slider, "bodies.[0].dim=3", "bodies.[0].positions=[0.0,0.0,0.0]",
        "contacts.[0].normal=[0.0,0.0,1.0]", "contacts.[0].point=[0.0,0.0,0.0]",
        "initial.[0].velocity_vector=[0.6,0.8,0.0]");
    check_slide(&run, 1);
    for (size_t i = 0; i < run.count; i++) NEAR(0.8 * run.rows[i].v[0], 0.6 * run.rows[i].v[1], 1e-12);
    run_release(&run);
}
END_TEST

/* a slope of less than the angle of friction holds the mass, a steeper one lets it go with g (sin - mu cos)
 */
START_TEST(stick_and_slip_on_a_slope)
{
    static const char *const slopes[] = {"contacts.[0].normal=[-0.28,0.96]",
                                         "contacts.[0].normal=[-0.6,0.8]"};
    static const double pull[] = {0, 10 * (0.6 - 0.3 * 0.8)};
    for (size_t k = 0; k < 2; k++) {
        struct run run;
        RUN(&run, slider, slopes[k], "initial.[0].velocity_vector=[0.0,0.0]");
        const struct run_row *last = run_last(&run);
        NEAR(hypot(last->v[0], last->v[1]), pull[k] * 0.5, 1e-11);
        run_release(&run);
    }
}
END_TEST

/* --- obstacles and elements ----------------------------------------------------------------------- */

/* a floor that rises at 1 m/s carries the mass: its work is m g height and the kinetic energy */
START_TEST(a_moving_obstacle_works)
{
    struct run run;
    RUN(&run, slider, "contacts.[0].friction=0.0", "initial.[0].velocity_vector=[0.0,1.0]",
        "contacts.[0].motion.type=piecewise-linear", "contacts.[0].motion.times=[0.0,1.0]",
        "contacts.[0].motion.values=[0.0,1.0]");
    const struct run_row *last = run_last(&run);
    NEAR(last->u[1], 0.5, 1e-12);
    NEAR(last->external, 10, 1e-9); /* 2 kg, 10 m/s^2, 0.5 m */
    NEAR(last->dissipated, 0, 1e-9);
    run_release(&run);
}
END_TEST

/* a mass on a spring of order 3 against the energy integral: order 2 of the largest displacement's time
 * average */
static const char *const nonlinear =
    "bodies = ( { type = \"particles\"; name = \"mass\"; positions = [1.0]; masses = [1.0]; } );"
    "elements = ( { type = \"dashpot\"; node = \"mass\"; coefficient = 0.5; exponent = 2.0; } );"
    "initial = ( { body = \"mass\"; velocity = 2.0; } );" ALPHA
    "strategy = { type = \"time-stepping\"; level = \"both\"; }; time = { end = 1.0; step = 0.02; };";

/* v' = -c v^2: v = v0 / (1 + c v0 t) */
START_TEST(nonlinear_elements)
{
    double error[2];
    static const char *const steps[] = {"time.step=0.02", "time.step=0.01"};
    for (size_t k = 0; k < 2; k++) {
        struct run run;
        RUN(&run, nonlinear, steps[k]);
        error[k] = fabs(run_last(&run)->v[0] - 2.0 / 2.0);
        run_release(&run);
    }
    NEAR(log2(error[0] / error[1]), 2, 0.1);
}
END_TEST

/* --- forms ---------------------------------------------------------------------------------------- */

/* Steps of 2 ms, in which the crank turns by 17 degrees: none is halved, and without damping all forms end
 * where one another do. */
START_TEST(all_forms_take_long_steps)
{
    static const char *const forms[] = {"strategy.coupling=monolithic", "strategy.coupling=decoupled",
                                        "strategy.coupling=sequential"};
    double angle[3];
    for (size_t k = 0; k < 3; k++) {
        struct run run;
        struct sg_summary summary = {0};
        RUN(&run, shipped("slider_crank"), "time.step=2e-3", forms[k]);
        run.job.strategy.ops->summarize(&run.job.strategy, &summary);
        ck_assert_int_eq(summary.rejected_steps, 0);
        BELOW(run_deepest(&run), 1e-9);
        angle[k] = run_last(&run)->u[2];
        run_release(&run);
    }
    /* 50 steps to 1e-10 of 200 rad/s, through impacts */
    NEAR(angle[2], angle[0], 1e-8);
    /* friction, mu = .01, moves places by (h/2) Lam_T only behind the rates: 1e-5 a turn */
    NEAR(angle[1], angle[0], 1e-4);
}
END_TEST

/* --- dofs without mass ---------------------------------------------------------------------------- */

/* Two masses on springs to a node without mass that is held: M has no inverse, [M G^T; G 0] has one, and so
 * the solvers by Y = M^-1 G^T are not chosen. Each mass swings on its own, x = cos(sqrt(k/m) t): order 2, (w
 * h)^3 of rho_inf = 0.8 a period. */
static const char *const massless =
    "bodies = ( { type = \"particles\"; name = \"p\"; positions = [0.0, 1.0, 2.0]; masses = [1.0, 0.0, 2.0];"
    "  springs = ( { nodes = [0, 1]; stiffness = 10.0; }, { nodes = [1, 2]; stiffness = 5.0; } ); } );"
    "constraints = ( { type = \"coordinate\"; node = \"p.1\"; } );"
    "initial = ( { node = \"p.0\"; displacement = 0.1; }, { node = \"p.2\"; displacement = 0.2; } );" ALPHA
    "strategy = { type = \"time-stepping\"; level = \"both\"; }; time = { end = 3.0; step = 1e-3; };";

START_TEST(massless_dofs_that_are_held)
{
    static const char *const levels[] = {"strategy.level=both", "strategy.level=position"};
    static const char *const forms[] = {"strategy.coupling=monolithic", "strategy.coupling=decoupled"};
    for (size_t k = 0; k < 3; k++) {
        struct run run;
        RUN(&run, massless, levels[k % 2], forms[k / 2]);
        const struct run_row *last = run_last(&run);
        NEAR(last->u[0], 0.1 * cos(sqrt(10.0) * 3), 1e-5);
        NEAR(last->u[2], 0.2 * cos(sqrt(2.5) * 3), 1e-5);
        NEAR(last->u[1], 0, 1e-15);
        /* the node carries both springs */
        NEAR(run.last.constraint_force[0], -10 * last->u[0] - 5 * last->u[2], 1e-9);
        run_release(&run);
    }
}
END_TEST

/* A bob without inertia on a pin that turns it is a point mass on a string, from 60 degrees back to rest in
 * half a period of 2 pi / agm(1, cos 30) sqrt(1/10) s; contacts act there too. */
START_TEST(massless_rotation_of_a_pendulum)
{
    struct run run;
    double a = 1, g = cos(0.52359877559829887);
    for (int k = 0; k < 8; k++) {
        double mean = (a + g) / 2;
        g = sqrt(a * g);
        a = mean;
    }
    RUN(&run,
        "bodies = ( { type = \"multibody\"; name = \"bob\"; positions = [0.8660254037844386, -0.5];"
        "  masses = [1.0]; inertias = [0.0]; } );"
        "constraints = ( { type = \"pin\"; nodes = [\"bob\"]; arms = [-0.8660254037844386, 0.5]; } );"
        "loads = ( { type = \"gravity\"; acceleration = -10.0; direction = [0.0, 1.0]; } );" ALPHA
        "strategy = { type = \"time-stepping\"; level = \"both\"; }; time = { end = 1.2; step = 1e-3; };");
    for (size_t i = 2; i < run.count; i++) {
        double before = run.rows[i - 1].v[2], after = run.rows[i].v[2];
        if (before >= 0 || after < 0) continue;
        /* (h^2/12) w^2 = 1e-6 of 1 s */
        NEAR(run.rows[i].t - 1e-3 * after / (after - before), 3.14159265358979323846 * sqrt(0.1) / a, 5e-6);
        run_release(&run);
        return;
    }
    ck_abort_msg("the bob does not come back");
}
END_TEST

/* --- what is refused ------------------------------------------------------------------------------ */

START_TEST(position_level_knows_no_friction)
{
    struct run run;
    run_read(&run, (const char *const[]){slider, "strategy.level=position", NULL});
    run_build(&run);
    ck_assert_int_eq(run.status, SG_BAD_DECK);
    run_release(&run);
}
END_TEST

Suite *sg_suite_time_stepping_alpha(void);

Suite *sg_suite_time_stepping_alpha(void)
{
    Suite *suite = suite_create("time_stepping_alpha");
    TCase *tcase = tcase_create("nonsmooth generalized-alpha");
    tcase_add_test(tcase, friction_stops_a_mass);
    tcase_add_test(tcase, friction_in_space);
    tcase_add_test(tcase, stick_and_slip_on_a_slope);
    tcase_add_test(tcase, a_moving_obstacle_works);
    tcase_add_test(tcase, nonlinear_elements);
    tcase_add_test(tcase, all_forms_take_long_steps);
    tcase_add_test(tcase, massless_dofs_that_are_held);
    tcase_add_test(tcase, massless_rotation_of_a_pendulum);
    tcase_add_test(tcase, position_level_knows_no_friction);
    suite_add_tcase(suite, tcase);
    return suite;
}
