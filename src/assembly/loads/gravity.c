#include <math.h>

#include "assembly/loads/load.h"

struct spec {
    double acceleration;
    struct sg_reals direction;
};

static const struct sg_keyword rows[] = {
    {.name = "acceleration",
     .type = SG_REAL,
     .unit = "m/s^2",
     .meaning = "acceleration of free fall along the direction, with its sign",
     .example = "-9.81",
     .flags = SG_REQUIRED,
     .offset = offsetof(struct spec, acceleration)},
    {.name = "direction",
     .type = SG_REALS,
     .unit = "1",
     .meaning = "vector along which it acts, of any length; by default the last axis: x, y in 2-D, z in 3-D",
     .example = "[0.0, 1.0]",
     .max_items = 3,
     .offset = offsetof(struct spec, direction)},
    {0}};

static sg_status apply(struct sg_builder *builder, const struct sg_setting *node)
{
    struct spec spec = {0};
    sg_setting_fill(node, rows, &spec);
    double unit[3];
    if (!sg_load_direction(builder, node, spec.direction, unit)) return SG_OK;
    for (size_t d = 0; d < 3; d++) builder->acceleration[d] += spec.acceleration * unit[d];
    return SG_OK;
}

const struct sg_load_ops sg_load_gravity = {
    .kind = {.name = "gravity", .meaning = "weight of all bodies, as a potential", .rows = rows},
    .apply = apply,
};
