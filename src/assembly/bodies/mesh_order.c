/* Reverse Cuthill-McKee: Cuthill and McKee 1969, George 1971. */
#include <stdint.h>
#include <stdlib.h>

#include "assembly/bodies/mesh_body.h"
#include "support/memory.h"

struct order {
    struct sg_arena arena;
    const struct sg_mesh_body *mesh;
    size_t *start, *list; /* elements at each node: list[start[i]] .. */
    size_t *queue;        /* nodes as they are reached */
    size_t count;
    bool *reached;
};

/* a node by how many elements it has */
struct rank {
    size_t elements, node;
};

static const size_t *nodes_of(const struct order *order, size_t element)
{
    return order->mesh->file.nodes + order->mesh->file.elements[element].first;
}

/* calls for each node of each element of the body: counts first, then lists */
static void visit(struct order *order, bool listing)
{
    const struct sg_mesh_body *mesh = order->mesh;
    for (size_t e = 0; e < mesh->file.element_count; e++) {
        if (mesh->part[e] == SIZE_MAX) continue;
        for (size_t k = 0; k < mesh->file.elements[e].shape->nodes; k++) {
            size_t node = mesh->number[nodes_of(order, e)[k]];
            if (listing)
                order->list[order->start[node]++] = e;
            else
                order->start[node + 1]++;
        }
    }
}

static sg_status list_elements(struct order *order, struct sg_error *err)
{
    size_t nodes = order->mesh->node_count;
    TRY(SG_ARENA_NEW(&order->arena, &order->start, nodes + 1, err));
    visit(order, false);
    for (size_t i = 0; i < nodes; i++) order->start[i + 1] += order->start[i];
    TRY(SG_ARENA_NEW(&order->arena, &order->list, order->start[nodes], err));
    visit(order, true);
    /* listing moved each start to the next one */
    for (size_t i = nodes; i > 0; i--) order->start[i] = order->start[i - 1];
    order->start[0] = 0;
    return SG_OK;
}

static size_t degree(const struct order *order, size_t node)
{
    return order->start[node + 1] - order->start[node];
}

static int compare_ranks(const void *a, const void *b)
{
    const struct rank *x = a, *y = b;
    if (x->elements != y->elements) return x->elements < y->elements ? -1 : 1;
    return (x->node > y->node) - (x->node < y->node);
}

/* Neighbours of a node that are not reached yet, those with few elements first. An element at a time, so that
 * a few places will do. */
static void reach_neighbours(struct order *order, size_t node)
{
    for (size_t k = order->start[node]; k < order->start[node + 1]; k++) {
        struct rank found[SG_GMSH_NODES];
        size_t count = 0, element = order->list[k];
        for (size_t i = 0; i < order->mesh->file.elements[element].shape->nodes; i++) {
            size_t other = order->mesh->number[nodes_of(order, element)[i]];
            if (order->reached[other]) continue;
            order->reached[other] = true;
            found[count++] = (struct rank){degree(order, other), other};
        }
        if (count > 1) qsort(found, count, sizeof *found, compare_ranks);
        for (size_t i = 0; i < count; i++) order->queue[order->count++] = found[i].node;
    }
}

/* all that hangs together with a node, behind what is in the queue; gives the last, which is far from it */
static size_t spread(struct order *order, size_t node)
{
    size_t next = order->count;
    order->reached[node] = true;
    order->queue[order->count++] = node;
    while (next < order->count) reach_neighbours(order, order->queue[next++]);
    return order->queue[order->count - 1];
}

/* from an end of a piece, found by going to and fro */
static void add_piece(struct order *order, size_t node)
{
    size_t first = order->count;
    for (int k = 0; k < 2; k++) {
        node = spread(order, node);
        for (size_t i = first; i < order->count; i++) order->reached[order->queue[i]] = false;
        order->count = first;
    }
    spread(order, node);
}

static sg_status find_order(struct order *order, struct sg_error *err)
{
    size_t nodes = order->mesh->node_count;
    TRY(SG_ARENA_NEW(&order->arena, &order->queue, nodes, err));
    TRY(SG_ARENA_NEW(&order->arena, &order->reached, nodes, err));
    TRY(list_elements(order, err));
    for (size_t i = 0; i < nodes; i++)
        if (!order->reached[i]) add_piece(order, i);
    return SG_OK;
}

sg_status sg_mesh_renumber(struct sg_mesh_body *mesh, struct sg_error *err)
{
    struct order order = {.mesh = mesh};
    size_t *place = NULL;
    sg_status status = SG_ARENA_NEW(&order.arena, &place, mesh->node_count, err);
    if (status == SG_OK) status = find_order(&order, err);
    for (size_t i = 0; status == SG_OK && i < mesh->node_count; i++)
        place[order.queue[i]] = mesh->node_count - 1 - i;
    for (size_t i = 0; status == SG_OK && i < mesh->file.node_count; i++)
        if (mesh->number[i] != SIZE_MAX) mesh->number[i] = place[mesh->number[i]];
    sg_arena_release(&order.arena);
    return status;
}
