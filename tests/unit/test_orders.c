/* Orders of convergence of the integrators, against closed forms of an oscillator and, with several
 * modes, against the exact integrator (itself tested against closed forms) or their own finer runs. */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "exact_sdof.h"
#include "run_fixture.h"

Suite *sg_suite_orders(void);

static const struct scheme {
    const char *type, *parameter;
    int order;
} schemes[] = {
    {"integrator.type=trapezoidal", NULL, 2},
    {"integrator.type=newmark", NULL, 2},
    {"integrator.type=chaudhary-bathe", NULL, 2},
    {"integrator.type=wilson-theta", NULL, 2},
    {"integrator.type=generalized-alpha", "integrator.rho_inf=1.0", 2},
    {"integrator.type=generalized-alpha", "integrator.rho_inf=0.8", 2},
    {"integrator.type=generalized-alpha", "integrator.rho_inf=0.0", 2},
    {"integrator.type=bathe", NULL, 2},
    {"integrator.type=noh-bathe", NULL, 2},
    {"integrator.type=botr", "integrator.rho_inf=1.0", 4},
    {"integrator.type=botr", "integrator.rho_inf=0.5", 3},
    {"integrator.type=botr", "integrator.rho_inf=0.0", 3},
};
enum { SCHEMES = sizeof schemes / sizeof schemes[0] };

#define REST                                                                                                 \
    "integrator = { type = \"trapezoidal\"; }; strategy = { type = \"event-driven\"; };"                     \
    "time = { end = 2.0; step = 0.02; };"

/* m = 2, k = 50: omega = 5 */
#define MASS                                                                                                 \
    "bodies = ( { type = \"particles\"; name = \"p\"; positions = [0.0]; masses = [2.0];"                    \
    "  springs = ( { node = 0; stiffness = 50.0; } ); } );"

#define MOVING "initial = ( { body = \"p\"; displacement = 0.3; velocity = -1.0; } );"
#define HARMONIC                                                                                             \
    "{ type = \"force\"; node = \"p.0\"; signal = { type = \"harmonic\"; amplitude = 7.0;"                   \
    "  circular_frequency = 3.0; mean = 2.0; }; }"

/* of dof `dof`: what closed form it follows from t = 0 on */
static const struct oscillator_case {
    const char *deck;
    struct sg_sdof_spec spec;
    size_t dof;
    bool closed; /* contact 0 all the time */
} cases[] = {
    {MASS MOVING REST, {.mass = 2, .stiffness = 50, .u0 = 0.3, .v0 = -1}, 0, false},
    {MASS MOVING "damping = { mass = 0.4; stiffness = 0.03; };" REST,
     {.mass = 2, .damping = 2.3, .stiffness = 50, .u0 = 0.3, .v0 = -1},
     0,
     false},
    {MASS MOVING "damping = { mass = 0.4; stiffness = 0.03; }; loads = (" HARMONIC ");" REST,
     {.mass = 2,
      .damping = 2.3,
      .stiffness = 50,
      .constant = 2,
      .sine = 7,
      .frequency = 3,
      .u0 = 0.3,
      .v0 = -1},
     0,
     false},
    /* an elastic wall that is touched from the start: pressed by gravity and held by damping, the gap
     * never comes back to 0; the spring of the contact adds to the mass's own */
    {MASS "damping = { mass = 1.0; }; loads = ( { type = \"gravity\"; acceleration = -30.0; } );"
          "contacts = ( { type = \"wall\"; node = \"p\"; position = 0.0; stiffness = 40.0; } );" REST,
     {.mass = 2, .damping = 2, .stiffness = 90, .constant = -60},
     0,
     true},
    /* a rigid wall under the lower of two masses, which stays at rest on it: 10 N and up to 20 N of
     * weight against 7 N of load */
    {"bodies = ( { type = \"particles\"; name = \"r\"; positions = [0.0, 1.0]; masses = [1.0, 2.0];"
     "  springs = ( { nodes = [0, 1]; stiffness = 50.0; } ); } );"
     "damping = { mass = 0.4; stiffness = 0.03; };"
     "loads = ( { type = \"gravity\"; acceleration = -10.0; }, { type = \"force\"; node = \"r.1\";"
     "  signal = { type = \"harmonic\"; amplitude = 7.0; circular_frequency = 3.0; }; } );"
     "contacts = ( { type = \"wall\"; node = \"r.0\"; position = 0.0; } );" REST,
     {.mass = 2, .damping = 2.3, .stiffness = 50, .constant = -20, .sine = 7, .frequency = 3},
     1,
     true},
};
enum { CASES = sizeof cases / sizeof cases[0] };

static double error_of(const struct oscillator_case *now, const struct scheme *scheme, const char *operator,
                       double step)
{
    char set[64];
    struct run run;
    struct sg_sdof sdof;
    double worst = 0;
    snprintf(set, sizeof set, "time.step=%.17g", step);
    RUN(&run, now->deck, scheme->type, operator, set, scheme->parameter);
    ck_assert_int_eq(sg_sdof_init(&now->spec, &sdof, &run.err), SG_OK);
    /* a contact that closes at the start tells that, and nothing else */
    ck_assert_uint_le(run.event_count, 1);
    for (size_t i = 0; i < run.count; i++) {
        struct sg_sdof_state truth = sg_sdof_at(&sdof, run.rows[i].t);
        double u = run.rows[i].u[now->dof] - truth.u, v = run.rows[i].v[now->dof] - truth.v;
        worst = fmax(worst, hypot(u, v / sqrt(now->spec.stiffness / now->spec.mass)));
        ck_assert(!now->closed || run.rows[i].force[0] > 0 || run.rows[i].t < step);
    }
    run_release(&run);
    return worst;
}

/* what is left of terms of higher order at these steps: omega h = 0.05, and below it for both halvings */
static void check_order(double coarse, double fine, int order)
{
    double measured = log2(coarse / fine);
    ck_assert_msg(fabs(measured - order) < 0.1, "order %.3f, not %d: errors %g, %g", measured, order, coarse,
                  fine);
}

START_TEST(order_against_closed_forms)
{
    const struct oscillator_case *now = &cases[_i / SCHEMES];
    const struct scheme *scheme = &schemes[_i % SCHEMES];
    const char *const operators[] = {"integrator.operator=nodal", "integrator.operator=modal"};
    for (size_t k = 0; k < 2; k++) {
        double coarse = error_of(now, scheme, operators[k], 0.01);
        double fine = error_of(now, scheme, operators[k], 0.005);
        check_order(coarse, fine, scheme->order);
    }
}
END_TEST

/* --- several modes -------------------------------------------------------------------------------- */

/* a bar held at one end, hung from its own weight, in nodal coordinates; omega to 110 */
#define BAR                                                                                                  \
    "bodies = ( { type = \"bar\"; name = \"bar\"; length = 1.0; elements = 4; area = 1.0; modulus = 100.0;"  \
    "  density = 1.0; mass = \"lumped\"; } );"                                                               \
    "supports = ( { node = \"bar.left\"; } );"                                                               \
    "loads = ( { type = \"gravity\"; acceleration = 10.0; } );"                                              \
    "damping = { mass = 0.5; stiffness = 1.0e-3; };"                                                         \
    "integrator = { type = \"trapezoidal\"; }; strategy = { type = \"event-driven\"; };"                     \
    "time = { end = 0.4; step = 0.001; };"

static void final_state(const char *deck, const struct scheme *scheme, const char *step, double *u)
{
    struct run run;
    RUN(&run, deck, scheme->type, step, scheme->parameter);
    memcpy(u, run_last(&run)->u, 5 * sizeof *u);
    run_release(&run);
}

START_TEST(order_with_several_modes)
{
    static const struct scheme exact = {"integrator.type=exact", NULL, 0};
    double truth[5], coarse[5], fine[5];
    final_state(BAR, &exact, "time.step=0.1", truth);
    final_state(BAR, &schemes[_i], "time.step=0.001", coarse);
    final_state(BAR, &schemes[_i], "time.step=0.0005", fine);
    check_order(run_distance(coarse, truth, 5), run_distance(fine, truth, 5), schemes[_i].order);
}
END_TEST

/* driven by a load on its free end and by its moving support: Richardson, from three runs */
static const char *const driven[] = {
    "loads=({type=\"force\";node=\"bar.right\";signal={type=\"harmonic\";amplitude=4.0;circular_frequency="
    "9.0;};})",
    "supports=({node=\"bar.left\";motion={type=\"harmonic\";amplitude=0.05;circular_frequency=8.0;};})"};

START_TEST(order_with_several_modes_and_loads)
{
    const struct scheme *scheme = &schemes[_i % SCHEMES];
    double u[3][5];
    const char *const steps[] = {"time.step=0.002", "time.step=0.001", "time.step=0.0005"};
    for (int k = 0; k < 3; k++) {
        struct run run;
        RUN(&run, BAR, driven[_i / SCHEMES], scheme->type, steps[k], scheme->parameter);
        memcpy(u[k], run_last(&run)->u, sizeof u[k]);
        run_release(&run);
    }
    check_order(run_distance(u[0], u[1], 5), run_distance(u[1], u[2], 5), scheme->order);
}
END_TEST

/* --- loads that jump ------------------------------------------------------------------------------ */

/* A rectangle of load whose ends fall between steps: steps end there, and the order stays. The pulse from
 * 0.3 to 0.7 s on omega = 5: three arcs put together. */
#define PULSE                                                                                                \
    "loads = ( { type = \"force\"; node = \"p\"; signal = { type = \"pulse\"; amplitude = 20.0;"             \
    "  start = 0.3; duration = 0.4; shape = \"rectangle\"; }; } );"

static struct sg_sdof_state after_pulse(double t)
{
    const double until[] = {0.3, 0.7, 1e9}, force[] = {0, 20, 0};
    struct sg_sdof_state state = {.u = 0.3, .v = -1};
    double start = 0;
    for (int k = 0; k < 3 && start < t; k++) {
        struct sg_sdof_spec spec = {
            .mass = 2, .damping = 2.3, .stiffness = 50, .constant = force[k], .u0 = state.u, .v0 = state.v};
        struct sg_sdof sdof;
        struct sg_error err;
        ck_assert_int_eq(sg_sdof_init(&spec, &sdof, &err), SG_OK);
        state = sg_sdof_at(&sdof, fmin(t, until[k]) - start);
        start = until[k];
    }
    return state;
}

static double pulse_error(const struct scheme *scheme, const char *step)
{
    struct run run;
    double worst = 0;
    RUN(&run, MASS MOVING PULSE "damping = { mass = 0.4; stiffness = 0.03; };" REST, scheme->type, step,
        scheme->parameter);
    for (size_t i = 0; i < run.count; i++) {
        struct sg_sdof_state truth = after_pulse(run.rows[i].t);
        worst = fmax(worst, hypot(run.rows[i].u[0] - truth.u, (run.rows[i].v[0] - truth.v) / 5));
    }
    run_release(&run);
    return worst;
}

/* The remainders before the breaks differ between the runs, so orders are rougher: an order lost to a
 * wrong side of a jump would be a whole one. */
START_TEST(order_across_jumps_of_the_load)
{
    double coarse = pulse_error(&schemes[_i], "time.step=0.013");
    double fine = pulse_error(&schemes[_i], "time.step=0.0065");
    double measured = log2(coarse / fine);
    ck_assert_msg(fabs(measured - schemes[_i].order) < 0.25, "order %.3f: errors %g, %g", measured, coarse,
                  fine);
}
END_TEST

Suite *sg_suite_orders(void)
{
    Suite *suite = suite_create("orders");
    TCase *tcase = tcase_create("orders");
    tcase_set_timeout(tcase, 60);
    tcase_add_loop_test(tcase, order_against_closed_forms, 0, CASES * SCHEMES);
    tcase_add_loop_test(tcase, order_with_several_modes, 0, SCHEMES);
    tcase_add_loop_test(tcase, order_with_several_modes_and_loads, 0, 2 * SCHEMES);
    tcase_add_loop_test(tcase, order_across_jumps_of_the_load, 0, SCHEMES);
    suite_add_tcase(suite, tcase);
    return suite;
}
