/* What a pair of integrator and strategy can treat: the grid's cell, and its contacts. */
#include <float.h>
#include <stdio.h>

#include "jobs/parts.h"

/* "central-difference, theta": the integrators that work with the strategy in that formulation */
static void list_partners(const struct sg_strategy_ops *strategy, int formulation, struct sg_text *list)
{
    for (size_t i = 0; i < sg_grid_count(); i++) {
        const struct sg_grid_cell *cell = sg_grid_at(i);
        if (cell->strategy == strategy && cell->formulation == formulation)
            sg_text_append(list, "%s%s", list->length == 0 ? "" : ", ", cell->integrator->kind.name);
    }
}

sg_status sg_job_find_cell(struct sg_job *job, struct sg_error *err)
{
    const struct sg_setting *node = sg_job_group(job, "strategy");
    const struct sg_strategy_ops *strategy = sg_job_strategy(job);
    const struct sg_kind *integrator = sg_setting_kind(sg_job_group(job, "integrator"));
    bool several = strategy->formulations != NULL;
    int formulation = several ? strategy->formulation(node) : 0;
    job->cell = sg_grid_find(sg_integrator_find(integrator), strategy, formulation);
    if (job->cell != NULL) return SG_OK;
    SG_LOCAL_TEXT(can);
    list_partners(strategy, formulation, &can);
    sg_complain(job->diagnostics, SG_ERROR, node,
                "strategy '%s'%s%s%s%s%s does not work with integrator '%s'", strategy->kind.name,
                several ? " " : "", several ? strategy->formulation_phrase : "", several ? " '" : "",
                several ? strategy->formulations[formulation] : "", several ? "'" : "", integrator->name);
    sg_hint(job->diagnostics, "integrators that do: %s; `signorini list grid` shows all pairs",
            sg_text_view(&can));
    FAIL(err, SG_BAD_DECK, "the pair of integrator and strategy does not work");
}

/* "time-stepping": the strategies to which all contacts are the same, with friction or without */
static void list_general(bool friction, struct sg_text *list)
{
    for (size_t i = 0; i < sg_strategy_kinds.count; i++) {
        const struct sg_kind *kind = sg_strategy_kinds.items[i];
        if (sg_strategy_find(kind)->needs_fixed_contacts) continue;
        if (friction && sg_strategy_find(kind)->needs_springs) continue;
        sg_text_append(list, "%s%s", list->length == 0 ? "" : ", ", kind->name);
    }
}

/* NULL, or what contact j has that not every strategy can treat */
static const char *special(const struct sg_contact_set *set, size_t j)
{
    if (set->friction[j] > 0.0) return "has friction";
    return set->fixed[j] ? NULL : "has a normal or an obstacle that moves";
}

/* Strategies that know one constant W only are refused contacts that change theirs. */
sg_status sg_job_check_contacts(const struct sg_job *job, struct sg_error *err)
{
    const struct sg_setting *root = sg_deck_root(job->deck), *list = sg_setting_child(root, "contacts");
    const struct sg_kind *strategy = sg_setting_kind(sg_setting_child(root, "strategy"));
    if (!sg_strategy_find(strategy)->needs_fixed_contacts) return SG_OK;
    bool found = false;
    size_t told = 0; /* of an entry once */
    for (size_t j = 0; j < job->contacts->q; j++) {
        const char *fault = special(job->contacts, j);
        if (fault == NULL || (found && job->contacts->entry[j] == told)) continue;
        found = true;
        told = job->contacts->entry[j];
        sg_complain(job->diagnostics, SG_ERROR, sg_setting_item(list, told),
                    "contact '%.64s' %s, which strategy '%s' can't treat", job->contacts->names[j], fault,
                    strategy->name);
        SG_LOCAL_TEXT(can);
        list_general(job->contacts->friction[j] > 0.0, &can);
        if (can.length > 0) sg_hint(job->diagnostics, "strategies that can: %s", sg_text_view(&can));
    }
    if (found) FAIL(err, SG_BAD_DECK, "the strategy can't treat the contacts");
    return SG_OK;
}

/* Which laws the pair takes, and of the short keywords of a contact which one; `who` (size) names the pair.
 */
struct sg_contact_choice sg_job_choose_laws(const struct sg_job *job, char *who, size_t size)
{
    const struct sg_strategy_ops *ops = sg_job_strategy(job);
    struct sg_contact_choice choice = {.laws = {.uses = job->cell->laws}, .who = who};
    if (ops->short_laws != NULL) ops->short_laws(sg_job_group(job, "strategy"), &choice.laws);
    if (ops->formulations == NULL)
        snprintf(who, size, "strategy '%s'", ops->kind.name);
    else
        snprintf(who, size, "strategy '%s' %s '%s'", ops->kind.name, ops->formulation_phrase,
                 sg_grid_formulation(job->cell));
    return choice;
}

static void check_spring(const struct sg_job *job, size_t j)
{
    const struct sg_setting *node = sg_setting_item(sg_job_group(job, "contacts"), job->contacts->entry[j]);
    const char *name = job->contacts->names[j], *strategy = sg_job_strategy(job)->kind.name;
    if (job->contacts->laws[j].ops == NULL) {
        struct sg_law_choice wanted = {0};
        sg_job_strategy(job)->short_laws(sg_job_group(job, "strategy"), &wanted);
        sg_complain(job->diagnostics, SG_ERROR, node, "contact '%.64s' has no %s, which strategy '%s' needs",
                    name, wanted.preferred->short_form, strategy);
        sg_hint(job->diagnostics, "%s", wanted.preferred->short_hint);
    }
    if (job->contacts->friction[j] == 0.0) return;
    sg_complain_about(job->diagnostics, SG_ERROR, node, "friction",
                      "contact '%.64s' has friction, which strategy '%s' can't treat", name, strategy);
    sg_hint(job->diagnostics, "strategy 'time-stepping' can, at level \"velocity\"");
}

/* The square of the frequency that a dof has on the contact's spring, and its like, must be numbers, with
 * room for sums and products of such. */
static void check_stiff(const struct sg_job *job, size_t j)
{
    const struct sg_columns *w = &job->contacts->w;
    const struct sg_matrix *mass = &job->system->M;
    double stiffness = job->contacts->laws[j].ops != NULL ? sg_law_stiffness(&job->contacts->laws[j]) : 0.0;
    for (size_t k = w->start[j]; k < w->start[j + 1]; k++) {
        double of = sg_matrix_entry(mass, w->row[k], w->row[k]);
        double square = stiffness * w->value[k] * w->value[k] / of;
        if (!(of > 0.0) || square < DBL_EPSILON * DBL_MAX) continue;
        sg_complain(job->diagnostics, SG_ERROR,
                    sg_setting_item(sg_job_group(job, "contacts"), job->contacts->entry[j]),
                    "contact '%.64s' has a stiffness of %g N/m on %g kg: the frequency of that can't be "
                    "computed",
                    job->contacts->names[j], stiffness, of);
        return;
    }
}

sg_status sg_job_check_springs(const struct sg_job *job, struct sg_error *err)
{
    if (!sg_job_strategy(job)->needs_springs) return SG_OK;
    size_t errors = job->diagnostics->errors;
    const size_t *entry = job->contacts->entry;
    for (size_t j = 0; j < job->contacts->q; j++)
        if (j == 0 || entry[j] != entry[j - 1]) {
            check_spring(job, j);
            check_stiff(job, j);
        }
    if (job->diagnostics->errors == errors) return SG_OK;
    FAIL(err, SG_BAD_DECK, "the strategy can't treat the contacts");
}
