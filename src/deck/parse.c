#include "deck/parse.h"

#include <libconfig.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "deck/syntax.h"
#include "support/memory.h"

struct conversion {
    const struct sg_source *source;
    struct sg_error *err;
};

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

static sg_status copy_value(const config_setting_t *setting, struct sg_setting *node, struct sg_error *err)
{
    if (node->form == SG_SETTING_INTEGER)
        node->integer = config_setting_type(setting) == CONFIG_TYPE_INT64 ? config_setting_get_int64(setting)
                                                                          : config_setting_get_int(setting);
    else if (node->form == SG_SETTING_REAL)
        node->real = config_setting_get_float(setting);
    else if (node->form == SG_SETTING_BOOL)
        node->integer = config_setting_get_bool(setting) ? 1 : 0;
    else
        return sg_copy_text(config_setting_get_string(setting), &node->text, err);
    if (node->form == SG_SETTING_REAL && !isfinite(node->real))
        return sg_copy_text("the number is beyond the real numbers (1.8e308)", &node->fault, err);
    return SG_OK;
}

/* Why an integer can't be taken that libconfig would wrap or clip. */
static sg_status note_fault(const char *digits, bool wide, struct sg_setting *setting, struct sg_error *err)
{
    struct sg_text fault = {0}, hint = {0};
    sg_text_append(&fault, "integer %s is beyond %d bits", digits, wide ? 64 : 32);
    if (wide)
        sg_text_append(&hint, "write a real number");
    else if (digits[1] == 'x' || digits[1] == 'X')
        sg_text_append(&hint, "write %sL for an integer of 64 bits", digits);
    else
        sg_text_append(&hint, "write %s.0 for a real number, %sL for an integer", digits, digits);
    sg_status status = sg_copy_text(sg_text_view(&fault), &setting->fault, err);
    if (status == SG_OK) status = sg_copy_text(sg_text_view(&hint), &setting->fault_hint, err);
    sg_text_release(&fault);
    sg_text_release(&hint);
    return status;
}

static bool is_scalar(const struct sg_token *token)
{
    return token->kind >= SG_TOKEN_INTEGER && token->kind <= SG_TOKEN_TEXT;
}

/* The token of a setting: libconfig's line is its number, counted from 1; of items that are scalars it may
 * have looked one token further. A scalar with a name stands two tokens behind it. */
static const struct sg_token *token_of(const struct conversion *c, const config_setting_t *setting,
                                       bool scalar)
{
    const struct sg_token *first = c->source->tokens, *last = first + c->source->count - 1;
    const struct sg_token *token = first + config_setting_source_line(setting) - 1;
    bool named = config_setting_name(setting) != NULL;
    if (token < first || token > last) token = first;
    if (!scalar) return token;
    if (named) return last - token < 2 ? last : token + 2;
    while (token > first && !is_scalar(token)) token--;
    while (token > first && token[0].kind == SG_TOKEN_TEXT && token[-1].kind == SG_TOKEN_TEXT) token--;
    return token;
}

static sg_status check_integer(const struct conversion *c, const struct sg_token *token,
                               struct sg_setting *setting)
{
    char digits[SG_MAX_NUMBER + 1] = "";
    long long value = 0;
    if (sg_syntax_integer(c->source, token, &value)) return SG_OK;
    memcpy(digits, c->source->text.data + token->begin, token->end - token->begin);
    return note_fault(digits, token->kind == SG_TOKEN_LONG, setting, c->err);
}

static sg_status convert_items(const struct conversion *c, const config_setting_t *setting,
                               struct sg_setting *to);

static sg_status convert(const struct conversion *c, const config_setting_t *setting, struct sg_setting *to)
{
    bool scalar = to->form >= SG_SETTING_INTEGER;
    const struct sg_token *token = token_of(c, setting, scalar);
    to->file = c->source->files[token->file];
    to->line = token->line;
    if (!scalar) return convert_items(c, setting, to);
    if (to->form == SG_SETTING_INTEGER) TRY(check_integer(c, token, to));
    return copy_value(setting, to, c->err);
}

static sg_status convert_items(const struct conversion *c, const config_setting_t *setting,
                               struct sg_setting *to)
{
    int count = config_setting_length(setting);
    for (int i = 0; i < count; i++) {
        const config_setting_t *item = config_setting_get_elem(setting, (unsigned)i);
        struct sg_setting *child = NULL;
        TRY(sg_setting_create(to, config_setting_name(item), form_of(item), &child, c->err));
        TRY(convert(c, item, child));
    }
    return SG_OK;
}

static sg_status build(const struct sg_source *source, const config_t *config, struct sg_setting **root,
                       struct sg_error *err)
{
    const struct conversion c = {source, err};
    TRY(sg_setting_create(NULL, NULL, SG_SETTING_GROUP, root, err));
    (*root)->file = source->files[0];
    (*root)->line = 1;
    sg_status status = convert_items(&c, config_root_setting(config), *root);
    if (status == SG_OK) return SG_OK;
    sg_setting_destroy(*root);
    *root = NULL;
    return status;
}

/* libconfig stops at the first fault that it sees. Where a fault before it is told already, which only some
 * versions see, what it says is left for the next time: it must not depend on the version. */
static sg_status read_spelled(const struct sg_source *source, const char *spelled, size_t first_fault,
                              struct sg_setting **root, struct sg_diagnostics *diagnostics,
                              struct sg_error *err)
{
    config_t config;
    sg_status status = SG_BAD_DECK;
    config_init(&config);
    bool fine = config_read_string(&config, spelled) == CONFIG_TRUE;
    int line = fine ? 0 : config_error_line(&config);
    size_t at = line > 0 && (size_t)line <= source->count ? (size_t)line - 1 : source->count - 1;
    if (!fine && at < first_fault)
        sg_syntax_explain(source, at, diagnostics);
    else if (first_fault == SIZE_MAX)
        status = build(source, &config, root, err);
    config_destroy(&config);
    return status;
}

sg_status sg_parse(const struct sg_source *source, bool single, struct sg_setting **root,
                   struct sg_diagnostics *diagnostics, struct sg_error *err)
{
    struct sg_text spelled = {0};
    size_t first_fault = SIZE_MAX;
    *root = NULL;
    sg_status status = sg_syntax_check(source, single, &first_fault, diagnostics);
    if (status != SG_OK && first_fault == SIZE_MAX) return status;
    sg_syntax_spell(source, &spelled);
    status = spelled.failed ? sg_fail(err, SG_NO_MEMORY, "out of memory: deck of %zu bytes", spelled.length)
                            : read_spelled(source, spelled.data, first_fault, root, diagnostics, err);
    sg_text_release(&spelled);
    return status;
}

/* The settings outlive the source: their file is set anew when they join a deck. */
static void forget_place(struct sg_setting *node)
{
    node->file = NULL;
    node->line = 0;
    for (size_t i = 0; i < node->count; i++) forget_place(node->items[i]);
}

static sg_status detach(struct sg_setting *root, struct sg_setting **node, struct sg_error *err)
{
    if (root->count != 1) FAIL(err, SG_INTERNAL, "internal error: a value gave %zu nodes", root->count);
    *node = root->items[0];
    (*node)->parent = NULL;
    root->count = 0;
    forget_place(*node);
    return SG_OK;
}

sg_status sg_parse_value(const char *value, struct sg_setting **node, struct sg_text *fault,
                         struct sg_error *err)
{
    struct sg_text text = {0};
    struct sg_source source = {0};
    struct sg_diagnostics findings = {0};
    struct sg_setting *root = NULL;
    *node = NULL;
    sg_text_append(&text, "value = %s\n", value);
    sg_status status =
        text.failed ? sg_fail(err, SG_NO_MEMORY, "out of memory: value '%.40s'", value) : SG_OK;
    if (status == SG_OK)
        status = sg_source_read_text(text.data, text.length, "value", &source, &findings, err);
    if (status == SG_OK) status = sg_parse(&source, true, &root, &findings, err);
    if (status == SG_OK) status = detach(root, node, err);
    if (findings.count > 0) sg_text_append(fault, "%s", findings.items[0].message);
    sg_setting_destroy(root);
    sg_source_release(&source);
    sg_diagnostics_release(&findings);
    sg_text_release(&text);
    return status;
}
