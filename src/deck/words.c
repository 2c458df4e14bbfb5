#include "deck/words.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *sg_type_noun(enum sg_value_type type)
{
    static const char *const nouns[] = {[SG_REAL] = "real number",     [SG_INTEGER] = "integer",
                                        [SG_BOOL] = "true or false",   [SG_TEXT] = "text",
                                        [SG_CHOICE] = "choice",        [SG_REALS] = "array of real numbers",
                                        [SG_TEXTS] = "array of texts", [SG_GROUP] = "group",
                                        [SG_LIST] = "list of groups"};
    return nouns[type];
}

void sg_text_append_unit(struct sg_text *text, const struct sg_keyword *row)
{
    if (row->unit != NULL && strcmp(row->unit, "1") != 0) sg_text_append(text, " [%s]", row->unit);
}

bool sg_row_has_groups(const struct sg_keyword *row)
{
    return row->type == SG_GROUP || row->type == SG_LIST || row->kinds != NULL;
}

const char *sg_row_or_other(const struct sg_keyword *row)
{
    if (row->type == SG_REALS && row->single) return " or real number";
    bool group = row->type == SG_REAL ? row->kinds != NULL : row->type == SG_LIST && row->single;
    return group ? " or group" : "";
}

void sg_text_append_wanted(struct sg_text *text, const struct sg_keyword *row)
{
    static const char *const articles[] = {
        [SG_REAL] = "a ",   [SG_INTEGER] = "an ", [SG_BOOL] = "",    [SG_TEXT] = "a ", [SG_CHOICE] = "a ",
        [SG_REALS] = "an ", [SG_TEXTS] = "an ",   [SG_GROUP] = "a ", [SG_LIST] = "a "};
    if (row->type == SG_CHOICE) {
        sg_text_append(text, "one of: ");
        sg_text_append_choices(text, row->choices);
        return;
    }
    sg_text_append(text, "%s%s", articles[row->type], sg_type_noun(row->type));
    if (row->type == SG_GROUP) sg_text_append(text, " { .. }");
    if (row->type == SG_LIST) sg_text_append(text, " ( { .. }, { .. } )");
    sg_text_append_unit(text, row);
    if (row->type == SG_REALS && row->single) sg_text_append(text, " or a real number");
    if (row->type != SG_REALS && sg_row_or_other(row)[0] != '\0') sg_text_append(text, " or a group { .. }");
    sg_text_append_instead(text, row);
}

void sg_text_append_plain(struct sg_text *text, double value)
{
    SG_LOCAL_TEXT(real);
    sg_text_append_real(&real, value);
    const char *digits = sg_text_view(&real);
    size_t length = strlen(digits);
    if (length > 2 && strcmp(digits + length - 2, ".0") == 0) length -= 2;
    text->failed = text->failed || real.failed;
    sg_text_append_bytes(text, digits, length);
}

void sg_text_append_range(struct sg_text *text, const struct sg_keyword *row)
{
    const struct sg_range *range = &row->range;
    if (!range->limited) return;
    bool low = isfinite(range->low), high = isfinite(range->high);
    if (low) {
        sg_text_append(text, range->low_open ? "> " : ">= ");
        sg_text_append_plain(text, range->low);
    }
    if (low && high) sg_text_append(text, " and ");
    if (high) {
        sg_text_append(text, range->high_open ? "< " : "<= ");
        sg_text_append_plain(text, range->high);
    }
}

bool sg_range_holds(const struct sg_range *range, double value)
{
    if (!range->limited) return true;
    bool low = range->low_open ? value > range->low : value >= range->low;
    bool high = range->high_open ? value < range->high : value <= range->high;
    return low && high;
}

/* A number that the row allows. */
static double sample(const struct sg_keyword *row)
{
    const struct sg_range *r = &row->range;
    double step = row->type == SG_INTEGER ? 1 : 0.5;
    const double candidates[] = {
        1, 0.5, 0, r->low, r->high, r->low + step, r->high - step, (r->low + r->high) / 2};
    for (size_t i = 0; i < sizeof candidates / sizeof candidates[0]; i++) {
        double value = candidates[i];
        bool fits = row->type != SG_INTEGER || value == floor(value);
        if (isfinite(value) && fits && sg_range_holds(r, value)) return value;
    }
    return 1;
}

static void append_sample(struct sg_text *text, const struct sg_keyword *row)
{
    if (row->type == SG_INTEGER)
        sg_text_append_plain(text, sample(row));
    else
        sg_text_append_real(text, sample(row));
}

static void append_array(struct sg_text *text, const struct sg_keyword *row)
{
    size_t count = row->min_items > 0 ? row->min_items : 2;
    if (row->max_items > 0 && count > row->max_items) count = row->max_items;
    sg_text_append(text, "[");
    for (size_t i = 0; i < count; i++) {
        if (i > 0) sg_text_append(text, ", ");
        if (row->type == SG_TEXTS)
            sg_text_append(text, "\"..\"");
        else
            append_sample(text, row);
    }
    sg_text_append(text, "]");
}

static void append_group(struct sg_text *text, const struct sg_keyword *row)
{
    if (row->kinds != NULL && row->kinds->count > 0)
        sg_text_append(text, "{ type = \"%s\"; .. }", row->kinds->items[0]->name);
    else
        sg_text_append(text, "{ .. }");
}

static void append_made(struct sg_text *text, const struct sg_keyword *row)
{
    const char *word = "";
    size_t length = 0;
    switch (row->type) {
    case SG_REAL:
    case SG_INTEGER:
        append_sample(text, row);
        return;
    case SG_BOOL:
        sg_text_append(text, "true");
        return;
    case SG_TEXT:
        sg_text_append(text, "\"..\"");
        return;
    case SG_CHOICE:
        sg_choice_at(row->choices, 0, &word, &length);
        sg_text_append(text, "\"%.*s\"", (int)length, word);
        return;
    case SG_GROUP:
        append_group(text, row);
        return;
    case SG_LIST:
        sg_text_append(text, "( ");
        append_group(text, row);
        sg_text_append(text, " )");
        return;
    default:
        append_array(text, row);
    }
}

void sg_text_append_example(struct sg_text *text, const struct sg_keyword *row)
{
    sg_text_append(text, "%s = ", row->name);
    if (row->example != NULL)
        sg_text_append(text, "%s", row->example);
    else if (row->fallback != NULL && row->type != SG_GROUP && row->type != SG_LIST)
        sg_text_append(text, "%s", row->fallback);
    else
        append_made(text, row);
    sg_text_append(text, ";");
}

bool sg_choice_at(const char *choices, size_t index, const char **word, size_t *length)
{
    const char *at = choices == NULL ? "" : choices;
    for (; index > 0; index--) {
        at = strchr(at, '|');
        if (at == NULL) return false;
        at++;
    }
    *word = at;
    *length = strcspn(at, "|");
    return *length > 0;
}

int sg_choice_find(const char *choices, const char *word)
{
    const char *choice = NULL;
    size_t length = 0;
    for (size_t i = 0; sg_choice_at(choices, i, &choice, &length); i++)
        if (strlen(word) == length && memcmp(word, choice, length) == 0) return (int)i;
    return -1;
}

void sg_text_append_choices(struct sg_text *text, const char *choices)
{
    const char *word = NULL;
    size_t length = 0;
    for (size_t i = 0; sg_choice_at(choices, i, &word, &length); i++)
        sg_text_append(text, "%s%.*s", i > 0 ? ", " : "", (int)length, word);
}

void sg_text_append_instead(struct sg_text *text, const struct sg_keyword *row)
{
    const char *word = NULL;
    size_t length = 0;
    for (size_t i = 0; row->type == SG_INTEGER && sg_choice_at(row->choices, i, &word, &length); i++)
        sg_text_append(text, " or \"%.*s\"", (int)length, word);
}

void sg_text_append_required(struct sg_text *text, const struct sg_keyword *row)
{
    sg_text_append(text, "required");
    if (row->spared == NULL) return;
    sg_text_append(text, " unless %s.type is ", row->spared->group);
    const struct sg_kind_set *kinds = row->spared->kinds;
    bool first = true;
    for (size_t i = 0; i < kinds->count; i++) {
        if (!row->spared->spares(kinds->items[i])) continue;
        sg_text_append(text, "%s\"%s\"", first ? "" : " or ", kinds->items[i]->name);
        first = false;
    }
}

const struct sg_kind *sg_kind_find(const struct sg_kind_set *kinds, const char *name)
{
    for (size_t i = 0; i < kinds->count; i++)
        if (strcmp(kinds->items[i]->name, name) == 0) return kinds->items[i];
    return NULL;
}

void sg_text_append_kinds(struct sg_text *text, const struct sg_kind_set *kinds)
{
    for (size_t i = 0; i < kinds->count; i++)
        sg_text_append(text, "%s%s", i > 0 ? ", " : "", kinds->items[i]->name);
}

const struct sg_keyword *sg_row_find(const struct sg_keyword *rows, const char *name)
{
    for (const struct sg_keyword *row = rows; row != NULL && row->name != NULL; row++)
        if (strcmp(row->name, name) == 0) return row;
    return NULL;
}

/* Case and the choice between '-' and '_' are no difference worth an edit. */
static void normalise(const char *word, size_t length, char *plain)
{
    size_t i = 0;
    for (; i < length && i < SG_SUGGESTION - 1; i++) {
        char c = word[i];
        if (c >= 'A' && c <= 'Z') c = (char)(c - 'A' + 'a');
        plain[i] = c == '-' ? '_' : c;
    }
    plain[i] = '\0';
}

static void offer(struct sg_suggestion *s, const char *candidate, size_t length)
{
    char a[SG_SUGGESTION], b[SG_SUGGESTION];
    size_t word = strlen(s->word);
    if (word == 0 || word >= SG_SUGGESTION || length >= SG_SUGGESTION) return;
    normalise(s->word, word, a);
    normalise(candidate, length, b);
    size_t distance = sg_text_distance(a, b), shorter = word < length ? word : length;
    size_t limit = word <= 3 ? 1 : (word + 2) / 3;
    /* "gap_tol" for "gap_tolerance" */
    if (shorter >= 3 && strncmp(a, b, shorter) == 0 && distance > limit) distance = limit;
    if (shorter < 2 && distance > 0) return;
    if (distance > limit || (s->best[0] != '\0' && distance >= s->distance)) return;
    s->distance = distance;
    snprintf(s->best, sizeof s->best, "%.*s", (int)length, candidate);
}

void sg_suggestion_offer(struct sg_suggestion *suggestion, const char *candidate)
{
    offer(suggestion, candidate, strlen(candidate));
}

void sg_suggestion_offer_rows(struct sg_suggestion *suggestion, const struct sg_keyword *rows)
{
    for (const struct sg_keyword *row = rows; row != NULL && row->name != NULL; row++)
        sg_suggestion_offer(suggestion, row->name);
}

void sg_suggestion_offer_kinds(struct sg_suggestion *suggestion, const struct sg_kind_set *kinds)
{
    for (size_t i = 0; i < kinds->count; i++) sg_suggestion_offer(suggestion, kinds->items[i]->name);
}

void sg_suggestion_offer_choices(struct sg_suggestion *suggestion, const char *choices)
{
    const char *word = NULL;
    size_t length = 0;
    for (size_t i = 0; sg_choice_at(choices, i, &word, &length); i++) offer(suggestion, word, length);
}
