/* signorini list: what there is. */
#include <stdio.h>
#include <string.h>

#include "analyses/registry.h"
#include "commands/arguments.h"
#include "commands/commands.h"
#include "contact/contact_set.h"
#include "integrators/integrator.h"
#include "model/elements/element.h"
#include "model/keywords.h"
#include "results/schema.h"
#include "strategies/strategy.h"

static const struct {
    const char *name;
    const struct sg_kind_set *kinds;
} lists[] = {
    {"integrators", &sg_integrator_kinds},
    {"strategies", &sg_strategy_kinds},
    {"bodies", &sg_body_kinds},
    {"elements", &sg_element_kinds},
    {"constraints", &sg_constraint_kinds},
    {"contacts", &sg_contact_kinds},
    {"loads", &sg_load_kinds},
    {"analyses", &sg_analysis_kinds},
};

enum { LISTS = sizeof lists / sizeof lists[0] };

static void print_kinds(const struct sg_kind_set *kinds)
{
    for (size_t i = 0; i < kinds->count; i++)
        printf("%-20s %s\n", kinds->items[i]->name, kinds->items[i]->meaning);
}

static void print_grid(void)
{
    printf("%-20s %-16s %-12s %s\n", "integrator", "strategy", "level, form", "scheme");
    for (size_t i = 0; i < sg_grid_count(); i++) {
        const struct sg_grid_cell *cell = sg_grid_at(i);
        printf("%-20s %-16s %-12s %s\n", cell->integrator, cell->strategy,
               cell->formulation == NULL ? "" : cell->formulation, cell->scheme);
    }
}

static sg_status print_results(struct sg_error *err)
{
    struct sg_text text = {0};
    sg_results_list(&text);
    bool failed = text.failed;
    if (!failed) fputs(sg_text_view(&text), stdout);
    sg_text_release(&text);
    if (failed) FAIL(err, SG_NO_MEMORY, "out of memory for a list");
    return SG_OK;
}

static sg_status body(const struct sg_arguments *arguments, struct sg_error *err)
{
    TRY(sg_arguments_expect(arguments, 0, 1, err));
    if (arguments->word_count == 0) FAIL(err, SG_USAGE, "say what shall be listed");
    const char *what = arguments->words[0];
    if (strcmp(what, "grid") == 0) {
        print_grid();
        return SG_OK;
    }
    if (strcmp(what, "results") == 0) return print_results(err);
    for (size_t i = 0; i < LISTS; i++) {
        if (strcmp(what, lists[i].name) != 0) continue;
        print_kinds(lists[i].kinds);
        return SG_OK;
    }
    FAIL(
        err, SG_USAGE,
        "can't list '%s': integrators, strategies, bodies, elements, constraints, contacts, loads, analyses, "
        "results or grid",
        what);
}

int sg_command_list(int argc, char **argv)
{
    static const struct sg_option none[] = {{0}};
    static const struct sg_command_frame frame = {
        "integrators|strategies|bodies|elements|constraints|contacts|loads|analyses|results|grid",
        "lists what there is", none, body};
    return sg_command_run(&frame, argc, argv);
}
