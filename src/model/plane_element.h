/* Linear elastic elements in a plane: triangles and quadrilaterals of order 1 and 2, in plane stress or plane
 * strain.
 *
 *     K = t sum_g w_g |J_g| B_g^T D B_g,     M = t rho sum_g w_g |J_g| N_g^T N_g     (consistent)
 *
 * with strains (exx, eyy, 2 exy) = B u, stresses (sxx, syy, sxy) = D B u and the integration points of
 * model/plane_shape.h. The matrices go into the model's K and M while it is built; the list keeps what the
 * stresses are recovered from. */
#ifndef SG_MODEL_PLANE_ELEMENT_H
#define SG_MODEL_PLANE_ELEMENT_H

#include <stdbool.h>
#include <stddef.h>

#include "model/aspect.h"
#include "results/element_shape.h"

struct sg_plane_material {
    double modulus, poisson; /* Pa, 1 */
    double density;          /* kg/m^3 */
    double thickness;        /* m */
    bool strain;             /* plane strain, else plane stress */
};

enum { SG_PLANE_DOFS = 2 * SG_SHAPE_NODES };

/* xx, yy, xy, zz: the last from plane strain, 0 in plane stress */
enum { SG_PLANE_STRESSES = 4, SG_PLANE_COLUMNS = SG_PLANE_STRESSES + 1 };

/* D, row-major: N/m^2, of strains (exx, eyy, 2 exy) */
void sg_plane_elasticity(const struct sg_plane_material *material, double d[3][3]);

/* One element on its own. Matrices are 2 nodes x 2 nodes, column-major with `2 nodes` rows, dofs node by node
 * and x before y. */
struct sg_plane_matrices {
    double stiffness[SG_PLANE_DOFS * SG_PLANE_DOFS], mass[SG_PLANE_DOFS * SG_PLANE_DOFS];
    double jacobian;  /* the smallest of all points and corners, m^2 */
    size_t at_corner; /* where that is; SIZE_MAX: at an integration point */
};

/* `x`: nodes x 2, m. Matrices are whole also where the Jacobian is not positive somewhere (no element then).
 */
void sg_plane_matrices(enum sg_element_shape shape, const struct sg_plane_material *material, const double *x,
                       struct sg_plane_matrices *out);

/* stresses at (xi, eta) from x and displacements u, nodes x 2 each */
struct sg_plane_place {
    enum sg_element_shape shape;
    const double *x, *u;
    double xi, eta;
};
void sg_plane_stress_at(const struct sg_plane_place *place, const struct sg_plane_material *material,
                        double stress[SG_PLANE_STRESSES]);

double sg_plane_von_mises(const double stress[SG_PLANE_STRESSES]);

/* --- in a model ----------------------------------------------------------------------------------- */

struct sg_plane_element {
    enum sg_element_shape shape;
    size_t element;  /* row of the results' element_nodes; on its way into sg_plane_add the body's own
                        number */
    size_t material; /* index */
    size_t node[SG_SHAPE_NODES]; /* global */
};

/* an aspect (model/aspect.h): for stresses alone. Quantities, on request: stress, von_mises (of elements, at
 * their centers), stress_node, von_mises_node (of nodes, averages over their elements). */
struct sg_plane_elements {
    struct sg_plane_element *items;
    size_t count, capacity;
    struct sg_plane_material *materials;
    size_t material_count, material_capacity;
    const struct sg_system *system;
    double *sums; /* nodes x SG_PLANE_COLUMNS: scratch of averages, stresses and how many */
};

/* index of the material; 0 once memory ran out */
size_t sg_plane_elements_material(struct sg_aspects *aspects, const struct sg_plane_material *material);

void sg_plane_elements_add(struct sg_aspects *aspects, const struct sg_plane_element *element);

/* of a model; an empty list where no body has one */
const struct sg_plane_elements *sg_plane_elements_of(const struct sg_aspects *aspects);

#endif
