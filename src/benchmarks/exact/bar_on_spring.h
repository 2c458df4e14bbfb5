/* Exact force of an elastic bar that flies against a unilateral spring: the impacting bar (impacting_bar.h)
 * with a wall of stiffness kappa. With Z = rho c A, a = kappa / Z, T = 2 L/c and s the time since the bar
 * touches, d'Alembert's waves give the end that hits the velocity
 *
 *     v0 - F(s)/Z - (2/Z) F(s - T)
 *
 * towards the wall, the last term being what comes back from the other end, and F' = kappa times that:
 *
 *     F/(Z v0) = 1 - exp(-a s)                                        until s = T,
 *     F/(Z v0) = (2 + 2 x - exp(-a T)) exp(-x) - 1,   x = a (s - T)   from then until it is 0.
 *
 * This holds where the bar has left before the next wave comes back, s < 2 T: all springs but soft ones. */
#ifndef SG_BENCHMARKS_EXACT_BAR_ON_SPRING_H
#define SG_BENCHMARKS_EXACT_BAR_ON_SPRING_H

#include "benchmarks/exact/impacting_bar.h"

struct sg_bar_on_spring {
    struct sg_impacting_bar bar; /* the rigid wall's */
    double stiffness;            /* N/m */
    double rate;                 /* 1/s, a */
    double closes, opens;        /* s */
    double depth;                /* m, the largest overlap: at x = exp(-a T) / 2 */
    double impulse;              /* N s */
};

/* SG_BAD_DECK for a stiffness that is not positive, or so soft that the second wave comes back */
sg_status sg_bar_on_spring_init(const struct sg_impacting_bar_spec *spec, double stiffness,
                                struct sg_bar_on_spring *exact, struct sg_error *err);

/* N, F at t */
double sg_bar_on_spring_force(const struct sg_bar_on_spring *exact, double t);

#endif
