/* How a deck becomes a system: the stages of sg_system_create, and what they hand on. Only for assembly/.
 *
 *     bodies -> supports -> initial state -> motions -> matrices -> damping -> loads -> elements ->
 * constraints
 *
 * A stage adds findings and goes on, so that all faults are told at once; a status other than SG_OK
 * means that the next stages can't run. */
#ifndef SG_ASSEMBLY_BUILDER_H
#define SG_ASSEMBLY_BUILDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "assembly/bodies/body.h"
#include "assembly/variation.h"
#include "formats/name_list.h"
#include "model/names.h"
#include "model/scratch.h"
#include "model/system.h"

enum { SG_DOF_LIMIT = 10000000 };

struct sg_support {
    size_t dof;                    /* full */
    const struct sg_setting *node; /* its group in the deck */
    bool moves;
    size_t signal; /* if it moves */
    enum sg_signal_order order;
};

struct sg_builder {
    struct sg_arena scratch; /* has what serves the building alone */
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

sg_status sg_build_bodies(struct sg_builder *builder);
sg_status sg_build_supports(struct sg_builder *builder);
sg_status sg_build_initial(struct sg_builder *builder);
sg_status sg_build_motions(struct sg_builder *builder);
sg_status sg_build_matrices(struct sg_builder *builder);
sg_status sg_build_damping(struct sg_builder *builder);
sg_status sg_build_loads(struct sg_builder *builder);

sg_status sg_build_elements(struct sg_builder *builder);

/* after the state is there */
sg_status sg_build_constraints(struct sg_builder *model);
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

#endif
