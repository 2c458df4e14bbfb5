/* Reference motion of a mass on a spring that turns about its fixed end, inside a rigid circle about that
 * end (Di Stasio et al. 2019, eq. 43):
 *
 *     m x'' = -k (1 - l0/|x|) x,   |x| <= R,   at an impact v_N+ = -e v_N-, Coulomb's friction mu.
 *
 * Between impacts energy and angular momentum stay; an impact without friction leaves the angular momentum,
 * one that slips takes mu (1 + e) m R |v_N| of it. Integrated to about 1e-12 (smooth_motion.h). With e = 0
 * there is one impact; after it the mass returns to the circle again and again, but only grazes it. */
#ifndef SG_BENCHMARKS_EXACT_ROTATING_SPRING_H
#define SG_BENCHMARKS_EXACT_ROTATING_SPRING_H

#include "benchmarks/exact/smooth_motion.h"
#include "support/status.h"

struct sg_rotating_spring {
    double mass, stiffness, length; /* kg, N/m, m: m, k, l0, all > 0 */
    double radius;                  /* m, R > 0 */
    double restitution, friction;   /* 1: e in [0, 1], mu >= 0 */
    double x[2], v[2];              /* m, m/s at t = 0; 0 < |x| < R */
};

/* m 1, k 10, l0 1, R 1.4, x = (.8, 0), v = (1, 2); e = 1 without friction, or e = 0 and mu = .2 */
struct sg_rotating_spring sg_rotating_spring_benchmark(bool friction);

/* SG_BAD_DECK for a value out of its range. */
sg_status sg_rotating_spring_check(const struct sg_rotating_spring *spring, struct sg_error *err);

/* y = {x, y, x', y'}; borrows the spring */
struct sg_smooth_motion sg_rotating_spring_motion(const struct sg_rotating_spring *spring);
struct sg_smooth_state sg_rotating_spring_start(const struct sg_rotating_spring *spring);

/* kg m^2/s and J of a state y */
double sg_rotating_spring_angular_momentum(const struct sg_rotating_spring *spring, const double *y);
double sg_rotating_spring_energy(const struct sg_rotating_spring *spring, const double *y);

#endif
