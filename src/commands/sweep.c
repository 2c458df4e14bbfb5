/* signorini sweep: a study of many runs, here or as a job array of a cluster. */
#include <stdio.h>
#include <string.h>

#include "commands/arguments.h"
#include "commands/commands.h"
#include "commands/load.h"
#include "commands/progress.h"
#include "studies/sweep.h"
#include "support/clock.h"
#include "support/memory.h"
#include "support/workers.h"

enum { JOBS_MAX = 1024 };

static const struct sg_option options[] = {
    {"jobs", 'j', "N", "runs at the same time; by default as many as there are processors", false},
    {"list", 0, NULL, "print the cases and how they stand, and run nothing", false},
    {"case", 0, "K", "run one case only", false},
    {"slurm", 0, NULL, "write a job array and submit it", false},
    {"collect", 0, NULL, "make the table of what is there, and run nothing", false},
    {"output", 'o', "FOLDER", "where the results go, instead of the study's `folder`", false},
    {"progress", 0, "WHEN", "auto, always or never", false},
    {"quiet", 'q', NULL, "say only what went wrong", false},
    {0}};

enum mode { RUN, LIST, CASE, SLURM, COLLECT };

struct session {
    struct sg_sweep sweep;
    struct sg_diagnostics diagnostics; /* about the study, or its first deck where none is right */
    struct sg_progress progress;
    enum sg_progress_when when;
    bool quiet;
};

/* --- the study ------------------------------------------------------------------------------------ */

static sg_status choose_mode(const struct sg_arguments *arguments, enum mode *mode, struct sg_error *err)
{
    static const char *const names[] = {"list", "case", "slurm", "collect"};
    *mode = RUN;
    for (int k = 0; k < 4; k++) {
        if (!sg_arguments_has(arguments, names[k])) continue;
        if (*mode != RUN) FAIL(err, SG_USAGE, "--%s and --%s exclude each other", names[*mode - 1], names[k]);
        *mode = (enum mode)(k + 1);
    }
    return SG_OK;
}

/* A deck of a case, as `signorini run` with the same assignments would read it. */
static sg_status load_case(const char *path, const struct sg_assignments *list, struct sg_deck **deck,
                           struct sg_diagnostics *diagnostics, struct sg_error *err)
{
    SG_LOCAL_ARENA(scratch);
    struct sg_overrides overrides = {.count = list->count};
    TRY(SG_ARENA_NEW(&scratch, &overrides.items, list->count, err));
    for (size_t i = 0; i < list->count; i++) overrides.items[i] = list->items[i];
    return sg_load_deck(path, &overrides, deck, diagnostics, err);
}

static const struct sg_sweep_runner runner = {load_case, sg_command_run_deck};

/* A study none of whose decks is right is wrong itself: the first tells why. A base deck that can't be read
 * is no deck of any case. */
static sg_status check_decks(struct session *session, struct sg_error *err)
{
    const struct sg_sweep *sweep = &session->sweep;
    struct sg_diagnostics first = {0};
    sg_status status = SG_BAD_DECK;
    bool readable = true;
    for (size_t i = 0; i < sweep->study->cases && readable && status == SG_BAD_DECK; i++) {
        struct sg_deck *deck = NULL;
        struct sg_diagnostics later = {0};
        status = sg_sweep_load_case(sweep, i, &deck, i == 0 ? &first : &later, err);
        readable = deck != NULL;
        sg_deck_destroy(deck);
        sg_diagnostics_release(&later);
    }
    if (status == SG_BAD_DECK && readable)
        fprintf(stderr,
                "signorini: note: of the study's %zu cases none has a deck that is right; the first:\n",
                sweep->study->cases);
    if (status != SG_OK) {
        sg_diagnostics_release(&session->diagnostics);
        session->diagnostics = first;
        return status;
    }
    sg_diagnostics_release(&first);
    sg_error_clear(err);
    return SG_OK;
}

/* --- cases ---------------------------------------------------------------------------------------- */

/* "gap=0.1 type=exact" */
static void append_values(const struct sg_study *study, size_t index, struct sg_text *text)
{
    for (size_t p = 0; p < study->parameter_count; p++)
        sg_text_append(text, "%s%s=%s", p > 0 ? " " : "", study->parameters[p].name,
                       sg_study_value(study, index, p)->shown);
}

static void tell_failure(void *self, size_t index)
{
    struct session *session = self;
    const struct sg_case_result *result = &session->sweep.results[index];
    SG_LOCAL_TEXT(values);
    append_values(session->sweep.study, index, &values);
    sg_progress_clear(&session->progress);
    fprintf(stderr, "signorini: case %zu (%s) failed with exit code %d: %s\n", index + 1,
            sg_text_view(&values), result->exit_code, result->reason != NULL ? result->reason : "");
}

static void show_progress(void *self, size_t running)
{
    struct session *session = self;
    struct sg_progress_cases cases = {session->sweep.done, running, session->sweep.failed};
    sg_progress_show_cases(&session->progress, sg_wall_clock(), cases);
}

/* Cases that were there already took no time: the rate is that of the others. */
static void pass_over(void *self)
{
    ((struct session *)self)->progress.start_t += 1.0;
}

static sg_status run_cases(struct session *session, struct sg_error *err)
{
    sg_progress_start(&session->progress, session->when, 0.0, (double)session->sweep.count);
    sg_status status = sg_sweep_run(&session->sweep, err);
    sg_progress_clear(&session->progress);
    return status;
}

static void tell_changes(const struct sg_sweep *sweep, struct sg_sweep_changes changes)
{
    if (!changes.study && !changes.deck) return;
    fprintf(
        stderr,
        "signorini: note: %s%s%s changed since the results in '%s' were made: cases whose deck is another "
        "now are run anew\n",
        changes.study ? "the study" : "", changes.study && changes.deck ? " and " : "",
        changes.deck ? (changes.study ? "its base deck have" : "the base deck has") : " has", sweep->folder);
}

static sg_status note_changes(const struct sg_sweep *sweep, struct sg_error *err)
{
    struct sg_sweep_changes changes;
    TRY(sg_sweep_note_changes(sweep, &changes, err));
    tell_changes(sweep, changes);
    return SG_OK;
}

/* --- what is said at the end ---------------------------------------------------------------------- */

static void tell_of_keeps(const struct sg_sweep *sweep)
{
    if (sweep->keep_fault == NULL) return;
    fprintf(stderr, "signorini: warning: not all that the study keeps is in the results: case %zu: %s\n",
            sweep->keep_fault_case + 1, sweep->keep_fault);
}

static void tell_counts(const struct sg_sweep *sweep, struct sg_sweep_counts counts)
{
    printf("%s/summary.csv: %zu cases, %zu complete", sweep->folder, sweep->study->cases, counts.complete);
    if (sweep->skipped > 0 && !sweep->collect) printf(" (%zu already before)", sweep->skipped);
    if (counts.changed > 0) printf(", %zu run anew since their deck changed", counts.changed);
    printf(", %zu failed", sweep->failed);
    if (counts.missing > 0) printf(", %zu without results", counts.missing);
    putchar('\n');
}

static sg_status judge(const struct session *session, struct sg_error *err)
{
    const struct sg_sweep *sweep = &session->sweep;
    struct sg_sweep_counts counts = sg_sweep_count(sweep);
    if (!session->quiet) tell_counts(sweep, counts);
    tell_of_keeps(sweep);
    if (sweep->failed > 0)
        FAIL(err, SG_NO_SOLUTION, "%zu of %zu cases failed: see '%s/summary.csv'", sweep->failed,
             sweep->study->cases, sweep->folder);
    if (counts.missing > 0)
        FAIL(err, SG_INTERRUPTED, "%zu of %zu cases have no results yet", counts.missing,
             sweep->study->cases);
    return SG_OK;
}

/* --- the ways to work ----------------------------------------------------------------------------- */

/* Says whether the case's results are there and whole, as far as its state tells. */
static sg_status standing(const struct sg_sweep *sweep, size_t index, const struct sg_deck *deck,
                          const char **word, struct sg_error *err)
{
    char checksum[SG_SHA256_HEX] = "", *path = NULL;
    struct sg_case_state state = {.exit_code = -1};
    TRY(sg_sweep_case_path(sweep, index, ".state", &path, err));
    sg_case_state_read(path, &state);
    sg_free(path);
    *word = "to be run";
    if (state.checksum[0] == '\0' && state.exit_code < 0) return SG_OK;
    sg_status sum = sg_deck_checksum(deck, checksum, err);
    if (sum == SG_NO_MEMORY) return sum;
    struct sg_case_result result = {.exit_code = state.exit_code};
    *word = state.exit_code < 0 ? "begun" : sg_sweep_status_word(&result);
    if (sum != SG_OK || strcmp(checksum, state.checksum) != 0) *word = "to be run, as its deck has changed";
    return SG_OK;
}

static sg_status list_one(const struct sg_sweep *sweep, size_t index, sg_status *worst, struct sg_error *err)
{
    struct sg_deck *deck = NULL;
    struct sg_diagnostics found = {0};
    SG_LOCAL_TEXT(values);
    append_values(sweep->study, index, &values);
    TRY(sg_text_check(&values, err));
    const char *word = "";
    sg_status status = sg_sweep_load_case(sweep, index, &deck, &found, err);
    if (status == SG_OK) status = standing(sweep, index, deck, &word, err);
    if (status == SG_OK) {
        printf("%6zu  %s  %s\n", index + 1, sg_text_view(&values), word);
    } else if (found.failed) {
        status = sg_fail(err, SG_NO_MEMORY, "out of memory: the findings of case %zu", index + 1);
    } else if (status == SG_BAD_DECK && found.errors > 0) {
        size_t i = 0;
        while (found.items[i].severity != SG_ERROR) i++;
        printf("%6zu  %s  wrong: %s%s%s\n", index + 1, sg_text_view(&values), found.items[i].path,
               found.items[i].path[0] != '\0' ? ": " : "", found.items[i].message);
        *worst = SG_BAD_DECK;
        status = SG_OK;
    }
    sg_deck_destroy(deck);
    sg_diagnostics_release(&found);
    return status;
}

static sg_status list(const struct sg_sweep *sweep, struct sg_error *err)
{
    sg_status worst = SG_OK;
    for (size_t i = 0; i < sweep->study->cases; i++) TRY(list_one(sweep, i, &worst, err));
    if (worst != SG_OK) FAIL(err, worst, "not all decks of the study are right");
    return SG_OK;
}

static sg_status status_of_exit_code(int exit_code)
{
#define SG_SAME(code, exit)                                                                                  \
    if (exit_code == (exit)) return code;
    SG_STATUS_LIST(SG_SAME)
#undef SG_SAME
    return SG_INTERNAL;
}

static sg_status run_one(struct session *session, struct sg_error *err)
{
    struct sg_sweep *sweep = &session->sweep;
    const struct sg_case_result *result = &sweep->results[sweep->first];
    session->when = SG_PROGRESS_NEVER;
    sg_status status = run_cases(session, err);
    if (status != SG_OK && status != SG_INTERRUPTED) return status;
    if (!result->delivered) return status;
    tell_of_keeps(sweep);
    if (result->exit_code == 0 && !session->quiet)
        printf("case %zu is complete%s\n", sweep->first + 1, result->skipped ? " already" : "");
    if (result->exit_code == 0) return SG_OK;
    FAIL(err, status_of_exit_code(result->exit_code), "case %zu: %s", sweep->first + 1,
         result->reason != NULL ? result->reason : "its run ended early");
}

static sg_status run_all(struct session *session, struct sg_error *err)
{
    struct sg_sweep *sweep = &session->sweep;
    sweep->listener.failed = tell_failure;
    if (!sweep->collect) {
        sweep->listener.skipped = pass_over;
        TRY(note_changes(sweep, err));
    }
    sg_status status = run_cases(session, err);
    if (status == SG_INTERRUPTED)
        fprintf(stderr, "signorini: %zu of %zu cases are complete; go on with: signorini sweep '%s'\n",
                sg_sweep_count(sweep).complete, sweep->count, sweep->study_path);
    TRY(status);
    TRY(sg_sweep_write_table(sweep, err));
    return judge(session, err);
}

static sg_status submit(const struct sg_sweep *sweep, struct sg_error *err)
{
    char array[SG_JOB_BYTES], collect[SG_JOB_BYTES];
    TRY(note_changes(sweep, err));
    TRY(sg_sweep_submit(sweep, array, collect, err));
    printf("%zu cases: job %s, and then the table: job %s\n", sweep->study->cases, array, collect);
    return SG_OK;
}

static sg_status work(struct session *session, enum mode mode, struct sg_error *err)
{
    struct sg_sweep *sweep = &session->sweep;
    int lock = -1;
    /* tasks of a job array work side by side, and a table may be made while they do */
    bool shared = mode == CASE || mode == COLLECT;
    sweep->collect = mode == COLLECT;
    sweep->listener = (struct sg_sweep_listener){.self = session, .waiting = show_progress};
    sg_status status = sg_sweep_lock(sweep, shared, &lock, err);
    if (status == SG_OK)
        status = mode == CASE    ? run_one(session, err)
                 : mode == SLURM ? submit(sweep, err)
                                 : run_all(session, err);
    sg_sweep_unlock(sweep, shared, lock);
    return status;
}

static sg_status choose_case(struct sg_sweep *sweep, const struct sg_arguments *arguments,
                             struct sg_error *err)
{
    long long number = 1;
    const long long range[2] = {1, (long long)sweep->study->cases};
    TRY(sg_arguments_integer(arguments, "case", range, &number, err));
    sweep->first = (size_t)number - 1;
    sweep->count = 1;
    return SG_OK;
}

static sg_status execute(struct session *session, const struct sg_arguments *arguments, struct sg_error *err)
{
    struct sg_sweep *sweep = &session->sweep;
    enum mode mode;
    long long jobs = (long long)sg_workers_default();
    TRY(sg_arguments_expect(arguments, 1, 1, err));
    TRY(choose_mode(arguments, &mode, err));
    TRY(sg_arguments_integer(arguments, "jobs", (long long[]){1, JOBS_MAX}, &jobs, err));
    TRY(sg_progress_choose(sg_arguments_text(arguments, "progress", "auto"), &session->when, err));
    sweep->jobs = (size_t)jobs;
    session->quiet = sg_arguments_has(arguments, "quiet");
    TRY(sg_sweep_init(sweep, arguments->words[0], sg_arguments_text(arguments, "output", NULL),
                      &session->diagnostics, err));
    if (mode == CASE) TRY(choose_case(sweep, arguments, err));
    if (mode == LIST) return list(sweep, err);
    TRY(check_decks(session, err));
    return work(session, mode, err);
}

static sg_status body(const struct sg_arguments *arguments, struct sg_error *err)
{
    struct session session = {.sweep = {.runner = &runner}};
    sg_status status = execute(&session, arguments, err);
    sg_report(&session.diagnostics, status, err);
    sg_sweep_release(&session.sweep);
    sg_diagnostics_release(&session.diagnostics);
    return status;
}

int sg_command_sweep(int argc, char **argv)
{
    static const struct sg_command_frame frame = {
        "STUDY [--jobs N] [--list | --case K | --slurm | --collect] [-o FOLDER] [--progress=WHEN] [-q]",
        "runs a parameter study: many decks made of one", options, body};
    return sg_command_run(&frame, argc, argv);
}
