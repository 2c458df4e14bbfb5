#include <math.h>
#include <string.h>

#include "deck/check.h"
#include "deck/reader.h"
#include "deck/scan.h"
#include "deck/words.h"
#include "support/memory.h"

static void append_found(struct sg_text *text, const struct sg_setting *node)
{
    switch (node->form) {
    case SG_SETTING_INTEGER:
        sg_text_append(text, "integer %lld", node->integer);
        break;
    case SG_SETTING_REAL:
        sg_text_append(text, "real number ");
        sg_text_append_real(text, node->real);
        break;
    case SG_SETTING_BOOL:
        sg_text_append(text, node->integer != 0 ? "true" : "false");
        break;
    case SG_SETTING_TEXT:
        sg_text_append(text, "text \"");
        sg_text_append_excerpt(text, node->text, strlen(node->text));
        sg_text_append(text, "\"");
        break;
    case SG_SETTING_GROUP:
        sg_text_append(text, "a group");
        break;
    default:
        sg_text_append(text, "%s of %zu item%s", node->form == SG_SETTING_LIST ? "a list" : "an array",
                       node->count, node->count == 1 ? "" : "s");
    }
}

static bool is_scalar(const struct sg_setting *node)
{
    return node->form >= SG_SETTING_INTEGER;
}

static bool is_quoted_number(const struct sg_setting *node)
{
    return node->form == SG_SETTING_TEXT && (sg_scan_is(node->text, strlen(node->text), SG_TOKEN_INTEGER) ||
                                             sg_scan_is(node->text, strlen(node->text), SG_TOKEN_REAL));
}

static bool is_whole(double value)
{
    return fabs(value) < 2e9 && value == floor(value);
}

static void hint_type(struct sg_checker *c, const struct sg_setting *node, const struct sg_keyword *row)
{
    bool numeric = row->type == SG_REAL || row->type == SG_INTEGER;
    bool array = row->type == SG_REALS || row->type == SG_TEXTS;
    if (numeric && is_quoted_number(node))
        sg_hint(c->diagnostics, "write it without quotes");
    else if (row->type == SG_INTEGER && node->form == SG_SETTING_REAL && is_whole(node->real))
        sg_hint(c->diagnostics, "write it without point and exponent, as in %.0f", node->real);
    else if (row->type == SG_BOOL && node->form == SG_SETTING_INTEGER)
        sg_hint(c->diagnostics, "write true or false");
    else if ((row->type == SG_TEXT || row->type == SG_CHOICE) && is_scalar(node))
        sg_hint(c->diagnostics, "text is put in \"...\"");
    else if (array && is_scalar(node))
        sg_hint(c->diagnostics, "a single item is put in brackets too: [ .. ]");
    else if (row->type == SG_LIST && node->form == SG_SETTING_GROUP)
        sg_hint(c->diagnostics, "a single group is put in a list too: ( { .. } )");
    else if (row->type == SG_GROUP && node->form == SG_SETTING_LIST)
        sg_hint(c->diagnostics, "write one group: { .. }");
}

static void wrong_type(struct sg_checker *c, const struct sg_setting *node, const struct sg_keyword *row)
{
    struct sg_text text = {0};
    append_found(&text, node);
    sg_text_append(&text, ", wanted ");
    sg_text_append_wanted(&text, row);
    sg_complain(c->diagnostics, SG_ERROR, node, "wrong type: found %s", sg_text_view(&text));
    hint_type(c, node, row);
    sg_text_release(&text);
}

static void check_range(struct sg_checker *c, const struct sg_setting *node, const struct sg_keyword *row)
{
    double value = row->type == SG_INTEGER ? (double)node->integer : node->real;
    struct sg_text text = {0};
    if (sg_range_holds(&row->range, value)) return;
    if (row->type == SG_INTEGER)
        sg_text_append(&text, "%lld", node->integer);
    else
        sg_text_append_plain(&text, value);
    sg_text_append(&text, " is out of range, allowed: ");
    sg_text_append_range(&text, row);
    sg_text_append_unit(&text, row);
    sg_text_append_instead(&text, row);
    sg_complain(c->diagnostics, SG_ERROR, node, "%s", sg_text_view(&text));
    sg_text_release(&text);
}

/* true if the number can't be taken as written: then nothing else is said of it */
static bool is_faulty(struct sg_checker *c, const struct sg_setting *node)
{
    if (node->fault == NULL) return false;
    sg_complain(c->diagnostics, SG_ERROR, node, "%s", node->fault);
    if (node->fault_hint != NULL) sg_hint(c->diagnostics, "%s", node->fault_hint);
    return true;
}

static void check_real(struct sg_checker *c, struct sg_setting *node, const struct sg_keyword *row)
{
    if (node->form != SG_SETTING_INTEGER && node->form != SG_SETTING_REAL) {
        wrong_type(c, node, row);
        return;
    }
    if (is_faulty(c, node)) return;
    if (node->form == SG_SETTING_INTEGER) node->real = (double)node->integer;
    node->form = SG_SETTING_REAL;
    check_range(c, node, row);
}

void sg_setting_take_raw(struct sg_setting *node)
{
    if (node->overridden && is_scalar(node) && node->text != NULL) node->form = SG_SETTING_TEXT;
}

static bool check_text(struct sg_checker *c, struct sg_setting *node, const struct sg_keyword *row)
{
    sg_setting_take_raw(node);
    if (node->form != SG_SETTING_TEXT) {
        wrong_type(c, node, row);
        return false;
    }
    if (sg_utf8_check(node->text, strlen(node->text)) == strlen(node->text)) return true;
    sg_complain(c->diagnostics, SG_ERROR, node, "the text is not UTF-8");
    sg_hint(c->diagnostics, "an escape such as \\xe9 makes one byte: write the character itself");
    return false;
}

static void append_allowed_words(struct sg_text *text, const struct sg_keyword *row)
{
    if (row->type == SG_INTEGER)
        sg_text_append_wanted(text, row);
    else
        sg_text_append_choices(text, row->choices);
}

static void check_choice(struct sg_checker *c, struct sg_setting *node, const struct sg_keyword *row)
{
    if (!check_text(c, node, row)) return;
    node->choice = sg_choice_find(row->choices, node->text);
    if (node->choice >= 0) return;
    struct sg_text word = {0}, allowed = {0};
    struct sg_suggestion near = {.word = node->text};
    sg_suggestion_offer_choices(&near, row->choices);
    sg_text_append_excerpt(&word, node->text, strlen(node->text));
    append_allowed_words(&allowed, row);
    sg_complain(c->diagnostics, SG_ERROR, node, "unknown choice '%s'", sg_text_view(&word));
    if (near.best[0] != '\0')
        sg_hint(c->diagnostics, "did you mean '%s'? allowed: %s", near.best, sg_text_view(&allowed));
    else
        sg_hint(c->diagnostics, "allowed: %s", sg_text_view(&allowed));
    sg_text_release(&word);
    sg_text_release(&allowed);
}

static void check_integer(struct sg_checker *c, struct sg_setting *node, const struct sg_keyword *row)
{
    bool word = row->choices != NULL && node->form == SG_SETTING_TEXT && !is_quoted_number(node);
    if (word)
        check_choice(c, node, row);
    else if (node->form != SG_SETTING_INTEGER)
        wrong_type(c, node, row);
    else if (!is_faulty(c, node))
        check_range(c, node, row);
}

static void check_count(struct sg_checker *c, const struct sg_setting *node, const struct sg_keyword *row)
{
    size_t least = row->min_items, most = row->max_items;
    const char *s = node->count == 1 ? "" : "s";
    if (node->count >= least && (most == 0 || node->count <= most)) return;
    if (least == most)
        sg_complain(c->diagnostics, SG_ERROR, node, "found %zu item%s, wanted %zu", node->count, s, least);
    else if (node->count < least)
        sg_complain(c->diagnostics, SG_ERROR, node, "found %zu item%s, wanted at least %zu", node->count, s,
                    least);
    else
        sg_complain(c->diagnostics, SG_ERROR, node, "found %zu items, wanted at most %zu", node->count, most);
}

static bool is_sequence(const struct sg_setting *node)
{
    return node->form == SG_SETTING_ARRAY || node->form == SG_SETTING_LIST;
}

static sg_status check_reals(struct sg_checker *c, struct sg_setting *node, const struct sg_keyword *row)
{
    struct sg_keyword item = *row;
    item.type = SG_REAL;
    sg_free(node->reals);
    TRY(SG_NEW(&node->reals, node->count, c->err));
    for (size_t i = 0; i < node->count; i++) {
        check_real(c, node->items[i], &item);
        node->reals[i] = node->items[i]->real;
    }
    return SG_OK;
}

static sg_status check_texts(struct sg_checker *c, struct sg_setting *node, const struct sg_keyword *row)
{
    struct sg_keyword item = *row;
    item.type = SG_TEXT;
    sg_free(node->texts);
    TRY(SG_NEW(&node->texts, node->count, c->err));
    for (size_t i = 0; i < node->count; i++) {
        check_text(c, node->items[i], &item);
        node->texts[i] = node->items[i]->text;
    }
    return SG_OK;
}

static sg_status check_array(struct sg_checker *c, struct sg_setting *node, const struct sg_keyword *row)
{
    if (!is_sequence(node)) {
        wrong_type(c, node, row);
        return SG_OK;
    }
    node->form = SG_SETTING_ARRAY;
    check_count(c, node, row);
    return row->type == SG_REALS ? check_reals(c, node, row) : check_texts(c, node, row);
}

static sg_status check_item(struct sg_checker *c, struct sg_setting *node, const struct sg_keyword *row)
{
    struct sg_keyword item = *row;
    item.type = SG_GROUP;
    if (node->form == SG_SETTING_GROUP) return sg_check_group(c, node, row->rows, row->kinds);
    wrong_type(c, node, &item);
    return SG_OK;
}

static sg_status check_list(struct sg_checker *c, struct sg_setting *node, const struct sg_keyword *row)
{
    /* [ ] is an empty list as well as ( ) */
    if (node->form != SG_SETTING_LIST && !(node->form == SG_SETTING_ARRAY && node->count == 0)) {
        wrong_type(c, node, row);
        return SG_OK;
    }
    node->form = SG_SETTING_LIST;
    check_count(c, node, row);
    for (size_t i = 0; i < node->count; i++) TRY(check_item(c, node->items[i], row));
    return SG_OK;
}

sg_status sg_check_value(struct sg_checker *checker, struct sg_setting *node, const struct sg_keyword *row)
{
    switch (row->type) {
    case SG_REAL:
        if (row->kinds != NULL && node->form == SG_SETTING_GROUP) return check_item(checker, node, row);
        check_real(checker, node, row);
        return SG_OK;
    case SG_INTEGER:
        check_integer(checker, node, row);
        return SG_OK;
    case SG_BOOL:
        if (node->form != SG_SETTING_BOOL) wrong_type(checker, node, row);
        return SG_OK;
    case SG_TEXT:
        check_text(checker, node, row);
        return SG_OK;
    case SG_CHOICE:
        check_choice(checker, node, row);
        return SG_OK;
    case SG_GROUP:
        return check_item(checker, node, row);
    case SG_LIST:
        return check_list(checker, node, row);
    default:
        return check_array(checker, node, row);
    }
}

sg_status sg_fallback_create(const struct sg_keyword *row, struct sg_setting **node, struct sg_error *err)
{
    struct sg_text fault = {0};
    *node = NULL;
    if (row->fallback == NULL) return SG_OK;
    sg_status status = sg_reader_parse_value(row->fallback, node, &fault, err);
    if (status == SG_BAD_DECK)
        status = sg_fail(err, SG_INTERNAL, "internal error: default '%s' of keyword '%s': %s", row->fallback,
                         row->name, sg_text_view(&fault));
    sg_text_release(&fault);
    return status;
}
