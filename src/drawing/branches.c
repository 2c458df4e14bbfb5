#include "drawing/branches.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* By default the first of a row that has numbers is drawn. */
static const char *const usual[][2] = {
    {"energy_ratio", "energy"}, {"amplitude", NULL}, {"contact_share", NULL}};
enum { USUAL = sizeof usual / sizeof *usual, LONG_KEY = 7 /* curves in a panel of usual height */ };

/* Columns that are the same all along a branch, with the short names that the key gives them. */
static const struct parameter {
    const char *name, *word;
} parameters[] = {{"amplitude_factor", "F"}, {"damping", "c"}, {"direction", ""}};
enum { PARAMETERS = sizeof parameters / sizeof *parameters };

struct branches {
    const struct sg_reader *reader;
    size_t rows, count;
    double *branch, *x, *y; /* rows: the branch of a point, scale, and the series at hand */
    double *values;         /* PARAMETERS x count: NaN where there is none */
};

static sg_status read_column(const struct branches *b, const char *name, double *out, struct sg_error *err)
{
    const struct sg_series *series = sg_reader_find(b->reader, SG_SERIES_POINTS, name);
    for (size_t i = 0; series == NULL && i < b->rows; i++) out[i] = NAN;
    return series == NULL ? SG_OK : sg_reader_rows(b->reader, series, 0, b->rows, out, err);
}

static void count_branches(struct branches *b)
{
    for (size_t i = 0; i < b->rows; i++)
        if (b->branch[i] >= (double)b->count && b->branch[i] < (double)b->rows)
            b->count = (size_t)b->branch[i] + 1;
}

static sg_status read_parameters(struct sg_arena *arena, struct branches *b, struct sg_error *err)
{
    TRY(SG_ARENA_NEW(arena, &b->values, PARAMETERS * b->count + 1, err));
    for (size_t p = 0; p < PARAMETERS; p++) {
        TRY(read_column(b, parameters[p].name, b->y, err));
        for (size_t k = 0; k < b->count; k++) b->values[p * b->count + k] = NAN;
        for (size_t i = 0; i < b->rows; i++)
            if (b->branch[i] >= 0 && b->branch[i] < (double)b->count)
                b->values[p * b->count + (size_t)b->branch[i]] = b->y[i];
    }
    return SG_OK;
}

static sg_status branches_init(struct branches *b, const struct sg_plot *plot, struct sg_error *err)
{
    b->rows = plot->axis.scale->rows;
    TRY(SG_ARENA_NEW(plot->arena, &b->branch, b->rows, err));
    TRY(SG_ARENA_NEW(plot->arena, &b->x, b->rows, err));
    TRY(SG_ARENA_NEW(plot->arena, &b->y, b->rows, err));
    TRY(read_column(b, "branch", b->branch, err));
    TRY(sg_reader_rows(b->reader, plot->axis.scale, 0, b->rows, b->x, err));
    count_branches(b);
    return read_parameters(plot->arena, b, err);
}

/* --- names ---------------------------------------------------------------------------------------- */

static bool differs(const struct branches *b, size_t p)
{
    for (size_t k = 1; k < b->count; k++)
        if (b->values[p * b->count + k] != b->values[p * b->count]) return true;
    return false;
}

/* Names a branch by the parameters in which branches differ: "F0.05 c0.1 up". */
static void name_branch(const struct branches *b, size_t k, char label[SG_PLOT_LABEL])
{
    size_t used = 0;
    label[0] = '\0';
    for (size_t p = 0; p < PARAMETERS; p++) {
        double value = b->values[p * b->count + k];
        if (isnan(value) || !differs(b, p)) continue;
        const char *space = used > 0 ? " " : "";
        bool way = parameters[p].word[0] == '\0';
        int length =
            way ? snprintf(label + used, SG_PLOT_LABEL - used, "%s%s", space, value > 0 ? "up" : "down")
                : snprintf(label + used, SG_PLOT_LABEL - used, "%s%s%.6g", space, parameters[p].word, value);
        used += length > 0 ? (size_t)length : 0;
        if (used >= SG_PLOT_LABEL) return;
    }
}

/* --- curves --------------------------------------------------------------------------------------- */

static void fill_curve(const struct branches *b, size_t k, struct sg_curve *curve)
{
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (size_t i = 0; i < b->rows; i++) {
        if (b->branch[i] != (double)k) continue;
        curve->x[curve->count] = b->x[i];
        curve->y[curve->count++] = b->y[i];
        if (!isfinite(b->y[i])) continue;
        low = fmin(low, b->y[i]);
        high = fmax(high, b->y[i]);
    }
    if (low <= high) {
        curve->low = low;
        curve->high = high;
    }
}

static sg_status add_panel(struct sg_plot *plot, struct branches *b, const struct sg_series *series,
                           struct sg_error *err)
{
    if (series->width > 0) return SG_OK;
    TRY(sg_reader_rows(b->reader, series, 0, b->rows, b->y, err));
    struct sg_panel *panel = sg_plot_add_panel(plot, series->name, series->unit);
    if (panel == NULL) return SG_OK;
    size_t shown = b->count < SG_PANEL_CURVES ? b->count : SG_PANEL_CURVES;
    panel->hidden = b->count - shown;
    for (size_t k = 0; k < shown; k++) {
        struct sg_panel_curve *drawn = &panel->curves[panel->count++];
        drawn->color = (int)k;
        if (plot->count == 1) name_branch(b, k, drawn->label); /* one key for all panels */
        TRY(sg_plot_make_curve(plot, b->rows, &drawn->curve, err));
        fill_curve(b, k, &drawn->curve);
    }
    panel->log = sg_plot_spans_decades(panel);
    return SG_OK;
}

static bool has_numbers(const struct sg_panel *panel)
{
    for (size_t k = 0; k < panel->count; k++)
        if (panel->curves[k].curve.low != 0 || panel->curves[k].curve.high != 0) return true;
    return false;
}

static sg_status add_usual(struct sg_plot *plot, struct branches *b, struct sg_error *err)
{
    for (size_t i = 0; i < USUAL; i++) {
        bool found = false;
        for (size_t k = 0; k < 2 && !found && usual[i][k] != NULL; k++) {
            const struct sg_series *series = sg_reader_find(b->reader, SG_SERIES_POINTS, usual[i][k]);
            if (series == NULL) continue;
            TRY(add_panel(plot, b, series, err));
            found = plot->count > 0 && has_numbers(&plot->panels[plot->count - 1]);
            if (!found && plot->count > 0) plot->count--;
        }
    }
    return SG_OK;
}

static sg_status add_group(struct sg_plot *plot, struct branches *b, const char *group, struct sg_error *err)
{
    for (size_t i = 0; i < sg_reader_count(b->reader); i++) {
        const struct sg_series *series = sg_reader_series(b->reader, i);
        if (series->group != SG_SERIES_POINTS || series->scale || !sg_plot_in_group(series->name, group))
            continue;
        TRY(add_panel(plot, b, series, err));
    }
    return SG_OK;
}

sg_status sg_plot_add_branches(struct sg_plot *plot, const struct sg_reader *reader, const char *group,
                               struct sg_error *err)
{
    struct branches b = {.reader = reader};
    TRY(branches_init(&b, plot, err));
    plot->tall = b.count > LONG_KEY;
    return group[0] != '\0' ? add_group(plot, &b, group, err) : add_usual(plot, &b, err);
}
