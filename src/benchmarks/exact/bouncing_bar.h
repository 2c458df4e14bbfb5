/* Exact motion of the elastic bar that falls on a rigid wall and bounces periodically.
 *
 * The bar (0 <= x <= L in the reference configuration, x = 0 the end that meets the wall) is released
 * from rest, unstrained, with its lower end at height h0:
 *
 *     u_tt = c0^2 u_xx - g,   u(0, t) >= 0  _|_  F(t) = -E A u_x(0, t) >= 0,   u_x(L, t) = 0.
 *
 * In the falling frame y = u - h0 + g t^2 / 2 is a pure wave. With tau = L / c0, t_f the time of fall,
 * V = g t_f, s = t - t_f and the wave P that leaves the wall,
 *
 *     y(x, t) = P(s - x/c0) + P(s - 2 tau + x/c0)
 *     P'(s) = 0                        s < 0
 *             V + g (s mod 2 tau)      0 <= s < 2 t_f + 2 tau
 *             2 V + 2 g tau            beyond,
 *
 * which is one period, 4 t_f + 4 tau, of: fall, compressive contact (2 tau), oscillating flight (2 t_f),
 * expansive contact (2 tau), rise. These four phases hold where t_f / tau is an integer >= 2: then the
 * lower end meets the wall again just as a wave front arrives at it. The benchmark of Doyen, Ern and
 * Piperno (2011) is (h0, L, c0, g) = (5, 10, 30, 10), with t_f = 3 tau and period 16 tau.
 *
 * Where velocity, strain and force jump, the functions give the value just after. */
#ifndef SG_BENCHMARKS_EXACT_BOUNCING_BAR_H
#define SG_BENCHMARKS_EXACT_BOUNCING_BAR_H

#include <stddef.h>

#include "support/status.h"

struct sg_bouncing_bar_spec {
    double drop;         /* m, h0 > 0 */
    double length;       /* m */
    double wave_speed;   /* m/s */
    double gravity;      /* m/s^2, > 0 */
    double line_density; /* kg/m, rho A */
};

struct sg_bouncing_bar {
    struct sg_bouncing_bar_spec spec;
    double fall;    /* s, t_f */
    double transit; /* s, tau */
    double speed;   /* m/s, V */
    double period;  /* s */
    size_t ratio;   /* t_f / tau */
};

/* What the bar as a whole has at one instant. Gravity energy is 0 at u = 0. */
struct sg_bouncing_bar_totals {
    double displacement, velocity;   /* m, m/s: of the centre of gravity */
    double momentum;                 /* kg m/s */
    double kinetic, strain, gravity; /* J; their sum is constant */
};

struct sg_contact_interval {
    double closes, opens; /* s */
};

/* (5, 10, 30, 10) with rho A = 1: E A = 900 N */
struct sg_bouncing_bar_spec sg_bouncing_bar_benchmark(void);

/* SG_BAD_DECK for a quantity that is not positive, or where t_f / tau is not an integer >= 2 (to 1e-9). */
sg_status sg_bouncing_bar_init(const struct sg_bouncing_bar_spec *spec, struct sg_bouncing_bar *bar,
                               struct sg_error *err);

/* u, u_t, u_x at 0 <= x <= L and t >= 0 */
double sg_bouncing_bar_displacement(const struct sg_bouncing_bar *bar, double x, double t);
double sg_bouncing_bar_velocity(const struct sg_bouncing_bar *bar, double x, double t);
double sg_bouncing_bar_strain(const struct sg_bouncing_bar *bar, double x, double t);

/* N, compressive > 0; 0 in flight */
double sg_bouncing_bar_force(const struct sg_bouncing_bar *bar, double t);

struct sg_bouncing_bar_totals sg_bouncing_bar_at(const struct sg_bouncing_bar *bar, double t);

/* The contact number k = 0, 1, ...: compressive where k is even, expansive where it is odd. */
struct sg_contact_interval sg_bouncing_bar_contact(const struct sg_bouncing_bar *bar, size_t k);

#endif
