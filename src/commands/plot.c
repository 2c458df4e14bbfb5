/* signorini plot: histories of a results file as a figure. */
#include "commands/commands.h"

#include <stdio.h>
#include <string.h>

#include "commands/arguments.h"
#include "commands/plot_draw.h"
#include "commands/plot_panels.h"
#include "results/reader.h"
#include "support/memory.h"
#include "support/text.h"

static bool ends_with(const char *text, size_t length, const char *end)
{
    size_t tail = strlen(end);
    return length >= tail && strncmp(text + length - tail, end, tail) == 0;
}

/* "run.h5" and "run.h5.part" are drawn as "run.svg" */
static void default_output(const char *input, struct sg_text *output)
{
    size_t length = strlen(input);
    if (ends_with(input, length, ".part")) length -= strlen(".part");
    if (ends_with(input, length, ".h5")) length -= strlen(".h5");
    sg_text_append_bytes(output, input, length);
    sg_text_append(output, ".svg");
}

static sg_status draw(const struct sg_reader *reader, const struct sg_arguments *arguments,
                      const char *output, struct sg_error *err)
{
    struct sg_plot plot = {0};
    const char **only = NULL;
    size_t count = 0;
    TRY(SG_NEW(&only, arguments->given_count, err));
    while (sg_arguments_item(arguments, "only", count) != NULL) {
        only[count] = sg_arguments_item(arguments, "only", count);
        count++;
    }
    sg_status status = sg_plot_init(&plot, reader, only, count, err);
    if (status == SG_OK) status = sg_plot_draw(&plot, output, err);
    sg_plot_release(&plot);
    sg_free(only);
    return status;
}

static sg_status plot_file(const struct sg_arguments *arguments, struct sg_error *err)
{
    struct sg_reader *reader = NULL;
    struct sg_text named = {0};
    TRY(sg_arguments_expect(arguments, 1, 1, err));
    TRY(sg_reader_open(arguments->words[0], &reader, err));
    default_output(arguments->words[0], &named);
    const char *output = sg_arguments_text(arguments, "output", sg_text_view(&named));
    sg_status status = draw(reader, arguments, output, err);
    if (status == SG_OK) printf("%s\n", output);
    sg_text_release(&named);
    sg_reader_close(reader);
    return status;
}

int sg_command_plot(int argc, char **argv)
{
    static const struct sg_option options[] = {
        {"output", 'o', "FILE", "the figure: .svg, .png or .pdf (the results file's name with .svg)", false},
        {"only", 0, "NAME", "histories or groups to draw instead of the usual ones", true},
        {0}};
    static const struct sg_command_frame frame = {
        "FILE.h5 [-o FILE.svg|.png|.pdf] [--only NAME...]",
        "draws gap, force, energy and displacement histories; works on a run under way (.part) too", options,
        plot_file};
    return sg_command_run(&frame, argc, argv);
}
