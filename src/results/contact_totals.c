#include "results/contact_totals.h"

#include <math.h>
#include <string.h>

#include "support/memory.h"

sg_status sg_contact_totals_init(struct sg_contact_totals *totals, const struct sg_recorder_spec *run,
                                 struct sg_error *err)
{
    size_t count = run->point_column_count > 0 ? 0 : run->labels->contact_count;
    *totals = (struct sg_contact_totals){.count = count, .start = NAN, .time = NAN};
    TRY(SG_NEW(&totals->sprung, count, err));
    TRY(SG_NEW(&totals->items, count, err));
    for (size_t j = 0; j < count; j++) {
        totals->sprung[j] = run->all_sprung || (run->sprung != NULL && run->sprung[j]);
        double force = totals->sprung[j] || run->springs ? 0.0 : NAN;
        totals->items[j] = (struct sg_contact_total){
            .gap_min = NAN, .gap_max = NAN, .peak_force = force, .last_impact = NAN};
    }
    return SG_OK;
}

void sg_contact_totals_release(struct sg_contact_totals *totals)
{
    sg_free(totals->sprung);
    sg_free(totals->items);
    *totals = (struct sg_contact_totals){0};
}

/* N s, since the snapshot before */
static double impulse_of(const struct sg_contact_total *item, bool sprung, double force, double impulse,
                         double h)
{
    return sprung ? 0.5 * h * (item->force_before + force) : impulse - item->impulse_before;
}

void sg_contact_totals_step(struct sg_contact_totals *totals, const struct sg_snapshot *now)
{
    bool first = isnan(totals->start);
    double h = first ? 0.0 : now->t - totals->time;
    for (size_t j = 0; j < totals->count; j++) {
        struct sg_contact_total *item = &totals->items[j];
        double force = now->force != NULL ? now->force[j] : 0.0,
               sum = now->impulse != NULL ? now->impulse[j] : 0.0;
        double impulse = first ? 0.0 : impulse_of(item, totals->sprung[j], force, sum, h);
        item->gap_min = fmin(item->gap_min, now->gap[j]);
        item->gap_max = fmax(item->gap_max, now->gap[j]);
        if (force > item->peak_force) item->peak_force = force;
        item->impulse += impulse;
        item->phase = impulse > 0.0 ? item->phase + impulse : 0.0;
        item->peak_impulse = fmax(item->peak_impulse, item->phase);
        item->force_before = force;
        item->impulse_before = sum;
    }
    if (first) totals->start = now->t;
    totals->time = now->t;
}

void sg_contact_totals_event(struct sg_contact_totals *totals, const struct sg_event *event)
{
    struct sg_contact_total *item = &totals->items[event->contact];
    bool impact = event->kind == SG_EVENT_IMPACT;
    if (!impact && event->kind != SG_EVENT_CLOSE) return;
    if (isnan(totals->start) || !(event->t > totals->start)) return;
    if (impact || item->last_impact != event->t) item->poundings++;
    if (impact) item->last_impact = event->t;
}

void sg_contact_totals_archive(struct sg_contact_totals *totals, struct sg_archive *archive)
{
    sg_archive_bytes(archive, totals->items, totals->count * sizeof *totals->items);
    SG_ARCHIVE(archive, totals->start);
    SG_ARCHIVE(archive, totals->time);
}

long long sg_contact_totals_poundings(const struct sg_contact_totals *totals)
{
    long long sum = 0;
    for (size_t j = 0; j < totals->count; j++) sum += totals->items[j].poundings;
    return sum;
}

double sg_contact_totals_peak_force(const struct sg_contact_totals *totals)
{
    double peak = totals->count > 0 ? NAN : 0.0;
    for (size_t j = 0; j < totals->count; j++) peak = fmax(peak, totals->items[j].peak_force);
    return peak;
}

double sg_contact_totals_peak_impulse(const struct sg_contact_totals *totals)
{
    double peak = 0.0;
    for (size_t j = 0; j < totals->count; j++) peak = fmax(peak, totals->items[j].peak_impulse);
    return peak;
}

/* --- the table ------------------------------------------------------------------------------------ */

static const struct {
    const char *name, *unit, *description;
    size_t offset;
} columns[] = {
#define AT(name) offsetof(struct sg_contact_total, name)
    {"gap_min", "m", "least gap at the end of a step", AT(gap_min)},
    {"gap_max", "m", "largest gap at the end of a step", AT(gap_max)},
    {"peak_force", "N", "largest force; NaN where no law gives one: rigid contacts have impulses",
     AT(peak_force)},
    {"impulse", "N s", "impulse of the whole run", AT(impulse)},
    {"peak_impulse", "N s", "largest impulse of one phase of contact", AT(peak_impulse)},
};

enum { REALS = sizeof columns / sizeof *columns, COLUMNS = REALS + 2 };

sg_status sg_contact_totals_open(struct sg_stream_table *table, hid_t file, bool reopen, struct sg_error *err)
{
    struct sg_stream_spec specs[COLUMNS + 1] = {{"contact",
                                                 "1",
                                                 "contact, counted from 0: /model/contact_names",
                                                 NULL,
                                                 H5T_NATIVE_INT32,
                                                 4,
                                                 0,
                                                 {0},
                                                 NULL,
                                                 NULL},
                                                {"poundings",
                                                 "1",
                                                 "closings and impacts after the start",
                                                 NULL,
                                                 H5T_NATIVE_INT64,
                                                 8,
                                                 0,
                                                 {0},
                                                 NULL,
                                                 NULL}};
    for (size_t i = 0; i < REALS; i++)
        specs[i + 2] = (struct sg_stream_spec){columns[i].name,
                                               columns[i].unit,
                                               columns[i].description,
                                               NULL,
                                               H5T_NATIVE_DOUBLE,
                                               8,
                                               0,
                                               {0},
                                               NULL,
                                               NULL};
    return sg_stream_table_init(table, file, "contacts", specs, reopen, err);
}

void sg_contact_totals_fill(const struct sg_contact_totals *totals, size_t j,
                            const struct sg_stream_table *table)
{
    const struct sg_contact_total *item = &totals->items[j];
    int32_t contact = (int32_t)j;
    int64_t poundings = item->poundings;
    memcpy(sg_stream_table_slot(table, 0), &contact, sizeof contact);
    memcpy(sg_stream_table_slot(table, 1), &poundings, sizeof poundings);
    for (size_t i = 0; i < REALS; i++)
        memcpy(sg_stream_table_slot(table, i + 2), (const char *)item + columns[i].offset, sizeof(double));
}
