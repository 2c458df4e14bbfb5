/* What the nonsmooth generalized-alpha method tells of its impulses and corrections: energy/projection, and
 * the multipliers of the position level. */
#include "shipped_fixture.h"

/* J: the largest |numerical - projection| of any step */
static double unexplained(const struct run *run)
{
    double worst = 0;
    for (size_t i = 0; i < run->count; i++)
        worst = fmax(worst, fabs(run->rows[i].numerical - run->rows[i].projection));
    return worst;
}

/* --- energy --------------------------------------------------------------------------------------- */

/* The smooth motion under constant forces is exact: all that a run gains or loses is of impulses and
 * corrections. 1e-10 J: the solver's tolerance, 1e-10 of momenta at 4 m/s, over some 10 impacts; what is
 * explained is 0.17 J and 0.056 J. */
START_TEST(all_that_rigid_impacts_lose_is_projection)
{
    static const struct {
        const char *deck, *level;
        double least;
    } cases[] = {{"ball_accumulation", "strategy.level=both", 0.1},
                 {"rocking_block", "strategy.level=both", 0.05},
                 {"rocking_block", "strategy.level=velocity", 0.01}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct run run;
        RUN(&run, shipped(cases[k].deck), cases[k].level);
        ck_assert_double_gt(fabs(run_last(&run)->projection), cases[k].least);
        BELOW(unexplained(&run), 1e-10);
        run_release(&run);
    }
}
END_TEST

/* what is left beside projection, and projection itself, of a step and of a fourth of it */
static void trends(const char *deck, const char *const steps[2], double left[2], double projection[2])
{
    for (size_t k = 0; k < 2; k++) {
        struct run run;
        RUN(&run, deck, steps[k]);
        left[k] = unexplained(&run);
        projection[k] = fabs(run_last(&run)->projection);
        run_release(&run);
    }
}

/* Joints that turn: bilateral impulses do no work, G v~ = G v = 0; what is left is the smooth motion's, of
 * second order (16; impacts fall on other parts of the step, so that the factor is 12 at least). At impacts
 * the slider-crank loses (1/2) Lam (G v~ - Gn v_n), of first order: a tenth with a tenth of the step, within
 * what the impacts' places in the step scatter. */
START_TEST(the_smooth_part_has_order_2)
{
    static const char *const pendulum[2] = {"time.step=1e-3", "time.step=2.5e-4"};
    static const char *const crank[2] = {"time.step=1e-5", "time.step=1e-6"};
    double left[2], projection[2];
    trends(shipped("bouncing_pendulum"), pendulum, left, projection);
    ck_assert_double_gt(left[0] / left[1], 12);
    BELOW(left[0], 2e-4);
    ck_assert_double_gt(projection[0], 0.1);
    trends(shipped("slider_crank"), crank, left, projection);
    NEAR(left[1] / left[0], 0.01, 0.001);
    NEAR(projection[1] / projection[0], 0.1, 0.01);
    ck_assert_double_gt(projection[0], 1e-3);
}
END_TEST

/* A floor that sinks with 1 m/s from under a mass that falls on it, with friction: the work of obstacles is
 * external. (Flat impacts at velocity level lose nothing beside their account: U is the mean of both ways.)
 */
static const char *const sinking =
    "bodies = ( { type = \"particles\"; name = \"mass\"; dim = 2; positions = [0.0, 0.1]; masses = [2.0]; } "
    ");"
    "loads = ( { type = \"gravity\"; acceleration = -10.0; } );"
    "contacts = ( { type = \"plane\"; node = \"mass\"; normal = [0.0, 1.0]; point = [0.0, 0.0];"
    "  restitution = 0.5; friction = 0.3;"
    "  motion = { type = \"piecewise-linear\"; times = [0.0, 1.0]; values = [0.0, -1.0]; }; } );"
    "initial = ( { body = \"mass\"; velocity_vector = [1.0, 0.0]; } );"
    "integrator = { type = \"generalized-alpha\"; };"
    "strategy = { type = \"time-stepping\"; level = \"both\"; }; time = { end = 0.9; step = 0.01; };";

START_TEST(moving_obstacles_and_friction_are_accounted)
{
    static const char *const levels[] = {"strategy.level=both", "strategy.level=velocity"};
    for (size_t k = 0; k < 2; k++) {
        struct run run;
        RUN(&run, sinking, levels[k]);
        if (k == 0) ck_assert_double_gt(fabs(run_last(&run)->projection), 1e-3);
        ck_assert_double_gt(fabs(run_last(&run)->external), 1);
        BELOW(unexplained(&run), 1e-10);
        run_release(&run);
    }
}
END_TEST

/* --- multipliers of the position level ------------------------------------------------------------ */

/* At rest q~ has sunk by g h^2/2 beside the place before: M U = G^T nu lifts it by as much. The smooth motion
 * of the pendulum, at 45 degrees, holds the pivot and falls by d = (m g / sqrt 2) / (m + J) h^2/2 along its
 * circle; what turns it back, m d (1, 1)/sqrt 2 and J d about the mass, is by the obstacle m g h^2/2, by the
 * pivot along x -(J + m/2) g / (m + J) h^2/2. */
START_TEST(corrections_at_rest)
{
    struct run run;
    RUN(&run, shipped("ball_accumulation"));
    NEAR(run.last.contact_correction[0], 0.5 * 10 * 2e-3 * 2e-3, 1e-15);
    run_release(&run);
    RUN(&run, shipped("bouncing_pendulum"));
    NEAR(run.last.contact_correction[0], 0.5 * 10 * 1e-3 * 1e-3, 1e-12);
    NEAR(run.last.constraint_correction[0], -(0.1 + 0.5) * 10 / 1.1 * 0.5 * 1e-3 * 1e-3, 1e-12);
    run_release(&run);
}
END_TEST

/* the correction of the step of the first impact: nu = m (0 - q~), by either solver */
START_TEST(correction_of_an_impact)
{
    static const char *const solvers[] = {"strategy.solver=condensed", "strategy.solver=dense"};
    for (size_t k = 0; k < 2; k++) {
        struct run run;
        RUN(&run, shipped("ball_accumulation"), "bodies.[0].positions=[1.02]", "time.end=0.406", solvers[k]);
        const struct run_row *before = &run.rows[run.count - 2], *last = run_last(&run);
        ck_assert_double_gt(last->force[0], 0);
        double h = last->t - before->t;
        NEAR(run.last.contact_correction[0], -(before->gap[0] + h * before->v[0] - 5 * h * h), 1e-13);
        run_release(&run);
    }
}
END_TEST

/* other levels have none */
START_TEST(levels_without_corrections)
{
    static const char *const levels[] = {"strategy.level=velocity", "strategy.level=position"};
    for (size_t k = 0; k < 2; k++) {
        struct run run;
        RUN(&run, shipped("ball_accumulation"), "time.end=0.1", levels[k]);
        ck_assert_ptr_null(run.last.contact_correction);
        for (size_t i = 0; i < run.job.quantities.count; i++)
            ck_assert_str_ne(run.job.quantities.items[i].name, "contact_correction");
        run_release(&run);
    }
}
END_TEST

Suite *sg_suite_alpha_accounts(void);

Suite *sg_suite_alpha_accounts(void)
{
    Suite *suite = suite_create("alpha_accounts");
    TCase *tcase = tcase_create("impulses and corrections");
    tcase_add_test(tcase, all_that_rigid_impacts_lose_is_projection);
    tcase_add_test(tcase, the_smooth_part_has_order_2);
    tcase_add_test(tcase, moving_obstacles_and_friction_are_accounted);
    tcase_add_test(tcase, corrections_at_rest);
    tcase_add_test(tcase, correction_of_an_impact);
    tcase_add_test(tcase, levels_without_corrections);
    tcase_set_timeout(tcase, 60);
    suite_add_tcase(suite, tcase);
    return suite;
}
