/* Reference solutions of the explicit benchmarks: Van der Pol, rotating spring, impacting bar, arch. */
#include <check.h>
#include <complex.h>
#include <math.h>
#include <string.h>

#include "benchmarks/exact/arch.h"
#include "benchmarks/exact/impacting_bar.h"
#include "benchmarks/exact/rotating_spring.h"
#include "benchmarks/exact/van_der_pol.h"

Suite *sg_suite_exact_explicit(void);

/* --- Van der Pol ---------------------------------------------------------------------------------- */

START_TEST(van_der_pol_agrees_with_another_integrator)
{
    /* times and speeds by DOP853 at 1e-13 with its own root finding, given to 12 digits */
    static const double impacts[][2] = {{2.049634318736, 5.571618054839},
                                        {9.039298341675, 5.593153800632},
                                        {16.038306189927, 5.593153800632},
                                        {23.037314038178, 5.593153800632}};
    const struct sg_van_der_pol oscillator = sg_van_der_pol_benchmark();
    const struct sg_smooth_motion motion = sg_van_der_pol_motion(&oscillator);
    struct sg_smooth_state state = sg_van_der_pol_start(&oscillator);
    struct sg_error err = {0};
    for (size_t k = 0; k < sizeof impacts / sizeof *impacts; k++) {
        ck_assert_int_eq(sg_smooth_advance(&motion, 300.0, true, &state, &err), SG_OK);
        ck_assert_double_eq_tol(state.impact_time, impacts[k][0], 1e-11);
        ck_assert_double_eq_tol(-state.before[1], impacts[k][1], 1e-11);
    }
    ck_assert_int_eq(sg_smooth_advance(&motion, 300.0, false, &state, &err), SG_OK);
    ck_assert_uint_eq(state.impacts, 43);
}
END_TEST

START_TEST(van_der_pol_has_a_limit_cycle)
{
    struct sg_van_der_pol oscillator = sg_van_der_pol_benchmark();
    struct sg_van_der_pol_cycle cycle = {0}, other = {0};
    struct sg_error err = {0};
    ck_assert_int_eq(sg_van_der_pol_cycle(&oscillator, &cycle, &err), SG_OK);
    ck_assert_double_eq_tol(cycle.period, 6.99900785, 5e-9); /* digits given */
    ck_assert_double_eq_tol(cycle.speed, 5.593153800632, 1e-11);
    oscillator.x = 0.5; /* the cycle doesn't depend on the start; 1e-10: ten cycles later */
    oscillator.v = -0.2;
    ck_assert_int_eq(sg_van_der_pol_cycle(&oscillator, &other, &err), SG_OK);
    ck_assert_double_eq_tol(other.period, cycle.period, 1e-10);
    ck_assert_double_eq_tol(other.speed, cycle.speed, 1e-10);
}
END_TEST

START_TEST(van_der_pol_without_xi_is_harmonic)
{
    const struct sg_van_der_pol oscillator = {
        .xi = 0.0, .omega0 = 2.0, .scale = 1.0, .wall = -HUGE_VAL, .x = 0.7, .v = 0.4};
    const struct sg_smooth_motion motion = sg_van_der_pol_motion(&oscillator);
    struct sg_smooth_state state = sg_van_der_pol_start(&oscillator);
    struct sg_error err = {0};
    ck_assert_int_eq(sg_smooth_advance(&motion, 5.0, false, &state, &err), SG_OK);
    ck_assert_double_eq_tol(state.y[0], 0.7 * cos(10.0) + 0.2 * sin(10.0), 1e-11); /* 100 steps of 1e-13 */
    ck_assert_uint_eq(state.impacts, 0);
}
END_TEST

START_TEST(van_der_pol_out_of_range_is_refused)
{
    struct sg_error err = {0};
    struct sg_van_der_pol good = sg_van_der_pol_benchmark(), bad[5];
    for (int i = 0; i < 5; i++) bad[i] = good;
    bad[0].xi = -1.0;
    bad[1].omega0 = 0.0;
    bad[2].scale = NAN;
    bad[3].restitution = 1.5;
    bad[4].x = -0.25;
    ck_assert_int_eq(sg_van_der_pol_check(&good, &err), SG_OK);
    for (int i = 0; i < 5; i++) ck_assert_int_eq(sg_van_der_pol_check(&bad[i], &err), SG_BAD_DECK);
}
END_TEST

/* --- rotating spring ------------------------------------------------------------------------------ */

START_TEST(rotating_spring_reaches_the_circle_as_a_quadrature_tells)
{
    /* r' = sqrt(2 E / m - (L / (m r))^2 - k/m (r - l0)^2) inside (.8, 1.4), where it doesn't vanish:
     * t = int dr / r' by Simpson's rule, 4000 intervals, error below 1e-12 */
    enum { N = 4000 };
    const struct sg_rotating_spring spring = sg_rotating_spring_benchmark(false);
    const struct sg_smooth_motion motion = sg_rotating_spring_motion(&spring);
    struct sg_smooth_state state = sg_rotating_spring_start(&spring);
    struct sg_error err = {0};
    double t = 0.0;
    for (int i = 0; i <= N; i++) {
        const double r = 0.8 + 0.6 * i / N, turn = 1.6 / r, stretch = r - 1.0;
        const double speed = sqrt(2.0 * 2.7 - turn * turn - 10.0 * stretch * stretch);
        t += (i == 0 || i == N ? 1.0 : i % 2 == 1 ? 4.0 : 2.0) / speed * (0.6 / N / 3.0);
    }
    ck_assert_int_eq(sg_smooth_advance(&motion, 1.0, true, &state, &err), SG_OK);
    ck_assert_double_eq_tol(state.impact_time, t, 1e-11);
}
END_TEST

START_TEST(rotating_spring_conserves_without_friction)
{
    const struct sg_rotating_spring spring = sg_rotating_spring_benchmark(false);
    const struct sg_smooth_motion motion = sg_rotating_spring_motion(&spring);
    struct sg_smooth_state state = sg_rotating_spring_start(&spring);
    struct sg_error err = {0};
    for (int i = 1; i <= 100; i++) { /* 3000 steps of at most 1e-13 each */
        ck_assert_int_eq(sg_smooth_advance(&motion, i, false, &state, &err), SG_OK);
        ck_assert_double_eq_tol(sg_rotating_spring_angular_momentum(&spring, state.y), 1.6, 1e-11);
        ck_assert_double_eq_tol(sg_rotating_spring_energy(&spring, state.y), 2.7, 1e-11);
    }
    ck_assert_uint_eq(state.impacts, 101);
}
END_TEST

START_TEST(rotating_spring_slips_once_and_then_grazes)
{
    const struct sg_rotating_spring spring = sg_rotating_spring_benchmark(true);
    const struct sg_smooth_motion motion = sg_rotating_spring_motion(&spring);
    struct sg_smooth_state state = sg_rotating_spring_start(&spring);
    struct sg_error err = {0};
    /* normal speed at R from energy and angular momentum; slip takes mu |v_N| R of the latter */
    const double turn = 1.6 / 1.4, normal = sqrt(2.0 * 2.7 - turn * turn - 10.0 * 0.16);
    ck_assert_int_eq(sg_smooth_advance(&motion, 100.0, false, &state, &err), SG_OK);
    ck_assert_uint_eq(state.impacts, 1);
    ck_assert_double_eq_tol(sg_rotating_spring_angular_momentum(&spring, state.y), 1.6 - 0.2 * normal * 1.4,
                            1e-11);                                         /* as above */
    ck_assert_double_eq_tol(1.6 - 0.2 * normal * 1.4, 1.1578235646, 5e-11); /* digits given */
}
END_TEST

START_TEST(rotating_spring_sticks_where_friction_can_hold)
{
    struct sg_rotating_spring spring = sg_rotating_spring_benchmark(true);
    struct sg_smooth_state state = sg_rotating_spring_start(&spring);
    struct sg_error err = {0};
    spring.friction = 10.0;
    const struct sg_smooth_motion motion = sg_rotating_spring_motion(&spring);
    ck_assert_int_eq(sg_smooth_advance(&motion, 1.0, true, &state, &err), SG_OK);
    /* rounding */
    ck_assert_double_eq_tol(sg_rotating_spring_angular_momentum(&spring, state.y), 0.0, 1e-14);
}
END_TEST

START_TEST(rotating_spring_out_of_range_is_refused)
{
    struct sg_error err = {0};
    struct sg_rotating_spring good = sg_rotating_spring_benchmark(true), bad[4];
    for (int i = 0; i < 4; i++) bad[i] = good;
    bad[0].stiffness = -1.0;
    bad[1].restitution = -0.1;
    bad[2].friction = HUGE_VAL;
    bad[3].x[0] = 1.5;
    ck_assert_int_eq(sg_rotating_spring_check(&good, &err), SG_OK);
    for (int i = 0; i < 4; i++) ck_assert_int_eq(sg_rotating_spring_check(&bad[i], &err), SG_BAD_DECK);
}
END_TEST

/* --- impacting bar -------------------------------------------------------------------------------- */

static struct sg_impacting_bar make_bar(void)
{
    const struct sg_impacting_bar_spec spec = sg_impacting_bar_benchmark();
    struct sg_impacting_bar bar;
    struct sg_error err = {0};
    ck_assert_int_eq(sg_impacting_bar_init(&spec, &bar, &err), SG_OK);
    return bar;
}

START_TEST(impacting_bar_has_the_printed_figures)
{
    const struct sg_impacting_bar bar = make_bar(); /* tolerances: digits given */
    ck_assert_double_eq_tol(bar.wave_speed, 5173.182753754854, 1e-9);
    ck_assert_double_eq_tol(bar.closes, 5e-5, 1e-19);
    ck_assert_double_eq_tol(bar.opens, 1.4819873454717563e-4, 1e-18);
    ck_assert_double_eq_tol(bar.force, 130915.53734660374, 1e-8);
    ck_assert_double_eq_tol(bar.impulse, 12.8557401, 1e-12);
    ck_assert_double_eq_tol(bar.energy, 16.069675125, 1e-12);
}
END_TEST

START_TEST(impacting_bar_turns_round)
{
    const struct sg_impacting_bar bar = make_bar();
    for (int i = 0; i <= 10; i++) {
        const double x = 0.0254 * i;
        ck_assert_double_eq(sg_impacting_bar_at(&bar, x, 0.0).velocity, -5.0);
        ck_assert_double_eq_tol(sg_impacting_bar_at(&bar, x, 4e-5).displacement, -2e-4, 1e-18);
        ck_assert_double_eq(sg_impacting_bar_at(&bar, x, 2e-4).velocity, 5.0);
        /* away from the wall as the undeformed bar that left it; rounding of 1e-4 */
        ck_assert_double_eq_tol(sg_impacting_bar_at(&bar, x, 2e-4).displacement,
                                5.0 * (2e-4 - bar.opens) - 2.5e-4, 1e-18);
    }
}
END_TEST

START_TEST(impacting_bar_solves_the_wave_equation)
{
    const struct sg_impacting_bar bar = make_bar();
    const double c = bar.wave_speed, d = 1e-3; /* m; points of a characteristic parallelogram */
    for (int i = 1; i < 40; i++)
        for (int j = 1; j < 40; j++) {
            const double x = 0.254 * i / 40.0, t = 2e-4 * j / 40.0, s = d / c;
            const double along = sg_impacting_bar_at(&bar, x, t + s).displacement +
                                 sg_impacting_bar_at(&bar, x, t - s).displacement;
            const double across = sg_impacting_bar_at(&bar, x + d, t).displacement +
                                  sg_impacting_bar_at(&bar, x - d, t).displacement;
            ck_assert_double_eq_tol(along, across, 1e-17); /* rounding of 1e-3 */
        }
}
END_TEST

START_TEST(impacting_bar_strain_is_the_force)
{
    const struct sg_impacting_bar bar = make_bar();
    const double d = 1e-6;
    for (int i = 1; i < 60; i++) {
        const double t = 3.3e-6 * i; /* never within d/c of a wave */
        const double strain =
            (sg_impacting_bar_at(&bar, d, t).displacement - sg_impacting_bar_at(&bar, 0.0, t).displacement) /
            d;
        /* rounding of 2.5e-4 over d, times E A */
        ck_assert_double_eq_tol(-strain * bar.spec.modulus * bar.spec.area, sg_impacting_bar_force(&bar, t),
                                2e-5 * bar.force);
    }
}
END_TEST

START_TEST(impacting_bar_out_of_range_is_refused)
{
    struct sg_impacting_bar_spec spec = sg_impacting_bar_benchmark();
    struct sg_impacting_bar bar;
    struct sg_error err = {0};
    spec.gap = -1e-9;
    ck_assert_int_eq(sg_impacting_bar_init(&spec, &bar, &err), SG_BAD_DECK);
    spec.gap = 0.0;
    spec.modulus = 0.0;
    ck_assert_int_eq(sg_impacting_bar_init(&spec, &bar, &err), SG_BAD_DECK);
}
END_TEST

/* Ai(x), Ai'(x) and the integral of Ai from x to 0, by the Taylor series of y'' = x y */
static void airy(double x, double y[3])
{
    double term[3] = {0.355028053887817239, -0.258819403792806798, 0.0}, power = 1.0;
    y[0] = y[1] = y[2] = 0.0;
    for (int n = 0; n < 90; n++) {
        y[0] += term[0] * power;
        y[1] += term[1] * power * (n + 1);
        y[2] -= term[0] * power * x / (n + 1);
        double next = n == 0 ? 0.0 : term[2] / ((n + 2) * (n + 1));
        term[2] = term[0];
        term[0] = term[1];
        term[1] = next;
        power *= x;
    }
}

/* s with int_0^s Ai(-z) dz = share, the first one */
static double airy_reaches(double share)
{
    double low = 0.0, high = 2.3, y[3];
    for (int k = 0; k < 60; k++) {
        double middle = 0.5 * (low + high);
        airy(-middle, y);
        *(y[2] < share ? &low : &high) = middle;
    }
    return low;
}

/* |z| = 1 of generalized-alpha for an oscillator of the frequency W/h: 1 - angle/W, by Newton's method */
static double elongation(double rho, double W)
{
    const double am = (2 * rho - 1) / (rho + 1), af = rho / (rho + 1), gamma = 0.5 + af - am;
    const double beta = 0.25 * (1 + af - am) * (1 + af - am);
    double complex z[2] = {cexp(I * W), cexp(1.01 * I * W)}, f[2];
    for (int k = 0; k < 30; k++) {
        for (int i = 0; i < 2; i++) {
            double complex v = (1 - gamma + gamma * z[i]) / (z[i] - 1);
            double complex u = (v + 0.5 - beta + beta * z[i]) / (z[i] - 1);
            f[i] = (1 - am) * z[i] + am + W * W * ((1 - af) * z[i] + af) * u;
        }
        if (cabs(f[1] - f[0]) < 1e-16) break;
        double complex next = z[1] - f[1] * (z[1] - z[0]) / (f[1] - f[0]);
        z[0] = z[1];
        z[1] = next;
    }
    return 1 - carg(z[1]) / W;
}

/* The front's constants by Airy's function, and the dispersion of scheme and elements: w with the bar's own
 * frequency, 6 (1 - cos kD)/(2 + cos kD) (c/D)^2, in the scheme's. Tolerances: digits given; O(k^2). */
START_TEST(impacting_bar_front_is_an_airy_function)
{
    const struct sg_impacting_bar bar = make_bar();
    const double rhos[] = {1.0, 0.8, 0.0}, kD = 0.02;
    double s0[3], s1[3];
    airy(-airy_reaches(1.0 / 6.0), s0);
    airy(-airy_reaches(2.0 / 3.0), s1);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 2; j++) {
            const double courant = j == 0 ? 1.2 : 0.1, spacing = 0.254 / 100,
                         h = courant * spacing / bar.wave_speed;
            const struct sg_bar_front front =
                sg_impacting_bar_front(&bar, &(struct sg_bar_mesh){100.0, h, rhos[i]});
            const double exact = courant * kD;
            const double W = courant * sqrt(6 * (1 - cos(kD)) / (2 + cos(kD)));
            const double p = (1 - (1 - elongation(rhos[i], W)) * W / exact) / (kD * kD);
            const double w = cbrt(3 * fabs(p) * spacing * spacing * 2 * 0.254) / bar.wave_speed;
            ck_assert_double_eq_tol(front.impulse / (bar.force * w), -2 * s0[1], 1e-3);
            ck_assert_double_eq_tol(front.lag / (5.0 * w), 2 * ((p > 0 ? s1[1] : 0) - s0[1]), 2e-3);
        }
}
END_TEST

/* --- arch ----------------------------------------------------------------------------------------- */

static struct sg_arch_equilibrium solve_arch(const double *gaps)
{
    const struct sg_arch_spec spec = sg_arch_benchmark();
    struct sg_arch_equilibrium state;
    struct sg_error err = {0};
    ck_assert_msg(sg_arch_solve(&spec, gaps, &state, &err) == SG_OK, "%s", err.text);
    return state;
}

/* energy from lengths and angles alone, as the definition has it */
static double arch_energy(const struct sg_arch_spec *spec, const double x[][2])
{
    double energy = 0.0, a[2], b[2], turn[2] = {0.0, 0.0};
    for (size_t e = 0; e < spec->rods; e++) {
        sg_arch_node(spec, e, a);
        sg_arch_node(spec, e + 1, b);
        const double now[2] = {x[e + 1][0] - x[e][0], x[e + 1][1] - x[e][1]};
        const double stretch = hypot(now[0], now[1]) - hypot(b[0] - a[0], b[1] - a[1]);
        const double angle = atan2(now[1], now[0]) - atan2(b[1] - a[1], b[0] - a[0]);
        energy += 0.5 * spec->stiffness * stretch * stretch;
        turn[e % 2] = angle;
        if (e > 0) energy += 0.5 * spec->torsion_stiffness * pow(turn[e % 2] - turn[(e + 1) % 2], 2.0);
    }
    return energy;
}

START_TEST(arch_rests_on_two_nodes)
{
    const struct sg_arch_equilibrium state = solve_arch(NULL);
    for (size_t j = 1; j < 11; j++) {
        const double height = state.x[j][1] - (cos(acos(-1.0) / 8.0) - 0.065);
        if (j == 5 || j == 6) { /* figures of an independent computation, to the digits given */
            ck_assert_double_eq_tol(height, 0.0, 1e-15);
            ck_assert_double_eq_tol(state.reaction[j], 4.6476242285e-5, 1e-14);
        } else {
            ck_assert_double_gt(height, 1e-3);
            ck_assert_double_eq(state.reaction[j], 0.0);
        }
        ck_assert_double_eq_tol(state.x[j][0], -state.x[11 - j][0], 1e-13); /* symmetric, to 10 roundings */
    }
    ck_assert_double_eq_tol(state.thrust, 3.0306199232e-4, 1e-14);
    ck_assert_double_eq_tol(state.energy, 4.487111389571e-6, 1e-18);
    ck_assert_double_lt(state.residual, 1e-15); /* rounding of k l */
    /* global balance: supports and line carry nothing together */
    ck_assert_double_eq_tol(state.reaction[0] + state.reaction[11] + state.reaction[5] + state.reaction[6],
                            0.0, 1e-15);
}
END_TEST

START_TEST(arch_energy_is_that_of_its_shape_and_least_there)
{
    const struct sg_arch_spec spec = sg_arch_benchmark();
    struct sg_arch_equilibrium state = solve_arch(NULL);
    const double least = arch_energy(&spec, (const double(*)[2])state.x);
    ck_assert_double_eq_tol(least, state.energy, 1e-19); /* rounding of stretch^2 */
    for (size_t k = 0; k < 40; k++) {
        const size_t j = 1 + k / 4, i = k / 2 % 2;
        const double move = k % 2 == 0 ? 1e-4 : -1e-4;
        const double x = state.x[j][i];
        state.x[j][i] = x + move;
        /* only into the line the energy falls, by the reaction times the way */
        if ((j == 5 || j == 6) && i == 1 && move < 0.0)
            ck_assert_double_lt(arch_energy(&spec, (const double(*)[2])state.x), least);
        else
            ck_assert_double_gt(arch_energy(&spec, (const double(*)[2])state.x), least);
        state.x[j][i] = x;
    }
}
END_TEST

START_TEST(arch_reaction_is_the_slope_of_the_energy)
{
    double gaps[12] = {0.0};
    const double d = 1e-6;
    const struct sg_arch_equilibrium middle = solve_arch(NULL);
    gaps[5] = gaps[6] = d;
    const double above = solve_arch(gaps).energy;
    gaps[5] = gaps[6] = -d;
    const double below = solve_arch(gaps).energy;
    /* both nodes; 1e-11: rounding 1e-19 / d is 1e-13, third derivative times d^2 less */
    ck_assert_double_eq_tol((above - below) / (2.0 * d), 2.0 * middle.reaction[5], 1e-11);
}
END_TEST

START_TEST(arch_too_stiff_or_too_far_from_the_line_touches_nothing)
{
    struct sg_arch_spec spec = sg_arch_benchmark();
    struct sg_arch_equilibrium state;
    struct sg_error err = {0};
    spec.drop = 0.08;
    ck_assert_int_eq(sg_arch_solve(&spec, NULL, &state, &err), SG_OK);
    for (size_t j = 1; j < 11; j++) ck_assert_double_eq(state.reaction[j], 0.0);
    spec.rods = SG_ARCH_NODES;
    ck_assert_int_eq(sg_arch_solve(&spec, NULL, &state, &err), SG_BAD_DECK);
    spec = sg_arch_benchmark();
    spec.torsion_stiffness = -1.0;
    ck_assert_int_eq(sg_arch_solve(&spec, NULL, &state, &err), SG_BAD_DECK);
}
END_TEST

static void add_tests(TCase *tests)
{
    tcase_add_test(tests, van_der_pol_agrees_with_another_integrator);
    tcase_add_test(tests, van_der_pol_has_a_limit_cycle);
    tcase_add_test(tests, van_der_pol_without_xi_is_harmonic);
    tcase_add_test(tests, van_der_pol_out_of_range_is_refused);
    tcase_add_test(tests, rotating_spring_reaches_the_circle_as_a_quadrature_tells);
    tcase_add_test(tests, rotating_spring_conserves_without_friction);
    tcase_add_test(tests, rotating_spring_slips_once_and_then_grazes);
    tcase_add_test(tests, rotating_spring_sticks_where_friction_can_hold);
    tcase_add_test(tests, rotating_spring_out_of_range_is_refused);
    tcase_add_test(tests, impacting_bar_has_the_printed_figures);
    tcase_add_test(tests, impacting_bar_turns_round);
    tcase_add_test(tests, impacting_bar_solves_the_wave_equation);
    tcase_add_test(tests, impacting_bar_strain_is_the_force);
    tcase_add_test(tests, impacting_bar_out_of_range_is_refused);
    tcase_add_test(tests, impacting_bar_front_is_an_airy_function);
    tcase_add_test(tests, arch_rests_on_two_nodes);
    tcase_add_test(tests, arch_energy_is_that_of_its_shape_and_least_there);
    tcase_add_test(tests, arch_reaction_is_the_slope_of_the_energy);
    tcase_add_test(tests, arch_too_stiff_or_too_far_from_the_line_touches_nothing);
}

Suite *sg_suite_exact_explicit(void)
{
    Suite *suite = suite_create("exact_explicit");
    TCase *tests = tcase_create("references");
    add_tests(tests);
    suite_add_tcase(suite, tests);
    return suite;
}
