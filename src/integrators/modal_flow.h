/* The motion of a phase in closed form, between its own modes. From a state (u0, v0) at t each mode l has the
 * coordinate y_l = x_l . (u - u0) with
 *
 *     y'' + c y' + k y = r(tau) = sum_d r_d tau^d,    y(0) = 0,   y'(0) = v,
 *
 * r_0 the residual force of the start, so that nothing cancels where the body is far from its rest. What is
 * watched in a phase, a gap or the reaction of a resting contact, is linear in these:
 *
 *     F(tau) = F(0) + sum_l w_l (y_l + b (y_l' - v_l)) - sum_k p_k (s_k(t + tau) - s_k(t)),
 *
 * w_l = x_l . w_j and b = p = 0 of a gap. The reaction of a row at rest is a multiplier of the acceleration,
 * lambda = -(W^T W)^-1 W^T (f - C v - K u) with M = I, W the resting rows and K with the closed springs. With
 * rho_j = W (W^T W)^-1 e_j and C = alpha I + beta K it is of this form too, w_l = rho_j . K x_l, b = beta
 * (W^T x_l = 0 kills alpha) and p_k = rho_j . F_k of the load F_k s_k. */
#ifndef SG_INTEGRATORS_MODAL_FLOW_H
#define SG_INTEGRATORS_MODAL_FLOW_H

#include <stdbool.h>
#include <stddef.h>

struct sg_modal_flow {
    double t, h;              /* s: it holds for 0 <= tau <= h */
    unsigned long phase;      /* number of the modes: another where they were found anew */
    size_t count;             /* modes */
    const double *k, *c;      /* count: 1/s^2, 1/s */
    const double *v;          /* count */
    size_t degree;            /* of r */
    const double *r;          /* (degree + 1) x count: r_d of mode l is r[d count + l] */
    size_t loads;             /* that depend on time */
    const double *course;     /* loads x (degree + 1): model/load_course.h; of degree 0 not looked at */
    const double *pattern;    /* loads x count: F_k . x_l */
    const bool *from_support; /* loads: not counted as work of loads */
    const double *gap;        /* q x count: w of gap j from j count on */
    const double *reaction;   /* q x count: of resting contacts */
    const double *shift;      /* q x loads: p of their reactions */
    const double *reach;      /* q x touched: |rho| of resting contacts, by `touched`; for rounding */
    double beta;              /* s */
    const double *y, *dy;     /* count: at `at` */
    double at;                /* s: the tau last gone to */
};

struct sg_flow_functional {
    const double *w;     /* count */
    const double *shift; /* p, loads; NULL: none */
    double rate;         /* b, s */
};

struct sg_flow_functional sg_modal_flow_gap(const struct sg_modal_flow *flow, size_t j);
struct sg_flow_functional sg_modal_flow_reaction(const struct sg_modal_flow *flow, size_t j);

/* A functional at one instant: its change F - F(0), its first two derivatives, and the sum of the magnitudes
 * that the change is the sum of, of which rounding is a few machine epsilons. */
struct sg_flow_value {
    double change, slope, curve, scale;
};
struct sg_flow_value sg_modal_flow_at(const struct sg_modal_flow *flow, const struct sg_flow_functional *f,
                                      double tau);

/* the same at the tau last gone to, from y and dy */
struct sg_flow_value sg_modal_flow_end(const struct sg_modal_flow *flow, const struct sg_flow_functional *f);

/* derivative of order 1 to 3 at tau = 0, and by `scale` the sum of its magnitudes */
double sg_modal_flow_start(const struct sg_modal_flow *flow, const struct sg_flow_functional *f, size_t order,
                           double *scale);

/* Bounds of |y^(r)|, r = 2 .. 5, of every mode for 0 <= tau <= horizon into bound (4 x count), by r. With z =
 * y^(r), z'' + c z' + k z = r^(r)(tau), the part of the start is bounded by energy,
 *
 *     |z| <= sqrt(z(0)^2 + z'(0)^2 / k),  and   |z| <= |z0| + |z0' + a z0| min(tau, 1/b)   if c^2 >= 4 k,
 *
 * b = c/2 + sqrt(c^2/4 - k) and a = k/b the rates of decay: z' + a z = (z0' + a z0) exp(-b tau), and what
 * this makes of z in the time tau is at most its integral. The impulse response is below tau and 1/sqrt(k),
 * again by energy, so that forces add max |r^(r)| min(tau^2/2, tau/sqrt(k)). Resonance and rigid modes (k = c
 * = 0) are no special case. Where the degree is above 1, horizon is h. */
void sg_modal_flow_bounds(const struct sg_modal_flow *flow, double horizon, double *bound);

/* m[i] >= |F^(i+2)| for i = 0, 1, 2, from these */
void sg_modal_flow_limits(const struct sg_modal_flow *flow, const struct sg_flow_functional *f,
                          const double *bound, double horizon, double m[3]);

#endif
