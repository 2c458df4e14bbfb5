/* The velocity and acceleration update after Noh 2011, sec. 4.2 (docs/implicit.md). A step in which a contact
 * pushed is taken once more without contacts. From both ends one of two forms finds the velocity that the
 * motion goes on with, and the impulses that did it; the displacement stays, and the acceleration becomes
 * that without contacts. */
#include "strategies/time_stepping/update.h"

#include <math.h>
#include <string.h>

static const struct sg_update_form *const forms[] = {
    [SG_UPDATE_CONSERVING] = &sg_update_conserving, [SG_UPDATE_PUBLISHED] = &sg_update_published};

/* --- memory --------------------------------------------------------------------------------------- */

static sg_status state_init(struct sg_state *state, size_t n, struct sg_arena *arena, struct sg_error *err)
{
    TRY(SG_ARENA_NEW(arena, &state->u, n, err));
    TRY(SG_ARENA_NEW(arena, &state->v, n, err));
    return SG_ARENA_NEW(arena, &state->a, n, err);
}

sg_status sg_stepping_update_init(struct sg_time_stepping *ts, struct sg_error *err)
{
    struct sg_stepping_update *update = &ts->update;
    update->form = forms[ts->spec.update_form];
    TRY(state_init(&update->free, ts->n, &ts->arena, err));
    for (size_t k = 0; k + 1 < ts->ops->stages; k++)
        TRY(state_init(&update->middle[k], ts->n, &ts->arena, err));
    for (size_t k = 0; k < ts->ops->stages; k++) TRY(SG_ARENA_NEW(&ts->arena, &update->given[k], ts->q, err));
    TRY(SG_ARENA_NEW(&ts->arena, &update->moved, ts->q, err));
    TRY(SG_ARENA_NEW(&ts->arena, &update->impulse, ts->q, err));
    return update->form->init(ts, err);
}

/* --- the step without contacts -------------------------------------------------------------------- */

static sg_status solve_freely(struct sg_time_stepping *ts, const struct sg_stepping *step,
                              struct sg_error *err)
{
    struct sg_attempt attempt = step->attempt;
    size_t last = ts->ops->stages - 1;
    attempt.middle = ts->update.middle;
    for (size_t stage = 0; stage <= last; stage++) {
        attempt.stage = stage;
        attempt.to = stage == last ? &ts->update.free : &ts->update.middle[stage];
        ts->ops->predict(ts->run.integrator, ts->run.phase, &attempt);
        TRY(ts->ops->free_motion(ts->run.integrator, ts->run.phase, &attempt, err));
    }
    return SG_OK;
}

/* --- which contacts ------------------------------------------------------------------------------- */

/* m: moves of gap j by its reaction that may be rounding, of coordinates and of what a solver leaves of a
 * step's way */
static double grain(const struct sg_time_stepping *ts, size_t j)
{
    double rate = sg_columns_dot(ts->frame.normal, j, ts->from.v) + ts->frame.drift[j];
    double rounding = sg_contact_set_rounding(ts->run.contacts, j, ts->t, ts->from.u);
    return 1e3 * rounding + 1e-9 * sg_clock_step(&ts->clock) * fabs(rate);
}

/* The struck contacts into the list: those whose reaction moved their gap by more than the tolerance. Tells
 * whether there is one. */
static bool find_struck(struct sg_time_stepping *ts)
{
    double given = ts->spec.contact_tolerance, *moved = ts->update.moved;
    ts->count = 0;
    for (size_t j = 0; j < ts->q; j++) {
        ts->listed[j] = moved[j] > 0.0 && moved[j] > (isnan(given) ? grain(ts, j) : given);
        if (ts->listed[j]) ts->list[ts->count++] = j;
    }
    return ts->count > 0;
}

/* --- the update ----------------------------------------------------------------------------------- */

sg_status sg_stepping_update(struct sg_time_stepping *ts, const struct sg_stepping *step, double t1,
                             struct sg_error *err)
{
    struct sg_stepping_update *update = &ts->update;
    update->done = false;
    if (!find_struck(ts)) return SG_OK;
    sg_contact_set_place(ts->run.contacts, t1, ts->to.u, &ts->frame);
    sg_contact_set_drift(ts->run.contacts, step->attempt.span.t, ts->drift_before);
    TRY(solve_freely(ts, step, err));
    memset(update->impulse, 0, ts->q * sizeof(double));
    update->dissipated = 0.0;
    TRY(update->form->apply(ts, step, err));
    update->done = true;
    return sg_phase_acceleration_before(ts->run.phase, t1, ts->to.u, ts->to.v, ts->to.a, err);
}

void sg_update_force(struct sg_time_stepping *ts, double t1, const double *u, double *r)
{
    const double *load = sg_phase_load_before(ts->run.phase, t1);
    sg_effective_restoring(ts->run.op, u, r);
    for (size_t i = 0; i < ts->n; i++) r[i] -= load[i];
}
