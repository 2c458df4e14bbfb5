#include "strategies/constraint_scope.h"

#include <string.h>

static enum sg_constraint_scope needed_scope(const struct sg_system *system)
{
    const struct sg_constraints *set = &system->constraints;
    if (set->count == 0) return SG_NO_CONSTRAINTS;
    if (system->singular_mass) return SG_SINGULAR_CONSTRAINTS;
    return set->affine && set->steady ? SG_FIXED_CONSTRAINTS : SG_ALL_CONSTRAINTS;
}

static const struct sg_strategy_ops *strategy_of(const struct sg_grid_cell *cell)
{
    for (size_t i = 0; i < sg_strategy_kinds.count; i++)
        if (strcmp(sg_strategy_kinds.items[i]->name, cell->strategy) == 0)
            return sg_strategy_find(sg_strategy_kinds.items[i]);
    return NULL;
}

/* what a pair can treat; constraints couple modes */
static enum sg_constraint_scope scope_of(const struct sg_grid_cell *cell)
{
    const struct sg_strategy_ops *ops = strategy_of(cell);
    enum sg_constraint_scope scope = SG_NO_CONSTRAINTS;
    if (ops != NULL && ops->constraints != NULL) scope = ops->constraints(cell->manner, cell->integrator);
    for (size_t i = 0; i < sg_integrator_count(); i++)
        if (strcmp(sg_integrator_at(i)->kind.name, cell->integrator) == 0 && sg_integrator_at(i)->needs_modal)
            return SG_NO_CONSTRAINTS;
    return scope;
}

/* "theta + time-stepping (velocity)": the pairs that can */
static void list_scope(enum sg_constraint_scope needed, struct sg_text *list)
{
    for (size_t i = 0; i < sg_grid_count(); i++) {
        const struct sg_grid_cell *cell = sg_grid_at(i);
        if (scope_of(cell) < needed) continue;
        sg_text_append(list, "%s%s + %s", list->length == 0 ? "" : ", ", cell->integrator, cell->strategy);
        if (cell->manner != NULL) sg_text_append(list, " (%s)", cell->manner);
    }
}

sg_status sg_constraint_scope_check(const struct sg_grid_cell *cell, const struct sg_system *system,
                                    const struct sg_setting *root, struct sg_diagnostics *diagnostics,
                                    struct sg_error *err)
{
    static const char *const what[] = {[SG_NO_CONSTRAINTS] = "",
                                       [SG_FIXED_CONSTRAINTS] = "bilateral constraints",
                                       [SG_ALL_CONSTRAINTS] = "bilateral constraints that turn or move",
                                       [SG_SINGULAR_CONSTRAINTS] =
                                           "dofs without mass, which constraints move"};
    enum sg_constraint_scope needed = needed_scope(system);
    if (scope_of(cell) >= needed) return SG_OK;
    struct sg_text can = {0};
    const char *manner = cell->manner;
    list_scope(needed, &can);
    const struct sg_strategy_ops *ops = strategy_of(cell);
    const char *why =
        ops == NULL || ops->refusal == NULL ? NULL : ops->refusal(cell->manner, cell->integrator);
    sg_complain_about(diagnostics, SG_ERROR, root, "constraints",
                      "integrator '%s' with strategy '%s'%s%s%s can't treat %s%s%s", cell->integrator,
                      cell->strategy, manner == NULL ? "" : " (", manner == NULL ? "" : manner,
                      manner == NULL ? "" : ")", what[needed], why == NULL ? "" : ": ",
                      why == NULL ? "" : why);
    if (can.length > 0) sg_hint(diagnostics, "pairs that can: %s", sg_text_view(&can));
    sg_text_release(&can);
    FAIL(err, SG_BAD_DECK, "the pair of integrator and strategy can't treat the constraints");
}
