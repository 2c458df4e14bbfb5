#include <math.h>
#include <stdio.h>
#include <string.h>

#include "contact/gaps/gap.h"

struct spec {
    const char *node;
    struct sg_reals normal, point, arm;
    double gap, radius;
    const struct sg_setting *motion;
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
    {.name = "normal",
     .type = SG_REALS,
     .flags = SG_REQUIRED,
     .unit = "1",
     .min_items = 1,
     .max_items = 3,
     .meaning = "direction out of the wall, a number a coordinate, of any length",
     .example = "[0.0, 1.0]",
     .offset = offsetof(struct spec, normal)},
    {.name = "point",
     .type = SG_REALS,
     .unit = "m",
     .min_items = 1,
     .max_items = 3,
     .meaning = "a point of the wall, instead of gap",
     .example = "[0.0, 0.0]",
     .offset = offsetof(struct spec, point)},
    {.name = "gap",
     .type = SG_REAL,
     .unit = "m",
     .meaning = "gap at zero displacement",
     .range = SG_ANY,
     .example = "0.01",
     .offset = offsetof(struct spec, gap)},
    {.name = "arm",
     .type = SG_REALS,
     .unit = "m",
     .min_items = 2,
     .max_items = 2,
     .meaning =
         "point of a rigid body that may touch, seen from its node along the body's own axes: a corner",
     .example = "[0.1, -0.2]",
     .offset = offsetof(struct spec, arm)},
    {.name = "radius",
     .type = SG_REAL,
     .unit = "m",
     .meaning = "radius around the node, or around the point of `arm`: a disk or a ball; gap is then that of "
                "its surface",
     .fallback = "0.0",
     .range = SG_NON_NEGATIVE,
     .offset = offsetof(struct spec, radius)},
    {.name = "motion",
     .type = SG_GROUP,
     .meaning = "signal, in m, by which the wall moves along its normal",
     .kinds = &sg_signal_kinds,
     .offset = offsetof(struct spec, motion)},
    {0}};

static bool read_place(struct sg_gap_builder *builder, const struct sg_setting *node, const struct spec *spec,
                       struct sg_gap *gap)
{
    bool by_gap = sg_setting_given(node, "gap"), by_point = sg_setting_given(node, "point");
    double point[SG_GAP_AXES] = {0};
    if (by_gap == by_point) {
        sg_complain(builder->diagnostics, SG_ERROR, node,
                    by_gap
                        ? "give either 'gap' or 'point' of the plane, not both"
                        : "a plane needs 'gap' (m, at zero displacement) or 'point' (m, one that it holds)");
        return false;
    }
    const struct sg_gap_node *touching = &gap->node[0];
    gap->subject = by_gap ? "gap" : "point";
    gap->fixed.gap = spec->gap;
    if (!by_gap && !sg_gap_read_vector(builder, node, "point", spec->point, point)) return false;
    for (size_t d = 0; d < gap->dim; d++) {
        double own = gap->reference[d] + (d < 2 ? touching->point[d] : 0.0);
        gap->center[d] = by_gap ? own - (spec->gap + touching->radius) * gap->fixed.normal[d] : point[d];
        point[d] = own - point[d];
    }
    if (!by_gap) gap->fixed.gap = sg_gap_dot(gap->dim, gap->fixed.normal, point) - touching->radius;
    for (size_t d = 0; d < 2; d++) gap->fixed.arm[0][d] = -touching->radius * gap->fixed.normal[d];
    return true;
}

/* The gap of a point that turns with its body. */
static void at(const struct sg_gap *gap, const double *x, struct sg_gap_value *value)
{
    double from[SG_GAP_AXES] = {0};
    for (size_t d = 0; d < gap->dim; d++) {
        from[d] = x[d] - gap->center[d];
        value->normal[d] = gap->fixed.normal[d];
    }
    value->gap = sg_gap_dot(gap->dim, value->normal, from);
    value->weight[0] = 1.0;
}

static sg_status read_motion(struct sg_gap_builder *builder, const struct sg_setting *node,
                             const struct spec *spec, struct sg_gap *gap)
{
    if (spec->motion == NULL) return SG_OK;
    size_t errors = builder->diagnostics->errors;
    sg_status status = sg_signal_init(builder->arena, spec->motion, builder->deck, &gap->motion,
                                      builder->diagnostics, builder->err);
    if (status == SG_BAD_DECK) return SG_OK;
    if (status != SG_OK || builder->diagnostics->errors != errors) return status;
    gap->moves = true;
    if (gap->motion.continuity < 0)
        sg_complain_about(builder->diagnostics, SG_ERROR, node, "motion",
                          "the signal '%s' jumps, and so would the wall", gap->motion.ops->kind.name);
    return SG_OK;
}

static sg_status build(struct sg_gap_builder *builder, const struct sg_setting *node, struct sg_gap *gap)
{
    struct spec spec = {0};
    sg_setting_fill(node, rows, &spec);
    TRY(read_motion(builder, node, &spec, gap));
    gap->straight = true;
    gap->fixed.weight[0] = 1.0;
    if (!sg_gap_add_node(builder, &(struct sg_node_name){spec.node, node, "node"}, gap)) return SG_OK;
    snprintf(builder->name, sizeof builder->name, "%s-plane", gap->node[0].text);
    gap->node[0].radius = spec.radius;
    if (!sg_gap_read_arm(builder, node, spec.arm, 0, gap)) return SG_OK;
    if (sg_gap_read_normal(builder, node, spec.normal, gap->fixed.normal))
        read_place(builder, node, &spec, gap);
    return SG_OK;
}

const struct sg_gap_ops sg_gap_plane = {
    .kind = {"plane", "a node, a disk around it or a corner of its body against a half-space, which may move",
             rows},
    .dim_low = 1,
    .dim_high = 3,
    .hint = "the normal points out of the wall, to the side where the node is free",
    .spread = "node",
    .build = build,
    .at = at};
