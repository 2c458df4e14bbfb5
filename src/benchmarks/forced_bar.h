/* A uniform bar of length, mass and stiffness 1, held at x = 0, with u(1) <= g: what is known in closed form
 * of its motions with damping c and a force F cos(w t) on all of it, u_tt + c u_t - u_xx = F cos(w t). */
#ifndef SG_BENCHMARKS_FORCED_BAR_H
#define SG_BENCHMARKS_FORCED_BAR_H

/* The load: omega in rad/s, c in 1/s, F in N/kg. */
struct sg_forced_bar {
    double omega, damping, force;
};

/* Without contact, the amplitude of u(1) in m: |F/k^2 (1/cos k - 1)| with k^2 = w^2 - i w c. */
double sg_forced_bar_amplitude(const struct sg_forced_bar *bar);

/* What the midpoint rule with steps h (s) makes of it: it does to a harmonic motion what the frequency
 * (2/h) tan(w h/2) does in the exact equation, under the load of the midpoint, larger by 1/cos(w h/2). */
struct sg_forced_bar sg_forced_bar_by_midpoint(const struct sg_forced_bar *bar, double h);

/* Unforced and undamped, with contact: motions whose displacement is linear in x piece by piece have the
 * period T, 3 < T <= 4, and the energy E = g^2 / (2 (T - 3)^2). The frequency of an energy (J) of at least
 * g^2/2, over that of the first mode, pi/2. */
double sg_forced_bar_backbone(double energy, double gap);

/* The same of a bar whose stiffness falls in a straight line to one half at its end, by nonsmooth modes
 * (docs/nonsmooth-modes.md), interpolated; `ratio` is the energy over that with which the first mode touches
 * the stop, 1.21 to 792, and held beyond. */
double sg_forced_bar_tapered_backbone(double ratio);

#endif
