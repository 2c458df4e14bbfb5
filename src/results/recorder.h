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

struct sg_summary {
    long long steps, events, solves, factorizations, newton_iterations, rejected_steps;
    long long newton_most;        /* Newton iterations of the step that took most */
    long long contact_iterations; /* of the contacts' local problems, in all */
    double contact_residual;      /* the largest that one of them was left with, in its units (m/s or m) */
    double contact_share;         /* 1, not recorded: the largest relative to what contacts were to take up */
    double max_penetration;       /* m, the largest -gap seen */
    double residual_error;        /* the integral of the residual estimator, where it was asked for */
    long long update_nonphysical; /* dofs that the update stopped, their kinetic energy being negative */
    double energy_drift;          /* 1: max |numerical| over max |total| */
    double end_time;              /* s, where the run ended: time.end, or earlier by time.stop */
    long long modes_cached;       /* 1: the modal basis was not computed but read back */
    double modes_seconds;         /* s, that making or reading the modal basis took */
    double wall_seconds;
    long long poundings; /* closings and impacts of all contacts; this and the next two from the recorder */
    double peak_force;   /* N, the largest of a contact; NaN if none has a law of force */
    double peak_impulse; /* N s, the largest of a contact's phase */
    bool stopped;        /* by time.stop; not an attribute */
};

/* The attributes of /summary by name; unit NULL, value NaN where there is none of the name. */
size_t sg_summary_count(void);
const char *sg_summary_name(size_t i);
const char *sg_summary_unit(const char *name);
/* why an attribute may be NaN, and what there is instead; NULL: it is never */
const char *sg_summary_absence(const char *name);
double sg_summary_value(const struct sg_summary *summary, const char *name);

/* A column of what the observer's `point` takes: dataset /points/NAME, of rank 2 where it is wide. */
struct sg_point_column {
    const char *name, *unit, *description;
    size_t width; /* values of a point; 0: one, and rank 1 */
};
/* values that a point has in all columns together */
size_t sg_point_width(const struct sg_point_column *columns, size_t count);

/* What is known at the start and written at once: datasets GROUP/NAME of numbers or, `values` NULL, texts. */
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
    bool impulses;          /* record contact_impulse: differences of snapshot->impulse */
    const bool *sprung;     /* contacts whose snapshots tell a force and no impulse; NULL: none */
    bool all_sprung;        /* all of them are */
    bool springs;           /* all contacts have a law of force, whether impulses are told or not; of others
                               that are not sprung the force is impulse by step, whose largest means nothing */
    const char *staggering; /* NULL, or the text of the attribute `staggering` of velocity, energy */
    bool resume;
    const struct sg_point_column *point_columns; /* of the analysis, borrowed until destroy; NULL: none */
    size_t point_column_count;                   /* each call of `point` brings their values, side by side */
    struct sg_recorder_arrays arrays;
};

struct sg_recorder;

/* Takes the lock (SG_NO_OUTPUT if another run holds it), creates PATH.part with all datasets and
 * attributes, starts SWMR. With spec->resume it reopens PATH.part (SG_NO_INPUT if there is none); load
 * the archive before the first step then: the rows after the archived ones are written anew.
 * SG_BAD_DECK for a name in `names` that is no quantity (the message lists those that are). HDF5 stops
 * printing its own errors in this process. */
sg_status sg_recorder_create(const struct sg_recorder_spec *spec, struct sg_recorder **recorder,
                             struct sg_error *err);

/* the observer to hand to the analysis; valid until destroy */
struct sg_observer sg_recorder_observer(struct sg_recorder *recorder);

/* Flushes whole and partial chunks: everything sampled so far outlives the process, and a power cut where
 * `sync` asks for fsync. */
sg_status sg_recorder_flush(struct sg_recorder *recorder, bool sync, struct sg_error *err);

/* The recorder's own memory (row counts, next sample index, event count, last impulses). Save after a
 * flush: rows not yet in the file can't be resumed. If the file holds fewer rows than a loaded archive
 * says, the next call of the observer, of flush or of finish fails with SG_INTERNAL. */
void sg_recorder_archive(struct sg_recorder *recorder, struct sg_archive *archive);

/* Sets status ("complete", "interrupted", "failed") and /summary, with poundings and peaks of its own,
 * writes /contacts, closes; renames to the final name (fsync of file and folder) if complete, and removes the
 * checkpoints. The lock file is removed. */
sg_status sg_recorder_finish(struct sg_recorder *recorder, const char *status,
                             const struct sg_summary *summary, struct sg_error *err);

/* Removes checkpoints and lock that a run left which died after its output had taken its final name, unless
 * another run holds the lock. `path` as in the spec. */
void sg_recorder_tidy(const char *path);

/* frees; a recorder that was not finished leaves its ".part" with status "running" */
void sg_recorder_destroy(struct sg_recorder *recorder);

/* Largest |numerical| energy so far, over the largest |total|, which may be near 0 always. */
double sg_recorder_energy_drift(const struct sg_recorder *recorder);
/* Largest positive `numerical` energy, which the scheme made from nothing, over the largest |total| or
 * kinetic energy; 0 if it is no more than `grain` (J), which is rounding. */
double sg_recorder_energy_made(const struct sg_recorder *recorder, double grain);
/* poundings, peak_force and peak_impulse of all contacts so far */
void sg_recorder_summarize(const struct sg_recorder *recorder, struct sg_summary *summary);
/* rows written */
size_t sg_recorder_rows(const struct sg_recorder *recorder);

/* Bytes that the file will have, from widths and the predicted number of rows; for `check`. The rows are
 * end / every: where `every` is 0, set it to the step. Names that are no quantity are passed over. */
double sg_recorder_predict_bytes(const struct sg_recorder_spec *spec);

#endif
