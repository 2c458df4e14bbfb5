#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analyses/points.h"
#include "analyses/transient.h"
#include "benchmarks/shipped.h"
#include "commands/load.h"
#include "commands/progress.h"
#include "commands/verify.h"
#include "jobs/build.h"
#include "jobs/grammar.h"
#include "jobs/varied_runs.h"
#include "support/memory.h"
#include "support/workers.h"

/* --- the observer --------------------------------------------------------------------------------- */

struct recording {
    struct sg_deck *deck;
    struct sg_diagnostics diagnostics;
    struct sg_points points;
    struct sg_job job;
    const struct sg_quantity *quantities[SG_TRACE_HISTORIES];
    size_t columns[SG_TRACE_HISTORIES]; /* of points: where the values of a column start */
    struct sg_trace *trace;
};

/* room for one more item of `size` bytes */
static sg_status grow(void **memory, size_t size, size_t count, size_t *capacity, struct sg_error *err)
{
    void *larger = NULL;
    if (count < *capacity) return SG_OK;
    size_t wanted = *capacity > 0 ? 2 * *capacity : 256;
    TRY(sg_alloc(wanted, size, "trace of a benchmark", &larger, err));
    if (count > 0) memcpy(larger, *memory, count * size);
    sg_free(*memory);
    *memory = larger;
    *capacity = wanted;
    return SG_OK;
}

double *sg_trace_add_row(struct sg_trace *trace, struct sg_error *err)
{
    void *rows = trace->rows;
    size_t bytes = trace->width * sizeof(double);
    if (grow(&rows, bytes, trace->row_count, &trace->row_capacity, err) != SG_OK) return NULL;
    trace->rows = rows;
    return trace->rows + trace->row_count++ * trace->width;
}

static sg_status keep_step(void *self, const struct sg_snapshot *now, const struct sg_sampler *sampler,
                           int localized, struct sg_error *err)
{
    struct recording *recording = self;
    struct sg_trace *trace = recording->trace;
    (void)sampler, (void)localized;
    double *row = sg_trace_add_row(trace, err);
    if (row == NULL) return err->status;
    row[0] = now->t;
    for (size_t k = 0; trace->histories[k] != NULL; k++) {
        const struct sg_quantity *quantity = recording->quantities[k];
        quantity->fill(quantity->owner, now, row + trace->first[k]);
    }
    return SG_OK;
}

static sg_status keep_event(void *self, const struct sg_event *event, struct sg_error *err)
{
    struct sg_trace *trace = ((struct recording *)self)->trace;
    void *events = trace->events;
    TRY(grow(&events, sizeof *event, trace->event_count, &trace->event_capacity, err));
    trace->events = events;
    trace->events[trace->event_count++] = *event;
    return SG_OK;
}

/* --- a trial -------------------------------------------------------------------------------------- */

static sg_status read_deck(struct recording *recording, const struct sg_benchmark *benchmark,
                           const struct sg_trial *trial, struct sg_error *err)
{
    const char *name = benchmark->name;
    const struct sg_shipped_deck *shipped = sg_shipped_decks;
    while (shipped->name != NULL && strcmp(shipped->name, name) != 0) shipped++;
    if (shipped->name == NULL) FAIL(err, SG_INTERNAL, "deck '%s' is not compiled in", name);
    TRY(sg_deck_read_text(shipped->text, shipped->length, name, &recording->deck, &recording->diagnostics,
                          err));
    sg_deck_offer_side_files(recording->deck, sg_shipped_files);
    for (const char *const *set = trial->sets; *set != NULL; set++)
        TRY(sg_deck_override(recording->deck, *set, &recording->diagnostics, err));
    const struct sg_keyword *grammar = benchmark->grammar != NULL ? benchmark->grammar : sg_grammar;
    return sg_deck_validate(recording->deck, grammar, &recording->diagnostics, err);
}

static void fill_impulse(const void *owner, const struct sg_snapshot *now, double *row)
{
    const struct sg_contact_set *set = owner;
    for (size_t j = 0; j < set->q; j++) row[j] = now->impulse != NULL ? now->impulse[j] : 0.0;
}

/* what one of the trials has not: figures of it can't pass */
static void fill_missing(const void *owner, const struct sg_snapshot *now, double *row)
{
    (void)owner;
    (void)now;
    row[0] = NAN;
}

static const struct sg_quantity *find_quantity(const struct sg_quantities *list, const char *name)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i].name, name) == 0) return &list->items[i];
    return NULL;
}

/* The quantities asked for, side by side after the time. */
static sg_status lay_out(struct recording *recording, const char *const *histories, struct sg_error *err)
{
    struct sg_quantities *list = &recording->job.quantities;
    struct sg_trace *trace = recording->trace;
    sg_quantities_add(list, (struct sg_quantity){.name = "impulse",
                                                 .width = recording->job.contacts->q,
                                                 .fill = fill_impulse,
                                                 .owner = recording->job.contacts});
    for (size_t k = 0; histories[k] != NULL; k++)
        if (find_quantity(list, histories[k]) == NULL)
            sg_quantities_add(list, (struct sg_quantity){.name = histories[k], .fill = fill_missing});
    if (list->failed) FAIL(err, SG_NO_MEMORY, "out of memory for the list of quantities");
    trace->histories = histories;
    trace->width = 1;
    for (size_t k = 0; histories[k] != NULL; k++) {
        const struct sg_quantity *quantity = find_quantity(list, histories[k]);
        if (quantity == NULL) FAIL(err, SG_INTERNAL, "history '%s' is lost", histories[k]);
        recording->quantities[k] = quantity;
        trace->first[k] = trace->width;
        trace->width += quantity->width > 0 ? quantity->width : 1;
    }
    return SG_OK;
}

static sg_status run(struct recording *recording, struct sg_error *err)
{
    static const struct sg_pause no_pause = {0};
    struct sg_job *job = &recording->job;
    struct sg_trace *trace = recording->trace;
    struct sg_observer observer = {.self = recording, .step = keep_step, .event = keep_event};
    TRY(sg_job_attach(job, observer, &recording->diagnostics, err));
    TRY(sg_step_sizes_find(job->system, job->contacts, &job->time, &trace->sizes, err));
    double start = sg_wall_clock();
    sg_status status = sg_transient_run(&job->strategy, false, &no_pause, err);
    trace->seconds = sg_wall_clock() - start;
    job->strategy.ops->summarize(&job->strategy, &trace->summary);
    return status;
}

/* --- points --------------------------------------------------------------------------------------- */

static sg_status keep_point(void *self, const double *values, size_t count, struct sg_error *err)
{
    struct recording *recording = self;
    struct sg_trace *trace = recording->trace;
    (void)count;
    double *row = sg_trace_add_row(trace, err);
    if (row == NULL) return err->status;
    row[0] = values[0];
    for (size_t k = 0; trace->histories[k] != NULL; k++) {
        size_t next = trace->histories[k + 1] != NULL ? trace->first[k + 1] : trace->width;
        memcpy(row + trace->first[k], values + recording->columns[k], (next - trace->first[k]) * sizeof *row);
    }
    return SG_OK;
}

static sg_status lay_out_points(struct recording *recording, const char *const *names, struct sg_error *err)
{
    struct sg_trace *trace = recording->trace;
    size_t count = 0;
    const struct sg_point_column *columns = recording->points.ops->columns(&recording->points, &count);
    trace->histories = names;
    trace->width = 1;
    for (size_t k = 0; names[k] != NULL; k++) {
        size_t i = 0;
        while (i < count && strcmp(columns[i].name, names[k]) != 0) i++;
        if (i == count) FAIL(err, SG_INTERNAL, "there is no column '%s'", names[k]);
        recording->columns[k] = sg_point_width(columns, i);
        trace->first[k] = trace->width;
        trace->width += sg_point_width(columns + i, 1);
    }
    return SG_OK;
}

static sg_status run_points(struct recording *recording, const char *const *names, struct sg_error *err)
{
    static const struct sg_points_pause no_pause = {0};
    struct sg_observer observer = {.self = recording, .point = keep_point};
    TRY(lay_out_points(recording, names, err));
    return sg_points_run(&recording->points, &observer, &no_pause, err);
}

static sg_status record(struct recording *recording, const struct sg_benchmark *benchmark,
                        const struct sg_trial *trial, struct sg_error *err)
{
    TRY(read_deck(recording, benchmark, trial, err));
    if (benchmark->record != NULL)
        return benchmark->record(recording->deck, recording->trace, &recording->diagnostics, err);
    TRY(sg_points_create(&recording->points, recording->deck, &recording->diagnostics, err));
    if (recording->points.ops != NULL) return run_points(recording, benchmark->histories, err);
    TRY(sg_job_build(&recording->job, recording->deck, &recording->diagnostics, err));
    TRY(lay_out(recording, benchmark->histories, err));
    return run(recording, err);
}

sg_status sg_trace_record(const struct sg_benchmark *benchmark, const struct sg_trial *trial,
                          struct sg_trace *trace, struct sg_error *err)
{
    struct recording recording = {.trace = trace, .points = {.maker = &sg_varied_runs}};
    *trace = (struct sg_trace){0};
    recording.points.jobs = sg_workers_default();
    trace->status = record(&recording, benchmark, trial, err);
    sg_status status = trace->status;
    if (status == SG_BAD_DECK) sg_report(&recording.diagnostics, status, err);
    if (status == SG_NO_SOLUTION) {
        fprintf(stderr, "signorini verify: %s, %s: %s\n", benchmark->name, trial->label, err->text);
        sg_error_clear(err);
        status = SG_OK;
    }
    sg_points_destroy(&recording.points);
    sg_job_release(&recording.job);
    sg_deck_destroy(recording.deck);
    sg_diagnostics_release(&recording.diagnostics);
    return status;
}

void sg_trace_release(struct sg_trace *trace)
{
    sg_free(trace->rows);
    sg_free(trace->events);
    *trace = (struct sg_trace){0};
}

/* --- measuring ------------------------------------------------------------------------------------ */

bool sg_trace_has(const struct sg_trace *trace, const char *history)
{
    for (size_t k = 0; trace->histories[k] != NULL; k++)
        if (strcmp(trace->histories[k], history) == 0) return true;
    return false;
}

size_t sg_trace_column(const struct sg_trace *trace, const char *history)
{
    size_t k = 0;
    while (strcmp(trace->histories[k], history) != 0) k++;
    return trace->first[k];
}

const double *sg_trace_row(const struct sg_trace *trace, size_t i)
{
    return trace->rows + i * trace->width;
}

const double *sg_trace_last(const struct sg_trace *trace)
{
    return sg_trace_row(trace, trace->row_count - 1);
}

size_t sg_trace_count(const struct sg_trace *trace, enum sg_event_kind kind)
{
    size_t count = 0;
    for (size_t i = 0; i < trace->event_count; i++) count += trace->events[i].kind == kind;
    return count;
}

size_t sg_trace_phases(const struct sg_trace *trace, struct sg_phase_rule rule,
                       struct sg_contact_interval *phases, size_t most)
{
    size_t count = 0;
    struct sg_contact_interval phase = {0.0, -HUGE_VAL};
    for (size_t i = 0; i < trace->event_count; i++) {
        const struct sg_event *event = &trace->events[i];
        bool closes = event->kind == SG_EVENT_CLOSE;
        if (event->contact != rule.contact || (!closes && event->kind != SG_EVENT_OPEN)) continue;
        if (closes && event->t - phase.opens > rule.pause) {
            phase.closes = event->t;
            count++;
        }
        phase.opens = closes ? sg_trace_last(trace)[0] : event->t;
        if (count > 0 && count <= most) phases[count - 1] = phase;
    }
    return count;
}

double sg_trace_worst(const struct sg_trace *trace, struct sg_trace_span span, sg_trace_error *error,
                      const void *exact)
{
    size_t column = sg_trace_column(trace, span.history);
    double worst = 0.0;
    for (size_t i = 0; i < trace->row_count; i++) {
        const double *row = sg_trace_row(trace, i);
        if (row[0] < span.from || row[0] > span.until) continue;
        worst = fmax(worst, fabs(error(exact, row[0], row + column)));
    }
    return worst;
}

double sg_trace_apart(const struct sg_trace *a, const struct sg_trace *b, const char *history)
{
    size_t column = sg_trace_column(a, history);
    double most = 0.0;
    if (a->row_count != b->row_count) return HUGE_VAL;
    for (size_t i = 0; i < a->row_count; i++)
        most = fmax(most, fabs(sg_trace_row(a, i)[column] - sg_trace_row(b, i)[column]));
    return most;
}

double sg_trace_integral(const struct sg_trace *trace, struct sg_trace_span span)
{
    size_t column = sg_trace_column(trace, span.history);
    double sum = 0.0;
    for (size_t i = 1; i < trace->row_count; i++) {
        const double *a = sg_trace_row(trace, i - 1), *b = sg_trace_row(trace, i);
        if (a[0] < span.from || b[0] > span.until) continue;
        sum += 0.5 * (b[0] - a[0]) * (a[column] + b[column]);
    }
    return sum;
}

double sg_measure_increments(const struct sg_verification *verification, size_t trial)
{
    return (double)verification->traces[trial].summary.steps;
}

double sg_measure_closings(const struct sg_verification *verification, size_t trial)
{
    return (double)sg_trace_count(&verification->traces[trial], SG_EVENT_CLOSE);
}

double sg_measure_omega_free(const struct sg_verification *verification, size_t trial)
{
    return verification->traces[trial].sizes.omega_free;
}

double sg_measure_omega_closed(const struct sg_verification *verification, size_t trial)
{
    return verification->traces[trial].sizes.omega_closed;
}

double sg_measure_step(const struct sg_verification *verification, size_t trial)
{
    return verification->traces[trial].sizes.step;
}

double sg_measure_contact_step(const struct sg_verification *verification, size_t trial)
{
    return verification->traces[trial].sizes.contact_step;
}

double sg_trace_itself(const void *exact, double t, const double *values)
{
    (void)exact, (void)t;
    return values[0];
}

double sg_measure_drift(const struct sg_verification *verification, size_t trial)
{
    const struct sg_trace *trace = &verification->traces[trial];
    struct sg_trace_span numerical = {"energy/numerical", 0.0, HUGE_VAL};
    struct sg_trace_span total = {"energy/total", 0.0, HUGE_VAL};
    return sg_trace_worst(trace, numerical, sg_trace_itself, NULL) /
           sg_trace_worst(trace, total, sg_trace_itself, NULL);
}

double sg_measure_ratio(const struct sg_verification *verification, size_t trial, sg_measure *measure)
{
    return measure(verification, trial) / measure(verification, trial - 1);
}
