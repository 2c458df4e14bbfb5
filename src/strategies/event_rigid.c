/* Rigid contacts: Newton's impact law on the Delassus operator, rest after a Zeno accumulation, release.
 *
 * A rigid contact that rests is a row of the phase (its gap is held); its reaction is the multiplier of
 * the acceleration, not one of the scheme, which may oscillate. */
#include <math.h>
#include <string.h>

#include "linalg/vector.h"
#include "strategies/event_driven.h"

enum { CROWD = 2000, HALVINGS = 200 };

bool sg_event_has_rigid(const struct sg_event_driven *ed)
{
    const struct sg_contact_set *set = ed->run.contacts;
    for (size_t j = 0; j < set->q; j++)
        if (!set->elastic[j]) return true;
    return false;
}

static bool resting(const struct sg_event_driven *ed, size_t j)
{
    return ed->active[j] && !ed->run.contacts->elastic[j];
}

sg_status sg_event_tell(struct sg_event_driven *ed, const struct sg_event *event, struct sg_error *err)
{
    ed->events++;
    if (event->t - ed->event_time > ed->spec.time_tolerance) {
        ed->event_time = event->t;
        ed->crowd = 0;
    }
    if (++ed->crowd > CROWD)
        FAIL(err, SG_NO_SOLUTION,
             "more than %d events within %g s at t = %.17g s, the last at contact '%s': they accumulate and "
             "can't be "
             "resolved (a larger time.contact_step, numerical damping or a looser strategy.gap_tolerance may "
             "help)",
             (int)CROWD, ed->spec.time_tolerance, event->t, ed->run.contacts->names[event->contact]);
    return ed->run.observer.event(ed->run.observer.self, event, err);
}

sg_status sg_event_reactions(struct sg_event_driven *ed, double t, const struct sg_point *at,
                             double *reaction, struct sg_error *err)
{
    size_t q = ed->run.contacts->q;
    memset(reaction, 0, q * sizeof *reaction);
    bool any = false;
    for (size_t j = 0; j < q; j++) any = any || resting(ed, j);
    if (!any) return SG_OK;
    TRY(sg_phase_acceleration(ed->run.phase, t, at->x.u, at->x.v, ed->acceleration, err));
    for (size_t i = 0; i < sg_effective_active_count(ed->run.op); i++) {
        size_t j = sg_effective_active_row(ed->run.op, i);
        if (resting(ed, j)) reaction[j] = sg_effective_reaction(ed->run.op, i);
    }
    return SG_OK;
}

/* --- rest ------------------------------------------------------------------------------------------- */

/* normal accelerations without the reactions of rigid contacts: b_j = w_j . a, into `b` */
static sg_status free_acceleration(struct sg_event_driven *ed, double t, const struct sg_point *at, double *b,
                                   struct sg_error *err)
{
    const struct sg_contact_set *set = ed->run.contacts;
    for (size_t j = 0; j < set->q; j++)
        if (!set->elastic[j]) ed->active[j] = 0;
    sg_effective_set_active(ed->run.op, ed->active);
    TRY(sg_phase_acceleration(ed->run.phase, t, at->x.u, at->x.v, ed->acceleration, err));
    for (size_t j = 0; j < set->q; j++) b[j] = sg_columns_dot(&set->w, j, ed->acceleration);
    return SG_OK;
}

sg_status sg_event_settle(struct sg_event_driven *ed, double t, struct sg_point *at, struct sg_error *err)
{
    size_t q = ed->run.contacts->q;
    const double *g = NULL;
    TRY(free_acceleration(ed, t, at, ed->small, err));
    TRY(sg_effective_delassus(ed->run.op, &g, err));
    TRY(sg_lcp_solve(&ed->lcp, g, ed->small, ed->member, ed->reaction, err));
    /* zero force and zero acceleration: the contact stays, it is held by nothing and pulled by nothing */
    for (size_t j = 0; j < q; j++)
        if (ed->member[j] && (ed->reaction[j] > 0.0 || ed->small[j] == 0.0)) ed->active[j] = 1;
    sg_effective_set_active(ed->run.op, ed->active);
    return SG_OK;
}

/* --- impact ----------------------------------------------------------------------------------------- */

/* rigid contacts that take part: those that arrive, those that rest, and those that touch */
static void find_members(struct sg_event_driven *ed)
{
    const struct sg_contact_set *set = ed->run.contacts;
    for (size_t j = 0; j < set->q; j++) {
        bool touches = fabs(ed->to.gap[j]) < 2.0 * ed->spec.gap_tolerance && ed->to.rate[j] <= 0.0;
        ed->member[j] = !set->elastic[j] && (ed->crossing[j] || ed->before[j] || touches);
    }
}

/* impulses r of  0 <= w.v+ + e w.v-  _|_  r >= 0  with restitutions `e` of the members */
static sg_status impulses(struct sg_event_driven *ed, const double *e, double *r, struct sg_error *err)
{
    size_t q = ed->run.contacts->q;
    const double *g = NULL;
    double *b = ed->small;
    TRY(sg_effective_delassus(ed->run.op, &g, err));
    /* a contact that leaves (rate > 0) is not to be held back */
    for (size_t j = 0; j < q; j++) b[j] = ed->to.rate[j] + e[j] * fmin(ed->to.rate[j], 0.0);
    return sg_lcp_solve(&ed->lcp, g, b, ed->member, r, err);
}

/* A rebound too low to be seen, v^2/(2 |a|) below four gap tolerances, ends in rest. */
static bool accumulates(const struct sg_event_driven *ed, double rebound, double acceleration)
{
    return acceleration < 0.0 && rebound * rebound < -8.0 * ed->spec.gap_tolerance * acceleration;
}

/* Restitutions: the deck's, but 0 where the rebound would be invisible. */
static sg_status choose_restitution(struct sg_event_driven *ed, double t, double *e, struct sg_error *err)
{
    const struct sg_contact_set *set = ed->run.contacts;
    double *b = ed->small;
    TRY(free_acceleration(ed, t, &ed->to, b, err));
    for (size_t j = 0; j < set->q; j++) {
        double rebound = -set->restitution[j] * fmin(ed->to.rate[j], 0.0);
        e[j] = accumulates(ed, rebound, b[j]) ? 0.0 : set->restitution[j];
    }
    return SG_OK;
}

static sg_status tell_impacts(struct sg_event_driven *ed, double t, const double *r, struct sg_error *err)
{
    for (size_t j = 0; j < ed->run.contacts->q; j++) {
        if (!ed->member[j] || (!ed->crossing[j] && !(r[j] > 0.0))) continue;
        struct sg_event event = {t, j, SG_EVENT_IMPACT, ed->to.gap[j], ed->to.rate[j], ed->iterations};
        TRY(sg_event_tell(ed, &event, err));
    }
    return SG_OK;
}

/* contacts of the members that stay together after the impact: no normal velocity beyond rounding */
static void keep_touching(struct sg_event_driven *ed, const double *r, const double *old_rate)
{
    double scale = 0.0;
    for (size_t j = 0; j < ed->run.contacts->q; j++)
        if (ed->member[j]) scale = fmax(scale, fabs(old_rate[j]));
    for (size_t j = 0; j < ed->run.contacts->q; j++) {
        bool still = fabs(ed->to.rate[j]) <= 1e-12 * scale;
        ed->member[j] = ed->member[j] && still && (r[j] > 0.0 || ed->before[j]);
    }
}

/* Statuses after the impact: rests begin and end. */
static sg_status tell_rests(struct sg_event_driven *ed, double t, struct sg_error *err)
{
    for (size_t j = 0; j < ed->run.contacts->q; j++) {
        if (ed->run.contacts->elastic[j] || ed->active[j] == ed->before[j]) continue;
        enum sg_event_kind kind = ed->active[j] ? SG_EVENT_CLOSE : SG_EVENT_OPEN;
        struct sg_event event = {t, j, kind, ed->to.gap[j], ed->to.rate[j], ed->iterations};
        TRY(sg_event_tell(ed, &event, err));
    }
    return SG_OK;
}

sg_status sg_event_impact(struct sg_event_driven *ed, double t, struct sg_error *err)
{
    const struct sg_contact_set *set = ed->run.contacts;
    size_t q = set->q;
    double *e = ed->small + q, *old_rate = ed->small + 2 * q, *r = ed->reaction;
    find_members(ed);
    TRY(choose_restitution(ed, t, e, err));
    TRY(impulses(ed, e, r, err));
    TRY(tell_impacts(ed, t, r, err));
    memcpy(old_rate, ed->to.rate, q * sizeof *old_rate);
    TRY(sg_effective_apply_impulse(ed->run.op, r, ed->to.x.v, err));
    sg_contact_set_gaps(set, ed->to.x.u, ed->to.x.v, ed->to.gap, ed->to.rate);
    /* kinetic energy lost: -(1/2) r . (w.v+ + w.v-), from the impulse-momentum theorem */
    for (size_t j = 0; j < q; j++) {
        ed->dissipated -= 0.5 * r[j] * (ed->to.rate[j] + old_rate[j]);
        ed->impulse[j] += r[j];
    }
    keep_touching(ed, r, old_rate);
    TRY(sg_event_settle(ed, t, &ed->to, err));
    return tell_rests(ed, t, err);
}

/* --- release ---------------------------------------------------------------------------------------- */

static bool pulls(const struct sg_event_driven *ed, const double *reaction)
{
    for (size_t j = 0; j < ed->run.contacts->q; j++)
        if (resting(ed, j) && reaction[j] < 0.0) return true;
    return false;
}

static sg_status try_release(struct sg_event_driven *ed, double h, bool *pulling, struct sg_error *err)
{
    TRY(sg_event_trial(ed, h, &ed->to, err));
    TRY(sg_event_reactions(ed, ed->t + h, &ed->to, ed->force, err));
    *pulling = pulls(ed, ed->force);
    return SG_OK;
}

sg_status sg_event_release(struct sg_event_driven *ed, double *h, struct sg_error *err)
{
    size_t q = ed->run.contacts->q;
    TRY(sg_event_reactions(ed, ed->t + *h, &ed->to, ed->force, err));
    if (!pulls(ed, ed->force)) return SG_OK;
    double low = 0.0, high = *h;
    bool pulling = true;
    for (int i = 0; i < HALVINGS && high - low > ed->spec.time_tolerance; i++) {
        double middle = 0.5 * (low + high);
        TRY(try_release(ed, middle, &pulling, err));
        ed->iterations++;
        if (pulling)
            high = middle;
        else
            low = middle;
    }
    TRY(try_release(ed, high, &pulling, err));
    for (size_t j = 0; j < q; j++) ed->crossing[j] = resting(ed, j) && ed->force[j] < 0.0;
    *h = high;
    return SG_OK;
}

sg_status sg_event_let_go(struct sg_event_driven *ed, double t, struct sg_error *err)
{
    for (size_t j = 0; j < ed->run.contacts->q; j++) ed->member[j] = resting(ed, j) && !ed->crossing[j];
    TRY(sg_event_settle(ed, t, &ed->to, err));
    return tell_rests(ed, t, err);
}
