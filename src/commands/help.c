/* signorini help: the keyword reference, from the rows. */
#include <stdio.h>
#include <string.h>

#include "commands/arguments.h"
#include "commands/commands.h"
#include "deck/deck.h"
#include "grammar.h"
#include "studies/study.h"

static const struct sg_option options[] = {
    {"manual", 0, NULL, "the whole reference as Markdown, with `study` that of studies", false}, {0}};

static void print_commands(void)
{
    printf("usage: signorini COMMAND ...\n\n");
    for (const struct sg_command *command = sg_commands; command->name != NULL; command++)
        printf("  %-11s %s\n", command->name, command->meaning);
    printf("\n`signorini COMMAND --help` tells a command's options, `signorini help WORD` explains keywords "
           "of the deck, `signorini help study` those of parameter studies:\n\n");
}

static void list_keywords(const struct sg_keyword *rows, struct sg_text *text)
{
    for (const struct sg_keyword *row = rows; row->name != NULL; row++)
        sg_text_append(text, "  %-11s %s\n", row->name, row->meaning);
}

/* "study" and what is below it; other words where decks don't know them */
static bool explain(const char *topic, struct sg_text *text)
{
    static const char study[] = "study";
    const size_t length = sizeof study - 1;
    if (strcmp(topic, study) == 0) {
        list_keywords(sg_study_grammar, text);
        return true;
    }
    if (strncmp(topic, study, length) == 0 && topic[length] == '.')
        return sg_help_print(sg_study_grammar, topic + length + 1, text);
    if (sg_help_print(sg_grammar, topic, text)) return true;
    struct sg_text other = {0};
    bool found = sg_help_print(sg_study_grammar, topic, &other);
    if (found) {
        sg_text_release(text);
        sg_text_append(text, "keywords of studies (signorini sweep):\n\n%s", sg_text_view(&other));
    }
    sg_text_release(&other);
    return found;
}

static void print_study_manual(struct sg_text *text)
{
    sg_text_append(
        text, "# Studies: keywords\n\nThis page is made from the program's keyword tables; `signorini help "
              "study` prints the same.\n[studies.md](studies.md) tells what they are for.\n");
    sg_manual_print_tables(sg_study_grammar, text);
}

static sg_status body(const struct sg_arguments *arguments, struct sg_error *err)
{
    TRY(sg_arguments_expect(arguments, 0, 1, err));
    struct sg_text text = {0};
    const char *topic = arguments->word_count > 0 ? arguments->words[0] : NULL;
    bool manual = sg_arguments_has(arguments, "manual"), found = true;
    if (manual && topic != NULL && strcmp(topic, "study") == 0)
        print_study_manual(&text);
    else if (manual)
        sg_manual_print(sg_grammar, &text);
    else if (topic == NULL)
        list_keywords(sg_grammar, &text);
    else
        found = explain(topic, &text);
    if (topic == NULL && !manual) print_commands();
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
        "[PATH or WORD]", "explains commands and keywords of decks and studies", options, body};
    return sg_command_run(&frame, argc, argv);
}
