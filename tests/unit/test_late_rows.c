/* Rows that are made late and together are in the file what they are row by row: whatever their width,
 * wherever a flush falls, if the last row is replaced, and if a run goes on. */
#define _DEFAULT_SOURCE
#include "results_fixture.h"

enum {
    WIDEST = 1200 /* chunks of fewer rows than are made at once */,
    ROWS = 2100 /* two buffers of scalars */
};

static const size_t widths[] = {0 /* a scalar */, 1, 3, WIDEST};

enum { WIDTHS = sizeof widths / sizeof *widths };

struct column {
    size_t width;
    char late[16], plain[16];
};

static void spread(const struct column *column, double t, double *row)
{
    for (size_t i = 0; i < column->width || i == 0; i++) row[i] = t + (double)i;
}

static void fill_spread(const void *owner, const struct sg_snapshot *now, double *row)
{
    spread(owner, now->t, row);
}

static size_t one_part(const void *owner)
{
    (void)owner;
    return 1;
}

static void take_time(const void *owner, const struct sg_snapshot *now, double *parts)
{
    (void)owner;
    parts[0] = now->t;
}

static void make_spread(const void *owner, const double *parts, double *rows)
{
    const struct column *column = owner;
    size_t width = column->width > 0 ? column->width : 1;
    for (size_t k = 0; k < SG_LATE_ROWS; k++) spread(column, parts[k], rows + k * width);
}

static const struct sg_late late = {one_part, take_time, make_spread};

static void add_columns(struct bench *b, struct column columns[WIDTHS])
{
    for (size_t k = 0; k < WIDTHS; k++) {
        struct column *column = &columns[k];
        column->width = widths[k];
        snprintf(column->late, sizeof column->late, "late_%zu", widths[k]);
        snprintf(column->plain, sizeof column->plain, "plain_%zu", widths[k]);
        struct sg_quantity quantity = {column->plain, "1",         "t + i", widths[k], false, false,
                                       false,         fill_spread, column,  NULL,      {0}};
        sg_quantities_add(&b->quantities, quantity);
        quantity.name = column->late;
        quantity.late = &late;
        sg_quantities_add(&b->quantities, quantity);
    }
    b->spec.quantities = &b->quantities;
}

/* rows at times k / 1024, some of them twice (an event takes a sample anew), flushed at odd places */
static void record(struct bench *b, size_t from, size_t to)
{
    for (size_t k = from; k < to; k++) {
        must(b, step_to(b, (double)k / 1024, 0));
        if (k % 97 == 0 || k % 1024 == 0 || k % 1024 == 1023) must(b, step_to(b, (double)k / 1024, 1));
        if (k % 211 == 0) must(b, sg_recorder_flush(b->recorder, true, &b->err));
    }
}

static void check_column(const struct bench *b, const struct column *column, double *late_rows, double *plain)
{
    size_t width = column->width > 0 ? column->width : 1;
    size_t rows = read_history(b->part, column->late, late_rows, ROWS * width);
    ck_assert_uint_eq(rows, ROWS);
    ck_assert_uint_eq(read_history(b->part, column->plain, plain, ROWS * width), ROWS);
    for (size_t i = 0; i < rows * width; i++)
        ck_assert_msg(late_rows[i] == plain[i], "width %zu, row %zu: %g, late %g", column->width, i / width,
                      plain[i], late_rows[i]);
}

static void check_columns(const struct bench *b, const struct column columns[WIDTHS])
{
    double *rows = calloc(2 * ROWS * WIDEST, sizeof *rows);
    ck_assert_ptr_nonnull(rows);
    for (size_t k = 0; k < WIDTHS; k++) check_column(b, &columns[k], rows, rows + (size_t)ROWS * WIDEST);
    free(rows);
}

START_TEST(late_rows_come_to_their_places_in_the_file)
{
    struct bench b;
    struct column columns[WIDTHS];
    set_up(&b, 0);
    add_columns(&b, columns);
    open_recorder(&b);
    must(&b, start(&b));
    record(&b, 1, ROWS);
    finish(&b, "interrupted");
    check_columns(&b, columns);
    tear_down(&b);
}
END_TEST

/* in the middle of a group, of whose first rows nothing is known any more */
START_TEST(late_rows_go_on_after_a_run_was_resumed)
{
    struct bench b;
    struct column columns[WIDTHS];
    struct sg_archive archive = {0};
    set_up(&b, 0);
    add_columns(&b, columns);
    open_recorder(&b);
    must(&b, start(&b));
    record(&b, 1, 1050);
    must(&b, sg_recorder_flush(b.recorder, true, &b.err));
    sg_recorder_archive(b.recorder, &archive);
    must(&b, sg_archive_finish(&archive, &b.err));
    record(&b, 1050, 1100);
    finish(&b, "interrupted");
    sg_recorder_destroy(b.recorder);
    b.spec.resume = true;
    open_recorder(&b);
    archive.loading = true;
    archive.cursor = 0;
    sg_recorder_archive(b.recorder, &archive);
    must(&b, sg_archive_finish(&archive, &b.err));
    record(&b, 1050, ROWS);
    finish(&b, "interrupted");
    check_columns(&b, columns);
    sg_archive_release(&archive);
    tear_down(&b);
}
END_TEST

Suite *sg_suite_late_rows(void);

Suite *sg_suite_late_rows(void)
{
    Suite *suite = suite_create("late_rows");
    TCase *rows = tcase_create("rows");
    tcase_add_test(rows, late_rows_come_to_their_places_in_the_file);
    tcase_add_test(rows, late_rows_go_on_after_a_run_was_resumed);
    suite_add_tcase(suite, rows);
    return suite;
}
