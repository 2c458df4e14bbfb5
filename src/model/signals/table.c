#include <math.h>

#include "model/signals/signals.h"

struct spec {
    const char *file;
    double scale;
    int outside;
};

static const struct sg_keyword rows[] = {
    {.name = "file",
     .type = SG_TEXT,
     .meaning = "side file, relative to the deck: time [s] and value, two columns",
     .example = "\"record.txt\"",
     .flags = SG_REQUIRED,
     .offset = offsetof(struct spec, file)},
    {.name = "scale",
     .type = SG_REAL,
     .unit = "1",
     .meaning = "factor on the values of the file",
     .fallback = "1.0",
     .offset = offsetof(struct spec, scale)},
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
    struct spec spec = {0};
    sg_setting_fill(node, rows, &spec);
    struct sg_table_source source = {
        .deck = deck, .group = node, .keyword = "file", .file = spec.file, .arena = arena};
    struct sg_table table = {0};
    TRY(sg_table_read(&source, &table, diagnostics, err));
    for (size_t k = 0; k < table.count; k++) table.y[k] *= spec.scale;
    return sg_polyline_create(arena, &table, (enum sg_polyline_outside)spec.outside, signal, err);
}

const struct sg_signal_ops sg_signal_table = {
    .kind = {.name = "table", .meaning = "straight lines between the points of a file", .rows = rows},
    .create = create,
    .at = sg_polyline_at,
    .next_break = sg_polyline_next_break,
};
