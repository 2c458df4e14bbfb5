/* The transient run: a strategy advanced to the end time, with a pause between increments for those who
 * keep checkpoints, show progress or ask to stop. */
#ifndef SG_ANALYSES_TRANSIENT_H
#define SG_ANALYSES_TRANSIENT_H

#include <stdbool.h>

#include "strategies/strategy.h"
#include "support/status.h"

struct sg_pause {
    void *self;
    /* called between increments; *stop ends the run with SG_INTERRUPTED. NULL: never */
    sg_status (*between)(void *self, const struct sg_strategy *strategy, bool *stop, struct sg_error *err);
};

/* `resumed`: the strategy's memory was loaded from a checkpoint, so it is not started again. */
sg_status sg_transient_run(struct sg_strategy *strategy, bool resumed, const struct sg_pause *pause,
                           struct sg_error *err);

#endif
