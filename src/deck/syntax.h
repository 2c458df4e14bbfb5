/* The grammar of a deck, checked before libconfig parses it: for messages that name what was found and
 * what is wanted, and for what libconfig takes silently wrong (integers beyond 32 bits). */
#ifndef SG_DECK_SYNTAX_H
#define SG_DECK_SYNTAX_H

#include <stdbool.h>
#include <stddef.h>

#include "deck/diagnostics.h"
#include "deck/prescan.h"
#include "support/status.h"

/* The scalars of the text in their order; neighbouring pieces of text are one. */
struct sg_scalar {
    size_t line;
    char *fault; /* NULL, or why the number can't be taken; owned */
    char *hint;
};

/* Zero-initialise; release with sg_scalars_release. */
struct sg_scalars {
    struct sg_scalar *items;
    size_t count, capacity;
};

void sg_scalars_release(struct sg_scalars *scalars);

/* The first fault is a finding and gives SG_BAD_DECK. `single`: the text is one assignment and must
 * end after its value. */
sg_status sg_syntax_check(const struct sg_source *source, bool single, struct sg_scalars *scalars,
                          struct sg_diagnostics *diagnostics, struct sg_error *err);

#endif
