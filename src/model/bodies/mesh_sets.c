#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "model/bodies/mesh.h"
#include "support/memory.h"

/* --- sides of elements -------------------------------------------------------------------------------- */

void sg_mesh_sides_release(struct sg_mesh_sides *sides)
{
    sg_free(sides->items);
    *sides = (struct sg_mesh_sides){0};
}

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

static struct sg_mesh_side side_of(const struct sg_mesh *mesh, size_t element, size_t edge)
{
    const struct sg_gmsh_element *from = &mesh->file.elements[element];
    size_t place[3] = {0};
    struct sg_mesh_side side = {.element = element, .neighbour = SIZE_MAX};
    side.nodes = sg_element_shape_edge(sg_mesh_shape(from->shape), edge, place);
    for (size_t k = 0; k < side.nodes; k++)
        side.node[k] = mesh->number[mesh->file.nodes[from->first + place[k]]];
    return side;
}

/* sides `first` and `first + 1` have the same ends */
static sg_status pair_up(const struct sg_mesh *mesh, struct sg_mesh_sides *sides, size_t first,
                         struct sg_diagnostics *diagnostics)
{
    struct sg_mesh_side *a = &sides->items[first], *b = a + 1;
    struct sg_gmsh_fault fault;
    const struct sg_gmsh_element *one = &mesh->file.elements[a->element],
                                 *two = &mesh->file.elements[b->element];
    bool third = first + 2 < sides->count && compare_ends(a, a + 2) == 0;
    bool same_middle = a->nodes == b->nodes && (a->nodes == 2 || a->node[2] == b->node[2]);
    a->neighbour = b->element;
    b->neighbour = a->element;
    if (!third && a->node[0] == b->node[1] && same_middle) return SG_OK;
    fault = (struct sg_gmsh_fault){.line = two->line};
    snprintf(fault.message, sizeof fault.message, "elements %zu and %zu %s", one->tag, two->tag,
             third                      ? "share a side with a third one"
             : a->node[0] != b->node[1] ? "overlap: they lie on the same side of a common edge"
                                        : "have a side in common, but not its middle node");
    sg_gmsh_complain(&mesh->source, &fault, diagnostics);
    return SG_BAD_DECK;
}

sg_status sg_mesh_find_sides(const struct sg_mesh *mesh, struct sg_mesh_sides *sides,
                             struct sg_diagnostics *diagnostics, struct sg_error *err)
{
    TRY(SG_NEW(&sides->items, 4 * mesh->element_count, err));
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

/* the one or the first of two sides between these nodes, or NULL */
static const struct sg_mesh_side *find_side(const struct sg_mesh_sides *sides, size_t a, size_t b)
{
    struct sg_mesh_side wanted = {.node = {a, b}};
    size_t low = 0, high = sides->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare_ends(&sides->items[middle], &wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < sides->count && compare_ends(&sides->items[low], &wanted) == 0;
    return found ? &sides->items[low] : NULL;
}

/* --- chains ------------------------------------------------------------------------------------------- */

/* the set that is being made */
struct chain {
    const struct sg_mesh *mesh;
    const struct sg_body_target *target;
    const struct sg_mesh_sides *sides;
    const struct sg_mesh_side **edges; /* of the set, on the boundary */
    size_t count;
    size_t *from; /* by node: edge that starts there, SIZE_MAX: none */
    bool *into;   /* by node: an edge ends there */
    bool *done;   /* by node: it is in the set already */
};

static sg_status chain_init(struct chain *chain, struct sg_error *err)
{
    size_t nodes = chain->mesh->node_count;
    TRY(SG_NEW(&chain->edges, chain->sides->count, err));
    TRY(SG_NEW(&chain->from, nodes, err));
    TRY(SG_NEW(&chain->into, nodes, err));
    return SG_NEW(&chain->done, nodes, err);
}

static void chain_release(struct chain *chain)
{
    sg_free(chain->edges);
    sg_free(chain->from);
    sg_free(chain->into);
    sg_free(chain->done);
}

static void chain_begin(struct chain *chain, const char *name)
{
    chain->count = 0;
    for (size_t i = 0; i < chain->mesh->node_count; i++) {
        chain->from[i] = SIZE_MAX;
        chain->into[i] = chain->done[i] = false;
    }
    sg_node_sets_open(chain->target->sets, name);
}

static void add_node(struct chain *chain, size_t node)
{
    if (chain->done[node]) return;
    chain->done[node] = true;
    sg_node_sets_add(chain->target->sets, chain->target->first + node);
}

/* edges one behind the other from `edge` on, as far as they go; those that are written are NULL then */
static void write_from(struct chain *chain, size_t edge)
{
    while (edge != SIZE_MAX && chain->edges[edge] != NULL) {
        const struct sg_mesh_side *side = chain->edges[edge];
        size_t node[3] = {0};
        for (size_t k = 0; k < side->nodes; k++) node[k] = chain->target->first + side->node[k];
        sg_node_sets_add_edge(chain->target->sets, side->nodes == 3 ? SG_SHAPE_LINE3 : SG_SHAPE_LINE2, node);
        add_node(chain, side->node[0]);
        if (side->nodes == 3) add_node(chain, side->node[2]);
        add_node(chain, side->node[1]);
        chain->edges[edge] = NULL;
        edge = chain->from[side->node[1]];
    }
}

/* open chains from their first node on, then rings */
static void chain_write(struct chain *chain)
{
    for (size_t k = 0; k < chain->count; k++) {
        chain->from[chain->edges[k]->node[0]] = k;
        chain->into[chain->edges[k]->node[1]] = true;
    }
    for (size_t k = 0; k < chain->count; k++)
        if (chain->edges[k] != NULL && !chain->into[chain->edges[k]->node[0]]) write_from(chain, k);
    for (size_t k = 0; k < chain->count; k++) write_from(chain, k);
}

/* --- physical groups ---------------------------------------------------------------------------------- */

/* whether all nodes of the element are the body's */
static bool is_inside(const struct sg_mesh *mesh, const struct sg_gmsh_element *element)
{
    for (size_t k = 0; k < element->shape->nodes; k++)
        if (mesh->number[mesh->file.nodes[element->first + k]] == SIZE_MAX) return false;
    return true;
}

/* A line of a group: an edge where it bounds the body. */
static sg_status add_line(struct chain *chain, const struct sg_gmsh_element *line,
                          const struct sg_gmsh_group *group, struct sg_diagnostics *diagnostics)
{
    const struct sg_mesh *mesh = chain->mesh;
    const size_t *nodes = mesh->file.nodes + line->first;
    const struct sg_mesh_side *side = find_side(chain->sides, mesh->number[nodes[0]], mesh->number[nodes[1]]);
    bool fits = side != NULL && side->nodes == line->shape->nodes;
    if (fits && side->nodes == 3) fits = side->node[2] == mesh->number[nodes[2]];
    if (fits) {
        if (side->neighbour == SIZE_MAX && chain->count < chain->sides->count)
            chain->edges[chain->count++] = side;
        return SG_OK;
    }
    struct sg_gmsh_fault fault = {.line = line->line};
    snprintf(fault.message, sizeof fault.message,
             "line %zu of the physical group '%.64s' is no side of a triangle or quadrangle of the body",
             line->tag, group->name);
    sg_gmsh_complain(&mesh->source, &fault, diagnostics);
    return SG_BAD_DECK;
}

static bool has_nodes(const struct sg_mesh *mesh, const struct sg_gmsh_group *group)
{
    for (size_t i = 0; i < mesh->file.element_count; i++)
        if (sg_gmsh_is_member(&mesh->file, &mesh->file.elements[i], group) &&
            is_inside(mesh, &mesh->file.elements[i]))
            return true;
    return false;
}

static void name_of(const struct sg_gmsh_group *group, char name[SG_GMSH_TEXT])
{
    if (*group->name != '\0')
        snprintf(name, SG_GMSH_TEXT, "%s", group->name);
    else
        snprintf(name, SG_GMSH_TEXT, "group-%d", group->tag);
}

static sg_status add_group(struct chain *chain, const struct sg_gmsh_group *group, const char *name,
                           struct sg_diagnostics *diagnostics)
{
    const struct sg_gmsh_mesh *file = &chain->mesh->file;
    chain_begin(chain, name);
    for (size_t i = 0; i < file->element_count; i++) {
        const struct sg_gmsh_element *element = &file->elements[i];
        bool member = sg_gmsh_is_member(file, element, group) && is_inside(chain->mesh, element);
        if (member && group->dim == 1) TRY(add_line(chain, element, group, diagnostics));
    }
    chain_write(chain);
    /* what bounds nothing: points, surfaces, lines inside of the body */
    for (size_t i = 0; i < file->element_count; i++) {
        const struct sg_gmsh_element *element = &file->elements[i];
        if (!sg_gmsh_is_member(file, element, group) || !is_inside(chain->mesh, element)) continue;
        for (size_t k = 0; k < element->shape->nodes; k++)
            add_node(chain, chain->mesh->number[file->nodes[element->first + k]]);
    }
    return SG_OK;
}

/* Of groups of one name that of the curves is the set, else that of the points. */
static sg_status add_groups(struct chain *chain, struct sg_diagnostics *diagnostics)
{
    static const int order[] = {1, 0, 2};
    const struct sg_mesh *mesh = chain->mesh;
    struct sg_node_sets *sets = chain->target->sets;
    for (size_t d = 0; d < 3; d++)
        for (size_t k = 0; k < mesh->file.group_count; k++) {
            const struct sg_gmsh_group *group = &mesh->file.groups[k];
            char name[SG_GMSH_TEXT];
            if (group->dim != order[d] || !has_nodes(mesh, group)) continue;
            name_of(group, name);
            if (sg_node_sets_find(sets, sets->body, name) == NULL)
                TRY(add_group(chain, group, name, diagnostics));
        }
    return SG_OK;
}

static void add_boundary(struct chain *chain)
{
    struct sg_node_sets *sets = chain->target->sets;
    if (sg_node_sets_find(sets, sets->body, "boundary") != NULL) return;
    chain_begin(chain, "boundary");
    for (size_t k = 0; k < chain->sides->count; k++)
        if (chain->sides->items[k].neighbour == SIZE_MAX)
            chain->edges[chain->count++] = &chain->sides->items[k];
    chain_write(chain);
}

sg_status sg_mesh_add_sets(const struct sg_mesh *mesh, const struct sg_body_target *target,
                           struct sg_diagnostics *diagnostics, struct sg_error *err)
{
    struct sg_mesh_sides sides = {0};
    struct chain chain = {.mesh = mesh, .target = target, .sides = &sides};
    sg_status status = sg_mesh_find_sides(mesh, &sides, diagnostics, err);
    if (status == SG_OK) status = chain_init(&chain, err);
    if (status == SG_OK) status = add_groups(&chain, diagnostics);
    if (status == SG_OK) add_boundary(&chain);
    chain_release(&chain);
    sg_mesh_sides_release(&sides);
    return status;
}
