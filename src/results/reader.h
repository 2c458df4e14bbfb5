/* A results file read back: for compare, plot and export, and for tests. Nothing of HDF5 shows.
 *
 * Complete files, files of a run that goes on, and files that a killed run left (".part") open alike. */
#ifndef SG_RESULTS_READER_H
#define SG_RESULTS_READER_H

#include <stdbool.h>
#include <stddef.h>

#include "results/observer.h"
#include "results/record.h"
#include "results/summary.h"
#include "support/arena.h"
#include "support/status.h"

struct sg_reader;

enum sg_series_group { SG_SERIES_HISTORY, SG_SERIES_EVENTS, SG_SERIES_POINTS };

/* A dataset whose rows are times, events or points. */
struct sg_series {
    enum sg_series_group group;
    const char *name; /* below the group: "time", "gap", "energy/kinetic" */
    const char *unit, *description;
    size_t rows;
    size_t width;          /* columns; 0: one number a row */
    struct sg_field field; /* where the mesh has it; location NULL: nowhere */
    bool scale; /* what the others of its group are drawn over: time, or an analysis' first column */
};

/* The mesh of /model, as sg_model_labels describes it. */
struct sg_mesh {
    size_t dim, node_count, element_count, width;
    double *positions; /* node_count x dim, row-major, m */
    int *nodes;        /* element_count x width, row-major, -1 behind the last of an element */
    int *shapes;       /* element_count: enum sg_element_shape */
    size_t *first_dof; /* node_count + 1: columns first_dof[i] .. first_dof[i + 1] - 1 of a history of all
                          dofs are of node i; NULL where the file does not say */
};

/* A list of labels of /model; may be empty. */
struct sg_labels {
    const char *const *items;
    size_t count;
};

/* SG_NO_INPUT: it can't be opened, is no results file, or so damaged that HDF5 breaks on it. `*reader` is
 * NULL unless SG_OK. */
sg_status sg_reader_open(const char *path, struct sg_reader **reader, struct sg_error *err);

/* The same in this process alone: damaged text ends it. See trial.h. */
sg_status sg_reader_open_here(const char *path, struct sg_reader **reader, struct sg_error *err);
void sg_reader_close(struct sg_reader *reader);

/* All series, the scale first in each group, else by name. Rows of one group are equal: after a crash a
 * dataset may hold a few more rows than another, which are hidden. Borrowed until close. */
size_t sg_reader_count(const struct sg_reader *reader);
const struct sg_series *sg_reader_series(const struct sg_reader *reader, size_t index);

/* the scale of a group; NULL if there is none */
const struct sg_series *sg_reader_scale(const struct sg_reader *reader, enum sg_series_group group);

/* NULL if there is none */
const struct sg_series *sg_reader_find(const struct sg_reader *reader, enum sg_series_group group,
                                       const char *name);

/* Rows first .. first + count - 1 as doubles, row-major, count * max(width, 1). */
sg_status sg_reader_rows(const struct sg_reader *reader, const struct sg_series *series, size_t first,
                         size_t count, double *out, struct sg_error *err);

/* a root attribute ("title", "status", "commit" ...), "" if it is missing */
const char *sg_reader_attribute(const struct sg_reader *reader, const char *name);

/* The text of /deck/NAME ("source", "resolved"), SG_NO_INPUT if there is none; free with sg_free. */
sg_status sg_reader_deck(const struct sg_reader *reader, const char *name, char **text, struct sg_error *err);

/* zeros where the file has no summary yet */
void sg_reader_summary(const struct sg_reader *reader, struct sg_summary *summary);

/* one attribute of /summary; NaN if there is none of the name */
double sg_reader_summary_value(const struct sg_reader *reader, const char *name);

/* SG_NO_INPUT if the file has none, or one whose numbers don't fit together. The mesh is the arena's. */
sg_status sg_reader_mesh(struct sg_arena *arena, const struct sg_reader *reader, struct sg_mesh *mesh,
                         struct sg_error *err);

/* "dof_names", "contact_names", "body_names" */
struct sg_labels sg_reader_labels(const struct sg_reader *reader, const char *name);

/* The label of a column: its dof or contact where the width fits, x y z for vectors, else its number;
 * "" for width 0. Cut at `size`. */
void sg_reader_column_label(const struct sg_reader *reader, const struct sg_series *series, size_t column,
                            char *label, size_t size);

/* "close", "open" ... of a number in events/kind, "?" if it is none */
const char *sg_reader_event_kind(double kind);

#endif
