#include <stdint.h>
#include <stdlib.h>

#include "formats/gmsh_reader.h"
#include "support/bisect.h"
#include "support/memory.h"

/* --- tags ----------------------------------------------------------------------------------------- */

static int compare_tags(const void *a, const void *b)
{
    const struct sg_gmsh_tag *x = a, *y = b;
    if (x->tag != y->tag) return x->tag < y->tag ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

/* index of the second of two equal tags, or count if all differ */
static size_t sort_tags(struct sg_gmsh_tag *tags, size_t count)
{
    if (count > 0) qsort(tags, count, sizeof *tags, compare_tags);
    for (size_t k = 1; k < count; k++)
        if (tags[k].tag == tags[k - 1].tag) return tags[k].index;
    return count;
}

/* index of the node, or SIZE_MAX */
static size_t find_node(const struct sg_gmsh_reader *reader, size_t tag)
{
    size_t low = 0;
    SG_BISECT(low, reader->mesh->node_count, middle, reader->node_tags[middle].tag < tag);
    bool found = low < reader->mesh->node_count && reader->node_tags[low].tag == tag;
    return found ? reader->node_tags[low].index : SIZE_MAX;
}

/* first line of $Nodes and $Elements */
struct head {
    size_t blocks, records, low, high;
};

static sg_status read_head(struct sg_gmsh_lines *lines, const char *what, size_t bytes, struct head *head)
{
    TRY(sg_gmsh_due_line(lines, what));
    TRY(sg_gmsh_count(lines, "number of blocks", 8, &head->blocks));
    TRY(sg_gmsh_count(lines, what, bytes, &head->records));
    TRY(sg_gmsh_size(lines, "smallest tag", &head->low));
    TRY(sg_gmsh_size(lines, "largest tag", &head->high));
    return sg_gmsh_end_line(lines, what);
}

static sg_status read_tag(struct sg_gmsh_lines *lines, const char *what, const struct head *head, size_t *tag)
{
    TRY(sg_gmsh_size(lines, what, tag));
    if (*tag == 0) return sg_gmsh_fault_here(lines, "%s 0 is not above 0", what);
    if (*tag >= head->low && *tag <= head->high) return SG_OK;
    return sg_gmsh_fault_here(lines, "%s %zu is outside %zu to %zu, which the section's first line says",
                              what, *tag, head->low, head->high);
}

/* first line of a block: entity and one more number */
struct block {
    int dim, entity, kind; /* kind: parametric flag, or type of element */
    size_t count;
};

static sg_status read_block(struct sg_gmsh_lines *lines, const char *kind, size_t left, struct block *block)
{
    TRY(sg_gmsh_due_line(lines, "a block"));
    TRY(sg_gmsh_integer(lines, "dimension of a block's entity", &block->dim));
    TRY(sg_gmsh_integer(lines, "tag of a block's entity", &block->entity));
    TRY(sg_gmsh_integer(lines, kind, &block->kind));
    TRY(sg_gmsh_size(lines, "number of records of the block", &block->count));
    TRY(sg_gmsh_end_line(lines, "a block"));
    if (block->dim < 0 || block->dim > 3)
        return sg_gmsh_fault_here(lines, "dimension %d of a block's entity is not 0 to 3", block->dim);
    if (block->count <= left) return SG_OK;
    return sg_gmsh_fault_here(lines, "the block has %zu records where the section's first line leaves %zu",
                              block->count, left);
}

static sg_status check_total(struct sg_gmsh_lines *lines, const char *what, size_t said, size_t found)
{
    if (said == found) return SG_OK;
    return sg_gmsh_fault_here(lines, "the blocks hold %zu %s where the section's first line says %zu", found,
                              what, said);
}

/* --- $Nodes --------------------------------------------------------------------------------------- */

static sg_status read_position(struct sg_gmsh_lines *lines, const struct block *block, double *position)
{
    double parameter = 0;
    TRY(sg_gmsh_due_line(lines, "the position of a node"));
    for (size_t d = 0; d < 3; d++) TRY(sg_gmsh_real(lines, "coordinate", &position[d]));
    for (int d = 0; block->kind == 1 && d < block->dim; d++)
        TRY(sg_gmsh_real(lines, "parametric coordinate", &parameter));
    return sg_gmsh_end_line(lines, "a node's coordinates");
}

static sg_status read_node_block(struct sg_gmsh_reader *reader, const struct head *head)
{
    struct sg_gmsh_lines *lines = &reader->lines;
    struct sg_gmsh_mesh *mesh = reader->mesh;
    struct block block = {0};
    size_t first = mesh->node_count;
    TRY(read_block(lines, "parametric flag", head->records - first, &block));
    if (block.kind != 0 && block.kind != 1)
        return sg_gmsh_fault_here(lines, "parametric flag %d is neither 0 nor 1", block.kind);
    for (size_t k = first; k < first + block.count; k++) {
        TRY(sg_gmsh_due_line(lines, "the tag of a node"));
        TRY(read_tag(lines, "node tag", head, &mesh->node_tag[k]));
        TRY(sg_gmsh_end_line(lines, "a node's tag"));
        mesh->node_line[k] = lines->number;
        reader->node_tags[k] = (struct sg_gmsh_tag){mesh->node_tag[k], k};
    }
    for (size_t k = first; k < first + block.count; k++)
        TRY(read_position(lines, &block, &mesh->position[3 * k]));
    mesh->node_count += block.count;
    return SG_OK;
}

enum { BYTES_OF_NODE = 8, BYTES_OF_ELEMENT = 4, BYTES_OF_WORD = 2 };

sg_status sg_gmsh_read_nodes(struct sg_gmsh_reader *reader)
{
    struct sg_gmsh_lines *lines = &reader->lines;
    struct sg_gmsh_mesh *mesh = reader->mesh;
    struct head head = {0};
    TRY(read_head(lines, "number of nodes", BYTES_OF_NODE, &head));
    TRY(SG_ARENA_NEW(&mesh->arena, &mesh->position, 3 * head.records, reader->err));
    TRY(SG_ARENA_NEW(&mesh->arena, &mesh->node_tag, head.records, reader->err));
    TRY(SG_ARENA_NEW(&mesh->arena, &mesh->node_line, head.records, reader->err));
    TRY(SG_NEW(&reader->node_tags, head.records, reader->err));
    for (size_t b = 0; b < head.blocks; b++) TRY(read_node_block(reader, &head));
    TRY(check_total(lines, "nodes", head.records, mesh->node_count));
    TRY(sg_gmsh_end_section(lines));
    size_t twin = sort_tags(reader->node_tags, mesh->node_count);
    if (twin == mesh->node_count) return SG_OK;
    return sg_gmsh_fault_at(lines->fault, mesh->node_line[twin], "node tag %zu is there twice",
                            mesh->node_tag[twin]);
}

/* --- $Elements ------------------------------------------------------------------------------------ */

static const struct sg_gmsh_shape shapes[] = {
    {SG_GMSH_POINT, 0, SG_SHAPE_POINT, 1, 1, "point"},
    {SG_GMSH_LINE2, 1, SG_SHAPE_LINE2, 2, 2, "2-node line"},
    {SG_GMSH_LINE3, 1, SG_SHAPE_LINE3, 3, 2, "3-node line"},
    {SG_GMSH_TRI3, 2, SG_SHAPE_TRI3, 3, 3, "3-node triangle"},
    {SG_GMSH_TRI6, 2, SG_SHAPE_TRI6, 6, 3, "6-node triangle"},
    {SG_GMSH_QUAD4, 2, SG_SHAPE_QUAD4, 4, 4, "4-node quadrangle"},
    {SG_GMSH_QUAD8, 2, SG_SHAPE_QUAD8, 8, 4, "8-node quadrangle"},
    {SG_GMSH_QUAD9, 2, SG_SHAPE_QUAD9, 9, 4, "9-node quadrangle"},
};

/* NULL if the type is not read */
static const struct sg_gmsh_shape *shape_of(int type)
{
    for (size_t k = 0; k < sizeof shapes / sizeof shapes[0]; k++)
        if (shapes[k].type == type) return &shapes[k];
    return NULL;
}

/* `shape`: of the block, NULL if there is none such */
static sg_status check_type(struct sg_gmsh_reader *reader, const struct block *block,
                            const struct sg_gmsh_shape *shape)
{
    struct sg_gmsh_lines *lines = &reader->lines;
    if (shape == NULL) {
        sg_gmsh_fault_here(lines,
                           "element type %d is not read: allowed are 15 (point), 1 and 8 (lines), 2 and 9 "
                           "(triangles), 3, 10 and 16 (quadrangles)",
                           block->kind);
        sg_gmsh_hint(lines->fault, SG_BAD_DECK,
                     "elements of order 1 or 2 in the plane: gmsh -2 -order 2 -format msh41 MODEL.geo");
        return SG_BAD_DECK;
    }
    if (shape->dim != block->dim)
        return sg_gmsh_fault_here(lines, "element type %d (%s) does not fit an entity of dimension %d",
                                  block->kind, shape->name, block->dim);
    if (!reader->seen[1] || sg_gmsh_find_entity(reader->mesh, block->dim, block->entity) != SIZE_MAX)
        return SG_OK;
    return sg_gmsh_fault_here(lines, "entity %d of dimension %d is not in $Entities", block->entity,
                              block->dim);
}

static sg_status read_element_node(struct sg_gmsh_reader *reader, const struct sg_gmsh_element *element,
                                   size_t k)
{
    struct sg_gmsh_lines *lines = &reader->lines;
    size_t tag = 0, *nodes = reader->mesh->nodes + element->first;
    TRY(sg_gmsh_size(lines, "node tag", &tag));
    nodes[k] = find_node(reader, tag);
    if (nodes[k] == SIZE_MAX)
        return sg_gmsh_fault_here(lines, "element %zu has node %zu, which is not in $Nodes", element->tag,
                                  tag);
    for (size_t i = 0; i < k; i++)
        if (nodes[i] == nodes[k])
            return sg_gmsh_fault_here(lines, "element %zu has node %zu twice", element->tag, tag);
    return SG_OK;
}

static sg_status read_element(struct sg_gmsh_reader *reader, const struct head *head,
                              struct sg_gmsh_element *element)
{
    struct sg_gmsh_lines *lines = &reader->lines;
    TRY(sg_gmsh_due_line(lines, "an element"));
    TRY(read_tag(lines, "element tag", head, &element->tag));
    element->line = lines->number;
    for (size_t k = 0; k < element->shape->nodes; k++) TRY(read_element_node(reader, element, k));
    return sg_gmsh_end_line(lines, element->shape->name);
}

static sg_status read_element_block(struct sg_gmsh_reader *reader, const struct head *head, size_t *next)
{
    struct sg_gmsh_mesh *mesh = reader->mesh;
    struct sg_gmsh_lines *lines = &reader->lines;
    struct block block = {0};
    TRY(read_block(lines, "type of element", head->records - mesh->element_count, &block));
    const struct sg_gmsh_shape *shape = shape_of(block.kind);
    TRY(check_type(reader, &block, shape));
    struct sg_gmsh_element element = {.shape = shape,
                                      .entity = sg_gmsh_find_entity(mesh, block.dim, block.entity)};
    if (block.count > (reader->node_room - *next) / element.shape->nodes)
        return sg_gmsh_fault_here(lines, "the block has %zu records, more than the file can hold",
                                  block.count);
    for (size_t k = 0; k < block.count; k++) {
        element.first = *next;
        TRY(read_element(reader, head, &element));
        mesh->elements[mesh->element_count++] = element;
        *next += element.shape->nodes;
    }
    return SG_OK;
}

static sg_status check_element_tags(struct sg_gmsh_reader *reader)
{
    const struct sg_gmsh_mesh *mesh = reader->mesh;
    SG_AUTO_FREE struct sg_gmsh_tag *tags = NULL;
    TRY(SG_NEW(&tags, mesh->element_count, reader->err));
    for (size_t k = 0; k < mesh->element_count; k++) tags[k] = (struct sg_gmsh_tag){mesh->elements[k].tag, k};
    size_t twin = sort_tags(tags, mesh->element_count);
    if (twin == mesh->element_count) return SG_OK;
    return sg_gmsh_fault_at(reader->lines.fault, mesh->elements[twin].line, "element tag %zu is there twice",
                            mesh->elements[twin].tag);
}

sg_status sg_gmsh_read_elements(struct sg_gmsh_reader *reader)
{
    struct sg_gmsh_lines *lines = &reader->lines;
    struct sg_gmsh_mesh *mesh = reader->mesh;
    struct head head = {0};
    size_t next = 0;
    TRY(read_head(lines, "number of elements", BYTES_OF_ELEMENT, &head));
    reader->node_room = (size_t)(lines->end - lines->next) / BYTES_OF_WORD;
    TRY(SG_ARENA_NEW(&mesh->arena, &mesh->elements, head.records, reader->err));
    TRY(SG_ARENA_NEW(&mesh->arena, &mesh->nodes, reader->node_room, reader->err));
    for (size_t b = 0; b < head.blocks; b++) TRY(read_element_block(reader, &head, &next));
    TRY(check_total(lines, "elements", head.records, mesh->element_count));
    TRY(sg_gmsh_end_section(lines));
    return check_element_tags(reader);
}
