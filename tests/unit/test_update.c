/* The velocity and acceleration update in both forms: rebound laws of a rigid mass, energies, and the spring
 * pair by a second program of a page, which also has the published formula as it is printed. */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "run_fixture.h"

Suite *sg_suite_update(void);

#define POSITION "strategy = { type = \"time-stepping\"; level = \"position\"; };"
#define UPDATE   "strategy.update=true"

/* rigid masses rebound alike in both */
static const char *const forms[] = {"strategy.update_form=conserving", "strategy.update_form=published"};
enum { FORMS = sizeof forms / sizeof *forms };

static const char *const schemes[][3] = {
    {"integrator.type=trapezoidal", NULL, NULL},
    {"integrator.type=bathe", NULL, NULL},
    {"integrator.type=newmark", "integrator.beta=0.5", NULL},
    {"integrator.type=newmark", "integrator.gamma=0.7", "integrator.beta=0.4"}};
enum { SCHEMES = sizeof schemes / sizeof *schemes };

/* --- a rigid mass at a wall ----------------------------------------------------------------------- */

/* 1 m/s towards the wall, steps of .1 s: the fourth step is that of the impact, its gap phi v h */
#define THROWN                                                                                               \
    "bodies = ( { type = \"particles\"; name = \"p\"; positions = [0.0]; masses = [2.0]; } );"               \
    "initial = ( { body = \"p\"; velocity = -1.0; } );"                                                      \
    "contacts = ( { type = \"wall\"; node = \"p\"; side = \"lower\"; gap = 0.1; restitution = 1.0; } );"     \
    "integrator = { type = \"trapezoidal\"; };" POSITION "time = { end = 1.5; step = 0.1; };"

static const double phis[] = {0.02, 0.2, 0.26, 0.4, 0.5, 0.6, 0.66, 0.68, 0.8, 0.97};
enum { PHIS = sizeof phis / sizeof *phis };

static void throw_mass(struct run *run, double phi, const char *const *set)
{
    char gap[64];
    snprintf(gap, sizeof gap, "contacts.[0].gap=%.17g", 0.1 * (3.0 + phi));
    RUN(run, THROWN, gap, set[0], set[1], set[2], set[3], set[4]);
}

/* 3 - 4 phi where the mass leaves at once, else it is held once more and leaves with 8 phi - 5 */
START_TEST(rebound_of_the_trapezoidal_rule)
{
    const char *const none[5] = {NULL};
    struct run run;
    double phi = phis[_i];
    throw_mass(&run, phi, none);
    NEAR(run_last(&run)->v[0], phi <= 2.0 / 3.0 ? 3.0 - 4.0 * phi : 8.0 * phi - 5.0, 1e-9);
    run_release(&run);
}
END_TEST

/* beta = gamma = 1/2 rebounds exactly without the update */
START_TEST(rebound_of_chaudhary_and_bathe)
{
    const char *const set[5] = {"integrator.type=newmark", "integrator.beta=0.5"};
    struct run run;
    throw_mass(&run, phis[_i], set);
    NEAR(run_last(&run)->v[0], 1.0, 1e-9);
    run_release(&run);
}
END_TEST

START_TEST(rebound_with_update)
{
    const char *const *scheme = schemes[_i / FORMS / PHIS];
    const char *const set[5] = {UPDATE, forms[_i % FORMS], scheme[0], scheme[1], scheme[2]};
    struct run run;
    throw_mass(&run, phis[_i / FORMS % PHIS], set);
    NEAR(run_last(&run)->v[0], 1.0, 1e-9);
    ck_assert_uint_eq(run_events_of(&run, SG_EVENT_IMPACT), 1);
    NEAR(run_last(&run)->impulse[0], 4.0, 1e-12); /* N s: 2 m v */
    BELOW(run_imbalance(&run), 1e-12);
    run_release(&run);
}
END_TEST

/* (4.69) with restitution: what the impact takes is (1 - e^2) of 1 J, and dissipated */
START_TEST(restitution_of_the_update)
{
    const char *const *scheme = schemes[_i / FORMS];
    struct run run;
    RUN(&run, THROWN, "contacts.[0].restitution=0.6", UPDATE, forms[_i % FORMS], scheme[0], scheme[1],
        scheme[2]);
    NEAR(run_last(&run)->v[0], 0.6, 1e-12);
    NEAR(run_last(&run)->dissipated, 0.64, 1e-12);
    BELOW(run_imbalance(&run), 1e-12);
    run_release(&run);
}
END_TEST

/* A gap that is zero at the end of a step but for rounding is open: the mass turns in the step after. */
START_TEST(touching_is_open)
{
    static const double off[] = {-1e-12, 0.0, 1e-12, -1e-6};
    const char *const *scheme = schemes[_i / FORMS / 4];
    char gap[64];
    struct run run;
    double missing = off[_i / FORMS % 4];
    snprintf(gap, sizeof gap, "contacts.[0].gap=%.17g", 0.5 + missing);
    RUN(&run, THROWN, gap, UPDATE, forms[_i % FORMS], "time.end=0.7", scheme[0], scheme[1], scheme[2]);
    /* what holds a gap of 1e-12 m changes the velocity by as much a step */
    NEAR(run.rows[5].v[0], missing > -1e-9 ? -1.0 : 1.0, 1e-9);
    NEAR(run.rows[6].v[0], 1.0, 1e-9);
    run_release(&run);
}
END_TEST

/* --- loads ---------------------------------------------------------------------------------------- */

#define BALL                                                                                                 \
    "bodies = ( { type = \"particles\"; name = \"ball\"; positions = [1.0]; masses = [2.0]; } );"            \
    "loads = ( { type = \"gravity\"; acceleration = -9.81; } );"                                             \
    "contacts = ( { type = \"wall\"; node = \"ball\"; position = 0.0; restitution = 1.0; } );"               \
    "integrator = { type = \"trapezoidal\"; };" POSITION "time = { end = 20.0; step = 0.013; };"

/* Weight does its work on the way back to the wall, too: parabolas are exact, so energy stays. A ball that
 * does not rebound comes to rest, with its weight for a reaction. */
START_TEST(weight_works)
{
    static const double e[] = {1.0, 0.5, 0.0};
    const char *const *scheme = schemes[_i / FORMS / 3];
    char law[64];
    struct run run;
    double restitution = e[_i / FORMS % 3];
    snprintf(law, sizeof law, "contacts.[0].restitution=%g", restitution);
    RUN(&run, BALL, UPDATE, law, forms[_i % FORMS], scheme[0], scheme[1], scheme[2]);
    /* J of 19.6: rounding of 1539 steps */
    BELOW(run_imbalance(&run), 1e-10);
    if (restitution < 1.0) {
        NEAR(run_last(&run)->gap[0], 0.0, 1e-10);
        NEAR(run_last(&run)->dissipated, 19.62, 1e-9);
        for (size_t i = 1; i < run.count; i++)
            ck_assert(run.rows[i].dissipated >= run.rows[i - 1].dissipated);
    } else {
        ck_assert_uint_gt(run_events_of(&run, SG_EVENT_IMPACT), 20);
    }
    run_release(&run);
}
END_TEST

/* The conserving form gives the speed e times that at the floor, sqrt(2 g h), whatever the step; the
 * published one lets the weight work after the impact, and is off by the way of a step. */
START_TEST(restitution_under_weight)
{
    static const double steps[] = {0.013, 0.037, 0.1};
    const char *const *scheme = schemes[_i / 3];
    char step[64];
    struct run run;
    snprintf(step, sizeof step, "time.step=%g", steps[_i % 3]);
    RUN(&run, BALL, UPDATE, "contacts.[0].restitution=0.8", step, "time.end=0.6", scheme[0], scheme[1],
        scheme[2]);
    /* J of 19.62: one impact, which leaves e^2 */
    double way = _i / 3 == 1 ? 0.5 * steps[_i % 3] * sqrt(19.62) : 0.0;
    NEAR(run_last(&run)->dissipated, 19.62 * (1.0 - 0.64), 1e-11 + 19.62 * (1.0 - 0.64) * way);
    BELOW(run_imbalance(&run), 1e-11);
    run_release(&run);
}
END_TEST

/* --- several contacts, several axes --------------------------------------------------------------- */

/* three balls in a row between walls: contacts couple through the middle one, and close in the same steps */
#define ROW                                                                                                  \
    "bodies = ( { type = \"particles\"; name = \"row\"; positions = [0.0, 1.0, 2.0];"                        \
    "  masses = [1.0, 2.0, 1.5]; } );"                                                                       \
    "initial = ( { body = \"row\"; velocity = 1.0; velocity_slope = -1.5; } );"                              \
    "contacts = ( { type = \"pair\"; nodes = [\"row.0\", \"row.1\"]; gap = 0.5; restitution = 1.0; },"       \
    " { type = \"pair\"; nodes = [\"row.1\", \"row.2\"]; gap = 0.5; restitution = 1.0; },"                   \
    " { type = \"wall\"; node = \"row.0\"; position = -0.3; restitution = 1.0; },"                           \
    " { type = \"wall\"; node = \"row.2\"; side = \"upper\"; position = 2.4; restitution = 1.0; } );"        \
    "integrator = { type = \"trapezoidal\"; };" POSITION "time = { end = 20.0; step = 0.005; };"

START_TEST(coupled_contacts_conserve)
{
    const char *const *scheme = schemes[_i / FORMS];
    struct run run;
    RUN(&run, ROW, UPDATE, forms[_i % FORMS], scheme[0], scheme[1], scheme[2]);
    ck_assert_uint_gt(run_events_of(&run, SG_EVENT_IMPACT), 20);
    for (size_t i = 0; i < run.count; i++) {
        NEAR(run.rows[i].kinetic, run.rows[0].kinetic, 1e-11); /* J of 2 */
        for (size_t j = 0; j < 4; j++) ck_assert(run.rows[i].gap[j] > -1e-13);
    }
    run_release(&run);
}
END_TEST

/* A ball in a corner: both walls in one step, each with its own restitution, in two axes at once; then a wall
 * across the axes, along which the velocity stays. */
#define FLIGHT                                                                                               \
    "bodies = ( { type = \"particles\"; name = \"p\"; dim = 2; positions = [1.05, 1.05]; masses = [2.0]; } " \
    ");"                                                                                                     \
    "initial = ( { body = \"p\"; velocity_vector = [-1.0, -1.0]; } );"                                       \
    "integrator = { type = \"bathe\"; };" POSITION "time = { end = 1.5; step = 0.1; };"

START_TEST(reflects_in_two_axes)
{
    const char *const *scheme = schemes[_i / FORMS], *form = forms[_i % FORMS];
    struct run run;
    RUN(&run,
        FLIGHT
        "contacts = ( { type = \"plane\"; node = \"p\"; normal = [1.0, 0.0]; point = [0.0, 0.0]; restitution "
        "= 0.5; },"
        " { type = \"plane\"; node = \"p\"; normal = [0.0, 1.0]; point = [0.0, 0.0]; restitution = 1.0; } );",
        UPDATE, form, scheme[0], scheme[1], scheme[2]);
    NEAR(run_last(&run)->v[0], 0.5, 1e-12);
    NEAR(run_last(&run)->v[1], 1.0, 1e-12);
    NEAR(run_last(&run)->dissipated, 0.75, 1e-12);
    BELOW(run_imbalance(&run), 1e-12);
    run_release(&run);
    RUN(&run,
        FLIGHT "contacts = ( { type = \"plane\"; node = \"p\"; normal = [0.6, 0.8]; point = [0.0, 0.0]; "
               "restitution = 1.0; } );",
        UPDATE, form, scheme[0], scheme[1], scheme[2]);
    /* v - 2 (n . v) n */
    NEAR(run_last(&run)->v[0], -1.0 + 2 * 1.4 * 0.6, 1e-12);
    NEAR(run_last(&run)->v[1], -1.0 + 2 * 1.4 * 0.8, 1e-12);
    run_release(&run);
}
END_TEST

/* --- the spring pair ------------------------------------------------------------------------------ */

/* Two masses on springs by hand: diagonal matrices, one contact. */
struct pair {
    double u[2], v[2], a[2];
};
static const double m[2] = {2.0, 1.0}, k[2] = {3.0, 8.0};

/* Equilibrium with u = up + cu a, v = vp + cv a; `contact`: the gap is held if it would be negative. Returns
 * the multiplier. */
static double equilibrium(struct pair *x, double cu, double cv, bool contact)
{
    double s[2], push = 0.0;
    for (int i = 0; i < 2; i++) {
        s[i] = m[i] + cu * k[i];
        x->a[i] = -k[i] * x->u[i] / s[i];
        x->u[i] += cu * x->a[i];
    }
    if (contact && x->u[1] < x->u[0]) push = (x->u[0] - x->u[1]) / (cu * (1.0 / s[0] + 1.0 / s[1]));
    for (int i = 0; i < 2; i++) {
        double more = (i == 0 ? -push : push) / s[i];
        x->a[i] += more;
        x->u[i] += cu * more;
        x->v[i] += cv * x->a[i];
    }
    return push;
}

static double trapezoidal(const struct pair *from, double h, bool contact, struct pair *to)
{
    for (int i = 0; i < 2; i++) {
        to->u[i] = from->u[i] + h * from->v[i] + 0.25 * h * h * from->a[i];
        to->v[i] = from->v[i] + 0.5 * h * from->a[i];
    }
    return equilibrium(to, 0.25 * h * h, 0.5 * h, contact);
}

static double bathe(const struct pair *from, double h, bool contact, struct pair *to)
{
    struct pair middle;
    double push = trapezoidal(from, 0.5 * h, contact, &middle);
    for (int i = 0; i < 2; i++) {
        to->v[i] = (4.0 * middle.v[i] - from->v[i]) / 3.0;
        to->u[i] = (4.0 * middle.u[i] - from->u[i] + h * to->v[i]) / 3.0;
    }
    return push + equilibrium(to, h * h / 9.0, h / 3.0, contact);
}

typedef double scheme_step(const struct pair *from, double h, bool contact, struct pair *to);

/* how the printed work formula differs from the corrected one: sign and difference; or no work of masses at
 * all
 */
enum formula { CORRECTED, PRINTED, CONSERVING };

static void update(struct pair *held, const struct pair *free, enum formula formula, int *stopped)
{
    double mu = m[0] * m[1] / (m[0] + m[1]), impulse = -2.0 * mu * fmin(free->v[1] - free->v[0], 0.0);
    for (int i = 0; i < 2; i++) {
        double v = free->v[i] + (i == 0 ? -impulse : impulse) / m[i];
        double way = held->u[i] - free->u[i], r = k[i] * held->u[i], r_plus = k[i] * free->u[i];
        double work = formula == CORRECTED ? -way * (r + r_plus) : way * (r - r_plus);
        double square = v * v + work / m[i];
        if (square < 0.0) ++*stopped;
        held->v[i] = square > 0.0 ? copysign(sqrt(square), v) : 0.0;
        held->a[i] = -k[i] * held->u[i] / m[i];
    }
}

static double energy(const struct pair *x)
{
    double sum = 0.0;
    for (int i = 0; i < 2; i++) sum += 0.5 * m[i] * x->v[i] * x->v[i] + 0.5 * k[i] * x->u[i] * x->u[i];
    return sum;
}

/* `impulse`: what the contact gave in the step. Both masses stop against one another, and get back what the
 * energy of the step without contact is more. */
static void conserve(struct pair *held, const struct pair *free, double impulse, int *stopped)
{
    double mu = m[0] * m[1] / (m[0] + m[1]), w = held->v[1] - held->v[0];
    double back = -impulse - fmin(0.0, w - impulse / mu) * mu;
    held->v[0] -= back / m[0], held->v[1] += back / m[1];
    double taken = energy(free) - energy(held);
    w = held->v[1] - held->v[0];
    if (taken < 0.0) ++*stopped;
    impulse = (sqrt(w * w + 2.0 * fmax(taken, 0.0) / mu) - w) * mu;
    held->v[0] -= impulse / m[0], held->v[1] += impulse / m[1];
    for (int i = 0; i < 2; i++) held->a[i] = -k[i] * held->u[i] / m[i];
}

static void advance(scheme_step *step, double h, enum formula formula, struct pair *x, int *stopped)
{
    struct pair held, free;
    double push = step(x, h, true, &held);
    if (push > 0.0) {
        step(x, h, false, &free);
        if (formula == CONSERVING)
            conserve(&held, &free, push * h / (step == bathe ? 3.0 : 2.0), stopped);
        else
            update(&held, &free, formula, stopped);
    }
    *x = held;
}

static struct pair pair_at_start(void)
{
    struct pair x = {{-5.0, 2.0}, {-3.0, 1.0}, {0}};
    for (int i = 0; i < 2; i++) x.a[i] = -k[i] * x.u[i] / m[i];
    return x;
}

#define PAIR                                                                                                 \
    "bodies = ( { type = \"particles\"; name = \"pair\"; positions = [0.0, 0.0]; masses = [2.0, 1.0];"       \
    "  springs = ( { node = 0; stiffness = 3.0; }, { node = 1; stiffness = 8.0; } ); } );"                   \
    "initial = ( { node = \"pair.0\"; displacement = -5.0; velocity = -3.0; },"                              \
    "  { node = \"pair.1\"; displacement = 2.0; velocity = 1.0; } );"                                        \
    "contacts = ( { type = \"pair\"; nodes = [\"pair.0\", \"pair.1\"]; restitution = 1.0; } );"              \
    "integrator = { type = \"bathe\"; };" POSITION "time = { end = 40.0; step = 0.05; };"

static const struct pair_case {
    scheme_step *step;
    const char *type;
    double printed; /* J at t = 20 with the printed formula */
} pair_cases[] = {{bathe, "integrator.type=bathe", 79.33},
                  {trapezoidal, "integrator.type=trapezoidal", 75.92}};

START_TEST(pair_by_hand)
{
    const struct pair_case *now = &pair_cases[_i / FORMS];
    enum formula formula = _i % FORMS == 0 ? CONSERVING : CORRECTED;
    struct run run;
    struct pair x = pair_at_start();
    int stopped = 0;
    RUN(&run, PAIR, UPDATE, now->type, forms[_i % FORMS]);
    for (size_t i = 1; i < run.count; i++) {
        advance(now->step, 0.05, formula, &x, &stopped);
        /* rounding, which grows a hundredfold in 20 s: the motion is chaotic */
        double tolerance = run.rows[i].t < 20.0 ? 1e-9 : 1e-5;
        BELOW(run_distance(run.rows[i].u, x.u, 2), tolerance);
        BELOW(run_distance(run.rows[i].v, x.v, 2), tolerance);
    }
    struct sg_summary summary = {0};
    run.job.strategy.ops->summarize(&run.job.strategy, &summary);
    ck_assert_int_eq(summary.update_nonphysical, stopped);
    run_release(&run);
}
END_TEST

/* The trapezoidal rule can't gain by its constraint: a contact takes (lambda / 2)(g0 - g1) >= 0, so that no
 * motion is stopped, and the energy stays: rounding of 800 steps. */
START_TEST(conserving_trapezoidal_rule)
{
    struct run run;
    struct sg_summary summary = {0};
    RUN(&run, PAIR, UPDATE, "integrator.type=trapezoidal");
    for (size_t i = 0; i < run.count; i++) NEAR(run.rows[i].kinetic + run.rows[i].strain, 63.0, 1e-11);
    run.job.strategy.ops->summarize(&run.job.strategy, &summary);
    ck_assert_int_eq(summary.update_nonphysical, 0);
    run_release(&run);
}
END_TEST

/* negative control: the formula as printed is seen at once */
START_TEST(printed_formula_makes_energy)
{
    const struct pair_case *now = &pair_cases[_i];
    struct pair printed = pair_at_start(), corrected = printed;
    int stopped = 0;
    for (int i = 0; i < 400; i++) {
        advance(now->step, 0.05, PRINTED, &printed, &stopped);
        advance(now->step, 0.05, CORRECTED, &corrected, &stopped);
    }
    NEAR(energy(&corrected), 63.0, 0.06);
    NEAR(energy(&printed), now->printed, 0.01);
}
END_TEST

/* --- refusals ------------------------------------------------------------------------------------- */

START_TEST(refuses_what_it_cannot)
{
    static const char *const wrong[][4] = {
        {"integrator.type=theta", "strategy.level=velocity", NULL, "update"},
        {"integrator.type=central-difference", NULL, NULL, "update"},
        {"integrator.operator=modal", NULL, NULL, "update"},
    };
    struct run run;
    run_read(&run, (const char *const[]){THROWN, UPDATE, wrong[_i][0], wrong[_i][1], NULL});
    run_build(&run);
    ck_assert_int_eq(run.status, SG_BAD_DECK);
    sg_diagnostics_render(&run.diagnostics, &run.findings);
    ck_assert_msg(strstr(sg_text_view(&run.findings), wrong[_i][3]) != NULL, "%s",
                  sg_text_view(&run.findings));
    run_release(&run);
}
END_TEST

Suite *sg_suite_update(void)
{
    Suite *suite = suite_create("update");
    TCase *all = tcase_create("all");
    tcase_add_loop_test(all, rebound_of_the_trapezoidal_rule, 0, PHIS);
    tcase_add_loop_test(all, rebound_of_chaudhary_and_bathe, 0, PHIS);
    tcase_add_loop_test(all, rebound_with_update, 0, SCHEMES * PHIS * FORMS);
    tcase_add_loop_test(all, restitution_of_the_update, 0, SCHEMES * FORMS);
    tcase_add_loop_test(all, touching_is_open, 0, 4 * SCHEMES * FORMS);
    tcase_add_loop_test(all, weight_works, 0, 3 * SCHEMES * FORMS);
    tcase_add_loop_test(all, restitution_under_weight, 0, 3 * SCHEMES);
    tcase_add_loop_test(all, coupled_contacts_conserve, 0, SCHEMES * FORMS);
    tcase_add_loop_test(all, reflects_in_two_axes, 0, SCHEMES * FORMS);
    tcase_add_loop_test(all, pair_by_hand, 0, 2 * FORMS);
    tcase_add_test(all, conserving_trapezoidal_rule);
    tcase_add_loop_test(all, printed_formula_makes_energy, 0, 2);
    tcase_add_loop_test(all, refuses_what_it_cannot, 0, 3);
    suite_add_tcase(suite, all);
    return suite;
}
