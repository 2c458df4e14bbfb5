/* Histories of a model whose ground accelerates, on request: absolute displacement, velocity and
 * acceleration of all dofs or of chosen nodes, and the ground's own motion.
 *
 * Displacements u are relative to the ground; with r the unit motions along its directions,
 *
 *     u_abs = u + r u_g,   M a_abs = f - f_int(u, v) + W R + T F + M r a_g,
 *
 * f being the loads, -M r a_g among them, R and F the contacts' forces of the snapshot: of schemes with
 * impulses their averages over the step. */
#ifndef SG_CONTACT_ABSOLUTE_H
#define SG_CONTACT_ABSOLUTE_H

#include "contact/contact_set.h"
#include "linalg/solver.h"
#include "model/chosen_nodes.h"
#include "model/system.h"
#include "results/quantity.h"
#include "support/status.h"

/* Zero-initialise; stays where it is once registered. */
struct sg_absolute {
    struct sg_arena arena; /* has the rest */
    const struct sg_system *system;
    const struct sg_contact_set *contacts;
    const struct sg_chosen_nodes *chosen; /* none: all dofs */
    struct sg_contact_frame *frame;
    struct sg_symbolic *symbolic;
    struct sg_factor mass;
    double *force;    /* n: scratch */
    double *internal; /* n: scratch */
};

/* absolute_displacement, absolute_velocity, absolute_acceleration, base_shear (on request),
 * ground/displacement, ground/velocity, ground/acceleration; nothing where no ground moves. All borrowed. */
void sg_absolute_register(struct sg_absolute *absolute, const struct sg_system *system,
                          const struct sg_contact_set *contacts, const struct sg_chosen_nodes *chosen,
                          struct sg_quantities *list);

/* What the histories need of the finished system, in its coordinates; before the first of them is filled.
 * Release in any case. */
sg_status sg_absolute_prepare(struct sg_absolute *absolute, struct sg_error *err);
void sg_absolute_release(struct sg_absolute *absolute);

#endif
