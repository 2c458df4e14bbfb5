/* Form "standard": contacts as forces R(g, g') of their laws that only push, at the scheme's own equilibrium
 * point p. With the impulses r of a step, H = W^T D W and numbers a, b of the scheme,
 *
 *     r = T R(g_p, g_p'),     g_p = g_free + a H r,   g_p' = g_free' + b H r.
 *
 * Each law's force falls with its gap and gap velocity and H is positive semidefinite, so that there is one
 * solution. Where all laws are one straight line it is that of a linear complementarity problem, which
 * linear.c solves exactly; else curved.c finds it by Newton's method. Explicit schemes (a = 0) know the gaps,
 * and have each contact by itself: its force is affine in the mean of the velocities before and after,
 *
 *     r = T (R(g, g_free') + R_g' b H r),   so that   r = T R(g, g_free') / (1 - T R_g' b H).
 *
 * Where normals follow the solution, all this is repeated in the frame of each iterate until the reactions
 * stay (sg_penalty_settle). */
#include <math.h>
#include <string.h>

#include "strategies/penalty/penalty.h"

struct sg_penalty_point sg_penalty_point_of(const struct sg_time_stepping *ts, const struct sg_stepping *step)
{
    const struct sg_attempt *attempt = &step->attempt;
    struct sg_collocation at = ts->ops->collocation(ts->run.integrator, attempt);
    double t = attempt->span.t, end = sg_stepping_point(ts, attempt);
    struct sg_penalty_point p = {.t = t + (1.0 - at.share) * (end - t),
                                 .share = at.share,
                                 .a = at.compliance,
                                 .b = 1.0 - at.share,
                                 .duration = at.duration,
                                 .rate_share = at.share};
    if (!ts->ops->staggered) return p;
    /* the kick is at the end of the step, between the velocities of two */
    p.a = 0.0;
    p.b = p.rate_share = 0.5;
    return p;
}

/* gaps and normals at the point, where the velocities change by dv (NULL: 0) */
static void place(struct sg_time_stepping *ts, const struct sg_stepping *step,
                  const struct sg_penalty_point *p, const double *dv)
{
    const double *from = step->attempt.from->u, *to = step->attempt.to->u, *at = to;
    if (p->share != 0.0 || dv != NULL) {
        for (size_t i = 0; i < ts->n; i++) {
            double x = p->share == 0.0 ? to[i] : (1.0 - p->share) * to[i] + p->share * from[i];
            ts->scratch_u[i] = dv == NULL ? x : x + p->a * dv[i];
        }
        at = ts->scratch_u;
    }
    sg_contact_set_place(ts->run.contacts, p->t, at, &ts->frame);
}

double sg_penalty_rate(const struct sg_time_stepping *ts, const struct sg_stepping *step,
                       const struct sg_penalty_point *p, size_t j)
{
    const struct sg_columns *w = ts->frame.normal;
    return ts->frame.drift[j] + p->b * sg_columns_dot(w, j, step->attempt.to->v) +
           p->rate_share * sg_columns_dot(w, j, step->attempt.from->v);
}

/* dashpots of contacts that share a mass are for those that are closed together */
static void share_masses(struct sg_time_stepping *ts)
{
    struct sg_penalty *law = ts->scheme_data;
    bool changed = false;
    if (!law->damped) return;
    for (size_t j = 0; j < ts->q; j++) {
        bool closed = ts->frame.gap[j] < 0.0 || ts->gap[j] < 0.0;
        changed = changed || closed != law->sharing.closed[j];
        law->sharing.closed[j] = closed;
    }
    sg_penalty_set_masses(law, ts->q, changed);
}

/* Once an equilibrium point, where the frame stands. What closes without contacts, or was closed at the
 * start, feels its dashpot; a contact that only its neighbours close in this step would pull by it. Laws with
 * a memory note how fast it comes. */
static void choose_dashpots(struct sg_time_stepping *ts, const struct sg_stepping *step)
{
    struct sg_penalty *law = ts->scheme_data;
    const struct sg_attempt *attempt = &step->attempt;
    const struct sg_columns *w = ts->frame.normal;
    share_masses(ts);
    for (size_t j = 0; j < ts->q; j++) {
        const struct sg_law *of = &law->laws[j];
        law->dashpot[j] = law->c[j] > 0.0 && law->sharing.closed[j];
        if (of->ops->note == NULL || sg_law_memory(of) == 0) continue;
        double *memory = law->memory + j * SG_LAW_MEMORY, drift = ts->frame.drift[j];
        if (attempt->stage == 0)
            memcpy(memory, law->memory_held + j * SG_LAW_MEMORY, SG_LAW_MEMORY * sizeof *memory);
        struct sg_law_arrival arrival = {.first = attempt->stage == 0,
                                         .gap = ts->gap[j],
                                         .before = -(drift + sg_columns_dot(w, j, attempt->from->v)),
                                         .after = -(drift + sg_columns_dot(w, j, attempt->to->v))};
        of->ops->note(of, &arrival, memory);
    }
}

struct sg_law_force sg_penalty_force_at(const struct sg_penalty *law, size_t j, double gap, double rate)
{
    const struct sg_law *of = &law->laws[j];
    struct sg_law_point point = {gap, rate, law->dashpot[j] ? law->c[j] : 0.0,
                                 law->memory + j * SG_LAW_MEMORY};
    return of->ops->at(of, &point);
}

/* contacts that don't feel one another in the step */
static sg_status solve_explicit(struct sg_time_stepping *ts, const struct sg_stepping *step,
                                const struct sg_penalty_point *p, struct sg_error *err)
{
    const struct sg_penalty *law = ts->scheme_data;
    struct sg_contact_list list = {ts->list, ts->count};
    struct sg_response *response = sg_stepping_response(ts, step);
    for (size_t i = 0; i < ts->count; i++) {
        size_t j = ts->list[i];
        struct sg_contact_list alone = {ts->list + i, 1};
        struct sg_law_force f =
            sg_penalty_force_at(law, j, ts->frame.gap[j], sg_penalty_rate(ts, step, p, j));
        if (response->diagonal == NULL || f.by_rate < 0.0)
            TRY(sg_response_delassus(response, alone, ts->h, err));
        double own = f.by_rate < 0.0 ? -p->duration * (f.by_rate * p->b) * ts->h[0] : 0.0;
        ts->packed[i] = ts->r[j] = p->duration * f.value / (1.0 + own);
    }
    sg_response_velocity(response, list, ts->packed, &ts->jump);
    return SG_OK;
}

/* What springs don't explain of the reactions, once they are settled: where a dashpot would pull, and the
 * force is cut off, it takes what the spring gives. */
static void note_dampers(struct sg_time_stepping *ts, const struct sg_stepping *step,
                         const struct sg_penalty_point *p)
{
    struct sg_penalty *law = ts->scheme_data;
    const struct sg_attempt *attempt = &step->attempt;
    const double *at = attempt->to->u;
    if (p->share != 0.0) {
        for (size_t i = 0; i < ts->n; i++)
            ts->scratch_u[i] = (1.0 - p->share) * attempt->to->u[i] + p->share * attempt->from->u[i];
        at = ts->scratch_u;
    }
    for (size_t j = 0; j < ts->q; j++) {
        if (!sg_law_is_damped(&law->laws[j])) continue;
        double gap = sg_contact_set_gap(ts->run.contacts, j, p->t, at), r = ts->listed[j] ? ts->r[j] : 0.0;
        law->damper[attempt->stage * ts->q + j] = r - p->duration * sg_penalty_spring_force(law, j, gap);
    }
}

/* --- a step --------------------------------------------------------------------------------------------- */

static void list_closing(struct sg_time_stepping *ts)
{
    const struct sg_penalty *law = ts->scheme_data;
    for (size_t j = 0; j < ts->q; j++)
        if ((law->base[j] < 0.0 || (!law->linear && law->dashpot[j])) && !ts->listed[j])
            sg_stepping_list(ts, j);
}

struct iterate {
    const struct sg_penalty_implicit *implicit;
    const struct sg_penalty_point *p;
};

static void renew(struct sg_time_stepping *ts, const struct sg_stepping *step, const void *context)
{
    const struct iterate *at = context;
    place(ts, step, at->p, ts->jump.dv);
    at->implicit->set_base(ts, step, at->p, ts->jump.dv);
    list_closing(ts);
}

static double scale_at(const struct sg_time_stepping *ts, const struct sg_stepping *step, const void *context)
{
    const struct iterate *at = context;
    return at->implicit->scale(ts, step, at->p);
}

static sg_status find_reactions(struct sg_time_stepping *ts, const struct sg_stepping *step,
                                const struct iterate *at, struct sg_error *err)
{
    const struct sg_penalty_iteration iteration = {at, scale_at, renew, at->implicit->solve};
    struct sg_response *response = sg_stepping_response(ts, step);
    bool implicit = at->p->a != 0.0;
    if (!response->fixed) TRY(sg_response_begin(response, step->kick, err));
    TRY(implicit ? at->implicit->solve(ts, step, err) : solve_explicit(ts, step, at->p, err));
    if (implicit && !ts->run.contacts->affine) TRY(sg_penalty_settle(ts, step, &iteration, err));
    ts->ops->apply_impulses(ts->run.integrator, ts->run.phase, &step->attempt, &ts->jump);
    return SG_OK;
}

sg_status sg_penalty_prepare(struct sg_time_stepping *ts, const struct sg_stepping *step,
                             struct sg_error *err)
{
    struct sg_penalty *law = ts->scheme_data;
    law->fresh = true;
    if (ts->q == 0 || !sg_stepping_response(ts, step)->fixed) return SG_OK;
    return sg_response_begin(sg_stepping_response(ts, step), step->kick, err);
}

static sg_status solve(struct sg_time_stepping *ts, const struct sg_stepping *step, struct sg_error *err)
{
    struct sg_penalty *law = ts->scheme_data;
    if (ts->q == 0) return SG_OK;
    struct sg_penalty_point p = sg_penalty_point_of(ts, step);
    struct iterate at = {law->linear ? &sg_penalty_linear : &sg_penalty_curved, &p};
    place(ts, step, &p, NULL);
    if (law->fresh) choose_dashpots(ts, step);
    if (law->fresh && at.implicit->begin != NULL) at.implicit->begin(ts, &p);
    law->fresh = false;
    at.implicit->set_base(ts, step, &p, NULL);
    list_closing(ts);
    if (ts->count > 0) TRY(find_reactions(ts, step, &at, err));
    if (law->damped) note_dampers(ts, step, &p);
    return SG_OK;
}

double sg_penalty_force_at_start(const struct sg_time_stepping *ts, size_t j, double gap, double rate)
{
    const struct sg_penalty *law = ts->scheme_data;
    const struct sg_law *of = &law->laws[j];
    struct sg_law_point point = {gap, rate, gap < 0.0 ? law->c[j] : 0.0, law->memory + j * SG_LAW_MEMORY};
    return of->ops->at(of, &point).value;
}

const struct sg_stepping_scheme sg_penalty_standard = {.take = sg_stepping_take,
                                                       .prepare = sg_penalty_prepare,
                                                       .solve = solve,
                                                       .account = sg_penalty_standard_account,
                                                       .memory = sg_penalty_memory,
                                                       .energy = sg_penalty_energy,
                                                       .force = sg_penalty_force_at_start,
                                                       .archive = sg_penalty_archive,
                                                       .release = sg_penalty_release};
