#include <stdlib.h>
#include <string.h>

#include "model/system.h"

/* part behind the dot of a node's name, length of the part before it */
struct parts {
    size_t body_length;
    const char *node; /* NULL: no dot */
};

static struct parts split(const char *name)
{
    const char *dot = strchr(name, '.');
    if (dot == NULL) return (struct parts){.body_length = strlen(name)};
    return (struct parts){.body_length = (size_t)(dot - name), .node = dot + 1};
}

static size_t within(const struct sg_model_body *body, const char *number)
{
    size_t digits = strspn(number, "0123456789");
    if (digits == 0 || digits > 9 || number[digits] != '\0') return SIZE_MAX;
    unsigned long index = strtoul(number, NULL, 10);
    return index < body->count ? body->first + index : SIZE_MAX;
}

/* the global node, or SIZE_MAX */
static size_t find_in_body(const struct sg_model_body *body, const char *node)
{
    if (node == NULL) return body->count == 1 ? body->first : SIZE_MAX;
    if (strcmp(node, "left") == 0) return body->left;
    if (strcmp(node, "right") == 0) return body->right;
    return within(body, node);
}

/* '; its sets of nodes are "bottom", "top"', or nothing */
static void list_sets(const struct sg_node_sets *sets, size_t body, struct sg_text *list)
{
    const char *before = "; its sets of nodes are ";
    for (size_t k = 0; k < sets->count; k++) {
        if (sets->items[k].body != body) continue;
        sg_text_append(list, "%s\"%s\"", before, sets->items[k].name);
        before = ", ";
    }
}

static void no_node(const struct sg_model_names *names, const struct sg_model_body *body,
                    const struct sg_node_name *name, struct sg_diagnostics *diagnostics)
{
    const char *b = body->name;
    if (body->count == 1) {
        sg_complain_about(diagnostics, SG_ERROR, name->group, name->keyword,
                          "'%.100s' is no node: '%s' has one, \"%s\"", name->text, b, b);
        return;
    }
    SG_LOCAL_TEXT(ends);
    SG_LOCAL_TEXT(sets);
    size_t index = (size_t)(body - names->bodies);
    /* a set of that name goes before an end */
    if (sg_node_sets_find(&names->sets, index, "left") == NULL)
        sg_text_append(&ends, "\"%s.left\", \"%s.right\" and ", b, b);
    list_sets(&names->sets, index, &sets);
    sg_complain_about(diagnostics, SG_ERROR, name->group, name->keyword,
                      "'%.100s' is no node: '%s' has %s\"%s.0\" to \"%s.%zu\"%s", name->text, b,
                      sg_text_view(&ends), b, b, body->count - 1, sg_text_view(&sets));
}

size_t sg_node_list_at(const struct sg_node_list *list, size_t k)
{
    return list->set != NULL ? list->set->nodes[k] : list->first;
}

size_t sg_system_dof(const struct sg_system *system, size_t node, size_t axis)
{
    return system->first_dof[node] + axis;
}

size_t sg_system_rotation(const struct sg_system *system, size_t node)
{
    size_t dof = system->first_dof[node] + system->dim;
    return dof < system->first_dof[node + 1] ? dof : SIZE_MAX;
}

size_t sg_system_axis(const struct sg_system *system, size_t i)
{
    return (size_t)system->places[system->free_dof[i]].axis;
}

double sg_system_row_mass(const struct sg_system *system, size_t i)
{
    size_t axis = sg_system_axis(system, i);
    return axis == SG_ROTATION ? sg_matrix_entry(&system->M, i, i) : system->momentum[i + axis * system->n];
}

struct sg_node_ref sg_system_node(const struct sg_system *system, size_t node)
{
    struct sg_node_ref ref = {.node = node, .full_dof = system->first_dof[node]};
    for (size_t d = 0; d < system->dim; d++)
        ref.position[d] = system->names->positions[system->dim * node + d];
    return ref;
}

const char *sg_system_node_name(const struct sg_system *system, size_t node)
{
    return system->names->node_names[node];
}

/* A group that a mesh numbers is called like a node. */
static void warn_of_number(const struct sg_model_body *body, const struct sg_node_name *name,
                           const char *node, const struct sg_node_set *set,
                           struct sg_diagnostics *diagnostics)
{
    size_t meant = within(body, node);
    if (meant == SIZE_MAX || (set->count == 1 && set->nodes[0] == meant)) return;
    sg_complain_about(diagnostics, SG_WARNING, name->group, name->keyword,
                      "'%.100s' is taken for the group %s of the mesh, of %zu node%s, not for node %s: give "
                      "the group a name where the node is meant",
                      name->text, node, set->count, set->count == 1 ? "" : "s", node);
}

bool sg_system_find_nodes(const struct sg_system *system, const struct sg_node_name *name,
                          struct sg_diagnostics *diagnostics, struct sg_node_list *list)
{
    const struct sg_model_names *names = system->names;
    struct parts parts = split(name->text);
    const struct sg_model_body *body = sg_model_body_called(names, name->text, parts.body_length);
    *list = (struct sg_node_list){.count = 1};
    if (body == NULL) {
        if (diagnostics != NULL) sg_model_no_body(names, name, diagnostics);
        return false;
    }
    if (parts.node != NULL)
        list->set = sg_node_sets_find(&names->sets, (size_t)(body - names->bodies), parts.node);
    if (list->set != NULL && list->set->count == 0) list->set = NULL;
    if (list->set != NULL) {
        list->count = list->set->count;
        list->first = list->set->nodes[0];
        if (diagnostics != NULL && parts.node != NULL)
            warn_of_number(body, name, parts.node, list->set, diagnostics);
        return true;
    }
    list->first = find_in_body(body, parts.node);
    if (list->first != SIZE_MAX) return true;
    if (diagnostics != NULL) no_node(names, body, name, diagnostics);
    return false;
}

bool sg_system_find_node(const struct sg_system *system, const struct sg_node_name *name,
                         struct sg_diagnostics *diagnostics, struct sg_node_ref *ref)
{
    struct sg_node_list list;
    if (!sg_system_find_nodes(system, name, diagnostics, &list)) return false;
    *ref = sg_system_node(system, list.first);
    if (list.count == 1) return true;
    sg_complain_about(diagnostics, SG_ERROR, name->group, name->keyword,
                      "'%.100s' is a set of %zu nodes where one is meant", name->text, list.count);
    sg_hint(diagnostics, "its first node is \"%s\"", sg_system_node_name(system, list.first));
    return false;
}

const char *sg_system_dof_name(const struct sg_system *system, size_t i)
{
    const struct sg_model_names *names = system->names;
    if (system->modal == NULL) return names->dof_names[system->free_dof[i]];
    size_t block = 0;
    while (i >= system->modal->blocks[block].first + system->modal->blocks[block].size) block++;
    int node = system->places[system->free_dof[system->modal->blocks[block].dof[0]]].node;
    return names->bodies[names->node_bodies[node]].name;
}
