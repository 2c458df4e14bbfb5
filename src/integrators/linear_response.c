#include "integrators/linear_response.h"

sg_status sg_linear_response_begin(struct sg_integrator *self, struct sg_phase *phase, struct sg_span first,
                                   struct sg_state *state, struct sg_error *err)
{
    (void)self;
    return sg_phase_acceleration(phase, first.t, state->u, state->v, state->a, err);
}

double sg_linear_response_activation_time(const struct sg_integrator *self, struct sg_span span)
{
    (void)self;
    return span.h;
}

void sg_linear_response_predict(struct sg_integrator *self, struct sg_phase *phase,
                                const struct sg_attempt *attempt)
{
    (void)self, (void)phase, (void)attempt;
}

bool sg_linear_response_iterates(const struct sg_integrator *self, const struct sg_phase *phase)
{
    (void)self, (void)phase;
    return false;
}

sg_status sg_linear_response_no_diagonal(struct sg_integrator *self, struct sg_phase *phase,
                                         struct sg_kick kick, const double **d, struct sg_error *err)
{
    (void)self, (void)phase, (void)kick, (void)err;
    *d = NULL;
    return SG_OK;
}

void sg_linear_response_apply_impulses(const struct sg_attempt *attempt, const struct sg_velocity_jump *jump,
                                       double move, double push)
{
    const struct sg_state *to = attempt->to;
    const double *dv = jump->dv;
    for (size_t i = jump->first; i < jump->end; i++) {
        to->v[i] += dv[i];
        to->u[i] += move * dv[i];
        to->a[i] += push * dv[i];
    }
}
