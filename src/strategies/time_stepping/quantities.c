/* Histories that the nonsmooth generalized-alpha method alone has. */
#include <string.h>

#include "strategies/grid.h"
#include "strategies/time_stepping/time_stepping.h"

/* What the scheme has of each row, nothing before its first step. */
static void fill(size_t count, const double *values, double *row)
{
    if (values == NULL)
        memset(row, 0, count * sizeof *row);
    else
        memcpy(row, values, count * sizeof *row);
}

static void constraint_correction(const void *owner, const struct sg_snapshot *now, double *row)
{
    const struct sg_system *system = owner;
    fill(system->constraints.count, now->constraint_correction, row);
}

static void contact_correction(const void *owner, const struct sg_snapshot *now, double *row)
{
    const struct sg_contact_set *contacts = owner;
    fill(contacts->q, now->contact_correction, row);
}

static void contact_smooth(const void *owner, const struct sg_snapshot *now, double *row)
{
    const struct sg_contact_set *contacts = owner;
    fill(contacts->q, now->contact_smooth, row);
}

static void projection(const void *owner, const struct sg_snapshot *now, double *row)
{
    (void)owner;
    row[0] = now->projection;
}

static void add_corrections(const struct sg_registration *of, struct sg_quantities *list)
{
    struct sg_quantity constraints = {
        .name = "constraint_correction",
        .unit = "kg m",
        .description = "nu of each row, kg m^2 where it is an angle: M U = G^T nu, by which the step put "
                       "positions right",
        .width = of->system->constraints.count,
        .fill = constraint_correction,
        .owner = of->system};
    struct sg_quantity contacts = {
        .name = "contact_correction",
        .unit = "kg m",
        .description = "nu >= 0 of each contact: M U = G^T nu, by which the step put positions right",
        .width = of->contacts->q,
        .fill = contact_correction,
        .owner = of->contacts};
    if (constraints.width > 0) sg_quantities_add(list, constraints);
    if (contacts.width > 0) sg_quantities_add(list, contacts);
}

static void add_multipliers(const struct sg_registration *of, struct sg_quantities *list)
{
    struct sg_quantity contacts = {
        .name = "contact_smooth",
        .unit = "N",
        .description = "lam >= 0 of each contact, its multiplier at the end of the step: by the recursion of "
                       "the accelerations it acts over several steps",
        .width = of->contacts->q,
        .fill = contact_smooth,
        .owner = of->contacts};
    if (contacts.width > 0) sg_quantities_add(list, contacts);
}

void sg_stepping_register(const struct sg_strategy *self, const struct sg_registration *of,
                          struct sg_quantities *list)
{
    static const struct sg_quantity energy = {
        .name = "energy/projection",
        .unit = "J",
        .description = "a part of numerical: what corrections of positions did, and impulses beside the "
                       "account of impacts",
        .fill = projection};
    (void)self;
    if (of->cell == NULL || of->cell->step != SG_STEP_COUPLED) return;
    if (of->cell->formulation == SG_LEVEL_BOTH) add_corrections(of, list);
    if (of->cell->formulation == SG_LEVEL_POSITION)
        add_multipliers(of, list);
    else
        sg_quantities_add(list, energy);
}
