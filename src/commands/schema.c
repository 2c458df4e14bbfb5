/* signorini schema: JSON Schema of decks and of results files. */
#include <stdio.h>
#include <string.h>

#include "benchmarks/benchmark.h"
#include "commands/arguments.h"
#include "commands/commands.h"
#include "commands/load.h"
#include "deck/deck.h"
#include "ground/ground_motion.h"
#include "jobs/grammar.h"
#include "results/schema.h"
#include "studies/study.h"

static sg_status body(const struct sg_arguments *arguments, struct sg_error *err)
{
    TRY(sg_arguments_expect(arguments, 0, 1, err));
    const char *which = arguments->word_count > 0 ? arguments->words[0] : "deck";
    SG_LOCAL_TEXT(text);
    if (strcmp(which, "deck") == 0)
        sg_schema_print("Signorini deck", sg_grammar, &text);
    else if (strcmp(which, "study") == 0)
        sg_schema_print("Signorini study", sg_study_grammar, &text);
    else if (strcmp(which, "ground-motion") == 0)
        sg_schema_print("Signorini deck of ground motion", sg_ground_grammar, &text);
    else if (strcmp(which, "benchmark") == 0)
        sg_schema_print("Signorini benchmark", sg_bench_grammar, &text);
    else if (strcmp(which, "results") == 0)
        sg_results_schema_print(&text);
    else
        FAIL(err, SG_USAGE,
             "there is a schema of 'deck', 'study', 'ground-motion', 'benchmark' and 'results', not of '%s'",
             which);
    return sg_print(&text, err);
}

int sg_command_schema(int argc, char **argv)
{
    static const struct sg_option none[] = {{0}};
    static const struct sg_command_frame frame = {"[deck|study|ground-motion|benchmark|results]",
                                                  "prints the JSON Schema of decks, studies or results", none,
                                                  body};
    return sg_command_run(&frame, argc, argv);
}
