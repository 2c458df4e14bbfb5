/* The coordinates that a run works in: nodal, or those of the modes. */
#include <math.h>

#include "jobs/parts.h"
#include "model/modal_damping.h"

static sg_status check_route(struct sg_job *job, const struct sg_route *route, bool modal,
                             struct sg_error *err)
{
    const struct sg_system *system = job->system;
    const struct sg_setting *node = sg_job_group(job, "integrator");
    const char *name = route->ops->kind.name, *hint = NULL,
               *fault = sg_route_fault(system, route, modal, &hint);
    if (fault != NULL) {
        bool chosen = sg_setting_given(node, "operator");
        sg_complain_about(job->diagnostics, SG_ERROR, node, chosen ? "operator" : "type",
                          "integrator '%s' %s", name, fault);
        sg_hint(job->diagnostics, "%s", hint);
        FAIL(err, SG_BAD_DECK, "integrator '%s' %s", name, fault);
    }
    if (modal && route->choice == SG_OPERATOR_AUTO && system->n > SG_MODAL_LIMIT)
        FAIL(
            err, SG_BAD_DECK,
            "integrator '%s' needs the modes of %zu dofs, more than %d: ask for them by operator = \"modal\"",
            name, system->n, (int)SG_MODAL_LIMIT);
    return SG_OK;
}

static sg_status to_modal(struct sg_job *job, struct sg_error *err)
{
    struct sg_modal *modal = NULL;
    TRY(sg_system_modes(job->system, &job->modes, &modal, err));
    job->omega_low = HUGE_VAL;
    for (size_t i = 0; i < modal->n; i++) job->omega_low = fmin(job->omega_low, sqrt(fmax(modal->k[i], 0.0)));
    TRY(sg_contact_set_to_modal(job->contacts, modal, err));
    return sg_system_to_modal(job->system, modal, err);
}

static bool job_updates(const struct sg_job *job)
{
    const struct sg_strategy_ops *ops = sg_job_strategy(job);
    return ops->updates != NULL && ops->updates(sg_job_group(job, "strategy"));
}

sg_status sg_job_choose_coordinates(struct sg_job *job, struct sg_error *err)
{
    const struct sg_setting *node = sg_job_group(job, "integrator");
    const struct sg_integrator_ops *ops = sg_integrator_find(sg_setting_kind(node));
    struct {
        int choice;
    } spec = {SG_OPERATOR_AUTO};
    sg_setting_fill(node, sg_integrator_rows, &spec);
    struct sg_route route = {ops, (enum sg_operator_choice)spec.choice,
                             ops->lumps || job->system->M.kind == SG_DIAGONAL, job->contacts->affine,
                             job_updates(job)};
    bool modal = sg_route_is_modal(job->system, &route);
    TRY(check_route(job, &route, modal, err));
    struct sg_modal_damping_use use = {sg_deck_root(job->deck), !modal, sg_job_strategy(job)->own_systems};
    TRY(sg_modal_damping_check(job->system, &use, job->diagnostics, err));
    job->omega_low = NAN;
    job->own_modal = modal && sg_job_strategy(job)->own_systems;
    return modal && !job->own_modal ? to_modal(job, err) : SG_OK;
}
