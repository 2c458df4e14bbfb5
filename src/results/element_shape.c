#include "results/element_shape.h"

static const struct {
    const char *name;
    size_t nodes, corners;
    int vtk, xdmf;
} shapes[SG_SHAPE_COUNT] = {
#define ROW(NAME, name, nodes, corners, vtk, xdmf) [SG_SHAPE_##NAME] = {#name, nodes, corners, vtk, xdmf},
    SG_SIMPLE_SHAPES(ROW) SG_CONTINUUM_SHAPES(ROW)
#undef ROW
};

const char *sg_element_shape_name(enum sg_element_shape shape)
{
    return (size_t)shape < SG_SHAPE_COUNT ? shapes[shape].name : "?";
}

size_t sg_element_shape_nodes(enum sg_element_shape shape)
{
    return (size_t)shape < SG_SHAPE_COUNT ? shapes[shape].nodes : 0;
}

size_t sg_element_shape_corners(enum sg_element_shape shape)
{
    return (size_t)shape < SG_SHAPE_COUNT ? shapes[shape].corners : 0;
}

int sg_element_shape_vtk(enum sg_element_shape shape)
{
    return shapes[shape].vtk;
}

int sg_element_shape_xdmf(enum sg_element_shape shape)
{
    return shapes[shape].xdmf;
}

size_t sg_element_shape_edge(enum sg_element_shape shape, size_t edge, size_t place[3])
{
    size_t corners = sg_element_shape_corners(shape);
    place[0] = edge;
    place[1] = edge + 1 < corners ? edge + 1 : 0;
    place[2] = corners + edge;
    return sg_element_shape_nodes(shape) == corners ? 2 : 3;
}
