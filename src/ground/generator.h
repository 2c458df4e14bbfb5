/* Records made to fit a spectrum.
 *
 * White noise (sums of twelve numbers of support/random.h, less 6) is filtered and multiplied by the envelope
 *
 *     (t / rise)^2 up to `rise`, then 1 for `strong`, then exp(-decay (t - rise - strong)),
 *
 * over the last twentieth of the record brought to zero by half a cosine. Then a polynomial under the same
 * envelope is taken off, so that velocity and displacement end at zero. The filter starts as S(T) / w at
 * w = 2 pi / T (pseudo-velocity, to which Fourier amplitudes of accelerations are akin), without what is far
 * below 1 / longest, and is corrected again and again by the ratio of target to response spectrum at the
 * period (D. A. Gasparini, E. H. Vanmarcke: Simulated earthquake motions compatible with prescribed response
 * spectra, MIT R76-4, 1976); the best record counts.
 *
 * The same seed makes the same record, bit by bit with the same math library; elsewhere exp, sin and cos
 * may differ in the last place, and the record in what its 30 corrections make of that, some 1e-13 of its
 * peak. */
#ifndef SG_GROUND_GENERATOR_H
#define SG_GROUND_GENERATOR_H

#include <stdint.h>

#include "formats/table.h"
#include "ground/code_spectrum.h"
#include "support/status.h"

struct sg_generator_spec {
    double duration, dt;        /* s */
    double rise, strong, decay; /* s, s, 1/s */
    double shortest, longest;   /* s: periods between which the spectra are to fit */
    double damping;             /* 1 */
    long long iterations;       /* at most */
    double tolerance;           /* mean error that ends them, 1 */
};

/* The misfit of a record: |S / target - 1| at 100 periods from .1 to 2 s (or to `longest`, below) */
struct sg_fit {
    double mean, worst; /* 1 */
};

struct sg_generated {
    struct sg_table record; /* m/s^2 over s, from 0 to `duration` by dt; the arena's */
    struct sg_fit fit;
    long long iterations; /* corrections that the best one needed */
};

/* values of a record: round(duration / dt) + 1 */
size_t sg_generator_count(const struct sg_generator_spec *spec);

/* between 0 and 1 */
double sg_generator_envelope(const struct sg_generator_spec *spec, double t);

sg_status sg_generate(struct sg_arena *arena, const struct sg_generator_spec *spec,
                      const struct sg_code_spectrum *target, uint64_t seed, struct sg_generated *generated,
                      struct sg_error *err);

/* up to the period `longest`, s; faults as those of sg_pseudo_accelerations */
sg_status sg_fit_of(const struct sg_table *record, const struct sg_code_spectrum *target, double damping,
                    double longest, struct sg_fit *fit, struct sg_error *err);

#endif
