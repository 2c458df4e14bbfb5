/* From a deck file and its --set to a validated deck, with everything that is wrong told on stderr. */
#ifndef SG_COMMANDS_LOAD_H
#define SG_COMMANDS_LOAD_H

#include "deck/deck.h"
#include "support/status.h"
#include "support/text.h"

struct sg_overrides {
    const char **items; /* PATH=VALUE */
    size_t count;
};

/* Reads and overrides, without validation. */
sg_status sg_read_deck(const char *path, const struct sg_overrides *overrides, struct sg_deck **deck,
                       struct sg_diagnostics *diagnostics, struct sg_error *err);

/* Reads, overrides and validates (what is left, if a --set is wrong); findings are added to `diagnostics`
 * and not printed yet. */
sg_status sg_load_deck(const char *path, const struct sg_overrides *overrides, struct sg_deck **deck,
                       struct sg_diagnostics *diagnostics, struct sg_error *err);

/* Prints a text to standard output; SG_NO_MEMORY, and nothing printed, where a part of it was lost. */
sg_status sg_print(const struct sg_text *text, struct sg_error *err);

/* Prints the findings to stderr, in the order of lines; the error's text is emptied where they have told it
 * already. Returns `status`. */
sg_status sg_report(struct sg_diagnostics *diagnostics, sg_status status, struct sg_error *err);

/* The values of --set among the arguments; the items are borrowed, release frees the list. */
struct sg_arguments;
sg_status sg_overrides_init(struct sg_overrides *overrides, const struct sg_arguments *arguments,
                            struct sg_error *err);
void sg_overrides_release(struct sg_overrides *overrides);

#endif
