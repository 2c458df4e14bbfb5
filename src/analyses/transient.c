#include "analyses/transient.h"

sg_status sg_transient_run(struct sg_strategy *strategy, bool resumed, const struct sg_pause *pause,
                           struct sg_error *err)
{
    const struct sg_strategy_ops *ops = strategy->ops;
    if (!resumed) TRY(ops->start(strategy, err));
    bool done = false;
    while (!done) {
        bool stop = false;
        if (pause->between != NULL) TRY(pause->between(pause->self, strategy, &stop, err));
        if (stop) FAIL(err, SG_INTERRUPTED, "interrupted at t = %.17g s", ops->now(strategy));
        TRY(ops->advance(strategy, &done, err));
    }
    return SG_OK;
}
