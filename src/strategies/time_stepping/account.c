/* What a step leaves behind. An impulse r takes the velocities of its rows from w0 to w1, and does the work
 * (1/2) r . (w0 + w1): exact, since the kinetic energy is quadratic and the impulse acts at once. Of that the
 * obstacle's own motion, r times its drift, is external work, and the rest is dissipated by impact and
 * friction; but what a phase of contact gives in all (phases.h) is made by the scheme, and in no account.
 * Forces are impulses over their duration; a contact event is the first or the last step of a run
 * of steps with an impulse. */
#include <math.h>
#include <string.h>

#include "strategies/time_stepping/time_stepping.h"

bool sg_stepping_is_idle(const struct sg_time_stepping *ts)
{
    return !ts->touched && ts->idle >= 2 && !ts->remembers;
}

/* --- accounts ------------------------------------------------------------------------------------- */

/* J: what contact i of the list takes, by friction apart */
static double work_of(struct sg_time_stepping *ts, size_t i)
{
    size_t j = ts->list[i];
    const double *r = ts->r + j * ts->rows;
    double taken = 0.0;
    for (size_t k = 0; k < ts->rows; k++) {
        size_t row = i * ts->rows + k;
        double work = 0.5 * r[k] * (ts->rate_before[row] + ts->b[row]);
        taken -= work;
        ts->accounts.dissipated -= work;
        if (k > 0) ts->accounts.friction -= work;
    }
    return taken;
}

/* whether contacts at positions i and k of the list feel one another, by the Delassus operator of all */
static bool is_coupled(const struct sg_time_stepping *ts, size_t i, size_t k)
{
    size_t rows = ts->rows, size = ts->count * rows;
    for (size_t a = 0; a < rows; a++)
        for (size_t b = 0; b < rows; b++)
            if (ts->h[(k * rows + b) * size + i * rows + a] != 0.0) return true;
    return false;
}

static void join_coupled(struct sg_time_stepping *ts)
{
    for (size_t i = 0; i < ts->count; i++)
        for (size_t k = 0; k < i; k++)
            if (is_coupled(ts, i, k)) sg_contact_phases_join(&ts->phases, ts->list[k], ts->list[i]);
}

static void join_groups(struct sg_time_stepping *ts)
{
    const struct sg_contact_groups *groups = &ts->groups;
    for (size_t g = 0; g < groups->count; g++)
        for (size_t at = groups->start[g] + 1; at < groups->start[g + 1]; at++)
            sg_contact_phases_join(&ts->phases, ts->list[groups->order[at - 1]], ts->list[groups->order[at]]);
}

void sg_stepping_account_impulses(struct sg_time_stepping *ts, const struct sg_stepping *step)
{
    (void)step;
    if (ts->count == 0 && !ts->phases.any) return;
    sg_contact_phases_begin(&ts->phases);
    for (size_t i = 0; i < ts->count; i++) ts->closing_rate[ts->list[i]] = fabs(ts->b[i * ts->rows]);
    sg_stepping_rates(ts, ts->to.v, ts->frame.drift, ts->b);
    for (size_t i = 0; i < ts->count; i++) {
        size_t j = ts->list[i];
        double r = ts->r[j * ts->rows], taken = work_of(ts, i);
        sg_contact_phases_act(&ts->phases, j, taken);
        ts->accounts.external -= 0.5 * r * (ts->drift_before[j] + ts->frame.drift[j]);
    }
    if (ts->grouped && ts->count > 1)
        join_groups(ts);
    else
        join_coupled(ts);
    ts->accounts.dissipated += sg_contact_phases_end(&ts->phases);
}

/* N: the part of a contact's force that the acceleration stored at the end of the step has */
double sg_stepping_stored_force(const struct sg_collocation *at, double force, double before)
{
    return (force - at->recursion * before) / (1.0 - at->recursion);
}

static double given_impulse(const struct sg_time_stepping *ts, const struct sg_collocation *at, size_t j)
{
    double before = ts->stored_force[j];
    if (ts->update.done) return ts->update.impulse[j];
    if (ts->given != NULL) return ts->given[j];
    double after = sg_stepping_stored_force(at, ts->r[j * ts->rows] / at->duration, before);
    return ts->total[j * ts->rows] + at->carry_over * before - at->hold_back * after;
}

/* Adds up what the step gave: ts->normal_impulse and the sums. */
static void sum_impulses(struct sg_time_stepping *ts, const struct sg_stepping *step)
{
    struct sg_collocation at = ts->ops->collocation(ts->run.integrator, &step->attempt);
    for (size_t j = 0; j < ts->q; j++) {
        ts->normal_impulse[j] = given_impulse(ts, &at, j);
        ts->impulse_start[j] = ts->impulse[j];
        ts->impulse[j] += ts->normal_impulse[j];
    }
}

/* The energy of staggered schemes stands in the middles of steps, and contacts with it: an obstacle's way is
 * the mean of those of the two steps that meet at the kick. */
double sg_stepping_obstacle_work(const struct sg_time_stepping *ts, const struct sg_stepping *step)
{
    const struct sg_attempt *attempt = &step->attempt;
    double t0 = attempt->span.t, length = attempt->span.h, work = 0.0;
    if (ts->run.contacts->affine) return 0.0;
    if (ts->ops->staggered) length += attempt->next;
    for (size_t j = 0; j < ts->q; j++)
        if (ts->normal_impulse[j] != 0.0)
            work += ts->normal_impulse[j] / length *
                    sg_contact_set_obstacle_way(ts->run.contacts, j, t0, t0 + length);
    return work;
}

/* of contacts and constraints */
static void account_reactions(struct sg_time_stepping *ts, const struct sg_stepping *step)
{
    if (ts->bilateral.m > 0)
        ts->accounts.external += sg_bilateral_account(
            &ts->bilateral, ts->ops->collocation(ts->run.integrator, &step->attempt).duration);
    if (!sg_stepping_is_idle(ts)) sum_impulses(ts, step);
    ts->scheme->account(ts, step);
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
    account_reactions(ts, step);
}

void sg_stepping_account_start(struct sg_time_stepping *ts, const struct sg_stepping *step)
{
    ts->accounts = (struct sg_accounts){0};
    account_reactions(ts, step);
    ts->accounts_start = ts->accounts;
}

/* --- forces and events ---------------------------------------------------------------------------- */

/* Forces are those of the last equilibrium point. What balances the step of an implicit scheme at position
 * level is its impulse, the part that the scheme carries over and all stages included, over its length: at
 * rest the forces at the points alternate between 0 and twice the weight, and their mean is the weight. */
static void set_forces(struct sg_time_stepping *ts, const struct sg_stepping *step)
{
    struct sg_collocation at = ts->ops->collocation(ts->run.integrator, &step->attempt);
    for (size_t j = 0; j < ts->q; j++) {
        const double *r = ts->r + j * ts->rows;
        double stored = sg_stepping_stored_force(&at, r[0] / at.duration, ts->stored_force[j]);
        ts->force[j] = r[0] / at.duration;
        ts->mean_force[j] = ts->normal_impulse[j] / step->kick.span.h;
        ts->stored_force[j] = ts->update.done ? 0.0 : stored;
        for (size_t k = 1; k < ts->rows; k++) ts->friction[j * (ts->rows - 1) + k - 1] = r[k] / at.duration;
    }
}

static bool slips(const struct sg_time_stepping *ts, size_t j)
{
    const double *r = ts->total + j * ts->rows;
    double square = 0.0;
    for (size_t k = 1; k < ts->rows; k++) square += r[k] * r[k];
    return sqrt(square) >= ts->run.contacts->friction[j] * r[0] * (1.0 - 1e-9);
}

/* Implicit schemes at position level give in a step what the stored acceleration keeps of the one before,
 * too: of a body at rest forces alternate between 0 and twice the weight, and impulses don't. */
static bool pushes_now(const struct sg_time_stepping *ts, size_t j)
{
    return (ts->scheme->keeps_gaps ? ts->normal_impulse[j] : ts->total[j * ts->rows]) > 0.0;
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
        bool pushes = pushes_now(ts, j), pushed = ts->active[j] != 0;
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
static void rates_of_changes(struct sg_time_stepping *ts, const struct sg_stepping *step, double *rate)
{
    double before = sg_stepping_velocity_times(ts, &step->attempt).before;
    sg_contact_set_drift(ts->run.contacts, before, ts->drift_before);
    for (size_t j = 0; j < ts->q; j++) {
        bool pushes = pushes_now(ts, j);
        if (pushes != (ts->active[j] != 0) || ts->rows > 1)
            rate[j] = sg_columns_dot(ts->frame.normal, j, ts->from.v) + ts->drift_before[j];
    }
}

sg_status sg_stepping_finish_contacts(struct sg_time_stepping *ts, const struct sg_stepping *step, double t1,
                                      struct sg_error *err)
{
    bool idle = sg_stepping_is_idle(ts);
    if (ts->q == 0) return SG_OK;
    if (!idle) rates_of_changes(ts, step, ts->gap_sample);
    if (!idle) set_forces(ts, step);
    if (ts->scheme->leaves_frame && !ts->run.contacts->affine)
        memcpy(ts->gap_to, ts->frame.gap, ts->q * sizeof *ts->gap_to);
    else
        sg_stepping_measure(ts, t1, &ts->to, ts->gap_to, ts->rate_to);
    for (size_t j = 0; j < ts->q; j++)
        if (-ts->gap_to[j] > ts->penetration) ts->penetration = -ts->gap_to[j];
    return idle ? SG_OK : report_changes(ts, t1, ts->gap_sample, err);
}
