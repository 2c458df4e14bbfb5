/* A side file of names, one a line: what the nodes of a body are called where the deck names one. */
#ifndef SG_FORMATS_NAME_LIST_H
#define SG_FORMATS_NAME_LIST_H

#include <stddef.h>

#include "formats/table.h"
#include "support/status.h"

/* The arena's of its source. */
struct sg_name_list {
    size_t count;
    char *text;         /* the file, cut into names */
    const char **names; /* count, by line */
};

/* The side file of a keyword, at most 256 MiB: `count` lines, each a name or "-" for none (NULL then); blank
 * lines and '#' comments are skipped. Names have no blanks and no dots, are no numbers, neither "left" nor
 * "right", not longer than SG_NAME_LIMIT, and each there once. SG_BAD_DECK with a finding that names the
 * line, SG_NO_INPUT (a finding, too). */
sg_status sg_name_list_read(const struct sg_table_source *source, size_t count, struct sg_name_list *list,
                            struct sg_diagnostics *diagnostics, struct sg_error *err);

#endif
