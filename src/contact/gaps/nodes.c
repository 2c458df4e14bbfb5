#include <math.h>
#include <stdio.h>

#include "contact/gaps/gap.h"

struct spec {
    struct sg_texts nodes;
    double distance;
    struct sg_reals radii;
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
     .unit = "m",
     .meaning = "distance at which the nodes touch: the sum of two balls' radii; or give radii",
     .range = SG_POSITIVE,
     .example = "0.1",
     .offset = offsetof(struct spec, distance)},
    {.name = "radii",
     .type = SG_REALS,
     .unit = "m",
     .meaning = "radii of the two balls or disks, by which friction turns those that can turn",
     .min_items = 2,
     .max_items = 2,
     .range = SG_NON_NEGATIVE,
     .example = "[0.05, 0.05]",
     .offset = offsetof(struct spec, radii)},
    {0}};

static sg_status build(struct sg_gap_builder *builder, const struct sg_setting *node, struct sg_gap *gap)
{
    struct spec spec = {0};
    sg_setting_fill(node, rows, &spec);
    snprintf(builder->name, sizeof builder->name, "%s-%s", spec.nodes.data[0], spec.nodes.data[1]);
    bool given = sg_setting_given(node, "distance");
    if (given == (spec.radii.data != NULL)) {
        sg_complain(builder->diagnostics, SG_ERROR, node, "give either 'distance' or 'radii'%s",
                    given ? ", not both" : "");
        return SG_OK;
    }
    gap->size = given ? spec.distance : 0.0;
    gap->subject = given ? "distance" : "radii";
    bool found = sg_gap_add_two(builder, node, "nodes", spec.nodes, gap);
    for (size_t k = 0; found && !given && k < 2; k++) gap->node[k].radius = spec.radii.data[k];
    return SG_OK;
}

static void at(const struct sg_gap *gap, const double *x, struct sg_gap_value *value)
{
    for (size_t d = 0; d < gap->dim; d++) value->normal[d] = x[gap->dim + d] - x[d];
    double distance = sg_gap_normalize(gap->dim, value->normal);
    value->gap = distance - gap->size;
    value->curvature = distance > 0.0 ? 1.0 / distance : 0.0;
    value->weight[0] = -1.0;
    value->weight[1] = 1.0;
}

const struct sg_gap_ops sg_gap_nodes = {
    .kind = {"nodes", "a node against a node at a distance, as two balls", rows},
    .dim_low = 2,
    .dim_high = 3,
    .build = build,
    .at = at};
