#include "commands/plot_script.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Lengths in inches: a figure over two columns of a page. */
static const double figure_width = 7.0, panel_height = 1.3, panel_gap = 0.13;
static const double top_margin = 0.42, bottom_margin = 0.55;
static const double left_edge = 0.115, right_edge = 0.79; /* of the figure's width */

/* Okabe and Ito's palette, which colour-blind readers tell apart */
static const char *const palette[] = {"#0072B2", "#D55E00", "#009E73", "#E69F00",
                                      "#CC79A7", "#56B4E9", "#8C6D31", "#666666"};

enum { COLORS = sizeof palette / sizeof *palette, MARKS = 30 /* of a curve, at most */ };

/* what there is room for */
enum { TITLE_LETTERS = 76, KEY_LETTERS = 17, AXIS_LETTERS = 34, LONG_LABEL = 23 /* bytes */ };

/* --- text ------------------------------------------------------------------------------------------- */

/* In single quotes gnuplot takes all literally but the quote itself, which becomes an apostrophe (its
 * doubling fails at the start of a string), and substitutes no commands. At most `most` characters of UTF-8.
 */
static void put_quoted(struct sg_text *script, const char *text, size_t most)
{
    sg_text_append(script, "'");
    for (size_t shown = 0; *text != '\0'; text++) {
        bool control = (unsigned char)*text < ' ' || *text == 127;
        bool starts = ((unsigned char)*text & 0xC0) != 0x80; /* a character, not its continuation */
        if (starts && shown++ == most) break;
        if (*text == '\'')
            sg_text_append(script, "’");
        else
            sg_text_append(script, "%c", control ? ' ' : *text);
    }
    sg_text_append(script, *text == '\0' ? "'" : "…'");
}

/* A unit with the power of 1000 that makes the numbers short: 0.0123 m is drawn as 12.3 mm. */
struct scaled_unit {
    double factor; /* numbers are multiplied by it */
    char text[64];
};

static bool takes_prefix(const char *unit)
{
    static const char *const units[] = {"s", "m", "m/s", "m/s^2", "N", "N s", "N m", "J", "Hz", "rad/s"};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (strcmp(unit, units[i]) == 0) return true;
    }
    return false;
}

static int power_of(double largest)
{
    if (!(largest > DBL_MIN) || !isfinite(largest) || (largest >= 0.1 && largest < 1)) return 0;
    return 3 * (int)floor(log10(fmax(largest, DBL_MIN)) / 3 + 1e-9);
}

static const char *prefix_of(int power)
{
    static const char *const prefixes[] = {"p", "n", "µ", "m", "", "k", "M", "G", "T"};
    return power < -12 || power > 12 ? NULL : prefixes[(power + 12) / 3];
}

/* "10³", "10⁻⁶" for multiples of 3 */
static void show_power(int power, char *out, size_t size)
{
    static const char *const digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    int n = power < 0 ? -power : power;
    snprintf(out, size, "10%s%s%s%s", power < 0 ? "⁻" : "", n >= 100 ? digits[n / 100 % 10] : "",
             n >= 10 ? digits[n / 10 % 10] : "", digits[n % 10]);
}

/* "m/s^2" is shown with a raised 2 */
static void show_unit(const char *unit, char *out, size_t size)
{
    const char *caret = strstr(unit, "^2");
    if (caret == NULL)
        snprintf(out, size, "%s", unit);
    else
        snprintf(out, size, "%.*s²%s", (int)(caret - unit), unit, caret + 2);
}

static struct scaled_unit scale_unit(const char *unit, double low, double high)
{
    struct scaled_unit scaled = {.factor = 1};
    char shown[32], times[24];
    int power = power_of(fmax(fabs(low), fabs(high)));
    bool plain = strcmp(unit, "1") == 0 || unit[0] == '\0';
    if (power >= -3 && power < 3 && !takes_prefix(unit)) power = 0;
    scaled.factor = pow(10, -power);
    show_unit(unit, shown, sizeof shown);
    show_power(power, times, sizeof times);
    if (plain && power == 0)
        scaled.text[0] = '\0';
    else if (plain)
        snprintf(scaled.text, sizeof scaled.text, " [%s]", times);
    else if (power == 0)
        snprintf(scaled.text, sizeof scaled.text, " [%s]", shown);
    else if (takes_prefix(unit) && prefix_of(power) != NULL)
        snprintf(scaled.text, sizeof scaled.text, " [%s%s]", prefix_of(power), shown);
    else
        snprintf(scaled.text, sizeof scaled.text, " [%s %s]", times, shown);
    return scaled;
}

/* --- data ------------------------------------------------------------------------------------------- */

static struct scaled_unit panel_unit(const struct sg_panel *panel)
{
    double low = 0, high = 0;
    if (panel->log) return scale_unit(panel->unit, 1, 1);
    for (size_t j = 0; j < panel->count; j++) {
        low = fmin(low, panel->curves[j].curve.low);
        high = fmax(high, panel->curves[j].curve.high);
    }
    return scale_unit(panel->unit, low, high);
}

static struct scaled_unit scale_of(const struct sg_plot *plot)
{
    return plot->log ? scale_unit(plot->scale->unit, 1, 1)
                     : scale_unit(plot->scale->unit, plot->low, plot->high);
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
    double in_x = scale_of(plot).factor;
    for (size_t i = 0; i < plot->count; i++) {
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

/* --- appearance ---------------------------------------------------------------------------------------- */

static double figure_height(const struct sg_plot *plot)
{
    double count = (double)plot->count;
    return top_margin + bottom_margin + count * panel_height + (count - 1) * panel_gap;
}

static void put_terminal(struct sg_text *script, const struct sg_plot *plot, enum sg_plot_format format)
{
    double width = figure_width, height = figure_height(plot);
    sg_text_append(script, "set encoding utf8\n");
    if (format == SG_PLOT_PDF)
        sg_text_append(script, "set terminal pdfcairo noenhanced size %gin,%gin font 'DejaVu Sans,8'\n",
                       width, height);
    else if (format == SG_PLOT_PNG) /* 220 dots an inch */
        sg_text_append(script,
                       "set terminal pngcairo noenhanced size %.0f,%.0f font 'DejaVu Sans,8' fontscale 2.2 "
                       "linewidth 2.4\n",
                       220 * width, 220 * height);
    else
        sg_text_append(script,
                       "set terminal svg noenhanced size %.0f,%.0f font 'DejaVu Sans,Arial,sans-serif,11' "
                       "background rgb 'white'\n",
                       120 * width, 120 * height);
    sg_text_append(script, "set output 'plot.out'\n");
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
    struct scaled_unit x = scale_of(plot);
    sg_text_append(script, "set border linewidth 0.6\n"
                           "set tics scale 0.6\n"
                           "set mxtics 2\n"
                           "set xzeroaxis linetype 1 linecolor rgb '#999999' linewidth 0.5\n"
                           "set key at graph 1.015, graph 1.01 left top vertical Left reverse samplen 1.4 "
                           "spacing 1.1\n"
                           "set autoscale yfix\n"
                           "set format x ''\n"
                           "set format y '%%.6g'\n"
                           "set offsets 0, 0, graph 0.06, graph 0.06\n");
    sg_text_append(script, "set lmargin at screen %g\nset rmargin at screen %g\n", left_edge, right_edge);
    if (plot->log) sg_text_append(script, "set logscale x\nset mxtics 10\n");
    if (plot->high > plot->low)
        sg_text_append(script, "set xrange [%.9g:%.9g]\n", plot->low * x.factor, plot->high * x.factor);
    put_phases(script, plot, x.factor);
    sg_text_append(script, "set label 1 ");
    put_quoted(script, plot->title, TITLE_LETTERS);
    sg_text_append(script, " at screen %g, screen %g left font ',10'\n", left_edge,
                   1 - 0.5 * top_margin / height);
}

static void put_scale_label(struct sg_text *script, const struct sg_plot *plot)
{
    char name[SG_PLOT_LABEL + 64];
    struct scaled_unit x = scale_of(plot);
    bool points = plot->scale->group == SG_SERIES_POINTS;
    snprintf(name, sizeof name, "%.60s%s", points ? plot->scale->description : plot->scale->name, x.text);
    sg_text_append(script, "set format x '%%.6g'\nset xlabel ");
    put_quoted(script, name, AXIS_LETTERS);
    sg_text_append(script, "\n");
    if (plot->phases.count == 0) return;
    sg_text_append(script,
                   "set label 2 'shaded: in contact' at screen %g, screen %g left textcolor rgb "
                   "'#666666'\n",
                   right_edge + 0.015, 0.22 / figure_height(plot));
}

static void put_curve(struct sg_text *script, const struct sg_panel *panel, size_t i, size_t j, bool points)
{
    const struct sg_panel_curve *drawn = &panel->curves[j];
    const char *color = drawn->color < 0 ? "#000000" : palette[drawn->color % COLORS];
    const char *next = j == 0 ? "plot" : ", \\\n    ";
    if (drawn->marks)
        sg_text_append(
            script,
            "%s $curve_%zu_%zu every %zu using 1:2 with points pointtype 6 pointsize 0.7 linewidth 0.8 "
            "linecolor rgb '%s' ",
            next, i, j, drawn->curve.count / MARKS + 1, color);
    else
        sg_text_append(script,
                       "%s $curve_%zu_%zu using 1:2 with %s linetype 1 linewidth %g linecolor rgb '%s'%s ",
                       next, i, j, points ? "linespoints" : "lines", drawn->color < 0 ? 1.6 : 1.1, color,
                       points ? " pointtype 7 pointsize 0.25" : "");
    if (drawn->label[0] == '\0' || drawn->marks) {
        sg_text_append(script, "notitle");
        return;
    }
    sg_text_append(script, "title ");
    put_quoted(script, drawn->label, KEY_LETTERS);
}

static void put_panel(struct sg_text *script, const struct sg_plot *plot, size_t i)
{
    const struct sg_panel *panel = &plot->panels[i];
    struct scaled_unit y = panel_unit(panel);
    double height = figure_height(plot);
    double top = height - top_margin - (double)i * (panel_height + panel_gap);
    char label[SG_PLOT_LABEL + 64];
    snprintf(label, sizeof label, "%s%s", panel->label, y.text);
    sg_text_append(script, "set tmargin at screen %g\nset bmargin at screen %g\nunset label 4\nset label 4 ",
                   top / height, (top - panel_height) / height);
    put_quoted(script, label, AXIS_LETTERS);
    sg_text_append(script, " at screen 0.022, graph 0.5 center rotate by 90%s\n",
                   strlen(label) > LONG_LABEL ? " font ',6.5'" : "");
    if (i + 1 == plot->count) put_scale_label(script, plot);
    if (panel->hidden > 0)
        sg_text_append(
            script,
            "set label 3 '%zu of %zu shown' at graph 1.025, graph 0.06 left textcolor rgb '#666666'\n",
            panel->count, panel->count + panel->hidden);
    else
        sg_text_append(script, "unset label 3\n");
    bool points = plot->scale->group == SG_SERIES_POINTS && !plot->log;
    sg_text_append(script, panel->log ? "set logscale y\n" : "unset logscale y\n");
    for (size_t j = 0; j < panel->count; j++) put_curve(script, panel, i, j, points);
    /* the title is written once */
    sg_text_append(script, "\nunset label 1\n");
}

void sg_plot_script(const struct sg_plot *plot, enum sg_plot_format format, struct sg_text *script)
{
    put_data(script, plot);
    put_terminal(script, plot, format);
    put_frame(script, plot);
    sg_text_append(script, "set multiplot\n");
    for (size_t i = 0; i < plot->count; i++) put_panel(script, plot, i);
    sg_text_append(script, "unset multiplot\nset output\n");
}
