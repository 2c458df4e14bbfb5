#include "model/tangent.h"

#include <stdint.h>
#include <string.h>

#include "model/names.h"
#include "model/scratch.h"
#include "model/system.h"
#include "support/arena.h"

enum { SQUARE = SG_ELEMENT_DOFS * SG_ELEMENT_DOFS };

/* An entry of an element's matrix goes there. */
struct place {
    size_t from; /* in the element's dof_count^2 numbers */
    double *to;
    double base; /* what the system's own matrix has there */
};

/* The places of one matrix, element by element. */
struct place_list {
    struct place *items;
    size_t *first; /* element count + 1 */
};

struct sg_tangent_places {
    struct place_list K, C;
};

/* --- patterns ------------------------------------------------------------------------------------- */

typedef bool concerns(const struct sg_element *element);

static bool has_stiffness(const struct sg_element *element)
{
    (void)element;
    return true;
}

static bool has_damping(const struct sg_element *element)
{
    return element->ops->power != NULL && !element->ops->drives;
}

/* free row and column of entry `from` of an element's matrix; false if one is prescribed */
static bool locate(const struct sg_system *system, const struct sg_element *element, size_t from,
                   size_t at[2])
{
    at[0] = system->free_of_full[element->dof[from % element->dof_count]];
    at[1] = system->free_of_full[element->dof[from / element->dof_count]];
    return at[0] != SIZE_MAX && at[1] != SIZE_MAX;
}

static size_t add_pattern(const struct sg_system *system, concerns *wanted, struct sg_triplets *pattern)
{
    size_t entries = 0;
    for (size_t e = 0; e < system->elements.count; e++) {
        const struct sg_element *element = &system->elements.items[e];
        if (!wanted(element)) continue;
        for (size_t from = 0, at[2]; from < element->dof_count * element->dof_count; from++) {
            if (!locate(system, element, from, at)) continue;
            if (at[0] >= at[1]) sg_triplets_add(pattern, at[0], at[1], 1);
            entries++;
        }
    }
    return entries;
}

/* The pattern counted as ones: undone, so that the storage holds the system's matrix alone. */
static void remove_pattern(struct sg_matrix *a, const struct sg_matrix *own,
                           const struct sg_triplets *pattern, size_t own_count)
{
    for (size_t k = own_count; k < pattern->count; k++) {
        size_t i = pattern->row[k], j = pattern->column[k];
        *sg_matrix_place(a, i, j) = sg_matrix_entry(own, i, j);
        if (a->kind == SG_DENSE) *sg_matrix_place(a, j, i) = sg_matrix_entry(own, i, j);
    }
}

static void find_places(const struct sg_system *system, concerns *wanted, struct sg_matrix *a,
                        struct place_list *list)
{
    struct place *next = list->items;
    for (size_t e = 0; e < system->elements.count; e++) {
        const struct sg_element *element = &system->elements.items[e];
        list->first[e] = (size_t)(next - list->items);
        if (!wanted(element)) continue;
        for (size_t from = 0, at[2]; from < element->dof_count * element->dof_count; from++) {
            if (!locate(system, element, from, at)) continue;
            if (at[0] < at[1] && a->kind != SG_DENSE) continue;
            double *to = sg_matrix_place(a, at[0], at[1]);
            *next++ = (struct place){from, to, *to};
        }
    }
    list->first[system->elements.count] = (size_t)(next - list->items);
}

/* --- init ----------------------------------------------------------------------------------------- */

struct part {
    const struct sg_system *system;
    const struct sg_matrix *own;
    concerns *wanted;
};

static sg_status init_matrix(struct sg_arena *arena, const struct part *part, struct sg_triplets *pattern,
                             struct sg_matrix *a, struct place_list *list, struct sg_error *err)
{
    sg_matrix_to_triplets(part->own, pattern);
    size_t own_count = pattern->count, entries = add_pattern(part->system, part->wanted, pattern);
    TRY(sg_matrix_assemble(arena, a, pattern, err));
    remove_pattern(a, part->own, pattern, own_count);
    TRY(SG_ARENA_NEW(arena, &list->items, entries, err));
    TRY(SG_ARENA_NEW(arena, &list->first, part->system->elements.count + 1, err));
    find_places(part->system, part->wanted, a, list);
    return SG_OK;
}

static sg_status init_part(struct sg_arena *arena, const struct part *part, struct sg_matrix *a,
                           struct place_list *list, struct sg_error *err)
{
    SG_LOCAL_ARENA(scratch);
    struct sg_triplets pattern = {.arena = &scratch, .n = part->system->n};
    return init_matrix(arena, part, &pattern, a, list, err);
}

sg_status sg_tangent_init(struct sg_arena *arena, struct sg_tangent *tangent, const struct sg_system *system,
                          struct sg_error *err)
{
    *tangent = (struct sg_tangent){0};
    if (system->modal != NULL && system->elements.count > 0)
        FAIL(err, SG_INTERNAL, "%zu nonlinear elements in modal coordinates", system->elements.count);
    TRY(SG_ARENA_NEW(arena, &tangent->places, 1, err));
    struct part K = {system, &system->K, has_stiffness}, C = {system, &system->C, has_damping};
    TRY(init_part(arena, &K, &tangent->K, &tangent->places->K, err));
    return init_part(arena, &C, &tangent->C, &tangent->places->C, err);
}

/* --- update --------------------------------------------------------------------------------------- */

static void reset(const struct place_list *list, size_t elements)
{
    for (size_t k = 0; k < list->first[elements]; k++) *list->items[k].to = list->items[k].base;
}

static void add(const struct place_list *list, size_t e, const double *values)
{
    for (size_t k = list->first[e]; k < list->first[e + 1]; k++)
        *list->items[k].to += values[list->items[k].from];
}

void sg_tangent_update(struct sg_tangent *tangent, const struct sg_system *system, double t, const double *u,
                       const double *v)
{
    size_t count = system->elements.count;
    if (count == 0) return;
    struct sg_element_dofs *dofs = &system->scratch->elements;
    const size_t *place = dofs->list_index;
    reset(&tangent->places->K, count);
    reset(&tangent->places->C, count);
    sg_element_dofs_gather(dofs, 0, t, u, v);
    for (size_t e = 0; e < count; e++) {
        const struct sg_element *element = &system->elements.items[e];
        struct sg_element_state at;
        double k[SQUARE], c[SQUARE];
        memset(k, 0, element->dof_count * element->dof_count * sizeof *k);
        memset(c, 0, element->dof_count * element->dof_count * sizeof *c);
        sg_element_dofs_state(&dofs->slot[0], element, place, &at);
        element->ops->tangent(element, &at, k, c);
        add(&tangent->places->K, e, k);
        add(&tangent->places->C, e, c);
        place += element->dof_count;
    }
}
