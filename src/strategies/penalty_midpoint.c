/* Forms "conserving" (Armero and Petocz 1998) and "dissipating" (in the manner of Armero and Romero 2001):
 * the force of a midpoint step is what makes its work the change of the contact's energy,
 *
 *     f (g1 - g0) = -(U(g1) - U(g0)) - D,   along w with w . (u1 - u0) = g1 - g0 at rest obstacles.
 *
 * With g1 = base + G r, G = (h/2) H, the reactions r = h f(g1) are where the convex function
 *
 *     (1/2) r . G r + h sum Psi_j(base_j + (G r)_j),   Psi' = -f,
 *
 * is least, for f falls with g1: Newton's method, with the step along its direction found exactly. */
#include <math.h>
#include <string.h>

#include "contact/gap.h"
#include "linalg/small.h"
#include "linalg/vector.h"
#include "strategies/penalty.h"

enum { NEWTON = 200, BISECTIONS = 60 };

struct sg_penalty_force sg_penalty_step_force(double kappa, double chi, double g0, double g1)
{
    double half = 0.5 * kappa, change = g1 - g0;
    if (g0 < 0.0 && g1 < 0.0)
        return (struct sg_penalty_force){-half * (g0 + g1 + chi * change), -half * (1.0 + chi)};
    if (g1 < 0.0) {
        double part = g1 / change; /* of the step's way, within the obstacle */
        half *= 1.0 + chi;
        return (struct sg_penalty_force){-half * g1 * part, -half * part * (2.0 - part)};
    }
    if (g0 < 0.0) {
        double part = -g0 / change;
        half *= 1.0 - chi;
        return (struct sg_penalty_force){-half * g0 * part, -half * part * part};
    }
    return (struct sg_penalty_force){0.0, 0.0};
}

/* --- the contacts' problem ------------------------------------------------------------------------------ */

/* `size` contacts; r and the arrays are packed as the list is */
struct problem {
    struct sg_time_stepping *ts;
    struct sg_penalty *law;
    size_t size;
    double h, move; /* s: G = move H */
    double *r;      /* N s */
    double *gap;    /* base + G r */
    double *y;      /* G d of a direction d */
    double *d;
};

static double base_of(const struct problem *p, size_t i)
{
    return p->law->base[p->ts->list[i]];
}

static struct sg_penalty_force force_at(const struct problem *p, size_t i, double gap)
{
    size_t j = p->ts->list[i];
    return sg_penalty_step_force(p->law->kappa[j], p->law->chi, p->ts->gap[j], gap);
}

/* y = G x */
static void apply(const struct problem *p, const double *x, double *y)
{
    for (size_t i = 0; i < p->size; i++) y[i] = p->move * sg_dot(p->size, p->ts->h + i * p->size, x);
}

/* what r - h f leaves, into -d, and whether that is rounding */
static bool residual(struct problem *p)
{
    double largest = 0.0, rest = 0.0, rounding = 0.0;
    for (size_t i = 0; i < p->size; i++) {
        struct sg_penalty_force f = force_at(p, i, p->gap[i]);
        double wanted = p->h * f.value, terms = fabs(base_of(p, i)) + fabs(p->gap[i]);
        p->d[i] = wanted - p->r[i];
        rest = fmax(rest, fabs(p->d[i]));
        largest = fmax(largest, fmax(fabs(wanted), fabs(p->r[i])));
        rounding = fmax(rounding, 4e-16 * p->h * fabs(f.slope) * terms);
    }
    return rest <= 1e-15 * largest + rounding;
}

/* d := (I + h F G)^-1 d, F = -df/dg1 */
static bool newton_direction(struct problem *p)
{
    size_t m = p->size;
    for (size_t i = 0; i < m; i++) {
        double slope = -p->h * p->move * force_at(p, i, p->gap[i]).slope;
        for (size_t k = 0; k < m; k++)
            p->law->matrix[k * m + i] = (i == k ? 1.0 : 0.0) + slope * p->ts->h[k * m + i];
    }
    if (!sg_small_factor(m, p->law->matrix, p->law->pivot)) return false;
    sg_small_solve(m, p->law->matrix, p->law->pivot, p->d);
    return true;
}

/* slope of the convex function at r + s d: y . (r + s d - h f) */
static double slope_along(const struct problem *p, double s)
{
    double sum = 0.0;
    for (size_t i = 0; i < p->size; i++) {
        double f = force_at(p, i, p->gap[i] + s * p->y[i]).value;
        sum += p->y[i] * (p->r[i] + s * p->d[i] - p->h * f);
    }
    return sum;
}

/* how far along d: all of it, or, where that climbs, to where the slope is next to nothing */
static double step_along(const struct problem *p)
{
    double start = fabs(slope_along(p, 0.0)), low = 0.0, high = 1.0;
    if (slope_along(p, 1.0) <= 0.5 * start) return 1.0;
    for (int k = 0; k < BISECTIONS; k++) {
        double middle = 0.5 * (low + high), slope = slope_along(p, middle);
        if (fabs(slope) <= 0.1 * start) return middle;
        if (slope < 0.0)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static sg_status newton(struct problem *p, const struct sg_stepping *step, struct sg_error *err)
{
    struct sg_time_stepping *ts = p->ts;
    apply(p, p->r, p->gap);
    for (size_t i = 0; i < p->size; i++) p->gap[i] += base_of(p, i);
    for (int k = 0; k < NEWTON; k++) {
        if (residual(p)) return SG_OK;
        if (!newton_direction(p)) break;
        apply(p, p->d, p->y);
        double s = step_along(p);
        for (size_t i = 0; i < p->size; i++) {
            p->r[i] += s * p->d[i];
            p->gap[i] += s * p->y[i];
        }
        /* what has gathered is more than rounding of a fresh one */
        if (k % 8 != 7) continue;
        apply(p, p->r, p->gap);
        for (size_t i = 0; i < p->size; i++) p->gap[i] += base_of(p, i);
    }
    FAIL(err, SG_NO_SOLUTION, "at step %lld, t = %.17g s: the forces of %zu contacts can't be found",
         ts->steps + 1, step->attempt.span.t, p->size);
}

/* --- a step --------------------------------------------------------------------------------------------- */

/* of u1 by a change of v1, s */
static double move_of(const struct sg_time_stepping *ts, const struct sg_stepping *step)
{
    struct sg_reach reach = ts->ops->reach(ts->run.integrator, &step->attempt);
    return reach.compliance / (1.0 - reach.share);
}

/* The mean normal of a curved gap: that of the middle, turned so that it gives the change of the gap between
 * the end states (Gonzalez 1996): only then is work what the energies say. `u1`: n, the iterate's end. */
static void turn_normal(struct sg_time_stepping *ts, const struct sg_stepping *step, size_t j,
                        const double *u1)
{
    const struct sg_contact_set *set = ts->run.contacts;
    const double *u0 = step->attempt.from->u;
    double t1 = step->attempt.span.t + step->attempt.span.h, square = 0.0, along = 0.0;
    struct sg_columns *w = &ts->frame.own_normal;
    for (size_t e = w->start[j]; e < w->start[j + 1]; e++) {
        double du = u1[w->row[e]] - u0[w->row[e]];
        square += du * du;
        along += w->value[e] * du;
    }
    if (!(square > 0.0)) return;
    double lack = sg_contact_set_gap(set, j, t1, u1) - sg_contact_set_gap(set, j, t1, u0) - along;
    for (size_t e = w->start[j]; e < w->start[j + 1]; e++)
        w->value[e] += lack / square * (u1[w->row[e]] - u0[w->row[e]]);
}

/* frame of the iterate, and the gaps that it gives at the end of the step without contacts */
static void place(struct sg_time_stepping *ts, const struct sg_stepping *step, const double *dv)
{
    struct sg_penalty *law = ts->law_data;
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
        ts->place[i] = 0.5 * (u0[i] + law->end[i]);
    }
    sg_contact_set_place(set, t1 - 0.5 * step->attempt.span.h, ts->place, &ts->frame);
    for (size_t j = 0; j < ts->q; j++) {
        if (!set->gaps[j].straight) turn_normal(ts, step, j, law->end);
        law->base[j] = sg_contact_set_gap(set, j, t1, u0) + sg_columns_dot(ts->frame.normal, j, free) -
                       sg_columns_dot(ts->frame.normal, j, u0);
    }
}

static void list_near(struct sg_time_stepping *ts)
{
    const struct sg_penalty *law = ts->law_data;
    for (size_t j = 0; j < ts->q; j++)
        if ((law->base[j] < 0.0 || ts->gap[j] < 0.0) && !ts->listed[j]) sg_stepping_list(ts, j);
}

/* reactions of the listed contacts into ts->r, their change of velocity into ts->jump.dv */
static sg_status solve_frame(struct sg_time_stepping *ts, const struct sg_stepping *step,
                             struct sg_error *err)
{
    struct sg_penalty *law = ts->law_data;
    struct problem p = {.ts = ts,
                        .law = law,
                        .h = step->attempt.span.h,
                        .move = move_of(ts, step),
                        .r = ts->packed,
                        .gap = ts->b,
                        .y = law->y,
                        .d = law->rhs};
    do {
        struct sg_contact_list list = {ts->list, ts->count};
        p.size = ts->count;
        TRY(sg_response_delassus(sg_stepping_response(ts, step), list, ts->h, err));
        for (size_t i = 0; i < ts->count; i++) ts->packed[i] = ts->r[ts->list[i]];
        TRY(newton(&p, step, err));
        for (size_t i = 0; i < ts->count; i++) ts->r[ts->list[i]] = ts->packed[i];
        sg_response_velocity(sg_stepping_response(ts, step), list, ts->packed, &ts->jump);
    } while (sg_stepping_extend(ts, law->base, NULL, p.move));
    return SG_OK;
}

/* N s, what the overlaps of the listed contacts and the way of the step would give */
static double scale_of(const struct sg_time_stepping *ts, const struct sg_stepping *step, const void *nothing)
{
    const struct sg_penalty *law = ts->law_data;
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

static sg_status prepare(struct sg_time_stepping *ts, const struct sg_stepping *step, struct sg_error *err)
{
    if (ts->q == 0 || !sg_stepping_response(ts, step)->fixed) return SG_OK;
    return sg_response_begin(sg_stepping_response(ts, step), step->kick, err);
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
    ts->ops->settle(ts->run.integrator, ts->run.phase, &step->attempt, &ts->jump);
    return SG_OK;
}

const struct sg_stepping_law sg_penalty_midpoint = {.take = sg_stepping_take,
                                                    .prepare = prepare,
                                                    .solve = solve,
                                                    .account = sg_penalty_midpoint_account,
                                                    .energy = sg_penalty_energy,
                                                    .archive = sg_penalty_archive,
                                                    .release = sg_penalty_release};
