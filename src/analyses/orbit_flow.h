/* Motion through the phases of a system, exact: modal flow within a phase, the instants at which gaps cross 0
 * to rounding, and with it the derivatives of the state to what it began with. At a crossing of contact j
 * with the rate r = w_j . v the derivatives jump by the saltation matrix
 *
 *     X = 1 + (0; a_after - a_before) (w_j, 0) / r,
 *
 * since u and v are continuous. Nothing is allocated after creation. */
#ifndef SG_ANALYSES_ORBIT_FLOW_H
#define SG_ANALYSES_ORBIT_FLOW_H

#include <stdbool.h>
#include <stddef.h>

#include "analyses/orbit_phases.h"
#include "support/arena.h"
#include "support/status.h"

enum { SG_ORBIT_SWITCHES = 128 };

struct sg_orbit_switch {
    double t; /* s */
    size_t contact;
    bool closes;
    double rate; /* of the gap, m/s */
    double jump; /* of the energy, J */
};

enum sg_orbit_end {
    SG_ORBIT_ARRIVED,
    SG_ORBIT_GRAZED,  /* a gap reached 0 without a rate: derivatives do not exist */
    SG_ORBIT_CHATTER, /* more crossings than SG_ORBIT_SWITCHES */
    SG_ORBIT_STOPPED  /* the program is asked to stop, and the flow is anywhere */
};

struct sg_orbit_flow {
    const struct sg_orbit_phases *phases; /* borrowed */
    double t;
    size_t mask;     /* closed contacts */
    double *u, *v;   /* n */
    size_t columns;  /* of du, dv; 0: no derivatives */
    double *du, *dv; /* n x columns, column-major */
    double margin;   /* m: the least distance from 0 at which a gap, or the negative gap of a closed
                        contact, turned back; HUGE_VAL: none did */
    double margin_time;
    size_t margin_contact;
    size_t switch_count;
    struct sg_orbit_switch switches[SG_ORBIT_SWITCHES];
    struct sg_orbit_scratch *scratch;
};

/* `most`: columns that may be wanted. */
sg_status sg_orbit_flow_init(struct sg_arena *arena, struct sg_orbit_flow *flow,
                             const struct sg_orbit_phases *phases, size_t most, struct sg_error *err);

/* At t = 0 from u and v (n): phase by the gaps, where a gap is 0 by its rate, where that is 0 too by its
 * acceleration without contact. No derivatives; who wants them sets `columns`, du and dv then. */
void sg_orbit_flow_start(struct sg_orbit_flow *flow, const double *u, const double *v);

/* on to time `end` */
enum sg_orbit_end sg_orbit_flow_run(struct sg_orbit_flow *flow, double end);

#endif
