/* A step. Its unknown is a_{n+1}, the end of the recursion (1 - am) a_{n+1} + am a_n = (1 - af) vd_{n+1} + af
 * vd_n; the prediction takes vd_{n+1} = 0, or that of the step before, and Newton's corrections dv~ change
 *
 *     q~ by (h beta / gamma) dv~,   a by dv~ / (gamma h),   vd by (1 - am) / ((1 - af) gamma h) dv~,
 *
 * so that all iterates keep the recursion. */
#include "strategies/generalized_alpha/nonsmooth_alpha.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "linalg/kernels.h"
#include "strategies/generalized_alpha/condensed.h"
#include "strategies/generalized_alpha/correct.h"
#include "strategies/generalized_alpha/local_sets.h"
#include "strategies/generalized_alpha/residual.h"
#include "strategies/generalized_alpha/scale.h"

sg_status sg_ggl_init(struct sg_arena *arena, struct sg_ggl *ggl, const struct sg_ggl_problem *problem,
                      const struct sg_ggl_spec *spec, struct sg_error *err)
{
    *ggl = (struct sg_ggl){.arena = arena,
                           .problem = problem,
                           .spec = *spec,
                           .level = &sg_ggl_levels[spec->level],
                           .n = problem->n,
                           .rows = problem->bilateral + problem->unilateral};
    TRY(sg_ggl_allocate(ggl, err));
    TRY(sg_ggl_scale_init(ggl, err));
    TRY(sg_ggl_solver_init(ggl, err));
    return sg_ggl_local_init(ggl, err);
}

/* Tells whether the contact does not slip, but by rounding. */
static bool stands(const struct sg_ggl *ggl, size_t contact, const double *v)
{
    const struct sg_columns *w = ggl->problem->tangent;
    size_t t = ggl->problem->tangents;
    for (size_t k = contact * t; k < (contact + 1) * t; k++) {
        double terms = 0.0;
        for (size_t i = w->start[k]; i < w->start[k + 1]; i++)
            terms += fabs(w->value[i] * v[sg_columns_row(w, k, i)]);
        if (fabs(sg_columns_dot(w, k, v)) > 8.0 * DBL_EPSILON * terms) return false;
    }
    return true;
}

/* --- start ---------------------------------------------------------------------------------------- */

/* Takes rates of the constraints at the start. */
static void find_start_rates(struct sg_ggl *ggl, const double *v)
{
    for (size_t j = 0; j < ggl->rows; j++) {
        ggl->drift0[j] = ggl->problem->drift[j];
        ggl->rate0[j] = sg_ggl_dot(ggl, j, v) + ggl->problem->drift[j];
    }
}

/* Index 3 has the forces of contacts in the smooth motion. A contact that touches and does not move rests,
 * 0 <= G a + bias _|_ lam >= 0: without its lam the acceleration would be that of a fall, which the recursion
 * of `a` answers with twice the force in the first step and none in the next, for ever if rho_inf = 1. */
static bool find_resting(struct sg_ggl *ggl, double h)
{
    const struct sg_ggl_problem *p = ggl->problem;
    bool any = false;
    for (size_t j = 0; j < p->unilateral; j++) {
        size_t row = p->bilateral + j;
        ggl->candidate[j] =
            sg_ggl_is_closed(ggl, row, p->gap[row]) && sg_ggl_is_closed(ggl, row, h * fabs(ggl->rate0[row]));
        any = any || ggl->candidate[j];
    }
    return any && !ggl->level->jumps && ggl->local != NULL;
}

sg_status sg_ggl_begin(struct sg_ggl *ggl, const struct sg_ggl_start *start, double *a, struct sg_error *err)
{
    const struct sg_ggl_problem *p = ggl->problem;
    size_t bilateral = ggl->level->holds ? p->bilateral : 0;
    double *multiplier = ggl->x + ggl->n;
    p->evaluate(p->self, start->t, start->q);
    p->force(p->self, start->t, start->q, start->v, ggl->x);
    find_start_rates(ggl, start->v);
    for (size_t j = 0; j < bilateral; j++) multiplier[j] = start->bias == NULL ? 0.0 : -start->bias[j];
    memset(ggl->lam, 0, ggl->rows * sizeof(double));
    if (find_resting(ggl, start->h))
        TRY(sg_ggl_solve_rest(ggl, start->bias, ggl->x, err));
    else
        TRY(sg_ggl_respond(ggl, bilateral, 1, ggl->x, err));
    for (size_t j = 0; j < bilateral; j++) ggl->lam[j] = -multiplier[j];
    memcpy(ggl->vd0, ggl->x, ggl->n * sizeof *a);
    memcpy(a, ggl->x, ggl->n * sizeof *a);
    for (size_t j = 0; j < p->unilateral; j++)
        ggl->stuck[j] =
            sg_ggl_is_closed(ggl, p->bilateral + j, p->gap[p->bilateral + j]) && stands(ggl, j, start->v);
    return SG_OK;
}

/* --- a step --------------------------------------------------------------------------------------- */

struct prediction {
    double h, beta, gamma, known_a, known_vd;
    const double *vd0;
    double *qt, *vt;
};

SG_HOT static void predict(size_t n, const struct prediction *p, const struct sg_ggl_span *span)
{
    const double *restrict q0 = span->q0, *restrict v0 = span->v0, *restrict a0 = span->a0;
    const double *restrict vd0 = p->vd0;
    double *restrict a = span->a, *restrict qt = p->qt, *restrict vt = p->vt;
    double h = p->h, beta = p->beta, gamma = p->gamma, known_a = p->known_a, known_vd = p->known_vd;
#pragma omp simd
    for (size_t i = 0; i < n; i++) {
        double next = known_vd * vd0[i] - known_a * a0[i];
        a[i] = next;
        qt[i] = q0[i] + h * v0[i] + h * h * ((0.5 - beta) * a0[i] + beta * next);
        vt[i] = v0[i] + h * ((1.0 - gamma) * a0[i] + gamma * next);
    }
}

/* The iterations start from the smooth motion of the step before, and of contacts that last from their
 * impulses. Both are within O(h) of the solution, so that smooth motion takes one iteration and rest none. */
static void clear(struct sg_ggl *ggl, bool warm)
{
    size_t n = ggl->n * sizeof(double), m = ggl->rows * sizeof(double);
    size_t tangents = ggl->problem->unilateral * ggl->problem->tangents * sizeof(double);
    if (!warm) memset(ggl->lam, 0, m);
    memset(ggl->follows, 0, ggl->rows);
    if (warm && ggl->lasting) {
        memcpy(ggl->vd, ggl->vd0, n);
        return;
    }
    memset(ggl->nu, 0, m + tangents);
    memset(ggl->Lam, 0, m + tangents);
    if (ggl->method == SG_GGL_CONDENSED) return;
    if (warm)
        memcpy(ggl->vd, ggl->vd0, n);
    else
        memset(ggl->vd, 0, n);
    memset(ggl->U, 0, n);
    memset(ggl->W, 0, n);
}

static void begin_step(struct sg_ggl *ggl, const struct sg_ggl_span *span, bool warm)
{
    const struct sg_ggl_spec *s = &ggl->spec;
    double rest = 1.0 - s->am;
    struct prediction p = {.h = span->h,
                           .beta = s->beta,
                           .gamma = s->gamma,
                           .known_a = s->am / rest,
                           .known_vd = (warm ? 1.0 : s->af) / rest,
                           .vd0 = ggl->vd0,
                           .qt = ggl->qt,
                           .vt = ggl->vt};
    clear(ggl, warm);
    predict(ggl->n, &p, span);
}

static void set_span(struct sg_ggl *ggl, const struct sg_ggl_span *span)
{
    bool condensed = ggl->method == SG_GGL_CONDENSED;
    ggl->t = span->t + span->h;
    ggl->h = span->h;
    ggl->q0 = span->q0;
    ggl->v0 = span->v0;
    ggl->q = span->q;
    ggl->v = span->v;
    ggl->a = span->a;
    ggl->qt = condensed ? span->q : ggl->own[0];
    ggl->vt = condensed ? span->v : ggl->own[1];
}

/* --- couplings ------------------------------------------------------------------------------------ */

/* A coupling solves for sets of parts one behind the other. A stage iterates until its parts are solved for:
 * in each iteration it corrects its sets in turn. S_t is so replaced by some of its diagonal blocks:
 *
 *     monolithic    {smooth, correction, jump}
 *     sequential    {smooth} {correction} {jump}, round after round
 *     decoupled     {smooth}, then {smooth, correction}, then {jump}; with friction {smooth, correction}
 * again
 *
 * Monolithic is Newton's method with all of S_t. Sequential is Algorithm 1, a block Gauss-Seidel iteration.
 * Of the decoupled form each stage is taken once: the smooth motion alone says by its q~ what is closed, and
 * with it the position problem has the operator of the smooth step. */
struct stage {
    int set[SG_GGL_PARTS]; /* of parts, corrected one after the other */
    size_t sets;
    int parts; /* whose residuals count */
};

enum {
    SMOOTH = SG_GGL_ONLY(SG_GGL_SMOOTH),
    CORRECTION = SG_GGL_ONLY(SG_GGL_CORRECTION),
    JUMP = SG_GGL_ONLY(SG_GGL_JUMP),
    /* Regularized rows converge by a factor a time: so many times the iterations are allowed to them. */
    SLOWER = 4,
    ASKED = 12
};

static const struct stage together = {{SG_GGL_ALL}, 1, SG_GGL_ALL};
static const struct stage in_turn = {{SMOOTH, CORRECTION, JUMP}, 3, SG_GGL_ALL};
static const struct stage apart[] = {{{SMOOTH}, 1, SMOOTH},
                                     {{SMOOTH | CORRECTION}, 1, SMOOTH | CORRECTION},
                                     {{JUMP}, 1, JUMP},
                                     {{CORRECTION}, 1, CORRECTION}};

/* This is where iterations ended. */
struct outcome {
    double residual;
    bool settled;
};

/* Corrects each set once; a round counts as one iteration. */
static sg_status correct_in_turn(struct sg_ggl *ggl, const struct stage *stage, struct sg_error *err)
{
    for (size_t k = 0; k < stage->sets; k++) {
        if (k > 0) sg_ggl_evaluate(ggl);
        TRY(sg_ggl_correct(ggl, stage->set[k], err));
        if (k > 0) ggl->counts.newton--;
    }
    return SG_OK;
}

/* From the start of an attempt that asks the sets are those of the contacts' own problems at each iterate:
 * Newton's method for the complementarity problem, which is solved linearized. `asked`: how often so far;
 * ASKED where that leads nowhere. */
static sg_status correct(struct sg_ggl *ggl, const struct stage *stage, int *asked, struct sg_error *err)
{
    struct sg_error unsolved;
    if (ggl->asks && *asked < ASKED) {
        ggl->fixed = sg_ggl_solve_local(ggl, stage->parts, &unsolved) == SG_OK;
        *asked = ggl->fixed ? *asked + 1 : ASKED;
        sg_ggl_evaluate(ggl);
    }
    sg_status status = correct_in_turn(ggl, stage, err);
    ggl->fixed = false;
    return status;
}

static sg_status iterate(struct sg_ggl *ggl, const struct stage *stage, struct outcome *end,
                         struct sg_error *err)
{
    struct sg_ggl_progress progress = SG_GGL_BEGUN;
    long long most = ggl->spec.max_iterations * (ggl->regularization > 0.0 ? SLOWER : 1);
    int asked = 0;
    end->settled = false;
    sg_ggl_local_begin(ggl);
    for (long long k = 0; k <= most; k++) {
        sg_ggl_evaluate(ggl);
        end->residual = sg_ggl_residual(ggl, stage->parts);
        /* rounds that are no contraction go on to infinity */
        bool diverges = stage->sets > 1 && k > 0 && end->residual > 1e12;
        if (isnan(end->residual) || diverges) return SG_OK;
        end->settled = sg_ggl_is_settled(&progress, end->residual, ggl->spec.tolerance);
        if (end->settled) return SG_OK;
        if (!ggl->asks && ggl->regularization < SG_GGL_DAMPED && sg_ggl_is_lost(ggl)) {
            end->residual = HUGE_VAL;
            return SG_OK;
        }
        if (k < most) TRY(correct(ggl, stage, &asked, err));
    }
    return SG_OK;
}

/* The candidates of the smooth motion are those of the stages behind it. */
static sg_status iterate_apart(struct sg_ggl *ggl, struct outcome *end, struct sg_error *err)
{
    sg_status status = SG_OK;
    size_t stages = sizeof apart / sizeof *apart - (ggl->problem->tangents > 0 ? 0 : 1);
    for (size_t k = 0; k < stages && status == SG_OK; k++) {
        status = iterate(ggl, &apart[k], end, err);
        ggl->frozen = true;
        if (!sg_ggl_is_solved(ggl, end->residual)) break;
    }
    ggl->frozen = false;
    return status;
}

/* From the start that begin_step made. Rounds contract where masses outweigh h^2 K alone: else the step is
 * taken monolithically. */
static sg_status solve_step(struct sg_ggl *ggl, const struct sg_ggl_span *span, struct outcome *end,
                            struct sg_error *err)
{
    if (ggl->spec.coupling == SG_GGL_DECOUPLED) return iterate_apart(ggl, end, err);
    if (ggl->spec.coupling == SG_GGL_SEQUENTIAL) {
        TRY(iterate(ggl, &in_turn, end, err));
        if (end->settled) return SG_OK;
        begin_step(ggl, span, false);
    }
    return iterate(ggl, &together, end, err);
}

/* The position problem projects q~, with half of friction's way, on what the constraints allow, by the norm
 * of M: U M U is at most (q~ - q_n) M (q~ - q_n) and what friction adds, since q_n is allowed too. A body on
 * a bearing may fulfil its contact also on the other side, half a turn away, where iterates that were thrown
 * far end. Obstacles that move may push further: such a step is asked anew, not refused. */
static bool leaps(struct sg_ggl *ggl)
{
    const double FAR = 4.0; /* squared: twice as far */
    const struct sg_matrix *M = ggl->problem->M;
    double way = 0.0, allowed = 0.0, h = ggl->h, *change = ggl->part[SG_GGL_CORRECTION].momentum;
    if (!(ggl->scale.correction > ggl->scale.motion)) return false;
    sg_matrix_multiply(M, ggl->U, ggl->f);
    for (size_t i = 0; i < ggl->n; i++) way += ggl->U[i] * ggl->f[i];
    for (size_t i = 0; i < ggl->n; i++) change[i] = ggl->qt[i] - ggl->q0[i];
    sg_matrix_multiply(M, change, ggl->f);
    for (size_t i = 0; i < ggl->n; i++) allowed += change[i] * ggl->f[i];
    sg_matrix_multiply(M, ggl->W, ggl->f);
    for (size_t i = 0; i < ggl->n; i++) allowed += h * h * ggl->W[i] * ggl->f[i];
    return way > FAR * allowed;
}

/* How a step is tried. */
struct attempt {
    double regularization;
    bool widened, asks; /* as in step.h */
    bool near;          /* a leap of the positions does not do */
};

static sg_status try_step(struct sg_ggl *ggl, const struct sg_ggl_span *span, bool near, struct sg_error *err)
{
    struct outcome end = {HUGE_VAL, false};
    TRY(solve_step(ggl, span, &end, err));
    if (!sg_ggl_is_solved(ggl, end.residual) && ggl->jams)
        FAIL(err, SG_NO_SOLUTION,
             "contacts jam: friction holds what is to rebound, so that no impulses fulfil both laws; with "
             "restitution 0 some do, or with less friction");
    if (!sg_ggl_is_solved(ggl, end.residual))
        FAIL(err, SG_NO_SOLUTION,
             "Newton's iterations don't converge within %lld: the largest residual is %g of the largest "
             "momentum, the tolerance %g",
             ggl->spec.max_iterations, end.residual, ggl->spec.tolerance);
    if (near && leaps(ggl)) FAIL(err, SG_NO_SOLUTION, "the correction of positions leads elsewhere");
    return SG_OK;
}

/* The cascade of a step, each attempt from its prediction.
 *
 * The first chooses sets row by row (residual.c), which costs nothing and mostly ends after a few iterates.
 * Where its sets go in circles, or its positions leap, the contacts' own problems are asked for them: at an
 * iterate that sets which contradict one another have thrown far they would be of another place, so that the
 * step is begun anew. Contacts that the correction closes may ask for rates that contradict one another, as
 * those of a body between two walls: then those that q~ closes have to do. At last all rows yield, by a
 * thousandth, by a hundredth: sets that can't be met throw the iterate less far. */
static sg_status take(struct sg_ggl *ggl, const struct sg_ggl_span *span, struct sg_error *err)
{
    static const struct attempt cascade[] = {{0.0, true, false, true},
                                             {0.0, true, true, true},
                                             {0.0, false, true, false},
                                             {SG_GGL_DAMPED, false, false, false},
                                             {SG_GGL_STRONGLY_DAMPED, false, false, false}};
    sg_status status = SG_NO_SOLUTION;
    ggl->jams = false;
    for (size_t k = 0; k < sizeof cascade / sizeof *cascade && status == SG_NO_SOLUTION; k++) {
        const struct attempt *attempt = &cascade[k];
        bool condensed = ggl->method == SG_GGL_CONDENSED;
        if ((condensed && attempt->regularization > 0.0) || (k == 1 && ggl->local == NULL)) continue;
        if (k > 0) sg_error_clear(err);
        ggl->regularization = attempt->regularization;
        ggl->widened = attempt->widened;
        ggl->asks = attempt->asks && ggl->local != NULL;
        begin_step(ggl, span, k == 0 && !condensed);
        status = condensed ? sg_ggl_condensed_step(ggl, err) : try_step(ggl, span, attempt->near, err);
    }
    if (status == SG_OK) return SG_OK;
    ggl->lasting = false;
    memset(ggl->lam, 0, ggl->rows * sizeof(double));
    return status;
}

/* The problem stays evaluated at the end of the step. */
sg_status sg_ggl_step(struct sg_ggl *ggl, const struct sg_ggl_span *span, struct sg_error *err)
{
    set_span(ggl, span);
    TRY(take(ggl, span, err));
    if (ggl->method == SG_GGL_CONDENSED || !ggl->level->jumps) sg_ggl_find_rates(ggl);
    return SG_OK;
}

/* --- what a step did ------------------------------------------------------------------------------ */

double sg_ggl_smooth_rate(const struct sg_ggl *ggl, size_t row)
{
    if (ggl->method == SG_GGL_CONDENSED) return sg_ggl_condensed_rate(ggl, row);
    return sg_ggl_dot(ggl, row, ggl->vt);
}

bool sg_ggl_corrects(struct sg_ggl *ggl)
{
    if (!ggl->level->jumps) return false;
    if (ggl->method != SG_GGL_CONDENSED) return !sg_ggl_is_zero(ggl->n, ggl->U);
    if (sg_ggl_is_zero(ggl->rows, ggl->nu)) return false;
    sg_ggl_condensed_correction(ggl, ggl->U);
    return true;
}

/* Tells how far a row is from 0 <= w _|_ multiplier >= 0. */
static double off(double multiplier, double w)
{
    return multiplier > 0.0 ? fabs(w) : fmax(0.0, -w);
}

double sg_ggl_contact_residual(const struct sg_ggl *ggl, double *scale)
{
    const struct sg_ggl_problem *p = ggl->problem;
    const struct sg_ggl_part *jump = &ggl->part[SG_GGL_JUMP];
    double worst = 0.0;
    bool position = !ggl->level->jumps;
    *scale = position ? ggl->h * ggl->scale.velocity_scale : ggl->scale.velocity_scale;
    for (size_t j = 0; j < p->unilateral; j++) {
        size_t row = p->bilateral + j;
        if (position) worst = fmax(worst, off(ggl->lam[row], p->gap[row]));
        if (position) *scale = fmax(*scale, ggl->h * ggl->h * ggl->scale.delassus_diag[row] * ggl->lam[row]);
        if (position || !ggl->candidate[j]) continue;
        worst = fmax(worst, off(ggl->Lam[row], jump->violation[row]));
        *scale = fmax(*scale, fabs(sg_ggl_smooth_rate(ggl, row) + ggl->drift1[row]));
    }
    for (size_t i = jump->active.count; p->tangents > 0 && i-- > 0 && jump->active.row[i] >= ggl->rows;)
        worst = fmax(worst, fabs(jump->violation[jump->active.row[i]]));
    return worst;
}

static void exchange(double **a, double **b)
{
    double *kept = *a;
    *a = *b;
    *b = kept;
}

void sg_ggl_accept(struct sg_ggl *ggl)
{
    ggl->scale.speed = fmax(ggl->scale.speed, ggl->scale.velocity_scale);
    bool pushes = ggl->method != SG_GGL_CONDENSED && ggl->spec.coupling == SG_GGL_MONOLITHIC &&
                  ggl->spec.variant == SG_GGL_STANDARD &&
                  ggl->part[SG_GGL_JUMP].active.count > ggl->problem->bilateral;
    for (size_t j = 0; j < ggl->problem->unilateral && ggl->problem->tangents > 0; j++)
        ggl->stuck[j] = !ggl->slip[j];
    ggl->lasting = pushes && ggl->pushing;
    ggl->pushing = pushes;
    exchange(&ggl->vd0, &ggl->vd);
    exchange(&ggl->rate0, &ggl->rate1);
    exchange(&ggl->drift0, &ggl->drift1);
}
