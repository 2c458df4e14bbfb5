/* Form "standard": contact as springs and dashpots that only push, at the scheme's own equilibrium point p,
 *
 *     r = T max(0, -kappa g_p - c g_p'),     g_p = g_free + a H r,   g_p' = g_free' + b H r.
 *
 * With s = kappa a + c b this is a linear complementarity problem,
 *
 *     0 <= H r + r / (T s) + (kappa g_free + c g_free') / s  _|_  r >= 0,
 *
 * symmetric and positive definite: the set of contacts that push is exact, and unique. Explicit schemes (a =
 * 0) have each contact by itself, its dashpot at the mean of the velocities before and after. */
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

/* once an equilibrium point, whose slopes are its own: what closes without contacts, or was closed at the
 * start, feels its dashpot */
static void choose_dashpots(struct sg_time_stepping *ts, const struct sg_stepping *step,
                            const struct sg_penalty_point *p)
{
    struct sg_penalty *law = ts->scheme_data;
    (void)step;
    for (size_t j = 0; j < ts->q; j++) {
        law->dashpot[j] = law->c[j] > 0.0 && (ts->frame.gap[j] < 0.0 || ts->gap[j] < 0.0);
        double c = law->dashpot[j] ? law->c[j] : 0.0;
        law->slope[j] = law->kappa[j] * p->a + c * p->b;
        if (p->a > 0.0) law->compliance[j] = 1.0 / (p->duration * law->slope[j]);
    }
}

double sg_penalty_rate(const struct sg_time_stepping *ts, const struct sg_stepping *step,
                       const struct sg_penalty_point *p, size_t j)
{
    const struct sg_columns *w = ts->frame.normal;
    return ts->frame.drift[j] + p->b * sg_columns_dot(w, j, step->attempt.to->v) +
           p->rate_share * sg_columns_dot(w, j, step->attempt.from->v);
}

/* minus the force without contacts, by the frame of the iterate whose change of velocity is dv (NULL: 0) */
static void set_base(struct sg_time_stepping *ts, const struct sg_stepping *step,
                     const struct sg_penalty_point *p, const double *dv)
{
    const struct sg_penalty *law = ts->scheme_data;
    const struct sg_columns *w = ts->frame.normal;
    for (size_t j = 0; j < ts->q; j++) {
        double gap = ts->frame.gap[j];
        if (dv != NULL) gap -= p->a * sg_columns_dot(w, j, dv);
        law->base[j] = law->kappa[j] * gap;
        if (!law->dashpot[j]) continue;
        law->base[j] += law->c[j] * sg_penalty_rate(ts, step, p, j);
    }
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
        if (response->diagonal == NULL || law->dashpot[j])
            TRY(sg_response_delassus(response, alone, ts->h, err));
        double own = law->dashpot[j] ? p->duration * law->slope[j] * ts->h[0] : 0.0;
        ts->packed[i] = ts->r[j] = fmax(0.0, -p->duration * law->base[j] / (1.0 + own));
    }
    sg_response_velocity(response, list, ts->packed, &ts->jump);
    return SG_OK;
}

static sg_status solve_implicit(struct sg_time_stepping *ts, const struct sg_stepping *step,
                                struct sg_error *err)
{
    const struct sg_penalty *law = ts->scheme_data;
    ts->compliance = law->compliance;
    do {
        for (size_t i = 0; i < ts->count; i++) ts->b[i] = law->base[ts->list[i]] / law->slope[ts->list[i]];
        TRY(sg_stepping_solve(ts, step, err));
    } while (sg_stepping_extend(ts, law->base, law->slope, 1.0));
    return SG_OK;
}

/* N s, what the listed contacts would get alone; for those that are grazed, by the way of a step */
static double scale_of(const struct sg_time_stepping *ts, const struct sg_stepping *step,
                       const struct sg_penalty_point *p)
{
    const struct sg_penalty *law = ts->scheme_data;
    double scale = 0.0;
    for (size_t i = 0; i < ts->count; i++) {
        size_t j = ts->list[i];
        double way = p->a * fabs(sg_columns_dot(ts->frame.normal, j, step->attempt.to->v));
        scale = fmax(scale, p->duration * (fabs(law->base[j]) + law->kappa[j] * way));
    }
    return scale;
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
        if (!(law->hertz != NULL ? law->bounce[j] > 0.0 : law->c[j] > 0.0)) continue;
        double gap = sg_contact_set_gap(ts->run.contacts, j, p->t, at), r = ts->listed[j] ? ts->r[j] : 0.0;
        law->damper[attempt->stage * ts->q + j] = r - p->duration * sg_penalty_spring_force(law, j, gap);
    }
}

/* --- a step, of any law of force ------------------------------------------------------------------ */

static void list_closing(struct sg_time_stepping *ts)
{
    const struct sg_penalty *law = ts->scheme_data;
    for (size_t j = 0; j < ts->q; j++)
        if (law->base[j] < 0.0 && !ts->listed[j]) sg_stepping_list(ts, j);
}

struct iterate {
    const struct sg_penalty_force_law *force;
    const struct sg_penalty_point *p;
};

static void renew(struct sg_time_stepping *ts, const struct sg_stepping *step, const void *context)
{
    const struct iterate *at = context;
    place(ts, step, at->p, ts->jump.dv);
    at->force->set_base(ts, step, at->p, ts->jump.dv);
    list_closing(ts);
}

static double scale_at(const struct sg_time_stepping *ts, const struct sg_stepping *step, const void *context)
{
    const struct iterate *at = context;
    return at->force->scale(ts, step, at->p);
}

static sg_status push(struct sg_time_stepping *ts, const struct sg_stepping *step, const struct iterate *at,
                      struct sg_error *err)
{
    const struct sg_penalty_iteration iteration = {at, scale_at, renew, at->force->implicit};
    struct sg_response *response = sg_stepping_response(ts, step);
    bool implicit = at->p->a != 0.0;
    if (!response->fixed) TRY(sg_response_begin(response, step->kick, err));
    TRY(implicit ? at->force->implicit(ts, step, err) : at->force->explicit(ts, step, at->p, err));
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

sg_status sg_penalty_solve(struct sg_time_stepping *ts, const struct sg_stepping *step,
                           const struct sg_penalty_force_law *force, struct sg_error *err)
{
    struct sg_penalty *law = ts->scheme_data;
    if (ts->q == 0) return SG_OK;
    struct sg_penalty_point p = sg_penalty_point_of(ts, step);
    place(ts, step, &p, NULL);
    if (law->fresh) force->choose(ts, step, &p);
    law->fresh = false;
    force->set_base(ts, step, &p, NULL);
    list_closing(ts);
    if (ts->count > 0) TRY(push(ts, step, &(struct iterate){force, &p}, err));
    if (law->damped) note_dampers(ts, step, &p);
    return SG_OK;
}

static sg_status solve(struct sg_time_stepping *ts, const struct sg_stepping *step, struct sg_error *err)
{
    static const struct sg_penalty_force_law springs = {choose_dashpots, set_base, scale_of, solve_implicit,
                                                        solve_explicit};
    return sg_penalty_solve(ts, step, &springs, err);
}

const struct sg_stepping_scheme sg_penalty_spring = {.take = sg_stepping_take,
                                                     .prepare = sg_penalty_prepare,
                                                     .solve = solve,
                                                     .account = sg_penalty_spring_account,
                                                     .energy = sg_penalty_energy,
                                                     .archive = sg_penalty_archive,
                                                     .release = sg_penalty_release};
