/* Shapes of elements: what a row of the results' element_nodes means, and what plane elements are made of.
 *
 * Nodes in the order of Gmsh and VTK: corners (counter-clockwise in a plane), then the middles of the edges,
 * edge k from corner k to the next, then the center. */
#ifndef SG_RESULTS_ELEMENT_SHAPE_H
#define SG_RESULTS_ELEMENT_SHAPE_H

#include <stddef.h>

enum sg_element_shape {
    SG_SHAPE_POINT,
    SG_SHAPE_LINE2,
    SG_SHAPE_LINE3,
    SG_SHAPE_TRI3,
    SG_SHAPE_TRI6,
    SG_SHAPE_QUAD4,
    SG_SHAPE_QUAD8,
    SG_SHAPE_QUAD9,
    SG_SHAPE_COUNT
};

enum { SG_SHAPE_NODES = 9 }; /* the most that a shape has */

/* "quad4"; "?" if it is none */
const char *sg_element_shape_name(enum sg_element_shape shape);

/* nodes, corners among them, edges (0 of points and lines) */
size_t sg_element_shape_nodes(enum sg_element_shape shape);
size_t sg_element_shape_corners(enum sg_element_shape shape);

/* Edge `edge` of a shape in the plane as places of its nodes in the element: its two ends, with the element
 * on the left of the way from one to the other, then its middle. Gives how many: 2 or 3. */
size_t sg_element_shape_edge(enum sg_element_shape shape, size_t edge, size_t place[3]);

#endif
