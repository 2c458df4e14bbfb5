/* The recorder: an observer that samples the quantities chosen by the deck and streams them to HDF5.
 *
 * Samples are at exact multiples of `every` (0: every step), at the initial state, at each localized
 * event if `events`, and at the end. Times strictly increase: of two samples at one time (a rigid
 * impact at a sample time) the later state, after the impact, is kept. */
#ifndef SG_RESULTS_RECORDER_H
#define SG_RESULTS_RECORDER_H

#include <stdbool.h>
#include <stddef.h>

#include "results/observer.h"
#include "results/quantity.h"
#include "support/archive.h"
#include "support/status.h"

/* Labels of the model, for /model. All borrowed until the recorder is destroyed. */
struct sg_model_labels {
    size_t dof_count, node_count, element_count, contact_count, dim;
    const char *const *dof_names;     /* dof_count */
    const char *const *contact_names; /* contact_count */
    const char *const *body_names;    /* body_count */
    size_t body_count;
    const double *node_positions; /* node_count x dim, row-major, m */
    const int *node_bodies;       /* node_count: index of the body */
    const int *element_nodes;     /* element_count x 2, row-major: indices into nodes */
};

struct sg_summary {
    long long steps, events, solves, factorizations, newton_iterations, rejected_steps;
    double max_penetration; /* m, the largest -gap seen */
    double energy_drift;    /* 1: max |numerical| over max |total| */
    double wall_seconds;
};

struct sg_recorder_spec {
    const char *path; /* final name; ".part" is added while running */
    const char *title;
    const char *deck_source, *deck_resolved;
    const char *deck_sha256; /* hex */
    const char *version, *commit;
    double every;             /* s */
    double end;               /* s */
    bool events;              /* a sample at each localized event */
    const char *const *names; /* histories or groups asked for; NULL: the default set */
    size_t name_count;
    const struct sg_quantities *quantities;
    const struct sg_model_labels *labels;
    bool impulses;          /* record contact_impulse: differences of snapshot->impulse */
    const char *staggering; /* NULL, or the text of the attribute `staggering` of velocity, energy */
    bool resume;
};

struct sg_recorder;

/* Takes the lock (SG_NO_OUTPUT if another run holds it), creates PATH.part with all datasets and
 * attributes, starts SWMR. With spec->resume it reopens PATH.part to go on from the archived rows.
 * SG_BAD_DECK for a name in `names` that is no quantity (the message lists those that are). */
sg_status sg_recorder_create(const struct sg_recorder_spec *spec, struct sg_recorder **recorder,
                             struct sg_error *err);

/* the observer to hand to the analysis; valid until destroy */
struct sg_observer sg_recorder_observer(struct sg_recorder *recorder);

/* Flushes whole and partial chunks and fsyncs: everything sampled so far is safe. */
sg_status sg_recorder_flush(struct sg_recorder *recorder, struct sg_error *err);

/* The recorder's own memory (row counts, next sample index, event count, last impulses). */
void sg_recorder_archive(struct sg_recorder *recorder, struct sg_archive *archive);

/* Sets status ("complete", "interrupted", "failed") and /summary, closes; renames to the final name
 * (fsync of file and folder) if complete. The lock file is removed. */
sg_status sg_recorder_finish(struct sg_recorder *recorder, const char *status,
                             const struct sg_summary *summary, struct sg_error *err);

/* frees; a recorder that was not finished leaves its ".part" with status "running" */
void sg_recorder_destroy(struct sg_recorder *recorder);

/* largest |numerical| energy over largest |total| seen so far, and rows written */
double sg_recorder_energy_drift(const struct sg_recorder *recorder);
size_t sg_recorder_rows(const struct sg_recorder *recorder);

/* bytes that the file will have, from widths and the predicted number of rows; for `check` */
double sg_recorder_predict_bytes(const struct sg_recorder_spec *spec);

#endif
