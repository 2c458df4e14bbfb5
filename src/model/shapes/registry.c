#include "model/shapes/shape.h"

#define DECLARE(NAME, name, nodes, corners, vtk, xdmf) extern const struct sg_shape_kind sg_shape_##name;
SG_CONTINUUM_SHAPES(DECLARE)
#undef DECLARE

#define ROW(NAME, name, nodes, corners, vtk, xdmf) [SG_SHAPE_##NAME] = &sg_shape_##name,
static const struct sg_shape_kind *const shapes[SG_SHAPE_COUNT] = {SG_CONTINUUM_SHAPES(ROW)};
#undef ROW

const struct sg_shape_kind *sg_shape_find(enum sg_element_shape shape)
{
    return (size_t)shape < SG_SHAPE_COUNT ? shapes[shape] : NULL;
}
