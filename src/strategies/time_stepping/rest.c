/* Starts in contact. Integrators know nothing of contacts when they begin: the acceleration that they find is
 * that of a model which nothing carries. A run may start at rest in balance with its contacts
 * (jobs/equilibrium.h), or with springs compressed. */
#include <string.h>

#include "strategies/time_stepping/time_stepping.h"

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
        sg_columns_add(ts->frame.normal, j, force, pull);
    }
    if (!any) return SG_OK;
    TRY(sg_effective_prepare(ts->run.op, 1.0, 0.0, 0.0, &slot, err));
    sg_effective_solve(ts->run.op, slot, pull);
    for (size_t i = 0; i < ts->n; i++) state->a[i] += pull[i];
    return SG_OK;
}

sg_status sg_stepping_know_contacts(struct sg_time_stepping *ts, struct sg_state *state, struct sg_error *err)
{
    if (ts->run.system->rests)
        rest(ts, state);
    else if (ts->scheme->force != NULL && state->a != NULL)
        return push(ts, state, err);
    return SG_OK;
}
