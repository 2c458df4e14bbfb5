/* The kinds of elements, what their parameters mean, and what their builders share: for elements/ and for
 * bodies that add elements. */
#ifndef SG_ASSEMBLY_ELEMENTS_KINDS_H
#define SG_ASSEMBLY_ELEMENTS_KINDS_H

#include <stdbool.h>
#include <stddef.h>

#include "assembly/builder.h"
#include "model/element.h"

/* those that others than the deck's list `elements` make */
extern const struct sg_element_ops sg_element_spring;
extern const struct sg_element_ops sg_element_torsion_spring;
extern const struct sg_element_ops sg_element_arm_force;

/* places in sg_element.parameter */
enum sg_spring_parameter { SG_SPRING_STIFFNESS /* N/m */, SG_SPRING_LENGTH /* m, undeformed */ };
enum sg_torsion_parameter { SG_TORSION_STIFFNESS /* N m/rad */, SG_TORSION_ANGLE /* rad, undeformed */ };
enum sg_van_der_pol_parameter {
    SG_VAN_DER_POL_COEFFICIENT, /* N s/m */
    SG_VAN_DER_POL_SCALE,       /* m */
    SG_VAN_DER_POL_CENTER       /* m */
};
enum sg_dashpot_parameter { SG_DASHPOT_COEFFICIENT /* N (s/m)^p */, SG_DASHPOT_EXPONENT /* p */ };

/* m, along the body's axes where its rotation is 0; 1, of the unit force */
enum sg_arm_force_parameter { SG_ARM_X, SG_ARM_Y, SG_ARM_FORCE_X, SG_ARM_FORCE_Y };

/* An element of a kind on all coordinates of nodes; `first` has the first full dof of each. Parameters 0. */
struct sg_element sg_element_on_nodes(const struct sg_element_ops *ops, const size_t *first, size_t nodes,
                                      size_t dim);

/* m: distance of two nodes; x = dim coordinates of one, then of the other */
double sg_spring_length(const double *x, size_t dim);

/* rad, in (-pi, pi]: by how much a rod from b to c (2 coordinates each) is turned left against one from a to
 * b; x = a, b, c. 0 where a rod has no length. */
double sg_torsion_angle(const double x[6]);

/* the nodes that the keyword `nodes` names; false (with findings) if one is not there or named twice */
bool sg_element_find_nodes(struct sg_builder *builder, const struct sg_setting *node,
                           const struct sg_texts *names, struct sg_node_ref *refs);

/* the keyword `axis` (0 to 2) against the model's dimension; false with a finding */
bool sg_element_check_axis(struct sg_builder *builder, const struct sg_setting *node, int axis);

#endif
