#include <math.h>
#include <stdio.h>

#include "drawing/field.h"
#include "drawing/units.h"
#include "results/element_shape.h"

/* Lengths in inches: a figure over two columns of a page. */
static const double most_width = 7.0, least_width = 3.5, most_height = 4.2, least_height = 1.2;
static const double left_margin = 0.68, right_margin = 0.98, top_margin = 0.32, bottom_margin = 0.5;
static const double column_gap = 0.12, time_height = 0.22; /* what stands above a panel */
static const double bar_gap = 0.13, bar_width = 0.13, bar_height = 3.0,
                    bar_label = 0.62;          /* from the panels */
static const double border = 0.04;             /* around the mesh, of its extent */
static const double smallest_outlined = 0.035; /* elements that are drawn with their outlines */

enum { TITLE_LETTERS = 76 /* over most_width */ };

/* --- layout --------------------------------------------------------------------------------------- */

/* Panels in rows, left to right, all of one frame; the columns that make them largest. */
struct layout {
    size_t columns, rows;
    double width, height;   /* of a panel */
    double low[2], high[2]; /* of its axes, m */
    double panels_width, figure_width, figure_height;
};

static void choose_columns(struct layout *layout, size_t count, double aspect)
{
    layout->columns = 1;
    layout->rows = count;
    for (size_t columns = 1; columns <= count; columns++) {
        size_t rows = (count + columns - 1) / columns;
        double across = most_width - left_margin - right_margin - (double)(columns - 1) * column_gap;
        double width = fmin(across / (double)columns, (most_height / (double)rows - time_height) / aspect);
        if (width <= layout->width * (1 + 1e-9)) continue;
        *layout = (struct layout){.columns = columns, .rows = rows, .width = width};
    }
    layout->height = layout->width * aspect;
}

/* Rounds up to lengths that are whole pixels of all terminals: were the figure rounded, one axis would be
 * stretched. */
static double whole_pixels(double inches)
{
    return ceil(20 * inches - 1e-6) / 20;
}

static struct layout lay_out(const struct sg_plot_field *plot)
{
    struct layout layout = {0};
    double low[2], high[2];
    for (size_t d = 0; d < 2; d++) {
        double around = border * fmax(plot->high[0] - plot->low[0], plot->high[1] - plot->low[1]);
        low[d] = plot->low[d] - around;
        high[d] = plot->high[d] + around;
    }
    choose_columns(&layout, plot->count, (high[1] - low[1]) / (high[0] - low[0]));
    for (size_t d = 0; d < 2; d++) {
        layout.low[d] = low[d];
        layout.high[d] = high[d];
    }
    layout.panels_width = (double)layout.columns * (layout.width + column_gap) - column_gap;
    double panels = (double)layout.rows * (layout.height + time_height);
    layout.figure_width = whole_pixels(fmax(left_margin + layout.panels_width + right_margin, least_width));
    layout.figure_height = whole_pixels(top_margin + bottom_margin + fmax(panels, least_height));
    return layout;
}

static struct sg_plot_unit length_unit(const struct layout *layout)
{
    return sg_plot_unit_of("m", fmin(layout->low[0], layout->low[1]), fmax(layout->high[0], layout->high[1]));
}

static struct sg_plot_unit value_unit(const struct sg_plot_field *plot)
{
    return sg_plot_unit_of(plot->unit, plot->least, plot->most);
}

/* --- polygons ------------------------------------------------------------------------------------- */

struct pen {
    struct sg_text *data;
    const struct sg_plot_field *plot;
    const struct sg_field_panel *panel;
    double in_length, in_value; /* factors of the units */
};

static void put_corner(const struct pen *pen, const double at[2], double value)
{
    sg_text_append(pen->data, "%.7g %.7g %.7g\n", at[0] * pen->in_length, at[1] * pen->in_length,
                   value * pen->in_value);
}

static const double *place_of(const struct pen *pen, size_t node)
{
    return pen->panel->position + 2 * node;
}

/* Walks around the element, back to its first node. */
static void put_outline(const struct pen *pen, size_t element, double value)
{
    size_t nodes[SG_OUTLINE_NODES], count = sg_plot_outline(&pen->plot->scene.mesh, element, nodes);
    if (count == 0 || !isfinite(value)) return;
    for (size_t k = 0; k <= count; k++) put_corner(pen, place_of(pen, nodes[k % count]), value);
    sg_text_append(pen->data, "\n\n");
}

static void between(const double *a, const double *b, double out[2])
{
    for (size_t d = 0; d < 2; d++) out[d] = (a[d] + b[d]) / 2;
}

/* An element as it is cut into the shares of its nodes. */
struct cut {
    size_t nodes[SG_OUTLINE_NODES], count;
    bool hollow;      /* the inner half is the share of a node at the center */
    size_t inner;     /* that node */
    double center[2]; /* its place, else the mean of the outline */
};

static struct cut cut_of(const struct pen *pen, size_t element)
{
    const struct sg_mesh *mesh = &pen->plot->scene.mesh;
    struct cut cut = {.hollow = mesh->shapes[element] == SG_SHAPE_QUAD9};
    cut.count = sg_plot_outline(mesh, element, cut.nodes);
    if (cut.hollow) cut.inner = (size_t)mesh->nodes[element * mesh->width + SG_SHAPE_NODES - 1];
    for (size_t d = 0; d < 2; d++) {
        for (size_t k = 0; k < cut.count; k++)
            cut.center[d] += place_of(pen, cut.nodes[k])[d] / (double)cut.count;
        if (cut.hollow) cut.center[d] = place_of(pen, cut.inner)[d];
    }
    return cut;
}

/* Node k of the outline has what lies between it, the middles of the ways to its neighbours, and the center.
 * Shares must not overlap: of two polygons cairo shows the first. */
static void put_share(const struct pen *pen, const struct cut *cut, size_t k)
{
    const double *at = place_of(pen, cut->nodes[k]);
    double value = pen->panel->value[cut->nodes[k]], corners[6][2];
    if (!isfinite(value)) return;
    between(at, place_of(pen, cut->nodes[(k + 1) % cut->count]), corners[1]);
    between(at, place_of(pen, cut->nodes[(k + cut->count - 1) % cut->count]), corners[5]);
    between(corners[1], cut->hollow ? cut->center : corners[1], corners[2]);
    between(cut->center, cut->hollow ? at : cut->center, corners[3]);
    between(corners[5], cut->hollow ? cut->center : corners[5], corners[4]);
    put_corner(pen, at, value);
    for (size_t i = 1; i < 6; i++)
        if (cut->hollow || i % 2 == 1) put_corner(pen, corners[i], value);
    put_corner(pen, at, value);
    sg_text_append(pen->data, "\n\n");
}

static void put_inner_share(const struct pen *pen, const struct cut *cut)
{
    double value = pen->panel->value[cut->inner], corner[2];
    if (!isfinite(value)) return;
    for (size_t k = 0; k <= cut->count; k++) {
        between(cut->center, place_of(pen, cut->nodes[k < cut->count ? k : 0]), corner);
        put_corner(pen, corner, value);
    }
    sg_text_append(pen->data, "\n\n");
}

static void put_shares(const struct pen *pen, size_t element)
{
    struct cut cut = cut_of(pen, element);
    for (size_t k = 0; k < cut.count; k++) put_share(pen, &cut, k);
    if (cut.hollow) put_inner_share(pen, &cut);
}

static void put_data(struct sg_script *script, const struct pen *pen, size_t i)
{
    size_t elements = pen->plot->scene.mesh.element_count;
    SG_PUT(script, "fill", SG_NUMBER("panel", i));
    for (size_t e = 0; e < elements; e++) {
        if (pen->plot->cells)
            put_outline(pen, e, pen->panel->value[e]);
        else
            put_shares(pen, e);
    }
    sg_script_end_data(script);
    SG_PUT(script, "edges", SG_NUMBER("panel", i));
    for (size_t e = 0; e < elements; e++) put_outline(pen, e, 0);
    sg_script_end_data(script);
}

/* --- appearance ----------------------------------------------------------------------------------- */

/* An axis of colours must not be empty when its ends are written with nine digits. */
static double widening(double low, double high)
{
    double size = fmax(fabs(low), fabs(high));
    if (high - low > 1e-6 * size) return 0;
    return size > 0 ? 0.01 * size : 1;
}

static void put_frame(struct sg_script *script, const struct sg_plot_field *plot, const struct layout *layout)
{
    double in_length = length_unit(layout).factor, in_value = value_unit(plot).factor;
    double width = layout->figure_width, height = layout->figure_height;
    double least = plot->least * in_value, most = plot->most * in_value, more = widening(least, most);
    SG_PUT(script, "frame", SG_NUMBER("x_low", layout->low[0] * in_length),
           SG_NUMBER("x_high", layout->high[0] * in_length), SG_NUMBER("y_low", layout->low[1] * in_length),
           SG_NUMBER("y_high", layout->high[1] * in_length), SG_NUMBER("least", least - more),
           SG_NUMBER("most", most + more),
           SG_SHORT("title", plot->title, (size_t)(TITLE_LETTERS * width / most_width)),
           SG_NUMBER("title_x", left_margin / width), SG_NUMBER("title_y", 1 - 0.45 * top_margin / height));
    if (plot->deform != 1)
        SG_PUT(script, "deformation", SG_NUMBER("deform", plot->deform), SG_NUMBER("x", 1 - 0.1 / width),
               SG_NUMBER("y", 0.12 / height));
    sg_script_put(script, "begin", NULL);
}

static void put_axes(struct sg_script *script, bool lowest, bool first, const char *unit)
{
    char x[80], y[80];
    snprintf(x, sizeof x, "x%s", unit);
    snprintf(y, sizeof y, "y%s", unit);
    if (lowest)
        SG_PUT(script, "x axis", SG_TEXT("label", x));
    else
        sg_script_put(script, "no x axis", NULL);
    if (first)
        SG_PUT(script, "y axis", SG_TEXT("label", y));
    else
        sg_script_put(script, "no y axis", NULL);
}

/* The color bar stands beside the panels, once for all of them. */
static void put_color_bar(struct sg_script *script, const struct sg_plot_field *plot,
                          const struct layout *layout)
{
    char label[200];
    double width = layout->figure_width, left = left_margin + layout->panels_width + bar_gap;
    double within = layout->figure_height - top_margin - time_height - bottom_margin;
    double middle = (bottom_margin + within / 2) / layout->figure_height;
    double height = fmin(bar_height, within) / layout->figure_height;
    snprintf(label, sizeof label, "%s%s", plot->name, value_unit(plot).text);
    SG_PUT(script, "color bar", SG_NUMBER("left", left / width), SG_NUMBER("bottom", middle - height / 2),
           SG_NUMBER("width", bar_width / width), SG_NUMBER("height", height), SG_TEXT("label", label),
           SG_NUMBER("label_x", (left + bar_label) / width), SG_NUMBER("middle", middle));
}

static void place_panel(struct sg_script *script, const struct layout *layout, size_t i, double t)
{
    double width = layout->figure_width, height = layout->figure_height;
    size_t line = i / layout->columns, column = i - line * layout->columns;
    double x = left_margin + (double)column * (layout->width + column_gap);
    double top = height - top_margin - time_height - (double)line * (layout->height + time_height);
    SG_PUT(script, "place", SG_NUMBER("left", x / width), SG_NUMBER("right", (x + layout->width) / width),
           SG_NUMBER("top", top / height), SG_NUMBER("bottom", (top - layout->height) / height),
           SG_NUMBER("t", t));
}

static void put_panel(struct sg_script *script, const struct sg_plot_field *plot, const struct layout *layout,
                      size_t i)
{
    bool lowest = i + layout->columns >= plot->count, first = i % layout->columns == 0;
    double size = sqrt(layout->width * layout->height / (double)plot->drawn);
    place_panel(script, layout, i, plot->panels[i].t);
    put_axes(script, lowest, first, length_unit(layout).text);
    if (i + 1 == plot->count) put_color_bar(script, plot, layout);
    SG_PLOT(script, "filled", SG_NUMBER("panel", i));
    if (size >= smallest_outlined) SG_PLOT(script, "outlines", SG_NUMBER("panel", i));
    sg_script_end_plot(script);
    sg_script_put(script, "end of panel", NULL);
}

void sg_plot_field_script(const void *what, enum sg_plot_format format, struct sg_script *script)
{
    const struct sg_plot_field *plot = what;
    struct layout layout = lay_out(plot);
    script->template = sg_template_field;
    for (size_t i = 0; i < plot->count; i++) {
        struct pen pen = {&script->text, plot, &plot->panels[i], length_unit(&layout).factor,
                          value_unit(plot).factor};
        put_data(script, &pen, i);
    }
    sg_plot_terminal(script, format, layout.figure_width, layout.figure_height);
    put_frame(script, plot, &layout);
    for (size_t i = 0; i < plot->count; i++) put_panel(script, plot, &layout, i);
    sg_script_put(script, "end", NULL);
}
