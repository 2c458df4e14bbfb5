#include "deck/tree.h"

#include <string.h>

/* Puts the setting, which is in no tree, at the end of `parent`. */
static sg_status append(struct sg_arena *arena, struct sg_setting *parent, struct sg_setting *setting,
                        struct sg_error *err)
{
    TRY(sg_arena_grow(arena, &parent->items, parent->count, &parent->capacity, sizeof *parent->items, err));
    setting->parent = parent;
    setting->index = parent->count;
    parent->items[parent->count++] = setting;
    return SG_OK;
}

sg_status sg_setting_create(struct sg_arena *arena, enum sg_setting_form form, struct sg_setting **setting,
                            struct sg_error *err)
{
    TRY(SG_ARENA_NEW(arena, setting, 1, err));
    (*setting)->form = form;
    (*setting)->given = true;
    (*setting)->choice = -1;
    return SG_OK;
}

sg_status sg_setting_adopt(struct sg_arena *arena, struct sg_setting *parent, struct sg_setting *setting,
                           const char *name, struct sg_error *err)
{
    setting->name = NULL;
    if (name != NULL) TRY(sg_arena_copy_text(arena, name, &setting->name, err));
    return append(arena, parent, setting, err);
}

void sg_setting_remove(struct sg_setting *setting)
{
    struct sg_setting *parent = setting->parent;
    for (size_t i = setting->index + 1; i < parent->count; i++) {
        parent->items[i - 1] = parent->items[i];
        parent->items[i - 1]->index = i - 1;
    }
    parent->count--;
}

void sg_setting_replace(struct sg_setting *old, struct sg_setting *setting)
{
    setting->name = old->name;
    setting->parent = old->parent;
    setting->index = old->index;
    old->parent->items[old->index] = setting;
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
