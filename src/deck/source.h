/* A deck's bytes as words with their places, and as one text with its includes put in: what is read of files
 * before libconfig sees anything. */
#ifndef SG_DECK_SOURCE_H
#define SG_DECK_SOURCE_H

#include <stddef.h>

#include "deck/diagnostics.h"
#include "deck/scan.h"
#include "support/arena.h"
#include "support/status.h"
#include "support/text.h"

/* Zero-initialise; release with sg_source_release. */
struct sg_source {
    struct sg_text text; /* ends with a newline */
    char **files;        /* names as messages show them; files[0] is the deck */
    size_t file_count, file_capacity;
    struct sg_token *tokens; /* of all files in the order of the text, whose bytes they point to; the last is
                                SG_TOKEN_END */
    size_t count, capacity;
    struct sg_arena arena; /* has files and tokens */
};

/* Reads a regular file and what it includes: relative to the including file, below the deck's folder.
 * Every fault of encoding, of the words and of includes is a finding (SG_BAD_DECK). SG_NO_INPUT when
 * the deck itself can't be read. */
sg_status sg_source_read_file(const char *path, struct sg_source *source, struct sg_diagnostics *diagnostics,
                              struct sg_error *err);

/* Same from memory; includes are refused. */
sg_status sg_source_read_text(const char *text, size_t length, const char *name, struct sg_source *source,
                              struct sg_diagnostics *diagnostics, struct sg_error *err);

void sg_source_release(struct sg_source *source);

/* An error at the line of a token; the hint, if any, is given apart by sg_hint. */
void sg_source_complain(const struct sg_source *source, const struct sg_token *token,
                        struct sg_diagnostics *diagnostics, const char *message);

#endif
