#include <math.h>

#include "model/profile.h"

struct spec {
    struct sg_reals places, values;
};

static const struct sg_keyword rows[] = {
    {.name = "places",
     .type = SG_REALS,
     .unit = "m",
     .meaning = "distances from node 0 at which the value changes, rising, inside the body",
     .example = "[0.5]",
     .flags = SG_REQUIRED,
     .range = SG_POSITIVE,
     .min_items = 1,
     .offset = offsetof(struct spec, places)},
    {.name = "values",
     .type = SG_REALS,
     .meaning = "values before, between and after the places: one more than these",
     .example = "[1.0, 0.5]",
     .flags = SG_REQUIRED,
     .range = SG_POSITIVE,
     .min_items = 2,
     .offset = offsetof(struct spec, values)},
    {0}};

static sg_status create(const struct sg_profile_source *source, const struct sg_setting *node,
                        struct sg_profile *profile)
{
    struct spec spec = {0};
    sg_setting_fill(node, rows, &spec);
    size_t count = spec.places.count;
    if (spec.values.count != count + 1) {
        sg_complain_about(source->diagnostics, SG_ERROR, node, "values",
                          "has %zu numbers where 'places' has %zu: one more than these is wanted",
                          spec.values.count, count);
        return SG_BAD_DECK;
    }
    for (size_t k = 0; k <= count; k++) {
        double start = k == 0 ? 0 : spec.places.data[k - 1];
        double before = k < 2 ? 0 : spec.places.data[k - 2];
        if (k > 0 && !(start > before && start < source->length)) {
            sg_complain_about(source->diagnostics, SG_ERROR, node, "places",
                              "must rise inside the body's %g m: number %zu, %g, follows %g", source->length,
                              k, start, before);
            return SG_BAD_DECK;
        }
        struct sg_profile_piece piece = {.start = start, .c = {spec.values.data[k]}};
        TRY(sg_profile_add(source, profile, &piece));
    }
    return SG_OK;
}

const struct sg_profile_ops sg_profile_step = {
    .kind = {.name = "step", .meaning = "constant between places where it jumps", .rows = rows},
    .create = create};
