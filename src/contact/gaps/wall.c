#include <stdio.h>

#include "contact/gaps/gap.h"

struct spec {
    const char *node;
    double gap, position;
    int side;
};

static const struct sg_keyword rows[] = {
    {.name = "node",
     .type = SG_TEXT,
     .flags = SG_REQUIRED,
     .meaning =
         "the node that may touch: BODY.left, BODY.right, BODY.NUMBER, or BODY if it has one node; a set, "
         "BODY.SET, is one contact a node",
     .example = "\"bar.left\"",
     .offset = offsetof(struct spec, node)},
    {.name = "gap",
     .type = SG_REAL,
     .unit = "m",
     .meaning = "gap at zero displacement",
     .range = SG_ANY,
     .example = "0.01",
     .offset = offsetof(struct spec, gap)},
    {.name = "side",
     .type = SG_CHOICE,
     .choices = "lower|upper",
     .fallback = "\"lower\"",
     .meaning = "the wall lies on the side of smaller (lower) or larger (upper) coordinates",
     .offset = offsetof(struct spec, side)},
    {.name = "position",
     .type = SG_REAL,
     .unit = "m",
     .meaning = "coordinate of the wall, instead of gap",
     .range = SG_ANY,
     .example = "0.0",
     .offset = offsetof(struct spec, position)},
    {0}};

static sg_status build(struct sg_gap_builder *builder, const struct sg_setting *node, struct sg_gap *gap)
{
    struct spec spec = {0};
    sg_setting_fill(node, rows, &spec);
    if (!sg_gap_add_node(builder, &(struct sg_node_name){spec.node, node, "node"}, gap)) return SG_OK;
    snprintf(builder->name, sizeof builder->name, "%s-wall", gap->node[0].text);
    bool by_gap = sg_setting_given(node, "gap"), by_position = sg_setting_given(node, "position");
    if (by_gap == by_position) {
        sg_complain(builder->diagnostics, SG_ERROR, node,
                    by_gap
                        ? "give either 'gap' or 'position' of the wall, not both"
                        : "a wall needs 'gap' (m, at zero displacement) or 'position' (m, its coordinate)");
        return SG_OK;
    }
    double normal = spec.side == 0 ? 1.0 : -1.0;
    gap->straight = true;
    gap->fixed.gap = by_gap ? spec.gap : normal * (gap->reference[0] - spec.position);
    gap->fixed.normal[0] = normal;
    gap->fixed.weight[0] = 1.0;
    gap->subject = by_gap ? "gap" : "position";
    return SG_OK;
}

const struct sg_gap_ops sg_gap_wall = {
    .kind = {"wall", "a node against a fixed wall across the axis", rows},
    .dim_low = 1,
    .dim_high = 1,
    .hint = "side = \"lower\" (the default) is a wall below the node, \"upper\" one above",
    .spread = "node",
    .build = build};
