/* The cases of a study at work: each is a run in a process of its own, whose results, log and state are files
 * of the study's folder, so that tasks on many machines need nothing else in common.
 *
 *     sweep.c         names of files, decks of cases, counts
 *     sweep_folder.c  the folder, its lock, and what its results were made of
 *     sweep_case.c    one case, in its process
 *     sweep_run.c     all cases
 *     sweep_table.c   the table of what came out
 *     sweep_slurm.c   a job array of a cluster instead */
#ifndef SG_STUDIES_SWEEP_H
#define SG_STUDIES_SWEEP_H

#include "studies/case_state.h"
#include "studies/study.h"
#include "support/arena.h"
#include "support/text.h"

/* How a deck is loaded and run: given by the command, so that studies know neither models nor command lines.
 */
struct sg_sweep_runner {
    /* Reads the deck at `path`, makes the assignments and validates; findings are added to `diagnostics`.
     * `*deck` may be there after SG_BAD_DECK, too. */
    sg_status (*load)(const char *path, const struct sg_assignments *list, struct sg_deck **deck,
                      struct sg_diagnostics *diagnostics, struct sg_error *err);
    /* `signorini run` with these words, the first of which is "run"; returns the exit code. */
    int (*run)(int argc, char **argv);
};

/* Whom a sweep tells what happens, in the process of the sweep; each may be NULL. */
struct sg_sweep_listener {
    void *self;
    void (*skipped)(void *self);                 /* results of a case were there already */
    void (*failed)(void *self, size_t index);    /* a case has failed */
    void (*waiting)(void *self, size_t running); /* again and again while cases run */
};

/* The fate of a case. */
struct sg_case_result {
    int exit_code;  /* of its run; -1: none has ended */
    bool delivered; /* the rest is known */
    bool skipped;   /* its results were there already */
    bool changed;   /* results of another deck were there, and are replaced */
    double seconds; /* of its run */
    char *reason;   /* of a failure; NULL: none */
};

struct sg_sweep {
    struct sg_arena arena; /* has what is the sweep's */
    const char *study_path;
    struct sg_deck *deck; /* of the study */
    struct sg_study *study;
    const struct sg_sweep_runner *runner;
    struct sg_sweep_listener listener;
    char *folder;
    size_t jobs;
    size_t first, count;            /* cases to be worked on */
    bool collect;                   /* nothing is run */
    struct sg_case_result *results; /* of all cases */
    double *values;                 /* cases x keep_count, row-major */
    char *keep_fault;               /* why a number could not be taken, of the first such case */
    size_t keep_fault_case;
    size_t done, skipped, failed;
};

/* Reads the study at `path`; its findings are added to `diagnostics`. `folder`: NULL for that of the study.
 * Release on failure too. */
sg_status sg_sweep_init(struct sg_sweep *sweep, const char *path, const char *folder,
                        struct sg_diagnostics *diagnostics, struct sg_error *err);
void sg_sweep_release(struct sg_sweep *sweep);

/* FOLDER/case-0001 and a suffix, and FOLDER/NAME; release with sg_free. */
sg_status sg_sweep_case_path(const struct sg_sweep *sweep, size_t index, const char *suffix, char **path,
                             struct sg_error *err);
sg_status sg_sweep_path(const struct sg_sweep *sweep, const char *name, char **path, struct sg_error *err);

/* The deck of a case, validated; its findings are added. `*deck` may be there after SG_BAD_DECK, too. */
sg_status sg_sweep_load_case(const struct sg_sweep *sweep, size_t index, struct sg_deck **deck,
                             struct sg_diagnostics *diagnostics, struct sg_error *err);

/* "complete", "failed", "interrupted", "missing" */
const char *sg_sweep_status_word(const struct sg_case_result *result);

/* How many cases are complete, have no results (interrupted or never run), were run anew. */
struct sg_sweep_counts {
    size_t complete, missing, changed;
};
struct sg_sweep_counts sg_sweep_count(const struct sg_sweep *sweep);

/* Makes the folder and takes its lock, which sg_sweep_unlock gives back. Tasks of a job array share it.
 * SG_NO_OUTPUT if the folder can't be used or another sweep works in it. */
sg_status sg_sweep_lock(const struct sg_sweep *sweep, bool shared, int *lock, struct sg_error *err);
void sg_sweep_unlock(const struct sg_sweep *sweep, bool shared, int lock);

/* Whether study or base deck are others than those that the folder's results were made of, and notes in the
 * folder what they will be made of from now on. */
struct sg_sweep_changes {
    bool study, deck;
};
sg_status sg_sweep_note_changes(const struct sg_sweep *sweep, struct sg_sweep_changes *changes,
                                struct sg_error *err);

/* Runs the cases first .. first + count - 1, or (collect) takes what is there of them. */
sg_status sg_sweep_run(struct sg_sweep *sweep, struct sg_error *err);

/* In a process of its own: runs a case unless its results are there, and appends to `result` what
 * sg_sweep_take_result reads. Standard output and error go to the case's log. */
sg_status sg_sweep_work(void *sweep, size_t index, struct sg_text *result, struct sg_error *err);

/* What the process of a case has sent, into the sweep's arrays. */
sg_status sg_sweep_take_result(struct sg_sweep *sweep, size_t index, const char *bytes, size_t length,
                               struct sg_error *err);

/* summary.csv and summary.h5 */
sg_status sg_sweep_write_table(const struct sg_sweep *sweep, struct sg_error *err);

/* Writes the scripts of a job array and of its collect step, and submits them: the numbers of both jobs.
 * SG_SYSTEM where sbatch is missing or refuses. */
enum { SG_JOB_BYTES = 64 };
sg_status sg_sweep_submit(const struct sg_sweep *sweep, char array[SG_JOB_BYTES], char collect[SG_JOB_BYTES],
                          struct sg_error *err);

#endif
