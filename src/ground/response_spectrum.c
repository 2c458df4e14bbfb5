#include "ground/response_spectrum.h"

#include <math.h>
#include <stdbool.h>

#include "integrators/oscillator.h"
#include "support/constants.h"
#include "support/stop.h"

static const double longest_angle = 0.3; /* w h of a piece */

struct march {
    double k, c;              /* 1/s^2, 1/s */
    double u, v;              /* m, m/s */
    double h;                 /* s: of `piece`; 0: none yet */
    double largest, steepest; /* |u|, |k u + c v| so far */
    bool pulls;               /* `steepest` is wanted, too */
    struct sg_oscillator piece;
};

/* Where the cubic that has values y and slopes d at both ends of [0, h] has its extremum, as a share of h; -1
 * if it has none, or two. */
static double extremum(const double y[2], const double d[2], double h)
{
    if (!(d[0] * d[1] < 0)) return -1;
    /* y' = d0 + 2 b s + 3 a s^2 over s = t / h */
    double rise = (y[1] - y[0]) / h;
    double a = d[0] + d[1] - 2 * rise, b = 3 * rise - 2 * d[0] - d[1];
    /* the one root in (0, 1), by the form that does not cancel */
    double root = sqrt(fmax(0, b * b - 3 * a * d[0]));
    double sum = b < 0 ? b - root : b + root, s = -d[0] / sum;
    if (!(s > 0 && s < 1)) s = -sum / (3 * a);
    return s > 0 && s < 1 ? s : -1;
}

/* a piece: the state at its start, and the load r0 + r1 t less what the start's displacement resists */
struct piece {
    double u, v, r0, r1;
};

static void move(const struct piece *piece, const struct sg_oscillator *o, double *u, double *v)
{
    *u = piece->u + piece->v * o->s1 + piece->r0 * o->s2 + piece->r1 * o->s3;
    *v = piece->v * o->ds1 + piece->r0 * o->s1 + piece->r1 * o->s2;
}

/* |p u + q v| at its ends and where it is largest between them, as far as it may beat the largest so far */
static double peak_of(const struct march *m, const struct piece *piece, const double weight[2],
                      const double rate[2], double so_far)
{
    double p = weight[0], q = weight[1];
    double y[2] = {p * piece->u + q * piece->v, p * m->u + q * m->v}, u, v;
    double largest = fmax(so_far, fmax(fabs(y[0]), fabs(y[1]))), s = extremum(y, rate, m->h);
    if (s < 0) return largest;
    struct sg_oscillator o = sg_oscillator_response(m->k, m->c, s * m->h);
    move(piece, &o, &u, &v);
    return fmax(largest, fabs(p * u + q * v));
}

/* an extremum between the ends can't exceed them by more than the steepest rise */
static bool may_beat(const double y[2], const double rate[2], double h, double so_far)
{
    double reach = h * fmax(fabs(rate[0]), fabs(rate[1]));
    return fmax(fabs(y[0]), fabs(y[1])) + reach > so_far;
}

/* u'' + a = -(k u + c v), at the ends of a piece from a0 to a1 */
static void look_at_pull(struct march *m, const struct piece *piece, double a0, double a1)
{
    const double pulled[2] = {m->k, m->c};
    const double pull[2] = {m->k * piece->u + m->c * piece->v, m->k * m->u + m->c * m->v};
    const double rate[2] = {m->k * piece->v - m->c * (a0 + pull[0]), m->k * m->v - m->c * (a1 + pull[1])};
    if (may_beat(pull, rate, m->h, m->steepest)) m->steepest = peak_of(m, piece, pulled, rate, m->steepest);
}

/* one piece of length h, on which the ground's acceleration goes from a0 to a1 */
static void advance(struct march *m, double h, double a0, double a1)
{
    if (h != m->h) m->piece = sg_oscillator_response(m->k, m->c, h);
    m->h = h;
    struct piece piece = {m->u, m->v, -a0 - m->k * m->u, (a0 - a1) / h};
    move(&piece, &m->piece, &m->u, &m->v);
    const double still[2] = {1, 0}, u[2] = {piece.u, m->u}, v[2] = {piece.v, m->v};
    if (may_beat(u, v, h, m->largest)) m->largest = peak_of(m, &piece, still, v, m->largest);
    if (m->pulls) look_at_pull(m, &piece, a0, a1);
}

static void cross(struct march *m, double length, double a0, double a1)
{
    double parts = ceil(sqrt(m->k) * length / longest_angle);
    if (!(parts >= 1)) parts = 1;
    /* equal to rounding is equal: the closed form is not to be taken anew at every point */
    double h = length / parts;
    if (fabs(h - m->h) <= 1e-9 * h) h = m->h;
    for (size_t k = 0; k < (size_t)parts; k++)
        advance(m, h, a0 + (a1 - a0) * ((double)k / parts), a0 + (a1 - a0) * ((double)(k + 1) / parts));
}

static struct march pass(const struct sg_table *record, double period, double damping, bool pulls)
{
    double w = 2 * SG_PI / period;
    struct march m = {.k = w * w, .c = 2 * damping * w, .pulls = pulls};
    for (size_t i = 0; i + 1 < record->count; i++)
        cross(&m, record->x[i + 1] - record->x[i], record->y[i], record->y[i + 1]);
    cross(&m, period, 0, 0);
    return m;
}

struct sg_peak_response sg_response_of(const struct sg_table *record, double period, double damping)
{
    struct march m = pass(record, period, damping, true);
    return (struct sg_peak_response){m.largest, m.k * m.largest, m.steepest};
}

/* fmax drops what is no number, the state does not */
static sg_status check(const struct march *m, double period, struct sg_error *err)
{
    if (sg_stop_requested()) FAIL(err, SG_INTERRUPTED, "interrupted within a response spectrum");
    if (isfinite(m->u) && isfinite(m->v) && isfinite(m->k * m->largest) && isfinite(m->steepest))
        return SG_OK;
    FAIL(err, SG_NO_SOLUTION, "the response of the oscillator of %g s is not finite", period);
}

sg_status sg_response_spectrum(const struct sg_table *record, const struct sg_oscillators *oscillators,
                               struct sg_peak_response *response, struct sg_error *err)
{
    for (size_t i = 0; i < oscillators->count; i++) {
        struct march m = pass(record, oscillators->period[i], oscillators->damping, true);
        TRY(check(&m, oscillators->period[i], err));
        response[i] = (struct sg_peak_response){m.largest, m.k * m.largest, m.steepest};
    }
    return SG_OK;
}

sg_status sg_pseudo_accelerations(const struct sg_table *record, const struct sg_oscillators *oscillators,
                                  double *pseudo_acceleration, struct sg_error *err)
{
    for (size_t i = 0; i < oscillators->count; i++) {
        struct march m = pass(record, oscillators->period[i], oscillators->damping, false);
        TRY(check(&m, oscillators->period[i], err));
        pseudo_acceleration[i] = m.k * m.largest;
    }
    return SG_OK;
}

void sg_response_periods(double shortest, double longest, size_t count, double *period)
{
    double ratio = log(longest / shortest) / (double)(count - 1);
    for (size_t k = 0; k < count; k++) period[k] = shortest * exp(ratio * (double)k);
    period[count - 1] = longest;
}
