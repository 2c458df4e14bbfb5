#include "integrators/alpha_scheme.h"

#include <math.h>

#include "integrators/linear_response.h"
#include "linalg/kernels.h"
#include "support/arena.h"

sg_status sg_alpha_scheme_create(struct sg_integrator *self, const struct sg_phase *phase,
                                 struct sg_alpha_scheme parameters, struct sg_error *err)
{
    struct sg_alpha_scheme *scheme = NULL;
    TRY(SG_ARENA_NEW(self->arena, &scheme, 1, err));
    *scheme = parameters;
    self->data = scheme;
    TRY(SG_ARENA_NEW(self->arena, &scheme->u_mid, phase->system->n, err));
    TRY(SG_ARENA_NEW(self->arena, &scheme->v_mid, phase->system->n, err));
    TRY(SG_ARENA_NEW(self->arena, &scheme->zero, phase->system->n, err));
    TRY(SG_ARENA_NEW(self->arena, &scheme->unused, phase->system->n, err));
    TRY(SG_ARENA_NEW(self->arena, &scheme->rhs, phase->system->n, err));
    return SG_ARENA_NEW(self->arena, &scheme->lead, sg_effective_rows_view(phase->op)->w->q, err);
}

/* What multiplies v0, a0 and a~ in u1 and v1 once a1 = (a~ - am a0) / (1 - am) is put in. For the
 * conservative parameters a0 drops out exactly. */
struct coefficients {
    double h, au, av, cu, cv, weight;
};

static struct coefficients coefficients(const struct sg_alpha_scheme *s, double h)
{
    double share = s->am / (1.0 - s->am);
    return (struct coefficients){.h = h,
                                 .au = h * h * (0.5 - s->beta - s->beta * share),
                                 .av = h * (1.0 - s->gamma - s->gamma * share),
                                 .cu = h * h * s->beta / (1.0 - s->am),
                                 .cv = h * s->gamma / (1.0 - s->am),
                                 .weight = 1.0 - s->af};
}

SG_HOT static void predict(size_t n, struct coefficients c, const struct sg_state *from, struct sg_state *to)
{
    const double *restrict u = from->u, *restrict v = from->v, *restrict a = from->a;
    double *restrict u1 = to->u, *restrict v1 = to->v;
    if (a == NULL) {
        for (size_t i = 0; i < n; i++) {
            u1[i] = u[i] + c.h * v[i];
            v1[i] = v[i];
        }
        return;
    }
    for (size_t i = 0; i < n; i++) {
        u1[i] = u[i] + c.h * v[i] + c.au * a[i];
        v1[i] = v[i] + c.av * a[i];
    }
}

SG_HOT static void average(size_t n, double weight, const double *restrict x0, const double *restrict x1,
                           double *restrict mid)
{
    for (size_t i = 0; i < n; i++) mid[i] = weight * x1[i] + (1.0 - weight) * x0[i];
}

/* matrices of any class: a~ into scheme->rhs, u1 and v1 without it into `to` */
static void solve_any(struct sg_alpha_scheme *scheme, const struct sg_phase *phase,
                      const struct sg_alpha_step *step, struct coefficients c, size_t slot)
{
    size_t n = phase->system->n;
    double *restrict x = scheme->rhs;
    const double *restrict load = step->load;
    predict(n, c, step->from, step->to);
    average(n, c.weight, step->from->u, step->to->u, scheme->u_mid);
    sg_effective_restoring(phase->op, scheme->u_mid, x);
    if (phase->system->damped) {
        average(n, c.weight, step->from->v, step->to->v, scheme->v_mid);
        sg_matrix_multiply_add(&phase->system->C, 1.0, scheme->v_mid, x);
    }
    for (size_t i = 0; i < n; i++) x[i] = load[i] - x[i];
    sg_effective_solve(phase->op, slot, x);
}

/* --- diagonal matrices -------------------------------------------------------------------------------- */

/* The same without contacts in one pass; the displacement at t + (1 - af) h into scheme->u_mid. */
SG_HOT static void solve_diagonal(struct sg_alpha_scheme *scheme, const struct sg_system *system,
                                  const struct sg_alpha_step *step, struct coefficients c,
                                  const double *restrict inverse)
{
    const double *restrict u = step->from->u, *restrict v = step->from->v, *restrict load = step->load;
    const double *restrict a = step->from->a != NULL ? step->from->a : scheme->zero;
    const double *restrict k = system->K.diag, *restrict d = system->damped ? system->C.diag : scheme->zero;
    double *restrict u1 = step->to->u, *restrict v1 = step->to->v;
    double *restrict x = scheme->rhs, *restrict u_mid = scheme->u_mid;
    double weight = c.weight, rest = 1.0 - c.weight;
    size_t n = system->n;
#pragma omp simd
    for (size_t i = 0; i < n; i++) {
        double up = u[i] + c.h * v[i] + c.au * a[i], vp = v[i] + c.av * a[i];
        double um = weight * up + rest * u[i], vm = weight * vp + rest * v[i];
        u1[i] = up;
        v1[i] = vp;
        u_mid[i] = um;
        x[i] = (load[i] - k[i] * um - d[i] * vm) * inverse[i];
    }
}

/* the springs of A pull with -kappa gap along their rows */
static void add_contacts(struct sg_alpha_scheme *scheme, const struct sg_phase *phase, size_t slot)
{
    const struct sg_effective_rows *rows = sg_effective_rows_view(phase->op);
    for (size_t i = 0; i < sg_effective_active_count(phase->op); i++) {
        size_t j = sg_effective_active_row(phase->op, i);
        bool spring = isfinite(rows->kappa[j]);
        double gap = spring ? sg_columns_dot(rows->w, j, scheme->u_mid) + rows->offset[j] : 0.0;
        scheme->lead[i] = spring ? -rows->kappa[j] * gap : 0.0;
    }
    sg_effective_finish(phase->op, slot, scheme->lead, scheme->rhs, NULL);
}

/* u1, v1 and a1 = (a~ - am a0) / (1 - am) */
SG_HOT static void correct(const struct sg_alpha_scheme *scheme, size_t n, struct coefficients c,
                           const struct sg_alpha_step *step)
{
    const double *restrict x = scheme->rhs;
    const double *restrict a = step->from->a != NULL ? step->from->a : scheme->zero;
    double *restrict u = step->to->u, *restrict v = step->to->v;
    double *restrict a1 = step->to->a != NULL ? step->to->a : scheme->unused;
    double am = scheme->am, inverse = 1.0 / (1.0 - am);
#pragma omp simd
    for (size_t i = 0; i < n; i++) {
        u[i] += c.cu * x[i];
        v[i] += c.cv * x[i];
        a1[i] = inverse * (x[i] - am * a[i]);
    }
}

/* --- the step ------------------------------------------------------------------------------------------ */

sg_status sg_alpha_scheme_step(struct sg_alpha_scheme *scheme, struct sg_phase *phase,
                               const struct sg_alpha_step *step, struct sg_error *err)
{
    size_t slot = 0;
    struct coefficients c = coefficients(scheme, step->h);
    TRY(sg_effective_prepare(phase->op, 1.0, c.weight * c.cv, c.weight * c.cu, &slot, err));
    const double *inverse = sg_effective_reciprocals(phase->op, slot).re;
    if (inverse != NULL) {
        solve_diagonal(scheme, phase->system, step, c, inverse);
        add_contacts(scheme, phase, slot);
    } else {
        solve_any(scheme, phase, step, c, slot);
    }
    correct(scheme, phase->system->n, c, step);
    return SG_OK;
}

sg_status sg_alpha_scheme_step_to_end(struct sg_integrator *self, struct sg_phase *phase,
                                      const struct sg_state *from, struct sg_span span, struct sg_state *to,
                                      struct sg_error *err)
{
    struct sg_alpha_step alpha = {from, span.h, sg_phase_load_before(phase, span.t + span.h), to};
    return sg_alpha_scheme_step(self->data, phase, &alpha, err);
}

/* --- response form ------------------------------------------------------------------------------------- */

static sg_status free_step(struct sg_integrator *self, struct sg_phase *phase,
                           const struct sg_attempt *attempt, struct sg_error *err)
{
    struct sg_alpha_scheme *scheme = self->data, newmark = *scheme;
    newmark.am = newmark.af = 0.0;
    struct sg_span span = attempt->span;
    struct sg_alpha_step alpha = {attempt->from, span.h, sg_phase_load_before(phase, span.t + span.h),
                                  attempt->to};
    return sg_alpha_scheme_step(&newmark, phase, &alpha, err);
}

/* D = S^-1: the force r / (gamma h) makes the acceleration S^-1 r / (gamma h), of which gamma h is dv */
static sg_status respond(struct sg_integrator *self, struct sg_phase *phase, struct sg_kick kick, double *x,
                         struct sg_error *err)
{
    const struct sg_alpha_scheme *scheme = self->data;
    size_t slot = 0;
    double h = kick.span.h;
    TRY(sg_effective_prepare(phase->op, 1.0, h * scheme->gamma, h * h * scheme->beta, &slot, err));
    sg_effective_solve(phase->op, slot, x);
    return SG_OK;
}

static void settle(struct sg_integrator *self, struct sg_phase *phase, const struct sg_attempt *attempt,
                   const struct sg_jump *jump)
{
    const struct sg_alpha_scheme *scheme = self->data;
    double h = attempt->span.h, move = scheme->beta * h / scheme->gamma;
    (void)phase;
    sg_linear_response_settle(attempt, jump, move, 1.0 / (scheme->gamma * h));
}

static struct sg_reach reach(const struct sg_integrator *self, const struct sg_attempt *attempt)
{
    const struct sg_alpha_scheme *scheme = self->data;
    double h = attempt->span.h, gamma = scheme->gamma;
    return (struct sg_reach){
        .compliance = scheme->beta * h / gamma, .duration = gamma * h, .kept = (1.0 - gamma) * h};
}

static struct sg_work work(struct sg_integrator *self, struct sg_phase *phase,
                           const struct sg_attempt *attempt)
{
    return sg_work_average(self, phase, attempt->from, attempt->span, attempt->to);
}

const struct sg_response_ops sg_alpha_scheme_response = {
    .stages = 1,
    .stores_acceleration = true,
    .restarts = true,
    .position = true,
    .begin = sg_linear_response_begin,
    .place = sg_linear_response_place,
    .predict = sg_linear_response_predict,
    .free = free_step,
    .iterates = sg_linear_response_iterates,
    .respond = respond,
    .diagonal = sg_linear_response_diagonal,
    .settle = settle,
    .reach = reach,
    .work = work,
};

/* --- the integrator's own step in response form -------------------------------------------------------- */

static sg_status own_free(struct sg_integrator *self, struct sg_phase *phase,
                          const struct sg_attempt *attempt, struct sg_error *err)
{
    return self->ops->step(self, phase, attempt->from, attempt->span, attempt->to, err);
}

/* r = h f makes a~ = S^-1 r / h, of which gamma h / (1 - am) moves v */
static sg_status own_respond(struct sg_integrator *self, struct sg_phase *phase, struct sg_kick kick,
                             double *x, struct sg_error *err)
{
    const struct sg_alpha_scheme *scheme = self->data;
    struct coefficients c = coefficients(scheme, kick.span.h);
    size_t slot = 0;
    TRY(sg_effective_prepare(phase->op, 1.0, c.weight * c.cv, c.weight * c.cu, &slot, err));
    sg_effective_solve(phase->op, slot, x);
    for (size_t i = 0; i < phase->system->n; i++) x[i] *= c.cv / c.h;
    return SG_OK;
}

static struct sg_reach own_reach(const struct sg_integrator *self, const struct sg_attempt *attempt)
{
    const struct sg_alpha_scheme *scheme = self->data;
    double h = attempt->span.h;
    return (struct sg_reach){.compliance = (1.0 - scheme->af) * scheme->beta * h / scheme->gamma,
                             .duration = h,
                             .share = scheme->af};
}

static struct sg_work own_work(struct sg_integrator *self, struct sg_phase *phase,
                               const struct sg_attempt *attempt)
{
    return self->ops->work(self, phase, attempt->from, attempt->span, attempt->to);
}

const struct sg_response_ops sg_alpha_scheme_own_response = {
    .stages = 1,
    .stores_acceleration = true,
    .begin = sg_linear_response_begin,
    .place = sg_linear_response_place,
    .predict = sg_linear_response_predict,
    .free = own_free,
    .iterates = sg_linear_response_iterates,
    .respond = own_respond,
    .diagonal = sg_linear_response_diagonal,
    .settle = settle,
    .reach = own_reach,
    .work = own_work,
};
