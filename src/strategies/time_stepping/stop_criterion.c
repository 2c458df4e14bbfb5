#include "strategies/time_stepping/stop_criterion.h"

#include <math.h>

const struct sg_keyword sg_stop_rows[] = {
    {.name = "tolerance",
     .type = SG_REAL,
     .unit = "1",
     .flags = SG_REQUIRED,
     .meaning = "largest ratio of a step's damping impulse to its contact impulse at rest",
     .example = "1.0e-6",
     .range = SG_POSITIVE,
     .offset = offsetof(struct sg_stop_spec, tolerance)},
    {.name = "period",
     .type = SG_REAL,
     .unit = "s",
     .flags = SG_REQUIRED,
     .meaning = "how long the ratio must stay below: the longest period of vibration",
     .example = "10.0",
     .range = SG_POSITIVE,
     .offset = offsetof(struct sg_stop_spec, period)},
    {0}};

void sg_stop_criterion_init(struct sg_stop_criterion *stop, const struct sg_setting *node)
{
    *stop = (struct sg_stop_criterion){.on = node != NULL};
    if (node != NULL) sg_setting_fill(node, sg_stop_rows, &stop->spec);
}

bool sg_stop_criterion_feed(struct sg_stop_criterion *stop, double t, double damping, double contact)
{
    if (!stop->on) return false;
    bool calm = contact > 0.0 && damping <= stop->spec.tolerance * contact;
    if (calm && !stop->calm) stop->since = t;
    stop->calm = calm;
    /* times are products, so that a period may lack their rounding */
    return calm && t - stop->since >= stop->spec.period - 1e-12 * t;
}

void sg_stop_criterion_archive(struct sg_stop_criterion *stop, struct sg_archive *archive)
{
    SG_ARCHIVE(archive, stop->calm);
    SG_ARCHIVE(archive, stop->since);
}
