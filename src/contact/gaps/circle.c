#include <math.h>
#include <stdio.h>

#include "contact/gaps/gap.h"

struct spec {
    const char *node;
    struct sg_reals center;
    double radius, node_radius;
    int inside;
};

static const struct sg_keyword rows[] = {
    {.name = "node",
     .type = SG_TEXT,
     .flags = SG_REQUIRED,
     .meaning =
         "the node that may touch: BODY.left, BODY.right, BODY.NUMBER, or BODY if it has one node; a set, "
         "BODY.SET, is one contact a node",
     .example = "\"ball\"",
     .offset = offsetof(struct spec, node)},
    {.name = "center",
     .type = SG_REALS,
     .flags = SG_REQUIRED,
     .unit = "m",
     .min_items = 2,
     .max_items = 3,
     .meaning = "the fixed center, a number a coordinate",
     .example = "[0.0, 0.0]",
     .offset = offsetof(struct spec, center)},
    {.name = "radius",
     .type = SG_REAL,
     .flags = SG_REQUIRED,
     .unit = "m",
     .meaning = "the radius",
     .range = SG_POSITIVE,
     .example = "1.4",
     .offset = offsetof(struct spec, radius)},
    {.name = "node_radius",
     .type = SG_REAL,
     .unit = "m",
     .meaning = "radius around the node: a disk or a ball",
     .fallback = "0.0",
     .range = SG_NON_NEGATIVE,
     .offset = offsetof(struct spec, node_radius)},
    {.name = "inside",
     .type = SG_BOOL,
     .fallback = "false",
     .meaning = "the node is free inside, not outside",
     .offset = offsetof(struct spec, inside)},
    {0}};

static sg_status build(struct sg_gap_builder *builder, const struct sg_setting *node, struct sg_gap *gap)
{
    struct spec spec = {0};
    sg_setting_fill(node, rows, &spec);
    gap->size = spec.radius;
    gap->sign = spec.inside ? -1.0 : 1.0;
    gap->subject = "radius";
    if (!sg_gap_add_node(builder, &(struct sg_node_name){spec.node, node, "node"}, gap)) return SG_OK;
    gap->node[0].radius = spec.node_radius;
    snprintf(builder->name, sizeof builder->name, "%s-%s", gap->node[0].text, gap->ops->kind.name);
    sg_gap_read_vector(builder, node, "center", spec.center, gap->center);
    return SG_OK;
}

/* in the center itself any normal is as good as any other */
static void at(const struct sg_gap *gap, const double *x, struct sg_gap_value *value)
{
    for (size_t d = 0; d < gap->dim; d++) value->normal[d] = x[d] - gap->center[d];
    double distance = sg_gap_normalize(gap->dim, value->normal);
    for (size_t d = 0; d < gap->dim; d++) value->normal[d] *= gap->sign;
    value->gap = gap->sign * (distance - gap->size);
    value->weight[0] = 1.0;
    value->curvature = distance > 0.0 ? gap->sign / distance : 0.0;
}

#define HINT "inside = true keeps the node within, false (the default) out"

const struct sg_gap_ops sg_gap_circle = {
    .kind = {"circle", "a node against a fixed circle, from outside or inside", rows},
    .dim_low = 2,
    .dim_high = 2,
    .hint = HINT,
    .spread = "node",
    .build = build,
    .at = at};

const struct sg_gap_ops sg_gap_sphere = {
    .kind = {"sphere", "a node against a fixed sphere, from outside or inside", rows},
    .dim_low = 3,
    .dim_high = 3,
    .hint = HINT,
    .spread = "node",
    .build = build,
    .at = at};
