/* The kinds of bilateral constraints and what they share. A new kind is one file that defines an
 * sg_constraint_ops, and one line in registry.c. All numbers of dofs are full ones.
 *
 * A point of a node that turns is X + u + R(theta) arm. */
#ifndef SG_MODEL_CONSTRAINTS_KINDS_H
#define SG_MODEL_CONSTRAINTS_KINDS_H

#include <stdbool.h>
#include <stddef.h>

#include "model/builder.h"
#include "model/constraint.h"
#include "model/keywords.h"

enum { SG_CONSTRAINT_ROWS = 3, SG_CONSTRAINT_DOFS = 6, SG_CONSTRAINT_SQUARE = 36, SG_CONSTRAINT_NAME = 256 };

/* A point of a node, or a fixed one. */
struct sg_attachment {
    bool fixed, turns;
    size_t base;   /* of its coordinates among the constraint's own dofs; then of its rotation */
    double arm[3]; /* m, along the body's own axes; of a fixed one its position */
};

struct sg_constraint {
    const struct sg_constraint_ops *ops;
    size_t rows, dof_count;
    size_t *dof;   /* dof_count, full; of tied ones the master */
    size_t *place; /* dof_count: entry of the column of each row; SIZE_MAX: prescribed */
    size_t *free;  /* free_count: free dof of each entry */
    size_t free_count;
    bool affine;                /* second derivatives are 0 */
    double *coefficient;        /* dof_count: of a kind without `at`, which has one row; else NULL */
    double value;               /* m or rad: what that row's sum is to be, motion apart */
    bool moves;                 /* the value of row 0 follows a signal */
    size_t signal;              /* then: index into system->signals */
    enum sg_signal_order order; /* what of it */
    size_t first_row;           /* in the system */
    struct sg_attachment point[2];
    size_t dim;                                /* coordinates of a point */
    double parameter[2];                       /* by kind */
    bool open;                                 /* something is left to `settle` */
    const char *row_names[SG_CONSTRAINT_ROWS]; /* "x": behind the item's name; NULL: one row, without */
    const struct sg_setting *node;
};

/* g (rows) and its gradient (dof_count numbers a row) */
struct sg_constraint_value {
    double g[SG_CONSTRAINT_ROWS];
    double gradient[SG_CONSTRAINT_ROWS][SG_CONSTRAINT_DOFS];
};

struct sg_constraint_builder {
    struct sg_builder *model;
    char name[SG_CONSTRAINT_NAME]; /* of the item where the deck gives none */
};

struct sg_constraint_ops {
    struct sg_kind kind; /* first member */
    /* Dofs, rows and geometry; faults are findings, and rows stay 0. */
    sg_status (*build)(struct sg_constraint_builder *builder, const struct sg_setting *node,
                       struct sg_constraint *self);
    /* What the deck left open is taken of the start: x (dof_count) there. NULL: nothing. */
    void (*settle)(struct sg_constraint *self, const double *x);
    /* What is wrong with it at the start, behind the settled numbers; NULL: nothing. NULL op: never. Only
     * where there is `settle`. */
    const char *(*flaw)(const struct sg_constraint *self, const double *x);
    /* At the current coordinates x (dof_count); `value` comes zeroed, motion is added by the caller. NULL:
     * the one row is coefficient . x - value. */
    void (*at)(const struct sg_constraint *self, const double *x, struct sg_constraint_value *value);
    /* d2g/dx2 into h: rows times dof_count^2, zeroed; not asked of affine ones, which may have NULL */
    void (*second)(const struct sg_constraint *self, const double *x, double *h);
};

/* A point of a constraint at x. */
struct sg_attached {
    double x[3];    /* m */
    double turn[3]; /* m/rad, its derivative by the rotation; 0 where it does not turn */
    double bend[3]; /* m/rad^2, the second one */
};
void sg_attachment_at(const struct sg_constraint *self, size_t k, const double *x, struct sg_attached *at);

/* adds d(along . (position of point k))/dx to a gradient, `along` (dim) being constant */
void sg_attachment_gradient(const struct sg_constraint *self, size_t k, const struct sg_attached *at,
                            const double *along, double *gradient);

/* adds d2(along . (position of point k))/dx2 to h */
void sg_attachment_second(const struct sg_constraint *self, size_t k, const struct sg_attached *at,
                          const double *along, double *h);

/* whether a point of the constraint turns about its node, so that its way is no straight line */
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
sg_status sg_constraint_allot(struct sg_constraint *self, size_t count, struct sg_error *err);

extern const struct sg_constraint_ops sg_constraint_rod;
extern const struct sg_constraint_ops sg_constraint_distance;
extern const struct sg_constraint_ops sg_constraint_pin;
extern const struct sg_constraint_ops sg_constraint_slot;
extern const struct sg_constraint_ops sg_constraint_prismatic;
extern const struct sg_constraint_ops sg_constraint_coordinate;
extern const struct sg_constraint_ops sg_constraint_linear;

#endif
