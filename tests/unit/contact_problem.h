/* Random problems of contact with H = W^T M^-1 W, and their conditions, judged apart from any solver. */
#ifndef SG_TESTS_CONTACT_PROBLEM_H
#define SG_TESTS_CONTACT_PROBLEM_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/solvers/solver.h"

enum problem_kind { DEFINITE, TRIDIAGONAL, DEGENERATE, REDUNDANT, PROBLEM_KINDS };

struct contact_case {
    size_t count, tangents, n;
    double *h, *b, *mu, *r, *w; /* n x n, n, count, n, n; one allocation, owned by h */
};

static inline double problem_random(unsigned long long *seed) /* -1 .. 1 */
{
    *seed = *seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return (double)(*seed >> 11) / 4503599627370496.0 - 1.0;
}

static inline struct contact_case problem_new(size_t count, size_t tangents)
{
    size_t n = count * (1 + tangents);
    struct contact_case p = {.count = count, .tangents = tangents, .n = n};
    p.h = calloc(n * n + 3 * n + count, sizeof *p.h);
    if (p.h == NULL) abort();
    p.b = p.h + n * n;
    p.r = p.b + n;
    p.w = p.r + n;
    p.mu = p.w + n;
    return p;
}

static inline void problem_release(struct contact_case *p)
{
    free(p->h);
}

static inline struct sg_contact_problem problem_view(const struct contact_case *p)
{
    return (struct sg_contact_problem){p->count, p->tangents, p->h, p->b, p->mu};
}

/* an orthonormal frame, its vectors the rows of f */
static inline void problem_frame(size_t dim, double f[3][3], unsigned long long *seed)
{
    for (size_t k = 0; k < dim; k++) {
        double size = 0;
        for (size_t d = 0; d < dim; d++) f[k][d] = problem_random(seed);
        for (size_t l = 0; l < k; l++) {
            double along = 0;
            for (size_t d = 0; d < dim; d++) along += f[k][d] * f[l][d];
            for (size_t d = 0; d < dim; d++) f[k][d] -= along * f[l][d];
        }
        for (size_t d = 0; d < dim; d++) size += f[k][d] * f[k][d];
        for (size_t d = 0; d < dim; d++) f[k][d] /= sqrt(size);
    }
}

/* W by contacts' rows. TRIDIAGONAL: particles in a row, each pair in contact along a frame of its own;
 * else every row acts on every dof. */
static inline void problem_rows(const struct contact_case *p, enum problem_kind kind, double *rows,
                                size_t dofs, unsigned long long *seed)
{
    size_t dim = 1 + p->tangents;
    if (kind != TRIDIAGONAL) {
        for (size_t k = 0; k < p->n * dofs; k++) rows[k] = problem_random(seed);
        return;
    }
    for (size_t i = 0; i < p->count; i++) {
        double f[3][3];
        problem_frame(dim, f, seed);
        for (size_t k = 0; k < dim; k++)
            for (size_t d = 0; d < dim; d++) {
                rows[(i * dim + k) * dofs + i * dim + d] = f[k][d];
                rows[(i * dim + k) * dofs + (i + 1) * dim + d] = -f[k][d];
            }
    }
}

/* b = W^T v of a random motion, so that a solution exists whatever the rank of H; REDUNDANT: half as many
 * dofs as rows. DEGENERATE: every third contact touches without motion. mu in 0 .. `friction`. */
static inline void problem_make(struct contact_case *p, enum problem_kind kind, double friction,
                                unsigned long long *seed)
{
    size_t dim = 1 + p->tangents;
    size_t dofs = kind == REDUNDANT     ? (p->n + 1) / 2
                  : kind == TRIDIAGONAL ? (p->count + 1) * dim
                                        : p->n + p->n / 2 + 2;
    double *rows = calloc(p->n * dofs + 2 * dofs, sizeof *rows);
    if (rows == NULL) abort();
    double *flexibility = rows + p->n * dofs, *v = flexibility + dofs;
    problem_rows(p, kind, rows, dofs, seed);
    for (size_t d = 0; d < dofs; d++) {
        v[d] = problem_random(seed);
        flexibility[d] = pow(5, problem_random(seed));
    }
    for (size_t i = 0; i < p->count; i++) p->mu[i] = friction * 0.5 * (1 + problem_random(seed));
    for (size_t i = 0; i < p->n; i++) {
        p->b[i] = 0;
        for (size_t d = 0; d < dofs; d++) p->b[i] += rows[i * dofs + d] * v[d];
        if (kind == DEGENERATE && i / dim % 3 == 0) p->b[i] = 0;
        for (size_t j = 0; j <= i; j++) {
            double sum = 0;
            for (size_t d = 0; d < dofs; d++) sum += rows[i * dofs + d] * flexibility[d] * rows[j * dofs + d];
            p->h[j * p->n + i] = p->h[i * p->n + j] = sum;
        }
    }
    free(rows);
}

/* w = H r + b; returns the largest size of its terms */
static inline double problem_w(struct contact_case *p)
{
    double scale = 0;
    for (size_t i = 0; i < p->n; i++) {
        p->w[i] = p->b[i];
        scale = fmax(scale, fabs(p->b[i]));
        for (size_t k = 0; k < p->n; k++) {
            p->w[i] += p->h[k * p->n + i] * p->r[k];
            scale = fmax(scale, fabs(p->h[k * p->n + i] * p->r[k]));
        }
    }
    return scale;
}

/* The largest violation, as w, of each of the conditions in turn: 0 <= w_N, 0 <= r_N, one of them 0,
 * |r_T| <= mu r_N, w_T against r_T, w_T = 0 inside. What lies within `near` of the rim counts as on it. */
static inline double problem_violation(struct contact_case *p, double near)
{
    double worst = 0;
    problem_w(p);
    for (size_t i = 0; i < p->count; i++) {
        size_t at = i * (1 + p->tangents);
        const double *r = p->r + at, *w = p->w + at;
        double h = p->h[at * p->n + at], limit = p->mu[i] * r[0];
        worst = fmax(worst, fmax(-w[0], -h * r[0]));
        worst = fmax(worst, fmin(fabs(w[0]), fabs(h * r[0])));
        if (p->tangents == 0) continue;
        double rt[2] = {r[1], p->tangents > 1 ? r[2] : 0}, wt[2] = {w[1], p->tangents > 1 ? w[2] : 0};
        double size = hypot(rt[0], rt[1]), speed = hypot(wt[0], wt[1]);
        worst = fmax(worst, h * (size - limit));
        if (h * size < h * limit - near)
            worst = fmax(worst, speed);
        else if (h * size > near)
            worst = fmax(worst, hypot(wt[0] + speed * rt[0] / size, wt[1] + speed * rt[1] / size));
        /* else the disk is a point, and any w_T will do */
    }
    return worst;
}

#endif
