/* The elements of bodies that deform as a model keeps them once they are in its M and K: for stresses alone.
 * An aspect (model/aspect.h). Quantities, on request: stress, von_mises (of elements, at their centers),
 * stress_node, von_mises_node (of nodes, averages over their elements). */
#ifndef SG_MODEL_CONTINUUM_STRESS_H
#define SG_MODEL_CONTINUUM_STRESS_H

#include <stddef.h>

#include "model/aspect.h"
#include "model/continuum/element.h"

struct sg_continuum_element {
    enum sg_element_shape shape;
    size_t element;  /* row of the results' element_nodes; on its way into sg_continuum_add the body's own
                        number */
    size_t material; /* index */
    size_t node[SG_SHAPE_NODES]; /* global */
};

struct sg_continuum {
    struct sg_continuum_element *items;
    size_t count, capacity;
    struct sg_material *materials;
    size_t material_count, material_capacity;
    const struct sg_system *system;
    double *sums; /* nodes x (SG_STRESSES + 1): scratch of averages, stresses and how many */
};

/* index of the material; 0 once memory ran out */
size_t sg_continuum_material(struct sg_aspects *aspects, const struct sg_material *material);

void sg_continuum_keep(struct sg_aspects *aspects, const struct sg_continuum_element *element);

/* Gives those of a model; an empty list where no body has one. */
const struct sg_continuum *sg_continuum_of(const struct sg_aspects *aspects);

#endif
