#include <string.h>

#include "contact/contact_set.h"

static void fill_gap(const void *owner, const struct sg_snapshot *now, double *row)
{
    const struct sg_contact_set *set = owner;
    memcpy(row, now->gap, set->q * sizeof *row);
}

static void fill_force(const void *owner, const struct sg_snapshot *now, double *row)
{
    const struct sg_contact_set *set = owner;
    memcpy(row, now->force, set->q * sizeof *row);
}

static void fill_active(const void *owner, const struct sg_snapshot *now, double *row)
{
    const struct sg_contact_set *set = owner;
    for (size_t j = 0; j < set->q; j++) row[j] = now->active[j];
}

static void fill_friction(const void *owner, const struct sg_snapshot *now, double *row)
{
    const struct sg_contact_set *set = owner;
    size_t width = set->q * set->tangents;
    if (now->friction == NULL)
        memset(row, 0, width * sizeof *row);
    else
        memcpy(row, now->friction, width * sizeof *row);
}

static void register_friction(const struct sg_contact_set *set, struct sg_quantities *list)
{
    struct sg_quantity friction = {
        .name = "friction_force",
        .unit = "N",
        .description = set->tangents == 1
                           ? "friction of each contact along its normal turned by +90 degrees"
                           : "friction of each contact along its two tangents, contact by contact",
        .width = set->q * set->tangents,
        .fill = fill_friction,
        .owner = set};
    if (set->tangents > 0) sg_quantities_add(list, friction);
}

void sg_contact_set_register(const struct sg_contact_set *set, struct sg_quantities *list)
{
    if (set->q == 0) return;
    struct sg_quantity gap = {.name = "gap",
                              .unit = "m",
                              .description = "gap of each contact, > 0 open",
                              .width = set->q,
                              .fill = fill_gap,
                              .owner = set};
    struct sg_quantity force = {.name = "contact_force",
                                .unit = "N",
                                .description = "normal force of each contact, > 0 compressive",
                                .width = set->q,
                                .fill = fill_force,
                                .owner = set};
    struct sg_quantity active = {.name = "active",
                                 .unit = "1",
                                 .description = "1 where the contact is closed",
                                 .width = set->q,
                                 .flags = true,
                                 .fill = fill_active,
                                 .owner = set};
    sg_quantities_add(list, gap);
    sg_quantities_add(list, force);
    sg_quantities_add(list, active);
    register_friction(set, list);
}
