/* Contact at velocity level: over the contacts that are closed at a configuration known before the step,
 *
 *     0 <= w . v1 + drift + e (w . v0 + drift)  _|_  r >= 0,
 *
 * with friction a cone. */
#include <math.h>
#include <string.h>

#include "strategies/time_stepping.h"

/* gaps of the step's configuration into ts->frame */
static void place(struct sg_time_stepping *ts, const struct sg_stepping *step)
{
    const struct sg_contact_set *set = ts->run.contacts;
    const struct sg_attempt *attempt = &step->attempt;
    double c = ts->ops->place(ts->run.integrator, attempt->span);
    if (set->affine) {
        for (size_t j = 0; j < ts->q; j++) ts->frame.gap[j] = ts->gap[j] + c * ts->rate[j];
        return;
    }
    const double *u = attempt->from->u, *v = attempt->from->v, *at = ts->place;
    if (ts->ops->staggered)
        at = attempt->from->a;
    else
        for (size_t i = 0; i < ts->n; i++) ts->place[i] = u[i] + c * v[i];
    sg_contact_set_place(set, attempt->span.t + c, at, &ts->frame);
}

/* A contact that carries a load stays closed until its gap is more than rounding: without that a body at
 * rest at gap 0 falls for a step whenever its velocity of 0 comes out at 1e-17. Rounding is that of the
 * coordinates, summed up over a million steps, and 1e-9 of the way that the load would go in a step (what
 * the contact solver and a million steps leave). The same at the start, where a body may be set to touch. */
static bool holds(const struct sg_time_stepping *ts, const struct sg_stepping *step, size_t j)
{
    const struct sg_attempt *attempt = &step->attempt;
    if (ts->steps > 0 && !ts->active[j]) return false;
    double way = ts->steps > 0 ? attempt->span.h * ts->closing[j] : 0.0;
    double rounding = sg_contact_set_rounding(ts->run.contacts, j, attempt->span.t, attempt->from->u);
    return ts->frame.gap[j] <= 1e3 * rounding + 1e-9 * way;
}

static sg_status prepare(struct sg_time_stepping *ts, const struct sg_stepping *step, struct sg_error *err)
{
    if (ts->q == 0) return SG_OK;
    place(ts, step);
    for (size_t j = 0; j < ts->q; j++)
        if (ts->frame.gap[j] <= 0.0 || holds(ts, step, j)) sg_stepping_list(ts, j);
    if (ts->count == 0) return SG_OK;
    sg_stepping_rates(ts, step->attempt.from->v, ts->rate_before);
    struct sg_response *response = sg_stepping_response(ts, step);
    return response->fixed ? sg_response_begin(response, step->kick, err) : SG_OK;
}

static sg_status solve(struct sg_time_stepping *ts, const struct sg_stepping *step, struct sg_error *err)
{
    if (ts->count == 0) return SG_OK;
    struct sg_response *response = sg_stepping_response(ts, step);
    if (!response->fixed) TRY(sg_response_begin(response, step->kick, err));
    sg_stepping_rates(ts, step->attempt.to->v, ts->b);
    for (size_t i = 0; i < ts->count; i++)
        ts->b[i * ts->rows] += ts->run.contacts->restitution[ts->list[i]] * ts->rate_before[i * ts->rows];
    TRY(sg_stepping_solve(ts, step, err));
    ts->ops->settle(ts->run.integrator, ts->run.phase, &step->attempt, &ts->jump);
    return SG_OK;
}

const struct sg_stepping_law sg_stepping_velocity = {
    .take = sg_stepping_take,
    .prepare = prepare,
    .solve = solve,
    .account = sg_stepping_account_kicks,
};
