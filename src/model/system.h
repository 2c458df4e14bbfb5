/* The system that a model ends in:
 *
 *     M v' + C v + K u + (nonlinear elements) = f(t) + (contact),   u' = v,
 *     f(t) = gravity + sum_k F_k s_k(t)
 *
 * in the n free coordinates of the solver: nodal displacements, or modal amplitudes after
 * sg_system_to_modal. Prescribed dofs are eliminated: they enter as loads, and come back in the full
 * vectors that are recorded. */
#ifndef SG_MODEL_SYSTEM_H
#define SG_MODEL_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>

#include "deck/deck.h"
#include "linalg/columns.h"
#include "linalg/matrix.h"
#include "linalg/modal.h"
#include "model/aspect.h"
#include "model/constraint_item.h"
#include "model/element.h"
#include "model/names.h"
#include "model/signal.h"
#include "results/quantity.h"
#include "results/record.h"
#include "support/arena.h"
#include "support/status.h"

/* A load F_k s_k(t), s_k a signal, a derivative or an integral of it. */
struct sg_load {
    double *pattern; /* n, N per unit of the signal */
    size_t signal;   /* index into system->signals */
    enum sg_signal_order order;
    bool from_support; /* its work is counted through `motions`, not as F . v */
};

/* A prescribed dof that moves: full dof, its signal, and the couplings to the free dofs, by which the
 * kinetic and strain energy and the supports' work are exact. M_pp, C_pp, K_pp between prescribed dofs
 * are in `motion_pp` (3 matrices, motion_count^2, row-major). A support without motion whose node starts
 * displaced is a motion with a constant signal; all other prescribed dofs stay at 0. */
struct sg_motion {
    size_t dof; /* full */
    size_t signal;
    enum sg_signal_order order;         /* the displacement's; velocity and acceleration are the next two */
    double *mass, *damping, *stiffness; /* n: columns of M_fp, C_fp, K_fp */
    double gravity;                     /* N, gravity's force on this dof */
};

/* A ground that accelerates: all coordinates are relative to it. Of several the motions add up. */
struct sg_ground {
    double direction[3]; /* unit vector, 0 beyond dim */
    size_t signal;       /* index into system->signals: m/s^2 along the direction */
    size_t load;         /* index into system->loads: -M r */
    double mass;         /* kg: r . M r over all dofs */
};

/* A keyword's node name ("bar.left", "ball", "masses.2") leads to this node. */
struct sg_node_ref {
    size_t node;        /* global node */
    size_t full_dof;    /* the first of its full dofs: sg_system_dof(system, node, 0) */
    double position[3]; /* m, in the reference configuration; 0 beyond dim */
};

enum sg_matrix_role { SG_MASS, SG_DAMPING, SG_STIFFNESS };

struct sg_system {
    struct sg_arena arena;   /* has what is the system's */
    size_t n, n_full;        /* full dofs: node by node, its axes and then its rotation where it has one */
    size_t dim;              /* 1 to 3: coordinates of a node */
    const size_t *first_dof; /* nodes + 1: full dofs of node i are first_dof[i] .. first_dof[i + 1] - 1 */
    const struct sg_dof_place *places; /* n_full */
    const double *reference; /* n_full: m, coordinate in the reference configuration; 0 of rotations */
    const struct sg_tie *ties;
    size_t tie_count;
    struct sg_matrix M, C, K;
    bool damped;          /* C has a nonzero entry */
    bool proportional;    /* C = alpha M + beta K */
    double alpha, beta;   /* if proportional: 1/s, s */
    bool classical;       /* C is diagonal in the modes of M and K */
    double *modal_ratios; /* owned: damping ratios of modes by rising frequency, the last for all that follow;
                             in C once the coordinates are chosen (model/modal_damping.h). NULL: none */
    size_t modal_ratio_count;
    double max_stiffness; /* N/m, largest entry of the full K: what stiffness_factor multiplies */
    double *gravity;      /* n, N */
    double *u0, *v0;      /* n */
    const struct sg_setting *equilibrium; /* the deck's item that asks for a static start; NULL: none does */
    bool rests;                           /* u0 is such a start, in balance with its contacts, and v0 is 0 */
    const struct sg_setting *continued; /* the deck's item that asks for the state of another run; or NULL */
    bool midway; /* v0 is that of the middle of the first step, as staggered schemes have it */
    struct sg_signal *signals;
    size_t signal_count;
    struct sg_load *loads;
    size_t load_count;
    struct sg_motion *motions;
    size_t motion_count;
    struct sg_ground *grounds;
    size_t ground_count;
    double *motion_pp;            /* 3 x motion_count^2 or NULL */
    struct sg_row_sums grounding; /* n + motion_count, N/m: sums of the rows of K over the free dofs and the
                                     motions, by which strain is taken of differences; first and end of
                                     the free ones; NULL in modal coordinates, and where K is zero */
    bool weightless;              /* no dof, moving supports included, feels gravity */
    double *momentum;             /* n x dim, column-major: M 1_d restricted to free dofs */
    double *momentum_pp;          /* motion_count x dim: momentum of prescribed motion's velocity */
    size_t *free_dof;             /* n: full dof of each free dof */
    size_t *free_of_full;         /* n_full: free index, or SIZE_MAX if prescribed */
    struct sg_columns center;     /* n x (body_count dim): mass-weighted means of bodies, of the free dofs;
                                     column dim * body + axis */
    double *center_pp;            /* motion_count x (body_count dim), row-major: of prescribed motions */
    struct sg_triplets mass_full; /* M of all n_full dofs; empty where dim is 1, which has no use for it */
    struct sg_elements elements;  /* nonlinear ones; with any, coordinates stay nodal */
    struct sg_constraints constraints; /* bilateral; with any, coordinates stay nodal */
    size_t growing;                    /* negative eigenvalues of bodies' stiffness: motions that grow */
    bool singular_mass;                /* dofs without mass that only the constraints give a motion */
    struct sg_aspects aspects;         /* what kinds of bodies know beside this */
    struct sg_modal *spare;       /* owned: the modes of M and K, if they were needed; see sg_system_modes */
    const struct sg_modal *modal; /* owned; NULL in nodal coordinates */
    struct sg_model_labels labels;
    struct sg_model_names *names; /* owns what labels borrow */
    /* Work arrays of the functions below: what makes a system usable by one thread at a time. */
    struct sg_system_scratch *scratch;
};

void sg_system_destroy(struct sg_system *system);

/* The initial state from full vectors (n_full), in nodal coordinates; prescribed dofs stay as they are. */
void sg_system_start_at(struct sg_system *system, const double *u, const double *v);

/* The nodes that a name stands for: `first` alone, or those of a set. */
struct sg_node_list {
    size_t count; /* at least 1 */
    size_t first;
    const struct sg_node_set *set; /* borrowed from the system; NULL: the name is of a single node */
};

/* "BODY.SET" where the body names a set of its nodes so, else "BODY.left", "BODY.right", "BODY.NUMBER", or
 * "BODY" where it has one node; false (with a finding that lists bodies, the range or the sets) if there is
 * no such node. Without `diagnostics` in silence. */
bool sg_system_find_nodes(const struct sg_system *system, const struct sg_node_name *name,
                          struct sg_diagnostics *diagnostics, struct sg_node_list *list);

/* global node k of a list */
size_t sg_node_list_at(const struct sg_node_list *list, size_t k);

/* full dof of a node along an axis; its rotation's, SIZE_MAX if it has none */
size_t sg_system_dof(const struct sg_system *system, size_t node, size_t axis);
size_t sg_system_rotation(const struct sg_system *system, size_t node);

/* 0 to dim - 1, or SG_ROTATION, of a free dof in nodal coordinates */
size_t sg_system_axis(const struct sg_system *system, size_t i);

/* The lumped mass of free dof i in nodal coordinates: the row sum of M along the dof's own axis, of a
 * rotation its entry on the diagonal, kg m^2. */
double sg_system_row_mass(const struct sg_system *system, size_t i);

struct sg_node_ref sg_system_node(const struct sg_system *system, size_t node);

/* "block.3" */
const char *sg_system_node_name(const struct sg_system *system, size_t node);

/* The same for one node: a set of more is refused with a finding. */
bool sg_system_find_node(const struct sg_system *system, const struct sg_node_name *name,
                         struct sg_diagnostics *diagnostics, struct sg_node_ref *ref);

/* The step just taken, in solver coordinates. */
struct sg_step_ends {
    double t0, t1;         /* s */
    const double *u0, *v0; /* n, at t0 */
    const double *u1, *v1; /* n, at t1 */
};

/* Adds an empty load that follows `signal`, for which the list has room; the pattern (n zeros) is to be
 * filled. */
sg_status sg_system_add_load(struct sg_system *system, size_t signal, enum sg_signal_order order,
                             struct sg_load **load, struct sg_error *err);

/* What moving supports and their couplings put on the other side of the equation of motion: three loads a
 * motion at most. */
sg_status sg_system_add_support_loads(struct sg_system *system, struct sg_error *err);

/* f(t), gravity included: n. Signals that jump at t count with their value after the jump. */
void sg_system_load(const struct sg_system *system, double t, double *f);

/* the same from the left: for the end of a step that ends at a jump */
void sg_system_load_before(const struct sg_system *system, double t, double *f);

/* Of the load over a step from t0, from the left at its end: `impulse`, N s, is the integral by Simpson's
 * rule, `change`, N, f(t0 + h) - f(t0); n each. */
void sg_system_load_over(const struct sg_system *system, double t0, double h, double *impulse,
                         double *change);

/* the first kink of any signal after t */
double sg_system_next_break(const struct sg_system *system, double t);

/* s: the longest step at t that shows the course of every load and support between breaks; HUGE_VAL: any does
 */
double sg_system_longest_step(const struct sg_system *system, double t);

struct sg_modal_store;

/* The modes of M and K: those that were needed before, or made now, by way of the store. The caller owns
 * them. */
sg_status sg_system_modes(struct sg_system *system, struct sg_modal_store *store, struct sg_modal **modal,
                          struct sg_error *err);

/* Changes M, C, K, loads, initial state, momentum and centres to modal coordinates (M = I); C must be
 * classical (SG_INTERNAL), and takes the ratios of modal damping. Takes ownership of `modal`, also when it
 * fails. */
sg_status sg_system_to_modal(struct sg_system *system, struct sg_modal *modal, struct sg_error *err);

/* the name of free dof i; in modal coordinates, of the body whose mode i is */
const char *sg_system_dof_name(const struct sg_system *system, size_t i);

/* M by its row sums, couplings to moving supports included: total mass, linear momentum and weight stay what
 * they are, the part alpha M of the damping follows. Nothing to do where M is diagonal; nodal coordinates
 * only (SG_INTERNAL). SG_BAD_DECK, naming the dof, if a row does not sum up to a positive mass. */
sg_status sg_system_lump(struct sg_system *system, struct sg_error *err);

/* u (or v: order 1) in solver coordinates -> full vector, prescribed dofs included */
void sg_system_expand(const struct sg_system *system, const double *x, double t, int order, double *full);

/* the same of free dofs in nodal coordinates and of the motions p of prescribed ones */
void sg_system_complete(const struct sg_system *system, const double *nodal, const double *p, double *full);

/* the full dof that a tied one moves with; of others itself */
size_t sg_system_leader(const struct sg_system *system, size_t dof);

/* By how much a unit of each of the solver's coordinates moves points, n, m: 1 of displacements, the radius
 * of gyration of a rotation (1 where its node has no mass), of a mode the largest of these. All above 0. */
void sg_system_dof_lengths(const struct sg_system *system, double *length);

/* n: column of M_fp, C_fp or K_fp of a motion */
double *sg_motion_column(const struct sg_motion *motion, enum sg_matrix_role role);

/* displacement (order 0), velocity (1) or acceleration (2) of motion m at t */
double sg_system_motion(const struct sg_system *system, size_t m, double t, int order);

/* displacement (order 0), velocity (1) or acceleration (2) of the ground at t: dim of 3, 0 beyond and where
 * no ground moves. Its motion starts from rest at the origin at t = 0, but for what a record of velocity or
 * displacement starts with. */
void sg_system_ground(const struct sg_system *system, double t, int order, double x[3]);

/* f = K u + C v + forces of the nonlinear elements at t: n, N, as they resist motion. What prescribed dofs
 * do by K and C is not in it: that is a load. */
void sg_system_internal(const struct sg_system *system, double t, const double *u, const double *v,
                        double *f);

/* J. All include the prescribed dofs and their coupling to the free ones, strain and damping power the
 * nonlinear elements too. */
double sg_system_kinetic(const struct sg_system *system, const double *v, double t);
double sg_system_strain(const struct sg_system *system, const double *u, double t);
double sg_system_gravity_energy(const struct sg_system *system, const double *u, double t);

/* W, v . C v and the elements' part, which may depend on u: what dampers take at this instant */
double sg_system_damping_power(const struct sg_system *system, const double *u, const double *v, double t);
/* W, of loads that depend on the configuration: they are elements (assembly/elements/arm_force.c), and not in
 * sg_system_load and sg_system_load_product; work where v is a displacement */
double sg_system_drive_power(const struct sg_system *system, const double *u, const double *v, double t);

/* Works over a step, J: Simpson's rule with midpoints of the cubic through both end states, so of order
 * 4 in the step. Each is 0 at no cost where there is nothing to sum.
 *
 * Supports: the reaction r = M_pf a + C_pf v + K_pf u + (pp terms) - g_p does the work
 *
 *     int v_p . r dt = d[v_p M_pf v] + int (v_p . (C_pf v + K_pf u + C_pp v_p) - a_p M_pf v) dt
 *                      + d[v_p M_pp v_p / 2 + u_p K_pp u_p / 2 - g_p . u_p],
 *
 * which needs no acceleration of the free dofs; the nonlinear elements' force on it adds its power. */
double sg_system_support_work(const struct sg_system *system, const struct sg_step_ends *step);

/* v_p . M_pf v, J: where the free velocities jump by dv, the supports' impulses do the work of dv. No step
 * contains it. */
double sg_system_support_impulse_work(const struct sg_system *system, const double *v, double t);

/* sum of F_k . x s_k(t) over the loads, gravity and supports excluded: their power if x is a velocity,
 * their work if it is a displacement. `before`: signals from the left. */
double sg_system_load_product(const struct sg_system *system, const double *x, double t, bool before);

/* sum of the loads' F . v, gravity and supports excluded */
double sg_system_load_work_simpson(const struct sg_system *system, const struct sg_step_ends *step);

/* J: the work that dampers take, by Simpson's rule */
double sg_system_damping_work_simpson(const struct sg_system *system, const struct sg_step_ends *step);

/* Strain energy of a staggered snapshot, J: with D the change from u to u_next,
 *
 *     (S(u) + S(u_next)) / 2 - D . (f(u_next) - f(u)) / 4,
 *
 * f the elastic force: for linear systems (1/2) u . K u_next, which the central difference conserves
 * together with the kinetic energy of the velocity between. */
double sg_system_staggered_strain(const struct sg_system *system, const struct sg_snapshot *now);

/* kinetic + strain + gravity + contact of a snapshot, J, as they are recorded: of a staggered scheme in the
 * algebra of t + h/2 (docs/time-stepping.md) */
double sg_system_total(const struct sg_system *system, const struct sg_snapshot *now);

/* L = sum_ij M_ij x_i x v_j about the origin, x the current coordinates and all dofs counted, kg m^2/s:
 * 0 in 1-D, L_z in 2-D (one number), the vector in 3-D */
void sg_system_angular_momentum(const struct sg_system *system, const struct sg_snapshot *now, double *sum);

/* the same of full displacements and velocities (n_full); not in one dimension */
void sg_system_angular_momentum_of(const struct sg_system *system, const double *u, const double *v,
                                   double *sum);

/* displacement, velocity, energies (kinetic, strain, gravity, contact, external, dissipated, total),
 * momentum (linear, angular), centres of the bodies; owner is the system */
void sg_system_register(const struct sg_system *system, struct sg_quantities *list);

#endif
