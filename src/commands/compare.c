/* signorini compare: two results files, series by series. */
#include "commands/commands.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "commands/arguments.h"
#include "results/reader.h"
#include "support/memory.h"

enum { BLOCK = 16384 }; /* numbers held at a time, at least a row */

static const char *const group_names[] = {
    [SG_SERIES_HISTORY] = "history", [SG_SERIES_EVENTS] = "events", [SG_SERIES_POINTS] = "points"};

/* The comparison of two series. */
struct difference {
    double largest; /* |a - b| */
    double scale;   /* the largest finite magnitude in either */
    size_t row, column;
};

struct comparison {
    struct sg_reader *a, *b;
    const char *path_a, *path_b;
    double rtol, atol;
    double *block_a, *block_b;
    size_t capacity; /* of the blocks */
    size_t compared, different;
};

static sg_status reserve(struct comparison *c, size_t wanted, struct sg_error *err)
{
    if (wanted <= c->capacity) return SG_OK;
    sg_free(c->block_a);
    sg_free(c->block_b);
    c->block_b = NULL;
    c->capacity = 0;
    TRY(SG_NEW(&c->block_a, wanted, err));
    TRY(SG_NEW(&c->block_b, wanted, err));
    c->capacity = wanted;
    return SG_OK;
}

/* equal values differ by 0, infinities and NaN alike; a NaN on one side differs without bound */
static double distance(double a, double b)
{
    if (a == b || (isnan(a) && isnan(b))) return 0;
    double d = fabs(a - b);
    return isnan(d) ? INFINITY : d;
}

static double magnitude(double a)
{
    return isfinite(a) ? fabs(a) : 0;
}

static size_t columns_of(const struct sg_series *series)
{
    return series->width == 0 ? 1 : series->width;
}

static void measure(const struct comparison *c, size_t first, size_t count, size_t width,
                    struct difference *difference)
{
    for (size_t i = 0; i < count; i++) {
        double a = c->block_a[i], b = c->block_b[i], d = distance(a, b);
        difference->scale = fmax(difference->scale, fmax(magnitude(a), magnitude(b)));
        if (d <= difference->largest) continue;
        difference->largest = d;
        difference->row = first + i / width;
        difference->column = i % width;
    }
}

static sg_status find_difference(struct comparison *c, const struct sg_series *a, const struct sg_series *b,
                                 struct difference *difference, struct sg_error *err)
{
    size_t width = columns_of(a), rows = BLOCK / width + 1;
    *difference = (struct difference){0};
    TRY(reserve(c, rows * width, err));
    for (size_t first = 0; first < a->rows; first += rows) {
        size_t count = a->rows - first < rows ? a->rows - first : rows;
        TRY(sg_reader_rows(c->a, a, first, count, c->block_a, err));
        TRY(sg_reader_rows(c->b, b, first, count, c->block_b, err));
        measure(c, first, count * width, width, difference);
    }
    return SG_OK;
}

/* --- words ---------------------------------------------------------------------------------------- */

static void print_name(const struct sg_series *series)
{
    char name[256];
    snprintf(name, sizeof name, "%s/%s", group_names[series->group], series->name);
    printf("%-28s ", name);
}

static void print_place(const struct comparison *c, const struct sg_series *series,
                        const struct difference *difference)
{
    const struct sg_series *time = sg_reader_find(c->a, series->group, "time");
    char label[64];
    double t = 0;
    printf(" at row %zu", difference->row);
    sg_reader_column_label(c->a, series, difference->column, label, sizeof label);
    if (label[0] != '\0') printf(", column %zu (%s)", difference->column, label);
    if (time != NULL && sg_reader_rows(c->a, time, difference->row, 1, &t, NULL) == SG_OK)
        printf(", t = %.9g s", t);
}

static void print_difference(const struct comparison *c, const struct sg_series *series,
                             const struct difference *difference, bool beyond)
{
    print_name(series);
    if (difference->largest == 0) {
        printf("identical\n");
        return;
    }
    printf("%s %.3g %s", beyond ? "DIFFERS by" : "differs by", difference->largest, series->unit);
    if (difference->scale > 0) printf(" (%.3g of the largest)", difference->largest / difference->scale);
    print_place(c, series, difference);
    printf("\n");
}

static void print_missing(struct comparison *c, const struct sg_series *series, const char *path)
{
    c->different++;
    print_name(series);
    printf("MISSING in %s\n", path);
}

/* --- walk ----------------------------------------------------------------------------------------- */

static sg_status compare_series(struct comparison *c, const struct sg_series *a, struct sg_error *err)
{
    const struct sg_series *b = sg_reader_find(c->b, a->group, a->name);
    struct difference difference;
    if (b == NULL) {
        print_missing(c, a, c->path_b);
        return SG_OK;
    }
    c->compared++;
    if (a->rows != b->rows || a->width != b->width) {
        c->different++;
        print_name(a);
        printf("SHAPES differ: %zu x %zu and %zu x %zu\n", a->rows, columns_of(a), b->rows, columns_of(b));
        return SG_OK;
    }
    TRY(find_difference(c, a, b, &difference, err));
    bool beyond = difference.largest > c->atol + c->rtol * difference.scale;
    c->different += beyond ? 1 : 0;
    print_difference(c, a, &difference, beyond);
    return SG_OK;
}

static sg_status compare_all(struct comparison *c, struct sg_error *err)
{
    for (size_t i = 0; i < sg_reader_count(c->a); i++) TRY(compare_series(c, sg_reader_series(c->a, i), err));
    for (size_t i = 0; i < sg_reader_count(c->b); i++) {
        const struct sg_series *series = sg_reader_series(c->b, i);
        if (sg_reader_find(c->a, series->group, series->name) == NULL) print_missing(c, series, c->path_a);
    }
    printf("%zu series compared, %zu beyond %g + %g of the largest value\n", c->compared, c->different,
           c->atol, c->rtol);
    return c->different == 0 ? SG_OK : SG_DIFFERENT;
}

static sg_status compare_files(struct comparison *c, struct sg_error *err)
{
    TRY(sg_reader_open(c->path_a, &c->a, err));
    TRY(sg_reader_open(c->path_b, &c->b, err));
    return compare_all(c, err);
}

static sg_status compare(const struct sg_arguments *arguments, struct sg_error *err)
{
    struct comparison c = {0};
    TRY(sg_arguments_expect(arguments, 2, 2, err));
    TRY(sg_arguments_real(arguments, "rtol", 0, &c.rtol, err));
    TRY(sg_arguments_real(arguments, "atol", 0, &c.atol, err));
    if (!(c.rtol >= 0) || !(c.atol >= 0)) FAIL(err, SG_USAGE, "tolerances must not be negative");
    c.path_a = arguments->words[0];
    c.path_b = arguments->words[1];
    sg_status status = compare_files(&c, err);
    sg_reader_close(c.a);
    sg_reader_close(c.b);
    sg_free(c.block_a);
    sg_free(c.block_b);
    return status;
}

int sg_command_compare(int argc, char **argv)
{
    static const struct sg_option options[] = {
        {"rtol", 0, "R", "allowed difference, relative to the largest value of the history (0)", false},
        {"atol", 0, "A", "allowed difference, in the history's unit (0)", false},
        {0}};
    static const struct sg_command_frame frame = {
        "A.h5 B.h5 [--rtol R] [--atol A]",
        "compares two results files history by history; exits with 1 if one differs beyond A + R max|value|",
        options, compare};
    return sg_command_run(&frame, argc, argv);
}
