/* The root finder of events against the eigenvalue problems of the literature: companion matrix (22) and
 * pencil (23) of Depouhon et al. 2014, solved by LAPACK. */
#include <check.h>
#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "run_fixture.h"
#include "strategies/event_driven/roots.h"

Suite *sg_suite_event_roots(void);

/* p(tau) = a0 + a1 tau + a2 tau^2 + a3 tau^3, turned so that the event falls through zero */
struct cubic {
    double a[4], scale;
};

static struct cubic cubic_of(const struct sg_gap_span *s, bool closed)
{
    double sign = closed ? -1 : 1;
    struct cubic p = {.a = {sign * s->g0, sign * s->h * s->d0,
                            sign * (3 * (s->g1 - s->g0) - s->h * (2 * s->d0 + s->d1)),
                            sign * (2 * (s->g0 - s->g1) + s->h * (s->d0 + s->d1))}};
    for (int i = 0; i < 4; i++) p.scale = fmax(p.scale, fabs(p.a[i]));
    return p;
}

static long double value(const struct cubic *p, long double t)
{
    return p->a[0] + t * (p->a[1] + t * (p->a[2] + t * p->a[3]));
}

static double slope(const struct cubic *p, double t)
{
    return p->a[1] + t * (2 * p->a[2] + 3 * t * p->a[3]);
}

/* eigenvalues of the companion matrix: the equation is divided by a3 */
static int companion(const struct cubic *p, double *re, double *im)
{
    double m[9] = {0, 1, 0, 0, 0, 1, -p->a[0] / p->a[3], -p->a[1] / p->a[3], -p->a[2] / p->a[3]};
    double none[1];
    ck_assert_int_eq(LAPACKE_dgeev(LAPACK_COL_MAJOR, 'N', 'N', 3, m, 3, re, im, none, 1, none, 1), 0);
    return 3;
}

/* eigenvalues of the pencil, which divides by nothing but the scale (beside its ones, coefficients of
 * other size are rounding); those at infinity are left out */
static int pencil(const struct cubic *p, double *re, double *im)
{
    double a[9] = {0, 0, -p->a[0] / p->scale, 1, 0, -p->a[1] / p->scale, 0, 1, -p->a[2] / p->scale};
    double b[9] = {1, 0, 0, 0, 1, 0, 0, 0, p->a[3] / p->scale};
    double ar[3], ai[3], beta[3], none[1];
    int count = 0;
    ck_assert_int_eq(LAPACKE_dggev(LAPACK_COL_MAJOR, 'N', 'N', 3, a, 3, b, 3, ar, ai, beta, none, 1, none, 1),
                     0);
    for (int i = 0; i < 3; i++) {
        if (!(fabs(beta[i]) > 1e-8 * hypot(ar[i], ai[i]))) continue; /* beyond 1e8: not in [0, 1) */
        re[count] = ar[i] / beta[i];
        im[count++] = ai[i] / beta[i];
    }
    return count;
}

/* The eigenvalues can be trusted where a change of the coefficients by rounding changes nothing that
 * matters: each near [0, 1] is either far from real, or simple (|p'| > 1e-4 of the coefficients) and off
 * both ends. `first`: the least real one in [0, 1) where p falls, 2: none. */
static bool trust(const struct cubic *p, const double *re, const double *im, int count, double *first)
{
    *first = 2;
    for (int i = 0; i < count; i++) {
        if (re[i] < -1e-3 || re[i] > 1 + 1e-3 || fabs(im[i]) > 1e-3) continue;
        double d = slope(p, re[i]);
        if (im[i] != 0 || fabs(d) < 1e-4 * p->scale) return false;
        if (fabs(re[i]) < 1e-9 || fabs(re[i] - 1) < 1e-9) return false;
        if (re[i] > 0 && re[i] < 1 && d < 0) *first = fmin(*first, re[i]);
    }
    return true;
}

static double power(unsigned long long *seed, double low, double high)
{
    return pow(10, low + (high - low) * (run_random(seed) + 1) / 2);
}

enum family { RANDOM, SMALL_LEADING, DOUBLE_ROOT, TINY_STEP, FAMILIES };

/* from coefficients, so that their ratios can be chosen; the data of the gap then carry a leading
 * coefficient down to 1e-16 of the others, or 0 where it was smaller */
static struct sg_gap_span span_of(const double a[4], double h)
{
    return (struct sg_gap_span){.g0 = a[0],
                                .d0 = a[1] / h,
                                .g1 = a[0] + a[1] + a[2] + a[3],
                                .d1 = (a[1] + 2 * a[2] + 3 * a[3]) / h,
                                .h = h};
}

static struct sg_gap_span make(enum family family, bool closed, unsigned long long *seed)
{
    double a[4], scale = power(seed, -12, 3), h = power(seed, -4, 0);
    for (int i = 0; i < 4; i++) a[i] = scale * run_random(seed) * power(seed, -3, 0);
    if (family == SMALL_LEADING) a[3] *= power(seed, -300, 0);
    if (family == TINY_STEP) h = power(seed, -15, -9);
    if (family == DOUBLE_ROOT) { /* c (tau - r)^2 (tau - s) */
        double r = (run_random(seed) + 1) / 2, s = 2 * run_random(seed), c = scale * run_random(seed);
        const double b[4] = {-c * r * r * s, c * (r * r + 2 * r * s), -c * (2 * r + s), c};
        memcpy(a, b, sizeof a);
    }
    /* most gaps start on the side of their status */
    if (run_random(seed) > -0.9 && (a[0] < 0) != closed)
        for (int i = 0; i < 4; i++) a[i] = -a[i];
    return span_of(a, h);
}

/* whatever the eigenvalues: on the polynomial, within [0, 1), and falling */
static void check_root(const struct cubic *p, double tau, double dgap, const struct sg_gap_span *span,
                       bool closed)
{
    ck_assert_msg(tau >= 0 && tau < 1, "tau = %.17g", tau);
    /* four evaluations and an ulp of tau, on coefficients whose sum the Bernstein form bounds by 8 */
    ck_assert_msg(fabsl(value(p, tau)) <= 64 * DBL_EPSILON * p->scale, "p(%.17g) = %Lg of %g", tau,
                  value(p, tau), p->scale);
    /* at a double root the slope is 0 to the root of rounding */
    ck_assert_msg(slope(p, tau) <= 1e-6 * p->scale, "rising at %.17g: %g of %g", tau, slope(p, tau),
                  p->scale);
    double turned = closed ? -dgap : dgap;
    NEAR(turned * span->h, slope(p, tau), 64 * DBL_EPSILON * p->scale);
}

static void compare(const struct cubic *p, bool found, double tau, double first)
{
    ck_assert_msg(found == (first < 2), "found %d %.17g, eigenvalue %.17g", found, tau, first);
    /* simple roots: the backward error of the eigenvalues, some 100 roundings, over the slope */
    if (found) NEAR(tau, first, 1e3 * DBL_EPSILON * p->scale / fabs(slope(p, first)));
}

START_TEST(eigenvalues_agree)
{
    unsigned long long seed = 1234567 + (unsigned long long)_i;
    int compared = 0, by_companion = 0, events = 0;
    for (int trial = 0; trial < 10000; trial++) {
        bool closed = trial % 2 == 1;
        struct sg_gap_span span = make((enum family)_i, closed, &seed);
        struct cubic p = cubic_of(&span, closed);
        double re[3], im[3], tau = 2, dgap = 0, first = 2;
        if (!(p.scale > 0)) continue;
        bool found = sg_event_root(&span, closed, &tau, &dgap);
        if (found) check_root(&p, tau, dgap, &span, closed);
        events += found;
        if (trust(&p, re, im, pencil(&p, re, im), &first)) {
            compare(&p, found, tau, first);
            compared++;
        }
        if (fabs(p.a[3]) > 1e-3 * p.scale && trust(&p, re, im, companion(&p, re, im), &first)) {
            compare(&p, found, tau, first);
            by_companion++;
        }
    }
    bool simple = _i != DOUBLE_ROOT; /* there nothing near the double root is to be trusted */
    ck_assert_msg(!simple || (compared > 5000 && events > 1000), "%d compared, %d events", compared, events);
    ck_assert_msg(!simple || _i == SMALL_LEADING || by_companion > 3000, "%d by companion", by_companion);
}
END_TEST

START_TEST(a_change_of_sign_is_never_missed)
{
    unsigned long long seed = 5;
    for (int trial = 0; trial < 40000; trial++) {
        bool closed = trial % 2 == 1;
        struct sg_gap_span span = make((enum family)(trial % FAMILIES), closed, &seed);
        double tau = 2, dgap = 0, sign = closed ? -1 : 1;
        if (!(sign * span.g0 >= 0 && sign * span.g1 < 0)) continue;
        ck_assert(sg_event_root(&span, closed, &tau, &dgap));
        ck_assert(tau >= 0 && tau < 1);
    }
}
END_TEST

/* (tau - 1/4)(tau - 1/2)(tau - 3/4), exact in binary: it starts below zero, rises through it at 1/4, falls
 * at 1/2 and rises at 3/4; the root to an ulp or two */
START_TEST(only_the_allowed_direction_counts)
{
    const double a[4] = {-3.0 / 32, 11.0 / 16, -1.5, 1};
    struct sg_gap_span span = span_of(a, 0.5);
    double tau = 2, dgap = 0;
    ck_assert(sg_event_root(&span, false, &tau, &dgap));
    NEAR(tau, 0.5, 1e-15);
    NEAR(dgap, slope(&(struct cubic){.a = {a[0], a[1], a[2], a[3]}}, 0.5) / 0.5, 1e-14);
    ck_assert(sg_event_root(&span, true, &tau, &dgap));
    NEAR(tau, 0.25, 1e-15);
}
END_TEST

START_TEST(grazing_is_no_event)
{
    double tau = 2, dgap = 0;
    /* (tau - 1/2)^2 touches zero without passing it; exact in binary */
    struct sg_gap_span touch = span_of((const double[4]){0.25, -1, 1, 0}, 1);
    ck_assert(!sg_event_root(&touch, false, &tau, &dgap));
    /* at rest on zero, and leaving it */
    ck_assert(!sg_event_root(&(struct sg_gap_span){.h = 1}, false, &tau, &dgap));
    ck_assert(!sg_event_root(&(struct sg_gap_span){0, 1, 1, 1, 1}, false, &tau, &dgap));
    /* leaving it downwards is an event at once */
    ck_assert(sg_event_root(&(struct sg_gap_span){0, -1, -1, -1, 1}, false, &tau, &dgap));
    ck_assert(tau == 0.0);
}
END_TEST

/* Against a thousand samples: none is below what is told, and the least lies above it by at most p'' / (8 *
 * 1000^2), p'' <= 6 |second differences of Bernstein's coefficients| <= 24 scales of them. */
START_TEST(the_least_is_that_of_samples)
{
    enum { SAMPLES = 1000 };
    unsigned long long seed = 77;
    int inside = 0;
    for (int trial = 0; trial < 2000; trial++) {
        bool turned = trial % 2 == 1;
        struct sg_gap_span span = make((enum family)(trial % FAMILIES), turned, &seed);
        struct cubic p = cubic_of(&span, turned);
        double sign = turned ? -1 : 1, least = sg_event_least(&span, sign, HUGE_VAL);
        double ends = fmin(sign * span.g0, sign * span.g1), sampled = HUGE_VAL;
        for (int k = 0; k <= SAMPLES; k++) sampled = fmin(sampled, (double)value(&p, (double)k / SAMPLES));
        BELOW(least - sampled, 64 * DBL_EPSILON * p.scale);
        BELOW(sampled - least, 24 * p.scale / (8.0 * SAMPLES * SAMPLES));
        inside += least < ends;
        ck_assert(sg_event_least(&span, sign, least - p.scale) == least - p.scale);
    }
    ck_assert_int_gt(inside, 200);
}
END_TEST

Suite *sg_suite_event_roots(void)
{
    Suite *suite = suite_create("event_roots");
    TCase *tcase = tcase_create("event_roots");
    tcase_set_timeout(tcase, 60);
    tcase_add_loop_test(tcase, eigenvalues_agree, 0, FAMILIES);
    tcase_add_test(tcase, a_change_of_sign_is_never_missed);
    tcase_add_test(tcase, only_the_allowed_direction_counts);
    tcase_add_test(tcase, grazing_is_no_event);
    tcase_add_test(tcase, the_least_is_that_of_samples);
    suite_add_tcase(suite, tcase);
    return suite;
}
