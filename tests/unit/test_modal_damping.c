/* Modal damping against the closed decay of each mode, in every route. */
#include <check.h>
#include <math.h>
#include <stdio.h>

#include "run_fixture.h"

Suite *sg_suite_modal_damping(void);

enum { MASSES = 5 };

/* Five masses of 2 kg between walls, by springs of 800 N/m: modes sin(j pi i / 6), frequencies
 * 2 sqrt(k / m) sin(j pi / 12). The start has all of them. */
#define CHAIN(damping)                                                                                       \
    "bodies = ( { type = \"particles\"; name = \"c\"; positions = [1.0, 2.0, 3.0, 4.0, 5.0];"                \
    "  masses = [2.0, 2.0, 2.0, 2.0, 2.0]; springs = ( { node = 0; stiffness = 800.0; },"                    \
    "  { nodes = [0, 1]; stiffness = 800.0; }, { nodes = [1, 2]; stiffness = 800.0; },"                      \
    "  { nodes = [2, 3]; stiffness = 800.0; }, { nodes = [3, 4]; stiffness = 800.0; },"                      \
    "  { node = 4; stiffness = 800.0; } ); } );"                                                             \
    "initial = ( { body = \"c\"; displacement = 0.3; displacement_slope = 0.2; velocity = -1.0; } );"        \
    "damping = { modal = " damping "; }; strategy = { type = \"event-driven\"; };"                           \
    "time = { end = 1.0; step = 0.01; };"

/* of y'' + 2 z w y' + w^2 y = 0 from y0 and v0; z may be 1 and more */
static double decay(double z, double w, const double start[2], double t)
{
    double d = 1 - z * z, s = sqrt(fabs(d)) * w, rate = start[1] + z * w * start[0];
    if (fabs(d) < 1e-12) return exp(-w * t) * (start[0] + rate * t);
    double c = d > 0 ? cos(s * t) : cosh(s * t), q = d > 0 ? sin(s * t) : sinh(s * t);
    return exp(-z * w * t) * (start[0] * c + rate / s * q);
}

static double shape(size_t mode, size_t i)
{
    return sin((double)(mode * (i + 1)) * acos(-1.0) / 6);
}

/* displacement of mass i at t; z: a ratio a mode */
static double exact(const double z[MASSES], size_t i, double t)
{
    double sum = 0;
    for (size_t mode = 1; mode <= MASSES; mode++) {
        double start[2] = {0, 0}, w = 40 * sin((double)mode * acos(-1.0) / 12);
        for (size_t k = 0; k < MASSES; k++) {
            start[0] += shape(mode, k) / 3 * (0.3 + 0.2 * (double)k); /* from the left end */
            start[1] += shape(mode, k) / 3 * -1.0;
        }
        sum += shape(mode, i) * decay(z[mode - 1], w, start, t);
    }
    return sum;
}

static double error_of(const struct run *run, const double z[MASSES])
{
    double worst = 0;
    for (size_t k = 0; k < run->count; k++)
        for (size_t i = 0; i < MASSES; i++)
            worst = fmax(worst, fabs(run->rows[k].u[i] - exact(z, i, run->rows[k].t)));
    return worst;
}

static const struct {
    const char *deck;
    double z[MASSES];
} lists[] = {
    {CHAIN("[0.05]"), {0.05, 0.05, 0.05, 0.05, 0.05}},
    {CHAIN("[0.02, 0.3, 0.0]"), {0.02, 0.3, 0, 0, 0}}, /* the last one for all that follow */
    {CHAIN("[0.0, 0.01, 0.4, 1.0, 1.5]"), {0, 0.01, 0.4, 1, 1.5}},
};

/* closed forms against closed forms: rounding of a hundred steps */
START_TEST(each_mode_decays_as_it_should)
{
    struct run run;
    RUN(&run, lists[_i].deck, "integrator.type=exact");
    BELOW(error_of(&run, lists[_i].z), 1e-12);
    run_release(&run);
}
END_TEST

/* A scheme of order two errs by (w h)^2 / 12 or so a radian: with the 39 rad/s of the highest mode, 39
 * radians and amplitudes of some tenths, h = 1e-3 gives 1e-3, and half of it a quarter. In both coordinates
 * the same. */
START_TEST(both_coordinates_are_the_same)
{
    struct run modal, nodal, fine;
    const char *step = "time.step=1e-3", *half = "time.step=5e-4", *type = "integrator.type=trapezoidal";
    RUN(&modal, lists[_i].deck, type, step, "integrator.operator=modal");
    RUN(&nodal, lists[_i].deck, type, step, "integrator.operator=nodal");
    RUN(&fine, lists[_i].deck, type, half, "integrator.operator=nodal");
    ck_assert(modal.job.system->modal != NULL && nodal.job.system->modal == NULL);
    ck_assert_uint_eq(modal.count, nodal.count);
    for (size_t k = 0; k < modal.count; k++)
        BELOW(run_distance(modal.rows[k].u, nodal.rows[k].u, MASSES), 1e-11);
    double coarse = error_of(&nodal, lists[_i].z);
    BELOW(coarse, 1.5e-3);
    NEAR(coarse / error_of(&fine, lists[_i].z), 4, 0.1);
    run_release(&modal);
    run_release(&nodal);
    run_release(&fine);
}
END_TEST

/* What dampers take and what is left is what there was, whichever the route. */
START_TEST(energy_is_accounted_for)
{
    struct run run;
    RUN(&run, lists[0].deck, "integrator.type=trapezoidal", "time.step=1e-3", "integrator.operator=nodal");
    /* Simpson's rule of steps that are second order in v: 2e-5 of the total */
    BELOW(run_imbalance(&run), 5e-5 * run.job.balance.total_start);
    ck_assert_double_gt(run_last(&run)->dissipated, 0.5 * run.job.balance.total_start);
    run_release(&run);
}
END_TEST

/* --- explicit schemes, whose mass may be another -------------------------------------------------- */

#define BAR                                                                                                  \
    "bodies = ( { type = \"bar\"; name = \"b\"; length = 1.0; area = 1.0; modulus = 100.0; density = 1.0;"   \
    "  elements = 8; mass = \"consistent\"; } ); supports = ( { node = \"b.left\"; } );"                     \
    "initial = ( { body = \"b\"; displacement_slope = 0.1; } ); damping = { modal = [0.1, 0.05]; };"         \
    "strategy = { type = \"time-stepping\"; }; integrator = { type = \"central-difference\"; };"             \
    "time = { end = 0.3; step = 1.0e-4; };"

/* Modes are those of the mass that the scheme has: lumped by it, or so by the deck, C is the same. */
START_TEST(a_lumped_mass_has_its_own_modes)
{
    struct run lumped, own, modal;
    RUN(&lumped, BAR, "integrator.operator=nodal", "integrator.damping=implicit");
    RUN(&own, BAR, "integrator.operator=nodal", "integrator.damping=implicit", "bodies.[0].mass=lumped");
    ck_assert(lumped.job.lumped && !own.job.lumped);
    BELOW(run_distance(run_last(&lumped)->u, run_last(&own)->u, 9), 1e-13);
    RUN(&modal, BAR, "integrator.operator=modal", "integrator.damping=implicit", "bodies.[0].mass=lumped");
    BELOW(run_distance(run_last(&modal)->u, run_last(&own)->u, 9), 1e-12);
    run_release(&lumped);
    run_release(&own);
    run_release(&modal);
}
END_TEST

/* With the damping force of the velocity before a mode is stable up to (2/w) (sqrt(1 + z^2) - z), the least
 * of all modes: the same in both coordinates. */
START_TEST(the_critical_step_knows_it)
{
    struct run modal, nodal;
    PREPARE(&modal, BAR, "integrator.operator=modal", "integrator.damping=explicit",
            "bodies.[0].mass=lumped");
    PREPARE(&nodal, BAR, "integrator.operator=nodal", "integrator.damping=explicit",
            "bodies.[0].mass=lumped");
    /* clamped bar of 8 lumped elements: w = (2 c / dx) sin((2 j - 1) pi / 32) */
    double w = 160 * sin(15 * acos(-1.0) / 32), z = 0.05, exact_step = 2 / w * (sqrt(1 + z * z) - z);
    NEAR(modal.job.critical.step, exact_step, 1e-12 * exact_step);
    NEAR(nodal.job.critical.step, exact_step, 1e-6 * exact_step); /* found by bisection */
    run_release(&modal);
    run_release(&nodal);
}
END_TEST

/* --- what it can't go with ------------------------------------------------------------------------ */

#define ALONE                                                                                                \
    "bodies = ( { type = \"particles\"; name = \"c\"; positions = [1.0]; masses = [2.0];"                    \
    "  springs = ( { node = 0; stiffness = 8.0; } ); } ); time = { end = 1.0; step = 0.01; };"
#define EVENT "integrator = { type = \"trapezoidal\"; }; strategy = { type = \"event-driven\"; };"

static const struct {
    const char *deck, *words;
} wrong[] = {
    {ALONE EVENT "damping = { modal = [0.1]; mass = 1.0; };", "give it alone"},
    {ALONE EVENT "damping = { modal = [0.1]; ratios = [0.1, 0.2]; modes = [1, 2]; };", "give it alone"},
    {ALONE EVENT "damping = { modal = [0.1, 0.2]; };", "has 2 ratios for 1 mode"},
    {ALONE "integrator = { type = \"theta\"; theta = 0.5; }; strategy = { type = \"time-stepping\"; };"
           "damping = { modal = [0.1]; }; elements = ( { type = \"van_der_pol\"; node = \"c.0\"; coefficient "
           "= 1.0; } );",
     "can't be combined with nonlinear elements"},
    {"bodies = ( { type = \"bar\"; length = 1.0; area = 1.0; modulus = 1.0; density = 1.0; elements = 3; } );"
     "time = { end = 1.0; step = 0.01; }; supports = ( { node = \"bar.left\"; motion = { type = \"harmonic\";"
     "  amplitude = 0.1; frequency = 1.0; }; } ); damping = { modal = [0.1]; };" EVENT,
     "can't be combined with supports that move"},
    {ALONE "integrator = { type = \"exact\"; }; strategy = { type = \"event-driven\"; };"
           "damping = { modal = [0.1]; }; contacts = ( { type = \"wall\"; node = \"c.0\"; gap = 1.0; } );",
     "can't keep modal damping diagonal"},
};

START_TEST(what_it_can_not_go_with_is_told)
{
    struct run run;
    run_read(&run, (const char *const[]){wrong[_i].deck, NULL});
    run_build(&run);
    ck_assert_int_eq(run.status, SG_BAD_DECK);
    sg_text_release(&run.findings);
    sg_diagnostics_render(&run.diagnostics, &run.findings);
    bool told = strstr(sg_text_view(&run.findings), wrong[_i].words) != NULL;
    ck_assert_msg(told || strstr(run.err.text, wrong[_i].words) != NULL, "%s%s", sg_text_view(&run.findings),
                  run.err.text);
    run_release(&run);
}
END_TEST

Suite *sg_suite_modal_damping(void)
{
    Suite *suite = suite_create("modal_damping");
    TCase *tc = tcase_create("modal_damping");
    int count = sizeof lists / sizeof *lists;
    tcase_add_loop_test(tc, each_mode_decays_as_it_should, 0, count);
    tcase_add_loop_test(tc, both_coordinates_are_the_same, 0, count);
    tcase_add_test(tc, energy_is_accounted_for);
    tcase_add_test(tc, a_lumped_mass_has_its_own_modes);
    tcase_add_test(tc, the_critical_step_knows_it);
    tcase_add_loop_test(tc, what_it_can_not_go_with_is_told, 0, sizeof wrong / sizeof *wrong);
    suite_add_tcase(suite, tc);
    return suite;
}
