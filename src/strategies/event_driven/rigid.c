/* Rigid contacts: Newton's impact law on the Delassus operator, rest after a Zeno accumulation, release.
 *
 * A rigid contact that rests is a row of the phase (its gap is held); its reaction is the multiplier of
 * the acceleration, not one of the scheme, which may oscillate. The rows at rest are independent: a
 * contact that is a combination of them is `held`, open without events and without force. */
#include <math.h>
#include <string.h>

#include "linalg/vector.h"
#include "strategies/event_driven/event_driven.h"

enum { HALVINGS = 200 };

static bool resting(const struct sg_event_driven *ed, size_t j)
{
    return ed->status[j] && !ed->run.contacts->sprung[j];
}

static bool touching(const struct sg_event_driven *ed, size_t j, const struct sg_event_point *at)
{
    return !ed->run.contacts->sprung[j] && at->gap[j] < 2.0 * ed->tolerance[j];
}

/* So many events within the time tolerance are an accumulation that no step resolves. */
static long long cluster_limit(const struct sg_event_driven *ed)
{
    return 2000 + 20 * (long long)ed->run.contacts->q;
}

sg_status sg_event_report(struct sg_event_driven *ed, const struct sg_event *event, struct sg_error *err)
{
    ed->events++;
    if (event->t - ed->event_time > ed->spec.time_tolerance) {
        ed->event_time = event->t;
        ed->cluster = 0;
    }
    if (++ed->cluster > cluster_limit(ed))
        FAIL(
            err, SG_NO_SOLUTION,
            "more than %lld events within %g s at t = %.17g s, the last at contact '%s': they accumulate and "
            "can't be "
            "resolved (a larger time.contact_step, numerical damping or a looser strategy.gap_tolerance may "
            "help)",
            cluster_limit(ed), ed->spec.time_tolerance, event->t, ed->run.contacts->names[event->contact]);
    return ed->run.observer->event(ed->run.observer->self, event, err);
}

/* Tells whether rows have multipliers to know. */
static bool any_resting(const struct sg_event_driven *ed)
{
    if (ed->bilateral.count > 0) return true;
    for (size_t j = 0; j < ed->run.contacts->q; j++)
        if (resting(ed, j)) return true;
    return false;
}

/* Takes the multipliers of the acceleration just solved for. M a = f - C v - K u in the null space of the
 * resting rows makes them the true reactions at this instant; a scheme's own multipliers ring (trapezoidal
 * rule). */
static void take_reactions(const struct sg_event_driven *ed, double *reaction)
{
    for (size_t i = 0; i < sg_effective_active_count(ed->run.op); i++) {
        size_t j = sg_effective_active_row(ed->run.op, i), q = ed->run.contacts->q;
        if (j >= q)
            ed->bilateral.multiplier[j - q] = sg_effective_reaction(ed->run.op, i);
        else if (resting(ed, j))
            reaction[j] = sg_effective_reaction(ed->run.op, i);
    }
}

sg_status sg_event_reactions(struct sg_event_driven *ed, double t, const struct sg_event_point *at,
                             double *reaction, struct sg_error *err)
{
    memset(reaction, 0, ed->run.contacts->q * sizeof *reaction);
    if (!any_resting(ed)) return SG_OK;
    TRY(sg_phase_acceleration(ed->run.phase, t, at->x.u, at->x.v, ed->acceleration, err));
    take_reactions(ed, reaction);
    return SG_OK;
}

sg_status sg_event_reactions_before(struct sg_event_driven *ed, double t, const struct sg_event_point *at,
                                    double *reaction, struct sg_error *err)
{
    memset(reaction, 0, ed->run.contacts->q * sizeof *reaction);
    if (!any_resting(ed)) return SG_OK;
    TRY(sg_phase_acceleration_before(ed->run.phase, t, at->x.u, at->x.v, ed->acceleration, err));
    take_reactions(ed, reaction);
    return SG_OK;
}

/* --- impact --------------------------------------------------------------------------------------- */

/* Rigid contacts that take part: those that arrive, those that rest or are held, and those that touch
 * without leaving, up to rounding. */
static void find_members(struct sg_event_driven *ed)
{
    size_t q = ed->run.contacts->q;
    double scale = 0.0;
    for (size_t j = 0; j < q; j++)
        if (ed->crossing[j]) scale = fmax(scale, fabs(ed->to.rate[j]));
    for (size_t j = 0; j < q; j++) {
        bool stays = ed->dependent[j] || ed->to.rate[j] <= 1e-12 * scale;
        bool rests = ed->before[j] && !ed->run.contacts->sprung[j];
        bool arrives = ed->crossing[j] && !ed->run.contacts->sprung[j];
        ed->member[j] = arrives || rests || (stays && touching(ed, j, &ed->to));
    }
}

/* Finds the impulses r of Newton's impact law, 0 <= w.v+ + e w.v- _|_ r >= 0 with v+ = v- + M^-1 W r, for the
 * members: with v+ put in it is the complementarity problem of the Delassus operator and b = (1 + e) w.v-. A
 * contact that leaves has no restitution: b = w.v- there. */
static sg_status impulses(struct sg_event_driven *ed, const double *back, double *r, struct sg_error *err)
{
    size_t q = ed->run.contacts->q;
    const double *g = NULL;
    double *b = ed->small;
    TRY(sg_effective_delassus(ed->run.op, &g, err));
    /* a contact that leaves (rate > 0) is not to be held back */
    for (size_t j = 0; j < q; j++) b[j] = ed->to.rate[j] + back[j];
    return sg_lcp_solve(&ed->lcp, g, b, ed->member, r, err);
}

/* A rebound too low to be seen ends in rest: its height v^2/(2 |a|) is below four gap tolerances. The
 * infinitely many impacts of a bouncing ball that comes to rest (Zeno) become finitely many by that. */
static bool accumulates(double tolerance, double rebound, double acceleration)
{
    return acceleration < 0.0 && rebound * rebound < -8.0 * tolerance * acceleration;
}

/* Finds the rebounds e w.v-, at most 0, by the laws, but 0 where they would be invisible, with the contacts
 * at rest as they are. (A collapse without acceleration ends by itself: its velocities fall below rounding.)
 */
static sg_status choose_rebounds(struct sg_event_driven *ed, double t, double *back, struct sg_error *err)
{
    const struct sg_contact_set *set = ed->run.contacts;
    size_t q = set->q;
    const double *g = NULL;
    double *b = ed->small, *r = ed->reaction;
    TRY(sg_event_free_acceleration(ed, t, &ed->to, b, err));
    TRY(sg_effective_delassus(ed->run.op, &g, err));
    for (size_t j = 0; j < q; j++) ed->dependent[j] = ed->before[j] && !set->sprung[j];
    TRY(sg_lcp_solve(&ed->lcp, g, b, ed->dependent, r, err));
    for (size_t j = 0; j < q; j++) {
        double rebound = sg_law_rebound(&set->laws[j], fmin(ed->to.rate[j], 0.0)), acceleration = b[j];
        for (size_t k = 0; k < q; k++) acceleration += g[k * q + j] * r[k];
        back[j] = accumulates(ed->tolerance[j], rebound, acceleration) ? 0.0 : rebound;
    }
    return SG_OK;
}

/* v += M^-1 W r at ed->to, with what it makes of gaps, works and impulses. The kinetic energy lost is
 * -(1/2) r . (w.v+ + w.v-), from the impulse-momentum theorem; w.v- goes to old_rate (q). */
static sg_status give_impulses(struct sg_event_driven *ed, double t, const double *r, double *old_rate,
                               struct sg_error *err)
{
    const struct sg_contact_set *set = ed->run.contacts;
    double before = sg_system_support_impulse_work(ed->run.system, ed->to.x.v, t);
    memcpy(old_rate, ed->to.rate, set->q * sizeof *old_rate);
    TRY(sg_effective_apply_impulse(ed->run.op, r, ed->to.x.v, err));
    ed->external += sg_system_support_impulse_work(ed->run.system, ed->to.x.v, t) - before;
    sg_effective_held_impulse(ed->run.op, r, ed->bilateral.impulse);
    sg_contact_set_gaps(set, ed->to.x.u, ed->to.x.v, ed->to.gap, ed->to.rate);
    for (size_t j = 0; j < set->q; j++) {
        ed->dissipated -= 0.5 * r[j] * (ed->to.rate[j] + old_rate[j]);
        ed->impulse[j] += r[j];
    }
    return SG_OK;
}

/* A contact at rest that the impact does not reach gets an impulse that is rounding of its rate: what it
 * changes, r G_jj, is none beside the speeds of what arrives. */
static sg_status report_impacts(struct sg_event_driven *ed, double t, const double *r, struct sg_error *err)
{
    const double *g = NULL;
    size_t q = ed->run.contacts->q;
    double scale = 0.0;
    TRY(sg_effective_delassus(ed->run.op, &g, err));
    for (size_t j = 0; j < q; j++)
        if (ed->crossing[j]) scale = fmax(scale, fabs(ed->to.rate[j]));
    for (size_t j = 0; j < q; j++) {
        bool hit = r[j] * g[j * q + j] > 1e-12 * scale;
        if (!ed->member[j] || (!ed->crossing[j] && !hit)) continue;
        struct sg_event event = {t, j, SG_EVENT_IMPACT, ed->to.gap[j], ed->to.rate[j], ed->iterations};
        TRY(sg_event_report(ed, &event, err));
    }
    return SG_OK;
}

/* Members that stay together after the impact: an impulse without restitution leaves no velocity but
 * rounding, whatever its size beside the others; elsewhere it must be rounding itself. */
static void keep_touching(struct sg_event_driven *ed, const double *r, const double *back,
                          const double *old_rate)
{
    double scale = 0.0;
    for (size_t j = 0; j < ed->run.contacts->q; j++)
        if (ed->member[j]) scale = fmax(scale, fabs(old_rate[j]));
    for (size_t j = 0; j < ed->run.contacts->q; j++) {
        bool stopped = r[j] > 0.0 && back[j] == 0.0;
        ed->member[j] = ed->member[j] && (stopped || fabs(ed->to.rate[j]) <= 1e-12 * scale);
    }
}

/* --- hops ----------------------------------------------------------------------------------------- */

/* A contact that another's impact lifts, and that its reaction presses back, hops. In the time v / a that
 * takes it up and the same down it rises by v^2 / (2 a), a = G_jj R_j the acceleration that lets go of it.
 * Hops below the resolution are those of bodies that come to rest on several contacts, which hand on to one
 * another ever slower blows: infinitely many. */
static bool is_visible(const struct sg_event_driven *ed, const double *g, size_t j, double pressing)
{
    double rate = ed->to.rate[j], a = g[j * ed->run.contacts->q + j] * pressing;
    return rate * rate >= 8.0 * ed->tolerance[j] * a;
}

/* Marks in ed->rests the contacts that touch and leave, but not by a restitution of their own; false: none.
 */
static bool find_hops(struct sg_event_driven *ed, const double *r, const double *back)
{
    bool any = false;
    for (size_t j = 0; j < ed->run.contacts->q; j++) {
        bool rebounds = r[j] > 0.0 && back[j] < 0.0;
        ed->rests[j] = !ed->member[j] && !rebounds && ed->to.rate[j] > 0.0 && touching(ed, j, &ed->to);
        any = any || ed->rests[j];
    }
    return any;
}

/* Leaves in ed->rests what reactions press, with those that keep touching: hops that are too low to be seen,
 * and those that touch. `pressing` (q) is scratch. False: no such hop. */
static bool find_low_hops(struct sg_event_driven *ed, const double *g, const double *b, double *pressing,
                          sg_status *status, struct sg_error *err)
{
    size_t q = ed->run.contacts->q;
    bool hops = true, changed = true;
    while (changed && hops && *status == SG_OK) {
        hops = changed = false;
        for (size_t j = 0; j < q; j++) ed->rests[j] = ed->rests[j] || ed->member[j];
        *status = sg_lcp_solve(&ed->lcp, g, b, ed->rests, pressing, err);
        for (size_t j = 0; j < q; j++) {
            if (!ed->rests[j] || ed->member[j]) continue;
            ed->rests[j] = !is_visible(ed, g, j, pressing[j]);
            changed = changed || !ed->rests[j];
            hops = hops || ed->rests[j];
        }
    }
    for (size_t j = 0; j < q; j++) ed->rests[j] = ed->rests[j] && pressing[j] > 0.0;
    return hops;
}

/* Impulses s (q) that stop the contacts in ed->rests, of which only independent ones stay marked. */
static sg_status stopping_impulses(struct sg_event_driven *ed, const double *g, double *s,
                                   struct sg_error *err)
{
    size_t q = ed->run.contacts->q, slot = 0;
    memset(ed->dependent, 0, q);
    for (size_t j = 0; j < q; j++)
        ed->dependent[j] = ed->rests[j] && !sg_lcp_depends(&ed->lcp, g, ed->dependent, j);
    sg_effective_set_active(ed->run.op, ed->dependent);
    TRY(sg_effective_prepare(ed->run.op, 1.0, 0.0, 0.0, &slot, err));
    sg_matrix_multiply(&ed->run.system->M, ed->to.x.v, ed->acceleration);
    sg_effective_solve(ed->run.op, slot, ed->acceleration);
    memset(s, 0, q * sizeof *s);
    for (size_t i = 0; i < sg_effective_active_count(ed->run.op); i++) {
        size_t j = sg_effective_active_row(ed->run.op, i);
        if (j < q) s[j] = sg_effective_reaction(ed->run.op, i);
    }
    return SG_OK;
}

/* What hops too low to be seen rests at once: its speed is taken as the pressing reactions will have done
 * when the hops are over, and they stay members. */
static sg_status hold_hops(struct sg_event_driven *ed, double t, const double *r, const double *back,
                           struct sg_error *err)
{
    const double *g = NULL;
    double *s = ed->force_inside;
    sg_status status = SG_OK;
    if (!find_hops(ed, r, back)) return SG_OK;
    TRY(sg_event_free_acceleration(ed, t, &ed->to, ed->small, err));
    TRY(sg_effective_delassus(ed->run.op, &g, err));
    bool any = find_low_hops(ed, g, ed->small, s, &status, err);
    if (status != SG_OK || !any) return status;
    TRY(stopping_impulses(ed, g, s, err));
    TRY(give_impulses(ed, t, s, ed->small, err));
    for (size_t j = 0; j < ed->run.contacts->q; j++) {
        ed->member[j] = ed->member[j] || ed->rests[j];
        if (ed->rests[j]) sg_event_mark_zeros(ed, j, 2, 0.0);
    }
    return SG_OK;
}

/* Statuses after the impact: rests begin and end. */
static sg_status report_rests(struct sg_event_driven *ed, double t, struct sg_error *err)
{
    for (size_t j = 0; j < ed->run.contacts->q; j++) {
        if (ed->run.contacts->sprung[j] || ed->status[j] == ed->before[j]) continue;
        enum sg_event_kind kind = ed->status[j] ? SG_EVENT_CLOSE : SG_EVENT_OPEN;
        struct sg_event event = {t, j, kind, ed->to.gap[j], ed->to.rate[j], ed->iterations};
        TRY(sg_event_report(ed, &event, err));
    }
    return SG_OK;
}

sg_status sg_event_begin_rest(struct sg_event_driven *ed, double t, struct sg_error *err)
{
    for (size_t j = 0; j < ed->run.contacts->q; j++)
        if (ed->member[j]) sg_event_mark_zeros(ed, j, 2, 0.0);
    TRY(sg_event_solve_rest(ed, t, &ed->to, err));
    return report_rests(ed, t, err);
}

sg_status sg_event_impact(struct sg_event_driven *ed, double t, struct sg_error *err)
{
    const struct sg_contact_set *set = ed->run.contacts;
    size_t q = set->q;
    double *back = ed->small + q, *old_rate = ed->small + 2 * q, *r = ed->reaction;
    find_members(ed);
    TRY(choose_rebounds(ed, t, back, err));
    TRY(impulses(ed, back, r, err));
    TRY(report_impacts(ed, t, r, err));
    TRY(give_impulses(ed, t, r, old_rate, err));
    for (size_t j = 0; j < q; j++)
        if (ed->member[j]) sg_event_mark_zeros(ed, j, 1, 0.0);
    keep_touching(ed, r, back, old_rate);
    TRY(hold_hops(ed, t, r, back, err));
    return sg_event_begin_rest(ed, t, err);
}

/* --- release -------------------------------------------------------------------------------------- */

static bool pulls(const struct sg_event_driven *ed)
{
    for (size_t j = 0; j < ed->run.contacts->q; j++)
        if (resting(ed, j) && ed->force[j] < 0.0) return true;
    return false;
}

static void mark_pulling(struct sg_event_driven *ed)
{
    for (size_t j = 0; j < ed->run.contacts->q; j++)
        if (resting(ed, j)) ed->crossing[j] = ed->force[j] < 0.0;
}

static void discard_located(struct sg_event_driven *ed)
{
    for (size_t j = 0; j < ed->run.contacts->q; j++)
        if (!resting(ed, j)) ed->crossing[j] = 0;
}

static sg_status try_release(struct sg_event_driven *ed, double h, bool *pulling, struct sg_error *err)
{
    TRY(sg_event_trial(ed, h, &ed->to, err));
    TRY(sg_event_reactions(ed, ed->t + h, &ed->to, ed->force, err));
    *pulling = pulls(ed);
    return SG_OK;
}

/* The reaction of a rest is continuous in a phase, but known at ends of trials only: bisection to the time
 * tolerance finds where the first of them turns negative. The end that is kept has the pull, so that the
 * release is due. */
sg_status sg_event_locate_release(struct sg_event_driven *ed, double *h, struct sg_error *err)
{
    TRY(sg_event_reactions(ed, ed->t + *h, &ed->to, ed->force, err));
    if (!pulls(ed)) return SG_OK;
    mark_pulling(ed);
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
    /* what was located at the end of the step happens too, unless the release comes first */
    if (high < *h) discard_located(ed);
    /* a reaction that is only rounding has no sign to rely on: then those open that pulled at first, or
     * steps would be cut for ever */
    if (pulling) mark_pulling(ed);
    *h = high;
    return SG_OK;
}

/* Which of the others rest is decided by their accelerations. Where a reaction went to 0 exactly, those of
 * contacts that depended on it are 0 too, and their sign is that of the derivative: it is looked at a little
 * later (sg_event_after_release). */
sg_status sg_event_release(struct sg_event_driven *ed, double t, struct sg_error *err)
{
    double later = t;
    const struct sg_event_point *at = sg_event_after_release(ed, &later);
    for (size_t j = 0; j < ed->run.contacts->q; j++) {
        bool released = ed->crossing[j] && resting(ed, j);
        ed->member[j] =
            !ed->crossing[j] && (resting(ed, j) || (ed->dependent[j] && touching(ed, j, &ed->to)));
        if (released) sg_event_mark_zeros(ed, j, at == &ed->to ? 2 : 3, 0.0);
        if (ed->member[j]) sg_event_mark_zeros(ed, j, 2, 0.0);
    }
    TRY(sg_event_solve_rest(ed, later, at, err));
    return report_rests(ed, t, err);
}
