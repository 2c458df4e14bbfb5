#include <math.h>
#include <string.h>

#include "strategies/penalty/penalty.h"

double sg_penalty_spring_force(const struct sg_penalty *law, size_t j, double gap)
{
    static const double blank[SG_LAW_MEMORY] = {0.0};
    const struct sg_law *of = &law->laws[j];
    struct sg_law_point point = {gap, 0.0, 0.0, blank};
    return of->ops->at(of, &point).value;
}

/* J: what contact j stores at a gap */
static double stored(const struct sg_penalty *law, size_t j, double gap)
{
    return sg_law_energy(&law->laws[j], law->memory_held + j * SG_LAW_MEMORY, gap);
}

/* Of staggered schemes what goes with their strain energy (model/system.h): the mean of both energies less a
 * quarter of the change of the overlap times that of the force. Of springs that stay closed this is
 * (1/2) kappa (overlap now) (overlap next), the form in which the strain energy stands. */
static double staggered_energy(const struct sg_penalty *law, size_t j, double gap, double next)
{
    double mean = 0.5 * (stored(law, j, gap) + stored(law, j, next));
    double rise = sg_penalty_spring_force(law, j, next) - sg_penalty_spring_force(law, j, gap);
    return mean - 0.25 * (sg_law_overlap(next) - sg_law_overlap(gap)) * rise;
}

double sg_penalty_energy(const struct sg_time_stepping *ts, const struct sg_snapshot *now)
{
    const struct sg_contact_set *set = ts->run.contacts;
    const struct sg_penalty *law = ts->scheme_data;
    double energy = 0.0;
    for (size_t j = 0; j < ts->q; j++) {
        if (now->u_next == NULL)
            energy += stored(law, j, now->gap[j]);
        else
            energy +=
                staggered_energy(law, j, now->gap[j], sg_contact_set_gap(set, j, now->t_next, now->u_next));
    }
    return energy;
}

/* --- form "standard" ------------------------------------------------------------------------------ */

/* What the dashpot of contact j takes in the step, J, by the impulse that it gave. */
static double damper_work(const struct sg_time_stepping *ts, const struct sg_stepping *step, size_t j,
                          double impulse)
{
    const struct sg_attempt *attempt = &step->attempt;
    double t1 = attempt->span.t + attempt->span.h;
    if (!ts->ops->staggered)
        return -impulse / attempt->span.h *
               (sg_contact_set_gap(ts->run.contacts, j, t1, attempt->to->u) - ts->gap[j]);
    double rate = 0.5 * (sg_columns_dot(ts->frame.normal, j, attempt->from->v) +
                         sg_columns_dot(ts->frame.normal, j, attempt->to->v));
    return -impulse * (rate + ts->frame.drift[j]);
}

void sg_penalty_standard_account(struct sg_time_stepping *ts, const struct sg_stepping *step)
{
    struct sg_penalty *law = ts->scheme_data;
    size_t last = ts->ops->stages - 1;
    struct sg_collocation at = ts->ops->collocation(ts->run.integrator, &step->attempt);
    ts->accounts.external += sg_stepping_obstacle_work(ts, step);
    for (size_t j = 0; j < ts->q && law->damped; j++) {
        double held = law->damper_held[j], now = law->damper[last * ts->q + j] / at.duration;
        law->damper_held[j] = sg_stepping_stored_force(&at, now, held);
        double impulse = at.carry_over * held - at.hold_back * law->damper_held[j];
        for (size_t stage = 0; stage <= last; stage++) impulse += law->damper[stage * ts->q + j];
        if (impulse != 0.0) ts->accounts.dissipated += damper_work(ts, step, j, impulse);
    }
    memcpy(law->memory_held, law->memory, ts->q * SG_LAW_MEMORY * sizeof(double));
}

/* --- forms of the midpoint ------------------------------------------------------------------------ */

void sg_penalty_midpoint_account(struct sg_time_stepping *ts, const struct sg_stepping *step)
{
    const struct sg_penalty *law = ts->scheme_data;
    const struct sg_contact_set *set = ts->run.contacts;
    const struct sg_attempt *attempt = &step->attempt;
    double t1 = attempt->span.t + attempt->span.h;
    for (size_t i = 0; i < ts->count; i++) {
        size_t j = ts->list[i];
        double end = sg_contact_set_gap(set, j, t1, attempt->to->u);
        ts->accounts.dissipated += law->laws[j].ops->step(&law->laws[j], law->chi, ts->gap[j], end).taken;
    }
    ts->accounts.external += sg_stepping_obstacle_work(ts, step);
}

/* --- memory --------------------------------------------------------------------------------------- */

const double *sg_penalty_memory(const struct sg_time_stepping *ts)
{
    const struct sg_penalty *law = ts->scheme_data;
    return law->memory_held;
}

void sg_penalty_archive(struct sg_time_stepping *ts, struct sg_archive *store)
{
    struct sg_penalty *law = ts->scheme_data;
    sg_archive_bytes(store, law->damper_held, ts->q * sizeof(double));
    sg_archive_bytes(store, law->memory_held, ts->q * SG_LAW_MEMORY * sizeof(double));
}

/* --- iterations ----------------------------------------------------------------------------------- */

/* changes of the reactions from iterate to iterate */
struct progress {
    double last;
    int stalls;
};

/* keeps the reactions for the next question */
static bool is_settled(struct sg_time_stepping *ts, struct progress *progress, double scale, double *change)
{
    struct sg_penalty *law = ts->scheme_data;
    bool first = progress->last == 0.0;
    double most = 0.0;
    for (size_t i = 0; i < ts->count; i++) {
        size_t j = ts->list[i];
        most = fmax(most, fabs(ts->r[j] - law->before[j]));
        law->before[j] = ts->r[j];
    }
    *change = most;
    if (!first && most <= ts->spec.tolerance * scale) return true;
    if (!first && most > 0.25 * progress->last) progress->stalls++;
    progress->last = first ? HUGE_VAL : most;
    /* what no longer falls is rounding */
    return progress->stalls >= 3 && most <= 1e-6 * scale;
}

sg_status sg_penalty_settle(struct sg_time_stepping *ts, const struct sg_stepping *step,
                            const struct sg_penalty_iteration *iteration, struct sg_error *err)
{
    struct progress progress = {0};
    double change = 0.0;
    for (long long k = 0; k < ts->spec.max_iterations; k++) {
        double scale = iteration->scale(ts, step, iteration->context);
        if (is_settled(ts, &progress, scale, &change)) return SG_OK;
        iteration->renew(ts, step, iteration->context);
        TRY(sg_response_begin(sg_stepping_response(ts, step), step->kick, err));
        TRY(iteration->solve(ts, step, err));
    }
    FAIL(err, SG_NO_SOLUTION,
         "the contacts' forces don't settle at step %lld, t = %.17g s, within %lld iterations: the last "
         "change of an impulse is %g N s",
         ts->steps + 1, step->attempt.span.t, ts->spec.max_iterations, change);
}
