/* Linear elastic elements of bodies that deform, in a plane (plane stress or plane strain) or in space: what
 * differs between shapes is in their table (model/shapes/shape.h), what differs between a plane and space
 * is the dimension `dim`.
 *
 *     K = t sum_g w_g |J_g| B_g^T D B_g,     M = t rho sum_g w_g |J_g| N_g^T N_g     (consistent)
 *
 * t the thickness, 1 in space. Material is isotropic: of two nodes with the gradients p and q of their shape
 * functions, B_i^T D B_j is the block
 *
 *     (r, r): direct p_r q_r + shear sum_{s /= r} p_s q_s,     (r, c): cross p_r q_c + shear p_c q_r,
 *
 * in any dimension, so that no matrix B is ever formed. */
#ifndef SG_MODEL_CONTINUUM_ELEMENT_H
#define SG_MODEL_CONTINUUM_ELEMENT_H

#include <stdbool.h>
#include <stddef.h>

#include "results/element_shape.h"

struct sg_material {
    double modulus, poisson; /* Pa, 1 */
    double density;          /* kg/m^3 */
    double thickness;        /* m, in a plane */
    bool plane_stress;       /* in a plane: else plane strain, which is the same law as in space */
};

enum { SG_CONTINUUM_DOFS = 3 * SG_SHAPE_NODES };

/* Pa: of a strain on the stress along its own axis, along the others, and of a shear strain 2 exy on its own
 */
struct sg_elasticity {
    double direct, cross, shear;
};
struct sg_elasticity sg_elasticity_of(const struct sg_material *material);

/* One element on its own. Matrices are rows x rows, column-major, rows = dim x nodes; dofs node by node and x
 * before y before z. */
struct sg_element_matrices {
    double stiffness[SG_CONTINUUM_DOFS * SG_CONTINUUM_DOFS], mass[SG_CONTINUUM_DOFS * SG_CONTINUUM_DOFS];
    double jacobian;  /* the smallest of all points and corners, m^dim */
    size_t at_corner; /* where that is; SIZE_MAX: at an integration point */
};

/* `x`: nodes x dim, m. Matrices are whole also where the Jacobian is not positive somewhere (no element
 * then).
 */
void sg_element_integrate(enum sg_element_shape shape, const struct sg_material *material, const double *x,
                          struct sg_element_matrices *out);

/* xx, yy, zz, xy, yz, xz, Pa. In a plane zz is that of plane strain, 0 in plane stress, and the last two are
 * 0.
 */
enum { SG_XX, SG_YY, SG_ZZ, SG_XY, SG_YZ, SG_XZ, SG_STRESSES };

/* stresses at a point of the reference element from x and displacements u, nodes x dim each */
struct sg_element_point {
    enum sg_element_shape shape;
    const double *x, *u;
    double at[3];
};
void sg_element_stress(const struct sg_element_point *point, const struct sg_material *material,
                       double stress[SG_STRESSES]);

double sg_von_mises(const double stress[SG_STRESSES]);

#endif
