#include <math.h>

#include "formats/table.h"
#include "model/profile.h"

struct spec {
    struct sg_reals places, values;
    const char *file;
};

static const struct sg_keyword rows[] = {
    {.name = "places",
     .type = SG_REALS,
     .unit = "m",
     .meaning = "distances of the points from node 0, rising",
     .example = "[0.0, 0.5, 1.0]",
     .min_items = 1,
     .offset = offsetof(struct spec, places)},
    {.name = "values",
     .type = SG_REALS,
     .meaning = "values there; straight lines between, constant beyond the first and the last point",
     .example = "[1.0, 0.7, 0.5]",
     .range = SG_POSITIVE,
     .min_items = 1,
     .offset = offsetof(struct spec, values)},
    {.name = "file",
     .type = SG_TEXT,
     .meaning = "instead: side file, relative to the deck, of two columns, distance [m] and value",
     .example = "\"area.txt\"",
     .offset = offsetof(struct spec, file)},
    {0}};

static sg_status refuse(const struct sg_profile_source *source, const struct sg_setting *node,
                        const char *what)
{
    sg_complain(source->diagnostics, SG_ERROR, node, "%s", what);
    sg_hint(source->diagnostics, "a table is given by 'places' and 'values', or by 'file'");
    return SG_BAD_DECK;
}

static sg_status read_lists(const struct sg_profile_source *source, const struct sg_setting *node,
                            const struct spec *spec, struct sg_arena *arena, struct sg_table *table)
{
    if (spec->places.data == NULL || spec->values.data == NULL)
        return refuse(source, node, "one of 'places' and 'values' is missing");
    if (spec->places.count != spec->values.count) {
        sg_complain_about(source->diagnostics, SG_ERROR, node, "values",
                          "has %zu number%s where 'places' has %zu", spec->values.count,
                          spec->values.count == 1 ? "" : "s", spec->places.count);
        return SG_BAD_DECK;
    }
    TRY(sg_table_init(arena, table, spec->places.count, spec->places.data, spec->values.data, source->err));
    size_t fault = sg_table_disorder(table);
    if (fault == table->count) return SG_OK;
    sg_complain_about(source->diagnostics, SG_ERROR, node, "places", "must rise: number %zu, %g, follows %g",
                      fault + 1, table->x[fault], table->x[fault - 1]);
    return SG_BAD_DECK;
}

static sg_status read(const struct sg_profile_source *source, const struct sg_setting *node,
                      struct sg_arena *arena, struct sg_table *table)
{
    struct spec spec = {0};
    sg_setting_fill(node, rows, &spec);
    bool lists = spec.places.data != NULL || spec.values.data != NULL;
    if (lists && spec.file != NULL) return refuse(source, node, "lists and 'file' are given");
    if (!lists && spec.file == NULL) return refuse(source, node, "neither lists nor 'file' are given");
    if (lists) return read_lists(source, node, &spec, arena, table);
    struct sg_table_source from = {
        .deck = source->deck, .group = node, .keyword = "file", .file = spec.file, .arena = arena};
    return sg_table_read(&from, table, source->diagnostics, source->err);
}

/* A piece where the line bends, and at 0; points outside the body bend nothing. */
static sg_status add_pieces(const struct sg_profile_source *source, const struct sg_table *table,
                            struct sg_profile *profile)
{
    size_t right = sg_table_piece(table, 0);
    double start = 0;
    for (;; right++) {
        bool inside = right > 0 && right < table->count;
        double slope =
            inside ? (table->y[right] - table->y[right - 1]) / (table->x[right] - table->x[right - 1]) : 0;
        struct sg_profile_piece piece = {.start = start, .c = {sg_table_value(table, start), slope}};
        TRY(sg_profile_add(source, profile, &piece));
        if (right == table->count || table->x[right] >= source->length) return SG_OK;
        start = table->x[right];
    }
}

static sg_status create(const struct sg_profile_source *source, const struct sg_setting *node,
                        struct sg_profile *profile)
{
    SG_LOCAL_ARENA(scratch);
    struct sg_table table = {0};
    TRY(read(source, node, &scratch, &table));
    return add_pieces(source, &table, profile);
}

const struct sg_profile_ops sg_profile_table = {
    .kind = {.name = "table",
             .meaning = "straight lines between points, which lists or a file give",
             .rows = rows},
    .create = create};
