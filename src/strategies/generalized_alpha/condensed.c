/* Where f = load - K q - C v and G never changes, Newton's method for given sets ends after one iteration,
 * and all that the sets decide are the multipliers. With U = W = 0 and no multipliers the smooth motion is
 * dv~ = S^-1 h f(q~, v~); gaps and rates follow it and the multipliers y = (-h lam, -nu/h, -Lam) by
 *
 *     rates of v~:  rate  + G [-Z X P] y            (`shift`)
 *     gaps at q~:   gap   + (h beta / gamma) shift
 *     gaps at q:    gaps at q~ + G Y nu
 *     rates of v:   rates of v~ + G Y Lam
 *
 * which are small vectors. The active sets are sought by block principal pivoting on these alone: a closed
 * row has gap 0 with nu >= 0, a pushed one rate -e times that before with Lam >= 0, where its gap at q~ is
 * closed. */
#include "strategies/generalized_alpha/condensed.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "linalg/kernels.h"
#include "linalg/pivoting.h"
#include "linalg/vector.h"
#include "strategies/generalized_alpha/reduced.h"
#include "strategies/generalized_alpha/scale.h"

enum { SETS = 100 }; /* of active rows that are tried in a step */

/* The smooth motion without constraints: dv~ into ggl->x, with it the gaps at q~ and the rates of v~. */
static void smooth_motion(struct sg_ggl *ggl)
{
    const struct sg_ggl_problem *p = ggl->problem;
    struct sg_ggl_reduced *s = ggl->reduced;
    double h = ggl->h, q_by_v = sg_ggl_q_by_v(ggl);
    p->evaluate(p->self, ggl->t, ggl->qt);
    p->force(p->self, ggl->t, ggl->qt, ggl->vt, ggl->x);
    for (size_t i = 0; i < ggl->n; i++) ggl->x[i] *= h;
    sg_ggl_reduced_smooth(ggl, ggl->x);
    for (size_t j = 0; j < ggl->rows; j++) {
        double change = sg_ggl_dot(ggl, j, ggl->x);
        s->gap[j] = p->gap[j] + q_by_v * change;
        s->rate[j] = sg_ggl_dot(ggl, j, ggl->vt) + p->drift[j] + change;
    }
}

/* Fills `shift` with what the multipliers do to the rates of v~. */
static void shift_rates(struct sg_ggl *ggl)
{
    struct sg_ggl_reduced *s = ggl->reduced;
    size_t m = ggl->rows;
    memset(s->shift, 0, m * sizeof *s->shift);
    for (size_t p = 0; p < SG_GGL_PARTS; p++)
        for (size_t j = 0; j < m; j++) {
            size_t column = sg_ggl_reduced_column(ggl, p, j);
            double multiplier = ggl->part[p].multiplier[j];
            if (multiplier != 0.0 && column < s->columns)
                sg_axpy(m, -sg_ggl_impulse(ggl, p, multiplier), s->GX + column * m, s->shift);
        }
}

/* G_j Y x */
static double own(const struct sg_ggl *ggl, size_t j, const double *x)
{
    double sum = 0.0;
    for (size_t k = 0; k < ggl->rows; k++) sum += ggl->reduced->GY[k * ggl->rows + j] * x[k];
    return sum;
}

/* This is e times the rate before the step; bilateral rows do not rebound. */
static double rebound(const struct sg_ggl *ggl, size_t j)
{
    size_t b = ggl->problem->bilateral;
    return j < b ? 0.0 : sg_ggl_rebound(ggl, j - b);
}

/* --- active sets ---------------------------------------------------------------------------------- */

/* Tells whether a row belongs to its set. One that is out of it, without a multiplier, comes in where its
 * constraint is violated by more than rounding, `tie`: or rows that depend on one another would take turns
 * for ever. */
static bool belongs(double multiplier, double violation, double tie)
{
    return multiplier != 0.0 ? multiplier + violation >= 0.0 : violation > tie;
}

/* `smooth` is the gap at q~. */
static bool closes(const struct sg_ggl *ggl, size_t j, double smooth)
{
    double by = own(ggl, j, ggl->nu), gap = smooth + by;
    double tie = ggl->problem->rounding[j] + 8.0 * DBL_EPSILON * (fabs(smooth) + fabs(by));
    return j < ggl->problem->bilateral || belongs(ggl->nu[j] * ggl->scale.delassus_diag[j], -gap, tie);
}

static bool pushes(const struct sg_ggl *ggl, size_t j, double smooth)
{
    const struct sg_ggl_reduced *s = ggl->reduced;
    if (j < ggl->problem->bilateral) return true;
    unsigned char *candidate = &ggl->candidate[j - ggl->problem->bilateral];
    *candidate = (ggl->widened && sg_ggl_is_pushed_out(ggl, j)) || sg_ggl_is_closed(ggl, j, smooth);
    if (!*candidate) return false;
    double by = own(ggl, j, ggl->Lam), after = rebound(ggl, j);
    double rate = s->rate[j] + s->shift[j] + by + after;
    double tie = 8.0 * DBL_EPSILON * (fabs(s->rate[j]) + fabs(s->shift[j]) + fabs(by) + fabs(after));
    return belongs(ggl->Lam[j] * ggl->scale.delassus_diag[j], -rate, tie);
}

/* This is the step whose sets are sought, and why they can't be found. */
struct search {
    struct sg_ggl *ggl;
    sg_status status;
    struct sg_error *err;
};

static void judge(void *self)
{
    const struct search *search = self;
    struct sg_ggl *ggl = search->ggl;
    struct sg_ggl_reduced *s = ggl->reduced;
    size_t m = ggl->rows;
    double q_by_v = sg_ggl_q_by_v(ggl);
    shift_rates(ggl);
    for (size_t j = 0; j < m; j++) {
        double smooth = s->gap[j] + q_by_v * s->shift[j];
        s->wrong[j] = closes(ggl, j, smooth) != s->in_set[j];
        s->wrong[m + j] = pushes(ggl, j, smooth) != s->in_set[m + j];
    }
}

/* --- multipliers ---------------------------------------------------------------------------------- */

/* Rows that are regularized yield to the difference of the last solution: what is left falls by what they
 * yield a round. */
static sg_status solve_regularized(struct sg_ggl *ggl, struct sg_error *err)
{
    enum { ROUNDS = 3 };
    struct sg_ggl_reduced *s = ggl->reduced;
    memcpy(s->right_side, s->y, s->size * sizeof *s->y);
    TRY(sg_ggl_reduced_multipliers(ggl, err));
    for (int k = 0; k < ROUNDS && ggl->regularization > 0.0; k++) {
        for (size_t i = 0; i < s->size; i++)
            s->y[i] =
                s->right_side[i] - sg_ggl_regularization(ggl, sg_ggl_reduced_unknown(ggl, i).row) * s->y[i];
        TRY(sg_ggl_reduced_multipliers(ggl, err));
    }
    return SG_OK;
}

static void list_set(const struct sg_ggl *ggl, struct sg_ggl_list *active, const unsigned char *in_set)
{
    active->count = 0;
    for (size_t j = 0; j < ggl->rows; j++)
        if (in_set[j]) active->row[active->count++] = j;
}

/* The multipliers of the sets, all others zero. Without a set there is nothing to solve: constraints that are
 * bilateral come into it in the first round. */
static bool find_multipliers(void *self)
{
    struct search *search = self;
    struct sg_ggl *ggl = search->ggl;
    struct sg_ggl_reduced *s = ggl->reduced;
    struct sg_ggl_list *closed = &ggl->part[SG_GGL_CORRECTION].active;
    struct sg_ggl_list *pushed = &ggl->part[SG_GGL_JUMP].active;
    size_t m = ggl->rows;
    list_set(ggl, closed, s->in_set);
    list_set(ggl, pushed, s->in_set + m);
    ggl->counts.newton++;
    memset(ggl->nu, 0, m * sizeof *ggl->nu);
    memset(ggl->Lam, 0, m * sizeof *ggl->Lam);
    sg_ggl_reduced_choose(ggl);
    if (closed->count + pushed->count == 0) return true;
    for (size_t i = 0; i < s->size; i++) {
        struct sg_ggl_unknown of = sg_ggl_reduced_unknown(ggl, i);
        s->y[i] = of.part == SG_GGL_SMOOTH       ? -s->rate[of.row]
                  : of.part == SG_GGL_CORRECTION ? -s->gap[of.row] / ggl->h
                                                 : -s->rate[of.row] - rebound(ggl, of.row);
    }
    search->status = solve_regularized(ggl, search->err);
    if (search->status != SG_OK) return false;
    for (size_t i = 0; i < s->size; i++) {
        struct sg_ggl_unknown of = sg_ggl_reduced_unknown(ggl, i);
        ggl->part[of.part].multiplier[of.row] = -sg_ggl_multiplier(ggl, of.part, s->y[i]);
    }
    return true;
}

/* --- the pass over the unknowns ------------------------------------------------------------------- */

/* dv~ of the step changes q, vd and a by these factors. */
struct change {
    const double *dv;
    double to_q, to_vd, to_a;
};

SG_HOT static void advance(struct sg_ggl *ggl, const struct change *change)
{
    const double *restrict x = change->dv;
    double *restrict q = ggl->q, *restrict v = ggl->v, *restrict a = ggl->a, *restrict vd = ggl->vd;
    double to_q = change->to_q, to_vd = change->to_vd, to_a = change->to_a;
    size_t n = ggl->n;
#pragma omp simd
    for (size_t i = 0; i < n; i++) {
        q[i] += to_q * x[i];
        v[i] += x[i];
        a[i] += to_a * x[i];
        vd[i] = to_vd * x[i];
    }
}

static void finish(struct sg_ggl *ggl)
{
    const struct sg_ggl_reduced *s = ggl->reduced;
    double *const jumped[SG_GGL_PARTS] = {NULL, ggl->q, ggl->v};
    size_t n = ggl->n;
    for (size_t i = 0; i < s->size; i++) {
        struct sg_ggl_unknown of = sg_ggl_reduced_unknown(ggl, i);
        double multiplier = ggl->part[of.part].multiplier[of.row];
        if (s->chosen[i] < s->columns)
            sg_axpy(n, -sg_ggl_impulse(ggl, of.part, multiplier), s->X + s->chosen[i] * n, ggl->x);
        if (of.part != SG_GGL_SMOOTH) sg_axpy(n, multiplier, s->Y + of.row * n, jumped[of.part]);
    }
    struct change change = {ggl->x, sg_ggl_q_by_v(ggl), sg_ggl_vd_by_v(ggl),
                            1.0 / (ggl->spec.gamma * ggl->h)};
    advance(ggl, &change);
}

sg_status sg_ggl_condensed_step(struct sg_ggl *ggl, struct sg_error *err)
{
    struct search search = {ggl, SG_OK, err};
    struct sg_ggl_reduced *s = ggl->reduced;
    const struct sg_pivoting pivoting = {.rows = 2 * ggl->rows,
                                         .in_set = s->in_set,
                                         .wrong = s->wrong,
                                         .limit = SETS,
                                         .self = &search,
                                         .solve = find_multipliers,
                                         .judge = judge};
    TRY(sg_ggl_reduced_prepare(ggl, err));
    smooth_motion(ggl);
    memset(s->in_set, 0, 2 * ggl->rows);
    switch (sg_pivoting_run(&pivoting, NULL)) {
    case SG_PIVOTING_FOUND:
        finish(ggl);
        return SG_OK;
    case SG_PIVOTING_UNSOLVED:
        return search.status;
    default:
        FAIL(err, SG_NO_SOLUTION, "the contacts' active sets don't settle within %d trials", SETS);
    }
}

/* --- what a step did ------------------------------------------------------------------------------ */

double sg_ggl_condensed_rate(const struct sg_ggl *ggl, size_t row)
{
    double rate = ggl->rate1[row] - ggl->drift1[row];
    for (size_t k = 0; k < ggl->rows; k++) rate -= ggl->reduced->GY[k * ggl->rows + row] * ggl->Lam[k];
    return rate;
}

void sg_ggl_condensed_correction(const struct sg_ggl *ggl, double *U)
{
    memset(U, 0, ggl->n * sizeof *U);
    for (size_t j = 0; j < ggl->rows; j++)
        if (ggl->nu[j] != 0.0) sg_axpy(ggl->n, ggl->nu[j], ggl->reduced->Y + j * ggl->n, U);
}
