#include "strategies/event_driven/roots.h"

#include <math.h>

/* The cubic of eq. (20) on [0, 1] by its Bernstein coefficients g_0, g_0 + h d_0/3, g_1 - h d_1/3, g_1. Its
 * graph lies in their convex hull, so that four signs tell most steps without event; evaluation by de
 * Casteljau is stable whatever the scale of the leading coefficient. The companion matrices of eqs. (22),
 * (23) are not needed: between extrema, which a quadratic gives, the cubic is monotone, and a bracketed
 * Newton's method finds its zero. */
struct cubic {
    double b[4];
};

static double value(const struct cubic *p, double t)
{
    double s = 1.0 - t;
    double c0 = s * p->b[0] + t * p->b[1], c1 = s * p->b[1] + t * p->b[2], c2 = s * p->b[2] + t * p->b[3];
    return s * (s * c0 + t * c1) + t * (s * c1 + t * c2);
}

static double slope_at(const struct cubic *p, double t)
{
    double s = 1.0 - t;
    double d0 = p->b[1] - p->b[0], d1 = p->b[2] - p->b[1], d2 = p->b[3] - p->b[2];
    return 3.0 * (s * (s * d0 + t * d1) + t * (s * d1 + t * d2));
}

/* Finds the extrema inside (0, 1), ascending, and returns their number. The quadratic is solved without
 * cancellation. */
static int extrema(const struct cubic *p, double *at)
{
    double d0 = p->b[1] - p->b[0], d1 = p->b[2] - p->b[1], d2 = p->b[3] - p->b[2];
    double a = d0 - 2.0 * d1 + d2, half = d1 - d0; /* p'/3 = a t^2 + 2 half t + d0 */
    double discriminant = half * half - a * d0;
    if (discriminant <= 0.0) return 0;
    double w = -(half + copysign(sqrt(discriminant), half));
    double root[2] = {a != 0.0 ? w / a : -1.0, w != 0.0 ? d0 / w : -1.0};
    int first = root[0] <= root[1] ? 0 : 1, count = 0;
    for (int k = 0; k < 2; k++) {
        double t = root[k == 0 ? first : 1 - first];
        if (t > 0.0 && t < 1.0) at[count++] = t;
    }
    return count;
}

/* Finds where p falls from p(a) >= 0 to p(b) < 0 on a monotone piece: Newton's method within a shrinking
 * bracket. */
static double falling_root(const struct cubic *p, double a, double b)
{
    double pa = value(p, a), pb = value(p, b);
    double t = a + (b - a) * pa / (pa - pb);
    for (int i = 0; i < 100; i++) {
        double pt = value(p, t);
        if (pt == 0.0) return t;
        if (pt > 0.0)
            a = t;
        else
            b = t;
        double derivative = slope_at(p, t);
        double next = derivative < 0.0 ? t - pt / derivative : a;
        if (!(next > a && next < b)) next = 0.5 * (a + b);
        if (fabs(next - t) <= 1e-16 || next == a || next == b) return next;
        t = next;
    }
    return t;
}

static struct cubic cubic_of(const struct sg_gap_span *span, double sign)
{
    double third = span->h / 3.0;
    return (struct cubic){{sign * span->g0, sign * (span->g0 + third * span->d0),
                           sign * (span->g1 - third * span->d1), sign * span->g1}};
}

double sg_event_least(const struct sg_gap_span *span, double sign, double known)
{
    struct cubic p = cubic_of(span, sign);
    double at[2], least = known;
    if (p.b[0] < least) least = p.b[0];
    if (p.b[3] < least) least = p.b[3];
    if (p.b[1] >= least && p.b[2] >= least) return least;
    for (int k = extrema(&p, at); k-- > 0;) least = fmin(least, value(&p, at[k]));
    return least;
}

bool sg_event_root(const struct sg_gap_span *span, bool closed, double *tau, double *slope)
{
    double sign = closed ? -1.0 : 1.0;
    struct cubic p = cubic_of(span, sign);
    if (p.b[0] >= 0.0 && p.b[1] >= 0.0 && p.b[2] >= 0.0 && p.b[3] >= 0.0) return false;
    double knots[4] = {0.0};
    int pieces = 1 + extrema(&p, knots + 1);
    knots[pieces] = 1.0;
    for (int k = 0; k < pieces; k++) {
        if (!(value(&p, knots[k]) >= 0.0 && value(&p, knots[k + 1]) < 0.0)) continue;
        *tau = falling_root(&p, knots[k], knots[k + 1]);
        *slope = sign * slope_at(&p, *tau) / span->h;
        return true;
    }
    return false;
}
