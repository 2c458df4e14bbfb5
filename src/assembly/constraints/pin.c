#include "assembly/constraints/kinds.h"

struct spec {
    struct sg_attachment_spec at;
};

static const struct sg_keyword rows[] = {
    SG_NODES_ROW(0, "the one node, or the two, whose points are pinned together"),
    SG_ARMS_ROW(0),
    SG_POINT_ROW(0, "the fixed point that a single node is pinned to; by default where its own point starts"),
    {0}};

static sg_status build(struct sg_constraint_builder *builder, const struct sg_setting *node,
                       struct sg_constraint *self)
{
    static const char *const names[] = {"x", "y", "z"};
    struct spec spec = {0};
    bool built = false;
    sg_setting_fill(node, rows, &spec);
    TRY(sg_attachments_build(builder, node, &spec.at, self, &built));
    if (!built) return SG_OK;
    self->rows = self->dim;
    self->affine = !sg_attachments_turn(self);
    for (size_t d = 0; d < SG_CONSTRAINT_ROWS && d < self->dim && self->dim > 1; d++)
        self->row_names[d] = names[d];
    self->open = spec.at.nodes.count == 1 && spec.at.point.data == NULL;
    return SG_OK;
}

static void settle(struct sg_constraint *self, const double *x)
{
    struct sg_attached at;
    sg_attachment_at(self, 0, x, &at);
    for (size_t d = 0; d < self->dim; d++) self->point[1].arm[d] = at.x[d];
}

static void at(const struct sg_constraint *self, const double *x, struct sg_constraint_value *value)
{
    struct sg_attached a, b;
    sg_attachment_at(self, 0, x, &a);
    sg_attachment_at(self, 1, x, &b);
    for (size_t d = 0; d < self->dim; d++) {
        double along[3] = {0}, against[3] = {0};
        along[d] = 1;
        against[d] = -1;
        value->g[d] = a.x[d] - b.x[d];
        sg_attachment_gradient(self, 0, &a, along, value->gradient[d]);
        sg_attachment_gradient(self, 1, &b, against, value->gradient[d]);
    }
}

static void second(const struct sg_constraint *self, const double *x, double *h)
{
    struct sg_attached a, b;
    sg_attachment_at(self, 0, x, &a);
    sg_attachment_at(self, 1, x, &b);
    for (size_t d = 0; d < self->dim; d++, h += self->dof_count * self->dof_count) {
        double along[3] = {0}, against[3] = {0};
        along[d] = 1;
        against[d] = -1;
        sg_attachment_second(self, 0, &a, along, h);
        sg_attachment_second(self, 1, &b, against, h);
    }
}

const struct sg_constraint_ops sg_constraint_pin = {
    .kind = {.name = "pin",
             .meaning =
                 "two points coincide, or one stays where it is: a row a coordinate, first point minus "
                 "second",
             .rows = rows},
    .build = build,
    .settle = settle,
    .at = at,
    .second = second,
};
