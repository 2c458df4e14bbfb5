/* The line passes through the second point, along a direction that turns with the second node; n is its left
 * normal and
 *
 *     g_0 = n . (first point - second point),   g_1 = rotation of the first node - that of the second -
 * angle.
 */
#include <math.h>
#include <stdint.h>

#include "assembly/constraints/kinds.h"

extern const struct sg_constraint_ops sg_constraint_prismatic;

enum { NORMAL_X, NORMAL_Y, PARAMETERS }; /* n where the second node's rotation is 0 */

struct spec {
    struct sg_attachment_spec at;
    struct sg_reals direction;
};

#define LINE_ROWS                                                                                            \
    SG_ARMS_ROW(0), SG_POINT_ROW(0, "a fixed point of the line, where 'nodes' names one"),                   \
    {                                                                                                        \
        .name = "direction", .type = SG_REALS, .unit = "1", .flags = SG_REQUIRED, .example = "[1.0, 0.0]",   \
        .min_items = 2, .max_items = 2,                                                                      \
        .meaning = "direction of the line, in the axes of the second node; of any length",                   \
        .offset = offsetof(struct spec, direction)                                                           \
    }

static const struct sg_keyword slot_rows[] = {
    SG_NODES_ROW(0, "the node whose point slides, and the one that has the line; or the first alone"),
    LINE_ROWS,
    {0}};

static const struct sg_keyword prismatic_rows[] = {
    SG_NODES_ROW(0, "the node that slides, and the one that has the line; or the first alone"),
    LINE_ROWS,
    {0}};

static size_t rotation_of(const struct sg_constraint *self, size_t k)
{
    return self->point[k].base + self->dim;
}

/* a node that a keyword of the deck needs to turn */
static bool check_rotation(const struct sg_constraint_builder *builder, const struct sg_setting *node,
                           const struct sg_constraint *self, const struct spec *spec)
{
    size_t second = self->point[1].fixed ? self->dof_count : self->point[1].base;
    bool turns[2] = {second > self->dim, self->dof_count - second > self->dim};
    for (size_t k = self->ops->keeps_rotation ? 0 : 1; k < 2 && k < spec->at.nodes.count; k++) {
        if (turns[k]) continue;
        sg_complain_about(builder->model->diagnostics, SG_ERROR, node, "nodes",
                          "'%.100s' has no rotation: it can't %s", spec->at.nodes.data[k],
                          k == 0 ? "keep it" : "carry a line");
        return false;
    }
    return true;
}

static bool set_line(const struct sg_constraint_builder *builder, const struct sg_setting *node,
                     const struct spec *spec, struct sg_constraint *self)
{
    const double *line = spec->direction.data;
    double length = hypot(line[0], line[1]);
    if (!(length > 0 && isfinite(length))) {
        sg_complain_about(builder->model->diagnostics, SG_ERROR, node, "direction",
                          "has the length %g: it points nowhere", length);
        return false;
    }
    if (self->point[1].fixed && spec->at.point.data == NULL) {
        sg_complain(builder->model->diagnostics, SG_ERROR, node,
                    "needs a second node that has the line, or a fixed 'point' of it");
        return false;
    }
    self->parameter[NORMAL_X] = -line[1] / length;
    self->parameter[NORMAL_Y] = line[0] / length;
    return true;
}

static sg_status build(struct sg_constraint_builder *builder, const struct sg_setting *node,
                       struct sg_constraint *self)
{
    static const char *const names[] = {"across", "rotation"};
    struct spec spec = {0};
    bool built = false;
    sg_setting_fill(node, self->ops->kind.rows, &spec);
    if (builder->model->system->dim != 2) {
        sg_complain(builder->model->diagnostics, SG_ERROR, node,
                    "needs a model in a plane, and this one is %zu-D", builder->model->system->dim);
        return SG_OK;
    }
    TRY(sg_attachments_build(builder, node, &spec.at, self, &built));
    if (!built || !check_rotation(builder, node, self, &spec) || !set_line(builder, node, &spec, self))
        return SG_OK;
    self->rows = self->ops->keeps_rotation ? 2 : 1;
    self->affine = self->point[1].fixed && !self->point[0].turns;
    self->open = self->ops->keeps_rotation;
    for (size_t k = 0; k < self->rows && self->rows > 1; k++) self->row_names[k] = names[k];
    return SG_OK;
}

static double relative_rotation(const struct sg_constraint *self, const double *x)
{
    return x[rotation_of(self, 0)] - (self->point[1].fixed ? 0 : x[rotation_of(self, 1)]);
}

static void settle(struct sg_constraint *self, const double *x)
{
    self->value = relative_rotation(self, x);
}

struct line {
    struct sg_attached at[2];
    double n[2], along[2]; /* dn/d(rotation) = -along: the direction of the line is (n_y, -n_x) */
    double apart[2];       /* first point minus second */
};

static void line_at(const struct sg_constraint *self, const double *x, struct line *line)
{
    const double *p = self->parameter;
    double angle = self->point[1].fixed ? 0 : x[rotation_of(self, 1)], c = cos(angle), s = sin(angle);
    for (size_t k = 0; k < 2; k++) sg_attachment_at(self, k, x, &line->at[k]);
    line->n[0] = c * p[NORMAL_X] - s * p[NORMAL_Y];
    line->n[1] = s * p[NORMAL_X] + c * p[NORMAL_Y];
    line->along[0] = line->n[1];
    line->along[1] = -line->n[0];
    for (size_t d = 0; d < 2; d++) line->apart[d] = line->at[0].x[d] - line->at[1].x[d];
}

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1];
}

static void at(const struct sg_constraint *self, const double *x, struct sg_constraint_value *value)
{
    struct line line;
    line_at(self, x, &line);
    double against[2] = {-line.n[0], -line.n[1]};
    value->g[0] = dot(line.n, line.apart);
    sg_attachment_gradient(self, 0, &line.at[0], line.n, value->gradient[0]);
    sg_attachment_gradient(self, 1, &line.at[1], against, value->gradient[0]);
    bool fixed = self->point[1].fixed;
    if (!fixed) value->gradient[0][rotation_of(self, 1)] -= dot(line.along, line.apart);
    if (!self->ops->keeps_rotation) return;
    value->g[1] = relative_rotation(self, x) - self->value;
    value->gradient[1][rotation_of(self, 0)] = 1;
    if (!fixed) value->gradient[1][rotation_of(self, 1)] = -1;
}

/* With phi the rotation of the second node: n' = -along, n'' = -n; what is left is the bend of the points. */
static void second(const struct sg_constraint *self, const double *x, double *h)
{
    struct line line;
    double row[SG_CONSTRAINT_DOFS] = {0}, against[2], turned[2], back[2];
    line_at(self, x, &line);
    for (size_t d = 0; d < 2; d++) {
        against[d] = -line.n[d];
        turned[d] = -line.along[d];
        back[d] = line.along[d];
    }
    sg_attachment_second(self, 0, &line.at[0], line.n, h);
    sg_attachment_second(self, 1, &line.at[1], against, h);
    if (self->point[1].fixed) return;
    sg_attachment_gradient(self, 0, &line.at[0], turned, row);
    sg_attachment_gradient(self, 1, &line.at[1], back, row);
    size_t phi = rotation_of(self, 1), size = self->dof_count;
    for (size_t k = 0; k < size; k++) {
        h[k + phi * size] += row[k];
        h[phi + k * size] += row[k];
    }
    h[phi * (size + 1)] -= dot(line.n, line.apart);
}

const struct sg_constraint_ops sg_constraint_slot = {
    .kind = {.name = "slot",
             .meaning = "a point slides on a line, fixed or on another body: a pin in a slot",
             .rows = slot_rows},
    .build = build,
    .settle = settle,
    .at = at,
    .second = second,
};

const struct sg_constraint_ops sg_constraint_prismatic = {
    .kind = {.name = "prismatic",
             .meaning = "a body slides on a line, fixed or on another body, and keeps its rotation to it",
             .rows = prismatic_rows},
    .build = build,
    .settle = settle,
    .at = at,
    .second = second,
    .keeps_rotation = true,
};
