#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "analyses/transient.h"
#include "bench.h"
#include "benchmarks/shipped.h"

double bench_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* --- models --------------------------------------------------------------------------------------- */

sg_status bench_open(const char *text, const char *const *overrides, struct bench_model *model,
                     struct sg_error *err)
{
    return bench_open_with_modes(text, overrides, NULL, model, err);
}

sg_status bench_open_with_modes(const char *text, const char *const *overrides, const char *modes,
                                struct bench_model *model, struct sg_error *err)
{
    *model = (struct bench_model){0};
    TRY(sg_deck_read_text(text, strlen(text), "bench", &model->deck, &model->diagnostics, err));
    sg_deck_offer_side_files(model->deck, sg_shipped_files);
    for (; overrides != NULL && *overrides != NULL; overrides++)
        TRY(sg_deck_override(model->deck, *overrides, &model->diagnostics, err));
    TRY(sg_deck_validate(model->deck, sg_grammar, &model->diagnostics, err));
    return sg_job_build_with_modes(&model->job, model->deck, modes, &model->diagnostics, err);
}

void bench_close(struct bench_model *model)
{
    struct sg_text findings = {0};
    sg_diagnostics_render(&model->diagnostics, &findings);
    fputs(sg_text_view(&findings), stderr);
    sg_text_release(&findings);
    sg_job_release(&model->job);
    sg_deck_destroy(model->deck);
    sg_diagnostics_release(&model->diagnostics);
}

const char *bench_shipped(const char *name)
{
    for (const struct sg_shipped_deck *deck = sg_shipped_decks; deck->name != NULL; deck++)
        if (strcmp(deck->name, name) == 0) return deck->text;
    return NULL;
}

static sg_status ignore_step(void *self, const struct sg_snapshot *now, const struct sg_sampler *sampler,
                             int localized, struct sg_error *err)
{
    (void)self, (void)now, (void)sampler, (void)localized, (void)err;
    return SG_OK;
}

static sg_status ignore_event(void *self, const struct sg_event *event, struct sg_error *err)
{
    (void)self, (void)event, (void)err;
    return SG_OK;
}

sg_status bench_run(struct bench_model *model, double *seconds, struct sg_summary *summary,
                    struct sg_error *err)
{
    static const struct sg_pause no_pause = {0};
    const struct sg_observer nobody = {.step = ignore_step, .event = ignore_event};
    struct sg_job *job = &model->job;
    if (job->strategy.ops != NULL) job->strategy.ops->destroy(&job->strategy);
    TRY(sg_job_attach(job, model->observer.step != NULL ? model->observer : nobody, &model->diagnostics,
                      err));
    struct sg_effective_counts before = sg_phase_counts(&job->phase);
    double start = bench_clock();
    TRY(sg_transient_run(&job->strategy, false, &no_pause, err));
    *seconds = bench_clock() - start;
    struct sg_effective_counts after = sg_phase_counts(&job->phase);
    *summary = (struct sg_summary){0};
    job->strategy.ops->summarize(&job->strategy, summary);
    summary->solves = after.solves - before.solves;
    summary->factorizations = after.factorizations - before.factorizations;
    return SG_OK;
}

/* --- figures -------------------------------------------------------------------------------------- */

static int ascending(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

double bench_median(const struct bench_times *times)
{
    struct bench_times sorted = *times;
    qsort(sorted.seconds, sorted.count, sizeof sorted.seconds[0], ascending);
    size_t middle = sorted.count / 2;
    return sorted.count % 2 != 0 ? sorted.seconds[middle]
                                 : 0.5 * (sorted.seconds[middle - 1] + sorted.seconds[middle]);
}

double bench_best(const struct bench_times *times)
{
    double best = HUGE_VAL;
    for (size_t i = 0; i < times->count; i++) best = fmin(best, times->seconds[i]);
    return best;
}

static void show_time(double seconds)
{
    if (seconds >= 1.0)
        printf(" %7.2f s ", seconds);
    else if (seconds >= 1e-3)
        printf(" %7.2f ms", 1e3 * seconds);
    else
        printf(" %7.3f us", 1e6 * seconds);
}

void bench_show(const struct bench_line *line)
{
    double best = bench_best(line->times);
    printf("  %-46s", line->name);
    show_time(best / line->share);
    show_time(bench_median(line->times) / line->share);
    if (line->yardstick != NULL) {
        double plain = bench_best(line->yardstick);
        show_time(plain / line->share);
        printf(" %6.2f", best / plain);
    } else {
        printf("  %9s %6s", "", "");
    }
    if (line->goal > 0.0) {
        show_time(line->goal);
        printf(" %s", best / line->share <= line->goal ? "met" : "MISSED");
    }
    printf("\n");
}
