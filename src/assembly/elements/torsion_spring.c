#include <math.h>

#include "assembly/elements/kinds.h"
#include "support/constants.h"

enum { SIZE = 6 };

struct spec {
    struct sg_texts nodes;
    double stiffness, angle;
};

static const struct sg_keyword rows[] = {
    {.name = "nodes",
     .type = SG_TEXTS,
     .meaning = "three nodes a, b, c: the rods a-b and b-c meet at b",
     .example = "[\"arch.0\", \"arch.1\", \"arch.2\"]",
     .flags = SG_REQUIRED,
     .min_items = 3,
     .max_items = 3,
     .offset = offsetof(struct spec, nodes)},
    {.name = "stiffness",
     .type = SG_REAL,
     .unit = "N m/rad",
     .meaning = "kappa of the energy kappa/2 (beta - angle)^2, beta the angle in (-pi, pi] from a-b to b-c",
     .example = "0.01",
     .flags = SG_REQUIRED,
     .range = SG_NON_NEGATIVE,
     .offset = offsetof(struct spec, stiffness)},
    {.name = "angle",
     .type = SG_REAL,
     .unit = "rad",
     .meaning = "undeformed angle; by default that of the reference configuration",
     .example = "0.0",
     .range = SG_BETWEEN(-SG_PI, SG_PI),
     .offset = offsetof(struct spec, angle)},
    {0}};

/* a rod from one node to the next */
struct rod {
    double x, y;
    double inverse; /* 1 / length^2; 0 where there is none: such a rod has no direction to turn */
};

static struct rod rod_of(const double *x)
{
    struct rod rod = {x[2] - x[0], x[3] - x[1], 0};
    double square = rod.x * rod.x + rod.y * rod.y;
    if (square > 0) rod.inverse = 1 / square;
    return rod;
}

double sg_torsion_angle(const double x[SIZE])
{
    struct rod p = rod_of(x), q = rod_of(x + 2);
    return atan2(p.x * q.y - p.y * q.x, p.x * q.x + p.y * q.y);
}

/* the angle turns by J r / |r|^2 when the tip of a rod r moves, J the quarter turn to the left */
static void gradient(const double *x, double *g)
{
    struct rod p = rod_of(x), q = rod_of(x + 2);
    g[0] = -p.y * p.inverse;
    g[1] = p.x * p.inverse;
    g[4] = -q.y * q.inverse;
    g[5] = q.x * q.inverse;
    g[2] = -g[0] - g[4];
    g[3] = -g[1] - g[5];
}

static void force(const struct sg_element *self, const struct sg_element_state *at, double *f)
{
    double bend = sg_torsion_angle(at->x) - self->parameter[SG_TORSION_ANGLE];
    gradient(at->x, f);
    for (size_t i = 0; i < SIZE; i++) f[i] *= self->parameter[SG_TORSION_STIFFNESS] * bend;
}

static double energy(const struct sg_element *self, const struct sg_element_state *at)
{
    double bend = sg_torsion_angle(at->x) - self->parameter[SG_TORSION_ANGLE];
    return self->parameter[SG_TORSION_STIFFNESS] * bend * bend / 2;
}

/* adds s times the second derivative of a rod's direction, the rod from node `tail` to the next */
static void add_rod(const struct rod *rod, double s, size_t tail, double *k)
{
    double square = s * rod->inverse * rod->inverse;
    double h[2][2] = {{2 * rod->x * rod->y * square, (rod->y - rod->x) * (rod->y + rod->x) * square}};
    h[1][0] = h[0][1];
    h[1][1] = -h[0][0];
    for (size_t i = 0; i < 2; i++)
        for (size_t j = 0; j < 2; j++) {
            size_t a = 2 * tail + i, b = 2 * tail + j;
            k[a + b * SIZE] += h[i][j];
            k[a + 2 + (b + 2) * SIZE] += h[i][j];
            k[a + 2 + b * SIZE] -= h[i][j];
            k[a + (b + 2) * SIZE] -= h[i][j];
        }
}

static void tangent(const struct sg_element *self, const struct sg_element_state *at, double *k, double *c)
{
    (void)c;
    double g[SIZE], kappa = self->parameter[SG_TORSION_STIFFNESS];
    double moment = kappa * (sg_torsion_angle(at->x) - self->parameter[SG_TORSION_ANGLE]);
    struct rod p = rod_of(at->x), q = rod_of(at->x + 2);
    gradient(at->x, g);
    for (size_t i = 0; i < SIZE; i++)
        for (size_t j = 0; j < SIZE; j++) k[i + j * SIZE] = kappa * g[i] * g[j];
    add_rod(&p, -moment, 0, k);
    add_rod(&q, moment, 1, k);
}

static sg_status build(struct sg_builder *builder, const struct sg_setting *node)
{
    struct spec spec = {0};
    sg_setting_fill(node, rows, &spec);
    if (builder->system->dim != 2) {
        sg_complain_about(builder->diagnostics, SG_ERROR, node, "type",
                          "a torsion spring needs a model in 2 dimensions, and this one has %zu",
                          builder->system->dim);
        return SG_OK;
    }
    struct sg_node_ref refs[3];
    if (!sg_element_find_nodes(builder, node, &spec.nodes, refs)) return SG_OK;
    size_t first[3];
    double x[SIZE];
    for (size_t i = 0; i < 3; i++) {
        first[i] = refs[i].full_dof;
        x[2 * i] = refs[i].position[0];
        x[2 * i + 1] = refs[i].position[1];
    }
    if (sg_spring_length(x, 2) == 0 || sg_spring_length(x + 2, 2) == 0)
        sg_complain_about(builder->diagnostics, SG_WARNING, node, "nodes",
                          "two in a row are at one place: a rod without length has no direction to turn");
    struct sg_element element = sg_element_on_nodes(&sg_element_torsion_spring, first, 3, 2);
    element.parameter[SG_TORSION_STIFFNESS] = spec.stiffness;
    element.parameter[SG_TORSION_ANGLE] = isnan(spec.angle) ? sg_torsion_angle(x) : spec.angle;
    sg_elements_add(&builder->system->elements, &element);
    return SG_OK;
}

const struct sg_element_ops sg_element_torsion_spring = {
    .kind = {.name = "torsion_spring",
             .meaning = "a spring that resists the turning of two rods against each other, in 2-D",
             .rows = rows},
    .build = build,
    .force = force,
    .energy = energy,
    .tangent = tangent,
};
