/* Wilson's theta method (Bathe and Wilson 1973): the acceleration is linear over theta h, with equilibrium at
 * its end, where the load is that of the step continued linearly. With s = theta h,
 *
 *     M a_s + C v_s + K u_s = (1 - theta) f0 + theta f1,
 *     v_s = v0 + s/2 (a0 + a_s),   u_s = u0 + s v0 + s^2/6 (2 a0 + a_s),   a1 = a0 + (a_s - a0)/theta,
 *
 * and u1, v1 by the same formulas with h and a1. The stored acceleration belongs to the scheme. */
#include <math.h>
#include <string.h>

#include "integrators/integrator.h"
#include "linalg/kernels.h"
#include "support/arena.h"

struct spec {
    double theta;
};

static const struct sg_keyword rows[] = {
    {.name = "theta",
     .type = SG_REAL,
     .unit = "1",
     .meaning = "where equilibrium is required, in steps from the start of the step; from 1.37 on steps of "
                "any length are stable",
     .fallback = "1.4",
     .range = SG_BETWEEN(1.37, 2),
     .offset = offsetof(struct spec, theta)},
    {0}};

struct wilson {
    double theta;
    double *u, *v, *load, *rhs; /* n: scratch; rhs is a_s in the end */
};

static sg_status create(struct sg_integrator *self, const struct sg_setting *node,
                        const struct sg_phase *phase, struct sg_error *err)
{
    struct spec spec;
    struct wilson *w = NULL;
    size_t n = phase->system->n;
    sg_setting_fill(node, rows, &spec);
    self->stability = HUGE_VAL;
    TRY(SG_ARENA_NEW(self->arena, &w, 1, err));
    self->data = w;
    w->theta = spec.theta;
    TRY(SG_ARENA_NEW(self->arena, &w->u, n, err));
    TRY(SG_ARENA_NEW(self->arena, &w->v, n, err));
    TRY(SG_ARENA_NEW(self->arena, &w->load, n, err));
    return SG_ARENA_NEW(self->arena, &w->rhs, n, err);
}

static const double *load_of(struct wilson *w, struct sg_phase *phase, struct sg_span span)
{
    if (phase->steady) return phase->load;
    size_t n = phase->system->n;
    memcpy(w->load, sg_phase_load(phase, span.t), n * sizeof(double));
    const double *end = sg_phase_load_before(phase, span.t + span.h);
    for (size_t i = 0; i < n; i++) w->load[i] = (1.0 - w->theta) * w->load[i] + w->theta * end[i];
    return w->load;
}

/* Predicts u and v over `s` with the new acceleration left out: of s^2/6 (2 a0 + a_s) the part s^2/3 a0. Used
 * twice, with s = theta h for the equilibrium, and with h for the state that is kept. */
SG_HOT static void predict(size_t n, double s, const struct sg_state *from, double *restrict u1,
                           double *restrict v1)
{
    const double *restrict u = from->u, *restrict v = from->v, *restrict a = from->a;
    for (size_t i = 0; i < n; i++) {
        u1[i] = u[i] + s * v[i] + s * s / 3.0 * a[i];
        v1[i] = v[i] + 0.5 * s * a[i];
    }
}

SG_HOT static void correct(const struct wilson *w, size_t n, double h, const struct sg_state *from,
                           struct sg_state *to)
{
    const double *restrict a = from->a, *restrict far = w->rhs;
    double *restrict u1 = to->u, *restrict v1 = to->v, *restrict a1 = to->a;
    for (size_t i = 0; i < n; i++) {
        a1[i] = a[i] + (far[i] - a[i]) / w->theta;
        u1[i] += h * h / 6.0 * a1[i];
        v1[i] += 0.5 * h * a1[i];
    }
}

static sg_status step(struct sg_integrator *self, struct sg_phase *phase, const struct sg_state *from,
                      struct sg_span span, struct sg_state *to, struct sg_error *err)
{
    struct wilson *w = self->data;
    size_t n = phase->system->n, slot = 0;
    double s = w->theta * span.h, *x = w->rhs;
    TRY(sg_effective_prepare(phase->op, 1.0, 0.5 * s, s * s / 6.0, &slot, err));
    const double *load = load_of(w, phase, span);
    predict(n, s, from, w->u, w->v);
    sg_effective_restoring(phase->op, w->u, x);
    if (phase->system->damped) sg_matrix_multiply_add(&phase->system->C, 1.0, w->v, x);
    for (size_t i = 0; i < n; i++) x[i] = load[i] - x[i];
    sg_effective_solve(phase->op, slot, x);
    predict(n, span.h, from, to->u, to->v);
    correct(w, n, span.h, from, to);
    return SG_OK;
}

const struct sg_integrator_ops sg_integrator_wilson_theta = {
    .kind = {"wilson-theta", "Wilson's theta method, order 2, damps the highest modes", rows},
    .stores_acceleration = true,
    .create = create,
    .step = step,
    .work = sg_work_average,
};
