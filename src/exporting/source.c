#include "exporting/source.h"

#include <string.h>

#include "support/text.h"

enum { NAME = 96 };

static bool is_recorded(const struct sg_series *series)
{
    return series->group == SG_SERIES_HISTORY && !series->scale;
}

static void take_all(struct sg_export_source *source)
{
    for (size_t i = 0; i < sg_reader_count(source->reader); i++) {
        const struct sg_series *series = sg_reader_series(source->reader, i);
        if (is_recorded(series)) source->series[source->count++] = series;
    }
}

/* --- by name -------------------------------------------------------------------------------------- */

static sg_status complain_unknown(const struct sg_export_source *source, const char *name,
                                  struct sg_error *err)
{
    const struct sg_quantities *can = &source->recomputed.quantities;
    SG_LOCAL_TEXT(list);
    for (size_t i = 0; i < sg_reader_count(source->reader); i++) {
        const struct sg_series *series = sg_reader_series(source->reader, i);
        if (is_recorded(series)) sg_text_append(&list, " %s", series->name);
    }
    for (size_t i = 0; i < can->count; i++) {
        const char *other = can->items[i].name;
        bool there = sg_reader_find(source->reader, SG_SERIES_HISTORY, other) != NULL;
        if (can->items[i].of_displacement && !there) sg_text_append(&list, " %s (computed)", other);
    }
    FAIL(err, SG_USAGE, "--fields: there is no history '%s'; there are:%s", name, sg_text_view(&list));
}

static sg_status take_computed(struct sg_export_source *source, const char *path, const char *name,
                               struct sg_error *err)
{
    if (!source->built) {
        source->built = true;
        TRY(sg_recomputed_init(source->arena, &source->recomputed, source->reader, path, &source->findings,
                               err));
    }
    const struct sg_quantity *quantity = sg_recomputed_find(&source->recomputed, name);
    if (quantity == NULL) return complain_unknown(source, name, err);
    struct sg_series *series = &source->computed[source->computed_count];
    *series = (struct sg_series){.group = SG_SERIES_HISTORY,
                                 .name = quantity->name,
                                 .unit = quantity->unit,
                                 .description = quantity->description,
                                 .rows = source->recomputed.time->rows,
                                 .width = quantity->width,
                                 .field = quantity->field};
    source->quantity[source->computed_count++] = quantity;
    source->series[source->count++] = series;
    return SG_OK;
}

static sg_status take_one(struct sg_export_source *source, const char *path, const char *name,
                          struct sg_error *err)
{
    const struct sg_series *found = sg_reader_find(source->reader, SG_SERIES_HISTORY, name);
    for (size_t i = 0; i < source->count; i++)
        if (strcmp(source->series[i]->name, name) == 0) return SG_OK;
    if (found == NULL || found->scale) return take_computed(source, path, name, err);
    source->series[source->count++] = found;
    return SG_OK;
}

static sg_status take_named(struct sg_export_source *source, const char *path, const char *fields,
                            struct sg_error *err)
{
    for (const char *c = fields;; c++) {
        char name[NAME];
        size_t length = strcspn(c, ",");
        if (length == 0 || length >= NAME)
            FAIL(err, SG_USAGE, "--fields: '%s' is no list of histories, like von_mises,displacement",
                 fields);
        memcpy(name, c, length);
        name[length] = '\0';
        TRY(take_one(source, path, name, err));
        c += length;
        if (*c == '\0') return SG_OK;
    }
}

static size_t count_names(const char *fields)
{
    size_t count = 1;
    for (; *fields != '\0'; fields++) count += *fields == ',';
    return count;
}

/* -------------------------------------------------------------------------------------------------- */

static void release_findings(void *findings)
{
    sg_diagnostics_release(findings);
}

sg_status sg_export_source_init(struct sg_arena *arena, struct sg_export_source *source,
                                const struct sg_reader *reader, const char *path, const char *fields,
                                struct sg_error *err)
{
    *source = (struct sg_export_source){.arena = arena, .reader = reader, .chosen = fields != NULL};
    TRY(sg_arena_own(arena, &source->findings, release_findings, err));
    size_t most = fields == NULL ? sg_reader_count(reader) : count_names(fields);
    TRY(SG_ARENA_NEW(arena, &source->series, most, err));
    TRY(SG_ARENA_NEW(arena, &source->computed, most, err));
    TRY(SG_ARENA_NEW(arena, &source->quantity, most, err));
    if (fields != NULL) return take_named(source, path, fields, err);
    take_all(source);
    return SG_OK;
}

sg_status sg_export_source_rows(const struct sg_export_source *source, const struct sg_series *series,
                                size_t first, size_t count, double *out, struct sg_error *err)
{
    for (size_t k = 0; k < source->computed_count; k++)
        if (series == &source->computed[k])
            return sg_recomputed_rows(&source->recomputed, source->quantity[k], first, count, out, err);
    return sg_reader_rows(source->reader, series, first, count, out, err);
}
