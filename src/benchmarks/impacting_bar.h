/* Exact motion of an elastic bar that flies against a rigid wall and leaves it again (Di Stasio et al.
 * 2019, after Carpenter et al. 1991), by d'Alembert: with c = sqrt(E/rho), x the distance from the end that
 * hits and s = t - G/v0 the time since it does, the velocity of x is
 *
 *     -v0 until s = x/c,   0 until s = (2 L - x)/c,   then v0.
 *
 * The wall's reaction is rho c A v0 while 0 < s < 2 L/c. */
#ifndef SG_BENCHMARKS_IMPACTING_BAR_H
#define SG_BENCHMARKS_IMPACTING_BAR_H

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

#endif
