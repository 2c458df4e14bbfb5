/* The step of linear systems with affine constraints: one product with K, one solve, the active sets on the
 * multipliers alone, one pass over the unknowns at the end. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "linalg/kernels.h"
#include "linalg/vector.h"
#include "strategies/generalized_alpha/schur.h"

enum { SETS = 100 }; /* of active sets that are tried in a step */

/* the smooth motion without constraints: dv~ into x1, gaps at its q~ and rates of its v~ */
static void smooth_motion(struct sg_ggl *ggl)
{
    const struct sg_ggl_problem *p = ggl->problem;
    struct sg_ggl_schur *s = ggl->schur;
    double h = ggl->h, move = sg_ggl_move(ggl);
    p->place(p->self, ggl->t, ggl->qt);
    p->force(p->self, ggl->t, ggl->qt, ggl->vt, s->x1);
    for (size_t i = 0; i < ggl->n; i++) s->x1[i] *= h;
    sg_factor_solve(&s->smooth, s->x1);
    ggl->counts.solves++;
    for (size_t j = 0; j < ggl->rows; j++) {
        double change = sg_ggl_dot(ggl, j, s->x1);
        s->gap[j] = p->gap[j] + move * change;
        s->rate[j] = sg_ggl_dot(ggl, j, ggl->vt) + p->drift[j] + change;
    }
}

/* what the multipliers do to the rates of v~, into `shift` */
static void shift_rates(struct sg_ggl *ggl)
{
    const struct sg_ggl_schur *s = ggl->schur;
    size_t m = ggl->rows;
    memset(s->shift, 0, m * sizeof *s->shift);
    for (size_t j = 0; j < ggl->problem->bilateral; j++)
        sg_axpy(m, ggl->h * ggl->lam[j], s->GZ + j * m, s->shift);
    for (size_t j = 0; j < m; j++) {
        if (ggl->nu[j] != 0.0) sg_axpy(m, -ggl->nu[j] / ggl->h, s->GX + j * m, s->shift);
        if (s->GP != NULL && ggl->Lam[j] != 0.0) sg_axpy(m, -ggl->Lam[j], s->GP + j * m, s->shift);
    }
}

/* G_j Y x */
static double own(const struct sg_ggl *ggl, size_t j, const double *x)
{
    double sum = 0.0;
    for (size_t k = 0; k < ggl->rows; k++) sum += ggl->schur->GY[k * ggl->rows + j] * x[k];
    return sum;
}

static double aim(const struct sg_ggl *ggl, size_t j)
{
    size_t b = ggl->problem->bilateral;
    return j < b ? 0.0 : ggl->problem->restitution[j - b] * ggl->rate0[j];
}

/* Whether a row belongs to its set. One that is out of it, without a multiplier, comes in where what it holds
 * is violated by more than rounding, `tie`: or rows that depend on one another would take turns for ever. */
static bool belongs(const struct sg_ggl *ggl, double multiplier, double violation, double tie)
{
    return multiplier != 0.0 ? multiplier + ggl->push * violation >= 0.0 : violation > tie;
}

static bool closes(const struct sg_ggl *ggl, size_t j, double smooth)
{
    double by = own(ggl, j, ggl->nu), gap = smooth + by;
    double tie = ggl->problem->rounding[j] + 8.0 * DBL_EPSILON * (fabs(smooth) + fabs(by));
    return j < ggl->problem->bilateral || belongs(ggl, ggl->nu[j], -gap, tie);
}

static bool pushes(const struct sg_ggl *ggl, size_t j, double smooth)
{
    const struct sg_ggl_schur *s = ggl->schur;
    if (j < ggl->problem->bilateral) return true;
    if (!sg_ggl_is_closed(ggl, j, smooth)) return false;
    double by = own(ggl, j, ggl->Lam), after = aim(ggl, j);
    double rate = s->rate[j] + s->shift[j] + by + after;
    double tie = 8.0 * DBL_EPSILON * (fabs(s->rate[j]) + fabs(s->shift[j]) + fabs(by) + fabs(after));
    return belongs(ggl, ggl->Lam[j], -rate, tie);
}

/* appends row j to a set that is made anew over the old one; whether the old one has another row there */
static bool put(struct sg_ggl_list *set, size_t j, size_t *count)
{
    bool other = *count >= set->count || set->row[*count] != j;
    set->row[(*count)++] = j;
    return other;
}

/* the sets of the multipliers at hand; whether they are others than those listed */
static bool choose(struct sg_ggl *ggl)
{
    const struct sg_ggl_schur *s = ggl->schur;
    size_t closed = 0, pushed = 0;
    bool changed = false;
    double move = sg_ggl_move(ggl);
    shift_rates(ggl);
    for (size_t j = 0; j < ggl->rows; j++) {
        double smooth = s->gap[j] + move * s->shift[j];
        if (closes(ggl, j, smooth) && put(&ggl->closed, j, &closed)) changed = true;
        if (pushes(ggl, j, smooth) && put(&ggl->pushed, j, &pushed)) changed = true;
    }
    changed = changed || closed != ggl->closed.count || pushed != ggl->pushed.count;
    ggl->closed.count = closed;
    ggl->pushed.count = pushed;
    return changed;
}

/* Rows that yield do so to the difference of the last solution: what is left falls by what they yield a
 * round. */
static sg_status solve_small(struct sg_ggl *ggl, struct sg_error *err)
{
    enum { ROUNDS = 3 };
    struct sg_ggl_schur *s = ggl->schur;
    size_t size = sg_ggl_schur_size(ggl);
    memcpy(s->aim, s->y, size * sizeof *s->y);
    TRY(sg_ggl_schur_small(ggl, err));
    for (int k = 0; k < ROUNDS && ggl->yield > 0.0; k++) {
        for (size_t i = 0; i < size; i++)
            s->y[i] = s->aim[i] - sg_ggl_yield(ggl, sg_ggl_schur_row(ggl, i)) * s->y[i];
        TRY(sg_ggl_schur_small(ggl, err));
    }
    return SG_OK;
}

/* the multipliers of the sets, all others zero */
static sg_status multipliers(struct sg_ggl *ggl, struct sg_error *err)
{
    const struct sg_ggl_schur *s = ggl->schur;
    size_t m = ggl->rows, b = ggl->problem->bilateral, first = b + ggl->closed.count;
    double h = ggl->h;
    for (size_t j = 0; j < b; j++) s->y[j] = -s->rate[j];
    for (size_t k = 0; k < ggl->closed.count; k++) s->y[b + k] = -s->gap[ggl->closed.row[k]] / h;
    for (size_t k = 0; k < ggl->pushed.count; k++)
        s->y[first + k] = -s->rate[ggl->pushed.row[k]] - aim(ggl, ggl->pushed.row[k]);
    TRY(solve_small(ggl, err));
    memset(ggl->nu, 0, m * sizeof *ggl->nu);
    memset(ggl->Lam, 0, m * sizeof *ggl->Lam);
    for (size_t j = 0; j < b; j++) ggl->lam[j] = -s->y[j] / h;
    for (size_t k = 0; k < ggl->closed.count; k++) ggl->nu[ggl->closed.row[k]] = -h * s->y[b + k];
    for (size_t k = 0; k < ggl->pushed.count; k++) ggl->Lam[ggl->pushed.row[k]] = -s->y[first + k];
    ggl->counts.newton++;
    return SG_OK;
}

/* --- the pass over the unknowns ------------------------------------------------------------------- */

/* dv~ of the step, and what it moves */
struct change {
    const double *dv;
    double move, pull, push;
};

SG_HOT static void advance(struct sg_ggl *ggl, const struct change *change)
{
    const double *restrict x = change->dv;
    double *restrict q = ggl->q, *restrict v = ggl->v, *restrict a = ggl->a, *restrict vd = ggl->vd;
    double move = change->move, pull = change->pull, push = change->push;
    size_t n = ggl->n;
#pragma omp simd
    for (size_t i = 0; i < n; i++) {
        q[i] += move * x[i];
        v[i] += x[i];
        a[i] += push * x[i];
        vd[i] = pull * x[i];
    }
}

static void finish(struct sg_ggl *ggl)
{
    struct sg_ggl_schur *s = ggl->schur;
    size_t n = ggl->n;
    for (size_t j = 0; j < ggl->problem->bilateral; j++)
        sg_axpy(n, ggl->h * ggl->lam[j], s->Z + j * n, s->x1);
    for (size_t k = 0; k < ggl->closed.count; k++) {
        size_t j = ggl->closed.row[k];
        sg_axpy(n, -ggl->nu[j] / ggl->h, s->X + j * n, s->x1);
        sg_axpy(n, ggl->nu[j], s->Y + j * n, ggl->q);
    }
    for (size_t k = 0; k < ggl->pushed.count; k++) {
        size_t j = ggl->pushed.row[k];
        if (s->P != NULL) sg_axpy(n, -ggl->Lam[j], s->P + j * n, s->x1);
        sg_axpy(n, ggl->Lam[j], s->Y + j * n, ggl->v);
    }
    struct change change = {s->x1, sg_ggl_move(ggl), sg_ggl_pull(ggl), 1.0 / (ggl->spec.gamma * ggl->h)};
    advance(ggl, &change);
}

sg_status sg_ggl_condensed_step(struct sg_ggl *ggl, struct sg_error *err)
{
    TRY(sg_ggl_schur_prepare(ggl, err));
    smooth_motion(ggl);
    ggl->closed.count = ggl->pushed.count = 0;
    ggl->counts.newton++;
    for (int k = 0; k < SETS; k++) {
        if (!choose(ggl)) {
            finish(ggl);
            return SG_OK;
        }
        TRY(multipliers(ggl, err));
    }
    FAIL(err, SG_NO_SOLUTION, "the contacts' active sets don't settle within %d trials", SETS);
}
