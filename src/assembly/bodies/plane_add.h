/* Elements in a plane as bodies add them. */
#ifndef SG_ASSEMBLY_BODIES_PLANE_ADD_H
#define SG_ASSEMBLY_BODIES_PLANE_ADD_H

#include <stdbool.h>

#include "assembly/bodies/body.h"
#include "model/plane_element.h"

/* Adds an element of the body: its nodes (global) to the target's elements, its matrices to mass and
 * stiffness, and itself to the model's aspects. The positions of its nodes must be there, two coordinates
 * each. False, with a finding that names the element, where its Jacobian is not positive everywhere:
 * inverted, or too distorted. */
bool sg_plane_add(const struct sg_body_source *source, const struct sg_body_target *target,
                  const struct sg_plane_element *element);

#endif
