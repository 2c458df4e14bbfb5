/* What a step leaves behind. An impulse r takes the velocities of its rows from w0 to w1, and does the work
 * (1/2) r . (w0 + w1): exact, since the kinetic energy is quadratic and the impulse acts at once. Of that the
 * obstacle's own motion, r times its drift, is external work, and the rest is dissipated by impact and
 * friction. Forces are impulses over their duration; a contact event is the first or the last step of a run
 * of steps with an impulse. */
#include <math.h>
#include <string.h>

#include "strategies/time_stepping/time_stepping.h"

bool sg_stepping_is_idle(const struct sg_time_stepping *ts)
{
    return !ts->touched && ts->idle >= 2;
}

/* --- accounts ------------------------------------------------------------------------------------- */

void sg_stepping_account_impulses(struct sg_time_stepping *ts, const struct sg_stepping *step)
{
    (void)step;
    if (ts->count == 0) return;
    for (size_t i = 0; i < ts->count; i++) ts->closing_rate[ts->list[i]] = fabs(ts->b[i * ts->rows]);
    sg_stepping_rates(ts, ts->to.v, ts->b);
    for (size_t i = 0; i < ts->count; i++) {
        size_t j = ts->list[i];
        const double *r = ts->r + j * ts->rows;
        for (size_t k = 0; k < ts->rows; k++) {
            size_t row = i * ts->rows + k;
            double work = 0.5 * r[k] * (ts->rate_before[row] + ts->b[row]);
            ts->accounts.dissipated -= work;
            if (k > 0) ts->accounts.friction -= work;
        }
        ts->accounts.external -= r[0] * ts->frame.drift[j];
    }
}

/* Adds up what the step gave: ts->normal_impulse and the sums. */
static void sum_impulses(struct sg_time_stepping *ts, const struct sg_stepping *step)
{
    double kept = ts->ops->collocation(ts->run.integrator, &step->attempt).carry_over;
    for (size_t j = 0; j < ts->q; j++) {
        ts->normal_impulse[j] =
            ts->update.done ? ts->update.impulse[j] : ts->total[j * ts->rows] + kept * ts->stored_force[j];
        ts->impulse_start[j] = ts->impulse[j];
        ts->impulse[j] += ts->normal_impulse[j];
    }
}

void sg_stepping_account(struct sg_time_stepping *ts, const struct sg_stepping *step)
{
    struct sg_work work = ts->scheme->work != NULL
                              ? ts->scheme->work(ts, step)
                              : ts->ops->work(ts->run.integrator, ts->run.phase, &step->attempt);
    ts->accounts_start = ts->accounts;
    ts->accounts.external += work.external;
    ts->accounts.dissipated += work.dissipated;
    ts->accounts.damping += work.dissipated;
    if (ts->bilateral.m > 0)
        ts->accounts.external += sg_bilateral_account(
            &ts->bilateral, ts->ops->collocation(ts->run.integrator, &step->attempt).duration);
    if (!sg_stepping_is_idle(ts)) sum_impulses(ts, step);
    ts->scheme->account(ts, step);
}

/* --- forces and events ---------------------------------------------------------------------------- */

/* Forces are those of the last equilibrium point. What balances the step of an implicit scheme at position
 * level is its impulse, the part that the scheme carries over and all stages included, over its length: at
 * rest the forces at the points alternate between 0 and twice the weight, and their mean is the weight. */
static void set_forces(struct sg_time_stepping *ts, const struct sg_stepping *step)
{
    double duration = ts->ops->collocation(ts->run.integrator, &step->attempt).duration;
    for (size_t j = 0; j < ts->q; j++) {
        const double *r = ts->r + j * ts->rows;
        ts->force[j] = r[0] / duration;
        ts->mean_force[j] = ts->normal_impulse[j] / step->attempt.span.h;
        ts->stored_force[j] = ts->update.done ? 0.0 : ts->force[j];
        for (size_t k = 1; k < ts->rows; k++) ts->friction[j * (ts->rows - 1) + k - 1] = r[k] / duration;
    }
}

static bool slips(const struct sg_time_stepping *ts, size_t j)
{
    const double *r = ts->total + j * ts->rows;
    double square = 0.0;
    for (size_t k = 1; k < ts->rows; k++) square += r[k] * r[k];
    return sqrt(square) >= ts->run.contacts->friction[j] * r[0] * (1.0 - 1e-9);
}

static sg_status report(struct sg_time_stepping *ts, const struct sg_event *event, struct sg_error *err)
{
    ts->events++;
    return ts->run.observer->event(ts->run.observer->self, event, err);
}

/* A phase of contact is a run of steps with an impulse. `rate`: gap velocities before, by contact. */
static sg_status report_changes(struct sg_time_stepping *ts, double t1, const double *rate,
                                struct sg_error *err)
{
    const enum sg_event_kind closing = ts->scheme->energy == NULL ? SG_EVENT_IMPACT : SG_EVENT_CLOSE;
    for (size_t j = 0; j < ts->q; j++) {
        bool pushes = ts->total[j * ts->rows] > 0.0, pushed = ts->active[j] != 0;
        struct sg_event event = {t1, j, pushes ? closing : SG_EVENT_OPEN, ts->gap_to[j], rate[j], 0};
        ts->active[j] = pushes;
        if (pushes != pushed) TRY(report(ts, &event, err));
        if (ts->rows == 1 || !pushes || !(ts->run.contacts->friction[j] > 0.0)) continue;
        bool slipped = ts->slipping[j] != 0, slip = slips(ts, j);
        ts->slipping[j] = slip;
        event.kind = slip ? SG_EVENT_SLIP : SG_EVENT_STICK;
        if (!pushed || slip != slipped) TRY(report(ts, &event, err));
    }
    return SG_OK;
}

/* Takes the rates before the step of contacts whose state changes; those of others are not needed. */
static void rates_of_changes(const struct sg_time_stepping *ts, double *rate)
{
    for (size_t j = 0; j < ts->q; j++) {
        bool pushes = ts->total[j * ts->rows] > 0.0;
        if (pushes != (ts->active[j] != 0) || ts->rows > 1)
            rate[j] = sg_columns_dot(ts->frame.normal, j, ts->from.v) + ts->frame.drift[j];
    }
}

sg_status sg_stepping_finish_contacts(struct sg_time_stepping *ts, const struct sg_stepping *step, double t1,
                                      struct sg_error *err)
{
    bool idle = sg_stepping_is_idle(ts);
    if (ts->q == 0) return SG_OK;
    if (!idle) rates_of_changes(ts, ts->gap_sample);
    if (!idle) set_forces(ts, step);
    if (ts->scheme->leaves_frame && !ts->run.contacts->affine)
        memcpy(ts->gap_to, ts->frame.gap, ts->q * sizeof *ts->gap_to);
    else
        sg_stepping_measure(ts, t1, &ts->to, ts->gap_to, ts->rate_to);
    for (size_t j = 0; j < ts->q; j++)
        if (-ts->gap_to[j] > ts->penetration) ts->penetration = -ts->gap_to[j];
    return idle ? SG_OK : report_changes(ts, t1, ts->gap_sample, err);
}
