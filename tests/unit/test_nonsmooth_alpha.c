/* The step of the nonsmooth generalized-alpha method on problems written out by hand: its tangent against
 * differences, the release of a multiplier, solvers against one another, orders, closed forms. */
#include <stdint.h>
#include <stdlib.h>

#include "linalg/small.h"
#include "toy_alpha.h"

/* --- the tangent against differences -------------------------------------------------------------- */

enum sets { EMPTY, FULL, MIXED };

/* four dofs, a curved bilateral constraint, two curved contacts; all matrices full */
static void make_curved(struct toy *toy, size_t tangents, enum sets sets)
{
    unsigned long long seed = 88172645463325252ULL;
    *toy = (struct toy){.n = 4, .bilateral = 1, .unilateral = 2, .tangents = tangents, .cubic = 3};
    for (size_t i = 0; i < toy->n; i++) {
        toy->load[i] = toy_random(&seed);
        for (size_t k = 0; k <= i; k++) {
            toy->mass[i][k] = toy->mass[k][i] = 0.2 * toy_random(&seed) + (i == k ? 2 : 0);
            toy->stiffness[i][k] = toy->stiffness[k][i] = toy_random(&seed) + (i == k ? 5 : 0);
            toy->damping[i][k] = toy->damping[k][i] = 0.3 * toy_random(&seed) + (i == k ? 1 : 0);
        }
    }
    for (size_t j = 0; j < 3; j++)
        for (size_t i = 0; i < toy->n; i++) {
            toy->b[j][i] = toy_random(&seed);
            for (size_t k = 0; k <= i; k++) toy->H[j][i][k] = toy->H[j][k][i] = toy_random(&seed);
        }
    for (size_t k = 0; k < 2 * tangents; k++)
        for (size_t i = 0; i < toy->n; i++) toy->T[k][i] = toy_random(&seed);
    /* far open, far closed */
    toy->c[1] = sets == EMPTY ? 40 : -40;
    toy->c[2] = sets == FULL ? -40 : 40;
    toy->laws[0].restitution = 0.5;
    toy->friction[0] = toy->friction[1] = 0.4;
}

/* an iterate in the middle of nowhere, multipliers as the sets want them */
static void scatter(struct toy *toy, double h)
{
    struct sg_ggl *ggl = &toy->ggl;
    unsigned long long seed = 1234567;
    double *const vectors[] = {toy->state[0][0], toy->state[0][1], toy->state[0][2], ggl->vd0};
    double *const unknowns[] = {ggl->vd, ggl->U, ggl->W, ggl->own[0], ggl->own[1], toy->state[1][2]};
    for (size_t k = 0; k < 4; k++)
        for (size_t i = 0; i < toy->n; i++) vectors[k][i] = toy_random(&seed);
    for (size_t k = 0; k < 6; k++)
        for (size_t i = 0; i < toy->n; i++) unknowns[k][i] = toy_random(&seed);
    ggl->t = ggl->h = h;
    ggl->q0 = toy->state[0][0];
    ggl->v0 = toy->state[0][1];
    ggl->q = toy->state[1][0];
    ggl->v = toy->state[1][1];
    ggl->a = toy->state[1][2];
    ggl->qt = ggl->own[0];
    ggl->vt = ggl->own[1];
    for (size_t j = 0; j < ggl->rows; j++) {
        bool open = j >= toy->bilateral && toy->c[j] > 0;
        ggl->rate0[j] = toy_random(&seed);
        ggl->lam[j] = open ? 0 : 3 + toy_random(&seed);
        ggl->nu[j] = open ? 0 : 5 + toy_random(&seed);
        ggl->Lam[j] = open ? 0 : 30 + toy_random(&seed);
    }
}

static void residual(struct sg_ggl *ggl, int blocks, double *r)
{
    sg_ggl_evaluate(ggl);
    sg_ggl_right_side(ggl, blocks, r);
}

/* first unknowns of the blocks, SIZE_MAX where there is none, in order */
static size_t bounds(const struct sg_ggl_layout *at, size_t *bound)
{
    const size_t starts[] = {at->motion[SG_GGL_JUMP],
                             at->multiplier[SG_GGL_JUMP],
                             at->motion[SG_GGL_SMOOTH],
                             at->multiplier[SG_GGL_SMOOTH],
                             at->motion[SG_GGL_CORRECTION],
                             at->multiplier[SG_GGL_CORRECTION],
                             at->total};
    size_t count = 0;
    for (size_t k = 0; k < sizeof starts / sizeof *starts; k++)
        if (starts[k] != SIZE_MAX && (count == 0 || starts[k] > bound[count - 1])) bound[count++] = starts[k];
    return count;
}

static void compare_blocks(const struct sg_ggl_layout *at, const double *s, const double *fd,
                           const char *what)
{
    size_t bound[8], count = bounds(at, bound), size = at->total;
    for (size_t r = 0; r + 1 < count; r++)
        for (size_t c = 0; c + 1 < count; c++) {
            double worst = 0;
            for (size_t j = bound[c]; j < bound[c + 1]; j++)
                for (size_t i = bound[r]; i < bound[r + 1]; i++)
                    worst = fmax(worst, fabs(s[i + j * size] - fd[i + j * size]));
            /* central differences of step 1e-5: exact for polynomials of order 2, 1e-10 for the cubic force,
             * rounding 1e-16 of numbers up to 1e3 over the step */
            ck_assert_msg(worst <= 1e-7, "%s: block (%zu, %zu) of S_t is off by %g", what, r, c, worst);
        }
}

static void check_tangent(struct toy *toy, int blocks, const char *what)
{
    struct sg_ggl *ggl = &toy->ggl;
    double x[32], plus[32], minus[32], *s, *fd, h = 0.13, step = 1e-5;
    scatter(toy, h);
    sg_ggl_evaluate(ggl);
    toy->problem.linearize(toy, ggl->t, ggl->q, ggl->v);
    struct sg_ggl_layout at = sg_ggl_layout(ggl, blocks);
    size_t size = at.total;
    ck_assert_uint_le(size, 32);
    s = calloc(size * size, sizeof *s);
    fd = calloc(size * size, sizeof *fd);
    ck_assert(s != NULL && fd != NULL);
    sg_ggl_assemble(ggl, blocks);
    if (ggl->saddle.dense != NULL) memcpy(s, ggl->saddle.dense, size * size * sizeof *s);
    for (size_t k = 0; k < ggl->saddle.count; k++)
        s[(size_t)ggl->saddle.row[k] + (size_t)ggl->saddle.column[k] * size] += ggl->saddle.value[k];
    for (size_t j = 0; j < size; j++) {
        memset(x, 0, sizeof x);
        x[j] = step;
        sg_ggl_apply(ggl, blocks, x);
        residual(ggl, blocks, plus);
        x[j] = -2 * step;
        sg_ggl_apply(ggl, blocks, x);
        residual(ggl, blocks, minus);
        x[j] = step;
        sg_ggl_apply(ggl, blocks, x);
        ck_assert_uint_eq(sg_ggl_layout(ggl, blocks).total, size);
        for (size_t i = 0; i < size; i++) fd[i + j * size] = (minus[i] - plus[i]) / (2 * step);
    }
    compare_blocks(&at, s, fd, what);
    free(s);
    free(fd);
}

START_TEST(tangent_agrees_with_differences)
{
    static const char *const names[] = {"empty sets", "full sets", "mixed sets"};
    static const enum sg_ggl_level levels[] = {SG_GGL_BOTH, SG_GGL_VELOCITY, SG_GGL_POSITION};
    for (int sets = EMPTY; sets <= MIXED; sets++)
        for (size_t k = 0; k < 3; k++) {
            struct toy toy;
            struct sg_ggl_spec spec = toy_spec(0.8);
            spec.level = levels[k];
            make_curved(&toy, 0, (enum sets)sets);
            toy_open(&toy, spec);
            check_tangent(&toy, SG_GGL_ALL, names[sets]);
            size_t pushed = k == 2 ? 0 : 1 + (size_t)sets * (sets == FULL ? 2 : 0) + (sets == MIXED ? 1 : 0);
            ck_assert_uint_eq(toy.ggl.part[SG_GGL_JUMP].active.count, pushed);
            toy_close(&toy);
        }
}
END_TEST

START_TEST(tangents_of_the_blocks_alone)
{
    static const int blocks[] = {SG_GGL_ONLY(SG_GGL_SMOOTH), SG_GGL_ONLY(SG_GGL_CORRECTION),
                                 SG_GGL_ONLY(SG_GGL_JUMP)};
    for (size_t k = 0; k < 3; k++) {
        struct toy toy;
        make_curved(&toy, 0, FULL);
        toy_open(&toy, toy_spec(0.5));
        check_tangent(&toy, blocks[k], "a block of the sequential form");
        toy_close(&toy);
    }
}
END_TEST

START_TEST(tangent_of_the_modified_condition)
{
    struct toy toy;
    struct sg_ggl_spec spec = toy_spec(0.8);
    spec.variant = SG_GGL_MODIFIED;
    make_curved(&toy, 0, FULL);
    toy_open(&toy, spec);
    check_tangent(&toy, SG_GGL_ALL, "modified, closed");
    toy_close(&toy);
    /* open at q, but closed at q~: pushed and not closed, so that nu follows Lam */
    make_curved(&toy, 0, FULL);
    toy.c[1] = -1;
    memset(toy.H[1], 0, sizeof toy.H[1]);
    memset(toy.b[1], 0, sizeof toy.b[1]);
    toy.b[1][0] = 1;
    toy_open(&toy, spec);
    scatter(&toy, 0.13);
    toy.ggl.U[0] = 80;
    toy.ggl.nu[1] = 0;
    sg_ggl_evaluate(&toy.ggl);
    ck_assert(toy.ggl.follows[1] && toy.ggl.part[SG_GGL_JUMP].active.count == 3 &&
              toy.ggl.part[SG_GGL_CORRECTION].active.count == 2);
    /* nu follows Lam to the last bit */
    ck_assert(toy.ggl.nu[1] == toy.ggl.h * toy.ggl.Lam[1]);
    toy_close(&toy);
}
END_TEST

/* stick where the impulse lies inside its cone, slip outside; what stuck before is held */
START_TEST(tangent_with_friction)
{
    for (size_t tangents = 1; tangents <= 2; tangents++)
        for (int turn = 0; turn < 3; turn++) {
            int slips = turn == 1;
            struct toy toy;
            make_curved(&toy, tangents, FULL);
            toy.friction[0] = toy.friction[1] = slips ? 0.01 : 100;
            toy_open(&toy, toy_spec(0.8));
            memset(toy.ggl.stuck, turn == 2, 2);
            for (size_t k = 0; k < 2 * tangents; k++) toy.ggl.LamT[k] = 1 + 0.3 * (double)k;
            check_tangent(&toy, SG_GGL_ALL, slips ? "slip" : "stick");
            ck_assert_int_eq(toy.ggl.slip[0], slips);
            ck_assert_uint_eq(toy.ggl.part[SG_GGL_CORRECTION].active.count,
                              3 + (turn == 2 ? 2 * tangents : 0));
            toy_close(&toy);
        }
}
END_TEST

/* Without a contact that pushes the whole system gives a kick of zero, and what the step takes is its rest.
 */
START_TEST(kicks_that_are_left_out_are_zero)
{
    struct toy toy;
    struct sg_ggl *ggl = &toy.ggl;
    double x[32], vt[4], U[4];
    size_t pivot[32];
    make_curved(&toy, 0, EMPTY);
    toy_open(&toy, toy_spec(0.8));
    scatter(&toy, 0.13);
    memset(ggl->W, 0, toy.n * sizeof(double));
    memset(ggl->Lam, 0, ggl->rows * sizeof(double));
    sg_ggl_evaluate(ggl);
    toy.problem.linearize(&toy, ggl->t, ggl->q, ggl->v);
    struct sg_ggl_layout at = sg_ggl_layout(ggl, SG_GGL_ALL);
    ck_assert_uint_eq(at.total, 3 * toy.n + 3);
    sg_ggl_assemble(ggl, SG_GGL_ALL);
    sg_ggl_right_side(ggl, SG_GGL_ALL, x);
    ck_assert(sg_small_factor(at.total, ggl->saddle.dense, pivot));
    sg_small_solve(at.total, ggl->saddle.dense, pivot, x);
    memcpy(vt, ggl->vt, sizeof vt);
    memcpy(U, ggl->U, sizeof U);
    ck_assert_int_eq(sg_ggl_correct(ggl, SG_GGL_ALL, &toy.err), SG_OK);
    ck_assert(ggl->Lam[0] == 0);
    for (size_t i = 0; i < toy.n; i++) {
        /* rounding of a solve of 15 unknowns of size 1 to 10 */
        ck_assert_double_le(fabs(x[at.motion[SG_GGL_JUMP] + i]), 1e-12);
        ck_assert_double_eq_tol(ggl->vt[i], vt[i] + x[at.motion[SG_GGL_SMOOTH] + i], 1e-12);
        ck_assert_double_eq_tol(ggl->U[i], U[i] + ggl->h * x[at.motion[SG_GGL_CORRECTION] + i], 1e-12);
        ck_assert_double_ge(fabs(x[at.motion[SG_GGL_SMOOTH] + i]), 1e-3);
        ck_assert(ggl->W[i] == 0);
    }
    toy_close(&toy);
}
END_TEST

/* --- a bar with consistent mass ------------------------------------------------------------------- */

/* nodes 0 .. n - 1, node 0 towards the wall, all matrices of unit elements */
static void make_bar(struct toy *toy, size_t n)
{
    *toy = (struct toy){.n = n, .unilateral = 1, .linear = true, .affine = true};
    for (size_t e = 0; e + 1 < n; e++)
        for (size_t i = 0; i < 2; i++)
            for (size_t k = 0; k < 2; k++) {
                toy->mass[e + i][e + k] += (i == k ? 2.0 : 1.0) / 6;
                toy->stiffness[e + i][e + k] += i == k ? 40 : -40;
            }
    toy->b[0][0] = 1;
}

/* Newton's step from an iterate whose contact has just opened: both multipliers and what they moved must be
 * gone, which the printed signs of the residuals would double. Linear: one step is exact. */
static void check_release(enum sg_ggl_method method)
{
    struct toy toy;
    struct sg_ggl_spec spec = toy_spec(0.8);
    spec.method = method;
    make_bar(&toy, 6);
    toy.c[0] = 0.5;
    toy_open(&toy, spec);
    struct sg_ggl *ggl = &toy.ggl;
    scatter(&toy, 0.1);
    memset(ggl->lam, 0, sizeof(double));
    ggl->candidate[0] = 1;
    for (size_t i = 0; i < toy.n; i++) ggl->qt[i] = ggl->vt[i] = 0.3; /* g(q~) = 0.8: open */
    ggl->nu[0] = 0.01;
    ggl->Lam[0] = 2;
    sg_ggl_evaluate(ggl);
    ck_assert_uint_eq(ggl->part[SG_GGL_CORRECTION].active.count + ggl->part[SG_GGL_JUMP].active.count, 0);
    ck_assert_int_eq(sg_ggl_correct(ggl, SG_GGL_ALL, &toy.err), SG_OK);
    for (size_t i = 0; i < toy.n; i++) {
        /* rounding of numbers of size 1 through a 6 x 6 solve */
        ck_assert_double_le(fabs(ggl->U[i]), 1e-14);
        ck_assert_double_le(fabs(ggl->W[i]), 1e-14);
    }
    ck_assert(ggl->nu[0] == 0 && ggl->Lam[0] == 0);
    sg_ggl_evaluate(ggl);
    ck_assert_double_le(sg_ggl_residual(ggl, SG_GGL_ALL), 1e-13);
    toy_close(&toy);
}

START_TEST(a_released_multiplier_is_gone_at_once)
{
    check_release(SG_GGL_DENSE);
    check_release(SG_GGL_SPARSE);
    check_release(SG_GGL_SCHUR);
}
END_TEST

/* a damped bar that is tied to the ground by a row in its middle, and hits the wall */
static void run_bar(struct toy *toy, enum sg_ggl_method method, enum sg_ggl_coupling coupling, int steps)
{
    struct sg_ggl_spec spec = toy_spec(0.7);
    spec.method = method;
    spec.coupling = coupling;
    make_bar(toy, 8);
    for (size_t i = 0; i < 8; i++)
        for (size_t k = 0; k < 8; k++)
            toy->damping[i][k] = 0.002 * toy->stiffness[i][k] + 0.05 * toy->mass[i][k];
    toy->bilateral = 1;
    toy->b[1][0] = 1;
    toy->c[1] = 0.05;
    toy->b[0][0] = 0;
    toy->b[0][3] = 1;
    toy->b[0][5] = -1; /* two nodes move as one */
    toy->laws[0].restitution = 0.3;
    for (size_t i = 0; i < 8; i++) toy->state[0][1][i] = -1;
    for (size_t i = 0; i < 8; i++) toy->load[i] = 0.1 * (double)i;
    toy_open(toy, spec);
    toy_begin(toy, NULL);
    for (int k = 0; k < steps; k++) toy_step(toy, 0.02 * k, 0.02);
}

START_TEST(solvers_agree)
{
    static const enum sg_ggl_method methods[] = {SG_GGL_DENSE, SG_GGL_SPARSE, SG_GGL_SCHUR, SG_GGL_CONDENSED};
    struct toy first, other;
    run_bar(&first, methods[0], SG_GGL_MONOLITHIC, 200);
    for (size_t k = 1; k < 4; k++) {
        run_bar(&other, methods[k], SG_GGL_MONOLITHIC, 200);
        ck_assert_int_eq(other.ggl.method, methods[k]);
        for (size_t i = 0; i < 8; i++) {
            /* 200 steps of linear equations solved to 1e-12 of speeds of size 1 */
            ck_assert_double_eq_tol(first.state[0][0][i], other.state[0][0][i], 1e-10);
            ck_assert_double_eq_tol(first.state[0][1][i], other.state[0][1][i], 1e-9);
        }
        ck_assert_double_eq_tol(first.ggl.lam[0], other.ggl.lam[0], 1e-7);
        toy_close(&other);
    }
    /* the tie holds at both levels, and the wall is not entered */
    ck_assert_double_le(fabs(first.state[0][0][3] - first.state[0][0][5]), 1e-12);
    ck_assert_double_le(fabs(first.state[0][1][3] - first.state[0][1][5]), 1e-10);
    ck_assert_double_ge(first.state[0][0][0], -0.05 - 1e-12);
    toy_close(&first);
}
END_TEST

START_TEST(the_sequential_form_ends_where_the_monolithic_one_does)
{
    struct toy together, in_turn;
    run_bar(&together, SG_GGL_DENSE, SG_GGL_MONOLITHIC, 100);
    run_bar(&in_turn, SG_GGL_DENSE, SG_GGL_SEQUENTIAL, 100);
    for (size_t i = 0; i < 8; i++)
        ck_assert_double_eq_tol(together.state[0][0][i], in_turn.state[0][0][i], 1e-10);
    ck_assert_int_gt(in_turn.ggl.counts.newton, together.ggl.counts.newton);
    toy_close(&together);
    toy_close(&in_turn);
}
END_TEST

/* --- a ball --------------------------------------------------------------------------------------- */

static void make_ball(struct toy *toy, double height, double e)
{
    *toy = (struct toy){.n = 1, .unilateral = 1, .linear = true, .affine = true};
    toy->mass[0][0] = 2;
    toy->load[0] = -20;
    toy->b[0][0] = 1;
    toy->laws[0].restitution = e;
    toy->state[0][0][0] = height;
}

/* In free flight the scheme is exact; in the step of an impact q = 0, v = -e v_n and Lam = m (v_{n+1} - v_n)
 * + h m g, of eq. (35). */
START_TEST(a_ball_does_what_is_written)
{
    struct toy toy;
    double h = 0.01;
    make_ball(&toy, 0.3217, 0.6);
    toy_open(&toy, toy_spec(0.8));
    toy_begin(&toy, NULL);
    for (int k = 1; k <= 25; k++) {
        toy_step(&toy, h * (k - 1), h);
        double t = h * k;
        ck_assert_double_eq_tol(toy.state[0][0][0], 0.3217 - 5 * t * t, 1e-14);
        ck_assert_double_eq_tol(toy.state[0][1][0], -10 * t, 1e-14);
    }
    toy_step(&toy, 25 * h, h); /* lands at .2537 s */
    ck_assert_double_le(fabs(toy.state[0][0][0]), 1e-16);
    ck_assert_double_eq_tol(toy.state[0][1][0], 0.6 * 2.5, 1e-13);
    ck_assert_double_eq_tol(toy.ggl.Lam[0], 2 * (1.6 * 2.5) + h * 20, 1e-12);
    toy_close(&toy);
}
END_TEST

/* rest on the floor is a fixed point, Lam / h the weight: Property 2 */
START_TEST(a_ball_rests)
{
    static const enum sg_ggl_level levels[] = {SG_GGL_BOTH, SG_GGL_VELOCITY};
    for (size_t k = 0; k < 2; k++) {
        struct toy toy;
        struct sg_ggl_spec spec = toy_spec(0.8);
        spec.level = levels[k];
        make_ball(&toy, 0, 0.9);
        toy_open(&toy, spec);
        toy_begin(&toy, NULL);
        for (int i = 0; i < 1000; i++) toy_step(&toy, 0.01 * i, 0.01);
        ck_assert_double_le(fabs(toy.state[0][0][0]), 1e-15);
        ck_assert_double_le(fabs(toy.state[0][1][0]), 1e-15);
        ck_assert_double_eq_tol(toy.ggl.Lam[0] / 0.01, 20, 1e-10);
        toy_close(&toy);
    }
}
END_TEST

/* m/s: mean error of the velocity .2 s after the first impact over heights that put it anywhere in its step
 */
static double impact_error(double h)
{
    enum { PHASES = 32 };
    double sum = 0;
    for (int phase = 0; phase < PHASES; phase++) {
        double impact = 0.2 + h * (phase + 0.5) / PHASES, e = 0.5, t = 0;
        struct toy toy;
        make_ball(&toy, 5 * impact * impact, e);
        toy_open(&toy, toy_spec(0.8));
        toy_begin(&toy, NULL);
        for (int k = 0; k < (int)lround(0.36 / h); k++, t += h) toy_step(&toy, t, h);
        sum += fabs(toy.state[0][1][0] - (e * 10 * impact - 10 * (t - impact))) / PHASES;
        toy_close(&toy);
    }
    return sum;
}

START_TEST(order_1_with_impacts)
{
    double coarse = impact_error(0.02), middle = impact_error(0.01), fine = impact_error(0.005);
    /* phases are averaged at midpoints: the mean halves but for rounding */
    ck_assert_double_eq_tol(log2(coarse / middle), 1, 0.02);
    ck_assert_double_eq_tol(log2(middle / fine), 1, 0.02);
}
END_TEST

/* --- a pendulum ----------------------------------------------------------------------------------- */

/* x^2 + y^2 = 1 as (x^2 + y^2 - 1) / 2 = 0, m = 1, g = 10, from rest at the angle below the horizontal */
static void make_pendulum(struct toy *toy, double angle)
{
    *toy = (struct toy){.n = 2, .bilateral = 1, .linear = true};
    toy->mass[0][0] = toy->mass[1][1] = 1;
    toy->load[1] = -10;
    toy->c[0] = -0.5;
    toy->H[0][0][0] = toy->H[0][1][1] = 1;
    toy->state[0][0][0] = cos(angle);
    toy->state[0][0][1] = -sin(angle);
}

/* angle below the horizontal and its rate, by the classical method of Runge and Kutta: theta'' = 10 cos theta
 */
static void swing(double angle, double end, double out[2])
{
    enum { STEPS = 20000 };
    double h = end / STEPS, y[2] = {angle, 0};
    for (int i = 0; i < STEPS; i++) {
        double k[4][2], at[2];
        for (int s = 0; s < 4; s++) {
            double share = s == 0 ? 0 : s < 3 ? 0.5 : 1;
            for (int d = 0; d < 2; d++) at[d] = y[d] + (s == 0 ? 0 : share * h * k[s - 1][d]);
            k[s][0] = at[1];
            k[s][1] = 10 * cos(at[0]);
        }
        for (int d = 0; d < 2; d++) y[d] += h / 6 * (k[0][d] + 2 * k[1][d] + 2 * k[2][d] + k[3][d]);
    }
    out[0] = y[0];
    out[1] = y[1];
}

/* errors of position, velocity and multiplier after 1 s */
static void pendulum_errors(double h, double error[3])
{
    struct toy toy;
    double exact[2], bias = 0;
    make_pendulum(&toy, 0.2);
    toy_open(&toy, toy_spec(0.8));
    toy_begin(&toy, &bias);
    for (int k = 0; k < (int)lround(1 / h); k++) toy_step(&toy, h * k, h);
    swing(0.2, 1, exact);
    double c = cos(exact[0]), s = sin(exact[0]), w = exact[1];
    error[0] = hypot(toy.state[0][0][0] - c, toy.state[0][0][1] + s);
    error[1] = hypot(toy.state[0][1][0] + s * w, toy.state[0][1][1] + c * w);
    /* of the row (r^2 - 1)/2: r . v' + v^2 = 0, so lam = r . (g_vector) - v^2 .. = -(10 sin + w^2) */
    error[2] = fabs(toy.ggl.lam[0] + 10 * s + w * w);
    toy_close(&toy);
}

START_TEST(order_2_without_impacts)
{
    double coarse[3], fine[3];
    pendulum_errors(0.005, coarse);
    pendulum_errors(0.0025, fine);
    for (int k = 0; k < 3; k++) /* 2.00 to two digits; what is beyond the leading term halves with the step */
        ck_assert_msg(fabs(log2(coarse[k] / fine[k]) - 2) < 0.05, "quantity %d: order %g (%g, %g)", k,
                      log2(coarse[k] / fine[k]), coarse[k], fine[k]);
}
END_TEST

START_TEST(constraints_hold_for_a_minute)
{
    struct toy toy;
    double bias = 0, worst = 0, rate = 0;
    make_pendulum(&toy, 0.2);
    toy_open(&toy, toy_spec(0.8));
    toy_begin(&toy, &bias);
    for (int k = 0; k < 6000; k++) {
        toy_step(&toy, 0.01 * k, 0.01);
        const double *q = toy.state[0][0], *v = toy.state[0][1];
        worst = fmax(worst, fabs(hypot(q[0], q[1]) - 1));
        rate = fmax(rate, fabs(q[0] * v[0] + q[1] * v[1]));
    }
    /* the tolerance of Newton's iterations, 1e-12 of 5 m/s */
    ck_assert_double_le(worst, 1e-12);
    ck_assert_double_le(rate, 1e-11);
    toy_close(&toy);
}
END_TEST

Suite *sg_suite_nonsmooth_alpha(void);

Suite *sg_suite_nonsmooth_alpha(void)
{
    Suite *suite = suite_create("nonsmooth_alpha");
    TCase *tangent = tcase_create("tangent"), *steps = tcase_create("steps");
    tcase_add_test(tangent, tangent_agrees_with_differences);
    tcase_add_test(tangent, tangents_of_the_blocks_alone);
    tcase_add_test(tangent, tangent_of_the_modified_condition);
    tcase_add_test(tangent, tangent_with_friction);
    tcase_add_test(tangent, kicks_that_are_left_out_are_zero);
    tcase_add_test(tangent, a_released_multiplier_is_gone_at_once);
    tcase_add_test(steps, solvers_agree);
    tcase_add_test(steps, the_sequential_form_ends_where_the_monolithic_one_does);
    tcase_add_test(steps, a_ball_does_what_is_written);
    tcase_add_test(steps, a_ball_rests);
    tcase_add_test(steps, order_1_with_impacts);
    tcase_add_test(steps, order_2_without_impacts);
    tcase_add_test(steps, constraints_hold_for_a_minute);
    suite_add_tcase(suite, tangent);
    suite_add_tcase(suite, steps);
    return suite;
}
