#include "ground/response_spectrum.h"

#include <math.h>

#include "integrators/oscillator.h"

static const double longest_angle = 0.3; /* w h of a piece */

struct march {
    double k, c;              /* 1/s^2, 1/s */
    double u, v;              /* m, m/s */
    double h;                 /* s: of `piece`; 0: none yet */
    double largest, steepest; /* |u|, |k u + c v| so far */
    struct sg_oscillator piece;
};

/* Largest |y| of the cubic that has values y and slopes d at both ends of [0, h]. */
static double cubic_peak(const double y[2], const double d[2], double h)
{
    double peak = fmax(fabs(y[0]), fabs(y[1]));
    if (!(d[0] * d[1] < 0)) return peak;
    /* y' = d0 + 2 b s + 3 a s^2 over s = t / h */
    double rise = (y[1] - y[0]) / h;
    double a = d[0] + d[1] - 2 * rise, b = 3 * rise - 2 * d[0] - d[1];
    /* the one root in (0, 1), by the form that does not cancel */
    double root = sqrt(fmax(0, b * b - 3 * a * d[0]));
    double denominator = b < 0 ? b - root : b + root;
    double s = -d[0] / denominator;
    if (!(s > 0 && s < 1)) s = -denominator / (3 * a);
    if (!(s > 0 && s < 1)) return peak;
    return fmax(peak, fabs(y[0] + h * s * (d[0] + s * (b + s * a))));
}

/* one piece of length h, on which the ground's acceleration goes from a0 to a1 */
static void advance(struct march *m, double h, double a0, double a1)
{
    if (h != m->h) m->piece = sg_oscillator_response(m->k, m->c, h);
    m->h = h;
    const struct sg_oscillator *o = &m->piece;
    double r0 = -a0 - m->k * m->u, r1 = (a0 - a1) / h;
    double u = m->u + m->v * o->s1 + r0 * o->s2 + r1 * o->s3, v = m->v * o->ds1 + r0 * o->s1 + r1 * o->s2;
    /* u'' + a = -(k u + c v) */
    double pull0 = m->k * m->u + m->c * m->v, pull1 = m->k * u + m->c * v;
    double rate0 = m->k * m->v - m->c * (a0 + pull0), rate1 = m->k * v - m->c * (a1 + pull1);
    m->largest = fmax(m->largest, cubic_peak((const double[]){m->u, u}, (const double[]){m->v, v}, h));
    m->steepest =
        fmax(m->steepest, cubic_peak((const double[]){pull0, pull1}, (const double[]){rate0, rate1}, h));
    m->u = u;
    m->v = v;
}

static void cross(struct march *m, double length, double a0, double a1)
{
    double parts = ceil(sqrt(m->k) * length / longest_angle);
    if (!(parts >= 1)) parts = 1;
    /* equal to rounding is equal: the closed form is not to be taken anew at every point */
    double h = length / parts;
    if (fabs(h - m->h) <= 1e-9 * h) h = m->h;
    for (double k = 0; k < parts; k++)
        advance(m, h, a0 + (a1 - a0) * (k / parts), a0 + (a1 - a0) * ((k + 1) / parts));
}

struct sg_response sg_response_of(const struct sg_table *record, double period, double damping)
{
    double w = 2 * acos(-1.0) / period;
    struct march m = {.k = w * w, .c = 2 * damping * w};
    for (size_t i = 0; i + 1 < record->count; i++)
        cross(&m, record->x[i + 1] - record->x[i], record->y[i], record->y[i + 1]);
    cross(&m, period, 0, 0);
    return (struct sg_response){m.largest, m.k * m.largest, m.steepest};
}

void sg_response_periods(double shortest, double longest, size_t count, double *period)
{
    double ratio = log(longest / shortest) / (double)(count - 1);
    for (size_t k = 0; k < count; k++) period[k] = shortest * exp(ratio * (double)k);
    period[count - 1] = longest;
}
