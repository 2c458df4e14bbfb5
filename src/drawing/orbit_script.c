#include <math.h>
#include <stdint.h>
#include <stdio.h>

#include "drawing/orbit.h"
#include "drawing/units.h"

/* The figure, in inches. */
static const double width = 7.0, height = 3.3;

enum { IMAGE_ROWS = 81, SHADES = 1000 /* numbers of gnuplot's objects from here on */ };

/* The field of one sample at a place, linear between the nearest nodes on both sides; NaN beyond all nodes.
 */
static double at_place(const struct sg_plot_orbit *plot, const double *row, double x)
{
    size_t left = SIZE_MAX, right = SIZE_MAX;
    for (size_t i = 0; i < plot->nodes; i++) {
        double place = plot->position[i];
        if (!isfinite(row[i])) continue;
        if (place <= x && (left == SIZE_MAX || place > plot->position[left])) left = i;
        if (place >= x && (right == SIZE_MAX || place < plot->position[right])) right = i;
    }
    if (left == SIZE_MAX || right == SIZE_MAX) return NAN;
    double span = plot->position[right] - plot->position[left];
    double part = span > 0 ? (x - plot->position[left]) / span : 0;
    return row[left] + part * (row[right] - row[left]);
}

static void find_ends(const struct sg_plot_orbit *plot, double *low, double *high)
{
    *low = HUGE_VAL;
    *high = -HUGE_VAL;
    for (size_t i = 0; i < plot->nodes; i++) {
        *low = fmin(*low, plot->position[i]);
        *high = fmax(*high, plot->position[i]);
    }
}

/* An image has even rows: nodes need not be evenly spread. */
static void put_field(struct sg_script *script, const struct sg_plot_orbit *plot, const char *name,
                      const double *field, double factor)
{
    double low, high;
    find_ends(plot, &low, &high);
    SG_PUT(script, "data", SG_WORDS("name", name));
    for (size_t k = 0; k < plot->samples; k++) {
        for (int i = 0; i < IMAGE_ROWS; i++) {
            double x = i + 1 < IMAGE_ROWS ? low + (high - low) * i / (IMAGE_ROWS - 1) : high;
            double value = at_place(plot, field + k * plot->nodes, x);
            if (isfinite(value))
                sg_text_append(&script->text, "%.7g %.7g %.7g\n", plot->time[k], x, value * factor);
        }
        sg_text_append(&script->text, "\n");
    }
    sg_script_end_data(script);
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

/* While a contact is closed a rectangle lies over the panel's upper edge, and a shade over the panel. */
static void put_contacts(struct sg_script *script, const struct sg_plot_orbit *plot)
{
    int number = 0;
    for (size_t k = 0; k < plot->samples; k++) {
        if (plot->closed[k] == 0) continue;
        size_t last = k;
        while (last + 1 < plot->samples && plot->closed[last + 1] != 0) last++;
        number++;
        SG_PUT(script, "contact", SG_NUMBER("number", number), SG_NUMBER("shade", SHADES + number),
               SG_NUMBER("start", plot->time[k]), SG_NUMBER("end", plot->time[last]));
        k = last;
    }
}

struct panel {
    const char *name, *unit;
    const double *field;
    double left;
};

static struct sg_plot_unit unit_of(const struct sg_plot_orbit *plot, const struct panel *panel, double *most)
{
    double low, high;
    find_range(plot, panel->field, &low, &high);
    struct sg_plot_unit unit = sg_plot_unit_of(panel->unit, low, high);
    *most = fmax(fabs(low), fabs(high)) * unit.factor;
    return unit;
}

static void put_panel(struct sg_script *script, const struct sg_plot_orbit *plot, const struct panel *panel)
{
    char label[120];
    double most;
    struct sg_plot_unit unit = unit_of(plot, panel, &most);
    snprintf(label, sizeof label, "%s%s", panel->name, unit.text);
    SG_PUT(script, "panel", SG_NUMBER("left", panel->left), SG_NUMBER("right", panel->left + 0.32),
           SG_NUMBER("least", -most), SG_NUMBER("most", most), SG_TEXT("label", label),
           SG_WORDS("name", panel->name));
}

static void put_frame(struct sg_script *script, const struct sg_plot_orbit *plot)
{
    double low, high;
    find_ends(plot, &low, &high);
    SG_PUT(script, "frame", SG_NUMBER("period", plot->period), SG_NUMBER("low", low), SG_NUMBER("high", high),
           SG_TEXT("title", plot->title), SG_NUMBER("ratio", plot->ratio), SG_NUMBER("energy", plot->energy));
}

void sg_plot_orbit_script(const void *what, enum sg_plot_format format, struct sg_script *script)
{
    const struct sg_plot_orbit *plot = what;
    struct panel panels[2] = {{"displacement", "m", plot->displacement, 0.085},
                              {"velocity", "m/s", plot->velocity, 0.57}};
    double most;
    script->template = sg_template_orbit;
    for (int i = 0; i < 2; i++)
        put_field(script, plot, panels[i].name, panels[i].field, unit_of(plot, &panels[i], &most).factor);
    sg_plot_terminal(script, format, width, height);
    put_frame(script, plot);
    put_contacts(script, plot);
    sg_script_put(script, "begin", NULL);
    for (int i = 0; i < 2; i++) put_panel(script, plot, &panels[i]);
    sg_script_put(script, "end", NULL);
}
