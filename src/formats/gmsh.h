/* Meshes of Gmsh: MSH 4.1, ASCII (https://gmsh.info/doc/texinfo/gmsh.html#MSH-file-format).
 *
 * Read are $MeshFormat, $PhysicalNames, $Entities, $Nodes and $Elements, one record a line as Gmsh writes
 * them; other sections are passed over. Elements: points, lines, triangles and quadrangles of first and
 * second order. Everything is checked; the first fault ends the reading. */
#ifndef SG_FORMATS_GMSH_H
#define SG_FORMATS_GMSH_H

#include <stdbool.h>
#include <stddef.h>

#include "deck/deck.h"
#include "formats/table.h"
#include "results/element_shape.h"
#include "support/status.h"

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

/* Reads `length` bytes of text, NUL-terminated behind them, which it changes. SG_BAD_DECK with the fault. */
sg_status sg_gmsh_parse(char *text, size_t length, struct sg_gmsh_mesh *mesh, struct sg_gmsh_fault *fault,
                        struct sg_error *err);

void sg_gmsh_release(struct sg_gmsh_mesh *mesh);

/* Whether it is a mesh of bodies in the plane: all nodes at z = 0, all triangles and quadrangles with an area
 * above 0 and numbered counterclockwise, all lines with a length, nodes in between where they don't fold the
 * element. SG_BAD_DECK with the fault. */
sg_status sg_gmsh_check_plane(const struct sg_gmsh_mesh *mesh, struct sg_gmsh_fault *fault);

/* The side file of a keyword, parsed and checked as one in the plane; at most 256
 * MiB. A fault is a finding at the keyword (SG_BAD_DECK), as is a file that can't be opened (SG_NO_INPUT). */
sg_status sg_gmsh_read(const struct sg_table_source *source, struct sg_gmsh_mesh *mesh,
                       struct sg_diagnostics *diagnostics, struct sg_error *err);

/* the fault as a finding */
void sg_gmsh_complain(const struct sg_table_source *source, const struct sg_gmsh_fault *fault,
                      struct sg_diagnostics *diagnostics);

/* The group of that dimension by its name or, where no name fits, by its number; NULL if there is none. */
const struct sg_gmsh_group *sg_gmsh_find_group(const struct sg_gmsh_mesh *mesh, int dim, const char *name);

bool sg_gmsh_is_member(const struct sg_gmsh_mesh *mesh, const struct sg_gmsh_element *element,
                       const struct sg_gmsh_group *group);

#endif
