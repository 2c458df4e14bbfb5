/* Which histories an export writes, and their rows: those of the file, and those that its displacements give.
 */
#ifndef SG_EXPORTING_SOURCE_H
#define SG_EXPORTING_SOURCE_H

#include <stdbool.h>
#include <stddef.h>

#include "exporting/recompute.h"
#include "results/reader.h"
#include "support/status.h"

struct sg_export_source {
    struct sg_arena *arena;
    const struct sg_reader *reader;  /* borrowed */
    bool chosen;                     /* by name: nothing else is wanted */
    const struct sg_series **series; /* of /history without its scale, in the order of their names */
    size_t count;
    /* series that are computed from others: */
    bool built;
    struct sg_recomputed recomputed;
    struct sg_diagnostics findings; /* about the deck in the file, for the user */
    struct sg_series *computed;
    const struct sg_quantity **quantity; /* of each */
    size_t computed_count;
};

/* `fields`: names of histories, commas between; NULL: all of the file. SG_USAGE, with what there is, where a
 * history is not in the file and can't be computed. `path` is the file's. `source` has to stay where it is
 * while the arena lives. */
sg_status sg_export_source_init(struct sg_arena *arena, struct sg_export_source *source,
                                const struct sg_reader *reader, const char *path, const char *fields,
                                struct sg_error *err);

/* as sg_reader_rows, of any series of the file or of the source */
sg_status sg_export_source_rows(const struct sg_export_source *source, const struct sg_series *series,
                                size_t first, size_t count, double *out, struct sg_error *err);

#endif
