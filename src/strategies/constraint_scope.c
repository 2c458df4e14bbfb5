#include "strategies/constraint_scope.h"

static enum sg_constraint_scope needed_scope(const struct sg_system *system)
{
    const struct sg_constraints *set = &system->constraints;
    if (set->count == 0) return SG_NO_CONSTRAINTS;
    if (system->singular_mass) return SG_SINGULAR_CONSTRAINTS;
    return set->affine && set->steady ? SG_FIXED_CONSTRAINTS : SG_ALL_CONSTRAINTS;
}

/* "theta + time-stepping (velocity)": the pairs that can */
static void list_scope(enum sg_constraint_scope needed, struct sg_text *list)
{
    for (size_t i = 0; i < sg_grid_count(); i++) {
        const struct sg_grid_cell *cell = sg_grid_at(i);
        if (cell->constraints < needed) continue;
        sg_text_append(list, "%s%s + %s", list->length == 0 ? "" : ", ", cell->integrator->kind.name,
                       cell->strategy->kind.name);
        if (sg_grid_formulation(cell) != NULL) sg_text_append(list, " (%s)", sg_grid_formulation(cell));
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
    if (cell->constraints >= needed) return SG_OK;
    struct sg_text can = {0};
    const char *formulation = sg_grid_formulation(cell), *why = cell->refusal;
    list_scope(needed, &can);
    sg_complain_about(diagnostics, SG_ERROR, root, "constraints",
                      "integrator '%s' with strategy '%s'%s%s%s can't treat %s%s%s",
                      cell->integrator->kind.name, cell->strategy->kind.name, formulation == NULL ? "" : " (",
                      formulation == NULL ? "" : formulation, formulation == NULL ? "" : ")", what[needed],
                      why == NULL ? "" : ": ", why == NULL ? "" : why);
    if (can.length > 0) sg_hint(diagnostics, "pairs that can: %s", sg_text_view(&can));
    sg_text_release(&can);
    FAIL(err, SG_BAD_DECK, "the pair of integrator and strategy can't treat the constraints");
}
