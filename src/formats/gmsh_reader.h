/* The reader of Gmsh's files, section by section; for its own files only:
 *   gmsh.c           the file: sections and their order, the finding
 *   gmsh_groups.c    $PhysicalNames and $Entities
 *   gmsh_nodes.c     $Nodes and $Elements
 *   gmsh_lines.c     lines, words, faults
 *   gmsh_plane.c     what makes it a mesh in the plane */
#ifndef SG_FORMATS_GMSH_READER_H
#define SG_FORMATS_GMSH_READER_H

#include "formats/gmsh_lines.h"

/* a tag and what bears it, sorted by tag */
struct sg_gmsh_tag {
    size_t tag, index;
};

struct sg_gmsh_reader {
    struct sg_gmsh_lines lines;
    struct sg_gmsh_mesh *mesh;
    struct sg_error *err;
    struct sg_gmsh_tag *node_tags; /* node_count, sorted */
    size_t node_room, membership_room;
    size_t name_length;
    bool seen[4]; /* sections, as numbered in gmsh.c */
};

/* each from the line behind its head up to its end */
sg_status sg_gmsh_read_names(struct sg_gmsh_reader *reader);
sg_status sg_gmsh_read_entities(struct sg_gmsh_reader *reader);
sg_status sg_gmsh_read_nodes(struct sg_gmsh_reader *reader);
sg_status sg_gmsh_read_elements(struct sg_gmsh_reader *reader);

/* index of the entity, or SIZE_MAX */
size_t sg_gmsh_find_entity(const struct sg_gmsh_mesh *mesh, int dim, int tag);

/* after all sections: groups that are used but have no name, all of them sorted */
sg_status sg_gmsh_complete_groups(struct sg_gmsh_reader *reader);

#endif
