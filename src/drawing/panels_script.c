#include "drawing/panels_script.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "drawing/panels.h"
#include "drawing/units.h"

/* Lengths in inches: a figure over two columns of a page. */
static const double figure_width = 7.0, usual_height = 1.3, tall_height = 2.6, panel_gap = 0.13;
static const double top_margin = 0.42, bottom_margin = 0.55;

/* Okabe and Ito's palette, which colour-blind readers tell apart */
static const char *const palette[] = {"#0072B2", "#D55E00", "#009E73", "#E69F00",
                                      "#CC79A7", "#56B4E9", "#8C6D31", "#666666"};

enum { COLORS = sizeof palette / sizeof *palette, MARKS = 30 /* of a curve, at most */ };

enum { KEY_ROWS = 18 /* that there is room for */, LONG_NAME = 23 /* bytes, of an axis */ };

/* --- data ----------------------------------------------------------------------------------------- */

static struct sg_plot_unit panel_unit(const struct sg_panel *panel)
{
    double low = 0, high = 0;
    if (panel->log) return sg_plot_unit_of(panel->unit, 1, 1);
    for (size_t j = 0; j < panel->count; j++) {
        low = fmin(low, panel->curves[j].curve.low);
        high = fmax(high, panel->curves[j].curve.high);
    }
    return sg_plot_unit_of(panel->unit, low, high);
}

static struct sg_plot_unit scale_of(const struct sg_plot_axis *axis)
{
    return axis->log ? sg_plot_unit_of(axis->scale->unit, 1, 1)
                     : sg_plot_unit_of(axis->scale->unit, axis->low, axis->high);
}

/* A blank line breaks the curve where a number is missing, or is not positive on a logarithmic axis. */
static void put_point(struct sg_text *data, double x, double y, bool log)
{
    if (isfinite(x) && isfinite(y) && (y > 0 || !log))
        sg_text_append(data, "%.9g %.9g\n", x, y);
    else
        sg_text_append(data, "\n");
}

static void put_data(struct sg_script *script, const struct sg_plot *plot)
{
    for (size_t i = 0; i < plot->count; i++) {
        double in_x = scale_of(&plot->panels[i].axis).factor;
        double in_y = panel_unit(&plot->panels[i]).factor;
        for (size_t j = 0; j < plot->panels[i].count; j++) {
            const struct sg_curve *curve = &plot->panels[i].curves[j].curve;
            SG_PUT(script, "data", SG_NUMBER("panel", i), SG_NUMBER("curve", j));
            for (size_t k = 0; k < curve->count; k++)
                put_point(&script->text, curve->x[k] * in_x, curve->y[k] * in_y, plot->panels[i].log);
            sg_script_end_data(script);
        }
    }
}

/* --- appearance ----------------------------------------------------------------------------------- */

static double panel_height(const struct sg_plot *plot)
{
    return plot->tall ? tall_height : usual_height;
}

/* Whether panel i is the last over its scale, so that the scale is written below it. */
static bool ends_axis(const struct sg_plot *plot, size_t i)
{
    if (i + 1 == plot->count) return true;
    const struct sg_plot_axis *this = &plot->panels[i].axis, *next = &plot->panels[i + 1].axis;
    return next->scale != this->scale || next->low != this->low || next->high != this->high;
}

/* The distance from the figure's top to that of panel i; for i = count it is the figure's height. */
static double distance_to(const struct sg_plot *plot, size_t i)
{
    double distance = top_margin;
    for (size_t k = 0; k < i; k++)
        distance += panel_height(plot) + (ends_axis(plot, k) ? bottom_margin : panel_gap);
    return distance;
}

static double figure_height(const struct sg_plot *plot)
{
    return distance_to(plot, plot->count);
}

static void put_phases(struct sg_script *script, const struct sg_plot *plot, double in_x)
{
    for (size_t i = 0; i < plot->phases.count; i++)
        SG_PUT(script, "phase", SG_NUMBER("number", i + 1), SG_NUMBER("start", plot->phases.x[i] * in_x),
               SG_NUMBER("end", plot->phases.y[i] * in_x));
}

/* Begins the panels over another scale, none of which has written it yet. */
static void put_axis(struct sg_script *script, const struct sg_plot *plot, const struct sg_plot_axis *axis)
{
    struct sg_plot_unit x = scale_of(axis);
    sg_script_put(script, axis->log ? "log scale" : "linear scale", NULL);
    if (axis->high > axis->low)
        SG_PUT(script, "range", SG_NUMBER("low", axis->low * x.factor),
               SG_NUMBER("high", axis->high * x.factor));
    sg_script_put(script, "no scale", NULL);
    if (axis->scale->group == SG_SERIES_HISTORY) put_phases(script, plot, x.factor);
}

static void put_scale(struct sg_script *script, const struct sg_plot *plot, const struct sg_plot_axis *axis)
{
    char name[SG_PLOT_LABEL + 64];
    bool points = axis->scale->group == SG_SERIES_POINTS;
    snprintf(name, sizeof name, "%.60s%s", points ? axis->scale->description : axis->scale->name,
             scale_of(axis).text);
    SG_PUT(script, "scale", SG_TEXT("name", name));
    if (plot->phases.count > 0 && !points)
        SG_PUT(script, "phases", SG_NUMBER("y", 0.22 / figure_height(plot)));
}

static bool has_front(const struct sg_panel *panel)
{
    for (size_t j = 0; j < panel->count; j++)
        if (panel->curves[j].front) return true;
    return false;
}

/* How many curves the key names: more would be cut off at the edge of the figure. */
static size_t named_of(const struct sg_panel *panel)
{
    bool note = panel->hidden > 0 || panel->count > KEY_ROWS;
    size_t room = note ? KEY_ROWS - 2 : KEY_ROWS;
    return panel->count < room ? panel->count : room;
}

static double line_width(const struct sg_panel *panel, const struct sg_panel_curve *drawn)
{
    if (drawn->front) return drawn->color == -1 ? 2.4 : 1.3;
    if (drawn->color < 0) return 1.6;
    return has_front(panel) ? 0.5 : 1.1;
}

static const char *color_of(const struct sg_panel_curve *drawn)
{
    if (drawn->color < 0) return drawn->color == -1 ? "#000000" : "#D40000";
    return palette[drawn->color % COLORS];
}

static const char *dashes_of(const struct sg_panel_curve *drawn)
{
    if (drawn->color < COLORS) return "";
    return drawn->color < 2 * COLORS ? "dashtype 2" : "dashtype 3";
}

static void put_curve(struct sg_script *script, const struct sg_panel *panel, size_t i, size_t j)
{
    const struct sg_panel_curve *drawn = &panel->curves[j];
    bool points = panel->axis.scale->group == SG_SERIES_POINTS && !panel->axis.log;
    size_t every = drawn->curve.count / MARKS + 1;
    bool named = drawn->label[0] != '\0' && !drawn->marks && j < named_of(panel);
    if (drawn->marks)
        SG_PLOT(script, "marks", SG_NUMBER("panel", i), SG_NUMBER("curve", j), SG_NUMBER("every", every),
                SG_WORDS("color", color_of(drawn)));
    else
        SG_PLOT(script, points ? "dotted line" : "line", SG_NUMBER("panel", i), SG_NUMBER("curve", j),
                SG_NUMBER("width", line_width(panel, drawn)), SG_WORDS("color", color_of(drawn)),
                SG_WORDS("dash", dashes_of(drawn)));
    if (named)
        SG_ADD(script, "in the key", SG_TEXT("label", drawn->label));
    else
        sg_script_add(script, "not in the key", NULL);
}

/* Named before the others, and drawn over them: what stands in front is drawn twice. */
static void put_front(struct sg_script *script, const struct sg_panel *panel, size_t i)
{
    for (size_t j = panel->count; j-- > 0;) {
        const struct sg_panel_curve *drawn = &panel->curves[j];
        if (!drawn->front) continue;
        SG_PLOT(script, "line", SG_NUMBER("panel", i), SG_NUMBER("curve", j),
                SG_NUMBER("width", line_width(panel, drawn)), SG_WORDS("color", color_of(drawn)),
                SG_WORDS("dash", ""));
        sg_script_add(script, "not in the key", NULL);
    }
}

/* Says how many curves are not drawn, or not named in the key. */
static void put_count(struct sg_script *script, const struct sg_panel *panel)
{
    size_t named = named_of(panel);
    bool hidden = panel->hidden > 0;
    if (named < panel->count || hidden)
        SG_PUT(script, "count", SG_NUMBER("shown", hidden ? panel->count : named),
               SG_NUMBER("all", panel->count + panel->hidden), SG_WORDS("word", hidden ? "shown" : "named"));
}

static void put_panel(struct sg_script *script, const struct sg_plot *plot, size_t i)
{
    const struct sg_panel *panel = &plot->panels[i];
    double height = figure_height(plot), top = height - distance_to(plot, i);
    char name[SG_PLOT_LABEL + 64];
    snprintf(name, sizeof name, "%s%s", panel->label, panel_unit(panel).text);
    if (i == 0 || ends_axis(plot, i - 1)) put_axis(script, plot, &panel->axis);
    SG_PUT(script, "panel", SG_NUMBER("top", top / height),
           SG_NUMBER("bottom", (top - panel_height(plot)) / height),
           SG_WORDS("log", panel->log ? "set" : "unset"));
    SG_PUT(script, strlen(name) > LONG_NAME ? "long name" : "name", SG_TEXT("name", name));
    if (ends_axis(plot, i)) put_scale(script, plot, &panel->axis);
    put_count(script, panel);
    for (size_t j = 0; j < panel->count; j++) put_curve(script, panel, i, j);
    put_front(script, panel, i);
    sg_script_end_plot(script);
    sg_script_put(script, "end of panel", NULL);
}

void sg_plot_script(const void *what, enum sg_plot_format format, struct sg_script *script)
{
    const struct sg_plot *plot = what;
    script->template = sg_template_panels;
    put_data(script, plot);
    sg_plot_terminal(script, format, figure_width, figure_height(plot));
    SG_PUT(script, "frame", SG_TEXT("title", plot->title),
           SG_NUMBER("title_y", 1 - 0.5 * top_margin / figure_height(plot)));
    for (size_t i = 0; i < plot->count; i++) put_panel(script, plot, i);
    sg_script_put(script, "end", NULL);
}
