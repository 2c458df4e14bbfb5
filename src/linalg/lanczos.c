#include "linalg/lanczos.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "linalg/kernels.h"
#include "linalg/sturm.h"
#include "support/arena.h"

enum { MAX_STEPS = 3000, CHECK_EVERY = 5 };

static const double STILL = 1e-13;

struct process {
    double *q, *previous, *p, *s, *gs; /* n: basis vector, the one before, G q, T q, G s */
    double *alpha, *beta;              /* MAX_STEPS */
};

static sg_status process_init(struct sg_arena *arena, struct process *w, size_t n, struct sg_error *err)
{
    TRY(SG_ARENA_NEW(arena, &w->q, n, err));
    TRY(SG_ARENA_NEW(arena, &w->previous, n, err));
    TRY(SG_ARENA_NEW(arena, &w->p, n, err));
    TRY(SG_ARENA_NEW(arena, &w->s, n, err));
    TRY(SG_ARENA_NEW(arena, &w->gs, n, err));
    TRY(SG_ARENA_NEW(arena, &w->alpha, MAX_STEPS, err));
    return SG_ARENA_NEW(arena, &w->beta, MAX_STEPS, err);
}

SG_HOT static double dot(size_t n, const double *restrict x, const double *restrict y)
{
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (size_t i = 0; i < n; i++) sum += x[i] * y[i];
    return sum;
}

SG_HOT static void subtract(size_t n, double factor, const double *restrict x, double *restrict y)
{
#pragma omp simd
    for (size_t i = 0; i < n; i++) y[i] -= factor * x[i];
}

/* Knuth's linear congruence, high bits: any vector will do that no model is orthogonal to */
static void fill_start(size_t n, double *x)
{
    uint64_t state = 1;
    for (size_t i = 0; i < n; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        x[i] = (double)(state >> 11) * 0x1p-53 - 0.5;
    }
}

/* q := s / norm, p := G s / norm; false where the space is exhausted */
static bool advance(struct process *w, size_t n, double norm, double scale)
{
    if (!(norm > DBL_EPSILON * scale)) return false;
    double *kept = w->previous;
    w->previous = w->q;
    w->q = kept;
    for (size_t i = 0; i < n; i++) {
        w->q[i] = w->s[i] / norm;
        w->p[i] = w->gs[i] / norm;
    }
    return true;
}

/* The three-term recurrence. T is self-adjoint in x . G y; with q_j orthonormal there,
 *
 *     beta_j q_(j+1) = T q_j - alpha_j q_j - beta_(j-1) q_(j-1),   alpha_j = q_j . G T q_j,
 *
 * so that T, seen from the space of the first k of them, is the k x k tridiagonal matrix of alpha and beta.
 * Its largest eigenvalue is the largest Rayleigh quotient in that space: it rises with k, never beyond that
 * of T, and reaches it after a few dozen steps where the next eigenvalue is not close. Only two vectors are
 * kept. Rounding lets the q's lose orthogonality just towards what has converged (Paige 1971), which then
 * comes again as a copy: that does not change the extreme value. */
static double take_step(const struct sg_lanczos *op, struct process *w, size_t step)
{
    op->apply(op->context, w->q, w->p, w->s);
    if (step > 0) subtract(op->n, w->beta[step - 1], w->previous, w->s);
    w->alpha[step] = dot(op->n, w->p, w->s);
    subtract(op->n, w->alpha[step], w->q, w->s);
    op->metric(op->context, w->s, w->gs);
    return w->beta[step] = sqrt(fmax(0, dot(op->n, w->s, w->gs)));
}

static double ritz_value(const struct process *w, size_t steps)
{
    struct sg_pencil t = {.n = steps, .kd = w->alpha, .ko = w->beta};
    return sg_pencil_eigenvalue(&t, steps - 1);
}

static double iterate(const struct sg_lanczos *op, struct process *w)
{
    double value = 0, scale = 0;
    int still = 0;
    for (size_t step = 0; step < MAX_STEPS; step++) {
        double norm = take_step(op, w, step);
        if (!isfinite(w->alpha[step]) || !isfinite(norm)) return NAN;
        scale = fmax(scale, fmax(fabs(w->alpha[step]), norm));
        bool more = advance(w, op->n, norm, scale) && step + 1 < MAX_STEPS;
        if (more && (step + 1) % CHECK_EVERY != 0) continue;
        double now = ritz_value(w, step + 1);
        still = fabs(now - value) <= STILL * fabs(now) ? still + 1 : 0;
        value = now;
        if (!more || still == 2) break;
    }
    return value;
}

sg_status sg_lanczos_largest(const struct sg_lanczos *op, double *value, struct sg_error *err)
{
    SG_LOCAL_ARENA(scratch);
    struct process w = {0};
    sg_status status = process_init(&scratch, &w, op->n, err);
    if (status == SG_OK && op->n > 0) {
        fill_start(op->n, w.s);
        op->metric(op->context, w.s, w.gs);
        advance(&w, op->n, sqrt(dot(op->n, w.s, w.gs)), 0);
        memset(w.previous, 0, op->n * sizeof *w.previous);
        *value = iterate(op, &w);
        if (!isfinite(*value))
            status = sg_fail(err, SG_NO_SOLUTION, "largest eigenvalue of %zu dofs is not finite", op->n);
    }
    return status;
}
