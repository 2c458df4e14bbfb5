#include "model/chosen_nodes.h"

#include <string.h>

#include "support/memory.h"

static sg_status describe(const char *what, const struct sg_texts *nodes, char **out, struct sg_error *err)
{
    SG_LOCAL_TEXT(text);
    sg_text_append(&text, "%s of the nodes", what);
    for (size_t i = 0; i < nodes->count; i++)
        sg_text_append(&text, "%s %s", i == 0 ? "" : ",", nodes->data[i]);
    return sg_text_copy(&text, out, err);
}

/* nodes that the names stand for, each name as often as it is given; findings for those that are none */
static size_t count_nodes(const struct sg_system *system, const struct sg_chosen_names *names,
                          struct sg_diagnostics *diagnostics)
{
    size_t count = 0;
    for (size_t i = 0; i < names->nodes.count; i++) {
        struct sg_node_name name = {names->nodes.data[i], names->group, "nodes"};
        struct sg_node_list list;
        if (sg_system_find_nodes(system, &name, diagnostics, &list)) count += list.count;
    }
    return count;
}

static void add_nodes(struct sg_chosen_nodes *chosen, const char *text)
{
    struct sg_node_name name = {.text = text};
    struct sg_node_list list;
    if (!sg_system_find_nodes(chosen->system, &name, NULL, &list)) return;
    const size_t *first = chosen->system->first_dof;
    for (size_t k = 0; k < list.count; k++) {
        size_t node = sg_node_list_at(&list, k);
        for (size_t dof = first[node]; dof < first[node + 1]; dof++) chosen->dof[chosen->count++] = dof;
    }
}

sg_status sg_chosen_nodes_init(struct sg_chosen_nodes *chosen, const struct sg_system *system,
                               const struct sg_chosen_names *names, struct sg_diagnostics *diagnostics,
                               struct sg_error *err)
{
    const struct sg_texts *nodes = &names->nodes;
    *chosen = (struct sg_chosen_nodes){.system = system};
    size_t errors = diagnostics->errors, count = count_nodes(system, names, diagnostics);
    TRY(SG_NEW(&chosen->dof, count * (system->dim + 1), err));
    for (size_t i = 0; i < nodes->count; i++) add_nodes(chosen, nodes->data[i]);
    if (diagnostics->errors != errors) FAIL(err, SG_BAD_DECK, "output.nodes names nodes that are not there");
    TRY(describe("displacement", nodes, &chosen->displacement, err));
    return describe("velocity", nodes, &chosen->velocity, err);
}

void sg_chosen_nodes_release(struct sg_chosen_nodes *chosen)
{
    sg_free(chosen->dof);
    sg_some_dofs_release(&chosen->some);
    sg_free(chosen->displacement);
    sg_free(chosen->velocity);
    *chosen = (struct sg_chosen_nodes){0};
}

sg_status sg_chosen_nodes_prepare(struct sg_chosen_nodes *chosen, struct sg_error *err)
{
    return sg_some_dofs_init(&chosen->some, chosen->system, chosen->dof, chosen->count, err);
}

static void displacement(const void *owner, const struct sg_snapshot *now, double *row)
{
    const struct sg_chosen_nodes *chosen = owner;
    sg_some_dofs_fill(&chosen->some, now->u, now->t, 0, row);
}

static void velocity(const void *owner, const struct sg_snapshot *now, double *row)
{
    const struct sg_chosen_nodes *chosen = owner;
    sg_some_dofs_fill(&chosen->some, now->v, sg_snapshot_velocity_time(now), 1, row);
}

static size_t parts_of(const void *owner)
{
    const struct sg_chosen_nodes *chosen = owner;
    return sg_some_dofs_parts(&chosen->some);
}

static void take_displacement(const void *owner, const struct sg_snapshot *now, double *parts)
{
    const struct sg_chosen_nodes *chosen = owner;
    sg_expansion_take(chosen->system, now->u, now->t, 0, parts);
}

static void take_velocity(const void *owner, const struct sg_snapshot *now, double *parts)
{
    const struct sg_chosen_nodes *chosen = owner;
    sg_expansion_take(chosen->system, now->v, sg_snapshot_velocity_time(now), 1, parts);
}

static void make(const void *owner, const double *parts, double *rows)
{
    const struct sg_chosen_nodes *chosen = owner;
    sg_some_dofs_make(&chosen->some, parts, sg_some_dofs_parts(&chosen->some), rows);
}

static const struct sg_late late_displacement = {parts_of, take_displacement, make};
static const struct sg_late late_velocity = {parts_of, take_velocity, make};

static void replace(const struct sg_chosen_nodes *chosen, struct sg_quantity *quantity,
                    const char *description)
{
    quantity->width = chosen->count;
    quantity->field = (struct sg_field){0}; /* some nodes make no field */
    quantity->on_request = false;
    quantity->description = description;
    quantity->owner = chosen;
}

void sg_chosen_nodes_register(const struct sg_chosen_nodes *chosen, struct sg_quantities *list)
{
    for (size_t i = 0; chosen->count > 0 && i < list->count; i++) {
        struct sg_quantity *quantity = &list->items[i];
        if (strcmp(quantity->name, "displacement") == 0) {
            replace(chosen, quantity, chosen->displacement);
            quantity->fill = displacement;
            quantity->late = &late_displacement;
        } else if (strcmp(quantity->name, "velocity") == 0) {
            replace(chosen, quantity, chosen->velocity);
            quantity->fill = velocity;
            quantity->late = &late_velocity;
        }
    }
}
