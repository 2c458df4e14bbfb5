/* Exact motion of an oscillator against a unilateral spring, and of two masses that collide through one:
 *
 *     m u'' + k u = f + kappa [-g]+,    g = g0 + u   (open: g >= 0).
 *
 * The motion is a sequence of arcs, free and closed in turn, each harmonic (a free one a parabola where
 * k = 0). Energy is conserved, so that every closing has the same speed V, and the free and the closed
 * arcs have one duration each: after the first event all event times are known in closed form. */
#ifndef TEST_EXACT_SDOF_CONTACT_H
#define TEST_EXACT_SDOF_CONTACT_H

#include <stdbool.h>
#include <stddef.h>

#include "support/status.h"

struct sg_sdof_contact_spec {
    double mass, stiffness;   /* kg, N/m; m > 0, k >= 0 */
    double contact_stiffness; /* N/m, kappa > 0 */
    double gap;               /* m, g0 */
    double load;              /* N, f, constant */
    double u0, v0;            /* m, m/s */
};

/* An arc in its own time s: g'' = acceleration0 - w^2 g with the values at s = 0. */
struct sg_contact_arc {
    double gap, velocity; /* m, m/s at s = 0 */
    double square, drive; /* 1/s^2, m/s^2: g'' = drive - square g */
    double duration;      /* s; HUGE_VAL where no event ends it */
};

struct sg_sdof_contact {
    struct sg_sdof_contact_spec spec;
    bool starts_closed;
    struct sg_contact_arc first;        /* from t = 0 */
    struct sg_contact_arc free, closed; /* the arcs that follow, in turn */
};

struct sg_sdof_contact_state {
    double u, v;                                /* m, m/s */
    double gap, force;                          /* m, N: > 0 open; > 0 compressive */
    double kinetic, strain, contact, potential; /* J; potential = -f u; their sum is constant */
    bool closed;
};

/* SG_BAD_DECK for a value out of range. */
sg_status sg_sdof_contact_init(const struct sg_sdof_contact_spec *spec, struct sg_sdof_contact *sdof,
                               struct sg_error *err);

/* s, of event k = 0, 1, ... (closings and openings in turn); HUGE_VAL where there is no such event.
 * `closes` (may be NULL) tells which it is. */
double sg_sdof_contact_event(const struct sg_sdof_contact *sdof, size_t k, bool *closes);

/* m/s, the gap's speed at every event; 0 where there is none */
double sg_sdof_contact_speed(const struct sg_sdof_contact *sdof);

struct sg_sdof_contact_state sg_sdof_contact_at(const struct sg_sdof_contact *sdof, double t);

/* Two free masses on a line, the second ahead of the first: g = g0 + u2 - u1, kappa between them. */
struct sg_two_mass_spec {
    double mass[2];           /* kg */
    double velocity[2];       /* m/s at t = 0, where u = 0 */
    double contact_stiffness; /* N/m */
    double gap;               /* m, g0 > 0 */
};

struct sg_two_mass {
    struct sg_two_mass_spec spec;
    struct sg_sdof_contact relative; /* of u2 - u1, with the reduced mass */
};

struct sg_two_mass_state {
    double u[2], v[2];       /* m, m/s */
    double gap, force;       /* m, N */
    double kinetic, contact; /* J; their sum is constant */
};

/* The one collision closes and opens at events 0 and 1 of `relative`. SG_BAD_DECK as above. */
sg_status sg_two_mass_init(const struct sg_two_mass_spec *spec, struct sg_two_mass *pair,
                           struct sg_error *err);
struct sg_two_mass_state sg_two_mass_at(const struct sg_two_mass *pair, double t);

#endif
