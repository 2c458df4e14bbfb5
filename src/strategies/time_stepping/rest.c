/* Starts in contact. Integrators know nothing of contacts when they begin: the acceleration that they find is
 * that of a model which nothing carries. A run may start at rest in balance with its contacts
 * (jobs/equilibrium.h), or with springs compressed. */
#include <math.h>
#include <string.h>

#include "strategies/time_stepping/time_stepping.h"

/* m/s, in ts->closing_rate: how fast in a first step of length h (s) contacts would close if they pushed
 * nothing where the model rests on them */
static sg_status note_loads(struct sg_time_stepping *ts, double h, double *a, struct sg_error *err)
{
    const struct sg_system *system = ts->run.system;
    TRY(sg_phase_acceleration(ts->run.phase, 0.0, system->u0, system->v0, a, err));
    sg_contact_set_place(ts->run.contacts, 0.0, system->u0, &ts->frame);
    for (size_t j = 0; j < ts->q; j++)
        ts->closing_rate[j] = h * fmax(0.0, -sg_columns_dot(ts->frame.normal, j, a));
    return SG_OK;
}

/* N, by contact: what it pushes at the start; the part of the acceleration that is stored, where there is one
 */
static void note_force(struct sg_time_stepping *ts, size_t j, double force, bool stored)
{
    ts->force[j] = ts->mean_force[j] = force;
    ts->stored_force[j] = stored ? force : 0.0;
}

/* Multipliers that hold what touches: 0 <= W^T (a + M^-1 W R)  _|_  R >= 0, a that of loads without contacts.
 * Uses scratch_u and the list. */
static sg_status find_multipliers(struct sg_time_stepping *ts, double h, const double *a,
                                  struct sg_error *err)
{
    struct sg_contact_problem problem = {.h = ts->h, .b = ts->b};
    struct sg_contact_report report;
    size_t slot = 0, count = 0;
    for (size_t j = 0; j < ts->q; j++) {
        double rounding = sg_contact_set_rounding(ts->run.contacts, j, 0.0, ts->run.system->u0);
        if (ts->frame.gap[j] > 1e3 * rounding + 1e-9 * h * ts->closing_rate[j]) continue;
        ts->b[count] = sg_columns_dot(ts->frame.normal, j, a);
        ts->list[count++] = j;
    }
    if (count == 0) return SG_OK;
    TRY(sg_effective_prepare(ts->run.op, 1.0, 0.0, 0.0, &slot, err));
    for (size_t k = 0; k < count; k++) {
        memset(ts->scratch_u, 0, ts->n * sizeof *ts->scratch_u);
        sg_columns_add(ts->frame.normal, ts->list[k], 1.0, ts->scratch_u);
        sg_effective_solve(ts->run.op, slot, ts->scratch_u);
        for (size_t i = 0; i < count; i++)
            ts->h[k * count + i] = sg_columns_dot(ts->frame.normal, ts->list[i], ts->scratch_u);
    }
    problem.count = count;
    memset(ts->packed, 0, count * sizeof *ts->packed);
    TRY(sg_contact_solve(&ts->solver, &problem, ts->packed, &report, err));
    for (size_t k = 0; k < count; k++) note_force(ts, ts->list[k], ts->packed[k], !ts->spec.update);
    return SG_OK;
}

/* Schemes that store an acceleration carry the forces at the start into the first step. */
static sg_status carry(struct sg_time_stepping *ts, double h, const struct sg_state *state, const double *a,
                       struct sg_error *err)
{
    if (ts->scheme->force != NULL) {
        for (size_t j = 0; j < ts->q; j++)
            note_force(ts, j, ts->scheme->force(ts, j, ts->frame.gap[j], ts->frame.drift[j]),
                       state->a != NULL);
        return SG_OK;
    }
    bool multipliers = ts->scheme->keeps_gaps && !ts->ops->staggered;
    return multipliers ? find_multipliers(ts, h, a, err) : SG_OK;
}

static void rest(const struct sg_time_stepping *ts, struct sg_state *state)
{
    /* generalized-alpha has the reactions of contacts in its acceleration at level "position" alone: else
     * they are impulses beside it, and it starts as without contacts */
    if (ts->scheme->begin != NULL && ts->spec.level != SG_LEVEL_POSITION) return;
    memset(state->v, 0, ts->n * sizeof *state->v);
    /* the update keeps no reaction in the acceleration */
    if (state->a != NULL && !ts->spec.update) memset(state->a, 0, ts->n * sizeof *state->a);
}

/* a += M^-1 W R, R the forces of contacts at the start */
static sg_status push(struct sg_time_stepping *ts, struct sg_state *state, struct sg_error *err)
{
    double *pull = ts->scratch_u;
    bool any = false;
    size_t slot = 0;
    memset(pull, 0, ts->n * sizeof *pull);
    sg_contact_set_place(ts->run.contacts, 0.0, state->u, &ts->frame);
    for (size_t j = 0; j < ts->q; j++) {
        double rate = ts->frame.drift[j] + sg_columns_dot(ts->frame.normal, j, state->v);
        double force = ts->scheme->force(ts, j, ts->frame.gap[j], rate);
        any = any || force > 0.0;
        note_force(ts, j, force, true);
        sg_columns_add(ts->frame.normal, j, force, pull);
    }
    if (!any) return SG_OK;
    TRY(sg_effective_prepare(ts->run.op, 1.0, 0.0, 0.0, &slot, err));
    sg_effective_solve(ts->run.op, slot, pull);
    for (size_t i = 0; i < ts->n; i++) state->a[i] += pull[i];
    return SG_OK;
}

sg_status sg_stepping_know_contacts(struct sg_time_stepping *ts, double h, struct sg_state *state,
                                    struct sg_error *err)
{
    if (ts->run.system->rests) {
        if (ts->q > 0) TRY(note_loads(ts, h, ts->previous_v, err));
        if (ts->q > 0 && ts->scheme->begin == NULL) TRY(carry(ts, h, state, ts->previous_v, err));
        rest(ts, state);
    } else if (ts->scheme->force != NULL && state->a != NULL) {
        return push(ts, state, err);
    }
    return SG_OK;
}

sg_status sg_stepping_weigh(struct sg_time_stepping *ts, double h, struct sg_error *err)
{
    if (!ts->run.system->rests || ts->q == 0) return SG_OK;
    return note_loads(ts, h, ts->previous_v, err);
}
