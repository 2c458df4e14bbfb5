/* Reference motion of the Van der Pol oscillator against a rigid wall (Di Stasio et al. 2019, eq. 36):
 *
 *     x'' - xi w0 (1 - (x/x0)^2) x' + w0^2 x = 0,   x >= wall,   x'+ = -e x'-  at the wall.
 *
 * With a wall the motion tends to a limit cycle with one impact a period. Integrated to about 1e-12
 * (smooth_motion.h); the benchmark's cycle has period 6.99900785 s and impact speed 5.59315380 m/s. */
#ifndef SG_BENCHMARKS_EXACT_VAN_DER_POL_H
#define SG_BENCHMARKS_EXACT_VAN_DER_POL_H

#include "benchmarks/exact/smooth_motion.h"
#include "support/status.h"

struct sg_van_der_pol {
    double xi;          /* 1, >= 0 */
    double omega0;      /* rad/s, > 0 */
    double scale;       /* m, x0 > 0 */
    double wall;        /* m; -HUGE_VAL: none */
    double restitution; /* 1, in [0, 1] */
    double x, v;        /* m, m/s at t = 0; x > wall */
};

struct sg_van_der_pol_cycle {
    double period, speed; /* s, m/s: between impacts, at an impact */
};

/* xi 5, w0 1, x0 1, x(0) = 1, x'(0) = 1, wall at -0.25, e = 1 */
struct sg_van_der_pol sg_van_der_pol_benchmark(void);

/* SG_BAD_DECK for a value out of its range. */
sg_status sg_van_der_pol_check(const struct sg_van_der_pol *oscillator, struct sg_error *err);

/* y = {x, x'}; borrows the oscillator */
struct sg_smooth_motion sg_van_der_pol_motion(const struct sg_van_der_pol *oscillator);
struct sg_smooth_state sg_van_der_pol_start(const struct sg_van_der_pol *oscillator);

/* The cycle that is reached after ten impacts. SG_NO_SOLUTION if impacts cease or accumulate. */
sg_status sg_van_der_pol_cycle(const struct sg_van_der_pol *oscillator, struct sg_van_der_pol_cycle *cycle,
                               struct sg_error *err);

#endif
