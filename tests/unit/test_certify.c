/* The tests by which events are certified, against dense samples of the same motion: random modes, rigid,
 * soft, stiff, lightly and heavily damped, under loads that are straight or curved. */
#include <check.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "integrators/oscillator.h"
#include "model/load_course.h"
#include "run_fixture.h"
#include "strategies/event_driven/certify.h"

Suite *sg_suite_certify(void);

enum { MODES = 5, DEGREE = SG_LOAD_DEGREE, SAMPLES = 4000 };

struct motion {
    double k[MODES], c[MODES], v[MODES], r[(DEGREE + 1) * MODES], w[MODES], y[MODES], dy[MODES];
    double course[DEGREE + 1], shift[1];
    struct sg_modal_flow flow;
};

static double between(unsigned long long *random, double low, double high)
{
    return low + (high - low) * 0.5 * (1.0 + run_random(random));
}

static void make_motion(struct motion *m, unsigned long long *random, size_t degree)
{
    memset(m, 0, sizeof *m);
    double h = pow(10.0, between(random, -3.0, 1.0));
    for (size_t l = 0; l < MODES; l++) {
        double omega = between(random, 0.05, 3.0) / h;
        m->k[l] = between(random, 0.0, 1.0) < 0.2 ? 0.0 : omega * omega;
        m->c[l] = between(random, 0.0, 1.0) < 0.4 ? 0.0 : omega * pow(10.0, between(random, -2.0, 1.0));
        if (l == 0) m->c[l] = 2.0 * sqrt(m->k[l]); /* critical */
        m->v[l] = between(random, -1.0, 1.0) / h;
        for (size_t d = 0; d <= degree; d++)
            m->r[d * MODES + l] = between(random, -2.0, 2.0) / pow(h, 2.0 + (double)d);
        m->w[l] = between(random, -1.0, 1.0);
    }
    for (size_t d = 0; d <= degree; d++) m->course[d] = between(random, -1.0, 1.0) / pow(h, (double)d);
    m->shift[0] = between(random, -1.0, 1.0);
    m->flow = (struct sg_modal_flow){.h = h,
                                     .count = MODES,
                                     .k = m->k,
                                     .c = m->c,
                                     .v = m->v,
                                     .degree = degree,
                                     .r = m->r,
                                     .loads = 1,
                                     .course = m->course,
                                     .y = m->y,
                                     .dy = m->dy};
}

static struct sg_flow_functional functional_of(const struct motion *m, bool reaction)
{
    struct sg_flow_functional f = {.w = m->w};
    if (reaction) f = (struct sg_flow_functional){m->w, m->shift, 0.1 * m->flow.h};
    return f;
}

/* Every bound holds at every sample: derivatives of order 2 exactly, those of order 3 and 4 by differences of
 * the second, whose mean value theorem gives them somewhere in between. */
static void check_limits(const struct motion *m, const struct sg_flow_functional *f)
{
    double bound[4 * MODES], limit[3], before = NAN, h = m->flow.h, w = h / SAMPLES;
    double third = NAN;
    sg_modal_flow_bounds(&m->flow, h, bound);
    sg_modal_flow_limits(&m->flow, f, bound, h, limit);
    for (int i = 0; i <= SAMPLES; i++) {
        double curve = sg_modal_flow_at(&m->flow, f, w * i).curve;
        /* 1e-9: rounding of the sum; of differences by w it is 1e-12 of the bound below times 4000 and its
         * square */
        BELOW(fabs(curve), limit[0] * (1 + 1e-9));
        double difference = (curve - before) / w;
        if (i > 0) BELOW(fabs(difference), limit[1] * (1 + 1e-9) + 1e-12 * limit[0] / w);
        if (i > 1) BELOW(fabs(difference - third) / w, limit[2] * (1 + 1e-9) + 1e-12 * limit[0] / (w * w));
        before = curve;
        third = difference;
    }
}

START_TEST(limits_hold)
{
    unsigned long long random = 11 + (unsigned)_i;
    for (int i = 0; i < 12; i++) {
        struct motion m;
        make_motion(&m, &random, _i == 0 ? 0 : _i == 1 ? 1 : DEGREE);
        struct sg_flow_functional gap = functional_of(&m, false), reaction = functional_of(&m, true);
        check_limits(&m, &gap);
        check_limits(&m, &reaction);
    }
}
END_TEST

/* the first sample below 0, with the time of its crossing between it and the one before; h: none */
static double sampled(const struct sg_course *course)
{
    double h = course->flow->h, before = course->height;
    for (int i = 1; i <= SAMPLES; i++) {
        double f = sg_course_at(course, h * i / SAMPLES).f;
        if (f < 0.0 && before >= 0.0) return h * (i - 1 + before / (before - f)) / SAMPLES;
        before = f;
    }
    return h;
}

/* A course that starts at `height` above 0, or at 0 with a rising slope; a crossing is where samples have it,
 * and none is found where they have none, unless a dip is narrower than they are: then the crossing that is
 * found is one. */
static void check_course(const struct motion *m, double height, size_t *crossings)
{
    double bound[4 * MODES], tau = NAN, h = m->flow.h;
    struct sg_course course = {
        .flow = &m->flow, .functional = functional_of(m, true), .sign = 1.0, .height = height};
    if (height == 0.0) {
        course.zeros = 1;
        if (sg_course_at(&course, 0.0).slope < 0.0) course.sign = -1.0;
    }
    sg_modal_flow_bounds(&m->flow, h, bound);
    sg_modal_flow_limits(&m->flow, &course.functional, bound, h, course.limit);
    struct sg_course_counts counts = {0};
    struct sg_course_point start = sg_course_at(&course, 0.0), end = sg_course_at(&course, h);
    bool found = sg_course_crosses(&course, &start, &end, &counts, &tau);
    double expected = sampled(&course);
    ck_assert_int_eq(counts.undecided, 0);
    if (!found) {
        ck_assert(expected == h);
        return;
    }
    (*crossings)++;
    struct sg_course_point at = sg_course_at(&course, tau);
    BELOW(fabs(at.f), 64 * at.rounding + 1e-13 * fabs(at.slope) * h);
    BELOW(at.slope, 0.0);
    BELOW(tau, expected + h / SAMPLES);
    if (tau > expected - h / SAMPLES) return;
    /* a dip between samples: f rises through 0 again within one of them */
    ck_assert(sg_course_at(&course, h / SAMPLES * ceil(tau / h * SAMPLES)).f >= 0.0);
}

START_TEST(crossings_are_those_of_samples)
{
    unsigned long long random = 101 + (unsigned)_i;
    size_t crossings = 0;
    for (int i = 0; i < 60; i++) {
        struct motion m;
        make_motion(&m, &random, _i == 0 ? 0 : _i == 1 ? 1 : DEGREE);
        check_course(&m, 0.0, &crossings);
        check_course(&m, between(&random, 0.0, 1.0), &crossings);
    }
    ck_assert_uint_gt(crossings, 20); /* or nothing was tried */
    ck_assert_uint_lt(crossings, 110);
}
END_TEST

/* y = (1 - cos(w t)) / w^2 less a height of its top 2 / w^2 -+ delta: the dip below 0 is found however narrow
 * it is, and none where there is none; within rounding it is undecided. The course falls where y rises. */
static bool grazes(double delta, long long *undecided)
{
    double k = 4.0, c = 0.0, v = 0.0, r = 1.0, w = 1.0, bound[4], tau = NAN;
    struct sg_modal_flow flow = {
        .h = 2.5, .count = 1, .k = &k, .c = &c, .v = &v, .r = &r}; /* the top is at pi / 2 */
    struct sg_course course = {.flow = &flow, .functional = {.w = &w}, .sign = -1.0, .height = 0.5 + delta};
    course.rounding = DBL_EPSILON;
    sg_modal_flow_bounds(&flow, flow.h, bound);
    sg_modal_flow_limits(&flow, &course.functional, bound, flow.h, course.limit);
    struct sg_course_counts counts = {0};
    struct sg_course_point start = sg_course_at(&course, 0.0), end = sg_course_at(&course, flow.h);
    bool found = sg_course_crosses(&course, &start, &end, &counts, &tau);
    *undecided = counts.undecided;
    /* the root is as wrong as the square root of rounding over the dip's depth: sqrt(2e-16) */
    if (found) NEAR(tau, 0.5 * acos(-1.0 - 2.0 * 2.0 * delta), 1e-7);
    return found;
}

START_TEST(grazing_is_decided_up_to_rounding)
{
    long long undecided = 0;
    for (double delta = 1e-2; delta > 1e-14; delta *= 0.1) {
        ck_assert(grazes(-delta, &undecided));
        ck_assert_int_eq(undecided, 0);
        ck_assert(!grazes(delta, &undecided));
        ck_assert_int_eq(undecided, 0);
    }
    ck_assert(!grazes(0.0, &undecided));
    ck_assert_int_eq(undecided, 1);
}
END_TEST

/* A jerk alone lifts a course of three zeros: f = j t^3 / 6. Pressed down, the crossing is at once. */
START_TEST(a_release_lifts_by_its_jerk)
{
    double k = 0.0, c = 0.0, v = 0.0, r[2] = {0.0, 6.0}, w = 1.0, bound[4], tau = NAN;
    struct sg_modal_flow flow = {
        .h = 1.0, .count = 1, .k = &k, .c = &c, .v = &v, .degree = 1, .r = r, .loads = 0};
    for (int i = 0; i < 2; i++) {
        struct sg_course course = {
            .flow = &flow, .functional = {.w = &w}, .sign = i == 0 ? 1.0 : -1.0, .zeros = 3};
        sg_modal_flow_bounds(&flow, 1.0, bound);
        sg_modal_flow_limits(&flow, &course.functional, bound, 1.0, course.limit);
        struct sg_course_counts counts = {0};
        struct sg_course_point start = sg_course_at(&course, 0.0), end = sg_course_at(&course, 1.0);
        NEAR(end.f, i == 0 ? 1.0 : -1.0, 1e-15);
        ck_assert_int_eq(sg_course_crosses(&course, &start, &end, &counts, &tau), i);
    }
    ck_assert(tau == 0.0);
}
END_TEST

/* --- the chain of integrals ----------------------------------------------------------------------- */

/* S_m'' + c S_m' + k S_m = h^(m-2) / (m-2)! at every h, S_m' = S_(m-1) by central differences, and the first
 * four of sg_oscillator_response, which other tests hold against closed forms. */
static void check_chain(double k, double c, double h)
{
    double s[SG_OSCILLATOR_CHAIN], a[SG_OSCILLATOR_CHAIN], b[SG_OSCILLATOR_CHAIN], power = 1.0, d = 1e-4;
    sg_oscillator_chain(k, c, h, SG_OSCILLATOR_CHAIN, s);
    sg_oscillator_chain(k, c, h * (1 - d), SG_OSCILLATOR_CHAIN, a);
    sg_oscillator_chain(k, c, h * (1 + d), SG_OSCILLATOR_CHAIN, b);
    struct sg_oscillator o = sg_oscillator_response(k, c, h);
    /* roundings of up to 40 doublings */
    NEAR(s[0], o.ds1, 1e-12);
    NEAR(s[1], o.s1, 1e-12 * fmin(h, 1 / sqrt(k)));
    NEAR(s[2], o.s2, 1e-12 * o.s2);
    NEAR(s[3], o.s3, 1e-12 * o.s3);
    for (size_t m = 2; m < SG_OSCILLATOR_CHAIN; m++) {
        NEAR(s[m - 2] + c * s[m - 1] + k * s[m], power, 1e-12 * power);
        if (m > 3 && k * h * h < 100) /* (m d)^2 of the difference, rounding / d */
            NEAR((b[m] - a[m]) / (2 * d * h), s[m - 1], 1e-5 * s[m - 1]);
        power *= h / (double)(m - 1);
    }
}

START_TEST(the_chain_obeys_its_equation)
{
    const double steps[] = {1e-3, 0.3, 1, 7, 200}, ratios[] = {0, 1e-3, 0.3, 1, 1.5, 30, 1e4};
    for (size_t i = 0; i < 5; i++)
        for (size_t j = 0; j < 7; j++) check_chain(2.0, ratios[j] * 2 * sqrt(2.0), steps[i]);
}
END_TEST

Suite *sg_suite_certify(void)
{
    Suite *suite = suite_create("certify");
    TCase *tcase = tcase_create("certify");
    tcase_set_timeout(tcase, 60);
    tcase_add_loop_test(tcase, limits_hold, 0, 3);
    tcase_add_loop_test(tcase, crossings_are_those_of_samples, 0, 3);
    tcase_add_test(tcase, grazing_is_decided_up_to_rounding);
    tcase_add_test(tcase, a_release_lifts_by_its_jerk);
    tcase_add_test(tcase, the_chain_obeys_its_equation);
    suite_add_tcase(suite, tcase);
    return suite;
}
