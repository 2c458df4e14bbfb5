/* A parameter of a study: deck paths, and the values that they take. */
#ifndef SG_STUDIES_PARAMETER_H
#define SG_STUDIES_PARAMETER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "deck/deck.h"
#include "support/arena.h"
#include "support/status.h"

struct sg_parameter_value {
    double number; /* NaN where the parameter is no number */
    char *word;    /* as `--set PATH=` takes it */
    char *shown;   /* as tables show it */
};

struct sg_parameter {
    const char *name;         /* its column of the table; borrowed from the deck, as all texts here */
    const char *single;       /* where `paths` leads to if it is one path: the struct is not to be moved */
    const char *const *paths; /* path_count: all take the value */
    size_t path_count;
    bool numeric;
    struct sg_parameter_value *values; /* count */
    size_t count;
};

/* What values are made from, beside the parameter's own group. */
struct sg_parameter_site {
    const struct sg_deck *study;
    const char *base; /* path of the base deck */
    size_t samples;   /* of a Latin hypercube; 0: each parameter says its values */
    uint64_t seed;    /* of this parameter */
};

extern const struct sg_kind_set sg_parameter_kinds;

/* Faults are findings (SG_BAD_DECK). With samples the range is cut into as many parts of
 * equal probability; each part gives one value, in an order by chance (McKay, Beckman, Conover 1979). */
sg_status sg_parameter_init(struct sg_arena *arena, struct sg_parameter *parameter,
                            const struct sg_setting *node, const struct sg_parameter_site *site,
                            struct sg_diagnostics *diagnostics, struct sg_error *err);

#endif
