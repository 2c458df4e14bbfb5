#include "drawing/histories.h"

#include <stdio.h>
#include <string.h>

#include "drawing/columns.h"
#include "drawing/points.h"
#include "support/text.h"

/* One row an energy of the common panel, in the order of the key. `numerical` has a panel of its own: it
 * would be a line at zero here. */
static const struct energy_row {
    const char *name;
    int color;
} energy_rows[] = {
    {"total", -1},  {"kinetic", 0},  {"strain", 1},     {"gravity", 2},
    {"contact", 3}, {"external", 4}, {"dissipated", 5},
};

static sg_status add_energy(struct sg_plot *plot, const struct sg_reader *reader,
                            const struct energy_row *row, struct sg_panel *panel, struct sg_error *err)
{
    char name[64];
    snprintf(name, sizeof name, "energy/%s", row->name);
    const struct sg_series *series = sg_reader_find(reader, SG_SERIES_HISTORY, name);
    if (series == NULL) return SG_OK;
    panel->unit = series->unit;
    TRY(sg_plot_add_curve(plot, reader, series, panel, err));
    struct sg_panel_curve *drawn = &panel->curves[panel->count - 1];
    drawn->color = row->color;
    snprintf(drawn->label, sizeof drawn->label, "%s", row->name);
    if (drawn->curve.low != 0 || drawn->curve.high != 0) return SG_OK;
    panel->count--; /* nothing but zeros */
    return SG_OK;
}

static sg_status add_energies(struct sg_plot *plot, const struct sg_reader *reader, struct sg_error *err)
{
    struct sg_panel *panel = sg_plot_add_panel(plot, "energy", "J");
    if (panel == NULL) return SG_OK;
    for (size_t i = 0; i < sizeof energy_rows / sizeof *energy_rows; i++)
        TRY(add_energy(plot, reader, &energy_rows[i], panel, err));
    if (panel->count == 0) plot->count--;
    return SG_OK;
}

static sg_status add_named(struct sg_plot *plot, const struct sg_reader *reader, const char *name,
                           struct sg_error *err)
{
    const struct sg_series *series = sg_reader_find(reader, plot->axis.scale->group, name);
    return series == NULL ? SG_OK : sg_plot_add_series(plot, reader, series, err);
}

/* The force of an impulse-based scheme is that of the step at hand: where steps go unrecorded most impacts
 * are seen in the impulses alone, which miss none. */
static const char *force_to_draw(const struct sg_reader *reader)
{
    const struct sg_series *impulse = sg_reader_find(reader, SG_SERIES_HISTORY, "contact_impulse");
    struct sg_summary summary;
    sg_reader_summary(reader, &summary);
    bool all = impulse == NULL || summary.steps <= (long long)impulse->rows;
    return all ? "contact_force" : "contact_impulse";
}

static sg_status add_usual(struct sg_plot *plot, const struct sg_reader *reader, struct sg_error *err)
{
    const char *const before[] = {"gap", force_to_draw(reader), "friction_force"};
    static const char *const after[] = {"energy/numerical", "displacement"};
    static const char *const of_ground[] = {"acceleration", "velocity"};
    bool ground = sg_reader_find(reader, SG_SERIES_HISTORY, of_ground[0]) != NULL;
    for (size_t i = 0; i < sizeof before / sizeof *before; i++) TRY(add_named(plot, reader, before[i], err));
    TRY(add_energies(plot, reader, err));
    for (size_t i = 0; ground && i < sizeof of_ground / sizeof *of_ground; i++)
        TRY(add_named(plot, reader, of_ground[i], err));
    for (size_t i = 0; i < sizeof after / sizeof *after; i++) TRY(add_named(plot, reader, after[i], err));
    return SG_OK;
}

static sg_status add_group(struct sg_plot *plot, const struct sg_reader *reader, const char *group,
                           struct sg_error *err)
{
    for (size_t i = 0; i < sg_reader_count(reader); i++) {
        const struct sg_series *series = sg_reader_series(reader, i);
        if (series->group == plot->axis.scale->group && !series->scale &&
            sg_plot_in_group(series->name, group))
            TRY(sg_plot_add_series(plot, reader, series, err));
    }
    return SG_OK;
}

static sg_status fail_unknown(const struct sg_reader *reader, const enum sg_series_group *groups,
                              size_t group_count, const char *name, struct sg_error *err)
{
    SG_LOCAL_TEXT(list);
    for (size_t i = 0; i < sg_reader_count(reader); i++) {
        const struct sg_series *series = sg_reader_series(reader, i);
        for (size_t g = 0; g < group_count; g++)
            if (series->group == groups[g] && !series->scale) sg_text_append(&list, " %s", series->name);
    }
    FAIL(err, SG_USAGE, "the file has no history '%s'; there are:%s", name, sg_text_view(&list));
}

static sg_status add_only(struct sg_plot *plot, const struct sg_reader *reader, const char *name,
                          struct sg_error *err)
{
    if (plot->axis.scale->group == SG_SERIES_POINTS) return sg_plot_add_points(plot, reader, name, err);
    if (strcmp(name, "energy") == 0) {
        TRY(add_energies(plot, reader, err));
        return add_named(plot, reader, "energy/numerical", err);
    }
    return add_group(plot, reader, name, err);
}

static bool can_draw(const struct sg_reader *reader, enum sg_series_group group, size_t rows)
{
    const struct sg_series *scale = sg_reader_scale(reader, group);
    return scale != NULL && scale->rows >= rows;
}

static sg_status take_axis(struct sg_plot *plot, const struct sg_reader *reader, enum sg_series_group group,
                           struct sg_error *err)
{
    static const size_t column = 0;
    struct sg_curve curve = {0};
    struct sg_plot_axis *axis = &plot->axis;
    axis->scale = sg_reader_scale(reader, group);
    struct sg_curve_request request = {axis->scale, axis->scale, &column, 1, SG_PLOT_PIXELS};
    SG_LOCAL_ARENA(scratch);
    TRY(sg_curves_read(&scratch, reader, &request, &curve, err));
    axis->low = curve.low;
    axis->high = curve.high;
    axis->log = group == SG_SERIES_POINTS && axis->low > 0 && axis->high > SG_PLOT_DECADES * axis->low;
    return SG_OK;
}

/* Lists what the file has: histories, points, or both. Returns how many there are. */
static size_t choose_groups(const struct sg_reader *reader, enum sg_series_group groups[2])
{
    size_t count = 0;
    bool points = can_draw(reader, SG_SERIES_POINTS, 1);
    if (can_draw(reader, SG_SERIES_HISTORY, points ? 2 : 1)) groups[count++] = SG_SERIES_HISTORY;
    if (points) groups[count++] = SG_SERIES_POINTS;
    return count;
}

static sg_status add_all(struct sg_plot *plot, const struct sg_reader *reader, enum sg_series_group group,
                         struct sg_error *err)
{
    TRY(take_axis(plot, reader, group, err));
    if (group == SG_SERIES_POINTS) return sg_plot_add_points(plot, reader, "", err);
    return add_usual(plot, reader, err);
}

/* Panels of one group stand together, in the order in which their names are given. A name must fit a dataset
 * of one group at least. */
static sg_status add_wanted(struct sg_plot *plot, const struct sg_reader *reader, const char *const *only,
                            size_t only_count, struct sg_error *err)
{
    enum sg_series_group groups[2];
    size_t group_count = choose_groups(reader, groups);
    bool *found = NULL;
    TRY(SG_ARENA_NEW(plot->arena, &found, only_count, err));
    for (size_t g = 0; g < group_count; g++) {
        TRY(take_axis(plot, reader, groups[g], err));
        for (size_t i = 0; i < only_count; i++) {
            size_t before = plot->count;
            TRY(add_only(plot, reader, only[i], err));
            found[i] = found[i] || plot->count > before || before == SG_PANELS_MAX;
        }
    }
    for (size_t i = 0; i < only_count; i++)
        if (!found[i]) return fail_unknown(reader, groups, group_count, only[i], err);
    return SG_OK;
}

sg_status sg_plot_init(struct sg_arena *arena, struct sg_plot *plot, const struct sg_reader *reader,
                       const struct sg_plot_wish *wish, struct sg_error *err)
{
    *plot = (struct sg_plot){.title = sg_reader_attribute(reader, "title"),
                             .most = wish->all ? SG_PANEL_CURVES : SG_PLOT_COLUMNS};
    TRY(sg_plot_open(arena, plot, err));
    enum sg_series_group groups[2];
    size_t group_count = choose_groups(reader, groups);
    if (group_count == 0) FAIL(err, SG_NO_INPUT, "the file has no rows to draw yet");
    if (wish->only_count > 0) TRY(add_wanted(plot, reader, wish->only, wish->only_count, err));
    for (size_t g = 0; g < group_count && wish->only_count == 0; g++)
        TRY(add_all(plot, reader, groups[g], err));
    if (plot->count == 0) FAIL(err, SG_NO_INPUT, "the file has no history to draw");
    for (size_t i = 0; i < plot->count; i++) plot->tall = plot->tall || plot->panels[i].count >= SG_LONG_KEY;
    if (groups[0] != SG_SERIES_HISTORY) return SG_OK;
    return sg_contact_phases_read(plot->arena, reader, SG_PLOT_PIXELS, &plot->phases, err);
}
