/* States as observers see them, and samples between two states. A step of this strategy has no inside: the
 * impulses act at one instant that is not known. So samples lie on the straight line between the states, and
 * accounts, impulses and displacements with them. */
#include <string.h>

#include "strategies/time_stepping/time_stepping.h"

static const double *gaps_of(const struct sg_time_stepping *ts, const struct sg_state *at)
{
    if (at == &ts->to) return ts->gap_to;
    return at == &ts->sample ? ts->gap_sample : ts->gap;
}

void sg_stepping_snapshot(struct sg_time_stepping *ts, double t, double next, const struct sg_state *at,
                          struct sg_snapshot *now)
{
    *now = (struct sg_snapshot){
        .t = t,
        .u = at->u,
        .v = at->v,
        .u_next = ts->ops->staggered ? at->a : NULL,
        .t_next = t + next,
        .gap = gaps_of(ts, at),
        .force = ts->force,
        .force_of_impulse = ts->scheme->energy == NULL,
        .mean_force = ts->spec.level == SG_LEVEL_POSITION && !ts->ops->staggered ? ts->mean_force : NULL,
        .impulse = ts->impulse,
        .friction = ts->rows > 1 ? ts->friction : NULL,
        .active = ts->active,
        .constraint_force = ts->bilateral.force,
        .constraint_impulse = ts->bilateral.impulse,
        .constraint_smooth = ts->smooth,
        .contact_smooth = ts->smooth == NULL ? NULL : ts->smooth + ts->bilateral.m,
        .constraint_correction = ts->correction,
        .contact_correction = ts->correction == NULL ? NULL : ts->correction + ts->bilateral.m,
        .projection = ts->accounts.projection,
        .external = ts->accounts.external,
        .dissipated = ts->accounts.dissipated,
        .damping = ts->accounts.damping,
        .friction_work = ts->accounts.friction};
    if (ts->scheme->memory != NULL) now->memory = ts->scheme->memory(ts);
    if (ts->scheme->energy != NULL) now->contact_energy = ts->scheme->energy(ts, now);
}

struct inside {
    struct sg_time_stepping *ts;
    const struct sg_stepping *step;
};

/* Between the states: displacements on the line that joins them, velocities too, but of staggered schemes, in
 * which that of the step holds; there u_next is what mirrors u in the middle of the step, so that energies
 * are those of its start. */
static void interpolate(struct sg_time_stepping *ts, const struct sg_attempt *attempt, double share)
{
    const struct sg_state *from = attempt->from, *to = attempt->to, *at = &ts->sample;
    for (size_t i = 0; i < ts->n; i++) {
        at->u[i] = from->u[i] + share * (to->u[i] - from->u[i]);
        at->v[i] = ts->ops->staggered ? from->v[i] : from->v[i] + share * (to->v[i] - from->v[i]);
        if (ts->ops->staggered) at->a[i] = to->u[i] - share * (to->u[i] - from->u[i]);
    }
}

static sg_status sample_at(void *self, double t, struct sg_snapshot *now, struct sg_error *err)
{
    const struct inside *inside = self;
    struct sg_time_stepping *ts = inside->ts;
    const struct sg_attempt *attempt = &inside->step->attempt;
    const struct sg_contact_set *set = ts->run.contacts;
    double h = attempt->span.h, share = (t - attempt->span.t) / h;
    (void)err;
    interpolate(ts, attempt, share);
    sg_contact_set_place(set, t, ts->sample.u, &ts->frame);
    memcpy(ts->gap_sample, ts->frame.gap, ts->q * sizeof(double));
    for (size_t j = 0; j < ts->q; j++)
        ts->impulse_sample[j] = ts->impulse_start[j] + share * (ts->impulse[j] - ts->impulse_start[j]);
    sg_stepping_snapshot(ts, t, h * (1.0 - 2.0 * share), &ts->sample, now);
    now->impulse = ts->impulse_sample;
    sg_bilateral_sample(&ts->bilateral, share);
    now->constraint_impulse = ts->bilateral.impulse_sample;
    double gone = ts->ops->staggered ? 0.0 : share;
    const struct sg_accounts *start = &ts->accounts_start, *end = &ts->accounts;
    now->external = start->external + gone * (end->external - start->external);
    now->dissipated = start->dissipated + gone * (end->dissipated - start->dissipated);
    now->projection = start->projection + gone * (end->projection - start->projection);
    return SG_OK;
}

sg_status sg_stepping_observe(struct sg_time_stepping *ts, const struct sg_stepping *step, double t1,
                              struct sg_error *err)
{
    struct sg_snapshot now;
    struct inside inside = {ts, step};
    struct sg_sampler sampler = {&inside, sample_at};
    sg_stepping_snapshot(ts, t1, step->attempt.next, &ts->to, &now);
    return ts->run.observer->step(ts->run.observer->self, &now, &sampler, ts->stopped ? 2 : 0, err);
}
