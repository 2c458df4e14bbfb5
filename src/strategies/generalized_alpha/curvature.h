/* Second derivatives of a model's bilateral constraints and of its contacts, for Newton's tangent: rows are
 * numbered bilateral first. Contacts whose kind knows none count as flat: Newton's iterations still end where
 * they should, but in more steps. */
#ifndef SG_STRATEGIES_GENERALIZED_ALPHA_CURVATURE_H
#define SG_STRATEGIES_GENERALIZED_ALPHA_CURVATURE_H

#include "contact/contact_set.h"
#include "linalg/columns.h"
#include "linalg/saddle.h"
#include "model/system.h"
#include "support/arena.h"
#include "support/status.h"

struct sg_curvature {
    const struct sg_system *system;
    const struct sg_contact_set *contacts;
    struct sg_columns rate[2]; /* d(G v + drift)/dq of constraints and contacts, in the patterns of G */
    struct sg_symmetric_entries second; /* of the sum last asked for */
    size_t *row, *column;               /* its places */
    size_t bilateral;                   /* entries of the constraints, which come first */
    size_t *first;                      /* contacts + 1: entries of each contact */
    double *hessians;                   /* second derivatives of the constraints */
    size_t bends;                       /* contacts that bend */
    struct sg_gap_hessian *bent;        /* bends: second derivatives of these, by `slot` */
    size_t *slot;                       /* contacts: SIZE_MAX where the contact never bends */
    unsigned char *known;               /* bends: they are those of the configuration at hand */
    const double *u;                    /* where: borrowed */
};

/* `rows`: G of both at the start (NULL: none), whose patterns never change. All memory is the arena's. */
sg_status sg_curvature_init(struct sg_arena *arena, struct sg_curvature *self, const struct sg_system *system,
                            const struct sg_contact_set *contacts, const struct sg_columns *const rows[2],
                            struct sg_error *err);

/* Takes the configuration u (n) at t, which stays as it is until the next update. It comes before the rest.
 */
void sg_curvature_update(struct sg_curvature *self, double t, const double *u);
/* Fills `rate` of the constraints, and of the contacts where they are wanted. */
void sg_curvature_rates(struct sg_curvature *self, double t, const double *v, bool contacts);
/* Fills `second` with the sum over rows of multiplier d2g/du2. */
void sg_curvature_sum(struct sg_curvature *self, const double *multiplier);

#endif
