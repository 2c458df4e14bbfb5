/* The contact set: gaps as affine functions of the coordinates, and the law of each contact.
 *
 *     g_j = offset_j + w_j^T u,   g > 0 open,   reactions R_j >= 0 push the gap open. */
#ifndef SG_CONTACT_CONTACT_SET_H
#define SG_CONTACT_CONTACT_SET_H

#include <stdbool.h>
#include <stddef.h>

#include "deck/deck.h"
#include "linalg/columns.h"
#include "model/system.h"
#include "results/quantity.h"
#include "support/status.h"

struct sg_contact_set {
    size_t q;
    struct sg_columns w; /* n x q */
    double *offset;      /* q, m: gap at u = 0 */
    double *stiffness;   /* q, N/m; HUGE_VAL where the deck gives none (rigid) */
    double *restitution; /* q, 1 */
    bool *elastic;       /* q: a stiffness was given */
    char **names;        /* q */
    size_t name_count;   /* names allocated so far */
};

extern const struct sg_kind_set sg_contact_kinds;

/* Builds the set from the deck's `contacts`. Unknown nodes, moving nodes, overlap at the start and
 * missing or contradictory keywords are findings; SG_BAD_DECK if there is one: then `*set` is NULL, or
 * good for nothing but its size and names; destroy it in any case. Of a faulty system the start is not
 * judged. */
sg_status sg_contact_set_create(const struct sg_deck *deck, const struct sg_system *system,
                                struct sg_contact_set **set, struct sg_diagnostics *diagnostics,
                                struct sg_error *err);
void sg_contact_set_destroy(struct sg_contact_set *set);

/* to the coordinates of sg_system_to_modal */
sg_status sg_contact_set_to_modal(struct sg_contact_set *set, const struct sg_modal *modal,
                                  struct sg_error *err);

/* gaps and gap velocities of a state: q each */
void sg_contact_set_gaps(const struct sg_contact_set *set, const double *u, const double *v, double *gap,
                         double *rate);

/* gap, contact_force, active */
void sg_contact_set_register(const struct sg_contact_set *set, struct sg_quantities *list);

#endif
