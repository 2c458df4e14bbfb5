/* A function given by points, straight between them: time tables, initial shapes. */
#ifndef SG_FORMATS_TABLE_H
#define SG_FORMATS_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "deck/deck.h"
#include "support/status.h"

enum { SG_TABLE_LIMIT = 256 << 20 /* bytes of a file */ };

struct sg_arena;

struct sg_table {
    size_t count;  /* at least 1 */
    double *x, *y; /* count; x strictly increasing, all finite */
};

/* The side file that keyword `keyword` of `group` names: two numbers a line, apart by blanks, tabs,
 * commas or semicolons; empty lines and what follows a '#' or '%' are skipped. At most 256 MiB.
 * SG_NO_INPUT (a finding, too) if it can't be opened; SG_BAD_DECK with a finding that names the line. */
struct sg_table_source {
    const struct sg_deck *deck;
    const struct sg_setting *group;
    const char *keyword, *file;
    struct sg_arena *arena; /* of what is read */
};
sg_status sg_table_read(const struct sg_table_source *source, struct sg_table *table,
                        struct sg_diagnostics *diagnostics, struct sg_error *err);

/* The text of such a file, of at most `limit` bytes, NUL-terminated; free with sg_free. Faults as above. */
sg_status sg_table_text(const struct sg_table_source *source, size_t limit, char **text, size_t *length,
                        struct sg_diagnostics *diagnostics, struct sg_error *err);

/* Reads points out of such a text, which it changes: two columns as above or, with `dt` > 0 (s), one, at the
 * times 0, dt, 2 dt ... Faults as of sg_table_read. */
struct sg_table_lines {
    char *text; /* NUL-terminated behind its `length` bytes */
    size_t length;
    double dt; /* 0: two columns */
};
sg_status sg_table_parse(const struct sg_table_source *source, const struct sg_table_lines *lines,
                         struct sg_table *table, struct sg_diagnostics *diagnostics, struct sg_error *err);

/* room for `count` points, all zero */
sg_status sg_table_allocate(struct sg_arena *arena, struct sg_table *table, size_t count,
                            struct sg_error *err);

/* copies points; does not judge them */
sg_status sg_table_init(struct sg_arena *arena, struct sg_table *table, size_t count, const double *x,
                        const double *y, struct sg_error *err);

/* index of the first point whose x is not above its predecessor's, or count if all rise */
size_t sg_table_disorder(const struct sg_table *table);

/* number of points with x[k] <= at: the piece that holds `at` starts at k - 1 */
size_t sg_table_piece(const struct sg_table *table, double at);

/* linear between points, constant beyond the ends */
double sg_table_value(const struct sg_table *table, double at);

#endif
