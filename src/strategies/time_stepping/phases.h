/* What impacts and friction take in a phase of contact, so that energy that contacts make is not booked as
 * taken.
 *
 * A phase is a set of contacts that act on one another, from the first step of an impulse to the last:
 * contacts whose impulses are found together, and those of the next step that had one in this. In a single
 * step a contact may lawfully give energy: it brings a body back that fell too far, or passes on what another
 * contact put in. In a phase a law of impact can only take; what a phase gives in all is made by the scheme,
 * or by the law. */
#ifndef SG_STRATEGIES_TIME_STEPPING_PHASES_H
#define SG_STRATEGIES_TIME_STEPPING_PHASES_H

#include <stdbool.h>
#include <stddef.h>

#include "support/archive.h"
#include "support/arena.h"
#include "support/status.h"

/* by contact, q each */
struct sg_contact_phases {
    size_t q;
    size_t *label; /* the least contact of its phase; SIZE_MAX: it is in none */
    double *taken; /* J, by label: what the phase took so far */
    size_t *parent, *first;
    double *sum; /* of the step at hand */
    bool *acts;
    bool any; /* some contact is in a phase */
};

sg_status sg_contact_phases_init(struct sg_arena *arena, struct sg_contact_phases *phases, size_t q,
                                 struct sg_error *err);

/* No contact is in a phase. */
void sg_contact_phases_clear(struct sg_contact_phases *phases);

/* A step begins, in which all are open yet. */
void sg_contact_phases_begin(struct sg_contact_phases *phases);

/* Contact j is closed in it, and its impulse takes `work` (J). */
void sg_contact_phases_act(struct sg_contact_phases *phases, size_t j, double work);

/* The impulses of contacts i and j are found together; one that is open joins nothing. */
void sg_contact_phases_join(struct sg_contact_phases *phases, size_t i, size_t j);

/* Ends the step. Returns by how much (J) the energy grew that phases made. */
double sg_contact_phases_end(struct sg_contact_phases *phases);

void sg_contact_phases_archive(struct sg_contact_phases *phases, struct sg_archive *store);

#endif
