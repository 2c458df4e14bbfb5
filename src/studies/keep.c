#include "studies/keep.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "deck/words.h"
#include "support/memory.h"
#include "support/text.h"

enum { BLOCK = 16384, LABEL = 128 };

enum reduction { MAX, MIN, MAX_ABS, FIRST, FINAL, MEAN, RMS, TIME_OF_MAX, TIME_OF_MIN, RISE };

struct common_spec {
    const char *name;
};

static const struct sg_keyword common_rows[] = {
    {.name = "name",
     .type = SG_TEXT,
     .meaning = "its column in the table; by default made of what is kept",
     .example = "\"peak force\"",
     .max_items = SG_LABEL_LIMIT,
     .offset = offsetof(struct common_spec, name)},
    {0}};

struct summary_spec {
    const char *attribute;
};

static const struct sg_keyword summary_rows[] = {{.name = "attribute",
                                                  .type = SG_TEXT,
                                                  .flags = SG_REQUIRED,
                                                  .meaning = "an attribute of /summary",
                                                  .example = "\"max_penetration\"",
                                                  .offset = offsetof(struct summary_spec, attribute)},
                                                 {0}};

struct history_spec {
    const char *history, *column;
    int reduce;
    double after;
};

static const struct sg_keyword history_rows[] = {
    {.name = "history",
     .type = SG_TEXT,
     .flags = SG_REQUIRED,
     .meaning = "a dataset of /history, or of /points where the analysis makes points",
     .example = "\"gap\"",
     .offset = offsetof(struct history_spec, history)},
    {.name = "reduce",
     .type = SG_CHOICE,
     .meaning = "number that is made of the history; mean and rms are over time, rise is the most by which a "
                "column exceeds its first value",
     .fallback = "\"max\"",
     .choices = "max|min|max-abs|first|final|mean|rms|time-of-max|time-of-min|rise",
     .offset = offsetof(struct history_spec, reduce)},
    {.name = "column",
     .type = SG_TEXT,
     .meaning =
         "one column, by its label (a contact, a dof, x) or number from 0; by default all of them, for "
         "max, min, max-abs, rise and the times of these",
     .example = "\"left\"",
     .offset = offsetof(struct history_spec, column)},
    {.name = "after",
     .type = SG_REAL,
     .unit = "s",
     .meaning = "rows before this time are left out",
     .fallback = "0.0",
     .offset = offsetof(struct history_spec, after)},
    {0}};

struct events_spec {
    int kind;
    const char *contact;
};

static const struct sg_keyword events_rows[] = {
    {.name = "kind",
     .type = SG_CHOICE,
     .meaning = "which events are counted",
     .fallback = "\"any\"",
     .choices = "any|close|open|impact|stick|slip",
     .offset = offsetof(struct events_spec, kind)},
    {.name = "contact",
     .type = SG_TEXT,
     .meaning = "contact whose events are counted, by its name; by default all of them",
     .example = "\"left\"",
     .offset = offsetof(struct events_spec, contact)},
    {0}};

/* One kind of what is kept. */
struct keep_ops {
    struct sg_kind kind;
    void (*name)(const struct sg_setting *node, struct sg_text *text);
    sg_status (*take)(const struct sg_keep *keep, const struct sg_reader *reader, double *value,
                      struct sg_error *err);
    const char *(*unit)(const struct sg_keep *keep, const struct sg_reader *reader);
};

/* --- the summary ---------------------------------------------------------------------------------- */

/* The names that stand in the study, or those of the default list. */
static const char *attribute_of(const struct sg_keep *keep)
{
    struct summary_spec spec = {keep->name};
    if (keep->node != NULL) sg_setting_fill(keep->node, summary_rows, &spec);
    return spec.attribute;
}

static void name_summary(const struct sg_setting *node, struct sg_text *text)
{
    struct summary_spec spec;
    sg_setting_fill(node, summary_rows, &spec);
    sg_text_append(text, "%s", spec.attribute);
}

static sg_status take_summary(const struct sg_keep *keep, const struct sg_reader *reader, double *value,
                              struct sg_error *err)
{
    const char *attribute = attribute_of(keep);
    const struct sg_summary_row *row = sg_summary_find(attribute);
    const char *absence = row != NULL ? row->absence : NULL;
    *value = sg_reader_summary_value(reader, attribute);
    if (absence != NULL && isnan(*value)) FAIL(err, SG_BAD_DECK, "the run has no %s: %s", attribute, absence);
    return SG_OK;
}

static const char *unit_of_summary(const struct sg_keep *keep, const struct sg_reader *reader)
{
    (void)reader;
    const struct sg_summary_row *row = sg_summary_find(attribute_of(keep));
    return row != NULL ? row->unit : NULL;
}

/* --- histories ------------------------------------------------------------------------------------ */

static const struct sg_series *find_series(const struct sg_reader *reader, const char *name)
{
    const struct sg_series *series = sg_reader_find(reader, SG_SERIES_HISTORY, name);
    return series != NULL ? series : sg_reader_find(reader, SG_SERIES_POINTS, name);
}

/* a series while it is walked through */
struct walk {
    const struct sg_reader *reader;
    const struct sg_series *series, *scale;
    enum reduction reduce;
    double after;
    size_t first, last; /* columns */
    size_t seen;        /* rows */
    double best, best_time, start, end_time, last_value, integral;
    double *first_row; /* width, for `rise` */
};

static size_t width_of(const struct sg_series *series)
{
    return series->width == 0 ? 1 : series->width;
}

static bool find_column(const struct walk *walk, const char *name, size_t *column)
{
    char label[LABEL], *end = NULL;
    for (*column = 0; *column < width_of(walk->series); ++*column) {
        sg_reader_column_label(walk->reader, walk->series, *column, label, sizeof label);
        if (strcmp(label, name) == 0) return true;
    }
    long long number = strtoll(name, &end, 10);
    *column = (size_t)number;
    return end != name && *end == '\0' && number >= 0 && *column < width_of(walk->series);
}

static bool takes_many(enum reduction reduce)
{
    return reduce == MAX || reduce == MIN || reduce == MAX_ABS || reduce == TIME_OF_MAX ||
           reduce == TIME_OF_MIN || reduce == RISE;
}

static sg_status choose_columns(struct walk *walk, const struct history_spec *spec, struct sg_error *err)
{
    size_t width = width_of(walk->series);
    walk->last = width - 1;
    if (spec->column == NULL && (width == 1 || takes_many(walk->reduce))) return SG_OK;
    if (spec->column == NULL)
        FAIL(err, SG_BAD_DECK, "history '%s' has %zu columns: its `column` must say which one is meant",
             spec->history, width);
    if (!find_column(walk, spec->column, &walk->first))
        FAIL(err, SG_BAD_DECK, "history '%s' has no column '%s'", spec->history, spec->column);
    walk->last = walk->first;
    return SG_OK;
}

/* The numbers that are compared: the largest of them counts. */
static double measure(enum reduction reduce, double value)
{
    if (reduce == MIN || reduce == TIME_OF_MIN) return -value;
    return reduce == MAX_ABS ? fabs(value) : value;
}

static void take_row(struct walk *walk, double time, const double *row)
{
    double value = row[walk->first];
    if (time < walk->after) return;
    for (size_t j = walk->first; j <= walk->last; j++) {
        if (walk->seen == 0) walk->first_row[j] = row[j];
        double measured = walk->reduce == RISE ? row[j] - walk->first_row[j] : measure(walk->reduce, row[j]);
        if (!(measured > walk->best)) continue;
        walk->best = measured;
        walk->best_time = time;
    }
    double power = walk->reduce == RMS ? value * value : value;
    if (walk->seen++ == 0) {
        walk->start = time;
        walk->integral = walk->reduce == FIRST ? value : 0.0;
    } else if (walk->reduce != FIRST) {
        walk->integral += 0.5 * (time - walk->end_time) * (power + walk->last_value);
    }
    walk->end_time = time;
    walk->last_value = power;
}

static sg_status walk_rows(struct walk *walk, double *times, double *rows, struct sg_error *err)
{
    size_t width = width_of(walk->series), block = BLOCK / width + 1;
    for (size_t first = 0; first < walk->series->rows; first += block) {
        size_t left = walk->series->rows - first, count = left < block ? left : block;
        TRY(sg_reader_rows(walk->reader, walk->scale, first, count, times, err));
        TRY(sg_reader_rows(walk->reader, walk->series, first, count, rows, err));
        for (size_t i = 0; i < count; i++) take_row(walk, times[i], rows + i * width);
    }
    return SG_OK;
}

static sg_status walk_series(struct walk *walk, struct sg_error *err)
{
    size_t width = width_of(walk->series), block = BLOCK / width + 1;
    SG_LOCAL_ARENA(scratch);
    double *times = NULL, *rows = NULL;
    walk->best = -HUGE_VAL;
    walk->best_time = NAN;
    TRY(SG_ARENA_NEW(&scratch, &times, block * width_of(walk->scale), err));
    TRY(SG_ARENA_NEW(&scratch, &rows, block * width, err));
    TRY(SG_ARENA_NEW(&scratch, &walk->first_row, width, err));
    return walk_rows(walk, times, rows, err);
}

static double result_of(const struct walk *walk)
{
    if (walk->seen == 0 || (takes_many(walk->reduce) && isnan(walk->best_time))) return NAN;
    double span = walk->end_time - walk->start;
    double mean = span > 0.0 ? walk->integral / span : walk->last_value;
    switch (walk->reduce) {
    case MIN:
        return -walk->best;
    case FIRST:
        return walk->integral;
    case FINAL:
        return walk->last_value;
    case MEAN:
        return mean;
    case RMS:
        return sqrt(mean);
    case TIME_OF_MAX:
    case TIME_OF_MIN:
        return walk->best_time;
    default:
        return walk->best;
    }
}

static sg_status take_history(const struct sg_keep *keep, const struct sg_reader *reader, double *value,
                              struct sg_error *err)
{
    struct history_spec spec;
    sg_setting_fill(keep->node, history_rows, &spec);
    struct walk walk = {.reader = reader,
                        .series = find_series(reader, spec.history),
                        .reduce = (enum reduction)spec.reduce,
                        .after = spec.after};
    if (walk.series == NULL) FAIL(err, SG_BAD_DECK, "the results have no history '%s'", spec.history);
    walk.scale = sg_reader_scale(reader, walk.series->group);
    if (walk.scale == NULL || walk.scale->width > 1)
        FAIL(err, SG_BAD_DECK, "history '%s' is not drawn over a time or another scale", spec.history);
    TRY(choose_columns(&walk, &spec, err));
    TRY(walk_series(&walk, err));
    if (walk.seen == 0)
        FAIL(err, SG_BAD_DECK, "history '%s' has no row from %g on", spec.history, spec.after);
    *value = result_of(&walk);
    return SG_OK;
}

static const char *reduction_word(int reduce, size_t *length)
{
    const char *word = NULL;
    *length = 0;
    sg_choice_at(history_rows[1].choices, (size_t)reduce, &word, length);
    return word;
}

static void name_history(const struct sg_setting *node, struct sg_text *text)
{
    struct history_spec spec;
    size_t length = 0;
    sg_setting_fill(node, history_rows, &spec);
    const char *word = reduction_word(spec.reduce, &length);
    sg_text_append(text, "%.*s %s%s%s", (int)length, word, spec.history, spec.column != NULL ? " " : "",
                   spec.column != NULL ? spec.column : "");
}

static const char *unit_of_history(const struct sg_keep *keep, const struct sg_reader *reader)
{
    struct history_spec spec;
    sg_setting_fill(keep->node, history_rows, &spec);
    const struct sg_series *series = find_series(reader, spec.history);
    if (series == NULL) return "1";
    bool time = spec.reduce == TIME_OF_MAX || spec.reduce == TIME_OF_MIN;
    const struct sg_series *scale = sg_reader_scale(reader, series->group);
    return time && scale != NULL ? scale->unit : series->unit;
}

/* --- events --------------------------------------------------------------------------------------- */

static bool find_contact(const struct sg_reader *reader, const char *name, double *index)
{
    struct sg_labels names = sg_reader_labels(reader, "contact_names");
    for (size_t j = 0; j < names.count; j++) {
        *index = (double)j;
        if (strcmp(names.items[j], name) == 0) return true;
    }
    return false;
}

/* An event must have this; NaN: anything. */
struct filter {
    double kind, contact;
};

static double count_matches(const struct filter *filter, const double *kinds, const double *contacts,
                            size_t count)
{
    double matches = 0.0;
    for (size_t i = 0; i < count; i++) {
        bool kind = isnan(filter->kind) || kinds[i] == filter->kind;
        bool contact = isnan(filter->contact) || contacts[i] == filter->contact;
        matches += kind && contact ? 1.0 : 0.0;
    }
    return matches;
}

static sg_status count_events(const struct sg_reader *reader, const struct filter *filter, double *value,
                              struct sg_error *err)
{
    const struct sg_series *kinds = sg_reader_find(reader, SG_SERIES_EVENTS, "kind");
    const struct sg_series *contacts = sg_reader_find(reader, SG_SERIES_EVENTS, "contact");
    SG_AUTO_FREE double *rows = NULL;
    *value = 0.0;
    if (kinds == NULL || contacts == NULL) FAIL(err, SG_BAD_DECK, "the results have no events");
    TRY(SG_NEW(&rows, 2 * BLOCK, err));
    for (size_t first = 0; first < kinds->rows; first += BLOCK) {
        size_t left = kinds->rows - first, count = left < BLOCK ? left : BLOCK;
        TRY(sg_reader_rows(reader, kinds, first, count, rows, err));
        TRY(sg_reader_rows(reader, contacts, first, count, rows + BLOCK, err));
        *value += count_matches(filter, rows, rows + BLOCK, count);
    }
    return SG_OK;
}

static sg_status take_events(const struct sg_keep *keep, const struct sg_reader *reader, double *value,
                             struct sg_error *err)
{
    struct events_spec spec;
    struct filter filter = {NAN, NAN};
    sg_setting_fill(keep->node, events_rows, &spec);
    if (spec.contact != NULL && !find_contact(reader, spec.contact, &filter.contact))
        FAIL(err, SG_BAD_DECK, "the results have no contact '%s'", spec.contact);
    if (spec.kind > 0) filter.kind = (double)(spec.kind - 1); /* as the observer numbers them */
    return count_events(reader, &filter, value, err);
}

static void name_events(const struct sg_setting *node, struct sg_text *text)
{
    struct events_spec spec;
    const char *word = NULL;
    size_t length = 0;
    sg_setting_fill(node, events_rows, &spec);
    sg_choice_at(events_rows[0].choices, (size_t)spec.kind, &word, &length);
    if (spec.kind > 0) sg_text_append(text, "%.*s ", (int)length, word);
    sg_text_append(text, "events%s%s", spec.contact != NULL ? " " : "",
                   spec.contact != NULL ? spec.contact : "");
}

static const char *unit_of_events(const struct sg_keep *keep, const struct sg_reader *reader)
{
    (void)keep, (void)reader;
    return "1";
}

/* --- all of them ---------------------------------------------------------------------------------- */

static const struct keep_ops keep_summary = {
    {"summary", "an attribute of /summary", summary_rows}, name_summary, take_summary, unit_of_summary};
static const struct keep_ops keep_history = {
    {"history", "one number made of a history", history_rows}, name_history, take_history, unit_of_history};
static const struct keep_ops keep_events = {
    {"events", "how many events there were", events_rows}, name_events, take_events, unit_of_events};

static const struct sg_kind *const kinds[] = {&keep_summary.kind, &keep_history.kind, &keep_events.kind};

const struct sg_kind_set sg_keep_kinds = {
    .noun = "kind of number", .common = common_rows, .count = sizeof kinds / sizeof *kinds, .items = kinds};

static const struct keep_ops *ops_of(const struct sg_keep *keep)
{
    if (keep->node == NULL) return &keep_summary;
    return (const struct keep_ops *)sg_setting_kind(keep->node);
}

static sg_status check_attribute(const struct sg_keep *keep, struct sg_diagnostics *diagnostics,
                                 struct sg_error *err)
{
    const char *word = attribute_of(keep);
    struct sg_suggestion near = {.word = word};
    SG_LOCAL_TEXT(there);
    if (ops_of(keep) != &keep_summary || sg_summary_find(word) != NULL) return SG_OK;
    for (size_t i = 0; sg_summary_row(i) != NULL; i++) {
        sg_suggestion_offer(&near, sg_summary_row(i)->name);
        sg_text_append(&there, "%s%s", i > 0 ? ", " : "", sg_summary_row(i)->name);
    }
    sg_complain_about(diagnostics, SG_ERROR, keep->node, "attribute", "/summary has no attribute '%s'", word);
    sg_hint(diagnostics, "%s%s%sthere are: %s", near.best[0] != '\0' ? "did you mean '" : "", near.best,
            near.best[0] != '\0' ? "'? " : "", sg_text_view(&there));
    FAIL(err, SG_BAD_DECK, "/summary has no attribute '%s'", word);
}

/* HDF5 would take a slash for a group */
static void without_slashes(char *text)
{
    for (char *c = text; *c != '\0'; c++)
        if (*c == '/') *c = '_';
}

static sg_status give_name(struct sg_arena *arena, struct sg_keep *keep, const char *fallback,
                           struct sg_error *err)
{
    struct common_spec spec = {fallback};
    SG_LOCAL_TEXT(text);
    if (keep->node != NULL) sg_setting_fill(keep->node, common_rows, &spec);
    if (spec.name != NULL)
        sg_text_append(&text, "%s", spec.name);
    else
        ops_of(keep)->name(keep->node, &text);
    TRY(sg_text_keep(arena, &text, &keep->name, err));
    if (spec.name == NULL) without_slashes(keep->name);
    return SG_OK;
}

sg_status sg_keep_init(struct sg_arena *arena, struct sg_keep *keep, const struct sg_setting *node,
                       const char *name, struct sg_diagnostics *diagnostics, struct sg_error *err)
{
    *keep = (struct sg_keep){.node = node};
    TRY(give_name(arena, keep, name, err));
    return check_attribute(keep, diagnostics, err);
}

sg_status sg_keep_take(const struct sg_keep *keep, const struct sg_reader *reader, double *value,
                       struct sg_error *err)
{
    *value = NAN;
    return ops_of(keep)->take(keep, reader, value, err);
}

const char *sg_keep_unit(const struct sg_keep *keep, const struct sg_reader *reader)
{
    return ops_of(keep)->unit(keep, reader);
}

void sg_keep_describe(const struct sg_keep *keep, struct sg_text *text)
{
    if (keep->node == NULL)
        sg_text_append(text, "/summary %s", keep->name);
    else
        ops_of(keep)->name(keep->node, text);
}
