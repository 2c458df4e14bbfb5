/* Contact at velocity level: over the contacts that are closed at a configuration known before the step,
 *
 *     0 <= w . v1 + drift + e (w . v0 + drift)  _|_  r >= 0,
 *
 * with friction a cone. */
#include <math.h>
#include <string.h>

#include "strategies/time_stepping.h"

/* The step's configuration: its displacements, for which staggered schemes need no sum. */
static const double *configuration(struct sg_time_stepping *ts, const struct sg_attempt *attempt, double c)
{
    const double *u = attempt->from->u, *v = attempt->from->v;
    if (ts->ops->staggered) return attempt->from->a;
    for (size_t i = 0; i < ts->n; i++) ts->place[i] = u[i] + c * v[i];
    return ts->place;
}

/* gaps of the step's configuration into ts->frame */
static void place(struct sg_time_stepping *ts, const struct sg_stepping *step)
{
    const struct sg_contact_set *set = ts->run.contacts;
    const struct sg_attempt *attempt = &step->attempt;
    double c = ts->ops->place(ts->run.integrator, attempt->span);
    if (!set->affine) {
        sg_contact_set_place(set, attempt->span.t + c, configuration(ts, attempt, c), &ts->frame);
        return;
    }
    for (size_t j = 0; j < ts->q; j++) ts->frame.gap[j] = ts->gap[j] + c * ts->rate[j];
}

/* velocities of staggered schemes are those of the middles of the steps */
static void place_constraints(struct sg_time_stepping *ts, const struct sg_stepping *step)
{
    const struct sg_attempt *attempt = &step->attempt;
    double c = ts->ops->place(ts->run.integrator, attempt->span), t = attempt->span.t, h = attempt->span.h;
    struct sg_bilateral_place at = {t + c, t, t + h, attempt->from->u};
    if (ts->ops->staggered) {
        at.before = t + 0.5 * h;
        at.after = t + h + 0.5 * attempt->next;
    }
    if (!ts->run.system->constraints.affine) at.u = configuration(ts, attempt, c);
    sg_bilateral_place(&ts->bilateral, &at);
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
    if (ts->bilateral.m > 0) place_constraints(ts, step);
    if (ts->q == 0) return SG_OK;
    place(ts, step);
    for (size_t j = 0; j < ts->q; j++)
        if (ts->frame.gap[j] <= 0.0 || holds(ts, step, j)) sg_stepping_list(ts, j);
    if (ts->count == 0) return SG_OK;
    sg_stepping_rates(ts, step->attempt.from->v, ts->rate_before);
    struct sg_response *response = sg_stepping_response(ts, step);
    return response->fixed ? sg_response_begin(response, step->kick, err) : SG_OK;
}

/* the free state becomes one that keeps the bilateral constraints */
static sg_status hold_constraints(struct sg_time_stepping *ts, const struct sg_stepping *step,
                                  struct sg_error *err)
{
    if (ts->bilateral.m == 0) return SG_OK;
    TRY(sg_bilateral_begin(&ts->bilateral, step->kick, err));
    sg_bilateral_hold(&ts->bilateral, step->attempt.to->v);
    ts->ops->settle(ts->run.integrator, ts->run.phase, &step->attempt, &ts->bilateral.jump);
    return SG_OK;
}

static sg_status solve(struct sg_time_stepping *ts, const struct sg_stepping *step, struct sg_error *err)
{
    TRY(hold_constraints(ts, step, err));
    if (ts->count == 0) return SG_OK;
    struct sg_response *response = sg_stepping_response(ts, step);
    if (!response->fixed) TRY(sg_response_begin(response, step->kick, err));
    sg_stepping_rates(ts, step->attempt.to->v, ts->b);
    for (size_t i = 0; i < ts->count; i++)
        ts->b[i * ts->rows] += ts->run.contacts->restitution[ts->list[i]] * ts->rate_before[i * ts->rows];
    TRY(sg_stepping_solve(ts, step, err));
    if (ts->bilateral.m > 0)
        sg_response_add_pull(response, (struct sg_contact_list){ts->list, ts->count}, ts->packed,
                             ts->bilateral.mu);
    ts->ops->settle(ts->run.integrator, ts->run.phase, &step->attempt, &ts->jump);
    return SG_OK;
}

enum sg_constraint_scope sg_stepping_constraints(const char *level, const char *integrator)
{
    if (strcmp(integrator, "generalized-alpha") == 0) return SG_SINGULAR_CONSTRAINTS;
    return strcmp(level, "velocity") == 0 ? SG_ALL_CONSTRAINTS : SG_NO_CONSTRAINTS;
}

const struct sg_stepping_law sg_stepping_velocity = {
    .take = sg_stepping_take,
    .prepare = prepare,
    .solve = solve,
    .account = sg_stepping_account_kicks,
};
