/* signorini check: parse, validate and build, without running. */
#include <stdio.h>
#include <string.h>

#include "analyses/points.h"
#include "commands/arguments.h"
#include "commands/check.h"
#include "commands/commands.h"
#include "commands/load.h"
#include "jobs/build.h"
#include "jobs/varied_runs.h"

static const struct sg_option options[] = {
    {"set", 0, "PATH=VALUE", "change a value of the deck", false},
    {"json", 0, NULL, "print the resolved deck as JSON instead", false},
    {"raw-json", 0, NULL, "print the deck as JSON before validation: no defaults, wrong or not", false},
    {0}};

static sg_status no_step(void *self, const struct sg_snapshot *now, const struct sg_sampler *sampler,
                         int localized, struct sg_error *err)
{
    (void)self, (void)now, (void)sampler, (void)localized, (void)err;
    return SG_OK;
}

/* Prints what only the strategy knows. */
static sg_status print_strategy(const struct sg_job *job, struct sg_error *err)
{
    SG_LOCAL_TEXT(text);
    if (job->strategy.ops->describe == NULL) return SG_OK;
    TRY(job->strategy.ops->describe(&job->strategy, &text, err));
    return sg_check_print_lines(&text, err);
}

static sg_status build_and_print(const char *path, const struct sg_deck *deck,
                                 struct sg_diagnostics *diagnostics, struct sg_error *err)
{
    struct sg_job job;
    struct sg_observer observer = {.step = no_step};
    struct sg_check_figures figures;
    sg_status status = sg_job_build(&job, deck, diagnostics, err);
    if (status == SG_OK) status = sg_job_attach(&job, observer, diagnostics, err);
    if (status == SG_OK) status = sg_check_figures_find(&figures, &job, err);
    if (status == SG_OK) {
        sg_check_warn(&job, &figures, diagnostics);
        status = sg_check_print(path, &job, &figures, err);
    }
    if (status == SG_OK) status = print_strategy(&job, err);
    if (status == SG_OK && sg_check_is_penalty(&job)) {
        status = sg_check_print_penalty(&job, figures.step, err);
        if (status == SG_OK) status = sg_check_warn_penalty(&job, figures.step, diagnostics, err);
    }
    sg_job_release(&job);
    return status;
}

static sg_status print_description(const char *path, const struct sg_points *points, struct sg_error *err)
{
    SG_LOCAL_TEXT(text);
    points->ops->describe(points, &text);
    printf("%s: ok\n", path);
    return sg_check_print_lines(&text, err);
}

static sg_status describe_points(const char *path, const struct sg_deck *deck,
                                 struct sg_diagnostics *diagnostics, struct sg_error *err)
{
    struct sg_points points = {.maker = &sg_varied_runs};
    sg_status status = sg_points_create(&points, deck, diagnostics, err);
    if (status == SG_OK) status = print_description(path, &points, err);
    sg_points_destroy(&points);
    return status;
}

static bool is_of_points(const struct sg_deck *deck)
{
    return sg_points_find(sg_setting_kind(sg_setting_child(sg_deck_root(deck), "analysis"))) != NULL;
}

static sg_status print_json(const struct sg_deck *deck, struct sg_error *err)
{
    SG_LOCAL_TEXT(text);
    sg_deck_print_json(deck, &text);
    return sg_print(&text, err);
}

static sg_status check_deck(const char *path, const struct sg_arguments *arguments, struct sg_error *err)
{
    struct sg_deck *deck = NULL;
    struct sg_diagnostics diagnostics = {0};
    struct sg_overrides overrides;
    TRY(sg_overrides_init(&overrides, arguments, err));
    bool raw = sg_arguments_has(arguments, "raw-json"), json = sg_arguments_has(arguments, "json");
    sg_status status = raw ? sg_read_deck(path, &overrides, &deck, &diagnostics, err)
                           : sg_load_deck(path, &overrides, &deck, &diagnostics, err);
    if (status == SG_OK && (raw || json))
        status = print_json(deck, err);
    else if (status == SG_OK && is_of_points(deck))
        status = describe_points(path, deck, &diagnostics, err);
    else if (status == SG_OK)
        status = build_and_print(path, deck, &diagnostics, err);
    sg_report(&diagnostics, status, err);
    sg_overrides_release(&overrides);
    sg_deck_destroy(deck);
    sg_diagnostics_release(&diagnostics);
    return status;
}

static sg_status body(const struct sg_arguments *arguments, struct sg_error *err)
{
    TRY(sg_arguments_expect(arguments, 1, 100000, err));
    sg_status worst = SG_OK;
    for (size_t i = 0; i < arguments->word_count; i++) {
        sg_status status = check_deck(arguments->words[i], arguments, err);
        if (status != SG_OK && status != SG_BAD_DECK) return status;
        if (status != SG_OK) worst = status;
    }
    return worst;
}

int sg_command_check(int argc, char **argv)
{
    static const struct sg_command_frame frame = {"DECK... [--set PATH=VALUE]... [--json]",
                                                  "checks decks and builds their models without running",
                                                  options, body};
    return sg_command_run(&frame, argc, argv);
}
