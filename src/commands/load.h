/* From a deck file and its --set to a validated deck, with everything that is wrong told on stderr. */
#ifndef SG_COMMANDS_LOAD_H
#define SG_COMMANDS_LOAD_H

#include "deck/deck.h"
#include "support/status.h"

struct sg_overrides {
    const char *const *items; /* PATH=VALUE */
    size_t count;
};

/* Reads, overrides and validates; findings are added to `diagnostics` and not printed yet. */
sg_status sg_load_deck(const char *path, const struct sg_overrides *overrides, struct sg_deck **deck,
                       struct sg_diagnostics *diagnostics, struct sg_error *err);

/* Prints the findings, and the error itself where it is none of them; returns the exit code. */
int sg_report(const struct sg_diagnostics *diagnostics, sg_status status, const struct sg_error *err);

#endif
