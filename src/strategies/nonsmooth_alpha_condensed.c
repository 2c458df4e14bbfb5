/* The step of linear systems with affine constraints: one product with K, one solve, the active sets on the
 * multipliers alone, one pass over the unknowns at the end. */
#include <math.h>
#include <string.h>

#include "linalg/kernels.h"
#include "linalg/vector.h"
#include "strategies/nonsmooth_alpha_schur.h"

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

/* the sets of the multipliers at hand; whether they are others than those listed */
static bool choose(struct sg_ggl *ggl)
{
    const struct sg_ggl_schur *s = ggl->schur;
    size_t b = ggl->problem->bilateral, closed = 0, pushed = 0;
    bool changed = false;
    double move = sg_ggl_move(ggl);
    shift_rates(ggl);
    for (size_t j = 0; j < ggl->rows; j++) {
        double smooth = s->gap[j] + move * s->shift[j], gap = smooth + own(ggl, j, ggl->nu);
        double rate = s->rate[j] + s->shift[j] + own(ggl, j, ggl->Lam) + aim(ggl, j);
        if (j < b || ggl->nu[j] - ggl->push * gap >= 0.0) {
            changed = changed || closed >= ggl->closed.count || ggl->closed.row[closed] != j;
            ggl->closed.row[closed++] = j;
        }
        if (j < b || (smooth <= ggl->problem->rounding[j - b] && ggl->Lam[j] - ggl->push * rate >= 0.0)) {
            changed = changed || pushed >= ggl->pushed.count || ggl->pushed.row[pushed] != j;
            ggl->pushed.row[pushed++] = j;
        }
    }
    changed = changed || closed != ggl->closed.count || pushed != ggl->pushed.count;
    ggl->closed.count = closed;
    ggl->pushed.count = pushed;
    return changed;
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
    TRY(sg_ggl_schur_small(ggl, err));
    memset(ggl->nu, 0, m * sizeof *ggl->nu);
    memset(ggl->Lam, 0, m * sizeof *ggl->Lam);
    for (size_t j = 0; j < b; j++) ggl->lam[j] = -s->y[j] / h;
    for (size_t k = 0; k < ggl->closed.count; k++) ggl->nu[ggl->closed.row[k]] = -h * s->y[b + k];
    for (size_t k = 0; k < ggl->pushed.count; k++) ggl->Lam[ggl->pushed.row[k]] = -s->y[first + k];
    ggl->counts.newton++;
    return SG_OK;
}

/* --- the pass over the unknowns ----------------------------------------------------------------------- */

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
