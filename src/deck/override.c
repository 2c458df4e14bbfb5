#include <string.h>

#include "deck/deck.h"
#include "deck/parse.h"
#include "deck/path.h"
#include "deck/state.h"
#include "deck/tree.h"

struct override {
    struct sg_deck *deck;
    struct sg_arena *arena; /* the deck's */
    struct sg_diagnostics *diagnostics;
    struct sg_error *err;
    struct sg_path path;
    const char *value;
    struct sg_setting *created; /* the first group made on the way */
};

static sg_status refuse(struct override *o, size_t steps, const char *message)
{
    SG_LOCAL_TEXT(path);
    sg_path_append(&o->path, steps, &path);
    sg_complain_at(o->diagnostics, SG_ERROR, "--set", sg_text_view(&path), "%s", message);
    return SG_BAD_DECK;
}

static bool is_scalar_text(const char *value, size_t length)
{
    return sg_scan_is(value, length, SG_TOKEN_INTEGER) || sg_scan_is(value, length, SG_TOKEN_LONG) ||
           sg_scan_is(value, length, SG_TOKEN_REAL) || sg_scan_is(value, length, SG_TOKEN_BOOL);
}

/* What could be more than a word, or is meant as something else than text, is never taken as text. */
static bool is_bare_word(const char *value, size_t length)
{
    if (length == 0 || is_scalar_text(value, length)) return false;
    if (strstr(value, "//") != NULL || strstr(value, "/*") != NULL) return false;
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)value[i] <= 0x20 || value[i] == 0x7f ||
            strchr("\"(){}[]=;,#\\`", value[i]) != NULL)
            return false;
    return sg_utf8_check(value, length) == length;
}

static sg_status make_text(const struct override *o, struct sg_setting **setting)
{
    TRY(sg_setting_create(o->arena, SG_SETTING_TEXT, setting, o->err));
    return sg_arena_copy_text(o->arena, o->value, &(*setting)->text, o->err);
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static sg_status parse_value(struct override *o, struct sg_setting **setting)
{
    SG_LOCAL_TEXT(fault);
    SG_LOCAL_TEXT(message);
    sg_status status = sg_parse_value(o->value, o->arena, setting, &fault, o->err);
    if (status == SG_BAD_DECK) {
        sg_text_append(&message, "'");
        sg_text_append_excerpt(&message, o->value, strlen(o->value));
        sg_text_append(&message, "' is not one deck value: %s", sg_text_view(&fault));
        refuse(o, o->path.count, sg_text_view(&message));
        if (is_letter(o->value[0]))
            sg_hint(o->diagnostics,
                    "text with blanks or marks is put in quotes, and the quotes from the shell: "
                    "'title=\"Two bars\"'");
    }
    return status;
}

/* A number or bool remembers how it was typed: it may be meant for a text keyword. */
static sg_status keep_raw(const struct override *o, struct sg_setting *setting)
{
    if (setting->form < SG_SETTING_INTEGER || setting->form == SG_SETTING_TEXT) return SG_OK;
    return sg_arena_copy_text(o->arena, o->value, &setting->text, o->err);
}

static void mark(struct sg_setting *setting)
{
    setting->overridden = true;
    for (size_t i = 0; i < setting->count; i++) mark(setting->items[i]);
}

static sg_status make_value(struct override *o, struct sg_setting **setting)
{
    if (o->value[0] == '\0') return refuse(o, o->path.count, "there is no value after '='");
    TRY(is_bare_word(o->value, strlen(o->value)) ? make_text(o, setting) : parse_value(o, setting));
    TRY(keep_raw(o, *setting));
    mark(*setting);
    return SG_OK;
}

static const char *form_word(const struct sg_setting *setting)
{
    static const char *const words[] = {"a group",       "a list",        "an array", "an integer",
                                        "a real number", "true or false", "a text"};
    return words[setting->form];
}

static sg_status refuse_form(struct override *o, size_t steps, const struct sg_setting *setting,
                             const char *wanted)
{
    SG_LOCAL_TEXT(message);
    sg_text_append(&message, "it is %s, not %s", form_word(setting), wanted);
    return refuse(o, steps, sg_text_view(&message));
}

static sg_status refuse_index(struct override *o, size_t steps, size_t index, size_t count)
{
    SG_LOCAL_TEXT(message);
    sg_text_append(&message, "index %zu is out of range, there %s %zu item%s", index,
                   count == 1 ? "is" : "are", count, count == 1 ? "" : "s");
    return refuse(o, steps, sg_text_view(&message));
}

/* The child that step `i` names, NULL where a keyword is missing. */
static sg_status follow(struct override *o, struct sg_setting *setting, size_t i, struct sg_setting **child)
{
    const struct sg_step *step = &o->path.steps[i];
    if (step->name == NULL) {
        if (setting->form != SG_SETTING_LIST && setting->form != SG_SETTING_ARRAY)
            return refuse_form(o, i, setting, "a list");
        if (step->index >= setting->count) return refuse_index(o, i, step->index, setting->count);
        *child = setting->items[step->index];
        return SG_OK;
    }
    if (setting->form != SG_SETTING_GROUP) return refuse_form(o, i, setting, "a group");
    char name[SG_MAX_NAME + 1] = {0};
    memcpy(name, step->name, step->length);
    *child = sg_setting_find(setting, name);
    return SG_OK;
}

static sg_status step_name(const struct override *o, size_t i, char **name)
{
    const struct sg_step *step = &o->path.steps[i];
    TRY(SG_ARENA_NEW(o->arena, name, step->length + 1, o->err));
    if (step->length > 0) memcpy(*name, step->name, step->length); /* none of an index */
    return SG_OK;
}

/* A group for the missing keyword of step `i`; an index into it would be into nothing. */
static sg_status create_group(struct override *o, struct sg_setting *parent, size_t i,
                              struct sg_setting **child)
{
    char *name = NULL;
    const struct sg_step *next = &o->path.steps[i + 1];
    if (next->name == NULL) return refuse_index(o, i + 1, next->index, 0);
    TRY(step_name(o, i, &name));
    TRY(sg_setting_create(o->arena, SG_SETTING_GROUP, child, o->err));
    (*child)->file = parent->file;
    (*child)->line = parent->line;
    (*child)->overridden = true;
    TRY(sg_setting_adopt(o->arena, parent, *child, name, o->err));
    if (o->created == NULL) o->created = *child;
    return SG_OK;
}

/* The deck's own kind outlives several changes of `type`. */
static sg_status remember_type(const struct override *o, const struct sg_setting *old,
                               struct sg_setting *fresh)
{
    bool text = old != NULL && old->form == SG_SETTING_TEXT;
    if (old == NULL || !old->overridden)
        return sg_arena_copy_text(o->arena, text ? old->text : "", &fresh->replaced, o->err);
    fresh->replaced = old->replaced;
    return SG_OK;
}

static sg_status put(struct override *o, struct sg_setting *parent, struct sg_setting *old,
                     struct sg_setting *fresh)
{
    char *name = NULL;
    TRY(step_name(o, o->path.count - 1, &name));
    if (strcmp(name, "type") == 0) TRY(remember_type(o, old, fresh));
    if (old == NULL) return sg_setting_adopt(o->arena, parent, fresh, name, o->err);
    fresh->file = old->file;
    fresh->line = old->line;
    sg_setting_replace(old, fresh);
    return SG_OK;
}

static sg_status walk(struct override *o, struct sg_setting **parent, struct sg_setting **old)
{
    struct sg_setting *setting = o->deck->root, *child = NULL;
    size_t last = o->path.count - 1;
    for (size_t i = 0; i < last; i++) {
        TRY(follow(o, setting, i, &child));
        if (child == NULL) TRY(create_group(o, setting, i, &child));
        setting = child;
    }
    TRY(follow(o, setting, last, old));
    *parent = setting;
    return SG_OK;
}

static sg_status apply(struct override *o)
{
    struct sg_setting *fresh = NULL, *parent = NULL, *old = NULL;
    sg_status status = make_value(o, &fresh);
    if (status == SG_OK) status = walk(o, &parent, &old);
    if (status == SG_OK) status = put(o, parent, old, fresh);
    if (status != SG_OK && o->created != NULL) sg_setting_remove(o->created);
    return status;
}

static void trim(const char **text, size_t *length)
{
    while (*length > 0 && strchr(" \t", (*text)[0]) != NULL) {
        (*text)++;
        (*length)--;
    }
    while (*length > 0 && strchr(" \t", (*text)[*length - 1]) != NULL) (*length)--;
}

static sg_status split(struct override *o, const char *assignment, char **value)
{
    const char *equals = strchr(assignment, '=');
    const char *path = assignment;
    size_t length = equals == NULL ? strlen(assignment) : (size_t)(equals - assignment);
    SG_LOCAL_TEXT(fault);
    if (equals == NULL) {
        sg_text_append(&fault, "'");
        sg_text_append_excerpt(&fault, assignment, length);
        sg_text_append(&fault, "' has no '=': PATH=VALUE is wanted");
    }
    trim(&path, &length);
    bool fine = equals != NULL && sg_path_parse(path, length, false, &o->path, &fault);
    if (!fine) sg_complain_at(o->diagnostics, SG_ERROR, "--set", "", "%s", sg_text_view(&fault));
    if (!fine) return SG_BAD_DECK;
    const char *text = equals + 1;
    length = strlen(text);
    trim(&text, &length);
    TRY(SG_ARENA_NEW(o->arena, value, length + 1, o->err));
    memcpy(*value, text, length);
    return SG_OK;
}

sg_status sg_deck_override(struct sg_deck *deck, const char *assignment, struct sg_diagnostics *diagnostics,
                           struct sg_error *err)
{
    struct override o = {.deck = deck, .arena = &deck->arena, .diagnostics = diagnostics, .err = err};
    char *value = NULL;
    TRY(split(&o, assignment, &value));
    o.value = value;
    return apply(&o);
}
