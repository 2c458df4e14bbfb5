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
#include "formats/gmsh_mesh.h"
#include "formats/table.h"
#include "support/status.h"

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
