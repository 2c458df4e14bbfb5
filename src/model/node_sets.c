#include "model/node_sets.h"

#include <stdlib.h>
#include <string.h>

#include "support/memory.h"

void sg_node_sets_open(struct sg_node_sets *sets, const char *name)
{
    if (sets->failed) return;
    char *text = NULL;
    struct sg_error ignored = {0}; /* the builder tells what `failed` means */
    if (sg_copy_text(name, &text, &ignored) != SG_OK ||
        !sg_grow(&sets->items, sets->count, &sets->capacity, sizeof *sets->items)) {
        sg_free(text);
        sets->failed = true;
        return;
    }
    sets->items[sets->count++] = (struct sg_node_set){.name = text, .body = sets->body};
}

void sg_node_sets_add(struct sg_node_sets *sets, size_t node)
{
    if (sets->failed) return;
    struct sg_node_set *set = &sets->items[sets->count - 1];
    sets->failed = !sg_grow(&set->nodes, set->count, &set->capacity, sizeof *set->nodes);
    if (!sets->failed) set->nodes[set->count++] = node;
}

void sg_node_sets_add_edge(struct sg_node_sets *sets, enum sg_element_shape shape, const size_t *node)
{
    if (sets->failed) return;
    struct sg_node_set *set = &sets->items[sets->count - 1];
    sets->failed = !sg_grow(&set->edges, set->edge_count, &set->edge_capacity, sizeof *set->edges);
    if (sets->failed) return;
    struct sg_set_edge *edge = &set->edges[set->edge_count++];
    *edge = (struct sg_set_edge){.shape = shape};
    memcpy(edge->node, node, sg_element_shape_nodes(shape) * sizeof *node);
}

void sg_node_sets_release(struct sg_node_sets *sets)
{
    for (size_t k = 0; k < sets->count; k++) {
        sg_free(sets->items[k].name);
        free(sets->items[k].nodes);
        free(sets->items[k].edges);
    }
    free(sets->items);
    *sets = (struct sg_node_sets){0};
}

const struct sg_node_set *sg_node_sets_find(const struct sg_node_sets *sets, size_t body, const char *name)
{
    for (size_t k = 0; k < sets->count; k++)
        if (sets->items[k].body == body && strcmp(sets->items[k].name, name) == 0) return &sets->items[k];
    return NULL;
}
