/* What a trial of a benchmark leaves in memory: the columns that its figures name, at every accepted step,
 * and every event; of an analysis of points, the points; of ground motion, the records. */
#ifndef SG_BENCHMARKS_TRACE_H
#define SG_BENCHMARKS_TRACE_H

#include <stdbool.h>
#include <stddef.h>

#include "benchmarks/value.h"
#include "deck/deck.h"
#include "results/observer.h"
#include "results/recorder.h"
#include "results/summary.h"
#include "strategies/step_sizes.h"
#include "support/status.h"

/* Names of columns, each once; borrowed. The list is the arena's. */
struct sg_names {
    const char **items;
    size_t count, capacity;
};
sg_status sg_names_add(struct sg_arena *arena, struct sg_names *names, const char *name,
                       struct sg_error *err);

struct sg_trace {
    const struct sg_names *names; /* borrowed */
    size_t *first;                /* where the columns of each name start in a row */
    size_t width;                 /* numbers in a row: the time, then the columns */
    double *rows;                 /* row 0 is the initial state */
    size_t row_count, row_capacity;
    struct sg_event *events;
    size_t event_count, event_capacity;
    bool timed;                /* the first number of a row is its time: a run */
    struct sg_summary summary; /* the strategy's counts */
    struct sg_step_sizes sizes;
    double seconds;   /* of the time loop, observer included */
    sg_status status; /* of the run: SG_OK, or SG_NO_SOLUTION (then nothing can be measured) */
};

/* "t" or one of the names, as a view; false if there is no such column */
bool sg_trace_column(const struct sg_trace *trace, const char *name, struct sg_value *value);

/* The numbers of a new row, and where the values of the k-th name go; NULL if there is no memory. */
double *sg_trace_add_row(struct sg_trace *trace, struct sg_error *err);
void sg_trace_release(struct sg_trace *trace);

/* Takes the first numbers of the row apart from the columns: `width` of each name, 1 where it is 0. */
sg_status sg_trace_lay_out(struct sg_trace *trace, const size_t *widths, bool timed, struct sg_error *err);

/* Runs a deck that is validated by sg_grammar. `trace->names` says what is kept: SG_BAD_DECK with a message
 * where there is no such column. A run without solution is told by trace->status and `err`; all else by the
 * returned status, too. */
sg_status sg_trace_run(const struct sg_deck *deck, struct sg_trace *trace, struct sg_diagnostics *diagnostics,
                       struct sg_error *err);

/* Makes the records of a deck of ground motion, a row each, of columns `seed`, `fit_mean`, `fit_worst`,
 * `end_velocity` and `end_displacement` (both over their peaks) and `lowest_mean` (of all spectra's mean over
 * the target, from .1 to 2 s). */
sg_status sg_trace_ground_motion(const struct sg_deck *deck, struct sg_trace *trace,
                                 struct sg_diagnostics *diagnostics, struct sg_error *err);

#endif
