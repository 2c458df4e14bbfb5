#include <math.h>
#include <stdio.h>

#include "contact/gap.h"

struct spec {
    struct sg_texts nodes;
    double distance;
};

static const struct sg_keyword rows[] = {
    {.name = "nodes",
     .type = SG_TEXTS,
     .flags = SG_REQUIRED,
     .min_items = 2,
     .max_items = 2,
     .meaning = "the two nodes",
     .example = "[\"ball1\", \"ball2\"]",
     .offset = offsetof(struct spec, nodes)},
    {.name = "distance",
     .type = SG_REAL,
     .flags = SG_REQUIRED,
     .unit = "m",
     .meaning = "distance at which the nodes touch: the sum of two balls' radii",
     .range = SG_POSITIVE,
     .example = "0.1",
     .offset = offsetof(struct spec, distance)},
    {0}};

static sg_status build(struct sg_gap_builder *builder, const struct sg_node *node, struct sg_gap *gap)
{
    struct spec spec = {0};
    sg_node_fill(node, rows, &spec);
    snprintf(builder->name, sizeof builder->name, "%s-%s", spec.nodes.data[0], spec.nodes.data[1]);
    gap->size = spec.distance;
    gap->subject = "distance";
    sg_gap_add_two(builder, node, "nodes", spec.nodes, gap);
    return SG_OK;
}

static void at(const struct sg_gap *gap, const double *x, struct sg_gap_value *value)
{
    for (size_t d = 0; d < gap->dim; d++) value->normal[d] = x[gap->dim + d] - x[d];
    value->gap = sg_gap_normalize(gap->dim, value->normal) - gap->size;
    value->weight[0] = -1.0;
    value->weight[1] = 1.0;
}

const struct sg_gap_ops sg_gap_nodes = {
    .kind = {"nodes", "a node against a node at a distance, as two balls", rows},
    .dim_low = 2,
    .dim_high = 3,
    .build = build,
    .at = at};
