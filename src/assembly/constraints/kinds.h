/* The kinds of bilateral constraints and what they share. A new kind is one file that defines an
 * sg_constraint_ops, and one line in registry.c. All numbers of dofs are full ones.
 *
 * A point of a node that turns is X + u + R(theta) arm. */
#ifndef SG_ASSEMBLY_CONSTRAINTS_KINDS_H
#define SG_ASSEMBLY_CONSTRAINTS_KINDS_H

#include <stdbool.h>
#include <stddef.h>

#include "assembly/builder.h"
#include "assembly/keywords.h"
#include "model/constraint.h"
#include "model/constraint_item.h"

enum { SG_CONSTRAINT_NAME = 256 };

struct sg_constraint_builder {
    struct sg_builder *model;
    char name[SG_CONSTRAINT_NAME]; /* of the item where the deck gives none */
};

/* A point of a constraint at x. */
struct sg_attached {
    double x[3];      /* m */
    double turn[3];   /* m/rad, its derivative by the rotation; 0 where it does not turn */
    double second[3]; /* m/rad^2, the second one */
};
void sg_attachment_at(const struct sg_constraint *self, size_t k, const double *x, struct sg_attached *at);

/* adds d(along . (position of point k))/dx to a gradient, `along` (dim) being constant */
void sg_attachment_gradient(const struct sg_constraint *self, size_t k, const struct sg_attached *at,
                            const double *along, double *gradient);

/* adds d2(along . (position of point k))/dx2 to h */
void sg_attachment_second(const struct sg_constraint *self, size_t k, const struct sg_attached *at,
                          const double *along, double *h);

/* Tells whether a point of the constraint turns about its node, so that its way is no straight line. */
bool sg_attachments_turn(const struct sg_constraint *self);

/* common rows of the kinds that join points; `base` is the place of this in their spec */
struct sg_attachment_spec {
    struct sg_texts nodes;
    struct sg_reals arms, point;
};
#define SG_NODES_ROW(base, text)                                                                             \
    {                                                                                                        \
        .name = "nodes", .type = SG_TEXTS, .flags = SG_REQUIRED, .min_items = 1, .max_items = 2,             \
        .example = "[\"crank\", \"rod\"]", .meaning = (text),                                                \
        .offset = (base) + offsetof(struct sg_attachment_spec, nodes)                                        \
    }
#define SG_ARMS_ROW(base)                                                                                    \
    {                                                                                                        \
        .name = "arms", .type = SG_REALS, .unit = "m", .max_items = 4, .example = "[0.5, 0.0]",              \
        .meaning = "the points that are joined, x and y a node: seen from the node along its body's own "    \
                   "axes, which are x and y where the rotation is 0; by default the nodes",                  \
        .offset = (base) + offsetof(struct sg_attachment_spec, arms)                                         \
    }
#define SG_POINT_ROW(base, text)                                                                             \
    {                                                                                                        \
        .name = "point", .type = SG_REALS, .unit = "m", .max_items = 3, .example = "[0.0, 0.0]",             \
        .meaning = (text), .offset = (base) + offsetof(struct sg_attachment_spec, point)                     \
    }

/* Points, dofs and the name out of the spec: two nodes, or one and a fixed point. `*built` is false, with
 * findings, if it can't be. */
sg_status sg_attachments_build(struct sg_constraint_builder *builder, const struct sg_setting *node,
                               const struct sg_attachment_spec *spec, struct sg_constraint *self,
                               bool *built);

/* room for `count` dofs */
sg_status sg_constraint_allot(struct sg_arena *arena, struct sg_constraint *self, size_t count,
                              struct sg_error *err);

#endif
