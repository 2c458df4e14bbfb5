/* Newmark 1959, with equilibrium at the end of the step. */
#include <math.h>

#include "integrators/alpha_scheme.h"

struct spec {
    double beta, gamma;
};

static const struct sg_keyword rows[] = {
    {.name = "beta",
     .type = SG_REAL,
     .unit = "1",
     .meaning = "weight of the new acceleration in the displacement",
     .fallback = "0.25",
     .range = SG_BETWEEN(0, 1),
     .offset = offsetof(struct spec, beta)},
    {.name = "gamma",
     .type = SG_REAL,
     .unit = "1",
     .meaning = "weight of the new acceleration in the velocity; above 0.5 it damps and the order is 1",
     .fallback = "0.5",
     .range = SG_BETWEEN(0.5, 1),
     .offset = offsetof(struct spec, gamma)},
    {0}};

static sg_status create(struct sg_integrator *self, const struct sg_setting *node,
                        const struct sg_phase *phase, struct sg_error *err)
{
    struct spec spec;
    sg_setting_fill(node, rows, &spec);
    /* Hughes 1987, sec. 9.1: undamped critical frequency */
    double excess = 0.5 * spec.gamma - spec.beta;
    self->stability = excess > 0.0 ? 1.0 / sqrt(excess) : HUGE_VAL;
    struct sg_alpha_scheme scheme = {.beta = spec.beta, .gamma = spec.gamma};
    return sg_alpha_scheme_create(self, phase, scheme, err);
}

const struct sg_integrator_ops sg_integrator_newmark = {
    .kind = {"newmark", "Newmark's method (beta, gamma)", rows},
    .stores_acceleration = true,
    .response = &sg_alpha_scheme_response,
    .create = create,
    .step = sg_alpha_scheme_step_to_end,
    .work = sg_work_average,
};
