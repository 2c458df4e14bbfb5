/* The theta method of Moreau and Jean:
 *
 *     M (v1 - v0) = h F + W r,   u1 = u0 + h (theta v1 + (1 - theta) v0),
 *
 * F = theta F1 + (1 - theta) F0 ("average"; Di Stasio et al. 2019, eq. (33)) or F at the mean configuration,
 * velocity and time ("midpoint", eq. (38)). theta = 1/2 has order 2 and conserves the energy of linear
 * systems. In the velocity,
 *
 *     S (v1 - v0) = h (f - C v0 - K (u0 + theta h v0)) + W r,   S = M + theta h C + theta^2 h^2 K. */
#include <math.h>
#include <string.h>

#include "integrators/integrator.h"
#include "integrators/linearized.h"
#include "linalg/kernels.h"
#include "support/arena.h"

enum { AVERAGE, MIDPOINT };

struct spec {
    double theta;
    int forces;
};

static const struct sg_keyword rows[] = {
    {.name = "theta",
     .type = SG_REAL,
     .unit = "1",
     .meaning = "weight of the end of the step: 0.5 conserves (order 2), above it damps (order 1)",
     .fallback = "0.5",
     .range = SG_BETWEEN(0.5, 1),
     .offset = offsetof(struct spec, theta)},
    {.name = "forces",
     .type = SG_CHOICE,
     .choices = "average|midpoint",
     .fallback = "\"midpoint\"",
     .meaning =
         "forces of a step: the weighted average of those at its ends, or those of the weighted average "
         "of its end states",
     .offset = offsetof(struct spec, forces)},
    {0}};

struct theta {
    double theta;
    bool midpoint, nonlinear;
    double *u, *v, *rhs;     /* n: scratch */
    double *load;            /* n: of the step */
    double *internal_before; /* n: F_int at the start, rule "average" */
    struct sg_linearized lin;
};

static sg_status create(struct sg_integrator *self, const struct sg_setting *node,
                        const struct sg_phase *phase, struct sg_error *err)
{
    const struct sg_system *system = phase->system;
    struct spec spec;
    struct theta *th = NULL;
    sg_setting_fill(node, rows, &spec);
    TRY(SG_ARENA_NEW(self->arena, &th, 1, err));
    self->data = th;
    self->stability = HUGE_VAL;
    th->theta = spec.theta;
    th->midpoint = spec.forces == MIDPOINT;
    th->nonlinear = system->elements.count > 0;
    TRY(SG_ARENA_NEW(self->arena, &th->u, system->n, err));
    TRY(SG_ARENA_NEW(self->arena, &th->v, system->n, err));
    TRY(SG_ARENA_NEW(self->arena, &th->rhs, system->n, err));
    TRY(SG_ARENA_NEW(self->arena, &th->load, system->n, err));
    TRY(SG_ARENA_NEW(self->arena, &th->internal_before, system->n, err));
    return th->nonlinear ? sg_linearized_init(self->arena, &th->lin, system, err) : SG_OK;
}

/* Activity is forecast half a step ahead, whatever theta is (eq. (34)). */
static double activation_time(const struct sg_integrator *self, struct sg_span span)
{
    (void)self;
    return 0.5 * span.h;
}

static struct sg_collocation collocation(const struct sg_integrator *self, const struct sg_attempt *attempt)
{
    const struct theta *th = self->data;
    double h = attempt->span.h;
    return (struct sg_collocation){
        .compliance = th->theta * th->theta * h, .duration = h, .share = 1.0 - th->theta};
}

/* --- linear systems ------------------------------------------------------------------------------- */

static const double *load_of(struct theta *th, struct sg_phase *phase, struct sg_span span)
{
    if (phase->steady) return phase->load;
    if (th->midpoint && th->theta < 1.0) return sg_phase_load(phase, span.t + th->theta * span.h);
    if (th->midpoint) return sg_phase_load_before(phase, span.t + span.h);
    size_t n = phase->system->n;
    memcpy(th->load, sg_phase_load(phase, span.t), n * sizeof(double));
    const double *end = sg_phase_load_before(phase, span.t + span.h);
    for (size_t i = 0; i < n; i++) th->load[i] = th->theta * end[i] + (1.0 - th->theta) * th->load[i];
    return th->load;
}

static sg_status triple(const struct theta *th, struct sg_phase *phase, double h, size_t *slot,
                        struct sg_error *err)
{
    double th_h = th->theta * h;
    return sg_effective_prepare(phase->op, 1.0, th_h, th_h * th_h, slot, err);
}

struct crossing {
    size_t n;
    double h, theta_h;
    const double *load, *inverse, *k, *c;
    const struct sg_state *from, *to;
};

/* Takes the step in one pass where all matrices are diagonal. */
SG_HOT static void cross_diagonal(const struct crossing *x)
{
    const double *restrict load = x->load, *restrict inverse = x->inverse, *restrict k = x->k;
    const double *restrict u0 = x->from->u, *restrict v0 = x->from->v;
    double *restrict u1 = x->to->u, *restrict v1 = x->to->v, h = x->h, theta_h = x->theta_h;
#pragma omp simd
    for (size_t i = 0; i < x->n; i++) {
        double dv = h * inverse[i] * (load[i] - k[i] * (u0[i] + theta_h * v0[i]));
        v1[i] = v0[i] + dv;
        u1[i] = u0[i] + h * v0[i] + theta_h * dv;
    }
}

SG_HOT static void cross_diagonal_damped(const struct crossing *x)
{
    const double *restrict load = x->load, *restrict inverse = x->inverse;
    const double *restrict k = x->k, *restrict c = x->c;
    const double *restrict u0 = x->from->u, *restrict v0 = x->from->v;
    double *restrict u1 = x->to->u, *restrict v1 = x->to->v, h = x->h, theta_h = x->theta_h;
#pragma omp simd
    for (size_t i = 0; i < x->n; i++) {
        double force = load[i] - k[i] * (u0[i] + theta_h * v0[i]) - c[i] * v0[i];
        double dv = h * inverse[i] * force;
        v1[i] = v0[i] + dv;
        u1[i] = u0[i] + h * v0[i] + theta_h * dv;
    }
}

SG_HOT static void mid_position(const struct crossing *x, double *restrict mid)
{
    const double *restrict u0 = x->from->u, *restrict v0 = x->from->v;
    for (size_t i = 0; i < x->n; i++) mid[i] = u0[i] + x->theta_h * v0[i];
}

SG_HOT static void right_side(const struct crossing *x, double *restrict rhs)
{
    const double *restrict load = x->load;
    for (size_t i = 0; i < x->n; i++) rhs[i] = x->h * (load[i] - rhs[i]);
}

SG_HOT static void correct(const struct crossing *x, const double *restrict dv)
{
    const double *restrict u0 = x->from->u, *restrict v0 = x->from->v;
    double *restrict u1 = x->to->u, *restrict v1 = x->to->v;
#pragma omp simd
    for (size_t i = 0; i < x->n; i++) {
        v1[i] = v0[i] + dv[i];
        u1[i] = u0[i] + x->h * v0[i] + x->theta_h * dv[i];
    }
}

static sg_status free_linear(struct theta *th, struct sg_phase *phase, const struct sg_attempt *attempt,
                             struct sg_error *err)
{
    const struct sg_system *system = phase->system;
    size_t slot = 0;
    TRY(triple(th, phase, attempt->span.h, &slot, err));
    struct crossing x = {.n = system->n,
                         .h = attempt->span.h,
                         .theta_h = th->theta * attempt->span.h,
                         .load = load_of(th, phase, attempt->span),
                         .inverse = sg_effective_reciprocals(phase->op, slot).re,
                         .k = system->K.diag,
                         .c = system->C.diag,
                         .from = attempt->from,
                         .to = attempt->to};
    if (x.inverse != NULL) {
        if (system->damped && !system->C.zero)
            cross_diagonal_damped(&x);
        else
            cross_diagonal(&x);
        sg_effective_finish(phase->op, slot, NULL, th->rhs, NULL);
        return SG_OK;
    }
    mid_position(&x, th->u);
    sg_matrix_multiply(&system->K, th->u, th->rhs);
    if (system->damped) sg_matrix_multiply_add(&system->C, 1.0, attempt->from->v, th->rhs);
    right_side(&x, th->rhs);
    sg_effective_solve(phase->op, slot, th->rhs);
    correct(&x, th->rhs);
    return SG_OK;
}

/* --- nonlinear systems ---------------------------------------------------------------------------- */

static void move(const struct theta *th, size_t n, const struct sg_attempt *attempt)
{
    const double *u0 = attempt->from->u, *v0 = attempt->from->v, *v1 = attempt->to->v;
    double h = attempt->span.h, *u1 = attempt->to->u;
    for (size_t i = 0; i < n; i++) u1[i] = u0[i] + h * (th->theta * v1[i] + (1.0 - th->theta) * v0[i]);
}

static void predict(struct sg_integrator *self, struct sg_phase *phase, const struct sg_attempt *attempt)
{
    struct theta *th = self->data;
    const struct sg_system *system = phase->system;
    if (!th->nonlinear) return;
    memcpy(attempt->to->v, attempt->from->v, system->n * sizeof(double));
    move(th, system->n, attempt);
    if (th->midpoint) return;
    sg_system_internal(system, attempt->span.t, attempt->from->u, attempt->from->v, th->internal_before);
}

static bool iterates(const struct sg_integrator *self, const struct sg_phase *phase)
{
    const struct theta *th = self->data;
    (void)phase;
    return th->nonlinear;
}

/* The weighted mean of the states goes into th->u and th->v. */
static void mean_state(struct theta *th, size_t n, const struct sg_attempt *attempt)
{
    double w1 = th->theta, w0 = 1.0 - th->theta;
    for (size_t i = 0; i < n; i++) {
        th->u[i] = w1 * attempt->to->u[i] + w0 * attempt->from->u[i];
        th->v[i] = w1 * attempt->to->v[i] + w0 * attempt->from->v[i];
    }
}

/* The internal force of the step at the iterate goes into th->rhs, and the state of its tangent into `at`.
 * Newton solves for the velocity: d(u at theta)/dv1 = theta^2 h and d(v at theta)/dv1 = theta, so that h
 * times the tangent is S = M + theta h C_t + theta^2 h^2 K_t, the same triple as of linear systems. */
static void internal_force(struct theta *th, const struct sg_system *system, const struct sg_attempt *attempt,
                           struct sg_linearize_at *at)
{
    double h = attempt->span.h, theta_h = th->theta * h;
    *at = (struct sg_linearize_at){attempt->span.t + h, attempt->to->u, attempt->to->v, theta_h,
                                   theta_h * theta_h};
    if (th->midpoint) {
        mean_state(th, system->n, attempt);
        at->t = attempt->span.t + theta_h;
        at->u = th->u;
        at->v = th->v;
    }
    sg_system_internal(system, at->t, at->u, at->v, th->rhs);
    if (th->midpoint) return;
    for (size_t i = 0; i < system->n; i++)
        th->rhs[i] = th->theta * th->rhs[i] + (1.0 - th->theta) * th->internal_before[i];
}

static sg_status free_nonlinear(struct theta *th, struct sg_phase *phase, const struct sg_attempt *attempt,
                                struct sg_error *err)
{
    const struct sg_system *system = phase->system;
    size_t n = system->n;
    struct sg_linearize_at at;
    internal_force(th, system, attempt, &at);
    TRY(sg_linearized_factor(&th->lin, phase, &at, err));
    const double *load = load_of(th, phase, attempt->span);
    for (size_t i = 0; i < n; i++) {
        th->rhs[i] = attempt->span.h * (load[i] - th->rhs[i]);
        th->v[i] = attempt->from->v[i] - attempt->to->v[i];
    }
    sg_matrix_multiply_add(&system->M, 1.0, th->v, th->rhs);
    sg_linearized_solve(&th->lin, phase, th->rhs);
    for (size_t i = 0; i < n; i++) attempt->to->v[i] += th->rhs[i];
    move(th, n, attempt);
    return SG_OK;
}

static sg_status free_motion(struct sg_integrator *self, struct sg_phase *phase,
                             const struct sg_attempt *attempt, struct sg_error *err)
{
    struct theta *th = self->data;
    return th->nonlinear ? free_nonlinear(th, phase, attempt, err) : free_linear(th, phase, attempt, err);
}

/* --- response ------------------------------------------------------------------------------------- */

static sg_status apply_response(struct sg_integrator *self, struct sg_phase *phase, struct sg_kick kick,
                                double *x, struct sg_error *err)
{
    const struct theta *th = self->data;
    size_t slot = 0;
    if (th->nonlinear) {
        sg_linearized_solve(&th->lin, phase, x);
        return SG_OK;
    }
    TRY(triple(th, phase, kick.span.h, &slot, err));
    sg_effective_solve(phase->op, slot, x);
    return SG_OK;
}

static sg_status response_diagonal(struct sg_integrator *self, struct sg_phase *phase, struct sg_kick kick,
                                   const double **d, struct sg_error *err)
{
    const struct theta *th = self->data;
    size_t slot = 0;
    *d = NULL;
    if (th->nonlinear) return SG_OK;
    TRY(triple(th, phase, kick.span.h, &slot, err));
    *d = sg_effective_reciprocals(phase->op, slot).re;
    return SG_OK;
}

SG_HOT static void add_jump(const struct sg_velocity_jump *jump, double theta_h, const struct sg_state *to)
{
    const double *restrict dv = jump->dv;
    double *restrict u = to->u, *restrict v = to->v;
    for (size_t i = jump->first; i < jump->end; i++) {
        v[i] += dv[i];
        u[i] += theta_h * dv[i];
    }
}

static void apply_impulses(struct sg_integrator *self, struct sg_phase *phase,
                           const struct sg_attempt *attempt, const struct sg_velocity_jump *jump)
{
    const struct theta *th = self->data;
    (void)phase;
    add_jump(jump, th->theta * attempt->span.h, attempt->to);
}

static struct sg_work work(struct sg_integrator *self, struct sg_phase *phase,
                           const struct sg_attempt *attempt)
{
    const struct theta *th = self->data;
    struct sg_span span = attempt->span;
    struct sg_work_points points = {1.0 - th->theta, span.t, th->theta, span.t + span.h};
    if (th->midpoint && th->theta < 1.0)
        points = (struct sg_work_points){1.0, span.t + th->theta * span.h, 0.0, span.t + span.h};
    return sg_work_at(phase, attempt->from, span, attempt->to, points);
}

static const struct sg_response_ops response = {
    .stages = 1,
    .nonlinear = true,
    .activation_time = activation_time,
    .predict = predict,
    .free_motion = free_motion,
    .iterates = iterates,
    .apply_response = apply_response,
    .response_diagonal = response_diagonal,
    .apply_impulses = apply_impulses,
    .collocation = collocation,
    .work = work,
};

const struct sg_integrator_ops sg_integrator_theta = {
    .kind = {"theta", "theta method (Moreau and Jean), order 2 at theta = 0.5", rows},
    .response = &response,
    .create = create,
};
