/* Stresses of plane elements as histories. */
#include <string.h>

#include "model/expansion.h"
#include "model/names.h"
#include "model/plane_element.h"
#include "model/plane_shape.h"
#include "model/scratch.h"
#include "model/system.h"

/* displacements of all dofs */
struct state {
    const struct sg_plane_elements *list;
    const double *full; /* n_full */
};

/* positions and displacements of its nodes, two numbers each */
static void gather(const struct state *state, const struct sg_plane_element *element, double *x, double *u)
{
    const struct sg_system *system = state->list->system;
    for (size_t k = 0; k < sg_element_shape_nodes(element->shape); k++) {
        memcpy(x + 2 * k, system->names->positions + 2 * element->node[k], 2 * sizeof *x);
        memcpy(u + 2 * k, state->full + sg_system_dof(system, element->node[k], 0), 2 * sizeof *u);
    }
}

/* an element with its nodes' positions and displacements */
struct view {
    const struct sg_plane_element *element;
    const struct sg_plane_material *material;
    const struct sg_plane_shape *shape;
    double x[SG_PLANE_DOFS], u[SG_PLANE_DOFS];
};

static void look_at(const struct state *state, size_t k, struct view *view)
{
    view->element = &state->list->items[k];
    view->material = &state->list->materials[view->element->material];
    view->shape = sg_plane_shape_find(view->element->shape);
    gather(state, view->element, view->x, view->u);
}

static void stress_at(const struct view *view, double xi, double eta, double stress[SG_PLANE_STRESSES])
{
    struct sg_plane_place place = {view->element->shape, view->x, view->u, xi, eta};
    sg_plane_stress_at(&place, view->material, stress);
}

/* --- of elements ---------------------------------------------------------------------------------- */

/* at the center of plane element k; returns its row in the results */
static size_t stress_at_center(const struct state *state, size_t k, double at[SG_PLANE_STRESSES])
{
    struct view view;
    look_at(state, k, &view);
    stress_at(&view, view.shape->center[0], view.shape->center[1], at);
    return view.element->element;
}

static void stress(const struct state *state, double *row)
{
    const struct sg_system *system = state->list->system;
    double at[SG_PLANE_STRESSES];
    memset(row, 0, 3 * system->labels.element_count * sizeof *row);
    for (size_t k = 0; k < state->list->count; k++) {
        size_t element = stress_at_center(state, k, at);
        memcpy(row + 3 * element, at, 3 * sizeof *row);
    }
}

static void von_mises(const struct state *state, double *row)
{
    const struct sg_system *system = state->list->system;
    double at[SG_PLANE_STRESSES];
    memset(row, 0, system->labels.element_count * sizeof *row);
    for (size_t k = 0; k < state->list->count; k++) {
        size_t element = stress_at_center(state, k, at);
        row[element] = sg_plane_von_mises(at);
    }
}

/* --- of nodes ------------------------------------------------------------------------------------- */

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
static const double *average(const struct state *state)
{
    const struct sg_system *system = state->list->system;
    double *sums = state->list->sums;
    size_t nodes = system->labels.node_count;
    memset(sums, 0, COLUMNS * nodes * sizeof *sums);
    for (size_t k = 0; k < state->list->count; k++) {
        struct view view;
        look_at(state, k, &view);
        add_element(&view, sums);
    }
    for (size_t i = 0; i < nodes; i++)
        for (size_t c = 0; c < SG_PLANE_STRESSES && sums[COLUMNS * i + COUNT] > 0; c++)
            sums[COLUMNS * i + c] /= sums[COLUMNS * i + COUNT];
    return sums;
}

static void stress_node(const struct state *state, double *row)
{
    const struct sg_system *system = state->list->system;
    const double *mean = average(state);
    for (size_t i = 0; i < system->labels.node_count; i++)
        memcpy(row + 3 * i, mean + COLUMNS * i, 3 * sizeof *row);
}

static void von_mises_node(const struct state *state, double *row)
{
    const struct sg_system *system = state->list->system;
    const double *mean = average(state);
    for (size_t i = 0; i < system->labels.node_count; i++) row[i] = sg_plane_von_mises(mean + COLUMNS * i);
}

/* --- as histories: row by row, and late ----------------------------------------------------------- */

static void fill_with(void (*of)(const struct state *, double *), const struct sg_plane_elements *list,
                      const struct sg_snapshot *now, double *row)
{
    const struct sg_system *system = list->system;
    struct state state = {list, system->scratch->full};
    sg_system_expand(system, now->u, now->t, 0, system->scratch->full);
    of(&state, row);
}

static void make_with(void (*of)(const struct state *, double *), const struct sg_plane_elements *list,
                      const double *parts, size_t width, double *rows)
{
    const struct sg_system *system = list->system;
    double *full = system->scratch->late_full;
    sg_expansion_make(system, parts, sg_expansion_parts(system), full);
    for (size_t k = 0; k < SG_LATE_ROWS; k++) {
        struct state state = {list, full + k * system->n_full};
        of(&state, rows + k * width);
    }
}

static size_t parts_of(const void *owner)
{
    const struct sg_plane_elements *list = owner;
    return sg_expansion_parts(list->system);
}

static void take(const void *owner, const struct sg_snapshot *now, double *parts)
{
    const struct sg_plane_elements *list = owner;
    sg_expansion_take(list->system, now->u, now->t, 0, parts);
}

static void fill_stress(const void *owner, const struct sg_snapshot *now, double *row)
{
    fill_with(stress, owner, now, row);
}

static void make_stress(const void *owner, const double *parts, double *rows)
{
    const struct sg_plane_elements *list = owner;
    make_with(stress, list, parts, 3 * list->system->labels.element_count, rows);
}

static void fill_von_mises(const void *owner, const struct sg_snapshot *now, double *row)
{
    fill_with(von_mises, owner, now, row);
}

static void make_von_mises(const void *owner, const double *parts, double *rows)
{
    const struct sg_plane_elements *list = owner;
    make_with(von_mises, list, parts, list->system->labels.element_count, rows);
}

static void fill_stress_node(const void *owner, const struct sg_snapshot *now, double *row)
{
    fill_with(stress_node, owner, now, row);
}

static void make_stress_node(const void *owner, const double *parts, double *rows)
{
    const struct sg_plane_elements *list = owner;
    make_with(stress_node, list, parts, 3 * list->system->labels.node_count, rows);
}

static void fill_von_mises_node(const void *owner, const struct sg_snapshot *now, double *row)
{
    fill_with(von_mises_node, owner, now, row);
}

static void make_von_mises_node(const void *owner, const double *parts, double *rows)
{
    const struct sg_plane_elements *list = owner;
    make_with(von_mises_node, list, parts, list->system->labels.node_count, rows);
}

static const struct sg_late late_stress = {parts_of, take, make_stress};
static const struct sg_late late_von_mises = {parts_of, take, make_von_mises};
static const struct sg_late late_stress_node = {parts_of, take, make_stress_node};
static const struct sg_late late_von_mises_node = {parts_of, take, make_von_mises_node};

static void add_quantities(const void *data, struct sg_quantities *list)
{
    const struct sg_plane_elements *owner = data;
    const struct sg_system *system = owner->system;
    size_t elements = system->labels.element_count, nodes = system->labels.node_count;
    const struct sg_quantity rows[] = {
        {.name = "stress",
         .description = "stresses xx, yy, xy at the centers of plane elements; 0 in other elements",
         .width = 3 * elements,
         .fill = fill_stress,
         .late = &late_stress,
         .field = {"elements", "xx,yy,xy"}},
        {.name = "von_mises",
         .description =
             "equivalent stress of von Mises at the centers of plane elements; 0 in other elements",
         .width = elements,
         .fill = fill_von_mises,
         .late = &late_von_mises,
         .field = {"elements", ""}},
        {.name = "stress_node",
         .description = "stresses xx, yy, xy at the nodes, means over their plane elements",
         .width = 3 * nodes,
         .fill = fill_stress_node,
         .late = &late_stress_node,
         .field = {"nodes", "xx,yy,xy"}},
        {.name = "von_mises_node",
         .description = "equivalent stress of von Mises of stress_node",
         .width = nodes,
         .fill = fill_von_mises_node,
         .late = &late_von_mises_node,
         .field = {"nodes", ""}},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        struct sg_quantity quantity = rows[k];
        quantity.unit = "Pa";
        quantity.on_request = true;
        quantity.of_displacement = true;
        quantity.owner = owner;
        sg_quantities_add(list, quantity);
    }
}

/* --- the aspect ----------------------------------------------------------------------------------- */

static sg_status settle(void *data, struct sg_system *system, struct sg_error *err)
{
    struct sg_plane_elements *list = data;
    list->system = system;
    return sg_arena_alloc(&system->arena, system->labels.node_count, COLUMNS * sizeof *list->sums, "sums",
                          &list->sums, err);
}

static const struct sg_aspect_ops plane_aspect = {
    .size = sizeof(struct sg_plane_elements), .settle = settle, .add_quantities = add_quantities};

size_t sg_plane_elements_material(struct sg_aspects *aspects, const struct sg_plane_material *material)
{
    struct sg_plane_elements *list = sg_aspect_open(aspects, &plane_aspect);
    if (list == NULL || !sg_aspect_grow(aspects, &list->materials, list->material_count,
                                        &list->material_capacity, sizeof *list->materials))
        return 0;
    list->materials[list->material_count] = *material;
    return list->material_count++;
}

void sg_plane_elements_add(struct sg_aspects *aspects, const struct sg_plane_element *element)
{
    struct sg_plane_elements *list = sg_aspect_open(aspects, &plane_aspect);
    if (list == NULL ||
        !sg_aspect_grow(aspects, &list->items, list->count, &list->capacity, sizeof *list->items))
        return;
    list->items[list->count++] = *element;
}

const struct sg_plane_elements *sg_plane_elements_of(const struct sg_aspects *aspects)
{
    static const struct sg_plane_elements none;
    const struct sg_plane_elements *list = sg_aspect_find(aspects, &plane_aspect);
    return list != NULL ? list : &none;
}
