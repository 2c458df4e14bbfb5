#include "assembly/bodies/plane_add.h"

#include <stdint.h>
#include <stdio.h>

#include "support/memory.h"

static void complain(const struct sg_body_source *source, const struct sg_plane_element *element,
                     const struct sg_plane_matrices *matrices)
{
    char corner[48] = "an integration point";
    if (matrices->at_corner != SIZE_MAX)
        snprintf(corner, sizeof corner, "its corner %zu", matrices->at_corner);
    sg_complain(source->diagnostics, SG_ERROR, source->node,
                "element %zu of '%.64s' (%s) is inverted or too distorted: its Jacobian is %g m^2 at %s",
                element->element, sg_body_name(source->node), sg_element_shape_name(element->shape),
                matrices->jacobian, corner);
    if (matrices->jacobian < 0)
        sg_hint(source->diagnostics, "the corners of an element go around it counter-clockwise");
}

static void scatter(const struct sg_plane_element *element, const double *matrix,
                    const struct sg_body_target *target, struct sg_triplets *triplets)
{
    size_t own[SG_SHAPE_NODES] = {0};
    for (size_t k = 0; k < sg_element_shape_nodes(element->shape); k++)
        own[k] = target->first_dof + 2 * (element->node[k] - target->first);
    size_t rows = 2 * sg_element_shape_nodes(element->shape);
    for (size_t j = 0; j < rows; j++)
        for (size_t i = j; i < rows; i++) {
            double value = matrix[i + j * rows];
            if (value != 0) sg_triplets_add(triplets, own[i / 2] + i % 2, own[j / 2] + j % 2, value);
        }
}

bool sg_plane_add(const struct sg_body_source *source, const struct sg_body_target *target,
                  const struct sg_plane_element *element)
{
    const struct sg_plane_elements *list = sg_plane_elements_of(target->aspects);
    struct sg_plane_matrices matrices;
    double x[SG_PLANE_DOFS] = {0};
    if (target->aspects->failed) return true;
    for (size_t k = 0; k < 2 * sg_element_shape_nodes(element->shape); k++)
        x[k] = target->position[2 * (element->node[k / 2] - target->first) + k % 2];
    sg_plane_matrices(element->shape, &list->materials[element->material], x, &matrices);
    if (!(matrices.jacobian > 0)) {
        complain(source, element, &matrices);
        return false;
    }
    sg_body_connect(target, element->element, element->shape, element->node);
    scatter(element, matrices.stiffness, target, target->stiffness);
    scatter(element, matrices.mass, target, target->mass);
    struct sg_plane_element kept = *element;
    kept.element += target->first_element;
    sg_plane_elements_add(target->aspects, &kept);
    return true;
}
