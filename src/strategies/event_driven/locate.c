/* Detection and localisation: Algorithms 2 and 3 of Depouhon et al. 2014, with the decisions that
 * docs/event-driven.md explains. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "strategies/event_driven/event_driven.h"

static const double NONE = 2.0;

sg_status sg_event_trial(struct sg_event_driven *ed, double h, struct sg_event_point *to,
                         struct sg_error *err)
{
    struct sg_integrator *integrator = ed->run.integrator;
    struct sg_span span = {ed->t, h};
    TRY(integrator->ops->step(integrator, ed->run.phase, &ed->from.x, span, &to->x, err));
    sg_contact_set_gaps(ed->run.contacts, to->x.u, to->x.v, to->gap, to->rate);
    return SG_OK;
}

/* A resting rigid contact is held by the phase: it has no events of its gap. */
static bool watched(const struct sg_event_driven *ed, size_t j)
{
    return !ed->dependent[j] && !(ed->active[j] && !ed->run.contacts->sprung[j]);
}

void sg_event_set_floors(struct sg_event_driven *ed, const struct sg_event_point *at)
{
    for (size_t j = 0; j < ed->run.contacts->q; j++) {
        if (ed->active[j] || at->gap[j] >= 0.0)
            ed->floor[j] = 0.0;
        else if (at->gap[j] < ed->floor[j])
            ed->floor[j] = at->gap[j] - ed->spec.gap_tolerance;
    }
}

/* the gap from where the contact has its event */
static double height(const struct sg_event_driven *ed, size_t j, const struct sg_event_point *at)
{
    return ed->active[j] ? at->gap[j] : at->gap[j] - ed->floor[j];
}

/* on the side that the status does not allow */
static bool is_wrong(const struct sg_event_driven *ed, size_t j, const struct sg_event_point *at)
{
    double gap = height(ed, j, at);
    return watched(ed, j) && (ed->active[j] ? gap > 0.0 : gap < 0.0);
}

/* tau of the first event of contact j, 2: none. From below zero the way to a fall through the floor may
 * lead over zero: then the event is there. */
static double first_event(const struct sg_event_driven *ed, size_t j, const struct sg_gap_span *gap,
                          double *slope)
{
    struct sg_gap_span above = *gap;
    double tau = NONE, tau_floor = NONE, slope_floor = 0.0;
    if (!watched(ed, j)) return NONE;
    if (!sg_event_root(gap, ed->active[j] != 0, &tau, slope)) tau = NONE;
    if (ed->active[j] || !(ed->floor[j] < 0.0)) return tau;
    above.g0 -= ed->floor[j];
    above.g1 -= ed->floor[j];
    if (!sg_event_root(&above, false, &tau_floor, &slope_floor) || tau_floor >= tau) return tau;
    *slope = slope_floor;
    return tau_floor;
}

/* Where a gap passes zero slowly, its rounding decides when: to ask for more would cut steps for ever. */
static double rounding(const struct sg_event_driven *ed, size_t j, const struct sg_event_point *at)
{
    const struct sg_contact_set *set = ed->run.contacts;
    return 8.0 * DBL_EPSILON * (fabs(set->offset[j]) + sg_columns_dot_abs(&set->w, j, at->x.u));
}

struct sg_detection sg_event_detect(struct sg_event_driven *ed, const struct sg_event_point *from,
                                    const struct sg_event_point *to, double h)
{
    struct sg_detection found = {.tau = NONE};
    for (size_t j = 0; j < ed->run.contacts->q; j++) {
        struct sg_gap_span span = {from->gap[j], from->rate[j], to->gap[j], to->rate[j], h};
        double slope = 0.0, tau = first_event(ed, j, &span, &slope);
        ed->root[j] = tau;
        if (tau == NONE) continue;
        found.steepest = fmax(found.steepest, fabs(slope));
        found.time_rounding = fmax(found.time_rounding, rounding(ed, j, from) / fabs(slope));
        found.tau = fmin(found.tau, tau);
    }
    return found;
}

/* The gap has passed zero, or its floor, by less than twice the tolerance: |g_k + gTol s| < gTol by the
 * status. */
static bool in_window(const struct sg_event_driven *ed, size_t j, const struct sg_event_point *at)
{
    double tolerance = ed->spec.gap_tolerance, shift = ed->active[j] ? -tolerance : tolerance;
    return fabs(at->gap[j] + shift) < tolerance || fabs(height(ed, j, at) + shift) < tolerance;
}

/* Below the rounding of time no trial would come to lie behind its event, and time would stand still. */
static double event_tolerance(const struct sg_event_driven *ed, const struct sg_detection *found)
{
    double in_time = fmax(ed->spec.time_tolerance, found->time_rounding);
    double wanted = fmin(in_time, ed->spec.gap_tolerance / found->steepest);
    return fmax(wanted, 4.0 * DBL_EPSILON * ed->t);
}

/* marks the contacts whose gap is exactly zero: "equal to zero" means that, a tolerance would recreate
 * grazing */
static bool mark_zero(struct sg_event_driven *ed)
{
    bool any = false;
    for (size_t j = 0; j < ed->run.contacts->q; j++) {
        double approach = ed->active[j] ? ed->to.rate[j] : -ed->to.rate[j];
        ed->crossing[j] = watched(ed, j) && height(ed, j, &ed->to) == 0.0 && approach > 0.0;
        any = any || ed->crossing[j];
    }
    return any;
}

/* all events lie in I2 = [h - aTol, h) and within the window: they happen together */
static bool mark_events(struct sg_event_driven *ed, double h, double a_tolerance)
{
    size_t q = ed->run.contacts->q;
    for (size_t j = 0; j < q; j++) {
        ed->crossing[j] = 0;
        if (ed->root[j] == NONE) continue;
        if (h * ed->root[j] < h - a_tolerance || !in_window(ed, j, &ed->to)) return false;
    }
    for (size_t j = 0; j < q; j++) ed->crossing[j] = ed->root[j] != NONE;
    return true;
}

/* After a return without event: if what is left of the step has one, the next step shall just pass it. */
static sg_status probe(struct sg_event_driven *ed, double h, double rest, struct sg_error *err)
{
    ed->hint = 0.0;
    if (!(rest > 0.0)) return SG_OK;
    struct sg_integrator *integrator = ed->run.integrator;
    struct sg_span span = {ed->t + h, rest};
    TRY(integrator->ops->step(integrator, ed->run.phase, &ed->to.x, span, &ed->sample.x, err));
    sg_contact_set_gaps(ed->run.contacts, ed->sample.x.u, ed->sample.x.v, ed->sample.gap, ed->sample.rate);
    struct sg_detection found = sg_event_detect(ed, &ed->to, &ed->sample, rest);
    if (found.tau != NONE && found.tau > 0.0) ed->hint = 2.0 * found.tau * rest;
    return SG_OK;
}

/* Something is on the wrong side of its status at `at`. */
static bool violated(const struct sg_event_driven *ed, const struct sg_event_point *at)
{
    for (size_t j = 0; j < ed->run.contacts->q; j++)
        if (is_wrong(ed, j, at)) return true;
    return false;
}

static bool mark_violated(struct sg_event_driven *ed)
{
    bool small = true;
    for (size_t j = 0; j < ed->run.contacts->q; j++) {
        ed->crossing[j] = is_wrong(ed, j, &ed->to);
        if (ed->crossing[j] && !in_window(ed, j, &ed->to)) small = false;
    }
    return small;
}

/* The interpolant misleads (large steps, stored accelerations): bisection on the step itself, whose
 * bracket has no violation at its low end and one at its high end. */
static sg_status bisect(struct sg_event_driven *ed, double high, double *h, struct sg_error *err)
{
    double low = 0.0;
    TRY(sg_event_trial(ed, high, &ed->to, err));
    if (!violated(ed, &ed->to)) {
        memset(ed->crossing, 0, ed->run.contacts->q);
        *h = high;
        return SG_OK;
    }
    for (int i = 0; i < 200; i++) {
        bool narrow = high - low <= 4e-16 * (ed->t + high);
        if (mark_violated(ed) || narrow) break;
        double middle = 0.5 * (low + high);
        TRY(sg_event_trial(ed, middle, &ed->to, err));
        ed->iterations++;
        if (violated(ed, &ed->to)) {
            high = middle;
            continue;
        }
        low = middle;
        TRY(sg_event_trial(ed, high, &ed->to, err));
    }
    *h = high;
    return SG_OK;
}

sg_status sg_event_locate(struct sg_event_driven *ed, struct sg_detection found, double *h,
                          struct sg_error *err)
{
    double full = *h, span = full;
    for (long long k = 1; k <= ed->spec.max_iterations; k++) {
        double relax = 1.0 - (double)(k - 1) / (double)ed->spec.max_iterations;
        double trial = fmin(found.tau * span + relax * event_tolerance(ed, &found), full);
        TRY(sg_event_trial(ed, trial, &ed->to, err));
        ed->iterations++;
        span = trial;
        *h = trial;
        found = sg_event_detect(ed, &ed->from, &ed->to, span);
        if (found.tau == NONE) {
            if (mark_zero(ed)) return SG_OK;
            return probe(ed, trial, full - trial, err);
        }
        if (mark_events(ed, span, event_tolerance(ed, &found))) return SG_OK;
    }
    return bisect(ed, full, h, err);
}
