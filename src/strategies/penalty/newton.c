#include <math.h>

#include "linalg/small.h"
#include "linalg/vector.h"
#include "strategies/penalty/penalty.h"

enum { NEWTON = 200, BISECTIONS = 60 };

struct problem {
    struct sg_penalty_force (*force)(const void *context, size_t j, double gap);
    const void *context;
    double duration, move, rounding;
    size_t size;        /* contacts; the arrays are packed as `list` is, but for `base` */
    const size_t *list; /* their numbers */
    const double *h;    /* size^2: H */
    const double *base; /* by contact: m */
    double *r;          /* N s: start, then solution */
    double *gap;        /* base + G r */
    double *y, *d;      /* scratch: G d of a direction d */
    double *matrix;     /* scratch: size^2 */
    size_t *pivot;      /* scratch */
};

/* y = G x */
static void apply(const struct problem *p, const double *x, double *y)
{
    for (size_t i = 0; i < p->size; i++) y[i] = p->move * sg_dot(p->size, p->h + i * p->size, x);
}

static void renew_gaps(struct problem *p)
{
    apply(p, p->r, p->gap);
    for (size_t i = 0; i < p->size; i++) p->gap[i] += p->base[p->list[i]];
}

static struct sg_penalty_force force_at(const struct problem *p, size_t i, double gap)
{
    return p->force(p->context, p->list[i], gap);
}

/* what r - T f leaves, into -d, and whether that is rounding */
static bool residual(struct problem *p)
{
    double largest = 0.0, rest = 0.0, rounding = 0.0;
    for (size_t i = 0; i < p->size; i++) {
        struct sg_penalty_force f = force_at(p, i, p->gap[i]);
        double wanted = p->duration * f.value, terms = fabs(p->base[p->list[i]]) + fabs(p->gap[i]);
        p->d[i] = wanted - p->r[i];
        rest = fmax(rest, fabs(p->d[i]));
        largest = fmax(largest, fmax(fabs(wanted), fabs(p->r[i])));
        rounding = fmax(rounding, 4e-16 * p->duration * fabs(f.slope) * terms);
    }
    return rest <= p->rounding * largest + rounding;
}

/* d := (I + T F G)^-1 d, F = -df/dg1 */
static bool newton_direction(struct problem *p)
{
    size_t m = p->size;
    for (size_t i = 0; i < m; i++) {
        double slope = -p->duration * p->move * force_at(p, i, p->gap[i]).slope;
        for (size_t k = 0; k < m; k++) p->matrix[k * m + i] = (i == k ? 1.0 : 0.0) + slope * p->h[k * m + i];
    }
    if (!sg_small_factor(m, p->matrix, p->pivot)) return false;
    sg_small_solve(m, p->matrix, p->pivot, p->d);
    return true;
}

/* slope of the convex function at r + s d: y . (r + s d - T f) */
static double slope_along(const struct problem *p, double s)
{
    double sum = 0.0;
    for (size_t i = 0; i < p->size; i++) {
        double f = force_at(p, i, p->gap[i] + s * p->y[i]).value;
        sum += p->y[i] * (p->r[i] + s * p->d[i] - p->duration * f);
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

static bool find_least(struct problem *p)
{
    renew_gaps(p);
    for (int k = 0; k < NEWTON; k++) {
        if (residual(p)) return true;
        if (!newton_direction(p)) return false;
        apply(p, p->d, p->y);
        double s = step_along(p);
        for (size_t i = 0; i < p->size; i++) {
            p->r[i] += s * p->d[i];
            p->gap[i] += s * p->y[i];
        }
        /* what has gathered is more than rounding of a fresh one */
        if (k % 8 == 7) renew_gaps(p);
    }
    return false;
}

sg_status sg_penalty_solve_listed(struct sg_time_stepping *ts, const struct sg_stepping *step,
                                  const struct sg_penalty_law *law, struct sg_error *err)
{
    struct sg_penalty *data = ts->scheme_data;
    struct problem p = {.force = law->force,
                        .context = law->context,
                        .duration = law->duration,
                        .move = law->move,
                        .rounding = law->rounding,
                        .list = ts->list,
                        .h = ts->h,
                        .base = data->base,
                        .r = ts->packed,
                        .gap = ts->b,
                        .y = data->y,
                        .d = data->rhs,
                        .matrix = data->matrix,
                        .pivot = data->pivot};
    do {
        struct sg_contact_list list = {ts->list, ts->count};
        p.size = ts->count;
        TRY(sg_response_delassus(sg_stepping_response(ts, step), list, ts->h, err));
        for (size_t i = 0; i < ts->count; i++) ts->packed[i] = ts->r[ts->list[i]];
        if (!find_least(&p))
            FAIL(err, SG_NO_SOLUTION,
                 "at step %lld, t = %.17g s: the forces of the contacts that are closed (%zu) can't be found",
                 ts->steps + 1, step->attempt.span.t, p.size);
        for (size_t i = 0; i < ts->count; i++) ts->r[ts->list[i]] = ts->packed[i];
        sg_response_velocity(sg_stepping_response(ts, step), list, ts->packed, &ts->jump);
    } while (sg_stepping_extend(ts, data->base, NULL, p.move));
    return SG_OK;
}
