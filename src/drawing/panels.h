/* What a plot shows: panels over one scale, curves in each, phases of contact behind them. */
#ifndef SG_DRAWING_PANELS_H
#define SG_DRAWING_PANELS_H

#include <stdbool.h>
#include <stddef.h>

#include "results/curve.h"
#include "results/reader.h"
#include "support/arena.h"
#include "support/status.h"

enum { SG_LONG_KEY = 9 /* curves whose key is longer than a usual panel */ };
enum { SG_PLOT_DECADES = 50 /* from this ratio on a scale is logarithmic */ };
enum { SG_PANEL_CURVES = 24, SG_PANELS_MAX = 24, SG_PLOT_PIXELS = 1200, SG_PLOT_LABEL = 96 };

/* Panels are drawn over this: time, or an analysis' first column. */
struct sg_plot_axis {
    const struct sg_series *scale; /* borrowed from the reader */
    double low, high;
    bool log;
};

struct sg_panel_curve {
    char label[SG_PLOT_LABEL]; /* of the key */
    int color;                 /* index into the palette; -1: black and wider, for totals; -2: red likewise */
    bool front;                /* over the others, which are thin beside it */
    bool marks;                /* marks without a line and a name: what was measured of a curve beside it */
    struct sg_curve curve;     /* the arena's */
};

struct sg_panel {
    char label[SG_PLOT_LABEL]; /* of the axis, without unit */
    const char *unit;          /* borrowed from the reader */
    size_t count;
    struct sg_panel_curve curves[SG_PANEL_CURVES];
    size_t hidden;            /* columns that were left out */
    bool log;                 /* the axis is logarithmic; numbers that are not positive are left out */
    struct sg_plot_axis axis; /* panels over the same part of a scale stand together */
};

struct sg_plot {
    struct sg_arena *arena;   /* has panels and curves */
    const char *title;        /* borrowed from the reader */
    struct sg_plot_axis axis; /* of the panels that are added next */
    struct sg_panel *panels;
    size_t count;
    struct sg_curve phases; /* over the time */
    bool tall;              /* panels are, for the sake of a long key */
    size_t most;            /* columns of a series that are shown */
};

/* Room for the panels. */
sg_status sg_plot_open(struct sg_arena *arena, struct sg_plot *plot, struct sg_error *err);

/* a curve of `most` points, none yet */
sg_status sg_plot_make_curve(const struct sg_plot *plot, size_t most, struct sg_curve *curve,
                             struct sg_error *err);

/* a panel named after a dataset or group; NULL if there are SG_PANELS_MAX already */
struct sg_panel *sg_plot_add_panel(struct sg_plot *plot, const char *name, const char *unit);

/* "energy/numerical" -> "energy, numerical" */
void sg_plot_label(const char *name, char label[SG_PLOT_LABEL]);

/* a panel of one series, a curve a column */
sg_status sg_plot_add_series(struct sg_plot *plot, const struct sg_reader *reader,
                             const struct sg_series *series, struct sg_error *err);

/* the first column of a series as one more curve of a panel that has room */
sg_status sg_plot_add_curve(const struct sg_plot *plot, const struct sg_reader *reader,
                            const struct sg_series *series, struct sg_panel *panel, struct sg_error *err);

/* Tells whether `name` is `group` or below it; "" is the group of all. */
bool sg_plot_in_group(const char *name, const char *group);

/* Tells whether all numbers of a panel are positive or zero, and those that are not zero far apart. */
bool sg_plot_spans_decades(const struct sg_panel *panel);

#endif
