/* A correction by Newton's method: S_t x = -r, put together and factored, or eliminated down to the rows of
 * the constraints. */
#ifndef SG_STRATEGIES_GENERALIZED_ALPHA_CORRECT_H
#define SG_STRATEGIES_GENERALIZED_ALPHA_CORRECT_H

#include "strategies/generalized_alpha/step.h"

/* chooses ggl->method; its memory */
sg_status sg_ggl_solver_init(struct sg_ggl *ggl, struct sg_error *err);

/* f := a of M a - Gs^T lam = f, Gs a = -(violation of the smooth part, packed), Gs its active rows; sets lam
 */
sg_status sg_ggl_accelerate(struct sg_ggl *ggl, double *f, struct sg_error *err);

/* one correction of the parts, at the iterate just evaluated */
sg_status sg_ggl_correct(struct sg_ggl *ggl, int parts, struct sg_error *err);

#endif
