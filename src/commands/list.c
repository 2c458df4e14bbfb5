/* signorini list: what there is. */
#include <stdio.h>
#include <string.h>

#include "analyses/registry.h"
#include "assembly/keywords.h"
#include "commands/arguments.h"
#include "commands/commands.h"
#include "commands/load.h"
#include "contact/contact_set.h"
#include "integrators/integrator.h"
#include "results/schema.h"
#include "strategies/grid.h"

static void print_kinds(const struct sg_kind_set *kinds, struct sg_text *text)
{
    for (size_t i = 0; i < kinds->count; i++)
        sg_text_append(text, "%-20s %s\n", kinds->items[i]->name, kinds->items[i]->meaning);
}

/* How contacts come into a step, and whether systems with nonlinear elements are taken. */
static const char *step_word(const struct sg_grid_cell *cell)
{
    static const char *const words[] = {[SG_STEP_LOCATED] = "located",
                                        [SG_STEP_SWITCHED] = "located or switched",
                                        [SG_STEP_RESPONSE] = "response",
                                        [SG_STEP_COUPLED] = "coupled"};
    return words[cell->step];
}

static const char *restitution_word(const struct sg_grid_cell *cell)
{
    if (cell->restitution) return "yes";
    return cell->update ? "by update" : "no";
}

static void print_grid(struct sg_text *text)
{
    static const char *const constraints[] = {[SG_NO_CONSTRAINTS] = "none",
                                              [SG_FIXED_CONSTRAINTS] = "fixed",
                                              [SG_ALL_CONSTRAINTS] = "all",
                                              [SG_SINGULAR_CONSTRAINTS] = "all, massless"};
    const char *form = "%-19s %-14s %-12s %-20s %-24s %-14s %-10s %-12s %s\n";
    sg_text_append(text, form, "integrator", "strategy", "level, form", "contacts in a step", "laws",
                   "constraints", "elements", "restitution", "scheme");
    for (size_t i = 0; i < sg_grid_count(); i++) {
        const struct sg_grid_cell *cell = sg_grid_at(i);
        const char *formulation = sg_grid_formulation(cell);
        SG_LOCAL_TEXT(laws);
        sg_law_list(cell->laws, &laws);
        sg_text_append(text, form, cell->integrator->kind.name, cell->strategy->kind.name,
                       formulation == NULL ? "" : formulation, step_word(cell), sg_text_view(&laws),
                       constraints[cell->constraints], sg_grid_takes_nonlinear(cell) ? "nonlinear" : "linear",
                       restitution_word(cell), cell->scheme);
        text->failed = text->failed || laws.failed;
    }
}

static bool takes(const struct sg_strategy_ops *strategy, const struct sg_law_ops *law)
{
    for (size_t i = 0; i < sg_grid_count(); i++)
        if (sg_grid_at(i)->strategy == strategy && (sg_grid_at(i)->laws & law->uses) != 0) return true;
    return false;
}

/* "event-driven, penalty": the strategies of the grid that take a law, in some form */
static void list_takers(const struct sg_law_ops *law, struct sg_text *list)
{
    size_t count = 0;
    for (size_t i = 0; i < sg_strategy_kinds.count; i++) {
        const struct sg_strategy_ops *strategy = sg_strategy_find(sg_strategy_kinds.items[i]);
        if (!takes(strategy, law)) continue;
        sg_text_append(list, "%s%s", count++ == 0 ? "" : ", ", strategy->kind.name);
    }
    sg_text_append(list, "\n");
}

static void print_laws(struct sg_text *text)
{
    for (size_t i = 0; i < sg_law_count(); i++) {
        const struct sg_law_ops *law = sg_law_at(i);
        sg_text_append(text, "%-12s %s\n", law->kind.name, law->kind.meaning);
        sg_text_append(text, "%-12s   force: %s\n", "", law->force);
        sg_text_append(text, "%-12s   restitution: %s\n", "", law->restitution_meaning);
        sg_text_append(text, "%-12s   strategies: ", "");
        list_takers(law, text);
    }
}

static const struct {
    const char *name;
    const struct sg_kind_set *kinds; /* NULL: `print` */
    void (*print)(struct sg_text *text);
} lists[] = {
    {"integrators", &sg_integrator_kinds, NULL},
    {"strategies", &sg_strategy_kinds, NULL},
    {"bodies", &sg_body_kinds, NULL},
    {"elements", &sg_element_kinds, NULL},
    {"constraints", &sg_constraint_kinds, NULL},
    {"contacts", &sg_contact_kinds, NULL},
    {"loads", &sg_load_kinds, NULL},
    {"analyses", &sg_analysis_kinds, NULL},
    {"laws", NULL, print_laws},
    {"results", NULL, sg_results_list},
    {"grid", NULL, print_grid},
};

enum { LISTS = sizeof lists / sizeof lists[0] };

static sg_status body(const struct sg_arguments *arguments, struct sg_error *err)
{
    TRY(sg_arguments_expect(arguments, 0, 1, err));
    if (arguments->word_count == 0) FAIL(err, SG_USAGE, "say what to list");
    const char *what = arguments->words[0];
    SG_LOCAL_TEXT(text);
    for (size_t i = 0; i < LISTS; i++) {
        if (strcmp(what, lists[i].name) != 0) continue;
        if (lists[i].kinds != NULL)
            print_kinds(lists[i].kinds, &text);
        else
            lists[i].print(&text);
        return sg_print(&text, err);
    }
    FAIL(err, SG_USAGE,
         "can't list '%s': integrators, strategies, bodies, elements, constraints, contacts, laws, loads, "
         "analyses, results or grid",
         what);
}

int sg_command_list(int argc, char **argv)
{
    static const struct sg_option none[] = {{0}};
    static const struct sg_command_frame frame = {
        "integrators|strategies|bodies|elements|constraints|contacts|laws|loads|analyses|results|grid",
        "lists what there is", none, body};
    return sg_command_run(&frame, argc, argv);
}
