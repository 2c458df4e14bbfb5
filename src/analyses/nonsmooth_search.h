/* Orbits found from nothing, at a period, so that the answer is a function of the period alone: it knows
 * neither the order nor the spacing of the periods that are asked for. The ways are tried in this order.
 *
 * SG_SEARCH_GRAZING: along the curve of single blows (analyses/orbit_times.h) from the one orbit that is
 * always known, the linear mode that grazes, ratio 1 and energy E_1. Of the curve's possible crossings of the
 * period that with the least energy is taken.
 *
 * SG_SEARCH_BEYOND: where the curve stops to be possible, since another gap closes, along the orbits of any
 * number of blows, by pseudo-arclength of half shooting, past folds. With springs the forces are continuous
 * where a contact just closes, so that orbits go on through it.
 *
 * SG_SEARCH_BLOWS: every single blow at the period, of any contact: that with the least energy.
 *
 * SG_SEARCH_STARTS: Newton's method from many starts, about the mode and in all directions: that with the
 * least energy. */
#ifndef SG_ANALYSES_NONSMOOTH_SEARCH_H
#define SG_ANALYSES_NONSMOOTH_SEARCH_H

#include <stdbool.h>
#include <stddef.h>

#include "analyses/orbit_shoot.h"
#include "analyses/orbit_times.h"
#include "support/arena.h"
#include "support/status.h"

enum sg_search_way {
    SG_SEARCH_NONE,
    SG_SEARCH_GRAZING,
    SG_SEARCH_BEYOND,
    SG_SEARCH_BLOWS,
    SG_SEARCH_STARTS,
    SG_SEARCH_WAYS
};

/* The mode, from 0, the modes that take part, and how many starts are tried */
struct sg_search_rule {
    size_t mode, filter, starts;
};

struct sg_search {
    struct sg_search_rule rule;
    struct sg_shooter *shooter; /* borrowed */
    double turn, grazing, side; /* s, J, 1 or -1: of the linear mode where it grazes */
    size_t contact;             /* that it grazes */
    struct sg_orbit_times times[SG_ORBIT_CONTACTS];
    /* the curve as far as it was needed; `tracer` knows its last point */
    struct sg_orbit_times tracer;
    struct sg_times_point *curve, tip;
    size_t count, away; /* points; of these the last whose amplitude has the wrong sign */
    double step;
    bool begun, ended;
    /* beyond: periods (s) and starts, filter numbers each */
    double *periods, *starts, *tangent;
    size_t beyond_count;
    double stride;
    bool beyond_begun, beyond_ended;
    double *x, *best, *ahead; /* filter + 1 */
};

/* `shooter` must live longer. */
sg_status sg_search_init(struct sg_arena *arena, struct sg_search *search, struct sg_shooter *shooter,
                         const struct sg_search_rule *rule, struct sg_error *err);

/* The first of the ways up to `last` that finds an orbit fills search->best: filter numbers of energy, a
 * start for sg_shoot_half. SG_SEARCH_NONE: none does. */
enum sg_search_way sg_search_find(struct sg_search *search, double period, enum sg_search_way last);

#endif
