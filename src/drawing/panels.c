#include "drawing/panels.h"

#include <math.h>
#include <string.h>

#include "drawing/columns.h"
#include "support/memory.h"

enum { ORDERS_OF_MAGNITUDE = 3 };

sg_status sg_plot_open(struct sg_arena *arena, struct sg_plot *plot, struct sg_error *err)
{
    plot->arena = arena;
    return SG_ARENA_NEW(arena, &plot->panels, SG_PANELS_MAX, err);
}

sg_status sg_plot_make_curve(const struct sg_plot *plot, size_t most, struct sg_curve *curve,
                             struct sg_error *err)
{
    TRY(SG_ARENA_NEW(plot->arena, &curve->x, most, err));
    return SG_ARENA_NEW(plot->arena, &curve->y, most, err);
}

void sg_plot_label(const char *name, char label[SG_PLOT_LABEL])
{
    size_t length = 0;
    for (; *name != '\0' && length + 3 < SG_PLOT_LABEL; name++) {
        if (*name == '/') label[length++] = ',';
        char shown = *name;
        if (shown == '_' || shown == '/') shown = ' ';
        label[length++] = shown;
    }
    label[length] = '\0';
}

bool sg_plot_in_group(const char *name, const char *group)
{
    size_t length = strlen(group);
    if (length == 0) return true;
    return strncmp(name, group, length) == 0 && (name[length] == '\0' || name[length] == '/');
}

struct sg_panel *sg_plot_add_panel(struct sg_plot *plot, const char *name, const char *unit)
{
    if (plot->count == SG_PANELS_MAX) return NULL;
    struct sg_panel *panel = &plot->panels[plot->count++];
    *panel = (struct sg_panel){.unit = unit, .axis = plot->axis};
    sg_plot_label(name, panel->label);
    return panel;
}

static sg_status read_curves(const struct sg_plot *plot, const struct sg_reader *reader,
                             const struct sg_curve_request *request, struct sg_panel *panel,
                             struct sg_error *err)
{
    struct sg_curve curves[SG_PANEL_CURVES] = {0};
    struct sg_curve_request full = *request;
    full.x = plot->axis.scale;
    full.pixels = SG_PLOT_PIXELS;
    TRY(sg_curves_read(plot->arena, reader, &full, curves, err));
    for (size_t j = 0; j < request->count; j++) panel->curves[panel->count++].curve = curves[j];
    return SG_OK;
}

sg_status sg_plot_add_curve(const struct sg_plot *plot, const struct sg_reader *reader,
                            const struct sg_series *series, struct sg_panel *panel, struct sg_error *err)
{
    static const size_t column = 0;
    struct sg_curve_request request = {.y = series, .columns = &column, .count = 1};
    return read_curves(plot, reader, &request, panel, err);
}

sg_status sg_plot_add_series(struct sg_plot *plot, const struct sg_reader *reader,
                             const struct sg_series *series, struct sg_error *err)
{
    size_t columns[SG_PANEL_CURVES], count = 0;
    struct sg_panel *panel = sg_plot_add_panel(plot, series->name, series->unit);
    if (panel == NULL) return SG_OK;
    TRY(sg_plot_choose_columns(reader, series, plot->most, columns, &count, err));
    panel->hidden = sg_plot_columns_of(series) - count;
    for (size_t j = 0; j < count; j++) {
        sg_reader_column_label(reader, series, columns[j], panel->curves[j].label, SG_PLOT_LABEL);
        panel->curves[j].color = (int)j;
    }
    struct sg_curve_request request = {.y = series, .columns = columns, .count = count};
    return read_curves(plot, reader, &request, panel, err);
}

bool sg_plot_spans_decades(const struct sg_panel *panel)
{
    double low = HUGE_VAL, high = 0;
    for (size_t j = 0; j < panel->count; j++) {
        const struct sg_curve *curve = &panel->curves[j].curve;
        if (curve->low < 0) return false;
        high = fmax(high, curve->high);
        for (size_t k = 0; k < curve->count; k++)
            if (curve->y[k] > 0) low = fmin(low, curve->y[k]);
    }
    return high > pow(10, ORDERS_OF_MAGNITUDE) * low;
}
