/* One item of the deck's `constraints` as it is evaluated: its rows by its own coordinates. All numbers of
 * dofs are full ones. */
#ifndef SG_MODEL_CONSTRAINT_ITEM_H
#define SG_MODEL_CONSTRAINT_ITEM_H

#include <stdbool.h>
#include <stddef.h>

#include "deck/keyword.h"
#include "model/signal.h"
#include "support/status.h"

enum { SG_CONSTRAINT_ROWS = 3, SG_CONSTRAINT_DOFS = 6, SG_CONSTRAINT_SQUARE = 36 };

/* A point of a node, or a fixed one. */
struct sg_attachment {
    bool fixed, turns;
    size_t base;   /* of its coordinates among the constraint's own dofs; then of its rotation */
    double arm[3]; /* m, along the body's own axes; of a fixed one its position */
};

struct sg_constraint {
    const struct sg_constraint_ops *ops;
    size_t rows, dof_count;
    size_t *dof;          /* dof_count, full; of tied ones the master */
    size_t *column_entry; /* dof_count: of the column of each row; SIZE_MAX: prescribed */
    size_t *free;         /* free_count: free dof of each entry */
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

struct sg_constraint_builder; /* of the room that builds */

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
    bool keeps_rotation; /* of its first node */
};

/* All of a system, which owns them. */
struct sg_constraints {
    size_t count;  /* m rows */
    bool affine;   /* G never changes: g = G u + (a function of time) */
    bool steady;   /* nothing depends on time: drift is 0 */
    char **names;  /* m: "hinge.x", or the item's own name where it has one row */
    size_t *entry; /* m: the item of the deck's `constraints` */
    size_t items;
    struct sg_constraint *item;
    size_t entries;         /* of G */
    size_t second_entries;  /* of the sum of second derivatives */
    size_t hessian_entries; /* of those of all rows */
};

#endif
