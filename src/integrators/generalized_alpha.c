/* Generalized-alpha, Chung and Hulbert 1993, parameters by the spectral radius at infinity: eqs. (14),
 * (16) of Depouhon et al. 2014. The stored acceleration belongs to the scheme: it goes through events of
 * elastic contacts unchanged. */
#include <math.h>

#include "integrators/alpha_scheme.h"
#include "integrators/kinds.h"

struct spec {
    double rho_inf;
};

static const struct sg_keyword rows[] = {
    {.name = "rho_inf",
     .type = SG_REAL,
     .unit = "1",
     .meaning = "spectral radius at infinite frequency: 1 conserves, 0 damps the highest modes at once",
     .fallback = "0.8",
     .range = SG_BETWEEN(0, 1),
     .offset = offsetof(struct spec, rho_inf)},
    {0}};

static sg_status create(struct sg_integrator *self, const struct sg_setting *node,
                        const struct sg_phase *phase, struct sg_error *err)
{
    struct spec spec;
    sg_setting_fill(node, rows, &spec);
    double rho = spec.rho_inf, am = (2.0 * rho - 1.0) / (rho + 1.0), af = rho / (rho + 1.0);
    double sum = 1.0 - am + af;
    struct sg_alpha_scheme scheme = {.am = am, .af = af, .beta = 0.25 * sum * sum, .gamma = 0.5 - am + af};
    self->stability = HUGE_VAL;
    return sg_alpha_scheme_create(self, phase, scheme, err);
}

static double load_time(const struct sg_alpha_scheme *scheme, struct sg_span span)
{
    return (1.0 - scheme->af) * (span.t + span.h) + scheme->af * span.t;
}

static sg_status step(struct sg_integrator *self, struct sg_phase *phase, const struct sg_state *from,
                      struct sg_span span, struct sg_state *to, struct sg_error *err)
{
    struct sg_alpha_scheme *scheme = self->data;
    /* rho_inf = 0 takes it at the end of the step, where it may jump */
    const double *load = sg_phase_load_before(phase, load_time(scheme, span));
    struct sg_alpha_step alpha = {from, span.h, load, to};
    return sg_alpha_scheme_step(scheme, phase, &alpha, err);
}

/* The load stands at t_{n+1-alpha_f}, but reaches the velocity by an acceleration that belongs to another
 * time than the step's end, by as much: work by its value in the middle of the step is of order 2, and exact
 * where the scheme conserves (rho_inf = 1). */
static struct sg_work work(struct sg_integrator *self, struct sg_phase *phase, const struct sg_state *from,
                           struct sg_span span, const struct sg_state *to)
{
    double t = span.t + 0.5 * span.h;
    (void)self;
    return sg_work_at(phase, from, span, to, (struct sg_work_points){0.0, t, 1.0, t});
}

const struct sg_integrator_ops sg_integrator_generalized_alpha = {
    .kind = {"generalized-alpha", "generalized-alpha, Chung and Hulbert 1993, order 2", rows},
    .stores_acceleration = true,
    .alpha_scheme = true,
    .response = &sg_alpha_scheme_own_response,
    .create = create,
    .step = step,
    .work = work,
};

const struct sg_alpha_scheme *sg_generalized_alpha_scheme(const struct sg_integrator *integrator)
{
    return integrator->ops->alpha_scheme ? integrator->data : NULL;
}
