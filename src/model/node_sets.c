#include "model/node_sets.h"

#include <string.h>

static bool grow(struct sg_node_sets *sets, void *list, size_t count, size_t *capacity, size_t size)
{
    struct sg_error ignored = {0}; /* the builder tells what `failed` means */
    sets->failed = sg_arena_grow(sets->arena, list, count, capacity, size, &ignored) != SG_OK;
    return !sets->failed;
}

void sg_node_sets_open(struct sg_node_sets *sets, const char *name)
{
    char *text = NULL;
    struct sg_error ignored = {0};
    if (sets->failed || !grow(sets, &sets->items, sets->count, &sets->capacity, sizeof *sets->items)) return;
    sets->failed = sg_arena_copy_text(sets->arena, name, &text, &ignored) != SG_OK;
    if (!sets->failed) sets->items[sets->count++] = (struct sg_node_set){.name = text, .body = sets->body};
}

void sg_node_sets_add(struct sg_node_sets *sets, size_t node)
{
    if (sets->failed) return;
    struct sg_node_set *set = &sets->items[sets->count - 1];
    if (grow(sets, &set->nodes, set->count, &set->capacity, sizeof *set->nodes))
        set->nodes[set->count++] = node;
}

void sg_node_sets_add_edge(struct sg_node_sets *sets, enum sg_element_shape shape, const size_t *node)
{
    if (sets->failed) return;
    struct sg_node_set *set = &sets->items[sets->count - 1];
    if (!grow(sets, &set->edges, set->edge_count, &set->edge_capacity, sizeof *set->edges)) return;
    struct sg_set_edge *edge = &set->edges[set->edge_count++];
    *edge = (struct sg_set_edge){.shape = shape};
    memcpy(edge->node, node, sg_element_shape_nodes(shape) * sizeof *node);
}

const struct sg_node_set *sg_node_sets_find(const struct sg_node_sets *sets, size_t body, const char *name)
{
    for (size_t k = 0; k < sets->count; k++)
        if (sets->items[k].body == body && strcmp(sets->items[k].name, name) == 0) return &sets->items[k];
    return NULL;
}
