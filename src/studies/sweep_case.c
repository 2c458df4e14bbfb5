/* One case of a study, in a process of its own. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#include "deck/file.h"
#include "results/reader.h"
#include "studies/sweep.h"
#include "support/clock.h"
#include "support/memory.h"

enum { LOG_MAX = 1 << 20, FAULT = SG_ERROR_TEXT };

/* The pipe brings this, and the numbers that are kept. */
struct packet {
    struct sg_case_state state;
    bool skipped, changed;
    char keep_fault[FAULT];
};

struct one_case {
    struct sg_arena arena;
    const struct sg_sweep *sweep;
    size_t index;
    char *output, *state_path, *log;
    struct packet packet;
    double *values;
};

/* Leaves "" for a deck that is wrong: its run will tell why. */
static sg_status find_checksum(const struct one_case *one, char *hex, struct sg_error *err)
{
    struct sg_deck *deck = NULL;
    struct sg_diagnostics diagnostics = {0};
    sg_status status = sg_sweep_load_case(one->sweep, one->index, &deck, &diagnostics, err);
    hex[0] = '\0';
    if (status == SG_OK) status = sg_deck_checksum(deck, hex, err);
    sg_deck_destroy(deck);
    sg_diagnostics_release(&diagnostics);
    return status == SG_BAD_DECK || status == SG_NO_INPUT ? SG_OK : status;
}

/* --- the run -------------------------------------------------------------------------------------- */

struct words {
    char **items;
    size_t count;
};

static sg_status add_word(struct sg_arena *arena, struct words *words, const char *word, struct sg_error *err)
{
    return sg_arena_copy_text(arena, word, &words->items[words->count++], err);
}

static sg_status add_words(struct sg_arena *arena, struct words *words, const struct one_case *one,
                           const struct sg_assignments *list, bool resume, struct sg_error *err)
{
    SG_AUTO_FREE char *modes = NULL;
    TRY(sg_sweep_path(one->sweep, "modes", &modes, err));
    const char *const fixed[] = {
        "run", one->sweep->study->base, "-o", one->output, "--progress=never", "-q", "--modes", modes};
    TRY(SG_ARENA_NEW(arena, &words->items, sizeof fixed / sizeof *fixed + 2 * list->count + 2, err));
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++) TRY(add_word(arena, words, fixed[i], err));
    if (resume) TRY(add_word(arena, words, "--resume", err));
    for (size_t i = 0; i < list->count; i++) {
        TRY(add_word(arena, words, "--set", err));
        TRY(add_word(arena, words, list->items[i], err));
    }
    return SG_OK;
}

static sg_status run_deck(const struct one_case *one, bool resume, int *exit_code, struct sg_error *err)
{
    SG_LOCAL_ARENA(scratch);
    struct sg_assignments list;
    struct words words = {0};
    TRY(sg_study_assignments(&scratch, one->sweep->study, one->index, &list, err));
    TRY(add_words(&scratch, &words, one, &list, resume, err));
    *exit_code = one->sweep->runner->run((int)words.count, words.items);
    fflush(NULL);
    return SG_OK;
}

/* From here on standard output and error are the log. */
static sg_status open_log(const struct one_case *one, bool resume, struct sg_error *err)
{
    int fd = open(one->log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | (resume ? 0 : O_TRUNC), 0666);
    if (fd < 0) FAIL(err, SG_NO_OUTPUT, "can't create '%s': %s", one->log, strerror(errno));
    bool moved = dup2(fd, STDOUT_FILENO) >= 0 && dup2(fd, STDERR_FILENO) >= 0;
    close(fd);
    if (!moved) FAIL(err, SG_SYSTEM, "can't write to '%s': %s", one->log, strerror(errno));
    return SG_OK;
}

/* Takes the first error of the log behind byte `start` as the reason of the failure. */
static void find_reason(struct one_case *one, long start)
{
    static const char mark[] = "error: ";
    struct sg_error err;
    SG_AUTO_FREE char *bytes = NULL;
    size_t length = 0;
    sg_error_clear(&err);
    sg_case_state_set_reason(&one->packet.state, "it gave no reason");
    if (sg_file_read(one->log, LOG_MAX, &bytes, &length, &err) != SG_OK) return;
    const char *found = start >= 0 && (size_t)start <= length ? strstr(bytes + start, mark) : NULL;
    if (found != NULL) sg_case_state_set_reason(&one->packet.state, found + sizeof mark - 1);
}

static long log_length(void)
{
    return (long)lseek(STDERR_FILENO, 0, SEEK_END);
}

static bool has_part(const struct one_case *one)
{
    SG_AUTO_FREE char *part = NULL;
    struct sg_error err;
    sg_error_clear(&err);
    bool there = sg_sweep_case_path(one->sweep, one->index, ".h5.part", &part, &err) == SG_OK &&
                 part != NULL && access(part, F_OK) == 0;
    return there;
}

/* A run that can't be resumed (nothing was saved yet, or by another deck) begins anew. */
static sg_status run_case(struct one_case *one, bool resume, struct sg_error *err)
{
    struct sg_case_state *state = &one->packet.state;
    double start = sg_wall_clock();
    state->exit_code = -1;
    TRY(sg_case_state_write(one->state_path, state, err));
    TRY(open_log(one, resume, err));
    long from = log_length();
    TRY(run_deck(one, resume, &state->exit_code, err));
    bool refused = state->exit_code == sg_status_exit_code(SG_NO_INPUT) ||
                   state->exit_code == sg_status_exit_code(SG_BAD_DECK);
    if (resume && refused) {
        from = log_length();
        TRY(run_deck(one, false, &state->exit_code, err));
    }
    state->seconds += sg_wall_clock() - start;
    state->reason[0] = '\0';
    if (state->exit_code != 0) find_reason(one, from);
    return sg_case_state_write(one->state_path, state, err);
}

/* --- what is kept --------------------------------------------------------------------------------- */

/* Appends a fault to those before it, as far as there is room. */
static void add_fault(struct packet *packet, const char *fault)
{
    size_t length = strlen(packet->keep_fault);
    snprintf(packet->keep_fault + length, sizeof packet->keep_fault - length, "%s%s", length > 0 ? "; " : "",
             fault);
}

static sg_status take_values(struct one_case *one, const struct sg_reader *reader, struct sg_error *err)
{
    const struct sg_study *study = one->sweep->study;
    for (size_t k = 0; k < study->keep_count; k++) {
        sg_status status = sg_keep_take(&study->keeps[k], reader, &one->values[k], err);
        if (status != SG_OK && status != SG_BAD_DECK) return status;
        if (status == SG_OK) continue;
        add_fault(&one->packet, err->text);
        sg_error_clear(err);
        one->values[k] = NAN;
    }
    return SG_OK;
}

/* Returns false if the results are missing or not whole. `fresh`: this process has written them. */
static bool read_results(struct one_case *one, bool fresh, struct sg_error *err)
{
    struct sg_reader *reader = NULL;
    sg_status status =
        fresh ? sg_reader_open_here(one->output, &reader, err) : sg_reader_open(one->output, &reader, err);
    bool whole = status == SG_OK && strcmp(sg_reader_attribute(reader, "status"), "complete") == 0 &&
                 take_values(one, reader, err) == SG_OK;
    sg_reader_close(reader);
    return whole;
}

/* --- the whole case ------------------------------------------------------------------------------- */

static sg_status name_file(struct one_case *one, const char *suffix, char **path, struct sg_error *err)
{
    TRY(sg_sweep_case_path(one->sweep, one->index, suffix, path, err));
    return sg_arena_own(&one->arena, *path, sg_free, err);
}

static sg_status init(struct one_case *one, struct sg_error *err)
{
    TRY(name_file(one, ".h5", &one->output, err));
    TRY(name_file(one, ".state", &one->state_path, err));
    TRY(name_file(one, ".log", &one->log, err));
    TRY(SG_ARENA_NEW(&one->arena, &one->values, one->sweep->study->keep_count, err));
    for (size_t k = 0; k < one->sweep->study->keep_count; k++) one->values[k] = NAN;
    return SG_OK;
}

/* Where nothing is run, results that are not there are missing. */
static void collect(struct one_case *one, bool same)
{
    struct sg_case_state *state = &one->packet.state;
    if (!same && state->checksum[0] != '\0') {
        sg_case_state_set_reason(state, "the deck has changed since its run");
        state->exit_code = -1;
    } else if (state->exit_code == 0) {
        sg_case_state_set_reason(state, "its results can't be read");
        state->exit_code = -1;
    }
}

static sg_status work(struct one_case *one, struct sg_error *err)
{
    struct sg_case_state *state = &one->packet.state;
    char checksum[SG_SHA256_HEX];
    TRY(init(one, err));
    sg_case_state_read(one->state_path, state);
    TRY(find_checksum(one, checksum, err));
    bool same = strcmp(checksum, state->checksum) == 0, known = checksum[0] != '\0';
    one->packet.skipped = same && known && state->exit_code == 0 && read_results(one, false, err);
    if (one->packet.skipped) return SG_OK;
    if (one->sweep->collect) {
        collect(one, same);
        return SG_OK;
    }
    one->packet.changed = !same && state->checksum[0] != '\0';
    if (!same || state->exit_code == 0) state->seconds = 0.0;
    memcpy(state->checksum, checksum, sizeof checksum);
    TRY(run_case(one, same && known && has_part(one), err));
    sg_error_clear(err);
    if (state->exit_code != 0 || read_results(one, true, err)) return SG_OK;
    return err->status != SG_OK ? err->status
                                : sg_fail(err, SG_INTERNAL, "the results of a run are not whole");
}

sg_status sg_sweep_work(void *sweep, size_t index, struct sg_text *result, struct sg_error *err)
{
    struct one_case one = {.sweep = sweep};
    one.index = one.sweep->first + index;
    sg_status status = work(&one, err);
    if (status == SG_OK) {
        sg_text_append_bytes(result, (const char *)&one.packet, sizeof one.packet);
        sg_text_append_bytes(result, (const char *)one.values,
                             one.sweep->study->keep_count * sizeof *one.values);
    }
    sg_arena_release(&one.arena);
    return status;
}

/* --- in the sweep's process ----------------------------------------------------------------------- */

sg_status sg_sweep_take_result(struct sg_sweep *sweep, size_t index, const char *bytes, size_t length,
                               struct sg_error *err)
{
    struct packet packet;
    struct sg_case_result *result = &sweep->results[index];
    size_t keeps = sweep->study->keep_count * sizeof *sweep->values;
    if (length != sizeof packet + keeps)
        FAIL(err, SG_INTERNAL, "case %zu sent %zu bytes, not %zu", index + 1, length, sizeof packet + keeps);
    memcpy(&packet, bytes, sizeof packet);
    if (keeps > 0) memcpy(sweep->values + index * sweep->study->keep_count, bytes + sizeof packet, keeps);
    result->exit_code = packet.state.exit_code;
    result->seconds = packet.state.seconds;
    result->skipped = packet.skipped;
    result->changed = packet.changed;
    if (packet.state.reason[0] != '\0')
        TRY(sg_arena_copy_text(&sweep->arena, packet.state.reason, &result->reason, err));
    bool told = sweep->keep_fault != NULL && sweep->keep_fault_case < index;
    if (packet.keep_fault[0] == '\0' || told) return SG_OK;
    sweep->keep_fault_case = index;
    return sg_arena_copy_text(&sweep->arena, packet.keep_fault, &sweep->keep_fault, err);
}
