/* Forms "conserving" (Armero and Petocz 1998) and "dissipating" (in the manner of Armero and Romero 2001):
 * the force of a midpoint step is what makes its work the change of the contact's energy,
 *
 *     f (g1 - g0) = -(U(g1) - U(g0)) - D,   along w with w . (u1 - u0) = g1 - g0 at rest obstacles.
 *
 * With g1 = base + G r, G = (h/2) H, these are the reactions r = h f(g1) of a law whose f falls with g1. */
#include <math.h>
#include <string.h>

#include "contact/gaps/gap.h"
#include "strategies/penalty/penalty.h"

struct context {
    const struct sg_penalty *law;
    const double *start; /* gaps at the start of the step */
};

static struct sg_penalty_force force_at(const void *self, size_t j, double gap)
{
    const struct context *at = self;
    const struct sg_law *law = &at->law->laws[j];
    struct sg_law_step step = law->ops->step(law, at->law->chi, at->start[j], gap);
    return (struct sg_penalty_force){step.value, step.slope};
}

/* --- a step --------------------------------------------------------------------------------------- */

/* of u1 by a change of v1, s */
static double move_of(const struct sg_time_stepping *ts, const struct sg_stepping *step)
{
    struct sg_collocation at = ts->ops->collocation(ts->run.integrator, &step->attempt);
    return at.compliance / (1.0 - at.share);
}

/* frame of the iterate, and the gaps that it gives at the end of the step without contacts */
static void place(struct sg_time_stepping *ts, const struct sg_stepping *step, const double *dv)
{
    struct sg_penalty *law = ts->scheme_data;
    const struct sg_contact_set *set = ts->run.contacts;
    const double *u0 = step->attempt.from->u, *free = step->attempt.to->u;
    double t1 = step->attempt.span.t + step->attempt.span.h, move = move_of(ts, step);
    if (set->affine) {
        sg_contact_set_place(set, t1, free, &ts->frame);
        memcpy(law->base, ts->frame.gap, ts->q * sizeof(double));
        return;
    }
    for (size_t i = 0; i < ts->n; i++) {
        law->end[i] = free[i] + (dv == NULL ? 0.0 : move * dv[i]);
        ts->scratch_u[i] = 0.5 * (u0[i] + law->end[i]);
    }
    sg_contact_set_place(set, t1 - 0.5 * step->attempt.span.h, ts->scratch_u, &ts->frame);
    for (size_t j = 0; j < ts->q; j++) {
        struct sg_gap_step ends = {u0, ts->scratch_u, law->end};
        if (!set->gaps[j].straight) sg_gap_fill_secant(&set->gaps[j], &ends, &ts->frame.own_normal, j);
        law->base[j] = sg_contact_set_gap(set, j, t1, u0) + sg_columns_dot(ts->frame.normal, j, free) -
                       sg_columns_dot(ts->frame.normal, j, u0);
    }
}

static void list_near(struct sg_time_stepping *ts)
{
    const struct sg_penalty *law = ts->scheme_data;
    for (size_t j = 0; j < ts->q; j++)
        if ((law->base[j] < 0.0 || ts->gap[j] < 0.0) && !ts->listed[j]) sg_stepping_list(ts, j);
}

/* reactions of the listed contacts into ts->r, their change of velocity into ts->jump.dv */
static sg_status solve_frame(struct sg_time_stepping *ts, const struct sg_stepping *step,
                             struct sg_error *err)
{
    struct context at = {ts->scheme_data, ts->gap};
    struct sg_penalty_law law = {.force = force_at,
                                 .context = &at,
                                 .duration = step->attempt.span.h,
                                 .move = move_of(ts, step),
                                 .rounding = 1e-15};
    return sg_penalty_solve_listed(ts, step, &law, err);
}

/* N s, what the overlaps of the listed contacts and the way of the step would give */
static double scale_of(const struct sg_time_stepping *ts, const struct sg_stepping *step, const void *nothing)
{
    const struct sg_penalty *law = ts->scheme_data;
    double scale = 0.0, h = step->attempt.span.h;
    (void)nothing;
    for (size_t i = 0; i < ts->count; i++) {
        size_t j = ts->list[i];
        scale = fmax(scale, h * law->kappa[j] * (fabs(ts->gap[j]) + fabs(law->base[j] - ts->gap[j])));
    }
    return scale;
}

static void renew(struct sg_time_stepping *ts, const struct sg_stepping *step, const void *nothing)
{
    (void)nothing;
    place(ts, step, ts->jump.dv);
    list_near(ts);
}

static sg_status solve(struct sg_time_stepping *ts, const struct sg_stepping *step, struct sg_error *err)
{
    static const struct sg_penalty_iteration iteration = {NULL, scale_of, renew, solve_frame};
    if (ts->q == 0) return SG_OK;
    place(ts, step, NULL);
    list_near(ts);
    if (ts->count == 0) return SG_OK;
    if (!sg_stepping_response(ts, step)->fixed)
        TRY(sg_response_begin(sg_stepping_response(ts, step), step->kick, err));
    TRY(solve_frame(ts, step, err));
    if (!ts->run.contacts->affine) TRY(sg_penalty_settle(ts, step, &iteration, err));
    ts->ops->apply_impulses(ts->run.integrator, ts->run.phase, &step->attempt, &ts->jump);
    return SG_OK;
}

const struct sg_stepping_scheme sg_penalty_midpoint = {.take = sg_stepping_take,
                                                       .prepare = sg_penalty_prepare,
                                                       .solve = solve,
                                                       .account = sg_penalty_midpoint_account,
                                                       .energy = sg_penalty_energy,
                                                       .force = sg_penalty_force_at_start,
                                                       .archive = sg_penalty_archive,
                                                       .release = sg_penalty_release};
