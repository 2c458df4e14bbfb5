/* A run from deck text, with overrides, watched by a recording observer: for the tests of integrators,
 * contact and strategies. */
#ifndef SG_TESTS_RUN_FIXTURE_H
#define SG_TESTS_RUN_FIXTURE_H

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "deck/deck.h"
#include "jobs/build.h"

/* what was seen at the end of a step; arrays are owned */
struct run_row {
    double t;
    double *u, *v;       /* n_full: nodal, prescribed dofs included */
    double *gap, *force; /* q */
    double *impulse;     /* q */
    double kinetic, strain, gravity, contact, external, dissipated;
    double numerical; /* total - total at the start - external + dissipated */
    double projection;
};

struct run {
    struct sg_deck *deck;
    struct sg_diagnostics diagnostics;
    struct sg_error err;
    struct sg_text findings;
    struct sg_job job;
    sg_status status;
    struct run_row *rows;
    size_t count, capacity;
    struct sg_snapshot last; /* the last step's end, as the strategy told it: of its memory */
    struct sg_event *events;
    size_t event_count, event_capacity;
    double sample_every; /* s; > 0: samples inside steps are asked for, and kept in `samples` */
    long long next_sample;
    struct run_row *samples;
    size_t sample_count, sample_capacity;
};

static inline void *run_grow(void *old, size_t count, size_t *capacity, size_t size)
{
    if (count < *capacity) return old;
    *capacity = 2 * *capacity + 64;
    void *fresh = realloc(old, *capacity * size);
    if (fresh == NULL) ck_abort_msg("no memory");
    return fresh;
}

static inline double *run_copy(const double *x, size_t n)
{
    double *copy = malloc((n + 1) * sizeof *copy);
    if (copy == NULL) ck_abort_msg("no memory");
    if (n > 0) memcpy(copy, x, n * sizeof *copy);
    return copy;
}

static inline struct run_row run_row_of(const struct run *run, const struct sg_snapshot *now)
{
    const struct sg_system *system = run->job.system;
    size_t n = system->n_full, q = run->job.contacts->q;
    struct run_row row = {.t = now->t, .u = malloc(n * sizeof(double)), .v = malloc(n * sizeof(double))};
    if (row.u == NULL || row.v == NULL) ck_abort_msg("no memory");
    sg_system_expand(system, now->u, now->t, 0, row.u);
    sg_system_expand(system, now->v, now->t, 1, row.v);
    row.gap = run_copy(now->gap, q);
    row.force = run_copy(now->force, q);
    row.impulse = run_copy(now->impulse, q);
    row.kinetic = sg_system_kinetic(system, now->v, now->t);
    row.strain = now->u_next == NULL ? sg_system_strain(system, now->u, now->t)
                                     : sg_system_staggered_strain(system, now);
    row.gravity = sg_system_gravity_energy(system, now->u, now->t);
    if (now->u_next != NULL)
        row.gravity = 0.5 * (row.gravity + sg_system_gravity_energy(system, now->u_next, now->t_next));
    row.contact = now->contact_energy;
    row.external = now->external;
    row.dissipated = now->dissipated;
    row.projection = now->projection;
    row.numerical =
        sg_system_total(system, now) - run->job.balance.total_start - row.external + row.dissipated;
    return row;
}

static inline void run_row_release(struct run_row *row)
{
    free(row->u);
    free(row->v);
    free(row->gap);
    free(row->force);
    free(row->impulse);
}

/* Samples first, then the end of the step, as the program's own recorder does. */
static inline sg_status run_on_step(void *self, const struct sg_snapshot *now,
                                    const struct sg_sampler *sampler, int localized, struct sg_error *err)
{
    struct run *run = self;
    (void)localized;
    while (run->sample_every > 0 && sampler != NULL &&
           (double)run->next_sample * run->sample_every < now->t - 1e-12) {
        struct sg_snapshot inside;
        TRY(sampler->at(sampler->self, (double)run->next_sample * run->sample_every, &inside, err));
        run->samples = run_grow(run->samples, run->sample_count, &run->sample_capacity, sizeof *run->samples);
        run->samples[run->sample_count++] = run_row_of(run, &inside);
        run->next_sample++;
    }
    run->rows = run_grow(run->rows, run->count, &run->capacity, sizeof *run->rows);
    run->rows[run->count++] = run_row_of(run, now);
    run->last = *now;
    return SG_OK;
}

static inline sg_status run_on_event(void *self, const struct sg_event *event, struct sg_error *err)
{
    struct run *run = self;
    (void)err;
    run->events = run_grow(run->events, run->event_count, &run->event_capacity, sizeof *run->events);
    run->events[run->event_count++] = *event;
    return SG_OK;
}

static inline void run_must(struct run *run, const char *what)
{
    sg_text_release(&run->findings);
    sg_diagnostics_render(&run->diagnostics, &run->findings);
    ck_assert_msg(run->status == SG_OK, "%s: %s%s", what, sg_text_view(&run->findings), run->err.text);
}

/* reads deck[0], overrides by deck[1] .., and validates: a deck that fails here would test the reader, not
 * the run */
static inline void run_read(struct run *run, const char *const *deck)
{
    const char *text = deck[0];
    *run = (struct run){0};
    run->status = sg_deck_read_text(text, strlen(text), "test", &run->deck, &run->diagnostics, &run->err);
    run_must(run, text);
    for (size_t i = 1; deck[i] != NULL; i++) {
        run->status = sg_deck_override(run->deck, deck[i], &run->diagnostics, &run->err);
        run_must(run, deck[i]);
    }
    run->status = sg_deck_validate(run->deck, sg_grammar, &run->diagnostics, &run->err);
    run_must(run, text);
}

/* builds and attaches; run->status tells */
static inline void run_build(struct run *run)
{
    struct sg_observer observer = {.self = run, .step = run_on_step, .event = run_on_event};
    run->status = sg_job_build(&run->job, run->deck, &run->diagnostics, &run->err);
    if (run->status == SG_OK) run->status = sg_job_attach(&run->job, observer, &run->diagnostics, &run->err);
}

/* from start to end; run->status tells */
static inline void run_go(struct run *run)
{
    struct sg_strategy *strategy = &run->job.strategy;
    bool done = false;
    run->status = strategy->ops->start(strategy, &run->err);
    run->next_sample = 1;
    while (run->status == SG_OK && !done) run->status = strategy->ops->advance(strategy, &done, &run->err);
}

/* `run` stays where it is: the observer points to it */
static inline void run_finish(struct run *run, const char *const *deck)
{
    run_read(run, deck);
    run_build(run);
    run_must(run, deck[0]);
    run_go(run);
    run_must(run, deck[0]);
}
/* RUN(&run, text, overrides..) */
#define RUN(run, ...) run_finish((run), (const char *const[]){__VA_ARGS__, NULL})

/* built, not started */
static inline void run_prepare(struct run *run, const char *const *deck)
{
    run_read(run, deck);
    run_build(run);
    run_must(run, deck[0]);
}
#define PREPARE(run, ...) run_prepare((run), (const char *const[]){__VA_ARGS__, NULL})

static inline void run_release(struct run *run)
{
    for (size_t i = 0; i < run->count; i++) run_row_release(&run->rows[i]);
    for (size_t i = 0; i < run->sample_count; i++) run_row_release(&run->samples[i]);
    free(run->rows);
    free(run->samples);
    free(run->events);
    sg_job_release(&run->job);
    sg_deck_destroy(run->deck);
    sg_diagnostics_release(&run->diagnostics);
    sg_text_release(&run->findings);
}

static inline const struct run_row *run_last(const struct run *run)
{
    return &run->rows[run->count - 1];
}

static inline size_t run_events_of(const struct run *run, enum sg_event_kind kind)
{
    size_t count = 0;
    for (size_t i = 0; i < run->event_count; i++) count += run->events[i].kind == kind ? 1 : 0;
    return count;
}

/* m, the deepest overlap at the end of any step */
static inline double run_deepest(const struct run *run)
{
    double deepest = 0;
    for (size_t i = 0; i < run->count; i++)
        for (size_t j = 0; j < run->job.contacts->q; j++) deepest = fmax(deepest, -run->rows[i].gap[j]);
    return deepest;
}

/* J, the largest |numerical| of any step */
static inline double run_imbalance(const struct run *run)
{
    double worst = 0;
    for (size_t i = 0; i < run->count; i++) worst = fmax(worst, fabs(run->rows[i].numerical));
    return worst;
}

/* the largest |a - b| of n numbers */
static inline double run_distance(const double *a, const double *b, size_t n)
{
    double worst = 0;
    for (size_t i = 0; i < n; i++) worst = fmax(worst, fabs(a[i] - b[i]));
    return worst;
}

/* Check notes each of its assertions in a file, which in loops is what costs: it is asked where one fails */
static inline void run_near(double a, double b, double tolerance, int line)
{
    if (fabs(a - b) <= tolerance) return;
    ck_abort_msg("line %d: %.17g is not %.17g within %g: off by %.3g", line, a, b, tolerance, a - b);
}
#define NEAR(a, b, tolerance) run_near((a), (b), (tolerance), __LINE__)

static inline void run_below(double a, double limit, int line)
{
    if (a <= limit) return;
    ck_abort_msg("line %d: %.17g is above %g", line, a, limit);
}
#define BELOW(a, limit) run_below((a), (limit), __LINE__)

/* numbers of [-1, 1) that are the same everywhere; `state` starts at any number but 0 */
static inline double run_random(unsigned long long *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (double)(*state >> 11) / 4503599627370496.0 - 1.0;
}

#endif
