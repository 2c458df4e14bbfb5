#include "contact/totals.h"

#include <math.h>

struct contact_total {
    double gap_min, gap_max; /* m; NaN before the first step */
    double peak_force;       /* N; NaN where no law gives a force */
    double impulse;          /* N s, in all */
    double peak_impulse;     /* N s, the largest of a phase of contact */
    double phase;            /* N s, of the phase that is under way */
    double force_before, impulse_before;
    double last_impact; /* s; NaN: none */
    long long poundings;
};

struct contact_totals {
    size_t count;
    bool *force_only; /* count: the impulse is that of a force: told apart, or its integral by the trapezoidal
                         rule */
    struct contact_total *items;
    double start, time; /* s: of the first snapshot and the last; NaN before */
};

static size_t rows_of(const void *self)
{
    return ((const struct contact_totals *)self)->count;
}

/* N s, since the snapshot before, a time h ago */
static double impulse_of(const struct contact_total *item, bool force_only, double force, double impulse,
                         double h)
{
    return force_only ? 0.5 * h * (item->force_before + force) : impulse - item->impulse_before;
}

/* what the strategy has seen inside steps */
static void take_extremes(struct contact_total *item, const struct sg_snapshot *now, size_t j)
{
    if (now->gap_least != NULL) item->gap_min = fmin(item->gap_min, now->gap_least[j]);
    if (now->gap_most != NULL) item->gap_max = fmax(item->gap_max, now->gap_most[j]);
    if (now->peak_force != NULL && now->peak_force[j] > item->peak_force)
        item->peak_force = now->peak_force[j];
}

/* A phase of contact lasts as long as impulses are positive: its impulse is summed up until one is not. */
static void on_step(void *self, const struct sg_snapshot *now)
{
    struct contact_totals *totals = self;
    bool first = isnan(totals->start);
    double h = first ? 0.0 : now->t - totals->time;
    for (size_t j = 0; j < totals->count; j++) {
        struct contact_total *item = &totals->items[j];
        double force = now->force != NULL ? now->force[j] : 0.0,
               sum = now->impulse != NULL ? now->impulse[j] : 0.0;
        bool told = totals->force_only[j] && now->spring_impulse != NULL;
        if (told) sum = now->spring_impulse[j];
        double impulse = impulse_of(item, totals->force_only[j] && !told, force, sum, h);
        item->gap_min = fmin(item->gap_min, now->gap[j]);
        item->gap_max = fmax(item->gap_max, now->gap[j]);
        if (force > item->peak_force) item->peak_force = force;
        take_extremes(item, now, j);
        item->impulse += impulse;
        item->phase = impulse > 0.0 ? item->phase + impulse : 0.0;
        item->peak_impulse = fmax(item->peak_impulse, item->phase);
        item->force_before = force;
        item->impulse_before = sum;
    }
    if (first) totals->start = now->t;
    totals->time = now->t;
}

/* A pounding is a closing or an impact after the start; a rest that begins with an impact is none of its own.
 */
static void on_event(void *self, const struct sg_event *event)
{
    struct contact_totals *totals = self;
    struct contact_total *item = &totals->items[event->contact];
    bool impact = event->kind == SG_EVENT_IMPACT;
    if (!impact && event->kind != SG_EVENT_CLOSE) return;
    if (isnan(totals->start) || !(event->t > totals->start)) return;
    if (impact || item->last_impact != event->t) item->poundings++;
    if (impact) item->last_impact = event->t;
}

static void save_or_load(void *self, struct sg_archive *archive)
{
    struct contact_totals *totals = self;
    sg_archive_bytes(archive, totals->items, totals->count * sizeof *totals->items);
    SG_ARCHIVE(archive, totals->start);
    SG_ARCHIVE(archive, totals->time);
}

static void summarize(const void *self, struct sg_summary *summary)
{
    const struct contact_totals *totals = self;
    summary->peak_force = NAN; /* unless some contact has a law of force */
    for (size_t j = 0; j < totals->count; j++) {
        const struct contact_total *item = &totals->items[j];
        summary->poundings += item->poundings;
        summary->peak_force = fmax(summary->peak_force, item->peak_force);
        summary->peak_impulse = fmax(summary->peak_impulse, item->peak_impulse);
    }
}

/* --- the table ------------------------------------------------------------------------------------ */

enum { CONTACT, POUNDINGS, GAP_MIN, GAP_MAX, PEAK_FORCE, IMPULSE, PEAK_IMPULSE };

static const struct sg_total_column columns[] = {
    [CONTACT] = {"contact", "1", "contact, counted from 0: /model/contact_names", SG_TOTAL_INDEX},
    [POUNDINGS] = {"poundings", "1", "closings and impacts after the start", SG_TOTAL_COUNT},
    [GAP_MIN] = {"gap_min", "m", "least gap, inside steps too where the strategy locates events",
                 SG_TOTAL_REAL},
    [GAP_MAX] = {"gap_max", "m", "largest gap, inside steps too where the strategy locates events",
                 SG_TOTAL_REAL},
    [PEAK_FORCE] = {"peak_force", "N",
                    "largest force; NaN where no law gives one: rigid contacts have impulses", SG_TOTAL_REAL},
    [IMPULSE] = {"impulse", "N s", "impulse of the whole run", SG_TOTAL_REAL},
    [PEAK_IMPULSE] = {"peak_impulse", "N s", "largest impulse of one phase of contact", SG_TOTAL_REAL},
    {0}};

static double value_of(const void *self, size_t row, size_t column)
{
    const struct contact_total *item = &((const struct contact_totals *)self)->items[row];
    switch (column) {
    case CONTACT:
        return (double)row;
    case POUNDINGS:
        return (double)item->poundings;
    case GAP_MIN:
        return item->gap_min;
    case GAP_MAX:
        return item->gap_max;
    case PEAK_FORCE:
        return item->peak_force;
    case IMPULSE:
        return item->impulse;
    default:
        return item->peak_impulse;
    }
}

static const struct sg_totals_ops ops = {.group = "contacts",
                                         .columns = columns,
                                         .rows = rows_of,
                                         .step = on_step,
                                         .event = on_event,
                                         .archive = save_or_load,
                                         .value = value_of,
                                         .summarize = summarize};

sg_status sg_contact_totals_create(struct sg_arena *arena, const struct sg_contact_totals_spec *spec,
                                   struct sg_totals *totals, struct sg_error *err)
{
    struct contact_totals *self = NULL;
    *totals = (struct sg_totals){0};
    if (spec->count == 0) return SG_OK;
    TRY(SG_ARENA_NEW(arena, &self, 1, err));
    *self = (struct contact_totals){.count = spec->count, .start = NAN, .time = NAN};
    TRY(SG_ARENA_NEW(arena, &self->force_only, spec->count, err));
    TRY(SG_ARENA_NEW(arena, &self->items, spec->count, err));
    for (size_t j = 0; j < spec->count; j++) {
        self->force_only[j] = spec->all_force_only || (spec->force_only != NULL && spec->force_only[j]);
        double force = self->force_only[j] || spec->all_have_force ? 0.0 : NAN;
        self->items[j] =
            (struct contact_total){.gap_min = NAN, .gap_max = NAN, .peak_force = force, .last_impact = NAN};
    }
    *totals = (struct sg_totals){&ops, self};
    return SG_OK;
}
