/* What each contact did over a whole run: the range of its gap, its poundings, the largest force, the
 * impulse. The table /contacts of a results file. */
#ifndef SG_CONTACT_TOTALS_H
#define SG_CONTACT_TOTALS_H

#include <stdbool.h>
#include <stddef.h>

#include "results/totals.h"
#include "support/arena.h"
#include "support/status.h"

struct sg_contact_totals_spec {
    size_t count;           /* of contacts */
    const bool *force_only; /* contacts whose snapshots tell a force and no impulse; NULL: none */
    bool all_force_only;    /* all of them do */
    bool
        all_have_force; /* all contacts have a law of force, whether impulses are told or not; the force of
                           others that are not `force_only` is impulse by step, whose largest means nothing */
};

/* Totals of a run's contacts, from the arena, for the recorder; none where there are no contacts. */
sg_status sg_contact_totals_create(struct sg_arena *arena, const struct sg_contact_totals_spec *spec,
                                   struct sg_totals *totals, struct sg_error *err);

#endif
