/* signorini sweep: a study of many runs, here or as a job array of a cluster. */
#define _POSIX_C_SOURCE 200809L
#include "commands/sweep.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "commands/arguments.h"
#include "commands/commands.h"
#include "commands/load.h"
#include "deck/file.h"
#include "results/files.h"
#include "support/memory.h"
#include "support/sha256.h"
#include "support/stop.h"
#include "support/workers.h"

enum { JOBS_MAX = 1024, LOCK_TRIES = 30, SUMS = 2 * SG_SHA256_HEX + 1 };

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

static sg_status name_folder(struct sg_sweep *sweep, const char *given, struct sg_error *err)
{
    const char *folder = given != NULL ? given : sweep->study->folder;
    if (folder == NULL) return sg_name_after_deck(sweep->study_path, "", &sweep->folder, err);
    if (folder[0] == '\0') FAIL(err, SG_USAGE, "the name of the folder is empty");
    return sg_copy_text(folder, &sweep->folder, err);
}

static sg_status load(struct sg_sweep *sweep, struct sg_error *err)
{
    TRY(sg_deck_read_file(sweep->study_path, &sweep->deck, &sweep->diagnostics, err));
    TRY(sg_deck_validate(sweep->deck, sg_study_grammar, &sweep->diagnostics, err));
    TRY(sg_study_create(sweep->deck, &sweep->study, &sweep->diagnostics, err));
    sweep->count = sweep->study->cases;
    TRY(SG_NEW(&sweep->results, sweep->study->cases, err));
    return SG_NEW(&sweep->values, sweep->study->cases * sweep->study->keep_count, err);
}

/* A study none of whose decks is right is wrong itself: the first tells why. A base deck that can't be read
 * is no deck of any case. */
static sg_status check_decks(struct sg_sweep *sweep, struct sg_error *err)
{
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
        sg_diagnostics_release(&sweep->diagnostics);
        sweep->diagnostics = first;
        return status;
    }
    sg_diagnostics_release(&first);
    sg_error_clear(err);
    return SG_OK;
}

/* --- the folder ----------------------------------------------------------------------------------- */

static sg_status make_folder(const char *path, struct sg_error *err)
{
    char *part = NULL;
    TRY(sg_copy_text(path, &part, err));
    for (char *c = part + 1; *c != '\0'; c++) {
        if (*c != '/') continue;
        *c = '\0';
        mkdir(part, 0777); /* what is wrong shows at the last */
        *c = '/';
    }
    sg_free(part);
    struct stat info;
    if (mkdir(path, 0777) != 0 && errno != EEXIST)
        FAIL(err, SG_NO_OUTPUT, "can't create the folder '%s': %s", path, strerror(errno));
    if (stat(path, &info) != 0 || !S_ISDIR(info.st_mode))
        FAIL(err, SG_NO_OUTPUT, "'%s' is there, but is no folder", path);
    if (access(path, W_OK | X_OK) != 0)
        FAIL(err, SG_NO_OUTPUT, "can't write into the folder '%s': %s", path, strerror(errno));
    return SG_OK;
}

/* Runs that a killed sweep left end within moments, and the lock with them. */
static sg_status take_lock(const struct sg_sweep *sweep, const char *path, bool shared, int *lock,
                           struct sg_error *err)
{
    const struct timespec pause = {0, 100000000};
    sg_status status = SG_OK;
    for (int k = 0; k < LOCK_TRIES; k++) {
        if (k > 0) nanosleep(&pause, NULL);
        status = shared ? sg_lock_share(path, lock, err) : sg_lock_take(path, lock, err);
        if (status == SG_OK || access(path, F_OK) != 0) return status;
    }
    FAIL(err, SG_NO_OUTPUT, "another sweep works in '%s': it holds the lock '%s'", sweep->folder, path);
}

/* the checksums of study and base deck, a line each */
static sg_status find_sums(const struct sg_sweep *sweep, char sums[SUMS], struct sg_error *err)
{
    struct sg_text text = {0};
    char *bytes = NULL;
    size_t length = 0;
    TRY(sg_file_read(sweep->study->base, SIZE_MAX / 2, &bytes, &length, err));
    sg_deck_print(sweep->deck, &text);
    sg_sha256(sg_text_view(&text), text.length, sums);
    sums[SG_SHA256_HEX - 1] = '\n';
    sg_sha256(bytes, length, sums + SG_SHA256_HEX);
    sums[2 * SG_SHA256_HEX - 1] = '\n';
    sums[2 * SG_SHA256_HEX] = '\0';
    sg_text_release(&text);
    sg_free(bytes);
    return SG_OK;
}

static void tell_changes(const struct sg_sweep *sweep, const char *before, const char *now)
{
    bool study = strncmp(before, now, SG_SHA256_HEX) != 0;
    bool deck = strncmp(before + SG_SHA256_HEX, now + SG_SHA256_HEX, SG_SHA256_HEX) != 0;
    if (!study && !deck) return;
    fprintf(
        stderr,
        "signorini: note: %s%s%s changed since the results in '%s' were made: cases whose deck is another "
        "now are run anew\n",
        study ? "the study" : "", study && deck ? " and " : "",
        deck ? (study ? "its base deck have" : "the base deck has") : " has", sweep->folder);
}

/* What the results were made of is kept beside them. */
static sg_status note_changes(const struct sg_sweep *sweep, struct sg_error *err)
{
    char now[SUMS], *before = NULL, *path = NULL;
    size_t length = 0;
    TRY(find_sums(sweep, now, err));
    TRY(sg_sweep_path(sweep, "study.sha256", &path, err));
    struct sg_error none;
    sg_error_clear(&none);
    if (sg_file_read(path, SUMS, &before, &length, &none) == SG_OK && length == SUMS - 1)
        tell_changes(sweep, before, now);
    FILE *file = fopen(path, "we");
    bool written = file != NULL && fputs(now, file) >= 0;
    if (file != NULL) written = fclose(file) == 0 && written;
    int cause = errno;
    sg_status status = SG_OK;
    if (!written) status = sg_fail(err, SG_NO_OUTPUT, "can't write '%s': %s", path, strerror(cause));
    sg_free(before);
    sg_free(path);
    return status;
}

/* --- cases ---------------------------------------------------------------------------------------- */

/* "gap=0.1 type=exact" */
static void append_values(const struct sg_study *study, size_t index, struct sg_text *text)
{
    for (size_t p = 0; p < study->parameter_count; p++)
        sg_text_append(text, "%s%s=%s", p > 0 ? " " : "", study->parameters[p].name,
                       sg_study_value(study, index, p)->shown);
}

static void tell_failure(struct sg_sweep *sweep, size_t index)
{
    const struct sg_case_result *result = &sweep->results[index];
    struct sg_text values = {0};
    append_values(sweep->study, index, &values);
    sg_progress_clear(&sweep->progress);
    fprintf(stderr, "signorini: case %zu (%s) failed with exit code %d: %s\n", index + 1,
            sg_text_view(&values), result->exit_code, result->reason != NULL ? result->reason : "");
    sg_text_release(&values);
}

/* A process that died while the sweep was being stopped was stopped as well: by a second Ctrl-C. */
static void judge_death(const struct sg_outcome *outcome, struct sg_case_state *state)
{
    bool stopped = sg_stop_requested() && (outcome->signal == SIGINT || outcome->signal == SIGTERM);
    state->exit_code = stopped                   ? sg_status_exit_code(SG_INTERRUPTED)
                       : outcome->signal > 0     ? 128 + outcome->signal
                       : outcome->exit_code != 0 ? outcome->exit_code
                                                 : sg_status_exit_code(outcome->status);
    sg_case_state_set_reason(state, outcome->message);
}

/* the process of the case could not do its work, or died of it */
static sg_status note_death(struct sg_sweep *sweep, size_t index, const struct sg_outcome *outcome,
                            struct sg_error *err)
{
    struct sg_case_result *result = &sweep->results[index];
    struct sg_case_state state;
    char *path = NULL;
    TRY(sg_sweep_case_path(sweep, index, ".state", &path, err));
    sg_case_state_read(path, &state);
    judge_death(outcome, &state);
    struct sg_error none; /* where nothing can be written, the case has just not run */
    sg_error_clear(&none);
    sg_status written = sweep->collect ? SG_OK : sg_case_state_write(path, &state, &none);
    (void)written;
    sg_free(path);
    result->exit_code = state.exit_code;
    return sg_copy_text(state.reason, &result->reason, err);
}

static sg_status deliver(void *self, const struct sg_outcome *outcome, struct sg_error *err)
{
    struct sg_sweep *sweep = self;
    size_t index = sweep->first + outcome->index;
    struct sg_case_result *result = &sweep->results[index];
    if (outcome->status == SG_OK)
        TRY(sg_sweep_take_result(sweep, index, outcome->bytes, outcome->length, err));
    else
        TRY(note_death(sweep, index, outcome, err));
    result->delivered = true;
    sweep->done++;
    sweep->skipped += result->skipped ? 1 : 0;
    bool failed = strcmp(sg_sweep_status_word(result), "failed") == 0;
    sweep->failed += failed ? 1 : 0;
    if (result->skipped && !sweep->collect) sweep->progress.start_t += 1.0;
    if (failed && !sweep->alone) tell_failure(sweep, index);
    return SG_OK;
}

static void tick(void *self, size_t running)
{
    struct sg_sweep *sweep = self;
    struct sg_progress_cases cases = {sweep->done, running, sweep->failed};
    sg_progress_show_cases(&sweep->progress, sg_wall_clock(), cases);
}

static sg_status run_cases(struct sg_sweep *sweep, enum sg_progress_when when, struct sg_error *err)
{
    struct sg_workers workers = {.cases = sweep->count,
                                 .jobs = sweep->jobs,
                                 .self = sweep,
                                 .work = sg_sweep_work,
                                 .deliver = deliver,
                                 .tick = tick};
    for (size_t i = 0; i < sweep->study->cases; i++) sweep->results[i].exit_code = -1;
    TRY(sg_stop_install(err));
    sg_progress_start(&sweep->progress, when, 0.0, (double)sweep->count);
    sg_status status = sg_workers_run(&workers, err);
    sg_progress_clear(&sweep->progress);
    return status;
}

/* --- what is said at the end ---------------------------------------------------------------------- */

struct counts {
    size_t complete, missing, changed;
};

static struct counts count_results(const struct sg_sweep *sweep)
{
    struct counts counts = {0};
    for (size_t i = 0; i < sweep->study->cases; i++) {
        const char *word = sg_sweep_status_word(&sweep->results[i]);
        counts.complete += strcmp(word, "complete") == 0 ? 1 : 0;
        counts.missing += strcmp(word, "missing") == 0 || strcmp(word, "interrupted") == 0 ? 1 : 0;
        counts.changed += sweep->results[i].changed ? 1 : 0;
    }
    return counts;
}

static void tell_of_keeps(const struct sg_sweep *sweep)
{
    if (sweep->keep_fault == NULL) return;
    fprintf(stderr, "signorini: warning: not all that the study keeps is in the results: case %zu: %s\n",
            sweep->keep_fault_case + 1, sweep->keep_fault);
}

static sg_status judge(const struct sg_sweep *sweep, struct sg_error *err)
{
    struct counts counts = count_results(sweep);
    if (!sweep->quiet) {
        printf("%s/summary.csv: %zu cases, %zu complete", sweep->folder, sweep->study->cases,
               counts.complete);
        if (sweep->skipped > 0 && !sweep->collect) printf(" (%zu already before)", sweep->skipped);
        if (counts.changed > 0) printf(", %zu run anew since their deck changed", counts.changed);
        printf(", %zu failed", sweep->failed);
        if (counts.missing > 0) printf(", %zu without results", counts.missing);
        putchar('\n');
    }
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

/* true if the case's results are there and whole, as far as its state tells */
static const char *standing(const struct sg_sweep *sweep, size_t index, const struct sg_deck *deck,
                            struct sg_error *err)
{
    char checksum[SG_SHA256_HEX] = "", *path = NULL;
    struct sg_case_state state = {.exit_code = -1};
    if (sg_sweep_case_path(sweep, index, ".state", &path, err) == SG_OK) sg_case_state_read(path, &state);
    sg_free(path);
    if (state.checksum[0] == '\0' && state.exit_code < 0) return "to be run";
    bool same = sg_deck_checksum(deck, checksum, err) == SG_OK && strcmp(checksum, state.checksum) == 0;
    struct sg_case_result result = {.exit_code = state.exit_code};
    if (!same) return "to be run, as its deck has changed";
    return state.exit_code < 0 ? "begun" : sg_sweep_status_word(&result);
}

static sg_status list_one(const struct sg_sweep *sweep, size_t index, sg_status *worst, struct sg_error *err)
{
    struct sg_deck *deck = NULL;
    struct sg_diagnostics found = {0};
    struct sg_text values = {0};
    append_values(sweep->study, index, &values);
    sg_status status = sg_sweep_load_case(sweep, index, &deck, &found, err);
    if (status == SG_OK) {
        printf("%6zu  %s  %s\n", index + 1, sg_text_view(&values), standing(sweep, index, deck, err));
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
    sg_text_release(&values);
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

static sg_status run_one(struct sg_sweep *sweep, struct sg_error *err)
{
    sg_status status = run_cases(sweep, SG_PROGRESS_NEVER, err);
    const struct sg_case_result *result = &sweep->results[sweep->first];
    if (status != SG_OK && status != SG_INTERRUPTED) return status;
    if (!result->delivered) return status;
    tell_of_keeps(sweep);
    if (result->exit_code == 0 && !sweep->quiet)
        printf("case %zu is complete%s\n", sweep->first + 1, result->skipped ? " already" : "");
    if (result->exit_code == 0) return SG_OK;
    FAIL(err, status_of_exit_code(result->exit_code), "case %zu: %s", sweep->first + 1,
         result->reason != NULL ? result->reason : "its run ended early");
}

static sg_status run_all(struct sg_sweep *sweep, enum sg_progress_when when, struct sg_error *err)
{
    if (!sweep->collect) TRY(note_changes(sweep, err));
    sg_status status = run_cases(sweep, when, err);
    if (status == SG_INTERRUPTED)
        fprintf(stderr, "signorini: %zu of %zu cases are complete; go on with: signorini sweep '%s'\n",
                count_results(sweep).complete, sweep->count, sweep->study_path);
    TRY(status);
    TRY(sg_sweep_write_table(sweep, err));
    return judge(sweep, err);
}

static sg_status submit(const struct sg_sweep *sweep, struct sg_error *err)
{
    TRY(note_changes(sweep, err));
    return sg_sweep_submit(sweep, err);
}

static sg_status go(struct sg_sweep *sweep, enum mode mode, enum sg_progress_when when, struct sg_error *err)
{
    char *path = NULL;
    int lock = -1;
    sweep->collect = mode == COLLECT;
    sweep->alone = mode == CASE;
    TRY(make_folder(sweep->folder, err));
    TRY(sg_sweep_path(sweep, "lock", &path, err));
    /* tasks of a job array work side by side, and a table may be made while they do */
    bool shared = mode == CASE || mode == COLLECT;
    sg_status status = take_lock(sweep, path, shared, &lock, err);
    if (status == SG_OK)
        status = mode == CASE    ? run_one(sweep, err)
                 : mode == SLURM ? submit(sweep, err)
                                 : run_all(sweep, when, err);
    if (shared && lock >= 0)
        close(lock);
    else
        sg_lock_release(path, lock);
    sg_free(path);
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

static sg_status execute(struct sg_sweep *sweep, const struct sg_arguments *arguments, struct sg_error *err)
{
    enum mode mode;
    enum sg_progress_when when;
    long long jobs = (long long)sg_workers_default();
    TRY(sg_arguments_expect(arguments, 1, 1, err));
    TRY(choose_mode(arguments, &mode, err));
    TRY(sg_arguments_integer(arguments, "jobs", (long long[]){1, JOBS_MAX}, &jobs, err));
    TRY(sg_progress_choose(sg_arguments_text(arguments, "progress", "auto"), &when, err));
    sweep->jobs = (size_t)jobs;
    sweep->quiet = sg_arguments_has(arguments, "quiet");
    sweep->study_path = arguments->words[0];
    TRY(load(sweep, err));
    TRY(name_folder(sweep, sg_arguments_text(arguments, "output", NULL), err));
    if (mode == CASE) TRY(choose_case(sweep, arguments, err));
    if (mode == LIST) return list(sweep, err);
    TRY(check_decks(sweep, err));
    return go(sweep, mode, when, err);
}

static void release(struct sg_sweep *sweep)
{
    for (size_t i = 0; sweep->results != NULL && i < sweep->study->cases; i++)
        sg_free(sweep->results[i].reason);
    sg_free(sweep->results);
    sg_free(sweep->values);
    sg_free(sweep->keep_fault);
    sg_free(sweep->folder);
    sg_study_destroy(sweep->study);
    sg_deck_destroy(sweep->deck);
    sg_diagnostics_release(&sweep->diagnostics);
}

static sg_status body(const struct sg_arguments *arguments, struct sg_error *err)
{
    struct sg_sweep sweep = {0};
    sg_status status = execute(&sweep, arguments, err);
    sg_report(&sweep.diagnostics, status, err);
    release(&sweep);
    return status;
}

int sg_command_sweep(int argc, char **argv)
{
    static const struct sg_command_frame frame = {
        "STUDY [--jobs N] [--list | --case K | --slurm | --collect] [-o FOLDER] [--progress=WHEN] [-q]",
        "runs a parameter study: many decks made of one", options, body};
    return sg_command_run(&frame, argc, argv);
}
