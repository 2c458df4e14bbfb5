/* The update that keeps momentum and energy. Beside the end of the step with contacts, `c`, and that without,
 * `-`, whose energy is what the motion has, there is
 *
 *     p   what `c` becomes by impulses that stop the contacts: v_p = v_c + M^-1 G (r_p - r_c)
 *
 * r_c is what the constraint gave to the momentum, G the normals. Between `p` and `-` lies the energy that
 * the contacts took, a_j each; of it they give e_j^2 back, by impulses s along their normals (rebound.h):
 *
 *     v* = v_p + M^-1 G s,      s_j (G^T (v_p + v*) / 2)_j = e_j^2 a_j.
 *
 * So what one body gets the other gives, and the energy is that of the step without contacts less
 * sum (a_j - b_j). Speeds along normals are relative to obstacles. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "contact/solvers/rebound.h"
#include "strategies/time_stepping/update.h"

/* An impulse acts at once: the response of a step of no length, D = M^-1. */
static struct sg_kick blow(const struct sg_time_stepping *ts, double t)
{
    return (struct sg_kick){{t, 0.0}, ts->ops->stages - 1};
}

static sg_status init(struct sg_time_stepping *ts, struct sg_error *err)
{
    struct sg_update_shares *shares = &ts->update.shares;
    struct sg_response_spec spec = {.integrator = ts->run.integrator,
                                    .phase = ts->run.phase,
                                    .contacts = ts->run.contacts,
                                    .frame = &ts->frame,
                                    .first = blow(ts, 0.0)};
    double **const by_contact[] = {&shares->held, &shares->rebound, &shares->energy, &shares->noise};
    for (size_t k = 0; k < sizeof by_contact / sizeof *by_contact; k++)
        TRY(SG_ARENA_NEW(&ts->arena, by_contact[k], ts->q, err));
    TRY(SG_ARENA_NEW(&ts->arena, &shares->group, ts->q, err));
    return sg_response_init(&ts->arena, &shares->blow, &spec, err);
}

/* --- impulses that stop --------------------------------------------------------------------------- */

/* v += M^-1 G x of the list */
static void hit(struct sg_time_stepping *ts, const double *x)
{
    struct sg_contact_list list = {ts->list, ts->count};
    sg_response_velocity(&ts->update.shares.blow, list, x, &ts->jump);
    for (size_t i = ts->jump.first; i < ts->jump.end; i++) ts->to.v[i] += ts->jump.dv[i];
}

/* N s: what the constraint of contact j gave to the momentum in the step */
static double given_in_all(const struct sg_time_stepping *ts, size_t j)
{
    double sum = 0.0;
    for (size_t k = 0; k < ts->ops->stages; k++) sum += ts->update.given[k][j];
    return sum;
}

/* ts->to.v becomes v_p, ts->packed r_p, and ts->update.shares.held r_p - r_c: 0 <= r_p _|_ G^T v_p >= 0. */
static sg_status stop(struct sg_time_stepping *ts, double t1, struct sg_error *err)
{
    struct sg_contact_problem problem = {.count = ts->count, .h = ts->h, .b = ts->b};
    struct sg_contact_report report;
    double *change = ts->update.shares.held;
    sg_stepping_rates(ts, ts->to.v, ts->frame.drift, ts->b);
    for (size_t i = 0; i < ts->count; i++)
        for (size_t k = 0; k < ts->count; k++)
            ts->b[i] -= ts->h[k * ts->count + i] * given_in_all(ts, ts->list[k]);
    memset(ts->packed, 0, ts->count * sizeof(double));
    sg_status status = sg_contact_solve(&ts->solver, &problem, ts->packed, &report, err);
    if (status != SG_OK) {
        struct sg_error why = *err;
        FAIL(err, status, "the update at t = %.17g s: %s", t1, why.text);
    }
    for (size_t i = 0; i < ts->count; i++) change[i] = ts->packed[i] - given_in_all(ts, ts->list[i]);
    hit(ts, change);
    return SG_OK;
}

/* --- the energy that contacts took ---------------------------------------------------------------- */

/* An impulse in contact j with the work that it does on its way by `rate` (m/s); the size of its terms may be
 * rounding. */
static void take(struct sg_update_shares *shares, size_t i, double impulse, double rate, double size)
{
    shares->energy[i] -= impulse * rate;
    shares->noise[i] += fabs(impulse) * size;
}

/* sum |w_i x_i| */
static double size_of(const struct sg_columns *w, size_t j, const double *x)
{
    double sum = 0.0;
    for (size_t k = w->start[j]; k < w->start[j + 1]; k++) sum += fabs(w->value[k] * x[w->row[k]]);
    return sum;
}

/* m/s: drift of contact j by its obstacle `before` the end of the step, of an obstacle that gets faster
 * evenly and goes as far in the step */
static double drift_at(const struct sg_time_stepping *ts, size_t j, struct sg_span span, double before)
{
    double end = ts->frame.drift[j];
    double way = sg_contact_set_obstacle_way(ts->run.contacts, j, span.t, span.t + span.h);
    return end - 2.0 * before / span.h * (end + way / span.h);
}

/* The energy of `p` less that of `-` is, exactly for linear systems,
 *
 *     p . (v_p - v-) + s . (u - u-),     p = M (v_p + v-) / 2,  s = (r(u) + r(u-)) / 2,  r = K u - f,
 *
 * and linear in the impulses that make the one state of the other. By contact: x_k = dE/dr_k for those at
 * point k, traced back through the step, and (w_p + w-)/2 for those of `stop`. In the frame of an obstacle,
 * which gets faster by c in a step of length h, x_k is more by the obstacle's speed `reach` before the end.
 */
static sg_status trace(struct sg_time_stepping *ts, const struct sg_stepping *step, double *x, double *s,
                       struct sg_error *err)
{
    struct sg_stepping_update *update = &ts->update;
    struct sg_attempt attempt = step->attempt;
    struct sg_kick kick = step->kick;
    for (size_t stage = ts->ops->stages; stage-- > 0;) {
        attempt.stage = kick.stage = stage;
        struct sg_collocation at = ts->ops->collocation(ts->run.integrator, &attempt);
        for (size_t i = 0; i < ts->n; i++) x[i] += at.compliance * s[i];
        TRY(ts->ops->apply_response(ts->run.integrator, ts->run.phase, kick, x, err));
        for (size_t i = 0; i < ts->count; i++) {
            size_t j = ts->list[i];
            double rate = sg_columns_dot(ts->frame.normal, j, x) + drift_at(ts, j, attempt.span, at.reach);
            take(&update->shares, i, update->given[stage][j], rate, size_of(ts->frame.normal, j, x));
        }
        if (stage > 0) ts->ops->trace_back(ts->run.integrator, ts->run.phase, attempt.span, x, s);
    }
    return SG_OK;
}

/* shares->energy: a, 0 where it is rounding, of its terms or of a gap: no hop is higher than that */
static sg_status find_energies(struct sg_time_stepping *ts, const struct sg_stepping *step, double t1,
                               struct sg_error *err)
{
    struct sg_stepping_update *update = &ts->update;
    struct sg_update_shares *shares = &update->shares;
    double *x = ts->scratch_u, *s = ts->previous_v, *other = update->free.a;
    memset(shares->energy, 0, ts->count * sizeof(double));
    memset(shares->noise, 0, ts->count * sizeof(double));
    for (size_t i = 0; i < ts->count; i++) {
        size_t j = ts->list[i];
        double after = sg_columns_dot(ts->frame.normal, j, ts->to.v) + ts->frame.drift[j];
        double free = sg_columns_dot(ts->frame.normal, j, update->free.v) + ts->frame.drift[j];
        double size = size_of(ts->frame.normal, j, ts->to.v) + size_of(ts->frame.normal, j, update->free.v);
        take(shares, i, shares->held[i], 0.5 * (after + free), size);
    }
    sg_update_force(ts, t1, ts->to.u, s);
    sg_update_force(ts, t1, update->free.u, other);
    for (size_t i = 0; i < ts->n; i++) s[i] = 0.5 * (s[i] + other[i]);
    for (size_t i = 0; i < ts->n; i++) other[i] = 0.5 * (ts->to.v[i] + update->free.v[i]);
    sg_matrix_multiply(&ts->run.system->M, other, x);
    TRY(trace(ts, step, x, s, err));
    for (size_t i = 0; i < ts->count; i++) {
        double rounding = sg_contact_set_rounding(ts->run.contacts, ts->list[i], t1, ts->to.u);
        double noise =
            64.0 * DBL_EPSILON * shares->noise[i] + ts->packed[i] / step->attempt.span.h * rounding;
        if (fabs(shares->energy[i]) <= noise) shares->energy[i] = 0.0;
    }
    return SG_OK;
}

/* --- the rebound ---------------------------------------------------------------------------------- */

/* whether contacts i and k of the list feel one another: by more than rounding */
static bool is_coupled(const struct sg_time_stepping *ts, size_t i, size_t k)
{
    const double *h = ts->h;
    size_t count = ts->count;
    return fabs(h[k * count + i]) > 1e-12 * sqrt(h[i * (count + 1)] * h[k * (count + 1)]);
}

/* shares->group: of contacts that feel one another, the first of the list */
static void find_groups(struct sg_time_stepping *ts)
{
    size_t *group = ts->update.shares.group, count = ts->count;
    for (size_t i = 0; i < count; i++) {
        group[i] = i;
        for (size_t k = 0; k < i; k++) {
            size_t mine = group[i], other = group[k];
            if (mine == other || !is_coupled(ts, i, k)) continue;
            size_t first = mine < other ? mine : other, second = mine < other ? other : mine;
            for (size_t l = 0; l <= i; l++)
                if (group[l] == second) group[l] = first;
        }
    }
}

/* Who took what of coupled contacts is a convention, their sum is not: what some took less than nothing the
 * others of their group pay, in proportion. Where all of a group did so nothing comes back. */
static void share_debts(struct sg_time_stepping *ts)
{
    struct sg_update_shares *shares = &ts->update.shares;
    bool any = false;
    for (size_t i = 0; i < ts->count; i++) any = any || shares->energy[i] < 0.0;
    if (!any) return;
    find_groups(ts);
    for (size_t first = 0; first < ts->count; first++) {
        double sum = 0.0, taken = 0.0;
        for (size_t i = first; i < ts->count; i++) {
            if (shares->group[i] != first) continue;
            sum += shares->energy[i];
            taken += fmax(shares->energy[i], 0.0);
        }
        if (sum == taken) continue;
        if (sum < 0.0) ts->update.nonphysical++;
        for (size_t i = first; i < ts->count; i++)
            if (shares->group[i] == first)
                shares->energy[i] = sum > 0.0 ? fmax(shares->energy[i], 0.0) * (sum / taken) : 0.0;
    }
}

/* The hop that ends in contact i of the list was shorter than a step if what it brings along is less than
 * restitution takes of the approach `free` (m/s) without the contact: such hops accumulate, and end. */
static double given_back(const struct sg_time_stepping *ts, size_t i, double free)
{
    const struct sg_law *law = &ts->run.contacts->laws[ts->list[i]];
    double energy = ts->update.shares.energy[i], approach = fmin(free, 0.0);
    double kinetic = 0.5 * approach * approach / ts->h[i * (ts->count + 1)];
    return energy < kinetic - sg_law_energy_kept(law, kinetic) ? 0.0 : sg_law_energy_kept(law, energy);
}

static void give_back(struct sg_time_stepping *ts)
{
    struct sg_stepping_update *update = &ts->update;
    struct sg_update_shares *shares = &update->shares;
    struct sg_rebound_problem problem = {ts->count, ts->h, ts->b, shares->energy};
    struct sg_contact_report report;
    sg_stepping_rates(ts, update->free.v, ts->frame.drift, shares->noise);
    sg_stepping_rates(ts, ts->to.v, ts->frame.drift, ts->b);
    for (size_t i = 0; i < ts->count; i++) {
        double kept = given_back(ts, i, shares->noise[i]);
        update->dissipated += shares->energy[i] - kept;
        shares->energy[i] = kept;
        if (ts->packed[i] > 0.0) ts->b[i] = 0.0; /* it was stopped: what is left is rounding */
    }
    sg_contact_rebound(&problem, ts->spec.reaction_iterations, shares->rebound, &report);
    sg_stepping_keep_report(ts, &report);
    hit(ts, shares->rebound);
    for (size_t i = 0; i < ts->count; i++) update->impulse[ts->list[i]] = ts->packed[i] + shares->rebound[i];
}

/* J: kinetic, strain and potential of the loads at t1 */
static double energy_of(struct sg_time_stepping *ts, double t1, const double *u, const double *v)
{
    const double *load = sg_phase_load_before(ts->run.phase, t1);
    double *product = ts->update.free.a, sum = 0.0;
    sg_matrix_multiply(&ts->run.system->M, v, product);
    for (size_t i = 0; i < ts->n; i++) sum += 0.5 * v[i] * product[i];
    sg_effective_restoring(ts->run.op, u, product);
    for (size_t i = 0; i < ts->n; i++) sum += u[i] * (0.5 * product[i] - load[i]);
    return sum;
}

/* An impact takes no more than the step loses, what obstacles do included: of what the step without contacts
 * would have made by its own error the contacts took nothing that was there. */
static void limit_loss(struct sg_time_stepping *ts, const struct sg_stepping *step)
{
    struct sg_span span = step->attempt.span;
    double t1 = span.t + span.h, *dissipated = &ts->update.dissipated, loss = 0.0;
    if (!(*dissipated > 0.0)) return;
    for (size_t i = 0; i < ts->count; i++) {
        double way = sg_contact_set_obstacle_way(ts->run.contacts, ts->list[i], span.t, t1);
        loss += ts->update.impulse[ts->list[i]] / span.h * way;
    }
    loss += energy_of(ts, t1, ts->from.u, ts->from.v) - energy_of(ts, t1, ts->to.u, ts->to.v);
    *dissipated = fmin(*dissipated, fmax(loss, 0.0));
}

/* --- the form ------------------------------------------------------------------------------------- */

static sg_status apply(struct sg_time_stepping *ts, const struct sg_stepping *step, struct sg_error *err)
{
    struct sg_response *response = &ts->update.shares.blow;
    double t1 = step->attempt.span.t + step->attempt.span.h;
    TRY(sg_response_begin(response, blow(ts, t1), err));
    TRY(sg_response_delassus(response, (struct sg_contact_list){ts->list, ts->count}, ts->h, err));
    TRY(stop(ts, t1, err));
    TRY(find_energies(ts, step, t1, err));
    share_debts(ts);
    give_back(ts);
    limit_loss(ts, step);
    return SG_OK;
}

const struct sg_update_form sg_update_conserving = {init, apply};
