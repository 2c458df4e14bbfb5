/* A run that starts from the state of another one. */
#ifndef SG_JOBS_CONTINUED_H
#define SG_JOBS_CONTINUED_H

#include "contact/contact_set.h"
#include "deck/deck.h"
#include "model/system.h"
#include "support/status.h"

struct sg_continued_spec {
    const struct sg_deck *deck;
    struct sg_system *system; /* in nodal coordinates; system->continued is the deck's item */
    struct sg_contact_set *contacts;
    bool staggered; /* the scheme starts with the velocity of the middle of its first step */
    struct sg_diagnostics *diagnostics;
};

/* Puts system->u0 and v0 to a row of the results file that the deck names. The file must have the
 * displacement and the velocity of all dofs, dofs of the same names, and, of contacts that have the same
 * names, the same gaps there. What laws remember of contacts (contacts->memory) is taken from it, too, and a
 * warning tells where it is not there. Faults are findings: SG_BAD_DECK, SG_NO_INPUT if the file can't be
 * opened or is no results file. */
sg_status sg_continued_start(const struct sg_continued_spec *spec, struct sg_error *err);

#endif
