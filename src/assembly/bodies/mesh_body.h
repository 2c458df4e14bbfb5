/* Inner structure of the body `mesh`, for its own files only:
 *   mesh.c        keywords, what belongs to the body, materials, elements
 *   mesh_order.c  numbers of the nodes
 *   mesh_sides.c  sides of elements, those between two and those of the boundary
 *   mesh_joints.c whether elements hang together where they touch
 *   mesh_sets.c   sets of nodes: physical groups and the boundary */
#ifndef SG_ASSEMBLY_BODIES_MESH_BODY_H
#define SG_ASSEMBLY_BODIES_MESH_BODY_H

#include "assembly/bodies/body.h"
#include "formats/gmsh.h"

/* A side of an element, which lies on the left of the way from node[0] to node[1]; own numbers. */
struct sg_mesh_side {
    size_t node[3];
    size_t nodes;     /* 2 or 3 */
    size_t element;   /* of the file */
    size_t neighbour; /* on the other side of it, SIZE_MAX: none, it bounds the body */
};

/* All sides, sorted by their ends; those between two elements are there twice. Zero-initialise. */
struct sg_mesh_sides {
    struct sg_mesh_side *items;
    size_t count;
};

/* A mesh file, and what of it makes the body. Zero-initialise. */
struct sg_mesh_body {
    struct sg_table_source source;
    struct sg_gmsh_mesh file;
    size_t *part;   /* by element of the file: index of its part, SIZE_MAX where it is not of the body */
    size_t *number; /* by node of the file: the body's own, SIZE_MAX likewise */
    size_t node_count, element_count;
    struct sg_mesh_sides sides;
};

/* Numbers the body's nodes anew, so that matrices have narrow bands whatever the file's order. */
sg_status sg_mesh_renumber(struct sg_mesh_body *mesh, struct sg_error *err);

/* SG_BAD_DECK, with a finding, where more than two elements share a side or two lie on the same side of it.
 */
sg_status sg_mesh_find_sides(struct sg_arena *arena, const struct sg_mesh_body *mesh,
                             struct sg_mesh_sides *sides, struct sg_diagnostics *diagnostics,
                             struct sg_error *err);

/* the one or the first of two sides between these nodes, or NULL */
const struct sg_mesh_side *sg_mesh_find_side(const struct sg_mesh_sides *sides, size_t a, size_t b);

/* Places are the same within 1e-5 of a side's length. SG_BAD_DECK, with a finding, where a node of the
 * boundary lies on a side of the boundary, in the same piece of the body, that does not have it (a hanging
 * node), and where elements at the same place have nodes of their own. Nodes at the same place along a crack,
 * and a body in pieces that share no node, are told as warnings. O(n log n) for n nodes of the boundary but
 * where many of them are beside one side both in x and in y. */
sg_status sg_mesh_check_joints(const struct sg_body_source *source, const struct sg_mesh_body *mesh);

/* Opens a set for each physical group of the file that has nodes of the body, then `boundary`. SG_BAD_DECK,
 * with a finding, where a line is no side of an element. */
sg_status sg_mesh_add_sets(const struct sg_mesh_body *mesh, const struct sg_body_target *target,
                           struct sg_diagnostics *diagnostics, struct sg_error *err);

#endif
