/* Whether an integrator can take the first step at all. Its matrices are M + b C + c K, of which only the
 * damping can be indefinite: what it does to them before step 1 is the deck's fault. */
#ifndef SG_STRATEGIES_TIME_STEPPING_FIRST_STEP_H
#define SG_STRATEGIES_TIME_STEPPING_FIRST_STEP_H

#include "strategies/strategy.h"

/* Takes a step of length h (s) from rest, without contacts, and throws it away. `keyword`, of the deck's
 * `time`, is what the length comes from: SG_BAD_DECK, as a finding about it, where a matrix is not positive
 * definite. */
sg_status sg_first_step_try(const struct sg_run *run, const char *keyword, double h, struct sg_error *err);

/* The same of a linear step in response form, at each of its equilibrium points. */
sg_status sg_first_response_try(const struct sg_run *run, double h, struct sg_error *err);

#endif
