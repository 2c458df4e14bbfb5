/* Chaudhary and Bathe 1986: Newmark's method with alpha = delta = 1/2 (here beta and gamma), equilibrium at
 * the end of the step. The new acceleration alone moves the displacement, which makes a rigid mass leave a
 * rigid wall as fast as it came (eq. (4.17) of the study of contact in time integration,
 * docs/integrators.md); free vibrations keep their amplitude, and the order is 2. */
#include <math.h>

#include "integrators/alpha_scheme.h"

static sg_status create(struct sg_integrator *self, const struct sg_node *node, const struct sg_phase *phase,
                        struct sg_error *err)
{
    (void)node;
    self->stability = HUGE_VAL;
    struct sg_alpha_scheme scheme = {.beta = 0.5, .gamma = 0.5};
    return sg_alpha_scheme_create(self, phase, scheme, err);
}

static sg_status step(struct sg_integrator *self, struct sg_phase *phase, const struct sg_state *from,
                      struct sg_span span, struct sg_state *to, struct sg_error *err)
{
    struct sg_alpha_step alpha = {from, span.h, sg_phase_load_before(phase, span.t + span.h), to};
    return sg_alpha_scheme_step(self->data, phase, &alpha, err);
}

static const struct sg_keyword rows[] = {{0}};

const struct sg_integrator_ops sg_integrator_chaudhary_bathe = {
    .kind = {"chaudhary-bathe", "Chaudhary and Bathe 1986: Newmark's method with beta = gamma = 1/2", rows},
    .stores_acceleration = true,
    .response = &sg_alpha_scheme_response,
    .create = create,
    .destroy = sg_alpha_scheme_destroy,
    .step = step,
    .work = sg_work_average,
};
