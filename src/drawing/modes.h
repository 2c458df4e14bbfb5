/* The frequency-energy diagram of nonsmooth modes: orbits of one file or more, stable and unstable ones told
 * apart, and steady forced motions of others.
 *
 *     modes.c         reads the points
 *     modes_script.c  writes the script of gnuplot */
#ifndef SG_DRAWING_MODES_H
#define SG_DRAWING_MODES_H

#include <stdbool.h>
#include <stddef.h>

#include "drawing/gnuplot.h"
#include "results/reader.h"
#include "support/arena.h"
#include "support/status.h"

enum { SG_MODE_SETS = 8 };

/* the points of one file; columns of it, NaN where it has none */
struct sg_mode_set {
    char title[96];
    bool forced; /* steady motions under loads: no stability, no ends */
    size_t count;
    double *ratio, *energy;       /* 1: over frequency and energy of the linear mode that just touches */
    double *stable, *end, *piece; /* of orbits */
};

struct sg_plot_modes {
    size_t count;
    struct sg_mode_set sets[SG_MODE_SETS];
};

/* Tells whether the file has orbits: then this is what `plot` draws of it. */
bool sg_plot_modes_fits(const struct sg_reader *reader);

/* Adds the points of a file; SG_NO_INPUT if it has no ratios of frequency and energy. */
sg_status sg_plot_modes_add(struct sg_arena *arena, struct sg_plot_modes *plot,
                            const struct sg_reader *reader, struct sg_error *err);

/* `what` is a struct sg_plot_modes */
void sg_plot_modes_script(const void *what, enum sg_plot_format format, struct sg_script *script);

#endif
