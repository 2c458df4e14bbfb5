#include <math.h>

#include "strategies/penalty.h"

static double overlap(double gap)
{
    return gap < 0.0 ? -gap : 0.0;
}

/* (1/2) kappa overlap^2; of staggered schemes (1/2) kappa (overlap now) (overlap next), which goes with the
 * strain energy (1/2) u . K u_next and with it stays while a contact is closed */
double sg_penalty_energy(const struct sg_time_stepping *ts, const struct sg_snapshot *now)
{
    const struct sg_contact_set *set = ts->run.contacts;
    double energy = 0.0;
    for (size_t j = 0; j < ts->q; j++) {
        double first = overlap(now->gap[j]), second = first;
        if (first == 0.0) continue;
        if (now->u_next != NULL) second = overlap(sg_contact_set_gap(set, j, now->t_next, now->u_next));
        energy += 0.5 * set->stiffness[j] * first * second;
    }
    return energy;
}

/* --- form "standard" ------------------------------------------------------------------------------------ */

/* the point of the last forces, with these; scratch of a staggered scheme's step is its end */
static const double *point_of(struct sg_time_stepping *ts, const struct sg_attempt *attempt, double share)
{
    if (share == 0.0) return attempt->to->u;
    for (size_t i = 0; i < ts->n; i++)
        ts->place[i] = (1.0 - share) * attempt->to->u[i] + share * attempt->from->u[i];
    return ts->place;
}

/* What the dashpot of contact j takes, J. Its force is all that the spring does not explain: where it would
 * pull, and is cut off, it takes what the spring gives. */
static double damper_work(const struct sg_time_stepping *ts, const struct sg_stepping *step, size_t j,
                          double before)
{
    const struct sg_penalty *law = ts->law_data;
    const struct sg_attempt *attempt = &step->attempt;
    double t1 = attempt->span.t + attempt->span.h;
    if (ts->ops->staggered) {
        double rate = 0.5 * (sg_columns_dot(ts->frame.normal, j, attempt->from->v) +
                             sg_columns_dot(ts->frame.normal, j, attempt->to->v));
        return -step->kick.span.h * law->damper[j] * (rate + ts->frame.drift[j]);
    }
    double change = sg_contact_set_gap(ts->run.contacts, j, t1, attempt->to->u) - ts->gap[j];
    return -change * (law->trapezoid ? 0.5 * (before + law->damper[j]) : law->damper[j]);
}

static void account_dashpots(struct sg_time_stepping *ts, const struct sg_stepping *step)
{
    struct sg_penalty *law = ts->law_data;
    const struct sg_attempt *attempt = &step->attempt;
    double share = ts->ops->reach(ts->run.integrator, attempt).share;
    double t = attempt->span.t + (1.0 - share) * attempt->span.h;
    const double *at = point_of(ts, attempt, share);
    for (size_t j = 0; j < ts->q; j++) {
        if (!(law->c[j] > 0.0)) continue;
        double before = law->damper[j], gap = sg_contact_set_gap(ts->run.contacts, j, t, at);
        law->damper[j] = law->force[j] - law->kappa[j] * overlap(gap);
        ts->accounts.dissipated += damper_work(ts, step, j, before);
    }
}

void sg_penalty_spring_account(struct sg_time_stepping *ts, const struct sg_stepping *step)
{
    struct sg_penalty *law = ts->law_data;
    double duration = ts->ops->reach(ts->run.integrator, &step->attempt).duration;
    for (size_t j = 0; j < ts->q; j++) {
        double force = ts->r[j] / duration, mean = law->trapezoid ? 0.5 * (law->force[j] + force) : force;
        law->force[j] = force;
        if (mean == 0.0) continue;
        ts->impulse[j] += duration * mean;
        ts->accounts.external -= duration * mean * ts->frame.drift[j];
    }
    if (law->damped) account_dashpots(ts, step);
}

/* --- forms of the midpoint ------------------------------------------------------------------------------ */

void sg_penalty_midpoint_account(struct sg_time_stepping *ts, const struct sg_stepping *step)
{
    const struct sg_penalty *law = ts->law_data;
    const struct sg_contact_set *set = ts->run.contacts;
    const struct sg_attempt *attempt = &step->attempt;
    double h = attempt->span.h, t1 = attempt->span.t + h;
    for (size_t i = 0; i < ts->count; i++) {
        size_t j = ts->list[i];
        double end = sg_contact_set_gap(set, j, t1, attempt->to->u);
        double change = overlap(end) - overlap(ts->gap[j]);
        ts->impulse[j] += ts->r[j];
        ts->accounts.dissipated += 0.5 * law->chi * law->kappa[j] * change * change;
        if (set->fixed[j]) continue;
        double moved = ts->gap[j] - sg_contact_set_gap(set, j, t1, attempt->from->u);
        ts->accounts.external += ts->r[j] / h * moved;
    }
}

/* --- memory --------------------------------------------------------------------------------------------- */

void sg_penalty_archive(struct sg_time_stepping *ts, struct sg_archive *store)
{
    struct sg_penalty *law = ts->law_data;
    sg_archive_bytes(store, law->force, ts->q * sizeof(double));
    sg_archive_bytes(store, law->damper, ts->q * sizeof(double));
}

/* --- iterations ----------------------------------------------------------------------------------------- */

bool sg_penalty_settled(struct sg_time_stepping *ts, struct sg_penalty_progress *progress, double scale,
                        double *change)
{
    struct sg_penalty *law = ts->law_data;
    bool first = progress->last == 0.0;
    double most = 0.0;
    for (size_t i = 0; i < ts->count; i++) {
        size_t j = ts->list[i];
        most = fmax(most, fabs(ts->r[j] - law->before[j]));
        law->before[j] = ts->r[j];
    }
    *change = most;
    if (!first && most <= ts->spec.tolerance * scale) return true;
    if (!first && most > 0.25 * progress->last) progress->stalls++;
    progress->last = first ? HUGE_VAL : most;
    /* what no longer falls is rounding */
    return progress->stalls >= 3 && most <= 1e-6 * scale;
}

sg_status sg_penalty_unsettled(const struct sg_time_stepping *ts, const struct sg_stepping *step,
                               double change, struct sg_error *err)
{
    FAIL(err, SG_NO_SOLUTION,
         "the contacts' forces don't settle at step %lld, t = %.17g s, within %lld iterations: the last "
         "change of "
         "an impulse is %g N s",
         ts->steps + 1, step->attempt.span.t, ts->spec.max_iterations, change);
}
