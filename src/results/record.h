/* Describes what a results file is to hold of its run: labels of the model, histories, points, arrays. */
#ifndef SG_RESULTS_RECORD_H
#define SG_RESULTS_RECORD_H

#include <stdbool.h>
#include <stddef.h>

#include "results/audit.h"
#include "results/quantity.h"
#include "results/totals.h"

/* Labels of the model, for /model. All borrowed until the recorder is destroyed. */
struct sg_model_labels {
    size_t dof_count, node_count, element_count, contact_count, dim;
    const char *const *dof_names;     /* dof_count */
    const int *dof_nodes;             /* dof_count: node of each dof, ascending */
    const char *const *contact_names; /* contact_count */
    const char *const *body_names;    /* body_count */
    size_t body_count;
    const char *const *constraint_names; /* constraint_count: rows of bilateral constraints */
    size_t constraint_count;
    const char *const *storey_names; /* storey_count; none: not in the file */
    const double *storey_heights;    /* storey_count, m */
    size_t storey_count;
    const double *node_positions; /* node_count x dim, row-major, m */
    const int *node_bodies;       /* node_count: index of the body */
    size_t element_width;         /* the most nodes that an element has, at least 2 */
    const int *element_nodes;     /* element_count x element_width, row-major: indices into nodes, then -1 */
    const signed char *element_shapes; /* element_count: enum sg_element_shape */
    const char *mass_note; /* how the mass differs from the deck's: root attribute `mass`; NULL: it
                              does not */
};

/* A column of what the observer's `point` takes: dataset /points/NAME, of rank 2 where it is wide. */
struct sg_point_column {
    const char *name, *unit, *description;
    size_t width; /* values of a point; 0: one, and rank 1 */
};
/* values that a point has in all columns together */
size_t sg_point_width(const struct sg_point_column *columns, size_t count);

/* An array that is known at the start and written at once: datasets GROUP/NAME of numbers or, `values` NULL,
 * texts. */
struct sg_recorder_array {
    const char *name, *unit, *description;
    const double *values;
    const char *const *texts;
};
struct sg_recorder_arrays {
    const char *group; /* NULL: none */
    const struct sg_recorder_array *items;
    size_t count;  /* of items */
    size_t length; /* of each */
};

struct sg_recorder_spec {
    const char *path; /* final name; ".part" is added while running */
    const char *title;
    const char *deck_source, *deck_resolved;
    const char *deck_sha256;     /* hex, of the source */
    const char *resolved_sha256; /* hex, of the resolved deck and its side files: what --resume compares */
    const char *version, *commit;
    double every;             /* s */
    double end;               /* s */
    bool events;              /* a sample at each localized event */
    const char *const *names; /* histories or groups asked for; NULL: the default set */
    size_t name_count;
    const struct sg_quantities *quantities;
    const struct sg_model_labels *labels;
    bool impulses;           /* record contact_impulse: differences of snapshot->impulse */
    struct sg_totals totals; /* over all steps, for a table of their own; none of an analysis of points */
    struct sg_audit audit;   /* who judges the run, for /summary/audit; none of an analysis of points */
    const char *staggering;  /* NULL, or the text of the attribute `staggering` of velocity, energy */
    bool resume;
    const struct sg_point_column *point_columns; /* of the analysis, borrowed until destroy; NULL: none */
    size_t point_column_count;                   /* each call of `point` brings their values, side by side */
    struct sg_recorder_arrays arrays;
};

#endif
