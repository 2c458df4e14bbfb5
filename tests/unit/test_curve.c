/* Plot data: thinning keeps peaks, phases of contact are found, strange files do no harm. */
#define _DEFAULT_SOURCE
#include <check.h>

#include <hdf5.h>
#include <hdf5_hl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "results/curve.h"

Suite *sg_suite_curve(void);

enum { ROWS = 50000, PIXELS = 100 };

struct bench {
    char path[64];
    double *time, *gap;
    unsigned char *active;
    struct sg_reader *reader;
    struct sg_arena arena;
    struct sg_error err;
};

static void put(hid_t file, const char *name, hid_t type, hsize_t rows, const void *data)
{
    H5LTmake_dataset(file, name, 1, &rows, type, data);
}

static void set_up(struct bench *b)
{
    memset(b, 0, sizeof *b);
    strcpy(b->path, "/tmp/sg_curve_XXXXXX");
    int fd = mkstemp(b->path);
    ck_assert_int_ge(fd, 0);
    close(fd);
    b->time = calloc(ROWS, sizeof *b->time);
    b->gap = calloc(ROWS, sizeof *b->gap);
    b->active = calloc(ROWS, 1);
    for (size_t i = 0; i < ROWS; i++) b->time[i] = (double)i;
}

static void open_file(struct bench *b, hsize_t rows)
{
    hid_t file = H5Fcreate(b->path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    H5LTset_attribute_string(file, "/", "conventions", "signorini-results-1");
    H5Gclose(H5Gcreate2(file, "history", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    put(file, "history/time", H5T_NATIVE_DOUBLE, rows, b->time);
    put(file, "history/gap", H5T_NATIVE_DOUBLE, rows, b->gap);
    put(file, "history/active", H5T_NATIVE_UINT8, rows, b->active);
    hid_t time = H5Dopen2(file, "history/time", H5P_DEFAULT);
    H5DSset_scale(time, "time");
    H5Dclose(time);
    H5Fclose(file);
    ck_assert_msg(sg_reader_open(b->path, &b->reader, &b->err) == SG_OK, "%s", b->err.text);
}

static void tear_down(struct bench *b)
{
    sg_reader_close(b->reader);
    sg_arena_release(&b->arena);
    unlink(b->path);
    free(b->time);
    free(b->gap);
    free(b->active);
}

static struct sg_curve read_gap(struct bench *b)
{
    static const size_t column = 0;
    struct sg_curve curve = {0};
    struct sg_curve_request request = {sg_reader_scale(b->reader, SG_SERIES_HISTORY),
                                       sg_reader_find(b->reader, SG_SERIES_HISTORY, "gap"), &column, 1,
                                       PIXELS};
    ck_assert_msg(sg_curves_read(&b->arena, b->reader, &request, &curve, &b->err) == SG_OK, "%s",
                  b->err.text);
    return curve;
}

START_TEST(short_histories_are_kept_whole)
{
    struct bench b;
    set_up(&b);
    for (size_t i = 0; i < 300; i++) b.gap[i] = sin((double)i);
    open_file(&b, 300);
    struct sg_curve curve = read_gap(&b);
    ck_assert_uint_eq(curve.count, 300);
    for (size_t i = 0; i < 300; i++) ck_assert(curve.x[i] == (double)i && curve.y[i] == b.gap[i]);
    tear_down(&b);
}
END_TEST

START_TEST(single_peaks_survive_thinning)
{
    struct bench b;
    set_up(&b);
    b.gap[12345] = 7;
    b.gap[12346] = -3;
    b.gap[40000] = NAN;
    open_file(&b, ROWS);
    struct sg_curve curve = read_gap(&b);
    bool high = false, low = false;
    ck_assert_uint_le(curve.count, 4 * (PIXELS + 2));
    for (size_t i = 0; i < curve.count; i++) {
        high = high || (curve.x[i] == 12345 && curve.y[i] == 7);
        low = low || (curve.x[i] == 12346 && curve.y[i] == -3);
        ck_assert(i == 0 || curve.x[i] > curve.x[i - 1]);
    }
    ck_assert(high && low);
    ck_assert(curve.low == -3 && curve.high == 7);
    ck_assert(curve.x[0] == 0 && curve.x[curve.count - 1] == ROWS - 1);
    tear_down(&b);
}
END_TEST

START_TEST(phases_are_intervals)
{
    struct bench b;
    struct sg_curve phases = {0};
    set_up(&b);
    for (size_t i = 10000; i < 20000; i++) b.active[i] = 1;
    for (size_t i = 20100; i < 21000; i++) b.active[i] = 1; /* nearer than a pixel (500): joined */
    b.active[40000] = 1;
    for (size_t i = 49000; i < ROWS; i++) b.active[i] = 1; /* to the end */
    open_file(&b, ROWS);
    ck_assert_int_eq(sg_contact_phases_read(&b.arena, b.reader, PIXELS, &phases, &b.err), SG_OK);
    ck_assert_uint_eq(phases.count, 3);
    ck_assert(phases.x[0] == 10000 && phases.y[0] == 21000);
    ck_assert(phases.x[1] == 40000 && phases.y[1] == 40001);
    ck_assert(phases.x[2] == 49000 && phases.y[2] == ROWS - 1);
    tear_down(&b);
}
END_TEST

/* times that jump about must not write past what was allocated (the sanitizer watches) */
START_TEST(times_out_of_order_do_no_harm)
{
    const double ends[] = {ROWS, -1, INFINITY, NAN};
    for (size_t e = 0; e < sizeof ends / sizeof *ends; e++) {
        struct bench b;
        struct sg_curve phases = {0};
        set_up(&b);
        for (size_t i = 0; i < ROWS; i++) {
            b.time[i] = i % 3 == 0 ? (double)i : i % 3 == 1 ? -1e300 : INFINITY;
            b.gap[i] = i % 7 == 0 ? NAN : (double)(i % 11);
            b.active[i] = i % 2 == 0;
        }
        b.time[ROWS - 1] = ends[e];
        open_file(&b, ROWS);
        struct sg_curve curve = read_gap(&b);
        ck_assert(curve.low == 0 && curve.high == 10);
        ck_assert_uint_le(curve.count, e == 0 ? 4 * (PIXELS + 2) : ROWS);
        ck_assert_int_eq(sg_contact_phases_read(&b.arena, b.reader, PIXELS, &phases, &b.err), SG_OK);
        ck_assert_uint_le(phases.count, PIXELS + 2);
        tear_down(&b);
    }
}
END_TEST

Suite *sg_suite_curve(void)
{
    Suite *suite = suite_create("curve");
    TCase *all = tcase_create("curve");
    tcase_add_test(all, short_histories_are_kept_whole);
    tcase_add_test(all, single_peaks_survive_thinning);
    tcase_add_test(all, phases_are_intervals);
    tcase_add_test(all, times_out_of_order_do_no_harm);
    suite_add_tcase(suite, all);
    return suite;
}
