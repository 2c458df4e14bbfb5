/* A deck's model as phases of which orbits are made, by its strategy:
 *
 *     nbm             a bar at one stop: the phases of its nodal boundary (model/nodal_boundary.h)
 *     event-driven    unilateral springs, up to SG_ORBIT_CONTACTS of them: all sets of closed ones
 *
 * Lengths are in units of the smallest gap, so that orbits are those of a gap of 1. */
#ifndef SG_ANALYSES_ORBIT_MODEL_H
#define SG_ANALYSES_ORBIT_MODEL_H

#include <stdbool.h>
#include <stddef.h>

#include "analyses/orbit_phases.h"
#include "contact/contact_set.h"
#include "model/nodal_boundary.h"
#include "model/system.h"
#include "support/arena.h"
#include "support/status.h"

struct sg_orbit_model {
    struct sg_arena *arena;
    struct sg_system *system;
    struct sg_contact_set *contacts;
    struct sg_nodal_boundary *boundary; /* NULL: springs */
    struct sg_orbit_phases *phases;
    double unit;         /* m: the smallest gap */
    size_t nodes;        /* of the fields below: full dofs */
    double *full, *free; /* nodes, n: scratch */
};

/* `elements`: of every bar, instead of what the deck says; 0: as it says. Faults are findings
 * (SG_BAD_DECK). */
sg_status sg_orbit_model_init(struct sg_arena *arena, struct sg_orbit_model *model,
                              const struct sg_deck *deck, size_t elements, struct sg_diagnostics *diagnostics,
                              struct sg_error *err);

/* The field of a state in the phase with these closed contacts, of displacements (order 0), velocities (1) or
 * accelerations (2), in units of the gap: full (nodes) from the phases' coordinates x. */
void sg_orbit_model_expand(const struct sg_orbit_model *model, size_t mask, const double *x, int order,
                           double *full);

/* Tells whether its bodies are bars alone, which can have other numbers of elements */
bool sg_orbit_model_refines(const struct sg_orbit_model *model);

/* x of displacements at rest without contact, from the field of another mesh of the same deck, by its shape
 * functions */
void sg_orbit_model_interpolate(const struct sg_orbit_model *model, const struct sg_orbit_model *from,
                                const double *full, double *x);

/* R of eq. (62) in units of the gap squared, of a state in a phase; `work`: 3 nodes + 2 n. NaN where the
 * fields between nodes are not known. */
double sg_orbit_model_residual(const struct sg_orbit_model *model, size_t mask, const double *u,
                               const double *v, double *work);

#endif
