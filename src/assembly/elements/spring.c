#include <math.h>

#include "assembly/elements/kinds.h"

struct spec {
    struct sg_texts nodes;
    double stiffness, length;
};

static const struct sg_keyword rows[] = {
    {.name = "nodes",
     .type = SG_TEXTS,
     .meaning = "the two nodes that it joins",
     .example = "[\"anchor\", \"mass\"]",
     .flags = SG_REQUIRED,
     .min_items = 2,
     .max_items = 2,
     .offset = offsetof(struct spec, nodes)},
    {.name = "stiffness",
     .type = SG_REAL,
     .unit = "N/m",
     .meaning = "k of the force k (l - length) along the line from node to node, l their distance",
     .example = "1000.0",
     .flags = SG_REQUIRED,
     .range = SG_NON_NEGATIVE,
     .offset = offsetof(struct spec, stiffness)},
    {.name = "length",
     .type = SG_REAL,
     .unit = "m",
     .meaning = "undeformed length; by default the distance of the nodes in the reference configuration",
     .example = "1.0",
     .range = SG_NON_NEGATIVE,
     .offset = offsetof(struct spec, length)},
    {0}};

double sg_spring_length(const double *x, size_t dim)
{
    double square = 0;
    for (size_t d = 0; d < dim; d++) square += (x[dim + d] - x[d]) * (x[dim + d] - x[d]);
    return sqrt(square);
}

/* unit vector from node to node, and their distance: 0 where there is no direction (then n = 0) */
static double direction(const struct sg_element *self, const double *x, double n[3])
{
    size_t dim = self->dof_count / 2;
    double length = sg_spring_length(x, dim), inverse = length > 0 ? 1 / length : 0;
    for (size_t d = 0; d < dim; d++) n[d] = (x[dim + d] - x[d]) * inverse;
    return length;
}

static void force(const struct sg_element *self, const struct sg_element_state *at, double *f)
{
    double n[3];
    size_t dim = self->dof_count / 2;
    double pull = self->parameter[SG_SPRING_STIFFNESS] *
                  (direction(self, at->x, n) - self->parameter[SG_SPRING_LENGTH]);
    for (size_t d = 0; d < dim; d++) {
        f[dim + d] = pull * n[d];
        f[d] = -f[dim + d];
    }
}

static double energy(const struct sg_element *self, const struct sg_element_state *at)
{
    double n[3], stretch = direction(self, at->x, n) - self->parameter[SG_SPRING_LENGTH];
    return self->parameter[SG_SPRING_STIFFNESS] * stretch * stretch / 2;
}

/* k (n n^T + (1 - l0/l) (I - n n^T)) between the nodes; without a direction that of l0 = 0 */
static void tangent(const struct sg_element *self, const struct sg_element_state *at, double *k, double *c)
{
    (void)c;
    double n[3], length = direction(self, at->x, n);
    size_t dim = self->dof_count / 2, size = self->dof_count;
    double across = length > 0 ? 1 - self->parameter[SG_SPRING_LENGTH] / length : 1;
    for (size_t i = 0; i < dim; i++)
        for (size_t j = 0; j < dim; j++) {
            double value =
                self->parameter[SG_SPRING_STIFFNESS] * ((i == j ? across : 0) + (1 - across) * n[i] * n[j]);
            k[i + j * size] = k[(dim + i) + (dim + j) * size] = value;
            k[(dim + i) + j * size] = k[i + (dim + j) * size] = -value;
        }
}

static sg_status build(struct sg_builder *builder, const struct sg_setting *node)
{
    struct spec spec = {0};
    sg_setting_fill(node, rows, &spec);
    struct sg_node_ref refs[2];
    if (!sg_element_find_nodes(builder, node, &spec.nodes, refs)) return SG_OK;
    size_t dim = builder->system->dim, first[2] = {refs[0].full_dof, refs[1].full_dof};
    struct sg_element element = sg_element_on_nodes(&sg_element_spring, first, 2, dim);
    double x[6];
    for (size_t d = 0; d < dim; d++) {
        x[d] = refs[0].position[d];
        x[dim + d] = refs[1].position[d];
    }
    element.parameter[SG_SPRING_STIFFNESS] = spec.stiffness;
    element.parameter[SG_SPRING_LENGTH] = isnan(spec.length) ? sg_spring_length(x, dim) : spec.length;
    if (spec.length > 0 && sg_spring_length(x, dim) == 0)
        sg_complain_about(
            builder->diagnostics, SG_WARNING, node, "nodes",
            "are at one place, where a spring of length %g m has no direction: it pulls only once "
            "they are apart",
            spec.length);
    sg_elements_add(&builder->system->elements, &element);
    return SG_OK;
}

const struct sg_element_ops sg_element_spring = {
    .kind = {.name = "spring", .meaning = "a spring or rod that turns with its nodes", .rows = rows},
    .build = build,
    .force = force,
    .energy = energy,
    .tangent = tangent,
};
