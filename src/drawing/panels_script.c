#include "drawing/panels_script.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "drawing/panels.h"

/* Lengths in inches: a figure over two columns of a page. */
static const double figure_width = 7.0, usual_height = 1.3, tall_height = 2.6, panel_gap = 0.13;
static const double top_margin = 0.42, bottom_margin = 0.55;
static const double left_edge = 0.115, right_edge = 0.79; /* of the figure's width */

/* Okabe and Ito's palette, which colour-blind readers tell apart */
static const char *const palette[] = {"#0072B2", "#D55E00", "#009E73", "#E69F00",
                                      "#CC79A7", "#56B4E9", "#8C6D31", "#666666"};

enum { COLORS = sizeof palette / sizeof *palette, MARKS = 30 /* of a curve, at most */ };

/* what there is room for */
enum { TITLE_LETTERS = 76, KEY_LETTERS = 17, KEY_ROWS = 18, AXIS_LETTERS = 34, LONG_LABEL = 23 /* bytes */ };

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

/* a blank line breaks the curve where there is no number, or none that the axis has */
static void put_point(struct sg_text *script, double x, double y, bool log)
{
    if (isfinite(x) && isfinite(y) && (y > 0 || !log))
        sg_text_append(script, "%.9g %.9g\n", x, y);
    else
        sg_text_append(script, "\n");
}

static void put_data(struct sg_text *script, const struct sg_plot *plot)
{
    for (size_t i = 0; i < plot->count; i++) {
        double in_x = scale_of(&plot->panels[i].axis).factor;
        double in_y = panel_unit(&plot->panels[i]).factor;
        for (size_t j = 0; j < plot->panels[i].count; j++) {
            const struct sg_curve *curve = &plot->panels[i].curves[j].curve;
            sg_text_append(script, "$curve_%zu_%zu << END\n", i, j);
            for (size_t k = 0; k < curve->count; k++)
                put_point(script, curve->x[k] * in_x, curve->y[k] * in_y, plot->panels[i].log);
            sg_text_append(script, "END\n");
        }
    }
}

/* --- appearance ----------------------------------------------------------------------------------- */

static double panel_height(const struct sg_plot *plot)
{
    return plot->tall ? tall_height : usual_height;
}

/* panel i is the last over its scale, below which the scale is written */
static bool ends_axis(const struct sg_plot *plot, size_t i)
{
    if (i + 1 == plot->count) return true;
    const struct sg_plot_axis *this = &plot->panels[i].axis, *next = &plot->panels[i + 1].axis;
    return next->scale != this->scale || next->low != this->low || next->high != this->high;
}

/* from the figure's top to that of panel i; of `count` panels the figure's height */
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

static void put_phases(struct sg_text *script, const struct sg_plot *plot, double in_x)
{
    for (size_t i = 0; i < plot->phases.count; i++)
        sg_text_append(script,
                       "set object %zu rectangle from %.9g, graph 0 to %.9g, graph 1 behind fillcolor rgb "
                       "'#E4E4E4' fillstyle solid noborder\n",
                       i + 1, plot->phases.x[i] * in_x, plot->phases.y[i] * in_x);
}

static void put_frame(struct sg_text *script, const struct sg_plot *plot)
{
    double height = figure_height(plot);
    sg_text_append(script, "set border linewidth 0.6\n"
                           "set tics scale 0.6\n"
                           "set xzeroaxis linetype 1 linecolor rgb '#999999' linewidth 0.5\n"
                           "set key at graph 1.015, graph 1.01 left top vertical Left reverse samplen 1.4 "
                           "spacing 1.1\n"
                           "set autoscale yfix\n"
                           "set format y '%%.6g'\n"
                           "set offsets 0, 0, graph 0.06, graph 0.06\n");
    sg_text_append(script, "set lmargin at screen %g\nset rmargin at screen %g\n", left_edge, right_edge);
    sg_text_append(script, "set label 1 ");
    sg_plot_quote(script, plot->title, TITLE_LETTERS);
    sg_text_append(script, " at screen %g, screen %g left font ',10'\n", left_edge,
                   1 - 0.5 * top_margin / height);
}

/* what changes where the panels over another scale begin */
static void put_axis(struct sg_text *script, const struct sg_plot *plot, const struct sg_plot_axis *axis)
{
    struct sg_plot_unit x = scale_of(axis);
    sg_text_append(script,
                   axis->log ? "set logscale x\nset mxtics 10\n" : "unset logscale x\nset mxtics 2\n");
    if (axis->high > axis->low)
        sg_text_append(script, "set xrange [%.9g:%.9g]\n", axis->low * x.factor, axis->high * x.factor);
    sg_text_append(script, "set format x ''\nunset xlabel\nunset object\nunset label 2\n");
    if (axis->scale->group == SG_SERIES_HISTORY) put_phases(script, plot, x.factor);
}

static void put_scale_label(struct sg_text *script, const struct sg_plot *plot,
                            const struct sg_plot_axis *axis)
{
    char name[SG_PLOT_LABEL + 64];
    struct sg_plot_unit x = scale_of(axis);
    bool points = axis->scale->group == SG_SERIES_POINTS;
    snprintf(name, sizeof name, "%.60s%s", points ? axis->scale->description : axis->scale->name, x.text);
    sg_text_append(script, "set format x '%%.6g'\nset xlabel ");
    sg_plot_quote(script, name, AXIS_LETTERS);
    sg_text_append(script, "\n");
    if (plot->phases.count == 0 || points) return;
    sg_text_append(script,
                   "set label 2 'shaded: in contact' at screen %g, screen %g left textcolor rgb "
                   "'#666666'\n",
                   right_edge + 0.015, 0.22 / figure_height(plot));
}

static bool has_front(const struct sg_panel *panel)
{
    for (size_t j = 0; j < panel->count; j++)
        if (panel->curves[j].front) return true;
    return false;
}

/* curves that the key names: what is more would be cut off beside the figure */
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

static void put_curve(struct sg_text *script, const struct sg_panel *panel, size_t i, size_t j, bool points)
{
    const struct sg_panel_curve *drawn = &panel->curves[j];
    const char *color = color_of(drawn);
    const char *next = j == 0 ? "plot" : ", \\\n    ";
    if (drawn->marks)
        sg_text_append(
            script,
            "%s $curve_%zu_%zu every %zu using 1:2 with points pointtype 6 pointsize 0.7 linewidth 0.8 "
            "linecolor rgb '%s' ",
            next, i, j, drawn->curve.count / MARKS + 1, color);
    else
        sg_text_append(script,
                       "%s $curve_%zu_%zu using 1:2 with %s linetype 1 linewidth %g linecolor rgb '%s'%s%s ",
                       next, i, j, points ? "linespoints" : "lines", line_width(panel, drawn), color,
                       drawn->color < COLORS       ? ""
                       : drawn->color < 2 * COLORS ? " dashtype 2"
                                                   : " dashtype 3",
                       points ? " pointtype 7 pointsize 0.25" : "");
    if (drawn->label[0] == '\0' || drawn->marks || j >= named_of(panel)) {
        sg_text_append(script, "notitle");
        return;
    }
    sg_text_append(script, "title ");
    sg_plot_quote(script, drawn->label, KEY_LETTERS);
}

/* Named before the others, and drawn over them: what stands in front is drawn twice. */
static void put_front(struct sg_text *script, const struct sg_panel *panel, size_t i)
{
    for (size_t j = panel->count; j-- > 0;) {
        const struct sg_panel_curve *drawn = &panel->curves[j];
        if (drawn->front)
            sg_text_append(
                script,
                ", \\\n     $curve_%zu_%zu using 1:2 with lines linetype 1 linewidth %g linecolor rgb '%s' "
                "notitle",
                i, j, line_width(panel, drawn), color_of(drawn));
    }
}

/* what the key does not tell */
static void put_count(struct sg_text *script, const struct sg_panel *panel)
{
    size_t named = named_of(panel), all = panel->count + panel->hidden;
    if (named < panel->count || panel->hidden > 0)
        sg_text_append(
            script, "set label 3 '%zu of %zu %s' at graph 1.025, graph 0.06 left textcolor rgb '#666666'\n",
            panel->hidden > 0 ? panel->count : named, all, panel->hidden > 0 ? "shown" : "named");
    else
        sg_text_append(script, "unset label 3\n");
}

static void put_panel(struct sg_text *script, const struct sg_plot *plot, size_t i)
{
    const struct sg_panel *panel = &plot->panels[i];
    struct sg_plot_unit y = panel_unit(panel);
    double height = figure_height(plot);
    double top = height - distance_to(plot, i);
    char label[SG_PLOT_LABEL + 64];
    snprintf(label, sizeof label, "%s%s", panel->label, y.text);
    if (i == 0 || ends_axis(plot, i - 1)) put_axis(script, plot, &panel->axis);
    sg_text_append(script, "set tmargin at screen %g\nset bmargin at screen %g\nunset label 4\nset label 4 ",
                   top / height, (top - panel_height(plot)) / height);
    sg_plot_quote(script, label, AXIS_LETTERS);
    sg_text_append(script, " at screen 0.022, graph 0.5 center rotate by 90%s\n",
                   strlen(label) > LONG_LABEL ? " font ',6.5'" : "");
    if (ends_axis(plot, i)) put_scale_label(script, plot, &panel->axis);
    put_count(script, panel);
    bool points = panel->axis.scale->group == SG_SERIES_POINTS && !panel->axis.log;
    sg_text_append(script, panel->log ? "set logscale y\n" : "unset logscale y\n");
    for (size_t j = 0; j < panel->count; j++) put_curve(script, panel, i, j, points);
    put_front(script, panel, i);
    /* the title is written once */
    sg_text_append(script, "\nunset label 1\n");
}

void sg_plot_script(const void *what, enum sg_plot_format format, struct sg_text *script)
{
    const struct sg_plot *plot = what;
    put_data(script, plot);
    sg_plot_terminal(script, format, figure_width, figure_height(plot));
    put_frame(script, plot);
    sg_text_append(script, "set multiplot\n");
    for (size_t i = 0; i < plot->count; i++) put_panel(script, plot, i);
    sg_text_append(script, "unset multiplot\nset output\n");
}
