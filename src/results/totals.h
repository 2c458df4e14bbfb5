/* Totals over every step and event of a run, of which the results file holds but some: kept by whoever knows
 * what they mean, saved and restored with the recorder, written as a table of their own when the run ends. */
#ifndef SG_RESULTS_TOTALS_H
#define SG_RESULTS_TOTALS_H

#include <stddef.h>

#include "results/observer.h"
#include "results/summary.h"
#include "support/archive.h"

enum sg_total_type { SG_TOTAL_REAL, SG_TOTAL_INDEX /* int32 */, SG_TOTAL_COUNT /* int64 */ };

/* A column of the table: dataset GROUP/NAME. Lists end with a row without name. */
struct sg_total_column {
    const char *name, *unit, *description;
    enum sg_total_type type;
};

struct sg_totals_ops {
    const char *group;
    const struct sg_total_column *columns;
    size_t (*rows)(const void *self);
    /* the end of a step, or the initial state */
    void (*step)(void *self, const struct sg_snapshot *now);
    void (*event)(void *self, const struct sg_event *event);
    void (*archive)(void *self, struct sg_archive *archive);
    double (*value)(const void *self, size_t row, size_t column);
    /* fills the attributes of /summary that are sums or peaks of the table */
    void (*summarize)(const void *self, struct sg_summary *summary);
};

/* All zeros: none. */
struct sg_totals {
    const struct sg_totals_ops *ops;
    void *self;
};

#endif
