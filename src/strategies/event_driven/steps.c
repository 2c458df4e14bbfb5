/* Which step comes next. While a contact is closed its spring raises the highest frequency, and a step that
 * does not follow it crosses openings unseen. Three rules, by `time.contact_increments`:
 *
 *   "closed"  While springs are closed, the step follows the frequencies of those that are closed *now*. With
 *             kappa_j their stiffnesses and G the Delassus operator W^T M^-1 W,
 *
 *                 omega^2 <= omega_free^2 + lambda_max(kappa^1/2 G kappa^1/2)
 *                         <= omega_free^2 + max_j sum_k |G_jk| sqrt(kappa_j kappa_k),  j, k closed,
 *
 *             since the eigenvalues of a sum are at most the sum of the largest (Weyl) and those of a matrix
 *             at most its largest row sum. A contact of another body has G_jk = 0 and does not count.
 *   "all"     As long as a contact is closed, the contact step of the model with every spring closed.
 *   a number  The contact step for so many increments after an event: the rule behind the tables of Depouhon
 *             et al. 2014, which trusts numerical damping to end what rings on a spring.
 *
 * A factorisation belongs to each step size. So the first rule takes the contact step times a power of 2, and
 * there are few sizes, whichever contacts close. */
#include <math.h>

#include "linalg/effective.h"
#include "strategies/event_driven/event_driven.h"

static bool any_closed(const struct sg_event_driven *ed)
{
    for (size_t j = 0; j < ed->run.contacts->q; j++)
        if (ed->status[j] != SG_LAW_OPEN) return true;
    return false;
}

/* Whether steps follow what is closed: given steps are what the user wants, and where `dynamics` makes the
 * phases the operator has no rows for them. A single contact has but one set to be closed. */
static bool follows(const struct sg_event_driven *ed)
{
    const struct sg_time_spec *time = &ed->run.time;
    return time->contact_increments == SG_REDUCED_BY_CLOSED && isnan(time->step) &&
           isnan(time->contact_step) && ed->dynamics == NULL && ed->run.contacts->q > 1 &&
           ed->sizes.contact_step < ed->sizes.step;
}

/* N/m: of a closed spring */
static double stiffness(const struct sg_event_driven *ed, size_t j)
{
    const struct sg_law *law = &ed->run.contacts->laws[j];
    if (ed->status[j] == SG_LAW_OPEN || !ed->run.contacts->sprung[j]) return 0.0;
    return law->ops->piece(law, ed->memory + j * SG_LAW_MEMORY, ed->status[j]).stiffness;
}

/* rad^2/s^2: the largest row sum over the closed springs, g (q x q) the Delassus operator; ed->small is
 * scratch
 */
static double largest_row_sum(struct sg_event_driven *ed, const double *g)
{
    size_t q = ed->run.contacts->q;
    double *root = ed->small, largest = 0.0;
    for (size_t j = 0; j < q; j++) root[j] = sqrt(stiffness(ed, j));
    for (size_t j = 0; j < q; j++) {
        if (root[j] == 0.0) continue;
        double sum = 0.0;
        for (size_t k = 0; k < q; k++) sum += fabs(g[j * q + k]) * root[k];
        largest = fmax(largest, root[j] * sum);
    }
    return largest;
}

sg_status sg_event_steps_follow(struct sg_event_driven *ed, struct sg_error *err)
{
    const double *g = NULL;
    if (!follows(ed) || !any_closed(ed)) return SG_OK;
    TRY(sg_effective_delassus(ed->run.op, &g, err));
    double free = ed->sizes.omega_free, omega = sqrt(free * free + largest_row_sum(ed, g));
    double longer = fmax(1.0, ed->sizes.omega_closed / omega);
    int power = (int)floor(log2(longer * (1.0 + 1e-12)));
    ed->closed_step = fmin(ed->sizes.step, ldexp(ed->sizes.contact_step, power));
    return SG_OK;
}

/* Explicit schemes need the contact step as long as a contact is closed, whatever the rule is. */
static bool reduces_while_closed(const struct sg_event_driven *ed)
{
    return ed->run.time.contact_increments < 0 || isfinite(ed->run.integrator->stability);
}

/* A step that the deck does not give sees its loads too; and so do those of a motion in closed form, which do
 * not change results: for them curved loads are polynomials over a twentieth of a period. */
static double regular_step(const struct sg_event_driven *ed)
{
    const struct sg_time_spec *time = &ed->run.time;
    bool seen = ed->run.integrator->ops->flow != NULL;
    bool counted = ed->reduced > 0, closed = !counted && reduces_while_closed(ed) && any_closed(ed);
    double h = counted ? ed->sizes.contact_step : closed ? ed->closed_step : ed->sizes.step;
    if (seen) return fmin(h, sg_system_longest_step(ed->run.system, ed->t));
    if (!isnan(time->step) || ((counted || closed) && !isnan(time->contact_step))) return h;
    return fmin(h, sg_system_longest_step(ed->run.system, ed->t));
}

struct sg_event_stop sg_event_next_stop(const struct sg_event_driven *ed)
{
    struct sg_event_stop stop = {.t = fmin(ed->run.time.end, sg_system_next_break(ed->run.system, ed->t))};
    stop.h = stop.t - ed->t;
    /* beyond it by rounding, the step would already see the load after a jump */
    while (ed->t + stop.h > stop.t) stop.h = nextafter(stop.h, 0.0);
    return stop;
}

double sg_event_choose_step(struct sg_event_driven *ed, const struct sg_event_stop *stop)
{
    double h = regular_step(ed);
    if (ed->hint > 0.0) h = fmin(h, ed->hint);
    ed->hint = 0.0;
    return h * (1.0 + 1e-9) >= stop->h ? stop->h : h;
}

double sg_event_next_time(struct sg_event_driven *ed, double h, const struct sg_event_stop *stop)
{
    if (h != ed->h || ed->count == 0) {
        ed->base = ed->t;
        ed->h = h;
        ed->count = 0;
    }
    ed->count++;
    double t = ed->base + (double)ed->count * h;
    return h == stop->h ? stop->t : t;
}
