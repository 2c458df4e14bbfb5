#include <math.h>

#include "assembly/constraints/kinds.h"

/* parameter[0]: the distance, m; parameter[1], in 1-D: the side, 1 or -1 */
struct spec {
    struct sg_attachment_spec at;
    double length;
};

#define LENGTH_ROW                                                                                           \
    {                                                                                                        \
        .name = "length", .type = SG_REAL, .unit = "m", .example = "1.0", .range = SG_POSITIVE,              \
        .meaning = "the distance; by default the one at the start", .offset = offsetof(struct spec, length)  \
    }

static const struct sg_keyword rod_rows[] = {
    SG_NODES_ROW(0, "the nodes at the rod's ends, or the one whose partner is a fixed point"),
    SG_POINT_ROW(0, "the fixed end of a rod with one node"),
    LENGTH_ROW,
    {0}};

static const struct sg_keyword distance_rows[] = {
    SG_NODES_ROW(0, "the two nodes whose points keep their distance, or the one whose partner is fixed"),
    SG_ARMS_ROW(0),
    SG_POINT_ROW(0, "the fixed point that a single node's keeps its distance from"),
    LENGTH_ROW,
    {0}};

static sg_status build(struct sg_constraint_builder *builder, const struct sg_setting *node,
                       struct sg_constraint *self)
{
    struct spec spec = {0};
    bool built = false;
    sg_setting_fill(node, self->ops->kind.rows, &spec);
    TRY(sg_attachments_build(builder, node, &spec.at, self, &built));
    if (!built) return SG_OK;
    if (self->point[1].fixed && spec.at.point.data == NULL) {
        sg_complain(builder->model->diagnostics, SG_ERROR, node,
                    "needs a second node, or the 'point' that '%.100s' keeps its distance from",
                    spec.at.nodes.data[0]);
        return SG_OK;
    }
    self->rows = 1;
    self->affine = self->dim == 1;
    self->parameter[0] = spec.length;
    self->open = true;
    return SG_OK;
}

/* unit vector from the second point to the first, and their distance: e_1 where there is no direction */
static double direction(const struct sg_constraint *self, const struct sg_attached at[2], double n[3])
{
    double square = 0;
    for (size_t d = 0; d < self->dim; d++) {
        n[d] = at[0].x[d] - at[1].x[d];
        square += n[d] * n[d];
    }
    double length = sqrt(square);
    for (size_t d = 0; d < self->dim; d++) n[d] = length > 0 ? n[d] / length : d == 0;
    return length;
}

static void attach(const struct sg_constraint *self, const double *x, struct sg_attached at[2])
{
    sg_attachment_at(self, 0, x, &at[0]);
    sg_attachment_at(self, 1, x, &at[1]);
}

static void settle(struct sg_constraint *self, const double *x)
{
    struct sg_attached at[2];
    double n[3];
    attach(self, x, at);
    double length = direction(self, at, n);
    if (isnan(self->parameter[0])) self->parameter[0] = length;
    self->parameter[1] = n[0];
}

/* Points that coincide have no direction that could be kept from; on a line they have. */
static const char *flaw(const struct sg_constraint *self, const double *x)
{
    struct sg_attached at[2];
    double n[3], size = 0;
    attach(self, x, at);
    for (size_t d = 0; d < self->dim; d++) size += fabs(at[0].x[d]) + fabs(at[1].x[d]);
    if (self->dim == 1 || direction(self, at, n) > 1e-9 * size) return NULL;
    return "joins points that coincide at the start: a distance needs a direction, use a pin";
}

static void at(const struct sg_constraint *self, const double *x, struct sg_constraint_value *value)
{
    struct sg_attached points[2];
    double n[3], against[3];
    attach(self, x, points);
    double length = direction(self, points, n);
    if (self->dim == 1) { /* on a line the ends can't pass one another */
        n[0] = self->parameter[1];
        length = n[0] * (points[0].x[0] - points[1].x[0]);
    }
    for (size_t d = 0; d < self->dim; d++) against[d] = -n[d];
    value->g[0] = length - self->parameter[0];
    sg_attachment_gradient(self, 0, &points[0], n, value->gradient[0]);
    sg_attachment_gradient(self, 1, &points[1], against, value->gradient[0]);
}

/* (I - n n^T) / length between the points, by the chain rule, and what their rotations bend */
static void second(const struct sg_constraint *self, const double *x, double *h)
{
    struct sg_attached points[2];
    double n[3], against[3];
    attach(self, x, points);
    double length = direction(self, points, n), inverse = length > 0 ? 1 / length : 0;
    for (size_t d = 0; d < self->dim; d++) {
        double row[SG_CONSTRAINT_DOFS] = {0}, along[3] = {0};
        for (size_t k = 0; k < self->dim; k++) along[k] = (k == d) - n[d] * n[k];
        for (size_t k = 0; k < self->dim; k++) against[k] = -along[k];
        sg_attachment_gradient(self, 0, &points[0], along, row);
        sg_attachment_gradient(self, 1, &points[1], against, row);
        for (size_t i = 0; i < self->dof_count; i++)
            for (size_t j = 0; j < self->dof_count; j++)
                h[i + j * self->dof_count] += inverse * row[i] * row[j];
    }
    for (size_t d = 0; d < self->dim; d++) against[d] = -n[d];
    sg_attachment_second(self, 0, &points[0], n, h);
    sg_attachment_second(self, 1, &points[1], against, h);
}

const struct sg_constraint_ops sg_constraint_rod = {
    .kind = {.name = "rod",
             .meaning = "a rigid rod without mass between two nodes, or from a node to a fixed point",
             .rows = rod_rows},
    .build = build,
    .settle = settle,
    .flaw = flaw,
    .at = at,
    .second = second,
};

const struct sg_constraint_ops sg_constraint_distance = {
    .kind = {.name = "distance",
             .meaning = "two points of bodies that turn, or one and a fixed point, keep their distance",
             .rows = distance_rows},
    .build = build,
    .settle = settle,
    .flaw = flaw,
    .at = at,
    .second = second,
};
