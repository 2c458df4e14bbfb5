#include "model/element_dofs.h"

#include <stdint.h>
#include <string.h>

#include "model/system.h"
#include "support/memory.h"

/* --- the list ------------------------------------------------------------------------------------- */

enum group { FREE, MOVED, HELD };

static size_t motion_of(const struct sg_system *system, size_t full)
{
    for (size_t m = 0; m < system->motion_count; m++)
        if (system->motions[m].dof == full) return m;
    return SIZE_MAX;
}

/* the group of a full dof, and its number in it */
static enum group classify(const struct sg_system *system, size_t full, size_t *source)
{
    *source = system->free_of_full[full];
    if (*source != SIZE_MAX) return FREE;
    *source = motion_of(system, full);
    return *source != SIZE_MAX ? MOVED : HELD;
}

/* Appends the dofs of a group that are not in the list yet. */
static void append(struct sg_element_dofs *dofs, const struct sg_system *system, enum group group,
                   size_t *place_of_full)
{
    const struct sg_elements *elements = &system->elements;
    for (size_t e = 0; e < elements->count; e++)
        for (size_t k = 0; k < elements->items[e].dof_count; k++) {
            size_t full = elements->items[e].dof[k], source = 0;
            if (place_of_full[full] != SIZE_MAX || classify(system, full, &source) != group) continue;
            place_of_full[full] = dofs->count;
            dofs->source[dofs->count] = source;
            dofs->reference[dofs->count++] = system->reference[full];
        }
}

static void list_dofs(struct sg_element_dofs *dofs, const struct sg_system *system, size_t *place_of_full)
{
    for (size_t i = 0; i < system->n_full; i++) place_of_full[i] = SIZE_MAX;
    append(dofs, system, FREE, place_of_full);
    dofs->free_count = dofs->count;
    append(dofs, system, MOVED, place_of_full);
    dofs->moved_count = dofs->count;
    append(dofs, system, HELD, place_of_full);
    size_t *place = dofs->list_index;
    for (size_t e = 0; e < system->elements.count; e++) {
        const struct sg_element *element = &system->elements.items[e];
        for (size_t k = 0; k < element->dof_count; k++) *place++ = place_of_full[element->dof[k]];
    }
}

sg_status sg_element_dofs_init(struct sg_arena *arena, struct sg_element_dofs *dofs,
                               const struct sg_system *system, struct sg_error *err)
{
    size_t most = 0;
    SG_AUTO_FREE size_t *place_of_full = NULL;
    for (size_t e = 0; e < system->elements.count; e++) most += system->elements.items[e].dof_count;
    dofs->system = system;
    if (most == 0) return SG_OK;
    TRY(SG_ARENA_NEW(arena, &dofs->source, most, err));
    TRY(SG_ARENA_NEW(arena, &dofs->reference, most, err));
    TRY(SG_ARENA_NEW(arena, &dofs->list_index, most, err));
    for (size_t k = 0; k < 2; k++) {
        TRY(SG_ARENA_NEW(arena, &dofs->slot[k].x, most, err));
        TRY(SG_ARENA_NEW(arena, &dofs->slot[k].v, most, err));
        TRY(SG_ARENA_NEW(arena, &dofs->slot[k].f, most, err));
    }
    TRY(SG_NEW(&place_of_full, system->n_full, err));
    list_dofs(dofs, system, place_of_full);
    for (size_t k = 0; k < 2; k++)
        memcpy(dofs->slot[k].x, dofs->reference, dofs->count * sizeof *dofs->reference);
    return SG_OK;
}

/* --- evaluation ----------------------------------------------------------------------------------- */

static void gather_velocities(const struct sg_element_dofs *dofs, double *velocity, double t, const double *v)
{
    if (v == NULL) {
        memset(velocity, 0, dofs->count * sizeof *velocity);
        return;
    }
    for (size_t i = 0; i < dofs->free_count; i++) velocity[i] = v[dofs->source[i]];
    for (size_t i = dofs->free_count; i < dofs->moved_count; i++)
        velocity[i] = sg_system_motion(dofs->system, dofs->source[i], t, 1);
}

void sg_element_dofs_gather(struct sg_element_dofs *dofs, size_t slot, double t, const double *u,
                            const double *v)
{
    double *x = dofs->slot[slot].x;
    dofs->slot[slot].t = t;
    for (size_t i = 0; i < dofs->free_count; i++) x[i] = dofs->reference[i] + u[dofs->source[i]];
    for (size_t i = dofs->free_count; i < dofs->moved_count; i++)
        x[i] = dofs->reference[i] + sg_system_motion(dofs->system, dofs->source[i], t, 0);
    gather_velocities(dofs, dofs->slot[slot].v, t, v);
}

void sg_element_dofs_state(const struct sg_element_slot *slot, const struct sg_element *element,
                           const size_t *place, struct sg_element_state *at)
{
    at->t = slot->t;
    for (size_t k = 0; k < element->dof_count; k++) {
        at->x[k] = slot->x[place[k]];
        at->v[k] = slot->v[place[k]];
    }
}

void sg_element_dofs_force(const struct sg_element_dofs *dofs, size_t slot, enum sg_element_part part)
{
    const struct sg_element_slot *here = &dofs->slot[slot];
    const struct sg_element *element = dofs->system->elements.items,
                            *end = element + dofs->system->elements.count;
    memset(here->f, 0, dofs->count * sizeof *here->f);
    for (const size_t *place = dofs->list_index; element < end; place += element->dof_count, element++) {
        if (part == SG_ELASTIC_ELEMENTS && element->ops->energy == NULL) continue;
        struct sg_element_state at;
        double f[SG_ELEMENT_DOFS];
        sg_element_dofs_state(here, element, place, &at);
        element->ops->force(element, &at, f);
        for (size_t k = 0; k < element->dof_count; k++) here->f[place[k]] += f[k];
    }
}

/* sum over the elements of `energy` or `power`, whichever `of` picks */
typedef double element_sum(const struct sg_element *self, const struct sg_element_state *at);
typedef element_sum *element_pick(const struct sg_element_ops *ops);

static element_sum *energy_of(const struct sg_element_ops *ops)
{
    return ops->energy;
}

static element_sum *power_of(const struct sg_element_ops *ops)
{
    return ops->drives ? NULL : ops->power;
}

static element_sum *drive_of(const struct sg_element_ops *ops)
{
    return ops->drives ? ops->power : NULL;
}

static double sum(const struct sg_element_dofs *dofs, size_t slot, element_pick *of)
{
    const struct sg_element *element = dofs->system->elements.items,
                            *end = element + dofs->system->elements.count;
    double total = 0;
    for (const size_t *place = dofs->list_index; element < end; place += element->dof_count, element++) {
        element_sum *term = of(element->ops);
        if (term == NULL) continue;
        struct sg_element_state at;
        sg_element_dofs_state(&dofs->slot[slot], element, place, &at);
        total += term(element, &at);
    }
    return total;
}

double sg_element_dofs_energy(const struct sg_element_dofs *dofs, size_t slot)
{
    return sum(dofs, slot, energy_of);
}

double sg_element_dofs_power(const struct sg_element_dofs *dofs, size_t slot)
{
    return sum(dofs, slot, power_of);
}

double sg_element_dofs_drive(const struct sg_element_dofs *dofs, size_t slot)
{
    return -sum(dofs, slot, drive_of);
}
