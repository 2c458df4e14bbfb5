/* Momentum against loads and reactions, and displacement against the integral of velocity, over watched
 * steps:
 *
 *     e = M (v1 - v0) - int (f - f_int) dt - W dI - G^T dL,     d = u1 - u0 - int v dt,
 *
 * which the equations of motion make 0. The integrals are of second order: by both ends of a step (by its
 * end, of staggered schemes), and once more by Simpson's rule on the cubic through both ends. A scheme obeys
 * the rule that it is made of to rounding, others to the error of its steps; so the smaller counts. Of e the
 * sums along the axes and about the middle of the model count: what bodies do to one another must vanish in
 * them.
 *
 * Steps are watched in windows: all of the first ones, then some of every many, so that the watch costs next
 * to nothing in long runs. */
#ifndef SG_AUDITING_BALANCE_H
#define SG_AUDITING_BALANCE_H

#include "auditing/crossing.h"
#include "support/archive.h"

/* Arrays from the arena; `length` (n) is borrowed. */
sg_status sg_balance_watch_init(struct sg_arena *arena, struct sg_balance_watch *watch,
                                const struct sg_system *system, const struct sg_contact_set *contacts,
                                const double *length, struct sg_error *err);
void sg_balance_watch_release(struct sg_balance_watch *watch);

/* the end of a step, or the initial state */
void sg_balance_watch_step(struct sg_balance_watch *watch, const struct sg_snapshot *now);

/* ends the window at hand */
void sg_balance_watch_end(struct sg_balance_watch *watch);

void sg_balance_watch_archive(struct sg_balance_watch *watch, struct sg_archive *archive);

#endif
