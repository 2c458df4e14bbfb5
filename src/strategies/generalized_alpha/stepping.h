/* The scheme of time-stepping by the nonsmooth generalized-alpha method, at each of the three levels: what
 * the deck asks of it. */
#ifndef SG_STRATEGIES_GENERALIZED_ALPHA_STEPPING_H
#define SG_STRATEGIES_GENERALIZED_ALPHA_STEPPING_H

#include "strategies/generalized_alpha/nonsmooth_alpha.h"
#include "strategies/time_stepping/time_stepping.h"

extern const struct sg_stepping_scheme sg_stepping_alpha;

/* After sg_stepping_create with this scheme: its memory. The integrator is generalized-alpha; a solver that
 * the model does not allow is a finding about `node`, the deck's strategy. */
sg_status sg_stepping_alpha_init(struct sg_time_stepping *ts, const struct sg_setting *node,
                                 struct sg_error *err);

#endif
