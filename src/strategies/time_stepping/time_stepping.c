/* Time-stepping: steps of one length, contacts within a step by complementarity (docs/time-stepping.md).
 *
 * A step is an attempt: the scheme writes its end beside its start, which stays as it is. So a step that
 * can't be taken, because Newton's iterations don't converge or active sets don't settle, is begun anew with
 * half the length, and what is observed, accounted and archived is always a state that was accepted. */
#include "strategies/time_stepping/time_stepping.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "strategies/grid.h"
#include "strategies/time_stepping/first_step.h"
#include "support/memory.h"

enum { HALVINGS = 10 };

/* --- memory --------------------------------------------------------------------------------------- */

static sg_status allocate_states(struct sg_time_stepping *ts, struct sg_error *err)
{
    double **all[9] = {&ts->from.u, &ts->from.v,   &ts->from.a,   &ts->to.u,    &ts->to.v,
                       &ts->to.a,   &ts->sample.u, &ts->sample.v, &ts->sample.a};
    bool third = ts->ops->staggered || ts->ops->stores_acceleration;
    for (size_t k = 0; k < 9; k++) {
        bool unused = (k % 3 == 2 && !third) || (k == 3 && ts->ops->staggered);
        if (unused) continue;
        TRY(SG_ARENA_NEW_STREAMED(&ts->arena, all[k], ts->n, err));
    }
    sg_stepping_share_states(ts);
    for (size_t k = 0; k + 1 < ts->ops->stages; k++) {
        TRY(SG_ARENA_NEW(&ts->arena, &ts->middle[k].u, ts->n, err));
        TRY(SG_ARENA_NEW(&ts->arena, &ts->middle[k].v, ts->n, err));
        if (third) TRY(SG_ARENA_NEW(&ts->arena, &ts->middle[k].a, ts->n, err));
    }
    TRY(SG_ARENA_NEW(&ts->arena, &ts->scratch_u, ts->n, err));
    TRY(SG_ARENA_NEW(&ts->arena, &ts->previous_v, ts->n, err));
    return SG_ARENA_NEW(&ts->arena, &ts->jump.dv, ts->n, err);
}

static sg_status allocate_contacts(struct sg_time_stepping *ts, struct sg_error *err)
{
    size_t q = ts->q, total = q * ts->rows;
    double **const by_contact[] = {&ts->gap,
                                   &ts->rate,
                                   &ts->gap_to,
                                   &ts->rate_to,
                                   &ts->gap_sample,
                                   &ts->impulse_sample,
                                   &ts->gap_blend,
                                   &ts->force,
                                   &ts->impulse,
                                   &ts->impulse_start,
                                   &ts->closing_rate,
                                   &ts->stored_force,
                                   &ts->normal_impulse,
                                   &ts->mean_force,
                                   &ts->aim,
                                   &ts->bias,
                                   &ts->drift_before};
    double **const by_row[] = {&ts->r, &ts->total, &ts->friction};
    for (size_t k = 0; k < sizeof by_contact / sizeof *by_contact; k++)
        TRY(SG_ARENA_NEW(&ts->arena, by_contact[k], q, err));
    for (size_t k = 0; k < sizeof by_row / sizeof *by_row; k++)
        TRY(SG_ARENA_NEW(&ts->arena, by_row[k], total, err));
    TRY(sg_contact_phases_init(&ts->arena, &ts->phases, q, err));
    TRY(SG_ARENA_NEW(&ts->arena, &ts->active, q, err));
    return SG_ARENA_NEW(&ts->arena, &ts->slipping, q, err);
}

static void close_frame(void *frame)
{
    sg_contact_frame_release(frame);
}

void sg_stepping_destroy(struct sg_strategy *self)
{
    struct sg_time_stepping *ts = self->data;
    if (ts == NULL) return;
    if (ts->scheme != NULL && ts->scheme->release != NULL) ts->scheme->release(ts);
    sg_arena_release(&ts->arena);
    sg_free(ts);
    self->data = NULL;
}

/* The deck may ask what can't be done. */
static sg_status check_deck(const struct sg_time_stepping *ts, const struct sg_setting *node,
                            struct sg_error *err)
{
    const struct sg_run *run = &ts->run;
    const struct sg_setting *time = sg_setting_child(sg_deck_root(run->deck), "time");
    size_t errors = run->diagnostics->errors;
    if (isnan(run->time.step))
        sg_complain_about(run->diagnostics, SG_ERROR, time, "step", "%s needs a step",
                          sg_setting_kind(node)->name);
    else if (run->time.step < 2.0 * DBL_EPSILON * run->time.end)
        sg_complain_about(run->diagnostics, SG_ERROR, time, "step",
                          "the step of %g s vanishes beside the end time %g s: time would not advance",
                          run->time.step, run->time.end);
    bool position = ts->spec.level == SG_LEVEL_POSITION, responds = ts->scheme->keeps_gaps;
    struct sg_attempt attempt = {.span = {0.0, 1.0}, .next = 1.0};
    if (position && run->contacts->tangents > 0)
        sg_complain_about(run->diagnostics, SG_ERROR, node, "level",
                          "friction needs level = \"velocity\": a position has no direction of sliding");
    if (responds && ts->ops->collocation(run->integrator, &attempt).compliance == 0.0)
        sg_complain_about(run->diagnostics, SG_ERROR, sg_setting_child(sg_deck_root(run->deck), "integrator"),
                          "beta", "contact at position level needs beta > 0: no force moves u in its step");
    if (ts->spec.update && !run->cell->update)
        sg_complain_about(run->diagnostics, SG_ERROR, node, "update",
                          "needs level = \"position\" and an integrator of Newmark's kind or Bathe's");
    if (run->diagnostics->errors == errors) return SG_OK;
    FAIL(err, SG_BAD_DECK, "the deck can't be run by time-stepping");
}

static sg_status make_responses(struct sg_time_stepping *ts, struct sg_error *err)
{
    const struct sg_run *run = &ts->run;
    struct sg_response_spec spec = {.integrator = run->integrator,
                                    .phase = run->phase,
                                    .contacts = run->contacts,
                                    .frame = &ts->frame,
                                    .first = {.span = {0.0, sg_clock_whole_step(&ts->clock, 0)}}};
    struct sg_kick first = spec.first;
    TRY(sg_bilateral_init(&ts->arena, &ts->bilateral, run->integrator, run->phase, first, err));
    if (ts->bilateral.m > 0) spec.bilateral = &ts->bilateral;
    if (ts->scheme->solve == NULL) return SG_OK;
    for (size_t k = 0; k < ts->ops->stages; k++) {
        spec.first.stage = k;
        TRY(sg_response_init(&ts->arena, &ts->responses[k], &spec, err));
    }
    return SG_OK;
}

sg_status sg_stepping_create(struct sg_strategy *self, struct sg_stepping_choice choice,
                             const struct sg_setting *node, const struct sg_run *run, struct sg_error *err)
{
    struct sg_time_stepping *ts = NULL;
    TRY(SG_NEW(&ts, 1, err));
    self->data = ts;
    ts->run = *run;
    ts->ops = run->integrator->ops->response;
    ts->spec = choice.spec;
    ts->scheme = choice.scheme;
    sg_stop_criterion_init(&ts->stop, run->time.stop);
    TRY(check_deck(ts, node, err));
    sg_clock_init(&ts->clock, run->time.end, run->time.step);
    ts->n = run->system->n;
    ts->q = run->contacts->q;
    ts->rows = 1 + run->contacts->tangents;
    bool turns = ts->scheme->keeps_gaps && !run->system->constraints.affine;
    ts->iterates = ts->scheme->iterates || turns || ts->ops->iterates(run->integrator, run->phase);
    struct sg_attempt attempt = {.span = {0.0, 1.0}, .next = 1.0};
    ts->remembers = ts->ops->collocation(run->integrator, &attempt).recursion != 0.0;
    TRY(allocate_states(ts, err));
    TRY(allocate_contacts(ts, err));
    TRY(sg_arena_own(&ts->arena, &ts->frame, close_frame, err));
    TRY(sg_contact_frame_init(&ts->frame, run->contacts, err));
    if (ts->scheme->solve != NULL) TRY(sg_first_response_try(run, sg_clock_whole_step(&ts->clock, 0), err));
    TRY(make_responses(ts, err));
    if (ts->spec.update) TRY(sg_stepping_update_init(ts, err));
    return sg_stepping_solve_init(ts, err);
}

/* --- the contacts of a step ----------------------------------------------------------------------- */

static void clear_list(struct sg_time_stepping *ts)
{
    for (size_t i = 0; i < ts->count; i++) ts->listed[ts->list[i]] = 0;
    ts->count = 0;
}

/* --- a step --------------------------------------------------------------------------------------- */

/* One iterate: the free motion, then the contacts. Of linear systems it is the step; of nonlinear ones a
 * Newton iteration about the iterate before, in which D is that of its tangent. */
static sg_status solve_iterate(struct sg_time_stepping *ts, const struct sg_stepping *step,
                               struct sg_error *err)
{
    TRY(ts->ops->free_motion(ts->run.integrator, ts->run.phase, &step->attempt, err));
    return ts->scheme->solve(ts, step, err);
}

/* the largest |a - b|, and of |a|; NaN where one is not a number */
static void compare(size_t n, const double *a, const double *b, double *change, double *size)
{
    double most = 0.0, largest = 0.0, poison = 0.0;
    for (size_t i = 0; i < n; i++) {
        double d = fabs(a[i] - b[i]);
        most = fmax(most, d);
        largest = fmax(largest, fabs(a[i]));
        poison += d - d;
    }
    *change = most + poison;
    *size = largest;
}

/* Newton's changes fall fast until rounding holds them: where they no longer fall, what is left is rounding
 */
struct progress {
    double first, last;
    long long stalls;
};

/* `rounding`: what places leave of a velocity, which no iteration takes away */
static bool is_settled(struct progress *progress, double change, double least, double rounding)
{
    if (change <= least || change == 0.0) return true;
    if (progress->last > 0.0 && change > 0.25 * progress->last) progress->stalls++;
    if (progress->first == 0.0) progress->first = change;
    progress->last = change;
    return progress->stalls >= 3 && change <= fmax(rounding, 1e-9 * progress->first);
}

/* m/s: constraints at position level are held by velocities over a step, with the rounding of the coordinates
 * that they and contacts are differences of */
static double rounding_of_places(const struct sg_time_stepping *ts, const struct sg_attempt *attempt)
{
    const struct sg_system *system = ts->run.system;
    double h = ts->ops->staggered ? attempt->next : attempt->span.h, most = 0.0;
    if (!ts->scheme->keeps_gaps) return 0.0;
    for (size_t i = 0; i < ts->bilateral.m; i++)
        most = fmax(most, DBL_EPSILON * sg_constraints_size(system, i, attempt->span.t, attempt->from->u));
    for (size_t i = 0; i < ts->count; i++) {
        size_t j = ts->list[i];
        most = fmax(most, sg_contact_set_rounding(ts->run.contacts, j, attempt->span.t, attempt->from->u));
    }
    return 16.0 * most / h;
}

static sg_status iterate(struct sg_time_stepping *ts, const struct sg_stepping *step, struct sg_error *err)
{
    const struct sg_attempt *attempt = &step->attempt;
    struct progress progress = {0};
    double change = 0.0, size = 0.0;
    for (long long k = 0; k < ts->spec.max_iterations; k++) {
        memcpy(ts->previous_v, attempt->to->v, ts->n * sizeof(double));
        ts->newton++;
        TRY(solve_iterate(ts, step, err));
        compare(ts->n, attempt->to->v, ts->previous_v, &change, &size);
        if (!isfinite(change)) break;
        double scale = fmax(ts->speed, size);
        double rounding = progress.stalls < 2 ? 0.0 : fmax(1e-9 * scale, rounding_of_places(ts, attempt));
        if (!is_settled(&progress, change, ts->spec.tolerance * scale, rounding)) continue;
        ts->speed = fmax(ts->speed, size);
        return SG_OK;
    }
    FAIL(err, SG_NO_SOLUTION,
         "Newton's iterations don't converge at step %lld, t = %.17g s, within %lld: the last change of a "
         "velocity is %g m/s, the tolerance %g m/s",
         ts->steps + 1, attempt->span.t, ts->spec.max_iterations, change,
         ts->spec.tolerance * fmax(ts->speed, size));
}

/* to the equilibrium point at hand */
static sg_status take_stage(struct sg_time_stepping *ts, const struct sg_stepping *step, struct sg_error *err)
{
    clear_list(ts);
    TRY(ts->scheme->prepare(ts, step, err));
    ts->ops->predict(ts->run.integrator, ts->run.phase, &step->attempt);
    TRY(ts->iterates ? iterate(ts, step, err) : solve_iterate(ts, step, err));
    ts->touched = ts->touched || ts->count > 0;
    if (sg_stepping_is_idle(ts)) return SG_OK;
    for (size_t j = 0; j < ts->q; j++)
        if (!ts->listed[j]) memset(ts->r + j * ts->rows, 0, ts->rows * sizeof(double));
    return SG_OK;
}

sg_status sg_stepping_take(struct sg_time_stepping *ts, struct sg_stepping *step, struct sg_error *err)
{
    size_t values = ts->q * ts->rows, last = ts->ops->stages - 1;
    ts->touched = false;
    for (size_t stage = 0; stage <= last; stage++) {
        step->attempt.stage = step->kick.stage = stage;
        step->attempt.middle = ts->middle;
        step->attempt.to = stage == last ? &ts->to : &ts->middle[stage];
        TRY(take_stage(ts, step, err));
        if (sg_stepping_is_idle(ts)) continue;
        for (size_t k = 0; k < values; k++) ts->total[k] = ts->r[k] + (stage > 0 ? ts->total[k] : 0.0);
    }
    return SG_OK;
}

static void begin_attempt(struct sg_time_stepping *ts, struct sg_stepping *step)
{
    double h = sg_clock_step(&ts->clock), next = ts->ops->staggered ? sg_clock_next(&ts->clock) : h;
    step->attempt = (struct sg_attempt){.from = &ts->from, .span = {ts->t, h}, .next = next};
    step->kick = (struct sg_kick){.span = {ts->t, ts->ops->staggered ? 0.5 * (h + next) : h}};
}

/* Halves the step until it can be taken. Staggered schemes can't: their velocities stand in its middle. */
static sg_status find_step(struct sg_time_stepping *ts, struct sg_stepping *step, struct sg_error *err)
{
    for (;;) {
        begin_attempt(ts, step);
        sg_status status = ts->scheme->take(ts, step, err);
        bool again = status == SG_NO_SOLUTION && ts->iterates && !ts->ops->staggered;
        if (!again || ts->clock.level == HALVINGS) return status;
        sg_error_clear(err);
        ts->idle = 0;
        sg_clock_halve(&ts->clock);
        ts->rejected++;
    }
}

/* --- the loop ------------------------------------------------------------------------------------- */

static void accept(struct sg_time_stepping *ts, double t1)
{
    if (ts->scheme->accept != NULL) ts->scheme->accept(ts);
    sg_stepping_exchange(ts);
    ts->t = t1;
    ts->steps++;
    ts->idle = ts->touched ? 0 : ts->idle + 1;
    sg_clock_advance(&ts->clock);
}

sg_status sg_stepping_advance(struct sg_strategy *self, bool *done, struct sg_error *err)
{
    struct sg_time_stepping *ts = self->data;
    struct sg_stepping step;
    TRY(find_step(ts, &step, err));
    double t1 = sg_clock_end_of_step(&ts->clock);
    if (!isfinite(ts->run.phase->sum))
        TRY(sg_strategy_check_finite(ts->run.system, ts->to.v, ts->steps + 1, t1, err));
    if (ts->spec.update) TRY(sg_stepping_update(ts, &step, t1, err));
    sg_stepping_account(ts, &step);
    TRY(sg_stepping_finish_contacts(ts, &step, t1, err));
    if (ts->stop.on) sg_stepping_stop(ts, &step, t1);
    TRY(sg_stepping_observe(ts, &step, t1, err));
    accept(ts, t1);
    *done = ts->clock.n == ts->clock.count || ts->stopped;
    return SG_OK;
}

double sg_stepping_now(const struct sg_strategy *self)
{
    const struct sg_time_stepping *ts = self->data;
    return ts->t;
}

size_t sg_stepping_closed(const struct sg_strategy *self)
{
    const struct sg_time_stepping *ts = self->data;
    size_t count = 0;
    for (size_t j = 0; j < ts->q; j++) count += ts->active[j];
    return count;
}

void sg_stepping_archive(struct sg_strategy *self, struct sg_archive *store)
{
    struct sg_time_stepping *ts = self->data;
    size_t n = ts->n * sizeof(double), q = ts->q;
    sg_archive_bytes(store, ts->from.u, n);
    sg_archive_bytes(store, ts->from.v, n);
    if (ts->from.a != NULL) sg_archive_bytes(store, ts->from.a, n);
    sg_archive_bytes(store, ts->active, q);
    sg_archive_bytes(store, ts->slipping, q);
    sg_archive_bytes(store, ts->r, q * ts->rows * sizeof(double));
    sg_archive_bytes(store, ts->stored_force, q * sizeof(double));
    sg_archive_bytes(store, ts->impulse, q * sizeof(double));
    sg_archive_bytes(store, ts->closing_rate, q * sizeof(double));
    sg_archive_bytes(store, ts->aim, q * sizeof(double));
    sg_contact_phases_archive(&ts->phases, store);
    sg_stop_criterion_archive(&ts->stop, store);
    SG_ARCHIVE(store, ts->clock.n);
    SG_ARCHIVE(store, ts->clock.part);
    SG_ARCHIVE(store, ts->clock.level);
    SG_ARCHIVE(store, ts->t);
    SG_ARCHIVE(store, ts->accounts);
    SG_ARCHIVE(store, ts->speed);
    SG_ARCHIVE(store, ts->penetration);
    SG_ARCHIVE(store, ts->steps);
    SG_ARCHIVE(store, ts->events);
    SG_ARCHIVE(store, ts->rejected);
    SG_ARCHIVE(store, ts->newton);
    SG_ARCHIVE(store, ts->newton_most);
    SG_ARCHIVE(store, ts->update.nonphysical);
    SG_ARCHIVE(store, ts->contact);
    SG_ARCHIVE(store, ts->contact_share);
    sg_bilateral_archive(&ts->bilateral, store);
    for (size_t k = 0; k < ts->ops->stages; k++) sg_response_archive(&ts->responses[k], store);
    if (ts->scheme->archive != NULL) ts->scheme->archive(ts, store);
    if (!store->loading) return;
    ts->idle = 0;
    sg_stepping_measure(ts, ts->t, &ts->from, ts->gap, ts->rate);
}

void sg_stepping_summarize(const struct sg_strategy *self, struct sg_summary *summary)
{
    const struct sg_time_stepping *ts = self->data;
    summary->steps = ts->steps;
    summary->events = ts->events;
    summary->rejected_steps = ts->rejected;
    summary->newton_iterations = ts->newton;
    summary->newton_most = ts->newton_most;
    summary->contact_iterations = ts->contact.iterations;
    summary->contact_residual = ts->contact.residual;
    summary->contact_share = ts->contact_share;
    summary->max_penetration = ts->penetration;
    summary->update_nonphysical = ts->update.nonphysical;
    summary->stopped = ts->stopped;
}
