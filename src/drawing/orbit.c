#include "drawing/orbit.h"

#include <math.h>
#include <stdint.h>

static sg_status find(const struct sg_reader *reader, const char *name, const struct sg_series **series,
                      struct sg_error *err)
{
    *series = sg_reader_find(reader, SG_SERIES_POINTS, name);
    if (*series != NULL) return SG_OK;
    FAIL(err, SG_NO_INPUT, "the file has no '%s' of orbits: run the deck with analysis.samples, such as 97",
         name);
}

/* The row of the orbit nearest to the ratio; those without an orbit are passed over. */
static sg_status find_row(struct sg_plot_orbit *plot, const struct sg_reader *reader, double ratio,
                          size_t *row, struct sg_error *err)
{
    const struct sg_series *ratios = NULL, *energies = NULL;
    TRY(find(reader, "frequency_ratio", &ratios, err));
    TRY(find(reader, "energy_ratio", &energies, err));
    *row = SIZE_MAX;
    for (size_t i = 0; i < ratios->rows; i++) {
        double at = NAN, energy = NAN;
        TRY(sg_reader_rows(reader, ratios, i, 1, &at, err));
        TRY(sg_reader_rows(reader, energies, i, 1, &energy, err));
        if (isnan(energy) || (*row != SIZE_MAX && fabs(at - ratio) >= fabs(plot->ratio - ratio))) continue;
        *row = i;
        plot->ratio = at;
        plot->energy = energy;
    }
    if (*row == SIZE_MAX) FAIL(err, SG_NO_INPUT, "the file has no orbit to draw");
    return SG_OK;
}

struct orbit {
    struct sg_arena *arena;
    const struct sg_reader *reader;
    size_t row;
};

static sg_status read_wide(const struct orbit *orbit, const char *name, double **out, size_t *width,
                           struct sg_error *err)
{
    const struct sg_series *series = NULL;
    TRY(find(orbit->reader, name, &series, err));
    *width = series->width;
    TRY(SG_ARENA_NEW(orbit->arena, out, series->width, err));
    return sg_reader_rows(orbit->reader, series, orbit->row, 1, *out, err);
}

sg_status sg_plot_orbit_init(struct sg_arena *arena, struct sg_plot_orbit *plot,
                             const struct sg_reader *reader, double ratio, struct sg_error *err)
{
    struct orbit orbit = {.arena = arena, .reader = reader};
    size_t width = 0;
    *plot = (struct sg_plot_orbit){.title = sg_reader_attribute(reader, "title")};
    TRY(find_row(plot, reader, ratio, &orbit.row, err));
    TRY(read_wide(&orbit, "motion/time", &plot->time, &plot->samples, err));
    TRY(read_wide(&orbit, "motion/closed", &plot->closed, &plot->samples, err));
    TRY(read_wide(&orbit, "motion/displacement", &plot->displacement, &width, err));
    TRY(read_wide(&orbit, "motion/velocity", &plot->velocity, &width, err));
    plot->period = plot->time[plot->samples - 1];
    return read_wide(&orbit, "motion/place", &plot->position, &plot->nodes, err);
}
