/* Noh and Bathe 2013: explicit, two substeps, order 2, numerical damping of the high modes; stable to
 * omega h = 2/p (p = 0.54). Needs a diagonal mass, which modal coordinates always have. */
#include <math.h>

#include "integrators/integrator.h"
#include "linalg/kernels.h"
#include "support/arena.h"

static const double P = 0.54;

struct noh_bathe {
    double *u, *v, *a, *rhs; /* n: the intermediate state and scratch */
};

static sg_status create(struct sg_integrator *self, const struct sg_setting *node,
                        const struct sg_phase *phase, struct sg_error *err)
{
    (void)node;
    struct noh_bathe *nb = NULL;
    self->stability = 2.0 / P;
    TRY(SG_ARENA_NEW(self->arena, &nb, 1, err));
    self->data = nb;
    TRY(SG_ARENA_NEW(self->arena, &nb->u, phase->system->n, err));
    TRY(SG_ARENA_NEW(self->arena, &nb->v, phase->system->n, err));
    TRY(SG_ARENA_NEW(self->arena, &nb->a, phase->system->n, err));
    return SG_ARENA_NEW(self->arena, &nb->rhs, phase->system->n, err);
}

struct sum {
    const double *x0;
    double s1;
    const double *x1;
    double s2;
    const double *x2;
};

/* y = x0 + s1 x1 + s2 x2 */
SG_HOT static void combine(size_t n, struct sum sum, double *restrict y)
{
    const double *restrict x0 = sum.x0, *restrict x1 = sum.x1, *restrict x2 = sum.x2;
    double s1 = sum.s1, s2 = sum.s2;
    for (size_t i = 0; i < n; i++) y[i] = x0[i] + s1 * x1[i] + s2 * x2[i];
}

/* One stage of both substeps: from (u0, v0, a0) by `move`, with the damping force at v0 + drag a0. The
 * displacement moves by a Taylor step, so that the acceleration follows from the diagonal mass alone. The
 * first stage ends at t + p h, the second at t + h; the weights q0, q1, q2 of the three accelerations give
 * the velocity order 2. */
struct stage {
    double move, t, drag;
};

static sg_status stage(struct noh_bathe *nb, struct sg_phase *phase, const struct sg_state *from,
                       struct stage s, struct sg_state *to, struct sg_error *err)
{
    size_t n = phase->system->n;
    combine(n, (struct sum){from->u, s.move, from->v, 0.5 * s.move * s.move, from->a}, to->u);
    combine(n, (struct sum){from->v, s.drag, from->a, 0.0, from->a}, nb->rhs);
    return sg_phase_acceleration_before(phase, s.t, to->u, nb->rhs, to->a, err);
}

static sg_status step(struct sg_integrator *self, struct sg_phase *phase, const struct sg_state *from,
                      struct sg_span span, struct sg_state *to, struct sg_error *err)
{
    struct noh_bathe *nb = self->data;
    size_t n = phase->system->n;
    double h = span.h, q1 = (1.0 - 2.0 * P) / (2.0 * P * (1.0 - P)), q2 = 0.5 - P * q1, q0 = -q1 - q2 + 0.5;
    double a0 = P * h, a3 = (1.0 - P) * h;
    struct sg_state mid = {nb->u, nb->v, nb->a};
    TRY(stage(nb, phase, from, (struct stage){a0, span.t + a0, a0}, &mid, err));
    combine(n, (struct sum){from->v, 0.5 * a0, from->a, 0.5 * a0, mid.a}, mid.v);
    TRY(stage(nb, phase, &mid, (struct stage){a3, span.t + h, a3}, to, err));
    combine(n, (struct sum){mid.v, q0 * a3, from->a, (0.5 + q1) * a3, mid.a}, nb->rhs);
    combine(n, (struct sum){nb->rhs, q2 * a3, to->a, 0.0, to->a}, to->v);
    return SG_OK;
}

static const struct sg_keyword rows[] = {{0}};

const struct sg_integrator_ops sg_integrator_noh_bathe = {
    .kind = {"noh-bathe", "Noh and Bathe 2013, explicit, order 2, dissipative", rows},
    .stores_acceleration = true,
    .needs_diagonal = true,
    .create = create,
    .step = step,
    .work = sg_work_simpson,
};
