/* What the response forms of implicit schemes for linear systems share: states begin with the true
 * acceleration, gaps are taken at the end of the step, `free_motion` needs no iterate, D is no diagonal, and
 * an impulse moves u and a in proportion to v. */
#ifndef SG_INTEGRATORS_LINEAR_RESPONSE_H
#define SG_INTEGRATORS_LINEAR_RESPONSE_H

#include "integrators/integrator.h"

/* as those of struct sg_response_ops */
sg_status sg_linear_response_begin(struct sg_integrator *self, struct sg_phase *phase, struct sg_span first,
                                   struct sg_state *state, struct sg_error *err);
double sg_linear_response_activation_time(const struct sg_integrator *self, struct sg_span span);
void sg_linear_response_predict(struct sg_integrator *self, struct sg_phase *phase,
                                const struct sg_attempt *attempt);
bool sg_linear_response_iterates(const struct sg_integrator *self, const struct sg_phase *phase);
sg_status sg_linear_response_no_diagonal(struct sg_integrator *self, struct sg_phase *phase,
                                         struct sg_kick kick, const double **d, struct sg_error *err);

/* a jump into the state at the attempt's end: v += dv, u += move dv, a += push dv; move in s, push in 1/s */
void sg_linear_response_apply_impulses(const struct sg_attempt *attempt, const struct sg_velocity_jump *jump,
                                       double move, double push);

#endif
