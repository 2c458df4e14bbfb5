#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "assembly/bodies/body.h"
#include "assembly/builder.h"
#include "support/memory.h"

/* --- sizes and names ------------------------------------------------------------------------------ */

static const struct sg_body_ops *ops_of(const struct sg_setting *node)
{
    /* each kind is the first member of its ops */
    return (const struct sg_body_ops *)(const void *)sg_setting_kind(node);
}

static void check_name(struct sg_builder *builder, const struct sg_setting *node, const char *name)
{
    if (strchr(name, '.') != NULL) {
        sg_complain_about(builder->diagnostics, SG_ERROR, node, "name", "'%.64s' has a dot", name);
        sg_hint(builder->diagnostics, "a dot parts a body's name from its node, as in \"bar.left\"");
    }
}

static void check_unique(struct sg_builder *builder, const struct sg_setting *node, size_t index)
{
    const struct sg_model_body *bodies = builder->system->names->bodies;
    for (size_t k = 0; k < index; k++) {
        if (strcmp(bodies[k].name, bodies[index].name) != 0) continue;
        sg_complain_about(builder->diagnostics, SG_ERROR, node, "name",
                          "'%.64s' is also the name of bodies.[%zu]", bodies[index].name, k);
        if (!sg_setting_given(node, "name"))
            sg_hint(builder->diagnostics, "give each body a name of its own, as in name = \"%s_%zu\"",
                    bodies[index].name, index + 1);
        return;
    }
}

/* The first body that could be measured says how many coordinates there are. */
static void check_dim(struct sg_builder *builder, const struct sg_setting *node,
                      const struct sg_model_body *body)
{
    const struct sg_model_body *first = builder->system->names->bodies;
    while (first->dim == 0 && first < body) first++;
    if (body->dim == first->dim || body->dim == 0) return;
    sg_complain(builder->diagnostics, SG_ERROR, node,
                "'%.64s' has %zu coordinate%s a node, '%.64s' has %zu: all bodies of a model have the same",
                body->name, body->dim, body->dim == 1 ? "" : "s", first->name, first->dim);
}

static struct sg_body_source source_of(struct sg_builder *builder, const struct sg_setting *node)
{
    size_t elements = builder->variation != NULL ? builder->variation->elements : 0;
    return (struct sg_body_source){builder->deck, node,     builder->diagnostics,
                                   builder->err,  elements, &builder->scratch};
}

static sg_status measure_one(struct sg_builder *builder, const struct sg_setting *node,
                             struct sg_body_size *size)
{
    struct sg_body_source source = source_of(builder, node);
    return ops_of(node)->measure(&source, size);
}

/* The total may exceed the limit only by one body, so that sums can't overflow. */
static sg_status measure(struct sg_builder *builder, const struct sg_setting *list,
                         struct sg_body_size *total)
{
    struct sg_model_names *names = builder->system->names;
    for (size_t k = 0; k < names->body_count; k++) {
        const struct sg_setting *node = sg_setting_item(list, k);
        struct sg_model_body *body = &names->bodies[k];
        struct sg_body_size *size = &builder->sizes[k];
        body->name = sg_body_name(node);
        body->small_motion = ops_of(node)->small_motion;
        check_name(builder, node, body->name);
        check_unique(builder, node, k);
        TRY(sg_builder_tolerate(builder, measure_one(builder, node, size)));
        body->first = total->nodes;
        body->count = size->nodes;
        body->dim = size->dim;
        check_dim(builder, node, body);
        size_t each = size->dim + (size->rotates ? 1 : 0), limit = SG_DOF_LIMIT / (each == 0 ? 1 : each);
        if (size->nodes > limit || total->nodes + size->nodes > limit) {
            sg_complain(builder->diagnostics, SG_ERROR, node,
                        "'%.64s' with %zu nodes makes the model too large: the limit is %zu in all",
                        body->name, size->nodes, limit);
            return SG_BAD_DECK;
        }
        body->first_dof = builder->system->n_full;
        body->dof_count = each * size->nodes;
        builder->system->n_full += body->dof_count;
        total->nodes += size->nodes;
        total->elements += size->elements;
        total->dim = size->dim;
        if (size->width > total->width) total->width = size->width;
    }
    return sg_builder_failed(builder) ? SG_BAD_DECK : SG_OK;
}

/* --- storage -------------------------------------------------------------------------------------- */

static sg_status allocate(struct sg_builder *builder, const struct sg_body_size *total)
{
    struct sg_model_names *names = builder->system->names;
    struct sg_arena *arena = &builder->system->arena;
    struct sg_error *err = builder->err;
    size_t n = builder->system->n_full;
    TRY(SG_ARENA_NEW(arena, &names->node_names, total->nodes, err));
    TRY(SG_ARENA_NEW(arena, &names->dof_names, n, err));
    TRY(SG_ARENA_NEW(arena, &names->body_names, names->body_count, err));
    TRY(SG_ARENA_NEW(arena, &names->positions, total->dim * total->nodes, err));
    TRY(SG_ARENA_NEW(arena, &names->first_dof, total->nodes + 1, err));
    TRY(SG_ARENA_NEW(arena, &names->places, n, err));
    TRY(SG_ARENA_NEW(arena, &names->dof_nodes, n, err));
    TRY(SG_ARENA_NEW(arena, &names->reference, n, err));
    TRY(SG_ARENA_NEW(arena, &names->node_bodies, total->nodes, err));
    TRY(sg_arena_alloc(arena, total->elements, total->width * sizeof(int), "element_nodes",
                       &names->element_nodes, err));
    TRY(SG_ARENA_NEW(arena, &names->element_shapes, total->elements, err));
    for (size_t i = 0; i < total->elements * total->width; i++) names->element_nodes[i] = -1;
    TRY(SG_ARENA_NEW(&builder->scratch, &builder->row_mass, n * total->dim, err));
    TRY(SG_ARENA_NEW(&builder->scratch, &builder->held, n, err));
    TRY(SG_ARENA_NEW(&builder->scratch, &builder->u, n, err));
    TRY(SG_ARENA_NEW(&builder->scratch, &builder->v, n, err));
    TRY(SG_ARENA_NEW(&builder->scratch, &builder->support_of_full, n, err));
    TRY(SG_ARENA_NEW(&builder->scratch, &builder->motion_of_full, n, err));
    for (size_t i = 0; i < n; i++) builder->support_of_full[i] = builder->motion_of_full[i] = SIZE_MAX;
    builder->mass.n = builder->dashpots.n = builder->stiffness.n = n;
    return SG_OK;
}

enum { NUMBER_SPACE = 14, KIND_SPACE = 10 }; /* bytes of ".1234567" and ".rotation", at most */

static size_t dofs_of_node(const struct sg_model_body *body)
{
    return body->dof_count / body->count;
}

/* Node `node` of `body` and its dofs, at `next`; where the text ends. */
static char *write_node(struct sg_model_names *names, const struct sg_model_body *body, size_t node,
                        char *next)
{
    size_t size = strlen(body->name) + NUMBER_SPACE + KIND_SPACE, count = dofs_of_node(body);
    size_t first = names->first_dof[node];
    names->node_names[node] = names->dof_names[first] = next;
    next += snprintf(next, size, "%s.%zu", body->name, node - body->first) + 1;
    for (size_t d = 0; count > 1 && d < count; d++) {
        const char *kind = d < body->dim ? sg_axis_name(d) : "rotation";
        names->dof_names[first + d] = next;
        next += snprintf(next, size, "%s.%s", names->node_names[node], kind) + 1;
    }
    return next;
}

static void number_dofs(struct sg_model_names *names)
{
    for (size_t k = 0; k < names->body_count; k++) {
        const struct sg_model_body *body = &names->bodies[k];
        size_t each = dofs_of_node(body);
        for (size_t i = 0; i < body->dof_count; i++) {
            size_t node = body->first + i / each, axis = i % each;
            if (axis == 0) names->first_dof[node] = body->first_dof + i;
            names->first_dof[node + 1] = body->first_dof + i + 1;
            names->dof_nodes[body->first_dof + i] = (int)node;
            names->places[body->first_dof + i] =
                (struct sg_dof_place){(int)node, axis < body->dim ? (int)axis : SG_ROTATION};
        }
    }
}

/* "bar", "bar.0", "bar.1", ... for every body, each node's followed by "bar.0.x", "bar.0.y" above 1-D */
static sg_status write_names(struct sg_builder *builder)
{
    struct sg_model_names *names = builder->system->names;
    size_t bytes = 0;
    for (size_t k = 0; k < names->body_count; k++) {
        const struct sg_model_body *body = &names->bodies[k];
        size_t each = 1 + dofs_of_node(body);
        bytes += (strlen(body->name) + NUMBER_SPACE + KIND_SPACE) * (body->count * each + 1);
    }
    TRY(SG_ARENA_NEW(&builder->system->arena, &names->text, bytes, builder->err));
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
    system->first_dof = names->first_dof;
    system->places = names->places;
    system->reference = names->reference;
    system->labels = (struct sg_model_labels){.dof_count = system->n_full,
                                              .node_count = total->nodes,
                                              .element_count = total->elements,
                                              .dim = total->dim,
                                              .dof_nodes = names->dof_nodes,
                                              .dof_names = names->dof_names,
                                              .body_names = names->body_names,
                                              .body_count = names->body_count,
                                              .node_positions = names->positions,
                                              .node_bodies = names->node_bodies,
                                              .element_width = total->width,
                                              .element_nodes = names->element_nodes,
                                              .element_shapes = names->element_shapes};
}

/* --- assembly ------------------------------------------------------------------------------------- */

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
    failed = failed || builder->system->names->sets.failed || builder->system->names->ties.failed;
    failed = failed || builder->system->aspects.failed;
    if (!failed) return SG_OK;
    FAIL(builder->err, SG_NO_MEMORY, "out of memory while %zu dofs were assembled", builder->system->n_full);
}

static sg_status assemble(struct sg_builder *builder, const struct sg_setting *list)
{
    struct sg_model_names *names = builder->system->names;
    size_t width = builder->system->labels.element_width, element = 0;
    for (size_t k = 0; k < names->body_count; k++) {
        struct sg_body_source source = source_of(builder, sg_setting_item(list, k));
        const struct sg_model_body *body = &names->bodies[k];
        names->sets.body = k;
        struct sg_body_target target = {.name = names->body_names[k],
                                        .first = body->first,
                                        .first_dof = body->first_dof,
                                        .node_dofs = dofs_of_node(body),
                                        .first_element = element,
                                        .width = width,
                                        .data = builder->sizes[k].data,
                                        .position = names->positions + body->dim * body->first,
                                        .element_nodes = names->element_nodes + width * element,
                                        .element_shapes = names->element_shapes + element,
                                        .held = builder->held + body->first_dof,
                                        .mass = &builder->mass,
                                        .damping = &builder->dashpots,
                                        .stiffness = &builder->stiffness,
                                        .elements = &builder->system->elements,
                                        .aspects = &builder->system->aspects,
                                        .sets = &names->sets,
                                        .ties = &names->ties};
        TRY(sg_builder_tolerate(builder, ops_of(source.node)->assemble(&source, &target)));
        TRY(check_memory(builder));
        element += builder->sizes[k].elements;
        find_ends(names, k);
    }
    return SG_OK;
}

static void set_reference(struct sg_system *system)
{
    struct sg_model_names *names = system->names;
    for (size_t i = 0; i < system->n_full; i++) {
        struct sg_dof_place place = system->places[i];
        if (place.axis != SG_ROTATION)
            names->reference[i] = names->positions[system->dim * (size_t)place.node + (size_t)place.axis];
    }
}

/* --- ties ----------------------------------------------------------------------------------------- */

/* Entries of slaves become those of masters; one that so comes to the diagonal stood for two. */
static void move_entries(struct sg_triplets *triplets, const size_t *master_of)
{
    for (size_t k = 0; k < triplets->count; k++) {
        size_t i = triplets->row[k], j = triplets->column[k];
        triplets->row[k] = master_of[i];
        triplets->column[k] = master_of[j];
        if (i != j && master_of[i] == master_of[j]) triplets->value[k] *= 2;
    }
}

static sg_status apply_ties(struct sg_builder *builder)
{
    struct sg_system *system = builder->system;
    const struct sg_ties *ties = &system->names->ties;
    SG_AUTO_FREE size_t *master_of = NULL;
    system->ties = ties->items;
    system->tie_count = ties->count;
    if (ties->count == 0) return SG_OK;
    TRY(SG_NEW(&master_of, system->n_full, builder->err));
    for (size_t i = 0; i < system->n_full; i++) master_of[i] = i;
    for (size_t k = 0; k < ties->count; k++) master_of[ties->items[k].slave] = ties->items[k].master;
    move_entries(&builder->mass, master_of);
    move_entries(&builder->dashpots, master_of);
    move_entries(&builder->stiffness, master_of);
    return SG_OK;
}

/* Values out of the range of numbers come from absurd moduli, areas, ... */
static void check_finite(struct sg_builder *builder, const struct sg_setting *list,
                         const struct sg_triplets *triplets, const char *what)
{
    const struct sg_model_names *names = builder->system->names;
    for (size_t k = 0; k < triplets->count; k++) {
        if (isfinite(triplets->value[k])) continue;
        int body = names->node_bodies[builder->system->places[triplets->row[k]].node];
        sg_complain(builder->diagnostics, SG_ERROR, sg_setting_item(list, (size_t)body),
                    "the %s of '%s' is not a finite number", what, names->dof_names[triplets->row[k]]);
        return;
    }
}

/* M_ij times the unit motion along the axis of dof j */
static void add_to_row(struct sg_builder *builder, size_t i, size_t j, double value)
{
    int axis = builder->system->places[j].axis;
    if (axis != SG_ROTATION) builder->row_mass[i + (size_t)axis * builder->system->n_full] += value;
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
    for (size_t i = 0; i < system->n_full; i++)
        if (system->places[i].axis == 0)
            system->names->bodies[system->names->node_bodies[system->places[i].node]].mass +=
                builder->row_mass[i];
}

sg_status sg_build_bodies(struct sg_builder *builder)
{
    const struct sg_setting *root = sg_deck_root(builder->deck), *list = sg_setting_child(root, "bodies");
    struct sg_system *system = builder->system;
    TRY(SG_ARENA_NEW(&system->arena, &system->names, 1, builder->err));
    system->names->sets.arena = system->names->ties.arena = &system->arena;
    system->names->body_count = sg_builder_count(builder, "bodies");
    if (system->names->body_count == 0) {
        sg_complain_about(builder->diagnostics, SG_ERROR, root, "bodies", "there is no body");
        return SG_BAD_DECK;
    }
    TRY(SG_ARENA_NEW(&system->arena, &system->names->bodies, system->names->body_count, builder->err));
    TRY(SG_ARENA_NEW(&builder->scratch, &builder->sizes, system->names->body_count, builder->err));
    struct sg_body_size total = {.width = 2};
    TRY(measure(builder, list, &total));
    TRY(allocate(builder, &total));
    number_dofs(system->names);
    TRY(write_names(builder));
    label(system, &total);
    TRY(assemble(builder, list));
    set_reference(system);
    TRY(apply_ties(builder));
    check_finite(builder, list, &builder->mass, "mass");
    check_finite(builder, list, &builder->stiffness, "stiffness");
    check_finite(builder, list, &builder->dashpots, "damping");
    add_up_mass(builder);
    return sg_builder_failed(builder) ? SG_BAD_DECK : SG_OK;
}
