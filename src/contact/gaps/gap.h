/* Gap functions: what a kind of the deck's `contacts` measures. A new kind is one file that defines an
 * sg_gap_ops, and one line in registry.c.
 *
 * A contact has one to three nodes at x_i = X_i + u_i, an obstacle that may move along the normal, and
 *
 *     g = g(x) - s(t),    dg/dx_i = weight_i n,    |n| = 1:
 *
 * all gradients point along one normal, so the contact's tangents are those of n with the same weights.
 * In a plane a node that can turn may touch with a point away from it: x_i = X_i + u_i + R(theta_i) s_i, or
 * be round, with a radius r_i. With the arm a_i from the node to the point of contact,
 *
 *     dg/dtheta_i = weight_i (a_i x n)_z,    a_i = R s_i - weight_i r_i n.
 *
 * Without an outer obstacle the weights sum to zero: forces on the nodes balance. A contact with a surface
 * has three nodes, of which the last two are those of the segment that is nearest.
 *
 * Or it has no nodes but a column: any fixed combination of dofs, g = fixed.gap + sum value_i u_i, which
 * knows no tangents.
 *
 * One group of the deck's `contacts` makes one contact, or several where its kind says so in `open`. */
#ifndef SG_CONTACT_GAPS_GAP_H
#define SG_CONTACT_GAPS_GAP_H

#include <stdbool.h>
#include <stddef.h>

#include "contact/gaps/direction.h"
#include "deck/deck.h"
#include "linalg/columns.h"
#include "model/signal.h"
#include "model/system.h"
#include "support/status.h"

enum { SG_GAP_NODES = 3, SG_GAP_DOFS = 9, SG_GAP_NAME = 256 };

struct sg_gap_value {
    double gap;                  /* m, without the obstacle's motion */
    double normal[SG_GAP_AXES];  /* unit; 0 beyond dim */
    double weight[SG_GAP_NODES]; /* by node */
    double arm[SG_GAP_NODES][2]; /* m: from the node to the point of contact; 0 above and below 2-D */
    double curvature;            /* 1/m: k of d2g/dp2 = k (I - n n^T), p = sum of weight_i x_i */
    size_t dof[SG_GAP_DOFS];     /* of a kind that seeks its nodes: as in struct sg_gap */
};

struct sg_gap_node {
    struct sg_node_ref ref;
    const char *keyword, *text; /* that names it in the deck, and how */
    double point[2];            /* m: s, of what touches, in the node's own axes */
    double radius;              /* m: r */
    size_t rotation;            /* free dof; SIZE_MAX: it has none, or it is held */
};

struct sg_surface; /* contact/gaps/polyline.h */

struct sg_gap_column {
    size_t count;
    size_t *full, *dof; /* full dof; free dof, SIZE_MAX: prescribed */
    double *value;
};

struct sg_gap {
    const struct sg_gap_ops *ops;
    size_t dim, node_count;
    struct sg_gap_node node[SG_GAP_NODES];
    size_t dof[SG_GAP_DOFS];       /* free dof, node by node and axis by axis; SIZE_MAX: prescribed */
    double reference[SG_GAP_DOFS]; /* m, X, in the same order */
    bool straight;                 /* normal, weights and arms never change: g = fixed.gap + w . u - s(t) */
    struct sg_gap_value fixed;     /* straight: at zero displacement */
    struct sg_gap_column column;   /* empty: the gap is one of nodes */
    double stiffness, restitution; /* N/m, 1: where the contacts of an entry have laws of their own */
    bool has_restitution;          /* stiffness 0, restitution without this: as the entry says */
    double center[SG_GAP_AXES];    /* m; not straight, from here on: by kind */
    double size;                   /* m: radius, contact distance */
    double sign;                   /* 1 or -1: the side */
    const char *subject;           /* keyword that decides the gap: where findings go */
    struct sg_surface *surface;    /* or NULL */
    bool makes_surface;            /* of the contacts that share it this one made it */
    bool moves;                    /* the obstacle follows `motion` */
    struct sg_signal motion;       /* s(t), m */
};

/* What a group of the deck's `contacts` makes. */
struct sg_gap_group {
    size_t count; /* contacts; several are named NAME.1, NAME.2, ... */
    size_t most;  /* entries of all their columns, at most; 0: SG_GAP_NODES nodes each */
    void *data;   /* what `open` found out, for `build` */
};

struct sg_gap_builder {
    struct sg_arena *arena, *scratch; /* of the set; of what is needed while it is built */
    const struct sg_deck *deck;
    const struct sg_system *system;
    struct sg_diagnostics *diagnostics;
    struct sg_error *err;
    const struct sg_gap_group *group;
    size_t index;               /* of the contact to build, in its group; of a set its node */
    char name[SG_GAP_NAME];     /* of the contact where the deck gives none */
    struct sg_surface *surface; /* of the group, made with its first contact */
};

struct sg_gap_ops {
    struct sg_kind kind;      /* first member */
    size_t dim_low, dim_high; /* coordinates of the models that it is for */
    /* keyword of a node that may name a set, each node of which makes a contact; or NULL. Not with `open`. */
    const char *spread;
    bool no_hessian;  /* second derivatives are not known: sg_gap_hessian_at is for straight gaps only */
    const char *hint; /* helps where the contact overlaps by its `subject`, "gap" apart; or NULL */
    /* How many contacts the group makes, where neither one nor as many as the set of `spread` has nodes;
     * faults are findings. NULL: see there. */
    sg_status (*open)(struct sg_gap_builder *builder, const struct sg_setting *node,
                      struct sg_gap_group *group);
    /* Sets nodes or column, name and geometry; faults are findings. SG_NO_INPUT if a side file can't be
     * opened. */
    sg_status (*build)(struct sg_gap_builder *builder, const struct sg_setting *node, struct sg_gap *gap);
    /* At the positions x of the nodes' points (node_count x dim): finite, with a unit normal, at every finite
     * x; radii and arms apart. NULL where all contacts of the kind are straight, or seek their nodes. */
    void (*at)(const struct sg_gap *gap, const double *x, struct sg_gap_value *value);
    /* The same at displacements u (n), with the dofs of SG_GAP_NODES nodes; NULL where they never change. */
    void (*seek)(const struct sg_gap *gap, const double *u, struct sg_gap_value *value);
};

const struct sg_gap_ops *sg_gap_find(const struct sg_kind *kind);

/* gap (motion apart), normal and weights at u (n) */
void sg_gap_at(const struct sg_gap *gap, const double *u, struct sg_gap_value *value);

/* The obstacle's part: takes s(t) from the gap, and gives dg/dt = -s'(t), m/s. */
double sg_gap_move(const struct sg_gap *gap, double t, double *value);

/* Second derivatives of a gap by its own dofs, which need not be different: displacements node by node, then
 * rotations; SIZE_MAX: prescribed. */
enum { SG_GAP_HESSIAN = SG_GAP_DOFS + SG_GAP_NODES };
struct sg_gap_hessian {
    size_t count;
    size_t dof[SG_GAP_HESSIAN];
    double second[SG_GAP_HESSIAN][SG_GAP_HESSIAN]; /* symmetric: 1/m, 1, m */
};

/* d2g/du2 at u (n), count 0 where there is none; not for kinds that are `no_hessian` and not straight */
void sg_gap_hessian_at(const struct sg_gap *gap, const double *u, struct sg_gap_hessian *hessian);

/* the most entries that a column can have */
size_t sg_gap_most(const struct sg_system *system);

/* Whether the gap depends on dof i of its own, counted as in `dof`. */
bool sg_gap_depends_on(const struct sg_gap *gap, size_t i);

/* Column j of w, behind the columns before it: the free dofs that the gap can feel, and their values. Fill
 * writes another configuration into the same places; rows change there only where nodes are sought, and
 * entries of prescribed dofs are zero then. */
void sg_gap_open_column(const struct sg_gap *gap, const struct sg_gap_value *value, struct sg_columns *w,
                        size_t j);
void sg_gap_fill_column(const struct sg_gap *gap, const struct sg_gap_value *value, struct sg_columns *w,
                        size_t j);

/* The same of a curved gap for a step (secant.c): a column whose product with the change of the displacements
 * is the change of the gap, motion of the obstacle apart. */
struct sg_gap_step {
    const double *from, *mean, *to; /* n each: displacements at the ends, and their mean */
};
void sg_gap_fill_secant(const struct sg_gap *gap, const struct sg_gap_step *step, struct sg_columns *w,
                        size_t j);

/* The columns of the dim - 1 tangents: columns j (dim - 1) + k, on all free dofs of the nodes */
void sg_gap_open_tangents(const struct sg_gap *gap, const struct sg_gap_value *value,
                          struct sg_columns *tangent, size_t j);
void sg_gap_fill_tangents(const struct sg_gap *gap, const struct sg_gap_value *value,
                          struct sg_columns *tangent, size_t j);

/* --- for the kinds -------------------------------------------------------------------------------- */

/* Adds the named node, or two of one keyword, to the gap; false, with findings, if one is unknown or is
 * there already. A node of a set is called by its own name from then on. */
bool sg_gap_add_node(struct sg_gap_builder *builder, const struct sg_node_name *name, struct sg_gap *gap);
void sg_gap_append_node(const struct sg_system *system, struct sg_gap_node node, struct sg_gap *gap);
bool sg_gap_add_two(struct sg_gap_builder *builder, const struct sg_setting *group, const char *keyword,
                    struct sg_texts names, struct sg_gap *gap);

/* The point of node k that touches, and its radius: of a node that can turn. False, with a finding, if it
 * can't. */
bool sg_gap_read_arm(const struct sg_gap_builder *builder, const struct sg_setting *group,
                     struct sg_reals point, size_t k, struct sg_gap *gap);

/* `dim` numbers of keyword `name` into out; false, with a finding, if there are more or fewer */
bool sg_gap_read_vector(const struct sg_gap_builder *builder, const struct sg_setting *node, const char *name,
                        struct sg_reals given, double *out);

/* the same of keyword `normal`, made a unit vector; false, with a finding, if it is zero */
bool sg_gap_read_normal(const struct sg_gap_builder *builder, const struct sg_setting *node,
                        struct sg_reals given, double *normal);

/* makes a straight gap of a copy of `count` entries at full dofs: no node, no tangents */
sg_status sg_gap_set_column(const struct sg_gap_builder *builder, size_t count, const size_t *full,
                            const double *value, struct sg_gap *gap);

#endif
