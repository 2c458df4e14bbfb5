/* What a step does to free vibrations: the amplification matrix of an integrator, found by applying its step
 * to unit states, and what its eigenvalues tell (docs/integrators.md). */
#ifndef SG_ANALYSES_AMPLIFICATION_H
#define SG_ANALYSES_AMPLIFICATION_H

#include "analyses/single_mass.h"
#include "linalg/eigen.h"
#include "support/status.h"

/* A state is (u, h v, h^2 x third): numbers of one size at every step. */
struct sg_amplification {
    double h; /* s: the step over the period, which is 1 s */
    size_t size;
    double matrix[SG_MASS_STATE * SG_MASS_STATE]; /* size x size, column-major */
    struct sg_eigen_small eigen;
    double radius;    /* the largest modulus of an eigenvalue */
    size_t principal; /* of the eigenvalues, that of the vibration: imaginary part > 0; `size` if there is
                         none, or a period has less than two steps */
};
sg_status sg_amplification_find(struct sg_single_mass *mass, double h, struct sg_amplification *a,
                                struct sg_error *err);

/* Period elongation and amplitude decay a period, percent, both beyond those of the exact vibration with the
 * same damping: with the period S and the factor d of a period of the scheme, T and c of the exact one,
 * 100 (S/T - 1) and 100 (1 - d/c). NaN without a vibration. */
struct sg_vibration {
    double elongation, decay;
};

/* by the principal eigenvalue */
struct sg_vibration sg_amplification_vibration(const struct sg_amplification *a, double damping_ratio);

/* Out of a run from u = 1, v = 0: after a start in which what is no vibration dies away, the recurrence
 * u(n+1) = 2 Re(lambda) u(n) - |lambda|^2 u(n-1) is fitted to the samples of four
 * periods, at most 20000. */
sg_status sg_vibration_measure(struct sg_single_mass *mass, double h, struct sg_vibration *vibration,
                               struct sg_error *err);

/* The speed with which a mass that left u = 0 comes back after n + 1/2 periods, over the exact one (Noh
 * 2011, figure 3-5; docs/integrators.md). `formula`: its eq. (3.14), a^(n + 1/2) / b with a = 1 -
 * decay/100, b = 1 + elongation/100, corrected in both lines. `held`: what the scheme's own velocity is when
 * its own displacement is 0. */
struct sg_arrival {
    double formula, held;
};
sg_status sg_arrival_find(struct sg_single_mass *mass, const struct sg_amplification *a,
                          struct sg_vibration vibration, double periods, struct sg_arrival *arrival,
                          struct sg_error *err);

#endif
