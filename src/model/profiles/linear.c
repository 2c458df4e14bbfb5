#include <math.h>

#include "model/profile.h"

struct spec {
    double start, end;
};

static const struct sg_keyword rows[] = {{.name = "start",
                                          .type = SG_REAL,
                                          .meaning = "value at node 0",
                                          .example = "1.0",
                                          .flags = SG_REQUIRED,
                                          .range = SG_POSITIVE,
                                          .offset = offsetof(struct spec, start)},
                                         {.name = "end",
                                          .type = SG_REAL,
                                          .meaning = "value at the last node",
                                          .example = "0.5",
                                          .flags = SG_REQUIRED,
                                          .range = SG_POSITIVE,
                                          .offset = offsetof(struct spec, end)},
                                         {0}};

static sg_status create(const struct sg_profile_source *source, const struct sg_setting *node,
                        struct sg_profile *profile)
{
    struct spec spec = {0};
    sg_setting_fill(node, rows, &spec);
    struct sg_profile_piece piece = {.c = {spec.start, (spec.end - spec.start) / source->length}};
    return sg_profile_add(source, profile, &piece);
}

const struct sg_profile_ops sg_profile_linear = {
    .kind = {.name = "linear", .meaning = "a straight line from end to end", .rows = rows}, .create = create};
