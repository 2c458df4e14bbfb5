/* What a study keeps of each run: one number of its results file. */
#ifndef SG_STUDIES_KEEP_H
#define SG_STUDIES_KEEP_H

#include "deck/deck.h"
#include "results/reader.h"
#include "support/arena.h"
#include "support/status.h"

struct sg_keep {
    char *name; /* its column of the table */
    const struct sg_setting *node;
};

extern const struct sg_kind_set sg_keep_kinds;

/* Faults are findings (SG_BAD_DECK). `node` NULL: the summary's attribute `name`. */
sg_status sg_keep_init(struct sg_arena *arena, struct sg_keep *keep, const struct sg_setting *node,
                       const char *name, struct sg_diagnostics *diagnostics, struct sg_error *err);

/* NaN where there is nothing to be taken from (no row in the window). SG_BAD_DECK if the results don't have
 * what is asked for. */
sg_status sg_keep_take(const struct sg_keep *keep, const struct sg_reader *reader, double *value,
                       struct sg_error *err);

/* "m"; "1" where it is a pure number */
const char *sg_keep_unit(const struct sg_keep *keep, const struct sg_reader *reader);

/* "the largest of history gap", for the table */
void sg_keep_describe(const struct sg_keep *keep, struct sg_text *text);

#endif
