#include "assembly/bodies/body.h"

#include "support/memory.h"

struct common {
    const char *name;
};

const struct sg_keyword sg_body_rows[] = {
    {.name = "name",
     .type = SG_TEXT,
     .meaning = "what supports, loads, contacts and results call the body (no dots); default: its type",
     .example = "\"bar\"",
     .max_items = SG_NAME_LIMIT,
     .offset = offsetof(struct common, name)},
    {0}};

void sg_body_connect(const struct sg_body_target *target, size_t i, enum sg_element_shape shape,
                     const size_t *nodes)
{
    int *row = target->element_nodes + i * target->width;
    target->element_shapes[i] = (signed char)shape;
    for (size_t k = 0; k < sg_element_shape_nodes(shape); k++) row[k] = (int)nodes[k];
}

void sg_body_join(const struct sg_body_target *target, size_t i, size_t a, size_t b)
{
    int *row = target->element_nodes + i * target->width;
    target->element_shapes[i] = SG_SHAPE_LINE2;
    row[0] = (int)a;
    row[1] = (int)b;
}

const char *sg_body_name(const struct sg_setting *node)
{
    struct common common = {0};
    sg_setting_fill(node, sg_body_rows, &common);
    return common.name != NULL ? common.name : sg_setting_kind(node)->name;
}

void sg_body_tie(const struct sg_body_target *target, size_t slave, size_t master)
{
    struct sg_ties *ties = target->ties;
    struct sg_error ignored = {0}; /* the builder tells what `failed` means */
    if (!ties->failed)
        ties->failed = sg_arena_grow(ties->arena, &ties->items, ties->count, &ties->capacity,
                                     sizeof *ties->items, &ignored) != SG_OK;
    if (!ties->failed) ties->items[ties->count++] = (struct sg_tie){slave, master};
}
