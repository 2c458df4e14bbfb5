/* Symmetric orbits with one blow a period, by the lengths of their two phases instead of by their start.
 *
 * Such an orbit is at rest in the middle of its open phase, t = 0, and in the middle of its closed one,
 * t = T/2. It is open for |t| < a and closed for the 2 b after, T = 2 (a + b). In modes of the open phase
 * (phi_k, omega_k, amplitudes y_k) and of the closed one (psi_j, Omega_j) it is
 *
 *     u = center_0 + sum_k phi_k y_k cos(omega_k t),    u = center_1 + sum_j psi_j eta_j cos(Omega_j (t -
 * T/2)).
 *
 * That u and u' agree at t = a are two equations for each j. Multiplied by sin(Omega_j b) and cos(Omega_j b)
 * and added they leave eta_j out, and as these two are never 0 together nothing is lost. With P = psi^T M
 * phi, d = psi^T M (center_0 - center_1) and the energy's numbers X_k = omega_k y_k there remain
 *
 *     sin(Omega_j b) (sum_k P_jk cos(omega_k a) X_k / omega_k + d_j s)
 *         + cos(Omega_j b) sum_k P_jk sin(omega_k a) X_k / Omega_j = 0,         j = 1 .. n
 *     sum_k (w . phi_k) cos(omega_k a) X_k / omega_k + gap_0 s = 0              the gap is 0 at t = a
 *
 * with s = 1: B(a, b) (X, s) = 0, n + 1 linear equations. All orbits of the kind, for all periods, are the
 * curves det B = 0 of the plane of a and b, and at a given period the zeros of one function of one unknown
 * (the form by times of Raff and Remy 2025; Thorin, Delezoide and Legrand, SIAM J. Appl. Dyn. Syst. 16, 2017,
 * for impacts). Why that finds what shooting misses:
 *
 *   - it is regular where the contact just begins: b = 0, a = pi / omega_k solves it with the linear mode
 * that grazes, and the curve leaves from there with a gradient;
 *   - a stiff stop makes contacts short, but only scales b: the velocity after a blow, which shooting aims
 * by, is no longer an unknown that a tiny change of the start turns around;
 *   - the curve goes on where another contact, or a second blow, makes the motion impossible; whether an
 * orbit is possible is asked of each point of the curve, not of the way to it.
 *
 * A filter k, u(0) in k modes and z(T/2) tested on k, leaves the first k rows and columns. */
#ifndef SG_ANALYSES_ORBIT_TIMES_H
#define SG_ANALYSES_ORBIT_TIMES_H

#include <stdbool.h>
#include <stddef.h>

#include "analyses/orbit_phases.h"
#include "support/arena.h"
#include "support/status.h"

struct sg_orbit_times {
    const struct sg_orbit_phases *phases; /* borrowed */
    size_t filter, contact;
    double size;          /* sqrt(2 E): unit of X here */
    double *p, *d;        /* filter x filter, filter */
    double *matrix;       /* (filter + 2)^2: B bordered, and its factors */
    double *x, *xa, *xb;  /* filter + 2: (X, s), its derivatives in a and b */
    double *left, *right; /* filter + 1: the borders */
    double *ca, *sa, *cb, *sb;
    size_t *pivot;
};

/* Phases without contact and with `contact` alone, the lowest `filter` modes; `energy` (J) scales X. */
struct sg_orbit_times_spec {
    const struct sg_orbit_phases *phases; /* borrowed */
    size_t filter, contact;
    double energy;
};
sg_status sg_orbit_times_init(struct sg_arena *arena, struct sg_orbit_times *times,
                              const struct sg_orbit_times_spec *spec, struct sg_error *err);

/* a and b (s), and the direction of a curve there in these */
struct sg_times_point {
    double a, b;
    double ta, tb; /* of length 1 */
};

/* The start of the curve of a mode: it grazes at half its period. Sets the direction to b > 0. False where
 * there is none. */
bool sg_orbit_times_begin(struct sg_orbit_times *times, size_t mode, double side,
                          struct sg_times_point *point);

/* The next point of a curve, at about the distance *step (s) along it, which is made shorter where the curve
 * bends, and longer where it does not, within `unit` (s) times set limits. False: none. */
bool sg_orbit_times_step(struct sg_orbit_times *times, double unit, double *step,
                         struct sg_times_point *point);

/* Tells the sign of the orbit's s at the last point solved: where it changes the energy is infinite. */
double sg_orbit_times_scale(const struct sg_orbit_times *times);

/* The orbit of a point of a curve */
bool sg_orbit_times_solve(struct sg_orbit_times *times, const struct sg_times_point *point);

/* From a point near it to the orbit of this half period, Newton's method. False: none near. */
bool sg_orbit_times_meet(struct sg_orbit_times *times, double half, struct sg_times_point *point);

/* x (filter numbers of energy, as sg_shoot_half takes them) of the last point solved; false if its energy is
 * infinite */
bool sg_orbit_times_start(const struct sg_orbit_times *times, double *x);

/* Tells whether the point solved last looks possible: the gap falls at t = a, is open at t = 0 and closed at
 * a few instants of the contact. What the motion does is told by shooting; most zeros are sorted out here. */
bool sg_orbit_times_is_possible(struct sg_orbit_times *times, const struct sg_times_point *point);

/* A zero of det B at a half period between two b where its signs differ; else NaN */
double sg_orbit_times_zero(struct sg_orbit_times *times, double half, double low, double high);

/* The next zero of det B at a half period, above b = `from`; NaN: no more. Of two zeros nearer to each other
 * than a fraction of the fastest mode's period both may be missed. */
double sg_orbit_times_next(struct sg_orbit_times *times, double half, double from);

#endif
