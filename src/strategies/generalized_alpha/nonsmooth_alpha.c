#include "strategies/generalized_alpha/nonsmooth_alpha.h"

#include <math.h>
#include <string.h>

#include "linalg/kernels.h"
#include "linalg/vector.h"
#include "strategies/generalized_alpha/schur.h"
#include "support/memory.h"

/* --- memory --------------------------------------------------------------------------------------- */

static sg_status allocate(struct sg_ggl *ggl, struct sg_error *err)
{
    const struct sg_ggl_problem *p = ggl->problem;
    size_t slides = p->unilateral * p->tangents;
    double **const by_dof[] = {&ggl->vd,    &ggl->vd0,  &ggl->U,    &ggl->W,    &ggl->f,
                               &ggl->rs,    &ggl->rp,   &ggl->rv,   &ggl->mass, &ggl->heft,
                               &ggl->stiff, &ggl->damp, &ggl->unit, &ggl->ease};
    double **const by_row[] = {&ggl->rate0, &ggl->drift0, &ggl->rate1, &ggl->drift1, &ggl->lam,
                               &ggl->nu,    &ggl->Lam,    &ggl->cs,    &ggl->cp,     &ggl->cv};
    double **const by_slide[] = {&ggl->LamT, &ggl->ct, &ggl->way};
    size_t **const lists[] = {&ggl->smooth.row, &ggl->closed.row, &ggl->pushed.row};
    for (size_t k = 0; k < sizeof by_dof / sizeof *by_dof; k++) TRY(SG_NEW(by_dof[k], ggl->n, err));
    for (size_t k = 0; k < sizeof by_row / sizeof *by_row; k++) TRY(SG_NEW(by_row[k], ggl->rows, err));
    for (size_t k = 0; k < sizeof by_slide / sizeof *by_slide; k++) TRY(SG_NEW(by_slide[k], slides, err));
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) TRY(SG_NEW(lists[k], ggl->rows, err));
    TRY(SG_NEW(&ggl->own[0], ggl->n, err));
    TRY(SG_NEW(&ggl->own[1], ggl->n, err));
    TRY(SG_NEW(&ggl->give, ggl->rows + slides, err));
    TRY(SG_NEW(&ggl->grip, ggl->rows + slides, err));
    TRY(SG_NEW(&ggl->near, p->unilateral, err));
    TRY(SG_NEW(&ggl->slip, p->unilateral, err));
    TRY(SG_NEW(&ggl->follows, ggl->rows, err));
    return SG_NEW(&ggl->reach, p->unilateral, err);
}

void sg_ggl_release(struct sg_ggl *ggl)
{
    if (ggl->problem == NULL) return;
    void *const owned[] = {
        ggl->vd,         ggl->vd0,        ggl->U,          ggl->W,      ggl->f,     ggl->rs,    ggl->rp,
        ggl->rv,         ggl->lam,        ggl->nu,         ggl->Lam,    ggl->cs,    ggl->cp,    ggl->cv,
        ggl->rate0,      ggl->drift0,     ggl->rate1,      ggl->drift1, ggl->LamT,  ggl->ct,    ggl->way,
        ggl->smooth.row, ggl->closed.row, ggl->pushed.row, ggl->near,   ggl->slip,  ggl->reach, ggl->own[0],
        ggl->own[1],     ggl->follows,    ggl->mass,       ggl->heft,   ggl->stiff, ggl->damp,  ggl->give,
        ggl->unit,       ggl->ease,       ggl->grip};
    for (size_t k = 0; k < sizeof owned / sizeof *owned; k++) sg_free(owned[k]);
    sg_ggl_solver_release(ggl);
    *ggl = (struct sg_ggl){0};
}

sg_status sg_ggl_init(struct sg_ggl *ggl, const struct sg_ggl_problem *problem,
                      const struct sg_ggl_spec *spec, struct sg_error *err)
{
    *ggl = (struct sg_ggl){
        .problem = problem, .spec = *spec, .n = problem->n, .rows = problem->bilateral + problem->unilateral};
    TRY(allocate(ggl, err));
    TRY(sg_ggl_scale_init(ggl, err));
    return sg_ggl_solver_init(ggl, err);
}

/* rates of the constraints for a velocity, where the problem is placed */
static void measure_rates(const struct sg_ggl *ggl, const double *v, double *rate, double *drift)
{
    for (size_t j = 0; j < ggl->rows; j++) {
        drift[j] = ggl->problem->drift[j];
        rate[j] = sg_ggl_dot(ggl, j, v) + drift[j];
    }
}

/* --- start ---------------------------------------------------------------------------------------- */

sg_status sg_ggl_begin(struct sg_ggl *ggl, const struct sg_ggl_start *start, double *a, struct sg_error *err)
{
    const struct sg_ggl_problem *p = ggl->problem;
    p->place(p->self, start->t, start->q);
    p->force(p->self, start->t, start->q, start->v, ggl->f);
    ggl->smooth.count = 0;
    for (size_t j = 0; j < p->bilateral && ggl->spec.level != SG_GGL_VELOCITY; j++)
        ggl->smooth.row[ggl->smooth.count++] = j;
    for (size_t i = 0; i < ggl->smooth.count; i++) ggl->cs[i] = start->bias == NULL ? 0.0 : start->bias[i];
    memset(ggl->lam, 0, ggl->rows * sizeof(double));
    TRY(sg_ggl_accelerate(ggl, ggl->f, err));
    memcpy(ggl->vd0, ggl->f, ggl->n * sizeof *a);
    memcpy(a, ggl->f, ggl->n * sizeof *a);
    measure_rates(ggl, start->v, ggl->rate0, ggl->drift0);
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

/* what the step starts from: the smooth motion of the step before, contacts that last with their impulses */
static void clear(struct sg_ggl *ggl, bool warm)
{
    size_t n = ggl->n * sizeof(double), m = ggl->rows * sizeof(double);
    if (!warm) memset(ggl->lam, 0, m);
    memset(ggl->follows, 0, ggl->rows);
    if (warm && ggl->lasting) {
        memcpy(ggl->vd, ggl->vd0, n);
        return;
    }
    memset(ggl->nu, 0, m);
    memset(ggl->Lam, 0, m);
    if (ggl->method == SG_GGL_CONDENSED) return;
    if (warm)
        memcpy(ggl->vd, ggl->vd0, n);
    else
        memset(ggl->vd, 0, n);
    memset(ggl->U, 0, n);
    memset(ggl->W, 0, n);
    memset(ggl->LamT, 0, ggl->problem->unilateral * ggl->problem->tangents * sizeof(double));
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

static void aim(struct sg_ggl *ggl, const struct sg_ggl_span *span)
{
    bool condensed = ggl->method == SG_GGL_CONDENSED;
    ggl->t = span->t + span->h;
    ggl->h = span->h;
    ggl->q = span->q;
    ggl->v = span->v;
    ggl->a = span->a;
    ggl->qt = condensed ? span->q : ggl->own[0];
    ggl->vt = condensed ? span->v : ggl->own[1];
}

/* as many iterations are taken where rows yield */
enum { SLOWER = 4 };

/* Newton's iterations over the blocks; `residual` is the last */
static sg_status iterate(struct sg_ggl *ggl, int blocks, double *residual, struct sg_error *err)
{
    struct sg_ggl_progress progress = SG_GGL_BEGUN;
    long long most = ggl->spec.max_iterations * (ggl->yield > 0.0 ? SLOWER : 1);
    for (long long k = 0; k <= most; k++) {
        sg_ggl_evaluate(ggl);
        *residual = sg_ggl_residual(ggl, blocks);
        if (isnan(*residual)) return SG_OK;
        if (sg_ggl_is_settled(&progress, *residual, ggl->spec.tolerance)) return SG_OK;
        if (k < most) TRY(sg_ggl_correct(ggl, blocks, err));
    }
    return SG_OK;
}

/* The smooth motion alone, whose q~ decides what is closed; then with it the position problem, whose operator
 * is so the smooth one; then the velocity problem. Each once. */
static sg_status iterate_apart(struct sg_ggl *ggl, double *residual, struct sg_error *err)
{
    static const int blocks[] = {SG_GGL_SMOOTH, SG_GGL_SMOOTH | SG_GGL_PLACE, SG_GGL_KICK};
    sg_status status = SG_OK;
    for (size_t b = 0; b < 3 && status == SG_OK; b++) {
        status = iterate(ggl, blocks[b], residual, err);
        ggl->frozen = true;
        if (!sg_ggl_is_solved(ggl, *residual)) break;
    }
    ggl->frozen = false;
    return status;
}

/* Algorithm 1: smooth motion, position, velocity, one behind the other */
static sg_status iterate_in_turn(struct sg_ggl *ggl, double *residual, struct sg_error *err)
{
    static const int blocks[] = {SG_GGL_SMOOTH, SG_GGL_PLACE, SG_GGL_KICK};
    struct sg_ggl_progress progress = SG_GGL_BEGUN;
    for (long long k = 0; k <= ggl->spec.max_iterations; k++) {
        sg_ggl_evaluate(ggl);
        *residual = sg_ggl_residual(ggl, SG_GGL_ALL);
        if (isnan(*residual) || (k > 0 && *residual > 1e12)) break;
        if (sg_ggl_is_settled(&progress, *residual, ggl->spec.tolerance)) return SG_OK;
        for (size_t b = 0; b < 3 && k < ggl->spec.max_iterations; b++) {
            if (b > 0) sg_ggl_evaluate(ggl);
            TRY(sg_ggl_correct(ggl, blocks[b], err));
            if (b > 0) ggl->counts.newton--;
        }
    }
    *residual = HUGE_VAL;
    return SG_OK;
}

/* from the start that begin_step made; `residual` is NaN or too large where the iterations lead nowhere */
static sg_status solve_step(struct sg_ggl *ggl, const struct sg_ggl_span *span, double *residual,
                            struct sg_error *err)
{
    *residual = HUGE_VAL;
    if (ggl->spec.coupling == SG_GGL_DECOUPLED) return iterate_apart(ggl, residual, err);
    if (ggl->spec.coupling == SG_GGL_SEQUENTIAL) {
        TRY(iterate_in_turn(ggl, residual, err));
        if (*residual < HUGE_VAL) return SG_OK;
        ggl->counts.fallbacks++;
        begin_step(ggl, span, false);
    }
    return iterate(ggl, SG_GGL_ALL, residual, err);
}

static sg_status try_step(struct sg_ggl *ggl, const struct sg_ggl_span *span, struct sg_error *err)
{
    double residual;
    TRY(solve_step(ggl, span, &residual, err));
    if (sg_ggl_is_solved(ggl, residual)) return SG_OK;
    FAIL(err, SG_NO_SOLUTION,
         "Newton's iterations don't converge within %lld: the largest residual is %g of the largest "
         "momentum, the tolerance %g",
         ggl->spec.max_iterations, residual, ggl->spec.tolerance);
}

static sg_status take(struct sg_ggl *ggl, const struct sg_ggl_span *span, struct sg_error *err)
{
    static const double yields[] = {0.0, SG_GGL_EASING, SG_GGL_LAST_EASING};
    sg_status status = SG_NO_SOLUTION;
    for (size_t k = 0; k < sizeof yields / sizeof *yields && status == SG_NO_SOLUTION; k++) {
        if (k > 0) sg_error_clear(err);
        ggl->yield = yields[k];
        begin_step(ggl, span, k == 0 && ggl->method != SG_GGL_CONDENSED);
        if (ggl->method == SG_GGL_CONDENSED) return sg_ggl_condensed_step(ggl, err);
        status = try_step(ggl, span, err);
    }
    if (status == SG_OK) return SG_OK;
    ggl->lasting = false;
    memset(ggl->lam, 0, ggl->rows * sizeof(double));
    return status;
}

/* The problem stays placed at the end of the step. */
sg_status sg_ggl_step(struct sg_ggl *ggl, const struct sg_ggl_span *span, struct sg_error *err)
{
    aim(ggl, span);
    TRY(take(ggl, span, err));
    measure_rates(ggl, ggl->v, ggl->rate1, ggl->drift1);
    return SG_OK;
}

/* --- what a step did ------------------------------------------------------------------------------ */

double sg_ggl_smooth_rate(const struct sg_ggl *ggl, size_t row)
{
    if (ggl->method != SG_GGL_CONDENSED) return sg_ggl_dot(ggl, row, ggl->vt);
    double rate = sg_ggl_dot(ggl, row, ggl->v);
    for (size_t k = 0; k < ggl->rows; k++) rate -= ggl->schur->GY[k * ggl->rows + row] * ggl->Lam[k];
    return rate;
}

bool sg_ggl_corrects(struct sg_ggl *ggl)
{
    const double *by = ggl->spec.level == SG_GGL_BOTH ? ggl->nu : ggl->Lam;
    size_t count = 0;
    for (size_t j = 0; j < ggl->rows; j++) count += by[j] != 0.0;
    if (count == 0 || ggl->spec.level == SG_GGL_POSITION) return false;
    if (ggl->method != SG_GGL_CONDENSED) return true;
    memset(ggl->U, 0, ggl->n * sizeof(double));
    for (size_t j = 0; j < ggl->rows; j++)
        if (ggl->nu[j] != 0.0) sg_axpy(ggl->n, ggl->nu[j], ggl->schur->Y + j * ggl->n, ggl->U);
    return true;
}

static void exchange(double **a, double **b)
{
    double *kept = *a;
    *a = *b;
    *b = kept;
}

void sg_ggl_accept(struct sg_ggl *ggl)
{
    ggl->speed = fmax(ggl->speed, ggl->pace);
    bool pushes = ggl->method != SG_GGL_CONDENSED && ggl->spec.coupling == SG_GGL_MONOLITHIC &&
                  ggl->spec.variant == SG_GGL_STANDARD && ggl->pushed.count > ggl->problem->bilateral;
    ggl->lasting = pushes && ggl->pushing;
    ggl->pushing = pushes;
    exchange(&ggl->vd0, &ggl->vd);
    exchange(&ggl->rate0, &ggl->rate1);
    exchange(&ggl->drift0, &ggl->drift1);
}
