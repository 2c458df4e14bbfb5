/* Shapes of elements: what a row of the results' element_nodes means, and what elements of bodies that deform
 * are made of.
 *
 * Nodes in the order of Gmsh and VTK: corners (counter-clockwise in a plane; of a brick those of the
 * bottom, then those above them), then the middles of the edges, edge k from corner k to the next, then the
 * center. */
#ifndef SG_RESULTS_ELEMENT_SHAPE_H
#define SG_RESULTS_ELEMENT_SHAPE_H

#include <stddef.h>

/* One row a shape: constant, name, nodes, corners, number in VTK, number in XDMF; then of bodies that deform,
 * in a plane or in space (model/shapes/shape.h). What is added stands at the end: files hold the numbers. */
#define SG_SIMPLE_SHAPES(X)                                                                                  \
    X(POINT, point, 1, 1, 1, 1)                                                                              \
    X(LINE2, line2, 2, 2, 3, 2)                                                                              \
    X(LINE3, line3, 3, 2, 21, 34)

#define SG_CONTINUUM_SHAPES(X)                                                                               \
    X(TRI3, tri3, 3, 3, 5, 4)                                                                                \
    X(TRI6, tri6, 6, 3, 22, 36)                                                                              \
    X(QUAD4, quad4, 4, 4, 9, 5)                                                                              \
    X(QUAD8, quad8, 8, 4, 23, 37)                                                                            \
    X(QUAD9, quad9, 9, 4, 28, 35)                                                                            \
    X(TET4, tet4, 4, 4, 10, 6)                                                                               \
    X(HEX8, hex8, 8, 8, 12, 9)

#define SG_SHAPE_CONSTANT(NAME, name, nodes, corners, vtk, xdmf) SG_SHAPE_##NAME,
enum sg_element_shape {
    SG_SIMPLE_SHAPES(SG_SHAPE_CONSTANT) SG_CONTINUUM_SHAPES(SG_SHAPE_CONSTANT) SG_SHAPE_COUNT
};
#undef SG_SHAPE_CONSTANT

enum { SG_SHAPE_NODES = 9 }; /* the most that a shape has */

/* "quad4"; "?" if it is none */
const char *sg_element_shape_name(enum sg_element_shape shape);

/* nodes, corners among them, edges (0 of points and lines) */
size_t sg_element_shape_nodes(enum sg_element_shape shape);
size_t sg_element_shape_corners(enum sg_element_shape shape);

/* its number in the files of VTK and of XDMF */
int sg_element_shape_vtk(enum sg_element_shape shape);
int sg_element_shape_xdmf(enum sg_element_shape shape);

/* Edge `edge` of a shape in the plane as places of its nodes in the element: its two ends, with the element
 * on the left of the way from one to the other, then its middle. Gives how many: 2 or 3. */
size_t sg_element_shape_edge(enum sg_element_shape shape, size_t edge, size_t place[3]);

#endif
