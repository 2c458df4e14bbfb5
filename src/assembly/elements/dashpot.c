#include <math.h>

#include "assembly/elements/kinds.h"

extern const struct sg_element_ops sg_element_dashpot;

struct spec {
    struct sg_texts nodes;
    const char *node;
    int axis;
    double coefficient, exponent;
};

static const struct sg_keyword rows[] = {
    {.name = "nodes",
     .type = SG_TEXTS,
     .meaning = "the two nodes that it joins; or give node",
     .example = "[\"masses.0\", \"masses.1\"]",
     .min_items = 2,
     .max_items = 2,
     .offset = offsetof(struct spec, nodes)},
    {.name = "node",
     .type = SG_TEXT,
     .meaning = "the node that it joins to the ground; or give nodes",
     .example = "\"mass\"",
     .offset = offsetof(struct spec, node)},
    {.name = "axis",
     .type = SG_CHOICE,
     .meaning = "direction in which it acts, fixed in space",
     .fallback = "\"x\"",
     .choices = "x|y|z",
     .offset = offsetof(struct spec, axis)},
    {.name = "coefficient",
     .type = SG_REAL,
     .unit = "N (s/m)^p",
     .meaning = "c of the resistance c |v|^p sign(v), v the velocity of its ends against each other",
     .example = "10.0",
     .flags = SG_REQUIRED,
     .range = SG_NON_NEGATIVE,
     .offset = offsetof(struct spec, coefficient)},
    {.name = "exponent",
     .type = SG_REAL,
     .unit = "1",
     .meaning = "p: 1 is viscous, 2 a throttle",
     .fallback = "2.0",
     .range = SG_AT_LEAST(1),
     .offset = offsetof(struct spec, exponent)},
    {0}};

/* m/s, of the last end against the first, or against the ground */
static double rate(const struct sg_element *self, const struct sg_element_state *at)
{
    return self->dof_count == 1 ? at->v[0] : at->v[1] - at->v[0];
}

static double resistance(const struct sg_element *self, double v)
{
    double p = self->parameter[SG_DASHPOT_EXPONENT];
    return copysign(self->parameter[SG_DASHPOT_COEFFICIENT] * pow(fabs(v), p), v);
}

static void force(const struct sg_element *self, const struct sg_element_state *at, double *f)
{
    double value = resistance(self, rate(self, at));
    f[self->dof_count - 1] = value;
    if (self->dof_count == 2) f[0] = -value;
}

static double power(const struct sg_element *self, const struct sg_element_state *at)
{
    double v = rate(self, at);
    return resistance(self, v) * v;
}

static void tangent(const struct sg_element *self, const struct sg_element_state *at, double *k, double *c)
{
    (void)k;
    double p = self->parameter[SG_DASHPOT_EXPONENT];
    double slope = self->parameter[SG_DASHPOT_COEFFICIENT] * p * pow(fabs(rate(self, at)), p - 1);
    c[0] = slope;
    if (self->dof_count == 1) return;
    c[1] = c[2] = -slope;
    c[3] = slope;
}

/* the nodes that it joins; 0 with findings */
static size_t find_ends(struct sg_builder *builder, const struct sg_setting *node, const struct spec *spec,
                        struct sg_node_ref refs[2])
{
    bool pair = spec->nodes.data != NULL, single = spec->node != NULL;
    if (pair == single) {
        sg_complain(builder->diagnostics, SG_ERROR, node, "give either 'nodes' or 'node'%s",
                    pair ? ", not both" : "");
        return 0;
    }
    if (pair) return sg_element_find_nodes(builder, node, &spec->nodes, refs) ? 2 : 0;
    struct sg_node_name name = {spec->node, node, "node"};
    return sg_system_find_node(builder->system, &name, builder->diagnostics, &refs[0]) ? 1 : 0;
}

static sg_status build(struct sg_builder *builder, const struct sg_setting *node)
{
    struct spec spec = {0};
    sg_setting_fill(node, rows, &spec);
    struct sg_node_ref refs[2];
    bool fits = sg_element_check_axis(builder, node, spec.axis);
    size_t ends = find_ends(builder, node, &spec, refs);
    if (ends == 0 || !fits) return SG_OK;
    struct sg_element element = {.ops = &sg_element_dashpot, .dof_count = ends};
    for (size_t i = 0; i < ends; i++) element.dof[i] = refs[i].full_dof + (size_t)spec.axis;
    element.parameter[SG_DASHPOT_COEFFICIENT] = spec.coefficient;
    element.parameter[SG_DASHPOT_EXPONENT] = spec.exponent;
    sg_elements_add(&builder->system->elements, &element);
    return SG_OK;
}

const struct sg_element_ops sg_element_dashpot = {
    .kind = {.name = "dashpot",
             .meaning = "a damper along one axis whose force is a power of the velocity",
             .rows = rows},
    .build = build,
    .force = force,
    .power = power,
    .tangent = tangent,
};
