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

static sg_status prepare(struct sg_time_stepping *ts, const struct sg_stepping *step, struct sg_error *err)
{
    if (ts->q == 0) return SG_OK;
    place(ts, step);
    for (size_t j = 0; j < ts->q; j++)
        if (ts->frame.gap[j] <= 0.0) sg_stepping_list(ts, j);
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
    ts->ops->settle(ts->run.integrator, ts->run.phase, &step->attempt, ts->dv);
    return SG_OK;
}

const struct sg_stepping_law sg_stepping_velocity = {
    .prepare = prepare, .solve = solve, .account = sg_stepping_account_kicks};
