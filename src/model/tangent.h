/* The tangent of the internal force, d(K u + C v + elements)/du and /dv, in matrices whose class and storage
 * are made once. */
#ifndef SG_MODEL_TANGENT_H
#define SG_MODEL_TANGENT_H

#include "linalg/matrix.h"
#include "model/system.h"
#include "support/status.h"

struct sg_tangent {
    struct sg_matrix K, C; /* n x n; class by the union of the system's matrix and the elements' pattern */
    struct sg_tangent_places *places; /* where the elements add */
};

sg_status sg_tangent_init(struct sg_arena *arena, struct sg_tangent *tangent, const struct sg_system *system,
                          struct sg_error *err);

/* fills K and C at a state; allocates nothing */
void sg_tangent_update(struct sg_tangent *tangent, const struct sg_system *system, double t, const double *u,
                       const double *v);

#endif
