/* Starts in contact of the nonsmooth generalized-alpha method at level `position`, whose forces of contacts
 * are in the acceleration: what touches and does not move has its force from the first step on. */
#include <stdio.h>

#include "run_fixture.h"

#define BODY                                                                                                 \
    "bodies = ( { type = \"particles\"; name = \"b\"; dim = 2; positions = [0.0, -1.0]; masses = [2.0]; } "  \
    ");"                                                                                                     \
    "loads = ( { type = \"gravity\"; acceleration = -10.0; direction = [0.0, 1.0]; } );"                     \
    "integrator = { type = \"generalized-alpha\"; rho_inf = 0.8; };"                                         \
    "strategy = { type = \"time-stepping\"; level = \"position\"; };"
#define FLOOR "contacts = ( { type = \"plane\"; node = \"b\"; normal = [0.0, 1.0]; point = [0.0, "

static char *step_of(char text[64], double h)
{
    snprintf(text, 64, "time.step=%.17g", h);
    return text;
}

/* Its weight, 20 N, in each step, whatever rho_inf: of 1 the recursion of `a` never forgets, and a start as
 * in a fall would give 40 N and 0 N in turn. */
START_TEST(rest_has_its_force_at_once)
{
    static const char *const radii[] = {"integrator.rho_inf=1.0", "integrator.rho_inf=0.8",
                                        "integrator.rho_inf=0.0"};
    struct run run;
    RUN(&run, BODY FLOOR "-1.0]; } ); time = { end = 1.0; step = 0.001; };", radii[_i]);
    for (size_t i = 1; i < run.count; i++) {
        NEAR(run.rows[i].force[0], 20.0, 1e-11);
        ck_assert(run.rows[i].u[1] == 0.0);
    }
    run_release(&run);
}
END_TEST

/* largest difference of the force from m v^2 / R + m g cos(angle), in a bowl of 1 m */
static double bowl_error(double h)
{
    struct run run;
    char text[64];
    double most = 0.0;
    RUN(&run,
        BODY
        "contacts = ( { type = \"circle\"; node = \"b\"; center = [0.0, 0.0]; radius = 1.0; inside = true;"
        " } ); initial = ( { node = \"b\"; velocity_vector = [2.0, 0.0]; } );"
        "time = { end = 0.5; step = 1e-3; };",
        step_of(text, h));
    for (size_t i = 1; i < run.count; i++) {
        const double *u = run.rows[i].u, *v = run.rows[i].v;
        double exact = 2.0 * (v[0] * v[0] + v[1] * v[1]) + 20.0 * (1.0 - u[1]);
        most = fmax(most, fabs(run.rows[i].force[0] - exact));
    }
    run_release(&run);
    return most;
}

/* the same of a floor A cos(w t) that is left at its top, from m (g - A w^2 cos(w t)) */
static double floor_error(double h)
{
    struct run run;
    char text[64];
    double most = 0.0, w = 20.0, amplitude = 0.01;
    RUN(&run,
        BODY FLOOR "-1.01]; motion = { type = \"harmonic\"; amplitude = 0.01; frequency = 3.1830988618379067;"
                   " phase = 1.5707963267948966; }; } ); time = { end = 0.3; step = 1e-3; };",
        step_of(text, h));
    for (size_t i = 1; i < run.count; i++)
        most = fmax(most,
                    fabs(run.rows[i].force[0] - 2.0 * (10.0 - amplitude * w * w * cos(w * run.rows[i].t))));
    run_release(&run);
    return most;
}

/* Forces of contacts that slide on a curve, or ride on a floor, are of order 2 in every row, the first too:
 * the error of all falls by 4. A start as in a fall leaves 28 and 12 N in the first rows, whatever the step.
 */
START_TEST(the_first_force_has_order_2)
{
    double (*const error[])(double) = {bowl_error, floor_error};
    double coarse = error[_i](2e-3), fine = error[_i](1e-3);
    BELOW(coarse, 4e-3);
    NEAR(coarse / fine, 4.0, 0.1);
}
END_TEST

/* In a corner of 37 degrees each wall has its share at once, m g cos and m g sin; a mass that is thrown up
 * off the floor has none. */
START_TEST(a_corner_shares_a_throw_has_none)
{
    struct run run;
    RUN(&run,
        BODY "contacts = ( { type = \"plane\"; node = \"b\"; normal = [0.6, 0.8]; point = [0.0, -1.0]; },"
             "{ type = \"plane\"; node = \"b\"; normal = [-0.8, 0.6]; point = [0.0, -1.0]; } );"
             "time = { end = 0.1; step = 0.001; };");
    for (size_t i = 1; i < run.count; i++) {
        NEAR(run.rows[i].force[0], 16.0, 1e-11);
        NEAR(run.rows[i].force[1], 12.0, 1e-11);
    }
    run_release(&run);
    RUN(&run, BODY FLOOR "-1.0]; } ); initial = ( { node = \"b\"; velocity_vector = [0.0, 1.0]; } );"
                         "time = { end = 0.1; step = 0.001; };");
    for (size_t i = 1; i < run.count; i++) ck_assert(run.rows[i].force[0] == 0.0);
    /* exact for a constant force */
    NEAR(run_last(&run)->u[1], 0.1 - 5.0 * 0.01, 1e-14);
    run_release(&run);
}
END_TEST

Suite *sg_suite_alpha_start(void);

Suite *sg_suite_alpha_start(void)
{
    Suite *suite = suite_create("alpha_start");
    TCase *tcase = tcase_create("alpha_start");
    tcase_add_loop_test(tcase, rest_has_its_force_at_once, 0, 3);
    tcase_add_loop_test(tcase, the_first_force_has_order_2, 0, 2);
    tcase_add_test(tcase, a_corner_shares_a_throw_has_none);
    suite_add_tcase(suite, tcase);
    return suite;
}
