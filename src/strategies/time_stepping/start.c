/* The first state. Implicit schemes begin with the deck's displacement and velocity, and an acceleration in
 * balance with them. Staggered schemes begin with a step of length 0, whose kick takes the velocity to the
 * middle of the first whole step: contacts and constraints act in it as in any other.
 *
 * At position level the kick decides the displacement after the first step, with restitution in view of that
 * before the start: of a motion that came with the deck's velocity, u0 - h v0. */
#include <math.h>
#include <string.h>

#include "strategies/time_stepping/time_stepping.h"

/* the state that the step of length 0 begins with, and its gaps */
static void place_start(struct sg_time_stepping *ts, double h)
{
    const struct sg_system *system = ts->run.system;
    struct sg_state *from = &ts->from;
    double back = ts->scheme->keeps_gaps ? h : 0.0;
    memcpy(from->v, system->v0, ts->n * sizeof(double));
    memcpy(from->a, system->u0, ts->n * sizeof(double));
    for (size_t i = 0; i < ts->n; i++) from->u[i] = system->u0[i] - back * system->v0[i];
    if (ts->q == 0) return;
    sg_stepping_measure(ts, 0.0, &(struct sg_state){from->a, from->v, NULL}, ts->gap, ts->rate);
    sg_contact_set_place(ts->run.contacts, 0.0, from->a, &ts->frame);
    for (size_t j = 0; j < ts->q; j++)
        ts->gap[j] -= back * (sg_columns_dot(ts->frame.normal, j, from->v) + ts->frame.drift[j]);
}

/* What a run counts begins anew: the first step may be taken twice, for its energy and to begin with. */
static void clear_counts(struct sg_time_stepping *ts)
{
    ts->newton = ts->newton_most = 0;
    ts->contact = (struct sg_contact_report){0};
    ts->contact_share = ts->speed = 0.0;
    sg_contact_phases_clear(&ts->phases);
    memset(ts->r, 0, ts->q * ts->rows * sizeof(double));
    memset(ts->impulse, 0, ts->q * sizeof(double));
    if (ts->bilateral.m > 0) memset(ts->bilateral.impulse, 0, ts->bilateral.m * sizeof(double));
}

/* `tell`: the observer hears of contacts that the kick closes */
static sg_status begin_staggered(struct sg_time_stepping *ts, bool tell, struct sg_error *err)
{
    double h = sg_clock_whole_step(&ts->clock, 0);
    struct sg_stepping step = {.attempt = {.from = &ts->from, .span = {0.0, 0.0}, .next = h},
                               .kick = {.span = {0.0, 0.5 * h}}};
    clear_counts(ts);
    TRY(sg_stepping_weigh(ts, h, err));
    place_start(ts, h);
    TRY(ts->scheme->take(ts, &step, err));
    sg_stepping_account_start(ts, &step);
    if (tell) TRY(sg_stepping_finish_contacts(ts, &step, 0.0, err));
    sg_stepping_exchange(ts);
    return SG_OK;
}

/* A velocity that is known half a step ahead, of another run, has its kick behind it. */
static sg_status begin_midway(struct sg_time_stepping *ts)
{
    const struct sg_system *system = ts->run.system;
    double h = sg_clock_whole_step(&ts->clock, 0);
    clear_counts(ts);
    memcpy(ts->from.u, system->u0, ts->n * sizeof(double));
    memcpy(ts->from.v, system->v0, ts->n * sizeof(double));
    for (size_t i = 0; i < ts->n; i++) ts->from.a[i] = system->u0[i] + h * system->v0[i];
    return SG_OK;
}

static sg_status begin(struct sg_time_stepping *ts, bool tell, struct sg_error *err)
{
    const struct sg_system *system = ts->run.system;
    struct sg_span first = {0.0, sg_clock_whole_step(&ts->clock, 0)};
    struct sg_state *state = &ts->from;
    if (ts->ops->staggered && ts->scheme->begin == NULL) {
        TRY(system->midway ? begin_midway(ts) : begin_staggered(ts, tell, err));
    } else {
        memcpy(state->u, system->u0, ts->n * sizeof(double));
        memcpy(state->v, system->v0, ts->n * sizeof(double));
        if (ts->scheme->begin != NULL)
            TRY(ts->scheme->begin(ts, state, err));
        else if (ts->ops->begin != NULL)
            TRY(ts->ops->begin(ts->run.integrator, ts->run.phase, first, state, err));
        TRY(sg_stepping_know_contacts(ts, first.h, state, err));
        if (ts->q > 0) sg_stepping_start_aims(ts, first.h);
    }
    sg_stepping_measure(ts, 0.0, state, ts->gap, ts->rate);
    return SG_OK;
}

/* The total before the first kick: what impacts take in it is accounted as that of any other. */
sg_status sg_stepping_initial_energy(struct sg_strategy *self, double *total, struct sg_error *err)
{
    struct sg_time_stepping *ts = self->data;
    struct sg_phase *phase = ts->run.phase;
    struct sg_effective_counts before = sg_phase_counts(phase), own = phase->counts;
    struct sg_snapshot now;
    TRY(begin(ts, false, err));
    sg_phase_forget_solves(phase, before);
    phase->counts.factorizations = own.factorizations; /* Newton's, of which nothing is kept */
    sg_stepping_snapshot(ts, 0.0, sg_clock_whole_step(&ts->clock, 0), &ts->from, &now);
    *total = sg_system_total(ts->run.system, &now) - ts->accounts.external + ts->accounts.dissipated;
    return SG_OK;
}

sg_status sg_stepping_start(struct sg_strategy *self, struct sg_error *err)
{
    struct sg_time_stepping *ts = self->data;
    struct sg_snapshot now;
    TRY(begin(ts, true, err));
    for (size_t j = 0; j < ts->q; j++) ts->penetration = fmax(ts->penetration, -ts->gap[j]);
    sg_stepping_snapshot(ts, 0.0, sg_clock_whole_step(&ts->clock, 0), &ts->from, &now);
    return ts->run.observer->step(ts->run.observer->self, &now, NULL, 0, err);
}
