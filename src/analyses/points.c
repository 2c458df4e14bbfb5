#include "analyses/points.h"

sg_status sg_points_create(struct sg_points *points, const struct sg_deck *deck,
                           struct sg_diagnostics *diagnostics, struct sg_error *err)
{
    const struct sg_node *node = sg_node_child(sg_deck_root(deck), "analysis");
    *points = (struct sg_points){.ops = sg_points_find(sg_node_kind(node))};
    return points->ops == NULL ? SG_OK : points->ops->create(points, deck, diagnostics, err);
}

void sg_points_destroy(struct sg_points *points)
{
    if (points->ops != NULL) points->ops->destroy(points);
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

sg_status sg_points_run(struct sg_points *points, const struct sg_observer *observer,
                        const struct sg_points_pause *pause, struct sg_error *err)
{
    while (!is_finished(points)) {
        bool stop = false;
        if (pause->between != NULL) TRY(pause->between(pause->self, &stop, err));
        if (stop) return fail_interrupted(points, err);
        TRY(points->ops->advance(points, observer, err));
    }
    return SG_OK;
}
