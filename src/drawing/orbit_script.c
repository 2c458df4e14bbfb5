#include <math.h>
#include <stdint.h>
#include <stdio.h>

#include "drawing/orbit.h"

/* inches */
static const double width = 7.0, height = 3.3;

enum { TITLE_LETTERS = 76, IMAGE_ROWS = 81 };

/* the field of one sample at a place, linear between the nodes on both sides of it */
static double at_place(const struct sg_plot_orbit *plot, const double *row, double x)
{
    size_t left = SIZE_MAX, right = SIZE_MAX;
    for (size_t i = 0; i < plot->nodes; i++) {
        double place = plot->place[i];
        if (!isfinite(row[i])) continue;
        if (place <= x && (left == SIZE_MAX || place > plot->place[left])) left = i;
        if (place >= x && (right == SIZE_MAX || place < plot->place[right])) right = i;
    }
    if (left == SIZE_MAX || right == SIZE_MAX) return NAN;
    double span = plot->place[right] - plot->place[left];
    double part = span > 0 ? (x - plot->place[left]) / span : 0;
    return row[left] + part * (row[right] - row[left]);
}

static void find_ends(const struct sg_plot_orbit *plot, double *low, double *high)
{
    *low = HUGE_VAL;
    *high = -HUGE_VAL;
    for (size_t i = 0; i < plot->nodes; i++) {
        *low = fmin(*low, plot->place[i]);
        *high = fmax(*high, plot->place[i]);
    }
}

/* An image has even rows: nodes need not be evenly spread. */
static void put_field(struct sg_text *script, const struct sg_plot_orbit *plot, const char *name,
                      const double *field, double factor)
{
    double low, high;
    find_ends(plot, &low, &high);
    sg_text_append(script, "$%s << END\n", name);
    for (size_t k = 0; k < plot->samples; k++) {
        for (int i = 0; i < IMAGE_ROWS; i++) {
            double x = i + 1 < IMAGE_ROWS ? low + (high - low) * i / (IMAGE_ROWS - 1) : high;
            double value = at_place(plot, field + k * plot->nodes, x);
            if (isfinite(value)) sg_text_append(script, "%.7g %.7g %.7g\n", plot->time[k], x, value * factor);
        }
        sg_text_append(script, "\n");
    }
    sg_text_append(script, "END\n");
}

static void find_range(const struct sg_plot_orbit *plot, const double *field, double *low, double *high)
{
    *low = 0;
    *high = 0;
    for (size_t i = 0; i < plot->samples * plot->nodes; i++) {
        *low = fmin(*low, field[i]);
        *high = fmax(*high, field[i]);
    }
}

/* while a contact is closed: a rectangle over the panel's upper edge each time */
static void put_contacts(struct sg_text *script, const struct sg_plot_orbit *plot)
{
    int number = 0;
    for (size_t k = 0; k < plot->samples; k++) {
        if (plot->closed[k] == 0 || (k > 0 && plot->closed[k - 1] != 0)) continue;
        size_t last = k;
        while (last + 1 < plot->samples && plot->closed[last + 1] != 0) last++;
        number++;
        sg_text_append(script,
                       "set object %d rectangle from first %.7g, graph 1.0 to first %.7g, graph 1.045 noclip "
                       "fillstyle solid noborder fillcolor rgb '#444444' front\n"
                       "set object %d rectangle from first %.7g, graph 0 to first %.7g, graph 1 "
                       "fillstyle transparent solid 0.12 noborder fillcolor rgb '#000000' front\n",
                       number, plot->time[k], plot->time[last], 1000 + number, plot->time[k],
                       plot->time[last]);
        k = last;
    }
}

struct panel {
    const char *name, *label, *unit;
    const double *field;
    double left;
};

static void put_panel(struct sg_text *script, const struct sg_plot_orbit *plot, const struct panel *panel)
{
    double low, high;
    find_range(plot, panel->field, &low, &high);
    struct sg_plot_unit unit = sg_plot_unit_of(panel->unit, low, high);
    double most = fmax(fabs(low), fabs(high)) * unit.factor;
    sg_text_append(script,
                   "set lmargin at screen %g\nset rmargin at screen %g\nset cbrange [%.6g:%.6g]\n"
                   "set label 2 '%s%s' at graph 0, graph 1.09 left\n"
                   "plot $%s using 1:2:3 with image notitle\nunset label 1\nunset label 3\n",
                   panel->left, panel->left + 0.32, -most, most, panel->label, unit.text, panel->name);
}

static void put_frame(struct sg_text *script, const struct sg_plot_orbit *plot)
{
    char words[120];
    double low, high;
    find_ends(plot, &low, &high);
    snprintf(words, sizeof words, "omega/omega_1 = %.4g, E/E_1 = %.4g, T = %.5g s; dark: in contact",
             plot->ratio, plot->energy, plot->period);
    sg_text_append(
        script,
        "set border linewidth 0.6\nset tics scale 0.6 front\nunset key\n"
        "set palette defined (0 '#053061', 1 '#2166AC', 2 '#4393C3', 3 '#92C5DE', 4 '#F7F7F7', "
        "5 '#F4A582', 6 '#D6604D', 7 '#B2182B', 8 '#67001F')\n"
        "set format '%%.6g'\nset xrange [0:%.7g]\nset yrange [%.7g:%.7g]\nset xlabel 't [s]' offset 0, 0.4\n"
        "set ylabel 'x [m]' offset 0.6, 0\nset tmargin at screen 0.76\nset bmargin at screen 0.15\n"
        "set label 1 ",
        plot->period, low, high);
    sg_plot_quote(script, plot->title, TITLE_LETTERS);
    sg_text_append(script,
                   " at screen 0.085, screen 0.955 left font ',10'\nset label 3 '%s' noenhanced at "
                   "screen 0.085, screen 0.885 left textcolor rgb '#555555'\n",
                   words);
}

void sg_plot_orbit_script(const void *what, enum sg_plot_format format, struct sg_text *script)
{
    const struct sg_plot_orbit *plot = what;
    struct panel panels[2] = {{"displacement", "displacement", "m", plot->displacement, 0.085},
                              {"velocity", "velocity", "m/s", plot->velocity, 0.57}};
    for (int i = 0; i < 2; i++) {
        double low, high;
        find_range(plot, panels[i].field, &low, &high);
        put_field(script, plot, panels[i].name, panels[i].field,
                  sg_plot_unit_of(panels[i].unit, low, high).factor);
    }
    sg_plot_terminal(script, format, width, height);
    put_frame(script, plot);
    put_contacts(script, plot);
    sg_text_append(script, "set multiplot\n");
    for (int i = 0; i < 2; i++) put_panel(script, plot, &panels[i]);
    sg_text_append(script, "unset multiplot\nset output\n");
}
