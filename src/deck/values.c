#include <math.h>
#include <string.h>

#include "deck/parse.h"
#include "deck/scan.h"
#include "deck/values.h"
#include "deck/words.h"
#include "support/memory.h"

static void append_found(struct sg_text *text, const struct sg_setting *setting)
{
    switch (setting->form) {
    case SG_SETTING_INTEGER:
        sg_text_append(text, "integer %lld", setting->integer);
        break;
    case SG_SETTING_REAL:
        sg_text_append(text, "real number ");
        sg_text_append_real(text, setting->real);
        break;
    case SG_SETTING_BOOL:
        sg_text_append(text, setting->integer != 0 ? "true" : "false");
        break;
    case SG_SETTING_TEXT:
        sg_text_append(text, "text \"");
        sg_text_append_excerpt(text, setting->text, strlen(setting->text));
        sg_text_append(text, "\"");
        break;
    case SG_SETTING_GROUP:
        sg_text_append(text, "a group");
        break;
    default:
        sg_text_append(text, "%s of %zu item%s", setting->form == SG_SETTING_LIST ? "a list" : "an array",
                       setting->count, setting->count == 1 ? "" : "s");
    }
}

static bool is_scalar(const struct sg_setting *setting)
{
    return setting->form >= SG_SETTING_INTEGER;
}

static bool is_quoted_number(const struct sg_setting *setting)
{
    return setting->form == SG_SETTING_TEXT &&
           (sg_scan_is(setting->text, strlen(setting->text), SG_TOKEN_INTEGER) ||
            sg_scan_is(setting->text, strlen(setting->text), SG_TOKEN_REAL));
}

static bool is_whole(double value)
{
    return fabs(value) < 2e9 && value == floor(value);
}

static void hint_type(struct sg_checker *c, const struct sg_setting *setting, const struct sg_keyword *row)
{
    bool numeric = row->type == SG_REAL || row->type == SG_INTEGER;
    bool array = row->type == SG_REALS || row->type == SG_TEXTS;
    if (numeric && is_quoted_number(setting))
        sg_hint(c->diagnostics, "write it without quotes");
    else if (row->type == SG_INTEGER && setting->form == SG_SETTING_REAL && is_whole(setting->real))
        sg_hint(c->diagnostics, "write it without point and exponent, as in %.0f", setting->real);
    else if (row->type == SG_BOOL && setting->form == SG_SETTING_INTEGER)
        sg_hint(c->diagnostics, "write true or false");
    else if ((row->type == SG_TEXT || row->type == SG_CHOICE) && is_scalar(setting))
        sg_hint(c->diagnostics, "text is put in \"...\"");
    else if (array && is_scalar(setting) && !row->single)
        sg_hint(c->diagnostics, "a single item is put in brackets too: [ .. ]");
    else if (row->type == SG_LIST && setting->form == SG_SETTING_GROUP)
        sg_hint(c->diagnostics, "a single group is put in a list too: ( { .. } )");
    else if (row->type == SG_GROUP && setting->form == SG_SETTING_LIST)
        sg_hint(c->diagnostics, "write one group: { .. }");
}

void sg_report_form(struct sg_checker *c, const struct sg_setting *setting, const struct sg_keyword *row)
{
    SG_LOCAL_TEXT(text);
    append_found(&text, setting);
    sg_text_append(&text, ", wanted ");
    sg_text_append_wanted(&text, row);
    sg_complain(c->diagnostics, SG_ERROR, setting, "wrong type: found %s", sg_text_view(&text));
    hint_type(c, setting, row);
}

static void check_range(struct sg_checker *c, const struct sg_setting *setting, const struct sg_keyword *row)
{
    double value = row->type == SG_INTEGER ? (double)setting->integer : setting->real;
    SG_LOCAL_TEXT(text);
    if (sg_range_holds(&row->range, value)) return;
    if (row->type == SG_INTEGER)
        sg_text_append(&text, "%lld", setting->integer);
    else
        sg_text_append_plain(&text, value);
    sg_text_append(&text, " is out of range, allowed: ");
    sg_text_append_range(&text, row);
    sg_text_append_unit(&text, row);
    sg_text_append_instead(&text, row);
    sg_complain(c->diagnostics, SG_ERROR, setting, "%s", sg_text_view(&text));
}

/* true if the number can't be taken as written: then nothing else is said of it */
static bool is_faulty(struct sg_checker *c, const struct sg_setting *setting)
{
    if (setting->fault == NULL) return false;
    sg_complain(c->diagnostics, SG_ERROR, setting, "%s", setting->fault);
    if (setting->fault_hint != NULL) sg_hint(c->diagnostics, "%s", setting->fault_hint);
    return true;
}

static void check_real(struct sg_checker *c, struct sg_setting *setting, const struct sg_keyword *row)
{
    if (setting->form != SG_SETTING_INTEGER && setting->form != SG_SETTING_REAL) {
        sg_report_form(c, setting, row);
        return;
    }
    if (is_faulty(c, setting)) return;
    if (setting->form == SG_SETTING_INTEGER) setting->real = (double)setting->integer;
    setting->form = SG_SETTING_REAL;
    check_range(c, setting, row);
}

void sg_setting_take_raw(struct sg_setting *setting)
{
    if (setting->overridden && is_scalar(setting) && setting->text != NULL) setting->form = SG_SETTING_TEXT;
}

static bool check_text(struct sg_checker *c, struct sg_setting *setting, const struct sg_keyword *row)
{
    sg_setting_take_raw(setting);
    if (setting->form != SG_SETTING_TEXT) {
        sg_report_form(c, setting, row);
        return false;
    }
    if (sg_utf8_check(setting->text, strlen(setting->text)) == strlen(setting->text)) return true;
    sg_complain(c->diagnostics, SG_ERROR, setting, "the text is not UTF-8");
    sg_hint(c->diagnostics, "an escape such as \\xe9 makes one byte: write the character itself");
    return false;
}

/* What stands in a table's head, a label or a path must be seen there, and not move what stands beside it. */
static void check_name(struct sg_checker *c, const struct sg_setting *setting, size_t most)
{
    const char *name = setting->text;
    size_t length = strlen(name), at = 0;
    while (at < length && (unsigned char)name[at] >= ' ' && name[at] != 0x7f) at++;
    if (length == 0)
        sg_complain(c->diagnostics, SG_ERROR, setting, "is empty");
    else if (at < length)
        sg_complain(c->diagnostics, SG_ERROR, setting,
                    "a name has no control character: found \\x%02x as byte %zu",
                    (unsigned)(unsigned char)name[at], at + 1);
    else if (name[strspn(name, " ")] == '\0')
        sg_complain(c->diagnostics, SG_ERROR, setting, "has only blanks");
    else if (length > most)
        sg_complain(c->diagnostics, SG_ERROR, setting, "has %zu bytes where %zu are allowed", length, most);
}

static void append_allowed_words(struct sg_text *text, const struct sg_keyword *row)
{
    if (row->type == SG_INTEGER)
        sg_text_append_wanted(text, row);
    else
        sg_text_append_choices(text, row->choices);
}

static void check_choice(struct sg_checker *c, struct sg_setting *setting, const struct sg_keyword *row)
{
    if (!check_text(c, setting, row)) return;
    setting->choice = sg_choice_find(row->choices, setting->text);
    if (setting->choice >= 0) return;
    SG_LOCAL_TEXT(word);
    SG_LOCAL_TEXT(allowed);
    struct sg_suggestion near = {.word = setting->text};
    sg_suggestion_offer_choices(&near, row->choices);
    sg_text_append_excerpt(&word, setting->text, strlen(setting->text));
    append_allowed_words(&allowed, row);
    sg_complain(c->diagnostics, SG_ERROR, setting, "unknown choice '%s'", sg_text_view(&word));
    if (near.best[0] != '\0')
        sg_hint(c->diagnostics, "did you mean '%s'? allowed: %s", near.best, sg_text_view(&allowed));
    else
        sg_hint(c->diagnostics, "allowed: %s", sg_text_view(&allowed));
}

static void check_integer(struct sg_checker *c, struct sg_setting *setting, const struct sg_keyword *row)
{
    bool word = row->choices != NULL && setting->form == SG_SETTING_TEXT && !is_quoted_number(setting);
    if (word)
        check_choice(c, setting, row);
    else if (setting->form != SG_SETTING_INTEGER)
        sg_report_form(c, setting, row);
    else if (!is_faulty(c, setting))
        check_range(c, setting, row);
}

void sg_check_count(struct sg_checker *c, const struct sg_setting *setting, const struct sg_keyword *row)
{
    size_t least = row->min_items, most = row->max_items;
    const char *s = setting->count == 1 ? "" : "s";
    if (setting->count >= least && (most == 0 || setting->count <= most)) return;
    if (least == most)
        sg_complain(c->diagnostics, SG_ERROR, setting, "found %zu item%s, wanted %zu", setting->count, s,
                    least);
    else if (setting->count < least)
        sg_complain(c->diagnostics, SG_ERROR, setting, "found %zu item%s, wanted at least %zu",
                    setting->count, s, least);
    else
        sg_complain(c->diagnostics, SG_ERROR, setting, "found %zu items, wanted at most %zu", setting->count,
                    most);
}

static bool is_sequence(const struct sg_setting *setting)
{
    return setting->form == SG_SETTING_ARRAY || setting->form == SG_SETTING_LIST;
}

static sg_status check_reals(struct sg_checker *c, struct sg_setting *setting, const struct sg_keyword *row)
{
    struct sg_keyword item = *row;
    item.type = SG_REAL;
    TRY(SG_ARENA_NEW(c->arena, &setting->reals, setting->count, c->err));
    for (size_t i = 0; i < setting->count; i++) {
        check_real(c, setting->items[i], &item);
        setting->reals[i] = setting->items[i]->real;
    }
    return SG_OK;
}

static sg_status check_texts(struct sg_checker *c, struct sg_setting *setting, const struct sg_keyword *row)
{
    struct sg_keyword item = *row;
    item.type = SG_TEXT;
    TRY(SG_ARENA_NEW(c->arena, &setting->texts, setting->count, c->err));
    for (size_t i = 0; i < setting->count; i++) {
        check_text(c, setting->items[i], &item);
        setting->texts[i] = setting->items[i]->text;
    }
    return SG_OK;
}

static sg_status check_array(struct sg_checker *c, struct sg_setting *setting, const struct sg_keyword *row)
{
    bool number = setting->form == SG_SETTING_INTEGER || setting->form == SG_SETTING_REAL;
    if (row->type == SG_REALS && row->single && number) {
        check_real(c, setting, row);
        return SG_OK;
    }
    if (!is_sequence(setting)) {
        sg_report_form(c, setting, row);
        return SG_OK;
    }
    setting->form = SG_SETTING_ARRAY;
    sg_check_count(c, setting, row);
    return row->type == SG_REALS ? check_reals(c, setting, row) : check_texts(c, setting, row);
}

sg_status sg_check_value(struct sg_checker *checker, struct sg_setting *setting, const struct sg_keyword *row)
{
    switch (row->type) {
    case SG_REAL:
        check_real(checker, setting, row);
        return SG_OK;
    case SG_INTEGER:
        check_integer(checker, setting, row);
        return SG_OK;
    case SG_BOOL:
        if (setting->form != SG_SETTING_BOOL) sg_report_form(checker, setting, row);
        return SG_OK;
    case SG_TEXT:
        if (check_text(checker, setting, row) && row->max_items > 0)
            check_name(checker, setting, row->max_items);
        return SG_OK;
    case SG_CHOICE:
        check_choice(checker, setting, row);
        return SG_OK;
    default:
        return check_array(checker, setting, row);
    }
}

sg_status sg_fallback_create(const struct sg_keyword *row, struct sg_arena *arena,
                             struct sg_setting **setting, struct sg_error *err)
{
    SG_LOCAL_TEXT(fault);
    *setting = NULL;
    if (row->fallback == NULL) return SG_OK;
    sg_status status = sg_parse_value(row->fallback, arena, setting, &fault, err);
    if (status == SG_BAD_DECK)
        status = sg_fail(err, SG_INTERNAL, "internal error: default '%s' of keyword '%s': %s", row->fallback,
                         row->name, sg_text_view(&fault));
    return status;
}
