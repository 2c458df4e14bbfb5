#include "drawing/modes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct sg_series *find(const struct sg_reader *reader, const char *name)
{
    return sg_reader_find(reader, SG_SERIES_POINTS, name);
}

bool sg_plot_modes_fits(const struct sg_reader *reader)
{
    return find(reader, "energy_ratio") != NULL && find(reader, "multiplier_largest") != NULL;
}

static sg_status read_column(struct sg_arena *arena, const struct sg_reader *reader, const char *name,
                             size_t count, double **out, struct sg_error *err)
{
    const struct sg_series *series = find(reader, name);
    TRY(SG_ARENA_NEW(arena, out, count, err));
    for (size_t i = 0; series == NULL && i < count; i++) (*out)[i] = NAN;
    return series == NULL ? SG_OK : sg_reader_rows(reader, series, 0, count, *out, err);
}

sg_status sg_plot_modes_add(struct sg_arena *arena, struct sg_plot_modes *plot,
                            const struct sg_reader *reader, struct sg_error *err)
{
    const struct sg_series *ratio = find(reader, "frequency_ratio");
    const char *title = sg_reader_attribute(reader, "title");
    if (plot->count == SG_MODE_SETS)
        FAIL(err, SG_USAGE, "a diagram shows the points of %d files at most", SG_MODE_SETS);
    if (ratio == NULL || find(reader, "energy_ratio") == NULL || ratio->rows == 0)
        FAIL(err, SG_NO_INPUT, "'%s' has no points with a frequency and an energy", title);
    struct sg_mode_set *set = &plot->sets[plot->count++];
    snprintf(set->title, sizeof set->title, "%s", title);
    set->forced = find(reader, "multiplier_largest") == NULL;
    set->count = ratio->rows;
    TRY(read_column(arena, reader, "frequency_ratio", set->count, &set->ratio, err));
    TRY(read_column(arena, reader, "energy_ratio", set->count, &set->energy, err));
    TRY(read_column(arena, reader, "stable", set->count, &set->stable, err));
    TRY(read_column(arena, reader, "piece", set->count, &set->piece, err));
    return read_column(arena, reader, "end", set->count, &set->end, err);
}
