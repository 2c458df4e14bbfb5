#include "strategies/time_stepping/first_step.h"

#include "support/memory.h"

static sg_status judge(const struct sg_run *run, const char *keyword, double h, sg_status status,
                       struct sg_error *err)
{
    if (status != SG_NO_SOLUTION) return status;
    const struct sg_setting *time = sg_setting_child(sg_deck_root(run->deck), "time");
    sg_complain_about(run->diagnostics, SG_ERROR, time, keyword,
                      "integrator '%s' can't take a step of %g s: %s", run->integrator->ops->kind.name, h,
                      err->text);
    sg_hint(run->diagnostics, "mass and stiffness can't cause this, but damping that gives energy can: "
                              "correct it, or take steps so small that the mass prevails");
    return SG_BAD_DECK;
}

sg_status sg_first_step_try(const struct sg_run *run, const char *keyword, double h, struct sg_error *err)
{
    size_t n = run->system->n;
    double *x = NULL;
    TRY(SG_NEW(&x, 6 * n, err));
    struct sg_state from = {x, x + n, x + 2 * n}, to = {x + 3 * n, x + 4 * n, x + 5 * n};
    struct sg_span span = {0.0, h};
    struct sg_effective_counts before = sg_phase_counts(run->phase);
    sg_status status = run->integrator->ops->step(run->integrator, run->phase, &from, span, &to, err);
    sg_phase_forget_solves(run->phase, before);
    sg_free(x);
    return judge(run, keyword, h, status, err);
}

/* a diagonal response needs no factors that would fail */
static sg_status check_diagonal(size_t n, const double *d, struct sg_error *err)
{
    for (size_t i = 0; i < n; i++)
        if (!(d[i] > 0.0))
            FAIL(err, SG_NO_SOLUTION, "the effective matrix is not positive definite: pivot %g at dof %zu",
                 1.0 / d[i], i);
    return SG_OK;
}

/* x (n): zero */
static sg_status try_point(const struct sg_run *run, struct sg_kick kick, double *x, struct sg_error *err)
{
    const struct sg_response_ops *ops = run->integrator->ops->response;
    const double *d = NULL;
    TRY(ops->response_diagonal(run->integrator, run->phase, kick, &d, err));
    if (d != NULL) return check_diagonal(run->system->n, d, err);
    return ops->apply_response(run->integrator, run->phase, kick, x, err);
}

sg_status sg_first_response_try(const struct sg_run *run, double h, struct sg_error *err)
{
    const struct sg_response_ops *ops = run->integrator->ops->response;
    double *x = NULL;
    if (ops->iterates(run->integrator, run->phase)) return SG_OK;
    TRY(SG_NEW(&x, run->system->n, err));
    struct sg_effective_counts before = sg_phase_counts(run->phase);
    sg_status status = SG_OK;
    for (size_t stage = 0; stage < ops->stages && status == SG_OK; stage++)
        status = try_point(run, (struct sg_kick){{0.0, h}, stage}, x, err);
    sg_phase_forget_solves(run->phase, before);
    sg_free(x);
    return judge(run, "step", h, status, err);
}
