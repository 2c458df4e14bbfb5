/* Bathe's scheme: the matrices of Noh 2011 (ch. 2), eigenvalues, energy identities of its chapter 4 with
 * those of Newmark's schemes, and its contacts at both equilibrium points. */
#include <check.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "run_fixture.h"
#include "strategies/time_stepping/time_stepping.h"

Suite *sg_suite_bathe(void);

/* --- matrices ------------------------------------------------------------------------------------- */

/* m = 1, c = 2 xi omega = .6, k = omega^2 = 4, load 1 N (of gravity) where asked for */
#define UNIT                                                                                                 \
    "bodies = ( { type = \"particles\"; name = \"p\"; positions = [0.0]; masses = [1.0];"                    \
    "  springs = ( { node = 0; stiffness = 4.0; damping = 0.6; } ); } );"                                    \
    "integrator = { type = \"bathe\"; };"                                                                    \
    "strategy = { type = \"time-stepping\"; level = \"position\"; }; time = { end = 1.0; step = 1.0; };"

enum { W2 = 4 };
static const double OMEGA = 2.0, XI = 0.15;

/* states in the order of the paper: a, v, u */
static struct sg_state state_of(double x[3])
{
    return (struct sg_state){&x[2], &x[1], &x[0]};
}

struct from {
    double *start, *middle;
    size_t stage;
};

/* the end of a stage */
static void stage_of(struct run *run, double h, struct from x, double end[3])
{
    struct sg_state start = state_of(x.start), mid = state_of(x.middle), to = state_of(end);
    struct sg_attempt attempt = {&start, {0.0, h}, h, x.stage, &mid, &to};
    struct sg_integrator *integrator = &run->job.integrator;
    run->status = integrator->ops->response->free_motion(integrator, &run->job.phase, &attempt, &run->err);
    run_must(run, "free");
}

static void product(const double a[9], const double *b, int columns, double *c)
{
    for (int j = 0; j < columns; j++)
        for (int i = 0; i < 3; i++) {
            c[3 * j + i] = 0.0;
            for (int k = 0; k < 3; k++) c[3 * j + i] += a[3 * k + i] * b[3 * j + k];
        }
}

static void near_all(const double *a, const double *b, int n, double divisor)
{
    double size = 0.0;
    for (int i = 0; i < n; i++) size = fmax(size, fabs(b[i] / divisor));
    for (int i = 0; i < n; i++) NEAR(a[i], b[i] / divisor, 1e-12 * fmax(1.0, size));
}

static const double steps[] = {1e-2, 0.3, 1.0, 7.0};

/* column-major, as printed in (2.5), (2.12), (2.13), (2.19); alpha, beta of (2.7), (2.15) */
START_TEST(matrices_of_the_paper)
{
    struct run run;
    PREPARE(&run, UNIT, "integrator.operator=nodal");
    double h = steps[_i], w = OMEGA, x = XI, wh = w * h, a[9], a1[9], a2[9], a3[9], product2[9];
    double alpha = 16 + 8 * x * wh + wh * wh, beta = 9 + 6 * x * wh + wh * wh;
    const double p1[9] = {
        -8 * x * wh - wh * wh,     4 * h,    h * h,       -32 * x * w - 8 * W2 * h, 16 - wh * wh,
        8 * h + 2 * h * h * x * w, -16 * W2, -4 * W2 * h, 16 + 8 * x * wh};
    const double p2[9] = {0,     0,        0,           -24 * x * w - 4 * W2 * h, 12,
                          4 * h, -12 * W2, -4 * W2 * h, 12 + 8 * x * wh};
    const double p3[9] = {0, 0, 0, 6 * x * w + W2 * h, -3, -h, 3 * W2, W2 * h, -3 - 2 * x * wh};
    const double pa[9] = {-4 * wh * (24 * x + 7 * wh),
                          -4 * h * (-12 + wh * wh),
                          4 * h * h * (7 + 2 * x * wh),
                          w * (-288 * x + 14 * x * wh * wh - 144 * wh + 5 * wh * wh * wh + 48 * x * x * wh),
                          144 - 47 * wh * wh - 8 * x * wh * wh * wh - 24 * x * wh,
                          h * (144 - 5 * wh * wh + 80 * x * wh + 16 * x * x * wh * wh),
                          W2 * (24 * x * wh + 19 * wh * wh - 144),
                          W2 * h * (-96 - 24 * x * wh + wh * wh),
                          -19 * wh * wh + 144 + 168 * x * wh + 48 * x * x * wh * wh - 2 * x * wh * wh * wh};
    for (int k = 0; k < 3; k++) {
        double one[3] = {0}, none[3] = {0}, middle[3];
        one[k] = 1.0;
        stage_of(&run, h, (struct from){one, none, 0}, a1 + 3 * k);
        stage_of(&run, h, (struct from){none, one, 1}, a2 + 3 * k);
        stage_of(&run, h, (struct from){one, none, 1}, a3 + 3 * k);
        stage_of(&run, h, (struct from){one, none, 0}, middle);
        stage_of(&run, h, (struct from){one, middle, 1}, a + 3 * k);
    }
    near_all(a1, p1, 9, alpha);
    near_all(a2, p2, 9, beta);
    near_all(a3, p3, 9, beta);
    near_all(a, pa, 9, alpha * beta);
    product(a2, a1, 3, product2);
    for (int k = 0; k < 9; k++) product2[k] += a3[k];
    near_all(a, product2, 9, 1.0);
    run_release(&run);
}
END_TEST

/* (2.6), (2.14), (2.20): load operators, of the load 1 N */
START_TEST(load_operators_of_the_paper)
{
    struct run run;
    PREPARE(&run, UNIT, "loads=({type=\"gravity\";acceleration=1.0;})", "integrator.operator=nodal");
    double h = steps[_i], x = XI, wh = OMEGA * h, none[3] = {0}, l1[3], l2[3], la[3];
    double alpha = 16 + 8 * x * wh + wh * wh, beta = 9 + 6 * x * wh + wh * wh;
    const double p1[3] = {16, 4 * h, h * h}, p2[3] = {9, 3 * h, h * h};
    const double pa[3] = {-4 * wh * (24 * x + 7 * wh), -4 * h * (-12 + wh * wh),
                          4 * h * h * (7 + 2 * x * wh)};
    stage_of(&run, h, (struct from){none, none, 0}, l1);
    stage_of(&run, h, (struct from){none, none, 1}, l2);
    near_all(l1, p1, 3, alpha);
    near_all(l2, p2, 3, beta);
    /* what the first load does to the end: the second substep from it, less the second load */
    stage_of(&run, h, (struct from){none, l1, 1}, la);
    for (int k = 0; k < 3; k++) la[k] -= l2[k];
    near_all(la, pa, 3, alpha * beta);
    run_release(&run);
}
END_TEST

/* --- eigenvalues ---------------------------------------------------------------------------------- */

/* Period elongation and amplitude decay in per cent, exact: of the eigenvalue rho exp(i theta) of a step, PE
 * = (omega h / theta - 1), AD = 1 - rho^(2 pi / theta). Digits of a second program. */
static const struct accuracy {
    double share, elongation, decay;
} accuracies[] = {
    {0.01, 0.01645, 0.00054}, {0.05, 0.40950, 0.06675}, {0.1, 1.61794, 0.51306}, {0.2, 6.18705, 3.52024}};

START_TEST(elongation_and_decay)
{
    struct run run;
    double pi = acos(-1.0), h = accuracies[_i].share * pi, a[9], re[3], im[3], none[1];
    PREPARE(&run, UNIT, "bodies.[0].springs.[0].damping=0");
    struct sg_integrator *integrator = &run.job.integrator;
    for (int k = 0; k < 3; k++) {
        double one[3] = {0};
        one[k] = 1.0;
        struct sg_state from = state_of(one), to = state_of(a + 3 * k);
        run.status =
            integrator->ops->step(integrator, &run.job.phase, &from, (struct sg_span){0, h}, &to, &run.err);
        run_must(&run, "step");
    }
    ck_assert_int_eq(LAPACKE_dgeev(LAPACK_COL_MAJOR, 'N', 'N', 3, a, 3, re, im, none, 1, none, 1), 0);
    int i = 0;
    while (i < 2 && !(im[i] > 0.0)) i++;
    double theta = atan2(im[i], re[i]), rho = hypot(re[i], im[i]);
    /* half of the last digit */
    NEAR(100.0 * (OMEGA * h / theta - 1.0), accuracies[_i].elongation, 5.1e-6);
    NEAR(100.0 * (1.0 - pow(rho, 2.0 * pi / theta)), accuracies[_i].decay, 5.1e-6);
    run_release(&run);
}
END_TEST

/* --- contacts at both points ---------------------------------------------------------------------- */

enum { N = 4 };

/* four masses thrown at a wall, of 11.4 J; the front one bounces on it */
#define CHAIN                                                                                                \
    "bodies = ( { type = \"particles\"; name = \"p\"; positions = [0.0, 1.0, 2.0, 3.0];"                     \
    "  masses = [1.0, 2.0, 0.5, 1.5];"                                                                       \
    "  springs = ( { nodes = [0, 1]; stiffness = 40.0; }, { nodes = [1, 2]; stiffness = 70.0; },"            \
    "    { nodes = [2, 3]; stiffness = 25.0; }, { node = 3; stiffness = 3.0; } ); } );"                      \
    "initial = ( { body = \"p\"; displacement = 0.3; velocity = -2.0; } );"                                  \
    "contacts = ( { type = \"wall\"; node = \"p.0\"; position = 0.0; } );"                                   \
    "integrator = { type = \"bathe\"; operator = \"nodal\"; };"                                              \
    "strategy = { type = \"time-stepping\"; level = \"position\"; }; time = { end = 20.0; step = 0.02; };"

/* the states of a step, and the force of the contact at each: at its start, point by point */
struct points {
    double u[3][N], v[3][N], a[3][N], force[3];
    size_t count;
};

static void copy_state(const struct sg_state *from, struct points *x, size_t k)
{
    memcpy(x->u[k], from->u, sizeof x->u[k]);
    memcpy(x->v[k], from->v, sizeof x->v[k]);
    memcpy(x->a[k], from->a, sizeof x->a[k]);
}

/* takes a step; `x` starts with the state before it */
static bool take(struct run *run, struct points *x)
{
    struct sg_time_stepping *ts = run->job.strategy.data;
    bool done = false;
    double before = ts->force[0];
    copy_state(&ts->from, x, 0);
    run->status = run->job.strategy.ops->advance(&run->job.strategy, &done, &run->err);
    run_must(run, "advance");
    x->count = 1 + ts->ops->stages;
    x->force[0] = before;
    x->force[x->count - 1] = ts->force[0];
    copy_state(&ts->from, x, x->count - 1);
    if (x->count == 3) {
        /* r = (h/3) force at both points */
        x->force[1] = (ts->total[0] - ts->r[0]) / (0.02 / 3.0);
        copy_state(&ts->middle[0], x, 1);
    }
    return done;
}

/* x . A y */
static double form(const struct sg_matrix *a, const double *x, const double *y)
{
    double sum = 0.0;
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < N; j++) sum += x[i] * sg_matrix_entry(a, i, j) * y[j];
    return sum;
}

/* jump and mean of a quantity between two points */
struct change {
    double jump[N], mean[N];
};

static struct change change_of(const double *a, const double *b)
{
    struct change change;
    for (size_t i = 0; i < N; i++) {
        change.jump[i] = b[i] - a[i];
        change.mean[i] = 0.5 * (a[i] + b[i]);
    }
    return change;
}

static double energy(const struct sg_system *system, const struct points *x, size_t k)
{
    return 0.5 * form(&system->M, x->v[k], x->v[k]) + 0.5 * form(&system->K, x->u[k], x->u[k]);
}

/* (4.40): the mean contact force times the way of its node */
static double contact_work(const struct points *x, size_t k)
{
    return 0.5 * (x->force[k] + x->force[k + 1]) * (x->u[k + 1][0] - x->u[k][0]);
}

static struct run *start(struct run *run)
{
    run->status = run->job.strategy.ops->start(&run->job.strategy, &run->err);
    run_must(run, "start");
    return run;
}

/* (4.15) with the last terms as corrected: -2 (d - 1/2) V([U]) - dt^2 (2 al - d)(d - 1/2) T([U'']). For the
 * trapezoidal rule (4.16), for al = d = 1/2 (4.17). */
static const struct newmark {
    const char *beta, *gamma;
    double al, d;
} newmarks[] = {{"integrator.beta=0.25", "integrator.gamma=0.5", 0.25, 0.5},
                {"integrator.beta=0.5", "integrator.gamma=0.5", 0.5, 0.5},
                {"integrator.beta=0.3025", "integrator.gamma=0.6", 0.3025, 0.6},
                {"integrator.beta=0.4", "integrator.gamma=0.75", 0.4, 0.75}};

static double newmark_change(const struct sg_system *system, const struct points *x, const struct newmark *n)
{
    double h2 = 0.02 * 0.02, al = n->al, d = n->d;
    struct change u = change_of(x->u[0], x->u[1]), a = change_of(x->a[0], x->a[1]);
    double t0 = 0.5 * form(&system->M, x->a[0], x->a[0]), t1 = 0.5 * form(&system->M, x->a[1], x->a[1]);
    return contact_work(x, 0) + (d - 0.5) * (x->force[1] - x->force[0]) * u.jump[0] -
           h2 * (al - 0.5 * d) * (t1 - t0) - (d - 0.5) * form(&system->K, u.jump, u.jump) -
           h2 * (2 * al - d) * (d - 0.5) * 0.5 * form(&system->M, a.jump, a.jump);
}

START_TEST(newmark_identity)
{
    struct run run;
    struct points x;
    size_t pushing = 0;
    const struct newmark *n = &newmarks[_i];
    PREPARE(&run, CHAIN, "integrator.type=newmark", n->beta, n->gamma);
    start(&run);
    for (bool done = false; !done;) {
        done = take(&run, &x);
        pushing += x.force[1] > 0.0 ? 1 : 0;
        double change = energy(run.job.system, &x, 1) - energy(run.job.system, &x, 0);
        /* J of up to some hundred: rounding */
        NEAR(change, newmark_change(run.job.system, &x, n), 1e-10);
    }
    ck_assert_uint_gt(pushing, 5);
    run_release(&run);
}
END_TEST

/* (4.37), the second substep */
static double second_change(const struct sg_system *system, const struct points *x)
{
    struct change v1 = change_of(x->v[0], x->v[1]), a1 = change_of(x->a[0], x->a[1]);
    struct change u2 = change_of(x->u[1], x->u[2]), v2 = change_of(x->v[1], x->v[2]),
                  a2 = change_of(x->a[1], x->a[2]);
    double v[N], a[N];
    for (size_t i = 0; i < N; i++) {
        v[i] = v2.jump[i] + v1.mean[i];
        a[i] = a2.jump[i] + a1.mean[i];
    }
    return contact_work(x, 1) - 0.5 * form(&system->M, v, v2.jump) + 0.5 * form(&system->M, a, u2.jump);
}

START_TEST(bathe_identities)
{
    struct run run;
    struct points x;
    size_t first = 0, second = 0;
    PREPARE(&run, CHAIN);
    start(&run);
    for (bool done = false; !done;) {
        done = take(&run, &x);
        first += x.force[1] > 0.0 ? 1 : 0;
        second += x.force[2] > 0.0 ? 1 : 0;
        double e0 = energy(run.job.system, &x, 0), e1 = energy(run.job.system, &x, 1),
               e2 = energy(run.job.system, &x, 2);
        /* J of 11: rounding */
        NEAR(e1 - e0, contact_work(&x, 0), 1e-10);
        NEAR(e2 - e1, second_change(run.job.system, &x), 1e-10);
        for (size_t k = 1; k < 3; k++) {
            /* the gap closes exactly, and equilibrium holds with the contact's force */
            if (x.force[k] > 0.0) NEAR(x.u[k][0], 0.0, 1e-14);
            ck_assert(x.u[k][0] > -1e-14 && x.force[k] >= 0.0);
            double unit[N] = {1.0, 0.0, 0.0, 0.0};
            NEAR(form(&run.job.system->M, unit, x.a[k]) + form(&run.job.system->K, unit, x.u[k]), x.force[k],
                 1e-9); /* of up to 1e3 N */
        }
    }
    ck_assert_uint_gt(first, 5);
    ck_assert_uint_gt(second, 5);
    run_release(&run);
}
END_TEST

/* --- momentum, forces, flags ---------------------------------------------------------------------- */

static const char *const schemes[][2] = {{"integrator.type=bathe", NULL},
                                         {"integrator.type=trapezoidal", NULL},
                                         {"integrator.type=newmark", "integrator.gamma=0.7"}};

/* A free row of masses on a wall: its momentum changes by gravity and the contact's impulse, in every step,
 * the reaction included that the stored acceleration carries on. */
START_TEST(impulses_are_the_momentum)
{
    static const double mass[N] = {1.0, 2.0, 0.5, 1.5};
    struct run run;
    double start_momentum = 0.0, pushed = 0.0;
    RUN(&run, CHAIN, "bodies.[0].springs.[3].stiffness=0.0", "loads=({type=\"gravity\";acceleration=-1.0;})",
        schemes[_i][0], schemes[_i][1]);
    for (size_t i = 0; i < run.count; i++) {
        const struct run_row *row = &run.rows[i];
        double p = 5.0 * row->t - row->impulse[0];
        for (size_t k = 0; k < N; k++) p += mass[k] * row->v[k];
        if (i == 0) start_momentum = p;
        NEAR(p, start_momentum, 1e-11); /* N s: rounding of 1000 steps */
        pushed = fmax(pushed, row->force[0]);
    }
    ck_assert(pushed > 10.0);
    /* no law of impact acts: nothing is dissipated, what energy changes is the scheme's */
    ck_assert(run_last(&run)->dissipated == 0.0);
    ck_assert(run_imbalance(&run) > 1e-3);
    run_release(&run);
}
END_TEST

/* The reaction of a body at rest is its weight; the trapezoidal rule would chatter for ever. */
START_TEST(rests_on_its_wall)
{
    struct run run;
    RUN(&run, CHAIN, "bodies.[0].springs.[3].stiffness=0.0", "loads=({type=\"gravity\";acceleration=-1.0;})",
        "damping={mass=1.0;stiffness=0.02;}", "time.end=40.0");
    NEAR(run_last(&run)->force[0], 5.0, 1e-6); /* N; what 40 s of damping left of the motion */
    NEAR(run_last(&run)->gap[0], 0.0, 1e-14);
    run_release(&run);
}
END_TEST

/* without contact the response form is the step of the event-driven strategy */
START_TEST(both_forms_are_one_scheme)
{
    struct run event, stepping;
    RUN(&event, CHAIN, "contacts=()", "strategy.type=event-driven", "time.end=2.0");
    RUN(&stepping, CHAIN, "contacts=()", "time.end=2.0");
    ck_assert_uint_eq(event.count, stepping.count);
    BELOW(run_distance(run_last(&event)->u, run_last(&stepping)->u, N), 1e-13);
    BELOW(run_distance(run_last(&event)->v, run_last(&stepping)->v, N), 1e-12);
    run_release(&event);
    run_release(&stepping);
}
END_TEST

Suite *sg_suite_bathe(void)
{
    Suite *suite = suite_create("bathe");
    TCase *all = tcase_create("all");
    tcase_add_loop_test(all, matrices_of_the_paper, 0, sizeof steps / sizeof *steps);
    tcase_add_loop_test(all, load_operators_of_the_paper, 0, sizeof steps / sizeof *steps);
    tcase_add_loop_test(all, elongation_and_decay, 0, sizeof accuracies / sizeof *accuracies);
    tcase_add_loop_test(all, newmark_identity, 0, sizeof newmarks / sizeof *newmarks);
    tcase_add_test(all, bathe_identities);
    tcase_add_loop_test(all, impulses_are_the_momentum, 0, 3);
    tcase_add_test(all, rests_on_its_wall);
    tcase_add_test(all, both_forms_are_one_scheme);
    suite_add_tcase(suite, all);
    return suite;
}
