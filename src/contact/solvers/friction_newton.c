#include <math.h>
#include <string.h>

#include "contact/solvers/friction.h"
#include "linalg/small.h"
#include "support/constants.h"

enum { STEPS = 12 };

/* one contact's tangential equation r_T = mu r_N e at the edge of the disk, e = p / |p|,
 * p = h r_T - w_T; `part` = mu h r_N / |p| < 1 */
struct rim {
    bool sticks;
    double e[2], part;
};

/* 0 .. 1, by splitmix64, which makes much of neighbouring seeds */
static double draw(unsigned long long *seed)
{
    unsigned long long z = *seed += 0x9e3779b97f4a7c15ULL;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return (double)((z ^ (z >> 31)) >> 11) / 9007199254740992.0;
}

/* stick, or slip in some direction */
static struct rim drawn_rim(size_t rows, unsigned long long *seed)
{
    double angle = 6.283185307179586 * draw(seed);
    if (draw(seed) < 1.0 / (double)(1 + rows)) return (struct rim){.sticks = true};
    if (rows == 2) return (struct rim){.e = {angle < SG_PI ? 1.0 : -1.0}};
    return (struct rim){.e = {cos(angle), sin(angle)}};
}

static struct rim rim_of(const struct sg_friction_state *state, size_t contact)
{
    size_t at = contact * state->rows;
    double h = state->blocks[contact].scale[1], p[2] = {0}, size;
    double limit = state->problem->friction[contact] * h * fmax(0.0, state->r[at]);
    for (size_t k = 1; k < state->rows; k++) p[k - 1] = h * state->r[at + k] - state->w[at + k];
    size = hypot(p[0], p[1]);
    if (size <= limit || size == 0.0) return (struct rim){.sticks = true};
    return (struct rim){.e = {p[0] / size, p[1] / size}, .part = limit / size};
}

static bool is_far(const struct sg_friction_state *state, size_t contact, double limit)
{
    size_t at = contact * state->rows;
    return sg_friction_residual(&state->blocks[contact], state->problem->friction[contact], state->rows - 1,
                                state->r + at, state->w + at) >= limit;
}

/* Reactions of the contacts that are open by the natural map are set to 0; the others are listed. Those off
 * by `limit` are closed or not by lot. */
static size_t find_closed(struct sg_friction_state *state, double limit, unsigned long long *seed)
{
    size_t count = 0, rows = state->rows;
    for (size_t i = 0; i < state->problem->count; i++) {
        double *r = state->r + i * rows;
        bool closed = state->blocks[i].scale[0] * r[0] - state->w[i * rows] > 0.0;
        bool far = is_far(state, i, limit);
        if (far) closed = draw(seed) < 0.75;
        state->drawn[i] = far;
        if (state->blocks[i].a > 0.0 && closed)
            state->closed[count++] = i;
        else
            memset(r, 0, rows * sizeof *r);
    }
    return count;
}

/* entry of the Jacobian in the tangential row `line` of a contact that slips; column: H's of its own
 * tangential rows */
static double rim_entry(const struct rim *rim, const double *column, size_t tangents, size_t line)
{
    double along = 0.0;
    for (size_t k = 0; k < tangents; k++) along += rim->e[k] * column[k];
    return rim->part * (column[line] - rim->e[line] * along);
}

/* rows of contact i: coefficients of the reactions of contact j */
static void fill_block(const struct sg_friction_state *state, const struct rim *rim, const size_t pair[2],
                       double *matrix, size_t ld)
{
    size_t rows = state->rows, i = pair[0], j = pair[1];
    for (size_t k = 0; k < rows; k++) {
        const double *column = state->problem->h + (j * rows + k) * state->n + i * rows;
        double *to = matrix + k * ld;
        to[0] = column[0];
        for (size_t line = 1; line < rows; line++)
            to[line] = rim->sticks ? column[line] : rim_entry(rim, column + 1, rows - 1, line - 1);
    }
}

static void fill_own(const struct sg_friction_state *state, const struct rim *rim, size_t i, double *matrix,
                     size_t ld)
{
    const double *scale = state->blocks[i].scale;
    double mu = state->problem->friction[i];
    matrix[0] += state->shift * scale[0];
    for (size_t line = 1; line < state->rows; line++) {
        if (rim->sticks) {
            matrix[line * ld + line] += state->shift * scale[1];
            continue;
        }
        matrix[line] -= mu * scale[1] * rim->e[line - 1];
        matrix[line * ld + line] += scale[1] * (1.0 - rim->part);
        for (size_t k = 1; k < state->rows; k++)
            matrix[k * ld + line] += scale[1] * rim->part * rim->e[line - 1] * rim->e[k - 1];
    }
}

static void fill_rhs(const struct sg_friction_state *state, const struct rim *rim, size_t i, double *rhs)
{
    const double *r = state->r + i * state->rows, *w = state->w + i * state->rows;
    double h = state->blocks[i].scale[1], limit = state->problem->friction[i] * fmax(0.0, r[0]);
    rhs[0] = -w[0];
    for (size_t line = 1; line < state->rows; line++)
        rhs[line] = rim->sticks ? -w[line] : -h * (r[line] - limit * rim->e[line - 1]);
}

/* false if the equations are singular; seed 0: nothing is drawn */
static bool step(struct sg_friction_state *state, unsigned long long seed)
{
    double limit = INFINITY;
    if (seed != 0) limit = 0.1 * pow(draw(&seed), 3) * sg_friction_worst(state);
    size_t count = find_closed(state, limit, &seed), rows = state->rows, ld = count * rows;
    sg_friction_evaluate(state);
    for (size_t a = 0; a < count; a++) {
        size_t i = state->closed[a];
        struct rim rim = state->drawn[i] ? drawn_rim(rows, &seed) : rim_of(state, i);
        for (size_t b = 0; b < count; b++)
            fill_block(state, &rim, (const size_t[2]){i, state->closed[b]},
                       state->matrix + b * rows * ld + a * rows, ld);
        fill_own(state, &rim, i, state->matrix + a * rows * ld + a * rows, ld);
        fill_rhs(state, &rim, i, state->rhs + a * rows);
    }
    if (!sg_small_factor(ld, state->matrix, state->pivot)) return false;
    sg_small_solve(ld, state->matrix, state->pivot, state->rhs);
    for (size_t a = 0; a < count; a++)
        for (size_t k = 0; k < rows; k++) state->r[state->closed[a] * rows + k] += state->rhs[a * rows + k];
    sg_friction_evaluate(state);
    return true;
}

static double shift_of(const struct sg_friction_state *state, struct sg_friction_shift shift, double residual)
{
    return fmax(shift.least, fmin(1e-2, shift.follow * residual / state->scale));
}

void sg_friction_newton(struct sg_friction_state *state, struct sg_friction_shift shift,
                        unsigned long long seed)
{
    double first = sg_friction_worst(state), best = first;
    state->shift = shift_of(state, shift, first);
    memcpy(state->kept, state->r, state->n * sizeof *state->r);
    for (int k = 0; k < STEPS && step(state, k == 0 ? seed : 0); k++) {
        double now = sg_friction_worst(state);
        if (!isfinite(now)) break;
        state->shift = shift_of(state, shift, now);
        if (now < best) {
            best = now;
            memcpy(state->kept, state->r, state->n * sizeof *state->r);
        } else if (best < 1e-6 * first) {
            break; /* rounding is reached */
        }
    }
    memcpy(state->r, state->kept, state->n * sizeof *state->r);
    sg_friction_evaluate(state);
}
