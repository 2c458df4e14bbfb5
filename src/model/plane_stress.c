/* Stresses of plane elements as histories. */
#include <string.h>

#include "model/builder.h"
#include "model/plane_element.h"
#include "model/plane_shape.h"

/* positions and displacements of its nodes, two numbers each */
static void gather(const struct sg_system *system, const struct sg_plane_element *element, double *x,
                   double *u)
{
    const double *full = system->scratch->full;
    for (size_t k = 0; k < sg_element_shape_nodes(element->shape); k++) {
        memcpy(x + 2 * k, system->names->positions + 2 * element->node[k], 2 * sizeof *x);
        memcpy(u + 2 * k, full + sg_system_dof(system, element->node[k], 0), 2 * sizeof *u);
    }
}

/* an element with its nodes' positions and displacements */
struct view {
    const struct sg_plane_element *element;
    const struct sg_plane_material *material;
    const struct sg_plane_shape *shape;
    double x[SG_PLANE_DOFS], u[SG_PLANE_DOFS];
};

static void look_at(const struct sg_system *system, size_t k, struct view *view)
{
    view->element = &system->plane.items[k];
    view->material = &system->plane.materials[view->element->material];
    view->shape = sg_plane_shape_find(view->element->shape);
    gather(system, view->element, view->x, view->u);
}

static void stress_at(const struct view *view, double xi, double eta, double stress[SG_PLANE_STRESSES])
{
    struct sg_plane_place place = {view->element->shape, view->x, view->u, xi, eta};
    sg_plane_stress_at(&place, view->material, stress);
}

/* --- of elements -------------------------------------------------------------------------------------- */

/* displacements of all nodes, for look_at */
static void expand(const struct sg_system *system, const struct sg_snapshot *now)
{
    sg_system_expand(system, now->u, now->t, 0, system->scratch->full);
}

/* at the center of plane element k; returns its row in the results */
static size_t stress_at_center(const struct sg_system *system, size_t k, double at[SG_PLANE_STRESSES])
{
    struct view view;
    look_at(system, k, &view);
    stress_at(&view, view.shape->center[0], view.shape->center[1], at);
    return view.element->element;
}

static void stress(const void *owner, const struct sg_snapshot *now, double *row)
{
    const struct sg_system *system = owner;
    double at[SG_PLANE_STRESSES];
    memset(row, 0, 3 * system->labels.element_count * sizeof *row);
    expand(system, now);
    for (size_t k = 0; k < system->plane.count; k++) {
        size_t element = stress_at_center(system, k, at);
        memcpy(row + 3 * element, at, 3 * sizeof *row);
    }
}

static void von_mises(const void *owner, const struct sg_snapshot *now, double *row)
{
    const struct sg_system *system = owner;
    double at[SG_PLANE_STRESSES];
    memset(row, 0, system->labels.element_count * sizeof *row);
    expand(system, now);
    for (size_t k = 0; k < system->plane.count; k++) {
        size_t element = stress_at_center(system, k, at);
        row[element] = sg_plane_von_mises(at);
    }
}

/* --- of nodes ------------------------------------------------------------------------------------------ */

enum { COUNT = SG_PLANE_STRESSES, COLUMNS = SG_PLANE_COLUMNS };

/* the samples' field at each node of the element, added to the nodes' sums */
static void add_element(const struct view *view, double *sums)
{
    double sample[SG_PLANE_SAMPLES][SG_PLANE_STRESSES], weights[SG_PLANE_SAMPLES];
    const struct sg_plane_shape *shape = view->shape;
    for (size_t s = 0; s < shape->sample_count; s++)
        stress_at(view, shape->samples[s].xi, shape->samples[s].eta, sample[s]);
    for (size_t k = 0; k < sg_element_shape_nodes(view->element->shape); k++) {
        double *sum = sums + COLUMNS * view->element->node[k];
        shape->extrapolate(shape->nodes[k][0], shape->nodes[k][1], weights);
        for (size_t s = 0; s < shape->sample_count; s++)
            for (size_t c = 0; c < SG_PLANE_STRESSES; c++) sum[c] += weights[s] * sample[s][c];
        sum[COUNT] += 1;
    }
}

/* averages in the first columns of the sums */
static const double *average(const struct sg_system *system, const struct sg_snapshot *now)
{
    double *sums = system->plane.sums;
    size_t nodes = system->labels.node_count;
    memset(sums, 0, COLUMNS * nodes * sizeof *sums);
    expand(system, now);
    for (size_t k = 0; k < system->plane.count; k++) {
        struct view view;
        look_at(system, k, &view);
        add_element(&view, sums);
    }
    for (size_t i = 0; i < nodes; i++)
        for (size_t c = 0; c < SG_PLANE_STRESSES && sums[COLUMNS * i + COUNT] > 0; c++)
            sums[COLUMNS * i + c] /= sums[COLUMNS * i + COUNT];
    return sums;
}

static void stress_node(const void *owner, const struct sg_snapshot *now, double *row)
{
    const struct sg_system *system = owner;
    const double *mean = average(system, now);
    for (size_t i = 0; i < system->labels.node_count; i++)
        memcpy(row + 3 * i, mean + COLUMNS * i, 3 * sizeof *row);
}

static void von_mises_node(const void *owner, const struct sg_snapshot *now, double *row)
{
    const struct sg_system *system = owner;
    const double *mean = average(system, now);
    for (size_t i = 0; i < system->labels.node_count; i++) row[i] = sg_plane_von_mises(mean + COLUMNS * i);
}

/* ------------------------------------------------------------------------------------------------------- */

void sg_plane_register(const struct sg_system *system, struct sg_quantities *list)
{
    if (system->plane.count == 0) return;
    size_t elements = system->labels.element_count, nodes = system->labels.node_count;
    const struct sg_quantity rows[] = {
        {.name = "stress",
         .description = "stresses xx, yy, xy at the centers of plane elements; 0 in other elements",
         .width = 3 * elements,
         .fill = stress,
         .field = {"elements", "xx,yy,xy"}},
        {.name = "von_mises",
         .description =
             "equivalent stress of von Mises at the centers of plane elements; 0 in other elements",
         .width = elements,
         .fill = von_mises,
         .field = {"elements", ""}},
        {.name = "stress_node",
         .description = "stresses xx, yy, xy at the nodes, means over their plane elements",
         .width = 3 * nodes,
         .fill = stress_node,
         .field = {"nodes", "xx,yy,xy"}},
        {.name = "von_mises_node",
         .description = "equivalent stress of von Mises of stress_node",
         .width = nodes,
         .fill = von_mises_node,
         .field = {"nodes", ""}},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        struct sg_quantity quantity = rows[k];
        quantity.unit = "Pa";
        quantity.on_request = true;
        quantity.of_displacement = true;
        quantity.owner = system;
        sg_quantities_add(list, quantity);
    }
}
