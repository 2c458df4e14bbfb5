/* Reference motion of a small autonomous system y' = f(y) that is reflected at a wall g(y) >= 0: Gragg's
 * modified midpoint rule, extrapolated (Bulirsch and Stoer 1966; Hairer, Norsett and Wanner, II.9), order
 * up to 16, to 1e-13 relative a step. Impacts are located by repeating the step with other lengths, so
 * that they are as exact as the rest. */
#ifndef SG_BENCHMARKS_EXACT_SMOOTH_MOTION_H
#define SG_BENCHMARKS_EXACT_SMOOTH_MOTION_H

#include <stdbool.h>
#include <stddef.h>

#include "support/status.h"

enum { SG_SMOOTH_DIM = 4 };

struct sg_smooth_motion {
    size_t dim;      /* 1 .. SG_SMOOTH_DIM */
    double max_step; /* s, > 0: shorter than the wall's shortest visit would be without it */
    void (*rate)(const void *owner, const double *y, double *rate);
    double (*gap)(const void *owner, const double *y); /* > 0 free; NULL: no wall */
    void (*impact)(const void *owner, double *y);      /* state before -> after; with `gap` */
    const void *owner;
};

/* Zero but for y at the start. */
struct sg_smooth_state {
    double t;
    double y[SG_SMOOTH_DIM];      /* after the impact, at an impact */
    size_t impacts;               /* so far */
    double impact_time;           /* s, of the last one */
    double before[SG_SMOOTH_DIM]; /* state before it */
};

/* To t = `until`, or to the next impact if that comes first and `to_impact` holds. A wall is passed
 * unnoticed at depths below 1e-12 (grazing). SG_NO_SOLUTION where steps shrink to nothing (a singularity) or
 * flights do: an accumulation of impacts, a contact that stays closed. */
sg_status sg_smooth_advance(const struct sg_smooth_motion *motion, double until, bool to_impact,
                            struct sg_smooth_state *state, struct sg_error *err);

#endif
