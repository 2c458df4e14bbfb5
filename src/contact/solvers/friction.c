#include "contact/solvers/friction.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* eigenvalues and remainders below this part of their terms are rounding */
static const double VANISHED = 1e-12;

/* rounding of w, of the sizes of its terms */
static const double ROUNDING = 1e-15;

static void find_rows(struct sg_friction_block *block, const double *h, size_t n, size_t at, size_t tangents)
{
    for (size_t k = 0; k <= tangents; k++) {
        const double *column = h + (at + k) * n;
        size_t low = 0, high = n;
        while (low < high && column[low] == 0.0) low++;
        while (high > low && column[high - 1] == 0.0) high--;
        block->rows[k][0] = low;
        block->rows[k][1] = high;
    }
}

/* The eigenvalues of [xx, xy; xy, yy], the larger first. */
static void diagonalize(double xx, double xy, double yy, struct sg_friction_block *block)
{
    double half = 0.5 * (xx - yy), radius = hypot(half, xy), mean = 0.5 * (xx + yy);
    double angle = 0.5 * atan2(xy, half);
    block->stiffness[0] = mean + radius;
    block->stiffness[1] = mean - radius;
    block->axis[0] = cos(angle);
    block->axis[1] = sin(angle);
}

static void into_axes(const struct sg_friction_block *block, const double *x, double *y)
{
    double x0 = x[0], x1 = x[1];
    y[0] = block->axis[0] * x0 + block->axis[1] * x1;
    y[1] = block->axis[0] * x1 - block->axis[1] * x0;
}

static void out_of_axes(const struct sg_friction_block *block, const double *y, double *x)
{
    double y0 = y[0], y1 = y[1];
    x[0] = block->axis[0] * y0 - block->axis[1] * y1;
    x[1] = block->axis[1] * y0 + block->axis[0] * y1;
}

void sg_friction_block_set(struct sg_friction_block *block, const double *h, size_t n, size_t at,
                           size_t tangents)
{
    const double *own = h + at * n + at;
    double a = own[0], part = a > 0.0 ? 1.0 / a : 0.0, c[2] = {0}, b[3] = {0};
    *block = (struct sg_friction_block){.a = a, .axis = {1.0, 0.0}};
    find_rows(block, h, n, at, tangents);
    if (tangents > 0) {
        c[0] = own[1];
        b[0] = own[n + 1];
    }
    if (tangents > 1) {
        c[1] = own[2];
        b[1] = own[n + 2];
        b[2] = own[2 * n + 2];
    }
    double largest = fmax(b[0], b[2]);
    block->scale[0] = a;
    block->scale[1] = largest > 0.0 ? largest : a;
    if (tangents > 1)
        diagonalize(b[0] - part * c[0] * c[0], b[1] - part * c[0] * c[1], b[2] - part * c[1] * c[1], block);
    else
        block->stiffness[0] = b[0] - part * c[0] * c[0];
    for (size_t k = 0; k < 2; k++)
        if (!(block->stiffness[k] > VANISHED * largest)) block->stiffness[k] = 0.0;
    into_axes(block, c, block->c);
}

/* --- one contact ---------------------------------------------------------------------------------- */

/* With w_N = 0 eliminated, in the axes that decouple:  stiffness_k t_k + s_k = -alpha t_k  and
 * r_N = -(q_N + c.t) / a. */
struct slip {
    const struct sg_friction_block *block;
    double mu, q, s[2], size; /* size: of the terms of s */
};

static double normal_of(const struct slip *slip, const double t[2])
{
    const struct sg_friction_block *block = slip->block;
    return -(slip->q + block->c[0] * t[0] + block->c[1] * t[1]) / block->a;
}

/* t = -(S + alpha)^-1 s; false where that is infinite */
static bool tangent_at(const struct slip *slip, double alpha, double t[2])
{
    t[0] = t[1] = 0.0;
    for (size_t k = 0; k < 2; k++) {
        double stiffness = slip->block->stiffness[k] + alpha;
        if (stiffness > 0.0)
            t[k] = -slip->s[k] / stiffness;
        else if (fabs(slip->s[k]) > VANISHED * slip->size)
            return false;
    }
    return true;
}

/* mu r_N - |r_T|, and its derivative by alpha */
static double margin(const struct slip *slip, double alpha, double t[2], double *slope)
{
    const struct sg_friction_block *block = slip->block;
    double along = 0.0, change = 0.0;
    tangent_at(slip, alpha, t);
    double size = hypot(t[0], t[1]);
    for (size_t k = 0; k < 2; k++) {
        double rate = t[k] == 0.0 ? 0.0 : -t[k] / (block->stiffness[k] + alpha);
        change += block->c[k] * rate;
        along += size > 0.0 ? t[k] * rate / size : 0.0;
    }
    *slope = -slip->mu * change / block->a - along;
    return slip->mu * normal_of(slip, t) - size;
}

/* The margin is negative at alpha = 0 (or r_T infinite), for that is what stick failed on, and positive at
 * `high`: Newton, kept within. */
static void slip_3d(const struct slip *slip, double t[2])
{
    const struct sg_friction_block *block = slip->block;
    double size = hypot(slip->s[0], slip->s[1]), slope;
    double low = 0.0,
           high = (slip->mu * hypot(block->c[0], block->c[1]) + block->a) * size / (slip->mu * -slip->q);
    double alpha = 0.5 * high;
    for (int turn = 0; turn < 300; turn++) {
        double f = margin(slip, alpha, t, &slope);
        if (f >= 0.0)
            high = alpha;
        else
            low = alpha;
        double next = alpha - f / slope;
        if (!(next > low && next < high)) next = low > 0.0 ? sqrt(low * high) : 1e-3 * high;
        double change = fabs(next - alpha);
        if (f == 0.0 || change <= 2.0 * DBL_EPSILON * (alpha + block->stiffness[1])) break;
        alpha = next;
    }
}

/* the sense of slip is that of s, so that alpha need not be known */
static bool slip_2d(const struct slip *slip, double t[2])
{
    double sense = slip->s[0] > 0.0 ? -1.0 : 1.0;
    double stiffness = slip->block->a + sense * slip->mu * slip->block->c[0];
    if (!(stiffness > 0.0)) return false;
    t[0] = -sense * slip->mu * slip->q / stiffness;
    t[1] = 0.0;
    return true;
}

/* onto the cone's rim, where it is up to rounding */
static void set_on_rim(const struct slip *slip, const double t[2], size_t tangents, double *r)
{
    double size = hypot(t[0], t[1]), rn = fmax(0.0, normal_of(slip, t));
    double factor = size > 0.0 ? slip->mu * rn / size : 0.0, scaled[2] = {factor * t[0], factor * t[1]}, x[2];
    out_of_axes(slip->block, scaled, x);
    r[0] = rn;
    memcpy(r + 1, x, tangents * sizeof *x);
}

static void start_slip(const struct sg_friction_block *block, size_t tangents, const double *q,
                       struct slip *slip)
{
    double part = q[0] / block->a, qt[2] = {q[1], tangents > 1 ? q[2] : 0.0};
    into_axes(block, qt, slip->s);
    slip->q = q[0];
    slip->size = hypot(qt[0], qt[1]) + fabs(part) * hypot(block->c[0], block->c[1]);
    for (size_t k = 0; k < 2; k++) slip->s[k] -= part * block->c[k];
}

bool sg_friction_local(const struct sg_friction_block *block, double mu, size_t tangents, const double *q,
                       double *r)
{
    struct slip slip = {.block = block, .mu = mu};
    double t[2] = {0.0, 0.0}, x[2];
    memset(r, 0, (1 + tangents) * sizeof *r);
    if (!(q[0] < 0.0)) return true;
    if (!(block->a > 0.0)) return false;
    r[0] = -q[0] / block->a;
    if (!(mu > 0.0)) return true;
    start_slip(block, tangents, q, &slip);
    if (tangent_at(&slip, 0.0, t) && hypot(t[0], t[1]) <= mu * normal_of(&slip, t)) {
        out_of_axes(block, t, x);
        r[0] = normal_of(&slip, t);
        memcpy(r + 1, x, tangents * sizeof *x);
        return true;
    }
    if (tangents == 1 && !slip_2d(&slip, t)) return false;
    if (tangents == 2) slip_3d(&slip, t);
    set_on_rim(&slip, t, tangents, r);
    return true;
}

/* With S = B - c^2 / a = 0 the sense of slip is that of s = q_T - (c / a) q_N; where friction is more than
 * |a / c| an impulse with it pulls the contact shut, and with s != 0 it can't stick. */
bool sg_friction_jams(const struct sg_friction_block *block, double mu, size_t tangents, const double *q,
                      struct sg_contact_jam *jam)
{
    double r[3];
    if (tangents != 1 || !(block->a > 0.0) || block->stiffness[0] != 0.0 || block->c[0] == 0.0) return false;
    if (sg_friction_local(block, mu, tangents, q, r)) return false;
    jam->found = true;
    jam->direction = -block->axis[0] * block->a / block->c[0];
    jam->speed = -q[0] - jam->direction * q[1];
    return true;
}

/* --- how far from a solution ---------------------------------------------------------------------- */

double sg_friction_residual(const struct sg_friction_block *block, double mu, size_t tangents,
                            const double *r, const double *w)
{
    double normal = block->scale[0], tangential = block->scale[1];
    double worst = fabs(fmin(w[0], normal * r[0]));
    if (tangents == 0) return worst;
    double rt[2] = {tangential * r[1], tangents > 1 ? tangential * r[2] : 0.0};
    double wt[2] = {w[1], tangents > 1 ? w[2] : 0.0}, limit = tangential * mu * fmax(0.0, r[0]);
    double p[2] = {rt[0] - wt[0], rt[1] - wt[1]}, size = hypot(p[0], p[1]);
    double factor = size > limit ? limit / size : 1.0;
    return fmax(worst, hypot(rt[0] - factor * p[0], rt[1] - factor * p[1]));
}

void sg_friction_evaluate(struct sg_friction_state *state)
{
    size_t n = state->n;
    double *w = state->w, *terms = state->rhs;
    memcpy(w, state->problem->b, n * sizeof *w);
    memset(terms, 0, n * sizeof *terms);
    for (size_t k = 0; k < n; k++) {
        const double *column = state->problem->h + k * n;
        const size_t *rows = state->blocks[k / state->rows].rows[k % state->rows];
        double r = state->r[k];
        for (size_t i = rows[0]; r != 0.0 && i < rows[1]; i++) {
            double term = column[i] * r;
            w[i] += term;
            terms[i] += fabs(term);
        }
    }
    state->terms = 0.0;
    for (size_t i = 0; i < n; i++) state->terms = fmax(state->terms, terms[i]);
}

double sg_friction_worst(const struct sg_friction_state *state)
{
    double worst = 0.0;
    for (size_t i = 0, at = 0; at < state->n; i++, at += state->rows)
        worst = fmax(worst, sg_friction_residual(&state->blocks[i], state->problem->friction[i],
                                                 state->rows - 1, state->r + at, state->w + at));
    return worst;
}

double sg_friction_allowed(const struct sg_friction_state *state, double tolerance)
{
    return tolerance + ROUNDING * state->terms;
}
