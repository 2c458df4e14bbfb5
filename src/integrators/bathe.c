/* Bathe and Baig 2005, the composite scheme of trapezoidal rule and three-point backward Euler formula. With
 * m at t + h/2 and 1 at t + h:
 *
 *     u_m = u0 + (h/4)(v0 + v_m),        v_m = v0 + (h/4)(a0 + a_m),        equilibrium at t + h/2,
 *     v1 = (u0 - 4 u_m + 3 u1) / h,      a1 = (v0 - 4 v_m + 3 v1) / h,      equilibrium at t + h.
 *
 * Order 2, spectral radius 0 at infinite frequency. States store a; v1 = v0 + (h/3)(a0 + a_m + a1). */
#include <math.h>

#include "integrators/alpha_scheme.h"
#include "integrators/linear_response.h"
#include "support/arena.h"

struct bathe {
    struct sg_integrator first; /* Newmark's scheme of the first substep */
    double *vectors[3];         /* n: owns `middle` */
    struct sg_state middle;     /* of `step` */
    double *rhs;                /* n: scratch */
};

static sg_status create(struct sg_integrator *self, const struct sg_setting *node,
                        const struct sg_phase *phase, struct sg_error *err)
{
    (void)node;
    struct bathe *bathe = NULL;
    self->stability = HUGE_VAL;
    TRY(SG_ARENA_NEW(self->arena, &bathe, 1, err));
    self->data = bathe;
    struct sg_alpha_scheme trapezoidal = {.beta = 0.25, .gamma = 0.5};
    bathe->first.arena = self->arena;
    TRY(sg_alpha_scheme_create(&bathe->first, phase, trapezoidal, err));
    for (int k = 0; k < 3; k++) TRY(SG_ARENA_NEW(self->arena, &bathe->vectors[k], phase->system->n, err));
    bathe->middle = (struct sg_state){bathe->vectors[0], bathe->vectors[1], bathe->vectors[2]};
    return SG_ARENA_NEW(self->arena, &bathe->rhs, phase->system->n, err);
}

/* --- the two substeps ----------------------------------------------------------------------------- */

static sg_status first_substep(struct bathe *bathe, struct sg_phase *phase, const struct sg_state *from,
                               struct sg_span span, struct sg_state *middle, struct sg_error *err)
{
    double h = 0.5 * span.h;
    struct sg_alpha_step step = {from, h, sg_phase_load_before(phase, span.t + h), middle};
    return sg_alpha_scheme_step(bathe->first.data, phase, &step, err);
}

/* The three states of a step: its start, the point at t + h/2, its end. */
struct states {
    const struct sg_state *from, *middle;
    struct sg_state *to;
};

/* Predicts u1 and v1 for a1 = 0. The three-point formulas are written by differences of states, so that the
 * rounding of a far position does not enter them: 3 v1 = 4 v_m - v0 is v_m + (v_m - v0)/3. */
static void predict(size_t n, double h, const struct states *x)
{
    const double *restrict u0 = x->from->u, *restrict v0 = x->from->v;
    const double *restrict um = x->middle->u, *restrict vm = x->middle->v;
    double *restrict u1 = x->to->u, *restrict v1 = x->to->v;
    for (size_t i = 0; i < n; i++) {
        v1[i] = vm[i] + (vm[i] - v0[i]) / 3.0;
        u1[i] = um[i] + (um[i] - u0[i] + h * v1[i]) / 3.0;
    }
}

static void correct(size_t n, double h, const double *restrict a, struct sg_state *to)
{
    double *restrict u1 = to->u, *restrict v1 = to->v, *restrict a1 = to->a;
    double cv = h / 3.0, cu = cv * cv;
    for (size_t i = 0; i < n; i++) {
        u1[i] += cu * a[i];
        v1[i] += cv * a[i];
        a1[i] = a[i];
    }
}

static sg_status second_substep(struct bathe *bathe, struct sg_phase *phase, const struct states *x,
                                struct sg_span span, struct sg_error *err)
{
    const struct sg_system *system = phase->system;
    size_t n = system->n, slot = 0;
    double h = span.h, *restrict rhs = bathe->rhs;
    TRY(sg_effective_prepare(phase->op, 1.0, h / 3.0, h * h / 9.0, &slot, err));
    predict(n, h, x);
    sg_effective_restoring(phase->op, x->to->u, rhs);
    if (system->damped) sg_matrix_multiply_add(&system->C, 1.0, x->to->v, rhs);
    const double *restrict load = sg_phase_load_before(phase, span.t + h);
    for (size_t i = 0; i < n; i++) rhs[i] = load[i] - rhs[i];
    sg_effective_solve(phase->op, slot, rhs);
    correct(n, h, rhs, x->to);
    return SG_OK;
}

static sg_status step(struct sg_integrator *self, struct sg_phase *phase, const struct sg_state *from,
                      struct sg_span span, struct sg_state *to, struct sg_error *err)
{
    struct bathe *bathe = self->data;
    struct states x = {from, &bathe->middle, to};
    TRY(first_substep(bathe, phase, from, span, &bathe->middle, err));
    return second_substep(bathe, phase, &x, span, err);
}

/* --- response form -------------------------------------------------------------------------------- */

static double stage_end(const struct sg_integrator *self, struct sg_span span, size_t stage)
{
    (void)self;
    return stage == 0 ? 0.5 * span.h : span.h;
}

static sg_status free_motion(struct sg_integrator *self, struct sg_phase *phase,
                             const struct sg_attempt *attempt, struct sg_error *err)
{
    struct bathe *bathe = self->data;
    if (attempt->stage == 0)
        return first_substep(bathe, phase, attempt->from, attempt->span, attempt->to, err);
    struct states x = {attempt->from, attempt->middle, attempt->to};
    return second_substep(bathe, phase, &x, attempt->span, err);
}

/* An acceleration of 1 at a point gives this much velocity (s) and displacement (s^2) there: h/4 by the
 * trapezoidal rule over h/2, h/3 by the backward formula. `share` is 3 v / h. */
struct gains {
    double v, u, share;
};

static struct gains gains(double h, size_t stage)
{
    double s = stage == 0 ? 0.25 * h : h / 3.0;
    return (struct gains){s, s * s, stage == 0 ? 0.75 : 1.0};
}

/* Each point has a matrix of its own, S = M + gain_v C + gain_v^2 K: two triples, factored once. With
 * r = (h/3) f at both points, dv = gain_v S^-1 f = share S^-1 r at the point itself. The sum over
 * the step v1 = v0 + (h/3)(a0 + a_m + a1) makes h/3 the duration of each force, and a0 carries the end's
 * force of one step into the next. */
static sg_status apply_response(struct sg_integrator *self, struct sg_phase *phase, struct sg_kick kick,
                                double *x, struct sg_error *err)
{
    (void)self;
    size_t slot = 0;
    struct gains gain = gains(kick.span.h, kick.stage);
    TRY(sg_effective_prepare(phase->op, 1.0, gain.v, gain.u, &slot, err));
    sg_effective_solve(phase->op, slot, x);
    for (size_t i = 0; i < phase->system->n; i++) x[i] *= gain.share;
    return SG_OK;
}

static void apply_impulses(struct sg_integrator *self, struct sg_phase *phase,
                           const struct sg_attempt *attempt, const struct sg_velocity_jump *jump)
{
    (void)self, (void)phase;
    struct gains gain = gains(attempt->span.h, attempt->stage);
    sg_linear_response_apply_impulses(attempt, jump, gain.u / gain.v, 1.0 / gain.v);
}

static struct sg_collocation collocation(const struct sg_integrator *self, const struct sg_attempt *attempt)
{
    (void)self;
    double h = attempt->span.h;
    struct gains gain = gains(h, attempt->stage);
    return (struct sg_collocation){.compliance = gain.u / gain.v,
                                   .duration = h / 3.0,
                                   .carry_over = h / 3.0,
                                   .reach = attempt->stage == 0 ? 7.0 / 12.0 * h : h / 3.0};
}

/* By (v0 - 4 v_m + 3 v1)/h = a1 and (u0 - 4 u_m + 3 u1)/h = v1, changes dv_m and du_m of the point before
 * give
 *
 *     S dv1 = (4/3) M dv_m - (4 h/9) K du_m,     du1 = (h dv1 + 4 du_m)/3,     S = M + (h/3) C + (h^2/9) K.
 */
static void trace_back(struct sg_integrator *self, struct sg_phase *phase, struct sg_span span, double *x,
                       double *s)
{
    struct bathe *bathe = self->data;
    size_t n = phase->system->n;
    sg_effective_restoring(phase->op, x, bathe->rhs);
    for (size_t i = 0; i < n; i++) s[i] = 4.0 / 3.0 * (s[i] - span.h / 3.0 * bathe->rhs[i]);
    sg_matrix_multiply(&phase->system->M, x, bathe->rhs);
    for (size_t i = 0; i < n; i++) x[i] = 4.0 / 3.0 * bathe->rhs[i];
}

/* The work is the mean force of each substep times its path: (4.26), (4.37) of Noh 2011
 * (docs/implicit.md) with loads as forces */
static struct sg_work work(struct sg_integrator *self, struct sg_phase *phase,
                           const struct sg_attempt *attempt)
{
    double h = 0.5 * attempt->span.h, t = attempt->span.t;
    struct sg_span first = {t, h}, second = {t + h, h};
    struct sg_work a = sg_work_average(self, phase, attempt->from, first, attempt->middle);
    struct sg_work b = sg_work_average(self, phase, attempt->middle, second, attempt->to);
    return (struct sg_work){a.external + b.external, a.dissipated + b.dissipated};
}

static const struct sg_response_ops response = {
    .stages = 2,
    .stores_acceleration = true,
    .position = true,
    .begin = sg_linear_response_begin,
    .activation_time = sg_linear_response_activation_time,
    .predict = sg_linear_response_predict,
    .free_motion = free_motion,
    .iterates = sg_linear_response_iterates,
    .stage_end = stage_end,
    .apply_response = apply_response,
    .response_diagonal = sg_linear_response_no_diagonal,
    .apply_impulses = apply_impulses,
    .collocation = collocation,
    .trace_back = trace_back,
    .work = work,
};

static const struct sg_keyword rows[] = {{0}};

const struct sg_integrator_ops sg_integrator_bathe = {
    .kind = {"bathe", "Bathe's composite scheme: trapezoidal, then backward Euler; order 2, dissipative",
             rows},
    .stores_acceleration = true,
    .response = &response,
    .create = create,
    .step = step,
    .work = sg_work_simpson,
};
