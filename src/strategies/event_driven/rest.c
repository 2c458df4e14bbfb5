/* Which of the rigid contacts that touch rest: the complementarity problem of their accelerations, and where
 * these are 0, of the next derivative. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "linalg/vector.h"
#include "strategies/event_driven/event_driven.h"

/* What is smaller than so many machine epsilons of what it is the sum of has no sign. */
static const double ROUNDING = 64.0 * DBL_EPSILON;

/* The derivatives look at loads over this share of a step: their rates to a millionth. */
static const double SHORT = 1e-6;

static bool resting(const struct sg_event_driven *ed, size_t j)
{
    return ed->status[j] && !ed->run.contacts->sprung[j];
}

sg_status sg_event_free_acceleration(struct sg_event_driven *ed, double t, const struct sg_event_point *at,
                                     double *b, struct sg_error *err)
{
    const struct sg_contact_set *set = ed->run.contacts;
    for (size_t j = 0; j < set->q; j++)
        if (!set->sprung[j]) ed->status[j] = 0;
    sg_effective_set_active(ed->run.op, ed->status);
    TRY(sg_phase_acceleration(ed->run.phase, t, at->x.u, at->x.v, ed->acceleration, err));
    for (size_t j = 0; j < set->q; j++) b[j] = sg_columns_dot(&set->w, j, ed->acceleration);
    return SG_OK;
}

/* --- rounding ------------------------------------------------------------------------------------- */

/* Forces that a sum is made of: a load, and K x + C y. */
struct terms {
    const double *load; /* n, N */
    const double *x, *y;
    bool offsets; /* springs begin where their gap is 0; else they go with x alone */
};

/* sum_k |A_ik x_k| */
static double row_size(const struct sg_matrix *a, size_t i, const double *x)
{
    size_t first = i > a->width ? i - a->width : 0, end = i + a->width + 1 < a->n ? i + a->width + 1 : a->n;
    double sum = 0.0;
    for (size_t k = first; !a->zero && k < end; k++) sum += fabs(sg_matrix_entry(a, i, k) * x[k]);
    return sum;
}

/* The sum of the magnitudes that w_j . M^-1 (load - K x - C y - springs) is made of, M by its diagonal. */
static double size_of(const struct sg_event_driven *ed, const double *g, size_t j, const struct terms *of)
{
    const struct sg_system *system = ed->run.system;
    const struct sg_contact_set *set = ed->run.contacts;
    const struct sg_columns *w = &set->w;
    double sum = 0.0;
    for (size_t k = w->start[j]; k < w->start[j + 1]; k++) {
        size_t i = sg_columns_row(w, j, k);
        double force = fabs(of->load[i]) + row_size(&system->K, i, of->x);
        if (system->damped) force += row_size(&system->C, i, of->y);
        sum += fabs(w->value[k]) * force / sg_matrix_entry(&system->M, i, i);
    }
    for (size_t k = 0; k < set->q; k++) {
        if (!set->sprung[k] || !ed->status[k]) continue;
        double way = sg_columns_dot_abs(w, k, of->x) + (of->offsets ? fabs(set->offset[k]) : 0.0);
        sum += fabs(g[k * set->q + j]) * sg_effective_rows_view(ed->run.op)->kappa[k] * way;
    }
    return sum;
}

/* --- one order of derivatives --------------------------------------------------------------------- */

/* The reactions r of the members solve 0 <= b + G r _|_ r >= 0, b = W^T (derivative without them) in
 * ed->small. Members with r > 0 beyond rounding rest, those whose derivative is positive beyond
 * it open and are members no longer; those that are left have none to tell them. Returns whether any is. */
static bool sort_members(struct sg_event_driven *ed, const double *g, const double *r, const struct terms *of)
{
    size_t q = ed->run.contacts->q;
    const double *b = ed->small;
    bool open = false;
    for (size_t j = 0; j < q; j++) {
        ed->rests[j] = 0;
        if (!ed->member[j]) continue;
        double derivative = b[j], size = size_of(ed, g, j, of);
        for (size_t k = 0; k < q; k++) {
            derivative += g[k * q + j] * r[k];
            size += fabs(g[k * q + j] * r[k]);
        }
        bool pressed = r[j] * g[j * q + j] > ROUNDING * size;
        bool leaves = !pressed && derivative > ROUNDING * size;
        ed->rests[j] = pressed;
        ed->member[j] = !pressed && !leaves;
        open = open || ed->member[j];
    }
    for (size_t j = 0; j < q; j++)
        if (ed->rests[j]) ed->status[j] = 1;
    return open;
}

/* Members that the contacts at rest hold need no decision. */
static bool drop_dependent(struct sg_event_driven *ed, const double *g)
{
    size_t q = ed->run.contacts->q;
    bool any = false;
    for (size_t j = 0; j < q; j++) ed->rests[j] = resting(ed, j);
    for (size_t j = 0; j < q; j++) {
        ed->member[j] = ed->member[j] && !sg_lcp_depends(&ed->lcp, g, ed->rests, j);
        any = any || ed->member[j];
    }
    return any;
}

/* ed->held (q x q): W^T S W of the members, S the inverse of M in the null space of the contacts at rest */
static sg_status hold(struct sg_event_driven *ed, struct sg_error *err)
{
    const struct sg_columns *w = &ed->run.contacts->w;
    size_t q = ed->run.contacts->q, slot = 0;
    TRY(sg_effective_prepare(ed->run.op, 1.0, 0.0, 0.0, &slot, err));
    memset(ed->held, 0, q * q * sizeof *ed->held);
    for (size_t k = 0; k < q; k++) {
        if (!ed->member[k]) continue;
        memset(ed->acceleration, 0, ed->run.system->n * sizeof *ed->acceleration);
        sg_columns_add(w, k, 1.0, ed->acceleration);
        sg_effective_solve(ed->run.op, slot, ed->acceleration);
        for (size_t j = 0; j < q; j++)
            if (ed->member[j]) ed->held[k * q + j] = sg_columns_dot(w, j, ed->acceleration);
    }
    return SG_OK;
}

/* to rates of loads, over a short span, what rounding of the loads at its ends may make of them */
static void add_load_rounding(const struct sg_event_driven *ed, struct sg_span span, double *rate)
{
    if (ed->run.phase->steady) return;
    const double *load = sg_phase_load(ed->run.phase, span.t);
    for (size_t i = 0; i < ed->run.system->n; i++) rate[i] = fabs(rate[i]) + fabs(load[i]) / span.h;
}

/* Members without acceleration, as where a force is about to grow: with those that are pressed at rest, the
 * rate of their accelerations decides in the same way. Who has none either rests without force. */
static sg_status decide_by_rates(struct sg_event_driven *ed, double t, const struct sg_event_point *at,
                                 const double *g, struct sg_error *err)
{
    const struct sg_contact_set *set = ed->run.contacts;
    size_t n = ed->run.system->n;
    double *a = ed->rates, *rate = a + n, *load = rate + n, *r = ed->force_inside;
    double h = fmin(ed->sizes.step, ed->sizes.contact_step);
    struct sg_span span = {t, SHORT * fmin(h, sg_system_next_break(ed->run.system, t) - t)};
    sg_effective_set_active(ed->run.op, ed->status);
    TRY(sg_phase_acceleration(ed->run.phase, t, at->x.u, at->x.v, a, err));
    TRY(sg_phase_acceleration_rate(ed->run.phase, span, at->x.v, a, rate, err));
    for (size_t j = 0; j < set->q; j++) {
        ed->small[j] = sg_columns_dot(&set->w, j, rate);
        if (ed->member[j]) sg_event_mark_zeros(ed, j, 3, 0.0);
    }
    TRY(hold(ed, err));
    TRY(sg_lcp_solve(&ed->lcp, ed->held, ed->small, ed->member, r, err));
    add_load_rounding(ed, span, load);
    const struct terms of = {load, at->x.v, a, false};
    if (!sort_members(ed, ed->held, r, &of)) return SG_OK;
    for (size_t j = 0; j < set->q; j++) ed->rests[j] = resting(ed, j);
    for (size_t j = 0; j < set->q; j++)
        if (ed->member[j] && !sg_lcp_depends(&ed->lcp, g, ed->rests, j)) ed->status[j] = ed->rests[j] = 1;
    return SG_OK;
}

/* --- rest ----------------------------------------------------------------------------------------- */

/* Of contacts at rest the zeros are those of the reaction: 0 itself where its rate has decided. */
static void mark_reactions(struct sg_event_driven *ed)
{
    for (size_t j = 0; j < ed->run.contacts->q; j++)
        if (resting(ed, j)) sg_event_mark_zeros(ed, j, ed->certificate.zero_next[j] == 3 ? 1 : 0, 0.0);
}

/* `held` from the contacts at rest */
static void find_dependent(struct sg_event_driven *ed, const double *g)
{
    size_t q = ed->run.contacts->q;
    bool any = false;
    for (size_t j = 0; j < q; j++) {
        ed->rests[j] = resting(ed, j);
        any = any || ed->rests[j];
    }
    for (size_t j = 0; j < q; j++)
        ed->dependent[j] =
            any && !ed->run.contacts->sprung[j] && !ed->rests[j] && sg_lcp_depends(&ed->lcp, g, ed->rests, j);
}

sg_status sg_event_solve_rest(struct sg_event_driven *ed, double t, const struct sg_event_point *at,
                              struct sg_error *err)
{
    const double *g = NULL;
    TRY(sg_event_free_acceleration(ed, t, at, ed->small, err));
    TRY(sg_effective_delassus(ed->run.op, &g, err));
    TRY(sg_lcp_solve(&ed->lcp, g, ed->small, ed->member, ed->reaction, err));
    const struct terms of = {sg_phase_load(ed->run.phase, t), at->x.u, at->x.v, true};
    if (sort_members(ed, g, ed->reaction, &of) && drop_dependent(ed, g))
        TRY(decide_by_rates(ed, t, at, g, err));
    mark_reactions(ed);
    find_dependent(ed, g);
    sg_effective_set_active(ed->run.op, ed->status);
    return SG_OK;
}
