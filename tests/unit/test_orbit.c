/* Periodic orbits of a bar at a stop by the nodal boundary method, from matrices assembled here: modulus
 * 1 - x/2 on a bar of length 1, quadratic elements, gap 1. */
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyses/orbit_measure.h"
#include "analyses/orbit_shoot.h"
#include "model_fixture.h"

/* has what a test makes */
static struct sg_arena arena;

static void release_arena(void)
{
    sg_arena_release(&arena);
}

Suite *sg_suite_orbit(void);

enum { MOST = 60, NODES = 3 };

/* --- the model ------------------------------------------------------------------------------------ */

struct bar {
    size_t n; /* internal dofs, node 0 held */
    double m[MOST][MOST], k[MOST][MOST];
};

static struct bar assemble(size_t elements)
{
    /* three-point Gauss rule: exact up to degree 5, mass needs 4, stiffness with a linear modulus 3 */
    static const double at[3] = {-0.7745966692414834, 0, 0.7745966692414834};
    static const double weight[3] = {5.0 / 18, 8.0 / 18, 5.0 / 18};
    static struct bar bar;
    bar = (struct bar){.n = 2 * elements - 1};
    double h = 1.0 / (double)elements;
    for (size_t e = 0; e < elements; e++)
        for (int g = 0; g < 3; g++) {
            double s = (1 + at[g]) / 2, modulus = 1 - h * ((double)e + s) / 2;
            double value[NODES] = {(1 - s) * (1 - 2 * s), 4 * s * (1 - s), s * (2 * s - 1)};
            double slope[NODES] = {(4 * s - 3) / h, (4 - 8 * s) / h, (4 * s - 1) / h};
            for (size_t i = 0; i < NODES; i++)
                for (size_t j = 0; j < NODES; j++) {
                    if (2 * e + i == 0 || 2 * e + j == 0) continue;
                    bar.m[2 * e + i - 1][2 * e + j - 1] += h * weight[g] * value[i] * value[j];
                    bar.k[2 * e + i - 1][2 * e + j - 1] += h * weight[g] * modulus * slope[i] * slope[j];
                }
        }
    return bar;
}

/* row i of the map to all dofs: of the last one s = (-1/3, 4/3), or nothing while it is held */
static double map(const struct bar *bar, bool held, size_t i, size_t j)
{
    if (i < bar->n) return i == j;
    if (held) return 0;
    return j == bar->n - 1 ? 4.0 / 3 : j + 2 == bar->n ? -1.0 / 3 : 0.0;
}

static void project(const struct bar *bar, bool held, double a[][MOST], struct sg_matrix *out)
{
    struct sg_triplets t = {.arena = &arena, .n = bar->n};
    for (size_t i = 0; i < bar->n; i++)
        for (size_t j = 0; j <= i; j++) {
            double sum = 0;
            for (size_t r = 0; r <= bar->n; r++)
                for (size_t c = 0; c <= bar->n; c++)
                    sum += map(bar, held, r, i) * a[r][c] * map(bar, held, c, j);
            sg_triplets_add(&t, i, j, sum);
        }
    struct sg_error err;
    ck_assert_int_eq(sg_matrix_init(&arena, out, &t, SG_DENSE, &err), SG_OK);
}

static struct sg_orbit_phases *phases_of(size_t elements)
{
    struct bar bar = assemble(elements);
    struct sg_matrix m[2], k[2];
    struct sg_error err;
    struct sg_orbit_phases *phases = NULL;
    double force[MOST], w[MOST] = {0}, gap = 1;
    for (int held = 0; held < 2; held++) {
        project(&bar, held != 0, bar.m, &m[held]);
        project(&bar, held != 0, bar.k, &k[held]);
    }
    for (size_t i = 0; i < bar.n; i++) {
        force[i] = -bar.k[i][bar.n];
        w[i] = -map(&bar, false, bar.n, i);
    }
    struct sg_orbit_phase_spec each[2] = {{&m[0], &k[0], NULL, 0},
                                          {&m[1], &k[1], force, bar.k[bar.n][bar.n] / 2}};
    struct sg_orbit_spec spec = {bar.n, 1, w, &gap, each};
    ck_assert_int_eq(sg_orbit_phases_create(&arena, &spec, &phases, &err), SG_OK);
    return phases;
}

/* --- orbits --------------------------------------------------------------------------------------- */

struct bench {
    struct sg_arena arena;
    struct sg_orbit_phases *phases;
    struct sg_shooter shooter;
    struct sg_orbit_monitor ruler;
    struct sg_error err;
    double x[MOST];
    double period;
    struct sg_shot shot;
};

/* the orbit of Fig. 5: from the first mode, one mode more at a time */
static void set_up(struct bench *b, size_t elements)
{
    *b = (struct bench){.phases = phases_of(elements), .period = 3.7812};
    ck_assert_int_eq(sg_shooter_init(&b->arena, &b->shooter, b->phases, &b->err), SG_OK);
    ck_assert_int_eq(sg_orbit_monitor_init(&b->arena, &b->ruler, &b->shooter, &b->err), SG_OK);
    double sway = b->phases->phase[0].sway[0];
    b->x[0] = 2.2 * b->phases->phase[0].omega[0] / fabs(sway) * (sway > 0 ? 1 : -1);
    for (size_t k = 1; k <= b->phases->n; k++) {
        b->shot = sg_shoot_half(&b->shooter, k, b->period, b->x);
        ck_assert_int_eq(b->shot.end, SG_SHOT_HIT);
        ck_assert_int_le(b->shot.iterations, 8);
    }
}

static void tear_down(struct bench *b)
{
    sg_arena_release(&b->arena);
}

static struct sg_orbit_measure measure(struct bench *b)
{
    struct sg_orbit_measure found;
    double u[MOST], v[MOST];
    memcpy(u, b->shooter.u, b->phases->n * sizeof *u);
    memcpy(v, b->shooter.v, b->phases->n * sizeof *v);
    ck_assert_int_eq(sg_orbit_measure(&b->ruler, b->period, u, v, &found, &b->err), SG_OK);
    return found;
}

/* published to ten digits, found anew by an independent program: E, closing, opening */
static const struct published {
    size_t elements;
    double energy, closes, opens;
} published[] = {{2, 2.060729618, 1.503252908, 2.277947092},
                 {4, 2.576173858, 1.474187073, 2.307012927},
                 {10, 2.616391096, 1.466682309, 2.314517691}};

START_TEST(orbits_of_figure_5)
{
    struct bench b;
    const struct published *p = &published[_i];
    set_up(&b, p->elements);
    struct sg_orbit_measure found = measure(&b);
    NEAR(b.shot.energy, p->energy, 1e-9);
    NEAR(found.energy, p->energy, 1e-9);
    ck_assert_uint_eq(b.shooter.flow.switch_count, 2);
    NEAR(b.shooter.flow.switches[0].t, p->closes, 1e-9);
    NEAR(b.shooter.flow.switches[1].t, p->opens, 1e-9);
    ck_assert(b.shooter.flow.switches[0].closes && !b.shooter.flow.switches[1].closes);
    /* energy lost at the closing is regained at the opening; volumes of states stay; reversible motion */
    ck_assert(b.shooter.flow.switches[0].jump < 0);
    NEAR(found.jumps, 0, 1e-9);
    NEAR(found.determinant, 1, 1e-9);
    NEAR(found.pairing, 0, 1e-5); /* the pair at 1 is defective: the root of rounding */
    NEAR(found.closing, 0, 1e-9);
    tear_down(&b);
}
END_TEST

START_TEST(derivatives_are_those_of_differences)
{
    struct bench b;
    double u[MOST], v[MOST], *matrix = NULL, step = 1e-6;
    set_up(&b, 4);
    size_t n = b.phases->n;
    const struct sg_orbit_phase *open = &b.phases->phase[0];
    memcpy(u, b.shooter.u, n * sizeof *u);
    memcpy(v, b.shooter.v, n * sizeof *v);
    matrix = malloc(4 * n * n * sizeof *matrix);
    ck_assert_int_eq(sg_shoot_monodromy(&b.shooter, b.period, u, v, matrix), SG_ORBIT_ARRIVED);
    for (size_t c = 0; c < 2 * n; c++) {
        double y[2][MOST], z[2][MOST], moved[MOST];
        for (int side = 0; side < 2; side++) {
            const double *from = c < n ? u : v;
            double unit = c < n ? 1 / open->omega[c] : 1, way = side == 0 ? step : -step;
            for (size_t i = 0; i < n; i++) moved[i] = from[i] + way * unit * open->phi[i + c % n * n];
            sg_orbit_flow_start(&b.shooter.flow, c < n ? moved : u, c < n ? v : moved);
            ck_assert_int_eq(sg_orbit_flow_run(&b.shooter.flow, b.period), SG_ORBIT_ARRIVED);
            sg_orbit_to_modes(&b.phases->phase[0], b.shooter.flow.u, b.shooter.flow.v, y[side], z[side]);
        }
        for (size_t k = 0; k < n; k++) {
            /* second derivatives of some 1e3, rounding 1e-14 / step */
            NEAR(open->omega[k] * (y[0][k] - y[1][k]) / (2 * step), matrix[k + c * 2 * n], 1e-6);
            NEAR((z[0][k] - z[1][k]) / (2 * step), matrix[n + k + c * 2 * n], 1e-6);
        }
    }
    free(matrix);
    tear_down(&b);
}
END_TEST

static void disturb(size_t n, double size, int seed, double *x)
{
    for (size_t i = 0; i < n; i++) x[i] *= 1 + size * cos(7.0 * (double)i + seed);
}

START_TEST(newton_returns)
{
    struct bench b;
    double start[MOST];
    set_up(&b, published[_i].elements);
    memcpy(start, b.x, sizeof start);
    for (int seed = 0; seed < 6; seed++) {
        memcpy(b.x, start, sizeof start);
        disturb(b.phases->n, 1e-3, seed, b.x);
        struct sg_shot shot = sg_shoot_half(&b.shooter, b.phases->n, b.period, b.x);
        ck_assert_int_eq(shot.end, SG_SHOT_HIT);
        ck_assert_int_le(shot.iterations, 8);
        NEAR(shot.energy, published[_i].energy, 1e-9);
    }
    tear_down(&b);
}
END_TEST

/* u -> u, v -> -v leads back */
START_TEST(motion_can_be_reversed)
{
    struct bench b;
    set_up(&b, 4);
    struct sg_orbit_flow *flow = &b.shooter.flow;
    double u[MOST], v[MOST];
    size_t n = b.phases->n;
    sg_orbit_flow_start(flow, b.shooter.u, b.shooter.v);
    ck_assert_int_eq(sg_orbit_flow_run(flow, 2.9), SG_ORBIT_ARRIVED);
    ck_assert_uint_eq(flow->switch_count, 2);
    memcpy(u, flow->u, n * sizeof *u);
    for (size_t i = 0; i < n; i++) v[i] = -flow->v[i];
    sg_orbit_flow_start(flow, u, v);
    ck_assert_int_eq(sg_orbit_flow_run(flow, 2.9), SG_ORBIT_ARRIVED);
    for (size_t i = 0; i < n; i++) {
        NEAR(flow->u[i], b.shooter.u[i], 1e-10);
        NEAR(flow->v[i], 0, 1e-10);
    }
    tear_down(&b);
}
END_TEST

/* The same orbit from an instant in the middle of it, disturbed. */
START_TEST(whole_period_finds_the_orbit)
{
    struct bench b;
    struct sg_shot shot;
    set_up(&b, 4);
    double u[MOST], v[MOST];
    size_t n = b.phases->n;
    sg_orbit_flow_start(&b.shooter.flow, b.shooter.u, b.shooter.v);
    sg_orbit_flow_run(&b.shooter.flow, 0.8);
    memcpy(u, b.shooter.flow.u, n * sizeof *u);
    memcpy(v, b.shooter.flow.v, n * sizeof *v);
    disturb(n, 1e-3, 0, u);
    disturb(n, 1e-3, 0, v);
    ck_assert_int_eq(sg_shoot_full(&b.shooter, b.period, u, v, &shot, &b.err), SG_OK);
    ck_assert_int_eq(shot.end, SG_SHOT_HIT);
    ck_assert_int_le(shot.iterations, 8);
    NEAR(shot.energy, published[1].energy, 1e-8);
    ck_assert_uint_eq(shot.switches, 2);
    tear_down(&b);
}
END_TEST

/* a step along the tangent, corrected on a line across it, and the orbit at the period that this gives */
START_TEST(branch_goes_along_its_tangent)
{
    struct bench b;
    double before[MOST] = {0}, tangent[MOST], ahead[MOST], x[MOST], length = 0.02;
    set_up(&b, 4);
    size_t n = b.phases->n;
    struct sg_shoot_scale scale = {sqrt(2 * b.shot.energy), 0.1};
    before[n] = -1;
    ck_assert(sg_shoot_tangent(&b.shooter, n, &scale, before, tangent));
    for (size_t k = 0; k < n; k++) x[k] = ahead[k] = b.x[k] + length * tangent[k];
    ahead[n] = log(b.period) + length * tangent[n];
    double period = exp(ahead[n]);
    ck_assert(period < b.period);
    struct sg_shoot_line line = {tangent, ahead};
    struct sg_shot shot = sg_shoot_line(&b.shooter, n, &line, &period, x);
    ck_assert_int_eq(shot.end, SG_SHOT_HIT);
    ck_assert_int_le(shot.iterations, 5);
    NEAR(log(period), ahead[n], length * length);
    struct sg_shot same = sg_shoot_half(&b.shooter, n, period, x);
    ck_assert_int_le(same.iterations, 1);
    NEAR(same.energy, shot.energy, 1e-9 * shot.energy);
    tear_down(&b);
}
END_TEST

/* A gap that is 0 without a rate opens or closes by the acceleration without contact. */
START_TEST(grazing_starts_by_acceleration)
{
    struct bench b;
    double u[MOST], v[MOST] = {0};
    set_up(&b, 2);
    const struct sg_orbit_phase *open = &b.phases->phase[0];
    size_t n = b.phases->n;
    for (int mode = 0; mode < 2; mode++) {
        /* at the far end of its swing a mode comes back; the other mode alone at its other end, pushed */
        double reach = -1 / open->sway[mode];
        for (size_t i = 0; i < n; i++) u[i] = reach * open->phi[i + (size_t)mode * n];
        sg_orbit_flow_start(&b.shooter.flow, u, v);
        ck_assert_uint_eq(b.shooter.flow.mask, 0);
    }
    /* modes 1 and 2, the second outweighing: u = a phi_1 + c phi_2 with gap 0 and gap'' < 0 */
    double a = 3 / -open->sway[0], c = -2 / -open->sway[1];
    double rise = pow(open->omega[0], 2) * 3 - pow(open->omega[1], 2) * 2;
    ck_assert(rise < 0);
    for (size_t i = 0; i < n; i++) u[i] = a * open->phi[i] + c * open->phi[i + n];
    sg_orbit_flow_start(&b.shooter.flow, u, v);
    ck_assert_uint_eq(b.shooter.flow.mask, 1);
    tear_down(&b);
}
END_TEST

Suite *sg_suite_orbit(void)
{
    Suite *suite = suite_create("orbit");
    TCase *tcase = tcase_create("orbit");
    tcase_add_checked_fixture(tcase, NULL, release_arena);
    tcase_add_loop_test(tcase, orbits_of_figure_5, 0, sizeof published / sizeof *published);
    tcase_add_test(tcase, derivatives_are_those_of_differences);
    tcase_add_loop_test(tcase, newton_returns, 0, sizeof published / sizeof *published);
    tcase_add_test(tcase, motion_can_be_reversed);
    tcase_add_test(tcase, whole_period_finds_the_orbit);
    tcase_add_test(tcase, branch_goes_along_its_tangent);
    tcase_add_test(tcase, grazing_starts_by_acceleration);
    suite_add_tcase(suite, tcase);
    return suite;
}
