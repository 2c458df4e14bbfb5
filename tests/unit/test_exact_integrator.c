/* The exact integrator against closed forms, and what follows from exactness: no dependence on the step. */
#include <check.h>
#include <math.h>

#include "exact_sdof.h"
#include "integrators/oscillator.h"
#include "run_fixture.h"

Suite *sg_suite_exact_integrator(void);

/* --- the oscillator's responses ------------------------------------------------------------------- */

/* (1 - exp(-x h))/x and its integral over h, without cancellation */
static long double decay_sum(long double x, long double h)
{
    return -expm1l(-x * h) / x;
}

static long double decay_sum2(long double x, long double h)
{
    if (x * h > 0.5L) return (h - decay_sum(x, h)) / x;
    long double term = h * h / 2, sum = 0;
    for (int k = 3; k < 40; k++) {
        sum += term;
        term *= -x * h / k;
    }
    return sum;
}

/* overdamped: the difference of two decays, whose rates are kept apart without cancellation */
static void check_overdamped(double k, double c, double h)
{
    long double half = 0.5L * c, w = sqrtl(half * half - k), fast = half + w, slow = k / fast;
    struct sg_oscillator o = sg_oscillator_response(k, c, h);
    /* 1e-13: 24 terms and up to 30 doublings, of a rounding each */
    long double s2 = (decay_sum(slow, h) - decay_sum(fast, h)) / (2 * w);
    long double s3 = (decay_sum2(slow, h) - decay_sum2(fast, h)) / (2 * w);
    long double s1 = (expl(-slow * h) - expl(-fast * h)) / (2 * w);
    long double ds1 = (fast * expl(-fast * h) - slow * expl(-slow * h)) / (2 * w);
    NEAR(o.s1, (double)s1, 1e-13 / c);
    NEAR(o.ds1, (double)ds1, 1e-13);
    /* the differences here lose w h of long double's 1e-19 */
    double lost = 1e-13 + 4e-19 / (double)(w * h);
    NEAR(o.s2, (double)s2, lost * (double)s2);
    NEAR(o.s3, (double)s3, lost * (double)s3);
}

START_TEST(overdamped_responses)
{
    const double ratios[] = {1.01, 2, 10, 1e3, 1e6}, steps[] = {1e-2, 0.3, 1, 20};
    const double stiffnesses[] = {1e-12, 1e-9, 1e-6, 0.1, 1, 1e4};
    for (size_t i = 0; i < 5; i++)
        for (size_t j = 0; j < 4; j++)
            for (size_t l = 0; l < 6; l++)
                check_overdamped(stiffnesses[l], ratios[i] * 2 * sqrt(stiffnesses[l]), steps[j]);
}
END_TEST

START_TEST(underdamped_responses)
{
    for (int i = 0; i < 60; i++) {
        double k = pow(10, -6 + 0.2 * i), h = 1.3, c = 2 * sqrt(k) * (i % 3 == 0 ? 0 : 0.05 * (i % 20));
        long double half = 0.5L * c, w = sqrtl(k - half * half), decay = expl(-half * h);
        struct sg_oscillator o = sg_oscillator_response(k, c, h);
        long double s1 = decay * sinl(w * h) / w, ds1 = decay * (cosl(w * h) - half * sinl(w * h) / w);
        long double s2 = (1 - ds1 - c * s1) / k, s3 = (h - s1 - c * s2) / k;
        double phase = 1e-16 * (double)(w * h); /* the angle is rounded too */
        NEAR(o.s1, (double)s1, 1e-14 * h + phase / (double)w);
        NEAR(o.ds1, (double)ds1, 1e-14 + phase);
        /* long double loses as much as 1e-19/(k h^2) of s2, and that again of s3 */
        double lost = 1e-18 / (k * h * h);
        NEAR(o.s2, (double)s2, (1e-13 + lost) * h * h);
        NEAR(o.s3, (double)s3, (1e-13 + lost / (k * h * h)) * h * h * h);
    }
}
END_TEST

START_TEST(free_bodies_and_pure_dashpots)
{
    struct sg_oscillator o = sg_oscillator_response(0, 0, 3);
    ck_assert(o.s1 == 3 && o.ds1 == 1 && o.s2 == 4.5 && o.s3 == 4.5);
    o = sg_oscillator_response(0, 2, 1.5);
    NEAR(o.s1, (1 - exp(-3)) / 2, 1e-15);
    NEAR(o.ds1, exp(-3), 1e-15);
    NEAR(o.s2, (1.5 - (1 - exp(-3)) / 2) / 2, 1e-15);
    NEAR(o.s3, (double)((1.125L - (1.5L - decay_sum(2, 1.5L)) / 2) / 2), 1e-15);
    o = sg_oscillator_response(-1e-14, 0, 2); /* a rigid mode by rounding */
    NEAR(o.s1, 2, 1e-13);
}
END_TEST

/* --- runs ----------------------------------------------------------------------------------------- */

#define ONE                                                                                                  \
    "bodies = ( { type = \"particles\"; name = \"p\"; positions = [0.0]; masses = [2.0];"                    \
    "  springs = ( { node = 0; stiffness = 50.0; } ); } );"                                                  \
    "initial = ( { body = \"p\"; displacement = 0.3; velocity = -1.0; } );"                                  \
    "integrator = { type = \"exact\"; }; strategy = { type = \"event-driven\"; };"                           \
    "damping = { mass = 0.4; stiffness = 0.02; };"                                                           \
    "time = { end = 5.0; step = 0.37; };"

/* m 2, k 50, c = 0.4 m + 0.02 k = 1.8; load 3 + 2 t */
static struct sg_sdof one(double constant, double ramp)
{
    struct sg_sdof_spec spec = {
        .mass = 2, .damping = 1.8, .stiffness = 50, .constant = constant, .ramp = ramp, .u0 = 0.3, .v0 = -1};
    struct sg_sdof sdof;
    struct sg_error err;
    ck_assert_int_eq(sg_sdof_init(&spec, &sdof, &err), SG_OK);
    return sdof;
}

static const struct {
    const char *set;
    double constant, ramp;
} loads[] = {
    {"loads=({type=\"force\";node=\"p\";signal={type=\"constant\";value=3.0;};})", 3, 0},
    {"loads=({type=\"force\";node=\"p\";signal={type=\"piecewise-linear\";times=[0.0,10.0];"
     "values=[3.0,23.0];};})",
     3, 2},
};

START_TEST(linear_loads_are_exact)
{
    struct run run;
    struct sg_sdof sdof = one(loads[_i].constant, loads[_i].ramp);
    RUN(&run, ONE, loads[_i].set);
    ck_assert_uint_ge(run.count, 14);
    for (size_t i = 0; i < run.count; i++) {
        struct sg_sdof_state truth = sg_sdof_at(&sdof, run.rows[i].t);
        NEAR(run.rows[i].u[0], truth.u, 1e-14 * (1 + (double)i)); /* amplitudes below 1: a rounding a step */
        NEAR(run.rows[i].v[0], truth.v, 1e-13 * (1 + (double)i));
    }
    run_release(&run);
}
END_TEST

/* Two equal masses, each with k to the ground, kc between: modes (1, 1) and (1, -1), known by symmetry.
 * A load that is given by points; steps end at each. */
#define TWO                                                                                                  \
    "bodies = ( { type = \"particles\"; name = \"p\"; positions = [0.0, 1.0]; masses = [1.0, 1.0];"          \
    "  springs = ( { node = 0; stiffness = 30.0; }, { node = 1; stiffness = 30.0; },"                        \
    "    { nodes = [0, 1]; stiffness = 40.0; } ); } );"                                                      \
    "loads = ( { type = \"force\"; node = \"p.0\"; signal = { type = \"piecewise-linear\";"                  \
    "  times = [0.0, 0.35, 0.81, 1.7, 2.0]; values = [0.0, 4.0, -3.0, 5.0, 5.0]; }; } );"                    \
    "damping = { mass = 0.3; stiffness = 0.01; };"                                                           \
    "integrator = { type = \"exact\"; }; strategy = { type = \"event-driven\"; };"                           \
    "time = { end = 3.0; step = 0.13; };"

/* amplitude of a mode of stiffness k at t: pieces put end to end */
static struct sg_sdof_state mode_at(double k, double t)
{
    const double times[] = {0, 0.35, 0.81, 1.7, 2.0, 1e9}, values[] = {0, 4, -3, 5, 5, 5};
    struct sg_sdof_state state = {0};
    for (size_t i = 0; i < 5 && times[i] < t; i++) {
        double slope = i == 4 ? 0 : (values[i + 1] - values[i]) / (times[i + 1] - times[i]);
        struct sg_sdof_spec spec = {.mass = 1,
                                    .damping = 0.3 + 0.01 * k,
                                    .stiffness = k,
                                    .constant = values[i] / sqrt(2),
                                    .ramp = slope / sqrt(2),
                                    .u0 = state.u,
                                    .v0 = state.v};
        struct sg_sdof sdof;
        struct sg_error err;
        ck_assert_int_eq(sg_sdof_init(&spec, &sdof, &err), SG_OK);
        state = sg_sdof_at(&sdof, fmin(t, times[i + 1]) - times[i]);
    }
    return state;
}

START_TEST(piecewise_linear_loads_are_exact_for_every_mode)
{
    struct run run;
    bool at_break = false;
    RUN(&run, TWO);
    for (size_t i = 0; i < run.count; i++) {
        struct sg_sdof_state a = mode_at(30, run.rows[i].t), b = mode_at(110, run.rows[i].t);
        NEAR(run.rows[i].u[0], (a.u + b.u) / sqrt(2), 1e-14 * (1 + (double)i)); /* a rounding a step */
        NEAR(run.rows[i].u[1], (a.u - b.u) / sqrt(2), 1e-14 * (1 + (double)i));
        NEAR(run.rows[i].v[0], (a.v + b.v) / sqrt(2), 1e-13 * (1 + (double)i));
        at_break = at_break || run.rows[i].t == 0.81;
    }
    ck_assert(at_break);
    run_release(&run);
}
END_TEST

/* two bars of 20 elements; the first meets the second at 1.5 s and leaves it near 3.5 s */
#define CRADLE                                                                                               \
    "bodies = ( { type = \"bar\"; name = \"a\"; length = 1.0; elements = 20; area = 1.0; modulus = 1.0;"     \
    "    density = 1.0; mass = \"average\"; },"                                                              \
    "  { type = \"bar\"; name = \"b\"; position = 1.075; length = 1.0; elements = 20; area = 1.0;"           \
    "    modulus = 1.0; density = 1.0; mass = \"average\"; } );"                                             \
    "initial = ( { body = \"a\"; velocity = 0.05; } );"                                                      \
    "contacts = ( { type = \"pair\"; nodes = [\"a.right\", \"b.left\"]; gap = 0.075; stiffness_factor = "    \
    "100.0; } );"                                                                                            \
    "integrator = { type = \"exact\"; };"                                                                    \
    "strategy = { type = \"event-driven\"; gap_tolerance = 1.0e-12; time_tolerance = 1.0e-11; };"            \
    "time = { end = 4.0; points_per_period = 5.0; };"

START_TEST(energy_is_constant_through_contact)
{
    struct run run;
    RUN(&run, CRADLE);
    ck_assert_uint_ge(run_events_of(&run, SG_EVENT_CLOSE), 1);
    /* of 1.25e-3 J; an event at a gap of 1e-12 costs kappa g^2/2 = 2e-21 J, the rest is rounding of
     * energies of the springs, 400 N/m */
    BELOW(run_imbalance(&run), 1e-10 * 1.25e-3);
    NEAR(run.events[0].t, 1.5, 1e-10); /* free flight: the tolerance of location */
    run_release(&run);
}
END_TEST

START_TEST(events_of_the_mesh_do_not_depend_on_the_step)
{
    struct run coarse, fine;
    RUN(&coarse, CRADLE);
    RUN(&fine, CRADLE, "time.points_per_period=10");
    ck_assert_uint_eq(coarse.event_count, fine.event_count);
    ck_assert_uint_ge(coarse.event_count, 2);
    for (size_t i = 0; i < coarse.event_count; i++) {
        ck_assert_int_eq(coarse.events[i].kind, fine.events[i].kind);
        /* each event is located to 1e-11 s at most; where a gap opens slowly, its error is that of the
         * gap over the velocity */
        double slow = fmax(fabs(coarse.events[i].gap_velocity), 1e-4);
        NEAR(coarse.events[i].t, fine.events[i].t, 1e-10 + 4e-12 / slow);
    }
    run_release(&coarse);
    run_release(&fine);
}
END_TEST

/* Rigid rest: with stiffness-proportional damping the modes of the constrained phase stay uncoupled.
 * A mass on a spring and dashpot above one that rests on the wall: an oscillator on the ground. */
START_TEST(a_constrained_phase_is_exact_with_damping)
{
    struct run run;
    RUN(&run, "bodies = ( { type = \"particles\"; name = \"p\"; positions = [0.0, 1.0]; masses = [1.0, 2.0];"
              "  springs = ( { nodes = [0, 1]; stiffness = 80.0; } ); } );"
              "loads = ( { type = \"gravity\"; acceleration = -10.0; } );"
              "damping = { stiffness = 0.05; };"
              "contacts = ( { type = \"wall\"; node = \"p.0\"; position = 0.0; } );"
              "integrator = { type = \"exact\"; }; strategy = { type = \"event-driven\"; };"
              "time = { end = 2.0; step = 0.21; };");
    struct sg_sdof_spec spec = {.mass = 2, .damping = 4, .stiffness = 80, .constant = -20};
    struct sg_sdof sdof;
    ck_assert_int_eq(sg_sdof_init(&spec, &sdof, &run.err), SG_OK);
    /* weight 10 + 20 N less the inertia: never below 0, so it rests all the time */
    ck_assert_uint_eq(run.event_count, 1); /* the contact closes at the start, and stays */
    for (size_t i = 0; i < run.count; i++) {
        struct sg_sdof_state truth = sg_sdof_at(&sdof, run.rows[i].t);
        NEAR(run.rows[i].u[1], truth.u, 1e-13); /* ten steps of amplitudes below 1 */
        NEAR(run.rows[i].v[1], truth.v, 1e-12);
        NEAR(run.rows[i].u[0], 0, 1e-15);
        NEAR(run.rows[i].force[0], 30 + 2 * truth.a, 1e-11);
    }
    run_release(&run);
}
END_TEST

/* one coordinate and one resting contact: no mode is left */
START_TEST(a_body_that_can_not_move_rests)
{
    struct run run;
    RUN(&run, "bodies = ( { type = \"particles\"; name = \"p\"; positions = [0.0]; masses = [2.0]; } );"
              "loads = ( { type = \"gravity\"; acceleration = -10.0; } );"
              "contacts = ( { type = \"wall\"; node = \"p\"; position = 0.0; } );"
              "integrator = { type = \"exact\"; }; strategy = { type = \"event-driven\"; };"
              "time = { end = 1.0; step = 0.1; };");
    for (size_t i = 0; i < run.count; i++) {
        ck_assert(run.rows[i].u[0] == 0 && run.rows[i].v[0] == 0);
        NEAR(run.rows[i].force[0], 20, 1e-14); /* roundings of one product */
    }
    run_release(&run);
}
END_TEST

Suite *sg_suite_exact_integrator(void)
{
    Suite *suite = suite_create("exact_integrator");
    TCase *tcase = tcase_create("exact_integrator");
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, overdamped_responses);
    tcase_add_test(tcase, underdamped_responses);
    tcase_add_test(tcase, free_bodies_and_pure_dashpots);
    tcase_add_loop_test(tcase, linear_loads_are_exact, 0, (int)(sizeof loads / sizeof loads[0]));
    tcase_add_test(tcase, piecewise_linear_loads_are_exact_for_every_mode);
    tcase_add_test(tcase, energy_is_constant_through_contact);
    tcase_add_test(tcase, events_of_the_mesh_do_not_depend_on_the_step);
    tcase_add_test(tcase, a_constrained_phase_is_exact_with_damping);
    tcase_add_test(tcase, a_body_that_can_not_move_rests);
    suite_add_tcase(suite, tcase);
    return suite;
}
