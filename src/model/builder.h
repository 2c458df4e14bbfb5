/* How a deck becomes a system: the stages of sg_system_create, and what they hand on. Only for model/.
 *
 *     bodies -> supports -> initial state -> motions -> matrices -> damping -> loads -> elements ->
 * constraints
 *
 * A stage adds findings and goes on, so that all faults are told at once; a status other than SG_OK
 * means that the next stages can't run. */
#ifndef SG_MODEL_BUILDER_H
#define SG_MODEL_BUILDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/bodies/body.h"
#include "model/element_dofs.h"
#include "model/node_sets.h"
#include "model/system.h"

enum { SG_DOF_LIMIT = 10000000, SG_NAME_LIMIT = 64 };

struct sg_model_body {
    const char *name;
    size_t dim;                  /* coordinates of a node; 0 while a fault keeps it from being known */
    size_t first, count;         /* global nodes first .. first + count - 1 */
    size_t left, right;          /* global nodes with the smallest and the largest x */
    size_t first_dof, dof_count; /* full dofs */
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

struct sg_system_scratch {
    double *u, *v;                  /* n */
    struct sg_signal_value *values; /* 3 x signal_count: at up to three instants of a step */
    double *p;                      /* 2 motion_count */
    double *full;                   /* 3 n_full, or NULL where a node has one coordinate */
    double *late_nodal;             /* SG_LATE_ROWS x n: modal coordinates only */
    double *late_full;              /* 2 SG_LATE_ROWS x n_full, or NULL as `full`: likewise */
    struct sg_element_dofs elements;
    struct sg_constraint_frame constraints;
};

struct sg_support {
    size_t dof;                    /* full */
    const struct sg_setting *node; /* its group in the deck */
    bool moves;
    size_t signal; /* if it moves */
    enum sg_signal_order order;
};

enum sg_matrix_role { SG_MASS, SG_DAMPING, SG_STIFFNESS };

struct sg_builder {
    const struct sg_deck *deck;
    struct sg_diagnostics *diagnostics;
    struct sg_error *err;
    struct sg_system *system;
    const struct sg_variation *variation;         /* or NULL */
    struct sg_modal_store *modes;                 /* or NULL */
    struct sg_body_size *sizes;                   /* of the bodies */
    size_t errors_before;                         /* findings that were there before */
    sg_status verdict;                            /* of faults that did not stop the building */
    struct sg_triplets mass, dashpots, stiffness; /* n_full */
    double *row_mass;                             /* n_full x dim, column-major: M 1_d, 1_d unit motion
                                                     along axis d */
    bool *held;                                   /* n_full: by its body */
    double *u, *v;                                /* n_full: initial state */
    struct sg_support *supports;
    size_t support_count;
    size_t *support_of_full; /* n_full: SIZE_MAX if free */
    size_t *motion_of_full;  /* n_full: SIZE_MAX if none */
    double acceleration[3];  /* m/s^2, of all gravity loads */
};

/* "x", "y", "z" */
const char *sg_axis_name(size_t axis);

sg_status sg_build_bodies(struct sg_builder *builder);
void sg_build_bodies_release(struct sg_builder *builder); /* what the bodies read */
sg_status sg_build_supports(struct sg_builder *builder);
sg_status sg_build_initial(struct sg_builder *builder);
sg_status sg_build_motions(struct sg_builder *builder);
sg_status sg_build_matrices(struct sg_builder *builder);
sg_status sg_build_damping(struct sg_builder *builder);
sg_status sg_build_loads(struct sg_builder *builder);

/* the part of sg_build_loads that stems from moving supports; needs `system` and `err` alone */
sg_status sg_build_support_loads(struct sg_builder *builder);
sg_status sg_build_elements(struct sg_builder *builder);

/* after the state is there */
sg_status sg_build_constraints(struct sg_builder *model);
void sg_constraints_release(struct sg_constraints *set);
/* work arrays of a system whose sizes, signals and elements are there */
sg_status sg_system_allocate_scratch(struct sg_system *system, struct sg_error *err);

/* true once a fault was found */
bool sg_builder_failed(const struct sg_builder *builder);

/* Keeps the verdict of a part that was faulty (SG_BAD_DECK, SG_NO_INPUT) and says SG_OK; passes on
 * everything else. */
sg_status sg_builder_tolerate(struct sg_builder *builder, sg_status status);

/* (M a)_i for a rigid motion a along the axes (dim) and full dof i: weights and momenta */
double sg_builder_rigid(const struct sg_builder *builder, const double *a, size_t i);

/* items of a list at the deck's top, 0 if it is absent */
size_t sg_builder_count(const struct sg_builder *builder, const char *list);

/* adds a signal to the system; `index` is where it went */
sg_status sg_builder_signal(struct sg_builder *builder, const struct sg_setting *node, size_t *index);

/* Adds factor * (the full triplets) to the free block `ff`, and to the motions' columns and pp matrix of
 * the given role. */
void sg_builder_scatter(struct sg_builder *builder, const struct sg_triplets *full, double factor,
                        enum sg_matrix_role role, struct sg_triplets *ff);

/* Findings for each body of a kind with `any_mass` whose mass, of its free dofs, is not positive definite, or
 * whose stiffness is not positive semidefinite, or ties dofs to nothing. */
sg_status sg_builder_check_definite(struct sg_builder *builder);

/* assembles in the smallest class that holds the entries */
sg_status sg_builder_matrix(const struct sg_triplets *t, struct sg_matrix *a, struct sg_error *err);

/* the body whose name it is, or NULL with a finding */
const struct sg_model_body *sg_model_find_body(const struct sg_model_names *names,
                                               const struct sg_node_name *name,
                                               struct sg_diagnostics *diagnostics);

/* J: of the loads that don't depend on the configuration, by Simpson's rule; gravity and supports excluded */
double sg_system_pattern_work(const struct sg_system *system, const struct sg_step_ends *step);

double *sg_motion_column(const struct sg_motion *motion, enum sg_matrix_role role);

void sg_model_names_destroy(struct sg_model_names *names);

#endif
