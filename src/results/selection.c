#include "results/selection.h"

#include <string.h>

#include "support/memory.h"
#include "support/text.h"

static bool in_group(const char *name, const char *group)
{
    size_t length = strlen(group);
    return strncmp(name, group, length) == 0 && (name[length] == '\0' || name[length] == '/');
}

bool sg_selection_asks(const struct sg_recorder_spec *spec, const char *name, bool on_request)
{
    if (spec->names == NULL) return !on_request;
    for (size_t i = 0; i < spec->name_count; i++) {
        if (in_group(name, spec->names[i])) return true;
    }
    return false;
}

bool sg_selection_has_impulses(const struct sg_recorder_spec *spec)
{
    return spec->impulses && spec->labels->contact_count > 0;
}

bool sg_selection_knows(const struct sg_recorder_spec *spec, const char *asked)
{
    if (strcmp(asked, "time") == 0) return true;
    if (sg_selection_has_impulses(spec) && in_group("contact_impulse", asked)) return true;
    for (size_t i = 0; i < spec->quantities->count; i++) {
        if (in_group(spec->quantities->items[i].name, asked)) return true;
    }
    return false;
}

void sg_selection_list(const struct sg_recorder_spec *spec, struct sg_text *text)
{
    for (size_t i = 0; i < spec->quantities->count; i++)
        sg_text_append(text, "%s%s", i == 0 ? "" : " ", spec->quantities->items[i].name);
    if (sg_selection_has_impulses(spec)) sg_text_append(text, " contact_impulse");
}

static sg_status fail_unknown(const struct sg_recorder_spec *spec, const char *asked, struct sg_error *err)
{
    struct sg_text list = {0};
    sg_selection_list(spec, &list);
    sg_fail(err, SG_BAD_DECK, "no history is named '%s'; there are: %s", asked, sg_text_view(&list));
    sg_text_release(&list);
    return SG_BAD_DECK;
}

sg_status sg_selection_init(struct sg_arena *arena, struct sg_selection *selection,
                            const struct sg_recorder_spec *spec, struct sg_error *err)
{
    const struct sg_quantities *all = spec->quantities;
    *selection = (struct sg_selection){0};
    for (size_t i = 0; spec->names != NULL && i < spec->name_count; i++) {
        if (!sg_selection_knows(spec, spec->names[i])) return fail_unknown(spec, spec->names[i], err);
    }
    TRY(SG_ARENA_NEW(arena, &selection->items, all->count, err));
    selection->force = SIZE_MAX;
    for (size_t i = 0; i < all->count; i++) {
        const struct sg_quantity *quantity = &all->items[i];
        bool asked = sg_selection_asks(spec, quantity->name, quantity->on_request);
        if (asked && strcmp(quantity->name, "contact_force") == 0) selection->force = selection->count;
        if (asked) selection->items[selection->count++] = *quantity;
        if (strcmp(quantity->name, "energy/numerical") == 0) selection->numerical = quantity;
        if (strcmp(quantity->name, "energy/total") == 0) selection->total = quantity;
        if (strcmp(quantity->name, "energy/gravity") == 0) selection->gravity = quantity;
    }
    selection->impulses =
        sg_selection_has_impulses(spec) && sg_selection_asks(spec, "contact_impulse", false);
    return SG_OK;
}
