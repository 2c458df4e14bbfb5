/* What explicit schemes need: a diagonal mass, mass added where the step asks for it, and a stable step. */
#include <math.h>
#include <stdio.h>

#include "jobs/parts.h"
#include "model/modal_damping.h"

/* Never silently: the results tell too. */
static sg_status lump(struct sg_job *job, const struct sg_setting *node, struct sg_error *err)
{
    const struct sg_system *system = job->system;
    if (system->modal != NULL || system->M.kind == SG_DIAGONAL) return SG_OK;
    sg_status status = sg_system_lump(job->system, err);
    if (status == SG_BAD_DECK) {
        sg_complain_about(job->diagnostics, SG_ERROR, node, "type",
                          "integrator '%s' needs a diagonal mass, and %s", sg_setting_kind(node)->name,
                          err->text);
        sg_hint(job->diagnostics,
                "give the body mass = \"lumped\" where it has that, or elements of order 1");
    }
    TRY(status);
    job->lumped = true;
    sg_complain_about(job->diagnostics, SG_NOTE, node, "type",
                      "integrator '%s' needs a diagonal mass: it is lumped by row sums",
                      sg_setting_kind(node)->name);
    sg_hint(job->diagnostics,
            "operator = \"modal\" keeps the mass as given, where damping and contacts allow it");
    return SG_OK;
}

static struct sg_critical_spec critical_spec(const struct sg_job *job, const struct sg_integrator_ops *ops,
                                             const struct sg_setting *node)
{
    return (struct sg_critical_spec){.system = job->system,
                                     .contacts = job->contacts,
                                     .contact_stiffness = job->spring_stiffness,
                                     .damping_before = ops->damps_before != NULL && ops->damps_before(node)};
}

static sg_status scale_mass(struct sg_job *job, const struct sg_integrator_ops *ops,
                            const struct sg_setting *node, struct sg_error *err)
{
    if (ops->scales_mass == NULL || !ops->scales_mass(node) || isnan(job->time.step)) return SG_OK;
    if (job->system->modal != NULL) {
        sg_complain_about(job->diagnostics, SG_ERROR, node, "mass_scaling",
                          "needs nodal coordinates: modes have no mass of their own");
        FAIL(err, SG_BAD_DECK, "mass_scaling needs nodal coordinates");
    }
    struct sg_critical_spec spec = critical_spec(job, ops, node);
    struct sg_critical_matrices at;
    struct sg_mass_scaling *scaling = &job->scaling;
    sg_status status = sg_critical_matrices_init(&at, &spec, err);
    struct sg_mass_scaling_spec wanted = {job->time.step, at.K, spec.damping_before ? at.C : NULL};
    if (status == SG_OK) status = sg_system_scale_mass(job->system, &wanted, scaling, err);
    sg_critical_matrices_release(&at);
    TRY(status);
    if (scaling->nodes == 0) return SG_OK;
    sg_complain_about(job->diagnostics, SG_NOTE, node, "mass_scaling",
                      "%.4g kg are added at %zu node%s, %.3g %% of the mass", scaling->added, scaling->nodes,
                      scaling->nodes == 1 ? "" : "s", 100.0 * scaling->added / scaling->total);
    return SG_OK;
}

sg_status sg_job_prepare_mass(struct sg_job *job, struct sg_error *err)
{
    const struct sg_setting *node = sg_job_group(job, "integrator");
    const struct sg_integrator_ops *ops = sg_integrator_find(sg_setting_kind(node));
    if (ops->lumps) TRY(lump(job, node, err));
    TRY(sg_modal_damping_spread(job->system, &job->modes, err));
    TRY(scale_mass(job, ops, node, err));
    if (!job->lumped && job->scaling.nodes == 0) return SG_OK;
    int length =
        snprintf(job->mass_note, sizeof job->mass_note, "%s", job->lumped ? "lumped by row sums" : "");
    if (job->scaling.nodes > 0)
        snprintf(job->mass_note + length, sizeof job->mass_note - (size_t)length,
                 "%s%.17g kg added at %zu nodes to make the step stable", job->lumped ? ", " : "",
                 job->scaling.added, job->scaling.nodes);
    job->labels.mass_note = job->mass_note;
    return SG_OK;
}

sg_status sg_job_check_critical_step(struct sg_job *job, struct sg_error *err)
{
    const struct sg_setting *root = sg_deck_root(job->deck), *node = sg_setting_child(root, "integrator");
    const struct sg_integrator *integrator = &job->integrator;
    if (!job->cell->strategy->fixed_steps || !isfinite(integrator->stability)) return SG_OK;
    struct sg_critical_spec spec = critical_spec(job, integrator->ops, node);
    spec.stability = integrator->stability;
    TRY(sg_critical_step_find(&spec, &job->critical, err));
    if (isnan(job->time.step)) return SG_OK;
    struct sg_step_verdict verdict = {sg_setting_child(root, "time"), integrator->ops->kind.name,
                                      job->time.step, job->time.allow_unstable == 1,
                                      integrator->ops->scales_mass != NULL && job->system->modal == NULL};
    return sg_critical_step_judge(&job->critical, &verdict, job->diagnostics, err);
}
