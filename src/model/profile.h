/* Positive functions along a body: area, modulus, density. A plain number, or a group `type = "..."` of
 * sg_profile_kinds. Each is made of pieces of degree 2 at most, so that integrals over elements, split where
 * a piece ends, are exact. */
#ifndef SG_MODEL_PROFILE_H
#define SG_MODEL_PROFILE_H

#include <stdbool.h>
#include <stddef.h>

#include "deck/deck.h"
#include "support/arena.h"
#include "support/status.h"

/* from `start` on: c[0] + c[1] d + c[2] d^2, d = s - start */
struct sg_profile_piece {
    double start; /* m from node 0 */
    double c[3];
};

struct sg_profile {
    size_t count, capacity;
    struct sg_profile_piece *pieces; /* starts rise from 0 */
};

struct sg_profile_source {
    struct sg_arena *arena; /* of the pieces */
    const struct sg_deck *deck;
    const struct sg_setting *body; /* its group */
    const char *keyword;
    double number; /* what the keyword's row gave; NaN: a group */
    double length; /* m: the profile is one of [0, length] */
    struct sg_diagnostics *diagnostics;
    struct sg_error *err;
};

struct sg_profile_ops {
    struct sg_kind kind; /* first member */
    /* adds pieces; SG_BAD_DECK with findings, SG_NO_INPUT (a finding too) if a file can't be opened */
    sg_status (*create)(const struct sg_profile_source *source, const struct sg_setting *node,
                        struct sg_profile *profile);
};

extern const struct sg_kind_set sg_profile_kinds;

/* The profile that the body's keyword gives. SG_BAD_DECK, with a finding, also where it is not positive. */
sg_status sg_profile_init(const struct sg_profile_source *source, struct sg_profile *profile);

/* a piece behind those that are there */
sg_status sg_profile_add(const struct sg_profile_source *source, struct sg_profile *profile,
                         const struct sg_profile_piece *piece);

double sg_profile_value(const struct sg_profile *profile, double s);
double sg_profile_slope(const struct sg_profile *profile, double s); /* from the right */

/* the first start of a piece after s; HUGE_VAL: none */
double sg_profile_next(const struct sg_profile *profile, double s);

/* one and the same value everywhere */
bool sg_profile_is_constant(const struct sg_profile *profile);

#endif
