/* The first event of one gap in a step, and its extremes, on its cubic Hermite interpolant: eqs. (20)-(23) of
 * Depouhon et al. 2014, without their eigenvalue problems. */
#ifndef SG_STRATEGIES_EVENT_DRIVEN_ROOTS_H
#define SG_STRATEGIES_EVENT_DRIVEN_ROOTS_H

#include <stdbool.h>

/* gap and gap velocity at both ends of a step h: m, m/s, s */
struct sg_gap_span {
    double g0, d0, g1, d1, h;
};

/* The least tau in [0, 1) at which the interpolant of an open (closed) gap crosses zero falling
 * (rising); false if there is none. `slope`: its time derivative there, m/s. */
bool sg_event_root(const struct sg_gap_span *span, bool closed, double *tau, double *slope);

/* The least of sign g on the interpolant, m, or `known` where that is not below it. */
double sg_event_least(const struct sg_gap_span *span, double sign, double known);

#endif
