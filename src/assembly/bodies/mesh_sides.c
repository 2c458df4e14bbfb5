#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "assembly/bodies/mesh_body.h"
#include "support/bisect.h"
#include "support/memory.h"

static size_t lower(const struct sg_mesh_side *side)
{
    return side->node[0] < side->node[1] ? side->node[0] : side->node[1];
}

static size_t upper(const struct sg_mesh_side *side)
{
    return side->node[0] < side->node[1] ? side->node[1] : side->node[0];
}

static int compare(size_t a, size_t b)
{
    return (a > b) - (a < b);
}

static int compare_ends(const struct sg_mesh_side *a, const struct sg_mesh_side *b)
{
    int by_lower = compare(lower(a), lower(b));
    return by_lower != 0 ? by_lower : compare(upper(a), upper(b));
}

static int compare_sides(const void *a, const void *b)
{
    const struct sg_mesh_side *x = a, *y = b;
    int by_ends = compare_ends(x, y);
    return by_ends != 0 ? by_ends : compare(x->element, y->element);
}

static struct sg_mesh_side side_of(const struct sg_mesh_body *mesh, size_t element, size_t edge)
{
    const struct sg_gmsh_element *from = &mesh->file.elements[element];
    size_t place[3] = {0};
    struct sg_mesh_side side = {.element = element, .neighbour = SIZE_MAX};
    side.nodes = sg_element_shape_edge(from->shape->element, edge, place);
    for (size_t k = 0; k < side.nodes; k++)
        side.node[k] = mesh->number[mesh->file.nodes[from->first + place[k]]];
    return side;
}

static sg_status complain(const struct sg_mesh_body *mesh, const size_t elements[2], const char *what,
                          struct sg_diagnostics *diagnostics)
{
    const struct sg_gmsh_element *one = &mesh->file.elements[elements[0]],
                                 *two = &mesh->file.elements[elements[1]];
    struct sg_gmsh_fault fault = {.line = two->line};
    snprintf(fault.message, sizeof fault.message, "elements %zu and %zu %s", one->tag, two->tag, what);
    sg_gmsh_complain(&mesh->source, &fault, diagnostics);
    return SG_BAD_DECK;
}

static bool is_copy(const struct sg_mesh_body *mesh, size_t one, size_t two)
{
    const struct sg_gmsh_element *a = &mesh->file.elements[one], *b = &mesh->file.elements[two];
    size_t common = 0;
    for (size_t i = 0; i < a->shape->nodes; i++)
        for (size_t k = 0; k < b->shape->nodes; k++)
            common += mesh->file.nodes[a->first + i] == mesh->file.nodes[b->first + k];
    return a->shape == b->shape && common == a->shape->nodes;
}

/* sides `first` and `first + 1` have the same ends */
static sg_status pair_up(const struct sg_mesh_body *mesh, struct sg_mesh_sides *sides, size_t first,
                         struct sg_diagnostics *diagnostics)
{
    struct sg_mesh_side *a = &sides->items[first], *b = a + 1;
    bool third = first + 2 < sides->count && compare_ends(a, a + 2) == 0;
    bool same_middle = a->nodes == b->nodes && (a->nodes == 2 || a->node[2] == b->node[2]);
    a->neighbour = b->element;
    b->neighbour = a->element;
    if (!third && a->node[0] == b->node[1] && same_middle) return SG_OK;
    for (size_t k = 1; k < (third ? 3 : 2); k++)
        for (size_t i = 0; i < k; i++)
            if (is_copy(mesh, a[i].element, a[k].element))
                return complain(mesh, (const size_t[2]){a[i].element, a[k].element}, "have the same nodes",
                                diagnostics);
    return complain(mesh, (const size_t[2]){a->element, b->element},
                    third                      ? "share a side with a third one"
                    : a->node[0] != b->node[1] ? "overlap: they lie on the same side of a common edge"
                                               : "have a side in common, but not its middle node",
                    diagnostics);
}

sg_status sg_mesh_find_sides(struct sg_arena *arena, const struct sg_mesh_body *mesh,
                             struct sg_mesh_sides *sides, struct sg_diagnostics *diagnostics,
                             struct sg_error *err)
{
    TRY(SG_ARENA_NEW(arena, &sides->items, 4 * mesh->element_count, err));
    for (size_t i = 0; i < mesh->file.element_count; i++) {
        if (mesh->part[i] == SIZE_MAX) continue;
        for (size_t edge = 0; edge < mesh->file.elements[i].shape->corners; edge++)
            sides->items[sides->count++] = side_of(mesh, i, edge);
    }
    qsort(sides->items, sides->count, sizeof *sides->items, compare_sides);
    for (size_t k = 0; k + 1 < sides->count; k++) {
        if (compare_ends(&sides->items[k], &sides->items[k + 1]) != 0) continue;
        TRY(pair_up(mesh, sides, k, diagnostics));
        k++;
    }
    return SG_OK;
}

const struct sg_mesh_side *sg_mesh_find_side(const struct sg_mesh_sides *sides, size_t a, size_t b)
{
    struct sg_mesh_side wanted = {.node = {a, b}};
    size_t low = 0;
    SG_BISECT(low, sides->count, middle, compare_ends(&sides->items[middle], &wanted) < 0);
    bool found = low < sides->count && compare_ends(&sides->items[low], &wanted) == 0;
    return found ? &sides->items[low] : NULL;
}
