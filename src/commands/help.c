/* signorini help: the keyword reference, from the rows. */
#include <stdio.h>
#include <string.h>

#include "benchmarks/benchmark.h"
#include "commands/arguments.h"
#include "commands/commands.h"
#include "commands/load.h"
#include "deck/deck.h"
#include "ground/ground_motion.h"
#include "jobs/grammar.h"
#include "studies/study.h"

static const struct sg_option options[] = {
    {"manual", 0, NULL,
     "the whole reference as Markdown; with study, benchmark or ground-motion, of those decks", false},
    {0}};

/* decks of their own: what explains all of one, its rows, and the page that tells what it is for */
static const struct other {
    const char *topic;
    const struct sg_keyword *rows;
    const char *title, *page;
    void (*more)(struct sg_text *text); /* what rows do not tell; NULL: nothing */
} others[] = {{"benchmark", sg_bench_grammar, "Benchmarks", "benchmarks.md", sg_bench_print_functions},
              {"ground-motion", sg_ground_grammar, "Ground motion", "earthquake.md", NULL},
              {"study", sg_study_grammar, "Studies", "studies.md", NULL}};

static void print_groups(const struct sg_keyword *rows, struct sg_text *text)
{
    for (const struct sg_keyword *row = rows; row->name != NULL; row++)
        sg_text_append(text, "  %-11s %s\n", row->name, row->meaning);
}

/* A word may be one of several kinds of decks: each tells its own. False: `text` stays as it was. */
static bool print_from_others(const char *topic, struct sg_text *text)
{
    struct sg_text all = {0};
    for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
        SG_LOCAL_TEXT(found);
        if (sg_help_print(others[k].rows, topic, &found)) sg_text_append(&all, "%s", sg_text_view(&found));
        all.failed = all.failed || found.failed;
    }
    bool any = all.length > 0 || all.failed;
    if (any) {
        sg_text_release(text);
        *text = all;
    }
    return any;
}

/* keywords of the usual decks first, then those of the others; false: there are suggestions */
static bool print_topic(const char *topic, struct sg_text *text)
{
    for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
        size_t length = strlen(others[k].topic);
        if (strncmp(topic, others[k].topic, length) != 0) continue;
        if (topic[length] == '.') return sg_help_print(others[k].rows, topic + length + 1, text);
        if (topic[length] != '\0') continue;
        print_groups(others[k].rows, text);
        if (others[k].more != NULL) others[k].more(text);
        return true;
    }
    return sg_help_print(sg_grammar, topic, text) || print_from_others(topic, text);
}

static void print_commands(void)
{
    printf("usage: signorini COMMAND ...\n\n");
    for (const struct sg_command *command = sg_commands; command->name != NULL; command++)
        printf("  %-11s %s\n", command->name, command->meaning);
    printf("\n`signorini COMMAND --help` tells a command's options, `signorini help WORD` explains keywords "
           "of the deck, `signorini help study` those of studies, `signorini help benchmark` those of "
           "benchmarks, `signorini help ground-motion` those of decks of ground motion:\n\n");
}

static void print_other_manual(const struct other *other, struct sg_text *text)
{
    sg_text_append(
        text,
        "# %s: keywords\n\nThis page is made from the program's keyword tables; `signorini help %s` "
        "prints the same.\n[%s](%s) tells what they are for.\n",
        other->title, other->topic, other->page, other->page);
    sg_manual_print_tables(other->rows, text);
    if (other->more == NULL) return;
    sg_text_append(text, "\n## Functions\n\n```\n");
    other->more(text);
    sg_text_append(text, "```\n");
}

static void print_manual(const char *topic, struct sg_text *text)
{
    for (size_t k = 0; topic != NULL && k < sizeof others / sizeof *others; k++) {
        if (strcmp(topic, others[k].topic) != 0) continue;
        print_other_manual(&others[k], text);
        return;
    }
    sg_manual_print(sg_grammar, text);
}

static sg_status body(const struct sg_arguments *arguments, struct sg_error *err)
{
    TRY(sg_arguments_expect(arguments, 0, 1, err));
    SG_LOCAL_TEXT(text);
    const char *topic = arguments->word_count > 0 ? arguments->words[0] : NULL;
    bool manual = sg_arguments_has(arguments, "manual"), found = true;
    if (manual)
        print_manual(topic, &text);
    else if (topic == NULL)
        print_groups(sg_grammar, &text);
    else
        found = print_topic(topic, &text);
    TRY(sg_text_check(&text, err));
    if (topic == NULL && !manual) print_commands();
    if (found) return sg_print(&text, err);
    /* the text is one line, with a suggestion where there is one */
    FAIL(err, SG_USAGE, "%.*s", (int)strcspn(sg_text_view(&text), "\n"), sg_text_view(&text));
}

int sg_command_help(int argc, char **argv)
{
    static const struct sg_command_frame frame = {
        "[PATH or WORD]", "explains commands and keywords of decks and studies", options, body};
    return sg_command_run(&frame, argc, argv);
}
