#include <string.h>

#include "deck/deck.h"
#include "deck/state.h"
#include "deck/values.h"
#include "deck/words.h"
#include "support/memory.h"
#include "support/text.h"

/* What a group may hold. */
struct scope {
    const struct sg_keyword *rows;   /* of the group, or those that all kinds share */
    const struct sg_kind_set *kinds; /* NULL: none */
    const struct sg_kind *kind;      /* NULL: none, or not known */
};

static const struct sg_keyword type_row = {.name = "type", .type = SG_TEXT};

/* The tables of rows that hold for sure: two, either may be NULL. */
static const struct sg_keyword *table(const struct scope *scope, size_t n)
{
    if (n == 0) return scope->rows;
    return scope->kind == NULL ? NULL : scope->kind->rows;
}

static const struct sg_keyword *find_row(const struct scope *scope, const char *name)
{
    if (scope->kinds != NULL && strcmp(name, "type") == 0) return &type_row;
    const struct sg_keyword *row = sg_row_find(table(scope, 0), name);
    return row != NULL ? row : sg_row_find(table(scope, 1), name);
}

/* true if some kind of the set has the keyword */
static bool is_of_some_kind(const struct scope *scope, const char *name)
{
    for (size_t i = 0; scope->kinds != NULL && i < scope->kinds->count; i++)
        if (sg_row_find(scope->kinds->items[i]->rows, name) != NULL) return true;
    return false;
}

static bool is_unknown(const struct scope *scope, const char *name)
{
    return find_row(scope, name) == NULL && !is_of_some_kind(scope, name);
}

static struct sg_suggestion suggest(const struct scope *scope, const char *name)
{
    struct sg_suggestion near = {.word = name};
    if (scope->kinds != NULL) sg_suggestion_offer(&near, "type");
    sg_suggestion_offer_rows(&near, scope->rows);
    if (scope->kind != NULL)
        sg_suggestion_offer_rows(&near, scope->kind->rows);
    else
        for (size_t i = 0; scope->kinds != NULL && i < scope->kinds->count; i++)
            sg_suggestion_offer_rows(&near, scope->kinds->items[i]->rows);
    return near;
}

/* true if a misspelt keyword of the group seems to mean `name`: one fault, one finding */
static bool is_meant(const struct scope *scope, const struct sg_setting *group, const char *name)
{
    for (size_t i = 0; i < group->count; i++) {
        const char *word = group->items[i]->name;
        if (is_unknown(scope, word) && strcmp(suggest(scope, word).best, name) == 0) return true;
    }
    return false;
}

static void choose_kind(struct scope *scope, struct sg_setting *group)
{
    struct sg_setting *type = sg_setting_find(group, "type");
    const char *fallback = scope->kinds->fallback;
    if (type != NULL) sg_setting_take_raw(type);
    if (type != NULL && type->form == SG_SETTING_TEXT)
        scope->kind = sg_kind_find(scope->kinds, type->text);
    else if (type == NULL && fallback != NULL && !is_meant(scope, group, "type"))
        scope->kind = sg_kind_find(scope->kinds, fallback);
    group->kind = scope->kind;
}

/* A keyword that both kinds have in different units is not the same: its number means nothing in the other.
 */
static bool changes_unit(const struct sg_keyword *old, const struct sg_keyword *row)
{
    return old != NULL && row != NULL && old->unit != NULL && row->unit != NULL &&
           strcmp(old->unit, row->unit) != 0;
}

/* Whether the keyword goes with the kind `old` (NULL: not known), which --set replaced. */
static bool is_replaced(const struct scope *scope, const struct sg_kind *old, const struct sg_setting *child)
{
    const struct sg_keyword *before = old != NULL ? sg_row_find(old->rows, child->name) : NULL;
    if (child->overridden) return false;
    if (find_row(scope, child->name) != NULL)
        return changes_unit(before, sg_row_find(scope->kind->rows, child->name));
    return old != NULL ? before != NULL : is_of_some_kind(scope, child->name);
}

/* Keywords of the deck that went with the kind which --set replaced. */
static void drop_replaced(struct sg_checker *c, const struct scope *scope, struct sg_setting *group)
{
    const struct sg_setting *type = sg_setting_find(group, "type");
    if (type == NULL || type->replaced == NULL || scope->kind == NULL) return;
    const char *word =
        type->replaced[0] != '\0' || scope->kinds->fallback == NULL ? type->replaced : scope->kinds->fallback;
    const struct sg_kind *old = sg_kind_find(scope->kinds, word);
    size_t i = 0;
    while (i < group->count) {
        struct sg_setting *child = group->items[i];
        if (!is_replaced(scope, old, child)) {
            i++;
            continue;
        }
        sg_complain(c->diagnostics, SG_WARNING, child,
                    "keyword '%s' is dropped: it belongs to %s '%s', which "
                    "--set replaced by '%s'",
                    child->name, scope->kinds->noun, word, scope->kind->name);
        sg_setting_remove(child);
    }
}

static void append_allowed(const struct scope *scope, struct sg_text *text)
{
    const char *separator = "";
    if (scope->kinds != NULL) {
        sg_text_append(text, "type");
        separator = ", ";
    }
    for (size_t n = 0; n < 2; n++)
        for (const struct sg_keyword *row = table(scope, n); row != NULL && row->name != NULL; row++) {
            sg_text_append(text, "%s%s", separator, row->name);
            separator = ", ";
        }
}

static void complain_unknown(struct sg_checker *c, const struct scope *scope, const struct sg_setting *child)
{
    SG_LOCAL_TEXT(allowed);
    struct sg_suggestion near = suggest(scope, child->name);
    append_allowed(scope, &allowed);
    sg_complain(c->diagnostics, SG_ERROR, child, "unknown keyword '%s'", child->name);
    if (near.best[0] != '\0')
        sg_hint(c->diagnostics, "did you mean '%s'? allowed here: %s", near.best, sg_text_view(&allowed));
    else
        sg_hint(c->diagnostics, "allowed here: %s", sg_text_view(&allowed));
}

/* Where the kind is not known, a keyword like no other may well belong to what was meant. */
static void complain_unless_strange(struct sg_checker *c, const struct scope *scope,
                                    const struct sg_setting *child)
{
    bool no_kind = scope->kinds != NULL && scope->kind == NULL;
    if (!no_kind || suggest(scope, child->name).best[0] != '\0') complain_unknown(c, scope, child);
}

static void complain_foreign(struct sg_checker *c, const struct scope *scope, const struct sg_setting *child)
{
    const struct sg_kind_set *kinds = scope->kinds;
    SG_LOCAL_TEXT(owners);
    SG_LOCAL_TEXT(allowed);
    for (size_t i = 0; i < kinds->count; i++)
        if (sg_row_find(kinds->items[i]->rows, child->name) != NULL)
            sg_text_append(&owners, "%s'%s'", owners.length > 0 ? ", " : "", kinds->items[i]->name);
    append_allowed(scope, &allowed);
    sg_complain(c->diagnostics, SG_ERROR, child, "keyword '%s' belongs to %s %s, not to '%s'", child->name,
                kinds->noun, sg_text_view(&owners), scope->kind->name);
    sg_hint(c->diagnostics, "allowed here: %s", sg_text_view(&allowed));
}

static void complain_kind(struct sg_checker *c, const struct scope *scope, const struct sg_setting *type)
{
    SG_LOCAL_TEXT(word);
    SG_LOCAL_TEXT(there);
    struct sg_suggestion near = {.word = type->text};
    sg_suggestion_offer_kinds(&near, scope->kinds);
    sg_text_append_excerpt(&word, type->text, strlen(type->text));
    sg_text_append_kinds(&there, scope->kinds);
    sg_complain(c->diagnostics, SG_ERROR, type, "unknown %s '%s'", scope->kinds->noun, sg_text_view(&word));
    if (near.best[0] != '\0')
        sg_hint(c->diagnostics, "did you mean '%s'? there are: %s", near.best, sg_text_view(&there));
    else
        sg_hint(c->diagnostics, "there are: %s", sg_text_view(&there));
}

/* At the root the keyword itself is the path: there is no group to name. */
static void complain_missing(struct sg_checker *c, const struct sg_setting *group, const char *name,
                             const char *what)
{
    if (group->parent == NULL)
        sg_complain_about(c->diagnostics, SG_ERROR, group, name, "missing keyword '%s' (%s)", name, what);
    else
        sg_complain(c->diagnostics, SG_ERROR, group, "missing keyword '%s' (%s)", name, what);
}

static void complain_missing_row(struct sg_checker *c, const struct sg_setting *group,
                                 const struct sg_keyword *row)
{
    SG_LOCAL_TEXT(what);
    SG_LOCAL_TEXT(example);
    sg_text_append(&what, "%s", sg_type_noun(row->type));
    if (row->unit != NULL && strcmp(row->unit, "1") != 0) sg_text_append(&what, ", %s", row->unit);
    sg_text_append(&what, ": %s", row->meaning);
    sg_text_append_example(&example, row);
    complain_missing(c, group, row->name, sg_text_view(&what));
    sg_hint(c->diagnostics, "for example: %s", sg_text_view(&example));
}

static void complain_missing_type(struct sg_checker *c, const struct scope *scope,
                                  const struct sg_setting *group)
{
    SG_LOCAL_TEXT(what);
    SG_LOCAL_TEXT(there);
    sg_text_append(&what, "text: which %s", scope->kinds->noun);
    sg_text_append_kinds(&there, scope->kinds);
    complain_missing(c, group, "type", sg_text_view(&what));
    sg_hint(c->diagnostics, "one of: %s", sg_text_view(&there));
}

static bool is_spared(const struct sg_setting *group, const struct sg_keyword *row)
{
    if (row->spared == NULL) return false;
    const struct sg_setting *beside = sg_setting_find(group, row->spared->group);
    while (row->spared->above && beside == NULL && group->parent != NULL) {
        group = group->parent;
        beside = sg_setting_find(group, row->spared->group);
    }
    const struct sg_setting *type = beside == NULL ? NULL : sg_setting_find(beside, "type");
    if (type == NULL || type->text == NULL) return false;
    const struct sg_kind *kind = sg_kind_find(row->spared->kinds, type->text);
    return kind != NULL && row->spared->spares(kind);
}

static void check_missing(struct sg_checker *c, const struct scope *scope, const struct sg_setting *group)
{
    bool typed = scope->kinds == NULL || scope->kind != NULL || sg_setting_find(group, "type") != NULL;
    if (!typed && !is_meant(scope, group, "type")) complain_missing_type(c, scope, group);
    for (size_t n = 0; n < 2; n++)
        for (const struct sg_keyword *row = table(scope, n); row != NULL && row->name != NULL; row++) {
            bool wanted = (row->flags & SG_REQUIRED) != 0 && sg_setting_find(group, row->name) == NULL;
            if (wanted && is_spared(group, row)) continue;
            if (wanted && !is_meant(scope, group, row->name)) complain_missing_row(c, group, row);
        }
}

static sg_status check_group(struct sg_checker *c, struct sg_setting *group, const struct sg_keyword *rows,
                             const struct sg_kind_set *kinds);

static sg_status check_item(struct sg_checker *c, struct sg_setting *setting, const struct sg_keyword *row)
{
    struct sg_keyword item = *row;
    item.type = SG_GROUP;
    if (setting->form == SG_SETTING_GROUP) return check_group(c, setting, row->rows, row->kinds);
    sg_report_form(c, setting, &item);
    return SG_OK;
}

/* Puts a group that stands for a list of one into that list. */
static sg_status wrap_group(struct sg_checker *c, struct sg_setting **group)
{
    struct sg_setting *inner = *group, *list = NULL;
    TRY(sg_setting_create(c->arena, SG_SETTING_LIST, &list, c->err));
    list->file = inner->file;
    list->line = inner->line;
    list->given = inner->given;
    list->overridden = inner->overridden;
    sg_setting_replace(inner, list);
    *group = list;
    return sg_setting_adopt(c->arena, list, inner, NULL, c->err);
}

static sg_status check_list(struct sg_checker *c, struct sg_setting *list, const struct sg_keyword *row)
{
    if (row->single && list->form == SG_SETTING_GROUP) TRY(wrap_group(c, &list));
    /* [ ] is an empty list as well as ( ) */
    if (list->form != SG_SETTING_LIST && !(list->form == SG_SETTING_ARRAY && list->count == 0)) {
        sg_report_form(c, list, row);
        return SG_OK;
    }
    list->form = SG_SETTING_LIST;
    sg_check_count(c, list, row);
    for (size_t i = 0; i < list->count; i++) TRY(check_item(c, list->items[i], row));
    return SG_OK;
}

static sg_status check_setting(struct sg_checker *c, struct sg_setting *setting, const struct sg_keyword *row)
{
    bool group = row->kinds != NULL && setting->form == SG_SETTING_GROUP;
    if (row->type == SG_LIST) return check_list(c, setting, row);
    if (row->type == SG_GROUP || (row->type == SG_REAL && group)) return check_item(c, setting, row);
    return sg_check_value(c, setting, row);
}

static sg_status check_child(struct sg_checker *c, const struct scope *scope, struct sg_setting *child)
{
    const struct sg_keyword *row = find_row(scope, child->name);
    if (row == &type_row && scope->kinds != NULL && scope->kind == NULL && child->form == SG_SETTING_TEXT) {
        complain_kind(c, scope, child);
        return SG_OK;
    }
    if (row != NULL) return check_setting(c, child, row);
    if (!is_of_some_kind(scope, child->name))
        complain_unless_strange(c, scope, child);
    else if (scope->kind != NULL)
        complain_foreign(c, scope, child);
    return SG_OK;
}

static void place_default(struct sg_setting *setting, const struct sg_setting *group)
{
    setting->file = group->file;
    setting->line = group->line;
    setting->overridden = group->overridden;
    setting->given = false;
    for (size_t i = 0; i < setting->count; i++) place_default(setting->items[i], group);
}

static sg_status add_default(struct sg_checker *c, struct sg_setting *group, const struct sg_keyword *row,
                             struct sg_setting *setting)
{
    TRY(sg_setting_adopt(c->arena, group, setting, row->name, c->err));
    place_default(setting, group);
    return check_setting(c, setting, row);
}

static sg_status fill_type(struct sg_checker *c, const struct scope *scope, struct sg_setting *group)
{
    struct sg_setting *setting = NULL;
    if (scope->kind == NULL || sg_setting_find(group, "type") != NULL) return SG_OK;
    TRY(sg_setting_create(c->arena, SG_SETTING_TEXT, &setting, c->err));
    TRY(sg_arena_copy_text(c->arena, scope->kind->name, &setting->text, c->err));
    TRY(add_default(c, group, &type_row, setting));
    sg_setting_lead(setting);
    return SG_OK;
}

static sg_status fill_defaults(struct sg_checker *c, const struct scope *scope, struct sg_setting *group)
{
    TRY(fill_type(c, scope, group));
    for (size_t n = 0; n < 2; n++)
        for (const struct sg_keyword *row = table(scope, n); row != NULL && row->name != NULL; row++) {
            struct sg_setting *setting = NULL;
            if (row->fallback == NULL || sg_setting_find(group, row->name) != NULL) continue;
            TRY(sg_fallback_create(row, c->arena, &setting, c->err));
            TRY(add_default(c, group, row, setting));
        }
    return SG_OK;
}

/* Missing keywords are told at the group's own line, so before those of its children: findings come in
 * the order of lines. */
static sg_status check_group(struct sg_checker *c, struct sg_setting *group, const struct sg_keyword *rows,
                             const struct sg_kind_set *kinds)
{
    struct scope scope = {kinds == NULL ? rows : kinds->common, kinds, NULL};
    if (kinds != NULL) {
        choose_kind(&scope, group);
        drop_replaced(c, &scope, group);
    }
    check_missing(c, &scope, group);
    for (size_t i = 0; i < group->count; i++) TRY(check_child(c, &scope, group->items[i]));
    return fill_defaults(c, &scope, group);
}

sg_status sg_deck_validate(struct sg_deck *deck, const struct sg_keyword *root,
                           struct sg_diagnostics *diagnostics, struct sg_error *err)
{
    struct sg_checker checker = {diagnostics, &deck->arena, err};
    size_t errors = diagnostics->errors;
    TRY(check_group(&checker, deck->root, root, NULL));
    if (diagnostics->failed) FAIL(err, SG_NO_MEMORY, "out of memory: the deck's findings");
    if (diagnostics->errors == errors) return SG_OK;
    FAIL(err, SG_BAD_DECK, "the deck has %zu error%s", diagnostics->errors - errors,
         diagnostics->errors - errors == 1 ? "" : "s");
}
