#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/bodies/body.h"
#include "model/builder.h"
#include "model/plane_element.h"
#include "support/memory.h"

/* --- sizes and names --------------------------------------------------------------------------------- */

static const struct sg_body_ops *ops_of(const struct sg_node *node)
{
    /* each kind is the first member of its ops */
    return (const struct sg_body_ops *)(const void *)sg_node_kind(node);
}

static void check_name(struct sg_builder *builder, const struct sg_node *node, const char *name)
{
    if (*name == '\0') sg_complain_about(builder->diagnostics, SG_ERROR, node, "name", "is empty");
    if (strchr(name, '.') != NULL) {
        sg_complain_about(builder->diagnostics, SG_ERROR, node, "name", "'%.64s' has a dot", name);
        sg_hint(builder->diagnostics, "a dot parts a body's name from its node, as in \"bar.left\"");
    }
    if (strlen(name) > SG_NAME_LIMIT)
        sg_complain_about(builder->diagnostics, SG_ERROR, node, "name", "has %zu bytes where %d are allowed",
                          strlen(name), SG_NAME_LIMIT);
}

static void check_unique(struct sg_builder *builder, const struct sg_node *node, size_t index)
{
    const struct sg_model_body *bodies = builder->system->names->bodies;
    for (size_t k = 0; k < index; k++) {
        if (strcmp(bodies[k].name, bodies[index].name) != 0) continue;
        sg_complain_about(builder->diagnostics, SG_ERROR, node, "name",
                          "'%.64s' is also the name of bodies.[%zu]", bodies[index].name, k);
        if (!sg_node_given(node, "name"))
            sg_hint(builder->diagnostics, "give each body a name of its own, as in name = \"%s_%zu\"",
                    bodies[index].name, index + 1);
        return;
    }
}

/* The first body that could be measured says how many coordinates there are. */
static void check_dim(struct sg_builder *builder, const struct sg_node *node,
                      const struct sg_model_body *body)
{
    const struct sg_model_body *first = builder->system->names->bodies;
    while (first->dim == 0 && first < body) first++;
    if (body->dim == first->dim || body->dim == 0) return;
    sg_complain(builder->diagnostics, SG_ERROR, node,
                "'%.64s' has %zu coordinate%s a node, '%.64s' has %zu: all bodies of a model have the same",
                body->name, body->dim, body->dim == 1 ? "" : "s", first->name, first->dim);
}

static struct sg_body_source source_of(const struct sg_builder *builder, const struct sg_node *node)
{
    size_t elements = builder->variation != NULL ? builder->variation->elements : 0;
    return (struct sg_body_source){builder->deck, node, builder->diagnostics, builder->err, elements};
}

static sg_status measure_one(struct sg_builder *builder, const struct sg_node *node,
                             struct sg_body_size *size)
{
    struct sg_body_source source = source_of(builder, node);
    return ops_of(node)->measure(&source, size);
}

/* The total may exceed the limit only by one body, so that sums can't overflow. */
static sg_status measure(struct sg_builder *builder, const struct sg_node *list, struct sg_body_size *total)
{
    struct sg_model_names *names = builder->system->names;
    for (size_t k = 0; k < names->body_count; k++) {
        const struct sg_node *node = sg_node_item(list, k);
        struct sg_model_body *body = &names->bodies[k];
        struct sg_body_size *size = &builder->sizes[k];
        body->name = sg_body_name(node);
        check_name(builder, node, body->name);
        check_unique(builder, node, k);
        TRY(sg_builder_tolerate(builder, measure_one(builder, node, size)));
        body->first = total->nodes;
        body->count = size->nodes;
        body->dim = size->dim;
        check_dim(builder, node, body);
        size_t limit = SG_DOF_LIMIT / (size->dim == 0 ? 1 : size->dim);
        if (size->nodes > limit || total->nodes + size->nodes > limit) {
            sg_complain(builder->diagnostics, SG_ERROR, node,
                        "'%.64s' with %zu nodes makes the model too large: the limit is %zu in all",
                        body->name, size->nodes, limit);
            return SG_BAD_DECK;
        }
        total->nodes += size->nodes;
        total->elements += size->elements;
        total->dim = size->dim;
        if (size->width > total->width) total->width = size->width;
    }
    return sg_builder_failed(builder) ? SG_BAD_DECK : SG_OK;
}

/* --- storage ----------------------------------------------------------------------------------------- */

static sg_status allocate(struct sg_builder *builder, const struct sg_body_size *total)
{
    struct sg_model_names *names = builder->system->names;
    struct sg_error *err = builder->err;
    size_t n = total->dim * total->nodes;
    TRY(SG_NEW(&names->node_names, total->nodes, err));
    TRY(SG_NEW(&names->dof_names, n, err));
    TRY(SG_NEW(&names->body_names, names->body_count, err));
    TRY(SG_NEW(&names->positions, n, err));
    TRY(SG_NEW(&names->node_bodies, total->nodes, err));
    TRY(sg_alloc(total->elements, total->width * sizeof(int), "element_nodes", &names->element_nodes, err));
    TRY(SG_NEW(&names->element_shapes, total->elements, err));
    for (size_t i = 0; i < total->elements * total->width; i++) names->element_nodes[i] = -1;
    TRY(SG_NEW(&builder->row_mass, n * total->dim, err));
    TRY(SG_NEW(&builder->held, n, err));
    TRY(SG_NEW(&builder->u, n, err));
    TRY(SG_NEW(&builder->v, n, err));
    TRY(SG_NEW(&builder->support_of_full, n, err));
    TRY(SG_NEW(&builder->motion_of_full, n, err));
    for (size_t i = 0; i < n; i++) builder->support_of_full[i] = builder->motion_of_full[i] = SIZE_MAX;
    builder->mass.n = builder->dashpots.n = builder->stiffness.n = n;
    return SG_OK;
}

const char *sg_axis_name(size_t axis)
{
    static const char *const names[] = {"x", "y", "z"};
    return names[axis < 3 ? axis : 2];
}

/* Node `node` of `body` and its dofs, at `next`; where the text ends. */
static char *write_node(struct sg_model_names *names, const struct sg_model_body *body, size_t node,
                        char *next)
{
    size_t size = strlen(body->name) + 14, dim = body->dim;
    names->node_names[node] = names->dof_names[dim * node] = next;
    next += snprintf(next, size, "%s.%zu", body->name, node - body->first) + 1;
    for (size_t d = 0; dim > 1 && d < dim; d++) {
        names->dof_names[dim * node + d] = next;
        next += snprintf(next, size, "%s.%s", names->node_names[node], sg_axis_name(d)) + 1;
    }
    return next;
}

/* "bar", "bar.0", "bar.1", ... for every body, each node's followed by "bar.0.x", "bar.0.y" above 1-D */
static sg_status write_names(struct sg_builder *builder)
{
    struct sg_model_names *names = builder->system->names;
    size_t bytes = 0;
    for (size_t k = 0; k < names->body_count; k++) {
        const struct sg_model_body *body = &names->bodies[k];
        size_t each = body->dim == 1 ? 1 : 1 + body->dim;
        bytes += (strlen(body->name) + 14) * (body->count * each + 1);
    }
    TRY(SG_NEW(&names->text, bytes, builder->err));
    char *next = names->text;
    for (size_t k = 0; k < names->body_count; k++) {
        struct sg_model_body *body = &names->bodies[k];
        size_t length = strlen(body->name) + 1;
        memcpy(next, body->name, length);
        body->name = names->body_names[k] = next;
        next += length;
        for (size_t i = 0; i < body->count; i++) next = write_node(names, body, body->first + i, next);
    }
    return SG_OK;
}

static void label(struct sg_system *system, const struct sg_body_size *total)
{
    struct sg_model_names *names = system->names;
    system->dim = total->dim;
    system->n_full = total->dim * total->nodes;
    system->labels = (struct sg_model_labels){.dof_count = system->n_full,
                                              .node_count = total->nodes,
                                              .element_count = total->elements,
                                              .dim = total->dim,
                                              .dof_names = names->dof_names,
                                              .body_names = names->body_names,
                                              .body_count = names->body_count,
                                              .node_positions = names->positions,
                                              .node_bodies = names->node_bodies,
                                              .element_width = total->width,
                                              .element_nodes = names->element_nodes,
                                              .element_shapes = names->element_shapes};
}

/* --- assembly ---------------------------------------------------------------------------------------- */

static void find_ends(struct sg_model_names *names, size_t index)
{
    struct sg_model_body *body = &names->bodies[index];
    const double *x = names->positions;
    size_t dim = body->dim;
    body->left = body->right = body->first;
    for (size_t i = body->first; i < body->first + body->count; i++) {
        names->node_bodies[i] = (int)index;
        if (x[dim * i] < x[dim * body->left]) body->left = i;
        if (x[dim * i] > x[dim * body->right]) body->right = i;
    }
}

static sg_status check_memory(struct sg_builder *builder)
{
    bool failed = builder->mass.failed || builder->dashpots.failed || builder->stiffness.failed;
    failed = failed || builder->system->names->sets.failed || builder->system->plane.failed;
    failed = failed || builder->system->ends.failed || builder->system->strips.failed;
    if (!failed) return SG_OK;
    FAIL(builder->err, SG_NO_MEMORY, "out of memory while %zu dofs were assembled", builder->system->n_full);
}

static sg_status assemble(struct sg_builder *builder, const struct sg_node *list)
{
    struct sg_model_names *names = builder->system->names;
    size_t width = builder->system->labels.element_width, element = 0;
    for (size_t k = 0; k < names->body_count; k++) {
        struct sg_body_source source = source_of(builder, sg_node_item(list, k));
        size_t first_dof = builder->system->dim * names->bodies[k].first;
        names->sets.body = k;
        struct sg_body_target target = {.first = names->bodies[k].first,
                                        .first_element = element,
                                        .width = width,
                                        .data = builder->sizes[k].data,
                                        .position = names->positions + first_dof,
                                        .element_nodes = names->element_nodes + width * element,
                                        .element_shapes = names->element_shapes + element,
                                        .held = builder->held + first_dof,
                                        .mass = &builder->mass,
                                        .damping = &builder->dashpots,
                                        .stiffness = &builder->stiffness,
                                        .elements = &builder->system->elements,
                                        .plane = &builder->system->plane,
                                        .ends = &builder->system->ends,
                                        .strips = &builder->system->strips,
                                        .sets = &names->sets};
        TRY(sg_builder_tolerate(builder, ops_of(source.node)->assemble(&source, &target)));
        TRY(check_memory(builder));
        element += builder->sizes[k].elements;
        find_ends(names, k);
    }
    return SG_OK;
}

/* Values out of the range of numbers come from absurd moduli, areas, ... */
static void check_finite(struct sg_builder *builder, const struct sg_node *list,
                         const struct sg_triplets *triplets, const char *what)
{
    const struct sg_model_names *names = builder->system->names;
    for (size_t k = 0; k < triplets->count; k++) {
        if (isfinite(triplets->value[k])) continue;
        int body = names->node_bodies[triplets->row[k] / builder->system->dim];
        sg_complain(builder->diagnostics, SG_ERROR, sg_node_item(list, (size_t)body),
                    "the %s of '%s' is not a finite number", what, names->dof_names[triplets->row[k]]);
        return;
    }
}

/* M_ij times the unit motion along the axis of dof j */
static void add_to_row(struct sg_builder *builder, size_t i, size_t j, double value)
{
    size_t axis = j % builder->system->dim;
    builder->row_mass[i + axis * builder->system->n_full] += value;
}

static void add_up_mass(struct sg_builder *builder)
{
    const struct sg_triplets *mass = &builder->mass;
    struct sg_system *system = builder->system;
    for (size_t k = 0; k < mass->count; k++) {
        add_to_row(builder, mass->row[k], mass->column[k], mass->value[k]);
        if (mass->row[k] != mass->column[k])
            add_to_row(builder, mass->column[k], mass->row[k], mass->value[k]);
    }
    for (size_t i = 0; i < system->n_full; i += system->dim)
        system->names->bodies[system->names->node_bodies[i / system->dim]].mass += builder->row_mass[i];
}

double sg_builder_rigid(const struct sg_builder *builder, const double *a, size_t i)
{
    double sum = 0;
    for (size_t d = 0; d < builder->system->dim; d++)
        sum += a[d] * builder->row_mass[i + d * builder->system->n_full];
    return sum;
}

sg_status sg_build_bodies(struct sg_builder *builder)
{
    const struct sg_node *root = sg_deck_root(builder->deck), *list = sg_node_child(root, "bodies");
    struct sg_system *system = builder->system;
    TRY(SG_NEW(&system->names, 1, builder->err));
    system->names->body_count = sg_builder_count(builder, "bodies");
    if (system->names->body_count == 0) {
        sg_complain_about(builder->diagnostics, SG_ERROR, root, "bodies", "there is no body");
        return SG_BAD_DECK;
    }
    TRY(SG_NEW(&system->names->bodies, system->names->body_count, builder->err));
    TRY(SG_NEW(&builder->sizes, system->names->body_count, builder->err));
    struct sg_body_size total = {.width = 2};
    TRY(measure(builder, list, &total));
    TRY(allocate(builder, &total));
    TRY(write_names(builder));
    label(system, &total);
    TRY(assemble(builder, list));
    check_finite(builder, list, &builder->mass, "mass");
    check_finite(builder, list, &builder->stiffness, "stiffness");
    check_finite(builder, list, &builder->dashpots, "damping");
    add_up_mass(builder);
    if (system->plane.count > 0)
        TRY(sg_alloc(total.nodes, SG_PLANE_COLUMNS * sizeof(double), "plane.sums", &system->plane.sums,
                     builder->err));
    return sg_builder_failed(builder) ? SG_BAD_DECK : SG_OK;
}

void sg_build_bodies_release(struct sg_builder *builder)
{
    const struct sg_node *list = sg_node_child(sg_deck_root(builder->deck), "bodies");
    for (size_t k = 0; builder->sizes != NULL && k < builder->system->names->body_count; k++)
        if (builder->sizes[k].data != NULL) ops_of(sg_node_item(list, k))->release(builder->sizes[k].data);
    sg_free(builder->sizes);
    builder->sizes = NULL;
}

void sg_model_names_destroy(struct sg_model_names *names)
{
    if (names == NULL) return;
    sg_free(names->bodies);
    sg_free(names->text);
    sg_free(names->node_names);
    sg_free(names->dof_names);
    sg_free(names->body_names);
    sg_free(names->positions);
    sg_free(names->node_bodies);
    sg_free(names->element_nodes);
    sg_free(names->element_shapes);
    sg_node_sets_release(&names->sets);
    sg_free(names);
}
