/* signorini help: the keyword reference, from the rows. */
#include <stdio.h>
#include <string.h>

#include "commands/arguments.h"
#include "commands/commands.h"
#include "deck/deck.h"
#include "grammar.h"

static const struct sg_option options[] = {{"manual", 0, NULL, "the whole reference as Markdown", false},
                                           {0}};

static void print_commands(void)
{
    printf("usage: signorini COMMAND ...\n\n");
    for (const struct sg_command *command = sg_commands; command->name != NULL; command++)
        printf("  %-11s %s\n", command->name, command->meaning);
    printf("\n`signorini COMMAND --help` tells a command's options, `signorini help WORD` explains keywords "
           "of the deck:\n\n");
}

static sg_status body(const struct sg_arguments *arguments, struct sg_error *err)
{
    TRY(sg_arguments_expect(arguments, 0, 1, err));
    struct sg_text text = {0};
    bool found = true;
    if (sg_arguments_has(arguments, "manual"))
        sg_manual_print(sg_grammar, &text);
    else if (arguments->word_count == 0)
        for (const struct sg_keyword *row = sg_grammar; row->name != NULL; row++)
            sg_text_append(&text, "  %-11s %s\n", row->name, row->meaning);
    else
        found = sg_help_print(sg_grammar, arguments->words[0], &text);
    if (arguments->word_count == 0 && !sg_arguments_has(arguments, "manual")) print_commands();
    if (found)
        fputs(sg_text_view(&text), stdout);
    else /* the text is one line, with a suggestion where there is one */
        sg_fail(err, SG_USAGE, "%.*s", (int)strcspn(sg_text_view(&text), "\n"), sg_text_view(&text));
    sg_text_release(&text);
    return found ? SG_OK : SG_USAGE;
}

int sg_command_help(int argc, char **argv)
{
    static const struct sg_command_frame frame = {
        "[PATH or WORD]", "explains commands and keywords of the deck", options, body};
    return sg_command_run(&frame, argc, argv);
}
