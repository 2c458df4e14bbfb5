/* Chaudhary and Bathe 1986: Newmark's method with alpha = delta = 1/2 (here beta and gamma), equilibrium at
 * the end of the step. The new acceleration alone moves the displacement, which makes a rigid mass leave a
 * rigid wall as fast as it came (Noh 2011, eq. (4.17): docs/implicit.md); free vibrations keep their
 * amplitude, and the order is 2. */
#include <math.h>

#include "integrators/alpha_scheme.h"

static sg_status create(struct sg_integrator *self, const struct sg_setting *node,
                        const struct sg_phase *phase, struct sg_error *err)
{
    (void)node;
    self->stability = HUGE_VAL;
    struct sg_alpha_scheme scheme = {.beta = 0.5, .gamma = 0.5};
    return sg_alpha_scheme_create(self, phase, scheme, err);
}

static const struct sg_keyword rows[] = {{0}};

const struct sg_integrator_ops sg_integrator_chaudhary_bathe = {
    .kind = {"chaudhary-bathe", "Chaudhary and Bathe 1986: Newmark's method with beta = gamma = 1/2", rows},
    .stores_acceleration = true,
    .response = &sg_alpha_scheme_response,
    .create = create,
    .step = sg_alpha_scheme_step_to_end,
    .work = sg_work_average,
};
