/* Cases worked off by processes: order, deaths, interruption, nothing left behind. */
#define _POSIX_C_SOURCE 200809L
#include <check.h>
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "support/stop.h"
#include "support/workers.h"

enum { CASES = 23 };

struct record {
    struct sg_text seen; /* what was delivered, one after the other */
    size_t count, ticks;
    size_t order[CASES];
    struct sg_outcome last;
    char message[SG_ERROR_TEXT];
    size_t stop_at; /* SIGTERM to oneself once so many are there; 0: never */
    sg_status refuse;
};

static void nap(double seconds)
{
    struct timespec left = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
    while (nanosleep(&left, &left) != 0 && errno == EINTR) continue;
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* later cases end sooner */
static sg_status square(void *self, size_t index, struct sg_text *result, struct sg_error *err)
{
    (void)self;
    nap(0.002 * (double)(index % 5 == 0 ? 10 : 1));
    sg_text_append(result, "%zu^2 = %zu\n", index, index * index);
    if (index % 7 == 3) FAIL(err, SG_NO_SOLUTION, "case %zu has none", index);
    return SG_OK;
}

static sg_status take(void *self, const struct sg_outcome *outcome, struct sg_error *err)
{
    struct record *record = self;
    record->order[record->count++] = outcome->index;
    record->last = *outcome;
    snprintf(record->message, sizeof record->message, "%s", outcome->message);
    sg_text_append(&record->seen, "%zu %d '%s' ", outcome->index, (int)outcome->status, outcome->message);
    sg_text_append_bytes(&record->seen, outcome->bytes, outcome->length);
    if (record->stop_at > 0 && record->count == record->stop_at) kill(getpid(), SIGTERM);
    if (record->refuse != SG_OK) FAIL(err, record->refuse, "refused");
    return SG_OK;
}

static void count_tick(void *self, size_t running)
{
    struct record *record = self;
    record->ticks += running > 0 ? 1 : 0;
}

static struct sg_workers workers_of(struct record *record, size_t jobs)
{
    return (struct sg_workers){.cases = CASES,
                               .jobs = jobs,
                               .ordered = true,
                               .self = record,
                               .work = square,
                               .deliver = take,
                               .tick = count_tick};
}

static size_t open_files(void)
{
    DIR *folder = opendir("/proc/self/fd");
    size_t count = 0;
    ck_assert_ptr_nonnull(folder);
    while (readdir(folder) != NULL) count++;
    closedir(folder);
    return count;
}

static void check_nothing_left(size_t files)
{
    ck_assert_uint_eq(open_files(), files);
    ck_assert_int_eq(waitpid(-1, NULL, WNOHANG), -1);
    ck_assert_int_eq(errno, ECHILD);
}

START_TEST(the_number_of_processes_changes_nothing)
{
    struct record one = {0}, many = {0}, none = {0};
    struct sg_error err;
    size_t files = open_files();
    struct sg_workers workers = workers_of(&one, 1);
    ck_assert_int_eq(sg_workers_run(&workers, &err), SG_OK);
    workers = workers_of(&many, 6);
    ck_assert_int_eq(sg_workers_run(&workers, &err), SG_OK);
    workers = workers_of(&none, 0);
    ck_assert_int_eq(sg_workers_run(&workers, &err), SG_OK);
    ck_assert_uint_eq(one.count, CASES);
    ck_assert_ptr_nonnull(strstr(sg_text_view(&one.seen), "16 0 '' 16^2 = 256\n17 11 'case 17 has none'"));
    ck_assert_str_eq(sg_text_view(&one.seen), sg_text_view(&many.seen));
    ck_assert_str_eq(sg_text_view(&one.seen), sg_text_view(&none.seen));
    check_nothing_left(files);
    sg_text_release(&one.seen);
    sg_text_release(&many.seen);
    sg_text_release(&none.seen);
}
END_TEST

/* --- cases that need others ----------------------------------------------------------------------- */

enum { NEEDED = 3 };

/* a case needs the one NEEDED before it */
static bool has_what_it_needs(void *self, size_t index)
{
    const struct record *record = self;
    return index < record->count + NEEDED;
}

/* tells how many cases had been delivered when its process began */
static sg_status tell_delivered(void *self, size_t index, struct sg_text *result, struct sg_error *err)
{
    const struct record *record = self;
    (void)err;
    nap(index % 4 == 0 ? 0.02 : 0.001);
    sg_text_append(result, "%zu", record->count);
    return SG_OK;
}

static sg_status check_delivered(void *self, const struct sg_outcome *outcome, struct sg_error *err)
{
    struct record *record = self;
    (void)err;
    ck_assert_uint_eq(outcome->index, record->count);
    ck_assert_int_eq(outcome->status, SG_OK);
    ck_assert_uint_lt(outcome->index, strtoul(outcome->bytes, NULL, 10) + NEEDED);
    record->count++;
    return SG_OK;
}

START_TEST(cases_wait_for_what_they_need)
{
    struct record record = {0};
    struct sg_error err;
    struct sg_workers workers = workers_of(&record, 6);
    workers.ready = has_what_it_needs;
    workers.work = tell_delivered;
    workers.deliver = check_delivered;
    ck_assert_int_eq(sg_workers_run(&workers, &err), SG_OK);
    ck_assert_uint_eq(record.count, CASES);
    record.count = 0;
    workers.jobs = 0; /* here each has all before it */
    ck_assert_int_eq(sg_workers_run(&workers, &err), SG_OK);
    ck_assert_uint_eq(record.count, CASES);
}
END_TEST

START_TEST(without_order_each_case_comes_once_when_it_ends)
{
    struct record record = {0};
    struct sg_error err;
    bool seen[CASES] = {false}, sorted = true;
    struct sg_workers workers = workers_of(&record, 4);
    workers.ordered = false;
    ck_assert_int_eq(sg_workers_run(&workers, &err), SG_OK);
    ck_assert_uint_eq(record.count, CASES);
    for (size_t i = 0; i < CASES; i++) {
        ck_assert(!seen[record.order[i]]);
        seen[record.order[i]] = true;
        sorted = sorted && record.order[i] == i;
    }
    ck_assert(!sorted); /* case 0 takes ten times as long as those beside it */
    sg_text_release(&record.seen);
}
END_TEST

static sg_status doze(void *self, size_t index, struct sg_text *result, struct sg_error *err)
{
    (void)self, (void)index, (void)result, (void)err;
    nap(0.3);
    return SG_OK;
}

START_TEST(processes_work_at_the_same_time)
{
    struct record record = {0};
    struct sg_error err;
    struct sg_workers workers = workers_of(&record, 8);
    workers.cases = 8;
    workers.work = doze;
    double start = now();
    ck_assert_int_eq(sg_workers_run(&workers, &err), SG_OK);
    ck_assert_double_lt(now() - start, 1.5); /* one after the other: 2.4 s */
    ck_assert_uint_ge(record.ticks, 1);
    sg_text_release(&record.seen);
}
END_TEST

/* 3 MB: far more than a pipe holds */
static sg_status write_much(void *self, size_t index, struct sg_text *result, struct sg_error *err)
{
    (void)self, (void)err;
    for (size_t i = 0; i < 300000; i++) sg_text_append(result, "%09zu\n", index * 1000000 + i);
    return SG_OK;
}

static sg_status check_much(void *self, const struct sg_outcome *outcome, struct sg_error *err)
{
    (void)err;
    struct record *record = self;
    record->count++;
    ck_assert_uint_eq(outcome->length, 3000000);
    char last[16];
    snprintf(last, sizeof last, "%09zu\n", outcome->index * 1000000 + 299999);
    ck_assert_str_eq(outcome->bytes + outcome->length - 10, last);
    return SG_OK;
}

START_TEST(results_may_be_long)
{
    struct record record = {0};
    struct sg_error err;
    struct sg_workers workers = workers_of(&record, 3);
    workers.cases = 5;
    workers.work = write_much;
    workers.deliver = check_much;
    ck_assert_int_eq(sg_workers_run(&workers, &err), SG_OK);
    ck_assert_uint_eq(record.count, 5);
}
END_TEST

static sg_status die(void *self, size_t index, struct sg_text *result, struct sg_error *err)
{
    (void)self, (void)err;
    sg_text_append(result, "lost");
    if (index == 0) raise(SIGKILL);
    if (index == 1) _exit(3);
    if (index == 2) abort();
    return SG_OK;
}

START_TEST(a_process_that_dies_is_told)
{
    static const char expected[] = "0 7 'the process was ended by signal 9 (Killed)' "
                                   "1 7 'the process ended without a result, with exit code 3' "
                                   "2 7 'the process was ended by signal 6 (Aborted)' 3 0 '' lost";
    struct record record = {0};
    struct sg_error err;
    size_t files = open_files();
    struct sg_workers workers = workers_of(&record, 2);
    workers.cases = 4;
    workers.work = die;
    ck_assert_int_eq(sg_workers_run(&workers, &err), SG_OK);
    ck_assert_int_eq(SG_SYSTEM, 7); /* as it stands in the text */
    ck_assert_str_eq(sg_text_view(&record.seen), expected);
    check_nothing_left(files);
    sg_text_release(&record.seen);
}
END_TEST

static sg_status spin(void *self, size_t index, struct sg_text *result, struct sg_error *err)
{
    volatile size_t turns = 0;
    (void)self, (void)result, (void)err;
    while (index == 0) turns++;
    return SG_OK;
}

/* The kernel looks at the limit at its ticks, and the process may have to wait for its turn. */
START_TEST(a_process_that_takes_too_long_is_ended)
{
    struct record record = {0};
    struct sg_error err;
    struct sg_workers workers = workers_of(&record, 1);
    workers.cases = 1;
    workers.work = spin;
    workers.cpu_seconds = 1;
    ck_assert_int_eq(sg_workers_run(&workers, &err), SG_OK);
    ck_assert_int_eq(record.last.signal, SIGXCPU);
    ck_assert_int_eq(record.last.status, SG_SYSTEM);
    sg_text_release(&record.seen);
}
END_TEST

static sg_status work_until_told(void *self, size_t index, struct sg_text *result, struct sg_error *err)
{
    (void)self, (void)result;
    for (int k = 0; index > 0 && k < 3000; k++) {
        nap(0.01);
        if (sg_stop_requested()) FAIL(err, SG_INTERRUPTED, "told to stop");
    }
    return SG_OK;
}

START_TEST(a_stop_reaches_all_processes)
{
    struct record record = {.stop_at = 1};
    struct sg_error err;
    size_t files = open_files();
    ck_assert_int_eq(sg_stop_install(&err), SG_OK);
    struct sg_workers workers = workers_of(&record, 3);
    workers.work = work_until_told;
    double start = now();
    ck_assert_int_eq(sg_workers_run(&workers, &err), SG_INTERRUPTED);
    ck_assert_double_lt(now() - start, 5.0); /* a case alone takes 30 s */
    ck_assert_uint_lt(record.count, 5);      /* those that ran, not all 23 */
    ck_assert_int_eq(record.last.status, SG_INTERRUPTED);
    ck_assert_str_eq(record.message, "told to stop");
    check_nothing_left(files);
    sg_text_release(&record.seen);
}
END_TEST

START_TEST(a_refused_result_ends_all)
{
    struct record record = {.refuse = SG_WRITE_FAILED};
    struct sg_error err;
    size_t files = open_files();
    struct sg_workers workers = workers_of(&record, 3);
    workers.work = work_until_told; /* ended by SIGTERM, which nobody handles here */
    double start = now();
    ck_assert_int_eq(sg_workers_run(&workers, &err), SG_WRITE_FAILED);
    ck_assert_str_eq(err.text, "refused");
    ck_assert_double_lt(now() - start, 5.0);
    ck_assert_uint_eq(record.count, 1);
    check_nothing_left(files);
    sg_text_release(&record.seen);
}
END_TEST

static void ignore(int number)
{
    (void)number;
}

/* every call that waits is interrupted again and again, in both processes */
START_TEST(signals_in_between_do_no_harm)
{
    struct record calm = {0}, hectic = {0};
    struct sg_error err;
    struct sg_workers workers = workers_of(&calm, 3);
    ck_assert_int_eq(sg_workers_run(&workers, &err), SG_OK);
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = ignore; /* without SA_RESTART */
    ck_assert_int_eq(sigaction(SIGALRM, &action, NULL), 0);
    struct itimerval often = {{0, 500}, {0, 500}}, off = {{0, 0}, {0, 0}};
    setitimer(ITIMER_REAL, &often, NULL);
    workers.self = &hectic;
    sg_status status = sg_workers_run(&workers, &err);
    setitimer(ITIMER_REAL, &off, NULL);
    ck_assert_int_eq(status, SG_OK);
    ck_assert_str_eq(sg_text_view(&calm.seen), sg_text_view(&hectic.seen));
    sg_text_release(&calm.seen);
    sg_text_release(&hectic.seen);
}
END_TEST

/* reads how many of the processes that hold the pipe's other end are left: none at its end of file */
START_TEST(processes_end_with_their_caller)
{
    int ends[2];
    char byte;
    ck_assert_int_eq(pipe(ends), 0);
    pid_t caller = fork();
    if (caller == 0) {
        struct record record = {0};
        struct sg_error err;
        struct sg_workers workers = workers_of(&record, 3);
        workers.work = work_until_told;
        close(ends[0]);
        sg_workers_run(&workers, &err);
        _exit(0);
    }
    close(ends[1]);
    nap(0.2);
    ck_assert_int_eq(kill(caller, SIGKILL), 0);
    double start = now();
    ck_assert_int_eq(read(ends[0], &byte, 1), 0);
    ck_assert_double_lt(now() - start, 5.0); /* left alone they would work for 30 s */
    ck_assert_int_eq(waitpid(caller, NULL, 0), caller);
    close(ends[0]);
}
END_TEST

START_TEST(no_cases_are_no_work)
{
    struct record record = {0};
    struct sg_error err;
    struct sg_workers workers = workers_of(&record, 3);
    workers.cases = 0;
    ck_assert_int_eq(sg_workers_run(&workers, &err), SG_OK);
    ck_assert_uint_eq(record.count, 0);
    ck_assert_uint_ge(sg_workers_default(), 1);
}
END_TEST

/* Check has handlers of its own, which processes here would inherit */
static void plain_signals(void)
{
    signal(SIGTERM, SIG_DFL);
    signal(SIGINT, SIG_DFL);
}

Suite *sg_suite_workers(void)
{
    Suite *suite = suite_create("workers");
    TCase *tests = tcase_create("workers");
    tcase_add_checked_fixture(tests, plain_signals, NULL);
    tcase_add_test(tests, the_number_of_processes_changes_nothing);
    tcase_add_test(tests, cases_wait_for_what_they_need);
    tcase_add_test(tests, without_order_each_case_comes_once_when_it_ends);
    tcase_add_test(tests, processes_work_at_the_same_time);
    tcase_add_test(tests, results_may_be_long);
    tcase_add_test(tests, a_process_that_dies_is_told);
    tcase_add_test(tests, a_process_that_takes_too_long_is_ended);
    tcase_add_test(tests, a_stop_reaches_all_processes);
    tcase_add_test(tests, a_refused_result_ends_all);
    tcase_add_test(tests, signals_in_between_do_no_harm);
    tcase_add_test(tests, processes_end_with_their_caller);
    tcase_add_test(tests, no_cases_are_no_work);
    suite_add_tcase(suite, tests);
    return suite;
}
