#include <stdio.h>

#include "contact/gap.h"

struct spec {
    struct sg_texts nodes;
    double gap;
};

static const struct sg_keyword rows[] = {
    {.name = "nodes",
     .type = SG_TEXTS,
     .flags = SG_REQUIRED,
     .min_items = 2,
     .max_items = 2,
     .meaning = "the two nodes, the one with the smaller coordinate first",
     .example = "[\"left.right\", \"right.left\"]",
     .offset = offsetof(struct spec, nodes)},
    {.name = "gap",
     .type = SG_REAL,
     .unit = "m",
     .meaning = "gap at zero displacement; by default the distance of the nodes",
     .range = SG_ANY,
     .example = "0.01",
     .offset = offsetof(struct spec, gap)},
    {0}};

static sg_status build(struct sg_gap_builder *builder, const struct sg_node *node, struct sg_gap *gap)
{
    struct spec spec = {0};
    sg_node_fill(node, rows, &spec);
    snprintf(builder->name, sizeof builder->name, "%s-%s", spec.nodes.data[0], spec.nodes.data[1]);
    if (!sg_gap_add_two(builder, node, "nodes", spec.nodes, gap)) return SG_OK;
    bool given = sg_node_given(node, "gap");
    gap->straight = true;
    gap->fixed.gap = given ? spec.gap : gap->reference[1] - gap->reference[0];
    gap->fixed.normal[0] = 1.0;
    gap->fixed.weight[0] = -1.0;
    gap->fixed.weight[1] = 1.0;
    gap->subject = given ? "gap" : "nodes";
    return SG_OK;
}

const struct sg_gap_ops sg_gap_pair = {.kind = {"pair", "a node against a node", rows},
                                       .dim_low = 1,
                                       .dim_high = 1,
                                       .hint = "the node with the smaller coordinate comes first",
                                       .build = build};
