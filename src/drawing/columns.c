#include "drawing/columns.h"

#include <string.h>

#include "support/arena.h"

size_t sg_plot_columns_of(const struct sg_series *series)
{
    return series->width == 0 ? 1 : series->width;
}

static bool has_prefix(const char *dof, const char *body)
{
    size_t length = strlen(body);
    return strncmp(dof, body, length) == 0 && (dof[length] == '\0' || dof[length] == '.');
}

/* Writes the first and the last column of each body, in order; returns how many there are. */
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

/* Item `index` of `wanted` indices that are evenly spread over 0 .. count - 1, both ends included. */
static size_t spread(size_t index, size_t wanted, size_t count)
{
    return wanted < 2 ? 0 : index * (count - 1) / (wanted - 1);
}

/* Writes the columns that differ between the first row, the middle one and the last, in order. */
static sg_status moving_columns(const struct sg_reader *reader, const struct sg_series *series,
                                size_t *columns, size_t *count, struct sg_error *err)
{
    size_t width = sg_plot_columns_of(series), rows[3] = {0, series->rows / 2, series->rows - 1};
    SG_LOCAL_ARENA(scratch);
    double *values = NULL;
    *count = 0;
    if (series->rows == 0) return SG_OK;
    TRY(SG_ARENA_NEW(&scratch, &values, 3 * width, err));
    for (size_t k = 0; k < 3; k++) TRY(sg_reader_rows(reader, series, rows[k], 1, values + k * width, err));
    for (size_t i = 0; i < width; i++) {
        if (values[i] != values[width + i] || values[i] != values[2 * width + i]) columns[(*count)++] = i;
    }
    return SG_OK;
}

static bool is_axial(const struct sg_reader *reader)
{
    struct sg_labels dofs = sg_reader_labels(reader, "dof_names");
    const char *dot = dofs.count == 0 ? NULL : strrchr(dofs.items[0], '.');
    return dot == NULL || dot[1] < 'x' || dot[1] > 'z';
}

/* The history that says how much each contact does; NULL if none is recorded. */
static const struct sg_series *contact_activity(const struct sg_reader *reader)
{
    static const char *const names[] = {"active", "contact_impulse", "contact_force"};
    const struct sg_series *found = NULL;
    for (size_t k = 0; found == NULL && k < sizeof names / sizeof *names; k++)
        found = sg_reader_find(reader, SG_SERIES_HISTORY, names[k]);
    return found;
}

/* Adds all rows of a series to `sums`, one sum a column. */
static sg_status sum_columns(const struct sg_reader *reader, const struct sg_series *series, double *sums,
                             struct sg_error *err)
{
    enum { BLOCK = 65536 };
    size_t width = sg_plot_columns_of(series), most = BLOCK / width + 1;
    SG_LOCAL_ARENA(scratch);
    double *values = NULL;
    TRY(SG_ARENA_NEW(&scratch, &values, most * width, err));
    for (size_t first = 0; first < series->rows; first += most) {
        size_t rows = series->rows - first < most ? series->rows - first : most;
        TRY(sg_reader_rows(reader, series, first, rows, values, err));
        for (size_t i = 0; i < rows * width; i++) sums[i % width] += values[i];
    }
    return SG_OK;
}

/* The first column with the largest sum above 0; `width` if there is none. */
static size_t largest(const double *sums, size_t width)
{
    size_t best = width;
    for (size_t j = 0; j < width; j++)
        if (sums[j] > (best < width ? sums[best] : 0.0)) best = j;
    return best;
}

/* Writes the SG_PLOT_COLUMNS contacts that were closed longest, or pushed most, in the order of the deck;
 * none where no contact was closed or none of these histories is recorded. */
static sg_status busiest_contacts(const struct sg_reader *reader, size_t width, size_t *columns,
                                  size_t *count, struct sg_error *err)
{
    const struct sg_series *series = contact_activity(reader);
    SG_LOCAL_ARENA(scratch);
    double *sums = NULL;
    *count = 0;
    if (series == NULL || series->width != width) return SG_OK;
    TRY(SG_ARENA_NEW(&scratch, &sums, width, err));
    TRY(sum_columns(reader, series, sums, err));
    for (size_t k = 0, best = 0; k < SG_PLOT_COLUMNS; k++) {
        best = largest(sums, width);
        if (best == width) break;
        sums[best] = -1.0; /* taken */
    }
    for (size_t j = 0; j < width; j++)
        if (sums[j] < 0.0) columns[(*count)++] = j;
    return SG_OK;
}

sg_status sg_plot_choose_columns(const struct sg_reader *reader, const struct sg_series *series, size_t most,
                                 size_t *columns, size_t *count, struct sg_error *err)
{
    size_t width = sg_plot_columns_of(series), found = 0, *chosen = NULL;
    *count = width < most ? width : most;
    for (size_t j = 0; j < *count; j++) columns[j] = spread(j, *count, width);
    if (width <= most) return SG_OK;
    SG_LOCAL_ARENA(scratch);
    TRY(SG_ARENA_NEW(&scratch, &chosen, width, err));
    if (sg_reader_labels(reader, "contact_names").count == width)
        TRY(busiest_contacts(reader, width, chosen, &found, err));
    else if (is_axial(reader))
        found = body_ends(reader, width, chosen, width);
    else if (sg_reader_labels(reader, "dof_names").count == width)
        TRY(moving_columns(reader, series, chosen, &found, err));
    if (found > 0) *count = found < most ? found : most;
    for (size_t j = 0; found > 0 && j < *count; j++) columns[j] = chosen[spread(j, *count, found)];
    return SG_OK;
}
