#include <math.h>

#include "formats/gmsh_lines.h"

static const double *place(const struct sg_gmsh_mesh *mesh, const struct sg_gmsh_element *element, size_t k)
{
    return mesh->position + 3 * mesh->nodes[element->first + k];
}

/* m, of the box around all nodes */
static double extent(const struct sg_gmsh_mesh *mesh)
{
    double low[2] = {HUGE_VAL, HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL};
    for (size_t i = 0; i < mesh->node_count; i++)
        for (size_t d = 0; d < 2; d++) {
            low[d] = fmin(low[d], mesh->position[3 * i + d]);
            high[d] = fmax(high[d], mesh->position[3 * i + d]);
        }
    return fmax(high[0] - low[0], high[1] - low[1]);
}

/* Geometry kernels leave rounding in z; nothing larger is allowed. */
static const double flatness = 1e-9;

static sg_status check_flat(const struct sg_gmsh_mesh *mesh, struct sg_gmsh_fault *fault)
{
    double size = extent(mesh), limit = flatness * size;
    if (!isfinite(size)) return sg_gmsh_fault_at(fault, 0, "the mesh is wider than the largest number");
    for (size_t i = 0; i < mesh->node_count; i++) {
        const double *x = mesh->position + 3 * i;
        if (fabs(x[2]) <= limit) continue;
        sg_gmsh_fault_at(fault, mesh->node_line[i],
                         "node %zu is at z = %g m: a mesh in the plane has all nodes at z = 0, to %g m",
                         mesh->node_tag[i], x[2], limit);
        return sg_gmsh_hint(fault, SG_BAD_DECK, "draw the surface in the plane of x and y");
    }
    return SG_OK;
}

/* twice the area of the triangle at corner k, over the square of its longer side: the sine of the angle there
 * times the ratio of the sides */
static double corner_sine(const struct sg_gmsh_mesh *mesh, const struct sg_gmsh_element *element, size_t k)
{
    size_t corners = element->shape->corners;
    const double *x = place(mesh, element, k), *next = place(mesh, element, (k + 1) % corners);
    const double *before = place(mesh, element, (k + corners - 1) % corners);
    double a[2] = {next[0] - x[0], next[1] - x[1]}, b[2] = {before[0] - x[0], before[1] - x[1]};
    double longest = fmax(hypot(a[0], a[1]), hypot(b[0], b[1]));
    if (!(longest > 0)) return 0;
    return (a[0] / longest) * (b[1] / longest) - (a[1] / longest) * (b[0] / longest);
}

/* An angle must be above this for the element to count as having an area. */
static const double thinnest = 1e-10;

static sg_status check_corners(const struct sg_gmsh_mesh *mesh, const struct sg_gmsh_element *element,
                               struct sg_gmsh_fault *fault)
{
    size_t corners = element->shape->corners, reversed = 0, flat = 0;
    for (size_t k = 0; k < corners; k++) {
        double sine = corner_sine(mesh, element, k);
        reversed += sine < -thinnest;
        flat += !(fabs(sine) > thinnest);
    }
    const char *name = element->shape->name;
    if (reversed == 0 && flat == 0) return SG_OK;
    if (reversed == corners) {
        sg_gmsh_fault_at(fault, element->line,
                         "element %zu, a %s, is numbered clockwise: its area is negative", element->tag,
                         name);
        return sg_gmsh_hint(fault, SG_BAD_DECK,
                            "turn the surface over: in Gmsh, ReverseMesh Surface{...}, or give "
                            "its curves the other way round");
    }
    if (flat > 0)
        return sg_gmsh_fault_at(fault, element->line, "element %zu, a %s, has an angle of 0 or 180 degrees%s",
                                element->tag, name, flat == corners ? ": its area is 0" : "");
    return sg_gmsh_fault_at(fault, element->line, "element %zu, a %s, is not convex or crosses itself",
                            element->tag, name);
}

/* the middle of a side within the middle half of its length, as elements of second order need it */
static sg_status check_middle(const struct sg_gmsh_mesh *mesh, const struct sg_gmsh_element *element,
                              size_t side, struct sg_gmsh_fault *fault)
{
    size_t corners = element->shape->corners;
    const double *a = place(mesh, element, side), *b = place(mesh, element, (side + 1) % corners);
    const double *m = place(mesh, element, corners + side);
    double along[2] = {b[0] - a[0], b[1] - a[1]}, length = hypot(along[0], along[1]);
    if (!(length > 0))
        return sg_gmsh_fault_at(fault, element->line, "element %zu, a %s, has no length", element->tag,
                                element->shape->name);
    double at = ((m[0] - a[0]) * (along[0] / length) + (m[1] - a[1]) * (along[1] / length)) / length;
    if (at > 0.25 && at < 0.75) return SG_OK;
    return sg_gmsh_fault_at(
        fault, element->line,
        "element %zu, a %s, has node %zu at %g of its side: middles lie between 0.25 and 0.75", element->tag,
        element->shape->name, mesh->node_tag[mesh->nodes[element->first + corners + side]], at);
}

static sg_status check_element(const struct sg_gmsh_mesh *mesh, const struct sg_gmsh_element *element,
                               struct sg_gmsh_fault *fault)
{
    const struct sg_gmsh_shape *shape = element->shape;
    if (shape->dim == 2) TRY(check_corners(mesh, element, fault));
    size_t sides = shape->dim == 2 ? shape->corners : 1;
    if (shape->type == SG_GMSH_LINE2) {
        const double *a = place(mesh, element, 0), *b = place(mesh, element, 1);
        if (a[0] == b[0] && a[1] == b[1])
            return sg_gmsh_fault_at(fault, element->line, "element %zu, a %s, has no length", element->tag,
                                    shape->name);
    }
    for (size_t side = 0; shape->nodes > shape->corners && side < sides; side++)
        TRY(check_middle(mesh, element, side, fault));
    return SG_OK;
}

sg_status sg_gmsh_check_plane(const struct sg_gmsh_mesh *mesh, struct sg_gmsh_fault *fault)
{
    TRY(check_flat(mesh, fault));
    for (size_t k = 0; k < mesh->element_count; k++) TRY(check_element(mesh, &mesh->elements[k], fault));
    return SG_OK;
}
