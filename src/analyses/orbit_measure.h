/* The figures of an orbit: its contacts, its energy, whether it is stable. */
#ifndef SG_ANALYSES_ORBIT_MEASURE_H
#define SG_ANALYSES_ORBIT_MEASURE_H

#include <complex.h>
#include <stdbool.h>
#include <stddef.h>

#include "analyses/orbit_shoot.h"
#include "support/arena.h"
#include "support/status.h"

/* Multipliers this far beyond the unit circle are rounding: the pair at 1 is defective, so that it moves by
 * the root of what the matrix is off */
#define SG_ORBIT_STABLE 1e-4

struct sg_orbit_measure {
    enum sg_orbit_end end;
    double energy;      /* J, at the start */
    double jump;        /* J: the largest |change of energy| at a switch */
    double jumps;       /* J: the sum of the changes over the period */
    double margin;      /* m: as in sg_orbit_flow; HUGE_VAL */
    double closing;     /* 1: |state(T) - state(0)| / sqrt(2 E), of the whole period */
    double determinant; /* of the monodromy matrix: 1 */
    double pairing;     /* the largest |mu mu' - 1| with the best partner mu' of mu, over max(1, |mu|) */
    double largest;     /* modulus of the multipliers */
    bool stable;
};

struct sg_orbit_monitor {
    struct sg_shooter *shooter; /* borrowed */
    double *matrix, *copy;      /* (2 n)^2 */
    double complex *multiplier; /* 2 n, falling moduli */
    size_t *pivot;              /* 2 n */
    double *numbers;            /* 4 n */
};

/* */
sg_status sg_orbit_monitor_init(struct sg_arena *arena, struct sg_orbit_monitor *monitor,
                                struct sg_shooter *shooter, struct sg_error *err);

/* Goes once around from u and v, and takes the monodromy matrix, the derivative of the state after a period
 * to that before; its eigenvalues are Floquet's multipliers. The shooter's flow keeps the switches.
 * Allocates. */
sg_status sg_orbit_measure(struct sg_orbit_monitor *monitor, double period, const double *u, const double *v,
                           struct sg_orbit_measure *measure, struct sg_error *err);

#endif
