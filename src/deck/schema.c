#include <math.h>
#include <stdio.h>
#include <string.h>

#include "deck/deck.h"
#include "deck/json.h"
#include "deck/values.h"
#include "deck/words.h"

enum { MAX_SETS = 64 };

/* Kind sets are definitions of their own: they may hold one another. */
struct schema {
    struct sg_json json;
    const struct sg_kind_set *sets[MAX_SETS];
    size_t count;
};

static size_t set_index(struct schema *s, const struct sg_kind_set *kinds)
{
    size_t i = 0;
    while (i < s->count && s->sets[i] != kinds) i++;
    if (i == s->count && s->count < MAX_SETS) s->sets[s->count++] = kinds;
    if (i == MAX_SETS) s->json.text->failed = true;
    return i;
}

/* The noun, and a number where two sets have the same. */
static void append_set_name(const struct schema *s, size_t index, struct sg_text *text)
{
    size_t same = 0;
    for (size_t i = 0; i < index; i++) same += strcmp(s->sets[i]->noun, s->sets[index]->noun) == 0 ? 1 : 0;
    for (const char *c = s->sets[index]->noun; *c != '\0'; c++)
        sg_text_append_bytes(text, *c == ' ' ? "-" : c, 1);
    if (same > 0) sg_text_append(text, "-%zu", same + 1);
}

static void put_range(struct sg_json *json, const struct sg_range *range)
{
    if (!range->limited) return;
    if (isfinite(range->low))
        sg_json_real(json, range->low_open ? "exclusiveMinimum" : "minimum", range->low);
    if (isfinite(range->high))
        sg_json_real(json, range->high_open ? "exclusiveMaximum" : "maximum", range->high);
}

static void put_count(struct sg_json *json, const char *key, size_t count)
{
    char digits[32];
    snprintf(digits, sizeof digits, "%zu", count);
    if (count > 0) sg_json_raw(json, key, digits);
}

static void put_choices(struct sg_json *json, const char *choices)
{
    const char *word = NULL;
    size_t length = 0;
    sg_json_open(json, "enum", '[');
    for (size_t i = 0; sg_choice_at(choices, i, &word, &length); i++)
        sg_json_text_bytes(json, NULL, word, length);
    sg_json_close(json, ']');
}

static void put_description(struct sg_json *json, const struct sg_keyword *row)
{
    SG_LOCAL_TEXT(text);
    sg_text_append(&text, "%s", row->meaning == NULL ? row->name : row->meaning);
    sg_text_append_unit(&text, row);
    json->text->failed = json->text->failed || text.failed;
    sg_json_text(json, "description", sg_text_view(&text));
}

static void put_default(struct sg_json *json, const struct sg_keyword *row)
{
    struct sg_error err = {0};
    SG_LOCAL_ARENA(arena);
    struct sg_setting *setting = NULL;
    sg_status status = sg_fallback_create(row, &arena, &setting, &err);
    if (status == SG_NO_MEMORY) json->text->failed = true;
    if (status != SG_OK && status != SG_NO_MEMORY) sg_json_text(json, "default", err.text);
    if (setting != NULL) sg_json_setting(json, "default", setting);
}

static void put_row(struct schema *s, const struct sg_keyword *row);

static void put_properties(struct schema *s, const struct sg_keyword *rows)
{
    for (const struct sg_keyword *row = rows; row != NULL && row->name != NULL; row++) put_row(s, row);
}

/* the names of those that are required always, or but in a case */
static void put_required_of(struct sg_json *json, const struct sg_keyword *rows,
                            const struct sg_keyword_case *spared)
{
    for (const struct sg_keyword *row = rows; row != NULL && row->name != NULL; row++)
        if ((row->flags & SG_REQUIRED) != 0 && row->spared == spared) sg_json_text(json, NULL, row->name);
}

static void put_required(struct sg_json *json, const struct sg_keyword *rows)
{
    put_required_of(json, rows, NULL);
}

static void put_one_required(struct sg_json *json, const char *name)
{
    sg_json_open(json, "required", '[');
    sg_json_text(json, NULL, name);
    sg_json_close(json, ']');
}

/* "if": GROUP says `type = "KIND"`, one of the kinds */
static void put_case(struct sg_json *json, const struct sg_keyword_case *spared)
{
    sg_json_open(json, "if", '{');
    sg_json_open(json, "properties", '{');
    sg_json_open(json, spared->group, '{');
    sg_json_open(json, "properties", '{');
    sg_json_open(json, "type", '{');
    sg_json_open(json, "enum", '[');
    for (size_t i = 0; i < spared->kinds->count; i++) {
        const struct sg_kind *kind = spared->kinds->items[i];
        if (spared->spares(kind)) sg_json_text(json, NULL, kind->name);
    }
    sg_json_close(json, ']');
    sg_json_close(json, '}');
    sg_json_close(json, '}');
    put_one_required(json, "type");
    sg_json_close(json, '}');
    sg_json_close(json, '}');
    put_one_required(json, spared->group);
    sg_json_close(json, '}');
}

/* the next row with a case, beside it, that no row before it has */
static const struct sg_keyword *next_case(const struct sg_keyword *rows, const struct sg_keyword *row)
{
    for (; row != NULL && row->name != NULL; row++) {
        const struct sg_keyword *earlier = rows;
        while (earlier->spared != row->spared) earlier++;
        if (row->spared != NULL && !row->spared->above && earlier == row) return row;
    }
    return NULL;
}

/* Finds the first of a group's rows with a case beside the group; NULL if there is none, or no group. */
static const struct sg_keyword *case_below(const struct sg_keyword *group)
{
    const struct sg_keyword *row = group->type == SG_GROUP ? group->rows : NULL;
    while (row != NULL && row->name != NULL && (row->spared == NULL || !row->spared->above)) row++;
    return row != NULL && row->name != NULL ? row : NULL;
}

static bool any_case(const struct sg_keyword *rows)
{
    bool any = next_case(rows, rows) != NULL;
    for (const struct sg_keyword *row = rows; row != NULL && row->name != NULL; row++)
        any = any || case_below(row) != NULL;
    return any;
}

static void put_case_below(struct sg_json *json, const struct sg_keyword *group, const struct sg_keyword *row)
{
    sg_json_open(json, NULL, '{');
    put_case(json, row->spared);
    sg_json_open(json, "else", '{');
    sg_json_open(json, "properties", '{');
    sg_json_open(json, group->name, '{');
    sg_json_open(json, "required", '[');
    put_required_of(json, group->rows, row->spared);
    sg_json_close(json, ']');
    sg_json_close(json, '}');
    sg_json_close(json, '}');
    sg_json_close(json, '}');
    sg_json_close(json, '}');
}

/* rows that cases spare, and those of groups that cases beside the group spare */
static void put_spared(struct sg_json *json, const struct sg_keyword *rows)
{
    if (!any_case(rows)) return;
    sg_json_open(json, "allOf", '[');
    for (const struct sg_keyword *group = rows; group->name != NULL; group++)
        if (case_below(group) != NULL) put_case_below(json, group, case_below(group));
    for (const struct sg_keyword *row = next_case(rows, rows); row != NULL; row = next_case(rows, row + 1)) {
        sg_json_open(json, NULL, '{');
        put_case(json, row->spared);
        sg_json_open(json, "else", '{');
        sg_json_open(json, "required", '[');
        put_required_of(json, rows, row->spared);
        sg_json_close(json, ']');
        sg_json_close(json, '}');
        sg_json_close(json, '}');
    }
    sg_json_close(json, ']');
}

static void put_rows(struct schema *s, const struct sg_keyword *rows)
{
    sg_json_text(&s->json, "type", "object");
    sg_json_open(&s->json, "properties", '{');
    put_properties(s, rows);
    sg_json_close(&s->json, '}');
    sg_json_open(&s->json, "required", '[');
    put_required(&s->json, rows);
    sg_json_close(&s->json, ']');
    put_spared(&s->json, rows);
    sg_json_raw(&s->json, "additionalProperties", "false");
}

static void put_group(struct schema *s, const struct sg_keyword *row)
{
    SG_LOCAL_TEXT(name);
    if (row->kinds == NULL) {
        put_rows(s, row->rows);
        return;
    }
    size_t index = set_index(s, row->kinds);
    sg_text_append(&name, "#/$defs/");
    if (index < s->count) append_set_name(s, index, &name);
    s->json.text->failed = s->json.text->failed || name.failed;
    sg_json_text(&s->json, "$ref", sg_text_view(&name));
}

static void put_single(struct schema *s, const struct sg_keyword *row)
{
    sg_json_open(&s->json, NULL, '{');
    if (row->type == SG_LIST) {
        put_group(s, row);
    } else {
        sg_json_text(&s->json, "type", "number");
        put_range(&s->json, &row->range);
    }
    sg_json_close(&s->json, '}');
}

static void put_array(struct schema *s, const struct sg_keyword *row)
{
    sg_json_text(&s->json, "type", "array");
    sg_json_open(&s->json, "items", '{');
    if (row->type == SG_LIST) {
        put_group(s, row);
    } else {
        sg_json_text(&s->json, "type", row->type == SG_REALS ? "number" : "string");
        if (row->type == SG_REALS) put_range(&s->json, &row->range);
    }
    sg_json_close(&s->json, '}');
    put_count(&s->json, "minItems", row->min_items);
    put_count(&s->json, "maxItems", row->max_items);
}

/* an array, or the one item that may stand for it */
static void put_items(struct schema *s, const struct sg_keyword *row)
{
    if (!row->single) {
        put_array(s, row);
        return;
    }
    sg_json_open(&s->json, "anyOf", '[');
    sg_json_open(&s->json, NULL, '{');
    put_array(s, row);
    sg_json_close(&s->json, '}');
    put_single(s, row);
    sg_json_close(&s->json, ']');
}

/* a number, or one of the words that stand for it */
static void put_integer(struct sg_json *json, const struct sg_keyword *row)
{
    if (row->choices != NULL) {
        sg_json_open(json, "anyOf", '[');
        sg_json_open(json, NULL, '{');
    }
    sg_json_text(json, "type", "integer");
    put_range(json, &row->range);
    if (row->choices == NULL) return;
    sg_json_close(json, '}');
    sg_json_open(json, NULL, '{');
    put_choices(json, row->choices);
    sg_json_close(json, '}');
    sg_json_close(json, ']');
}

/* a number, or a group that stands for it */
static void put_real(struct schema *s, const struct sg_keyword *row)
{
    struct sg_json *json = &s->json;
    if (row->kinds != NULL) {
        sg_json_open(json, "anyOf", '[');
        sg_json_open(json, NULL, '{');
    }
    sg_json_text(json, "type", "number");
    put_range(json, &row->range);
    if (row->kinds == NULL) return;
    sg_json_close(json, '}');
    sg_json_open(json, NULL, '{');
    put_group(s, row);
    sg_json_close(json, '}');
    sg_json_close(json, ']');
}

/* Bytes are no less than the characters that a schema counts. */
static void put_text(struct sg_json *json, const struct sg_keyword *row)
{
    sg_json_text(json, "type", "string");
    if (row->max_items == 0) return;
    put_count(json, "maxLength", row->max_items);
    sg_json_text(json, "pattern", "^[^\\x00-\\x1f\\x7f]*[^\\x00-\\x20\\x7f][^\\x00-\\x1f\\x7f]*$");
}

static void put_type(struct schema *s, const struct sg_keyword *row)
{
    struct sg_json *json = &s->json;
    switch (row->type) {
    case SG_REAL:
        put_real(s, row);
        break;
    case SG_INTEGER:
        put_integer(json, row);
        break;
    case SG_BOOL:
        sg_json_text(json, "type", "boolean");
        break;
    case SG_TEXT:
        put_text(json, row);
        break;
    case SG_CHOICE:
        put_choices(json, row->choices);
        break;
    case SG_GROUP:
        put_group(s, row);
        break;
    default:
        put_items(s, row);
    }
}

static void put_row(struct schema *s, const struct sg_keyword *row)
{
    sg_json_open(&s->json, row->name, '{');
    put_description(&s->json, row);
    put_type(s, row);
    put_default(&s->json, row);
    sg_json_close(&s->json, '}');
}

static bool is_fallback(const struct sg_kind_set *kinds, const struct sg_kind *kind)
{
    return kinds->fallback != NULL && strcmp(kinds->fallback, kind->name) == 0;
}

/* The condition holds without `type` for the kind that is taken then. */
static void put_condition(struct sg_json *json, const struct sg_kind_set *kinds, const struct sg_kind *kind)
{
    sg_json_open(json, "if", '{');
    sg_json_open(json, "properties", '{');
    sg_json_open(json, "type", '{');
    sg_json_text(json, "const", kind->name);
    sg_json_close(json, '}');
    sg_json_close(json, '}');
    if (!is_fallback(kinds, kind)) put_one_required(json, "type");
    sg_json_close(json, '}');
}

static void put_kind(struct schema *s, const struct sg_kind_set *kinds, const struct sg_kind *kind)
{
    struct sg_json *json = &s->json;
    sg_json_open(json, NULL, '{');
    put_condition(json, kinds, kind);
    sg_json_open(json, "then", '{');
    if (kind->meaning != NULL) sg_json_text(json, "description", kind->meaning);
    sg_json_open(json, "properties", '{');
    sg_json_raw(json, "type", "true");
    put_properties(s, kinds->common);
    put_properties(s, kind->rows);
    sg_json_close(json, '}');
    sg_json_open(json, "required", '[');
    put_required(json, kinds->common);
    put_required(json, kind->rows);
    sg_json_close(json, ']');
    sg_json_raw(json, "additionalProperties", "false");
    sg_json_close(json, '}');
    sg_json_close(json, '}');
}

static void put_type_property(struct sg_json *json, const struct sg_kind_set *kinds)
{
    sg_json_open(json, "properties", '{');
    sg_json_open(json, "type", '{');
    sg_json_open(json, "enum", '[');
    for (size_t i = 0; i < kinds->count; i++) sg_json_text(json, NULL, kinds->items[i]->name);
    sg_json_close(json, ']');
    if (kinds->fallback != NULL) sg_json_text(json, "default", kinds->fallback);
    sg_json_close(json, '}');
    sg_json_close(json, '}');
    sg_json_open(json, "required", '[');
    if (kinds->fallback == NULL) sg_json_text(json, NULL, "type");
    sg_json_close(json, ']');
}

static void put_set(struct schema *s, size_t index)
{
    const struct sg_kind_set *kinds = s->sets[index];
    SG_LOCAL_TEXT(name);
    append_set_name(s, index, &name);
    s->json.text->failed = s->json.text->failed || name.failed;
    sg_json_open(&s->json, sg_text_view(&name), '{');
    sg_json_text(&s->json, "type", "object");
    put_type_property(&s->json, kinds);
    sg_json_open(&s->json, "allOf", '[');
    for (size_t i = 0; i < kinds->count; i++) put_kind(s, kinds, kinds->items[i]);
    sg_json_close(&s->json, ']');
    sg_json_close(&s->json, '}');
}

void sg_schema_print(const char *title, const struct sg_keyword *root, struct sg_text *text)
{
    struct schema s = {.json = {.text = text}};
    sg_json_open(&s.json, NULL, '{');
    sg_json_text(&s.json, "$schema", "https://json-schema.org/draft/2020-12/schema");
    sg_json_text(&s.json, "title", title);
    put_rows(&s, root);
    sg_json_open(&s.json, "$defs", '{');
    /* writing a set may find further ones */
    for (size_t i = 0; i < s.count; i++) put_set(&s, i);
    sg_json_close(&s.json, '}');
    sg_json_close(&s.json, '}');
    sg_text_append(text, "\n");
}
