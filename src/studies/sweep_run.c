/* All cases of a study, each in a process of its own. */
#include <signal.h>
#include <string.h>

#include "studies/sweep.h"
#include "support/memory.h"
#include "support/stop.h"
#include "support/workers.h"

/* A process that died while the sweep was being stopped was stopped as well: by a second Ctrl-C. */
static void judge_death(const struct sg_outcome *outcome, struct sg_case_state *state)
{
    bool stopped = sg_stop_requested() && (outcome->signal == SIGINT || outcome->signal == SIGTERM);
    state->exit_code = stopped                   ? sg_status_exit_code(SG_INTERRUPTED)
                       : outcome->signal > 0     ? 128 + outcome->signal
                       : outcome->exit_code != 0 ? outcome->exit_code
                                                 : sg_status_exit_code(outcome->status);
    sg_case_state_set_reason(state, outcome->message);
}

/* Notes the end of a case whose process could not do its work, or died of it. */
static sg_status note_death(struct sg_sweep *sweep, size_t index, const struct sg_outcome *outcome,
                            struct sg_error *err)
{
    struct sg_case_result *result = &sweep->results[index];
    struct sg_case_state state;
    SG_AUTO_FREE char *path = NULL;
    TRY(sg_sweep_case_path(sweep, index, ".state", &path, err));
    sg_case_state_read(path, &state);
    judge_death(outcome, &state);
    struct sg_error none; /* where nothing can be written, the case has just not run */
    sg_error_clear(&none);
    sg_status written = sweep->collect ? SG_OK : sg_case_state_write(path, &state, &none);
    (void)written;
    result->exit_code = state.exit_code;
    return sg_arena_copy_text(&sweep->arena, state.reason, &result->reason, err);
}

static sg_status deliver(void *self, const struct sg_outcome *outcome, struct sg_error *err)
{
    struct sg_sweep *sweep = self;
    size_t index = sweep->first + outcome->index;
    struct sg_case_result *result = &sweep->results[index];
    if (outcome->status == SG_OK)
        TRY(sg_sweep_take_result(sweep, index, outcome->bytes, outcome->length, err));
    else
        TRY(note_death(sweep, index, outcome, err));
    result->delivered = true;
    sweep->done++;
    sweep->skipped += result->skipped ? 1 : 0;
    bool failed = strcmp(sg_sweep_status_word(result), "failed") == 0;
    sweep->failed += failed ? 1 : 0;
    const struct sg_sweep_listener *listener = &sweep->listener;
    if (result->skipped && listener->skipped != NULL) listener->skipped(listener->self);
    if (failed && listener->failed != NULL) listener->failed(listener->self, index);
    return SG_OK;
}

static void tick(void *self, size_t running)
{
    const struct sg_sweep_listener *listener = &((const struct sg_sweep *)self)->listener;
    if (listener->waiting != NULL) listener->waiting(listener->self, running);
}

sg_status sg_sweep_run(struct sg_sweep *sweep, struct sg_error *err)
{
    struct sg_workers workers = {.cases = sweep->count,
                                 .jobs = sweep->jobs,
                                 .self = sweep,
                                 .work = sg_sweep_work,
                                 .deliver = deliver,
                                 .tick = tick};
    for (size_t i = 0; i < sweep->study->cases; i++) sweep->results[i].exit_code = -1;
    TRY(sg_stop_install(err));
    return sg_workers_run(&workers, err);
}
