#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "formats/gmsh_reader.h"
#include "support/memory.h"
#include "support/text.h"

/* --- $PhysicalNames ------------------------------------------------------------------------------- */

/* Names go into results, whose text is UTF-8. */
static sg_status check_name(struct sg_gmsh_lines *lines, const char *name)
{
    size_t length = strlen(name), bad = sg_utf8_check(name, length);
    if (length == 0) return sg_gmsh_fault_here(lines, "the name of a physical group is empty");
    if (length > SG_GMSH_NAME)
        return sg_gmsh_fault_here(lines, "the name of a physical group has %zu bytes: at most %d are read",
                                  length, (int)SG_GMSH_NAME);
    if (bad < length)
        return sg_gmsh_fault_here(
            lines, "the name of a physical group is not UTF-8: byte 0x%02x stands behind its first %zu",
            (unsigned)(unsigned char)name[bad], bad);
    for (const char *c = name; *c != '\0'; c++)
        if (*c == '"' || *c == 0x7f || (unsigned char)*c < ' ')
            return sg_gmsh_fault_here(lines,
                                      "the name of a physical group holds a quote or a control character");
    return SG_OK;
}

/* "NAME" at the end of the line; `name` is inside the line */
static sg_status read_quoted(struct sg_gmsh_lines *lines, const char **name)
{
    char shown[SG_GMSH_WORD], *first = lines->word;
    char *last = *first == '"' ? strrchr(first, '"') : first;
    if (last == first)
        return sg_gmsh_fault_here(lines, "'%s' stands where a name in double quotes is due",
                                  sg_gmsh_show(first, shown));
    *last = '\0';
    lines->word = last + 1;
    lines->word += strspn(lines->word, " \t\r");
    *name = first + 1;
    TRY(check_name(lines, *name));
    return sg_gmsh_end_line(lines, "a physical group");
}

static sg_status keep_name(struct sg_gmsh_reader *reader, struct sg_gmsh_group *group, const char *name)
{
    struct sg_gmsh_mesh *mesh = reader->mesh;
    for (const struct sg_gmsh_group *other = mesh->groups; other < group; other++) {
        if (other->dim != group->dim) continue;
        if (other->tag == group->tag)
            return sg_gmsh_fault_here(&reader->lines, "physical group %d of dimension %d is named twice",
                                      group->tag, group->dim);
        if (strcmp(other->name, name) == 0)
            return sg_gmsh_fault_here(&reader->lines, "'%.64s' is the name of two groups of dimension %d",
                                      name, group->dim);
    }
    size_t length = strlen(name) + 1;
    group->name = memcpy(mesh->names + reader->name_length, name, length);
    reader->name_length += length;
    return SG_OK;
}

static sg_status read_name(struct sg_gmsh_reader *reader, struct sg_gmsh_group *group)
{
    struct sg_gmsh_lines *lines = &reader->lines;
    const char *name = "";
    TRY(sg_gmsh_due_line(lines, "a physical group"));
    TRY(sg_gmsh_integer(lines, "dimension", &group->dim));
    if (group->dim < 0 || group->dim > 3)
        return sg_gmsh_fault_here(lines, "dimension %d of a physical group is not 0 to 3", group->dim);
    TRY(sg_gmsh_integer(lines, "number of the group", &group->tag));
    if (group->tag < 1)
        return sg_gmsh_fault_here(lines, "number %d of a physical group is not above 0", group->tag);
    TRY(read_quoted(lines, &name));
    return keep_name(reader, group, name);
}

/* Groups are compared with one another: more than this would take long, and nobody has them. */
enum { NAMED_GROUPS = 10000, BYTES_OF_NAME = 8 };

sg_status sg_gmsh_read_names(struct sg_gmsh_reader *reader)
{
    struct sg_gmsh_lines *lines = &reader->lines;
    struct sg_gmsh_mesh *mesh = reader->mesh;
    size_t count = 0;
    TRY(sg_gmsh_due_line(lines, "the number of physical groups"));
    TRY(sg_gmsh_count(lines, "number of physical groups", BYTES_OF_NAME, &count));
    TRY(sg_gmsh_end_line(lines, "the number of physical groups"));
    if (count > NAMED_GROUPS)
        return sg_gmsh_fault_here(lines, "%zu physical groups: at most %d are read", count, NAMED_GROUPS);
    TRY(SG_ARENA_NEW(&mesh->arena, &mesh->groups, count, reader->err));
    TRY(SG_ARENA_NEW(&mesh->arena, &mesh->names, (size_t)(lines->end - lines->next) + 1, reader->err));
    for (; mesh->group_count < count; mesh->group_count++)
        TRY(read_name(reader, &mesh->groups[mesh->group_count]));
    return sg_gmsh_end_section(lines);
}

/* --- $Entities ------------------------------------------------------------------------------------ */

static sg_status read_memberships(struct sg_gmsh_reader *reader, struct sg_gmsh_entity *entity)
{
    struct sg_gmsh_lines *lines = &reader->lines;
    struct sg_gmsh_mesh *mesh = reader->mesh;
    size_t room = reader->membership_room - entity->first;
    TRY(sg_gmsh_size(lines, "number of physical groups", &entity->count));
    if (entity->count > room)
        return sg_gmsh_fault_here(lines, "number of physical groups %zu is more than the line can hold",
                                  entity->count);
    for (size_t k = 0; k < entity->count; k++) {
        int tag = 0;
        TRY(sg_gmsh_integer(lines, "number of a physical group", &tag));
        if (tag == 0) return sg_gmsh_fault_here(lines, "number 0 of a physical group is not above 0");
        /* Gmsh marks by a sign that the group sees the entity the other way round */
        mesh->memberships[entity->first + k] = abs(tag);
    }
    return SG_OK;
}

/* the entities that bound it, which nothing here needs */
static sg_status skip_bounds(struct sg_gmsh_lines *lines)
{
    size_t count = 0;
    TRY(sg_gmsh_size(lines, "number of bounding entities", &count));
    for (size_t k = 0; k < count; k++) {
        int tag = 0;
        TRY(sg_gmsh_integer(lines, "a bounding entity", &tag));
    }
    return SG_OK;
}

static sg_status read_entity(struct sg_gmsh_reader *reader, struct sg_gmsh_entity *entity)
{
    static const char *const what[] = {"a point", "a curve", "a surface", "a volume"};
    struct sg_gmsh_lines *lines = &reader->lines;
    double ignored = 0;
    TRY(sg_gmsh_due_line(lines, what[entity->dim]));
    TRY(sg_gmsh_integer(lines, "tag of an entity", &entity->tag));
    for (int k = 0; k < (entity->dim == 0 ? 3 : 6); k++)
        TRY(sg_gmsh_real(lines, "a coordinate of an entity", &ignored));
    TRY(read_memberships(reader, entity));
    if (entity->dim > 0) TRY(skip_bounds(lines));
    return sg_gmsh_end_line(lines, what[entity->dim]);
}

static int compare_entities(const void *a, const void *b)
{
    const struct sg_gmsh_entity *x = a, *y = b;
    if (x->dim != y->dim) return x->dim < y->dim ? -1 : 1;
    return (x->tag > y->tag) - (x->tag < y->tag);
}

static sg_status check_entities(struct sg_gmsh_reader *reader)
{
    struct sg_gmsh_mesh *mesh = reader->mesh;
    if (mesh->entity_count > 0)
        qsort(mesh->entities, mesh->entity_count, sizeof *mesh->entities, compare_entities);
    for (size_t k = 1; k < mesh->entity_count; k++)
        if (compare_entities(&mesh->entities[k - 1], &mesh->entities[k]) == 0)
            return sg_gmsh_fault_here(&reader->lines, "entity %d of dimension %d is there twice",
                                      mesh->entities[k].tag, mesh->entities[k].dim);
    return SG_OK;
}

enum { BYTES_OF_ENTITY = 10 };

sg_status sg_gmsh_read_entities(struct sg_gmsh_reader *reader)
{
    static const char *const what[] = {"number of points", "number of curves", "number of surfaces",
                                       "number of volumes"};
    struct sg_gmsh_lines *lines = &reader->lines;
    struct sg_gmsh_mesh *mesh = reader->mesh;
    size_t count[4] = {0}, total = 0;
    TRY(sg_gmsh_due_line(lines, "the line with the numbers of entities"));
    for (size_t d = 0; d < 4; d++) {
        TRY(sg_gmsh_count(lines, what[d], BYTES_OF_ENTITY, &count[d]));
        total += count[d];
    }
    TRY(sg_gmsh_end_line(lines, "the numbers of entities"));
    reader->membership_room = (size_t)(lines->end - lines->next) / 2 + 1;
    TRY(SG_ARENA_NEW(&mesh->arena, &mesh->entities, total, reader->err));
    TRY(SG_ARENA_NEW(&mesh->arena, &mesh->memberships, reader->membership_room, reader->err));
    size_t next = 0;
    for (int d = 0; d < 4; d++)
        for (size_t k = 0; k < count[d]; k++) {
            struct sg_gmsh_entity *entity = &mesh->entities[mesh->entity_count++];
            *entity = (struct sg_gmsh_entity){.dim = d, .first = next};
            TRY(read_entity(reader, entity));
            next += entity->count;
        }
    TRY(sg_gmsh_end_section(lines));
    return check_entities(reader);
}

size_t sg_gmsh_find_entity(const struct sg_gmsh_mesh *mesh, int dim, int tag)
{
    struct sg_gmsh_entity wanted = {.dim = dim, .tag = tag};
    if (mesh->entity_count == 0) return SIZE_MAX;
    const struct sg_gmsh_entity *found =
        bsearch(&wanted, mesh->entities, mesh->entity_count, sizeof wanted, compare_entities);
    return found == NULL ? SIZE_MAX : (size_t)(found - mesh->entities);
}

/* --- groups --------------------------------------------------------------------------------------- */

static int compare_groups(const void *a, const void *b)
{
    const struct sg_gmsh_group *x = a, *y = b;
    if (x->dim != y->dim) return x->dim < y->dim ? -1 : 1;
    return (x->tag > y->tag) - (x->tag < y->tag);
}

/* a row for each membership of each entity behind the named groups */
static sg_status list_groups(struct sg_gmsh_reader *reader, struct sg_gmsh_group **list, size_t *count)
{
    const struct sg_gmsh_mesh *mesh = reader->mesh;
    *count = mesh->group_count;
    for (size_t k = 0; k < mesh->entity_count; k++) *count += mesh->entities[k].count;
    TRY(SG_ARENA_NEW(&reader->mesh->arena, list, *count, reader->err));
    size_t next = 0;
    for (; next < mesh->group_count; next++) (*list)[next] = mesh->groups[next];
    for (size_t k = 0; k < mesh->entity_count; k++)
        for (size_t i = 0; i < mesh->entities[k].count; i++)
            (*list)[next++] = (struct sg_gmsh_group){mesh->entities[k].dim,
                                                     mesh->memberships[mesh->entities[k].first + i], ""};
    return SG_OK;
}

/* Keeps of equal ones the named one, if there is one. */
static size_t unite(struct sg_gmsh_group *list, size_t count)
{
    size_t kept = 0;
    for (size_t k = 0; k < count; k++) {
        bool fresh = kept == 0 || compare_groups(&list[kept - 1], &list[k]) != 0;
        if (fresh)
            list[kept++] = list[k];
        else if (*list[k].name != '\0')
            list[kept - 1].name = list[k].name;
    }
    return kept;
}

sg_status sg_gmsh_complete_groups(struct sg_gmsh_reader *reader)
{
    struct sg_gmsh_mesh *mesh = reader->mesh;
    struct sg_gmsh_group *list = NULL;
    size_t count = 0;
    TRY(list_groups(reader, &list, &count));
    if (count > 0) qsort(list, count, sizeof *list, compare_groups);
    sg_arena_drop(&mesh->arena, mesh->groups);
    mesh->groups = list;
    mesh->group_count = unite(list, count);
    return SG_OK;
}

const struct sg_gmsh_group *sg_gmsh_find_group(const struct sg_gmsh_mesh *mesh, int dim, const char *name)
{
    for (size_t k = 0; *name != '\0' && k < mesh->group_count; k++)
        if (mesh->groups[k].dim == dim && strcmp(mesh->groups[k].name, name) == 0) return &mesh->groups[k];
    size_t digits = strspn(name, "0123456789");
    if (digits == 0 || digits > 9 || name[digits] != '\0') return NULL;
    long tag = strtol(name, NULL, 10);
    for (size_t k = 0; k < mesh->group_count; k++)
        if (mesh->groups[k].dim == dim && mesh->groups[k].tag == tag) return &mesh->groups[k];
    return NULL;
}

bool sg_gmsh_is_member(const struct sg_gmsh_mesh *mesh, const struct sg_gmsh_element *element,
                       const struct sg_gmsh_group *group)
{
    if (element->entity == SIZE_MAX || element->shape->dim != group->dim) return false;
    const struct sg_gmsh_entity *entity = &mesh->entities[element->entity];
    for (size_t i = 0; i < entity->count; i++)
        if (mesh->memberships[entity->first + i] == group->tag) return true;
    return false;
}
