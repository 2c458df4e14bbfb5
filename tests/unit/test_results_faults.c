/* Results survive second runs, full disks, strange files and kills. */
#define _DEFAULT_SOURCE
#include <hdf5.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "results_fixture.h"

Suite *sg_suite_results_faults(void);

/* --- what goes wrong ------------------------------------------------------------------------------ */

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
    must(b, sg_recorder_flush(b->recorder, true, &b->err));
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

/* --- resuming ------------------------------------------------------------------------------------- */

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
    must(b, sg_recorder_flush(b->recorder, true, &b->err));
    sg_recorder_archive(b->recorder, &archive);
    if (write(out, archive.data, archive.length) != (ssize_t)archive.length) _exit(9);
    run_steps(b, CHECKPOINT + 1, KILL);
    must(b, sg_recorder_flush(b->recorder, true, &b->err));
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
    ck_assert_int_eq(step_to(&shorter, CHECKPOINT + 1, 0), SG_NO_INPUT);
    ck_assert_int_eq(sg_recorder_flush(shorter.recorder, true, &shorter.err), SG_NO_INPUT);
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
    ck_assert_int_eq(sg_recorder_create(&b.spec, &b.recorder, &b.err), SG_NO_INPUT);
    tear_down(&b);
}
END_TEST

static TCase *faults_case(void)
{
    TCase *faults = tcase_create("faults");
    tcase_add_test(faults, second_run_is_refused);
    tcase_add_test(faults, targets_that_can_not_be_are_refused);
    tcase_add_test(faults, full_disk_is_reported_and_flushed_rows_stay);
    tcase_add_test(faults, reader_refuses_what_is_no_results_file);
    return faults;
}

static TCase *resume_case(void)
{
    TCase *resume = tcase_create("resume");
    tcase_add_test(resume, killed_run_resumes_to_the_same_file);
    tcase_add_test(resume, resume_works_beside_a_follower);
    tcase_add_test(resume, resume_that_ends_early_is_an_error);
    tcase_add_test(resume, resume_with_too_few_rows_is_an_error);
    tcase_add_test(resume, resume_without_a_file_is_no_input);
    tcase_add_test(resume, resume_with_other_histories_is_refused);
    return resume;
}

Suite *sg_suite_results_faults(void)
{
    Suite *suite = suite_create("results_faults");
    suite_add_tcase(suite, faults_case());
    suite_add_tcase(suite, resume_case());
    return suite;
}
