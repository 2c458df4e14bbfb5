/* Bilateral constraints at position level: central differences hold them at every displacement. */
#include <stdio.h>

#include "shipped_fixture.h"

#define CENTRAL                                                                                              \
    "integrator = {type = \"central-difference\";}; strategy = {type = \"time-stepping\"; level = "          \
    "\"position\";};"

/* the bob of paper 004 (m = 1, J = .1, l = 1), let go 60 degrees off the vertical */
static const char *const pendulum =
    "bodies = ({type = \"multibody\"; name = \"bob\"; positions = [0.8660254037844386, -0.5]; masses = [1.0];"
    "inertias = [0.1];});"
    "constraints = ({type = \"pin\"; name = \"hinge\"; nodes = [\"bob\"]; arms = [-0.8660254037844386, "
    "0.5];});"
    "loads = ({type = \"gravity\"; acceleration = -10.0; direction = [0.0, 1.0];});" CENTRAL
    "time = {end = 2.4; step = 4e-3;};";

/* s, by the arithmetic-geometric mean: 1.1 phi'' = -10 sin phi, let go at 60 degrees */
static double exact_period(void)
{
    double a = 1, g = cos(3.14159265358979323846 / 6);
    for (int k = 0; k < 8; k++) {
        double mean = (a + g) / 2;
        g = sqrt(a * g);
        a = mean;
    }
    return 2 * 3.14159265358979323846 * sqrt(0.11) / a;
}

/* s: when the rotation's rate, of the middles of the steps, comes back to 0, times 2; it changes its sign
 * like a line there, so that interpolation is of order 3 */
static double period(const struct run *run)
{
    double h = run->rows[1].t;
    for (size_t i = 2; i < run->count; i++) {
        double before = run->rows[i - 1].v[2], after = run->rows[i].v[2];
        if (before < 0 && after >= 0)
            return 2 * (run->rows[i - 1].t + 0.5 * h + h * before / (before - after));
    }
    return NAN;
}

/* m: how far the hinge is from its place */
static double violation(const struct run *run)
{
    const double x = 0.8660254037844386, y = -0.5;
    double worst = 0;
    for (size_t i = 0; i < run->count; i++) {
        const double *u = run->rows[i].u, c = cos(u[2]), s = sin(u[2]);
        worst = fmax(worst, hypot(x + u[0] - (c * x - s * y), y + u[1] - (s * x + c * y)));
    }
    return worst;
}

/* J, of rows first to end */
static double swing(const struct run *run, size_t first, size_t end)
{
    double worst = 0;
    for (size_t i = first; i < end; i++) worst = fmax(worst, fabs(run->rows[i].numerical));
    return worst;
}

/* Order 2 of the period and of the energy's swing, and hinges that hold to rounding, beside 3.8e-5 m and
 * order 1 of the velocity level. */
START_TEST(pendulum_has_order_2)
{
    static const char *const steps[] = {"time.step=4e-3", "time.step=2e-3", "time.step=1e-3"};
    double off[3], energy[3];
    for (size_t k = 0; k < 3; k++) {
        struct run run;
        RUN(&run, pendulum, steps[k]);
        off[k] = period(&run) - exact_period();
        energy[k] = swing(&run, 0, run.count);
        BELOW(violation(&run), 1e-14);
        run_release(&run);
    }
    BELOW(fabs(off[0]), 5e-5);
    for (size_t k = 0; k < 2; k++) NEAR(off[k] / off[k + 1], 4, 0.2);
    for (size_t k = 0; k < 2; k++) NEAR(energy[k] / energy[k + 1], 4, 0.1);
}
END_TEST

/* The scheme is symplectic: the energy swings and does not drift in 45 periods. 1 %: where samples fall. */
START_TEST(pendulum_keeps_its_energy)
{
    struct run run;
    RUN(&run, pendulum, "time.end=100.0");
    double first = swing(&run, 0, 1000), last = swing(&run, run.count - 1000, run.count);
    BELOW(first, 5e-4);
    NEAR(last / first, 1, 0.01);
    BELOW(violation(&run), 1e-14);
    run_release(&run);
}
END_TEST

/* At rest, straight down, the hinge carries the weight exactly. */
START_TEST(hinge_carries_the_weight)
{
    struct run run;
    RUN(&run, pendulum, "bodies.[0].positions=[0.0, -1.0]", "constraints.[0].arms=[0.0, 1.0]",
        "time.end=0.1");
    NEAR(run.last.constraint_force[0], 0, 1e-12);
    NEAR(run.last.constraint_force[1], 10, 1e-9);
    /* the first half step is a start of half a step */
    NEAR(run.last.constraint_impulse[1], 10 * (0.1 + 0.002), 1e-9);
    run_release(&run);
}
END_TEST

/* N s of the obstacle until t */
static double impulse_until(const struct run *run, double t)
{
    size_t i = 0;
    while (i + 1 < run->count && run->rows[i + 1].t < t) i++;
    return run->rows[i].impulse[0];
}

/* The pendulum that swings against an obstacle: position level spreads an impact over two steps, whose sum is
 * the exact impulse, 11.7347 N s, but for the g'' h = 0.6 % of the closing rate a step that its rates are
 * off. */
START_TEST(contacts_and_constraints_together)
{
    struct run run;
    RUN(&run, shipped("bouncing_pendulum"), "integrator.type=central-difference", "strategy.level=position",
        "time.end=6.0");
    NEAR(impulse_until(&run, 0.6), 11.7347, 0.012 * 11.7347);
    NEAR(run_last(&run)->force[0], 10, 1e-6);
    NEAR(run.last.constraint_force[0], -10, 1e-6);
    BELOW(fabs(run.last.gap[0]), 1e-9);
    run_release(&run);
}
END_TEST

/* a mass that a prescribed coordinate moves takes its neighbour along: the way is that prescribed, to
 * rounding */
START_TEST(prescribed_coordinate_moves_as_told)
{
    struct run run;
    RUN(&run, "bodies = ({type = \"particles\"; positions = [0.0, 1.0]; masses = [1.0, 2.0];"
              "springs = ({nodes = [0, 1]; stiffness = 40.0;});});"
              "initial = ({node = \"particles.0\"; velocity = 1.3194689145077131;});"
              "constraints = ({type = \"coordinate\"; node = \"particles.0\";"
              "motion = {type = \"harmonic\"; amplitude = 0.3; frequency = 0.7;};});" CENTRAL
              "time = {end = 2.0; step = 2e-3;};");
    for (size_t i = 0; i < run.count; i++)
        NEAR(run.rows[i].u[0], 0.3 * sin(2 * 3.14159265358979323846 * 0.7 * run.rows[i].t), 1e-14);
    /* work and energy agree to second order: (omega h)^2 = 8e-5 of 1 J */
    ck_assert_double_gt(swing(&run, 0, run.count), 0);
    BELOW(swing(&run, 0, run.count), 2e-4);
    run_release(&run);
}
END_TEST

/* --- what is not sound ---------------------------------------------------------------------------- */

static const struct {
    const char *override, *finding;
} refused[] = {
    {"integrator.type=trapezoidal", "grow from step to step without numerical damping"},
    {"integrator.type=newmark", "grow from step to step without numerical damping"},
    {"integrator.type=bathe", "at position level it knows contacts alone"},
    {"integrator.type=generalized-alpha", "rho_inf must be below 1"},
};

START_TEST(schemes_without_damping_are_refused)
{
    struct run run;
    run_read(&run, (const char *const[]){pendulum, refused[_i].override,
                                         _i == 3 ? "integrator.rho_inf=1.0" : NULL, NULL});
    run_build(&run);
    ck_assert_int_eq(run.status, SG_BAD_DECK);
    sg_diagnostics_render(&run.diagnostics, &run.findings);
    ck_assert_msg(strstr(sg_text_view(&run.findings), refused[_i].finding) != NULL, "%s",
                  sg_text_view(&run.findings));
    run_release(&run);
}
END_TEST

/* with a little damping they hold: nothing grows in 20 s */
START_TEST(index_3_with_damping_lasts)
{
    struct run run;
    RUN(&run, pendulum, "integrator.type=generalized-alpha", "integrator.rho_inf=0.99", "time.end=20.0");
    BELOW(swing(&run, 0, run.count), 5e-4);
    run_release(&run);
}
END_TEST

Suite *sg_suite_constrained_positions(void);

Suite *sg_suite_constrained_positions(void)
{
    Suite *suite = suite_create("constrained_positions");
    TCase *runs = tcase_create("runs");
    tcase_set_timeout(runs, 60);
    tcase_add_test(runs, pendulum_has_order_2);
    tcase_add_test(runs, pendulum_keeps_its_energy);
    tcase_add_test(runs, hinge_carries_the_weight);
    tcase_add_test(runs, contacts_and_constraints_together);
    tcase_add_test(runs, prescribed_coordinate_moves_as_told);
    tcase_add_loop_test(runs, schemes_without_damping_are_refused, 0, sizeof refused / sizeof *refused);
    tcase_add_test(runs, index_3_with_damping_lasts);
    suite_add_tcase(suite, runs);
    return suite;
}
