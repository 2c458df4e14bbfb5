/* How the words of a deck stand together is libconfig's to judge. It is given them one a line, each spelled
 * so that all its versions read the same; so the line of its verdict is the number of a word. What is left
 * here: what must not come to libconfig, and words for what it refuses. */
#ifndef SG_DECK_SYNTAX_H
#define SG_DECK_SYNTAX_H

#include <stdbool.h>
#include <stddef.h>

#include "deck/diagnostics.h"
#include "deck/source.h"
#include "support/status.h"

/* The bounds that libconfig lacks (SG_BAD_DECK at once), and what only some of its versions refuse: a ','
 * before a bracket that closes, arrays of mixed types. `*first` is the token of the first such fault
 * (SIZE_MAX: none); all are findings. `single`: the text is one assignment and must end after its value. */
sg_status sg_syntax_check(const struct sg_source *source, bool single, size_t *first,
                          struct sg_diagnostics *diagnostics);

/* The words for libconfig, one a line. */
void sg_syntax_spell(const struct sg_source *source, struct sg_text *text);

/* true if libconfig reads the integer as it is written; else it would be wrapped or clipped, and 0 is spelled
 */
bool sg_syntax_integer(const struct sg_source *source, const struct sg_token *token, long long *value);

/* A finding: why token `at` can't follow those before it. */
void sg_syntax_explain(const struct sg_source *source, size_t at, struct sg_diagnostics *diagnostics);

#endif
