/* The steps that event-driven integration takes by default: they follow the contacts that are closed, and the
 * loads. Truth: closed forms of one mass, and a model beside which another stands that does not matter. */
#include <check.h>
#include <math.h>
#include <stdio.h>

#include "run_fixture.h"

Suite *sg_suite_event_steps(void);

/* --- a mass between a spring and a stiff stop --------------------------------------------------------- */

#define OSCILLATOR                                                                                           \
    "bodies = ( { type = \"particles\"; name = \"p\"; positions = [0.0]; masses = [1.0];"                    \
    "             springs = ( { node = 0; stiffness = 1.0; } ); } );"                                        \
    "initial = ( { body = \"p\"; velocity = 1.0; } );"                                                       \
    "contacts = ( { type = \"wall\"; node = \"p\"; side = \"upper\"; gap = 0.5; stiffness = 1e4; } );"       \
    "integrator = { type = \"exact\"; }; strategy = { type = \"event-driven\"; };"                           \
    "time = { end = 6.0; };"

/* u(6): sin t up to the stop; on it an oscillation of omega_c^2 = 1 + 10^4 about u_e; the speed comes back
 * reversed, so that the flight is a cosine with its phase, twice */
static double exact_displacement(void)
{
    double gap = 0.5, stop = 1e4, omega = sqrt(1 + stop), rest = stop * gap / (1 + stop);
    double first = asin(gap), speed = cos(first);
    double closed = 2 * atan2(speed / omega, gap - rest) / omega, flight = 2 * (acos(-1.0) - acos(gap));
    double last = 6.0 - first - flight - 2 * closed;
    return cos(last + acos(gap));
}

static const char *const schemes[] = {"exact",       "botr",  "generalized-alpha", "newmark",
                                      "trapezoidal", "bathe", "noh-bathe"};

/* Without numerical damping to end what rings on the stop, a count of increments missed its opening, the more
 * surely the finer the steps were. Now the error falls with every halving of the step, whatever the scheme.
 */
START_TEST(finer_steps_are_better)
{
    static const double points[] = {5, 10, 20, 40, 80, 160, 400};
    double before = HUGE_VAL, right = exact_displacement();
    for (size_t k = 0; k < sizeof points / sizeof *points; k++) {
        struct run run;
        char type[64], density[64];
        snprintf(type, sizeof type, "integrator.type=%s", schemes[_i]);
        snprintf(density, sizeof density, "time.points_per_period=%g", points[k]);
        RUN(&run, OSCILLATOR, type, density);
        double error = fabs(run_last(&run)->u[0] - right);
        ck_assert_uint_eq(run.event_count, 4);
        /* events are located to 1e-8 s, which is the same for every step size: 4 of them at speed .87 */
        if (_i == 0)
            BELOW(error, 1e-7);
        else
            ck_assert_msg(error < before, "%s, %g points: %g after %g", schemes[_i], points[k], error,
                          before);
        before = error;
        run_release(&run);
    }
    /* the slowest of them is of order 2 with constant 15 */
    BELOW(before, 1e-3);
}
END_TEST

/* --- two bodies that have nothing to do with each other ---------------------------------------------- */

#define FALLING "{ type = \"particles\"; name = \"A\"; positions = [0.0]; masses = [1.0]; }"
#define STOP    "{ type = \"wall\"; node = \"A\"; side = \"lower\"; gap = 0.1; stiffness = 300.0; }"
#define FALL_REST                                                                                            \
    "loads = ( { type = \"gravity\"; acceleration = -10.0; } ); integrator = { type = \"exact\"; };"         \
    "strategy = { type = \"event-driven\"; }; time = { end = 5.0; };"
#define BESIDE                                                                                               \
    "bodies = (" FALLING ", { type = \"particles\"; name = \"B\"; positions = [5.0]; masses = [1.0];"        \
    "  springs = ( { node = 0; stiffness = 25.0; } ); } );"                                                  \
    "contacts = (" STOP ", { type = \"wall\"; node = \"B\"; side = \"upper\"; gap = 2.0;"                    \
    "  stiffness = 1e6; } );" FALL_REST

/* s: what the body does alone: it falls .1 m, and is back at its height a period later */
static double opening_time(size_t k)
{
    double g = 10.0, omega = sqrt(300.0), fall = sqrt(0.02), speed = g * fall, sink = g / 300.0;
    double closed = (2 * acos(-1.0) - 2 * atan2(speed / omega, sink)) / omega;
    return fall + closed + (double)k * (2 * fall + closed);
}

START_TEST(another_body_changes_nothing)
{
    struct run run;
    size_t seen = 0;
    RUN(&run, BESIDE);
    double longest = 0.0;
    for (size_t i = 0; i < run.event_count; i++) {
        ck_assert_uint_eq(run.events[i].contact, 0);
        /* each event is found within 1e-8 s, and starts the next phase there: 20 of them add up */
        if (run.events[i].kind == SG_EVENT_OPEN) NEAR(run.events[i].t, opening_time(seen++), 4e-7);
    }
    ck_assert_uint_eq(seen, 10);
    /* the stop of B, 10^6 N/m, would ask for steps of 2.5e-3 s */
    for (size_t i = 1; i < run.count; i++)
        if (run.rows[i - 1].force[0] > 0) longest = fmax(longest, run.rows[i].t - run.rows[i - 1].t);
    ck_assert(longest > 0.02);
    run_release(&run);
}
END_TEST

/* --- loads -------------------------------------------------------------------------------------------- */

#define DRIVEN                                                                                               \
    "bodies = ( { type = \"particles\"; name = \"p\"; positions = [0.0]; masses = [1.0];"                    \
    "             springs = ( { node = 0; stiffness = 1.0; } ); } );"                                        \
    "loads = ( { type = \"force\"; node = \"p.0\";"                                                          \
    "            signal = { type = \"harmonic\"; amplitude = 1.0; circular_frequency = 40.0; }; } );"        \
    "contacts = ( { type = \"wall\"; node = \"p\"; side = \"upper\"; gap = 50.0; stiffness = 10.0; } );"     \
    "integrator = { type = \"exact\"; }; strategy = { type = \"event-driven\"; };"                           \
    "time = { end = 3.0; };"

/* u'' + u = sin 40 t: forty times faster than the model, whose own period asks for steps of 2.5 s */
START_TEST(steps_see_their_loads)
{
    struct run run;
    char type[64];
    double twentieth = 2 * acos(-1.0) / 40.0 / 20.0;
    snprintf(type, sizeof type, "integrator.type=%s", schemes[_i]);
    RUN(&run, DRIVEN, type);
    for (size_t i = 1; i < run.count; i++) {
        double t = run.rows[i].t, exact = (40.0 * sin(t) - sin(40.0 * t)) / 1599.0;
        BELOW(run.rows[i].t - run.rows[i - 1].t, twentieth * (1 + 1e-12));
        /* a twentieth of the load's period is a phase of .314: its square over 12 is .8 %, and 1 % of the
         * largest displacement, 1/39, is allowed */
        NEAR(run.rows[i].u[0], exact, 0.01 / 39.0);
    }
    run_release(&run);
}
END_TEST

/* After a pulse the steps are free again. */
START_TEST(a_pulse_shortens_steps_while_it_lasts)
{
    struct run run;
    RUN(&run, DRIVEN,
        "loads=({type=\"force\";node=\"p.0\";signal={type=\"pulse\";duration=0.01;amplitude=1.0;};})",
        "time.end=20.0");
    size_t inside = 0;
    double longest = 0.0;
    for (size_t i = 1; i < run.count; i++) {
        inside += run.rows[i].t <= 0.01;
        longest = fmax(longest, run.rows[i].t - run.rows[i - 1].t);
    }
    ck_assert_uint_ge(inside, 10); /* half a period */
    NEAR(longest, 2 * acos(-1.0) / 2.5, 1e-12);
    run_release(&run);
}
END_TEST

/* Given steps are obeyed, but by the closed form: a step changes nothing of its motion, and is cut to what
 * its loads are polynomials over. They differ from the sine by 2e-13, and the motion by less. */
START_TEST(given_steps_are_taken)
{
    struct run run;
    RUN(&run, DRIVEN, "time.step=0.5", "integrator.type=trapezoidal");
    ck_assert_uint_eq(run.count, 7);
    run_release(&run);
    RUN(&run, DRIVEN, "time.step=0.5");
    for (size_t i = 1; i < run.count; i++) {
        double t = run.rows[i].t;
        NEAR(run.rows[i].u[0], (40.0 * sin(t) - sin(40.0 * t)) / 1599.0, 1e-13);
    }
    run_release(&run);
}
END_TEST

/* --- a spring that is compressed at the start ---------------------------------------------------------- */

#define LOADED                                                                                               \
    "bodies = ( { type = \"particles\"; name = \"p\"; positions = [0.0]; masses = [2.0]; } );"               \
    "initial = ( { body = \"p\"; displacement = -0.1962; } );"                                               \
    "loads = ( { type = \"gravity\"; acceleration = -9.81; } );"                                             \
    "contacts = ( { type = \"wall\"; node = \"p\"; gap = 0.0; stiffness = 100.0; } );"                       \
    "integrator = { type = \"exact\"; }; strategy = { type = \"event-driven\"; };"                           \
    "time = { end = 1.0; step = 0.01; };"

/* It holds the weight from the first row on, and nothing moves: m g = 19.62 N = k u. */
START_TEST(a_compressed_spring_holds_its_load)
{
    struct run run;
    char type[64];
    snprintf(type, sizeof type, "integrator.type=%s", schemes[_i]);
    RUN(&run, LOADED, type);
    for (size_t i = 0; i < run.count; i++) {
        NEAR(run.rows[i].u[0], -0.1962, 1e-14);
        NEAR(run.rows[i].force[0], 19.62, 1e-12);
        NEAR(run.rows[i].contact, 0.5 * 100.0 * 0.1962 * 0.1962, 1e-13);
        NEAR(run.rows[i].numerical, 0.0, 1e-13);
    }
    run_release(&run);
}
END_TEST

/* Compressed by more than its load it throws the mass off: (1/2) k x^2 - m g x becomes kinetic at the gap of
 * 0. */
START_TEST(a_compressed_spring_throws)
{
    struct run run;
    RUN(&run, LOADED, "initial=({body=\"p\";displacement=-0.5;})", "time.end=0.4");
    size_t opened = 0;
    for (size_t i = 0; i < run.event_count; i++) {
        if (run.events[i].kind != SG_EVENT_OPEN) continue;
        opened++;
        /* the event is located to 1e-8 of the start's length, where the speed changes by g t */
        NEAR(run.events[i].gap_velocity, sqrt((100.0 * 0.25 - 2 * 2.0 * 9.81 * 0.5) / 2.0), 1e-6);
    }
    ck_assert_uint_eq(opened, 1);
    run_release(&run);
}
END_TEST

Suite *sg_suite_event_steps(void)
{
    Suite *suite = suite_create("event_steps");
    TCase *tcase = tcase_create("all");
    int count = (int)(sizeof schemes / sizeof *schemes);
    tcase_add_loop_test(tcase, finer_steps_are_better, 0, count);
    tcase_add_test(tcase, another_body_changes_nothing);
    tcase_add_loop_test(tcase, steps_see_their_loads, 0, count);
    tcase_add_test(tcase, a_pulse_shortens_steps_while_it_lasts);
    tcase_add_test(tcase, given_steps_are_taken);
    tcase_add_loop_test(tcase, a_compressed_spring_holds_its_load, 0, count);
    tcase_add_test(tcase, a_compressed_spring_throws);
    suite_add_tcase(suite, tcase);
    return suite;
}
