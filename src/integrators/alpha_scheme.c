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

/* The unknown is a~ = (1 - am) a1 + am a0, at which the equation of motion holds with mass M itself. With
 * a1 = (a~ - am a0) / (1 - am) put into Newmark's formulas,
 *
 *     u1 = u0 + h v0 + au a0 + cu a~,     v1 = v0 + av a0 + cv a~,
 *     (M + (1 - af) cv C + (1 - af) cu K) a~ = f_af - C v_p - K u_p,
 *
 * u_p and v_p the weighted states without a~. The matrix is a triple (1, b, c) of the effective operator, so
 * that every scheme of the family shares its factors. For am = af = 1/2, beta = 1/4, gamma = 1/2 both au and
 * av vanish exactly: the trapezoidal rule, which needs no a0. */
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

/* Solves for a~ with matrices of any class: a~ goes into scheme->rhs, u1 and v1 without it into `to`. */
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

/* --- diagonal matrices ---------------------------------------------------------------------------- */

/* Does the same without contacts in one pass; scheme->u_mid becomes the displacement at t + (1 - af) h. */
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

/* Adds the active springs to a~, which solve_diagonal found without them: their force -kappa (g0 + w . u_mid)
 * at the predicted displacement goes into the right-hand side, and Woodbury adds cu kappa w w^T to the
 * matrix. */
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

/* Completes u1 and v1 by a~, and sets a1 = (a~ - am a0) / (1 - am). */
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

/* --- the step ------------------------------------------------------------------------------------- */

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

/* --- response form -------------------------------------------------------------------------------- */

static sg_status free_motion(struct sg_integrator *self, struct sg_phase *phase,
                             const struct sg_attempt *attempt, struct sg_error *err)
{
    struct sg_alpha_scheme *scheme = self->data, newmark = *scheme;
    newmark.am = newmark.af = 0.0;
    struct sg_span span = attempt->span;
    struct sg_alpha_step alpha = {attempt->from, span.h, sg_phase_load_before(phase, span.t + span.h),
                                  attempt->to};
    return sg_alpha_scheme_step(&newmark, phase, &alpha, err);
}

/* Newmark's equilibrium at the end of the step (am = af = 0), with S = M + gamma h C + beta h^2 K. A contact
 * force f there changes a1 by S^-1 f, v1 by gamma h and u1 by beta h^2 of it; and the force acts on in the
 * next step, whose velocity takes (1 - gamma) h of a1. So r = gamma h f is what the step itself gives,
 * D = S^-1, compliance = du/dv = beta h / gamma, and carry_over = (1 - gamma) h. */
static sg_status apply_response(struct sg_integrator *self, struct sg_phase *phase, struct sg_kick kick,
                                double *x, struct sg_error *err)
{
    const struct sg_alpha_scheme *scheme = self->data;
    size_t slot = 0;
    double h = kick.span.h;
    TRY(sg_effective_prepare(phase->op, 1.0, h * scheme->gamma, h * h * scheme->beta, &slot, err));
    sg_effective_solve(phase->op, slot, x);
    return SG_OK;
}

static void apply_impulses(struct sg_integrator *self, struct sg_phase *phase,
                           const struct sg_attempt *attempt, const struct sg_velocity_jump *jump)
{
    const struct sg_alpha_scheme *scheme = self->data;
    double h = attempt->span.h, move = scheme->beta * h / scheme->gamma;
    (void)phase;
    sg_linear_response_apply_impulses(attempt, jump, move, 1.0 / (scheme->gamma * h));
}

static struct sg_collocation collocation(const struct sg_integrator *self, const struct sg_attempt *attempt)
{
    const struct sg_alpha_scheme *scheme = self->data;
    double h = attempt->span.h, gamma = scheme->gamma;
    return (struct sg_collocation){.compliance = scheme->beta * h / gamma,
                                   .duration = gamma * h,
                                   .carry_over = (1.0 - gamma) * h,
                                   .reach = scheme->beta * h / gamma};
}

static struct sg_work work(struct sg_integrator *self, struct sg_phase *phase,
                           const struct sg_attempt *attempt)
{
    return sg_work_average(self, phase, attempt->from, attempt->span, attempt->to);
}

const struct sg_response_ops sg_alpha_scheme_response = {
    .stages = 1,
    .stores_acceleration = true,
    .position = true,
    .begin = sg_linear_response_begin,
    .activation_time = sg_linear_response_activation_time,
    .predict = sg_linear_response_predict,
    .free_motion = free_motion,
    .iterates = sg_linear_response_iterates,
    .apply_response = apply_response,
    .response_diagonal = sg_linear_response_no_diagonal,
    .apply_impulses = apply_impulses,
    .collocation = collocation,
    .work = work,
};

/* --- the integrator's own step in response form --------------------------------------------------- */

static sg_status own_free_motion(struct sg_integrator *self, struct sg_phase *phase,
                                 const struct sg_attempt *attempt, struct sg_error *err)
{
    return self->ops->step(self, phase, attempt->from, attempt->span, attempt->to, err);
}

/* The force stands where the scheme's other forces do, at u_af: it changes a~ by S^-1 f, so with r = h f the
 * velocity changes by D r, D = (cv / h) S^-1, and u_af by (1 - af) beta h / gamma of that. The stored
 * acceleration has the part p of it, (1 - am) p + am p_0 = f, and the step gives to the momentum
 * h ((1 - gamma) p_0 + gamma p) = r + (1 - gamma - am) h (p_0 - p). */
static sg_status own_apply_response(struct sg_integrator *self, struct sg_phase *phase, struct sg_kick kick,
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

static struct sg_collocation own_collocation(const struct sg_integrator *self,
                                             const struct sg_attempt *attempt)
{
    const struct sg_alpha_scheme *scheme = self->data;
    double h = attempt->span.h, late = (1.0 - scheme->gamma - scheme->am) * h;
    return (struct sg_collocation){.compliance = (1.0 - scheme->af) * scheme->beta * h / scheme->gamma,
                                   .duration = h,
                                   .carry_over = late,
                                   .hold_back = late,
                                   .recursion = scheme->am,
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
    .activation_time = sg_linear_response_activation_time,
    .predict = sg_linear_response_predict,
    .free_motion = own_free_motion,
    .iterates = sg_linear_response_iterates,
    .apply_response = own_apply_response,
    .response_diagonal = sg_linear_response_no_diagonal,
    .apply_impulses = apply_impulses,
    .collocation = own_collocation,
    .work = own_work,
};
