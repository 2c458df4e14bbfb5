/* What triangles and tetrahedra share. */
#ifndef SG_MODEL_SHAPES_SIMPLEX_H
#define SG_MODEL_SHAPES_SIMPLEX_H

#include "model/shapes/shape.h"

/* one sample, whose value holds in the whole element */
void sg_simplex_constant(const double at[3], double *weights);

#endif
