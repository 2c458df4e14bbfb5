/* Event-driven integration: Algorithm 1 of Depouhon et al. 2014, with rigid contacts beside its elastic
 * ones. */
#include "strategies/event_driven/event_driven.h"

#include <math.h>
#include <string.h>

#include "strategies/kinds.h"
#include "support/memory.h"

static const struct sg_keyword rows[] = {
    {.name = "gap_tolerance",
     .type = SG_REAL,
     .unit = "m",
     .meaning =
         "an event is located when its gap has passed zero by less than twice this; by default 1e-8 of the "
         "contact's gap at the start, or of its way in the first step if that is longer",
     .range = SG_POSITIVE,
     .offset = offsetof(struct sg_event_spec, gap_tolerance)},
    {.name = "time_tolerance",
     .type = SG_REAL,
     .unit = "s",
     .meaning = "an event is located at most this long after its predicted time; by default 1e-6 of the step",
     .range = SG_POSITIVE,
     .offset = offsetof(struct sg_event_spec, time_tolerance)},
    {.name = "max_iterations",
     .type = SG_INTEGER,
     .meaning = "localisation trials on the interpolant before bisection takes over",
     .fallback = "50",
     .range = SG_BETWEEN(1, 10000),
     .offset = offsetof(struct sg_event_spec, max_iterations)},
    {.name = "inside",
     .type = SG_BOOL,
     .meaning =
         "steps whose interpolants come near an event are looked into by trials that end inside; false: "
         "interpolants alone decide, as in the paper ('exact' certifies its events in any case)",
     .fallback = "true",
     .offset = offsetof(struct sg_event_spec, inside)},
    {0}};

/* --- memory --------------------------------------------------------------------------------------- */

static sg_status point_init(struct sg_event_point *point, size_t n, size_t q, struct sg_error *err)
{
    TRY(SG_NEW(&point->x.u, n, err));
    TRY(SG_NEW(&point->x.v, n, err));
    TRY(SG_NEW(&point->x.a, n, err));
    TRY(SG_NEW(&point->gap, q, err));
    return SG_NEW(&point->rate, q, err);
}

static void point_release(struct sg_event_point *point)
{
    sg_free(point->x.u);
    sg_free(point->x.v);
    sg_free(point->x.a);
    sg_free(point->gap);
    sg_free(point->rate);
}

static sg_status allocate(struct sg_event_driven *ed, size_t n, size_t q, struct sg_error *err)
{
    TRY(point_init(&ed->from, n, q, err));
    TRY(point_init(&ed->to, n, q, err));
    TRY(point_init(&ed->sample, n, q, err));
    TRY(SG_NEW(&ed->status, q, err));
    TRY(SG_NEW(&ed->memory, q * SG_LAW_MEMORY, err));
    TRY(SG_NEW(&ed->before, q, err));
    TRY(SG_NEW(&ed->memory_before, q * SG_LAW_MEMORY, err));
    TRY(SG_NEW(&ed->watches, q, err));
    TRY(SG_NEW(&ed->crossing, q, err));
    TRY(SG_NEW(&ed->which, q, err));
    TRY(SG_NEW(&ed->member, q, err));
    TRY(SG_NEW(&ed->rests, q, err));
    TRY(SG_NEW(&ed->held, q * q, err));
    TRY(SG_NEW(&ed->rates, 3 * n, err));
    TRY(SG_NEW(&ed->dependent, q, err));
    TRY(SG_NEW(&ed->floor, q, err));
    TRY(SG_NEW(&ed->tolerance, q, err));
    TRY(SG_NEW(&ed->root, q, err));
    TRY(SG_NEW(&ed->force, q, err));
    TRY(SG_NEW(&ed->force_inside, q, err));
    TRY(SG_NEW(&ed->reaction, q, err));
    TRY(SG_NEW(&ed->impulse, q, err));
    TRY(SG_NEW(&ed->impulse_start, q, err));
    TRY(SG_NEW(&ed->impulse_inside, q, err));
    TRY(SG_NEW(&ed->reaction_start, q, err));
    TRY(SG_NEW(&ed->small, 3 * q, err));
    TRY(SG_NEW(&ed->acceleration, n, err));
    TRY(sg_event_totals_init(&ed->totals, &ed->run, err));
    struct sg_state *const scratch[] = {&ed->totals.part, &ed->totals.other};
    for (size_t i = 0; i < 2 && ed->run.system->motion_count > 0; i++) {
        TRY(SG_NEW(&scratch[i]->u, n, err));
        TRY(SG_NEW(&scratch[i]->v, n, err));
    }
    TRY(sg_event_certificate_init(&ed->certificate, n, q, err));
    TRY(sg_event_middle_init(&ed->middle, q, err));
    TRY(sg_event_bilateral_init(&ed->bilateral, ed->run.system->constraints.count, err));
    return sg_lcp_init(&ed->lcp, q, err);
}

void sg_event_driven_destroy(struct sg_event_driven *ed)
{
    if (ed == NULL) return;
    point_release(&ed->from);
    point_release(&ed->to);
    point_release(&ed->sample);
    sg_free(ed->status);
    sg_free(ed->memory);
    sg_free(ed->before);
    sg_free(ed->memory_before);
    sg_free(ed->watches);
    sg_free(ed->crossing);
    sg_free(ed->which);
    sg_free(ed->member);
    sg_free(ed->rests);
    sg_free(ed->held);
    sg_free(ed->rates);
    sg_free(ed->dependent);
    sg_free(ed->floor);
    sg_free(ed->tolerance);
    sg_free(ed->root);
    sg_free(ed->force);
    sg_free(ed->force_inside);
    sg_free(ed->reaction);
    sg_free(ed->impulse);
    sg_free(ed->impulse_start);
    sg_free(ed->impulse_inside);
    sg_free(ed->reaction_start);
    sg_free(ed->small);
    sg_free(ed->acceleration);
    sg_free(ed->totals.part.u);
    sg_free(ed->totals.part.v);
    sg_free(ed->totals.other.u);
    sg_free(ed->totals.other.v);
    sg_event_totals_release(&ed->totals);
    sg_event_certificate_release(&ed->certificate);
    sg_event_middle_release(&ed->middle);
    sg_event_bilateral_release(&ed->bilateral);
    sg_lcp_release(&ed->lcp);
    sg_free(ed);
}

static void destroy(struct sg_strategy *self)
{
    sg_event_driven_destroy(self->data);
    self->data = NULL;
}

sg_status sg_event_driven_create(const struct sg_run *run, const struct sg_event_spec *spec,
                                 const struct sg_step_sizes *sizes, const struct sg_event_dynamics *dynamics,
                                 struct sg_event_driven **out, struct sg_error *err)
{
    TRY(SG_NEW(out, 1, err));
    struct sg_event_driven *ed = *out;
    ed->run = *run;
    ed->spec = *spec;
    ed->sizes = *sizes;
    ed->dynamics = dynamics;
    ed->closed_step = sizes->contact_step;
    TRY(allocate(ed, run->system->n, run->contacts->q, err));
    return sg_event_set_tolerances(ed, err);
}

static sg_status create(struct sg_strategy *self, const struct sg_setting *node, const struct sg_run *run,
                        struct sg_error *err)
{
    struct sg_event_driven *ed = NULL;
    struct sg_event_spec spec;
    struct sg_step_sizes sizes;
    sg_setting_fill(node, rows, &spec);
    TRY(sg_step_sizes_init(run, &sizes, err));
    TRY(sg_step_sizes_try(run, &sizes, err));
    sg_status status = sg_event_driven_create(run, &spec, &sizes, NULL, &ed, err);
    self->data = ed;
    TRY(status);
    return sg_event_check_levels(run, ed->tolerance, err);
}

/* --- snapshots ------------------------------------------------------------------------------------ */

static sg_status snapshot(struct sg_event_driven *ed, double t, const struct sg_event_point *at,
                          struct sg_snapshot *now, struct sg_error *err)
{
    const struct sg_contact_set *set = ed->run.contacts;
    double *force = at == &ed->sample ? ed->force_inside : ed->force, energy = 0.0;
    TRY(sg_event_reactions(ed, t, at, force, err));
    for (size_t j = 0; j < set->q; j++) {
        if (!ed->status[j] || !set->sprung[j]) continue;
        force[j] = sg_event_spring_force(ed, j, at->gap[j]);
        energy += sg_law_energy(&set->laws[j], ed->memory + j * SG_LAW_MEMORY, at->gap[j]);
    }
    *now = (struct sg_snapshot){.t = t,
                                .u = at->x.u,
                                .v = at->x.v,
                                .gap = at->gap,
                                .force = force,
                                .impulse = ed->impulse,
                                .active = ed->status,
                                .status = ed->status,
                                .memory = ed->memory,
                                .contact_energy = energy,
                                .external = ed->external,
                                .dissipated = ed->dissipated,
                                .damping = ed->damping};
    if (at == &ed->sample)
        sg_event_bilateral_sample(&ed->bilateral, t - ed->t, now);
    else
        sg_event_bilateral_show(&ed->bilateral, now);
    if (ed->dynamics == NULL) {
        now->gap_least = ed->totals.least;
        now->gap_most = ed->totals.most;
        now->peak_force = ed->totals.peak;
        now->spring_impulse = ed->totals.impulse;
    }
    if (ed->dynamics != NULL) ed->dynamics->show(ed->dynamics->self, ed, at, now);
    return SG_OK;
}

/* The accounts at the start of the step, for samples inside it. */
struct accounts {
    double external, dissipated;
};

struct inside {
    struct sg_event_driven *ed;
    struct accounts start;
};

/* The impulses of resting contacts grow over the step, those of impacts come at its end, which a sample
 * inside does not see. */
static void impulses_inside(struct sg_event_driven *ed, double h)
{
    for (size_t j = 0; j < ed->run.contacts->q; j++) {
        double ends[2] = {ed->reaction_start[j], ed->run.contacts->sprung[j] ? 0.0 : ed->force_inside[j]};
        ed->impulse_inside[j] = ed->impulse_start[j] + sg_event_rest_impulse(ed, j, h, ends);
    }
}

static sg_status sample_at(void *self, double t, struct sg_snapshot *now, struct sg_error *err)
{
    struct inside *inside = self;
    struct sg_event_driven *ed = inside->ed;
    TRY(sg_event_trial(ed, t - ed->t, &ed->sample, err));
    struct sg_work work = sg_event_work(ed, t - ed->t, &ed->sample);
    TRY(snapshot(ed, t, &ed->sample, now, err));
    impulses_inside(ed, t - ed->t);
    now->impulse = ed->impulse_inside;
    now->external = inside->start.external + work.external;
    now->dissipated = inside->start.dissipated + work.dissipated;
    return SG_OK;
}

/* Statuses have changed already when the observer is told of the step. A sample is a step from ed->from that
 * ends early, so for its time the old statuses come back: a low-rank change, which costs no factorisation. */
static void swap_status(struct sg_event_driven *ed)
{
    unsigned char *status = ed->status;
    double *memory = ed->memory;
    ed->status = ed->before;
    ed->before = status;
    ed->memory = ed->memory_before;
    ed->memory_before = memory;
    sg_event_select_status(ed);
}

/* Samples inside the step belong to the phase that held during it. */
static sg_status sample_before(void *self, double t, struct sg_snapshot *now, struct sg_error *err)
{
    struct inside *inside = self;
    swap_status(inside->ed);
    sg_status status = sample_at(self, t, now, err);
    now->active = now->status = inside->ed->status;
    now->memory = inside->ed->memory;
    swap_status(inside->ed);
    return status;
}

/* --- starting ------------------------------------------------------------------------------------- */

void sg_event_begin(struct sg_event_driven *ed)
{
    const struct sg_system *system = ed->run.system;
    memcpy(ed->from.x.u, system->u0, system->n * sizeof(double));
    memcpy(ed->from.x.v, system->v0, system->n * sizeof(double));
    sg_contact_set_gaps(ed->run.contacts, ed->from.x.u, ed->from.x.v, ed->from.gap, ed->from.rate);
}

/* Springs that are closed at t = 0 are told as events: a reader of the file finds every status by them. */
static sg_status initial_status(struct sg_event_driven *ed, struct sg_error *err)
{
    bool any = false;
    for (size_t j = 0; j < ed->run.contacts->q; j++) {
        bool closed = false;
        if (!ed->run.contacts->sprung[j]) continue;
        TRY(sg_event_closed_at_start(ed, j, &closed, err));
        any = any || closed;
        if (closed) TRY(sg_event_enter(ed, 0.0, &ed->from, j, sg_event_first_status(ed, j), err));
    }
    if (any) sg_event_change_status(ed, 0.0, &ed->from);
    return SG_OK;
}

static sg_status rebuild_acceleration(struct sg_event_driven *ed, double t, struct sg_state *x,
                                      struct sg_error *err)
{
    return sg_phase_acceleration(ed->run.phase, t, x->u, x->v, x->a, err);
}

static void exchange(struct sg_event_point *a, struct sg_event_point *b)
{
    struct sg_event_point point = *a;
    *a = *b;
    *b = point;
}

/* Rigid contacts that touch at the start: an impact if they approach, rest if they are pressed. */
static sg_status initial_rigid(struct sg_event_driven *ed, struct sg_error *err)
{
    const struct sg_contact_set *set = ed->run.contacts;
    bool approach = false, touch = false;
    for (size_t j = 0; j < set->q; j++) {
        ed->member[j] = !set->sprung[j] && (ed->from.gap[j] < 0.0 || sg_event_is_zero_at_start(ed, j));
        if (ed->member[j]) sg_event_mark_zeros(ed, j, 1, 0.0);
        ed->crossing[j] = ed->member[j] && ed->from.rate[j] < 0.0;
        approach = approach || ed->crossing[j];
        touch = touch || ed->member[j];
        ed->member[j] = ed->member[j] && ed->from.rate[j] == 0.0;
    }
    if (!touch) return SG_OK;
    memcpy(ed->before, ed->status, set->q);
    memcpy(ed->memory_before, ed->memory, set->q * SG_LAW_MEMORY * sizeof(double));
    exchange(&ed->from, &ed->to);
    sg_status status = approach ? sg_event_impact(ed, 0.0, err) : sg_event_begin_rest(ed, 0.0, err);
    exchange(&ed->from, &ed->to);
    return status;
}

static sg_status start(struct sg_strategy *self, struct sg_error *err)
{
    struct sg_event_driven *ed = self->data;
    sg_event_begin(ed);
    ed->event_time = -HUGE_VAL;
    TRY(initial_status(ed, err));
    sg_event_totals_begin(ed);
    TRY(initial_rigid(ed, err));
    if (ed->events > 0) ed->reduced = ed->run.time.contact_increments;
    sg_event_renew_watches(ed);
    TRY(sg_event_steps_follow(ed, err));
    sg_event_set_floors(ed, &ed->from);
    sg_event_certificate_pass(ed, true);
    TRY(rebuild_acceleration(ed, 0.0, &ed->from.x, err));
    struct sg_snapshot now;
    TRY(snapshot(ed, 0.0, &ed->from, &now, err));
    return ed->run.observer->step(ed->run.observer->self, &now, NULL, 0, err);
}

/* --- the loop ------------------------------------------------------------------------------------- */

static sg_status check_finite(const struct sg_event_driven *ed, double t, struct sg_error *err)
{
    TRY(sg_strategy_check_finite(ed->run.system, ed->to.x.u, ed->steps + 1, t, err));
    return sg_strategy_check_finite(ed->run.system, ed->to.x.v, ed->steps + 1, t, err);
}

/* At a break the load may jump, and with it accelerations and reactions. */
static sg_status pass_break(struct sg_event_driven *ed, double t1, const struct sg_event_stop *stop,
                            struct sg_error *err)
{
    struct sg_integrator *integrator = ed->run.integrator;
    if (t1 != stop->t || t1 >= ed->run.time.end || t1 == ed->t) return SG_OK;
    if (integrator->ops->stores_acceleration) TRY(sg_phase_load_jump(ed->run.phase, t1, ed->to.x.a, err));
    ed->certificate.valid = false;
    TRY(sg_event_reactions(ed, t1, &ed->to, ed->reaction, err));
    if (sg_event_is_certified(ed)) sg_event_mark_jumps(ed);
    return SG_OK;
}

/* Applies the events marked in ed->crossing, line 8 of Algorithm 1. Springs take the status that their watch
 * names: events cross its level transversally. Rigid contacts that arrive make an impact, in which all that
 * touch take part; rests that end are released otherwise, since an impact settles them too. */
static sg_status apply_events(struct sg_event_driven *ed, double t, bool *changed, struct sg_error *err)
{
    const struct sg_contact_set *set = ed->run.contacts;
    bool impact = false, release = false;
    *changed = false;
    for (size_t j = 0; j < set->q; j++) {
        if (!ed->crossing[j]) continue;
        *changed = true;
        impact = impact || (!set->sprung[j] && !ed->status[j]);
        release = release || (!set->sprung[j] && ed->status[j]);
        if (!set->sprung[j]) continue;
        const struct sg_law_watch *watch = &ed->watches[j].list[ed->which[j]];
        sg_event_mark_zeros(ed, j, 1, watch->level);
        TRY(sg_event_enter(ed, t, &ed->to, j, watch->next, err));
    }
    if (*changed) sg_event_change_status(ed, t, &ed->to);
    if (!impact && !release) return SG_OK;
    if (impact) TRY(sg_event_impact(ed, t, err));
    if (!impact) TRY(sg_event_release(ed, t, err));
    /* kept, the acceleration of generalized-alpha would be wrong by the impulse: it is rebuilt */
    TRY(rebuild_acceleration(ed, t, &ed->to.x, err));
    return sg_event_reactions(ed, t, &ed->to, ed->reaction, err);
}

static sg_status observe(struct sg_event_driven *ed, double t1, struct accounts start_accounts,
                         bool localized, struct sg_error *err)
{
    struct sg_snapshot now;
    TRY(snapshot(ed, t1, &ed->to, &now, err));
    struct inside inside = {ed, start_accounts};
    struct sg_sampler sampler = {&inside, sample_before};
    return ed->run.observer->step(ed->run.observer->self, &now, &sampler, localized ? 1 : 0, err);
}

/* Finds the increment to accept, lines 3 to 7 of Algorithm 1: a trial over the regular step h, detection on
 * the interpolants, localisation if an event is in it; then a rest whose reaction would pull ends the step
 * earlier. */
static sg_status find_increment(struct sg_event_driven *ed, double *h, struct sg_error *err)
{
    memset(ed->crossing, 0, ed->run.contacts->q);
    memset(ed->which, 0, ed->run.contacts->q);
    ed->iterations = 0;
    if (ed->dynamics != NULL && ed->dynamics->cross != NULL) {
        TRY(ed->dynamics->cross(ed->dynamics->self, ed, *h, err));
        return check_finite(ed, ed->t + *h, err);
    }
    TRY(sg_event_trial(ed, *h, &ed->to, err));
    TRY(check_finite(ed, ed->t + *h, err));
    if (sg_event_is_certified(ed)) {
        sg_event_find_certified(ed, h);
        return SG_OK;
    }
    struct sg_detection found = sg_event_detect(ed, &ed->from, &ed->to, *h);
    if (found.tau < 1.0) TRY(sg_event_locate(ed, found, h, err));
    if (ed->dynamics == NULL && ed->spec.inside) TRY(sg_event_look_inside(ed, h, err));
    TRY(sg_event_locate_release(ed, h, err));
    ed->rejected += ed->iterations;
    return SG_OK;
}

static sg_status advance(struct sg_strategy *self, bool *done, struct sg_error *err)
{
    struct sg_event_driven *ed = self->data;
    struct sg_event_stop stop = sg_event_next_stop(ed);
    double h = sg_event_choose_step(ed, &stop);
    ed->certificate.stop = stop.t;
    struct accounts start_accounts = {ed->external, ed->dissipated};
    memcpy(ed->impulse_start, ed->impulse, ed->run.contacts->q * sizeof(double));
    memcpy(ed->reaction_start, ed->reaction, ed->run.contacts->q * sizeof(double));
    sg_event_bilateral_begin(&ed->bilateral);
    TRY(find_increment(ed, &h, err));
    double t1 = sg_event_next_time(ed, h, &stop);
    TRY(sg_event_account(ed, h, t1, err));
    TRY(pass_break(ed, t1, &stop, err));
    memcpy(ed->before, ed->status, ed->run.contacts->q);
    memcpy(ed->memory_before, ed->memory, ed->run.contacts->q * SG_LAW_MEMORY * sizeof(double));
    bool changed = false;
    if (ed->reduced > 0) ed->reduced--;
    TRY(apply_events(ed, t1, &changed, err));
    if (changed) {
        ed->reduced = ed->run.time.contact_increments;
        TRY(sg_event_steps_follow(ed, err));
    }
    sg_event_renew_watches(ed);
    sg_event_set_floors(ed, &ed->to);
    sg_event_certificate_pass(ed, changed);
    /* an event at once belongs to the step before it: no time has passed */
    if (h > 0.0) TRY(observe(ed, t1, start_accounts, changed, err));
    exchange(&ed->from, &ed->to);
    ed->t = t1;
    ed->steps += h > 0.0;
    *done = t1 >= ed->run.time.end;
    return SG_OK;
}

/* Springs that are compressed at the start store energy from the first row on. */
static sg_status initial_energy(struct sg_strategy *self, double *total, struct sg_error *err)
{
    static const double blank[SG_LAW_MEMORY] = {0.0};
    const struct sg_event_driven *ed = self->data;
    const struct sg_contact_set *set = ed->run.contacts;
    (void)err;
    for (size_t j = 0; j < set->q; j++) {
        double gap = set->offset[j] + sg_columns_dot(&set->w, j, ed->run.system->u0);
        if (set->sprung[j] && gap < 0.0) *total += sg_law_energy(&set->laws[j], blank, gap);
    }
    return SG_OK;
}

static double now(const struct sg_strategy *self)
{
    const struct sg_event_driven *ed = self->data;
    return ed->t;
}

static size_t closed(const struct sg_strategy *self)
{
    const struct sg_event_driven *ed = self->data;
    size_t count = 0;
    for (size_t j = 0; j < ed->run.contacts->q; j++) count += ed->status[j] != SG_LAW_OPEN;
    return count;
}

static void archive(struct sg_strategy *self, struct sg_archive *store)
{
    struct sg_event_driven *ed = self->data;
    size_t n = ed->run.system->n * sizeof(double), q = ed->run.contacts->q;
    sg_archive_bytes(store, ed->from.x.u, n);
    sg_archive_bytes(store, ed->from.x.v, n);
    if (ed->run.integrator->ops->stores_acceleration) sg_archive_bytes(store, ed->from.x.a, n);
    sg_archive_bytes(store, ed->status, q);
    sg_archive_bytes(store, ed->memory, q * SG_LAW_MEMORY * sizeof(double));
    sg_archive_bytes(store, ed->dependent, q);
    sg_archive_bytes(store, ed->floor, q * sizeof(double));
    sg_archive_bytes(store, ed->impulse, q * sizeof(double));
    sg_archive_bytes(store, ed->reaction, q * sizeof(double));
    sg_event_bilateral_archive(&ed->bilateral, store);
    SG_ARCHIVE(store, ed->t);
    SG_ARCHIVE(store, ed->base);
    SG_ARCHIVE(store, ed->h);
    SG_ARCHIVE(store, ed->count);
    SG_ARCHIVE(store, ed->hint);
    SG_ARCHIVE(store, ed->reduced);
    SG_ARCHIVE(store, ed->closed_step);
    SG_ARCHIVE(store, ed->external);
    SG_ARCHIVE(store, ed->dissipated);
    SG_ARCHIVE(store, ed->damping);
    SG_ARCHIVE(store, ed->penetration);
    SG_ARCHIVE(store, ed->event_time);
    SG_ARCHIVE(store, ed->cluster);
    SG_ARCHIVE(store, ed->steps);
    SG_ARCHIVE(store, ed->events);
    SG_ARCHIVE(store, ed->rejected);
    sg_event_totals_archive(&ed->totals, q, store);
    sg_event_certificate_archive(&ed->certificate, q, store);
    sg_event_middle_archive(&ed->middle, q, store);
    if (!store->loading) return;
    sg_event_renew_watches(ed);
    sg_event_select_status(ed);
    sg_contact_set_gaps(ed->run.contacts, ed->from.x.u, ed->from.x.v, ed->from.gap, ed->from.rate);
}

/* The strategy has no data before it is made: `check` asks it when it is. */
static sg_status describe(const struct sg_strategy *self, struct sg_text *text, struct sg_error *err)
{
    const struct sg_event_driven *ed = self->data;
    (void)err;
    if (ed == NULL || ed->run.contacts->q == 0) return SG_OK;
    const char *promise =
        sg_event_is_certified(ed) ? "certified: none can be missed, by a bound on the motion in closed form"
        : ed->spec.inside
            ? "of the scheme's own motion: by the cubic through the ends of each step, checked by trials "
              "that end "
              "inside wherever it comes near; it is likely, but not certain, that none is missed"
            : "of the cubic through the ends of each step: two of one contact within a step may be missed";
    sg_text_append(text, "events\t%s\n", promise);
    return SG_OK;
}

static void summarize(const struct sg_strategy *self, struct sg_summary *summary)
{
    const struct sg_event_driven *ed = self->data;
    summary->steps = ed->steps;
    summary->events = ed->events;
    summary->rejected_steps = ed->rejected;
    summary->max_penetration = ed->penetration;
    summary->events_certified = sg_event_is_certified(ed);
    summary->event_subdivisions = ed->certificate.subdivisions;
    summary->events_undecided = ed->certificate.undecided;
}

const struct sg_strategy_ops sg_strategy_event_driven = {
    .kind = {"event-driven", "every opening, closing and impact is located in time (Depouhon et al. 2014)",
             rows},
    .needs_fixed_contacts = true,
    .create = create,
    .destroy = destroy,
    .initial_energy = initial_energy,
    .describe = describe,
    .start = start,
    .advance = advance,
    .now = now,
    .closed = closed,
    .archive = archive,
    .summarize = summarize,
};
