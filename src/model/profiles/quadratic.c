#include <math.h>

#include "model/profile.h"

struct spec {
    double start, middle, end;
};

static const struct sg_keyword rows[] = {{.name = "start",
                                          .type = SG_REAL,
                                          .meaning = "value at node 0",
                                          .example = "1.0",
                                          .flags = SG_REQUIRED,
                                          .range = SG_POSITIVE,
                                          .offset = offsetof(struct spec, start)},
                                         {.name = "middle",
                                          .type = SG_REAL,
                                          .meaning = "value at half the length",
                                          .example = "0.625",
                                          .flags = SG_REQUIRED,
                                          .range = SG_POSITIVE,
                                          .offset = offsetof(struct spec, middle)},
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
    double length = source->length;
    struct sg_profile_piece piece = {
        .c = {spec.start, (4 * spec.middle - 3 * spec.start - spec.end) / length,
              2 * (spec.start - 2 * spec.middle + spec.end) / (length * length)}};
    return sg_profile_add(source, profile, &piece);
}

const struct sg_profile_ops sg_profile_quadratic = {
    .kind = {.name = "quadratic", .meaning = "a parabola through both ends and the middle", .rows = rows},
    .create = create};
