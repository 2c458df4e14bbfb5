#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "assembly/bodies/mesh_body.h"
#include "support/memory.h"

/* --- chains --------------------------------------------------------------------------------------- */

/* the set that is being made */
struct chain {
    const struct sg_mesh_body *mesh;
    const struct sg_body_target *target;
    const struct sg_mesh_sides *sides;
    const struct sg_mesh_side **edges; /* of the set, on the boundary */
    size_t count;
    size_t *from; /* by node: edge that starts there, SIZE_MAX: none */
    bool *into;   /* by node: an edge ends there */
    bool *done;   /* by node: it is in the set already */
    bool *used;   /* by node of the file: a triangle or quadrangle of any body has it */
};

static sg_status chain_init(struct sg_arena *arena, struct chain *chain, struct sg_error *err)
{
    size_t nodes = chain->mesh->node_count;
    TRY(SG_ARENA_NEW(arena, &chain->edges, chain->sides->count, err));
    TRY(SG_ARENA_NEW(arena, &chain->from, nodes, err));
    TRY(SG_ARENA_NEW(arena, &chain->into, nodes, err));
    TRY(SG_ARENA_NEW(arena, &chain->used, chain->mesh->file.node_count, err));
    return SG_ARENA_NEW(arena, &chain->done, nodes, err);
}

static void mark_used(struct chain *chain)
{
    const struct sg_gmsh_mesh *file = &chain->mesh->file;
    for (size_t i = 0; i < file->element_count; i++)
        for (size_t k = 0; file->elements[i].shape->dim == 2 && k < file->elements[i].shape->nodes; k++)
            chain->used[file->nodes[file->elements[i].first + k]] = true;
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

/* --- physical groups ------------------------------------------------------------------------------ */

/* Tells whether all nodes of the element are the body's. */
static bool is_inside(const struct sg_mesh_body *mesh, const struct sg_gmsh_element *element)
{
    for (size_t k = 0; k < element->shape->nodes; k++)
        if (mesh->number[mesh->file.nodes[element->first + k]] == SIZE_MAX) return false;
    return true;
}

/* A line of a group: an edge where it bounds the body. */
static sg_status add_line(struct chain *chain, const struct sg_gmsh_element *line,
                          const struct sg_gmsh_group *group, struct sg_diagnostics *diagnostics)
{
    const struct sg_mesh_body *mesh = chain->mesh;
    const size_t *nodes = mesh->file.nodes + line->first;
    const struct sg_mesh_side *side =
        sg_mesh_find_side(chain->sides, mesh->number[nodes[0]], mesh->number[nodes[1]]);
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

static bool has_nodes(const struct sg_mesh_body *mesh, const struct sg_gmsh_group *group)
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

/* What of a group hangs in the air. Where it belongs to another body nothing is said. */
static void warn_unused(const struct chain *chain, const struct sg_gmsh_group *group, const char *name,
                        struct sg_diagnostics *diagnostics)
{
    const struct sg_gmsh_mesh *file = &chain->mesh->file;
    const struct sg_gmsh_element *first = NULL;
    size_t count = 0, node = 0;
    for (size_t i = 0; i < file->element_count; i++) {
        const struct sg_gmsh_element *element = &file->elements[i];
        size_t k = 0;
        if (!sg_gmsh_is_member(file, element, group)) continue;
        while (k < element->shape->nodes && chain->used[file->nodes[element->first + k]]) k++;
        if (k == element->shape->nodes) continue;
        if (count++ > 0) continue;
        first = element;
        node = file->nodes[element->first + k];
    }
    if (count == 0) return;
    const struct sg_table_source *source = &chain->mesh->source;
    sg_complain_about(
        diagnostics, SG_WARNING, source->group, source->keyword,
        "'%s' line %zu: node %zu of the physical group '%.64s' at (%g, %g) is of no triangle or "
        "quadrangle: %zu of its lines and points are left out",
        source->file, first->line, file->node_tag[node], name, file->position[3 * node],
        file->position[3 * node + 1], count);
}

static sg_status add_group(struct chain *chain, const struct sg_gmsh_group *group, const char *name,
                           struct sg_diagnostics *diagnostics)
{
    const struct sg_gmsh_mesh *file = &chain->mesh->file;
    chain_begin(chain, name);
    warn_unused(chain, group, name, diagnostics);
    for (size_t i = 0; i < file->element_count; i++) {
        const struct sg_gmsh_element *element = &file->elements[i];
        bool member = sg_gmsh_is_member(file, element, group) && is_inside(chain->mesh, element);
        if (member && group->dim == 1) TRY(add_line(chain, element, group, diagnostics));
    }
    chain_write(chain);
    /* Leaves out what bounds nothing: points, surfaces, lines inside of the body. */
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
    const struct sg_mesh_body *mesh = chain->mesh;
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

sg_status sg_mesh_add_sets(const struct sg_mesh_body *mesh, const struct sg_body_target *target,
                           struct sg_diagnostics *diagnostics, struct sg_error *err)
{
    struct chain chain = {.mesh = mesh, .target = target, .sides = &mesh->sides};
    SG_LOCAL_ARENA(scratch);
    TRY(chain_init(&scratch, &chain, err));
    mark_used(&chain);
    TRY(add_groups(&chain, diagnostics));
    add_boundary(&chain);
    return SG_OK;
}
