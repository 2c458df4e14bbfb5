/* What a plot shows: panels over one scale, curves in each, phases of contact behind them. */
#ifndef SG_COMMANDS_PLOT_PANELS_H
#define SG_COMMANDS_PLOT_PANELS_H

#include <stddef.h>

#include "results/curve.h"
#include "results/reader.h"
#include "support/status.h"

enum { SG_PANEL_CURVES = 8, SG_PANELS_MAX = 24, SG_PLOT_PIXELS = 1200, SG_PLOT_LABEL = 96 };

struct sg_panel_curve {
    char label[SG_PLOT_LABEL]; /* of the key */
    int color;                 /* index into the palette; -1: black and wider, for totals */
    struct sg_curve curve;     /* owned */
};

struct sg_panel {
    char label[SG_PLOT_LABEL]; /* of the axis, without unit */
    const char *unit;          /* borrowed from the reader */
    size_t count;
    struct sg_panel_curve curves[SG_PANEL_CURVES];
    size_t hidden; /* columns that were left out */
};

struct sg_plot {
    const char *title; /* borrowed from the reader, like the scale */
    const struct sg_series *scale;
    double low, high; /* of the scale */
    struct sg_panel *panels;
    size_t count;
    struct sg_curve phases;
};

/* `only`: names of histories or groups, or NULL for the usual panels. SG_USAGE, listing what there is, for
 * a name that fits nothing; SG_NO_INPUT if there is nothing to draw. Release on failure too. */
sg_status sg_plot_init(struct sg_plot *plot, const struct sg_reader *reader, const char *const *only,
                       size_t only_count, struct sg_error *err);
void sg_plot_release(struct sg_plot *plot);

#endif
