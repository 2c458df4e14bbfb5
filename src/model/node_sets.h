/* Named sets of nodes: "block.bottom". A body names sets of its own nodes while it assembles itself;
 * supports, loads, initial states, contacts and output.nodes take their names wherever a node may stand
 * (sg_system_find_nodes). */
#ifndef SG_MODEL_NODE_SETS_H
#define SG_MODEL_NODE_SETS_H

#include <stdbool.h>
#include <stddef.h>

#include "results/element_shape.h"
#include "support/arena.h"

/* A piece of a body's boundary. The body lies on the left of the way from node[0] to node[1], so that the
 * normal out of it is (dy, -dx) / length. */
struct sg_set_edge {
    enum sg_element_shape shape; /* LINE2 or LINE3 */
    size_t node[3];              /* global: two ends, middle of a LINE3 */
};

struct sg_node_set {
    char *name;  /* without that of the body */
    size_t body; /* index of the body */
    size_t count;
    size_t *nodes; /* count, global, each once; along the boundary where there is one */
    size_t edge_count;
    struct sg_set_edge *edges; /* edge_count: one behind the other where the boundary is a chain; 0 where the
                                  set is no boundary */
    size_t capacity, edge_capacity;
};

/* Zero but for the arena. Like triplets, a list that runs out of memory says so in `failed`. */
struct sg_node_sets {
    struct sg_arena *arena;
    struct sg_node_set *items;
    size_t count, capacity;
    size_t body; /* to whom sets belong that are opened from now on: set by the builder */
    bool failed;
};

/* Opens an empty set, to which the next two functions add. The name is copied. */
void sg_node_sets_open(struct sg_node_sets *sets, const char *name);
void sg_node_sets_add(struct sg_node_sets *sets, size_t node);
/* the edge alone, not its nodes; `node` has as many as the shape */
void sg_node_sets_add_edge(struct sg_node_sets *sets, enum sg_element_shape shape, const size_t *node);

/* the set of `body` that has this name, or NULL */
const struct sg_node_set *sg_node_sets_find(const struct sg_node_sets *sets, size_t body, const char *name);

#endif
