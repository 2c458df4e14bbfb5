#define _POSIX_C_SOURCE 200809L
#include "results/recorder.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "results/selection.h"
#include "results/writer.h"
#include "support/arena.h"
#include "support/clock.h"
#include "support/memory.h"
#include "support/stop.h"

enum { FLUSH_ROWS = SG_CHUNK_ROWS_MAX, FLUSH_SECONDS = 2 };

/* A checkpoint keeps this; it has plain numbers only. */
struct progress {
    size_t rows, events, points;
    long long next;                  /* the next sample is at next * every */
    double last_time;                /* of the last row */
    double max_numerical, max_total; /* over all rows but the last, which may be replaced */
    double last_numerical,
        last_total; /* of the last row, absolute; total: or what is at hand, if that is more */
    struct sg_energy_row last_energy; /* of the last row, for the audit */
    double first_gravity;             /* its potential at the first row */
    long long steps;                  /* since the last row */
    bool inside;                      /* the last row lies inside a step */
};

struct sg_recorder {
    struct sg_arena arena;
    struct sg_writer writer;
    struct sg_selection chosen;
    double every, end;
    bool sample_events;
    size_t contacts, point_width;
    struct progress now;
    struct sg_totals totals;               /* ops NULL: none */
    struct sg_audit audit;                 /* likewise */
    struct sg_audit_list findings;         /* of the audit, at the end */
    double *impulse_before, *impulse_last; /* contacts: at the row before the last, at the last */
    double *scratch;                       /* a row of flags as doubles */
    size_t flushed;                        /* rows + events at the last flush */
    double flush_time;                     /* s, monotonic clock */
    struct sg_error damage;                /* the archive asks for more than the file holds */
};

/* k * every and t0 + n * h meet up to the rounding of h, every and the products */
static bool same_time(double a, double b)
{
    return fabs(a - b) <= 8 * DBL_EPSILON * fmax(fabs(a), fabs(b));
}

/* --- creation ------------------------------------------------------------------------------------- */

static struct sg_stream_spec stream_of(const struct sg_quantity *quantity, const char *staggering)
{
    bool staggered = strcmp(quantity->name, "velocity") == 0 || strncmp(quantity->name, "energy/", 7) == 0;
    return (struct sg_stream_spec){.name = quantity->name,
                                   .unit = quantity->unit,
                                   .description = quantity->description,
                                   .note = staggered ? staggering : NULL,
                                   .type = quantity->flags ? H5T_NATIVE_UINT8 : H5T_NATIVE_DOUBLE,
                                   .item = quantity->flags ? 1 : sizeof(double),
                                   .width = quantity->width,
                                   .field = quantity->field,
                                   .late = quantity->late,
                                   .owner = quantity->owner};
}

/* columns of /history: time, the chosen quantities, contact_impulse */
static sg_status history_specs(struct sg_recorder *recorder, const struct sg_recorder_spec *spec,
                               struct sg_stream_spec **out, struct sg_error *err)
{
    const struct sg_selection *chosen = &recorder->chosen;
    TRY(SG_ARENA_NEW(&recorder->arena, out, chosen->count + 3, err));
    struct sg_stream_spec *list = *out;
    *list++ = (struct sg_stream_spec){"time", "s", "time of each row", NULL, H5T_NATIVE_DOUBLE, 8, 0, {0},
                                      NULL,   NULL};
    for (size_t i = 0; i < chosen->count; i++) *list++ = stream_of(&chosen->items[i], spec->staggering);
    if (chosen->impulses)
        *list = (struct sg_stream_spec){"contact_impulse",
                                        "N s",
                                        "impulse of each contact since the row before, > 0 compressive",
                                        NULL,
                                        H5T_NATIVE_DOUBLE,
                                        8,
                                        recorder->contacts,
                                        {0},
                                        NULL,
                                        NULL};
    return SG_OK;
}

static sg_status point_specs(struct sg_arena *arena, const struct sg_recorder_spec *spec,
                             struct sg_stream_spec **out, struct sg_error *err)
{
    *out = NULL;
    if (spec->point_column_count == 0) return SG_OK;
    TRY(SG_ARENA_NEW(arena, out, spec->point_column_count + 1, err));
    for (size_t i = 0; i < spec->point_column_count; i++) {
        const struct sg_point_column *column = &spec->point_columns[i];
        (*out)[i] = (struct sg_stream_spec){
            column->name, column->unit, column->description, NULL, H5T_NATIVE_DOUBLE, 8, column->width, {0},
            NULL,         NULL};
    }
    return SG_OK;
}

static sg_status open_writer(struct sg_recorder *recorder, const struct sg_recorder_spec *spec,
                             struct sg_error *err)
{
    struct sg_stream_spec *history = NULL, *points = NULL;
    TRY(history_specs(recorder, spec, &history, err));
    TRY(point_specs(&recorder->arena, spec, &points, err));
    const struct sg_writer_columns columns = {history, points};
    return sg_writer_init(&recorder->arena, &recorder->writer, spec, &columns, err);
}

static sg_status allocate(struct sg_recorder *recorder, struct sg_error *err)
{
    size_t widest = 1;
    for (size_t i = 0; i < recorder->chosen.count; i++) {
        if (recorder->chosen.items[i].width > widest) widest = recorder->chosen.items[i].width;
    }
    TRY(SG_ARENA_NEW(&recorder->arena, &recorder->scratch, widest, err));
    TRY(SG_ARENA_NEW(&recorder->arena, &recorder->impulse_before, recorder->contacts, err));
    return SG_ARENA_NEW(&recorder->arena, &recorder->impulse_last, recorder->contacts, err);
}

static sg_status fill_recorder(struct sg_recorder *recorder, const struct sg_recorder_spec *spec,
                               struct sg_error *err)
{
    recorder->every = spec->every;
    recorder->end = spec->end;
    recorder->sample_events = spec->events;
    recorder->contacts = spec->labels->contact_count;
    recorder->totals = spec->totals;
    recorder->audit = spec->audit;
    recorder->point_width = sg_point_width(spec->point_columns, spec->point_column_count);
    recorder->flush_time = sg_wall_clock();
    TRY(sg_selection_init(&recorder->arena, &recorder->chosen, spec, err));
    TRY(allocate(recorder, err));
    return open_writer(recorder, spec, err);
}

sg_status sg_recorder_create(const struct sg_recorder_spec *spec, struct sg_recorder **recorder,
                             struct sg_error *err)
{
    TRY(SG_NEW(recorder, 1, err));
    (*recorder)->writer.lock = -1;
    sg_status status = fill_recorder(*recorder, spec, err);
    if (status == SG_OK) return SG_OK;
    sg_recorder_destroy(*recorder);
    *recorder = NULL;
    return status;
}

void sg_recorder_destroy(struct sg_recorder *recorder)
{
    if (recorder == NULL) return;
    sg_writer_release(&recorder->writer);
    sg_arena_release(&recorder->arena);
    sg_free(recorder);
}

/* --- rows ----------------------------------------------------------------------------------------- */

static void fill_quantity(const struct sg_recorder *recorder, const struct sg_quantity *quantity,
                          const struct sg_snapshot *now, size_t column)
{
    void *slot = sg_stream_table_slot(&recorder->writer.history, column);
    double *parts = sg_stream_table_parts(&recorder->writer.history, column);
    if (parts != NULL) {
        quantity->late->take(quantity->owner, now, parts);
        return;
    }
    if (!quantity->flags) {
        quantity->fill(quantity->owner, now, slot);
        return;
    }
    unsigned char *flags = slot;
    quantity->fill(quantity->owner, now, recorder->scratch);
    for (size_t j = 0; j < quantity->width || j == 0; j++) flags[j] = recorder->scratch[j] != 0;
}

static void fill_impulses(const struct sg_recorder *recorder, double *row)
{
    for (size_t j = 0; j < recorder->contacts; j++)
        row[j] = recorder->impulse_last[j] - recorder->impulse_before[j];
}

/* Where contacts give impulses, the force of one step says little about a row that covers several: at
 * position level that of a body at rest alternates between 0 and twice its weight. What balances the motion
 * over a row is the impulse since the row before over the time since then. A row of one whole step has the
 * step's own force, which is the same without the rounding of a difference. */
static void fill_mean_force(const struct sg_recorder *recorder, const struct sg_snapshot *now, double since,
                            double *row)
{
    bool whole = recorder->now.steps == 1 && !recorder->now.inside;
    if (!(since > 0.0)) return;
    if (whole && now->mean_force != NULL) memcpy(row, now->mean_force, recorder->contacts * sizeof *row);
    if (whole) return;
    fill_impulses(recorder, row);
    for (size_t j = 0; j < recorder->contacts; j++) row[j] /= since;
}

static double value_of(const struct sg_quantity *quantity, const struct sg_snapshot *now)
{
    double value = 0;
    if (quantity != NULL) quantity->fill(quantity->owner, now, &value);
    return value;
}

/* Kinetic and stored energy (the total without gravity's part) and the work that loads and gravity have done:
 * unlike the total, none of it depends on where gravity's potential is 0. */
static double energy_at_hand(struct sg_recorder *recorder, const struct sg_snapshot *now, double total)
{
    double gravity = value_of(recorder->chosen.gravity, now);
    if (recorder->now.rows == 0) recorder->now.first_gravity = gravity;
    return fabs(total - gravity) + fabs(now->external) + fabs(gravity - recorder->now.first_gravity);
}

/* Energies are squares: they overflow long before the state does. */
static sg_status measure_energy(struct sg_recorder *recorder, const struct sg_snapshot *now,
                                struct sg_error *err)
{
    const struct sg_quantity *numerical = recorder->chosen.numerical, *total = recorder->chosen.total;
    double value = 0;
    if (numerical == NULL || total == NULL) return SG_OK;
    struct sg_energy_row *row = &recorder->now.last_energy;
    numerical->fill(numerical->owner, now, &value);
    row->numerical = value;
    recorder->now.last_numerical = fabs(value);
    if (!isfinite(value)) FAIL(err, SG_NO_SOLUTION, "the energy is not finite at t = %.17g s", now->t);
    total->fill(total->owner, now, &value);
    row->t = now->t;
    row->total = value;
    row->at_hand = energy_at_hand(recorder, now, value);
    recorder->now.last_total = fmax(fabs(value), row->at_hand);
    return SG_OK;
}

/* fmax alone would pass over a NaN */
static double largest(double a, double b)
{
    return isnan(a) || isnan(b) ? NAN : fmax(a, b);
}

static void tell_energy(const struct sg_recorder *recorder)
{
    if (recorder->audit.ops != NULL && recorder->now.rows > 0)
        recorder->audit.ops->energy(recorder->audit.self, &recorder->now.last_energy);
}

/* The last row stands: what may still be replaced is the one to come. */
static void settle_last_row(struct sg_recorder *recorder)
{
    struct progress *p = &recorder->now;
    tell_energy(recorder);
    p->max_numerical = largest(p->max_numerical, p->last_numerical);
    p->max_total = largest(p->max_total, p->last_total);
    memcpy(recorder->impulse_before, recorder->impulse_last, recorder->contacts * sizeof(double));
}

static sg_status flush_when_due(struct sg_recorder *recorder, struct sg_error *err)
{
    size_t held = recorder->now.rows + recorder->now.events + recorder->now.points;
    double now = sg_wall_clock();
    if (held < recorder->flushed + FLUSH_ROWS && now - recorder->flush_time < FLUSH_SECONDS) return SG_OK;
    TRY(sg_writer_flush(&recorder->writer, false, err));
    recorder->flushed = held;
    recorder->flush_time = sg_wall_clock();
    return SG_OK;
}

/* Numbers that are made of a finite state may still overflow: products, squares, an impulse over a short
 * step. */
static sg_status check_finite(struct sg_recorder *recorder, double t, struct sg_error *err)
{
    const struct sg_selection *chosen = &recorder->chosen;
    for (size_t i = 0; i < chosen->count; i++) {
        const struct sg_quantity *quantity = &chosen->items[i];
        const struct sg_stream_table *table = &recorder->writer.history;
        double poison = 0.0;
        /* rows that are made late are sums of the state itself */
        if (quantity->flags || sg_stream_table_parts(table, 1 + i) != NULL) continue;
        const double *row = sg_stream_table_slot(table, 1 + i);
        for (size_t j = 0; j < quantity->width || j == 0; j++) poison += row[j] - row[j];
        if (poison != 0.0)
            FAIL(err, SG_NO_SOLUTION, "history '%s' is not finite at t = %.17g s", quantity->name, t);
    }
    return SG_OK;
}

/* `since`: s, from the row before; 0: there is none */
static sg_status fill_row(struct sg_recorder *recorder, double t, double since, const struct sg_snapshot *now,
                          struct sg_error *err)
{
    const struct sg_selection *chosen = &recorder->chosen;
    struct sg_stream_table *table = &recorder->writer.history;
    memcpy(sg_stream_table_slot(table, 0), &t, sizeof t);
    for (size_t i = 0; i < chosen->count; i++) fill_quantity(recorder, &chosen->items[i], now, 1 + i);
    for (size_t j = 0; now->impulse != NULL && j < recorder->contacts; j++)
        recorder->impulse_last[j] = now->impulse[j];
    if (chosen->impulses) fill_impulses(recorder, sg_stream_table_slot(table, 1 + chosen->count));
    if (now->force_of_impulse && chosen->force != SIZE_MAX)
        fill_mean_force(recorder, now, since, sg_stream_table_slot(table, 1 + chosen->force));
    TRY(measure_energy(recorder, now, err));
    return check_finite(recorder, t, err);
}

/* Appends a row, or replaces the last one if that has the same time. */
static sg_status put_row(struct sg_recorder *recorder, double t, const struct sg_snapshot *now,
                         struct sg_error *err)
{
    struct sg_stream_table *table = &recorder->writer.history;
    struct progress *p = &recorder->now;
    bool again = p->rows > 0 && same_time(t, p->last_time);
    double since = p->rows > 0 ? t - p->last_time : 0.0;
    if (p->rows > 0 && !again && !(t > p->last_time))
        FAIL(err, SG_INTERNAL, "a sample at t = %.17g s follows one at %.17g s", t, p->last_time);
    if (again) {
        sg_stream_table_drop_row(table);
    } else {
        settle_last_row(recorder);
        p->last_time = t;
    }
    TRY(sg_writer_open_row(&recorder->writer, table, err));
    TRY(fill_row(recorder, p->last_time, since, now, err));
    p->steps = 0;
    p->rows = ++table->rows;
    return flush_when_due(recorder, err);
}

/* --- sampling ------------------------------------------------------------------------------------- */

static bool sampled_at(const struct sg_recorder *recorder, double t)
{
    return recorder->now.rows > 0 && same_time(t, recorder->now.last_time);
}

static double next_sample(const struct sg_recorder *recorder)
{
    return (double)recorder->now.next * recorder->every;
}

static sg_status record_start(struct sg_recorder *recorder, const struct sg_snapshot *now,
                              struct sg_error *err)
{
    if (recorder->every > 0) {
        recorder->now.next = (long long)floor(now->t / recorder->every);
        while (next_sample(recorder) <= now->t || same_time(next_sample(recorder), now->t))
            recorder->now.next++;
    }
    return put_row(recorder, now->t, now, err);
}

static sg_status sample_inside(struct sg_recorder *recorder, double end, const struct sg_sampler *sampler,
                               struct sg_error *err)
{
    if (!(recorder->every > 0)) return SG_OK;
    while (next_sample(recorder) < end && !same_time(next_sample(recorder), end)) {
        struct sg_snapshot now;
        double t = next_sample(recorder);
        /* a step may hold millions of samples: a stop can't wait for its end, the last checkpoint holds */
        if (sg_stop_requested()) FAIL(err, SG_INTERRUPTED, "interrupted at t = %.17g s, between samples", t);
        TRY(sampler->at(sampler->self, t, &now, err));
        TRY(put_row(recorder, t, &now, err));
        recorder->now.inside = true;
        recorder->now.next++;
    }
    return SG_OK;
}

static sg_status on_step(void *self, const struct sg_snapshot *now, const struct sg_sampler *sampler,
                         int localized, struct sg_error *err)
{
    struct sg_recorder *recorder = self;
    if (recorder->damage.status != SG_OK) FAIL(err, recorder->damage.status, "%s", recorder->damage.text);
    if (recorder->totals.ops != NULL) recorder->totals.ops->step(recorder->totals.self, now);
    if (recorder->audit.ops != NULL) recorder->audit.ops->step(recorder->audit.self, now);
    if (sampler == NULL) return record_start(recorder, now, err);
    recorder->now.steps++;
    TRY(sample_inside(recorder, now->t, sampler, err));

    double label = now->t;
    bool last = now->t >= recorder->end || same_time(now->t, recorder->end) || localized == 2;
    bool due = !(recorder->every > 0) || (localized && recorder->sample_events) || last ||
               sampled_at(recorder, now->t);
    if (recorder->every > 0 && same_time(next_sample(recorder), now->t)) {
        if (!last) label = next_sample(recorder);
        recorder->now.next++;
        due = true;
    }
    if (!due) return SG_OK;
    TRY(put_row(recorder, label, now, err));
    recorder->now.inside = false;
    return SG_OK;
}

static sg_status on_event(void *self, const struct sg_event *event, struct sg_error *err)
{
    struct sg_recorder *recorder = self;
    struct sg_stream_table *table = &recorder->writer.events;
    if (recorder->damage.status != SG_OK) FAIL(err, recorder->damage.status, "%s", recorder->damage.text);
    if (recorder->totals.ops != NULL) recorder->totals.ops->event(recorder->totals.self, event);
    if (recorder->audit.ops != NULL) recorder->audit.ops->event(recorder->audit.self, event);
    TRY(sg_writer_open_row(&recorder->writer, table, err));
    int32_t contact = (int32_t)event->contact, iterations = event->iterations;
    int8_t kind = (int8_t)event->kind;
    memcpy(sg_stream_table_slot(table, SG_EVENT_TIME), &event->t, sizeof event->t);
    memcpy(sg_stream_table_slot(table, SG_EVENT_CONTACT), &contact, sizeof contact);
    memcpy(sg_stream_table_slot(table, SG_EVENT_KIND), &kind, sizeof kind);
    memcpy(sg_stream_table_slot(table, SG_EVENT_GAP), &event->gap, sizeof event->gap);
    memcpy(sg_stream_table_slot(table, SG_EVENT_GAP_VELOCITY), &event->gap_velocity,
           sizeof event->gap_velocity);
    memcpy(sg_stream_table_slot(table, SG_EVENT_ITERATIONS), &iterations, sizeof iterations);
    recorder->now.events = ++table->rows;
    return flush_when_due(recorder, err);
}

static sg_status on_point(void *self, const double *values, size_t count, struct sg_error *err)
{
    struct sg_recorder *recorder = self;
    struct sg_stream_table *table = &recorder->writer.points;
    if (recorder->damage.status != SG_OK) FAIL(err, recorder->damage.status, "%s", recorder->damage.text);
    if (count != recorder->point_width)
        FAIL(err, SG_INTERNAL, "a point has %zu values, the results file takes %zu", count,
             recorder->point_width);
    TRY(sg_writer_open_row(&recorder->writer, table, err));
    for (size_t j = 0; j < table->count; j++) {
        size_t width = table->columns[j].width > 0 ? table->columns[j].width : 1;
        memcpy(sg_stream_table_slot(table, j), values, width * sizeof *values);
        values += width;
    }
    recorder->now.points = ++table->rows;
    return flush_when_due(recorder, err);
}

struct sg_observer sg_recorder_observer(struct sg_recorder *recorder)
{
    return (struct sg_observer){.self = recorder, .step = on_step, .event = on_event, .point = on_point};
}

/* --- checkpoint and end --------------------------------------------------------------------------- */

sg_status sg_recorder_flush(struct sg_recorder *recorder, bool sync, struct sg_error *err)
{
    if (recorder->damage.status != SG_OK) FAIL(err, recorder->damage.status, "%s", recorder->damage.text);
    TRY(sg_writer_flush(&recorder->writer, sync, err));
    recorder->flushed = recorder->now.rows + recorder->now.events + recorder->now.points;
    recorder->flush_time = sg_wall_clock();
    return SG_OK;
}

static sg_status go_on(struct sg_recorder *recorder, struct sg_error *err)
{
    TRY(sg_stream_table_go_to(&recorder->writer.history, recorder->now.rows, err));
    TRY(sg_stream_table_go_to(&recorder->writer.events, recorder->now.events, err));
    TRY(sg_stream_table_go_to(&recorder->writer.totals, 0,
                              err)); /* an interrupted run's totals are written anew */
    return sg_stream_table_go_to(&recorder->writer.points, recorder->now.points, err);
}

void sg_recorder_archive(struct sg_recorder *recorder, struct sg_archive *archive)
{
    size_t bytes = recorder->contacts * sizeof(double);
    SG_ARCHIVE(archive, recorder->now);
    sg_archive_bytes(archive, recorder->impulse_before, bytes);
    sg_archive_bytes(archive, recorder->impulse_last, bytes);
    if (recorder->totals.ops != NULL) recorder->totals.ops->archive(recorder->totals.self, archive);
    if (recorder->audit.ops != NULL) recorder->audit.ops->archive(recorder->audit.self, archive);
    if (!archive->loading || archive->failed) return;
    sg_error_clear(&recorder->damage);
    if (go_on(recorder, &recorder->damage) != SG_OK) return;
    recorder->flushed = recorder->now.rows + recorder->now.events + recorder->now.points;
}

static void put_total(void *slot, enum sg_total_type type, double value)
{
    int32_t index = (int32_t)value;
    int64_t count = (int64_t)value;
    if (type == SG_TOTAL_REAL) memcpy(slot, &value, sizeof value);
    if (type == SG_TOTAL_INDEX) memcpy(slot, &index, sizeof index);
    if (type == SG_TOTAL_COUNT) memcpy(slot, &count, sizeof count);
}

static sg_status write_totals(struct sg_recorder *recorder, struct sg_error *err)
{
    const struct sg_totals *totals = &recorder->totals;
    struct sg_stream_table *table = &recorder->writer.totals;
    for (size_t j = 0; totals->ops != NULL && j < totals->ops->rows(totals->self); j++) {
        TRY(sg_writer_open_row(&recorder->writer, table, err));
        for (size_t k = 0; k < table->count; k++)
            put_total(sg_stream_table_slot(table, k), totals->ops->columns[k].type,
                      totals->ops->value(totals->self, j, k));
        table->rows++;
    }
    return SG_OK;
}

/* the table of the audit; a broken writer says what is wrong when it is finished */
static void write_findings(struct sg_recorder *recorder, const struct sg_summary *summary)
{
    struct sg_error why = {0};
    if (recorder->audit.ops == NULL) return;
    tell_energy(recorder);
    recorder->audit.ops->conclude(recorder->audit.self, summary, &recorder->findings);
    sg_writer_put_audit(&recorder->writer, &recorder->findings, &why);
}

sg_status sg_recorder_finish(struct sg_recorder *recorder, const char *status,
                             const struct sg_summary *summary, struct sg_error *err)
{
    if (recorder->damage.status != SG_OK) FAIL(err, recorder->damage.status, "%s", recorder->damage.text);
    struct sg_summary all = *summary;
    sg_recorder_summarize(recorder, &all);
    struct sg_error why = {0};
    write_findings(recorder, &all);
    sg_status totals = write_totals(recorder, &why); /* sg_writer_finish tells of a broken writer too */
    TRY(sg_writer_finish(&recorder->writer, status, &all, err));
    return totals == SG_OK ? SG_OK : sg_fail(err, totals, "%s", why.text);
}

void sg_recorder_tidy(const char *path)
{
    sg_writer_tidy(path);
}

double sg_recorder_energy_drift(const struct sg_recorder *recorder)
{
    const struct progress *p = &recorder->now;
    double numerical = largest(p->max_numerical, p->last_numerical);
    return numerical == 0 ? 0 : numerical / largest(p->max_total, p->last_total);
}

void sg_recorder_summarize(const struct sg_recorder *recorder, struct sg_summary *summary)
{
    summary->poundings = 0;
    summary->peak_force = summary->peak_impulse = 0.0;
    if (recorder->totals.ops != NULL) recorder->totals.ops->summarize(recorder->totals.self, summary);
}

const struct sg_audit_list *sg_recorder_audit(const struct sg_recorder *recorder)
{
    return &recorder->findings;
}

size_t sg_recorder_rows(const struct sg_recorder *recorder)
{
    return recorder->now.rows;
}
