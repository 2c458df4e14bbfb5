/* The linear systems of Newton's iterations: (M + b C_t + c K_t)^-1 r, with the tangents of the system at an
 * iterate. The symbolic analysis is made once. */
#ifndef SG_INTEGRATORS_LINEARIZED_H
#define SG_INTEGRATORS_LINEARIZED_H

#include "integrators/integrator.h"
#include "linalg/solver.h"
#include "model/tangent.h"
#include "support/status.h"

struct sg_linearized {
    const struct sg_system *system; /* NULL: not initialised */
    struct sg_tangent tangent;
    struct sg_factor factor;
};

sg_status sg_linearized_init(struct sg_arena *arena, struct sg_linearized *lin,
                             const struct sg_system *system, struct sg_error *err);

struct sg_linearize_at {
    double t;
    const double *u, *v; /* n */
    double b, c;         /* s, s^2 */
};

/* Factors M + b C_t + c K_t, which `phase` counts; SG_NO_SOLUTION where it is not positive definite */
sg_status sg_linearized_factor(struct sg_linearized *lin, struct sg_phase *phase,
                               const struct sg_linearize_at *at, struct sg_error *err);

/* Solves x (n) := (M + b C_t + c K_t)^-1 x with the last factor; counted too. */
void sg_linearized_solve(const struct sg_linearized *lin, struct sg_phase *phase, double *x);

#endif
