/* signorini run: one deck to one results file. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "analyses/points.h"
#include "analyses/transient.h"
#include "auditing/watch.h"
#include "commands/arguments.h"
#include "commands/audit_words.h"
#include "commands/check.h"
#include "commands/commands.h"
#include "commands/load.h"
#include "commands/progress.h"
#include "commands/summary.h"
#include "contact/totals.h"
#include "deck/file.h"
#include "jobs/build.h"
#include "jobs/varied_runs.h"
#include "results/checkpoint.h"
#include "results/file_size.h"
#include "results/files.h"
#include "results/reader.h"
#include "results/recorder.h"
#include "support/arena.h"
#include "support/clock.h"
#include "support/memory.h"
#include "support/sha256.h"
#include "support/stop.h"
#include "version.h"

static const struct sg_option options[] = {
    {"output", 'o', "FILE", "results file; by default the deck's name with .h5, in this folder", false},
    {"set", 0, "PATH=VALUE", "change a value of the deck", false},
    {"modes", 0, "FOLDER", "folder in which modal bases are kept, for other runs of the same model", false},
    {"resume", 0, NULL, "go on from the last checkpoint", false},
    {"progress", 0, "WHEN", "auto, always or never", false},
    {"jobs", 0, "N", "processes at once, of analyses whose points can be computed apart", false},
    {"strict", 0, NULL, "exit code 76 where the audit finds something doubtful or wrong", false},
    {"quiet", 'q', NULL, "no summary", false},
    {0}};

/* what the summary sums up beside the strategy's own counts */
struct work {
    struct sg_effective_counts counts;
    double wall_seconds;
};

struct run {
    const char *deck_path;
    const char *modes; /* folder; NULL: none */
    char *output;      /* owned */
    bool resume, quiet, strict;
    enum sg_progress_when when;
    struct sg_deck *deck;
    struct sg_diagnostics diagnostics;
    struct sg_points points; /* of an analysis without histories: then there is no job, but its `output` */
    struct sg_job job;
    struct sg_arena arena;
    struct sg_totals totals; /* of the contacts; from the arena, as the audit is */
    struct sg_audit audit;
    struct sg_audit_list known; /* of before the run */
    struct sg_recorder *recorder;
    struct sg_text resolved;
    char sha256[SG_SHA256_HEX];
    char fingerprint[SG_SHA256_HEX]; /* what a resumed run must have in common with the one before */
    struct sg_archive archive;
    struct sg_progress progress;
    double started, last_checkpoint; /* s, wall clock; last < 0: none yet */
    struct work earlier;             /* of the runs that this one resumes */
    unsigned ticks;
};

static sg_status parse_jobs(struct run *run, const struct sg_arguments *arguments, struct sg_error *err)
{
    const long long range[2] = {1, 4096};
    long long jobs = 1;
    TRY(sg_arguments_integer(arguments, "jobs", range, &jobs, err));
    run->points.jobs = (size_t)jobs;
    return SG_OK;
}

/* one process for each would be silence about a wish that can't be granted */
static sg_status check_jobs(const struct run *run, struct sg_error *err)
{
    const struct sg_points *points = &run->points;
    if (points->jobs <= 1 || (points->ops != NULL && points->ops->apart != NULL)) return SG_OK;
    FAIL(err, SG_USAGE, "--jobs %zu: the deck's analysis has no points that can be computed apart",
         points->jobs);
}

static sg_status parse(struct run *run, const struct sg_arguments *arguments, struct sg_error *err)
{
    TRY(sg_arguments_expect(arguments, 1, 1, err));
    run->deck_path = arguments->words[0];
    run->modes = sg_arguments_text(arguments, "modes", NULL);
    run->resume = sg_arguments_has(arguments, "resume");
    run->quiet = sg_arguments_has(arguments, "quiet");
    run->strict = sg_arguments_has(arguments, "strict");
    TRY(parse_jobs(run, arguments, err));
    return sg_progress_choose(sg_arguments_text(arguments, "progress", "auto"), &run->when, err);
}

/* A link to a file stays one: results, and all that bears their name, go where it leads to. */
static sg_status follow_output(struct run *run, const char *given, struct sg_error *err)
{
    TRY(sg_file_check_target(given, err));
    return sg_path_follow(given, &run->output, err);
}

/* DECK's name without folder and extension, with .h5 */
static sg_status name_output(struct run *run, const char *given, struct sg_error *err)
{
    if (given != NULL && given[0] == '\0') FAIL(err, SG_USAGE, "the name of the output is empty");
    if (given != NULL) return follow_output(run, given, err);
    char *plain = NULL;
    TRY(sg_name_after_deck(run->deck_path, ".h5", &plain, err));
    sg_status status = follow_output(run, plain, err);
    sg_free(plain);
    return status;
}

/* --- preparing ------------------------------------------------------------------------------------ */

/* a job, or an analysis of points */
static sg_status build(struct run *run, struct sg_error *err)
{
    const struct sg_setting *output = sg_setting_child(sg_deck_root(run->deck), "output");
    TRY(sg_points_create(&run->points, run->deck, &run->diagnostics, err));
    TRY(check_jobs(run, err));
    if (run->points.ops == NULL)
        return sg_job_build_with_modes(&run->job, run->deck, run->modes, &run->diagnostics, err);
    sg_setting_fill(output, sg_output_rows, &run->job.output);
    return SG_OK;
}

static sg_status load(struct run *run, const struct sg_arguments *arguments, struct sg_error *err)
{
    struct sg_overrides overrides;
    TRY(sg_overrides_init(&overrides, arguments, err));
    sg_status status = sg_load_deck(run->deck_path, &overrides, &run->deck, &run->diagnostics, err);
    sg_overrides_release(&overrides);
    TRY(status);
    sg_deck_print(run->deck, &run->resolved);
    if (run->resolved.failed) FAIL(err, SG_NO_MEMORY, "out of memory for the resolved deck");
    const char *source = sg_deck_source(run->deck);
    sg_sha256(source, strlen(source), run->sha256);
    TRY(build(run, err));
    return sg_deck_fingerprint(sg_text_view(&run->resolved), run->deck, run->fingerprint, err);
}

/* who sees every step: totals of the contacts, and the audit */
static sg_status create_watches(struct run *run, struct sg_error *err)
{
    const struct sg_job *job = &run->job;
    if (run->points.ops != NULL) return SG_OK;
    bool stepped = job->cell->strategy->fixed_steps, own = job->strategy.ops->own_systems;
    const struct sg_contact_totals_spec totals = {
        .count = job->labels.contact_count,
        .force_only = stepped ? NULL : job->contacts->sprung,
        .all_force_only = !stepped && own,
        .all_have_force = job->strategy.ops->needs_springs,
    };
    const struct sg_audit_watch_spec audit = {
        .system = job->system,
        .contacts = job->contacts,
        .force_only = totals.force_only,
        .all_force_only = totals.all_force_only,
        .all_springs = own || job->strategy.ops->needs_springs,
        .own_systems = own,
        .located = !stepped,
        .known = &run->known,
    };
    TRY(sg_check_find_ignored(job, &run->known, err));
    TRY(sg_contact_totals_create(&run->arena, &totals, &run->totals, err));
    return sg_audit_watch_create(&run->arena, &audit, &run->audit, err);
}

static struct sg_recorder_spec recorder_spec(const struct run *run)
{
    const char *title = sg_setting_text(sg_deck_root(run->deck), "title");
    const struct sg_job *job = &run->job;
    return (struct sg_recorder_spec){.path = run->output,
                                     .title = title != NULL ? title : "",
                                     .deck_source = sg_deck_source(run->deck),
                                     .deck_resolved = sg_text_view(&run->resolved),
                                     .deck_sha256 = run->sha256,
                                     .resolved_sha256 = run->fingerprint,
                                     .version = SG_VERSION,
                                     .commit = SG_COMMIT,
                                     .every = job->output.every,
                                     .end = job->time.end,
                                     .events = job->output.events != 0,
                                     .names = job->output.histories.data,
                                     .name_count = job->output.histories.count,
                                     .quantities = &job->quantities,
                                     .labels = &job->labels,
                                     .impulses = job->impulses,
                                     .totals = run->totals,
                                     .audit = run->audit,
                                     .staggering = job->staggering,
                                     .resume = run->resume};
}

static void warn_of_space(const struct run *run, const struct sg_recorder_spec *spec, double step)
{
    struct sg_recorder_spec predicted = *spec;
    if (predicted.every <= 0.0) predicted.every = step;
    double bytes = sg_results_predict_bytes(&predicted);
    char folder[4096];
    const char *slash = strrchr(run->output, '/');
    snprintf(folder, sizeof folder, "%.*s", slash != NULL ? (int)(slash - run->output + 1) : 1,
             slash != NULL ? run->output : ".");
    struct statvfs space;
    if (statvfs(folder, &space) != 0) return;
    double free_bytes = (double)space.f_bavail * (double)space.f_frsize;
    if (bytes > free_bytes)
        fprintf(
            stderr,
            "signorini: warning: the results need some %.3g MB, the disk has %.3g MB: raise output.every\n",
            bytes / 1e6, free_bytes / 1e6);
}

static const struct sg_observer nobody = {0};

/* what the results will need, against what the disk has */
static sg_status check_space(struct run *run, const struct sg_recorder_spec *spec, struct sg_error *err)
{
    struct sg_step_sizes sizes = {.step = run->job.time.step};
    if (run->points.ops != NULL) return SG_OK;
    if (isnan(sizes.step))
        TRY(sg_step_sizes_find(run->job.system, run->job.contacts, &run->job.time, &sizes, err));
    warn_of_space(run, spec, sizes.step);
    return SG_OK;
}

/* The strategy before its observer: what is wrong with the steps is the deck's fault, and must be known
 * before a file appears. */
static sg_status attach(struct run *run, struct sg_error *err)
{
    if (run->points.ops == NULL) TRY(sg_job_attach(&run->job, nobody, &run->diagnostics, err));
    /* a checkpoint of another deck is refused before its results are touched */
    char note[256];
    if (run->resume) TRY(sg_checkpoint_read(run->output, run->fingerprint, &run->archive, note, err));
    TRY(create_watches(run, err));
    struct sg_recorder_spec spec = recorder_spec(run);
    if (run->points.ops != NULL) {
        spec.point_columns = run->points.ops->columns(&run->points, &spec.point_column_count);
        spec.name_count = 0; /* of histories, which points are not: that was noted */
    }
    TRY(check_space(run, &spec, err));
    if (run->points.ops == NULL) sg_check_warn_at_once(&run->job, &run->diagnostics);
    if (run->diagnostics.failed) FAIL(err, SG_NO_MEMORY, "out of memory for warnings about the deck");
    TRY(sg_recorder_create(&spec, &run->recorder, err));
    run->job.observer = sg_recorder_observer(run->recorder);
    return SG_OK;
}

/* --- checkpoints ---------------------------------------------------------------------------------- */

static struct work work_so_far(const struct run *run)
{
    struct work work = {.wall_seconds = sg_wall_clock() - run->started};
    work.counts = run->points.ops != NULL ? run->points.ops->counts(&run->points) : sg_job_counts(&run->job);
    work.counts.solves += run->earlier.counts.solves;
    work.counts.factorizations += run->earlier.counts.factorizations;
    work.wall_seconds += run->earlier.wall_seconds;
    return work;
}

/* What was done to get ready is done again by every run that goes on: the first one's counts alone. */
static void take_earlier(struct run *run, struct work archived)
{
    struct work again = work_so_far(run);
    run->earlier.counts.solves = archived.counts.solves - again.counts.solves;
    run->earlier.counts.factorizations = archived.counts.factorizations - again.counts.factorizations;
    run->earlier.wall_seconds = archived.wall_seconds;
}

static void archive_all(struct run *run)
{
    struct work work = work_so_far(run);
    SG_ARCHIVE(&run->archive, work);
    if (run->archive.loading) take_earlier(run, work);
    sg_recorder_archive(run->recorder, &run->archive);
    if (run->points.ops != NULL)
        run->points.ops->archive(&run->points, &run->archive);
    else
        run->job.strategy.ops->archive(&run->job.strategy, &run->archive);
}

/* results first, then the memory that goes with them */
static sg_status checkpoint(struct run *run, bool sync, struct sg_error *err)
{
    TRY(sg_recorder_flush(run->recorder, sync, err));
    sg_archive_rewind(&run->archive);
    archive_all(run);
    TRY(sg_archive_finish(&run->archive, err));
    return sg_checkpoint_write(run->output, run->fingerprint, &run->archive, sync, err);
}

static sg_status restore(struct run *run, struct sg_error *err)
{
    char note[256];
    TRY(sg_checkpoint_read(run->output, run->fingerprint, &run->archive, note, err));
    if (note[0] != '\0') fprintf(stderr, "signorini: warning: %s\n", note);
    archive_all(run);
    return sg_archive_finish(&run->archive, err);
}

static sg_status checkpoint_if_due(struct run *run, double wall, bool stop, struct sg_error *err)
{
    bool due = run->last_checkpoint < 0.0 || wall - run->last_checkpoint >= run->job.output.checkpoint;
    if (!stop && !due) return SG_OK;
    /* The first is of a run that has just begun: a kill does not take it, a power cut may. In a sweep of
     * short runs its fsyncs would be what processors wait for most. */
    bool first = run->last_checkpoint < 0.0;
    run->last_checkpoint = wall;
    return checkpoint(run, stop || !first, err);
}

static sg_status between(void *self, const struct sg_strategy *strategy, bool *stop, struct sg_error *err)
{
    struct run *run = self;
    *stop = sg_stop_requested();
    if (!*stop && run->last_checkpoint >= 0.0 && ++run->ticks % 16 != 0) return SG_OK;
    double wall = sg_wall_clock();
    sg_progress_show(&run->progress, wall, strategy->ops->now(strategy), strategy->ops->closed(strategy));
    return checkpoint_if_due(run, wall, *stop, err);
}

static sg_status between_points(void *self, bool *stop, struct sg_error *err)
{
    struct run *run = self;
    *stop = sg_stop_requested();
    double wall = sg_wall_clock();
    sg_progress_show_points(&run->progress, wall, run->points.ops->done(&run->points));
    return checkpoint_if_due(run, wall, *stop, err);
}

/* --- running -------------------------------------------------------------------------------------- */

static struct sg_summary summary_of(const struct run *run)
{
    struct sg_summary summary = {0};
    struct work work = work_so_far(run);
    if (run->points.ops == NULL) {
        run->job.strategy.ops->summarize(&run->job.strategy, &summary);
        summary.end_time = run->job.strategy.ops->now(&run->job.strategy);
    }
    summary.solves = work.counts.solves;
    summary.factorizations = work.counts.factorizations;
    summary.modes_cached = run->job.modes.cached ? 1 : 0;
    summary.modes_seconds = run->job.modes.seconds;
    summary.energy_drift = sg_recorder_energy_drift(run->recorder);
    sg_recorder_summarize(run->recorder, &summary);
    summary.wall_seconds = work.wall_seconds;
    return summary;
}

static const char *status_word(sg_status status)
{
    if (status == SG_OK) return "complete";
    return status == SG_INTERRUPTED ? "interrupted" : "failed";
}

/* Reactions of many contacts with friction may be found less exactly than others. */
static void warn_of_contacts(const struct sg_summary *summary)
{
    if (summary->contact_share > 1e-9)
        fprintf(stderr,
                "signorini: warning: contact reactions were left with residuals of up to %.2g of the speeds "
                "(at position level: of the ways) that they were to take up: see /summary contact_residual\n",
                summary->contact_share);
}

static void print_points(const struct run *run, const struct sg_summary *summary)
{
    const struct sg_points_ops *ops = run->points.ops;
    struct sg_text words = {0};
    if (ops->sum_up != NULL) ops->sum_up(&run->points, &words);
    struct sg_summary_points points = {ops->done(&run->points), sg_text_view(&words)};
    sg_summary_print_points(stdout, run->output, &points, summary);
    sg_text_release(&words);
}

static void print_all(const struct run *run, size_t rows, const struct sg_summary *summary)
{
    if (run->points.ops != NULL) {
        print_points(run, summary);
        return;
    }
    sg_summary_print(stdout, run->output, rows, summary);
    sg_audit_print(stdout, sg_recorder_audit(run->recorder));
}

/* closes the file whatever happened; the first error counts */
static sg_status finish(struct run *run, sg_status status, struct sg_error *err)
{
    struct sg_summary summary = summary_of(run);
    size_t rows = sg_recorder_rows(run->recorder);
    struct sg_error second;
    sg_error_clear(&second);
    sg_status closing =
        sg_recorder_finish(run->recorder, status_word(status), &summary, status == SG_OK ? err : &second);
    if (status == SG_OK) status = closing;
    if (status == SG_OK) warn_of_contacts(&summary);
    if (status == SG_OK) sg_audit_warn(sg_recorder_audit(run->recorder));
    if (status == SG_OK && !run->quiet) print_all(run, rows, &summary);
    return status == SG_OK && run->strict ? sg_audit_check(sg_recorder_audit(run->recorder), err) : status;
}

static sg_status march_points(struct run *run, struct sg_error *err)
{
    if (run->resume) TRY(restore(run, err));
    sg_progress_start(&run->progress, run->when, (double)run->points.ops->done(&run->points),
                      (double)run->points.ops->total(&run->points));
    run->last_checkpoint = run->resume ? sg_wall_clock() : -1.0;
    struct sg_observer observer = sg_recorder_observer(run->recorder);
    struct sg_points_pause pause = {run, between_points};
    sg_status status = sg_points_run(&run->points, &observer, &pause, err);
    sg_progress_clear(&run->progress);
    return status;
}

static sg_status march(struct run *run, struct sg_error *err)
{
    if (run->points.ops != NULL) return march_points(run, err);
    if (run->resume) TRY(restore(run, err));
    double t = run->resume ? run->job.strategy.ops->now(&run->job.strategy) : 0.0;
    sg_progress_start(&run->progress, run->when, t, run->job.time.end);
    run->last_checkpoint = run->resume ? sg_wall_clock() : -1.0;
    struct sg_pause pause = {run, between};
    sg_status status = sg_transient_run(&run->job.strategy, run->resume, &pause, err);
    sg_progress_clear(&run->progress);
    return status;
}

/* A resumed run whose results are complete has nothing to do. */
static bool already_complete(const struct run *run)
{
    char part[4096];
    snprintf(part, sizeof part, "%s.part", run->output);
    return run->resume && access(part, F_OK) != 0 && access(run->output, F_OK) == 0;
}

static sg_status check_complete(const struct run *run, struct sg_error *err)
{
    struct sg_reader *reader = NULL;
    TRY(sg_reader_open(run->output, &reader, err));
    bool same = strcmp(sg_reader_attribute(reader, "resolved_sha256"), run->fingerprint) == 0;
    sg_reader_close(reader);
    if (!same) FAIL(err, SG_BAD_DECK, "'%s' is complete, but of another deck", run->output);
    sg_recorder_tidy(run->output);
    if (!run->quiet) printf("%s is complete already\n", run->output);
    return SG_OK;
}

static sg_status execute(struct run *run, const struct sg_arguments *arguments, struct sg_error *err)
{
    TRY(load(run, arguments, err));
    TRY(name_output(run, sg_arguments_text(arguments, "output", NULL), err));
    if (sg_deck_is_made_of(run->deck, run->output))
        FAIL(err, SG_USAGE, "the output '%s' is a file that the deck is made of", run->output);
    if (already_complete(run)) return check_complete(run, err);
    TRY(attach(run, err));
    sg_report(&run->diagnostics, SG_OK, err);
    TRY(sg_stop_install(err));
    sg_status status = march(run, err);
    return finish(run, status, err);
}

/* A checkpoint belongs to the deck with its overrides, so these are needed again. */
static void tell_how_to_resume(const struct run *run, const struct sg_arguments *arguments)
{
    fprintf(stderr, "signorini: go on with: signorini run '%s' -o '%s'", run->deck_path, run->output);
    const char *value = NULL;
    for (size_t i = 0; (value = sg_arguments_item(arguments, "set", i)) != NULL; i++)
        fprintf(stderr, " --set '%s'", value);
    if (run->points.jobs > 1) fprintf(stderr, " --jobs %zu", run->points.jobs);
    fputs(" --resume\n", stderr);
}

/* Where checkpoint or results can't be read, waiting mends nothing. */
static void tell_how_to_begin_anew(struct sg_error *err)
{
    size_t used = strlen(err->text);
    snprintf(err->text + used, sizeof err->text - used, "\n  hint: without --resume the run begins anew");
}

static sg_status body(const struct sg_arguments *arguments, struct sg_error *err)
{
    struct run run = {.started = sg_wall_clock(), .points = {.maker = &sg_varied_runs}};
    sg_status status = parse(&run, arguments, err);
    bool told = false;
    if (status == SG_OK) {
        status = execute(&run, arguments, err);
        told = run.recorder != NULL;
    }
    if (!told) sg_report(&run.diagnostics, status, err);
    /* an output has its name once the deck is read */
    if (status == SG_NO_INPUT && run.resume && run.output != NULL) tell_how_to_begin_anew(err);
    if (status == SG_INTERRUPTED) tell_how_to_resume(&run, arguments);
    sg_recorder_destroy(run.recorder);
    sg_arena_release(&run.arena);
    sg_points_destroy(&run.points);
    sg_job_release(&run.job);
    sg_deck_destroy(run.deck);
    sg_diagnostics_release(&run.diagnostics);
    sg_text_release(&run.resolved);
    sg_archive_release(&run.archive);
    sg_free(run.output);
    return status;
}

int sg_command_run_deck(int argc, char **argv)
{
    static const struct sg_command_frame frame = {
        "DECK [-o FILE.h5] [--set PATH=VALUE]... [--resume] "
        "[--modes FOLDER] [--progress=auto|always|never] [--jobs N] "
        "[--strict] [-q]",
        "runs a deck, its results go to an HDF5 file", options, body};
    return sg_command_run(&frame, argc, argv);
}
