/* Straight beams in a plane after Euler and Bernoulli: axial and bending stiffness, no shear, linear. Their
 * nodes have x, y and a rotation (struct sg_body_size.rotates). */
#ifndef SG_ASSEMBLY_BODIES_BEAM_ELEMENT_H
#define SG_ASSEMBLY_BODIES_BEAM_ELEMENT_H

#include <stddef.h>

#include "assembly/bodies/body.h"
#include "deck/deck.h"

/* a cross section, constant along a member */
struct sg_beam_section {
    double modulus;   /* E, Pa */
    double area;      /* A, m^2 */
    double inertia;   /* I, m^4: second moment of area about the axis of bending */
    double line_mass; /* kg/m, in all */
};

/* rows of a section's group in a deck */
extern const struct sg_keyword sg_beam_section_rows[];

/* Out of such a group; false with findings where area and inertia are given twice or not at all. */
bool sg_beam_section_read(const struct sg_setting *node, struct sg_beam_section *section,
                          struct sg_diagnostics *diagnostics);

enum { SG_BEAM_DOFS = 6 }; /* x, y, rotation of both ends */

enum sg_beam_mass { SG_BEAM_CONSISTENT, SG_BEAM_LUMPED };

/* Stiffness and mass of an element from (0, 0) to d (m), in global axes, row-major. By cubic deflections and
 * linear stretch: consistent mass without rotary inertia of the section; lumped: m/2 an end, and m L^2 / 78
 * of a rotation, which is the consistent diagonal scaled to the mass (Hinton, Rock and Zienkiewicz 1976). */
void sg_beam_stiffness(const struct sg_beam_section *section, const double d[2],
                       double k[SG_BEAM_DOFS][SG_BEAM_DOFS]);
void sg_beam_mass(const struct sg_beam_section *section, const double d[2], enum sg_beam_mass kind,
                  double m[SG_BEAM_DOFS][SG_BEAM_DOFS]);

/* Element `index` of the body, between its own nodes a and b, whose positions are there already. */
struct sg_beam {
    size_t index, a, b;
    const struct sg_beam_section *section;
    enum sg_beam_mass mass;
};

/* A straight member of `parts` equal elements, `beam` telling its first element and its own end nodes a and
 * b, whose positions are there; those of its nodes within, `inner` and the following, are set. */
void sg_beam_add_member(const struct sg_body_target *target, const struct sg_beam *beam, size_t inner,
                        size_t parts);

#endif
