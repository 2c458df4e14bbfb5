/* Exact first impact of a rigid pendulum against a wall (Chen, Acary, Virlez and Bruels 2013): mass m = 1 kg
 * with moment of inertia J = 0.1 kg m^2 at the end of a massless rod of l = 1 m, g = 10 m/s^2, from rest 15
 * degrees above the horizontal until x = cos 45 degrees, e = 0.8. With I = m l^2 + J, theta the angle below
 * the horizontal:
 *
 *     I theta'^2 / 2 = m g l (sin 15 + sin theta),   t = int d theta / theta'.
 *
 * A flight between impacts begins and ends at the wall, with one energy: each impulse is e times the last. */
#ifndef SG_BENCHMARKS_EXACT_BOUNCING_PENDULUM_H
#define SG_BENCHMARKS_EXACT_BOUNCING_PENDULUM_H

#include <stddef.h>

struct sg_bouncing_pendulum {
    double time;    /* s, of the impact */
    double impulse; /* N s */
    double speed;   /* m/s, of the mass along x, before */
};

/* impulses of the first impacts */
double sg_bouncing_pendulum_impulse(const struct sg_bouncing_pendulum *pendulum, size_t impact);

/* The largest relative error of an impulse where each impact so far has taken the rates of the gap at the
 * step's ends for those of the impact: |g''| h of |g'| each, g'' = -cos(theta) (theta'^2 + g/l sin(theta)
 * m l^2/I) at the wall. */
double sg_bouncing_pendulum_slack(const struct sg_bouncing_pendulum *pendulum, size_t impact, double step);

void sg_bouncing_pendulum_solve(struct sg_bouncing_pendulum *pendulum);

#endif
