#include "integrators/modal_flow.h"

#include <math.h>

#include "integrators/oscillator.h"
#include "model/load_course.h"

struct sg_flow_functional sg_modal_flow_gap(const struct sg_modal_flow *flow, size_t j)
{
    return (struct sg_flow_functional){.w = flow->gap + j * flow->count};
}

struct sg_flow_functional sg_modal_flow_reaction(const struct sg_modal_flow *flow, size_t j)
{
    return (struct sg_flow_functional){.w = flow->reaction + j * flow->count,
                                       .shift = flow->degree > 0 ? flow->shift + j * flow->loads : NULL,
                                       .rate = flow->beta};
}

/* --- one instant ---------------------------------------------------------------------------------- */

struct motion {
    double y, dy, ddy, dddy;
};

/* y'' and y''' follow from the equation of motion and its derivative. */
static void accelerate(const struct sg_modal_flow *flow, size_t l, double tau, struct motion *m)
{
    double r = 0.0, slope = 0.0;
    for (size_t d = flow->degree + 1; d-- > 0;) {
        slope = slope * tau + r;
        r = r * tau + flow->r[d * flow->count + l];
    }
    m->ddy = r - flow->c[l] * m->dy - flow->k[l] * m->y;
    m->dddy = slope - flow->c[l] * m->ddy - flow->k[l] * m->dy;
}

static struct motion motion_at(const struct sg_modal_flow *flow, size_t l, double tau)
{
    double s[SG_LOAD_DEGREE + 3], v = flow->v[l], r0 = flow->r[l];
    struct sg_oscillator o = sg_oscillator_response(flow->k[l], flow->c[l], tau);
    struct motion m = {.y = v * o.s1 + r0 * o.s2, .dy = v * o.ds1 + r0 * o.s1};
    if (flow->degree >= 1) {
        double r1 = flow->r[flow->count + l];
        m.y += r1 * o.s3;
        m.dy += r1 * o.s2;
    }
    if (flow->degree > 1) {
        double factorial = 1.0;
        sg_oscillator_chain(flow->k[l], flow->c[l], tau, flow->degree + 3, s);
        for (size_t d = 2; d <= flow->degree; d++) {
            factorial *= (double)d;
            m.y += factorial * flow->r[d * flow->count + l] * s[d + 2];
            m.dy += factorial * flow->r[d * flow->count + l] * s[d + 1];
        }
    }
    accelerate(flow, l, tau, &m);
    return m;
}

static void add_mode(const struct sg_flow_functional *f, double w, double v, const struct motion *m,
                     struct sg_flow_value *value)
{
    value->change += w * (m->y + f->rate * (m->dy - v));
    value->slope += w * (m->dy + f->rate * m->ddy);
    value->curve += w * (m->ddy + f->rate * m->dddy);
    value->scale += fabs(w) * (fabs(m->y) + f->rate * (fabs(m->dy) + fabs(v)));
}

/* what the loads themselves take off a reaction */
static void subtract_loads(const struct sg_modal_flow *flow, const struct sg_flow_functional *f, double tau,
                           struct sg_flow_value *value)
{
    for (size_t k = 0; f->shift != NULL && k < flow->loads; k++) {
        const double *c = flow->course + k * (flow->degree + 1);
        double s = 0.0, slope = 0.0, curve = 0.0;
        for (size_t d = flow->degree; d > 0; d--) {
            curve = curve * tau + 2.0 * slope;
            slope = slope * tau + s;
            s = s * tau + c[d];
        }
        /* s = (s_k(t + tau) - s_k(t)) / tau so far */
        curve = curve * tau + 2.0 * slope;
        slope = slope * tau + s;
        s *= tau;
        value->change -= f->shift[k] * s;
        value->slope -= f->shift[k] * slope;
        value->curve -= f->shift[k] * curve;
        value->scale += fabs(f->shift[k] * s);
    }
}

struct sg_flow_value sg_modal_flow_at(const struct sg_modal_flow *flow, const struct sg_flow_functional *f,
                                      double tau)
{
    struct sg_flow_value value = {0.0, 0.0, 0.0, 0.0};
    for (size_t l = 0; l < flow->count; l++) {
        if (f->w[l] == 0.0) continue;
        struct motion m = motion_at(flow, l, tau);
        add_mode(f, f->w[l], flow->v[l], &m, &value);
    }
    subtract_loads(flow, f, tau, &value);
    return value;
}

struct sg_flow_value sg_modal_flow_end(const struct sg_modal_flow *flow, const struct sg_flow_functional *f)
{
    struct sg_flow_value value = {0.0, 0.0, 0.0, 0.0};
    for (size_t l = 0; l < flow->count; l++) {
        if (f->w[l] == 0.0) continue;
        struct motion m = {.y = flow->y[l], .dy = flow->dy[l]};
        accelerate(flow, l, flow->at, &m);
        add_mode(f, f->w[l], flow->v[l], &m, &value);
    }
    subtract_loads(flow, f, flow->at, &value);
    return value;
}

/* --- derivatives at the start --------------------------------------------------------------------- */

enum { ORDERS = 7 };

static double factorial_of(size_t n)
{
    double product = 1.0;
    for (size_t i = 2; i <= n; i++) product *= (double)i;
    return product;
}

/* q[r] = y^(r)(0), r = 0 .. 6: q_(r+2) = r! r_r - c q_(r+1) - k q_r; sums of magnitudes into `scale`, which
 * may be NULL */
static void derivatives(const struct sg_modal_flow *flow, size_t l, double q[ORDERS], double scale[ORDERS])
{
    double factorial = 1.0;
    q[0] = 0.0;
    q[1] = flow->v[l];
    if (scale != NULL) scale[0] = scale[1] = fabs(q[1]);
    for (size_t r = 0; r + 2 < ORDERS; r++) {
        if (r > 1) factorial *= (double)r;
        double force = r <= flow->degree ? factorial * flow->r[r * flow->count + l] : 0.0;
        q[r + 2] = force - flow->c[l] * q[r + 1] - flow->k[l] * q[r];
        if (scale != NULL)
            scale[r + 2] =
                fabs(force) + fabs(flow->c[l]) * scale[r + 1] + fabs(flow->k[l]) * (r == 0 ? 0.0 : scale[r]);
    }
}

double sg_modal_flow_start(const struct sg_modal_flow *flow, const struct sg_flow_functional *f, size_t order,
                           double *scale)
{
    double sum = 0.0, q[ORDERS], size[ORDERS];
    *scale = 0.0;
    for (size_t l = 0; l < flow->count; l++) {
        if (f->w[l] == 0.0) continue;
        derivatives(flow, l, q, size);
        sum += f->w[l] * (q[order] + f->rate * q[order + 1]);
        *scale += fabs(f->w[l]) * (size[order] + f->rate * size[order + 1]);
    }
    for (size_t k = 0; f->shift != NULL && order <= flow->degree && k < flow->loads; k++) {
        double jump = f->shift[k] * factorial_of(order) * flow->course[k * (flow->degree + 1) + order];
        sum -= jump;
        *scale += fabs(jump);
    }
    return sum;
}

/* --- bounds --------------------------------------------------------------------------------------- */

/* max of |d^r/dtau^r sum_d c_d tau^d| on [0, h], by the sum of its terms; the coefficients stand `stride`
 * apart */
static double polynomial_limit(const double *c, size_t stride, size_t degree, size_t r, double h)
{
    double sum = 0.0, factor = factorial_of(r), power = 1.0;
    for (size_t d = r; d <= degree; d++) {
        sum += fabs(c[d * stride]) * factor * power;
        power *= h;
        factor *= (double)(d + 1) / (double)(d + 1 - r);
    }
    return sum;
}

/* of the motion from z0, z1 without force */
static double free_limit(double k, double c, double z0, double z1, double h)
{
    double limit = HUGE_VAL, square = 0.25 * c * c - k;
    if (k > 0.0) limit = sqrt(z0 * z0 + z1 * z1 / k);
    if (square < 0.0) return limit;
    double b = 0.5 * c + sqrt(square), a = b > 0.0 ? k / b : 0.0, fed = fabs(z1 + a * z0);
    double time = b * h > 1.0 ? 1.0 / b : h;
    return fmin(limit, fabs(z0) + (fed > 0.0 ? fed * time : 0.0));
}

void sg_modal_flow_bounds(const struct sg_modal_flow *flow, double horizon, double *bound)
{
    double q[ORDERS];
    for (size_t l = 0; l < flow->count; l++) {
        double k = fmax(flow->k[l], 0.0), c = flow->c[l], root = sqrt(k);
        double time = root * horizon > 2.0 ? horizon / root : 0.5 * horizon * horizon;
        derivatives(flow, l, q, NULL);
        for (size_t r = 2; r <= 5; r++) {
            double force = r <= flow->degree
                               ? polynomial_limit(flow->r + l, flow->count, flow->degree, r, horizon)
                               : 0.0;
            bound[(r - 2) * flow->count + l] =
                free_limit(k, c, q[r], q[r + 1], horizon) + (force > 0.0 ? force * time : 0.0);
        }
    }
}

void sg_modal_flow_limits(const struct sg_modal_flow *flow, const struct sg_flow_functional *f,
                          const double *bound, double horizon, double m[3])
{
    for (size_t r = 2; r <= 4; r++) {
        const double *own = bound + (r - 2) * flow->count;
        double sum = 0.0;
        for (size_t l = 0; l < flow->count; l++) sum += fabs(f->w[l]) * own[l];
        for (size_t l = 0; f->rate > 0.0 && l < flow->count; l++)
            sum += fabs(f->w[l]) * f->rate * own[flow->count + l];
        for (size_t k = 0; f->shift != NULL && k < flow->loads; k++)
            sum += fabs(f->shift[k]) *
                   polynomial_limit(flow->course + k * (flow->degree + 1), 1, flow->degree, r, horizon);
        m[r - 2] = sum;
    }
}
