/* Two free disks that collide with friction: momenta with spin, and the impulse of the rigid collision. */
#include <stdio.h>

#include "run_fixture.h"

/* m; kg; kg m^2: of two solid disks */
static const double radius[2] = {0.1, 0.2}, mass[2] = {1.0, 3.0}, inertia[2] = {0.005, 0.06};

/* m, m/s: where disks touch, b from a, on a line of centres that is off the axes; velocities before */
static const double touch[2] = {0.18, 0.24}, before[2][2] = {{1.5, 2.2}, {-0.5, 0.3}};

#define RESTITUTION 0.5
#define STEP        1e-3

static const char *const schemes[] = {
    "integrator = {type = \"theta\";}; strategy = {type = \"time-stepping\";};",
    "integrator = {type = \"generalized-alpha\";}; strategy = {type = \"time-stepping\"; level = "
    "\"both\"; residual_tolerance = 1e-13;};"};

struct throw
{
    double mu, spin; /* spin: rad/s of disk a; that of b is -1 */
};
static const struct throw throws[] = {{0.3, 4}, {0.01, 4}, {0.3, -4}, {0.05, -4}, {0.05, 20}, {0, 4}};

/* The disks fly `flight` s until they touch. */
static struct run collide(const char *scheme, const struct throw *thrown, double flight, double step)
{
    struct run run;
    char deck[2048];
    snprintf(deck, sizeof deck,
             "bodies = ({type = \"multibody\"; name = \"a\"; positions = [%.17g, %.17g]; masses = [1.0]; "
             "inertias = [0.005];}, {type = \"multibody\"; name = \"b\"; positions = [%.17g, %.17g]; "
             "masses = [3.0]; inertias = [0.06];}); contacts = ({type = \"nodes\"; nodes = [\"a\", \"b\"]; "
             "radii = [0.1, 0.2]; restitution = 0.5; friction = %.17g;});"
             "initial = ({node = \"a\"; velocity_vector = [1.5, 2.2]; angular_velocity = %.17g;},"
             "{node = \"b\"; velocity_vector = [-0.5, 0.3]; angular_velocity = -1.0;});"
             "%s time = {end = 0.1; step = %.17g;};",
             -flight * before[0][0], -flight * before[0][1], touch[0] - flight * before[1][0],
             touch[1] - flight * before[1][1], thrown->mu, thrown->spin, scheme, step);
    RUN(&run, deck);
    return run;
}

/* kg m/s twice, kg m^2/s about the origin, spin included */
static void momenta(const struct run_row *row, double flight, double p[3])
{
    p[0] = p[1] = p[2] = 0;
    for (int k = 0; k < 2; k++) {
        const double *u = row->u + 3 * k, *v = row->v + 3 * k;
        p[0] += mass[k] * v[0];
        p[1] += mass[k] * v[1];
        double x = u[0] + k * touch[0] - flight * before[k][0],
               y = u[1] + k * touch[1] - flight * before[k][1];
        p[2] += mass[k] * (x * v[1] - y * v[0]) + inertia[k] * v[2];
    }
}

/* what a component of the momenta has gained */
static double turned(const struct run *run, double flight, size_t component)
{
    double start[3], end[3];
    momenta(&run->rows[0], flight, start);
    momenta(run_last(run), flight, end);
    return end[component] - start[component];
}

/* m/s: of b's point of contact over a's, along n and along its left hand */
static void relative(const double *v, const double n[2], double w[2])
{
    double dx = v[3] - v[0], dy = v[4] - v[1];
    w[0] = n[0] * dx + n[1] * dy;
    w[1] = -n[1] * dx + n[0] * dy - radius[0] * v[2] - radius[1] * v[5];
}

/* N s: of the rigid collision with velocities w, friction up to mu. The normal is central, so that normal
 * and tangent don't couple. `leave` is the speed with which they part. */
static void closed_form(const double w[2], double leave, double mu, double p[2])
{
    double direct = 1 / mass[0] + 1 / mass[1];
    double along = direct + radius[0] * radius[0] / inertia[0] + radius[1] * radius[1] / inertia[1];
    p[0] = (leave - w[0]) / direct;
    p[1] = -w[1] / along;
    if (fabs(p[1]) > mu * p[0]) p[1] = copysign(mu * p[0], p[1]);
}

/* s until the geometry that the scheme takes, of the middle of its step or of the end, is that of disks that
 * touch, 1e-12 of a step too late so that rounding leaves no gap */
static double touching(size_t scheme)
{
    return (scheme == 0 ? 0.5 : 1) * STEP * (1 - 1e-12);
}

/* the line of centres of a row, from a to b */
static void centres(const struct run_row *row, double flight, double n[2])
{
    double size = 0;
    for (int k = 0; k < 2; k++) {
        n[k] = row->u[3 + k] - row->u[k] + touch[k] - flight * (before[1][k] - before[0][k]);
        size = hypot(size, n[k]);
    }
    for (int k = 0; k < 2; k++) n[k] /= size;
}

/* The line of centres whose geometry the scheme takes for the impulse: theta's is that where they touch, that
 * of generalized-alpha that of the step's end, which half of the friction's impulse has moved by then. */
static void taken(size_t scheme, const struct run *run, double flight, double n[2])
{
    for (int k = 0; k < 2; k++) n[k] = touch[k] / 0.3;
    if (scheme == 1) centres(&run->rows[1], flight, n);
}

/* Where they touch, arms add up to the distance of the centres, and the impulse acts on one line: what one
 * disk gets the other loses. 1e-13: rounding of 100 steps on momenta of some 3 kg m/s. Generalized-alpha
 * moves the disks by (h/2) M^-1 H^T p_T within the step, which turns the line of centres by theta = (h/2) p_T
 * (1/m_a + 1/m_b)/.3 and the momentum by .3 p_N theta - (h/2) p_T w_N+ = -(h/2) p_T w_N-; what is left is of
 * second order in theta, 2e-3 at most: theta^2 (p_N + p_T) .3 < 4e-6. */
START_TEST(momenta_are_conserved)
{
    for (size_t s = 0; s < 2; s++) {
        double flight = touching(s), w[2], after[2], n[2];
        struct run run = collide(schemes[s], &throws[_i], flight, STEP);
        const double *v0 = run.rows[0].v, *v1 = run_last(&run)->v;
        ck_assert(run_last(&run)->impulse[0] > 1);
        taken(s, &run, flight, n);
        relative(v0, n, w);
        relative(v1, n, after);
        double along = 1 / mass[0] + 1 / mass[1] + radius[0] * radius[0] / inertia[0] +
                       radius[1] * radius[1] / inertia[1];
        double second = s == 0 ? 0 : -STEP / 2 * (after[1] - w[1]) / along * w[0];
        for (size_t k = 0; k < 2; k++) NEAR(turned(&run, flight, k), 0, 1e-13);
        NEAR(turned(&run, flight, 2), second, s == 0 ? 1e-13 : 4e-6);
        run_release(&run);
    }
}
END_TEST

/* m/s: e times the approach, which generalized-alpha takes along the line of centres at the start of the step
 * or at its end, whichever approaches less */
static double parting(size_t scheme, const double *v, const double n[2])
{
    double start[2] = {touch[0] - STEP * (before[1][0] - before[0][0]),
                       touch[1] - STEP * (before[1][1] - before[0][1])};
    double size = hypot(start[0], start[1]), w[2], first[2];
    relative(v, n, w);
    relative(v, (double[2]){start[0] / size, start[1] / size}, first);
    return -RESTITUTION * (scheme == 0 ? w[0] : fmax(w[0], first[0]));
}

/* 1e-12, 3e-12 of a tangential speed, which turns with the disks: the residuals of 3 N s that the solvers
 * leave, of generalized-alpha by the tolerance of 1e-13 that it is given; touching 1e-12 of a step off is far
 * less */
START_TEST(impulse_is_that_of_the_rigid_collision)
{
    const double mu = throws[_i].mu;
    for (size_t s = 0; s < 2; s++) {
        double flight = touching(s), n[2];
        struct run run = collide(schemes[s], &throws[_i], flight, STEP);
        const double *v0 = run.rows[0].v, *v1 = run_last(&run)->v;
        taken(s, &run, flight, n);
        double w[2], after[2], p[2], got = 3 * (n[0] * (v1[4] - v0[4]) - n[1] * (v1[3] - v0[3]));
        relative(v0, n, w);
        relative(v1, n, after);
        double leave = parting(s, v0, n);
        closed_form(w, leave, mu, p);
        NEAR(run_last(&run)->impulse[0], p[0], 1e-12);
        NEAR(got, p[1], 1e-12);
        for (int k = 0; k < 2; k++)
            NEAR(inertia[k] * (v1[3 * k + 2] - v0[3 * k + 2]), -radius[k] * p[1], 1e-12);
        NEAR(after[0], leave, 1e-12);
        if (fabs(p[1]) < mu * p[0])
            NEAR(after[1], 0, 3e-12);
        else
            ck_assert(after[1] * w[1] > 0);
        run_release(&run);
    }
}
END_TEST

/* the throws hold both cases, in both directions */
START_TEST(throws_stick_and_slide)
{
    const double n[2] = {touch[0] / 0.3, touch[1] / 0.3};
    int count[2][2] = {{0}};
    for (size_t k = 0; k < sizeof throws / sizeof *throws; k++) {
        double w[2], p[2], v[6] = {1.5, 2.2, throws[k].spin, -0.5, 0.3, -1};
        relative(v, n, w);
        closed_form(w, -RESTITUTION * w[0], throws[k].mu, p);
        count[fabs(p[1]) < throws[k].mu * p[0]][w[1] > 0]++;
    }
    ck_assert(count[0][0] > 0 && count[0][1] > 0 && count[1][1] > 0);
}
END_TEST

/* Met anywhere in a step the linear momentum is kept all the same. The angular momentum errs by the gap of
 * the geometry taken times the friction, |w_N| h p_T at most, and at position level by the push that takes
 * the overlap back, |w_N| h m_eff along n, across the sliding w_T. */
START_TEST(angular_momentum_in_any_step)
{
    static const double flights[] = {0.0303, 0.0307, 0.03049}, steps[] = {1e-3, 1e-4};
    const struct throw *thrown = &throws[_i];
    for (size_t s = 0; s < 2; s++)
        for (size_t k = 0; k < 6; k++) {
            double flight = flights[k / 2], step = steps[k % 2], w[2], p[2];
            struct run run = collide(schemes[s], thrown, flight, step);
            const double n[2] = {touch[0] / 0.3, touch[1] / 0.3};
            relative(run.rows[0].v, n, w);
            closed_form(w, -RESTITUTION * w[0], thrown->mu, p);
            for (size_t c = 0; c < 2; c++) NEAR(turned(&run, flight, c), 0, 1e-13);
            BELOW(fabs(turned(&run, flight, 2)),
                  1.1 * fabs(w[0]) * step * (fabs(p[1]) + 0.75 * hypot(2, 1.9)));
            run_release(&run);
        }
}
END_TEST

Suite *sg_suite_disk_friction(void);
Suite *sg_suite_disk_friction(void)
{
    const int count = sizeof throws / sizeof *throws;
    Suite *suite = suite_create("disk_friction");
    TCase *tests = tcase_create("collision");
    tcase_add_loop_test(tests, momenta_are_conserved, 0, count);
    tcase_add_loop_test(tests, impulse_is_that_of_the_rigid_collision, 0, count);
    tcase_add_loop_test(tests, angular_momentum_in_any_step, 0, count);
    tcase_add_test(tests, throws_stick_and_slide);
    suite_add_tcase(suite, tests);
    return suite;
}
