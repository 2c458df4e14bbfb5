/* Studies: parameters, how they combine, their faults; pseudo-random numbers; the state of a case. */
#define _POSIX_C_SOURCE 200809L
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "studies/case_state.h"
#include "studies/study.h"
#include "support/random.h"

struct trial {
    struct sg_arena arena;
    struct sg_deck *deck;
    struct sg_diagnostics findings;
    struct sg_error err;
    struct sg_study *study;
    sg_status status;
};

static void read_study(struct trial *t, const char *text)
{
    *t = (struct trial){.status = SG_OK};
    t->status = sg_deck_read_text(text, strlen(text), "study", &t->deck, &t->findings, &t->err);
    if (t->status == SG_OK) t->status = sg_deck_validate(t->deck, sg_study_grammar, &t->findings, &t->err);
    if (t->status == SG_OK) t->status = sg_study_create(&t->arena, t->deck, &t->study, &t->findings, &t->err);
}

static void release(struct trial *t)
{
    sg_arena_release(&t->arena);
    sg_deck_destroy(t->deck);
    sg_diagnostics_release(&t->findings);
}

/* the words of all cases, "a b|a c|" */
static void check_cases(const char *text, const char *expected)
{
    struct trial t;
    char all[4096] = "";
    read_study(&t, text);
    ck_assert_msg(t.status == SG_OK, "%s %s", t.err.text,
                  t.findings.count > 0 ? t.findings.items[0].message : "");
    for (size_t i = 0; i < t.study->cases; i++)
        for (size_t p = 0; p < t.study->parameter_count; p++) {
            strcat(all, sg_study_value(t.study, i, p)->word);
            strcat(all, p + 1 < t.study->parameter_count ? " " : "|");
        }
    ck_assert_str_eq(all, expected);
    release(&t);
}

START_TEST(each_value_meets_each)
{
    check_cases("deck = \"b.cfg\"; parameters = ({ type = \"list\"; path = \"a\"; values = [1.0, 2.5]; },"
                "{ type = \"words\"; path = \"b\"; words = [\"x\", \"true\"]; },"
                "{ type = \"list\"; path = \"c\"; values = [7.0, 8.0, 9.0]; });",
                "1 x 7|1 x 8|1 x 9|1 true 7|1 true 8|1 true 9|"
                "2.5 x 7|2.5 x 8|2.5 x 9|2.5 true 7|2.5 true 8|2.5 true 9|");
}
END_TEST

START_TEST(the_first_goes_with_the_first)
{
    check_cases(
        "deck = \"b.cfg\"; combine = \"zip\"; parameters = ({ type = \"list\"; path = \"a\"; values = "
        "[1.0, 2.0]; }, { type = \"list\"; path = \"b\"; values = [3.0, 4.0]; });",
        "1 3|2 4|");
}
END_TEST

/* 0.1 + 2 * 0.1 is 0.30000000000000004 in doubles: what is meant is 0.3 */
START_TEST(ranges_have_the_numbers_that_are_meant)
{
    check_cases(
        "deck = \"b.cfg\"; parameters = ({ type = \"range\"; path = \"a\"; from = 0.1; to = 0.5; step "
        "= 0.1; });",
        "0.1|0.2|0.3|0.4|0.5|");
    check_cases(
        "deck = \"b.cfg\"; parameters = ({ type = \"range\"; path = \"a\"; from = 1.0; to = -1.0; step "
        "= -0.75; });",
        "1|0.25|-0.5|");
    check_cases(
        "deck = \"b.cfg\"; parameters = ({ type = \"range\"; path = \"a\"; from = 0.0; to = 1.0; count "
        "= 4; });",
        "0|0.3333333333333333|0.6666666666666666|1|");
    check_cases(
        "deck = \"b.cfg\"; parameters = ({ type = \"log-range\"; path = \"a\"; from = 0.01; to = 1e4; "
        "count = 7; });",
        "0.01|0.1|1|10|100|1000|10000|");
    /* ratios and lengths that overflow */
    check_cases(
        "deck = \"b.cfg\"; parameters = ({ type = \"log-range\"; path = \"a\"; from = 1e-300; to = 1e300; "
        "count = 7; });",
        "1e-300|1e-200|1e-100|1|1e+100|1e+200|1e+300|");
    check_cases(
        "deck = \"b.cfg\"; parameters = ({ type = \"range\"; path = \"a\"; from = -1e308; to = 1e308; count "
        "= 5; });",
        "-1e+308|-5e+307|0|5e+307|1e+308|");
}
END_TEST

/* A whole number is written without point, so that keywords of integers take it; beyond 32 bits such a word
 * would be no deck value. */
START_TEST(words_are_deck_values)
{
    check_cases(
        "deck = \"b.cfg\"; parameters = ({ type = \"list\"; path = \"a\"; values = [10.0, -3.0, 1e-7, "
        "3e9, 1e22]; });",
        "10|-3|1e-07|3000000000.0|1e+22|");
}
END_TEST

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* By definition each of n equal parts of each range has one point. */
START_TEST(a_latin_hypercube_has_one_point_in_each_part)
{
    enum { N = 50 };
    static const char text[] =
        "deck = \"b.cfg\"; combine = \"latin-hypercube\"; samples = 50; seed = 7; parameters = ("
        "{ type = \"range\"; path = \"a\"; from = -2.0; to = 3.0; },"
        "{ type = \"log-range\"; path = \"b\"; from = 1.0; to = 1e5; },"
        "{ type = \"words\"; path = \"c\"; words = [\"x\", \"y\"]; });";
    struct trial t, again;
    double a[N], b[N], correlation = 0.0;
    int xs = 0;
    read_study(&t, text);
    read_study(&again, text);
    ck_assert_int_eq(t.status, SG_OK);
    ck_assert_uint_eq(t.study->cases, N);
    for (size_t i = 0; i < N; i++) {
        a[i] = (sg_study_value(t.study, i, 0)->number + 2.0) / 5.0;
        b[i] = log(sg_study_value(t.study, i, 1)->number) / log(1e5);
        correlation += 12.0 * (a[i] - 0.5) * (b[i] - 0.5) / N;
        xs += strcmp(sg_study_value(t.study, i, 2)->word, "x") == 0 ? 1 : 0;
        ck_assert_str_eq(sg_study_value(t.study, i, 1)->word, sg_study_value(again.study, i, 1)->word);
    }
    /* by chance: its standard deviation is 1 / sqrt(50) = 0.14; 1 if both had the same order */
    ck_assert_double_lt(fabs(correlation), 0.5);
    ck_assert_int_eq(xs, N / 2);
    qsort(a, N, sizeof *a, compare);
    qsort(b, N, sizeof *b, compare);
    for (int i = 0; i < N; i++) {
        ck_assert_int_eq((int)floor(a[i] * N), i);
        ck_assert_int_eq((int)floor(b[i] * N), i);
    }
    release(&t);
    release(&again);
}
END_TEST

/* Values for seed 1234567, computed from the published algorithm by other implementations of it. */
START_TEST(splitmix64_is_the_published_one)
{
    struct sg_random random = {1234567};
    ck_assert(sg_random_bits(&random) == UINT64_C(6457827717110365317));
    ck_assert(sg_random_bits(&random) == UINT64_C(3203168211198807973));
    ck_assert(sg_random_bits(&random) == UINT64_C(9817491932198370423));
    ck_assert(sg_random_bits(&random) == UINT64_C(4593380528125082431));
    ck_assert(sg_random_bits(&random) == UINT64_C(16408922859458223821));
}
END_TEST

START_TEST(assignments_are_those_of_all_cases_and_each_path)
{
    struct trial t;
    struct sg_assignments list;
    read_study(&t,
               "deck = \"b.cfg\"; set = [\"time.end=2.0\"]; parameters = ({ type = \"list\"; name = \"gap\"; "
               "paths = [\"contacts.[0].gap\", \"contacts.[1].gap\"]; values = [1.0, 0.5]; });");
    ck_assert_int_eq(t.status, SG_OK);
    ck_assert_int_eq(sg_study_assignments(&t.arena, t.study, 1, &list, &t.err), SG_OK);
    ck_assert_uint_eq(list.count, 3);
    ck_assert_str_eq(list.items[0], "time.end=2.0");
    ck_assert_str_eq(list.items[1], "contacts.[0].gap=0.5");
    ck_assert_str_eq(list.items[2], "contacts.[1].gap=0.5");
    ck_assert_str_eq(t.study->parameters[0].name, "gap");
    ck_assert_uint_eq(t.study->keep_count, 4);
    ck_assert_str_eq(t.study->keeps[2].name, "max_penetration");
    release(&t);
}
END_TEST

START_TEST(a_state_comes_back_as_it_was)
{
    char path[] = "/tmp/sg_state_XXXXXX";
    struct sg_error err;
    struct sg_case_state state = {.exit_code = 76, .seconds = 0.1}, back;
    int fd = mkstemp(path);
    ck_assert_int_ge(fd, 0);
    close(fd);
    memset(state.checksum, 'a', SG_SHA256_HEX - 1);
    sg_case_state_set_reason(&state, "a \"quoted\\ word\", \xc3\xa9\tand a tab\nand a second line");
    ck_assert_str_eq(state.reason, "a \"quoted\\ word\", \xc3\xa9\tand a tab");
    ck_assert_int_eq(sg_case_state_write(path, &state, &err), SG_OK);
    sg_case_state_read(path, &back);
    ck_assert_str_eq(back.checksum, state.checksum);
    ck_assert_str_eq(back.reason, state.reason);
    ck_assert_int_eq(back.exit_code, 76);
    ck_assert_double_eq(back.seconds, 0.1);
    ck_assert_int_eq(truncate(path, 90), 0);
    sg_case_state_read(path, &back);
    ck_assert_int_eq(back.exit_code, -1);
    ck_assert_str_eq(back.checksum, "");
    unlink(path);
    sg_case_state_read(path, &back);
    ck_assert_int_eq(back.exit_code, -1);
}
END_TEST

START_TEST(a_reason_is_cut_between_characters)
{
    struct sg_case_state state;
    char text[3 * SG_REASON + 1] = "";
    for (int i = 0; i < SG_REASON; i++) memcpy(text + 3 * i, "\xe2\x82\xac", 4); /* the euro, 3 bytes */
    sg_case_state_set_reason(&state, text);
    ck_assert_uint_eq(strlen(state.reason), (SG_REASON - 1) / 3 * 3);
}
END_TEST

Suite *sg_suite_study(void)
{
    Suite *suite = suite_create("study");
    TCase *tests = tcase_create("study");
    tcase_add_test(tests, each_value_meets_each);
    tcase_add_test(tests, the_first_goes_with_the_first);
    tcase_add_test(tests, ranges_have_the_numbers_that_are_meant);
    tcase_add_test(tests, words_are_deck_values);
    tcase_add_test(tests, a_latin_hypercube_has_one_point_in_each_part);
    tcase_add_test(tests, splitmix64_is_the_published_one);
    tcase_add_test(tests, assignments_are_those_of_all_cases_and_each_path);
    tcase_add_test(tests, a_state_comes_back_as_it_was);
    tcase_add_test(tests, a_reason_is_cut_between_characters);
    suite_add_tcase(suite, tests);
    return suite;
}
