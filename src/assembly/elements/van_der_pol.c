#include <math.h>

#include "assembly/elements/kinds.h"

extern const struct sg_element_ops sg_element_van_der_pol;

struct spec {
    const char *node;
    int axis;
    double coefficient, scale, center;
};

static const struct sg_keyword rows[] = {
    {.name = "node",
     .type = SG_TEXT,
     .meaning = "node that it acts on: BODY.left, BODY.right, BODY.NUMBER, or BODY if it has one node",
     .example = "\"mass\"",
     .flags = SG_REQUIRED,
     .offset = offsetof(struct spec, node)},
    {.name = "axis",
     .type = SG_CHOICE,
     .meaning = "the node's coordinate x",
     .fallback = "\"x\"",
     .choices = "x|y|z",
     .offset = offsetof(struct spec, axis)},
    {.name = "coefficient",
     .type = SG_REAL,
     .unit = "N s/m",
     .meaning = "c of the resistance -c (1 - ((x - center)/scale)^2) x'; of the oscillator x'' - xi omega0 "
                "(1 - (x/x0)^2) x' + omega0^2 x = 0 that is xi omega0 times the mass, and a linear spring "
                "does the rest",
     .example = "5.0",
     .flags = SG_REQUIRED,
     .range = SG_NON_NEGATIVE,
     .offset = offsetof(struct spec, coefficient)},
    {.name = "scale",
     .type = SG_REAL,
     .unit = "m",
     .meaning = "distance from the center beyond which it takes energy; within it gives",
     .fallback = "1.0",
     .range = SG_POSITIVE,
     .offset = offsetof(struct spec, scale)},
    {.name = "center",
     .type = SG_REAL,
     .unit = "m",
     .meaning = "coordinate of the center; by default the node's own in the reference configuration",
     .example = "0.0",
     .offset = offsetof(struct spec, center)},
    {0}};

/* (x - center) / scale */
static double relative(const struct sg_element *self, const struct sg_element_state *at)
{
    return (at->x[0] - self->parameter[SG_VAN_DER_POL_CENTER]) / self->parameter[SG_VAN_DER_POL_SCALE];
}

static void force(const struct sg_element *self, const struct sg_element_state *at, double *f)
{
    double s = relative(self, at);
    f[0] = self->parameter[SG_VAN_DER_POL_COEFFICIENT] * (s * s - 1) * at->v[0];
}

static double power(const struct sg_element *self, const struct sg_element_state *at)
{
    double f = 0;
    force(self, at, &f);
    return f * at->v[0];
}

static void tangent(const struct sg_element *self, const struct sg_element_state *at, double *k, double *c)
{
    double s = relative(self, at), coefficient = self->parameter[SG_VAN_DER_POL_COEFFICIENT];
    k[0] = 2 * coefficient * s / self->parameter[SG_VAN_DER_POL_SCALE] * at->v[0];
    c[0] = coefficient * (s * s - 1);
}

static sg_status build(struct sg_builder *builder, const struct sg_setting *node)
{
    struct spec spec = {0};
    sg_setting_fill(node, rows, &spec);
    struct sg_node_name name = {spec.node, node, "node"};
    struct sg_node_ref ref = {0};
    bool fits = sg_element_check_axis(builder, node, spec.axis);
    if (!sg_system_find_node(builder->system, &name, builder->diagnostics, &ref) || !fits) return SG_OK;
    size_t axis = (size_t)spec.axis;
    struct sg_element element = {.ops = &sg_element_van_der_pol, .dof_count = 1};
    element.dof[0] = ref.full_dof + axis;
    element.parameter[SG_VAN_DER_POL_COEFFICIENT] = spec.coefficient;
    element.parameter[SG_VAN_DER_POL_SCALE] = spec.scale;
    element.parameter[SG_VAN_DER_POL_CENTER] = isnan(spec.center) ? ref.position[axis] : spec.center;
    sg_elements_add(&builder->system->elements, &element);
    return SG_OK;
}

const struct sg_element_ops sg_element_van_der_pol = {
    .kind = {.name = "van_der_pol",
             .meaning = "a damper on one coordinate of a node that gives energy near its center and takes it "
                        "farther out (Di Stasio et al., eq. 36)",
             .rows = rows},
    .build = build,
    .force = force,
    .power = power,
    .tangent = tangent,
};
