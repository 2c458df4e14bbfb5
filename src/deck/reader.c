#include "deck/reader.h"

#include <libconfig.h>
#include <math.h>
#include <string.h>

#include "deck/syntax.h"
#include "support/memory.h"

struct conversion {
    const struct sg_source *source;
    struct sg_scalars *scalars;
    size_t next; /* the scalar to come */
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

/* What the syntax check knows better than libconfig: the line, and integers that it wraps or clips. */
static sg_status convert_scalar(struct conversion *c, const config_setting_t *setting,
                                struct sg_setting *node)
{
    if (c->next >= c->scalars->count)
        FAIL(c->err, SG_INTERNAL, "internal error: the deck has more values than the %zu scanned",
             c->scalars->count);
    struct sg_scalar *scalar = &c->scalars->items[c->next++];
    sg_source_place(c->source, scalar->line, &node->file, &node->line);
    node->fault = scalar->fault;
    node->fault_hint = scalar->hint;
    scalar->fault = NULL;
    scalar->hint = NULL;
    return copy_value(setting, node, c->err);
}

static sg_status convert_items(struct conversion *c, const config_setting_t *setting,
                               struct sg_setting *node);

static sg_status convert(struct conversion *c, const config_setting_t *setting, struct sg_setting *node)
{
    if (node->form >= SG_SETTING_INTEGER) return convert_scalar(c, setting, node);
    sg_source_place(c->source, config_setting_source_line(setting), &node->file, &node->line);
    return convert_items(c, setting, node);
}

static sg_status convert_items(struct conversion *c, const config_setting_t *setting, struct sg_setting *node)
{
    int count = config_setting_length(setting);
    for (int i = 0; i < count; i++) {
        const config_setting_t *item = config_setting_get_elem(setting, (unsigned)i);
        struct sg_setting *child = NULL;
        TRY(sg_setting_create(node, config_setting_name(item), form_of(item), &child, c->err));
        TRY(convert(c, item, child));
    }
    return SG_OK;
}

static sg_status build(struct conversion *c, const config_t *config, struct sg_setting **root)
{
    struct sg_setting *node = NULL;
    TRY(sg_setting_create(NULL, NULL, SG_SETTING_GROUP, &node, c->err));
    node->file = c->source->files[0];
    node->line = 1;
    sg_status status = convert_items(c, config_root_setting(config), node);
    if (status == SG_OK && c->next != c->scalars->count)
        status = sg_fail(c->err, SG_INTERNAL, "internal error: %zu of the deck's %zu values were read",
                         c->next, c->scalars->count);
    if (status != SG_OK) {
        sg_setting_destroy(node);
        return status;
    }
    *root = node;
    return SG_OK;
}

static sg_status parse(const struct sg_source *source, struct sg_scalars *scalars, struct sg_setting **root,
                       struct sg_diagnostics *diagnostics, struct sg_error *err)
{
    config_t config;
    struct conversion c = {source, scalars, 0, err};
    sg_status status = SG_BAD_DECK;
    config_init(&config);
    if (config_read_string(&config, sg_text_view(&source->text)) == CONFIG_TRUE)
        status = build(&c, &config, root);
    else
        sg_source_complain(source, (size_t)config_error_line(&config), diagnostics,
                           config_error_text(&config));
    config_destroy(&config);
    return status;
}

sg_status sg_reader_parse(const struct sg_source *source, bool single, struct sg_setting **root,
                          struct sg_diagnostics *diagnostics, struct sg_error *err)
{
    struct sg_scalars scalars = {0};
    *root = NULL;
    sg_status status = sg_syntax_check(source, single, &scalars, diagnostics, err);
    if (status == SG_OK) status = parse(source, &scalars, root, diagnostics, err);
    sg_scalars_release(&scalars);
    return status;
}

/* The nodes outlive the source: their file is set anew when they join a deck. */
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

sg_status sg_reader_parse_value(const char *value, struct sg_setting **node, struct sg_text *fault,
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
    if (status == SG_OK) status = sg_reader_parse(&source, true, &root, &findings, err);
    if (status == SG_OK) status = detach(root, node, err);
    if (findings.count > 0) sg_text_append(fault, "%s", findings.items[0].message);
    sg_setting_destroy(root);
    sg_source_release(&source);
    sg_diagnostics_release(&findings);
    sg_text_release(&text);
    return status;
}
