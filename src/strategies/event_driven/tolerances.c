/* Tolerances of events that the deck doesn't give follow the scales of the model, so that a micro-resonator's
 * events are found as well as a building's. Each contact has a gap tolerance from its own lengths: beside a
 * wall far away a ball that falls 20 nm bounces as it does alone. */
#include <math.h>

#include "strategies/event_driven/event_driven.h"

static const double SHARE = 1e-8, TIME_SHARE = 1e-6;

/* m: by contact, into `length`, what the start shows: its gap, and its way in a step h by its velocity; where
 * both are rounding, by its acceleration. */
static sg_status lengths_at_start(struct sg_event_driven *ed, double h, double *length, struct sg_error *err)
{
    const struct sg_system *system = ed->run.system;
    const struct sg_contact_set *set = ed->run.contacts;
    const struct sg_event_point at = {.x = {system->u0, system->v0, NULL}};
    double *gap = ed->from.gap, *rate = ed->from.rate;
    bool lacking = false;
    sg_contact_set_gaps(set, system->u0, system->v0, gap, rate);
    for (size_t j = 0; j < set->q; j++) {
        length[j] = fmax(fabs(gap[j]), h * fabs(rate[j]));
        if (length[j] <= 512.0 * sg_event_gap_rounding(ed, j, &at)) length[j] = 0.0;
        lacking = lacking || length[j] == 0.0;
    }
    if (!lacking) return SG_OK;
    struct sg_effective_counts before = sg_phase_counts(ed->run.phase);
    TRY(sg_phase_acceleration(ed->run.phase, 0.0, system->u0, system->v0, ed->acceleration, err));
    sg_phase_forget_solves(ed->run.phase, before);
    for (size_t j = 0; j < set->q; j++)
        if (length[j] == 0.0) length[j] = h * h * fabs(sg_columns_dot(&set->w, j, ed->acceleration));
    return SG_OK;
}

/* A contact whose start shows no length takes the longest that another shows, and where none does, 1 m. */
static void fill_gaps(struct sg_event_driven *ed)
{
    double *length = ed->tolerance, longest = 0.0;
    for (size_t j = 0; j < ed->run.contacts->q; j++)
        if (isfinite(length[j])) longest = fmax(longest, length[j]);
    for (size_t j = 0; j < ed->run.contacts->q; j++) {
        double own = length[j] > 0.0 && isfinite(length[j]) ? length[j] : longest;
        ed->tolerance[j] = SHARE * (own > 0.0 ? own : 1.0);
    }
}

sg_status sg_event_set_tolerances(struct sg_event_driven *ed, struct sg_error *err)
{
    double h = fmin(ed->sizes.step, ed->sizes.contact_step);
    if (isnan(ed->spec.time_tolerance)) ed->spec.time_tolerance = TIME_SHARE * h;
    for (size_t j = 0; j < ed->run.contacts->q; j++) ed->tolerance[j] = ed->spec.gap_tolerance;
    if (!isnan(ed->spec.gap_tolerance)) return SG_OK;
    TRY(lengths_at_start(ed, h, ed->tolerance, err));
    fill_gaps(ed);
    return SG_OK;
}
