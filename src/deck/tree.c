#include "deck/tree.h"

#include <string.h>

#include "support/memory.h"

static sg_status append(struct sg_setting *parent, struct sg_setting *setting, struct sg_error *err)
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
    setting->parent = parent;
    setting->index = parent->count;
    parent->items[parent->count++] = setting;
    return SG_OK;
}

sg_status sg_setting_create(struct sg_setting *parent, const char *name, enum sg_setting_form form,
                            struct sg_setting **setting, struct sg_error *err)
{
    *setting = NULL;
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
    *setting = fresh;
    return SG_OK;
}

void sg_setting_destroy(struct sg_setting *setting)
{
    if (setting == NULL) return;
    for (size_t i = 0; i < setting->count; i++) sg_setting_destroy(setting->items[i]);
    sg_free(setting->items);
    sg_free(setting->name);
    sg_free(setting->text);
    sg_free(setting->fault);
    sg_free(setting->fault_hint);
    sg_free(setting->reals);
    sg_free(setting->texts);
    sg_free(setting->replaced);
    sg_free(setting);
}

void sg_setting_remove(struct sg_setting *setting)
{
    struct sg_setting *parent = setting->parent;
    for (size_t i = setting->index + 1; i < parent->count; i++) {
        parent->items[i - 1] = parent->items[i];
        parent->items[i - 1]->index = i - 1;
    }
    parent->count--;
    sg_setting_destroy(setting);
}

sg_status sg_setting_adopt(struct sg_setting *parent, struct sg_setting *setting, const char *name,
                           struct sg_error *err)
{
    sg_free(setting->name);
    setting->name = NULL;
    if (name != NULL) TRY(sg_copy_text(name, &setting->name, err));
    return append(parent, setting, err);
}

sg_status sg_setting_replace(struct sg_setting *old, struct sg_setting *setting, struct sg_error *err)
{
    char *name = NULL;
    if (old->name != NULL) TRY(sg_copy_text(old->name, &name, err));
    sg_free(setting->name);
    setting->name = name;
    setting->parent = old->parent;
    setting->index = old->index;
    old->parent->items[old->index] = setting;
    sg_setting_destroy(old);
    return SG_OK;
}

void sg_setting_lead(struct sg_setting *setting)
{
    struct sg_setting *parent = setting->parent;
    for (size_t i = setting->index; i > 0; i--) {
        parent->items[i] = parent->items[i - 1];
        parent->items[i]->index = i;
    }
    parent->items[0] = setting;
    setting->index = 0;
}

struct sg_setting *sg_setting_find(const struct sg_setting *group, const char *name)
{
    if (group == NULL || group->form != SG_SETTING_GROUP) return NULL;
    for (size_t i = 0; i < group->count; i++)
        if (strcmp(group->items[i]->name, name) == 0) return group->items[i];
    return NULL;
}

void sg_setting_path(const struct sg_setting *setting, struct sg_text *text)
{
    if (setting->parent == NULL) return;
    sg_setting_path(setting->parent, text);
    if (text->length > 0) sg_text_append(text, ".");
    if (setting->name != NULL)
        sg_text_append(text, "%s", setting->name);
    else
        sg_text_append(text, "[%zu]", setting->index);
}

void sg_setting_where(const struct sg_setting *setting, struct sg_text *text)
{
    if (setting->overridden || setting->file == NULL)
        sg_text_append(text, "--set");
    else if (setting->line == 0)
        sg_text_append(text, "%s", setting->file);
    else
        sg_text_append(text, "%s:%zu", setting->file, setting->line);
}
