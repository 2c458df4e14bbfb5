/* A study's table as a figure: what is drawn over what. */
#define _POSIX_C_SOURCE 200809L
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "drawing/study.h"

Suite *sg_suite_plot_study(void);

enum { ROWS = 6 };

/* two records and three gaps, in no order; one number is missing */
static const double gaps[ROWS] = {0.03, 0.01, 0.02, 0.02, 0.01, 0.03};
static const char *const records[ROWS] = {"folder/b.AT2", "folder/a.AT2", "folder/a.AT2",
                                          "folder/b.AT2", "folder/b.AT2", "folder/a.AT2"};
static const double excursion[ROWS] = {6, 1, 2, 4, 3, NAN}, nothing[ROWS] = {NAN, NAN, NAN, NAN, NAN, NAN};
static const double peak[ROWS] = {60, 10, 20, 40, 30, 50};
static const char *const states[ROWS] = {"complete", "complete", "complete",
                                         "complete", "complete", "failed"};

struct bench {
    char folder[64], path[96];
    struct sg_arena arena;
    struct sg_plot_study study;
    struct sg_error err;
};

static void bench_open(struct bench *b)
{
    *b = (struct bench){0};
    snprintf(b->folder, sizeof b->folder, "/tmp/sg_plot_study_XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(b->folder));
    snprintf(b->path, sizeof b->path, "%s/summary.h5", b->folder);
    const struct sg_table_column columns[] = {
        {.name = "status", .unit = "1", .description = "s", .type = SG_COLUMN_TEXT, .texts = states},
        {.group = "parameters",
         .name = "record",
         .unit = "1",
         .description = "r",
         .type = SG_COLUMN_TEXT,
         .texts = records},
        {.group = "parameters",
         .name = "gap",
         .unit = "m",
         .description = "g",
         .type = SG_COLUMN_REAL,
         .reals = gaps},
        {.group = "results",
         .name = "excursion",
         .unit = "m",
         .description = "e",
         .type = SG_COLUMN_REAL,
         .reals = excursion},
        {.group = "results",
         .name = "none",
         .unit = "m",
         .description = "n",
         .type = SG_COLUMN_REAL,
         .reals = nothing},
        {.group = "results",
         .name = "peak",
         .unit = "N",
         .description = "p",
         .type = SG_COLUMN_REAL,
         .reals = peak}};
    const struct sg_study_table table = {"pounding", "1", "c", "s", columns, sizeof columns / sizeof *columns,
                                         ROWS};
    ck_assert_msg(sg_study_table_write_hdf(&table, b->path, &b->err) == SG_OK, "%s", b->err.text);
    bool fits = false;
    ck_assert(sg_study_table_fits(b->path, &fits, &b->err) == SG_OK && fits);
}

static void bench_close(struct bench *b)
{
    sg_arena_release(&b->arena);
    ck_assert_int_eq(unlink(b->path), 0);
    ck_assert_int_eq(rmdir(b->folder), 0);
}

static void check_curve(const struct sg_panel_curve *drawn, const char *label, size_t count, const double *x,
                        const double *y)
{
    ck_assert_str_eq(drawn->label, label);
    ck_assert_uint_eq(drawn->curve.count, count);
    for (size_t k = 0; k < count; k++) {
        ck_assert(drawn->curve.x[k] == x[k]);
        ck_assert(drawn->curve.y[k] == y[k] || (isnan(drawn->curve.y[k]) && isnan(y[k])));
    }
}

START_TEST(a_curve_a_record_over_the_gap)
{
    struct bench b;
    bench_open(&b);
    struct sg_study_wish wish = {0};
    ck_assert_msg(sg_plot_study_init(&b.arena, &b.study, b.path, &wish, &b.err) == SG_OK, "%s", b.err.text);
    const struct sg_plot *plot = &b.study.plot;
    static const double x[3] = {0.01, 0.02, 0.03};
    ck_assert_str_eq(plot->title, "pounding");
    ck_assert_uint_eq(plot->count, 2); /* what has no number is not drawn */
    ck_assert_str_eq(plot->axis.scale->name, "gap");
    ck_assert(plot->axis.low == 0.01 && plot->axis.high == 0.03 && !plot->axis.log);
    const struct sg_panel *first = &plot->panels[0], *second = &plot->panels[1];
    ck_assert_str_eq(first->label, "excursion");
    ck_assert_str_eq(first->unit, "m");
    ck_assert_uint_eq(first->count, 3);
    check_curve(&first->curves[0], "b", 3, x, (const double[]){3, 4, 6});
    check_curve(&first->curves[1], "a", 3, x, (const double[]){1, 2, NAN});
    check_curve(&first->curves[2], "mean", 3, x, (const double[]){2, 3, NAN});
    check_curve(&second->curves[2], "mean", 3, x, (const double[]){20, 30, 55});
    ck_assert(second->curves[0].curve.low == 30 && second->curves[0].curve.high == 60);
    bench_close(&b);
}
END_TEST

static void refused(const char *over, const char *only, sg_status status, const char *words)
{
    struct bench b;
    bench_open(&b);
    struct sg_study_wish wish = {over, &only, only == NULL ? 0 : 1};
    ck_assert_int_eq(sg_plot_study_init(&b.arena, &b.study, b.path, &wish, &b.err), status);
    ck_assert_msg(strstr(b.err.text, words) != NULL, "%s", b.err.text);
    bench_close(&b);
}

START_TEST(unknown_names_are_told)
{
    refused("record", NULL, SG_USAGE, "no parameter 'record' with numbers; there is gap");
    refused(NULL, "peek", SG_USAGE, "no result 'peek' with numbers; there are excursion, none, peak");
    refused(NULL, "none", SG_NO_INPUT, "no numbers to draw");
}
END_TEST

START_TEST(chosen_columns_alone)
{
    struct bench b;
    bench_open(&b);
    const char *only = "peak";
    struct sg_study_wish wish = {"gap", &only, 1};
    ck_assert_msg(sg_plot_study_init(&b.arena, &b.study, b.path, &wish, &b.err) == SG_OK, "%s", b.err.text);
    ck_assert_uint_eq(b.study.plot.count, 1);
    ck_assert_str_eq(b.study.plot.panels[0].label, "peak");
    bench_close(&b);
}
END_TEST

START_TEST(other_files_are_no_tables)
{
    SG_LOCAL_ARENA(arena);
    struct sg_study_data data;
    struct sg_error err = {0};
    bool fits = true;
    ck_assert(sg_study_table_fits("/dev/null", &fits, &err) == SG_OK && !fits);
    fits = true;
    ck_assert(sg_study_table_fits("/no/such/file", &fits, &err) == SG_OK && !fits);
    ck_assert_int_eq(sg_study_table_read(&arena, "/dev/null", &data, &err), SG_NO_INPUT);
}
END_TEST

Suite *sg_suite_plot_study(void)
{
    Suite *suite = suite_create("plot_study");
    TCase *tc = tcase_create("plot_study");
    tcase_add_test(tc, a_curve_a_record_over_the_gap);
    tcase_add_test(tc, unknown_names_are_told);
    tcase_add_test(tc, chosen_columns_alone);
    tcase_add_test(tc, other_files_are_no_tables);
    suite_add_tcase(suite, tc);
    return suite;
}
