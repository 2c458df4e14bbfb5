#include "strategies/nonlinear_scope.h"

/* Tells whether the integrator takes nonlinear elements with some strategy of fixed steps: in the formulation
 * asked for, if the deck's strategy is one of them. */
static bool has_pair(const struct sg_integrator_ops *integrator, const struct sg_grid_cell *asked)
{
    bool any = !asked->strategy->fixed_steps;
    for (size_t i = 0; i < sg_grid_count(); i++) {
        const struct sg_grid_cell *cell = sg_grid_at(i);
        bool same = cell->strategy == asked->strategy && cell->formulation == asked->formulation;
        if (cell->integrator == integrator && (any || same) && sg_grid_takes_nonlinear(cell)) return true;
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
        if (sg_strategy_find(kind)->fixed_steps)
            sg_text_append(list, "%s%s", list->length == 0 ? "" : ", ", kind->name);
    }
}

static void complain_integrator(const struct sg_setting *node, const struct sg_grid_cell *cell,
                                struct sg_diagnostics *diagnostics)
{
    bool stepping = cell->strategy->fixed_steps;
    struct sg_text can = {0};
    list_integrators(cell, &can);
    sg_complain_about(diagnostics, SG_ERROR, node, "type",
                      "integrator '%s' takes linear systems only%s%s%s, and the model has nonlinear elements",
                      cell->integrator->kind.name, stepping ? " with strategy '" : "",
                      stepping ? cell->strategy->kind.name : "", stepping ? "'" : "");
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
                      cell->strategy->kind.name);
    sg_hint(diagnostics, "strategies that take nonlinear ones: %s", sg_text_view(&can));
    sg_text_release(&can);
}

sg_status sg_nonlinear_scope_check(const struct sg_grid_cell *cell, const struct sg_system *system,
                                   const struct sg_setting *root, struct sg_diagnostics *diagnostics,
                                   struct sg_error *err)
{
    const struct sg_setting *integrator = sg_setting_child(root, "integrator");
    bool stepping = cell->strategy->fixed_steps;
    bool nonlinear = has_pair(cell->integrator, cell);
    if (system->elements.count == 0 || (stepping && nonlinear)) return SG_OK;
    if (!nonlinear) complain_integrator(integrator, cell, diagnostics);
    if (!stepping) complain_strategy(sg_setting_child(root, "strategy"), cell, diagnostics);
    FAIL(err, SG_BAD_DECK, "the model has nonlinear elements");
}
