#include "deck/setting.h"

#include <math.h>
#include <string.h>

#include "deck/tree.h"

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

static void fill_number(const struct sg_keyword *row, const struct sg_setting *setting, void *spec)
{
    if (row->type == SG_REAL) {
        double real = setting == NULL || setting->form == SG_SETTING_GROUP ? (double)NAN : setting->real;
        put(spec, row->offset, &real, sizeof real);
    } else if (row->type == SG_INTEGER) {
        long long integer = setting == NULL ? SG_NOT_GIVEN : setting->integer;
        if (setting != NULL && setting->form == SG_SETTING_TEXT) integer = -1 - (long long)setting->choice;
        put(spec, row->offset, &integer, sizeof integer);
    } else {
        int index = row->type == SG_BOOL ? (setting == NULL ? -1 : (int)setting->integer)
                                         : (setting == NULL ? -1 : setting->choice);
        put(spec, row->offset, &index, sizeof index);
    }
}

static void fill_array(const struct sg_keyword *row, const struct sg_setting *setting, void *spec)
{
    if (row->type == SG_REALS) {
        struct sg_reals reals = {0};
        if (setting != NULL && setting->form == SG_SETTING_REAL)
            reals = (struct sg_reals){&setting->real, 1};
        else if (setting != NULL)
            reals = (struct sg_reals){setting->reals, setting->count};
        put(spec, row->offset, &reals, sizeof reals);
    } else {
        struct sg_texts texts = {0};
        if (setting != NULL) texts = (struct sg_texts){setting->texts, setting->count};
        put(spec, row->offset, &texts, sizeof texts);
    }
}

void sg_setting_fill(const struct sg_setting *group, const struct sg_keyword *rows, void *spec)
{
    for (const struct sg_keyword *row = rows; row != NULL && row->name != NULL; row++) {
        const struct sg_setting *setting = sg_setting_find(group, row->name);
        if (row->type == SG_TEXT) {
            const char *text = setting == NULL ? NULL : setting->text;
            put(spec, row->offset, &text, sizeof text);
        } else if (row->type == SG_GROUP || row->type == SG_LIST) {
            put(spec, row->offset, &setting, sizeof setting);
        } else if (row->type == SG_REALS || row->type == SG_TEXTS) {
            fill_array(row, setting, spec);
        } else {
            fill_number(row, setting, spec);
        }
    }
}

const char *sg_setting_text(const struct sg_setting *group, const char *name)
{
    const struct sg_setting *setting = sg_setting_find(group, name);
    return setting != NULL && setting->form == SG_SETTING_TEXT ? setting->text : NULL;
}
