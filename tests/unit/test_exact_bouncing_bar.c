#include <check.h>
#include <math.h>

#include "benchmarks/exact/bouncing_bar.h"

Suite *sg_suite_exact_bouncing_bar(void);

static struct sg_bouncing_bar benchmark(void)
{
    struct sg_bouncing_bar bar;
    const struct sg_bouncing_bar_spec spec = sg_bouncing_bar_benchmark();
    ck_assert_int_eq(sg_bouncing_bar_init(&spec, &bar, NULL), SG_OK);
    return bar;
}

/* another member of the family: t_f = 4 tau, t_f = 2 s, tau = .5 s, E A = rho A c0^2 = 12 N */
static struct sg_bouncing_bar other(void)
{
    struct sg_bouncing_bar bar;
    const struct sg_bouncing_bar_spec spec = {
        .drop = 18.0, .length = 1.0, .wave_speed = 2.0, .gravity = 9.0, .line_density = 3.0};
    ck_assert_int_eq(sg_bouncing_bar_init(&spec, &bar, NULL), SG_OK);
    return bar;
}

START_TEST(published_contacts_and_period)
{
    const struct sg_bouncing_bar bar = benchmark();
    const double closes[] = {1.0, 11.0 / 3.0, 19.0 / 3.0, 9.0};
    /* 1e-14: a few roundings of numbers below 10 */
    for (size_t k = 0; k < 4; k++) {
        const struct sg_contact_interval contact = sg_bouncing_bar_contact(&bar, k);
        ck_assert_double_eq_tol(contact.closes, closes[k], 1e-14);
        ck_assert_double_eq_tol(contact.opens, closes[k] + 2.0 / 3.0, 1e-14);
    }
    ck_assert_double_eq_tol(bar.period, 16.0 / 3.0, 1e-14);
    ck_assert_uint_eq(bar.ratio, 3);
}
END_TEST

START_TEST(published_force)
{
    const struct sg_bouncing_bar bar = benchmark();
    const double start[] = {300.0, 500.0, 300.0, 500.0}, end[] = {500.0, 300.0, 500.0, 300.0};
    for (size_t k = 0; k < 4; k++) {
        const struct sg_contact_interval contact = sg_bouncing_bar_contact(&bar, k);
        for (int i = 1; i < 10; i++) { /* linear between; 1e-10: slope 300 N/s times rounding of t */
            const double part = i / 10.0, t = contact.closes + part * (contact.opens - contact.closes);
            ck_assert_double_eq_tol(sg_bouncing_bar_force(&bar, t), start[k] + part * (end[k] - start[k]),
                                    1e-10);
        }
        ck_assert_double_eq(sg_bouncing_bar_force(&bar, contact.closes - 1e-6), 0.0);
        ck_assert_double_eq(sg_bouncing_bar_force(&bar, contact.opens + 1e-6), 0.0);
    }
}
END_TEST

START_TEST(initial_state)
{
    const struct sg_bouncing_bar bar = benchmark();
    const struct sg_bouncing_bar_totals totals = sg_bouncing_bar_at(&bar, 0.0);
    ck_assert_double_eq(sg_bouncing_bar_displacement(&bar, 3.0, 0.0), 5.0);
    ck_assert_double_eq(sg_bouncing_bar_velocity(&bar, 3.0, 0.0), 0.0);
    ck_assert_double_eq_tol(totals.gravity, 500.0, 1e-12); /* rounding of a sum of 4 terms */
    ck_assert_double_eq(totals.kinetic, 0.0);
    ck_assert_double_eq(totals.strain, 0.0);
}
END_TEST

/* distance in time of the point from the nearest wave front */
static double from_front(const struct sg_bouncing_bar *bar, double x, double t)
{
    const double round_trip = 2.0 * bar->transit, s = fmod(t, bar->period) - bar->fall;
    const double a = remainder(s - x / bar->spec.wave_speed, round_trip);
    const double b = remainder(s + x / bar->spec.wave_speed, round_trip);
    return fmin(fabs(a), fabs(b));
}

static void check_equation(const struct sg_bouncing_bar *bar, double x, double t)
{
    const double dt = 1e-3 * bar->transit, c = bar->spec.wave_speed, dx = c * dt;
    if (x < dx || x > bar->spec.length - dx || from_front(bar, x, t) < 3.0 * dt) return;
    const double u = sg_bouncing_bar_displacement(bar, x, t);
    const double later = sg_bouncing_bar_displacement(bar, x, t + dt);
    const double earlier = sg_bouncing_bar_displacement(bar, x, t - dt);
    const double right = sg_bouncing_bar_displacement(bar, x + dx, t);
    const double left = sg_bouncing_bar_displacement(bar, x - dx, t);
    const double tt = (later - 2.0 * u + earlier) / (dt * dt);
    const double xx = (right - 2.0 * u + left) / (dx * dx);
    /* u is quadratic between fronts: differences are exact but for rounding, 1e-13 / dt^2 at most 1e-6 */
    ck_assert_double_eq_tol(tt, c * c * xx - bar->spec.gravity, 2e-5);
    ck_assert_double_eq_tol(sg_bouncing_bar_velocity(bar, x, t), (later - earlier) / (2.0 * dt), 1e-8);
    ck_assert_double_eq_tol(sg_bouncing_bar_strain(bar, x, t), (right - left) / (2.0 * dx), 1e-8);
}

START_TEST(satisfies_the_wave_equation)
{
    const struct sg_bouncing_bar bars[] = {benchmark(), other()};
    for (size_t k = 0; k < 2; k++)
        for (int i = 1; i < 400; i++)
            for (int j = 0; j <= 40; j++) {
                const double t = bars[k].period * (i + 0.31) / 401.0;
                check_equation(&bars[k], bars[k].spec.length * j / 40.0, t);
                check_equation(&bars[k], bars[k].spec.length * j / 40.0, t + 2.0 * bars[k].period);
            }
}
END_TEST

static int in_contact(const struct sg_bouncing_bar *bar, double t)
{
    for (size_t k = 0; k < 8; k++) {
        const struct sg_contact_interval contact = sg_bouncing_bar_contact(bar, k);
        if (t >= contact.closes && t < contact.opens) return 1;
    }
    return 0;
}

static void check_boundary(const struct sg_bouncing_bar *bar, double t)
{
    const double c = bar->spec.wave_speed, stiffness = bar->spec.line_density * c * c;
    const double u = sg_bouncing_bar_displacement(bar, 0.0, t);
    const double strain = sg_bouncing_bar_strain(bar, 0.0, t), force = sg_bouncing_bar_force(bar, t);
    /* 1e-12: u is a sum of terms up to 300 m; strain likewise times 1/c */
    ck_assert_double_eq_tol(sg_bouncing_bar_strain(bar, bar->spec.length, t), 0.0, 1e-12);
    ck_assert_double_eq_tol(force, -stiffness * strain, 1e-10);
    if (in_contact(bar, t)) {
        ck_assert_double_eq_tol(u, 0.0, 1e-12);
        ck_assert_double_gt(force, 0.0);
    } else {
        ck_assert_double_gt(u, 0.0);
        ck_assert_double_eq(force, 0.0);
    }
}

START_TEST(satisfies_boundary_conditions_and_complementarity)
{
    const struct sg_bouncing_bar bars[] = {benchmark(), other()};
    for (size_t k = 0; k < 2; k++)
        for (int i = 0; i < 4000; i++) check_boundary(&bars[k], 2.0 * bars[k].period * (i + 0.137) / 4000.0);
}
END_TEST

START_TEST(conserves_energy)
{
    const struct sg_bouncing_bar bars[] = {benchmark(), other()};
    for (size_t k = 0; k < 2; k++) {
        const struct sg_bouncing_bar_spec *spec = &bars[k].spec;
        const double total = spec->line_density * spec->length * spec->gravity * spec->drop;
        for (int i = 0; i < 4000; i++) {
            const struct sg_bouncing_bar_totals now =
                sg_bouncing_bar_at(&bars[k], 2.0 * bars[k].period * i / 4000.0);
            /* 1e-12: closed-form integrals, rounding only */
            ck_assert_double_eq_tol((now.kinetic + now.strain + now.gravity) / total, 1.0, 1e-12);
        }
    }
}
END_TEST

/* impulse of the wall up to t: the force is linear in each contact */
static double impulse(const struct sg_bouncing_bar *bar, double t)
{
    double sum = 0.0;
    for (size_t k = 0; k < 8; k++) {
        const struct sg_contact_interval contact = sg_bouncing_bar_contact(bar, k);
        if (contact.closes >= t) break;
        const double middle = 0.5 * (contact.closes + fmin(t, contact.opens));
        sum += sg_bouncing_bar_force(bar, middle) * (fmin(t, contact.opens) - contact.closes);
    }
    return sum;
}

START_TEST(balances_momentum)
{
    const struct sg_bouncing_bar bars[] = {benchmark(), other()};
    for (size_t k = 0; k < 2; k++) {
        const double mass = bars[k].spec.line_density * bars[k].spec.length;
        for (int i = 0; i < 2000; i++) {
            const double t = 2.0 * bars[k].period * (i + 0.5) / 2000.0;
            const struct sg_bouncing_bar_totals now = sg_bouncing_bar_at(&bars[k], t);
            /* 1e-10: rounding of impulses up to 1e3 */
            ck_assert_double_eq_tol(now.momentum, impulse(&bars[k], t) - mass * bars[k].spec.gravity * t,
                                    1e-10);
            ck_assert_double_eq_tol(now.momentum, mass * now.velocity, 1e-12);
        }
    }
}
END_TEST

START_TEST(centre_of_gravity_moves_with_its_velocity)
{
    const struct sg_bouncing_bar bar = benchmark();
    const double dt = 1e-5;
    for (int i = 0; i < 1000; i++) {
        const double t = dt + bar.period * (i + 0.5) / 1000.0;
        const double slope =
            (sg_bouncing_bar_at(&bar, t + dt).displacement - sg_bouncing_bar_at(&bar, t - dt).displacement) /
            (2.0 * dt);
        /* acceleration at most 40 m/s^2 and its jumps: error below 40 dt */
        ck_assert_double_eq_tol(slope, sg_bouncing_bar_at(&bar, t).velocity, 40.0 * dt);
    }
}
END_TEST

START_TEST(displacement_is_continuous_at_phase_changes)
{
    const struct sg_bouncing_bar bar = benchmark();
    const double step = 1e-9, fastest = 30.0; /* m/s: no point of the bar is faster */
    for (size_t k = 0; k < 6; k++)
        for (int j = 0; j <= 10; j++) {
            const struct sg_contact_interval contact = sg_bouncing_bar_contact(&bar, k);
            const double times[] = {contact.closes, contact.opens, bar.period, 2.0 * bar.period};
            for (int i = 0; i < 4; i++)
                ck_assert_double_eq_tol(sg_bouncing_bar_displacement(&bar, (double)j, times[i] - step),
                                        sg_bouncing_bar_displacement(&bar, (double)j, times[i] + step),
                                        2.0 * step * fastest);
        }
}
END_TEST

enum { CELLS = 800 };

/* Leapfrog at a Courant number of 1, which carries waves exactly; the wall is a bound on the lower node.
 * Only the instants of closing and opening are met within a step, so that the error is proportional to
 * it. Returns the largest difference from the exact displacement over two periods. */
static double leapfrog_difference(const struct sg_bouncing_bar *bar, int cells)
{
    static double now[CELLS + 1], before[CELLS + 1];
    const double dt = bar->transit / cells, fall = bar->spec.gravity * dt * dt;
    const int steps = (int)lround(2.0 * bar->period / dt);
    double worst = 0.0;
    for (int i = 0; i <= cells; i++) {
        before[i] = bar->spec.drop;
        now[i] = bar->spec.drop - 0.5 * fall;
    }
    for (int n = 1; n < steps; n++) {
        for (int i = 0; i <= cells; i++) {
            const double left = now[i > 0 ? i - 1 : 1], right = now[i < cells ? i + 1 : cells - 1];
            before[i] = left + right - before[i] - fall;
        }
        before[0] = fmax(before[0], 0.0);
        for (int i = 0; i <= cells; i++) {
            const double swap = now[i];
            now[i] = before[i];
            before[i] = swap;
        }
        for (int i = 0; i <= cells; i += cells / 4) {
            const double exact =
                sg_bouncing_bar_displacement(bar, bar->spec.length * i / cells, (n + 1) * dt);
            worst = fmax(worst, fabs(now[i] - exact));
        }
    }
    return worst;
}

START_TEST(agrees_with_leapfrog_at_courant_one)
{
    const struct sg_bouncing_bar bars[] = {benchmark(), other()};
    for (size_t k = 0; k < 2; k++) {
        const double coarse = leapfrog_difference(&bars[k], CELLS / 2);
        const double fine = leapfrog_difference(&bars[k], CELLS);
        const double mass = bars[k].spec.line_density * bars[k].spec.length;
        const double force = sg_bouncing_bar_force(&bars[k], sg_bouncing_bar_contact(&bars[k], 1).closes);
        /* each of 4 events misses or adds at most the largest force over half a step; the ratio says
         * that what is left goes to zero with the step */
        const double kick = 0.5 * force * (bars[k].transit / CELLS) / mass;
        ck_assert_double_lt(fine, 4.0 * kick * 2.0 * bars[k].period);
        ck_assert_double_eq_tol(coarse / fine, 2.0, 0.05);
    }
}
END_TEST

START_TEST(rejects_what_is_outside_the_four_phases)
{
    struct sg_bouncing_bar bar;
    struct sg_error err;
    struct sg_bouncing_bar_spec spec = sg_bouncing_bar_benchmark();
    spec.drop = 6.0;
    ck_assert_int_eq(sg_bouncing_bar_init(&spec, &bar, &err), SG_BAD_DECK);
    ck_assert_str_eq(err.text, "bouncing bar: time of fall is 3.28633534503 transit times, must be a whole "
                               "number from 2 on");
    spec = sg_bouncing_bar_benchmark();
    spec.drop = 5.0 / 9.0; /* t_f = tau: contact outlasts the round trip */
    ck_assert_int_eq(sg_bouncing_bar_init(&spec, &bar, &err), SG_BAD_DECK);
    spec = sg_bouncing_bar_benchmark();
    spec.gravity = 0.0;
    ck_assert_int_eq(sg_bouncing_bar_init(&spec, &bar, &err), SG_BAD_DECK);
    ck_assert_str_eq(err.text, "bouncing bar: gravity is 0, must be positive");
}
END_TEST

Suite *sg_suite_exact_bouncing_bar(void)
{
    Suite *suite = suite_create("exact_bouncing_bar");
    TCase *tests = tcase_create("bouncing bar");
    tcase_add_test(tests, published_contacts_and_period);
    tcase_add_test(tests, published_force);
    tcase_add_test(tests, initial_state);
    tcase_add_test(tests, satisfies_the_wave_equation);
    tcase_add_test(tests, satisfies_boundary_conditions_and_complementarity);
    tcase_add_test(tests, conserves_energy);
    tcase_add_test(tests, balances_momentum);
    tcase_add_test(tests, centre_of_gravity_moves_with_its_velocity);
    tcase_add_test(tests, displacement_is_continuous_at_phase_changes);
    tcase_add_test(tests, agrees_with_leapfrog_at_courant_one);
    tcase_add_test(tests, rejects_what_is_outside_the_four_phases);
    suite_add_tcase(suite, tests);
    return suite;
}
