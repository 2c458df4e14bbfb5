/* Results: what the recorder samples, and what the file holds. */
#define _DEFAULT_SOURCE
#include <hdf5.h>
#include <hdf5_hl.h>
#include <sys/stat.h>

#include "results/file_size.h"
#include "results_fixture.h"

Suite *sg_suite_results(void);

/* --- sampling ------------------------------------------------------------------------------------- */

START_TEST(samples_are_exact_multiples)
{
    struct bench b;
    double time[64], u[64 * DOFS];
    set_up(&b, 0.1);
    const char *names[] = {"displacement"};
    b.spec.names = names;
    b.spec.name_count = 1;
    open_recorder(&b);
    must(&b, start(&b));
    for (int n = 1; n <= 4; n++) must(&b, step_to(&b, n * 0.25, 0));
    finish(&b, "complete");
    ck_assert_uint_eq(sg_recorder_rows(b.recorder), 11);
    ck_assert_uint_eq(read_history(b.path, "time", time, 64), 11);
    read_history(b.path, "displacement", u, 64 * DOFS);
    /* equal to the last bit: times are products, states are copied */
    for (int k = 0; k < 10; k++) {
        ck_assert(time[k] == k * 0.1);
        ck_assert(u[k * DOFS + 1] == k * 0.1 + 1);
    }
    ck_assert(time[10] == 1.0);
    /* 0.5 is a step end, and so is 1: those are taken from the step itself */
    ck_assert_int_eq(b.world.samples, 8);
    tear_down(&b);
}
END_TEST

START_TEST(step_ends_a_rounding_apart_are_samples)
{
    struct bench b;
    double time[64];
    set_up(&b, 0.1);
    open_recorder(&b);
    must(&b, start(&b));
    for (int n = 1; n <= 100; n++) must(&b, step_to(&b, n * 0.01, 0));
    finish(&b, "complete");
    ck_assert_uint_eq(read_history(b.path, "time", time, 64), 11);
    for (int k = 0; k < 10; k++) ck_assert(time[k] == k * 0.1);
    ck_assert_int_eq(b.world.samples, 0);
    tear_down(&b);
}
END_TEST

START_TEST(every_zero_records_each_step)
{
    struct bench b;
    double time[64], impulse[64 * CONTACTS];
    set_up(&b, 0);
    open_recorder(&b);
    must(&b, start(&b));
    for (int n = 1; n <= 8; n++) must(&b, step_to(&b, n * 0.125, 0));
    finish(&b, "complete");
    ck_assert_uint_eq(read_history(b.path, "time", time, 64), 9);
    read_history(b.path, "contact_impulse", impulse, 64 * CONTACTS);
    ck_assert(impulse[0] == 0);
    for (int k = 1; k <= 8; k++) {
        /* the difference of t^2 over the interval; exact in binary */
        ck_assert(impulse[k * CONTACTS] == (k * k - (k - 1) * (k - 1)) / 64.0);
        ck_assert(impulse[k * CONTACTS + 1] == impulse[k * CONTACTS]);
    }
    tear_down(&b);
}
END_TEST

START_TEST(localized_events_are_samples_unless_switched_off)
{
    for (int wanted = 0; wanted <= 1; wanted++) {
        struct bench b;
        double time[64];
        set_up(&b, 0.5);
        b.spec.events = wanted == 1;
        open_recorder(&b);
        must(&b, start(&b));
        must(&b, step_to(&b, 0.3, 1));
        must(&b, step_to(&b, 0.7, 0));
        must(&b, step_to(&b, 1.0, 0));
        finish(&b, "complete");
        size_t rows = read_history(b.path, "time", time, 64);
        ck_assert_uint_eq(rows, wanted == 1 ? 4 : 3);
        ck_assert(time[1] == (wanted == 1 ? 0.3 : 0.5));
        tear_down(&b);
    }
}
END_TEST

START_TEST(later_state_at_one_time_is_kept)
{
    struct bench b;
    double time[64], gap[64 * CONTACTS], impulse[64 * CONTACTS];
    set_up(&b, 0.5);
    open_recorder(&b);
    must(&b, start(&b));
    must(&b, step_to(&b, 0.5, 0));
    must(&b, sg_recorder_flush(b.recorder, true, &b.err)); /* the row to replace is in the file already */
    struct sg_snapshot now;
    struct sg_sampler sampler = {&b.world, sample_world};
    set_world(&b.world.end, 0.5, &now);
    b.world.end.gap[0] = 77;
    b.world.end.impulse[0] = 5;
    must(&b, b.observer.step(b.observer.self, &now, &sampler, 1, &b.err));
    must(&b, step_to(&b, 1.0, 0));
    finish(&b, "complete");
    ck_assert_uint_eq(read_history(b.path, "time", time, 64), 3);
    read_history(b.path, "gap", gap, 64 * CONTACTS);
    read_history(b.path, "contact_impulse", impulse, 64 * CONTACTS);
    ck_assert(gap[CONTACTS] == 77);
    ck_assert(impulse[CONTACTS] == 5);      /* since t = 0 */
    ck_assert(impulse[2 * CONTACTS] == -4); /* 1^2 - 5 */
    tear_down(&b);
}
END_TEST

START_TEST(time_can_not_go_back)
{
    struct bench b;
    set_up(&b, 0);
    open_recorder(&b);
    must(&b, start(&b));
    must(&b, step_to(&b, 0.5, 0));
    ck_assert_int_eq(step_to(&b, 0.25, 0), SG_INTERNAL);
    tear_down(&b);
}
END_TEST

START_TEST(energy_drift_is_measured_even_if_not_recorded)
{
    struct bench b;
    set_up(&b, 0);
    const char *names[] = {"gap"};
    b.spec.names = names;
    b.spec.name_count = 1;
    open_recorder(&b);
    must(&b, start(&b));
    must(&b, step_to(&b, 0.5, 0));
    must(&b, step_to(&b, 1, 0));
    ck_assert(sg_recorder_energy_drift(b.recorder) == (1.0 / 8) / 5); /* exact: one division */
    tear_down(&b);
}
END_TEST

START_TEST(names_choose_histories_and_groups)
{
    struct bench b;
    struct sg_reader *reader = NULL;
    set_up(&b, 0);
    const char *names[] = {"energy", "displacement"};
    b.spec.names = names;
    b.spec.name_count = 2;
    open_recorder(&b);
    must(&b, start(&b));
    finish(&b, "complete");
    must(&b, sg_reader_open(b.path, &reader, &b.err));
    ck_assert_ptr_nonnull(sg_reader_find(reader, SG_SERIES_HISTORY, "energy/total"));
    ck_assert_ptr_nonnull(sg_reader_find(reader, SG_SERIES_HISTORY, "energy/numerical"));
    ck_assert_ptr_nonnull(sg_reader_find(reader, SG_SERIES_HISTORY, "displacement"));
    ck_assert_ptr_null(sg_reader_find(reader, SG_SERIES_HISTORY, "gap"));
    ck_assert_ptr_null(sg_reader_find(reader, SG_SERIES_HISTORY, "contact_impulse"));
    sg_reader_close(reader);
    tear_down(&b);
}
END_TEST

START_TEST(unknown_name_is_refused_with_the_list)
{
    struct bench b;
    set_up(&b, 0);
    const char *names[] = {"energ"};
    b.spec.names = names;
    b.spec.name_count = 1;
    ck_assert_int_eq(sg_recorder_create(&b.spec, &b.recorder, &b.err), SG_BAD_DECK);
    ck_assert_ptr_null(b.recorder);
    ck_assert_ptr_nonnull(strstr(b.err.text, "'energ'"));
    ck_assert_ptr_nonnull(strstr(b.err.text, "energy/total"));
    ck_assert_ptr_nonnull(strstr(b.err.text, "contact_impulse"));
    ck_assert_int_ne(access(b.part, F_OK), 0);
    tear_down(&b);
}
END_TEST

/* --- the file ------------------------------------------------------------------------------------- */

START_TEST(layout_is_the_contract)
{
    struct bench b;
    set_up(&b, 0);
    run_short(&b);
    finish(&b, "complete");
    hid_t file = H5Fopen(b.path, H5F_ACC_RDONLY, H5P_DEFAULT);
    ck_assert(file >= 0);
    static const char *const sets[] = {"deck/source",
                                       "deck/resolved",
                                       "model/dof_names",
                                       "model/dof_nodes",
                                       "model/contact_names",
                                       "model/body_names",
                                       "model/node_positions",
                                       "model/node_bodies",
                                       "model/element_nodes",
                                       "model/element_shape",
                                       "history/time",
                                       "history/gap",
                                       "history/active",
                                       "history/energy/total",
                                       "history/energy/numerical",
                                       "history/contact_impulse",
                                       "events/time",
                                       "events/contact",
                                       "events/kind",
                                       "events/gap",
                                       "events/gap_velocity",
                                       "events/iterations"};
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        hid_t set = H5Dopen2(file, sets[i], H5P_DEFAULT);
        ck_assert_msg(set >= 0, "%s", sets[i]);
        ck_assert_msg(H5Aexists(set, "units") > 0 && H5Aexists(set, "description") > 0, "%s", sets[i]);
        bool time = strcmp(sets[i], "history/time") == 0;
        bool history = strncmp(sets[i], "history/", 8) == 0 && !time;
        if (history) ck_assert_int_eq(H5DSget_num_scales(set, 0), 1);
        if (time) ck_assert_int_gt(H5DSis_scale(set), 0);
        H5Dclose(set);
    }
    static const char *const attributes[] = {"title",   "program", "version",     "commit", "deck_sha256",
                                             "created", "host",    "conventions", "status"};
    for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++)
        ck_assert_msg(H5Aexists(file, attributes[i]) > 0, "%s", attributes[i]);
    hid_t active = H5Dopen2(file, "history/active", H5P_DEFAULT), type = H5Dget_type(active);
    ck_assert_int_gt(H5Tequal(type, H5T_NATIVE_UINT8), 0);
    hid_t kind = H5Dopen2(file, "events/kind", H5P_DEFAULT), kind_type = H5Dget_type(kind);
    ck_assert_int_eq(H5Tget_class(kind_type), H5T_ENUM);
    ck_assert_int_eq(H5Tget_nmembers(kind_type), 6);
    H5Tclose(kind_type);
    H5Dclose(kind);
    H5Tclose(type);
    H5Dclose(active);
    H5Fclose(file);
    ck_assert_int_ne(access(b.part, F_OK), 0);
    ck_assert_int_ne(access(b.lock, F_OK), 0);
    tear_down(&b);
}
END_TEST

START_TEST(reader_gives_back_what_was_written)
{
    struct bench b;
    struct sg_reader *reader = NULL;
    struct sg_summary summary;
    double value[64];
    char label[32];
    set_up(&b, 0);
    run_short(&b);
    finish(&b, "complete");
    must(&b, sg_reader_open(b.path, &reader, &b.err));
    ck_assert_str_eq(sg_reader_attribute(reader, "status"), "complete");
    ck_assert_str_eq(sg_reader_attribute(reader, "title"), "a bar & a wall – ü");
    ck_assert_str_eq(sg_reader_attribute(reader, "no such"), "");
    sg_reader_summary(reader, &summary);
    ck_assert_int_eq(summary.steps, 7);
    ck_assert(summary.max_penetration == 0.25);
    ck_assert_str_eq(sg_reader_labels(reader, "dof_names").items[2], "größe.x");
    const struct sg_series *kind = sg_reader_find(reader, SG_SERIES_EVENTS, "kind");
    ck_assert_uint_eq(kind->rows, 1);
    must(&b, sg_reader_rows(reader, kind, 0, 1, value, &b.err));
    ck_assert_str_eq(sg_reader_event_kind(value[0]), "impact");
    ck_assert_str_eq(sg_reader_event_kind(99), "?");
    must(&b,
         sg_reader_rows(reader, sg_reader_find(reader, SG_SERIES_EVENTS, "iterations"), 0, 1, value, &b.err));
    ck_assert(value[0] == 11);
    const struct sg_series *gap = sg_reader_find(reader, SG_SERIES_HISTORY, "gap");
    ck_assert_uint_eq(gap->width, CONTACTS);
    ck_assert_str_eq(gap->unit, "m");
    sg_reader_column_label(reader, gap, 1, label, sizeof label);
    ck_assert_str_eq(label, "right");
    struct sg_series center = *gap;
    center.name = "center/velocity";
    center.width = 3; /* of one body, in space */
    sg_reader_column_label(reader, &center, 2, label, sizeof label);
    ck_assert_str_eq(label, "bar.z");
    center.width = 1;
    sg_reader_column_label(reader, &center, 0, label, sizeof label);
    ck_assert_str_eq(label, "bar");
    must(&b, sg_reader_rows(reader, gap, 1, 2, value, &b.err));
    ck_assert(value[0] == sin(0.3) && value[3] == sin(2.0));
    ck_assert_int_eq(sg_reader_rows(reader, gap, 2, 2, value, &b.err), SG_INTERNAL);
    sg_reader_close(reader);
    tear_down(&b);
}
END_TEST

START_TEST(many_rows_cross_chunks)
{
    enum { ROWS = 5000 };
    struct bench b;
    static double time[ROWS + 1], gap[(ROWS + 1) * CONTACTS];
    set_up(&b, 0);
    b.spec.end = ROWS;
    open_recorder(&b);
    must(&b, start(&b));
    for (int n = 1; n <= ROWS; n++) {
        must(&b, step_to(&b, n, 0));
        if (n % 700 == 0) must(&b, sg_recorder_flush(b.recorder, true, &b.err));
        if (n % 1023 == 0) must(&b, step_to(&b, n, 0)); /* replace the last row of a chunk */
    }
    finish(&b, "complete");
    ck_assert_uint_eq(read_history(b.path, "time", time, ROWS + 1), ROWS + 1);
    read_history(b.path, "gap", gap, (ROWS + 1) * CONTACTS);
    for (int n = 0; n <= ROWS; n++) ck_assert(time[n] == n && gap[CONTACTS * n] == sin(n));
    tear_down(&b);
}
END_TEST

START_TEST(unfinished_runs_keep_part)
{
    struct bench b;
    double time[8];
    struct sg_reader *reader = NULL;
    set_up(&b, 0);
    run_short(&b);
    must(&b, sg_recorder_flush(b.recorder, true, &b.err));
    ck_assert_uint_eq(read_history(b.part, "time", time, 8), 3); /* followed while it is written */
    finish(&b, "interrupted");
    ck_assert_int_ne(access(b.path, F_OK), 0);
    ck_assert_int_ne(access(b.lock, F_OK), 0);
    must(&b, sg_reader_open(b.part, &reader, &b.err));
    ck_assert_str_eq(sg_reader_attribute(reader, "status"), "interrupted");
    sg_reader_close(reader);
    tear_down(&b);
}
END_TEST

START_TEST(destroyed_run_is_marked_running)
{
    struct bench b;
    struct sg_reader *reader = NULL;
    set_up(&b, 0);
    run_short(&b);
    sg_recorder_destroy(b.recorder);
    b.recorder = NULL;
    must(&b, sg_reader_open(b.part, &reader, &b.err));
    ck_assert_str_eq(sg_reader_attribute(reader, "status"), "running");
    sg_reader_close(reader);
    tear_down(&b);
}
END_TEST

START_TEST(old_output_stays_until_the_new_is_complete)
{
    struct bench b;
    set_up(&b, 0);
    FILE *old = fopen(b.path, "w");
    fputs("old", old);
    fclose(old);
    run_short(&b);
    struct stat info;
    ck_assert_int_eq(stat(b.path, &info), 0);
    ck_assert_int_eq(info.st_size, 3);
    finish(&b, "complete");
    ck_assert_int_eq(stat(b.path, &info), 0);
    ck_assert_int_gt(info.st_size, 3);
    tear_down(&b);
}
END_TEST

START_TEST(points_are_recorded)
{
    struct bench b;
    struct sg_reader *reader = NULL;
    double value[6];
    set_up(&b, 0);
    b.spec.point_columns = point_columns;
    b.spec.point_column_count = 3;
    open_recorder(&b);
    for (int i = 0; i < 2; i++) {
        double point[5] = {1.5 + i, 20.0 * i, 1.0 + i, 2.0, 3.0};
        must(&b, b.observer.point(b.observer.self, point, 5, &b.err));
    }
    ck_assert_int_eq(b.observer.point(b.observer.self, value, 3, &b.err), SG_INTERNAL);
    finish(&b, "complete");
    must(&b, sg_reader_open(b.path, &reader, &b.err));
    const struct sg_series *state = sg_reader_find(reader, SG_SERIES_POINTS, "state");
    ck_assert_uint_eq(state->width, 3);
    must(&b, sg_reader_rows(reader, state, 0, 2, value, &b.err));
    ck_assert(value[0] == 1 && value[3] == 2 && value[5] == 3);
    const struct sg_series *energy = sg_reader_find(reader, SG_SERIES_POINTS, "energy");
    ck_assert_str_eq(sg_reader_scale(reader, SG_SERIES_POINTS)->name, "frequency");
    ck_assert_ptr_nonnull(energy);
    ck_assert_uint_eq(energy->rows, 2);
    must(&b, sg_reader_rows(reader, energy, 0, 2, value, &b.err));
    ck_assert(value[1] == 20);
    sg_reader_close(reader);
    tear_down(&b);
}
END_TEST

START_TEST(staggering_is_told)
{
    struct bench b;
    set_up(&b, 0);
    b.spec.staggering = "energy at t + h/2";
    run_short(&b);
    finish(&b, "complete");
    hid_t file = H5Fopen(b.path, H5F_ACC_RDONLY, H5P_DEFAULT);
    hid_t total = H5Dopen2(file, "history/energy/total", H5P_DEFAULT);
    hid_t gap = H5Dopen2(file, "history/gap", H5P_DEFAULT);
    ck_assert_int_gt(H5Aexists(total, "staggering"), 0);
    ck_assert_int_eq(H5Aexists(gap, "staggering"), 0);
    H5Dclose(gap);
    H5Dclose(total);
    H5Fclose(file);
    tear_down(&b);
}
END_TEST

START_TEST(size_is_predicted)
{
    struct bench b;
    struct stat info;
    set_up(&b, 1.0 / 4096);
    double predicted = sg_results_predict_bytes(&b.spec);
    open_recorder(&b);
    must(&b, start(&b));
    for (int n = 1; n <= 64; n++) must(&b, step_to(&b, n / 64.0, 0));
    finish(&b, "complete");
    ck_assert_int_eq(stat(b.path, &info), 0);
    /* of a short run, nearly all of it what every file has: HDF5's own part is known to a quarter */
    ck_assert_double_gt(predicted, 0.75 * (double)info.st_size);
    ck_assert_double_lt(predicted, 1.25 * (double)info.st_size);
    tear_down(&b);
}
END_TEST

static TCase *sampling_case(void)
{
    TCase *sampling = tcase_create("sampling");
    tcase_add_test(sampling, samples_are_exact_multiples);
    tcase_add_test(sampling, step_ends_a_rounding_apart_are_samples);
    tcase_add_test(sampling, every_zero_records_each_step);
    tcase_add_test(sampling, localized_events_are_samples_unless_switched_off);
    tcase_add_test(sampling, later_state_at_one_time_is_kept);
    tcase_add_test(sampling, time_can_not_go_back);
    tcase_add_test(sampling, energy_drift_is_measured_even_if_not_recorded);
    tcase_add_test(sampling, names_choose_histories_and_groups);
    tcase_add_test(sampling, unknown_name_is_refused_with_the_list);
    return sampling;
}

static TCase *file_case(void)
{
    TCase *file = tcase_create("file");
    tcase_add_test(file, layout_is_the_contract);
    tcase_add_test(file, reader_gives_back_what_was_written);
    tcase_add_test(file, many_rows_cross_chunks);
    tcase_add_test(file, unfinished_runs_keep_part);
    tcase_add_test(file, destroyed_run_is_marked_running);
    tcase_add_test(file, old_output_stays_until_the_new_is_complete);
    tcase_add_test(file, points_are_recorded);
    tcase_add_test(file, staggering_is_told);
    tcase_add_test(file, size_is_predicted);
    return file;
}

Suite *sg_suite_results(void)
{
    Suite *suite = suite_create("results");
    suite_add_tcase(suite, sampling_case());
    suite_add_tcase(suite, file_case());
    return suite;
}
