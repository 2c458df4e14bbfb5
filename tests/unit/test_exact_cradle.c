#include <check.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "benchmarks/exact/cradle.h"

Suite *sg_suite_exact_cradle(void);

enum { MAX_BARS = 5, CELLS = 256 };

static struct sg_cradle make(size_t bars, double wall_gap, double bar_gap)
{
    struct sg_cradle cradle;
    struct sg_cradle_spec spec = sg_cradle_benchmark();
    spec.bars = bars;
    spec.wall_gap = wall_gap;
    spec.bar_gap = bar_gap;
    ck_assert_int_eq(sg_cradle_init(&spec, &cradle, NULL), SG_OK);
    return cradle;
}

static struct sg_cradle benchmark(void)
{
    return make(5, 0.125, 0.075);
}

START_TEST(published_contact_times)
{
    static const double closes[] = {1.5, 4.0, 6.5, 9.0, 12.5, 16.0, 18.5, 21.0, 23.5, 29.5};
    static const size_t interface[] = {1, 2, 3, 4, 5, 4, 3, 2, 1, 0};
    const struct sg_cradle cradle = benchmark();
    /* 1e-13: a few roundings of numbers below 100 */
    ck_assert_double_eq_tol(cradle.period, 34.0, 1e-13);
    for (size_t k = 0; k < 30; k++) {
        const struct sg_cradle_contact contact = sg_cradle_contact(&cradle, k);
        const double expected = closes[k % 10] + 34.0 * (double)(k / 10);
        ck_assert_double_eq_tol(contact.closes, expected, 1e-13);
        ck_assert_double_eq_tol(contact.opens, expected + 2.0, 1e-13);
        ck_assert_uint_eq(contact.interface, interface[k % 10]);
    }
}
END_TEST

START_TEST(contact_times_of_equations_36_37)
{
    /* b/(b+1) closes on the way back t_c3 - t_c2 = 2 (t_W + G0/v0) + 2 (B-b-1)(t_W + g0/v0) after the way
     * out; G0/v0 = 2.2, g0/v0 = 1.8, t_W = 1 */
    for (size_t bars = 3; bars <= 5; bars++) {
        const struct sg_cradle cradle = make(bars, 0.11, 0.09);
        for (size_t b = 1; b < bars; b++) {
            const double out = sg_cradle_contact(&cradle, b - 1).closes;
            const double back = sg_cradle_contact(&cradle, 2 * bars - 1 - b).closes;
            ck_assert_double_eq_tol(out, (double)b * 1.8 + (double)(b - 1), 1e-13);
            ck_assert_double_eq_tol(back - out, 2.0 * 3.2 + 2.0 * (double)(bars - b - 1) * 2.8, 1e-13);
        }
        const double turned = sg_cradle_contact(&cradle, 2 * bars - 2).closes;
        ck_assert_double_eq_tol(sg_cradle_contact(&cradle, 2 * bars - 1).closes, turned + 2.0 + 1.8 + 2.2,
                                1e-13);
    }
}
END_TEST

static double gap_at(const struct sg_cradle *cradle, size_t interface, double t)
{
    const size_t bars = cradle->spec.bars;
    if (interface == 0) return cradle->spec.wall_gap + sg_cradle_at(cradle, 0, t).displacement;
    if (interface == bars) return cradle->spec.wall_gap - sg_cradle_at(cradle, bars - 1, t).displacement;
    return cradle->spec.bar_gap + sg_cradle_at(cradle, interface, t).displacement -
           sg_cradle_at(cradle, interface - 1, t).displacement;
}

/* 1e-13: v0 times rounding of t < 100 */
static void check_gap(double gap, bool shut)
{
    if (shut)
        ck_assert_double_eq_tol(gap, 0.0, 1e-13);
    else
        ck_assert_double_gt(gap, 1e-3);
}

/* Bars are undeformed at closings and openings: the interface is then exactly shut, all others open. */
START_TEST(gaps_are_shut_at_closings_and_openings)
{
    for (size_t bars = 2; bars <= 5; bars++) {
        const struct sg_cradle cradle = make(bars, 0.11, 0.07);
        for (size_t k = 0; k < 6 * bars; k++) {
            const struct sg_cradle_contact contact = sg_cradle_contact(&cradle, k);
            for (size_t i = 0; i <= bars; i++) {
                check_gap(gap_at(&cradle, i, contact.closes), i == contact.interface);
                check_gap(gap_at(&cradle, i, contact.opens), i == contact.interface);
            }
        }
    }
}
END_TEST

START_TEST(one_bar_carries_everything_in_flight)
{
    const struct sg_cradle cradle = benchmark();
    for (size_t k = 0; k < 20; k++) {
        const struct sg_cradle_contact now = sg_cradle_contact(&cradle, k);
        const double t = 0.5 * (now.opens + sg_cradle_contact(&cradle, k + 1).closes);
        double momentum = 0.0, energy = 0.0;
        for (size_t b = 0; b < 5; b++) {
            const double v = sg_cradle_at(&cradle, b, t).velocity;
            momentum += v;
            energy += 0.5 * v * v;
        }
        const int turned = k % 10 >= 4 && k % 10 < 9; /* after the far wall, before the near one */
        ck_assert_double_eq_tol(momentum, turned ? -0.05 : 0.05, 1e-15);
        ck_assert_double_eq_tol(energy, 0.5 * 0.05 * 0.05, 1e-16); /* one rounding */
    }
}
END_TEST

START_TEST(momentum_is_kept_between_bars)
{
    const struct sg_cradle cradle = benchmark();
    for (size_t k = 0; k < 10; k++)
        for (int i = 0; i <= 8; i++) {
            const struct sg_cradle_contact contact = sg_cradle_contact(&cradle, k);
            const double part = i / 8.0, t = contact.closes + part * 2.0;
            double momentum = 0.0;
            for (size_t b = 0; b < 5; b++) momentum += sg_cradle_at(&cradle, b, t).velocity;
            const double expected = contact.striking == contact.struck ? 1.0 - 2.0 * part : 1.0;
            ck_assert_double_eq_tol(momentum, contact.velocity * expected, 1e-14);
        }
}
END_TEST

/* 1e-13: rounding of t up to 300 s, times 0.05 */
static void check_repeated(const struct sg_cradle *cradle, size_t bar, double t)
{
    const double turns[] = {1.0, 2.0, 7.0};
    const struct sg_cradle_average first = sg_cradle_at(cradle, bar, t);
    for (int k = 0; k < 3; k++) {
        const struct sg_cradle_average later = sg_cradle_at(cradle, bar, t + turns[k] * cradle->period);
        ck_assert_double_eq_tol(later.displacement, first.displacement, 1e-13);
        ck_assert_double_eq_tol(later.velocity, first.velocity, 1e-13);
    }
}

START_TEST(repeats_after_a_period)
{
    for (size_t bars = 2; bars <= 5; bars++) {
        const struct sg_cradle cradle = make(bars, 0.125, 0.075);
        for (size_t b = 0; b < bars; b++)
            for (int i = 0; i < 300; i++) check_repeated(&cradle, b, cradle.period * (i + 0.5) / 300.0);
        ck_assert_double_eq_tol(sg_cradle_at(&cradle, 0, cradle.period * (1.0 - 1e-15)).displacement, 0.0,
                                1e-14);
    }
}
END_TEST

START_TEST(displacement_integrates_velocity)
{
    const struct sg_cradle cradle = make(4, 0.1, 0.08);
    const double h = 1e-4;
    for (size_t b = 0; b < 4; b++)
        for (int i = 0; i < 2000; i++) {
            const double t = h + 1.5 * cradle.period * (i + 0.5) / 2000.0;
            const double slope = (sg_cradle_at(&cradle, b, t + h).displacement -
                                  sg_cradle_at(&cradle, b, t - h).displacement) /
                                 (2.0 * h);
            /* velocities change by at most v0 / t_W a second: error below v0 h */
            ck_assert_double_eq_tol(slope, sg_cradle_at(&cradle, b, t).velocity, 0.05 * h);
        }
}
END_TEST

/* Velocity at x of a bar within a contact with v_c = 1, t_W = 1, L = 1: equations (34) and (35), the
 * latter with its second line corrected. role: 0 strikes, 1 is hit, 2 strikes a wall. */
static double local_velocity(int role, double x, double s)
{
    if (role == 0) return s <= 1.0 ? (s < 1.0 - x ? 1.0 : 0.5) : (s > 1.0 + x ? 0.0 : 0.5);
    if (role == 1) return s <= 1.0 ? (s > x ? 0.5 : 0.0) : (s < 2.0 - x ? 0.5 : 1.0);
    if (s <= 1.0) return s < 1.0 - x ? 1.0 : 0.0;
    /* the returning front starts at the free end, x = 0 */
    return s > 1.0 + x ? -1.0 : 0.0;
}

START_TEST(averages_are_those_of_the_local_fields)
{
    const struct sg_cradle cradle = benchmark();
    const size_t contacts[] = {1, 1, 4};
    const size_t bar[] = {1, 2, 4};
    for (int role = 0; role < 3; role++)
        for (int i = 0; i <= 16; i++) {
            const double s = i / 8.0;
            double sum = 0.0;
            for (int j = 0; j < 64; j++) sum += local_velocity(role, (j + 0.5) / 64.0, s) / 64.0;
            const double t = sg_cradle_contact(&cradle, contacts[role]).closes + s;
            /* fronts lie on cell edges: the midpoint sum is exact */
            ck_assert_double_eq_tol(sg_cradle_at(&cradle, bar[role], t).velocity, 0.05 * sum, 1e-15);
        }
}
END_TEST

/* --- independent check: leapfrog at a Courant number of 1, which carries waves exactly ------------ */

struct row {
    size_t bars;
    int cells;
    double now[MAX_BARS][CELLS + 1], before[MAX_BARS][CELLS + 1];
};

static void advance(struct row *row)
{
    const int cells = row->cells;
    for (size_t b = 0; b < row->bars; b++)
        for (int i = 0; i <= cells; i++) {
            const double left = row->now[b][i > 0 ? i - 1 : 1];
            const double right = row->now[b][i < cells ? i + 1 : cells - 1];
            row->before[b][i] = left + right - row->before[b][i];
        }
}

/* overlap of predicted ends is shared by bars of equal mass, or taken by the bar alone at a wall */
static void separate(struct row *row, const struct sg_cradle_spec *spec)
{
    const size_t last = row->bars - 1;
    row->before[0][0] = fmax(row->before[0][0], -spec->wall_gap);
    row->before[last][row->cells] = fmin(row->before[last][row->cells], spec->wall_gap);
    for (size_t b = 0; b < last; b++) {
        const double gap = spec->bar_gap + row->before[b + 1][0] - row->before[b][row->cells];
        if (gap >= 0.0) continue;
        row->before[b][row->cells] += 0.5 * gap;
        row->before[b + 1][0] -= 0.5 * gap;
    }
}

static void swap(struct row *row)
{
    for (size_t b = 0; b < row->bars; b++)
        for (int i = 0; i <= row->cells; i++) {
            const double later = row->before[b][i];
            row->before[b][i] = row->now[b][i];
            row->now[b][i] = later;
        }
}

static double average(const double *u, int cells)
{
    double sum = 0.5 * (u[0] + u[cells]);
    for (int i = 1; i < cells; i++) sum += u[i];
    return sum / cells;
}

/* largest difference of an average displacement over two periods */
static double leapfrog_difference(const struct sg_cradle *cradle, int cells)
{
    static struct row row;
    const struct sg_cradle_spec *spec = &cradle->spec;
    const double dt = cradle->transit / cells;
    double worst = 0.0;
    memset(&row, 0, sizeof row);
    row.bars = spec->bars;
    row.cells = cells;
    for (int i = 0; i <= cells; i++) row.now[0][i] = spec->speed * dt;
    for (int n = 1; n * dt < 2.0 * cradle->period; n++) {
        advance(&row);
        separate(&row, spec);
        swap(&row);
        for (size_t b = 0; b < spec->bars; b++) {
            const double exact = sg_cradle_at(cradle, b, (n + 1) * dt).displacement;
            worst = fmax(worst, fabs(average(row.now[b], cells) - exact));
        }
    }
    return worst;
}

START_TEST(agrees_with_leapfrog_at_courant_one)
{
    for (size_t bars = 2; bars <= MAX_BARS; bars++) {
        const struct sg_cradle cradle = make(bars, 0.125, 0.075);
        const double coarse = leapfrog_difference(&cradle, CELLS / 2);
        const double fine = leapfrog_difference(&cradle, CELLS);
        /* Contacts act half a step late, which leaves each bar a velocity of the order v0 dt / t_W for
         * the rest of the run: first order, and so the ratio says that nothing is left at step zero. */
        ck_assert_double_lt(fine, 2.0 * cradle.period * 0.05 / CELLS);
        ck_assert_double_eq_tol(coarse / fine, 2.0, 0.15);
    }
}
END_TEST

START_TEST(error_norm)
{
    const struct sg_cradle cradle = benchmark();
    struct sg_cradle_average computed[MAX_BARS];
    for (size_t b = 0; b < 5; b++) computed[b] = sg_cradle_at(&cradle, b, 13.2);
    ck_assert_double_eq(sg_cradle_error(&cradle, 13.2, computed), 0.0);
    computed[1].displacement += 0.01;
    computed[4].velocity -= 0.02;
    /* (0.01 / sqrt(.125 x .075) + 0.02 / .05) / 5 */
    ck_assert_double_eq_tol(sg_cradle_error(&cradle, 13.2, computed), 0.100655911179772891, 1e-14);
}
END_TEST

START_TEST(rejects_overlapping_contacts)
{
    struct sg_cradle cradle;
    struct sg_error err;
    struct sg_cradle_spec spec = sg_cradle_benchmark();
    spec.bar_gap = 0.05; /* v0 t_W */
    ck_assert_int_eq(sg_cradle_init(&spec, &cradle, &err), SG_BAD_DECK);
    ck_assert_str_eq(err.text, "cradle: a gap is 0.05, must exceed speed x transit time, 0.05");
    spec = sg_cradle_benchmark();
    spec.bars = 1;
    ck_assert_int_eq(sg_cradle_init(&spec, &cradle, &err), SG_BAD_DECK);
    spec = sg_cradle_benchmark();
    spec.speed = -0.05;
    ck_assert_int_eq(sg_cradle_init(&spec, &cradle, &err), SG_BAD_DECK);
}
END_TEST

Suite *sg_suite_exact_cradle(void)
{
    Suite *suite = suite_create("exact_cradle");
    TCase *tests = tcase_create("cradle");
    tcase_add_test(tests, published_contact_times);
    tcase_add_test(tests, contact_times_of_equations_36_37);
    tcase_add_test(tests, gaps_are_shut_at_closings_and_openings);
    tcase_add_test(tests, one_bar_carries_everything_in_flight);
    tcase_add_test(tests, momentum_is_kept_between_bars);
    tcase_add_test(tests, repeats_after_a_period);
    tcase_add_test(tests, displacement_integrates_velocity);
    tcase_add_test(tests, averages_are_those_of_the_local_fields);
    tcase_add_test(tests, agrees_with_leapfrog_at_courant_one);
    tcase_add_test(tests, error_norm);
    tcase_add_test(tests, rejects_overlapping_contacts);
    suite_add_tcase(suite, tests);
    return suite;
}
