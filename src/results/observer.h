/* Strategies and analyses tell by this what happens: three functions, declared low in the house so that
 * nothing flows back up. */
#ifndef SG_RESULTS_OBSERVER_H
#define SG_RESULTS_OBSERVER_H

#include <stddef.h>

#include "results/quantity.h"
#include "support/status.h"

enum sg_event_kind {
    SG_EVENT_CLOSE,
    SG_EVENT_OPEN,
    SG_EVENT_IMPACT,
    SG_EVENT_STICK,
    SG_EVENT_SLIP,
    SG_EVENT_CHANGE
};

struct sg_event {
    double t;       /* s */
    size_t contact; /* index */
    enum sg_event_kind kind;
    double gap;          /* m, at t */
    double gap_velocity; /* m/s, before the event */
    int iterations;      /* localisation trials */
};

/* Gives the snapshot at any t in the step just taken, by a step of the same scheme that ends at t and
 * is thrown away: a sample has the accuracy and the conservation of the scheme itself. What `now` points
 * to holds until the next call of `at`, and is not the memory of the snapshot that `step` was given. */
struct sg_sampler {
    void *self;
    sg_status (*at)(void *self, double t, struct sg_snapshot *now, struct sg_error *err);
};

struct sg_observer {
    void *self;
    /* After each accepted step: `now` is its end; the sampler reaches any time after the previous
     * call's end, up to now->t. `localized`: the step ends at an event (a sample of its own, unless
     * output.events is false); 2: the run ends here, a sample in any case. NULL sampler: this is the initial
     * state. */
    sg_status (*step)(void *self, const struct sg_snapshot *now, const struct sg_sampler *sampler,
                      int localized, struct sg_error *err);
    sg_status (*event)(void *self, const struct sg_event *event, struct sg_error *err);
    /* a point of a continuation or sweep: the `count` values of the analysis' own columns, side by side */
    sg_status (*point)(void *self, const double *values, size_t count, struct sg_error *err);
};

#endif
