/* libconfig's part: the only file of the project that includes libconfig.h is parse.c. */
#ifndef SG_DECK_PARSE_H
#define SG_DECK_PARSE_H

#include "deck/diagnostics.h"
#include "deck/source.h"
#include "deck/tree.h"
#include "support/status.h"

struct sg_parser {
    const struct sg_source *source;
    struct sg_arena *arena; /* takes the settings */
    struct sg_diagnostics *diagnostics;
    struct sg_error *err;
};

/* The tree of a source that was read without findings. `single` as in sg_syntax_check. The settings borrow
 * the names of the source's files. `*root` is NULL unless SG_OK. */
sg_status sg_parse(const struct sg_parser *parser, bool single, struct sg_setting **root);

/* One deck value from memory ("0.5", "[1.0, 2.0]", "{ type = \"bar\"; }"), given by nobody yet. The first
 * finding's words are in `fault` (SG_BAD_DECK). */
sg_status sg_parse_value(const char *value, struct sg_arena *arena, struct sg_setting **setting,
                         struct sg_text *fault, struct sg_error *err);

#endif
