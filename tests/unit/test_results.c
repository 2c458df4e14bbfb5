/* Results: what the recorder samples, what the file holds, and that it survives kills, full disks and
 * second runs. */
#define _DEFAULT_SOURCE
#include <check.h>

#include <hdf5.h>
#include <hdf5_hl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "results/reader.h"
#include "results/recorder.h"

Suite *sg_suite_results(void);

/* --- a system whose state is known at any time ---------------------------------------------------- */

enum { DOFS = 3, CONTACTS = 2 };

struct state {
    double u[DOFS], v[DOFS], gap[CONTACTS], force[CONTACTS], impulse[CONTACTS];
    unsigned char active[CONTACTS];
};

struct world {
    struct state end, inside; /* of the step; where the sampler looked */
    int samples;              /* how often it was asked */
};

static void set_world(struct state *w, double t, struct sg_snapshot *now)
{
    for (int i = 0; i < DOFS; i++) {
        w->u[i] = t + i;
        w->v[i] = 1 + 10 * t;
    }
    for (int j = 0; j < CONTACTS; j++) {
        w->gap[j] = sin(t + j);
        w->force[j] = fmax(0, -w->gap[j]);
        w->active[j] = w->gap[j] < 0;
        w->impulse[j] = t * t + j;
    }
    *now = (struct sg_snapshot){.t = t,
                                .u = w->u,
                                .v = w->v,
                                .gap = w->gap,
                                .force = w->force,
                                .impulse = w->impulse,
                                .active = w->active};
}

static sg_status sample_world(void *self, double t, struct sg_snapshot *now, struct sg_error *err)
{
    struct world *w = self;
    (void)err;
    w->samples++;
    set_world(&w->inside, t, now);
    return SG_OK;
}

static void fill_u(const void *owner, const struct sg_snapshot *now, double *row)
{
    (void)owner;
    memcpy(row, now->u, DOFS * sizeof *row);
}

static void fill_gap(const void *owner, const struct sg_snapshot *now, double *row)
{
    (void)owner;
    memcpy(row, now->gap, CONTACTS * sizeof *row);
}

static void fill_active(const void *owner, const struct sg_snapshot *now, double *row)
{
    (void)owner;
    for (int j = 0; j < CONTACTS; j++) row[j] = now->active[j];
}

static void fill_total(const void *owner, const struct sg_snapshot *now, double *row)
{
    (void)owner;
    row[0] = 4 + now->t;
}

static void fill_numerical(const void *owner, const struct sg_snapshot *now, double *row)
{
    (void)owner;
    row[0] = -now->t / 8;
}

static const char *const dof_names[DOFS] = {"a.x", "b.x", "größe.x"};
static const char *const contact_names[CONTACTS] = {"left", "right"};
static const char *const body_names[1] = {"bar"};
static const double positions[2] = {0, 1.5};
static const int bodies[2] = {0, 0}, elements[2] = {0, 1};

static const struct sg_model_labels labels = {DOFS,          2,          1, CONTACTS,  1,      dof_names,
                                              contact_names, body_names, 1, positions, bodies, elements};

static const struct sg_point_column point_columns[2] = {{"frequency", "Hz", "of the orbit"},
                                                        {"energy", "J", "of the orbit"}};

struct bench {
    char folder[64], path[96], part[112], lock[112];
    struct sg_quantities quantities;
    struct sg_recorder_spec spec;
    struct world world;
    struct sg_recorder *recorder;
    struct sg_observer observer;
    struct sg_error err;
};

static void set_up(struct bench *b, double every)
{
    memset(b, 0, sizeof *b);
    strcpy(b->folder, "/tmp/sg_results_XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(b->folder));
    snprintf(b->path, sizeof b->path, "%s/out.h5", b->folder);
    snprintf(b->part, sizeof b->part, "%s.part", b->path);
    snprintf(b->lock, sizeof b->lock, "%s.lock", b->path);
    const struct sg_quantity list[] = {
        {"displacement", "m", "u", DOFS, false, true, fill_u, NULL},
        {"gap", "m", "gaps", CONTACTS, false, false, fill_gap, NULL},
        {"active", "1", "closed", CONTACTS, true, false, fill_active, NULL},
        {"energy/total", "J", "total", 0, false, false, fill_total, NULL},
        {"energy/numerical", "J", "rest", 0, false, false, fill_numerical, NULL},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) sg_quantities_add(&b->quantities, list[i]);
    b->spec = (struct sg_recorder_spec){.path = b->path,
                                        .title = "a bar & a wall – ü",
                                        .deck_source = "title = \"x\";\n",
                                        .deck_resolved = "title = \"x\"; # all\n",
                                        .deck_sha256 = "abc",
                                        .version = "1",
                                        .commit = "c0ffee",
                                        .every = every,
                                        .end = 1,
                                        .events = true,
                                        .quantities = &b->quantities,
                                        .labels = &labels,
                                        .impulses = true};
}

static void open_recorder(struct bench *b)
{
    sg_status status = sg_recorder_create(&b->spec, &b->recorder, &b->err);
    ck_assert_msg(status == SG_OK, "%s", b->err.text);
    b->observer = sg_recorder_observer(b->recorder);
}

static void tear_down(struct bench *b)
{
    char command[128];
    sg_recorder_destroy(b->recorder);
    sg_quantities_release(&b->quantities);
    snprintf(command, sizeof command, "rm -rf %s", b->folder);
    ck_assert_int_eq(system(command), 0);
}

static sg_status step_to(struct bench *b, double t, int localized)
{
    struct sg_snapshot now;
    struct sg_sampler sampler = {&b->world, sample_world};
    set_world(&b->world.end, t, &now);
    return b->observer.step(b->observer.self, &now, &sampler, localized, &b->err);
}

static sg_status start(struct bench *b)
{
    struct sg_snapshot now;
    set_world(&b->world.end, 0, &now);
    return b->observer.step(b->observer.self, &now, NULL, 0, &b->err);
}

static void must(const struct bench *b, sg_status status)
{
    ck_assert_msg(status == SG_OK, "%s", b->err.text);
}

static void finish(struct bench *b, const char *status)
{
    struct sg_summary summary = {.steps = 7, .events = 2, .max_penetration = 0.25, .wall_seconds = 1.5};
    must(b, sg_recorder_finish(b->recorder, status, &summary, &b->err));
}

static size_t read_history(const char *path, const char *name, double *out, size_t capacity)
{
    struct sg_reader *reader = NULL;
    struct sg_error err = {0};
    ck_assert_msg(sg_reader_open(path, &reader, &err) == SG_OK, "%s", err.text);
    const struct sg_series *series = sg_reader_find(reader, SG_SERIES_HISTORY, name);
    ck_assert_ptr_nonnull(series);
    size_t rows = series->rows, width = series->width == 0 ? 1 : series->width;
    ck_assert_uint_le(rows * width, capacity);
    ck_assert_msg(sg_reader_rows(reader, series, 0, rows, out, &err) == SG_OK, "%s", err.text);
    sg_reader_close(reader);
    return rows;
}

/* --- sampling --------------------------------------------------------------------------------------- */

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
    must(&b, sg_recorder_flush(b.recorder, &b.err)); /* the row to replace is in the file already */
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

/* --- the file --------------------------------------------------------------------------------------- */

static void run_short(struct bench *b)
{
    open_recorder(b);
    must(b, start(b));
    struct sg_event event = {0.3, 1, SG_EVENT_IMPACT, -1e-9, -2.5, 11};
    must(b, step_to(b, 0.3, 1));
    must(b, b->observer.event(b->observer.self, &event, &b->err));
    must(b, step_to(b, 1, 0));
}

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
                                       "model/contact_names",
                                       "model/body_names",
                                       "model/node_positions",
                                       "model/node_bodies",
                                       "model/element_nodes",
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
        bool history = strncmp(sets[i], "history/", 8) == 0 && i != 8;
        if (history) ck_assert_int_eq(H5DSget_num_scales(set, 0), 1);
        if (i == 8) ck_assert_int_gt(H5DSis_scale(set), 0);
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
    ck_assert_int_eq(H5Tget_nmembers(kind_type), 5);
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
        if (n % 700 == 0) must(&b, sg_recorder_flush(b.recorder, &b.err));
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
    must(&b, sg_recorder_flush(b.recorder, &b.err));
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
    double value[2];
    set_up(&b, 0);
    b.spec.point_columns = point_columns;
    b.spec.point_width = 2;
    open_recorder(&b);
    for (int i = 0; i < 2; i++) {
        double point[2] = {1.5 + i, 20.0 * i};
        must(&b, b.observer.point(b.observer.self, point, 2, &b.err));
    }
    ck_assert_int_eq(b.observer.point(b.observer.self, value, 1, &b.err), SG_INTERNAL);
    finish(&b, "complete");
    must(&b, sg_reader_open(b.path, &reader, &b.err));
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
    double predicted = sg_recorder_predict_bytes(&b.spec);
    open_recorder(&b);
    must(&b, start(&b));
    for (int n = 1; n <= 64; n++) must(&b, step_to(&b, n / 64.0, 0));
    finish(&b, "complete");
    ck_assert_int_eq(stat(b.path, &info), 0);
    /* the prediction guides a choice; half to double the size is enough for that */
    ck_assert_double_gt(predicted, 0.5 * (double)info.st_size);
    ck_assert_double_lt(predicted, 2.0 * (double)info.st_size);
    tear_down(&b);
}
END_TEST

/* --- what goes wrong ---------------------------------------------------------------------------------- */

START_TEST(second_run_is_refused)
{
    struct bench b;
    struct sg_recorder *second = NULL;
    set_up(&b, 0);
    open_recorder(&b);
    ck_assert_int_eq(sg_recorder_create(&b.spec, &second, &b.err), SG_NO_OUTPUT);
    ck_assert_ptr_null(second);
    ck_assert_ptr_nonnull(strstr(b.err.text, b.lock));
    ck_assert_int_eq(access(b.lock, F_OK), 0); /* the refused run has not removed it */
    b.spec.resume = true;
    ck_assert_int_eq(sg_recorder_create(&b.spec, &second, &b.err), SG_NO_OUTPUT);
    must(&b, start(&b));
    finish(&b, "complete");
    tear_down(&b);
}
END_TEST

START_TEST(targets_that_can_not_be_are_refused)
{
    static const char *const paths[] = {"/nonexistent/folder/out.h5", "/dev/null", "/tmp"};
    for (size_t i = 0; i < 3; i++) {
        struct bench b;
        set_up(&b, 0);
        b.spec.path = paths[i];
        ck_assert_int_eq(sg_recorder_create(&b.spec, &b.recorder, &b.err), SG_NO_OUTPUT);
        ck_assert_ptr_nonnull(strstr(b.err.text, paths[i]));
        tear_down(&b);
    }
}
END_TEST

enum { DISK = 400000, FLUSHED = 100, ENDLESS = 100000 };

/* exits with 0 if the failure is reported as it should be */
static void run_into_the_limit(struct bench *b)
{
    sg_status status = SG_OK;
    H5dont_atexit();
    open_recorder(b);
    must(b, start(b));
    for (int n = 1; n <= FLUSHED; n++) must(b, step_to(b, n, 0));
    must(b, sg_recorder_flush(b->recorder, &b->err));
    struct rlimit limit = {DISK, DISK};
    signal(SIGXFSZ, SIG_IGN);
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0) _exit(2);
    for (int n = FLUSHED + 1; n < ENDLESS && status == SG_OK; n++) status = step_to(b, n, 0);
    bool told = strstr(b->err.text, b->part) != NULL && strstr(b->err.text, "File too large") != NULL;
    sg_recorder_destroy(b->recorder);
    exit(status == SG_WRITE_FAILED && told ? 0 : 1);
}

START_TEST(full_disk_is_reported_and_flushed_rows_stay)
{
    struct bench b;
    static double time[ENDLESS], gap[ENDLESS * CONTACTS], total[ENDLESS];
    int status = -1;
    set_up(&b, 0);
    b.spec.end = ENDLESS;
    pid_t child = fork();
    if (child == 0) run_into_the_limit(&b);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
    size_t rows = read_history(b.part, "time", time, ENDLESS);
    ck_assert_uint_gt(rows, FLUSHED);
    read_history(b.part, "gap", gap, ENDLESS * CONTACTS);
    read_history(b.part, "energy/total", total, ENDLESS);
    /* no row of rubbish: room is found before the lengths grow */
    for (size_t n = 0; n < rows; n++)
        ck_assert(time[n] == (double)n && gap[n * CONTACTS] == sin((double)n) && total[n] == 4 + (double)n);
    ck_assert_int_ne(access(b.lock, F_OK), 0);
    tear_down(&b);
}
END_TEST

START_TEST(reader_refuses_what_is_no_results_file)
{
    struct bench b;
    struct sg_reader *reader = NULL;
    set_up(&b, 0);
    ck_assert_int_eq(sg_reader_open(b.path, &reader, &b.err), SG_NO_INPUT);
    ck_assert_ptr_nonnull(strstr(b.err.text, "No such file"));
    FILE *text = fopen(b.path, "w");
    fputs("not HDF5 at all\n", text);
    fclose(text);
    ck_assert_int_eq(sg_reader_open(b.path, &reader, &b.err), SG_NO_INPUT);
    hid_t file = H5Fcreate(b.path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    H5Fclose(file);
    ck_assert_int_eq(sg_reader_open(b.path, &reader, &b.err), SG_NO_INPUT);
    ck_assert_ptr_nonnull(strstr(b.err.text, "conventions"));
    ck_assert_ptr_null(reader);
    tear_down(&b);
}
END_TEST

/* --- resuming ----------------------------------------------------------------------------------------- */

enum { RUN = 3000, CHECKPOINT = 1500, KILL = 2100 };

static void run_steps(struct bench *b, int from, int to)
{
    struct sg_event event = {0, 0, SG_EVENT_CLOSE, 0, -1, 3};
    for (int n = from; n <= to; n++) {
        event.t = n;
        must(b, step_to(b, n, n % 10 == 0));
        if (n % 10 == 0) must(b, b->observer.event(b->observer.self, &event, &b->err));
    }
}

/* A run that writes its checkpoint into a pipe and is killed some rows later, in the middle of a chunk. */
static void run_until_killed(struct bench *b, int out)
{
    struct sg_archive archive = {0};
    open_recorder(b);
    must(b, start(b));
    run_steps(b, 1, CHECKPOINT);
    must(b, sg_recorder_flush(b->recorder, &b->err));
    sg_recorder_archive(b->recorder, &archive);
    if (write(out, archive.data, archive.length) != (ssize_t)archive.length) _exit(9);
    run_steps(b, CHECKPOINT + 1, KILL);
    must(b, sg_recorder_flush(b->recorder, &b->err));
    run_steps(b, KILL + 1, KILL + 5);
    raise(SIGKILL);
}

static void kill_a_run(struct bench *b, struct sg_archive *archive)
{
    int ends[2], status = 0;
    static unsigned char data[65536];
    ck_assert_int_eq(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) run_until_killed(b, ends[1]);
    close(ends[1]);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    ssize_t length = read(ends[0], data, sizeof data);
    ck_assert_int_gt(length, 0);
    close(ends[0]);
    sg_archive_bytes(archive, data, (size_t)length);
    archive->loading = true;
    archive->cursor = 0;
}

static void set_up_run(struct bench *b)
{
    set_up(b, 1.25);
    b->spec.end = RUN;
}

START_TEST(killed_run_resumes_to_the_same_file)
{
    struct bench whole, killed;
    struct sg_archive archive = {0};
    static double a[10000], c[10000];
    set_up_run(&whole);
    set_up_run(&killed);
    kill_a_run(&killed, &archive);
    size_t rows = read_history(killed.part, "time", c, 10000);
    ck_assert_uint_ge(rows, (size_t)(KILL / 1.25)); /* every flushed row is there */
    killed.spec.resume = true;
    open_recorder(&killed);
    sg_recorder_archive(killed.recorder, &archive);
    must(&killed, sg_archive_finish(&archive, &killed.err));
    run_steps(&killed, CHECKPOINT + 1, RUN);
    finish(&killed, "complete");

    open_recorder(&whole);
    must(&whole, start(&whole));
    run_steps(&whole, 1, RUN);
    finish(&whole, "complete");
    static const char *const names[] = {"time", "gap", "active", "contact_impulse", "energy/total"};
    for (size_t i = 0; i < 5; i++) {
        size_t n = read_history(whole.path, names[i], a, 10000);
        ck_assert_uint_eq(read_history(killed.path, names[i], c, 10000), n);
        ck_assert_mem_eq(a, c, n * sizeof *a);
    }
    ck_assert(sg_recorder_energy_drift(whole.recorder) == sg_recorder_energy_drift(killed.recorder));
    sg_archive_release(&archive);
    tear_down(&whole);
    tear_down(&killed);
}
END_TEST

START_TEST(resume_works_beside_a_follower)
{
    struct bench b;
    struct sg_archive archive = {0};
    struct sg_reader *follower = NULL;
    double value[1];
    set_up_run(&b);
    kill_a_run(&b, &archive);
    int ready[2], done[2];
    char byte = 'x';
    ck_assert_int_eq(pipe(ready), 0);
    ck_assert_int_eq(pipe(done), 0);
    pid_t child = fork(); /* HDF5 wants one opening of a file per process */
    if (child == 0) {
        bool good = sg_reader_open(b.part, &follower, &b.err) == SG_OK && write(ready[1], &byte, 1) == 1 &&
                    read(done[0], &byte, 1) == 1 &&
                    sg_reader_rows(follower, sg_reader_find(follower, SG_SERIES_HISTORY, "time"), 5, 1, value,
                                   &b.err) == SG_OK &&
                    value[0] == 6.25;
        _exit(good ? 0 : 1);
    }
    ck_assert_int_eq(read(ready[0], &byte, 1), 1);
    b.spec.resume = true;
    open_recorder(&b);
    sg_recorder_archive(b.recorder, &archive);
    run_steps(&b, CHECKPOINT + 1, RUN);
    ck_assert_int_eq(write(done[1], &byte, 1), 1);
    int status = -1;
    waitpid(child, &status, 0);
    ck_assert_int_eq(status, 0);
    finish(&b, "complete");
    sg_archive_release(&archive);
    tear_down(&b);
}
END_TEST

START_TEST(resume_that_ends_early_is_an_error)
{
    struct bench b;
    struct sg_archive archive = {0};
    struct sg_summary summary = {0};
    set_up_run(&b);
    kill_a_run(&b, &archive);
    b.spec.resume = true;
    open_recorder(&b);
    sg_recorder_archive(b.recorder, &archive);
    run_steps(&b, CHECKPOINT + 1, CHECKPOINT + 20);
    ck_assert_int_eq(sg_recorder_finish(b.recorder, "complete", &summary, &b.err), SG_INTERNAL);
    ck_assert_int_ne(access(b.path, F_OK), 0);
    sg_archive_release(&archive);
    tear_down(&b);
}
END_TEST

START_TEST(resume_with_too_few_rows_is_an_error)
{
    struct bench b, shorter;
    struct sg_archive archive = {0};
    set_up_run(&b);
    set_up_run(&shorter);
    kill_a_run(&b, &archive);
    open_recorder(&shorter);
    must(&shorter, start(&shorter));
    finish(&shorter, "interrupted");
    sg_recorder_destroy(shorter.recorder);
    shorter.spec.resume = true;
    open_recorder(&shorter);
    sg_recorder_archive(shorter.recorder, &archive);
    ck_assert_int_eq(step_to(&shorter, CHECKPOINT + 1, 0), SG_INTERNAL);
    ck_assert_int_eq(sg_recorder_flush(shorter.recorder, &shorter.err), SG_INTERNAL);
    sg_archive_release(&archive);
    tear_down(&b);
    tear_down(&shorter);
}
END_TEST

START_TEST(resume_without_a_file_is_no_input)
{
    struct bench b;
    set_up(&b, 0);
    b.spec.resume = true;
    ck_assert_int_eq(sg_recorder_create(&b.spec, &b.recorder, &b.err), SG_NO_INPUT);
    ck_assert_int_ne(access(b.lock, F_OK), 0);
    tear_down(&b);
}
END_TEST

START_TEST(resume_with_other_histories_is_refused)
{
    struct bench b;
    const char *names[] = {"displacement"};
    set_up(&b, 0);
    run_short(&b);
    finish(&b, "interrupted");
    sg_recorder_destroy(b.recorder);
    b.recorder = NULL;
    b.spec.resume = true;
    b.spec.names = names;
    b.spec.name_count = 1;
    ck_assert_int_eq(sg_recorder_create(&b.spec, &b.recorder, &b.err), SG_INTERNAL);
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
    tcase_add_test(file, second_run_is_refused);
    tcase_add_test(file, targets_that_can_not_be_are_refused);
    tcase_add_test(file, full_disk_is_reported_and_flushed_rows_stay);
    tcase_add_test(file, reader_refuses_what_is_no_results_file);
    return file;
}

Suite *sg_suite_results(void)
{
    Suite *suite = suite_create("results");
    TCase *resume = tcase_create("resume");
    tcase_add_test(resume, killed_run_resumes_to_the_same_file);
    tcase_add_test(resume, resume_works_beside_a_follower);
    tcase_add_test(resume, resume_that_ends_early_is_an_error);
    tcase_add_test(resume, resume_with_too_few_rows_is_an_error);
    tcase_add_test(resume, resume_without_a_file_is_no_input);
    tcase_add_test(resume, resume_with_other_histories_is_refused);
    suite_add_tcase(suite, sampling_case());
    suite_add_tcase(suite, file_case());
    suite_add_tcase(suite, resume);
    return suite;
}
