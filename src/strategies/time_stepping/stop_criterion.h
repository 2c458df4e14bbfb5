/* When a run that damping brings to rest may end: while what still moves is small beside what contacts carry.
 *
 * The measure is |damping impulse| / |contact impulse| of a step. It passes through zero twice in a period
 * of vibration, so that a small value at one instant tells nothing: it must stay below the tolerance during
 * one whole period (Di Stasio et al. 2019, discrete arch). */
#ifndef SG_STRATEGIES_TIME_STEPPING_STOP_CRITERION_H
#define SG_STRATEGIES_TIME_STEPPING_STOP_CRITERION_H

#include <stdbool.h>

#include "deck/deck.h"
#include "support/archive.h"

struct sg_stop_spec {
    double tolerance; /* 1 */
    double period;    /* s */
};

extern const struct sg_keyword sg_stop_rows[]; /* time.stop: group */

struct sg_stop_criterion {
    bool on;
    struct sg_stop_spec spec;
    bool calm;    /* the last measure was below the tolerance */
    double since; /* s: the first of those that were */
};

/* `node`: the deck's group, NULL: never stops */
void sg_stop_criterion_init(struct sg_stop_criterion *stop, const struct sg_setting *node);

/* True once the run may end. Norms of a step's impulses, N s; t, s, rises. Without contact, and where a norm
 * is not a number, nothing is calm. */
bool sg_stop_criterion_feed(struct sg_stop_criterion *stop, double t, double damping, double contact);

void sg_stop_criterion_archive(struct sg_stop_criterion *stop, struct sg_archive *archive);

#endif
