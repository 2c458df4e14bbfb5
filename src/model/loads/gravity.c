#include <math.h>

#include "model/loads/load.h"

struct spec {
    double acceleration;
};

static const struct sg_keyword rows[] = {
    {.name = "acceleration",
     .type = SG_REAL,
     .unit = "m/s^2",
     .meaning = "acceleration of free fall along the axis, with its sign",
     .example = "-9.81",
     .flags = SG_REQUIRED,
     .offset = offsetof(struct spec, acceleration)},
    {0}};

static sg_status apply(struct sg_builder *builder, const struct sg_node *node)
{
    struct spec spec = {0};
    sg_node_fill(node, rows, &spec);
    builder->acceleration[0] += spec.acceleration;
    return SG_OK;
}

const struct sg_load_ops sg_load_gravity = {
    .kind = {.name = "gravity", .meaning = "weight of all bodies, as a potential", .rows = rows},
    .apply = apply,
};
