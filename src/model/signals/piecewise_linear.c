#include <math.h>

#include "model/signals/signals.h"

struct spec {
    struct sg_reals times, values;
    int outside;
};

static const struct sg_keyword rows[] = {
    {.name = "times",
     .type = SG_REALS,
     .unit = "s",
     .meaning = "times of the points, rising",
     .example = "[0.0, 1.0, 2.0]",
     .flags = SG_REQUIRED,
     .min_items = 1,
     .offset = offsetof(struct spec, times)},
    {.name = "values",
     .type = SG_REALS,
     .meaning = "values at these times, straight lines between",
     .example = "[0.0, 1.0, 0.0]",
     .flags = SG_REQUIRED,
     .min_items = 1,
     .offset = offsetof(struct spec, values)},
    {.name = "outside",
     .type = SG_CHOICE,
     .meaning =
         "values before the first and after the last point: hold keeps those of these points, zero is 0",
     .fallback = "\"hold\"",
     .choices = SG_OUTSIDE_CHOICES,
     .offset = offsetof(struct spec, outside)},
    {0}};

static sg_status create(struct sg_arena *arena, const struct sg_setting *node, const struct sg_deck *deck,
                        struct sg_signal *signal, struct sg_diagnostics *diagnostics, struct sg_error *err)
{
    (void)deck;
    struct spec spec = {0};
    sg_setting_fill(node, rows, &spec);
    if (spec.times.count != spec.values.count) {
        sg_complain_about(diagnostics, SG_ERROR, node, "values", "has %zu number%s where 'times' has %zu",
                          spec.values.count, spec.values.count == 1 ? "" : "s", spec.times.count);
        return SG_BAD_DECK;
    }
    struct sg_table table = {0};
    TRY(sg_table_init(arena, &table, spec.times.count, spec.times.data, spec.values.data, err));
    size_t fault = sg_table_disorder(&table);
    if (fault < table.count) {
        sg_complain_about(diagnostics, SG_ERROR, node, "times", "must rise: number %zu, %g, follows %g",
                          fault + 1, table.x[fault], table.x[fault - 1]);
        return SG_BAD_DECK;
    }
    return sg_polyline_create(arena, &table, (enum sg_polyline_outside)spec.outside, signal, err);
}

const struct sg_signal_ops sg_signal_piecewise_linear = {
    .kind = {.name = "piecewise-linear", .meaning = "straight lines between given points", .rows = rows},
    .create = create,
    .at = sg_polyline_at,
    .next_break = sg_polyline_next_break,
};
