#include "strategies/nonlinear_scope.h"

#include <string.h>

static const struct sg_strategy_ops *find_strategy(const char *name)
{
    for (size_t i = 0; i < sg_strategy_kinds.count; i++)
        if (strcmp(sg_strategy_kinds.items[i]->name, name) == 0)
            return sg_strategy_find(sg_strategy_kinds.items[i]);
    return NULL;
}

/* Strategies without manners cross steps by the integrators' `step`, which knows linear systems only. */
static bool strategy_takes(const struct sg_strategy_ops *strategy)
{
    return strategy != NULL && strategy->manner != NULL;
}

static bool integrator_takes(const struct sg_strategy_ops *strategy, const struct sg_integrator_ops *ops)
{
    if (strategy->own_steps != NULL && strategy->own_steps(ops)) return true;
    return ops->response != NULL && ops->response->nonlinear;
}

/* whether the grid has the integrator with a strategy that takes nonlinear elements: with that of `asked`, in
 * its manner, if it is one of them */
static bool has_pair(const struct sg_integrator_ops *ops, const struct sg_grid_cell *asked)
{
    bool any = !strategy_takes(find_strategy(asked->strategy));
    for (size_t i = 0; i < sg_grid_count(); i++) {
        const struct sg_grid_cell *cell = sg_grid_at(i);
        const struct sg_strategy_ops *strategy = find_strategy(cell->strategy);
        if (strcmp(cell->integrator, ops->kind.name) != 0 || !strategy_takes(strategy)) continue;
        bool same = any || sg_grid_find(ops->kind.name, asked->strategy, asked->manner) == cell;
        if (same && integrator_takes(strategy, ops)) return true;
    }
    return false;
}

static void list_integrators(const struct sg_grid_cell *asked, struct sg_text *list)
{
    for (size_t i = 0; i < sg_integrator_count(); i++) {
        const struct sg_integrator_ops *ops = sg_integrator_at(i);
        if (has_pair(ops, asked)) sg_text_append(list, "%s%s", list->length == 0 ? "" : ", ", ops->kind.name);
    }
}

static void list_strategies(struct sg_text *list)
{
    for (size_t i = 0; i < sg_strategy_kinds.count; i++) {
        const struct sg_kind *kind = sg_strategy_kinds.items[i];
        if (strategy_takes(sg_strategy_find(kind)))
            sg_text_append(list, "%s%s", list->length == 0 ? "" : ", ", kind->name);
    }
}

static void complain_integrator(const struct sg_setting *node, const struct sg_grid_cell *cell,
                                struct sg_diagnostics *diagnostics)
{
    bool stepping = strategy_takes(find_strategy(cell->strategy));
    struct sg_text can = {0};
    list_integrators(cell, &can);
    sg_complain_about(diagnostics, SG_ERROR, node, "type",
                      "integrator '%s' takes linear systems only%s%s%s, and the model has nonlinear elements",
                      cell->integrator, stepping ? " with strategy '" : "", stepping ? cell->strategy : "",
                      stepping ? "'" : "");
    if (can.length > 0) sg_hint(diagnostics, "integrators that take nonlinear ones: %s", sg_text_view(&can));
    sg_text_release(&can);
}

static void complain_strategy(const struct sg_setting *node, const struct sg_grid_cell *cell,
                              struct sg_diagnostics *diagnostics)
{
    struct sg_text can = {0};
    list_strategies(&can);
    sg_complain_about(diagnostics, SG_ERROR, node, "type",
                      "strategy '%s' takes linear systems only, and the model has nonlinear elements",
                      cell->strategy);
    sg_hint(diagnostics, "strategies that take nonlinear ones: %s", sg_text_view(&can));
    sg_text_release(&can);
}

sg_status sg_nonlinear_scope_check(const struct sg_grid_cell *cell, const struct sg_system *system,
                                   const struct sg_setting *root, struct sg_diagnostics *diagnostics,
                                   struct sg_error *err)
{
    const struct sg_setting *integrator = sg_setting_child(root, "integrator");
    bool stepping = strategy_takes(find_strategy(cell->strategy));
    bool nonlinear = has_pair(sg_integrator_find(sg_setting_kind(integrator)), cell);
    if (system->elements.count == 0 || (stepping && nonlinear)) return SG_OK;
    if (!nonlinear) complain_integrator(integrator, cell, diagnostics);
    if (!stepping) complain_strategy(sg_setting_child(root, "strategy"), cell, diagnostics);
    FAIL(err, SG_BAD_DECK, "the model has nonlinear elements");
}
