/* What the nonlinear elements of a system see and give: their dofs gathered in one compact list, free ones
 * first, then those that supports move, then those that are held. For files of model/. */
#ifndef SG_MODEL_ELEMENT_DOFS_H
#define SG_MODEL_ELEMENT_DOFS_H

#include <stddef.h>

#include "model/system.h"
#include "support/status.h"

/* count each: coordinates (m), velocities, and the elements' resistance (N) where it was asked for */
struct sg_element_slot {
    double *x, *v, *f;
    double t; /* s */
};

/* Zero-initialise; lives in the system's scratch. */
struct sg_element_dofs {
    const struct sg_system *system;
    size_t count, free_count, moved_count; /* distinct dofs; free; free and moved */
    size_t *source;                        /* count: free index, or number of the motion; held: unused */
    double *reference;                     /* count, m */
    size_t *list_index;                    /* the elements' own dofs in turn: index into the list */
    struct sg_element_slot slot[2];        /* two states at a time: staggered energies need both */
};

/* A system without elements costs nothing. */
sg_status sg_element_dofs_init(struct sg_arena *arena, struct sg_element_dofs *dofs,
                               const struct sg_system *system, struct sg_error *err);

/* Fills x and v of a slot by u and v (n) and the supports' motion at t; v NULL: all at rest. */
void sg_element_dofs_gather(struct sg_element_dofs *dofs, size_t slot, double t, const double *u,
                            const double *v);

/* The elements that are asked. */
enum sg_element_part { SG_ALL_ELEMENTS, SG_ELASTIC_ELEMENTS /* those that store energy */ };

/* fills f of a gathered slot */
void sg_element_dofs_force(const struct sg_element_dofs *dofs, size_t slot, enum sg_element_part part);

/* J and W at a gathered slot */
double sg_element_dofs_energy(const struct sg_element_dofs *dofs, size_t slot);
double sg_element_dofs_power(const struct sg_element_dofs *dofs, size_t slot);
/* W, what those that drive give */
double sg_element_dofs_drive(const struct sg_element_dofs *dofs, size_t slot);

/* the state of element e at a gathered slot; `place` is its part of the list of places */
void sg_element_dofs_state(const struct sg_element_slot *slot, const struct sg_element *element,
                           const size_t *place, struct sg_element_state *at);

#endif
