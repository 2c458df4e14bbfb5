/* The first state. Implicit schemes begin with the deck's displacement and velocity, and an acceleration in
 * balance with them. Staggered schemes begin with half a step of the velocity, which constraints must obey at
 * once: at velocity level by G v = -drift, at position level by g(u0 + h v) = 0. */
#include <math.h>
#include <string.h>

#include "strategies/time_stepping/time_stepping.h"

static void apply_first_jump(struct sg_time_stepping *ts, double h, struct sg_state *state)
{
    for (size_t i = 0; i < ts->n; i++) {
        state->v[i] += ts->bilateral.jump.dv[i];
        state->a[i] = state->u[i] + h * state->v[i];
    }
}

enum { CORRECTIONS = 50 };

/* corrections of the half step, until they are rounding; each adds to the impulse */
static sg_status constrain_first_position(struct sg_time_stepping *ts, struct sg_span first,
                                          struct sg_state *state, struct sg_error *err)
{
    struct sg_bilateral *bilateral = &ts->bilateral;
    struct sg_bilateral_iterate at = {
        .v = state->v, .iterate = state->v, .u = state->a, .t = first.h, .compliance = first.h};
    double size = 0.0, change = 0.0, last = HUGE_VAL;
    memset(bilateral->impulse, 0, bilateral->m * sizeof(double));
    for (int k = 0; k < CORRECTIONS; k++) {
        sg_bilateral_solve_position(bilateral, &at);
        apply_first_jump(ts, first.h, state);
        for (size_t i = 0; i < bilateral->m; i++) bilateral->impulse[i] += bilateral->mu[i];
        size = change = 0.0;
        for (size_t i = 0; i < ts->n; i++) {
            size = fmax(size, fabs(state->v[i]));
            change = fmax(change, fabs(bilateral->jump.dv[i]));
        }
        bool rounding = change >= 0.5 * last && change <= 1e-9 * size;
        if (change <= 1e-15 * size || rounding) return SG_OK;
        last = change;
    }
    FAIL(err, SG_NO_SOLUTION,
         "the constraints can't be held over the first step: after %d corrections the last one is %g m/s",
         CORRECTIONS, change);
}

/* A staggered scheme's first half step knows nothing of constraints: the velocity that it ends with is put
 * right. */
static sg_status constrain_first_step(struct sg_time_stepping *ts, struct sg_span first,
                                      struct sg_state *state, struct sg_error *err)
{
    struct sg_bilateral *bilateral = &ts->bilateral;
    bool position = ts->scheme->keeps_gaps;
    double half = 0.5 * first.h;
    struct sg_bilateral_configuration at = {half, 0.0, half, ts->scratch_u};
    if (bilateral->m == 0 || !ts->ops->staggered) return SG_OK;
    for (size_t i = 0; i < ts->n; i++) ts->scratch_u[i] = state->u[i] + half * state->v[i];
    if (position) at = (struct sg_bilateral_configuration){0.0, 0.0, half, ts->run.system->u0};
    sg_bilateral_configure(bilateral, &at);
    TRY(sg_bilateral_begin(bilateral, (struct sg_kick){.span = first}, err));
    if (position) {
        TRY(constrain_first_position(ts, first, state, err));
        memcpy(bilateral->mu, bilateral->impulse, bilateral->m * sizeof(double));
    } else {
        sg_bilateral_solve_velocity(bilateral, state->v);
        apply_first_jump(ts, first.h, state);
    }
    sg_bilateral_start(bilateral, half);
    return SG_OK;
}

static sg_status begin(struct sg_time_stepping *ts, struct sg_state *state, struct sg_error *err)
{
    const struct sg_system *system = ts->run.system;
    memcpy(state->u, system->u0, ts->n * sizeof(double));
    memcpy(state->v, system->v0, ts->n * sizeof(double));
    struct sg_span first = {0.0, sg_clock_whole_step(&ts->clock, 0)};
    if (ts->scheme->begin != NULL) return ts->scheme->begin(ts, state, err);
    TRY(ts->ops->begin(ts->run.integrator, ts->run.phase, first, state, err));
    return constrain_first_step(ts, first, state, err);
}

sg_status sg_stepping_initial_energy(struct sg_strategy *self, double *total, struct sg_error *err)
{
    struct sg_time_stepping *ts = self->data;
    struct sg_snapshot now;
    TRY(begin(ts, &ts->sample, err));
    sg_stepping_snapshot(ts, 0.0, sg_clock_whole_step(&ts->clock, 0), &ts->sample, &now);
    *total = sg_system_total(ts->run.system, &now);
    return SG_OK;
}

void sg_stepping_measure(struct sg_time_stepping *ts, double t, const struct sg_state *at, double *gap,
                         double *rate)
{
    if (ts->q == 0) return;
    if (ts->run.contacts->affine) {
        sg_contact_set_gaps(ts->run.contacts, at->u, at->v, gap, rate);
        return;
    }
    sg_contact_set_place(ts->run.contacts, t, at->u, &ts->frame);
    memcpy(gap, ts->frame.gap, ts->q * sizeof *gap);
}

sg_status sg_stepping_start(struct sg_strategy *self, struct sg_error *err)
{
    struct sg_time_stepping *ts = self->data;
    struct sg_snapshot now;
    TRY(begin(ts, &ts->from, err));
    sg_stepping_measure(ts, 0.0, &ts->from, ts->gap, ts->rate);
    for (size_t j = 0; j < ts->q; j++) ts->penetration = fmax(ts->penetration, -ts->gap[j]);
    sg_stepping_snapshot(ts, 0.0, sg_clock_whole_step(&ts->clock, 0), &ts->from, &now);
    return ts->run.observer->step(ts->run.observer->self, &now, NULL, 0, err);
}
