/* What single steps of the integrators must be: amplification, stability, the block forms of the
 * literature, the same in nodal and modal coordinates. Orders are in test_orders.c. */
#include <check.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "run_fixture.h"

Suite *sg_suite_integrators(void);

#define STRATEGY "strategy = { type = \"event-driven\"; };"

/* --- amplification -------------------------------------------------------------------------------- */

/* m = 1, k = 1: omega h is the step */
#define UNIT                                                                                                 \
    "bodies = ( { type = \"particles\"; name = \"p\"; positions = [0.0]; masses = [1.0];"                    \
    "  springs = ( { node = 0; stiffness = 1.0; } ); } );"                                                   \
    "integrator = { type = \"trapezoidal\"; };" STRATEGY "time = { end = 1.0; step = 1.0; };"

/* The matrix of one step h on (u, h v, h^2 a), of `size` 2 or 3: columns are steps from unit states. With
 * size 2 the acceleration is that of the equation of motion. */
static void amplification(struct run *run, double h, int size, double *matrix)
{
    struct sg_integrator *integrator = &run->job.integrator;
    for (int column = 0; column < size; column++) {
        double u = column == 0, v = column == 1 ? 1 / h : 0, a = column == 2 ? 1 / (h * h) : 0;
        double u1 = 0, v1 = 0, a1 = 0;
        if (size == 2) a = -u;
        struct sg_state from = {&u, &v, &a}, to = {&u1, &v1, &a1};
        run->status =
            integrator->ops->step(integrator, &run->job.phase, &from, (struct sg_span){0, h}, &to, &run->err);
        run_must(run, "step");
        const double end[3] = {u1, h * v1, h * h * a1};
        memcpy(matrix + column * size, end, (size_t)size * sizeof *end);
    }
}

static double radius(const double *matrix, int size)
{
    double a[9], re[3], im[3], none[1], largest = 0;
    memcpy(a, matrix, (size_t)(size * size) * sizeof *a);
    ck_assert_int_eq(LAPACKE_dgeev(LAPACK_COL_MAJOR, 'N', 'N', size, a, size, re, im, none, 1, none, 1), 0);
    for (int i = 0; i < size; i++) largest = fmax(largest, hypot(re[i], im[i]));
    return largest;
}

static const struct scheme {
    const char *type, *parameter;
    double rho;
} schemes[] = {
    {"integrator.type=trapezoidal", NULL, 1},
    {"integrator.type=newmark", NULL, 1},
    {"integrator.type=generalized-alpha", "integrator.rho_inf=1.0", 1},
    {"integrator.type=generalized-alpha", "integrator.rho_inf=0.8", 0.8},
    {"integrator.type=generalized-alpha", "integrator.rho_inf=0.3", 0.3},
    {"integrator.type=generalized-alpha", "integrator.rho_inf=0.0", 0},
    {"integrator.type=botr", "integrator.rho_inf=1.0", 1},
    {"integrator.type=botr", "integrator.rho_inf=0.7", 0.7},
    {"integrator.type=botr", "integrator.rho_inf=0.25", 0.25},
    {"integrator.type=botr", "integrator.rho_inf=0.0", 0},
    {"integrator.type=bathe", NULL, 0},
    {"integrator.type=chaudhary-bathe", NULL, -1},
    {"integrator.type=wilson-theta", NULL, -1},
    {"integrator.type=exact", NULL, 1},
    {"integrator.type=noh-bathe", NULL, -1},
};
enum {
    SCHEMES = sizeof schemes / sizeof schemes[0],
    FIRST_ALPHA = 2,
    FIRST_BOTR = 6,
    FIRST_OTHER = 11,
    EXACT = 13
};

static bool stores_acceleration(int i)
{
    return i == 1 || (i >= FIRST_ALPHA && i < FIRST_BOTR) || (i >= FIRST_OTHER && i < EXACT);
}

START_TEST(radius_never_exceeds_one)
{
    struct run run;
    double matrix[9];
    PREPARE(&run, UNIT, schemes[_i].type, schemes[_i].parameter);
    int size = stores_acceleration(_i) ? 3 : 2;
    for (int k = -60; k <= 80; k++) {
        double h = pow(10, k / 20.0);
        amplification(&run, h, size, matrix);
        /* where eigenvalues meet (small and large h) they are known to the root of rounding only */
        BELOW(radius(matrix, size), 1 + (size == 3 ? 2e-5 : 2e-8));
    }
    run_release(&run);
}
END_TEST

/* Two-level: eigenvalues tend to a pair of modulus rho as 1/(omega h). The exact flow, which has no
 * limit, is left out. */
START_TEST(two_level_radius_at_infinity)
{
    struct run run;
    double matrix[4];
    PREPARE(&run, UNIT, schemes[_i].type, schemes[_i].parameter);
    amplification(&run, 1e8, 2, matrix);
    NEAR(radius(matrix, 2), schemes[_i].rho, 1e-6);
    run_release(&run);
}
END_TEST

/* Chung and Hulbert 1993: at infinity all three eigenvalues of the optimal scheme are -rho. Three equal
 * eigenvalues are ill conditioned; the coefficients of (x + rho)^3 are not. */
START_TEST(alpha_radius_at_infinity)
{
    struct run run;
    double m[9], rho = schemes[_i].rho;
    PREPARE(&run, UNIT, schemes[_i].type, schemes[_i].parameter);
    amplification(&run, 1e7, 3, m);
    double trace = m[0] + m[4] + m[8];
    double minors = m[0] * m[4] - m[1] * m[3] + m[0] * m[8] - m[2] * m[6] + m[4] * m[8] - m[5] * m[7];
    double determinant = m[0] * (m[4] * m[8] - m[5] * m[7]) - m[3] * (m[1] * m[8] - m[2] * m[7]) +
                         m[6] * (m[1] * m[5] - m[2] * m[4]);
    NEAR(-trace, 3 * rho, 1e-6);
    NEAR(minors, 3 * rho * rho, 1e-6);
    NEAR(-determinant, rho * rho * rho, 1e-6);
    run_release(&run);
}
END_TEST

START_TEST(noh_bathe_is_stable_to_two_over_p)
{
    struct run run;
    double matrix[4], limit = 2 / 0.54;
    PREPARE(&run, UNIT, "integrator.type=noh-bathe");
    NEAR(run.job.integrator.stability, limit, 1e-14);
    for (int k = 1; k <= 1000; k++) {
        amplification(&run, limit * k / 1000, 2, matrix);
        BELOW(radius(matrix, 2), 1 + 1e-7); /* a double eigenvalue at the limit itself */
    }
    /* its eigenvalues become real at 2/p and pass 1 within another 1.2 % */
    for (int k = 0; k <= 20; k++) {
        amplification(&run, limit * (1.02 + 0.01 * k), 2, matrix);
        ck_assert(radius(matrix, 2) > 1.2);
    }
    run_release(&run);
}
END_TEST

/* what the limit is for: a step beyond it is refused, by the closed frequency too */
START_TEST(unstable_steps_are_refused)
{
    struct run run;
    static const char *const decks[][4] = {{UNIT, "integrator.type=noh-bathe", "time.step=3.8", NULL},
                                           {UNIT, "integrator.type=noh-bathe",
                                            "contacts=({type=\"wall\";node=\"p\";gap=1.0;stiffness=100.0;})",
                                            NULL}};
    run_read(&run, decks[_i]);
    run_build(&run);
    ck_assert_int_eq(run.status, SG_BAD_DECK);
    run_release(&run);
}
END_TEST

/* --- block forms ---------------------------------------------------------------------------------- */

enum { N = 4 };

/* four masses, springs, dashpots that no modes diagonalise, a load that is no polynomial, an elastic wall */
#define CHAIN                                                                                                \
    "bodies = ( { type = \"particles\"; name = \"p\"; positions = [0.0, 1.0, 2.0, 3.0];"                     \
    "  masses = [1.0, 2.0, 0.5, 1.5];"                                                                       \
    "  springs = ( { nodes = [0, 1]; stiffness = 40.0; damping = 0.7; },"                                    \
    "    { nodes = [1, 2]; stiffness = 70.0; }, { nodes = [2, 3]; stiffness = 25.0; damping = 0.2; },"       \
    "    { node = 3; stiffness = 10.0; damping = 1.1; } ); } );"                                             \
    "initial = ( { body = \"p\"; displacement = 0.1; velocity = -0.4; displacement_slope = 0.05; } );"       \
    "loads = ( { type = \"gravity\"; acceleration = -9.81; }, { type = \"force\"; node = \"p.2\";"           \
    "  signal = { type = \"harmonic\"; amplitude = 6.0; circular_frequency = 5.0; phase = 0.4; }; } );"      \
    "contacts = ( { type = \"wall\"; node = \"p.0\"; gap = 0.02; stiffness = 900.0; } );"                    \
    "integrator = { type = \"botr\"; operator = \"nodal\"; };" STRATEGY "time = { end = 1.0; step = 0.1; };"

/* coefficients of int y dt = h/6 (i1 y1 + i0 y0) - h^2/12 (d1 y1' - d0 y0') */
struct rule {
    double i1, i0, d1, d0;
    double eta;
    bool simpson; /* of int f dt; else the trapezoidal rule */
};

struct dense {
    double h;                            /* of the step, s */
    double m[N * N], c[N * N], k[N * N]; /* contact in k */
    double f[3][N];                      /* at start, middle, end; the contact's constant part included */
};

static struct dense assemble(const struct run *run, double t, double h)
{
    const struct sg_system *system = run->job.system;
    struct dense d = {.h = h};
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < N; j++) {
            d.m[j * N + i] = sg_matrix_entry(&system->M, i, j);
            d.c[j * N + i] = sg_matrix_entry(&system->C, i, j);
            d.k[j * N + i] = sg_matrix_entry(&system->K, i, j);
        }
    d.k[0] += 900;
    for (int s = 0; s < 3; s++) {
        const double mass[N] = {1, 2, 0.5, 1.5};
        for (size_t i = 0; i < N; i++) d.f[s][i] = -9.81 * mass[i];
        d.f[s][2] += 6 * sin(5 * (t + 0.5 * s * h) + 0.4);
        d.f[s][0] -= 900 * 0.02;
    }
    return d;
}

/* M (v1 - v0) = int f - C (u1 - u0) - K int u,   M (u1 - u0) = M int v with M v' = f - C v - K u; the
 * load of the second row as docs/event-driven.md gives it. Unknowns u1, v1. */
static void block_step(const struct dense *d, const struct rule *rule, const double *u, const double *v,
                       double *x)
{
    double h = d->h;
    double a[4 * N * N], p1 = h / 6 * rule->i1, p0 = h / 6 * rule->i0, q1 = h * h / 12 * rule->d1,
                         q0 = h * h / 12 * rule->d0;
    lapack_int pivot[2 * N];
    for (size_t i = 0; i < N; i++) {
        double sum = rule->simpson ? h / 6 * (d->f[0][i] + 4 * d->f[1][i] + d->f[2][i])
                                   : h / 2 * (d->f[0][i] + d->f[2][i]);
        double row1 = sum, row2 = 0;
        if (rule->simpson) row2 = -rule->eta * h / 6 * sum - h * h / 12 * (d->f[2][i] - d->f[0][i]);
        for (size_t j = 0; j < N; j++) {
            double m = d->m[j * N + i], c = d->c[j * N + i], k = d->k[j * N + i];
            a[j * 2 * N + i] = c + p1 * k;
            a[(N + j) * 2 * N + i] = m - q1 * k;
            row1 += m * v[j] + c * u[j] - k * (p0 * u[j] + q0 * v[j]);
            a[j * 2 * N + N + i] = m - q1 * k;
            a[(N + j) * 2 * N + N + i] = -p1 * m - q1 * c;
            row2 += m * u[j] + p0 * m * v[j] - q0 * (c * v[j] + k * u[j]);
        }
        x[i] = row1;
        x[N + i] = row2;
    }
    ck_assert_int_eq(LAPACKE_dgesv(LAPACK_COL_MAJOR, 2 * N, 1, a, 2 * N, pivot, x, 2 * N), 0);
}

static struct rule rule_of(double rho)
{
    double eta = (1 - rho) / (1 + rho);
    return (struct rule){3 + eta, 3 - eta, 1 + eta, 1 - eta, eta, true};
}

static const struct block_case {
    const char *type, *parameter;
    double rho; /* < 0: trapezoidal */
    double h;
} blocks[] = {
    {"integrator.type=botr", "integrator.rho_inf=1.0", 1, 0.05},
    {"integrator.type=botr", "integrator.rho_inf=0.5", 0.5, 0.05},
    {"integrator.type=botr", "integrator.rho_inf=0.5", 0.5, 0.9},
    {"integrator.type=botr", "integrator.rho_inf=0.0", 0, 0.01},
    {"integrator.type=botr", "integrator.rho_inf=0.0", 0, 3.0},
    {"integrator.type=trapezoidal", NULL, -1, 0.05},
    {"integrator.type=trapezoidal", NULL, -1, 0.9},
};

START_TEST(steps_equal_the_block_form)
{
    struct run run;
    const struct block_case *now = &blocks[_i];
    const unsigned char closed = 1;
    double x[2 * N], u1[N], v1[N], a[N] = {0}, scale_u = 0, scale_v = 0, t = 0.3;
    struct rule rule = now->rho < 0 ? (struct rule){3, 3, 0, 0, 0, false} : rule_of(now->rho);
    PREPARE(&run, CHAIN, now->type, now->parameter);
    struct sg_system *system = run.job.system;
    ck_assert(system->modal == NULL && system->n == N);
    sg_effective_set_active(run.job.op, &closed);
    struct sg_state from = {system->u0, system->v0, a}, to = {u1, v1, a};
    run.status = run.job.integrator.ops->step(&run.job.integrator, &run.job.phase, &from,
                                              (struct sg_span){t, now->h}, &to, &run.err);
    run_must(&run, "step");
    struct dense d = assemble(&run, t, now->h);
    block_step(&d, &rule, system->u0, system->v0, x);
    for (size_t i = 0; i < N; i++) {
        scale_u = fmax(scale_u, fabs(x[i]));
        scale_v = fmax(scale_v, fabs(x[N + i]));
    }
    BELOW(run_distance(u1, x, N), 1e-13 * scale_u);
    BELOW(run_distance(v1, x + N, N), 1e-13 * scale_v);
    run_release(&run);
}
END_TEST

/* --- coordinates ---------------------------------------------------------------------------------- */

/* bounces on an elastic wall, with Rayleigh damping and a harmonic load */
#define BOUNCE                                                                                               \
    "bodies = ( { type = \"particles\"; name = \"p\"; positions = [0.0, 1.0, 2.0, 3.0, 4.0];"                \
    "  masses = [1.0, 1.0, 2.0, 1.0, 1.0];"                                                                  \
    "  springs = ( { nodes = [0, 1]; stiffness = 400.0; }, { nodes = [1, 2]; stiffness = 300.0; },"          \
    "    { nodes = [2, 3]; stiffness = 500.0; }, { nodes = [3, 4]; stiffness = 350.0; } ); } );"             \
    "initial = ( { body = \"p\"; displacement = 0.2; } );"                                                   \
    "loads = ( { type = \"gravity\"; acceleration = -9.81; }, { type = \"force\"; node = \"p.4\";"           \
    "  signal = { type = \"harmonic\"; amplitude = 3.0; circular_frequency = 7.0; }; } );"                   \
    "damping = { mass = 0.1; stiffness = 1.0e-3; };"                                                         \
    "contacts = ( { type = \"wall\"; node = \"p.0\"; position = 0.0; stiffness = 5.0e3; } );"                \
    "integrator = { type = \"trapezoidal\"; };"                                                              \
    "strategy = { type = \"event-driven\"; gap_tolerance = 1.0e-12; time_tolerance = 1.0e-12; };"            \
    "time = { end = 1.5; step = 0.005; };"

START_TEST(nodal_and_modal_runs_agree)
{
    struct run nodal, modal;
    RUN(&nodal, BOUNCE, schemes[_i].type, "integrator.operator=nodal", schemes[_i].parameter);
    RUN(&modal, BOUNCE, schemes[_i].type, "integrator.operator=modal", schemes[_i].parameter);
    ck_assert(nodal.job.system->modal == NULL && modal.job.system->modal != NULL);
    ck_assert_uint_eq(nodal.count, modal.count);
    ck_assert_uint_eq(nodal.event_count, modal.event_count);
    ck_assert_uint_ge(nodal.event_count, 4);
    for (size_t i = 0; i < nodal.count; i++) {
        /* 300 steps of rounding on lengths of 0.2 m and speeds of 4 m/s; rounding may also add or save a
         * trial at an event, which moves it by less than 1e-12 s */
        BELOW(run_distance(nodal.rows[i].u, modal.rows[i].u, 5), 1e-10 * 0.2);
        BELOW(run_distance(nodal.rows[i].v, modal.rows[i].v, 5), 1e-10 * 4);
        NEAR(nodal.rows[i].numerical, modal.rows[i].numerical, 1e-9);
    }
    run_release(&nodal);
    run_release(&modal);
}
END_TEST

/* a rigid wall instead: impacts, rest, and release by the load */
START_TEST(nodal_and_modal_agree_on_rigid_contact)
{
    struct run nodal, modal;
    const char *wall = "contacts=({type=\"wall\";node=\"p.0\";position=0.0;restitution=0.3;})";
    RUN(&nodal, BOUNCE, schemes[_i].type, wall, "integrator.operator=nodal", schemes[_i].parameter);
    RUN(&modal, BOUNCE, schemes[_i].type, wall, "integrator.operator=modal", schemes[_i].parameter);
    ck_assert_uint_eq(nodal.event_count, modal.event_count);
    ck_assert_uint_ge(run_events_of(&nodal, SG_EVENT_CLOSE), 1);
    for (size_t i = 0; i < nodal.event_count; i++) {
        ck_assert_int_eq(nodal.events[i].kind, modal.events[i].kind);
        NEAR(nodal.events[i].t, modal.events[i].t, 1e-7); /* where a reaction ends is found by bisection */
    }
    BELOW(run_distance(run_last(&nodal)->u, run_last(&modal)->u, 5),
          1e-6); /* times of release, times speed */
    run_release(&nodal);
    run_release(&modal);
}
END_TEST

Suite *sg_suite_integrators(void)
{
    Suite *suite = suite_create("integrators");
    TCase *tcase = tcase_create("integrators");
    tcase_set_timeout(tcase, 60);
    tcase_add_loop_test(tcase, radius_never_exceeds_one, 0, EXACT + 1);
    tcase_add_loop_test(tcase, two_level_radius_at_infinity, FIRST_BOTR, FIRST_OTHER);
    tcase_add_loop_test(tcase, alpha_radius_at_infinity, FIRST_ALPHA, FIRST_BOTR);
    tcase_add_test(tcase, noh_bathe_is_stable_to_two_over_p);
    tcase_add_loop_test(tcase, unstable_steps_are_refused, 0, 2);
    tcase_add_loop_test(tcase, steps_equal_the_block_form, 0, (int)(sizeof blocks / sizeof blocks[0]));
    tcase_add_loop_test(tcase, nodal_and_modal_runs_agree, 0, EXACT);
    tcase_add_loop_test(tcase, nodal_and_modal_agree_on_rigid_contact, 0, EXACT);
    suite_add_tcase(suite, tcase);
    return suite;
}
