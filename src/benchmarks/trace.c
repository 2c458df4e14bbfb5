#include "benchmarks/trace.h"

#include <stdlib.h>
#include <string.h>

#include "analyses/points.h"
#include "analyses/transient.h"
#include "jobs/build.h"
#include "jobs/varied_runs.h"
#include "support/clock.h"
#include "support/memory.h"
#include "support/workers.h"

sg_status sg_names_add(struct sg_arena *arena, struct sg_names *names, const char *name, struct sg_error *err)
{
    for (size_t k = 0; k < names->count; k++)
        if (strcmp(names->items[k], name) == 0) return SG_OK;
    TRY(sg_arena_grow(arena, &names->items, names->count, &names->capacity, sizeof *names->items, err));
    names->items[names->count++] = name;
    return SG_OK;
}

/* --- rows ------------------------------------------------------------------------------------------- */

bool sg_trace_column(const struct sg_trace *trace, const char *name, struct sg_value *value)
{
    size_t first = 0, width = 1, k = 0;
    if (strcmp(name, "t") != 0 || !trace->timed) {
        while (k < trace->names->count && strcmp(trace->names->items[k], name) != 0) k++;
        if (k == trace->names->count || trace->first == NULL) return false;
        first = trace->first[k];
        width = (k + 1 < trace->names->count ? trace->first[k + 1] : trace->width) - first;
    }
    *value = (struct sg_value){trace->row_count, width, trace->width, trace->rows + first};
    return true;
}

double *sg_trace_add_row(struct sg_trace *trace, struct sg_error *err)
{
    if (!sg_grow(&trace->rows, trace->row_count, &trace->row_capacity, trace->width * sizeof *trace->rows)) {
        sg_fail(err, SG_NO_MEMORY, "out of memory for %zu rows of a benchmark", trace->row_count);
        return NULL;
    }
    return trace->rows + trace->row_count++ * trace->width;
}

void sg_trace_release(struct sg_trace *trace)
{
    free(trace->rows);
    free(trace->events);
    sg_free(trace->first);
    *trace = (struct sg_trace){0};
}

sg_status sg_trace_lay_out(struct sg_trace *trace, const size_t *widths, bool timed, struct sg_error *err)
{
    TRY(SG_NEW(&trace->first, trace->names->count, err));
    trace->timed = timed;
    trace->width = timed ? 1 : 0;
    for (size_t k = 0; k < trace->names->count; k++) {
        trace->first[k] = trace->width;
        trace->width += widths[k] > 0 ? widths[k] : 1;
    }
    if (trace->width == 0) trace->width = 1;
    return SG_OK;
}

/* --- runs ------------------------------------------------------------------------------------------- */

struct recording {
    const struct sg_deck *deck;
    struct sg_trace *trace;
    struct sg_diagnostics *diagnostics;
    struct sg_points points;
    struct sg_job job;
    size_t *sources; /* by name: which quantity; of points, where the column's values start */
    size_t *widths;
};

static sg_status keep_step(void *self, const struct sg_snapshot *now, const struct sg_sampler *sampler,
                           int localized, struct sg_error *err)
{
    const struct recording *recording = self;
    struct sg_trace *trace = recording->trace;
    (void)sampler, (void)localized;
    double *row = sg_trace_add_row(trace, err);
    if (row == NULL) return err->status;
    row[0] = now->t;
    for (size_t k = 0; k < trace->names->count; k++) {
        const struct sg_quantity *quantity = &recording->job.quantities.items[recording->sources[k]];
        quantity->fill(quantity->owner, now, row + trace->first[k]);
    }
    return SG_OK;
}

static sg_status keep_event(void *self, const struct sg_event *event, struct sg_error *err)
{
    struct sg_trace *trace = ((const struct recording *)self)->trace;
    if (!sg_grow(&trace->events, trace->event_count, &trace->event_capacity, sizeof *event))
        FAIL(err, SG_NO_MEMORY, "out of memory for %zu events of a benchmark", trace->event_count);
    trace->events[trace->event_count++] = *event;
    return SG_OK;
}

/* N s, of each contact since the start: recorded by no run without rigid contacts, but there */
static void fill_impulse(const void *owner, const struct sg_snapshot *now, double *row)
{
    const struct sg_contact_set *set = owner;
    for (size_t j = 0; j < set->q; j++) row[j] = now->impulse != NULL ? now->impulse[j] : 0.0;
}

static sg_status refuse(const char *name, const struct sg_text *there, struct sg_error *err)
{
    FAIL(err, SG_BAD_DECK, "there is no column '%s'; there are: %s", name, sg_text_view(there));
}

static sg_status find_quantity(struct recording *recording, size_t k, struct sg_error *err)
{
    const struct sg_quantities *list = &recording->job.quantities;
    const char *name = recording->trace->names->items[k];
    size_t i = 0;
    while (i < list->count && strcmp(list->items[i].name, name) != 0) i++;
    if (i < list->count) {
        recording->sources[k] = i;
        recording->widths[k] = list->items[i].width;
        return SG_OK;
    }
    SG_LOCAL_TEXT(there);
    for (i = 0; i < list->count; i++) sg_text_append(&there, "%s%s", i > 0 ? ", " : "", list->items[i].name);
    return refuse(name, &there, err);
}

static sg_status lay_out(struct recording *recording, struct sg_error *err)
{
    struct sg_quantities *list = &recording->job.quantities;
    const struct sg_contact_set *contacts = recording->job.contacts;
    const struct sg_quantity impulse = {
        .name = "impulse", .width = contacts->q, .fill = fill_impulse, .owner = contacts};
    sg_quantities_add(list, impulse);
    if (list->failed) FAIL(err, SG_NO_MEMORY, "out of memory for the list of quantities");
    for (size_t k = 0; k < recording->trace->names->count; k++) TRY(find_quantity(recording, k, err));
    return sg_trace_lay_out(recording->trace, recording->widths, true, err);
}

static sg_status run(struct recording *recording, struct sg_error *err)
{
    static const struct sg_pause no_pause = {0};
    struct sg_job *job = &recording->job;
    struct sg_trace *trace = recording->trace;
    struct sg_observer observer = {.self = recording, .step = keep_step, .event = keep_event};
    TRY(lay_out(recording, err));
    TRY(sg_job_attach(job, observer, recording->diagnostics, err));
    TRY(sg_step_sizes_find(job->system, job->contacts, &job->time, &trace->sizes, err));
    double start = sg_wall_clock();
    sg_status status = sg_transient_run(&job->strategy, false, &no_pause, err);
    trace->seconds = sg_wall_clock() - start;
    job->strategy.ops->summarize(&job->strategy, &trace->summary);
    return status;
}

/* --- points ----------------------------------------------------------------------------------------- */

static sg_status keep_point(void *self, const double *values, size_t count, struct sg_error *err)
{
    const struct recording *recording = self;
    struct sg_trace *trace = recording->trace;
    (void)count;
    double *row = sg_trace_add_row(trace, err);
    if (row == NULL) return err->status;
    for (size_t k = 0; k < trace->names->count; k++)
        for (size_t i = 0; i < recording->widths[k]; i++)
            row[trace->first[k] + i] = values[recording->sources[k] + i];
    return SG_OK;
}

static sg_status find_column(struct recording *recording, size_t k, struct sg_error *err)
{
    const char *name = recording->trace->names->items[k];
    size_t count = 0, i = 0;
    const struct sg_point_column *columns = recording->points.ops->columns(&recording->points, &count);
    while (i < count && strcmp(columns[i].name, name) != 0) i++;
    if (i < count) {
        recording->sources[k] = sg_point_width(columns, i);
        recording->widths[k] = sg_point_width(columns + i, 1);
        return SG_OK;
    }
    SG_LOCAL_TEXT(there);
    for (i = 0; i < count; i++) sg_text_append(&there, "%s%s", i > 0 ? ", " : "", columns[i].name);
    return refuse(name, &there, err);
}

static sg_status run_points(struct recording *recording, struct sg_error *err)
{
    static const struct sg_points_pause no_pause = {0};
    struct sg_observer observer = {.self = recording, .point = keep_point};
    for (size_t k = 0; k < recording->trace->names->count; k++) TRY(find_column(recording, k, err));
    TRY(sg_trace_lay_out(recording->trace, recording->widths, false, err));
    return sg_points_run(&recording->points, &observer, &no_pause, err);
}

static sg_status record(struct recording *recording, struct sg_error *err)
{
    SG_LOCAL_ARENA(scratch);
    TRY(SG_ARENA_NEW(&scratch, &recording->sources, recording->trace->names->count, err));
    TRY(SG_ARENA_NEW(&scratch, &recording->widths, recording->trace->names->count, err));
    TRY(sg_points_create(&recording->points, recording->deck, recording->diagnostics, err));
    if (recording->points.ops != NULL) return run_points(recording, err);
    TRY(sg_job_build(&recording->job, recording->deck, recording->diagnostics, err));
    return run(recording, err);
}

sg_status sg_trace_run(const struct sg_deck *deck, struct sg_trace *trace, struct sg_diagnostics *diagnostics,
                       struct sg_error *err)
{
    struct recording recording = {.deck = deck,
                                  .trace = trace,
                                  .diagnostics = diagnostics,
                                  .points = {.maker = &sg_varied_runs, .jobs = sg_workers_default()}};
    trace->status = record(&recording, err);
    sg_points_destroy(&recording.points);
    sg_job_release(&recording.job);
    return trace->status;
}
