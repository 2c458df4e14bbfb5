/* Mass scaling: an explicit scheme's step made admissible by added mass, where the mesh would ask for a
 * shorter one.
 *
 * The scheme is stable while 4 M - h^2 K - 2 h C is positive definite (C: where the damping force stands at
 * the velocity before the step). By Gershgorin's theorem that holds if for each dof i
 *
 *     4 m_i >= h^2 sum_j |K_ij| + 2 h sum_j |C_ij|.
 *
 * Where it fails at h = step / SG_SCALING_MARGIN, m_i is raised until it holds. */
#ifndef SG_MODEL_MASS_SCALING_H
#define SG_MODEL_MASS_SCALING_H

#include "linalg/matrix.h"
#include "model/system.h"
#include "support/status.h"

/* largest part of the critical step that the step may take after scaling, 1 */
#define SG_SCALING_MARGIN 0.95

struct sg_mass_scaling_spec {
    double step;               /* s */
    const struct sg_matrix *K; /* n x n: tangent stiffness, contacts' included */
    const struct sg_matrix *C; /* n x n: tangent damping; NULL: it does not limit the step */
};

struct sg_mass_scaling {
    double added, total; /* kg: along one axis; total is that of the bodies before */
    size_t nodes;        /* whose mass was raised */
};

/* M diagonal, in nodal coordinates (SG_INTERNAL if not). Masses are raised node by node, by the same for all
 * its axes, so that they stay isotropic; others keep theirs bit for bit. The part alpha M of the damping and
 * the momentum follow; gravity and the centres of the bodies stay those of the true mass. SG_BAD_DECK where
 * alpha alone is too large for the step. */
sg_status sg_system_scale_mass(struct sg_system *system, const struct sg_mass_scaling_spec *spec,
                               struct sg_mass_scaling *scaling, struct sg_error *err);

#endif
