/* A correction by Newton's method: S_t x = -r, put together and factored, or eliminated down to the rows of
 * the constraints. */
#ifndef SG_STRATEGIES_GENERALIZED_ALPHA_CORRECT_H
#define SG_STRATEGIES_GENERALIZED_ALPHA_CORRECT_H

#include "strategies/generalized_alpha/step.h"

/* chooses ggl->method; its memory */
sg_status sg_ggl_solver_init(struct sg_ggl *ggl, struct sg_error *err);

/* Each column [f; g] of x, (n + bilateral) x count, becomes [a; -lam] of M a - Gb^T lam = f, Gb a = g, with
 * the first `bilateral` rows Gb at hand. */
sg_status sg_ggl_respond(struct sg_ggl *ggl, size_t bilateral, size_t count, double *x, struct sg_error *err);

/* one correction of the parts, at the iterate just evaluated */
sg_status sg_ggl_correct(struct sg_ggl *ggl, int parts, struct sg_error *err);

#endif
