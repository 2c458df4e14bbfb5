/* Events of phases whose motion is known in closed form: all contacts' watches over a step by certify.h, the
 * first of them, and those that happen with it. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "strategies/event_driven/certify.h"
#include "strategies/event_driven/event_driven.h"
#include "support/memory.h"

sg_status sg_event_certificate_init(struct sg_event_certificate *own, size_t n, size_t q,
                                    struct sg_error *err)
{
    TRY(SG_NEW(&own->bound, 4 * n, err));
    TRY(SG_NEW(&own->limit, 6 * q, err));
    TRY(SG_NEW(&own->zero_level, q, err));
    TRY(SG_NEW(&own->zero_next, q, err));
    return SG_NEW(&own->zeros, q, err);
}

void sg_event_certificate_release(struct sg_event_certificate *own)
{
    sg_free(own->bound);
    sg_free(own->limit);
    sg_free(own->zero_level);
    sg_free(own->zero_next);
    sg_free(own->zeros);
}

void sg_event_certificate_archive(struct sg_event_certificate *own, size_t q, struct sg_archive *store)
{
    SG_ARCHIVE(store, own->valid);
    SG_ARCHIVE(store, own->since);
    sg_archive_bytes(store, own->limit, 6 * q * sizeof(double));
    sg_archive_bytes(store, own->zero_level, q * sizeof(double));
    sg_archive_bytes(store, own->zeros, q);
    SG_ARCHIVE(store, own->subdivisions);
    SG_ARCHIVE(store, own->undecided);
}

bool sg_event_is_certified(const struct sg_event_driven *ed)
{
    return ed->dynamics == NULL && ed->run.integrator->ops->flow != NULL;
}

void sg_event_mark_zeros(struct sg_event_driven *ed, size_t j, unsigned zeros, double level)
{
    ed->certificate.zero_next[j] = (unsigned char)zeros;
    ed->certificate.zero_level[j] = level;
}

void sg_event_certificate_pass(struct sg_event_driven *ed, bool changed)
{
    struct sg_event_certificate *own = &ed->certificate;
    unsigned char *zeros = own->zeros;
    own->zeros = own->zero_next;
    own->zero_next = zeros;
    memset(own->zero_next, 0, ed->run.contacts->q);
    if (changed) own->valid = false;
}

/* --- what is watched ------------------------------------------------------------------------------ */

static bool is_resting(const struct sg_event_driven *ed, size_t j)
{
    return ed->status[j] && !ed->run.contacts->sprung[j];
}

/* The watches of a contact that something is known of: gaps, and forces of contacts at rest. */
static bool is_watched(const struct sg_event_driven *ed, size_t j, const struct sg_law_watch *watch)
{
    if (ed->dependent[j]) return false;
    return watch->of == (is_resting(ed, j) ? SG_WATCH_FORCE : SG_WATCH_GAP);
}

/* N: likewise, of the loads over the step: of curved ones the polynomial differs from the signal by up to
 * 1e-12 of what it does in the step (model/load_course.h) */
static double load_rounding(const struct sg_modal_flow *flow, size_t j)
{
    double sum = 0.0, share = flow->degree > 1 ? 1e-12 : 16.0 * DBL_EPSILON;
    for (size_t k = 0; flow->degree > 0 && k < flow->loads; k++) {
        double size = 0.0, power = 1.0;
        for (size_t d = 0; d <= flow->degree; d++) {
            size += fabs(flow->course[k * (flow->degree + 1) + d]) * power;
            power *= flow->h;
        }
        sum += fabs(flow->shift[j * flow->loads + k]) * size;
    }
    return share * sum;
}

/* N: what the reaction of contact j at the start of the step may be wrong by: rounding of the forces that it
 * balances */
static double reaction_rounding(const struct sg_event_driven *ed, const struct sg_modal_flow *flow, size_t j)
{
    const struct sg_system *system = ed->run.system;
    const double *reach = flow->reach + j * system->n, *u = ed->from.x.u, *v = ed->from.x.v;
    double sum = fabs(ed->reaction[j]);
    for (size_t i = 0; i < system->n; i++) {
        double damping = system->damped ? fabs(system->C.diag[i] * v[i]) : 0.0;
        sum += reach[i] * (fabs(ed->run.phase->load[i]) + fabs(system->K.diag[i] * u[i]) + damping);
    }
    return 16.0 * DBL_EPSILON * sum + load_rounding(flow, j);
}

/* of a watch, at the start of the step */
static struct sg_course course_of(const struct sg_event_driven *ed, const struct sg_modal_flow *flow,
                                  size_t j, const struct sg_law_watch *watch)
{
    const struct sg_event_certificate *own = &ed->certificate;
    bool rests = is_resting(ed, j);
    const double *limit = own->limit + 6 * j + (rests ? 3 : 0);
    struct sg_course course = {.flow = flow, .sign = watch->rises ? -1.0 : 1.0};
    course.functional = rests ? sg_modal_flow_reaction(flow, j) : sg_modal_flow_gap(flow, j);
    course.height = course.sign * ((rests ? ed->reaction[j] : ed->from.gap[j]) - watch->level);
    course.zeros = own->zero_level[j] == watch->level ? own->zeros[j] : 0;
    if (course.zeros > 0) course.height = 0.0;
    memcpy(course.limit, limit, sizeof course.limit);
    return course;
}

static void find_rounding(const struct sg_event_driven *ed, const struct sg_modal_flow *flow, size_t j,
                          struct sg_course *course)
{
    course->rounding =
        is_resting(ed, j) ? reaction_rounding(ed, flow, j) : sg_event_gap_rounding(ed, j, &ed->from);
}

/* The ends of a gap's course are known with the states. */
static struct sg_course_point start_of(const struct sg_event_driven *ed, const struct sg_course *course,
                                       size_t j)
{
    if (is_resting(ed, j)) return sg_course_at(course, 0.0);
    return (struct sg_course_point){.f = course->height,
                                    .slope = course->sign * ed->from.rate[j],
                                    .curve = NAN,
                                    .rounding = course->rounding};
}

static struct sg_course_point end_of(const struct sg_event_driven *ed, const struct sg_course *course,
                                     size_t j)
{
    struct sg_course_point end = {.tau = course->flow->at, .curve = NAN, .rounding = course->rounding};
    if (!is_resting(ed, j)) {
        end.f = course->height + course->sign * (ed->to.gap[j] - ed->from.gap[j]);
        end.slope = course->sign * ed->to.rate[j];
        return end;
    }
    struct sg_flow_value value = sg_modal_flow_end(course->flow, &course->functional);
    end.f = course->height + course->sign * value.change;
    end.slope = course->sign * value.slope;
    end.curve = course->sign * value.curve;
    end.rounding += 8.0 * DBL_EPSILON * value.scale;
    return end;
}

/* --- bounds --------------------------------------------------------------------------------------- */

/* Bounds hold for as long as the phase and the lines of the loads go on; of curved loads for the step. */
static void renew_bounds(struct sg_event_driven *ed, const struct sg_modal_flow *flow)
{
    struct sg_event_certificate *own = &ed->certificate;
    double horizon = flow->degree <= 1 ? fmax(own->stop - ed->t, flow->h) : flow->h;
    sg_modal_flow_bounds(flow, horizon, own->bound);
    for (size_t j = 0; j < ed->run.contacts->q; j++) {
        struct sg_flow_functional gap = sg_modal_flow_gap(flow, j), reaction;
        sg_modal_flow_limits(flow, &gap, own->bound, horizon, own->limit + 6 * j);
        if (!is_resting(ed, j)) continue;
        reaction = sg_modal_flow_reaction(flow, j);
        sg_modal_flow_limits(flow, &reaction, own->bound, horizon, own->limit + 6 * j + 3);
    }
    own->valid = flow->degree <= 1;
    own->since = ed->t;
}

/* Without damping a mode's energy, and so its bound, stays. */
static bool may_tighten(const struct sg_event_driven *ed)
{
    return ed->run.system->damped && ed->certificate.since != ed->t;
}

/* --- the first event ------------------------------------------------------------------------------ */

/* Tells whether test 1 clears the step of a watch. */
static bool clears(struct sg_event_driven *ed, const struct sg_modal_flow *flow, struct sg_course *course,
                   size_t j)
{
    if (course->zeros >= 2) return false;
    for (;;) {
        struct sg_course_point start = start_of(ed, course, j), end = end_of(ed, course, j);
        if (sg_course_is_clear(course, &start, &end)) return true;
        if (!may_tighten(ed)) return false;
        renew_bounds(ed, flow);
        memcpy(course->limit, ed->certificate.limit + 6 * j + (is_resting(ed, j) ? 3 : 0),
               sizeof course->limit);
    }
}

/* The first crossing of a watch of contact j before *tau (flow->h at first), which it becomes. */
static bool advance_to(struct sg_event_driven *ed, const struct sg_modal_flow *flow, size_t j,
                       const struct sg_law_watch *watch, double *tau)
{
    struct sg_event_certificate *own = &ed->certificate;
    struct sg_course course = course_of(ed, flow, j, watch);
    if (clears(ed, flow, &course, j)) return false;
    find_rounding(ed, flow, j, &course);
    struct sg_course_counts counts = {0};
    struct sg_course_point start = start_of(ed, &course, j);
    struct sg_course_point end = *tau < flow->h ? sg_course_at(&course, *tau) : end_of(ed, &course, j);
    bool crosses = sg_course_crosses(&course, &start, &end, &counts, tau);
    if (crosses) own->jumped = *tau == 0.0 && start.f < -start.rounding;
    own->subdivisions += counts.subdivisions;
    own->undecided += counts.undecided;
    ed->iterations += (int)counts.evaluations;
    return crosses;
}

/* Tells whether a watch is crossed at the end of ed->to too, up to rounding of the gap and of time. */
static bool joins(const struct sg_event_driven *ed, const struct sg_modal_flow *flow, size_t j,
                  const struct sg_law_watch *watch)
{
    struct sg_course course = course_of(ed, flow, j, watch);
    struct sg_course_point end = end_of(ed, &course, j);
    double in_time = 4.0 * DBL_EPSILON * (ed->t + flow->at) * fabs(end.slope);
    if (!(end.slope < 0.0)) return false;
    find_rounding(ed, flow, j, &course);
    return end.f <=
           in_time + course.rounding + (is_resting(ed, j) ? 0.0 : sg_event_gap_rounding(ed, j, &ed->to));
}

static void mark_joined(struct sg_event_driven *ed, const struct sg_modal_flow *flow)
{
    for (size_t j = 0; j < ed->run.contacts->q; j++) {
        const struct sg_event_watches *watches = &ed->watches[j];
        for (size_t k = 0; !ed->crossing[j] && k < watches->count; k++) {
            if (!is_watched(ed, j, &watches->list[k]) || !joins(ed, flow, j, &watches->list[k])) continue;
            ed->crossing[j] = 1;
            ed->which[j] = (unsigned char)k;
        }
    }
}

void sg_event_find_certified(struct sg_event_driven *ed, double *h)
{
    struct sg_integrator *integrator = ed->run.integrator;
    const struct sg_modal_flow *flow = integrator->ops->flow->view(integrator);
    size_t first = SIZE_MAX;
    double tau = flow->h;
    ed->certificate.jumped = false;
    if (!ed->certificate.valid) renew_bounds(ed, flow);
    for (size_t j = 0; j < ed->run.contacts->q; j++) {
        const struct sg_event_watches *watches = &ed->watches[j];
        for (size_t k = 0; k < watches->count; k++) {
            if (!is_watched(ed, j, &watches->list[k])) continue;
            if (!advance_to(ed, flow, j, &watches->list[k], &tau)) continue;
            first = j;
            ed->which[j] = (unsigned char)k;
        }
    }
    if (first == SIZE_MAX) return;
    *h = tau;
    ed->rejected++;
    integrator->ops->flow->go(integrator, tau, &ed->to.x);
    sg_contact_set_gaps(ed->run.contacts, ed->to.x.u, ed->to.x.v, ed->to.gap, ed->to.rate);
    ed->crossing[first] = 1;
    mark_joined(ed, flow);
}

void sg_event_mark_jumps(struct sg_event_driven *ed)
{
    struct sg_integrator *integrator = ed->run.integrator;
    const struct sg_modal_flow *flow = integrator->ops->flow->view(integrator);
    for (size_t j = 0; j < ed->run.contacts->q; j++) {
        if (!is_resting(ed, j) || !(ed->reaction[j] < -reaction_rounding(ed, flow, j))) continue;
        ed->crossing[j] = 1;
        ed->certificate.jumped = true;
    }
}

const struct sg_event_point *sg_event_after_release(struct sg_event_driven *ed, double *t)
{
    struct sg_integrator *integrator = ed->run.integrator;
    if (!sg_event_is_certified(ed) || ed->certificate.jumped) return &ed->to;
    double later = 1e-9 * fmin(ed->sizes.step, ed->sizes.contact_step);
    integrator->ops->flow->go(integrator, integrator->ops->flow->view(integrator)->at + later, &ed->sample.x);
    *t += later;
    return &ed->sample;
}
