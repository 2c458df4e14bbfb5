#include "deck/setting.h"

#include <math.h>
#include <string.h>

#include "deck/deck.h"
#include "support/memory.h"

static sg_status append(struct sg_setting *parent, struct sg_setting *node, struct sg_error *err)
{
    if (parent->count == parent->capacity) {
        struct sg_setting **items = NULL;
        size_t capacity = parent->capacity == 0 ? 4 : 2 * parent->capacity;
        TRY(SG_NEW(&items, capacity, err));
        if (parent->count > 0) memcpy(items, parent->items, parent->count * sizeof(struct sg_setting *));
        sg_free(parent->items);
        parent->items = items;
        parent->capacity = capacity;
    }
    node->parent = parent;
    node->index = parent->count;
    parent->items[parent->count++] = node;
    return SG_OK;
}

sg_status sg_setting_create(struct sg_setting *parent, const char *name, enum sg_setting_form form,
                            struct sg_setting **node, struct sg_error *err)
{
    *node = NULL;
    struct sg_setting *fresh = NULL;
    TRY(SG_NEW(&fresh, 1, err));
    fresh->form = form;
    fresh->given = true;
    fresh->choice = -1;
    sg_status status = SG_OK;
    if (parent != NULL) {
        fresh->file = parent->file;
        fresh->line = parent->line;
        status = sg_setting_adopt(parent, fresh, name, err);
    }
    if (status != SG_OK) {
        sg_setting_destroy(fresh);
        return status;
    }
    *node = fresh;
    return SG_OK;
}

void sg_setting_destroy(struct sg_setting *node)
{
    if (node == NULL) return;
    for (size_t i = 0; i < node->count; i++) sg_setting_destroy(node->items[i]);
    sg_free(node->items);
    sg_free(node->name);
    sg_free(node->text);
    sg_free(node->fault);
    sg_free(node->fault_hint);
    sg_free(node->reals);
    sg_free(node->texts);
    sg_free(node->replaced);
    sg_free(node);
}

void sg_setting_remove(struct sg_setting *node)
{
    struct sg_setting *parent = node->parent;
    for (size_t i = node->index + 1; i < parent->count; i++) {
        parent->items[i - 1] = parent->items[i];
        parent->items[i - 1]->index = i - 1;
    }
    parent->count--;
    sg_setting_destroy(node);
}

sg_status sg_setting_adopt(struct sg_setting *parent, struct sg_setting *node, const char *name,
                           struct sg_error *err)
{
    sg_free(node->name);
    node->name = NULL;
    if (name != NULL) TRY(sg_copy_text(name, &node->name, err));
    return append(parent, node, err);
}

sg_status sg_setting_replace(struct sg_setting *old, struct sg_setting *node, struct sg_error *err)
{
    char *name = NULL;
    if (old->name != NULL) TRY(sg_copy_text(old->name, &name, err));
    sg_free(node->name);
    node->name = name;
    node->parent = old->parent;
    node->index = old->index;
    old->parent->items[old->index] = node;
    sg_setting_destroy(old);
    return SG_OK;
}

void sg_setting_lead(struct sg_setting *node)
{
    struct sg_setting *parent = node->parent;
    for (size_t i = node->index; i > 0; i--) {
        parent->items[i] = parent->items[i - 1];
        parent->items[i]->index = i;
    }
    parent->items[0] = node;
    node->index = 0;
}

struct sg_setting *sg_setting_find(const struct sg_setting *group, const char *name)
{
    if (group == NULL || group->form != SG_SETTING_GROUP) return NULL;
    for (size_t i = 0; i < group->count; i++)
        if (strcmp(group->items[i]->name, name) == 0) return group->items[i];
    return NULL;
}

void sg_setting_path(const struct sg_setting *node, struct sg_text *text)
{
    if (node->parent == NULL) return;
    sg_setting_path(node->parent, text);
    if (text->length > 0) sg_text_append(text, ".");
    if (node->name != NULL)
        sg_text_append(text, "%s", node->name);
    else
        sg_text_append(text, "[%zu]", node->index);
}

void sg_setting_where(const struct sg_setting *node, struct sg_text *text)
{
    if (node->overridden || node->file == NULL)
        sg_text_append(text, "--set");
    else if (node->line == 0)
        sg_text_append(text, "%s", node->file);
    else
        sg_text_append(text, "%s:%zu", node->file, node->line);
}

const struct sg_setting *sg_setting_child(const struct sg_setting *group, const char *name)
{
    return sg_setting_find(group, name);
}

size_t sg_setting_count(const struct sg_setting *list)
{
    return list == NULL ? 0 : list->count;
}

const struct sg_setting *sg_setting_item(const struct sg_setting *list, size_t index)
{
    return list == NULL || index >= list->count ? NULL : list->items[index];
}

const struct sg_kind *sg_setting_kind(const struct sg_setting *group)
{
    return group == NULL ? NULL : group->kind;
}

bool sg_setting_given(const struct sg_setting *group, const char *name)
{
    const struct sg_setting *child = sg_setting_find(group, name);
    return child != NULL && child->given;
}

static void put(void *spec, size_t offset, const void *value, size_t size)
{
    memcpy((char *)spec + offset, value, size);
}

static void fill_number(const struct sg_keyword *row, const struct sg_setting *node, void *spec)
{
    if (row->type == SG_REAL) {
        double real = node == NULL || node->form == SG_SETTING_GROUP ? (double)NAN : node->real;
        put(spec, row->offset, &real, sizeof real);
    } else if (row->type == SG_INTEGER) {
        long long integer = node == NULL ? SG_NOT_GIVEN : node->integer;
        if (node != NULL && node->form == SG_SETTING_TEXT) integer = -1 - (long long)node->choice;
        put(spec, row->offset, &integer, sizeof integer);
    } else {
        int index = row->type == SG_BOOL ? (node == NULL ? -1 : (int)node->integer)
                                         : (node == NULL ? -1 : node->choice);
        put(spec, row->offset, &index, sizeof index);
    }
}

static void fill_array(const struct sg_keyword *row, const struct sg_setting *node, void *spec)
{
    if (row->type == SG_REALS) {
        struct sg_reals reals = {0};
        if (node != NULL) reals = (struct sg_reals){node->reals, node->count};
        put(spec, row->offset, &reals, sizeof reals);
    } else {
        struct sg_texts texts = {0};
        if (node != NULL) texts = (struct sg_texts){node->texts, node->count};
        put(spec, row->offset, &texts, sizeof texts);
    }
}

void sg_setting_fill(const struct sg_setting *group, const struct sg_keyword *rows, void *spec)
{
    for (const struct sg_keyword *row = rows; row != NULL && row->name != NULL; row++) {
        const struct sg_setting *node = sg_setting_find(group, row->name);
        if (row->type == SG_TEXT) {
            const char *text = node == NULL ? NULL : node->text;
            put(spec, row->offset, &text, sizeof text);
        } else if (row->type == SG_GROUP || row->type == SG_LIST) {
            put(spec, row->offset, &node, sizeof node);
        } else if (row->type == SG_REALS || row->type == SG_TEXTS) {
            fill_array(row, node, spec);
        } else {
            fill_number(row, node, spec);
        }
    }
}

const char *sg_setting_text(const struct sg_setting *group, const char *name)
{
    const struct sg_setting *node = sg_setting_find(group, name);
    return node != NULL && node->form == SG_SETTING_TEXT ? node->text : NULL;
}
