/* The energy account: what the scheme makes and loses beside it, and whether what takes energy gives some
 * back. */
#ifndef SG_AUDITING_ENERGY_H
#define SG_AUDITING_ENERGY_H

#include "contact/contact_set.h"
#include "model/system.h"
#include "results/audit.h"

/* A number over a run: its extremes so far, its largest rise and fall. */
struct sg_swing {
    double least, most, rise, fall;
    double rise_at, fall_at; /* s: the ends of the largest */
};

struct sg_energy_watch {
    struct sg_swing numerical;                 /* J, by the rows */
    struct sg_swing damping, friction, impact; /* J, accumulated, by the steps */
    double at_hand;                            /* J, the largest */
    struct sg_energy_row last;
    double start;                /* J: total at the first row */
    double taken[3];             /* J, at the last step: by damping, friction, impact */
    double dissipated, external; /* J, at the last step: their sum, and what loads gave */
    bool begun;
};

void sg_energy_watch_step(struct sg_energy_watch *watch, const struct sg_snapshot *now);
void sg_energy_watch_row(struct sg_energy_watch *watch, const struct sg_energy_row *row);

/* J: what a body that rests on its contacts may gain by rounding in `steps` steps to `end` (s). In each step
 * the contacts take up what its weight would do, m (a h)^2 / 2, to some roundings; and wherever the body is,
 * its place has a rounding. */
double sg_energy_grain(const struct sg_system *system, const struct sg_contact_set *contacts, long long steps,
                       double end);

/* Appends the findings; what is no more than `grain` (J) is rounding. */
void sg_energy_watch_conclude(const struct sg_energy_watch *watch, double grain, struct sg_audit_list *list);

#endif
