/* Whether bodies of linear elements stay in the range that these are made for: how far each turns as a whole,
 * by the rotation that fits its nodes best, and how far the distances of nodes that elements join change. */
#ifndef SG_AUDITING_SMALL_MOTION_H
#define SG_AUDITING_SMALL_MOTION_H

#include "model/system.h"
#include "support/archive.h"

/* what a body may do: rad and 1 */
#define SG_SMALL_TURN   0.0523598775598298873
#define SG_SMALL_STRAIN 0.05

struct sg_small_extreme {
    double value; /* rad or 1, the largest */
    double share; /* over what is allowed */
    size_t body;  /* of the largest */
    double t;     /* s: when the limit was first passed by any body; NaN: never */
};

struct sg_small_motion {
    const struct sg_system *system;
    bool any;        /* some body is of linear elements */
    long long every; /* steps between two looks */
    double *full;    /* n_full, m: displacements */
    struct sg_small_extreme turn, strain;
};

sg_status sg_small_motion_init(struct sg_arena *arena, struct sg_small_motion *watch,
                               const struct sg_system *system, struct sg_error *err);

/* whether to look at the end of a step, `since` steps after the last look: the more of them, the longer the
 * run lasts, up to what looks may cost */
bool sg_small_motion_is_due(const struct sg_small_motion *watch, long long step, long long since);

/* looks at a state, in solver coordinates */
void sg_small_motion_see(struct sg_small_motion *watch, double t, const double *u);

void sg_small_motion_archive(struct sg_small_motion *watch, struct sg_archive *archive);

#endif
