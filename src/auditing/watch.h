/* The watch of a run: a struct sg_audit that sees every step and judges the run at its end (docs/audit.md).
 *
 *     watch.c         puts the findings together
 *     balance.c       momentum, and displacement as the integral of velocity, in windows of steps
 *     crossing.c      one step of these
 *     energy.c        energy by its parts
 *     touch.c         contacts
 *     small_motion.c  bodies of linear elements
 *     judge.c         limits into words
 *     witness.c       what can be judged again from a results file alone: a way of its own */
#ifndef SG_AUDITING_WATCH_H
#define SG_AUDITING_WATCH_H

#include "contact/contact_set.h"
#include "model/system.h"
#include "results/audit.h"

struct sg_audit_watch_spec {
    const struct sg_system *system;
    const struct sg_contact_set *contacts;
    const bool *force_only; /* as in struct sg_contact_totals_spec */
    bool all_force_only;
    bool all_springs; /* no contact is a constraint for the strategy */
    bool own_systems; /* the strategy crosses systems of its own, whose balance the run's system does not tell
                       */
    bool located;     /* events are located in steps; else steps of one length look for none */
    const struct sg_audit_list *known; /* findings of before the run; borrowed */
};

/* From the arena. */
sg_status sg_audit_watch_create(struct sg_arena *arena, const struct sg_audit_watch_spec *spec,
                                struct sg_audit *audit, struct sg_error *err);

#endif
