/* The step of linear systems with constraints that don't turn: one product with K, one solve, the active sets
 * on the multipliers alone, one pass over the unknowns at the end. */
#ifndef SG_STRATEGIES_GENERALIZED_ALPHA_CONDENSED_H
#define SG_STRATEGIES_GENERALIZED_ALPHA_CONDENSED_H

#include "strategies/generalized_alpha/step.h"

/* Leads from the prediction, which stands in q and v, to the end of the step. */
sg_status sg_ggl_condensed_step(struct sg_ggl *ggl, struct sg_error *err);

/* These tell of the step just taken G_j v~, without the rate that time adds, and U. */
double sg_ggl_condensed_rate(const struct sg_ggl *ggl, size_t row);
void sg_ggl_condensed_correction(const struct sg_ggl *ggl, double *U);

#endif
