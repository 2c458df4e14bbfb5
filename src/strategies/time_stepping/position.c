/* Contact at position level: over all contacts
 *
 *     0 <= g(u*)  _|_  r >= 0,
 *
 * u* = u + lead v of the end state: u1 of implicit schemes; of central differences the displacement after the
 * next step (Carpenter, Taylor and Katona 1991), with restitution the gap is the mean of that there and that
 * two steps before, (g(u*) + e g(u0)) / (1 + e) (Paoli and Schatzman 2002), each with the obstacle as it
 * stands at its time. In impulses, the mean is g_free + compliance / (1 + e) H r.
 *
 * Bilateral constraints, of central differences alone, are held at the same place. */
#include <math.h>
#include <string.h>

#include "strategies/time_stepping/time_stepping.h"

/* u + lead v of a state */
static const double *ahead(struct sg_time_stepping *ts, const struct sg_state *at, double lead)
{
    if (lead == 0.0) return at->u;
    if (ts->ops->staggered) return at->a;
    for (size_t i = 0; i < ts->n; i++) ts->scratch_u[i] = at->u[i] + lead * at->v[i];
    return ts->scratch_u;
}

/* the gaps that the constraint is about, without contacts, into ts->gap_blend; normals at u* */
static void free_gaps(struct sg_time_stepping *ts, const struct sg_stepping *step, double lead)
{
    const struct sg_contact_set *set = ts->run.contacts;
    const struct sg_attempt *attempt = &step->attempt;
    double t = sg_stepping_point(ts, attempt) + lead;
    const double *u = ahead(ts, attempt->to, lead);
    sg_contact_set_place(set, t, u, &ts->frame);
    if (ts->ops->staggered) sg_stepping_place_drifts(ts, attempt);
    for (size_t j = 0; j < ts->q; j++) {
        double gap = ts->frame.gap[j];
        ts->gap_blend[j] = ts->ops->staggered ? sg_law_mean_gap(&set->laws[j], gap, ts->gap[j]) : gap;
    }
}

/* the lower sides without contacts as velocities, (1 + e) g / compliance, in the place of the gaps */
static void to_velocities(struct sg_time_stepping *ts, double compliance)
{
    for (size_t j = 0; j < ts->q; j++) {
        double gap = ts->gap_blend[j];
        if (ts->ops->staggered) gap = sg_law_jump(&ts->run.contacts->laws[j], gap);
        ts->gap_blend[j] = gap / compliance;
    }
}

/* SHAKE (Ryckaert, Ciccotti and Berendsen 1977): forces of the constraints act with the kick, in the
 * gradients at its time; what they hold is the place after the next step. */
static void configure_constraints(struct sg_time_stepping *ts, const struct sg_stepping *step)
{
    const struct sg_attempt *attempt = &step->attempt;
    double t = attempt->span.t + attempt->span.h;
    struct sg_bilateral_configuration at = {t, t - 0.5 * attempt->span.h, t + 0.5 * attempt->next,
                                            attempt->from->a};
    sg_bilateral_configure(&ts->bilateral, &at);
    memcpy(attempt->to->v, attempt->from->v, ts->n * sizeof(double)); /* the first iterate */
}

static sg_status apply_constraints(struct sg_time_stepping *ts, const struct sg_stepping *step,
                                   struct sg_error *err)
{
    const struct sg_attempt *attempt = &step->attempt;
    const double *iterate = ts->iterates ? ts->previous_v : attempt->to->v;
    struct sg_bilateral_iterate at = {.v = attempt->to->v,
                                      .iterate = iterate,
                                      .u = ts->scratch_u,
                                      .t = attempt->span.t + attempt->span.h + attempt->next,
                                      .compliance = attempt->next};
    if (ts->bilateral.m == 0) return SG_OK;
    TRY(sg_bilateral_begin(&ts->bilateral, step->kick, err));
    for (size_t i = 0; i < ts->n; i++) ts->scratch_u[i] = attempt->to->u[i] + attempt->next * iterate[i];
    sg_bilateral_solve_position(&ts->bilateral, &at);
    ts->ops->apply_impulses(ts->run.integrator, ts->run.phase, attempt, &ts->bilateral.jump);
    return SG_OK;
}

static sg_status prepare(struct sg_time_stepping *ts, const struct sg_stepping *step, struct sg_error *err)
{
    struct sg_response *response = sg_stepping_response(ts, step);
    if (ts->bilateral.m > 0) configure_constraints(ts, step);
    if (ts->spec.update && step->attempt.stage == 0) memset(ts->update.moved, 0, ts->q * sizeof(double));
    if (ts->spec.update) memset(ts->update.given[step->attempt.stage], 0, ts->q * sizeof(double));
    return ts->q > 0 && response->fixed ? sg_response_begin(response, step->kick, err) : SG_OK;
}

/* Notes the impulses of the contacts just solved, and how far they moved their own gaps. */
static void note_moves(struct sg_time_stepping *ts, size_t stage, double compliance)
{
    for (size_t i = 0; i < ts->count; i++) {
        ts->update.given[stage][ts->list[i]] = ts->packed[i];
        double *moved = &ts->update.moved[ts->list[i]];
        *moved = fmax(*moved, compliance * ts->h[i * ts->count + i] * ts->packed[i]);
    }
}

static sg_status solve(struct sg_time_stepping *ts, const struct sg_stepping *step, struct sg_error *err)
{
    TRY(apply_constraints(ts, step, err));
    if (ts->q == 0) return SG_OK;
    struct sg_collocation at = ts->ops->collocation(ts->run.integrator, &step->attempt);
    free_gaps(ts, step, at.lead);
    to_velocities(ts, at.compliance);
    for (size_t j = 0; j < ts->q; j++)
        if (ts->gap_blend[j] < 0.0 && !ts->listed[j]) sg_stepping_list(ts, j);
    if (ts->count == 0) return SG_OK;
    struct sg_response *response = sg_stepping_response(ts, step);
    if (!response->fixed) TRY(sg_response_begin(response, step->kick, err));
    do {
        for (size_t i = 0; i < ts->count; i++) ts->b[i] = ts->gap_blend[ts->list[i]];
        TRY(sg_stepping_solve(ts, step, err));
    } while (sg_stepping_extend(ts, ts->gap_blend, NULL, 1.0));
    if (ts->spec.update) note_moves(ts, step->attempt.stage, at.compliance);
    sg_stepping_rates(ts, step->attempt.from->v, ts->drift_before, ts->rate_before);
    if (ts->bilateral.m > 0)
        sg_response_add_reactions(response, (struct sg_contact_list){ts->list, ts->count}, ts->packed,
                                  ts->bilateral.mu);
    ts->ops->apply_impulses(ts->run.integrator, ts->run.phase, &step->attempt, &ts->jump);
    return SG_OK;
}

/* Staggered schemes kick the velocity, with restitution. In the others no law of impact acts, so that what a
 * step gains or loses in a contact is the scheme's: numerical. The update has restitution. */
static void account(struct sg_time_stepping *ts, const struct sg_stepping *step)
{
    if (ts->ops->staggered) {
        sg_stepping_account_impulses(ts, step);
        return;
    }
    ts->accounts.external += sg_stepping_obstacle_work(ts, step);
    if (ts->update.done) ts->accounts.dissipated += ts->update.dissipated;
}

const struct sg_stepping_scheme sg_stepping_position = {
    .keeps_gaps = true, .take = sg_stepping_take, .prepare = prepare, .solve = solve, .account = account};
