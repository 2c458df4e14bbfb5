/* Static equilibrium of the discrete arch over a rigid line (Di Stasio et al. 2019): rods of stiffness k
 * from node to node, torsion springs kappa at the inner nodes, both end nodes held,
 *
 *     E(x) = sum_rods k/2 (l - l0)^2 + sum_inner kappa/2 (beta - beta0)^2,
 *     dE/dx = (reactions),   0 <= y_j - line - gap_j  _|_  reaction_j >= 0,
 *
 * beta the angle from one rod to the next, the arch of radius R over an opening angle, symmetric about x = 0
 * with its centre at the origin. Newton's method with exact second derivatives inside an active-set
 * iteration, from the arch mirrored at the line of its supports: the state after it has snapped through. */
#ifndef SG_BENCHMARKS_EXACT_ARCH_H
#define SG_BENCHMARKS_EXACT_ARCH_H

#include <stddef.h>

#include "support/status.h"

enum { SG_ARCH_NODES = 32 };

struct sg_arch_spec {
    size_t rods;              /* 2 .. SG_ARCH_NODES - 1 */
    double radius, opening;   /* m, rad */
    double stiffness;         /* N/m, k */
    double torsion_stiffness; /* N m/rad, kappa */
    double drop;              /* m: the line lies so far below the supports */
};

struct sg_arch_equilibrium {
    double x[SG_ARCH_NODES][2];     /* m, positions; node 0 and `rods` are held */
    double reaction[SG_ARCH_NODES]; /* N, of the line, upwards; of the supports at both ends */
    double thrust;                  /* N, horizontal force of the support at node 0 on the arch */
    double energy;                  /* J, E */
    double residual;                /* N, largest force left */
};

/* 11 rods, R 1, opening pi/4, k 1, kappa 4.16e-5, drop .065: both middle nodes rest on the line, with
 * 4.64762e-5 N each, thrust 3.03062e-4 N, E = 4.487111e-6 J */
struct sg_arch_spec sg_arch_benchmark(void);

/* m, the undeformed node j = 0 .. rods */
void sg_arch_node(const struct sg_arch_spec *spec, size_t j, double x[2]);

/* `gaps` (rods + 1, m): where each node touches, above the line; NULL: 0. A scheme that leaves a residual
 * penetration is compared at just that. SG_BAD_DECK for a spec out of range, SG_NO_SOLUTION if an iteration
 * doesn't end. */
sg_status sg_arch_solve(const struct sg_arch_spec *spec, const double *gaps,
                        struct sg_arch_equilibrium *state, struct sg_error *err);

#endif
