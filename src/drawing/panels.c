#include "drawing/panels.h"

#include <stdio.h>
#include <string.h>

#include "support/memory.h"
#include "support/text.h"

enum { COLUMNS_SHOWN = 6, DECADES = 50 /* from this ratio on a scale is logarithmic */ };

void sg_plot_release(struct sg_plot *plot)
{
    for (size_t i = 0; plot->panels != NULL && i < plot->count; i++) {
        struct sg_panel *panel = &plot->panels[i];
        for (size_t j = 0; j < panel->count; j++) sg_curve_release(&panel->curves[j].curve);
    }
    sg_free(plot->panels);
    sg_curve_release(&plot->phases);
    *plot = (struct sg_plot){0};
}

static size_t columns_of(const struct sg_series *series)
{
    return series->width == 0 ? 1 : series->width;
}

/* "contact_force" -> "contact force", "energy/numerical" -> "energy, numerical" */
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

/* --- columns -------------------------------------------------------------------------------------- */

static bool has_prefix(const char *dof, const char *body)
{
    size_t length = strlen(body);
    return strncmp(dof, body, length) == 0 && (dof[length] == '\0' || dof[length] == '.');
}

/* the first and the last column of each body, in order; returns how many */
static size_t body_ends(const struct sg_reader *reader, size_t width, size_t *columns, size_t capacity)
{
    struct sg_labels dofs = sg_reader_labels(reader, "dof_names");
    struct sg_labels bodies = sg_reader_labels(reader, "body_names");
    size_t count = 0;
    if (dofs.count != width) return 0;
    for (size_t b = 0; b < bodies.count; b++) {
        size_t first = width, last = width;
        for (size_t i = 0; i < width; i++) {
            if (!has_prefix(dofs.items[i], bodies.items[b])) continue;
            if (first == width) first = i;
            last = i;
        }
        if (first < width && count < capacity) columns[count++] = first;
        if (first < width && last != first && count < capacity) columns[count++] = last;
    }
    return count;
}

/* `wanted` of `count` indices, evenly spread, both ends included */
static size_t spread(size_t index, size_t wanted, size_t count)
{
    return wanted < 2 ? 0 : index * (count - 1) / (wanted - 1);
}

/* the columns that differ between the first row, the middle one and the last, in order; returns how many */
static sg_status moving(const struct sg_reader *reader, const struct sg_series *series, size_t *columns,
                        size_t *count, struct sg_error *err)
{
    size_t width = columns_of(series), rows[3] = {0, series->rows / 2, series->rows - 1};
    double *values = NULL;
    sg_status status = SG_OK;
    *count = 0;
    if (series->rows == 0) return SG_OK;
    TRY(sg_alloc(3 * width, sizeof *values, series->name, &values, err));
    for (size_t k = 0; status == SG_OK && k < 3; k++)
        status = sg_reader_rows(reader, series, rows[k], 1, values + k * width, err);
    for (size_t i = 0; status == SG_OK && i < width; i++) {
        if (values[i] != values[width + i] || values[i] != values[2 * width + i]) columns[(*count)++] = i;
    }
    sg_free(values);
    return status;
}

static bool is_axial(const struct sg_reader *reader)
{
    struct sg_labels dofs = sg_reader_labels(reader, "dof_names");
    const char *dot = dofs.count == 0 ? NULL : strrchr(dofs.items[0], '.');
    return dot == NULL || dot[1] < 'x' || dot[1] > 'z';
}

/* what tells how busy contacts are: NULL if nothing is recorded that does */
static const struct sg_series *activity(const struct sg_reader *reader)
{
    static const char *const names[] = {"active", "contact_impulse", "contact_force"};
    const struct sg_series *found = NULL;
    for (size_t k = 0; found == NULL && k < sizeof names / sizeof *names; k++)
        found = sg_reader_find(reader, SG_SERIES_HISTORY, names[k]);
    return found;
}

/* sums of each column */
static sg_status sum_columns(const struct sg_reader *reader, const struct sg_series *series, double *sums,
                             struct sg_error *err)
{
    enum { BLOCK = 65536 };
    size_t width = columns_of(series), most = BLOCK / width + 1;
    double *values = NULL;
    TRY(sg_alloc(most * width, sizeof *values, series->name, &values, err));
    sg_status status = SG_OK;
    for (size_t first = 0; status == SG_OK && first < series->rows; first += most) {
        size_t rows = series->rows - first < most ? series->rows - first : most;
        status = sg_reader_rows(reader, series, first, rows, values, err);
        for (size_t i = 0; status == SG_OK && i < rows * width; i++) sums[i % width] += values[i];
    }
    sg_free(values);
    return status;
}

/* the first of those with the largest sum above 0; `width` if there is none */
static size_t busiest(const double *sums, size_t width)
{
    size_t best = width;
    for (size_t j = 0; j < width; j++)
        if (sums[j] > (best < width ? sums[best] : 0.0)) best = j;
    return best;
}

/* the contacts that were closed longest, or pushed most, in their order; none where none did, or nothing
 * tells */
static sg_status busy(const struct sg_reader *reader, size_t width, size_t *columns, size_t *count,
                      struct sg_error *err)
{
    const struct sg_series *series = activity(reader);
    double *sums = NULL;
    *count = 0;
    if (series == NULL || series->width != width) return SG_OK;
    TRY(SG_NEW(&sums, width, err));
    sg_status status = sum_columns(reader, series, sums, err);
    for (size_t k = 0, best = 0; status == SG_OK && k < COLUMNS_SHOWN; k++) {
        best = busiest(sums, width);
        if (best == width) break;
        sums[best] = -1.0; /* taken */
    }
    for (size_t j = 0; status == SG_OK && j < width; j++)
        if (sums[j] < 0.0) columns[(*count)++] = j;
    sg_free(sums);
    return status;
}

/* At most so many columns as the plot shows, those that tell most: all; of contacts the busiest; of dofs on
 * an axis the ends of bodies; or evenly spread ones of those that move. */
static sg_status choose_columns(const struct sg_reader *reader, const struct sg_series *series, size_t most,
                                size_t *columns, size_t *count, struct sg_error *err)
{
    size_t width = columns_of(series), found = 0, *telling = NULL;
    *count = width < most ? width : most;
    for (size_t j = 0; j < *count; j++) columns[j] = spread(j, *count, width);
    if (width <= most) return SG_OK;
    TRY(SG_NEW(&telling, width, err));
    sg_status status = SG_OK;
    if (sg_reader_labels(reader, "contact_names").count == width)
        status = busy(reader, width, telling, &found, err);
    else if (is_axial(reader))
        found = body_ends(reader, width, telling, width);
    else if (sg_reader_labels(reader, "dof_names").count == width)
        status = moving(reader, series, telling, &found, err);
    if (found > 0) *count = found < most ? found : most;
    for (size_t j = 0; found > 0 && j < *count; j++) columns[j] = telling[spread(j, *count, found)];
    sg_free(telling);
    return status;
}

/* --- panels --------------------------------------------------------------------------------------- */

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
    sg_status status = sg_curves_read(reader, &full, curves, err);
    for (size_t j = 0; j < request->count; j++) panel->curves[panel->count++].curve = curves[j];
    return status;
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
    TRY(choose_columns(reader, series, plot->most, columns, &count, err));
    panel->hidden = columns_of(series) - count;
    for (size_t j = 0; j < count; j++) {
        sg_reader_column_label(reader, series, columns[j], panel->curves[j].label, SG_PLOT_LABEL);
        panel->curves[j].color = (int)j;
    }
    struct sg_curve_request request = {.y = series, .columns = columns, .count = count};
    return read_curves(plot, reader, &request, panel, err);
}

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
    sg_curve_release(&drawn->curve); /* nothing but zeros */
    panel->count--;
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

bool sg_plot_in_group(const char *name, const char *group)
{
    size_t length = strlen(group);
    if (length == 0) return true;
    return strncmp(name, group, length) == 0 && (name[length] == '\0' || name[length] == '/');
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
    struct sg_text list = {0};
    for (size_t i = 0; i < sg_reader_count(reader); i++) {
        const struct sg_series *series = sg_reader_series(reader, i);
        for (size_t g = 0; g < group_count; g++)
            if (series->group == groups[g] && !series->scale) sg_text_append(&list, " %s", series->name);
    }
    sg_fail(err, SG_USAGE, "the file has no history '%s'; there are:%s", name, sg_text_view(&list));
    sg_text_release(&list);
    return SG_USAGE;
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
    sg_status status = sg_curves_read(reader, &request, &curve, err);
    axis->low = curve.low;
    axis->high = curve.high;
    axis->log = group == SG_SERIES_POINTS && axis->low > 0 && axis->high > DECADES * axis->low;
    sg_curve_release(&curve);
    return status;
}

/* histories, points, or both where a file has them; returns how many */
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

/* those of one group side by side, in the order given; a name must fit in one group */
static sg_status add_wanted(struct sg_plot *plot, const struct sg_reader *reader, const char *const *only,
                            size_t only_count, struct sg_error *err)
{
    enum sg_series_group groups[2];
    size_t group_count = choose_groups(reader, groups);
    bool *found = NULL;
    sg_status status = SG_OK;
    TRY(SG_NEW(&found, only_count, err));
    for (size_t g = 0; g < group_count && status == SG_OK; g++) {
        status = take_axis(plot, reader, groups[g], err);
        for (size_t i = 0; i < only_count && status == SG_OK; i++) {
            size_t before = plot->count;
            status = add_only(plot, reader, only[i], err);
            found[i] = found[i] || plot->count > before || before == SG_PANELS_MAX;
        }
    }
    for (size_t i = 0; i < only_count && status == SG_OK; i++)
        if (!found[i]) status = fail_unknown(reader, groups, group_count, only[i], err);
    sg_free(found);
    return status;
}

sg_status sg_plot_init(struct sg_plot *plot, const struct sg_reader *reader, const struct sg_plot_wish *wish,
                       struct sg_error *err)
{
    *plot = (struct sg_plot){.title = sg_reader_attribute(reader, "title"),
                             .most = wish->all ? SG_PANEL_CURVES : COLUMNS_SHOWN};
    TRY(SG_NEW(&plot->panels, SG_PANELS_MAX, err));
    enum sg_series_group groups[2];
    size_t group_count = choose_groups(reader, groups);
    if (group_count == 0) FAIL(err, SG_NO_INPUT, "the file has no rows to draw yet");
    if (wish->only_count > 0) TRY(add_wanted(plot, reader, wish->only, wish->only_count, err));
    for (size_t g = 0; g < group_count && wish->only_count == 0; g++)
        TRY(add_all(plot, reader, groups[g], err));
    if (plot->count == 0) FAIL(err, SG_NO_INPUT, "the file has no history to draw");
    for (size_t i = 0; i < plot->count; i++) plot->tall = plot->tall || plot->panels[i].count >= SG_LONG_KEY;
    if (groups[0] != SG_SERIES_HISTORY) return SG_OK;
    return sg_contact_phases_read(reader, SG_PLOT_PIXELS, &plot->phases, err);
}
