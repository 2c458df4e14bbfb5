/* Exact motion of a damped oscillator under a constant, ramped and harmonic load:
 *
 *     m u'' + c u' + k u = f0 + f1 t + fc cos(W t) + fs sin(W t),   u(0) = u0,  u'(0) = v0,
 *
 * for any damping, below, at and above the critical one. A reference for orders of convergence. */
#ifndef TEST_EXACT_SDOF_H
#define TEST_EXACT_SDOF_H

#include "support/status.h"

struct sg_sdof_spec {
    double mass, damping, stiffness; /* kg, N s/m, N/m; m > 0, c >= 0, k > 0 */
    double constant;                 /* N, f0 */
    double ramp;                     /* N/s, f1 */
    double cosine, sine;             /* N, fc, fs */
    double frequency;                /* rad/s, W >= 0 */
    double u0, v0;                   /* m, m/s */
};

/* The parts of the solution: particular p0 + p1 t + pc cos(W t) + ps sin(W t), and the homogeneous part
 * with initial values h0, dh0. */
struct sg_sdof {
    struct sg_sdof_spec spec;
    double p0, p1, pc, ps;
    double h0, dh0;
};

struct sg_sdof_state {
    double u, v, a; /* m, m/s, m/s^2 */
};

/* SG_BAD_DECK for a value out of range, or for undamped resonance (no bounded particular solution). */
sg_status sg_sdof_init(const struct sg_sdof_spec *spec, struct sg_sdof *sdof, struct sg_error *err);

struct sg_sdof_state sg_sdof_at(const struct sg_sdof *sdof, double t);

#endif
