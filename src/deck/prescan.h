/* A deck's bytes, read and made safe before libconfig sees them: one text with its includes put in,
 * and the way back from its lines to the files. */
#ifndef SG_DECK_PRESCAN_H
#define SG_DECK_PRESCAN_H

#include <stdbool.h>
#include <stddef.h>

#include "deck/diagnostics.h"
#include "support/status.h"
#include "support/text.h"

/* From line `first` of the text on, lines are those of `file` from `line` on. */
struct sg_source_segment {
    size_t first, file, line;
};

/* Zero-initialise; release with sg_source_release. */
struct sg_source {
    struct sg_text text; /* ends with a newline */
    char **files;        /* names as messages show them; files[0] is the deck */
    size_t file_count, file_capacity;
    struct sg_source_segment *segments; /* ascending in `first` */
    size_t segment_count, segment_capacity;
};

/* Reads a regular file and what it includes: relative to the including file, below the deck's folder.
 * Every fault of encoding, of the tokens and of includes is a finding (SG_BAD_DECK). SG_NO_INPUT when
 * the deck itself can't be read. */
sg_status sg_source_read_file(const char *path, struct sg_source *source, struct sg_diagnostics *diagnostics,
                              struct sg_error *err);

/* Same from memory; includes are refused. */
sg_status sg_source_read_text(const char *text, size_t length, const char *name, struct sg_source *source,
                              struct sg_diagnostics *diagnostics, struct sg_error *err);

void sg_source_release(struct sg_source *source);

/* The file and its line that line `line` of the text came from. */
void sg_source_place(const struct sg_source *source, size_t line, const char **file, size_t *file_line);

/* An error at a line of the text; the hint, if any, is given apart by sg_hint. */
void sg_source_complain(const struct sg_source *source, size_t line, struct sg_diagnostics *diagnostics,
                        const char *message);

#endif
