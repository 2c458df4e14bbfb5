#include <math.h>

#include "model/profile.h"

struct spec {
    double value;
};

static const struct sg_keyword rows[] = {{.name = "value",
                                          .type = SG_REAL,
                                          .meaning = "the value everywhere; a plain number says the same",
                                          .example = "1.0",
                                          .flags = SG_REQUIRED,
                                          .range = SG_POSITIVE,
                                          .offset = offsetof(struct spec, value)},
                                         {0}};

static sg_status create(const struct sg_profile_source *source, const struct sg_setting *node,
                        struct sg_profile *profile)
{
    struct spec spec = {0};
    sg_setting_fill(node, rows, &spec);
    return sg_profile_add(source, profile, &(struct sg_profile_piece){.c = {spec.value}});
}

const struct sg_profile_ops sg_profile_constant = {
    .kind = {.name = "constant", .meaning = "one value along the body", .rows = rows}, .create = create};
