/* Contacts of any laws together: straight lines, kinks and curves. The reactions r of standard.c are those of
 * forces that fall with their gaps,
 *
 *     r = T R(g_p, g_free' + (b / a) (g_p - g_free)),     g_p = g_free + a H r,
 *
 * since the gap velocity follows the gap within a step: dR/dg_p = R_g + (b / a) R_g' <= 0, which newton.c
 * needs. */
#include <math.h>

#include "strategies/penalty/penalty.h"

struct context {
    const struct sg_penalty *law;
    const double *rate; /* q: g_free' */
    double follow;      /* 1/s: b / a, of the rate by the gap */
};

static struct sg_penalty_force force_at(const void *self, size_t j, double gap)
{
    const struct context *at = self;
    const struct sg_penalty *law = at->law;
    struct sg_law_force f = sg_penalty_force_at(law, j, gap, at->rate[j] + at->follow * (gap - law->base[j]));
    return (struct sg_penalty_force){f.value, f.by_gap + f.by_rate * at->follow};
}

/* gaps and rates without contacts, by the frame of the iterate whose change of velocity is dv (NULL: 0) */
static void set_base(struct sg_time_stepping *ts, const struct sg_stepping *step,
                     const struct sg_penalty_point *p, const double *dv)
{
    struct sg_penalty *law = ts->scheme_data;
    for (size_t j = 0; j < ts->q; j++) {
        law->base[j] = ts->frame.gap[j];
        if (dv != NULL) law->base[j] -= p->a * sg_columns_dot(ts->frame.normal, j, dv);
        law->slope[j] = sg_law_is_damped(&law->laws[j]) ? sg_penalty_rate(ts, step, p, j) : 0.0;
    }
}

static sg_status solve(struct sg_time_stepping *ts, const struct sg_stepping *step, struct sg_error *err)
{
    const struct sg_penalty *data = ts->scheme_data;
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
    const struct sg_penalty *law = ts->scheme_data;
    double scale = 0.0;
    for (size_t i = 0; i < ts->count; i++) {
        size_t j = ts->list[i];
        double way = p->a * fabs(sg_columns_dot(ts->frame.normal, j, step->attempt.to->v));
        scale = fmax(scale, p->duration * sg_penalty_spring_force(law, j, -(fabs(law->base[j]) + way)));
    }
    return scale;
}

const struct sg_penalty_implicit sg_penalty_curved = {NULL, set_base, scale_of, solve};
