/* What periodic orbits are made of: a system that is linear, undamped and free of time in each of a few
 * phases, and changes its phase where one of q gaps crosses 0,
 *
 *     gap_j(u) = offset_j + w_j . u,        closed where it is negative, in the phase with bit j,
 *     M u'' + K u = f                       M, K, f of the phase,
 *
 * with u and u' continuous. Two examples: the phases of a nodal boundary (model/nodal_boundary.h), which have
 * M and K of their own, and unilateral springs, which change K and f. Modes of all phases are found once. */
#ifndef SG_ANALYSES_ORBIT_PHASES_H
#define SG_ANALYSES_ORBIT_PHASES_H

#include <stddef.h>

#include "analyses/grazing_mode.h"
#include "linalg/matrix.h"
#include "support/status.h"

enum { SG_ORBIT_CONTACTS = 6 };

struct sg_orbit_phase {
    size_t n;
    double *omega;  /* n, rad/s, ascending, positive */
    double *phi;    /* n x n, column-major: modes, phi^T M phi = 1 */
    double *mphi;   /* M phi */
    double *center; /* n: where the phase could rest, K center = f */
    double *sway;   /* n x q: phi^T w_j */
    double *gap;    /* q: gaps at the center */
    double rest;    /* J: potential energy at the center, above that at the center of phase 0 */
};

struct sg_orbit_phases {
    size_t n, q, count;           /* count = 2^q */
    double *w;                    /* n x q, column-major */
    double *offset;               /* q */
    struct sg_orbit_phase *phase; /* by the set of closed contacts, contact j as bit j */
};

/* u.K u / 2 - f.u + energy is the phase's potential energy */
struct sg_orbit_phase_spec {
    const struct sg_matrix *m, *k;
    const double *force; /* n; NULL: 0 */
    double energy;       /* J */
};
struct sg_orbit_spec {
    size_t n, q;
    const double *w, *offset;                 /* n x q, q */
    const struct sg_orbit_phase_spec *phases; /* 2^q */
};

/* Copies what it needs. SG_BAD_DECK if a phase could drift away: no positive frequency. */
sg_status sg_orbit_phases_create(struct sg_arena *arena, const struct sg_orbit_spec *spec,
                                 struct sg_orbit_phases **out, struct sg_error *err);

/* gap of contact j, and its rate if u is a velocity (`offset` 0 then) */
double sg_orbit_gap(const struct sg_orbit_phases *phases, size_t j, const double *u);
double sg_orbit_rate(const struct sg_orbit_phases *phases, size_t j, const double *v);

/* modal amplitudes y = phi^T M (u - center), z = phi^T M v, and back; NULL for what is not wanted */
void sg_orbit_to_modes(const struct sg_orbit_phase *phase, const double *u, const double *v, double *y,
                       double *z);
void sg_orbit_from_modes(const struct sg_orbit_phase *phase, const double *y, const double *z, double *u,
                         double *v);

/* a (n) = u'' in the phase; `work`: n */
void sg_orbit_acceleration(const struct sg_orbit_phases *phases, size_t mask, const double *u, double *work,
                           double *a);

/* kinetic + potential energy in the phase, J, above that at rest without contact; `work`: n */
double sg_orbit_energy(const struct sg_orbit_phases *phases, size_t mask, const double *u, const double *v,
                       double *work);

/* mode i (from 0) of the phase without contact, from its center: where it just reaches a gap */
struct sg_touch sg_orbit_touch(const struct sg_orbit_phases *phases, size_t mode);

#endif
