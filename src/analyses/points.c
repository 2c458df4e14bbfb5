#include "analyses/points.h"

#include "support/stop.h"
#include "support/workers.h"

/* Points are no histories: what asks for some asks in vain. */
static void note_output(const struct sg_deck *deck, const struct sg_kind *kind,
                        struct sg_diagnostics *diagnostics)
{
    static const char *const words[] = {"every", "events", "histories", "nodes"};
    const struct sg_setting *output = sg_setting_child(sg_deck_root(deck), "output");
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (sg_setting_given(output, words[k]))
            sg_complain_about(diagnostics, SG_NOTE, output, words[k],
                              "not used: analysis '%s' makes points, not histories", kind->name);
}

sg_status sg_points_create(struct sg_points *points, const struct sg_deck *deck,
                           struct sg_diagnostics *diagnostics, struct sg_error *err)
{
    const struct sg_setting *node = sg_setting_child(sg_deck_root(deck), "analysis");
    points->ops = sg_points_find(sg_setting_kind(node));
    if (points->ops == NULL) return SG_OK;
    note_output(deck, &points->ops->kind, diagnostics);
    return points->ops->create(points, deck, diagnostics, err);
}

void sg_points_destroy(struct sg_points *points)
{
    sg_arena_release(&points->arena);
    *points = (struct sg_points){0};
}

static bool is_finished(const struct sg_points *points)
{
    const struct sg_points_ops *ops = points->ops;
    return ops->finished != NULL ? ops->finished(points) : ops->done(points) >= ops->total(points);
}

static sg_status fail_interrupted(const struct sg_points *points, struct sg_error *err)
{
    const struct sg_points_ops *ops = points->ops;
    const char *most = ops->finished != NULL ? "at most " : "";
    FAIL(err, SG_INTERRUPTED, "interrupted after %zu of %s%zu points", ops->done(points), most,
         ops->total(points));
}

/* --- points apart --------------------------------------------------------------------------------- */

struct march {
    struct sg_points *points;
    const struct sg_observer *observer;
    const struct sg_points_pause *pause;
    size_t first; /* point of case 0 */
    bool cut;     /* a point was interrupted: those after it are lost too */
};

static bool is_ready(void *self, size_t index)
{
    const struct march *march = self;
    return march->points->ops->apart->ready(march->points, march->first + index);
}

static sg_status compute(void *self, size_t index, struct sg_text *result, struct sg_error *err)
{
    const struct march *march = self;
    return march->points->ops->apart->compute(march->points, march->first + index, result, err);
}

static sg_status pause_march(struct march *march, struct sg_error *err)
{
    bool stop = false;
    if (march->pause->between == NULL) return SG_OK;
    TRY(march->pause->between(march->pause->self, &stop, err));
    return stop ? fail_interrupted(march->points, err) : SG_OK;
}

static sg_status deliver(void *self, const struct sg_outcome *outcome, struct sg_error *err)
{
    struct march *march = self;
    /* a second signal kills a process at once */
    bool killed = outcome->signal != 0 && sg_stop_requested();
    march->cut = march->cut || outcome->status == SG_INTERRUPTED || killed;
    if (march->cut) return SG_OK;
    if (outcome->status != SG_OK) FAIL(err, outcome->status, "%s", outcome->message);
    TRY(march->points->ops->apart->accept(march->points, outcome->bytes, outcome->length, march->observer,
                                          err));
    return is_finished(march->points) ? SG_OK : pause_march(march, err);
}

/* One more pause keeps what was accepted, and which sees the stop that interrupted */
static sg_status run_apart(struct march *march, struct sg_error *err)
{
    struct sg_points *points = march->points;
    march->first = points->ops->done(points);
    struct sg_workers workers = {.cases = points->ops->total(points) - march->first,
                                 .jobs = points->jobs > 1 ? points->jobs : 0,
                                 .ordered = true,
                                 .self = march,
                                 .ready = is_ready,
                                 .work = compute,
                                 .deliver = deliver};
    if (workers.cases == 0) return SG_OK;
    TRY(pause_march(march, err));
    sg_status status = sg_workers_run(&workers, err);
    if (status != SG_INTERRUPTED || !sg_stop_requested()) return status;
    TRY(pause_march(march, err));
    return fail_interrupted(points, err);
}

sg_status sg_points_run(struct sg_points *points, const struct sg_observer *observer,
                        const struct sg_points_pause *pause, struct sg_error *err)
{
    struct march march = {.points = points, .observer = observer, .pause = pause};
    if (points->ops->apart != NULL) return run_apart(&march, err);
    while (!is_finished(points)) {
        bool stop = false;
        if (pause->between != NULL) TRY(pause->between(pause->self, &stop, err));
        if (stop) return fail_interrupted(points, err);
        TRY(points->ops->advance(points, observer, err));
    }
    return SG_OK;
}
