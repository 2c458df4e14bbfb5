/* What a file of Gmsh holds (formats/gmsh.h). */
#ifndef SG_FORMATS_GMSH_MESH_H
#define SG_FORMATS_GMSH_MESH_H

#include <stddef.h>

#include "results/element_shape.h"
#include "support/arena.h"

/* nodes of an element, bytes of a message, bytes of a name (those that Gmsh itself reads) */
enum { SG_GMSH_NODES = 9, SG_GMSH_TEXT = 400, SG_GMSH_NAME = 127 };

/* numbers of Gmsh's manual */
enum sg_gmsh_type {
    SG_GMSH_LINE2 = 1,
    SG_GMSH_TRI3 = 2,
    SG_GMSH_QUAD4 = 3,
    SG_GMSH_LINE3 = 8,
    SG_GMSH_TRI6 = 9,
    SG_GMSH_QUAD9 = 10,
    SG_GMSH_POINT = 15,
    SG_GMSH_QUAD8 = 16
};

struct sg_gmsh_shape {
    int type, dim;
    enum sg_element_shape element; /* the same in results and elements: nodes in the same order */
    size_t nodes, corners;
    const char *name; /* "3-node triangle" */
};

/* a physical group: elements of one dimension */
struct sg_gmsh_group {
    int dim, tag;
    const char *name; /* "" if the file gives none; owned by the mesh */
};

struct sg_gmsh_element {
    const struct sg_gmsh_shape *shape;
    size_t tag, line;
    size_t first;  /* its nodes are mesh->nodes[first ..], indices, in Gmsh's order: corners, middles of the
                      sides, centre */
    size_t entity; /* index into mesh->entities, or SIZE_MAX where the file has none */
};

struct sg_gmsh_entity {
    int dim, tag;
    size_t first, count; /* numbers of its groups: mesh->memberships[first ..] */
};

/* Zero-initialise; release with sg_gmsh_release. */
struct sg_gmsh_mesh {
    struct sg_arena arena;
    size_t node_count;
    double *position; /* node_count x 3, finite */
    size_t *node_tag, *node_line;
    size_t element_count;
    struct sg_gmsh_element *elements;
    size_t *nodes;
    size_t entity_count;
    struct sg_gmsh_entity *entities; /* sorted by dim and tag */
    int *memberships;
    size_t group_count;
    struct sg_gmsh_group *groups; /* named, or used by an entity; sorted by dim and tag */
    char *names;
};

/* the first fault */
struct sg_gmsh_fault {
    size_t line;                                    /* 0: the file as a whole */
    char message[SG_GMSH_TEXT], hint[SG_GMSH_TEXT]; /* hint may be "" */
};

#endif
