#include "assembly/bodies/continuum_add.h"
#include "assembly/bodies/mesh_body.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>

#include "assembly/bodies/plane_material.h"
#include "model/continuum/stress.h"
#include "support/memory.h"

struct part_spec {
    const char *group;
    struct sg_plane_words material;
};

static const struct sg_keyword part_rows[] = {
    {.name = "group",
     .type = SG_TEXT,
     .meaning = "name or number of the physical group of surfaces that the part is",
     .example = "\"steel\"",
     .flags = SG_REQUIRED,
     .offset = offsetof(struct part_spec, group)},
    SG_PLANE_MATERIAL_ROWS(offsetof(struct part_spec, material), SG_REQUIRED),
    {0}};

struct spec {
    const char *file, *group;
    const struct sg_setting *parts;
    struct sg_reals position;
    double scale;
    struct sg_plane_words material;
};

static const struct sg_keyword rows[] = {
    {.name = "file",
     .type = SG_TEXT,
     .meaning = "the mesh: Gmsh's format MSH 4.1, ASCII, relative to the deck's folder",
     .example = "\"plate.msh\"",
     .flags = SG_REQUIRED,
     .offset = offsetof(struct spec, file)},
    {.name = "group",
     .type = SG_TEXT,
     .meaning = "name or number of the physical group of surfaces that the body is; by default all surfaces. "
                "With 'parts' these say so",
     .example = "\"plate\"",
     .offset = offsetof(struct spec, group)},
    {.name = "parts",
     .type = SG_LIST,
     .meaning = "groups of surfaces with a material each, instead of one material for the whole body",
     .rows = part_rows,
     .min_items = 1,
     .offset = offsetof(struct spec, parts)},
    {.name = "position",
     .type = SG_REALS,
     .unit = "m",
     .meaning = "x and y by which the mesh is moved, after it was scaled",
     .fallback = "[0.0, 0.0]",
     .min_items = 2,
     .max_items = 2,
     .offset = offsetof(struct spec, position)},
    {.name = "scale",
     .type = SG_REAL,
     .unit = "1",
     .meaning = "factor on the coordinates in the file: 0.001 where they are in millimetres",
     .fallback = "1.0",
     .range = SG_POSITIVE,
     .offset = offsetof(struct spec, scale)},
    SG_PLANE_MATERIAL_ROWS(offsetof(struct spec, material), SG_OPTIONAL),
    {0}};

static void release(void *file)
{
    sg_gmsh_release(file);
}

/* --- words ---------------------------------------------------------------------------------------- */

/* One material or parts, not both and not neither. */
static void check_words(const struct sg_body_source *source, const struct spec *spec)
{
    static const char *const material[] = {"modulus", "poisson", "density", "thickness", "state", "group"};
    enum { NEEDED = 3, WORDS = sizeof material / sizeof material[0] };
    for (size_t k = 0; k < WORDS; k++) {
        bool given = sg_setting_given(source->node, material[k]);
        if (spec->parts != NULL && given)
            sg_complain_about(source->diagnostics, SG_ERROR, source->node, material[k],
                              "is used in a body without 'parts' only: each part has its own");
        if (spec->parts == NULL && !given && k < NEEDED)
            sg_complain_about(source->diagnostics, SG_ERROR, source->node, material[k],
                              "is required where there are no 'parts'");
    }
}

static size_t part_count(const struct spec *spec)
{
    return spec->parts == NULL ? 1 : sg_setting_count(spec->parts);
}

/* part k, and the group of the deck that it is from */
static const struct sg_setting *part_of(const struct sg_body_source *source, const struct spec *spec,
                                        size_t k, struct part_spec *part)
{
    if (spec->parts == NULL) {
        *part = (struct part_spec){spec->group, spec->material};
        return source->node;
    }
    const struct sg_setting *node = sg_setting_item(spec->parts, k);
    sg_setting_fill(node, part_rows, part);
    return node;
}

/* --- what belongs to the body --------------------------------------------------------------------- */

enum { LISTED_GROUPS = 12 };

static void no_group(const struct sg_body_source *source, const struct sg_mesh_body *mesh,
                     const struct sg_setting *node, const char *name)
{
    SG_LOCAL_TEXT(list);
    size_t count = 0;
    for (size_t k = 0; k < mesh->file.group_count; k++) {
        const struct sg_gmsh_group *group = &mesh->file.groups[k];
        if (group->dim != 2 || count++ >= LISTED_GROUPS) continue;
        const char *comma = count == 1 ? "" : ", ";
        if (*group->name != '\0')
            sg_text_append(&list, "%s\"%s\"", comma, group->name);
        else
            sg_text_append(&list, "%s\"%d\"", comma, group->tag);
    }
    if (count > LISTED_GROUPS) sg_text_append(&list, " and %zu more", count - LISTED_GROUPS);
    sg_complain_about(source->diagnostics, SG_ERROR, node, "group",
                      "'%.64s' is no physical group of surfaces in '%s': there is %s", name,
                      mesh->source.file, count == 0 ? "none" : sg_text_view(&list));
    if (count == 0)
        sg_hint(source->diagnostics, "in Gmsh: Physical Surface(\"NAME\") = {1}; then mesh again");
}

/* an element of two parts */
static void complain_twice(const struct sg_body_source *source, const struct sg_mesh_body *mesh,
                           const struct sg_setting *node, size_t element)
{
    struct part_spec other = {0};
    struct spec spec = {0};
    sg_setting_fill(source->node, rows, &spec);
    part_of(source, &spec, mesh->part[element], &other);
    sg_complain_about(source->diagnostics, SG_ERROR, node, "group",
                      "'%s' line %zu: element %zu is also of the part '%.64s'", mesh->source.file,
                      mesh->file.elements[element].line, mesh->file.elements[element].tag, other.group);
}

static void claim(const struct sg_body_source *source, struct sg_mesh_body *mesh, const struct spec *spec,
                  size_t k)
{
    struct part_spec part = {0};
    const struct sg_setting *node = part_of(source, spec, k, &part);
    const struct sg_gmsh_group *group = NULL;
    size_t errors = source->diagnostics->errors, before = mesh->element_count;
    sg_plane_material_check(node, &part.material, source->diagnostics);
    if (part.group != NULL) {
        group = sg_gmsh_find_group(&mesh->file, 2, part.group);
        if (group == NULL) no_group(source, mesh, node, part.group);
        if (group == NULL) return;
    }
    for (size_t i = 0; i < mesh->file.element_count; i++) {
        const struct sg_gmsh_element *element = &mesh->file.elements[i];
        if (element->shape->dim != 2) continue;
        if (group != NULL && !sg_gmsh_is_member(&mesh->file, element, group)) continue;
        if (mesh->part[i] != SIZE_MAX) {
            complain_twice(source, mesh, node, i);
            return;
        }
        mesh->part[i] = k;
        mesh->element_count++;
    }
    if (mesh->element_count == before && source->diagnostics->errors == errors)
        sg_complain_about(source->diagnostics, SG_ERROR, node, part.group != NULL ? "group" : "file",
                          "'%s' has no triangles or quadrangles%s%.64s", mesh->source.file,
                          part.group != NULL ? " in group " : "", part.group != NULL ? part.group : "");
}

/* Nodes of no element of the body are left out: centers of circles, other bodies in the file. */
static void number_nodes(struct sg_mesh_body *mesh, size_t *width)
{
    const struct sg_gmsh_mesh *file = &mesh->file;
    for (size_t i = 0; i < file->element_count; i++) {
        const struct sg_gmsh_element *element = &file->elements[i];
        if (mesh->part[i] == SIZE_MAX) continue;
        if (element->shape->nodes > *width) *width = element->shape->nodes;
        for (size_t k = 0; k < element->shape->nodes; k++) mesh->number[file->nodes[element->first + k]] = 0;
    }
    for (size_t i = 0; i < file->node_count; i++)
        if (mesh->number[i] == 0) mesh->number[i] = mesh->node_count++;
}

static sg_status select_elements(const struct sg_body_source *source, struct sg_mesh_body *mesh,
                                 const struct spec *spec, struct sg_body_size *size)
{
    const struct sg_gmsh_mesh *file = &mesh->file;
    size_t errors = source->diagnostics->errors;
    TRY(SG_ARENA_NEW(source->arena, &mesh->part, file->element_count, source->err));
    TRY(SG_ARENA_NEW(source->arena, &mesh->number, file->node_count, source->err));
    for (size_t i = 0; i < file->element_count; i++) mesh->part[i] = SIZE_MAX;
    for (size_t i = 0; i < file->node_count; i++) mesh->number[i] = SIZE_MAX;
    for (size_t k = 0; k < part_count(spec); k++) claim(source, mesh, spec, k);
    if (source->diagnostics->errors != errors) return SG_BAD_DECK;
    number_nodes(mesh, &size->width);
    TRY(sg_mesh_renumber(mesh, source->err));
    size->nodes = mesh->node_count;
    size->elements = mesh->element_count;
    TRY(sg_mesh_find_sides(source->arena, mesh, &mesh->sides, source->diagnostics, source->err));
    return sg_mesh_check_joints(source, mesh);
}

static sg_status measure(const struct sg_body_source *source, struct sg_body_size *size)
{
    struct spec spec = {0};
    struct sg_mesh_body *mesh = NULL;
    sg_setting_fill(source->node, rows, &spec);
    *size = (struct sg_body_size){.nodes = 1, .dim = 2};
    TRY(SG_ARENA_NEW(source->arena, &mesh, 1, source->err));
    TRY(sg_arena_own(source->arena, &mesh->file, release, source->err));
    size->data = mesh;
    mesh->source = (struct sg_table_source){source->deck, source->node, "file", spec.file, source->arena};
    size_t errors = source->diagnostics->errors;
    check_words(source, &spec);
    TRY(sg_gmsh_read(&mesh->source, &mesh->file, source->diagnostics, source->err));
    if (source->diagnostics->errors != errors) return SG_BAD_DECK;
    return select_elements(source, mesh, &spec, size);
}

/* --- assembly ------------------------------------------------------------------------------------- */

static void place_nodes(const struct sg_mesh_body *mesh, const struct spec *spec,
                        const struct sg_body_target *target)
{
    for (size_t i = 0; i < mesh->file.node_count; i++)
        for (size_t d = 0; d < 2 && mesh->number[i] != SIZE_MAX; d++)
            target->position[2 * mesh->number[i] + d] =
                spec->position.data[d] + spec->scale * mesh->file.position[3 * i + d];
}

/* Its corners are in order, or the file had been refused. */
static void complain_folded(const struct sg_body_source *source, const struct sg_mesh_body *mesh,
                            const struct sg_gmsh_element *element)
{
    struct sg_gmsh_fault fault = {.line = element->line};
    snprintf(fault.message, sizeof fault.message, "element %zu, a %s, is too distorted, by %s", element->tag,
             element->shape->name,
             element->shape->nodes > element->shape->corners ? "the nodes between its corners"
                                                             : "its corners");
    sg_gmsh_complain(&mesh->source, &fault, source->diagnostics);
}

static bool add_elements(const struct sg_body_source *source, const struct sg_mesh_body *mesh,
                         const struct sg_body_target *target, size_t first_material)
{
    const struct sg_gmsh_mesh *file = &mesh->file;
    size_t next = 0;
    for (size_t i = 0; i < file->element_count; i++) {
        const struct sg_gmsh_element *element = &file->elements[i];
        if (mesh->part[i] == SIZE_MAX) continue;
        struct sg_continuum_element out = {
            .shape = element->shape->element, .element = next++, .material = first_material + mesh->part[i]};
        for (size_t k = 0; k < element->shape->nodes; k++)
            out.node[k] = target->first + mesh->number[file->nodes[element->first + k]];
        if (sg_continuum_add(source, target, &out)) continue;
        complain_folded(source, mesh, element);
        return false;
    }
    return true;
}

static sg_status assemble(const struct sg_body_source *source, const struct sg_body_target *target)
{
    const struct sg_mesh_body *mesh = target->data;
    struct spec spec = {0};
    size_t first_material = 0;
    sg_setting_fill(source->node, rows, &spec);
    place_nodes(mesh, &spec, target);
    for (size_t k = 0; k < part_count(&spec); k++) {
        struct part_spec part = {0};
        part_of(source, &spec, k, &part);
        struct sg_material material = sg_plane_material_of(&part.material);
        size_t index = sg_continuum_material(target->aspects, &material);
        if (k == 0) first_material = index;
    }
    if (!add_elements(source, mesh, target, first_material)) return SG_BAD_DECK;
    return sg_mesh_add_sets(mesh, target, source->diagnostics, source->err);
}

const struct sg_body_ops sg_body_mesh = {
    .kind = {.name = "mesh",
             .meaning = "an elastic body in a plane from a mesh of Gmsh, nodes numbered anew; its physical "
                        "groups are node sets, and so is boundary",
             .rows = rows},
    .small_motion = true,
    .measure = measure,
    .assemble = assemble,
};
