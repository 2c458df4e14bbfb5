/* The list of integrators: a new one is a file with its `sg_integrator_NAME` and a line here. */
#ifndef SG_INTEGRATORS_KINDS_H
#define SG_INTEGRATORS_KINDS_H

#include "integrators/integrator.h"

#define SG_INTEGRATORS(X)                                                                                    \
    X(trapezoidal)                                                                                           \
    X(newmark)                                                                                               \
    X(chaudhary_bathe)                                                                                       \
    X(generalized_alpha)                                                                                     \
    X(botr)                                                                                                  \
    X(bathe)                                                                                                 \
    X(wilson_theta)                                                                                          \
    X(houbolt)                                                                                               \
    X(noh_bathe)                                                                                             \
    X(central_difference)                                                                                    \
    X(theta)                                                                                                 \
    X(exact)

#define SG_DECLARE_INTEGRATOR(name) extern const struct sg_integrator_ops sg_integrator_##name;
SG_INTEGRATORS(SG_DECLARE_INTEGRATOR)
#undef SG_DECLARE_INTEGRATOR

#endif
