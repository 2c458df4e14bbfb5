#include "results/element_shape.h"

static const struct {
    const char *name;
    size_t nodes, corners;
} shapes[SG_SHAPE_COUNT] = {[SG_SHAPE_POINT] = {"point", 1, 1}, [SG_SHAPE_LINE2] = {"line2", 2, 2},
                            [SG_SHAPE_LINE3] = {"line3", 3, 2}, [SG_SHAPE_TRI3] = {"tri3", 3, 3},
                            [SG_SHAPE_TRI6] = {"tri6", 6, 3},   [SG_SHAPE_QUAD4] = {"quad4", 4, 4},
                            [SG_SHAPE_QUAD8] = {"quad8", 8, 4}, [SG_SHAPE_QUAD9] = {"quad9", 9, 4}};

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

size_t sg_element_shape_edge(enum sg_element_shape shape, size_t edge, size_t place[3])
{
    size_t corners = sg_element_shape_corners(shape);
    place[0] = edge;
    place[1] = edge + 1 < corners ? edge + 1 : 0;
    place[2] = corners + edge;
    return sg_element_shape_nodes(shape) == corners ? 2 : 3;
}
