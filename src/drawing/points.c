#include "drawing/points.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "drawing/branches.h"

/* These come first in a figure, in this order; the others follow by name. */
static const char *const first[] = {"spectral_radius",    "period_elongation",        "amplitude_decay",
                                    "contact_velocity",   "contact_velocity_formula", "rebound",
                                    "pseudo_acceleration"};
enum { FIRST = sizeof first / sizeof *first };

static bool is_first(const char *name)
{
    for (size_t k = 0; k < FIRST; k++)
        if (sg_plot_in_group(name, first[k])) return true;
    return false;
}

static struct sg_panel *find_panel(struct sg_plot *plot, const char *group)
{
    char label[SG_PLOT_LABEL];
    sg_plot_label(group, label);
    for (size_t i = 0; i < plot->count; i++)
        if (strcmp(plot->panels[i].label, label) == 0) return &plot->panels[i];
    return NULL;
}

/* Target and mean of spectra stand in front of the records: the last word of a name tells them. */
static bool is_front(const char *name)
{
    const char *slash = strrchr(name, '/'), *word = slash != NULL ? slash + 1 : name;
    return strcmp(word, "target") == 0 || strcmp(word, "mean") == 0;
}

static size_t count_front(const struct sg_panel *panel)
{
    size_t count = 0;
    for (size_t j = 0; j < panel->count; j++) count += panel->curves[j].front;
    return count;
}

static int color_of(const struct sg_panel *panel, const char *name)
{
    if (strcmp(name, "target") == 0) return -1;
    return strcmp(name, "mean") == 0 ? -2 : (int)(panel->count - 1 - count_front(panel));
}

/* Marks have the colour of the curve of the same name. */
static void set_look(struct sg_panel *panel, const char *name, bool marks)
{
    struct sg_panel_curve *drawn = &panel->curves[panel->count - 1];
    drawn->color = color_of(panel, name);
    drawn->front = is_front(name);
    drawn->marks = marks;
    sg_plot_label(name, drawn->label);
    for (size_t j = 0; marks && j + 1 < panel->count; j++)
        if (strcmp(panel->curves[j].label, drawn->label) == 0) drawn->color = panel->curves[j].color;
}

static sg_status add_shared(struct sg_plot *plot, const struct sg_reader *reader,
                            const struct sg_series *series, const char *slash, struct sg_error *err)
{
    static const char measured[] = "_measured";
    char group[SG_PLOT_LABEL];
    size_t end = strlen(measured);
    snprintf(group, sizeof group, "%.*s", (int)(slash - series->name), series->name);
    size_t length = strlen(group);
    struct sg_panel *panel = find_panel(plot, group);
    bool marks = panel == NULL && length > end && strcmp(group + length - end, measured) == 0;
    if (marks) {
        group[length - end] = '\0';
        panel = find_panel(plot, group);
        marks = panel != NULL;
        if (!marks) group[length - end] = measured[0];
    }
    if (panel == NULL) panel = sg_plot_add_panel(plot, group, series->unit);
    if (panel == NULL) return SG_OK;
    if (panel->count == SG_PANEL_CURVES) {
        panel->hidden++;
        return SG_OK;
    }
    TRY(sg_plot_add_curve(plot, reader, series, panel, err));
    set_look(panel, slash + 1, marks);
    return SG_OK;
}

static sg_status add_point_series(struct sg_plot *plot, const struct sg_reader *reader,
                                  const struct sg_series *series, struct sg_error *err)
{
    const char *slash = strrchr(series->name, '/');
    if (slash == NULL || series->width > 0) return sg_plot_add_series(plot, reader, series, err);
    return add_shared(plot, reader, series, slash, err);
}

static bool is_shown(const struct sg_plot *plot, const struct sg_series *series, const char *group)
{
    return series->group == plot->axis.scale->group && !series->scale &&
           sg_plot_in_group(series->name, group);
}

/* Adds to the name of a mean how many records it is of: "mean of 10". */
static void tell_numbers(struct sg_panel *panel)
{
    size_t records = panel->count - count_front(panel) + panel->hidden;
    for (size_t j = 0; j < panel->count; j++)
        if (panel->curves[j].front && strcmp(panel->curves[j].label, "mean") == 0)
            snprintf(panel->curves[j].label, SG_PLOT_LABEL, "mean of %zu", records);
}

/* Finds the part of the scale where a panel has numbers; false if it has none. */
static bool extent_of(const struct sg_panel *panel, double *low, double *high)
{
    *low = HUGE_VAL;
    *high = -HUGE_VAL;
    for (size_t j = 0; j < panel->count; j++) {
        const struct sg_curve *curve = &panel->curves[j].curve;
        for (size_t k = 0; k < curve->count; k++) {
            if (!isfinite(curve->y[k])) continue;
            *low = fmin(*low, curve->x[k]);
            *high = fmax(*high, curve->x[k]);
        }
    }
    return *low < *high;
}

/* Whether a panel has numbers over a small part of the scale alone, so that the rest of it would be empty. */
static bool is_brief(const struct sg_panel *panel, double *low, double *high)
{
    const double good_part = 0.75;
    const struct sg_plot_axis *axis = &panel->axis;
    if (!extent_of(panel, low, high)) return false;
    double whole = axis->log ? log(axis->high / axis->low) : axis->high - axis->low;
    return (axis->log ? log(*high / *low) : *high - *low) < good_part * whole;
}

/* Such panels show where they have numbers, all the same part. */
static void shorten(struct sg_plot *plot, size_t from)
{
    double low, high, least = HUGE_VAL, most = -HUGE_VAL;
    for (size_t i = from; i < plot->count; i++) {
        if (!is_brief(&plot->panels[i], &low, &high)) continue;
        least = fmin(least, low);
        most = fmax(most, high);
    }
    for (size_t i = from; i < plot->count; i++) {
        if (!is_brief(&plot->panels[i], &low, &high)) continue;
        plot->panels[i].axis.low = least;
        plot->panels[i].axis.high = most;
    }
}

/* Series are added in passes, so that the most important ones find room in any case. */
struct pass {
    size_t first; /* of that list; FIRST: the rest */
    bool front;
};

static sg_status add_group(struct sg_plot *plot, const struct sg_reader *reader, struct pass pass,
                           const char *group, struct sg_error *err)
{
    for (size_t i = 0; i < sg_reader_count(reader); i++) {
        const struct sg_series *series = sg_reader_series(reader, i);
        const char *name = series->name;
        bool now = pass.first < FIRST ? sg_plot_in_group(name, first[pass.first]) : !is_first(name);
        if (now && is_front(name) == pass.front && is_shown(plot, series, group))
            TRY(add_point_series(plot, reader, series, err));
    }
    return SG_OK;
}

sg_status sg_plot_add_points(struct sg_plot *plot, const struct sg_reader *reader, const char *group,
                             struct sg_error *err)
{
    size_t before = plot->count;
    if (sg_reader_find(reader, SG_SERIES_POINTS, "branch") != NULL)
        return sg_plot_add_branches(plot, reader, group, err);
    for (size_t k = 0; k <= FIRST; k++) {
        TRY(add_group(plot, reader, (struct pass){k, true}, group, err));
        TRY(add_group(plot, reader, (struct pass){k, false}, group, err));
    }
    for (size_t i = before; i < plot->count; i++) {
        plot->panels[i].log = plot->axis.log && sg_plot_spans_decades(&plot->panels[i]);
        tell_numbers(&plot->panels[i]);
    }
    shorten(plot, before);
    return SG_OK;
}
