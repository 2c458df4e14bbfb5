#include "drawing/study.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/text.h"

/* --- the parameter that is drawn over ------------------------------------------------------------- */

static size_t distinct(const struct sg_study_column *column, size_t rows)
{
    size_t count = 0;
    for (size_t i = 0; i < rows; i++) {
        size_t j = 0;
        while (j < i && column->reals[j] != column->reals[i]) j++;
        count += j == i && isfinite(column->reals[i]);
    }
    return count;
}

static bool is_scale(const struct sg_study_column *column)
{
    return column->parameter && column->texts == NULL;
}

static void list_columns(const struct sg_study_data *data, bool scales, struct sg_text *list)
{
    for (size_t c = 0; c < data->count; c++) {
        const struct sg_study_column *column = &data->columns[c];
        if (scales ? is_scale(column) : !column->parameter && column->texts == NULL)
            sg_text_append(list, "%s%s", list->length == 0 ? "" : ", ", column->name);
    }
}

static sg_status fail_name(const struct sg_study_data *data, bool scales, const char *name,
                           struct sg_error *err)
{
    SG_LOCAL_TEXT(list);
    list_columns(data, scales, &list);
    FAIL(err, SG_USAGE, "the study has no %s '%s' with numbers; there %s %s", scales ? "parameter" : "result",
         name, strchr(sg_text_view(&list), ',') == NULL ? "is" : "are",
         list.length == 0 ? "none" : sg_text_view(&list));
}

static sg_status choose_scale(const struct sg_study_data *data, const char *over, size_t *scale,
                              struct sg_error *err)
{
    size_t most = 1;
    *scale = data->count;
    for (size_t c = 0; c < data->count; c++) {
        const struct sg_study_column *column = &data->columns[c];
        if (!is_scale(column)) continue;
        if (over != NULL && strcmp(over, column->name) == 0) *scale = c;
        size_t count = over != NULL ? 0 : distinct(column, data->rows);
        if (count <= most) continue;
        most = count;
        *scale = c;
    }
    if (*scale < data->count) return SG_OK;
    if (over != NULL) return fail_name(data, true, over, err);
    FAIL(err, SG_NO_INPUT, "the study has no parameter with several numbers that could be drawn over");
}

/* --- curves: rows whose other parameters are the same --------------------------------------------- */

struct groups {
    const struct sg_study_data *data;
    size_t scale;
    size_t *of;    /* rows: the group of each */
    size_t *first; /* of each: a row */
    size_t count;
    size_t *order; /* rows by the scale */
};

static bool is_same(const struct sg_study_column *column, size_t a, size_t b)
{
    if (column->texts != NULL) return strcmp(column->texts[a], column->texts[b]) == 0;
    return column->reals[a] == column->reals[b];
}

static bool together(const struct groups *groups, size_t a, size_t b)
{
    for (size_t c = 0; c < groups->data->count; c++) {
        const struct sg_study_column *column = &groups->data->columns[c];
        if (column->parameter && c != groups->scale && !is_same(column, a, b)) return false;
    }
    return true;
}

static void sort_rows(struct groups *groups)
{
    const double *x = groups->data->columns[groups->scale].reals;
    for (size_t i = 0; i < groups->data->rows; i++) {
        size_t k = i;
        for (; k > 0 && x[groups->order[k - 1]] > x[i]; k--) groups->order[k] = groups->order[k - 1];
        groups->order[k] = i;
    }
}

static sg_status find_groups(struct sg_arena *arena, struct groups *groups, struct sg_error *err)
{
    size_t rows = groups->data->rows;
    TRY(SG_ARENA_NEW(arena, &groups->of, rows, err));
    TRY(SG_ARENA_NEW(arena, &groups->first, rows, err));
    TRY(SG_ARENA_NEW(arena, &groups->order, rows, err));
    for (size_t i = 0; i < rows; i++) {
        size_t g = 0;
        while (g < groups->count && !together(groups, groups->first[g], i)) g++;
        if (g == groups->count) groups->first[groups->count++] = i;
        groups->of[i] = g;
    }
    sort_rows(groups);
    return SG_OK;
}

/* Appends a file's name without its folder and ending. */
static void append_text(struct sg_text *text, const char *value)
{
    const char *slash = strrchr(value, '/'), *name = slash == NULL ? value : slash + 1,
               *dot = strrchr(name, '.');
    sg_text_append_bytes(text, name, dot == NULL || dot == name ? strlen(name) : (size_t)(dot - name));
}

static void label_group(const struct groups *groups, size_t g, char label[SG_PLOT_LABEL])
{
    SG_LOCAL_TEXT(text);
    size_t row = groups->first[g];
    for (size_t c = 0; c < groups->data->count; c++) {
        const struct sg_study_column *column = &groups->data->columns[c];
        if (!column->parameter || c == groups->scale) continue;
        if (text.length > 0) sg_text_append(&text, ", ");
        if (column->texts != NULL)
            append_text(&text, column->texts[row]);
        else
            sg_text_append(&text, "%.4g", column->reals[row]);
    }
    snprintf(label, SG_PLOT_LABEL, "%s", sg_text_view(&text));
}

static void add_point(struct sg_curve *curve, double x, double y)
{
    curve->x[curve->count] = x;
    curve->y[curve->count++] = y;
    if (!isfinite(y)) return;
    curve->low = fmin(curve->low, y);
    curve->high = fmax(curve->high, y);
}

static void close_range(struct sg_curve *curve)
{
    if (curve->low <= curve->high) return;
    curve->low = curve->high = 0;
}

/* Fills the curve of group g; for g past the last, that of the mean of all groups, where each has a number.
 */
static void fill_curve(const struct groups *groups, const struct sg_study_column *column, size_t g,
                       struct sg_curve *curve)
{
    const double *x = groups->data->columns[groups->scale].reals;
    size_t rows = groups->data->rows;
    curve->low = HUGE_VAL;
    curve->high = -HUGE_VAL;
    for (size_t k = 0; k < rows;) {
        double at = x[groups->order[k]], sum = 0;
        size_t seen = 0;
        for (; k < rows && (x[groups->order[k]] == at || isnan(at)); k++) {
            size_t row = groups->order[k];
            if (g < groups->count && groups->of[row] != g) continue;
            sum += column->reals[row];
            seen++;
        }
        bool whole = g < groups->count ? seen > 0 : seen == groups->count;
        if (whole && isfinite(at)) add_point(curve, at, sum / (double)seen);
    }
    close_range(curve);
}

/* --- panels --------------------------------------------------------------------------------------- */

static sg_status add_curves(const struct sg_plot *plot, struct sg_panel *panel, const struct groups *groups,
                            const struct sg_study_column *column, struct sg_error *err)
{
    size_t room = groups->count > 1 ? SG_PANEL_CURVES - 1 : 1;
    size_t shown = groups->count < room ? groups->count : room;
    panel->hidden = groups->count - shown;
    for (size_t g = 0; g < shown; g++) {
        struct sg_panel_curve *drawn = &panel->curves[panel->count++];
        drawn->color = (int)g;
        label_group(groups, g, drawn->label);
        TRY(sg_plot_make_curve(plot, groups->data->rows, &drawn->curve, err));
        fill_curve(groups, column, g, &drawn->curve);
    }
    if (groups->count < 2) return SG_OK;
    struct sg_panel_curve *mean = &panel->curves[panel->count++];
    mean->color = -1;
    snprintf(mean->label, sizeof mean->label, "mean");
    TRY(sg_plot_make_curve(plot, groups->data->rows, &mean->curve, err));
    fill_curve(groups, column, groups->count, &mean->curve);
    return SG_OK;
}

static bool is_wanted(const struct sg_study_wish *wish, const char *name)
{
    bool wanted = wish->only_count == 0;
    for (size_t i = 0; i < wish->only_count; i++) wanted = wanted || strcmp(wish->only[i], name) == 0;
    return wanted;
}

static bool has_numbers(const struct sg_study_data *data, const struct sg_study_column *column)
{
    if (column->parameter || column->texts != NULL) return false;
    for (size_t i = 0; i < data->rows; i++)
        if (isfinite(column->reals[i])) return true;
    return false;
}

static sg_status add_panels(struct sg_plot_study *study, const struct groups *groups,
                            const struct sg_study_wish *wish, struct sg_error *err)
{
    for (size_t c = 0; c < study->data.count; c++) {
        const struct sg_study_column *column = &study->data.columns[c];
        if (!has_numbers(&study->data, column) || !is_wanted(wish, column->name)) continue;
        struct sg_panel *panel = sg_plot_add_panel(&study->plot, column->name, column->unit);
        if (panel == NULL) return SG_OK;
        TRY(add_curves(&study->plot, panel, groups, column, err));
    }
    if (study->plot.count == 0) FAIL(err, SG_NO_INPUT, "the study has no numbers to draw");
    return SG_OK;
}

static void set_axis(struct sg_plot_study *study, size_t scale)
{
    const struct sg_study_column *column = &study->data.columns[scale];
    struct sg_plot_axis *axis = &study->plot.axis;
    study->scale = (struct sg_series){.group = SG_SERIES_POINTS,
                                      .name = column->name,
                                      .unit = strcmp(column->unit, "deck") == 0 ? "1" : column->unit,
                                      .description = column->name,
                                      .rows = study->data.rows,
                                      .scale = true};
    *axis = (struct sg_plot_axis){.scale = &study->scale, .low = HUGE_VAL, .high = -HUGE_VAL};
    for (size_t i = 0; i < study->data.rows; i++) {
        axis->low = fmin(axis->low, column->reals[i]);
        axis->high = fmax(axis->high, column->reals[i]);
    }
    axis->log = axis->low > 0 && axis->high > SG_PLOT_DECADES * axis->low;
}

static sg_status check_names(const struct sg_study_data *data, const struct sg_study_wish *wish,
                             struct sg_error *err)
{
    for (size_t i = 0; i < wish->only_count; i++) {
        bool found = false;
        for (size_t c = 0; c < data->count; c++)
            found = found || (!data->columns[c].parameter && data->columns[c].texts == NULL &&
                              strcmp(data->columns[c].name, wish->only[i]) == 0);
        if (!found) return fail_name(data, false, wish->only[i], err);
    }
    return SG_OK;
}

sg_status sg_plot_study_init(struct sg_arena *arena, struct sg_plot_study *study, const char *path,
                             const struct sg_study_wish *wish, struct sg_error *err)
{
    struct groups groups = {.data = &study->data};
    *study = (struct sg_plot_study){0};
    TRY(sg_study_table_read(arena, path, &study->data, err));
    TRY(check_names(&study->data, wish, err));
    TRY(choose_scale(&study->data, wish->over, &groups.scale, err));
    set_axis(study, groups.scale);
    study->plot.title = study->data.title;
    TRY(sg_plot_open(arena, &study->plot, err));
    TRY(find_groups(arena, &groups, err));
    study->plot.tall = groups.count + 1 >= SG_LONG_KEY;
    return add_panels(study, &groups, wish, err);
}
