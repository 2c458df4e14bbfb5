#include "analyses/orbit_flow.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "linalg/dense.h"
#include "linalg/kernels.h"
#include "linalg/vector.h"
#include "support/memory.h"
#include "support/stop.h"

/* The scan looks at the gaps every SCAN / omega_n, 2 pi / SCAN times in a swing of the fastest mode: between
 * two looks a gap has then at most one turning point of notice. MOST_LOOKS bounds their number, since a
 * quotient of any size is no size_t. */
static const double SCAN = 0.5, MOST_LOOKS = 1e15;
enum { LOOKS_AT_ONCE = 4096 };

/* A gap in a phase is sum_k cosine_part_k cos(omega_k t) + sine_part_k sin(omega_k t), and that of the
 * center. */
struct sg_orbit_scratch {
    double *y, *z;                                     /* n: modal state at the start of the flight */
    double *cosine_part, *sine_part;                   /* n x q */
    double *cosine, *sine;                             /* n: at the instant of the scan */
    double *turn_c, *turn_s;                           /* n: of a step of the scan */
    double *a, *b;                                     /* n */
    double *dy, *dz;                                   /* n x columns */
    double g[SG_ORBIT_CONTACTS], r[SG_ORBIT_CONTACTS]; /* at the start of the step of the scan */
    unsigned fresh;                                    /* contacts that have just crossed, as bits */
};

/* A gap and its first two derivatives, with the sign in which the phase keeps it positive. */
struct look {
    double g, r, a;
};

sg_status sg_orbit_flow_init(struct sg_arena *arena, struct sg_orbit_flow *flow,
                             const struct sg_orbit_phases *phases, size_t most, struct sg_error *err)
{
    size_t n = phases->n;
    *flow = (struct sg_orbit_flow){.phases = phases};
    TRY(SG_ARENA_NEW(arena, &flow->scratch, 1, err));
    struct sg_orbit_scratch *s = flow->scratch;
    double **const vectors[] = {&flow->u, &flow->v,   &s->y,      &s->z, &s->cosine,
                                &s->sine, &s->turn_c, &s->turn_s, &s->a, &s->b};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        TRY(SG_ARENA_NEW(arena, vectors[i], n, err));
    TRY(SG_ARENA_NEW(arena, &s->cosine_part, n * phases->q, err));
    TRY(SG_ARENA_NEW(arena, &s->sine_part, n * phases->q, err));
    TRY(SG_ARENA_NEW(arena, &flow->du, n * most, err));
    TRY(SG_ARENA_NEW(arena, &flow->dv, n * most, err));
    TRY(SG_ARENA_NEW(arena, &s->dy, n * most, err));
    return SG_ARENA_NEW(arena, &s->dz, n * most, err);
}

/* --- phases --------------------------------------------------------------------------------------- */

static const struct sg_orbit_phase *phase_of(const struct sg_orbit_flow *flow)
{
    return &flow->phases->phase[flow->mask];
}

static double sign_of(const struct sg_orbit_flow *flow, size_t j)
{
    return (flow->mask >> j & 1) != 0 ? -1.0 : 1.0;
}

/* Acceleration of gap j with that contact open: what decides where neither gap nor rate do. */
static double open_acceleration(struct sg_orbit_flow *flow, size_t j)
{
    struct sg_orbit_scratch *s = flow->scratch;
    sg_orbit_acceleration(flow->phases, flow->mask & ~((size_t)1 << j), flow->u, s->a, s->b);
    return sg_orbit_rate(flow->phases, j, s->b);
}

/* Bounds the gap (or its rate) that the modes at hand can make: the sum of their amplitudes. */
static double largest_of(const struct sg_orbit_flow *flow, size_t j, bool rate)
{
    const struct sg_orbit_scratch *s = flow->scratch;
    const struct sg_orbit_phase *phase = phase_of(flow);
    size_t n = flow->phases->n;
    double sum = 0;
    for (size_t k = 0; k < n; k++)
        sum += hypot(s->cosine_part[k + j * n], s->sine_part[k + j * n]) * (rate ? phase->omega[k] : 1.0);
    return sum;
}

void sg_orbit_flow_start(struct sg_orbit_flow *flow, const double *u, const double *v)
{
    const struct sg_orbit_phases *phases = flow->phases;
    memcpy(flow->u, u, phases->n * sizeof *u);
    memcpy(flow->v, v, phases->n * sizeof *v);
    flow->t = 0;
    flow->mask = 0;
    flow->columns = 0;
    flow->margin = HUGE_VAL;
    flow->switch_count = 0;
    flow->scratch->fresh = 0;
    for (size_t j = 0; j < phases->q; j++) {
        double gap = sg_orbit_gap(phases, j, u), rate = sg_orbit_rate(phases, j, v);
        double tiny = 4 * DBL_EPSILON * fmax(fabs(phases->offset[j]), fabs(gap - phases->offset[j]));
        double decides = fabs(gap) > tiny ? gap : rate;
        if (decides == 0) decides = open_acceleration(flow, j);
        if (fabs(gap) <= tiny) flow->scratch->fresh |= 1u << j;
        if (decides < 0) flow->mask |= (size_t)1 << j;
    }
}

/* --- looking at gaps ------------------------------------------------------------------------------ */

static void take_off(struct sg_orbit_flow *flow)
{
    struct sg_orbit_scratch *s = flow->scratch;
    const struct sg_orbit_phase *phase = phase_of(flow);
    size_t n = flow->phases->n;
    sg_orbit_to_modes(&flow->phases->phase[flow->mask], flow->u, flow->v, s->y, s->z);
    for (size_t j = 0; j < flow->phases->q; j++)
        for (size_t k = 0; k < n; k++) {
            double sway = sign_of(flow, j) * phase->sway[k + j * n];
            s->cosine_part[k + j * n] = sway * s->y[k];
            s->sine_part[k + j * n] = sway * s->z[k] / phase->omega[k];
        }
}

/* Evaluates gap j at t seconds after the start of the flight. */
static struct look look_at(const struct sg_orbit_flow *flow, size_t j, double t)
{
    const struct sg_orbit_scratch *s = flow->scratch;
    const struct sg_orbit_phase *phase = phase_of(flow);
    const double *cosine_part = s->cosine_part + j * flow->phases->n,
                 *sine_part = s->sine_part + j * flow->phases->n;
    struct look look = {sign_of(flow, j) * phase->gap[j], 0, 0};
    for (size_t k = 0; k < flow->phases->n; k++) {
        double w = phase->omega[k], c = cos(w * t), d = sin(w * t);
        double x = cosine_part[k] * c + sine_part[k] * d;
        look.g += x;
        look.r += w * (sine_part[k] * c - cosine_part[k] * d);
        look.a -= w * w * x;
    }
    return look;
}

struct series {
    size_t n;
    const double *cosine_part, *sine_part, *cosine, *sine, *omega;
};

SG_HOT static void sum_series(const struct series *x, double *gap, double *rate)
{
    const double *restrict cosine_part = x->cosine_part, *restrict sine_part = x->sine_part,
                           *restrict c = x->cosine;
    const double *restrict d = x->sine, *restrict w = x->omega;
    double g = 0, r = 0;
#pragma omp simd reduction(+ : g, r)
    for (size_t k = 0; k < x->n; k++) {
        g += cosine_part[k] * c[k] + sine_part[k] * d[k];
        r += w[k] * (sine_part[k] * c[k] - cosine_part[k] * d[k]);
    }
    *gap = g;
    *rate = r;
}

/* Evaluates the same from the cosines and sines of the scan. These turn by a fixed angle from look to look,
 * four products a mode instead of a cosine and a sine: the scan only brackets, and find_zero looks again
 * exactly. */
static struct look scan_at(const struct sg_orbit_flow *flow, size_t j)
{
    const struct sg_orbit_scratch *s = flow->scratch;
    const struct sg_orbit_phase *phase = phase_of(flow);
    size_t n = flow->phases->n;
    struct series series = {n,           s->cosine_part + j * n, s->sine_part + j * n, s->cosine, s->sine,
                            phase->omega};
    struct look look = {0};
    sum_series(&series, &look.g, &look.r);
    look.g += sign_of(flow, j) * phase->gap[j];
    return look;
}

static void start_scan(struct sg_orbit_flow *flow, double step)
{
    struct sg_orbit_scratch *s = flow->scratch;
    const struct sg_orbit_phase *phase = phase_of(flow);
    for (size_t k = 0; k < flow->phases->n; k++) {
        s->cosine[k] = 1;
        s->sine[k] = 0;
        s->turn_c[k] = cos(phase->omega[k] * step);
        s->turn_s[k] = sin(phase->omega[k] * step);
    }
}

SG_HOT static void turn(struct sg_orbit_scratch *s, size_t n)
{
    double *restrict c = s->cosine, *restrict d = s->sine;
    const double *restrict tc = s->turn_c, *restrict ts = s->turn_s;
    for (size_t k = 0; k < n; k++) {
        double x = c[k] * tc[k] - d[k] * ts[k];
        d[k] = d[k] * tc[k] + c[k] * ts[k];
        c[k] = x;
    }
}

/* --- crossings ------------------------------------------------------------------------------------ */

/* The zero of the gap (order 0) or its rate (order 1) between `low` and `high`, where it has the sign `falls`
 * (1: positive before, negative after): Newton's method within a shrinking bracket, to rounding. */
struct bracket {
    double low, high;
    double falls;
    int order;
};

static double find_zero(const struct sg_orbit_flow *flow, size_t j, struct bracket b)
{
    double t = 0.5 * (b.low + b.high);
    for (int k = 0; k < 100; k++) {
        struct look look = look_at(flow, j, t);
        double f = b.order == 0 ? look.g : look.r, slope = b.order == 0 ? look.r : look.a;
        if (f * b.falls > 0)
            b.low = t;
        else
            b.high = t;
        double next = t - f / slope;
        if (!(next > b.low && next < b.high)) next = 0.5 * (b.low + b.high);
        if (fabs(next - t) <= DBL_EPSILON * fabs(t)) return next;
        t = next;
    }
    return t;
}

static void note_margin(struct sg_orbit_flow *flow, size_t j, double t, double gap)
{
    if (gap >= flow->margin) return;
    flow->margin = gap;
    flow->margin_time = flow->t + t;
    flow->margin_contact = j;
}

/* The first crossing of gap j between t0 and t1, looked at as `before` and `after`; HUGE_VAL if there is
 * none. A contact that has just crossed starts at 0, and its zero there is not meant. */
static double first_zero(struct sg_orbit_flow *flow, size_t j, double t0, double t1, const struct look at[2])
{
    struct look before = at[0], after = at[1];
    bool fresh = (flow->scratch->fresh >> j & 1) != 0;
    if (!fresh && before.g <= 0 && before.r < 0) return t0;
    if (before.r <= 0 && after.r > 0) {
        double dip = find_zero(flow, j, (struct bracket){t0, t1, -1, 1});
        double least = look_at(flow, j, dip).g;
        if (least < 0 && !fresh) return find_zero(flow, j, (struct bracket){t0, dip, 1, 0});
        if (!fresh) note_margin(flow, j, dip, least);
        return HUGE_VAL;
    }
    if (after.g >= 0) return HUGE_VAL;
    if (!fresh) return find_zero(flow, j, (struct bracket){t0, t1, 1, 0});
    if (before.r <= 0) return HUGE_VAL;
    double top = find_zero(flow, j, (struct bracket){t0, t1, 1, 1});
    return find_zero(flow, j, (struct bracket){top, t1, 1, 0});
}

/* The first crossing of any gap within `span` from the start of the flight, or `span`. */
static double find_crossing(struct sg_orbit_flow *flow, double span, size_t *contact)
{
    struct sg_orbit_scratch *s = flow->scratch;
    size_t n = flow->phases->n, q = flow->phases->q;
    size_t steps = (size_t)fmin(MOST_LOOKS, fmax(4, ceil(span * phase_of(flow)->omega[n - 1] / SCAN)));
    double step = span / (double)steps;
    *contact = SIZE_MAX;
    start_scan(flow, step);
    for (size_t j = 0; j < q; j++) {
        struct look look = scan_at(flow, j);
        s->g[j] = look.g;
        s->r[j] = look.r;
    }
    for (size_t i = 0; i < steps; i++) {
        if (i % LOOKS_AT_ONCE == 0 && sg_stop_requested()) return span;
        double first = HUGE_VAL, from = (double)i * step, to = (double)(i + 1) * step;
        turn(s, n);
        for (size_t j = 0; j < q; j++) {
            struct look pair[2] = {{s->g[j], s->r[j], 0}, scan_at(flow, j)};
            double t = first_zero(flow, j, from, to, pair);
            if (t < first) *contact = j;
            first = fmin(first, t);
            s->g[j] = pair[1].g;
            s->r[j] = pair[1].r;
        }
        if (*contact != SIZE_MAX) return fmin(first, span);
        s->fresh = 0;
    }
    return span;
}

/* --- moving --------------------------------------------------------------------------------------- */

/* Turns modal states, `columns` of them, by t seconds: y and z of each mode rotate. */
static void rotate(const struct sg_orbit_phase *phase, struct sg_dense_shape size, double t, double *y,
                   double *z)
{
    for (size_t k = 0; k < size.rows; k++) {
        double w = phase->omega[k], c = cos(w * t), d = sin(w * t);
        for (size_t i = k; i < size.rows * size.columns; i += size.rows) {
            double x = y[i] * c + z[i] * d / w;
            z[i] = z[i] * c - w * y[i] * d;
            y[i] = x;
        }
    }
}

static void move(struct sg_orbit_flow *flow, double t)
{
    struct sg_orbit_scratch *s = flow->scratch;
    const struct sg_orbit_phase *phase = phase_of(flow);
    size_t n = flow->phases->n;
    struct sg_dense_shape one = {n, n, 1, false}, project = {n, n, flow->columns, true};
    struct sg_dense_shape expand = {n, n, flow->columns, false};
    rotate(phase, one, t, s->y, s->z);
    sg_orbit_from_modes(&flow->phases->phase[flow->mask], s->y, s->z, flow->u, flow->v);
    flow->t += t;
    if (flow->columns == 0) return;
    sg_dense_multiply(&project, phase->mphi, flow->du, s->dy);
    sg_dense_multiply(&project, phase->mphi, flow->dv, s->dz);
    rotate(phase, expand, t, s->dy, s->dz);
    sg_dense_multiply(&expand, phase->phi, s->dy, flow->du);
    sg_dense_multiply(&expand, phase->phi, s->dz, flow->dv);
}

/* (0; a_after - a_before) (w, 0) / rate on the derivatives */
static void jump_derivatives(struct sg_orbit_flow *flow, size_t j, size_t after, double rate)
{
    struct sg_orbit_scratch *s = flow->scratch;
    size_t n = flow->phases->n;
    if (flow->columns == 0) return;
    sg_orbit_acceleration(flow->phases, after, flow->u, s->y, s->a);
    sg_orbit_acceleration(flow->phases, flow->mask, flow->u, s->y, s->b);
    for (size_t i = 0; i < n; i++) s->a[i] = (s->a[i] - s->b[i]) / rate;
    for (size_t c = 0; c < flow->columns; c++)
        sg_axpy(n, sg_orbit_rate(flow->phases, j, flow->du + c * n), s->a, flow->dv + c * n);
}

static enum sg_orbit_end cross(struct sg_orbit_flow *flow, size_t j)
{
    double rate = sg_orbit_rate(flow->phases, j, flow->v), most = largest_of(flow, j, true);
    size_t bit = (size_t)1 << j, after = flow->mask ^ bit;
    double *work = flow->scratch->a;
    if (flow->switch_count == SG_ORBIT_SWITCHES) return SG_ORBIT_CHATTER;
    flow->scratch->fresh |= 1u << j;
    if (fabs(rate) <= 1e-9 * most) {
        note_margin(flow, j, 0, 0);
        flow->mask = open_acceleration(flow, j) < 0 ? flow->mask | bit : flow->mask & ~bit;
        return SG_ORBIT_GRAZED;
    }
    double jump = sg_orbit_energy(flow->phases, after, flow->u, flow->v, work) -
                  sg_orbit_energy(flow->phases, flow->mask, flow->u, flow->v, work);
    flow->switches[flow->switch_count++] =
        (struct sg_orbit_switch){flow->t, j, (after & bit) != 0, rate, jump};
    jump_derivatives(flow, j, after, rate);
    flow->mask = after;
    return SG_ORBIT_ARRIVED;
}

enum sg_orbit_end sg_orbit_flow_run(struct sg_orbit_flow *flow, double end)
{
    enum sg_orbit_end worst = SG_ORBIT_ARRIVED;
    size_t contact = 0, grazes = 0;
    while (flow->t < end) {
        if (sg_stop_requested()) return SG_ORBIT_STOPPED;
        take_off(flow);
        double left = end - flow->t, t = find_crossing(flow, left, &contact);
        move(flow, t);
        if (contact == SIZE_MAX) {
            flow->t = end;
            break;
        }
        enum sg_orbit_end now = cross(flow, contact);
        if (now == SG_ORBIT_CHATTER) return now;
        if (now == SG_ORBIT_GRAZED && ++grazes > SG_ORBIT_SWITCHES) return SG_ORBIT_CHATTER;
        if (now != SG_ORBIT_ARRIVED) worst = now;
    }
    return sg_stop_requested() ? SG_ORBIT_STOPPED : worst;
}
