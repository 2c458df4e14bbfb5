/* Contacts whose laws are one straight line, R = max(0, -kappa g - c g'). With s = kappa a + c b the
 * reactions of standard.c solve a linear complementarity problem,
 *
 *     0 <= H r + r / (T s) + (kappa g_free + c g_free') / s  _|_  r >= 0,
 *
 * symmetric and positive definite, since the springs add a diagonal to H: the set of contacts that push is
 * exact, and unique, and pivoting finds it in finitely many steps, which Newton's method can't promise. */
#include <math.h>

#include "strategies/penalty/penalty.h"

static double dashpot_of(const struct sg_penalty *law, size_t j)
{
    return law->dashpot[j] ? law->c[j] : 0.0;
}

/* the springs' diagonal, which stays in all iterates of an equilibrium point */
static void begin(struct sg_time_stepping *ts, const struct sg_penalty_point *p)
{
    struct sg_penalty *law = ts->scheme_data;
    for (size_t j = 0; j < ts->q; j++) {
        law->slope[j] = law->kappa[j] * p->a + dashpot_of(law, j) * p->b;
        if (p->a > 0.0) law->compliance[j] = 1.0 / (p->duration * law->slope[j]);
    }
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

static sg_status solve(struct sg_time_stepping *ts, const struct sg_stepping *step, struct sg_error *err)
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

const struct sg_penalty_implicit sg_penalty_linear = {begin, set_base, scale_of, solve};
