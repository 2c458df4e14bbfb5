#include <stddef.h>

#include "model/bodies/body.h"
#include "model/keywords.h"

struct common {
    const char *name;
};

static const struct sg_keyword common_rows[] = {
    {.name = "name",
     .type = SG_TEXT,
     .meaning = "what supports, loads, contacts and results call the body (no dots); default: its type",
     .example = "\"bar\"",
     .offset = offsetof(struct common, name)},
    {0}};

static const struct sg_kind *const kinds[] = {
    &sg_body_bar.kind,   &sg_body_particles.kind, &sg_body_chain.kind,    &sg_body_discrete_beam.kind,
    &sg_body_plane.kind, &sg_body_mesh.kind,      &sg_body_matrices.kind, &sg_body_multibody.kind,
    &sg_body_frame.kind, &sg_body_members.kind};

const struct sg_kind_set sg_body_kinds = {
    .noun = "body", .common = common_rows, .count = sizeof kinds / sizeof kinds[0], .items = kinds};

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
    sg_setting_fill(node, common_rows, &common);
    return common.name != NULL ? common.name : sg_setting_kind(node)->name;
}
