#include <stdio.h>
#include <string.h>

#include "contact/gaps/gap.h"

struct spec {
    struct sg_texts nodes;
    struct sg_reals normal;
    double gap;
};

static const struct sg_keyword rows[] = {
    {.name = "nodes",
     .type = SG_TEXTS,
     .flags = SG_REQUIRED,
     .min_items = 2,
     .max_items = 2,
     .meaning =
         "the two nodes, the one that comes first along the normal (in 1-D with the smaller coordinate) "
         "first; or two sets with as many nodes, which make a contact a pair",
     .example = "[\"left.right\", \"right.left\"]",
     .offset = offsetof(struct spec, nodes)},
    {.name = "normal",
     .type = SG_REALS,
     .unit = "1",
     .meaning = "fixed direction, of any length, from the first node to the second; must be given above 1-D",
     .min_items = 1,
     .max_items = 3,
     .example = "[1.0, 0.0]",
     .offset = offsetof(struct spec, normal)},
    {.name = "gap",
     .type = SG_REAL,
     .unit = "m",
     .meaning = "gap at zero displacement; by default the distance of the nodes along the normal",
     .range = SG_ANY,
     .example = "0.01",
     .offset = offsetof(struct spec, gap)},
    {0}};

static bool find_sets(struct sg_gap_builder *builder, const struct sg_setting *node, const struct spec *spec,
                      struct sg_node_list lists[2])
{
    bool found = true;
    for (size_t k = 0; k < 2; k++) {
        struct sg_node_name name = {spec->nodes.data[k], node, "nodes"};
        found = sg_system_find_nodes(builder->system, &name, builder->diagnostics, &lists[k]) && found;
    }
    return found;
}

static sg_status open_sets(struct sg_gap_builder *builder, const struct sg_setting *node,
                           struct sg_gap_group *group)
{
    struct spec spec = {0};
    struct sg_node_list lists[2];
    sg_setting_fill(node, rows, &spec);
    if (!find_sets(builder, node, &spec, lists)) return SG_OK;
    group->count = lists[0].count;
    if (lists[0].count != lists[1].count)
        sg_complain_about(builder->diagnostics, SG_ERROR, node, "nodes",
                          "'%.100s' has %zu node%s, '%.100s' has %zu: pairs need as many", spec.nodes.data[0],
                          lists[0].count, lists[0].count == 1 ? "" : "s", spec.nodes.data[1], lists[1].count);
    return SG_OK;
}

static bool read_normal(struct sg_gap_builder *builder, const struct sg_setting *node, struct sg_reals given,
                        double *normal)
{
    size_t dim = builder->system->dim;
    normal[0] = 1.0;
    if (given.data == NULL && dim == 1) return true;
    if (given.data == NULL) {
        sg_complain_about(builder->diagnostics, SG_ERROR, node, "normal",
                          "must be given: a node has %zu coordinates", dim);
        return false;
    }
    return sg_gap_read_normal(builder, node, given, normal);
}

/* pair `index` of the group; false with findings */
static bool add_pair(struct sg_gap_builder *builder, const struct sg_setting *node, const struct spec *spec,
                     struct sg_gap *gap)
{
    struct sg_node_list lists[2];
    if (builder->group->count == 1) return sg_gap_add_two(builder, node, "nodes", spec->nodes, gap);
    if (!find_sets(builder, node, spec, lists)) return false;
    size_t at[2];
    for (size_t k = 0; k < 2; k++) {
        at[k] = sg_node_list_at(&lists[k], builder->index);
        struct sg_gap_node end = {.ref = sg_system_node(builder->system, at[k]),
                                  .keyword = "nodes",
                                  .text = sg_system_node_name(builder->system, at[k])};
        sg_gap_append_node(builder->system, end, gap);
    }
    if (at[0] != at[1]) return true;
    sg_complain_about(builder->diagnostics, SG_ERROR, node, "nodes", "pair %zu is the same node twice, '%s'",
                      builder->index + 1, gap->node[0].text);
    return false;
}

static sg_status build(struct sg_gap_builder *builder, const struct sg_setting *node, struct sg_gap *gap)
{
    struct spec spec = {0};
    sg_setting_fill(node, rows, &spec);
    snprintf(builder->name, sizeof builder->name, "%s-%s", spec.nodes.data[0], spec.nodes.data[1]);
    if (!add_pair(builder, node, &spec, gap)) return SG_OK;
    if (!read_normal(builder, node, spec.normal, gap->fixed.normal)) return SG_OK;
    bool given = sg_setting_given(node, "gap");
    double apart[SG_GAP_AXES];
    for (size_t d = 0; d < gap->dim; d++) apart[d] = gap->reference[gap->dim + d] - gap->reference[d];
    gap->straight = true;
    gap->fixed.gap = given ? spec.gap : sg_gap_dot(gap->dim, gap->fixed.normal, apart);
    gap->fixed.weight[0] = -1.0;
    gap->fixed.weight[1] = 1.0;
    gap->subject = given ? "gap" : "nodes";
    return SG_OK;
}

const struct sg_gap_ops sg_gap_pair = {
    .kind = {"pair", "a node against a node along a fixed direction", rows},
    .dim_low = 1,
    .dim_high = 3,
    .hint = "the node that comes first along the normal, in 1-D the one with the smaller coordinate, is "
            "named first",
    .open = open_sets,
    .build = build};
