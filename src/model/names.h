/* What the parts of a model are called, and where its nodes and dofs are: what results and messages name. */
#ifndef SG_MODEL_NAMES_H
#define SG_MODEL_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "deck/deck.h"
#include "model/node_sets.h"

/* What a full dof is of its node: the displacement along an axis, or the rotation about z [rad]. */
enum { SG_ROTATION = 3 };

struct sg_dof_place {
    int node;
    int axis; /* 0 to dim - 1, or SG_ROTATION */
};

/* Two full dofs that are one free dof: `slave` moves as `master` does, and has no entry in any matrix. */
struct sg_tie {
    size_t slave, master;
};

/* Dofs that are one . Zero-initialise. */
struct sg_ties {
    struct sg_arena *arena;
    struct sg_tie *items;
    size_t count, capacity;
    bool failed; /* sticky: out of memory */
};

struct sg_model_body {
    const char *name;
    size_t dim;                  /* coordinates of a node; 0 while a fault keeps it from being known */
    size_t first, count;         /* global nodes first .. first + count - 1 */
    size_t left, right;          /* global nodes with the smallest and the largest x */
    size_t first_dof, dof_count; /* full dofs */
    bool small_motion;           /* its elements are linear: right for small rotations and strains alone */
    double mass;                 /* kg, sum of all entries of its mass matrix along one axis */
};

struct sg_model_names {
    struct sg_model_body *bodies;
    size_t body_count;
    char *text;              /* all names, one behind the other */
    const char **node_names; /* "bar.3" */
    const char **dof_names;  /* n_full: "bar.3", or "bar.3.x" where a node has more than one */
    size_t *first_dof;       /* these four as in struct sg_system, which borrows them */
    struct sg_dof_place *places;
    double *reference;
    struct sg_ties ties;
    const char **body_names;
    double *positions; /* nodes x dim, row-major */
    int *node_bodies, *element_nodes, *dof_nodes;
    signed char *element_shapes;
    struct sg_node_sets sets;
};

/* the name of a node, and the deck's group and keyword that gave it: where a finding goes */
struct sg_node_name {
    const char *text;
    const struct sg_setting *group;
    const char *keyword;
};

/* the body whose name it is, or NULL with a finding */
const struct sg_model_body *sg_model_find_body(const struct sg_model_names *names,
                                               const struct sg_node_name *name,
                                               struct sg_diagnostics *diagnostics);

/* the body whose name the first `length` bytes are, or NULL */
const struct sg_model_body *sg_model_body_called(const struct sg_model_names *names, const char *name,
                                                 size_t length);

/* the finding that there is no such body */
void sg_model_no_body(const struct sg_model_names *names, const struct sg_node_name *name,
                      struct sg_diagnostics *diagnostics);

/* "x", "y", "z" */
const char *sg_axis_name(size_t axis);

#endif
