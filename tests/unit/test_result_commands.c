/* compare, export and plot on files made by the recorder. */
#define _DEFAULT_SOURCE
#include <check.h>
#include <hdf5.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "commands/commands.h"
#include "drawing/histories.h"
#include "drawing/panels_script.h"
#include "results/recorder.h"

Suite *sg_suite_result_commands(void);

enum { CONTACTS = 2, STEPS = 50 };

struct bench {
    char folder[64], a[128], b[128], out[128];
};

static void set_up(struct bench *t)
{
    memset(t, 0, sizeof *t);
    strcpy(t->folder, "/tmp/sg_commands_XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(t->folder));
    snprintf(t->a, sizeof t->a, "%s/it's $(a);.h5", t->folder);
    snprintf(t->b, sizeof t->b, "%s/b.h5", t->folder);
    snprintf(t->out, sizeof t->out, "%s/out", t->folder);
    ck_assert_ptr_nonnull(freopen("/dev/null", "w", stdout));
    ck_assert_ptr_nonnull(freopen("/dev/null", "w", stderr));
}

static void tear_down(struct bench *t)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", t->folder);
    ck_assert_int_eq(system(command), 0);
}

static void fill_gap(const void *owner, const struct sg_snapshot *now, double *row)
{
    (void)owner;
    memcpy(row, now->gap, CONTACTS * sizeof *row);
}

/* gap = (cos t, 1 + error at the last step); one event */
static void write_file(const char *path, double error, bool more)
{
    static const char *const contacts[CONTACTS] = {"left, \"soft\"", "right"};
    static const struct sg_model_labels labels = {
        .contact_count = CONTACTS, .dim = 1, .contact_names = contacts};
    struct sg_quantities quantities = {0};
    struct sg_recorder *recorder = NULL;
    struct sg_error err = {0};
    sg_quantities_add(
        &quantities,
        (struct sg_quantity){
            .name = "gap", .unit = "m", .description = "gaps", .width = CONTACTS, .fill = fill_gap});
    if (more)
        sg_quantities_add(
            &quantities,
            (struct sg_quantity){
                .name = "more", .unit = "1", .description = "more", .width = CONTACTS, .fill = fill_gap});
    struct sg_recorder_spec spec = {
        .path = path, .title = "'quoted' {x}_2", .end = STEPS, .quantities = &quantities, .labels = &labels};
    ck_assert_msg(sg_recorder_create(&spec, &recorder, &err) == SG_OK, "%s", err.text);
    struct sg_observer observer = sg_recorder_observer(recorder);
    struct sg_sampler sampler = {0};
    for (int n = 0; n <= STEPS; n++) {
        double gap[CONTACTS] = {cos(n), n == STEPS ? 1 + error : 1};
        struct sg_snapshot now = {.t = n, .gap = gap};
        ck_assert_int_eq(observer.step(observer.self, &now, n == 0 ? NULL : &sampler, 0, &err), SG_OK);
    }
    struct sg_event event = {1.5, 1, SG_EVENT_OPEN, 0, -1, 2};
    ck_assert_int_eq(observer.event(observer.self, &event, &err), SG_OK);
    struct sg_summary summary = {0};
    ck_assert_int_eq(sg_recorder_finish(recorder, "complete", &summary, &err), SG_OK);
    sg_recorder_destroy(recorder);
    sg_quantities_release(&quantities);
}

static int compare(char *a, char *b, char *option, char *value)
{
    char name[] = "compare";
    char *argv[] = {name, a, b, option, value};
    return sg_command_compare(option == NULL ? 3 : 5, argv);
}

START_TEST(compare_finds_a_difference)
{
    struct bench t;
    char rtol[] = "--rtol", tight[] = "1e-9", loose[] = "1e-5", negative[] = "-1";
    set_up(&t);
    write_file(t.a, 0, false);
    write_file(t.b, 1e-6, false);
    ck_assert_int_eq(compare(t.a, t.a, NULL, NULL), 0);
    ck_assert_int_eq(compare(t.a, t.b, NULL, NULL), 1);
    ck_assert_int_eq(compare(t.a, t.b, rtol, tight), 1);
    ck_assert_int_eq(compare(t.a, t.b, rtol, loose), 0);
    ck_assert_int_eq(compare(t.a, t.b, rtol, negative), 64);
    ck_assert_int_eq(compare(t.a, t.out, NULL, NULL), 66);
    tear_down(&t);
}
END_TEST

START_TEST(compare_misses_nothing_in_silence)
{
    struct bench t;
    set_up(&t);
    write_file(t.a, 0, false);
    write_file(t.b, 0, true);
    ck_assert_int_eq(compare(t.a, t.b, NULL, NULL), 1);
    ck_assert_int_eq(compare(t.b, t.a, NULL, NULL), 1);
    tear_down(&t);
}
END_TEST

/* as no run leaves it: the last gap is no number */
static void put_nan(const char *path)
{
    hsize_t at[2] = {STEPS, CONTACTS - 1}, one[2] = {1, 1};
    double nan = NAN;
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT), set = H5Dopen2(file, "history/gap", H5P_DEFAULT);
    hid_t space = H5Dget_space(set), memory = H5Screate_simple(2, one, NULL);
    ck_assert_int_ge(H5Sselect_hyperslab(space, H5S_SELECT_SET, at, NULL, one, NULL), 0);
    ck_assert_int_ge(H5Dwrite(set, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, &nan), 0);
    H5Sclose(memory);
    H5Sclose(space);
    H5Dclose(set);
    ck_assert_int_ge(H5Fclose(file), 0);
}

START_TEST(compare_sees_nan_on_one_side)
{
    struct bench t;
    char atol[] = "--atol", huge[] = "1e300";
    set_up(&t);
    write_file(t.a, 0, false);
    write_file(t.b, 0, false);
    put_nan(t.b);
    ck_assert_int_eq(compare(t.a, t.b, atol, huge), 1);
    ck_assert_int_eq(compare(t.b, t.b, NULL, NULL), 0);
    tear_down(&t);
}
END_TEST

START_TEST(export_writes_rfc_4180)
{
    struct bench t;
    char name[] = "export", csv[] = "--csv", path[192], line[256];
    double time = -1, left = 0, right = 0;
    set_up(&t);
    write_file(t.a, 0, false);
    char *argv[] = {name, t.a, csv, t.out};
    ck_assert_int_eq(sg_command_export(4, argv), 0);
    ck_assert_int_eq(sg_command_export(2, argv), 64);
    snprintf(path, sizeof path, "%s/gap.csv", t.out);
    FILE *file = fopen(path, "r");
    ck_assert_ptr_nonnull(file);
    ck_assert_ptr_nonnull(fgets(line, sizeof line, file));
    ck_assert_str_eq(line, "time [s],\"gap left, \"\"soft\"\" [m]\",gap right [m]\r\n");
    for (int n = 0; n <= STEPS; n++) {
        ck_assert_ptr_nonnull(fgets(line, sizeof line, file));
        ck_assert_int_eq(sscanf(line, "%lf,%lf,%lf", &time, &left, &right), 3);
        ck_assert(time == n && left == cos(n) && right == 1); /* 17 digits read back the same */
    }
    ck_assert_ptr_null(fgets(line, sizeof line, file));
    fclose(file);
    snprintf(path, sizeof path, "%s/events.csv", t.out);
    file = fopen(path, "r");
    ck_assert_ptr_nonnull(file);
    ck_assert_ptr_nonnull(fgets(line, sizeof line, file));
    ck_assert_ptr_nonnull(fgets(line, sizeof line, file));
    ck_assert_str_eq(line, "1.5,1,0,-1,2,open\r\n");
    fclose(file);
    tear_down(&t);
}
END_TEST

START_TEST(plot_draws_each_format)
{
    static const char *const ends[] = {".svg", ".png", ".pdf"};
    static const char *const heads[] = {"<?xml", "\x89PNG", "%PDF"};
    struct bench t;
    char name[] = "plot", option[] = "-o", path[160];
    set_up(&t);
    write_file(t.a, 0, false);
    for (int i = 0; i < 3; i++) {
        char head[8] = "";
        snprintf(path, sizeof path, "%s/pic; 'ture%s", t.folder, ends[i]);
        char *argv[] = {name, t.a, option, path};
        ck_assert_int_eq(sg_command_plot(4, argv), 0);
        FILE *file = fopen(path, "rb");
        ck_assert_ptr_nonnull(file);
        ck_assert_uint_eq(fread(head, 1, strlen(heads[i]), file), strlen(heads[i]));
        ck_assert_str_eq(head, heads[i]);
        fclose(file);
    }
    tear_down(&t);
}
END_TEST

START_TEST(plot_refuses_what_it_can_not_draw)
{
    struct bench t;
    char name[] = "plot", option[] = "-o", only[] = "--only", unknown[] = "gapp", other[] = "x.jpg";
    set_up(&t);
    write_file(t.a, 0, false);
    char *wrong_history[] = {name, t.a, only, unknown};
    char *wrong_format[] = {name, t.a, option, other};
    char *missing[] = {name, t.b};
    ck_assert_int_eq(sg_command_plot(4, wrong_history), 64);
    ck_assert_int_eq(sg_command_plot(4, wrong_format), 64);
    ck_assert_int_eq(sg_command_plot(2, missing), 66);
    ck_assert_int_eq(sg_command_plot(1, missing), 64);
    tear_down(&t);
}
END_TEST

START_TEST(script_quotes_what_files_say)
{
    struct bench t;
    struct sg_reader *reader = NULL;
    struct sg_arena arena = {0};
    struct sg_plot plot = {0};
    struct sg_script script = {0};
    struct sg_error err = {0};
    set_up(&t);
    write_file(t.a, 0, false);
    ck_assert_int_eq(sg_reader_open(t.a, &reader, &err), SG_OK);
    ck_assert_int_eq(sg_plot_init(&arena, &plot, reader, &(struct sg_plot_wish){0}, &err), SG_OK);
    plot.title = "'a'\n!touch x `touch y` @z";
    sg_plot_script(&plot, SG_PLOT_SVG, &script);
    ck_assert_ptr_nonnull(strstr(script.text.data, "'’a’ !touch x `touch y` @z'"));
    ck_assert_ptr_nonnull(strstr(script.text.data, "gap [m]"));
    ck_assert_ptr_null(strstr(script.text.data, "\n!"));
    sg_script_release(&script);
    sg_arena_release(&arena);
    sg_reader_close(reader);
    tear_down(&t);
}
END_TEST

Suite *sg_suite_result_commands(void)
{
    Suite *suite = suite_create("result_commands");
    TCase *all = tcase_create("commands");
    tcase_set_timeout(all, 60); /* gnuplot may build its font cache first */
    tcase_add_test(all, compare_finds_a_difference);
    tcase_add_test(all, compare_misses_nothing_in_silence);
    tcase_add_test(all, compare_sees_nan_on_one_side);
    tcase_add_test(all, export_writes_rfc_4180);
    tcase_add_test(all, plot_draws_each_format);
    tcase_add_test(all, plot_refuses_what_it_can_not_draw);
    tcase_add_test(all, script_quotes_what_files_say);
    suite_add_tcase(suite, all);
    return suite;
}
