/* signorini ground-motion: records that fit a spectrum, and response spectra, to one results file. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "commands/arguments.h"
#include "commands/commands.h"
#include "commands/load.h"
#include "deck/file.h"
#include "ground/ground_motion.h"
#include "results/files.h"
#include "support/memory.h"
#include "support/sha256.h"
#include "support/stop.h"
#include "version.h"

static const struct sg_option options[] = {
    {"output", 'o', "FILE", "results file; by default the deck's name with .h5, in this folder", false},
    {"set", 0, "PATH=VALUE", "change a value of the deck", false},
    {"check", 0, NULL, "check the deck and its files, and write nothing", false},
    {"quiet", 'q', NULL, "no summary", false},
    {0}};

struct session {
    const char *deck_path;
    char *output; /* owned */
    bool quiet;
    struct sg_deck *deck;
    struct sg_diagnostics diagnostics;
    struct sg_ground_motion motion;
    struct sg_text resolved;
    char sha256[SG_SHA256_HEX], fingerprint[SG_SHA256_HEX];
};

/* --- the deck ------------------------------------------------------------------------------------- */

static sg_status read(struct session *session, const struct sg_overrides *overrides, struct sg_error *err)
{
    sg_status reading =
        sg_read_deck(session->deck_path, overrides, &session->deck, &session->diagnostics, err);
    if (session->deck == NULL || (reading != SG_OK && reading != SG_BAD_DECK)) return reading;
    TRY(sg_deck_validate(session->deck, sg_ground_grammar, &session->diagnostics, err));
    return reading;
}

static sg_status load(struct session *session, const struct sg_arguments *arguments, struct sg_error *err)
{
    struct sg_overrides overrides;
    TRY(sg_overrides_init(&overrides, arguments, err));
    sg_status status = read(session, &overrides, err);
    sg_overrides_release(&overrides);
    TRY(status);
    TRY(sg_ground_motion_init(&session->motion, session->deck, &session->diagnostics, err));
    const char *source = sg_deck_source(session->deck);
    sg_sha256(source, strlen(source), session->sha256);
    sg_deck_print(session->deck, &session->resolved);
    SG_LOCAL_TEXT(whole);
    sg_text_append(&whole, "%s%s", sg_text_view(&session->resolved), sg_deck_side_checksum(session->deck));
    sg_sha256(sg_text_view(&whole), whole.length, session->fingerprint);
    TRY(sg_text_check(&session->resolved, err));
    return sg_text_check(&whole, err);
}

static sg_status name_output(struct session *session, const char *given, struct sg_error *err)
{
    SG_AUTO_FREE char *plain = NULL;
    if (given != NULL && given[0] == '\0') FAIL(err, SG_USAGE, "the name of the output is empty");
    if (given != NULL)
        TRY(sg_copy_text(given, &plain, err));
    else
        TRY(sg_name_after_deck(session->deck_path, ".h5", &plain, err));
    TRY(sg_file_check_target(plain, err));
    TRY(sg_path_follow(plain, &session->output, err));
    if (sg_deck_is_made_of(session->deck, session->output))
        FAIL(err, SG_USAGE, "the output '%s' is a file that the deck is made of", session->output);
    return SG_OK;
}

/* --- files in PEER's format ----------------------------------------------------------------------- */

/* "out.h5" and "seed_1" -> "out_seed_1.AT2" */
static sg_status name_at2(const struct session *session, size_t index, char **path, struct sg_error *err)
{
    const char *output = session->output, *slash = strrchr(output, '/');
    const char *dot = strrchr(slash == NULL ? output : slash + 1, '.');
    size_t length = dot == NULL ? strlen(output) : (size_t)(dot - output);
    const char *name = session->motion.records[index].name;
    size_t bytes = length + strlen(name) + 8;
    TRY(sg_alloc(bytes, 1, "name of a record's file", path, err));
    snprintf(*path, bytes, "%.*s_%s.AT2", (int)length, output, name);
    return SG_OK;
}

static sg_status write_text(const char *path, const struct sg_text *text, struct sg_error *err)
{
    FILE *file = fopen(path, "wb");
    if (file == NULL) FAIL(err, SG_NO_OUTPUT, "can't create '%s': %s", path, strerror(errno));
    bool bad = fwrite(sg_text_view(text), 1, text->length, file) != text->length;
    int reason = errno;
    if (fclose(file) != 0 && !bad) {
        bad = true;
        reason = errno;
    }
    if (!bad) return SG_OK;
    remove(path);
    FAIL(err, SG_WRITE_FAILED, "can't write '%s': %s", path, strerror(reason));
}

static sg_status publish_text(const char *path, const struct sg_text *text, struct sg_error *err)
{
    SG_AUTO_FREE char *part = NULL;
    TRY(sg_file_check_target(path, err));
    TRY(sg_path_add(path, ".part", &part, err));
    TRY(write_text(part, text, err));
    return sg_file_publish(part, path, err);
}

static sg_status write_at2(const struct session *session, size_t index, struct sg_error *err)
{
    SG_AUTO_FREE char *path = NULL;
    SG_LOCAL_TEXT(text);
    if (!session->motion.at2 || !session->motion.records[index].made) return SG_OK;
    TRY(name_at2(session, index, &path, err));
    sg_ground_motion_print_at2(&session->motion, index, &text);
    TRY(text.failed ? sg_fail(err, SG_NO_MEMORY, "out of memory for '%s'", path) : SG_OK);
    return publish_text(path, &text, err);
}

/* --- running -------------------------------------------------------------------------------------- */

static void print_heading(const struct session *session)
{
    const struct sg_ground_motion *motion = &session->motion;
    if (motion->has_target) printf("target                 %s\n", sg_text_view(&motion->target_words));
    printf("%-22s %12s %12s %14s %11s %11s\n", "record", "PGA [m/s^2]", "PGV [m/s]", "PGD [m]", "mean error",
           "worst error");
    fflush(stdout);
}

static void print_record(const struct sg_ground_motion *motion, size_t index)
{
    const struct sg_motion_record *record = &motion->records[index];
    double peak[3];
    sg_ground_motion_peaks(motion, index, peak);
    printf("%-22s %12.4g %12.4g %14.4g", record->name, peak[0], peak[1], peak[2]);
    if (isfinite(record->fit.mean))
        printf(" %9.2f %% %9.2f %%\n", 100 * record->fit.mean, 100 * record->fit.worst);
    else
        printf(" %11s %11s\n", "-", "-");
    fflush(stdout);
}

/* Says of a record that was made what a careful colleague would. */
static void warn(const struct session *session, size_t index)
{
    const struct sg_motion_record *record = &session->motion.records[index];
    if (record->made && record->fit.mean > 0.05)
        fprintf(stderr,
                "signorini: warning: the response spectrum of '%s' misses the target by %.1f %% in the mean: "
                "take a longer record, or more iterations\n",
                record->name, 100 * record->fit.mean);
}

static sg_status compute(struct session *session, struct sg_error *err)
{
    struct sg_ground_motion *motion = &session->motion;
    if (!session->quiet) print_heading(session);
    while (motion->done < motion->count) {
        sg_status status = sg_ground_motion_advance(motion, err);
        if (status == SG_INTERRUPTED)
            FAIL(err, SG_INTERRUPTED, "interrupted after %zu of %zu records", motion->done, motion->count);
        TRY(status);
        TRY(write_at2(session, motion->done - 1, err));
        if (!session->quiet) print_record(motion, motion->done - 1);
        warn(session, motion->done - 1);
    }
    return SG_OK;
}

static sg_status write(const struct session *session, struct sg_error *err)
{
    struct {
        const char *title;
    } spec = {NULL};
    static const struct sg_keyword title_row[] = {{.name = "title", .type = SG_TEXT}, {0}};
    sg_setting_fill(sg_deck_root(session->deck), title_row, &spec);
    struct sg_recorder_spec recorder = {.path = session->output,
                                        .title = spec.title != NULL ? spec.title : "",
                                        .deck_source = sg_deck_source(session->deck),
                                        .deck_resolved = sg_text_view(&session->resolved),
                                        .deck_sha256 = session->sha256,
                                        .resolved_sha256 = session->fingerprint,
                                        .version = SG_VERSION,
                                        .commit = SG_COMMIT};
    TRY(sg_ground_motion_write(&session->motion, &recorder, err));
    if (!session->quiet) printf("results                %s\n", session->output);
    return SG_OK;
}

static sg_status execute(struct session *session, const struct sg_arguments *arguments, struct sg_error *err)
{
    TRY(sg_arguments_expect(arguments, 1, 1, err));
    session->deck_path = arguments->words[0];
    session->quiet = sg_arguments_has(arguments, "quiet");
    TRY(load(session, arguments, err));
    if (sg_arguments_has(arguments, "check")) {
        if (!session->quiet) printf("%s: ok\n", session->deck_path);
        return SG_OK;
    }
    TRY(name_output(session, sg_arguments_text(arguments, "output", NULL), err));
    TRY(sg_stop_install(err));
    TRY(compute(session, err));
    return write(session, err);
}

static sg_status body(const struct sg_arguments *arguments, struct sg_error *err)
{
    struct session session = {0};
    sg_status status = execute(&session, arguments, err);
    sg_report(&session.diagnostics, status, err);
    sg_ground_motion_release(&session.motion);
    sg_deck_destroy(session.deck);
    sg_diagnostics_release(&session.diagnostics);
    sg_text_release(&session.resolved);
    sg_free(session.output);
    return status;
}

int sg_command_ground_motion(int argc, char **argv)
{
    static const struct sg_command_frame frame = {
        "DECK [-o FILE.h5] [--set PATH=VALUE]... [--check] [-q]",
        "makes records that fit a code's spectrum, and response spectra of records", options, body};
    return sg_command_run(&frame, argc, argv);
}
