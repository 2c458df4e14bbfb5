#include "assembly/loads/load.h"

#include <math.h>

bool sg_load_direction(struct sg_builder *builder, const struct sg_setting *node, struct sg_reals given,
                       double unit[3])
{
    size_t dim = builder->system->dim;
    double length = 0;
    unit[0] = unit[1] = unit[2] = 0;
    if (given.data == NULL) {
        unit[dim - 1] = 1;
        return true;
    }
    if (given.count != dim) {
        sg_complain_about(builder->diagnostics, SG_ERROR, node, "direction",
                          "has %zu number%s where a node has %zu coordinate%s", given.count,
                          given.count == 1 ? "" : "s", dim, dim == 1 ? "" : "s");
        return false;
    }
    for (size_t d = 0; d < dim; d++) length = hypot(length, given.data[d]);
    if (length > 0 && isfinite(length)) {
        for (size_t d = 0; d < dim; d++) unit[d] = given.data[d] / length;
        return true;
    }
    sg_complain_about(builder->diagnostics, SG_ERROR, node, "direction",
                      "has the length %g: it points nowhere", length);
    return false;
}
