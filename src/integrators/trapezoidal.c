/* Trapezoidal rule (average acceleration) on u' = v, M v' = f - C v - K u: order 2, conserves the energy
 * of every linear phase. State: displacement and velocity. */
#include <math.h>

#include "integrators/alpha_scheme.h"

static sg_status create(struct sg_integrator *self, const struct sg_setting *node,
                        const struct sg_phase *phase, struct sg_error *err)
{
    (void)node;
    self->stability = HUGE_VAL;
    struct sg_alpha_scheme scheme = {.am = 0.5, .af = 0.5, .beta = 0.25, .gamma = 0.5};
    return sg_alpha_scheme_create(self, phase, scheme, err);
}

static sg_status step(struct sg_integrator *self, struct sg_phase *phase, const struct sg_state *from,
                      struct sg_span span, struct sg_state *to, struct sg_error *err)
{
    struct sg_state start = {.u = from->u, .v = from->v}, end = {.u = to->u, .v = to->v};
    struct sg_alpha_step alpha = {&start, span.h, sg_phase_load_average(phase, span), &end};
    return sg_alpha_scheme_step(self->data, phase, &alpha, err);
}

static const struct sg_keyword rows[] = {{0}};

const struct sg_integrator_ops sg_integrator_trapezoidal = {
    .kind = {"trapezoidal", "trapezoidal rule (average acceleration), order 2, conserving", rows},
    .response = &sg_alpha_scheme_response,
    .create = create,
    .step = step,
    .work = sg_work_average,
};
