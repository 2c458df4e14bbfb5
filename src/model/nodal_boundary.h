/* The nodal boundary method: Urman and Legrand 2023, "Nonsmooth modal analysis of a varying cross-sectional
 * area bar in unilateral contact", J. Sound Vib. 545.
 *
 * One contact, g = gap + weight u_N, on an end node N whose force the body's shape functions know
 * (model/end_force.h). The node has no equation of motion; with x the other free dofs,
 *
 *     inactive   no force on the end:   u_N = s . x,    s_i = -slope_i / slope_N
 *     active     the gap is closed:     u_N = held = -gap / weight
 *
 * so that u = P x + p, and M, C, K, loads become P^T M P, P^T C P, P^T K P, P^T (f - K p): eqs. (29) to (43),
 * where M_N, K_N and M_D, K_D, g f_D are those of the phases. The phase follows from the sign of the
 *
 *     switching function   S = gap + weight s . x:   the gap of the inactive phase, and of the active one
 *     contact force        R = -stiffness S,         stiffness = E A slope_N / weight^2.
 *
 * x and its velocity are continuous where the phase changes; u_N' jumps by s . x'. */
#ifndef SG_MODEL_NODAL_BOUNDARY_H
#define SG_MODEL_NODAL_BOUNDARY_H

#include <stdbool.h>
#include <stddef.h>

#include "linalg/columns.h"
#include "model/system.h"
#include "support/status.h"

enum sg_nodal_phase { SG_INACTIVE, SG_ACTIVE, SG_NODAL_PHASES };

struct sg_nodal_contact {
    const char *name; /* for messages; borrowed */
    size_t dof;       /* free dof of the node */
    double weight;    /* 1, not 0 */
    double gap;       /* m, at zero displacement */
};

struct sg_nodal_boundary {
    struct sg_arena arena; /* has all but the phases */
    size_t m;              /* internal dofs: one fewer than the system has */
    size_t node;           /* free dof of the node */
    size_t *internal;      /* m: free dof of each internal one, ascending */
    struct sg_columns s;   /* m x 1 */
    double gap, weight;    /* m, 1 */
    double held;           /* m: u_N while active */
    double stiffness;      /* N/m */
    double active_energy;  /* J: strain and gravity of p alone, which no m x m form has */
    /* M, C, K, loads, gravity (with -K p), u0 and v0 of each phase: systems of their own in nodal
     * coordinates, which may go to modal ones. Signals and names are borrowed from the system; without
     * motions, centres and nonlinear elements. */
    struct sg_system *phase[SG_NODAL_PHASES];
};

/* `system`: in nodal coordinates, kept by the caller as long as the result. SG_BAD_DECK with the reason where
 * the model has no such pair of phases; `*out` is NULL then. */
sg_status sg_nodal_boundary_create(const struct sg_system *system, const struct sg_nodal_contact *contact,
                                   struct sg_nodal_boundary **out, struct sg_error *err);
void sg_nodal_boundary_destroy(struct sg_nodal_boundary *boundary);

/* S, m, of nodal x (m) */
double sg_nodal_boundary_switch(const struct sg_nodal_boundary *boundary, const double *x);

/* Nodal x (m) -> all free dofs (m + 1): displacement (order 0), velocity (1) or acceleration (2) of a phase.
 */
void sg_nodal_boundary_expand(const struct sg_nodal_boundary *boundary, enum sg_nodal_phase phase,
                              const double *x, int order, double *u);

/* the internal ones of all free dofs */
void sg_nodal_boundary_restrict(const struct sg_nodal_boundary *boundary, const double *u, double *x);

#endif
