#define _POSIX_C_SOURCE 200809L
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "model_fixture.h"

static struct fixture open_signal(const char *text, struct sg_signal *signal)
{
    struct fixture f = fixture_deck(text);
    const struct sg_setting *list = sg_setting_child(sg_deck_root(f.deck), "signals");
    f.status = sg_signal_init(&f.arena, sg_setting_item(list, 0), f.deck, signal, &f.diagnostics, &f.err);
    fixture_render(&f);
    return f;
}

/* Each order is the derivative of the one below: central differences with step 1e-4 have an error of
 * 1e-8/6 times the third derivative (below 100 for these signals) and rounding of 1e-16/1e-4. */
static void check_orders(const struct sg_signal *signal, double t)
{
    double d = 1e-4;
    struct sg_signal_value low = sg_signal_at(signal, t - d), high = sg_signal_at(signal, t + d);
    struct sg_signal_value middle = sg_signal_at(signal, t);
    for (int order = SG_SECOND_INTEGRAL; order < SG_SECOND; order++) {
        double slope = (sg_signal_pick(&high, (enum sg_signal_order)order) -
                        sg_signal_pick(&low, (enum sg_signal_order)order)) /
                       (2 * d);
        NEAR(slope, sg_signal_pick(&middle, (enum sg_signal_order)(order + 1)), 1e-6);
    }
}

static const struct sample {
    const char *deck;
    double t, value; /* by hand */
    int continuity;
    bool straight;
} samples[] = {
    {"signals = ( { type = \"constant\"; value = 2; } );", 3, 2, SG_SMOOTH, true},
    {"signals = ( { type = \"harmonic\"; amplitude = 2; frequency = 0.25; phase = 1.5707963267948966; } );",
     2, -2, SG_SMOOTH, false},
    {"signals = ( { type = \"harmonic\"; amplitude = 2; circular_frequency = 1; mean = 1; } );", 0, 1,
     SG_SMOOTH, false},
    {"signals = ( { type = \"pulse\"; amplitude = 3; start = 1; duration = 2; shape = \"rectangle\"; } );",
     2.5, 3, -1, true},
    {"signals = ( { type = \"pulse\"; amplitude = 3; start = 1; duration = 2; } );", 2, 3, 0, false},
    {"signals = ( { type = \"pulse\"; amplitude = 4; start = 1; duration = 2; shape = \"triangle\"; } );",
     2.5, 2, 0, true},
    {"signals = ( { type = \"pulse\"; amplitude = 4; start = 1; duration = 2; shape = \"versine\"; } );", 1.5,
     2, 1, false},
    {"signals = ( { type = \"piecewise-linear\"; times = [1, 2, 4]; values = [1, 3, -1]; } );", 3, 1, 0,
     true},
    {"signals = ( { type = \"piecewise-linear\"; times = [1, 2]; values = [1, 3]; outside = \"zero\"; } );",
     0.5, 0, -1, true},
};

START_TEST(each_kind_has_its_value)
{
    const struct sample *sample = &samples[_i];
    struct sg_signal signal = {0};
    struct fixture f = open_signal(sample->deck, &signal);
    ck_assert_int_eq(f.status, SG_OK);
    NEAR(sg_signal_at(&signal, sample->t).s, sample->value,
         1e-14 * 4); /* a few roundings of values below 4 */
    ck_assert_int_eq(signal.continuity, sample->continuity);
    ck_assert_int_eq(signal.straight, sample->straight);
    fixture_release(&f);
}
END_TEST

START_TEST(each_order_is_the_derivative_of_the_one_below)
{
    struct sg_signal signal = {0};
    struct fixture f = open_signal(samples[_i].deck, &signal);
    /* none of these is at a break of a sample */
    static const double times[] = {0.3, 1.2, 1.7, 2.3, 2.8, 3.4, 5.1};
    for (size_t k = 0; k < sizeof times / sizeof *times; k++) check_orders(&signal, times[k]);
    struct sg_signal_value origin = sg_signal_at(&signal, 0);
    NEAR(origin.sum, 0, 0); /* the integrals start from exactly nothing */
    NEAR(origin.sum2, 0, 0);
    fixture_release(&f);
}
END_TEST

/* Integrals do not jump at breaks, and values are from the right there, or from the left on demand. */
START_TEST(integrals_are_continuous_at_breaks)
{
    struct sg_signal signal = {0};
    struct fixture f = open_signal(samples[_i].deck, &signal);
    double t = signal.ops->next_break(&signal, 0);
    while (t < HUGE_VAL) {
        struct sg_signal_value left = sg_signal_before(&signal, t), right = sg_signal_at(&signal, t);
        NEAR(left.sum, right.sum, 1e-14 * 8); /* roundings of values below 8 */
        NEAR(left.sum2, right.sum2, 1e-14 * 16);
        if (signal.continuity >= 0) NEAR(left.s, right.s, 1e-14 * 4);
        t = signal.ops->next_break(&signal, t);
    }
    fixture_release(&f);
}
END_TEST

START_TEST(breaks_come_in_order)
{
    struct sg_signal signal = {0};
    struct fixture f = open_signal(samples[5].deck, &signal);
    NEAR(signal.ops->next_break(&signal, -1), 1, 0);
    NEAR(signal.ops->next_break(&signal, 1), 2, 0); /* after, not at */
    NEAR(signal.ops->next_break(&signal, 2), 3, 0);
    ck_assert(isinf(signal.ops->next_break(&signal, 3)));
    fixture_release(&f);
    f = open_signal(samples[7].deck, &signal);
    NEAR(signal.ops->next_break(&signal, 1.5), 2, 0);
    NEAR(signal.ops->next_break(&signal, 2), 4, 0);
    ck_assert(isinf(signal.ops->next_break(&signal, 4)));
    fixture_release(&f);
}
END_TEST

START_TEST(a_jump_is_taken_from_the_right)
{
    struct sg_signal signal = {0};
    struct fixture f = open_signal(samples[3].deck, &signal);
    NEAR(sg_signal_at(&signal, 3).s, 0, 0);
    NEAR(sg_signal_before(&signal, 3).s, 3, 0);
    NEAR(sg_signal_at(&signal, 1).s, 3, 0);
    NEAR(sg_signal_before(&signal, 1).s, 0, 0);
    NEAR(sg_signal_at(&signal, 10).sum, 6, 1e-15 * 6);   /* its area */
    NEAR(sg_signal_at(&signal, 5).sum2, 18, 1e-15 * 18); /* 3 * 2^2 / 2 + 6 * 2 */
    fixture_release(&f);
}
END_TEST

START_TEST(points_hold_beyond_their_ends)
{
    struct sg_signal signal = {0};
    struct fixture f = open_signal(samples[7].deck, &signal);
    NEAR(sg_signal_at(&signal, -5).s, 1, 0);
    NEAR(sg_signal_at(&signal, 9).s, -1, 0);
    NEAR(sg_signal_at(&signal, 4).sum, 1 + 2 + 2, 1e-14); /* hold, and two trapezia */
    fixture_release(&f);
}
END_TEST

static const struct {
    const char *deck, *words;
} faults[] = {
    {"signals = ( { type = \"harmonic\"; amplitude = 1; } );", "either 'frequency'"},
    {"signals = ( { type = \"harmonic\"; amplitude = 1; frequency = 1; circular_frequency = 2; } );",
     "not both"},
    {"signals = ( { type = \"piecewise-linear\"; times = [0, 1]; values = [1, 2, 3]; } );", "'times' has 2"},
    {"signals = ( { type = \"piecewise-linear\"; times = [0, 1, 1]; values = [1, 2, 3]; } );", "must rise"},
    {"signals = ( { type = \"pulse\"; amplitude = 1; start = 1e20; duration = 1; } );", "vanishes"},
};

START_TEST(faults_are_findings)
{
    struct sg_signal signal = {0};
    struct fixture f = open_signal(faults[_i].deck, &signal);
    ck_assert_int_eq(f.status, SG_BAD_DECK);
    ck_assert_ptr_nonnull(strstr(sg_text_view(&f.findings), faults[_i].words));
    fixture_release(&f);
}
END_TEST

/* --- files ---------------------------------------------------------------------------------------- */

static char folder[] = "/tmp/sg_signals_XXXXXX";

static void write_file(const char *name, const char *text, size_t length)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(text, 1, length, file), length);
    ck_assert_int_eq(fclose(file), 0);
}

static void remove_file(const char *name)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    unlink(path);
}

/* a deck beside its record */
static struct fixture open_record(const char *record, size_t length, struct sg_signal *signal)
{
    static const char deck[] = "signals = ( { type = \"table\"; file = \"record.txt\"; scale = 2.0; } );";
    char path[128];
    ck_assert_ptr_nonnull(mkdtemp(memcpy(folder, "/tmp/sg_signals_XXXXXX", sizeof folder)));
    write_file("deck.cfg", deck, strlen(deck));
    if (record != NULL) write_file("record.txt", record, length);
    snprintf(path, sizeof path, "%s/deck.cfg", folder);
    struct fixture f = {0};
    f.status = sg_deck_read_file(path, &f.deck, &f.diagnostics, &f.err);
    ck_assert_int_eq(f.status, SG_OK);
    fixture_validate(&f);
    const struct sg_setting *list = sg_setting_child(sg_deck_root(f.deck), "signals");
    f.status = sg_signal_init(&f.arena, sg_setting_item(list, 0), f.deck, signal, &f.diagnostics, &f.err);
    fixture_render(&f);
    remove_file("deck.cfg");
    if (record != NULL) remove_file("record.txt");
    rmdir(folder);
    return f;
}

START_TEST(a_record_is_read)
{
    static const char record[] = "# time value\n0 0\r\n\n 0.5,\t1e0 % peak\n  1.5 ; -1.0\n2 0";
    struct sg_signal signal = {0};
    struct fixture f = open_record(record, strlen(record), &signal);
    ck_assert_msg(f.status == SG_OK, "%s", sg_text_view(&f.findings));
    NEAR(sg_signal_at(&signal, 0.25).s, 1, 1e-15);
    NEAR(sg_signal_at(&signal, 1.75).s, -1, 1e-15);
    NEAR(sg_signal_at(&signal, 1.0).ds, -4, 1e-15 * 4);
    NEAR(signal.ops->next_break(&signal, 0.5), 1.5, 0);
    NEAR(sg_signal_at(&signal, 2).sum, 0, 1e-15); /* antisymmetric */
    fixture_release(&f);
}
END_TEST

static const struct {
    const char *record;
    size_t length; /* 0: strlen */
    sg_status status;
    const char *words;
} bad_records[] = {
    {NULL, 0, SG_NO_INPUT, "record.txt"},
    {"# nothing\n", 0, SG_BAD_DECK, "no numbers"},
    {"0 0\n1\n", 0, SG_BAD_DECK, "line 2: has one number"},
    {"0 0\n1 2 3\n", 0, SG_BAD_DECK, "line 2: has more than two"},
    {"0 0\n1 two\n", 0, SG_BAD_DECK, "line 2: has a word that is not a number"},
    {"0 0\n1 2x\n", 0, SG_BAD_DECK, "line 2: has a word that is not a number"},
    {"0 0\n1 1e999\n", 0, SG_BAD_DECK, "line 2: has a number that is not finite"},
    {"0 0\n1 nan\n", 0, SG_BAD_DECK, "line 2: has a number that is not finite"},
    {"0 0\n0 1\n", 0, SG_BAD_DECK, "line 2: the first column must rise"},
    {"0 0\n1 \0 1\n", 9, SG_BAD_DECK, "zero byte"},
};

START_TEST(bad_records_are_refused)
{
    const char *record = bad_records[_i].record;
    size_t length = bad_records[_i].length;
    if (record != NULL && length == 0) length = strlen(record);
    struct sg_signal signal = {0};
    struct fixture f = open_record(record, length, &signal);
    ck_assert_int_eq(f.status, bad_records[_i].status);
    ck_assert_msg(strstr(sg_text_view(&f.findings), bad_records[_i].words) != NULL, "%s",
                  sg_text_view(&f.findings));
    fixture_release(&f);
}
END_TEST

Suite *sg_suite_signals(void)
{
    int count = (int)(sizeof samples / sizeof *samples);
    Suite *suite = suite_create("signals");
    TCase *cases = tcase_create("values");
    tcase_add_loop_test(cases, each_kind_has_its_value, 0, count);
    tcase_add_loop_test(cases, each_order_is_the_derivative_of_the_one_below, 0, count);
    tcase_add_loop_test(cases, integrals_are_continuous_at_breaks, 0, count);
    tcase_add_test(cases, breaks_come_in_order);
    tcase_add_test(cases, a_jump_is_taken_from_the_right);
    tcase_add_test(cases, points_hold_beyond_their_ends);
    tcase_add_loop_test(cases, faults_are_findings, 0, (int)(sizeof faults / sizeof *faults));
    suite_add_tcase(suite, cases);
    TCase *files = tcase_create("files");
    tcase_add_test(files, a_record_is_read);
    tcase_add_loop_test(files, bad_records_are_refused, 0, (int)(sizeof bad_records / sizeof *bad_records));
    suite_add_tcase(suite, files);
    return suite;
}
