/* signorini plot: histories of a results file, or a field of its mesh, as a figure. */
#include "commands/commands.h"

#include <stdio.h>
#include <string.h>

#include "commands/arguments.h"
#include "drawing/field.h"
#include "drawing/gnuplot.h"
#include "drawing/histories.h"
#include "drawing/modes.h"
#include "drawing/orbit.h"
#include "drawing/panels_script.h"
#include "drawing/study.h"
#include "results/reader.h"
#include "support/text.h"

static bool ends_with(const char *text, size_t length, const char *end)
{
    size_t tail = strlen(end);
    return length >= tail && strncmp(text + length - tail, end, tail) == 0;
}

/* What `--output` says; else "run.h5" and "run.h5.part" are drawn as "run.svg", a field of them as
 * "run.von_mises.svg". */
static sg_status name_output(const struct sg_arguments *arguments, struct sg_text *output,
                             struct sg_error *err)
{
    const char *given = sg_arguments_text(arguments, "output", NULL), *input = arguments->words[0];
    const char *field = sg_arguments_text(arguments, "field", NULL);
    size_t length = strlen(input);
    if (ends_with(input, length, ".part")) length -= strlen(".part");
    if (ends_with(input, length, ".h5")) length -= strlen(".h5");
    if (given != NULL)
        sg_text_append(output, "%s", given);
    else
        sg_text_append_bytes(output, input, length);
    if (given == NULL && field != NULL)
        sg_text_append(output, ".%.64s", strchr(field, '/') == NULL ? field : "field");
    if (given == NULL) sg_text_append(output, ".svg");
    return sg_text_check(output, err);
}

/* the words of `--only` */
static sg_status read_only(struct sg_arena *arena, const struct sg_arguments *arguments, const char ***only,
                           size_t *count, struct sg_error *err)
{
    *count = 0;
    TRY(SG_ARENA_NEW(arena, only, arguments->given_count, err));
    while (sg_arguments_item(arguments, "only", *count) != NULL) {
        (*only)[*count] = sg_arguments_item(arguments, "only", *count);
        ++*count;
    }
    return SG_OK;
}

static sg_status draw_study(const char *path, const struct sg_arguments *arguments, const char *output,
                            struct sg_error *err)
{
    struct sg_plot_study study = {0};
    const struct sg_drawing drawing = {sg_plot_script, &study.plot};
    struct sg_study_wish wish = {.over = sg_arguments_text(arguments, "over", NULL)};
    SG_LOCAL_ARENA(arena);
    const char **only = NULL;
    TRY(read_only(&arena, arguments, &only, &wish.only_count, err));
    wish.only = only;
    TRY(sg_plot_study_init(&arena, &study, path, &wish, err));
    return sg_plot_draw(&drawing, output, err);
}

static sg_status draw_histories(const struct sg_reader *reader, const struct sg_arguments *arguments,
                                const char *output, struct sg_error *err)
{
    struct sg_plot plot = {0};
    const struct sg_drawing drawing = {sg_plot_script, &plot};
    SG_LOCAL_ARENA(arena);
    const char **only = NULL;
    struct sg_plot_wish wish = {.all = sg_arguments_has(arguments, "all")};
    TRY(read_only(&arena, arguments, &only, &wish.only_count, err));
    wish.only = only;
    TRY(sg_plot_init(&arena, &plot, reader, &wish, err));
    return sg_plot_draw(&drawing, output, err);
}

static sg_status draw_field(const struct sg_reader *reader, const struct sg_arguments *arguments,
                            const char *output, struct sg_error *err)
{
    struct sg_plot_field plot = {0};
    const struct sg_drawing drawing = {sg_plot_field_script, &plot};
    struct sg_field_wish wish = {.name = sg_arguments_text(arguments, "field", NULL),
                                 .times = sg_arguments_text(arguments, "at", NULL)};
    SG_LOCAL_ARENA(arena);
    TRY(sg_arguments_real(arguments, "deform", 1, &wish.deform, err));
    TRY(sg_plot_field_init(&arena, &plot, reader, &wish, err));
    return sg_plot_draw(&drawing, output, err);
}

static sg_status add_file(struct sg_arena *arena, struct sg_plot_modes *plot, const char *path,
                          struct sg_error *err)
{
    struct sg_reader *reader = NULL;
    TRY(sg_reader_open(path, &reader, err));
    sg_status status = sg_plot_modes_add(arena, plot, reader, err);
    sg_reader_close(reader);
    return status;
}

static sg_status draw_modes(const struct sg_reader *reader, const struct sg_arguments *arguments,
                            const char *output, struct sg_error *err)
{
    struct sg_plot_modes plot = {0};
    const struct sg_drawing drawing = {sg_plot_modes_script, &plot};
    SG_LOCAL_ARENA(arena);
    TRY(sg_plot_modes_add(&arena, &plot, reader, err));
    const char *beside = NULL;
    for (size_t i = 0; (beside = sg_arguments_item(arguments, "beside", i)) != NULL; i++)
        TRY(add_file(&arena, &plot, beside, err));
    return sg_plot_draw(&drawing, output, err);
}

static sg_status draw_orbit(const struct sg_reader *reader, const struct sg_arguments *arguments,
                            const char *output, struct sg_error *err)
{
    struct sg_plot_orbit plot = {0};
    const struct sg_drawing drawing = {sg_plot_orbit_script, &plot};
    double ratio = 1;
    SG_LOCAL_ARENA(arena);
    TRY(sg_arguments_real(arguments, "orbit", 1, &ratio, err));
    TRY(sg_plot_orbit_init(&arena, &plot, reader, ratio, err));
    return sg_plot_draw(&drawing, output, err);
}

static sg_status draw(const struct sg_reader *reader, const struct sg_arguments *arguments,
                      const char *output, struct sg_error *err)
{
    if (sg_arguments_has(arguments, "field")) return draw_field(reader, arguments, output, err);
    if (sg_arguments_has(arguments, "orbit")) return draw_orbit(reader, arguments, output, err);
    bool diagram = sg_plot_modes_fits(reader) && !sg_arguments_has(arguments, "only");
    if (!diagram && sg_arguments_has(arguments, "beside"))
        FAIL(err, SG_USAGE, "--beside goes with the diagram of nonsmooth modes, which this file has not");
    return (diagram ? draw_modes : draw_histories)(reader, arguments, output, err);
}

static sg_status check_options(const struct sg_arguments *arguments, bool study, struct sg_error *err)
{
    bool field = sg_arguments_has(arguments, "field");
    if (field && sg_arguments_has(arguments, "only"))
        FAIL(err, SG_USAGE, "--only is of histories, --field of the mesh: a figure shows one of them");
    if (field && !sg_arguments_has(arguments, "at"))
        FAIL(err, SG_USAGE, "say when to draw the field: --at TIMES, like 0.1,0.2");
    if (sg_arguments_has(arguments, "orbit") &&
        (field || sg_arguments_has(arguments, "only") || sg_arguments_has(arguments, "beside")))
        FAIL(err, SG_USAGE, "--orbit is a figure of its own, without --only, --field and --beside");
    if (sg_arguments_has(arguments, "over") && !study)
        FAIL(err, SG_USAGE, "--over goes with the table of a study, summary.h5");
    if (!field && sg_arguments_has(arguments, "at")) FAIL(err, SG_USAGE, "--at goes with --field");
    if (!field && sg_arguments_has(arguments, "deform")) FAIL(err, SG_USAGE, "--deform goes with --field");
    return SG_OK;
}

static sg_status plot_file(const struct sg_arguments *arguments, struct sg_error *err)
{
    struct sg_reader *reader = NULL;
    SG_LOCAL_TEXT(named);
    TRY(sg_arguments_expect(arguments, 1, 1, err));
    const char *input = arguments->words[0];
    bool study = false;
    TRY(sg_study_table_fits(input, &study, err));
    TRY(check_options(arguments, study, err));
    if (study && (sg_arguments_has(arguments, "field") || sg_arguments_has(arguments, "orbit")))
        FAIL(err, SG_USAGE, "'%s' is the table of a study, which has neither --field nor --orbit", input);
    TRY(name_output(arguments, &named, err));
    if (!study) TRY(sg_reader_open(input, &reader, err));
    const char *output = sg_text_view(&named);
    sg_status status =
        study ? draw_study(input, arguments, output, err) : draw(reader, arguments, output, err);
    if (status == SG_OK) printf("%s\n", output);
    sg_reader_close(reader);
    return status;
}

int sg_command_plot(int argc, char **argv)
{
    static const struct sg_option options[] = {
        {"output", 'o', "FILE",
         "the figure: .svg, .png or .pdf (the results file's name with .svg, of a field with .FIELD.svg)",
         false},
        {"only", 0, "NAME", "histories, groups or columns of a study to draw instead of the usual ones",
         true},
        {"all", 0, NULL, "all columns of a history, up to 24, instead of the six that tell most", false},
        {"over", 0, "NAME", "of a study's table: the parameter that is drawn over (that with most values)",
         false},
        {"field", 0, "NAME",
         "draws the mesh instead, coloured by a history of its elements or nodes: von_mises", false},
        {"at", 0, "TIMES", "with --field: a panel for the sample next to each time (s), like 0.1,0.2", false},
        {"deform", 0, "X", "with --field: displacements are drawn X times as large (1); 0: undeformed",
         false},
        {"orbit", 0, "RATIO", "of nonsmooth modes: the fields of the orbit next to this frequency ratio",
         false},
        {"beside", 0, "FILE.h5", "of nonsmooth modes: also the points of this file, forced ones or orbits",
         true},
        {0}};
    static const struct sg_command_frame frame = {
        "FILE.h5 [-o FILE.svg|.png|.pdf] [--only NAME... [--all] [--over NAME] | --field NAME --at TIMES "
        "[--deform X] | --orbit RATIO | --beside FILE.h5...]",
        "draws gap, force, energy and displacement histories, a "
        "field over the mesh, or the table of a study; "
        "works on a run under way (.part) too",
        options, plot_file};
    return sg_command_run(&frame, argc, argv);
}
