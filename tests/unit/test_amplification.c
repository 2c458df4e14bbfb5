/* The analysis of integrators: amplification matrices, what their eigenvalues tell, runs, and walls, against
 * closed forms, published tables and the strategies themselves. */
#include <check.h>
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analyses/amplification.h"
#include "run_fixture.h"

Suite *sg_suite_amplification(void);

static const double pi = 3.14159265358979323846;

/* --- a mass out of an integrator's words ---------------------------------------------------------- */

struct subject {
    struct run run; /* of a deck that is read only */
    struct sg_arena arena;
    struct sg_single_mass mass;
    double ratio;
};

static void subject_init(struct subject *subject, const char *integrator, double ratio)
{
    char text[256];
    struct sg_error err = {0};
    subject->arena = (struct sg_arena){0};
    snprintf(text, sizeof text, "analysis = { type = \"integrator\"; }; integrator = { %s };", integrator);
    run_read(&subject->run, (const char *const[]){text, NULL});
    struct sg_single_mass_spec spec = {sg_setting_child(sg_deck_root(subject->run.deck), "integrator"),
                                       ratio};
    subject->ratio = ratio;
    ck_assert_msg(sg_single_mass_init(&subject->arena, &subject->mass, &spec, &err) == SG_OK, "%s", err.text);
}

static void subject_release(struct subject *subject)
{
    sg_arena_release(&subject->arena);
    run_release(&subject->run);
}

static struct sg_amplification amplify(struct subject *subject, double h)
{
    struct sg_amplification a;
    struct sg_error err = {0};
    ck_assert_msg(sg_amplification_find(&subject->mass, h, &a, &err) == SG_OK, "%s", err.text);
    return a;
}

static struct sg_vibration measured(struct subject *subject, double h)
{
    struct sg_vibration vibration;
    struct sg_error err = {0};
    ck_assert_int_eq(sg_vibration_measure(&subject->mass, h, &vibration, &err), SG_OK);
    return vibration;
}

/* --- eigenvalues of small matrices ---------------------------------------------------------------- */

/* a companion matrix with roots 1/2, 0.3 +- 0.4 i: eigenvalues, and both kinds of vectors by their definition
 */
START_TEST(small_eigenvalues)
{
    const double a[9] = {1.1, 1,     0, -0.55, 0,
                         1,   0.125, 0, 0}; /* column-major; x^3 - 1.1 x^2 + 0.55 x - 0.125 */
    struct sg_eigen_small eigen;
    struct sg_error err = {0};
    ck_assert_int_eq(sg_eigen_small(3, a, &eigen, &err), SG_OK);
    double complex sum = 0;
    for (size_t j = 0; j < 3; j++) {
        double complex value = eigen.value[j];
        sum += value;
        /* rounding of roots of order one */
        BELOW(cabs(((value - 1.1) * value + 0.55) * value - 0.125), 1e-14);
        for (size_t i = 0; i < 3; i++) {
            double complex right = 0, left = 0;
            for (size_t k = 0; k < 3; k++) {
                right += a[k * 3 + i] * eigen.right[j * 3 + k];
                left += conj(eigen.left[j * 3 + k]) * a[i * 3 + k];
            }
            BELOW(cabs(right - value * eigen.right[j * 3 + i]), 1e-14);
            BELOW(cabs(left - value * conj(eigen.left[j * 3 + i])), 1e-14);
        }
    }
    BELOW(cabs(sum - 1.1), 1e-14);
}
END_TEST

START_TEST(small_eigenvalues_refuse)
{
    const double a[25] = {NAN};
    struct sg_eigen_small eigen;
    struct sg_error err = {0};
    ck_assert_int_eq(sg_eigen_small(2, a, &eigen, &err), SG_NO_SOLUTION);
    ck_assert_int_eq(sg_eigen_small(5, a, &eigen, &err), SG_INTERNAL);
    ck_assert_int_eq(sg_eigen_small(0, a, &eigen, &err), SG_INTERNAL);
}
END_TEST

/* --- the matrix ----------------------------------------------------------------------------------- */

/* The companion form of Houbolt's recurrence, (2 + w) x^3 - 5 x^2 + 4 x - 1 = 0 with w = (omega h)^2 (Houbolt
 * 1950): all eigenvalues of the step satisfy it. */
START_TEST(houbolt_is_the_four_step_recurrence)
{
    static const double steps[] = {1e-3, 0.05, 0.2, 1, 30};
    struct subject subject;
    subject_init(&subject, "type = \"houbolt\";", 0);
    double h = steps[_i], w = 4 * pi * pi * h * h;
    struct sg_amplification a = amplify(&subject, h);
    ck_assert_uint_eq(a.size, 3);
    for (size_t j = 0; j < 3; j++) {
        double complex x = a.eigen.value[j];
        /* the third derivative holds displacements to rounding times w, 4e-12 at most */
        BELOW(cabs((((2 + w) * x - 5) * x + 4) * x - 1) / (12 + w), 1e-12);
    }
    subject_release(&subject);
}
END_TEST

/* at infinity (omega h)^2 x^3 = 1, for want of anything else; the other terms are 5 / w^(1/3) = 7 % */
START_TEST(houbolt_at_infinity)
{
    struct subject subject;
    subject_init(&subject, "type = \"houbolt\";", 0);
    NEAR(amplify(&subject, 100).radius * cbrt(4e4 * pi * pi), 1, 0.07);
    subject_release(&subject);
}
END_TEST

/* with damping: velocity (11, -18, 9, -2)/6h */
START_TEST(houbolt_with_damping)
{
    struct subject subject;
    const double ratio = 0.1, h = 0.1, w = 2 * pi * h;
    subject_init(&subject, "type = \"houbolt\";", ratio);
    struct sg_amplification a = amplify(&subject, h);
    double c = 2 * ratio * w / 6;
    for (size_t j = 0; j < 3; j++) {
        double complex x = a.eigen.value[j];
        BELOW(cabs(((2 + 11 * c + w * w) * x - 5 - 18 * c) * x * x + (4 + 9 * c) * x - 1 - 2 * c), 1e-13);
    }
    subject_release(&subject);
}
END_TEST

/* A run is Houbolt's recurrence to rounding once the cubic is its own. */
START_TEST(houbolt_runs_the_recurrence)
{
    struct subject subject;
    struct sg_error err = {0};
    double u[40], x[SG_MASS_STATE] = {1, 0.5, 0}, to[SG_MASS_STATE], h = 0.07, w = 4 * pi * pi * h * h;
    subject_init(&subject, "type = \"houbolt\";", 0);
    ck_assert_int_eq(sg_single_mass_start(&subject.mass, h, x, &err), SG_OK);
    for (int k = 0; k < 40; k++) {
        u[k] = x[0];
        ck_assert_int_eq(sg_single_mass_step(&subject.mass, h, x, to, &err), SG_OK);
        memcpy(x, to, sizeof x);
    }
    for (int k = 3; k < 40; k++) NEAR((2 + w) * u[k], 5 * u[k - 1] - 4 * u[k - 2] + u[k - 3], 1e-14);
    subject_release(&subject);
}
END_TEST

/* At infinity the equilibrium forces u = 0 at theta h, whence the acceleration there, with h = 1:
 * a_s = -6/theta^2 u0 - 6/theta v0 - 2 a0; the rest is the definition of the scheme. */
START_TEST(wilson_at_infinity)
{
    struct subject subject;
    subject_init(&subject, "type = \"wilson-theta\";", 0);
    struct sg_amplification a = amplify(&subject, 1e5);
    const double t = 1.4, row[3] = {-6 / (t * t), -6 / t, -2};
    double m[9];
    for (int j = 0; j < 3; j++) {
        double a0 = j == 2, v0 = j == 1, u0 = j == 0, a1 = a0 + (row[j] - a0) / t;
        m[j * 3] = u0 + v0 + a0 / 3 + a1 / 6;
        m[j * 3 + 1] = v0 + 0.5 * (a0 + a1);
        m[j * 3 + 2] = a1;
    }
    /* terms of (omega h)^-2 are left out: 2.5e-12 */
    for (int k = 0; k < 9; k++) NEAR(a.matrix[k], m[k], 1e-10);
    subject_release(&subject);
}
END_TEST

/* the published spectral radii at infinity; eigenvalues that meet there are known to the cube root of
 * rounding */
static const struct limit {
    const char *integrator;
    double radius, tolerance;
} limits[] = {
    {"type = \"generalized-alpha\"; rho_inf = 1.0;", 1, 1e-4},
    {"type = \"generalized-alpha\"; rho_inf = 0.8;", 0.8, 1e-4},
    {"type = \"generalized-alpha\"; rho_inf = 0.3;", 0.3, 1e-4},
    {"type = \"generalized-alpha\"; rho_inf = 0.0;", 0, 1e-4},
    {"type = \"botr\"; rho_inf = 0.25;", 0.25, 1e-5},
    {"type = \"trapezoidal\";", 1, 1e-5},
    {"type = \"newmark\";", 1, 1e-4},
    {"type = \"chaudhary-bathe\";", 1, 1e-4},
    {"type = \"theta\"; theta = 1.0;", 0, 1e-4},
    {"type = \"theta\"; theta = 0.8;", 0.25, 1e-5}, /* (1 - theta) / theta */
};

START_TEST(radius_at_infinity)
{
    struct subject subject;
    subject_init(&subject, limits[_i].integrator, 0);
    struct sg_amplification a = amplify(&subject, 1e6);
    NEAR(a.radius, limits[_i].radius, limits[_i].tolerance);
    ck_assert_uint_eq(a.principal, a.size); /* nothing that could be called a vibration */
    subject_release(&subject);
}
END_TEST

/* --- period and amplitude ------------------------------------------------------------------------- */

/* percent, at dt/T = 0.01, 0.05, 0.1, 0.2; decays of schemes without are 0 to rounding */
static const struct published {
    const char *integrator;
    double elongation[4], decay[4];
} table[] = {
    {"type = \"trapezoidal\";", {.03289, .81712, 3.20749, 12.0033}, {0}},
    {"type = \"bathe\";", {.01645, .40950, 1.61794, 6.18705}, {.00054, .06675, .51306, 3.52024}},
    {"type = \"wilson-theta\";", {.07157, 1.71063, 6.14622, 19.3653}, {.01303, 1.44494, 8.40960, 29.63878}},
    {"type = \"houbolt\";", {.17963, 3.90844, 12.3206, 34.3668}, {.07683, 7.0445, 29.21332, 65.39968}},
    {"type = \"generalized-alpha\"; rho_inf = 0.8;",
     {.03472, .86233, 3.38284, 12.6351},
     {.00011, .01309, .09877, .64447}},
    {"type = \"chaudhary-bathe\";", {.08221, 2.03353, 7.88549, 28.50817}, {0}},
};
enum { TABLE = sizeof table / sizeof *table };
static const double table_steps[4] = {0.01, 0.05, 0.1, 0.2};

/* half a digit of the published values, at most 5e-5 */
START_TEST(elongation_and_decay_as_published)
{
    const struct published *row = &table[_i];
    struct subject subject;
    subject_init(&subject, row->integrator, 0);
    for (int k = 0; k < 4; k++) {
        struct sg_amplification a = amplify(&subject, table_steps[k]);
        struct sg_vibration exact = sg_amplification_vibration(&a, 0),
                            run = measured(&subject, table_steps[k]);
        NEAR(exact.elongation, row->elongation[k], 1e-4);
        NEAR(exact.decay, row->decay[k], 1e-4);
        NEAR(run.elongation, row->elongation[k], 1e-4);
        NEAR(run.decay, row->decay[k], 1e-4);
        /* both are the same scheme: rounding of the fit */
        NEAR(run.elongation, exact.elongation, 1e-7);
        NEAR(run.decay, exact.decay, 1e-7);
    }
    subject_release(&subject);
}
END_TEST

/* tan(omega* h / 2) = omega h / 2 of the trapezoidal rule, sin of central differences; nothing of the exact
 * flow */
START_TEST(elongation_in_closed_form)
{
    static const double steps[] = {1e-4, 0.013, 0.11, 0.3};
    struct subject rule, central, exact;
    double h = steps[_i], half = pi * h;
    subject_init(&rule, "type = \"trapezoidal\";", 0);
    subject_init(&central, "type = \"central-difference\";", 0);
    subject_init(&exact, "type = \"exact\";", 0);
    struct sg_amplification a = amplify(&rule, h), c = amplify(&central, h), e = amplify(&exact, h);
    /* eigenvalues are known to rounding over the angle, 6e-4 at least; percent */
    NEAR(sg_amplification_vibration(&a, 0).elongation, 100 * (half / atan(half) - 1), 1e-9);
    NEAR(sg_amplification_vibration(&c, 0).elongation, 100 * (half / asin(half) - 1), 1e-7);
    NEAR(sg_amplification_vibration(&e, 0).elongation, 0, 1e-9);
    NEAR(sg_amplification_vibration(&a, 0).decay, 0, 1e-9);
    subject_release(&rule);
    subject_release(&central);
    subject_release(&exact);
}
END_TEST

/* Zero crossings counted over a long run know nothing of eigenvalues or fits: the mean period of N vibrations
 * is known to a step over N. */
START_TEST(elongation_by_counting)
{
    struct subject subject;
    struct sg_error err = {0};
    const double h = 0.1;
    double x[SG_MASS_STATE] = {1, 0, 0}, to[SG_MASS_STATE], first = 0, last = 0;
    long long count = 0;
    subject_init(&subject, "type = \"chaudhary-bathe\";", 0);
    ck_assert_int_eq(sg_single_mass_start(&subject.mass, h, x, &err), SG_OK);
    for (int k = 0; k < 400000; k++) {
        ck_assert_int_eq(sg_single_mass_step(&subject.mass, h, x, to, &err), SG_OK);
        if (x[0] < 0 && to[0] >= 0) {
            last = h * (k + x[0] / (x[0] - to[0]));
            if (count++ == 0) first = last;
        }
        memcpy(x, to, sizeof x);
    }
    double period = (last - first) / (double)(count - 1);
    /* interpolation errs by less than h^2: 0.01 s over 37000 periods */
    NEAR(100 * (period - 1), 7.88549, 1e-4);
    subject_release(&subject);
}
END_TEST

/* with damping the exact flow still has neither, and the others what they add */
START_TEST(damping_is_taken_out)
{
    struct subject exact, rule;
    const double ratio = 0.2, h = 0.05;
    subject_init(&exact, "type = \"exact\";", ratio);
    struct sg_amplification e = amplify(&exact, h);
    struct sg_vibration flow = sg_amplification_vibration(&e, ratio), run = measured(&exact, h);
    NEAR(flow.elongation, 0, 1e-10);
    NEAR(flow.decay, 0, 1e-10);
    NEAR(run.elongation, 0, 1e-8);
    NEAR(run.decay, 0, 1e-8);
    subject_release(&exact);
    /* the trapezoidal rule is the flow with z for omega h: lambda = (1 + z/2)/(1 - z/2) */
    subject_init(&rule, "type = \"trapezoidal\";", ratio);
    struct sg_amplification a = amplify(&rule, h);
    double root = sqrt(1 - ratio * ratio);
    double complex z = 2 * pi * h * (-ratio + root * I), lambda = (1 + z / 2) / (1 - z / 2);
    double angle = carg(lambda), decay = -log(cabs(lambda)) * 2 * pi / angle - 2 * pi * ratio / root;
    struct sg_vibration vibration = sg_amplification_vibration(&a, ratio);
    NEAR(vibration.elongation, 100 * (2 * pi * h * root / angle - 1), 1e-10);
    NEAR(vibration.decay, 100 * (1 - exp(-decay)), 1e-10);
    subject_release(&rule);
}
END_TEST

/* --- walls ---------------------------------------------------------------------------------------- */

static struct sg_arrival arrive(struct subject *subject, double h, double periods)
{
    struct sg_arrival arrival;
    struct sg_error err = {0};
    struct sg_amplification a = amplify(subject, h);
    struct sg_vibration vibration = sg_amplification_vibration(&a, subject->ratio);
    ck_assert_int_eq(sg_arrival_find(&subject->mass, &a, vibration, periods, &arrival, &err), SG_OK);
    return arrival;
}

/* The rule conserves u^2 omega^2 + v^2: where u is 0, v is exact. Eq. (3.14) is 1/b, a statement about u'. */
START_TEST(arrival_of_conserving_rule)
{
    struct subject subject;
    subject_init(&subject, "type = \"trapezoidal\";", 0);
    for (int n = 0; n < 8; n++) {
        struct sg_arrival arrival = arrive(&subject, 0.1, n);
        NEAR(arrival.held, 1, 1e-13);
        NEAR(arrival.formula, atan(0.1 * pi) / (0.1 * pi), 1e-13);
    }
    subject_release(&subject);
}
END_TEST

/* A run whose steps meet u = 0 nearly: the velocity there is that of the ratio. The decay a period is (n +
 * 1/2). */
START_TEST(arrival_is_what_a_run_holds)
{
    struct subject subject;
    struct sg_error err = {0};
    const double h = 0.013;
    double x[SG_MASS_STATE] = {0, 1, 0}, to[SG_MASS_STATE];
    subject_init(&subject, "type = \"generalized-alpha\"; rho_inf = 0.3;", 0);
    struct sg_arrival arrival = arrive(&subject, h, 3);
    ck_assert_int_eq(sg_single_mass_start(&subject.mass, h, x, &err), SG_OK);
    int falls = 0;
    double speed = 0;
    for (int k = 0; k < 400 && falls < 4; k++) {
        ck_assert_int_eq(sg_single_mass_step(&subject.mass, h, x, to, &err), SG_OK);
        bool falling = x[0] > 0 && to[0] <= 0;
        falls += falling;
        double s =
            x[0] / (x[0] - to[0]); /* v has its extreme there: linear interpolation errs by h^2 omega^2/8 */
        if (falling) speed = -(x[1] + s * (to[1] - x[1]));
        memcpy(x, to, sizeof x);
    }
    ck_assert_int_eq(falls, 4);
    NEAR(speed, arrival.held, 0.13 * 4 * pi * pi * h * h);
    ck_assert(arrival.held < 0.9999 && arrival.held > 0.99);
    subject_release(&subject);
}
END_TEST

static double rebound(struct subject *subject, double h, double phase)
{
    double ratio = 0;
    struct sg_error err = {0};
    ck_assert_int_eq(sg_single_mass_rebound(&subject->mass, (struct sg_throw){h, phase}, &ratio, &err),
                     SG_OK);
    return ratio;
}

/* 3 - 4 phi, beyond 2/3 8 phi - 5; exactly 1 by Chaudhary and Bathe; Carpenter's scheme keeps what the first
 * step left, 1 - phi, where the constraint acts one step ahead */
static double bathe_law(double phi)
{
    if (phi <= 5.0 / 19) return (5 - 16 * phi) / 3;
    if (phi <= 0.5) return (22 * phi - 5) / 3;
    return phi <= 25.0 / 33 ? 5 - 6 * phi : 5 * phi - 10.0 / 3;
}

START_TEST(rebounds_by_law)
{
    struct subject rule, newmark, bathe, chaudhary, central;
    subject_init(&rule, "type = \"trapezoidal\";", 0);
    subject_init(&newmark, "type = \"newmark\";", 0);
    subject_init(&bathe, "type = \"bathe\";", 0);
    subject_init(&chaudhary, "type = \"chaudhary-bathe\";", 0);
    subject_init(&central, "type = \"central-difference\";", 0);
    for (int k = 1; k < 40; k++) {
        double phi = k / 40.0, law = phi <= 2.0 / 3 ? 3 - 4 * phi : 8 * phi - 5;
        /* the spring does (omega h)^2 = 4e-11 times a small number */
        NEAR(rebound(&rule, 1e-6, phi), law, 1e-9);
        NEAR(rebound(&newmark, 1e-6, phi), law, 1e-9);
        NEAR(rebound(&bathe, 1e-6, phi), bathe_law(phi), 1e-9);
        NEAR(rebound(&chaudhary, 1e-6, phi), 1, 1e-9);
        NEAR(rebound(&central, 1e-6, phi), 1 - phi, 1e-9);
    }
    subject_release(&rule);
    subject_release(&newmark);
    subject_release(&bathe);
    subject_release(&chaudhary);
    subject_release(&central);
}
END_TEST

START_TEST(no_rebound_without_contact)
{
    struct subject subject;
    subject_init(&subject, "type = \"wilson-theta\";", 0);
    ck_assert(isnan(rebound(&subject, 0.01, 0.5)));
    subject_release(&subject);
    subject_init(&subject, "type = \"trapezoidal\";", 0);
    ck_assert(isnan(rebound(&subject, 0.6, 0.5)));
    subject_release(&subject);
    subject_init(&subject, "type = \"central-difference\";", 0);
    ck_assert(isnan(rebound(&subject, 0.4, 0.5)));
    subject_release(&subject);
}
END_TEST

/* The strategy itself: a free mass thrown at a wall. */
#define THROWN                                                                                               \
    "bodies = ( { type = \"particles\"; name = \"ball\"; positions = [1.0]; masses = [3.0]; } );"            \
    "initial = ( { body = \"ball\"; velocity = -2.0; } );"                                                   \
    "contacts = ( { type = \"wall\"; node = \"ball\"; position = 0.0; } );"                                  \
    "integrator = { type = \"chaudhary-bathe\"; };"                                                          \
    "strategy = { type = \"time-stepping\"; level = \"position\"; }; time = { end = 1.5; step = 0.01; };"

/* the position shifts the phase in steps of a tenth of the way of a step, 0.02 m */
START_TEST(strategy_rebounds_by_law)
{
    static const char *const types[] = {"integrator.type=chaudhary-bathe", "integrator.type=trapezoidal",
                                        "integrator.type=newmark", "integrator.type=bathe"};
    struct run run;
    char position[64];
    int tenth = _i % 10;
    double phi = 0.05 + 0.1 * tenth, law = phi <= 2.0 / 3 ? 3 - 4 * phi : 8 * phi - 5;
    if (_i < 10) law = 1;
    if (_i >= 30) law = bathe_law(phi);
    snprintf(position, sizeof position, "bodies.[0].positions=[%.17g]", 1.0 + 0.02 * phi);
    RUN(&run, THROWN, types[_i / 10], position);
    NEAR(run_last(&run)->v[0], 2 * law, 1e-9);
    BELOW(run_deepest(&run), 1e-12);
    run_release(&run);
}
END_TEST

/* and a spring in its way: the analysis crosses walls as the strategy does */
START_TEST(analysis_and_strategy_agree)
{
    static const char *const types[] = {"trapezoidal", "newmark", "chaudhary-bathe", "bathe"};
    struct subject subject;
    struct run run;
    char words[64], type[64], start[96];
    const double h = 0.08, phi = 0.3;
    snprintf(words, sizeof words, "type = \"%s\";", types[_i]);
    snprintf(type, sizeof type, "integrator.type=%s", types[_i]);
    snprintf(start, sizeof start, "initial=({body=\"p\";displacement=%.17g;velocity=-1.0;})", phi * h);
    subject_init(&subject, words, 0);
    double ratio = rebound(&subject, h, phi);
    RUN(&run,
        "bodies = ( { type = \"particles\"; name = \"p\"; positions = [0.0]; masses = [1.0];"
        "  springs = ( { node = 0; stiffness = 39.478417604357434; } ); } );"
        "contacts = ( { type = \"wall\"; node = \"p\"; position = 0.0; } );"
        "integrator = { type = \"trapezoidal\"; };"
        "strategy = { type = \"time-stepping\"; level = \"position\"; }; time = { end = 0.8; step = 0.08; };",
        type, start);
    size_t k = 1;
    while (k < run.count && !(run.rows[k].force[0] == 0 && run.rows[k].v[0] > 0)) k++;
    ck_assert_uint_lt(k, run.count);
    double before = run.rows[0].kinetic + run.rows[0].strain,
           after = run.rows[k].kinetic + run.rows[k].strain;
    NEAR(sqrt(after / before), ratio, 1e-12);
    run_release(&run);
    subject_release(&subject);
}
END_TEST

Suite *sg_suite_amplification(void)
{
    Suite *suite = suite_create("amplification");
    TCase *tcase = tcase_create("amplification");
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, small_eigenvalues);
    tcase_add_test(tcase, small_eigenvalues_refuse);
    tcase_add_loop_test(tcase, houbolt_is_the_four_step_recurrence, 0, 5);
    tcase_add_test(tcase, houbolt_at_infinity);
    tcase_add_test(tcase, houbolt_with_damping);
    tcase_add_test(tcase, houbolt_runs_the_recurrence);
    tcase_add_test(tcase, wilson_at_infinity);
    tcase_add_loop_test(tcase, radius_at_infinity, 0, sizeof limits / sizeof *limits);
    tcase_add_loop_test(tcase, elongation_and_decay_as_published, 0, TABLE);
    tcase_add_loop_test(tcase, elongation_in_closed_form, 0, 4);
    tcase_add_test(tcase, elongation_by_counting);
    tcase_add_test(tcase, damping_is_taken_out);
    tcase_add_test(tcase, arrival_of_conserving_rule);
    tcase_add_test(tcase, arrival_is_what_a_run_holds);
    tcase_add_test(tcase, rebounds_by_law);
    tcase_add_test(tcase, no_rebound_without_contact);
    tcase_add_loop_test(tcase, strategy_rebounds_by_law, 0, 40);
    tcase_add_loop_test(tcase, analysis_and_strategy_agree, 0, 4);
    suite_add_tcase(suite, tcase);
    return suite;
}
