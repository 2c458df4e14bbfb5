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

bool sg_event_is_watched(const struct sg_event_driven *ed, size_t j)
{
    return !ed->dependent[j] && !(ed->status[j] && !ed->run.contacts->sprung[j]);
}

void sg_event_set_floors(struct sg_event_driven *ed, const struct sg_event_point *at)
{
    for (size_t j = 0; j < ed->run.contacts->q; j++) {
        bool starts = ed->certificate.zero_next[j] > 0 || at->gap[j] < ed->floor[j];
        if (ed->status[j] || at->gap[j] >= 0.0)
            ed->floor[j] = 0.0;
        else if (starts)
            ed->floor[j] = at->gap[j];
    }
}

/* The gap, counted from where a watch has its event; floors are of open contacts alone. */
static double height(const struct sg_event_driven *ed, size_t j, const struct sg_law_watch *watch,
                     const struct sg_event_point *at)
{
    return at->gap[j] - (watch->level + ed->floor[j]);
}

/* Tells whether the contact is on the side that its status does not allow; the watch goes to ed->which. */
static bool is_wrong(struct sg_event_driven *ed, size_t j, const struct sg_event_point *at)
{
    const struct sg_event_watches *watches = &ed->watches[j];
    for (size_t k = 0; sg_event_is_watched(ed, j) && k < watches->count; k++) {
        double gap = height(ed, j, &watches->list[k], at);
        if (!(watches->list[k].rises ? gap > 0.0 : gap < 0.0)) continue;
        ed->which[j] = (unsigned char)k;
        return true;
    }
    return false;
}

/* A root of the interpolant of one watch: tau in [0, 1), 2: none. */
struct root {
    double tau, slope;
};

static struct root root_of(struct sg_gap_span span, double level, bool rises)
{
    struct root root = {NONE, 0.0};
    span.g0 -= level;
    span.g1 -= level;
    if (!sg_event_root(&span, rises, &root.tau, &root.slope)) root.tau = NONE;
    return root;
}

/* Finds the first event of contact j, whose watch goes to ed->which. From below its level the gap of an open
 * contact may rise over the level before it falls through the floor: then the event is at the level. */
static struct root first_event(struct sg_event_driven *ed, size_t j, const struct sg_gap_span *gap)
{
    const struct sg_event_watches *watches = &ed->watches[j];
    struct root first = {NONE, 0.0};
    for (size_t k = 0; sg_event_is_watched(ed, j) && k < watches->count; k++) {
        const struct sg_law_watch *watch = &watches->list[k];
        struct root root = root_of(*gap, watch->level, watch->rises);
        if (ed->floor[j] < 0.0) {
            struct root floor = root_of(*gap, watch->level + ed->floor[j], watch->rises);
            if (floor.tau < root.tau) root = floor;
        }
        if (!(root.tau < first.tau)) continue;
        first = root;
        ed->which[j] = (unsigned char)k;
    }
    return first;
}

double sg_event_gap_rounding(const struct sg_event_driven *ed, size_t j, const struct sg_event_point *at)
{
    const struct sg_contact_set *set = ed->run.contacts;
    return 8.0 * DBL_EPSILON * (fabs(set->offset[j]) + sg_columns_dot_abs(&set->w, j, at->x.u));
}

/* m/s: of a gap at the start of a span; 0 where it leaves a touch, whatever rounding says */
static double start_rate(const struct sg_event_driven *ed, size_t j, const struct sg_event_point *from)
{
    bool touches = from == &ed->from && ed->certificate.zeros[j] >= 2;
    return touches ? 0.0 : from->rate[j];
}

/* Whether a root is only rounding: nothing that the gap does in the span could be told from it, and at the
 * end it moves off its level. */
static bool is_rounding(const struct sg_event_driven *ed, size_t j, const struct sg_event_point *from,
                        const struct sg_gap_span *span)
{
    double approach = ed->watches[j].list[ed->which[j]].rises ? span->d1 : -span->d1;
    double way = span->h * fmax(fabs(span->d0), fabs(span->d1));
    return approach <= 0.0 && way <= sg_event_gap_rounding(ed, j, from);
}

struct sg_gap_span sg_event_span(const struct sg_event_driven *ed, size_t j,
                                 const struct sg_event_point *from, const struct sg_event_point *to, double h)
{
    return (struct sg_gap_span){from->gap[j], start_rate(ed, j, from), to->gap[j], to->rate[j], h};
}

bool sg_event_first(struct sg_event_driven *ed, size_t j, const struct sg_event_point *from,
                    const struct sg_gap_span *span, struct sg_detection *found)
{
    struct root root = first_event(ed, j, span);
    ed->root[j] = root.tau;
    if (root.tau != NONE && is_rounding(ed, j, from, span)) ed->root[j] = NONE;
    if (ed->root[j] == NONE) return false;
    found->window = fmin(found->window, ed->tolerance[j] / fabs(root.slope));
    found->time_rounding = fmax(found->time_rounding, sg_event_gap_rounding(ed, j, from) / fabs(root.slope));
    found->tau = fmin(found->tau, root.tau);
    return true;
}

/* Algorithm 2. All contacts are looked at; those whose interpolant passes zero tell the earliest tau.
 * `window` is the gap tolerance as one of time, and `time_rounding` says below what no time is
 * meaningful: where a gap passes zero slowly, its rounding decides when, and to ask for more would cut steps
 * for ever. */
struct sg_detection sg_event_detect(struct sg_event_driven *ed, const struct sg_event_point *from,
                                    const struct sg_event_point *to, double h)
{
    struct sg_detection found = {.tau = NONE, .window = HUGE_VAL};
    for (size_t j = 0; j < ed->run.contacts->q; j++) {
        struct sg_gap_span span = sg_event_span(ed, j, from, to, h);
        sg_event_first(ed, j, from, &span, &found);
    }
    return found;
}

/* The gap has passed the level of its watch, or the floor, by less than twice the tolerance: |g_k + gTol
 * sign(g_n)| < gTol, the criterion of Algorithm 3. The window lies behind the level only. A gap accepted
 * before it would cross once more (numerical accumulation), or never cross at all though its status had
 * changed (numerical grazing). */
static bool in_window(const struct sg_event_driven *ed, size_t j, const struct sg_event_point *at)
{
    const struct sg_law_watch *watch = &ed->watches[j].list[ed->which[j]];
    double tolerance = ed->tolerance[j], shift = watch->rises ? -tolerance : tolerance;
    double gap = at->gap[j] - watch->level;
    return fabs(gap + shift) < tolerance || fabs(height(ed, j, watch, at) + shift) < tolerance;
}

/* Below the rounding of time no trial would come to lie behind its event, and time would stand still. */
static double event_tolerance(const struct sg_event_driven *ed, const struct sg_detection *found)
{
    double in_time = fmax(ed->spec.time_tolerance, found->time_rounding);
    double wanted = fmin(in_time, found->window);
    return fmax(wanted, 4.0 * DBL_EPSILON * ed->t);
}

/* Tells whether the gap is exactly at a level of its watches and still goes on. */
static bool is_at_level(struct sg_event_driven *ed, size_t j, const struct sg_event_point *at)
{
    const struct sg_event_watches *watches = &ed->watches[j];
    for (size_t k = 0; k < watches->count; k++) {
        double approach = watches->list[k].rises ? at->rate[j] : -at->rate[j];
        if (height(ed, j, &watches->list[k], at) != 0.0 || !(approach > 0.0)) continue;
        ed->which[j] = (unsigned char)k;
        return true;
    }
    return false;
}

/* Marks the contacts whose gap is exactly at a level and still goes on. "Equal to zero" in Algorithm 3 means
 * just that: a tolerance would recreate grazing. */
static bool mark_zero(struct sg_event_driven *ed)
{
    bool any = false;
    for (size_t j = 0; j < ed->run.contacts->q; j++) {
        ed->crossing[j] = sg_event_is_watched(ed, j) && is_at_level(ed, j, &ed->to);
        any = any || ed->crossing[j];
    }
    return any;
}

/* Marks the events of an increment h if all of them lie in I2 = [h - aTol, h), eq. (25), and their gaps
 * within the window: then they happen together. An event in I1 = [0, h - aTol) asks for another iteration. */
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

/* Tells whether some gap is on the side that its status does not allow. */
static bool violated(struct sg_event_driven *ed, const struct sg_event_point *at)
{
    for (size_t j = 0; j < ed->run.contacts->q; j++)
        if (is_wrong(ed, j, at)) return true;
    return false;
}

/* Marks the gaps on the wrong side; returns whether all of them are within the window. */
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

/* Algorithm 3: each trial ends at the predicted event plus a shift, eq. (24), which is one tolerance at first
 * and relaxes to 0 with the iterations, so that a trial ends behind its event and converges to it. Without an
 * event in [0, h) the state is accepted as it is, and a hint makes the next step just pass the event that is
 * left. The time is shortened from ed->from each time: a trial is a step of the scheme, not a point of an
 * interpolant. */
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
