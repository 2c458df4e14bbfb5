/* Residuals and active sets of an iterate. */
#ifndef SG_STRATEGIES_GENERALIZED_ALPHA_RESIDUAL_H
#define SG_STRATEGIES_GENERALIZED_ALPHA_RESIDUAL_H

#include "strategies/generalized_alpha/step.h"

/* Evaluates the problem at the iterate, chooses the active sets unless they are fixed, and fills the
 * residuals of all parts that the level has; multipliers out of their sets become zero. */
void sg_ggl_evaluate(struct sg_ggl *ggl);

/* Takes the rates of the constraints for v at the configuration evaluated last, and of the jump what Newton's
 * law of impact in these rows is violated by, v + e v_n along the normals. */
void sg_ggl_find_rates(struct sg_ggl *ggl);

/* These add the tangents of the contacts that push to the active rows of the jump, and those of the contacts
 * that are held to the ones of the correction. */
void sg_ggl_activate_tangents(struct sg_ggl *ggl);
void sg_ggl_activate_held(struct sg_ggl *ggl);

#endif
