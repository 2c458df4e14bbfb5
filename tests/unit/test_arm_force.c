/* A force at a point of a rigid body: its moment follows the body's turn. */
#include <stdio.h>

#include "run_fixture.h"

/* A free body, 2 kg and J = 0.5 kg m^2, pushed by 3 N along x at (0, 0.4) m of its axes. Its centre moves by
 * F t^2/(2 m). About it J theta'' = -F a cos theta: a pendulum that is let go a quarter turn off its rest at
 * theta = -90 degrees, with a half period of pi sqrt(J/(F a))/agm(1, cos 45) until theta = -180 degrees. */
#define BODY(integrator, level)                                                                              \
    "bodies = ({type = \"multibody\"; name = \"b\"; positions = [0.0, 0.0]; masses = [2.0]; inertias = "     \
    "[0.5];});"                                                                                              \
    "loads = ({type = \"force\"; node = \"b\"; direction = [1.0, 0.0]; arm = [0.0, 0.4];"                    \
    "signal = {type = \"constant\"; value = 3.0;};});"                                                       \
    "integrator = {type = \"" integrator "\";}; strategy = {type = \"time-stepping\"; level = \"" level      \
    "\";}; time = {end = 2.6; step = 0.01;};"

static const char *const decks[] = {BODY("generalized-alpha", "both"), BODY("generalized-alpha", "velocity"),
                                    BODY("theta", "velocity"), BODY("central-difference", "velocity"),
                                    BODY("central-difference", "position")};

/* s: the first time at which the turn's rate comes back to 0, by the line between; a staggered rate belongs
 * to the middle of its step */
static double returns(const struct run *run, bool staggered)
{
    for (size_t i = 2; i < run->count; i++) {
        double before = run->rows[i - 1].v[2], after = run->rows[i].v[2], h = run->rows[1].t;
        if (before < 0 && after >= 0)
            return run->rows[i - 1].t + h * before / (before - after) + (staggered ? 0.5 * h : 0);
    }
    return NAN;
}

static double exact_return(void)
{
    double a = 1, g = cos(3.14159265358979323846 / 4);
    for (int k = 0; k < 8; k++) {
        double mean = (a + g) / 2;
        g = sqrt(a * g);
        a = mean;
    }
    return 3.14159265358979323846 * sqrt(0.5 / 1.2) / a;
}

/* Order 2 of the half period; work of the force, by the way of its point, against the kinetic energy. */
START_TEST(force_at_an_arm_turns_as_a_pendulum)
{
    double off[2], unexplained[2];
    static const char *const steps[] = {"time.step=0.01", "time.step=0.005"};
    for (size_t k = 0; k < 2; k++) {
        struct run run;
        RUN(&run, decks[_i], steps[k]);
        const struct run_row *last = run_last(&run);
        off[k] = returns(&run, _i >= 3) - exact_return();
        NEAR(last->u[0], 3 * 2.6 * 2.6 / 4, 1e-10);
        unexplained[k] = 0;
        for (size_t i = 0; i < run.count && _i < 3; i++) {
            const struct run_row *row = &run.rows[i];
            double work = 3 * (row->u[0] - 0.4 * sin(row->u[2]));
            NEAR(row->external, work, 2e-4);
            NEAR(row->dissipated, 0, 1e-12);
            unexplained[k] = fmax(unexplained[k], fabs(row->numerical));
        }
        for (size_t i = 0; i < run.count && _i >= 3; i++)
            unexplained[k] = fmax(unexplained[k], fabs(run.rows[i].numerical));
        run_release(&run);
    }
    BELOW(fabs(off[0]), 5e-4);
    NEAR(off[0] / off[1], 4, 0.4);
    /* theta and central differences: work in the scheme's own algebra */
    BELOW(unexplained[0], _i < 2 ? 1e-3 : 1e-12);
    if (_i < 2) NEAR(unexplained[0] / unexplained[1], 4, 0.5);
}
END_TEST

/* what stands at the centre has no moment; an arm along the force has none either, nor has one across where
 * the body can't turn */
START_TEST(no_lever_no_moment)
{
    static const char *const cases[] = {"loads.[0].arm=[0.0,0.0]", "loads.[0].arm=[0.4,0.0]"};
    for (size_t k = 0; k < 2; k++) {
        struct run run;
        RUN(&run, decks[0], cases[k]);
        NEAR(run_last(&run)->u[2], 0, 1e-13);
        NEAR(run_last(&run)->external, 3 * run_last(&run)->u[0], 1e-10);
        run_release(&run);
    }
}
END_TEST

/* A lever of 0.5 m on a pin is held by a force at its end against its weight: equilibrium about the pin, and
 * what the pin carries is the rest. With a harmonic force it moves as with a moment of the same size while it
 * turns little: 1e-4 rad, the moment's change by theta^2/2. */
START_TEST(lever_on_a_pin)
{
    static const char lever[] =
        "bodies = ({type = \"multibody\"; name = \"b\"; positions = [0.25, 0.0]; masses = [4.0]; inertias = "
        "[0.1];});"
        "constraints = ({type = \"pin\"; nodes = [\"b\"]; arms = [-0.25, 0.0];});"
        "loads = ({type = \"gravity\"; acceleration = -10.0; direction = [0.0, 1.0];},"
        "{type = \"force\"; node = \"b\"; direction = [0.0, 1.0]; arm = [0.25, 0.0];"
        "signal = {type = \"constant\"; value = 20.0;};});"
        "integrator = {type = \"generalized-alpha\";}; strategy = {type = \"time-stepping\"; level = "
        "\"both\";};"
        "time = {end = 1.0; step = 0.01;};";
    struct run run;
    RUN(&run, lever);
    NEAR(run_last(&run)->u[2], 0, 1e-12);
    NEAR(run.last.constraint_force[1], 20, 1e-9);
    run_release(&run);
}
END_TEST

START_TEST(linear_schemes_are_told)
{
    struct run run;
    run_read(&run,
             (const char *const[]){decks[0], "integrator.type=trapezoidal", "strategy.level=position", NULL});
    run_build(&run);
    ck_assert_int_eq(run.status, SG_BAD_DECK);
    run_release(&run);
}
END_TEST

Suite *sg_suite_arm_force(void);

Suite *sg_suite_arm_force(void)
{
    Suite *suite = suite_create("arm_force");
    TCase *tcase = tcase_create("force at a point");
    tcase_add_loop_test(tcase, force_at_an_arm_turns_as_a_pendulum, 0, sizeof decks / sizeof *decks);
    tcase_add_test(tcase, no_lever_no_moment);
    tcase_add_test(tcase, lever_on_a_pin);
    tcase_add_test(tcase, linear_schemes_are_told);
    suite_add_tcase(suite, tcase);
    return suite;
}
