#include <math.h>
#include <stdio.h>

#include "contact/gaps/gap.h"

enum geometry { CURRENT, REFERENCE };
enum { SLAVE, FIRST, SECOND };

struct spec {
    const char *node;
    struct sg_texts segment;
    int side, geometry;
    double distance, gap, fraction;
};

static const struct sg_keyword rows[] = {
    {.name = "node",
     .type = SG_TEXT,
     .flags = SG_REQUIRED,
     .meaning = "the node that may touch: BODY.left, BODY.right, BODY.NUMBER, or BODY if it has one node",
     .example = "\"upper.0\"",
     .offset = offsetof(struct spec, node)},
    {.name = "segment",
     .type = SG_TEXTS,
     .flags = SG_REQUIRED,
     .min_items = 2,
     .max_items = 2,
     .meaning = "the two nodes of the segment",
     .example = "[\"lower.0\", \"lower.1\"]",
     .offset = offsetof(struct spec, segment)},
    {.name = "side",
     .type = SG_CHOICE,
     .choices = "left|right",
     .fallback = "\"left\"",
     .meaning = "where the node is free, seen from the first node of the segment to the second; in models "
                "with one coordinate left is above, right below",
     .offset = offsetof(struct spec, side)},
    {.name = "geometry",
     .type = SG_CHOICE,
     .choices = "current|reference",
     .fallback = "\"current\"",
     .meaning = "place and normal on the segment: of the present configuration, where beyond an end the gap "
                "is the distance from that end; or as they are without displacement",
     .offset = offsetof(struct spec, geometry)},
    {.name = "distance",
     .type = SG_REAL,
     .unit = "m",
     .fallback = "0.0",
     .meaning = "distance at which they touch: the sum of half the thicknesses",
     .range = SG_NON_NEGATIVE,
     .offset = offsetof(struct spec, distance)},
    {.name = "gap",
     .type = SG_REAL,
     .unit = "m",
     .meaning = "gap at zero displacement, instead of that of the positions; reference geometry only",
     .range = SG_ANY,
     .example = "0.01",
     .offset = offsetof(struct spec, gap)},
    {.name = "fraction",
     .type = SG_REAL,
     .unit = "1",
     .meaning = "place on the segment, 0 at its first node and 1 at its second, instead of the node's "
                "projection; reference geometry only",
     .range = SG_BETWEEN(0, 1),
     .example = "0.25",
     .offset = offsetof(struct spec, fraction)},
    {0}};

/* --- present configuration ------------------------------------------------------------------------ */

/* from end `node` of the segment to the slave */
static void arm(const struct sg_gap *gap, const double *x, size_t node, double *r)
{
    for (size_t d = 0; d < gap->dim; d++) r[d] = x[SLAVE * gap->dim + d] - x[node * gap->dim + d];
}

/* normal (the side's), length and where the slave projects, in lengths; 0 on a segment without length */
static double project(const struct sg_gap *gap, const double *x, double *normal)
{
    double along[SG_GAP_AXES] = {0}, r[SG_GAP_AXES] = {0};
    for (size_t d = 0; d < 2; d++) along[d] = x[2 * SECOND + d] - x[2 * FIRST + d];
    double length = sg_gap_normalize(2, along);
    normal[0] = -gap->sign * along[1];
    normal[1] = gap->sign * along[0];
    arm(gap, x, FIRST, r);
    double z = sg_gap_dot(2, along, r) / length;
    return isfinite(z) ? z : 0.0;
}

static void set_weights(double z, struct sg_gap_value *value)
{
    value->weight[SLAVE] = 1.0;
    value->weight[FIRST] = -(1.0 - z);
    value->weight[SECOND] = -z;
}

/* Beyond an end a node that is below is not inside anything: its distance is open, not an overlap. */
static void at_end(const struct sg_gap *gap, const double *x, size_t end, struct sg_gap_value *value)
{
    double r[SG_GAP_AXES] = {0};
    arm(gap, x, end, r);
    double length = sg_gap_normalize(gap->dim, r);
    for (size_t d = 0; d < gap->dim && length > 0.0; d++) value->normal[d] = r[d];
    value->gap = length - gap->size;
    set_weights(end == FIRST ? 0.0 : 1.0, value);
}

static void at(const struct sg_gap *gap, const double *x, struct sg_gap_value *value)
{
    double r[SG_GAP_AXES] = {0}, z = project(gap, x, value->normal);
    if (z < 0.0 || z > 1.0) {
        at_end(gap, x, z < 0.0 ? FIRST : SECOND, value);
        return;
    }
    arm(gap, x, FIRST, r);
    value->gap = sg_gap_dot(gap->dim, value->normal, r) - gap->size;
    set_weights(z, value);
}

/* --- reference configuration ---------------------------------------------------------------------- */

static void complain(struct sg_gap_builder *builder, const struct sg_setting *node, const char *keyword,
                     const char *message)
{
    sg_complain_about(builder->diagnostics, SG_ERROR, node, keyword, "%s", message);
}

/* Finds where the node stands on the segment; false, with a finding, if that is nowhere. */
static bool find_fraction(struct sg_gap_builder *builder, const struct sg_setting *node, double given,
                          struct sg_gap *gap, double *z)
{
    bool by_deck = sg_setting_given(node, "fraction");
    *z = given;
    gap->fixed.normal[0] = gap->sign;
    if (gap->dim == 1 && !by_deck)
        complain(builder, node, "fraction", "is needed in a model with one coordinate");
    if (gap->dim == 1) return by_deck;
    double projected = project(gap, gap->reference, gap->fixed.normal);
    if (by_deck) return true;
    *z = fmin(fmax(projected, 0.0), 1.0);
    /* positions come from sums: allow their rounding */
    if (fabs(projected - *z) <= 1e-9) return true;
    sg_complain_about(builder->diagnostics, SG_ERROR, node, "segment",
                      "'%s' stands beyond the ends: at %g of the length", gap->node[SLAVE].text, projected);
    return false;
}

static bool is_degenerate(struct sg_gap_builder *builder, const struct sg_setting *node,
                          const struct sg_gap *gap)
{
    const double *a = gap->reference + FIRST * gap->dim, *b = gap->reference + SECOND * gap->dim;
    if (gap->dim == 1 || a[0] != b[0] || a[1] != b[1]) return false;
    complain(builder, node, "segment", "has no length");
    return true;
}

static void build_reference(struct sg_gap_builder *builder, const struct sg_setting *node,
                            const struct spec *spec, struct sg_gap *gap)
{
    double z = 0.0;
    gap->straight = true;
    bool by_gap = sg_setting_given(node, "gap");
    if (by_gap && spec->distance != 0)
        sg_complain(builder->diagnostics, SG_ERROR, node, "give either 'gap' or 'distance', not both");
    if (!find_fraction(builder, node, spec->fraction, gap, &z)) return;
    set_weights(z, &gap->fixed);
    gap->fixed.gap = by_gap ? spec->gap : -spec->distance;
    for (size_t i = 0; i < gap->node_count && !by_gap; i++)
        gap->fixed.gap +=
            gap->fixed.weight[i] * sg_gap_dot(gap->dim, gap->fixed.normal, gap->reference + i * gap->dim);
}

static void build_current(struct sg_gap_builder *builder, const struct sg_setting *node, struct sg_gap *gap)
{
    static const char *const words[] = {"gap", "fraction"};
    for (size_t i = 0; i < 2; i++)
        if (sg_setting_given(node, words[i]))
            complain(builder, node, words[i], "goes with geometry = \"reference\" only");
    if (gap->dim == 1)
        complain(builder, node, "geometry", "must be \"reference\" in a model with one coordinate");
}

static sg_status build(struct sg_gap_builder *builder, const struct sg_setting *node, struct sg_gap *gap)
{
    struct spec spec = {0};
    sg_setting_fill(node, rows, &spec);
    snprintf(builder->name, sizeof builder->name, "%s-%s-%s", spec.node, spec.segment.data[0],
             spec.segment.data[1]);
    gap->size = spec.distance;
    gap->sign = spec.side == 0 ? 1.0 : -1.0;
    gap->subject = sg_setting_given(node, "gap") ? "gap" : "segment";
    bool found = sg_gap_add_node(builder, &(struct sg_node_name){spec.node, node, "node"}, gap);
    found = sg_gap_add_two(builder, node, "segment", spec.segment, gap) && found;
    if (!found || is_degenerate(builder, node, gap)) return SG_OK;
    if (spec.geometry == REFERENCE)
        build_reference(builder, node, &spec, gap);
    else
        build_current(builder, node, gap);
    return SG_OK;
}

const struct sg_gap_ops sg_gap_segment = {
    .kind = {"segment", "a node against the segment between two nodes", rows},
    .dim_low = 1,
    .dim_high = 2,
    .hint =
        "side = \"left\" (the default) is the one on the left when going from the first node to the second",
    .build = build,
    .at = at,
    .no_hessian = true};
