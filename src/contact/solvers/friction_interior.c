#include <float.h>
#include <math.h>
#include <string.h>

#include "contact/solvers/friction.h"
#include "linalg/vector.h"

/* Steps, and those between trials of Newton's method. */
enum { STEPS = 60, PAUSE = 2 };

/* residual, relative to b, from which on Newton's method is tried */
static const double NEAR = 1e-4;

/* A step goes so far of the way to the edge of a cone; a diagonal entry is raised by this share of itself,
 * against redundant contacts; no coefficient is smaller than this, for a cone must have an inside. */
static const double INSIDE = 0.995, SHIFT = 1e-13, SMALLEST = 1e-4;

/* The iterate: z = (mu r_N, r_T), u = (w_N / mu + |w_T|, w_T), both inside the cone |x_T| <= x_N; their
 * changes; the scaling Q of each contact, Q z = u, by rows. */
struct interior {
    const struct sg_friction_state *state;
    double *z, *u, *dz, *du, *gap, *scaling;
};

static double coefficient(const struct interior *in, size_t contact)
{
    return fmax(SMALLEST, in->state->problem->friction[contact]);
}

/* --- the cone ------------------------------------------------------------------------------------- */

/* x_N^2 - |x_T|^2 by factors, which keeps what is left near the edge */
static double inside(const double *x, size_t rows)
{
    double size = rows > 2 ? hypot(x[1], x[2]) : fabs(x[1]);
    return (x[0] - size) * (x[0] + size);
}

/* the largest step <= 1 along d that stays in the cone */
static double reach(const double *x, const double *d, size_t rows)
{
    double a = d[0] * d[0], b = x[0] * d[0], c = inside(x, rows), step = 1.0;
    for (size_t k = 1; k < rows; k++) {
        a -= d[k] * d[k];
        b -= x[k] * d[k];
    }
    if (d[0] < 0.0) step = fmin(step, -x[0] / d[0]);
    double under = b * b - a * c;
    if (!(under > 0.0)) return step;
    double root = b > 0.0 ? -b - sqrt(under) : -b + sqrt(under), first = c / root;
    double second = a != 0.0 ? root / a : first;
    if (first > 0.0) step = fmin(step, first);
    if (second > 0.0) step = fmin(step, second);
    return step;
}

/* Nesterov and Todd: Q = beta^2 (2 v v^T - J), J = diag(1, -1, -1) */
static void scale(const double *z, const double *u, size_t rows, double *q)
{
    double size_z = sqrt(inside(z, rows)), size_u = sqrt(inside(u, rows)), v[3], along = 1.0;
    for (size_t k = 0; k < rows; k++) along += z[k] / size_z * (u[k] / size_u);
    double half = sqrt(2.0 * along), beta2 = size_u / size_z;
    for (size_t k = 0; k < rows; k++) v[k] = (u[k] / size_u + (k == 0 ? 1.0 : -1.0) * z[k] / size_z) / half;
    for (size_t k = 0; k < rows; k++)
        for (size_t l = 0; l < rows; l++)
            q[k * rows + l] = beta2 * (2.0 * v[k] * v[l] - (k != l ? 0.0 : k == 0 ? 1.0 : -1.0));
}

/* --- linear equations ----------------------------------------------------------------------------- */

/* H + Q in the reactions' own unit, its lower half by rows from the first entry that isn't 0: L in place */
static bool factor(const struct interior *in)
{
    const struct sg_friction_state *state = in->state;
    size_t n = state->n, rows = state->rows;
    for (size_t i = 0; i < n; i++) {
        const double *column = state->problem->h + i * n;
        size_t contact = i / rows, at = contact * rows, own = i % rows,
               first = state->blocks[contact].rows[own][0];
        double *row = state->matrix + i * n, mu = coefficient(in, contact);
        if (first > at) first = at;
        state->pivot[i] = first;
        memcpy(row + first, column + first, (i + 1 - first) * sizeof *row);
        for (size_t k = 0; k <= own; k++)
            row[at + k] += in->scaling[(at + own) * rows + k] * (own == 0 ? mu : 1.0) * (k == 0 ? mu : 1.0);
        row[i] += SHIFT * state->blocks[contact].scale[own > 0];
        for (size_t k = first; k < i; k++) {
            size_t from = state->pivot[k] > first ? state->pivot[k] : first;
            const double *other = state->matrix + k * n;
            row[k] = (row[k] - sg_dot(k - from, other + from, row + from)) / other[k];
        }
        double rest = row[i] - sg_dot(i - first, row + first, row + first);
        if (!(rest > 0.0)) return false;
        row[i] = sqrt(rest);
    }
    return true;
}

static void solve(const struct sg_friction_state *state, double *x)
{
    for (size_t i = 0; i < state->n; i++) {
        const double *row = state->matrix + i * state->n;
        size_t first = state->pivot[i];
        x[i] = (x[i] - sg_dot(i - first, row + first, x + first)) / row[i];
    }
    for (size_t i = state->n; i-- > 0;) {
        const double *row = state->matrix + i * state->n;
        size_t first = state->pivot[i];
        x[i] /= row[i];
        sg_axpy(i - first, -x[i], row + first, x + first);
    }
}

/* --- a step --------------------------------------------------------------------------------------- */

/* the state's reactions are those of z, and its w that of H r + b */
static void give(const struct interior *in)
{
    const struct sg_friction_state *state = in->state;
    for (size_t i = 0; i < state->problem->count; i++) {
        size_t at = i * state->rows;
        memcpy(state->r + at, in->z + at, state->rows * sizeof(double));
        state->r[at] /= coefficient(in, i);
    }
}

/* gap = u - (w_N / mu + |u_T|, w_T): how far u is from what z makes of it */
static void measure(const struct interior *in)
{
    size_t rows = in->state->rows;
    for (size_t i = 0; i < in->state->problem->count; i++) {
        const double *u = in->u + i * rows, *w = in->state->w + i * rows;
        double *gap = in->gap + i * rows;
        gap[0] = u[0] - w[0] / coefficient(in, i) - (rows > 2 ? hypot(u[1], u[2]) : fabs(u[1]));
        for (size_t k = 1; k < rows; k++) gap[k] = u[k] - w[k];
    }
}

static double complementarity(const struct interior *in)
{
    double sum = 0.0;
    for (size_t i = 0; i < in->state->n; i++) sum += in->z[i] * in->u[i];
    return sum / (double)in->state->problem->count;
}

/* Changes towards z . u = target of each contact:  du + Q dz = -u + target z^-1,  du = H dz - gap. */
static void direct(const struct interior *in, double target)
{
    const struct sg_friction_state *state = in->state;
    size_t rows = state->rows, n = state->n;
    for (size_t i = 0; i < state->problem->count; i++) {
        size_t at = i * rows;
        double part = target / inside(in->z + at, rows);
        for (size_t k = 0; k < rows; k++)
            in->du[at + k] = -in->u[at + k] + part * (k == 0 ? in->z[at] : -in->z[at + k]);
        for (size_t k = 0; k < rows; k++) in->dz[at + k] = in->du[at + k] + in->gap[at + k];
        in->dz[at] *= coefficient(in, i);
    }
    solve(state, in->dz);
    for (size_t i = 0; i < n; i += rows) in->dz[i] *= coefficient(in, i / rows);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < rows; k++)
            in->du[i] -= in->scaling[i * rows + k] * in->dz[i / rows * rows + k];
}

static double longest(const struct interior *in)
{
    size_t rows = in->state->rows;
    double step = 1.0;
    for (size_t at = 0; at < in->state->n; at += rows)
        step = fmin(step, fmin(reach(in->z + at, in->dz + at, rows), reach(in->u + at, in->du + at, rows)));
    return step;
}

/* predictor, then the step that aims as far as that got; false where rounding has the upper hand */
static bool step(const struct interior *in)
{
    const struct sg_friction_state *state = in->state;
    size_t rows = state->rows;
    for (size_t at = 0; at < state->n; at += rows)
        scale(in->z + at, in->u + at, rows, in->scaling + at * rows);
    if (!factor(in)) return false;
    measure(in);
    direct(in, 0.0);
    double rest = 1.0 - longest(in), centre = fmax(1e-6, rest * rest * rest);
    direct(in, 0.5 * centre * complementarity(in));
    double along = INSIDE * longest(in);
    if (!(along > 1e-8)) return false;
    sg_axpy(state->n, along, in->dz, in->z);
    sg_axpy(state->n, along, in->du, in->u);
    return isfinite(complementarity(in));
}

/* --- interface ------------------------------------------------------------------------------------ */

/* on the axis of each cone, at the sizes of b and H */
static void start(const struct interior *in)
{
    const struct sg_friction_state *state = in->state;
    double size = 0.0;
    for (size_t i = 0; i < state->n; i++) size = fmax(size, fabs(state->problem->b[i]));
    memset(in->z, 0, state->n * sizeof *in->z);
    memset(in->u, 0, state->n * sizeof *in->u);
    for (size_t i = 0; i < state->problem->count; i++) {
        double mu = coefficient(in, i), own = fmax(state->blocks[i].scale[0], state->blocks[i].scale[1]);
        in->z[i * state->rows] = own > 0.0 ? mu * size / own : size;
        in->u[i * state->rows] = size / mu;
    }
}

/* Newton's method from here, with less and less of a shift; true at a solution. The state is left at the
 * best. The second time other shifts are tried. */
static bool try_newton(struct sg_friction_state *state, double tolerance, bool again)
{
    static const double shifts[][5] = {{1e-2, 1e-4, 1e-6, 1e-8}, {1e-1, 1e-3, 1e-5, 1e-7, 1e-9}};
    for (size_t k = 0; k < 5 && shifts[again][k] > 0.0; k++) {
        sg_friction_newton(state, (struct sg_friction_shift){.least = shifts[again][k]}, 0);
        if (sg_friction_worst(state) <= sg_friction_allowed(state, tolerance)) return true;
    }
    return false;
}

void sg_friction_interior(struct sg_friction_state *state, double tolerance, bool again)
{
    size_t n = state->n;
    double *x = state->interior, *kept = x + 5 * n, best = sg_friction_worst(state);
    struct interior in = {state, x, x + n, x + 2 * n, x + 3 * n, x + 4 * n, x + 6 * n};
    bool solved = false;
    memcpy(kept, state->r, n * sizeof *kept);
    start(&in);
    for (int k = 1; k <= STEPS && !solved; k++) {
        give(&in);
        sg_friction_evaluate(state);
        if (!step(&in)) break;
        if (k % PAUSE != 0 && !again) continue;
        give(&in);
        sg_friction_evaluate(state);
        if (sg_friction_worst(state) > NEAR * state->scale) continue;
        solved = try_newton(state, tolerance, again);
        double worst = sg_friction_worst(state);
        if (!(worst < best)) continue;
        best = worst;
        memcpy(kept, state->r, n * sizeof *kept);
    }
    memcpy(state->r, kept, n * sizeof *kept);
    sg_friction_evaluate(state);
}
