#include "deck/parse.h"

#include <libconfig.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "deck/syntax.h"
#include "support/memory.h"

static enum sg_setting_form form_of(const config_setting_t *setting)
{
    switch (config_setting_type(setting)) {
    case CONFIG_TYPE_GROUP:
        return SG_SETTING_GROUP;
    case CONFIG_TYPE_LIST:
        return SG_SETTING_LIST;
    case CONFIG_TYPE_ARRAY:
        return SG_SETTING_ARRAY;
    case CONFIG_TYPE_FLOAT:
        return SG_SETTING_REAL;
    case CONFIG_TYPE_BOOL:
        return SG_SETTING_BOOL;
    case CONFIG_TYPE_STRING:
        return SG_SETTING_TEXT;
    default:
        return SG_SETTING_INTEGER;
    }
}

static sg_status copy_value(const struct sg_parser *p, const config_setting_t *setting, struct sg_setting *to)
{
    if (to->form == SG_SETTING_INTEGER)
        to->integer = config_setting_get_int64(setting);
    else if (to->form == SG_SETTING_REAL)
        to->real = config_setting_get_float(setting);
    else if (to->form == SG_SETTING_BOOL)
        to->integer = config_setting_get_bool(setting) ? 1 : 0;
    else
        return sg_arena_copy_text(p->arena, config_setting_get_string(setting), &to->text, p->err);
    if (to->form == SG_SETTING_REAL && !isfinite(to->real))
        return sg_arena_copy_text(p->arena, "the number is beyond the real numbers (1.8e308)", &to->fault,
                                  p->err);
    return SG_OK;
}

/* Why an integer can't be taken that libconfig would wrap or clip. */
static sg_status note_fault(const struct sg_parser *p, const char *digits, bool wide, struct sg_setting *to)
{
    SG_LOCAL_TEXT(fault);
    SG_LOCAL_TEXT(hint);
    sg_text_append(&fault, "integer %s is beyond %d bits", digits, wide ? 64 : 32);
    if (wide)
        sg_text_append(&hint, "write a real number");
    else if (digits[1] == 'x' || digits[1] == 'X')
        sg_text_append(&hint, "write %sL for an integer of 64 bits", digits);
    else
        sg_text_append(&hint, "write %s.0 for a real number, %sL for an integer", digits, digits);
    TRY(sg_arena_copy_text(p->arena, sg_text_view(&fault), &to->fault, p->err));
    return sg_arena_copy_text(p->arena, sg_text_view(&hint), &to->fault_hint, p->err);
}

static bool is_scalar(const struct sg_token *token)
{
    return token->kind >= SG_TOKEN_INTEGER && token->kind <= SG_TOKEN_TEXT;
}

/* The token of a setting: libconfig's line is its number, counted from 1; of items that are scalars it may
 * have looked one token further. A scalar with a name stands two tokens behind it. */
static const struct sg_token *token_of(const struct sg_parser *p, const config_setting_t *setting,
                                       bool scalar)
{
    const struct sg_token *first = p->source->tokens, *last = first + p->source->count - 1;
    const struct sg_token *token = first + config_setting_source_line(setting) - 1;
    bool named = config_setting_name(setting) != NULL;
    if (token < first || token > last) token = first;
    if (!scalar) return token;
    if (named) return last - token < 2 ? last : token + 2;
    while (token > first && !is_scalar(token)) token--;
    while (token > first && token[0].kind == SG_TOKEN_TEXT && token[-1].kind == SG_TOKEN_TEXT) token--;
    return token;
}

static sg_status check_integer(const struct sg_parser *p, const struct sg_token *token, struct sg_setting *to)
{
    char digits[SG_MAX_NUMBER + 1] = "";
    long long value = 0;
    if (sg_syntax_integer(p->source, token, &value)) return SG_OK;
    memcpy(digits, p->source->text.data + token->begin, token->end - token->begin);
    return note_fault(p, digits, token->kind == SG_TOKEN_LONG, to);
}

static sg_status convert_items(const struct sg_parser *p, const config_setting_t *setting,
                               struct sg_setting *to);

static sg_status convert(const struct sg_parser *p, const config_setting_t *setting, struct sg_setting *to)
{
    bool scalar = to->form >= SG_SETTING_INTEGER;
    const struct sg_token *token = token_of(p, setting, scalar);
    to->file = p->source->files[token->file];
    to->line = token->line;
    if (!scalar) return convert_items(p, setting, to);
    if (to->form == SG_SETTING_INTEGER) TRY(check_integer(p, token, to));
    return copy_value(p, setting, to);
}

static sg_status convert_items(const struct sg_parser *p, const config_setting_t *setting,
                               struct sg_setting *to)
{
    int count = config_setting_length(setting);
    for (int i = 0; i < count; i++) {
        const config_setting_t *item = config_setting_get_elem(setting, (unsigned)i);
        struct sg_setting *child = NULL;
        TRY(sg_setting_create(p->arena, form_of(item), &child, p->err));
        TRY(sg_setting_adopt(p->arena, to, child, config_setting_name(item), p->err));
        TRY(convert(p, item, child));
    }
    return SG_OK;
}

static sg_status build(const struct sg_parser *p, const config_t *config, struct sg_setting **root)
{
    struct sg_setting *fresh = NULL;
    TRY(sg_setting_create(p->arena, SG_SETTING_GROUP, &fresh, p->err));
    fresh->file = p->source->files[0];
    fresh->line = 1;
    TRY(convert_items(p, config_root_setting(config), fresh));
    *root = fresh;
    return SG_OK;
}

/* libconfig stops at the first fault that it sees. Where a fault before it is told already, which only some
 * versions see, what it says is left for the next time: it must not depend on the version. */
static sg_status read_spelled(const struct sg_parser *p, const char *spelled, size_t first_fault,
                              struct sg_setting **root)
{
    config_t config;
    sg_status status = SG_BAD_DECK;
    config_init(&config);
    bool fine = config_read_string(&config, spelled) == CONFIG_TRUE;
    size_t line = fine ? 0 : (size_t)config_error_line(&config);
    size_t at = line > 0 && line <= p->source->count ? line - 1 : p->source->count - 1;
    if (!fine && at < first_fault)
        sg_syntax_explain(p->source, at, p->diagnostics);
    else if (first_fault == SIZE_MAX)
        status = build(p, &config, root);
    config_destroy(&config);
    return status;
}

sg_status sg_parse(const struct sg_parser *parser, bool single, struct sg_setting **root)
{
    SG_LOCAL_TEXT(spelled);
    size_t first_fault = SIZE_MAX;
    *root = NULL;
    sg_status status = sg_syntax_check(parser->source, single, &first_fault, parser->diagnostics);
    if (status != SG_OK && first_fault == SIZE_MAX) return status;
    sg_syntax_spell(parser->source, &spelled);
    if (spelled.failed)
        status = sg_fail(parser->err, SG_NO_MEMORY, "out of memory: deck of %zu bytes", spelled.length);
    else
        status = read_spelled(parser, spelled.data, first_fault, root);
    return status;
}

/* The settings outlive the source: their file is set anew when they join a deck. */
static void forget_place(struct sg_setting *setting)
{
    setting->file = NULL;
    setting->line = 0;
    for (size_t i = 0; i < setting->count; i++) forget_place(setting->items[i]);
}

sg_status sg_parse_value(const char *value, struct sg_arena *arena, struct sg_setting **setting,
                         struct sg_text *fault, struct sg_error *err)
{
    SG_LOCAL_TEXT(text);
    struct sg_source source = {0};
    struct sg_diagnostics findings = {0};
    struct sg_setting *root = NULL;
    sg_text_append(&text, "value = %s\n", value);
    sg_status status =
        text.failed ? sg_fail(err, SG_NO_MEMORY, "out of memory: value '%.40s'", value) : SG_OK;
    if (status == SG_OK)
        status = sg_source_read_text(text.data, text.length, "value", &source, &findings, err);
    if (status == SG_OK) status = sg_parse(&(struct sg_parser){&source, arena, &findings, err}, true, &root);
    *setting = status == SG_OK && root != NULL ? root->items[0] : NULL;
    if (*setting != NULL) forget_place(*setting);
    if (findings.count > 0) sg_text_append(fault, "%s", findings.items[0].message);
    sg_source_release(&source);
    sg_diagnostics_release(&findings);
    return status;
}
