/* What a run can record, and whether the deck asks for something else. */
#include <float.h>
#include <math.h>

#include "jobs/parts.h"
#include "results/selection.h"

static void fill_numerical(const void *owner, const struct sg_snapshot *now, double *row)
{
    const struct sg_balance *balance = owner;
    row[0] = sg_system_total(balance->system, now) - balance->total_start - now->external + now->dissipated;
}

sg_status sg_job_register_quantities(struct sg_job *job, struct sg_error *err)
{
    const struct sg_system *system = job->system;
    job->balance.system = system;
    struct sg_quantity numerical = {
        .name = "energy/numerical",
        .unit = "J",
        .description = "total - total at start - external + dissipated: what the scheme itself adds or takes",
        .fill = fill_numerical,
        .owner = &job->balance};
    sg_contact_set_register(job->contacts, &job->quantities);
    sg_system_register(system, &job->quantities);
    sg_quantities_add(&job->quantities, numerical);
    sg_chosen_nodes_register(&job->chosen, &job->quantities);
    const struct sg_strategy_ops *strategy = sg_job_strategy(job);
    const struct sg_registration of = {job->cell, system, job->contacts};
    if (strategy->register_quantities != NULL)
        strategy->register_quantities(&job->strategy, &of, &job->quantities);
    sg_absolute_register(&job->absolute, system, job->contacts, &job->chosen, &job->quantities);
    job->labels = system->labels;
    job->labels.contact_count = job->contacts->q;
    job->labels.contact_names = (const char *const *)job->contacts->names;
    job->labels.constraint_count = system->constraints.count;
    job->labels.constraint_names = (const char *const *)system->constraints.names;
    if (job->quantities.failed) FAIL(err, SG_NO_MEMORY, "out of memory for the list of quantities");
    return SG_OK;
}

static void check_histories(const struct sg_job *job, const struct sg_setting *output)
{
    const struct sg_recorder_spec spec = {
        .quantities = &job->quantities, .labels = &job->labels, .impulses = job->impulses};
    for (size_t i = 0; i < job->output.histories.count; i++) {
        const char *name = job->output.histories.data[i];
        if (sg_selection_knows(&spec, name)) continue;
        SG_LOCAL_TEXT(there);
        sg_selection_list(&spec, &there);
        sg_complain(job->diagnostics, SG_ERROR, sg_setting_item(sg_setting_child(output, "histories"), i),
                    "no history is named '%.64s'", name);
        sg_hint(job->diagnostics, "there are: %s; \"energy\" or \"momentum\" names all of a group",
                sg_text_view(&there));
    }
}

/* What a recorder could not do. */
sg_status sg_job_check_output(const struct sg_job *job, struct sg_error *err)
{
    const struct sg_setting *output = sg_job_group(job, "output");
    size_t errors = job->diagnostics->errors;
    check_histories(job, output);
    if (job->output.every > 0.0 && job->output.every < 2.0 * DBL_EPSILON * job->time.end)
        sg_complain_about(job->diagnostics, SG_ERROR, output, "every",
                          "%g s vanishes beside the end time %g s: samples can't be told apart",
                          job->output.every, job->time.end);
    if (job->diagnostics->errors == errors) return SG_OK;
    FAIL(err, SG_BAD_DECK, "the deck's output is wrong");
}
