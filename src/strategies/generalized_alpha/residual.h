/* Residuals and active sets of an iterate. */
#ifndef SG_STRATEGIES_GENERALIZED_ALPHA_RESIDUAL_H
#define SG_STRATEGIES_GENERALIZED_ALPHA_RESIDUAL_H

#include "strategies/generalized_alpha/step.h"

/* Evaluates the problem at the iterate, chooses the active sets and fills the residuals of all parts that the
 * level has; multipliers out of their sets become zero. */
void sg_ggl_evaluate(struct sg_ggl *ggl);

#endif
