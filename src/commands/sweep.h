/* What the files of `signorini sweep` share. */
#ifndef SG_COMMANDS_SWEEP_H
#define SG_COMMANDS_SWEEP_H

#include "commands/progress.h"
#include "studies/case_state.h"
#include "studies/study.h"
#include "support/text.h"

/* The fate of a case. */
struct sg_case_result {
    int exit_code;  /* of its run; -1: none has ended */
    bool delivered; /* the rest is known */
    bool skipped;   /* its results were there already */
    bool changed;   /* results of another deck were there, and are replaced */
    double seconds; /* of its run */
    char *reason;   /* of a failure; owned, NULL: none */
};

struct sg_sweep {
    const char *study_path;
    struct sg_deck *deck;
    struct sg_diagnostics diagnostics;
    struct sg_study *study;
    char *folder; /* owned */
    size_t jobs;
    size_t first, count; /* cases to be worked on */
    bool collect;        /* nothing is run */
    bool alone;          /* one case, whose failure is the command's own */
    bool quiet;
    struct sg_case_result *results; /* of all cases */
    double *values;                 /* cases x keep_count, row-major */
    char *keep_fault;               /* why a number could not be taken, of the first such case; owned */
    size_t keep_fault_case;
    size_t done, skipped, failed;
    struct sg_progress progress;
};

/* FOLDER/case-0001 and a suffix; release with sg_free. `suffix` without case: FOLDER/NAME. */
sg_status sg_sweep_case_path(const struct sg_sweep *sweep, size_t index, const char *suffix, char **path,
                             struct sg_error *err);
sg_status sg_sweep_path(const struct sg_sweep *sweep, const char *name, char **path, struct sg_error *err);

/* The deck of a case, validated; its findings are added. `*deck` may be there after SG_BAD_DECK, too. */
sg_status sg_sweep_load_case(const struct sg_sweep *sweep, size_t index, struct sg_deck **deck,
                             struct sg_diagnostics *diagnostics, struct sg_error *err);

/* In a process of its own: runs a case unless its results are there, and appends to `result` what
 * sg_sweep_take_result reads. Standard output and error go to the case's log. */
sg_status sg_sweep_work(void *sweep, size_t index, struct sg_text *result, struct sg_error *err);

/* What the process of a case has sent, into the sweep's arrays. */
sg_status sg_sweep_take_result(struct sg_sweep *sweep, size_t index, const char *bytes, size_t length,
                               struct sg_error *err);

/* summary.csv and summary.h5 */
sg_status sg_sweep_write_table(const struct sg_sweep *sweep, struct sg_error *err);

/* "complete", "failed", "interrupted", "missing" */
const char *sg_sweep_status_word(const struct sg_case_result *result);

/* Writes the scripts of a job array and of its collect step, and submits them. */
sg_status sg_sweep_submit(const struct sg_sweep *sweep, struct sg_error *err);

#endif
