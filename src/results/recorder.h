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
#include "results/record.h"
#include "results/summary.h"
#include "support/archive.h"
#include "support/status.h"

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
/* poundings, peak_force and peak_impulse of all contacts so far */
void sg_recorder_summarize(const struct sg_recorder *recorder, struct sg_summary *summary);
/* what the audit found; empty before the end, and of runs without one */
const struct sg_audit_list *sg_recorder_audit(const struct sg_recorder *recorder);
/* rows written */
size_t sg_recorder_rows(const struct sg_recorder *recorder);

#endif
