/* The results file while it is written: layout, SWMR, lock, and the way to its final name. Included
 * within results/ only.
 *
 * Everything variable-length or growing in number exists before SWMR starts; afterwards only rows are
 * appended and fixed-size attributes set, through objects that stay open to the end. */
#ifndef SG_RESULTS_WRITER_H
#define SG_RESULTS_WRITER_H

#include "results/audit.h"
#include "results/hdf.h"
#include "results/record.h"
#include "results/stream.h"
#include "results/summary.h"
#include "support/arena.h"

enum sg_event_column {
    SG_EVENT_TIME,
    SG_EVENT_CONTACT,
    SG_EVENT_KIND,
    SG_EVENT_GAP,
    SG_EVENT_GAP_VELOCITY,
    SG_EVENT_ITERATIONS,
    SG_EVENT_COLUMNS
};

struct sg_writer {
    struct sg_arena *arena;
    char *path, *part, *lock_path;
    int lock; /* -1: not held */
    hid_t file, root, summary;
    hid_t audit;                                    /* the table of findings */
    struct sg_stream_table history, events, points; /* points: no columns where the analysis has none */
    struct sg_stream_table totals;                  /* of the whole run; no columns where there are none */
    long long reserved;                             /* bytes that the disk has promised */
    bool broken; /* a write failed: the file stays as the last flush left it, nothing touches it again */
};

/* Columns of the tables; each list ends with a row without name. */
struct sg_writer_columns {
    const struct sg_stream_spec *history, *points; /* points NULL: none */
};

/* Creates (or reopens, run->resume) the file; memory is the arena's. Release on failure too, before the
 * arena. */
sg_status sg_writer_init(struct sg_arena *arena, struct sg_writer *writer, const struct sg_recorder_spec *run,
                         const struct sg_writer_columns *columns, struct sg_error *err);

/* sg_stream_table_open_row for one of the writer's tables */
sg_status sg_writer_open_row(struct sg_writer *writer, struct sg_stream_table *table, struct sg_error *err);

/* writes all rows and flushes; with `sync` until they are on the disk */
sg_status sg_writer_flush(struct sg_writer *writer, bool sync, struct sg_error *err);

/* writes the table of findings anew */
sg_status sg_writer_put_audit(struct sg_writer *writer, const struct sg_audit_list *list,
                              struct sg_error *err);

/* Sets status and summary, closes; if `complete`, publishes under the final name and removes the checkpoints;
 * drops the lock. */
sg_status sg_writer_finish(struct sg_writer *writer, const char *status, const struct sg_summary *summary,
                           struct sg_error *err);

/* does what sg_recorder_tidy promises */
void sg_writer_tidy(const char *path);

/* closes and frees; what was not flushed may be lost */
void sg_writer_release(struct sg_writer *writer);

#endif
