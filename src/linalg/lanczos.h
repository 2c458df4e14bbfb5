/* Lanczos' method for the largest eigenvalue; for the eigenvalue functions alone. */
#ifndef SG_LINALG_LANCZOS_H
#define SG_LINALG_LANCZOS_H

#include <stddef.h>

#include "support/status.h"

/* An operator T that is self-adjoint in the inner product x . G y. */
struct sg_lanczos {
    size_t n;
    void *context;
    void (*metric)(void *context, const double *x, double *y);                  /* y = G x */
    void (*apply)(void *context, const double *x, const double *gx, double *y); /* y = T x */
};

/* Without reorthogonalisation: its ghosts are copies of converged values and don't harm the extreme one.
 * The start vector is always the same. */
sg_status sg_lanczos_largest(const struct sg_lanczos *op, double *value, struct sg_error *err);

#endif
