/* Contact at velocity level: over the contacts that are closed at a configuration known before the step,
 *
 *     0 <= w . v1 + drift1 + e (w . v0 + drift0)  _|_  r >= 0,
 *
 * with friction a cone. The normal w is that of the configuration, an obstacle's drift that of the times of
 * both velocities. */
#include <math.h>
#include <string.h>

#include "strategies/time_stepping/time_stepping.h"

/* the displacement `ahead` (s) after the start of the step as it is known there; of staggered schemes after
 * its end */
static const double *predict(struct sg_time_stepping *ts, const struct sg_attempt *attempt, double ahead)
{
    const double *u = ts->ops->staggered ? attempt->from->a : attempt->from->u, *v = attempt->from->v;
    if (ahead == 0.0) return u;
    for (size_t i = 0; i < ts->n; i++) ts->scratch_u[i] = u[i] + ahead * v[i];
    return ts->scratch_u;
}

/* gaps of the configuration that says which contacts are closed in the step, into ts->frame */
static void forecast_gaps(struct sg_time_stepping *ts, const struct sg_stepping *step)
{
    const struct sg_contact_set *set = ts->run.contacts;
    const struct sg_attempt *attempt = &step->attempt;
    double c = ts->ops->activation_time(ts->run.integrator, attempt->span);
    if (!set->affine) {
        const double *at = predict(ts, attempt, ts->ops->staggered ? 0.0 : c);
        sg_contact_set_place(set, attempt->span.t + c, at, &ts->frame);
        sg_stepping_place_drifts(ts, attempt);
        return;
    }
    for (size_t j = 0; j < ts->q; j++) ts->frame.gap[j] = ts->gap[j] + c * ts->rate[j];
}

/* The constraints' gradients are those of the end of the step as far as it is known, u + h v; a staggered
 * velocity belongs to the middle of the step that it leads through, and so do its gradients. Taken earlier,
 * displacements would leave the constraints by the turn that is missing, in first order. */
static void configure_constraints(struct sg_time_stepping *ts, const struct sg_stepping *step)
{
    const struct sg_attempt *attempt = &step->attempt;
    double t = attempt->span.t, h = attempt->span.h, ahead = ts->ops->staggered ? 0.5 * attempt->next : h;
    struct sg_bilateral_configuration at = {t + h, t, t + h, attempt->from->u};
    if (ts->ops->staggered) {
        at.before = t + 0.5 * h;
        at.t = at.after = t + h + ahead;
    }
    if (!ts->run.system->constraints.affine) at.u = predict(ts, attempt, ahead);
    sg_bilateral_configure(&ts->bilateral, &at);
}

/* A contact is closed until its gap is more than rounding. Without that a body at rest at gap 0 falls for a
 * step whenever its velocity of 0 comes out at 1e-17, and of bodies that touch without load the place of the
 * origin would choose those that take part in an impact. Rounding is that of the coordinates, summed up over
 * a million steps; beside it, of a contact that carries a load, or that the model rests on at the start, 1e-9
 * of the travel that the load would go in a step (what the solvers and a million steps leave). */
static bool touches(const struct sg_time_stepping *ts, const struct sg_stepping *step, size_t j)
{
    const struct sg_attempt *attempt = &step->attempt;
    bool loaded = ts->steps > 0 ? ts->active[j] != 0 : ts->run.system->rests;
    double h = attempt->span.h > 0.0 ? attempt->span.h : attempt->next;
    double travel = loaded ? h * ts->closing_rate[j] : 0.0;
    double rounding = sg_contact_set_rounding(ts->run.contacts, j, attempt->span.t, attempt->from->u);
    return ts->frame.gap[j] <= 1e3 * rounding + 1e-9 * travel;
}

/* A contact that pushed, and that its own law kept closed, is closed still, whatever the gap: what opened it
 * is the scheme's own error. The law's velocities reach to a gap that is known when they are found; where
 * the normal turns or an obstacle is accelerated, that which is met differs from it in second order. So the
 * contact was kept closed if the gap that it was to have is no more than twice what it differs by. Without
 * that a body that slides down a circle, or rides on a cam, leaves it and falls back in every other step. */
static bool is_held(const struct sg_time_stepping *ts, size_t j)
{
    double aim = ts->aim[j];
    return isfinite(aim) && !ts->run.contacts->fixed[j] && aim <= 2.0 * fabs(ts->frame.gap[j] - aim);
}

/* What the law adds to the velocities after the step: restitution; of a contact that is held, whose
 * velocity before is error too, what closes the gap that the error made: 0 <= w . v1 + drift + gap / h. */
static void set_bias(struct sg_time_stepping *ts, double h)
{
    for (size_t i = 0; i < ts->count; i++) {
        size_t j = ts->list[i];
        ts->bias[j] = is_held(ts, j)
                          ? fmax(ts->frame.gap[j], 0.0) / h
                          : sg_law_rebound(&ts->run.contacts->laws[j], ts->rate_before[i * ts->rows]);
    }
}

static sg_status prepare(struct sg_time_stepping *ts, const struct sg_stepping *step, struct sg_error *err)
{
    if (ts->bilateral.m > 0) configure_constraints(ts, step);
    if (ts->q == 0) return SG_OK;
    forecast_gaps(ts, step);
    for (size_t j = 0; j < ts->q; j++)
        if (ts->frame.gap[j] <= 0.0 || is_held(ts, j) || touches(ts, step, j)) sg_stepping_list(ts, j);
    if (ts->count == 0) return SG_OK;
    sg_stepping_rates(ts, step->attempt.from->v, ts->drift_before, ts->rate_before);
    set_bias(ts, step->attempt.next);
    struct sg_response *response = sg_stepping_response(ts, step);
    return response->fixed ? sg_response_begin(response, step->kick, err) : SG_OK;
}

/* the free state becomes one that keeps the bilateral constraints */
static sg_status apply_constraints(struct sg_time_stepping *ts, const struct sg_stepping *step,
                                   struct sg_error *err)
{
    if (ts->bilateral.m == 0) return SG_OK;
    TRY(sg_bilateral_begin(&ts->bilateral, step->kick, err));
    sg_bilateral_solve_velocity(&ts->bilateral, step->attempt.to->v);
    ts->ops->apply_impulses(ts->run.integrator, ts->run.phase, &step->attempt, &ts->bilateral.jump);
    return SG_OK;
}

static sg_status solve(struct sg_time_stepping *ts, const struct sg_stepping *step, struct sg_error *err)
{
    TRY(apply_constraints(ts, step, err));
    if (ts->count == 0) return SG_OK;
    struct sg_response *response = sg_stepping_response(ts, step);
    if (!response->fixed) TRY(sg_response_begin(response, step->kick, err));
    sg_stepping_rates(ts, step->attempt.to->v, ts->frame.drift, ts->b);
    for (size_t i = 0; i < ts->count; i++) ts->b[i * ts->rows] += ts->bias[ts->list[i]];
    TRY(sg_stepping_solve(ts, step, err));
    if (ts->bilateral.m > 0)
        sg_response_add_reactions(response, (struct sg_contact_list){ts->list, ts->count}, ts->packed,
                                  ts->bilateral.mu);
    ts->ops->apply_impulses(ts->run.integrator, ts->run.phase, &step->attempt, &ts->jump);
    return SG_OK;
}

/* Notes the gaps that listed contacts are to have at the next step's configuration; ts->b has their rates. */
static void account(struct sg_time_stepping *ts, const struct sg_stepping *step)
{
    sg_stepping_account_impulses(ts, step);
    if (ts->run.contacts->affine) return;
    for (size_t j = 0; j < ts->q; j++) ts->aim[j] = HUGE_VAL;
    for (size_t i = 0; i < ts->count; i++) {
        size_t j = ts->list[i];
        if (ts->r[j * ts->rows] > 0.0)
            ts->aim[j] = ts->frame.gap[j] + step->attempt.next * ts->b[i * ts->rows];
    }
}

void sg_stepping_start_aims(struct sg_time_stepping *ts, double h)
{
    const struct sg_contact_set *set = ts->run.contacts;
    double c = ts->ops->activation_time(ts->run.integrator, (struct sg_span){0.0, h});
    if (set->affine) return;
    sg_contact_set_place(set, 0.0, ts->from.u, &ts->frame);
    for (size_t j = 0; j < ts->q; j++) {
        bool touching = ts->frame.gap[j] <= 1e3 * sg_contact_set_rounding(set, j, 0.0, ts->from.u);
        double rate = sg_columns_dot(ts->frame.normal, j, ts->from.v) + ts->frame.drift[j];
        ts->aim[j] = touching ? ts->frame.gap[j] + c * rate : HUGE_VAL;
    }
}

const struct sg_stepping_scheme sg_stepping_velocity = {
    .take = sg_stepping_take,
    .prepare = prepare,
    .solve = solve,
    .account = account,
};
