/* The critical step of explicit time-stepping against closed forms, and against runs on both sides of it. */
#include <stdio.h>

#include "run_fixture.h"
#include "strategies/critical_step.h"

#define STEPPING "integrator = { type = \"central-difference\"; }; strategy = { type = \"time-stepping\"; };"

/* the bar of the explicit benchmarks (Di Stasio et al. 2019) */
static const char *const bar_text =
    "bodies = ( { type = \"bar\"; length = 0.254; area = 6.45e-4; modulus = 2.1e11; density = 7847.0;"
    "  elements = 50; mass = \"lumped\"; } );"
    "initial = ( { body = \"bar\"; velocity = -5.08; } );"
    "contacts = ( { type = \"wall\"; node = \"bar.left\"; gap = 2.5e-4; } );" STEPPING
    "time = { end = 2.0e-5; step = 6.87e-7; };";

/* three masses whose dashpot sits in one place: K and C have no modes in common */
static const char *const chain_text =
    "bodies = ( { type = \"particles\"; name = \"p\"; positions = [0, 1, 2]; masses = [1, 2, 3];"
    "  springs = ( { node = 0; stiffness = 30; }, { nodes = [0, 1]; stiffness = 40; damping = 3; },"
    "    { nodes = [1, 2]; stiffness = 50; } ); } );"
    "initial = ( { body = \"p\"; velocity = 1.0; velocity_slope = 0.7; } );" STEPPING
    "time = { end = 400.0; step = 0.05; };";

static double critical_of(const char *text, const char *set, const char *other)
{
    struct run run;
    PREPARE(&run, text, set, other);
    double step = run.job.critical.step;
    run_release(&run);
    return step;
}

START_TEST(bar_is_crossed_by_a_wave_in_an_element)
{
    struct run run;
    PREPARE(&run, bar_text);
    double exact = 0.254 / 50 / sqrt(2.1e11 / 7847.0);
    /* omega = 2 c / dx of a free lumped bar; bisection ends at the last bits, the rest are 50 sums */
    NEAR(run.job.critical.step, exact, 1e-13 * exact);
    /* as printed, six digits */
    NEAR(run.job.critical.step, 9.81987e-7, 0.5e-12);
    NEAR(run.job.critical.omega, 2.0 / exact, 1e-13 * 2.0 / exact);
    ck_assert(!run.job.critical.damped);
    run_release(&run);
}
END_TEST

static void refuse(const char *text, const char *set, const char *words)
{
    struct run run;
    run_read(&run, (const char *const[]){text, set, NULL});
    run_build(&run);
    sg_diagnostics_render(&run.diagnostics, &run.findings);
    ck_assert_int_eq(run.status, SG_BAD_DECK);
    ck_assert_msg(strstr(sg_text_view(&run.findings), words) != NULL, "%s", sg_text_view(&run.findings));
    run_release(&run);
}

START_TEST(longer_steps_are_refused)
{
    refuse(bar_text, "time.step=9.8199e-7",
           "time.step: the step of 9.8199e-07 s is beyond the critical step");
    struct run run;
    PREPARE(&run, bar_text, "time.step=9.8198e-7");
    ck_assert_uint_eq(run.diagnostics.count, 0);
    run_release(&run);
    PREPARE(&run, bar_text, "time.step=9.8199e-7", "time.allow_unstable=true");
    ck_assert_uint_eq(run.diagnostics.count, 1);
    ck_assert_int_eq(run.diagnostics.items[0].severity, SG_WARNING);
    run_release(&run);
    /* schemes that are stable at any step have none */
    PREPARE(&run, bar_text, "time.step=1e-5", "integrator.type=theta");
    ck_assert(run.job.critical.step == 0.0 && run.diagnostics.count == 0);
    run_release(&run);
}
END_TEST

/* --- damping at the velocity before --------------------------------------------------------------- */

static double damped_limit(double omega, double alpha, double beta)
{
    double xi = (alpha / omega + beta * omega) / 2.0;
    return 2.0 / omega * (sqrt(1.0 + xi * xi) - xi);
}

START_TEST(proportional_damping_shortens_it)
{
    double omega = 2.0 / (0.254 / 50 / sqrt(2.1e11 / 7847.0));
    static const struct {
        const char *set, *more;
        double alpha, beta;
    } cases[] = {{"damping.stiffness=2e-7", "title=\"\"", 0.0, 2e-7},
                 {"damping.mass=3e5", "title=\"\"", 3e5, 0.0},
                 {"damping.mass=3e5", "damping.stiffness=2e-7", 3e5, 2e-7}};
    for (size_t k = 0; k < 3; k++) {
        double exact = damped_limit(omega, cases[k].alpha, cases[k].beta);
        struct run run;
        PREPARE(&run, bar_text, "time.step=1e-8", cases[k].set, cases[k].more);
        /* the closed form on an omega known to 1e-13 */
        NEAR(run.job.critical.step, exact, 1e-12 * exact);
        ck_assert(run.job.critical.damped);
        run_release(&run);
        /* the same by modes */
        PREPARE(&run, bar_text, "time.step=1e-8", cases[k].set, cases[k].more, "integrator.operator=modal");
        NEAR(run.job.critical.step, exact, 1e-12 * exact);
        run_release(&run);
    }
}
END_TEST

START_TEST(damping_at_the_mean_velocity_does_not)
{
    double with = critical_of(chain_text, "integrator.damping=implicit", "title=\"\"");
    double without = critical_of(chain_text, "bodies.[0].springs.[1].damping=0", "title=\"\"");
    NEAR(with, without, 0.0);
    ck_assert(critical_of(chain_text, "title=\"\"", "title=\"\"") < 0.95 * without);
}
END_TEST

/* largest |v| in the last tenth of a run over that in the first */
static double growth_at(const char *text, const char *more, double step)
{
    char set[64];
    struct run run;
    snprintf(set, sizeof set, "time.step=%.17g", step);
    RUN(&run, text, more, set, "time.allow_unstable=true");
    double first = 0.0, last = 0.0;
    for (size_t i = 0; i < run.count; i++) {
        double speed = 0.0;
        for (size_t k = 0; k < run.job.system->n_full; k++) speed = fmax(speed, fabs(run.rows[i].v[k]));
        if (10 * i < run.count) first = fmax(first, speed);
        if (10 * i > 9 * run.count) last = fmax(last, speed);
    }
    run_release(&run);
    return last / first;
}

/* What the limit means, without any formula: 1000 steps or so stay bounded below it and explode above. A root
 * 1 % beyond the limit grows by some 1 % a step, e^10 in all. */
static const char *const dampers[] = {"title=\"\"", "damping.mass=0.4", "bodies.[0].springs.[1].damping=12",
                                      "bodies.[0].springs.[1].damping=0"};

START_TEST(it_parts_bounded_from_growing_runs)
{
    double limit = critical_of(chain_text, dampers[_i], "title=\"\"");
    BELOW(growth_at(chain_text, dampers[_i], 0.99 * limit), 1.5);
    ck_assert(growth_at(chain_text, dampers[_i], 1.01 * limit) > 100.0);
}
END_TEST

/* --- contacts and nonlinear elements -------------------------------------------------------------- */

static const char *const mass_text =
    "bodies = ( { type = \"particles\"; name = \"p\"; positions = [1]; masses = [2];"
    "  springs = ( { node = 0; stiffness = 30; } ); } );"
    "contacts = ( { type = \"wall\"; node = \"p\"; gap = 0.5; } );" STEPPING
    "time = { end = 1; step = 0.01; };";

START_TEST(stiffness_of_contacts_counts)
{
    static const char *const operators[] = {"integrator.operator=nodal", "integrator.operator=modal"};
    for (size_t k = 0; k < 2; k++) {
        struct run run;
        struct sg_critical_step critical;
        double kappa = 170.0;
        PREPARE(&run, mass_text, operators[k]);
        struct sg_critical_spec spec = {run.job.system, run.job.contacts, &kappa, 2.0, true};
        ck_assert(sg_critical_step_find(&spec, &critical, &run.err) == SG_OK);
        /* omega^2 = (30 + 170) / 2; a handful of roundings */
        NEAR(critical.omega, 10.0, 1e-13);
        NEAR(critical.step, 0.2, 1e-14);
        run_release(&run);
    }
}
END_TEST

static const char *const arch_text =
    "bodies = ( { type = \"chain\"; name = \"arch\"; radius = 1.0; opening = 0.7853981633974483;"
    "  elements = 11; node_mass = 1.0; stiffness = 1.0; torsion_stiffness = 4.16e-5; } );"
    "supports = ( { node = \"arch.left\"; }, { node = \"arch.right\"; } );" STEPPING
    "time = { end = 10.0; step = 0.5; };";

START_TEST(arch_by_its_tangent)
{
    struct run run;
    PREPARE(&run, arch_text);
    /* published with four digits */
    NEAR(run.job.critical.step, 1.011, 0.0005);
    double omega = run.job.critical.omega;
    run_release(&run);
    PREPARE(&run, arch_text, "damping.mass=0.05");
    double exact = damped_limit(omega, 0.05, 0.0);
    /* found by iteration, ended at 1e-11 */
    NEAR(run.job.critical.step, exact, 1e-10);
    run_release(&run);
    refuse(arch_text, "time.step=1.02", "beyond the critical step 1.01");
}
END_TEST

START_TEST(nothing_vibrates_without_stiffness)
{
    struct run run;
    PREPARE(&run, mass_text, "bodies.[0].springs.[0].stiffness=0", "time.step=0.5");
    ck_assert(isinf(run.job.critical.step));
    run_release(&run);
}
END_TEST

Suite *sg_suite_critical_step(void)
{
    Suite *suite = suite_create("critical_step");
    TCase *tcase = tcase_create("critical step");
    tcase_add_test(tcase, bar_is_crossed_by_a_wave_in_an_element);
    tcase_add_test(tcase, longer_steps_are_refused);
    tcase_add_test(tcase, proportional_damping_shortens_it);
    tcase_add_test(tcase, damping_at_the_mean_velocity_does_not);
    tcase_add_loop_test(tcase, it_parts_bounded_from_growing_runs, 0, 4);
    tcase_add_test(tcase, stiffness_of_contacts_counts);
    tcase_add_test(tcase, arch_by_its_tangent);
    tcase_add_test(tcase, nothing_vibrates_without_stiffness);
    suite_add_tcase(suite, tcase);
    return suite;
}
