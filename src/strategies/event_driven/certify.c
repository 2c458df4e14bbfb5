#include "strategies/event_driven/certify.h"

#include <float.h>
#include <math.h>

#include "strategies/event_driven/roots.h"

enum { DEPTH = 50, TRIALS = 100 };

enum verdict { CLEAR, CROSSES, HALVE };

/* A part of the span whose start has `zeros` by structure; where it crosses, the crossing is in [a.tau, end].
 */
struct part {
    struct sg_course_point a, b;
    unsigned zeros;
    double end;
};

struct sg_course_point sg_course_at(const struct sg_course *course, double tau)
{
    struct sg_flow_value value = sg_modal_flow_at(course->flow, &course->functional, tau);
    return (struct sg_course_point){.tau = tau,
                                    .f = course->height + course->sign * value.change,
                                    .slope = course->sign * value.slope,
                                    .curve = course->sign * value.curve,
                                    .rounding = course->rounding + 8.0 * DBL_EPSILON * value.scale};
}

static struct sg_course_point evaluate(const struct sg_course *course, double tau,
                                       struct sg_course_counts *counts)
{
    counts->evaluations++;
    return sg_course_at(course, tau);
}

/* --- the tests ------------------------------------------------------------------------------------ */

/* c (5): Bernstein coefficients; `least`: what they must not be below. The quartic is subdivided twice. */
static bool stays_above(const double c[5], double least)
{
    double pieces[4][5] = {{c[0], c[1], c[2], c[3], c[4]}};
    for (size_t count = 1; count <= 4; count *= 2) {
        bool above = true;
        for (size_t i = 0; i < count; i++)
            for (size_t k = 0; k < 5; k++) above = above && pieces[i][k] >= least;
        if (above) return true;
        for (size_t i = count; count < 4 && i-- > 0;) {
            double work[5], left[5], right[5];
            for (size_t k = 0; k < 5; k++) work[k] = pieces[i][k];
            for (size_t k = 0; k < 5; k++) {
                left[k] = work[0];
                right[4 - k] = work[4 - k];
                for (size_t l = 0; l + 1 + k < 5; l++) work[l] = 0.5 * (work[l] + work[l + 1]);
            }
            for (size_t k = 0; k < 5; k++) {
                pieces[2 * i][k] = left[k];
                pieces[2 * i + 1][k] = right[k];
            }
        }
    }
    return false;
}

static bool is_above(const struct sg_course *course, const struct sg_course_point *a,
                     const struct sg_course_point *b, double least)
{
    double w = b->tau - a->tau, p = a->f + w * a->slope / 3.0, q = b->f - w * b->slope / 3.0;
    double c[5] = {a->f, 0.25 * (a->f + 3.0 * p), 0.5 * (p + q) - course->limit[2] * w * w * w * w / 144.0,
                   0.25 * (3.0 * q + b->f), b->f};
    return stays_above(c, least);
}

bool sg_course_is_clear(const struct sg_course *course, const struct sg_course_point *a,
                        const struct sg_course_point *b)
{
    return is_above(course, a, b, 0.0);
}

static enum verdict by_end(struct part *part)
{
    part->end = part->b.tau;
    return part->b.f < 0.0 ? CROSSES : CLEAR;
}

/* The minimum of a convex part, by Newton's method on f' within its bracket, or a point with f < enough. */
static struct sg_course_point minimum(const struct sg_course *course, const struct part *part, double enough,
                                      struct sg_course_counts *counts)
{
    struct sg_course_point a = part->a, b = part->b, x = a;
    double tau = a.tau + (b.tau - a.tau) * a.slope / (a.slope - b.slope);
    for (int i = 0; i < TRIALS; i++) {
        if (!(tau > a.tau && tau < b.tau)) tau = 0.5 * (a.tau + b.tau);
        x = evaluate(course, tau, counts);
        if (x.f < enough - x.rounding) return x;
        double next = x.curve > 0.0 ? tau - x.slope / x.curve : NAN;
        if (x.slope == 0.0 || fabs(next - tau) <= 1e-15 * tau || b.tau - a.tau <= 1e-15 * tau) return x;
        /* what is left to fall is rounding: the tangent's decrement slope^2 / (2 curve) */
        if (x.curve > 0.0 && x.slope * x.slope < 1e-3 * x.rounding * x.curve) return x;
        if (x.slope > 0.0)
            b = x;
        else
            a = x;
        tau = next;
    }
    return x;
}

static enum verdict by_convexity(const struct sg_course *course, struct part *part,
                                 struct sg_course_counts *counts)
{
    if (part->a.slope >= 0.0) return CLEAR;
    if (part->b.slope <= 0.0) return by_end(part);
    struct sg_course_point low = minimum(course, part, 0.0, counts);
    part->end = low.tau;
    if (low.f < -low.rounding) return CROSSES;
    if (low.f <= low.rounding) counts->undecided++;
    return CLEAR;
}

static enum verdict by_derivatives(const struct sg_course *course, struct part *part,
                                   struct sg_course_counts *counts)
{
    double w = part->b.tau - part->a.tau, off = course->limit[1] * w * w / 8.0;
    if (fmax(part->a.slope, part->b.slope) + off < 0.0) return by_end(part);
    if (fmin(part->a.slope, part->b.slope) - off > 0.0) return CLEAR;
    if (isnan(part->a.curve)) part->a.curve = evaluate(course, part->a.tau, counts).curve;
    if (isnan(part->b.curve)) part->b.curve = evaluate(course, part->b.tau, counts).curve;
    off = course->limit[2] * w * w / 8.0;
    if (fmax(part->a.curve, part->b.curve) + off < 0.0) return by_end(part);
    if (fmin(part->a.curve, part->b.curve) - off > 0.0) return by_convexity(course, part, counts);
    return HALVE;
}

/* Below what rounding can tell there is no crossing: a reaction that is 0 all the time. */
static bool is_rounding(const struct sg_course *course, const struct part *part)
{
    double rounding = fmax(part->a.rounding, part->b.rounding);
    return is_above(course, &part->a, &part->b, -rounding);
}

/* By the first derivative that is not 0 by structure, of order 2 or 3. Where bodies lose touch that depended
 * on one another, the second may be 0 too. */
static enum verdict judge_start(const struct sg_course *course, struct part *part)
{
    double w = part->b.tau - part->a.tau, scale = 0.0;
    unsigned order = part->zeros;
    double rise = course->sign * sg_modal_flow_start(course->flow, &course->functional, order, &scale);
    if (order == 2 && fabs(rise) <= 64.0 * DBL_EPSILON * scale) {
        order = 3;
        rise = course->sign * sg_modal_flow_start(course->flow, &course->functional, order, &scale);
    }
    double off = course->limit[order - 1] * w / (double)(order + 1);
    part->end = part->a.tau;
    if (rise - off > 0.0) return CLEAR;
    return rise + off < 0.0 ? CROSSES : HALVE;
}

static enum verdict judge(const struct sg_course *course, struct part *part, struct sg_course_counts *counts)
{
    if (part->zeros >= 2) return judge_start(course, part);
    part->end = part->a.tau;
    if (part->zeros == 0 && part->a.f < -part->a.rounding) return CROSSES;
    if (part->zeros == 1 || part->a.f < 0.0) part->a.f = 0.0;
    if (sg_course_is_clear(course, &part->a, &part->b)) return CLEAR;
    enum verdict verdict = by_derivatives(course, part, counts);
    return verdict == HALVE && is_rounding(course, part) ? CLEAR : verdict;
}

/* --- the crossing --------------------------------------------------------------------------------- */

/* f(a) >= 0 > f(end): Newton's method within the bracket, from the root of the cubic through both ends */
static double locate(const struct sg_course *course, const struct part *part, struct sg_course_counts *counts)
{
    double low = part->a.tau, high = part->end;
    if (!(high > low)) return low;
    struct sg_course_point b = high == part->b.tau ? part->b : evaluate(course, high, counts);
    struct sg_gap_span span = {part->a.f, part->a.slope, b.f, b.slope, high - low};
    double share = 0.5, slope = 0.0;
    if (!sg_event_root(&span, false, &share, &slope)) share = 0.5;
    double tau = low + share * (high - low);
    for (int i = 0; i < TRIALS; i++) {
        struct sg_course_point x = evaluate(course, tau, counts);
        if (x.f == 0.0) return tau;
        if (x.f > 0.0)
            low = tau;
        else
            high = tau;
        double next = x.slope < 0.0 ? tau - x.f / x.slope : low;
        if (!(next >= low && next <= high)) next = 0.5 * (low + high);
        if (fabs(next - tau) <= 4.0 * DBL_EPSILON * next || high - low <= 2.0 * DBL_EPSILON * high)
            return next;
        tau = next;
    }
    return tau;
}

bool sg_course_crosses(const struct sg_course *course, const struct sg_course_point *start,
                       const struct sg_course_point *end, struct sg_course_counts *counts, double *tau)
{
    struct sg_course_point stack[DEPTH + 2] = {*end};
    struct part part = {.a = *start, .zeros = course->zeros};
    size_t top = 0;
    for (;;) {
        part.b = stack[top];
        enum verdict verdict = judge(course, &part, counts);
        bool fine = verdict == HALVE && top == DEPTH;
        if (fine) {
            counts->undecided++;
            verdict = part.zeros < 2 ? by_end(&part) : CLEAR;
        }
        if (verdict == CROSSES) {
            *tau = locate(course, &part, counts);
            return true;
        }
        if (verdict == CLEAR) {
            if (top == 0) return false;
            part.a = stack[top--];
            /* above 0 by the bound, whatever rounding says */
            if (part.a.f < 0.0 && part.a.f >= -part.a.rounding) part.a.f = 0.0;
            part.zeros = 0;
            continue;
        }
        counts->subdivisions++;
        stack[++top] = evaluate(course, 0.5 * (part.a.tau + part.b.tau), counts);
    }
}

/* --- extremes ------------------------------------------------------------------------------------- */

/* Whether a part has its least inside, and not at an end; `at` becomes it where it is found. */
static enum verdict look_inside(const struct sg_course *course, struct part *part,
                                struct sg_course_counts *counts, struct sg_course_point *at)
{
    double w = part->b.tau - part->a.tau, off = course->limit[1] * w * w / 8.0;
    if (fmax(part->a.slope, part->b.slope) + off < 0.0) return CLEAR;
    if (fmin(part->a.slope, part->b.slope) - off > 0.0) return CLEAR;
    if (isnan(part->a.curve)) part->a.curve = evaluate(course, part->a.tau, counts).curve;
    if (isnan(part->b.curve)) part->b.curve = evaluate(course, part->b.tau, counts).curve;
    off = course->limit[2] * w * w / 8.0;
    if (fmax(part->a.curve, part->b.curve) + off < 0.0) return CLEAR;
    if (!(fmin(part->a.curve, part->b.curve) - off > 0.0)) return HALVE;
    if (part->a.slope >= 0.0 || part->b.slope <= 0.0) return CLEAR;
    *at = minimum(course, part, -HUGE_VAL, counts);
    return CROSSES;
}

double sg_course_least(const struct sg_course *course, const struct sg_course_point *start,
                       const struct sg_course_point *end, double known)
{
    struct sg_course_point stack[DEPTH + 2] = {*end}, at = *start;
    struct sg_course_counts counts = {0};
    struct part part = {.a = *start};
    double least = fmin(known, fmin(start->f, end->f));
    for (size_t top = 0;;) {
        part.b = stack[top];
        enum verdict verdict = CLEAR;
        if (!is_above(course, &part.a, &part.b, least - part.b.rounding))
            verdict = look_inside(course, &part, &counts, &at);
        if (verdict == CROSSES) least = fmin(least, at.f);
        if (verdict == HALVE && top < DEPTH) {
            stack[++top] = evaluate(course, 0.5 * (part.a.tau + part.b.tau), &counts);
            least = fmin(least, stack[top].f);
            continue;
        }
        if (top == 0) return least;
        part.a = stack[top--];
    }
}
