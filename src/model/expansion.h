/* From the solver's coordinates back to dofs, for histories. In nodal coordinates that is a copy. In modal
 * ones a row of all dofs is a product with the whole basis, so that rows are made late and together (struct
 * sg_late); a few dofs are the scalar products with their rows of the basis. */
#ifndef SG_MODEL_EXPANSION_H
#define SG_MODEL_EXPANSION_H

#include "linalg/columns.h"
#include "model/system.h"
#include "support/status.h"

/* --- all dofs ------------------------------------------------------------------------------------- */

/* Numbers from which a late row of all dofs is made: modal amplitudes and the motions of prescribed dofs; 0
 * in nodal coordinates. */
size_t sg_expansion_parts(const struct sg_system *system);

/* the parts of u (order 0), v (1) or an acceleration (2) in solver coordinates at t */
void sg_expansion_take(const struct sg_system *system, const double *x, double t, int order, double *parts);

/* SG_LATE_ROWS full vectors (n_full each, one behind the other) of as many parts, `lead` numbers apart */
void sg_expansion_make(const struct sg_system *system, const double *parts, size_t lead, double *full);

/* --- some dofs ------------------------------------------------------------------------------------ */

/* Zero-initialise. */
struct sg_some_dofs {
    struct sg_arena arena; /* has the arrays, `dof` apart */
    const struct sg_system *system;
    const size_t *dof; /* count: full dofs; borrowed */
    size_t count;
    struct sg_columns rows; /* n x count, of the basis: where coordinates are modal and the dofs few */
    size_t *motion;         /* count: the motion that a dof follows, or motion_count; likewise */
    double *full;           /* SG_LATE_ROWS x n_full, or n_full: where there are no `rows` */
};

/* To be called once the coordinates are chosen. Release in any case. */
sg_status sg_some_dofs_init(struct sg_some_dofs *some, const struct sg_system *system, const size_t *dof,
                            size_t count, struct sg_error *err);
void sg_some_dofs_release(struct sg_some_dofs *some);

/* their displacements (order 0), velocities (1) or accelerations (2): count */
void sg_some_dofs_fill(const struct sg_some_dofs *some, const double *x, double t, int order, double *row);

/* the same late: parts of sg_expansion_take; 0 where rows are filled one by one */
size_t sg_some_dofs_parts(const struct sg_some_dofs *some);
void sg_some_dofs_make(const struct sg_some_dofs *some, const double *parts, size_t lead, double *rows);

#endif
