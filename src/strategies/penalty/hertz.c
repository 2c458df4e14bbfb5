/* Form "standard" by Hertz's law: at the scheme's own equilibrium point p,
 *
 *     r = T k x^(3/2) max(0, 1 - (a / v) g_p'),   x = -g_p > 0,   g_p = g_free + A H r,   g_p' = g_free' + B
 * H r,
 *
 * A and B numbers of the scheme. The force falls with g_p, so that newton.c finds the reactions.
 * Explicit schemes (A = 0) know the overlap, and the rest is a straight line for each contact. */
#include <math.h>
#include <string.h>

#include "contact/laws/hertz_formulas.h"
#include "strategies/penalty/penalty.h"

/* --- speeds of impacts ------------------------------------------------------------------------------------
 */

/* v is how fast a contact closed, and, where something presses it further in, the fastest since: what a
 * dashpot does stays bounded where a contact begins next to rest. Of a contact that is open at the start of
 * the step also the approach without contacts counts, by which it closes. */
static void note_speeds(struct sg_time_stepping *ts, const struct sg_stepping *step,
                        const struct sg_penalty_point *p)
{
    struct sg_penalty *law = ts->law_data;
    (void)p;
    const struct sg_attempt *attempt = &step->attempt;
    const struct sg_columns *w = ts->frame.normal;
    for (size_t j = 0; j < ts->q; j++) {
        if (!(law->bounce[j] > 0.0)) continue;
        bool open = !(ts->gap[j] < 0.0);
        double before = attempt->stage > 0 ? law->speed[j] : open ? 0.0 : law->speed_held[j];
        double approach = -(ts->frame.drift[j] + sg_columns_dot(w, j, attempt->from->v));
        law->speed[j] = fmax(before, approach);
        if (!open) continue;
        approach = -(ts->frame.drift[j] + sg_columns_dot(w, j, attempt->to->v));
        law->speed[j] = fmax(law->speed[j], approach);
    }
}

/* a / v, s/m: 0 without dashpot */
static double dashpot_of(const struct sg_penalty *law, size_t j)
{
    return law->bounce[j] > 0.0 && law->speed[j] > 0.0 ? law->bounce[j] / law->speed[j] : 0.0;
}

/* --- implicit schemes -------------------------------------------------------------------------------------
 */

struct context {
    const struct sg_penalty *law;
    const double *rate; /* q: g_free' */
    double follow;      /* 1/s: B / A, of the rate by the gap */
};

static struct sg_penalty_force force_at(const void *self, size_t j, double gap)
{
    const struct context *at = self;
    const struct sg_penalty *law = at->law;
    if (!(gap < 0.0)) return (struct sg_penalty_force){0.0, 0.0};
    double d = dashpot_of(law, j), spring = sg_hertz_force(law->hertz[j], -gap);
    double factor = 1.0 - d * (at->rate[j] + at->follow * (gap - law->base[j]));
    if (!(factor > 0.0)) return (struct sg_penalty_force){0.0, 0.0};
    return (struct sg_penalty_force){spring * factor, 1.5 * spring / gap * factor - spring * d * at->follow};
}

/* gaps and rates without contacts, by the frame of the iterate whose change of velocity is dv (NULL: 0) */
static void set_base(struct sg_time_stepping *ts, const struct sg_stepping *step,
                     const struct sg_penalty_point *p, const double *dv)
{
    struct sg_penalty *law = ts->law_data;
    for (size_t j = 0; j < ts->q; j++) {
        law->base[j] = ts->frame.gap[j];
        if (dv != NULL) law->base[j] -= p->a * sg_columns_dot(ts->frame.normal, j, dv);
        law->slope[j] = law->bounce[j] > 0.0 ? sg_penalty_rate(ts, step, p, j) : 0.0;
    }
}

static sg_status solve_implicit(struct sg_time_stepping *ts, const struct sg_stepping *step,
                                struct sg_error *err)
{
    const struct sg_penalty *data = ts->law_data;
    struct sg_penalty_point p = sg_penalty_point_of(ts, step);
    struct context at = {data, data->slope, p.b / p.a};
    struct sg_penalty_law law = {.force = force_at,
                                 .context = &at,
                                 .duration = p.duration,
                                 .move = p.a,
                                 .rounding = 4e-15}; /* a root, products and a bracket */
    return sg_penalty_solve_listed(ts, step, &law, err);
}

/* N s, what overlaps and the way of a step would give */
static double scale_of(const struct sg_time_stepping *ts, const struct sg_stepping *step,
                       const struct sg_penalty_point *p)
{
    const struct sg_penalty *law = ts->law_data;
    double scale = 0.0;
    for (size_t i = 0; i < ts->count; i++) {
        size_t j = ts->list[i];
        double way = p->a * fabs(sg_columns_dot(ts->frame.normal, j, step->attempt.to->v));
        scale = fmax(scale, p->duration * sg_hertz_force(law->hertz[j], fabs(law->base[j]) + way));
    }
    return scale;
}

/* --- explicit schemes -------------------------------------------------------------------------------------
 */

static sg_status solve_explicit(struct sg_time_stepping *ts, const struct sg_stepping *step,
                                const struct sg_penalty_point *p, struct sg_error *err)
{
    const struct sg_penalty *law = ts->law_data;
    struct sg_contact_list list = {ts->list, ts->count};
    struct sg_response *response = sg_stepping_response(ts, step);
    for (size_t i = 0; i < ts->count; i++) {
        size_t j = ts->list[i];
        struct sg_contact_list alone = {ts->list + i, 1};
        double d = dashpot_of(law, j), r = p->duration * sg_hertz_force(law->hertz[j], -law->base[j]);
        if (response->diagonal == NULL || d > 0.0) TRY(sg_response_delassus(response, alone, ts->h, err));
        if (d > 0.0) r = fmax(0.0, r * (1.0 - d * law->slope[j])) / (1.0 + r * d * p->b * ts->h[0]);
        ts->packed[i] = ts->r[j] = r;
    }
    sg_response_velocity(response, list, ts->packed, &ts->jump);
    return SG_OK;
}

/* --- a step -----------------------------------------------------------------------------------------------
 */

static sg_status solve(struct sg_time_stepping *ts, const struct sg_stepping *step, struct sg_error *err)
{
    static const struct sg_penalty_force_law hertz = {note_speeds, set_base, scale_of, solve_implicit,
                                                      solve_explicit};
    return sg_penalty_solve(ts, step, &hertz, err);
}

static void account(struct sg_time_stepping *ts, const struct sg_stepping *step)
{
    struct sg_penalty *law = ts->law_data;
    sg_penalty_spring_account(ts, step);
    memcpy(law->speed_held, law->speed, ts->q * sizeof(double));
}

const struct sg_stepping_law sg_penalty_hertz = {.take = sg_stepping_take,
                                                 .prepare = sg_penalty_prepare,
                                                 .solve = solve,
                                                 .account = account,
                                                 .energy = sg_penalty_energy,
                                                 .archive = sg_penalty_archive,
                                                 .release = sg_penalty_release};
