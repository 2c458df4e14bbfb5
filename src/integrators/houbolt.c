/* Houbolt 1950: a cubic through the displacements of the end of the step and of the three before it satisfies
 * the equation of motion at the end.
 *
 * One state holds the cubic by its derivatives: u, v, the acceleration by equilibrium, and the third
 * derivative, which stands where other schemes store the acceleration. With the old cubic continued to (u_p,
 * v_p, a_p),
 *
 *     u1 = u_p + e,   v1 = v_p + 11/6 e/h,   a1 = a_p + 2 e/h^2,   u1''' = u''' + e/h^3:
 *
 * the old cubic and the new share their values at t, t - h and t - 2h. For steps of one length these are the
 * displacements before, and the scheme is Houbolt's to rounding. */
#include <math.h>

#include "integrators/integrator.h"
#include "linalg/kernels.h"
#include "support/arena.h"

struct houbolt {
    double *a, *u, *v, *rhs; /* n: scratch; a is a0, then a_p; rhs is a1 in the end */
};

static sg_status create(struct sg_integrator *self, const struct sg_setting *node,
                        const struct sg_phase *phase, struct sg_error *err)
{
    (void)node;
    struct houbolt *hb = NULL;
    size_t n = phase->system->n;
    self->stability = HUGE_VAL;
    TRY(SG_ARENA_NEW(self->arena, &hb, 1, err));
    self->data = hb;
    TRY(SG_ARENA_NEW(self->arena, &hb->a, n, err));
    TRY(SG_ARENA_NEW(self->arena, &hb->u, n, err));
    TRY(SG_ARENA_NEW(self->arena, &hb->v, n, err));
    return SG_ARENA_NEW(self->arena, &hb->rhs, n, err);
}

/* Starts the cubic by the derivative of the equation of motion, M u''' = -C a - K v, with loads that rest. */
static sg_status begin(struct sg_integrator *self, struct sg_phase *phase, double t, struct sg_state *state,
                       struct sg_error *err)
{
    struct houbolt *hb = self->data;
    const struct sg_system *system = phase->system;
    size_t slot = 0;
    TRY(sg_phase_acceleration(phase, t, state->u, state->v, hb->a, err));
    TRY(sg_effective_prepare(phase->op, 1.0, 0.0, 0.0, &slot, err));
    sg_matrix_multiply(&system->K, state->v, state->a);
    if (system->damped) sg_matrix_multiply_add(&system->C, 1.0, hb->a, state->a);
    for (size_t i = 0; i < system->n; i++) state->a[i] = -state->a[i];
    sg_effective_solve(phase->op, slot, state->a);
    return SG_OK;
}

/* Continues the old cubic to the end of the step: u_p and v_p go into `to`, a_p into hb->a. The new cubic
 * differs by e (x)(x + h)(x + 2h) / (6 h^3), x from t: its second derivative there is 2 e / h^2 = a1 - a_p,
 * so that the equation of motion is one for a1, with M + 11/12 h C + h^2/2 K; hb->u and hb->v have what is
 * left of u1 and v1 for a1 = 0. */
SG_HOT static void extrapolate(struct houbolt *hb, size_t n, double h, const struct sg_state *from,
                               struct sg_state *to)
{
    const double *restrict u = from->u, *restrict v = from->v, *restrict jerk = from->a;
    double *restrict a = hb->a, *restrict u1 = to->u, *restrict v1 = to->v;
    double *restrict base_u = hb->u, *restrict base_v = hb->v;
    for (size_t i = 0; i < n; i++) {
        u1[i] = u[i] + h * (v[i] + h * (a[i] / 2.0 + h * jerk[i] / 6.0));
        v1[i] = v[i] + h * (a[i] + h * jerk[i] / 2.0);
        a[i] += h * jerk[i];
        base_u[i] = u1[i] - h * h / 2.0 * a[i];
        base_v[i] = v1[i] - 11.0 / 12.0 * h * a[i];
    }
}

SG_HOT static void correct(const struct houbolt *hb, size_t n, double h, const struct sg_state *from,
                           struct sg_state *to)
{
    const double *restrict jerk = from->a, *restrict a = hb->a, *restrict a1 = hb->rhs;
    double *restrict u1 = to->u, *restrict v1 = to->v, *restrict jerk1 = to->a;
    for (size_t i = 0; i < n; i++) {
        double change = a1[i] - a[i];
        u1[i] += h * h / 2.0 * change;
        v1[i] += 11.0 / 12.0 * h * change;
        jerk1[i] = jerk[i] + change / (2.0 * h);
    }
}

static sg_status step(struct sg_integrator *self, struct sg_phase *phase, const struct sg_state *from,
                      struct sg_span span, struct sg_state *to, struct sg_error *err)
{
    struct houbolt *hb = self->data;
    size_t n = phase->system->n, slot = 0;
    double h = span.h, *x = hb->rhs;
    TRY(sg_phase_acceleration_before(phase, span.t, from->u, from->v, hb->a, err));
    TRY(sg_effective_prepare(phase->op, 1.0, 11.0 / 12.0 * h, 0.5 * h * h, &slot, err));
    extrapolate(hb, n, h, from, to);
    const double *load = sg_phase_load_before(phase, span.t + h);
    sg_effective_restoring(phase->op, hb->u, x);
    if (phase->system->damped) sg_matrix_multiply_add(&phase->system->C, 1.0, hb->v, x);
    for (size_t i = 0; i < n; i++) x[i] = load[i] - x[i];
    sg_effective_solve(phase->op, slot, x);
    correct(hb, n, h, from, to);
    return SG_OK;
}

static const struct sg_keyword rows[] = {{0}};

const struct sg_integrator_ops sg_integrator_houbolt = {
    .kind =
        {"houbolt",
         "Houbolt 1950, a cubic through four displacements, order 2; for the analysis of integrators only",
         rows},
    .stores_acceleration = true,
    .create = create,
    .begin = begin,
    .step = step,
    .work = sg_work_average,
};
