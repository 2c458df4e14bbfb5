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
    for (size_t j = 0; j < set->q; j++) row[j] = now->active[j] != 0;
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

/* --- laws with more than open and closed ---------------------------------------------------------- */

static const double blank[SG_LAW_MEMORY] = {0.0};

static const double *memory_of(const struct sg_snapshot *now, size_t j)
{
    return now->memory == NULL ? blank : now->memory + j * SG_LAW_MEMORY;
}

static void fill_state(const void *owner, const struct sg_snapshot *now, double *row)
{
    const struct sg_contact_set *set = owner;
    for (size_t j = 0; j < set->q; j++)
        row[j] = now->status != NULL ? now->status[j]
                                     : sg_law_status_of(&set->laws[j], memory_of(now, j), now->gap[j]);
}

/* contact by contact, as many numbers as each law keeps */
static void fill_memory(const void *owner, const struct sg_snapshot *now, double *row)
{
    const struct sg_contact_set *set = owner;
    for (size_t j = 0; j < set->q; j++) {
        size_t count = sg_law_memory(&set->laws[j]);
        memcpy(row, memory_of(now, j), count * sizeof *row);
        row += count;
    }
}

static void register_states(const struct sg_contact_set *set, struct sg_quantities *list)
{
    size_t width = 0;
    bool several = false;
    for (size_t j = 0; j < set->q; j++) {
        size_t count = set->laws[j].ops == NULL ? 0 : sg_law_memory(&set->laws[j]);
        width += count;
        several = several || count > 0 || (set->laws[j].ops != NULL && set->laws[j].ops->statuses > 2);
    }
    struct sg_quantity state = {.name = "contact_state",
                                .unit = "1",
                                .description =
                                    "status of each contact's law: 0 open, then as docs/laws.md says",
                                .width = set->q,
                                .fill = fill_state,
                                .owner = set};
    struct sg_quantity memory = {.name = "contact_memory",
                                 .unit = "1",
                                 .description =
                                     "numbers that laws keep, contact by contact, in SI units (docs/laws.md)",
                                 .width = width,
                                 .fill = fill_memory,
                                 .owner = set};
    if (several) sg_quantities_add(list, state);
    if (width > 0) sg_quantities_add(list, memory);
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
    register_states(set, list);
}
