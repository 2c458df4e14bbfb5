/* Exact motion of an elastic bar that flies against a rigid wall and leaves it again (Di Stasio et al.
 * 2019, after Carpenter et al. 1991), by d'Alembert: with c = sqrt(E/rho), x the distance from the end that
 * hits and s = t - G/v0 the time since it does, the velocity of x is
 *
 *     -v0 until s = x/c,   0 until s = (2 L - x)/c,   then v0.
 *
 * The wall's reaction is rho c A v0 while 0 < s < 2 L/c. */
#ifndef SG_BENCHMARKS_EXACT_IMPACTING_BAR_H
#define SG_BENCHMARKS_EXACT_IMPACTING_BAR_H

#include "support/status.h"

struct sg_impacting_bar_spec {
    double density, area, modulus, length; /* kg/m^3, m^2, Pa, m */
    double speed;                          /* m/s, v0: towards the wall */
    double gap;                            /* m, G >= 0 */
};

struct sg_impacting_bar {
    struct sg_impacting_bar_spec spec;
    double wave_speed;    /* m/s, c */
    double closes, opens; /* s: G/v0, G/v0 + 2 L/c */
    double force;         /* N, rho c A v0 */
    double impulse;       /* N s, 2 rho A L v0 */
    double energy;        /* J, rho A L v0^2 / 2, conserved */
};

struct sg_impacting_bar_point {
    double displacement, velocity; /* m, m/s, away from the wall > 0 */
};

/* rho 7847, A 6.45e-4, E 2.1e11, L .254, v0 5, G 2.5e-4: contact from 5e-5 s to 1.48199e-4 s */
struct sg_impacting_bar_spec sg_impacting_bar_benchmark(void);

/* SG_BAD_DECK for a quantity that is not positive, or a negative gap. */
sg_status sg_impacting_bar_init(const struct sg_impacting_bar_spec *spec, struct sg_impacting_bar *bar,
                                struct sg_error *err);

/* at distance x from the hitting end, 0 <= x <= L, and t >= 0 */
struct sg_impacting_bar_point sg_impacting_bar_at(const struct sg_impacting_bar *bar, double x, double t);

/* N, the wall's reaction; the mean of both sides where it jumps */
double sg_impacting_bar_force(const struct sg_impacting_bar *bar, double t);

/* What linear elements with consistent mass and generalized-alpha make of the front. With D = L/elements,
 * C = c h/D and a = (1 - rho)/(1 + rho), waves of wavenumber k travel by
 *
 *     omega = c k (1 - p (k D)^2 + ..),   p = (1/12 + 3/8 a^2) C^2 - 1/24
 *
 * (elements by -1/24, the scheme by the rest). A step that has come the way x is a front of Airy's function
 * (Whitham, Linear and Nonlinear Waves, 13.6): S(s) = int_{-s}^inf Ai where waves lag (p > 0), 1 - S(-s)
 * where they lead, s by the width w = (3 |p| D^2 x)^(1/3)/c, of order 2/3 in D. Here x = 2 L. While the wall
 * holds, the reaction is rho c A v0 (1 - 2 S), and it ends with S = 1/2 at s0, int_0^s0 Ai(-z) dz = 1/6; then
 * the end has the velocity 2 v0 (S - 1/2). Integrated, with int s Ai(-s) ds = -Ai'(-s):
 *
 *     impulse lacks 2 |Ai'(-s0)| rho c A v0 w;   the end lags in the end by 2 |Ai'(-s0)| v0 w, and where
 * waves lag first by 2 (Ai'(-s1) - Ai'(-s0)) v0 w, where S = 1 for the first time. */
struct sg_bar_mesh {
    double elements, step, rho; /* 1, s, 1: rho_inf */
};
struct sg_bar_front {
    double impulse; /* N s, that is missing */
    double lag;     /* m, of the end, at most */
};
struct sg_bar_front sg_impacting_bar_front(const struct sg_impacting_bar *bar,
                                           const struct sg_bar_mesh *mesh);

#endif
