/* Records of ground motion out of files: formats, headers, units, faults. */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "formats/record.h"
#include "model_fixture.h"

/* a `record` signal with some keywords, and the one file that it reads */
static struct fixture open_file(const char *keywords, const char *name, const char *text, size_t length,
                                struct sg_signal *signal)
{
    char deck[512];
    struct sg_side_file files[] = {{name, text, length}, {NULL, NULL, 0}};
    snprintf(deck, sizeof deck, "signals = ( { type = \"record\"; file = \"%s\"; %s } );", name, keywords);
    struct fixture f = fixture_deck(deck);
    sg_deck_offer_side_files(f.deck, files);
    const struct sg_setting *list = sg_setting_child(sg_deck_root(f.deck), "signals");
    f.status = sg_signal_init(&f.arena, sg_setting_item(list, 0), f.deck, signal, &f.diagnostics, &f.err);
    fixture_render(&f);
    return f;
}

#define HEADER(words, sizes)                                                                                 \
    "PEER NGA STRONG MOTION DATABASE RECORD\nSomewhere, 5/19/1940\n" words "\n" sizes "\n"
#define AT2(sizes) HEADER("ACCELERATION TIME SERIES IN UNITS OF G", sizes)

/* the same motion, 0, .1, -.2, .3, 0 (each in g) every .02 s, in all its dresses */
static const struct {
    const char *keywords, *name, *text;
} dresses[] = {
    {"", "a.AT2",
     AT2("NPTS=      5, DT=   .0200 SEC,") "   .0000000E+00   .1000000E+00  -.2000000E+00\n"
                                           "   .3000000E+00   .0000000E+00\n"},
    {"", "a.at2", AT2("NPTS=  5, DT= .02000 SEC") "0 .1 -.2 .3 0"},
    {"", "a.AT2", AT2("    5    0.0200    NPTS, DT") "0 .1 -.2 .3 0\n\n"},
    {"", "a.AT2", AT2("NPTS= 5, DT= 0.02") "0\n.1\r\n-.2\r\n.3\r\n0\r\n"},
    {"dt = 0.02;", "a.AT2", AT2("NPTS= 5, DT= 0.02") "0 .1 -.2 .3 0"},
    {"", "a.AT2",
     HEADER("ACCELERATION TIME HISTORY IN UNITS OF CM/SEC/SEC.", "NPTS= 5, DT= 0.02") "0 98.0665 -196.133 "
                                                                                      "294.1995 0"},
    {"", "a.AT2",
     HEADER("ACCELERATION TIME HISTORY IN UNITS OF M/S**2",
            "npts= 5, dt= 0.02") "0 .980665 -1.96133 2.941995 "
                                 "0"},
    {"format = \"at2\"; unit = \"g\";", "a.txt",
     HEADER("no unit is told", "NPTS= 5, DT= 0.02") "0 .1 -.2 .3 0"},
    {"unit = \"g\";", "my record.txt",
     "# time value\r\n0 0\r\n.02,\t.1\r\n.04;-.2 % down\r\n\r\n.06 .3\r\n.08 0"},
    {"unit = \"g\"; dt = 0.02;", "a b.txt", "# one column\n0\n.1\n-.2\n.3\n0\n"},
    {"format = \"column\"; dt = 0.02;", "a", "0\n.980665\n-1.96133\n2.941995\n0"},
    {"unit = \"cm/s^2\"; format = \"columns\";", "a",
     "0 0\n.02 98.0665\n.04 -196.133\n.06 294.1995\n.08 0\n"},
    {"unit = \"g\"; scale = -0.5; dt = 0.02;", "a", "0\n-.2\n.4\n-.6\n0\n"},
    {"scale_to_peak = 2.941995; dt = 0.02;", "a", "0\n1\n-2\n3\n0\n"},
};

START_TEST(a_record_reads_the_same_in_every_dress)
{
    struct sg_signal signal = {0};
    const char *text = dresses[_i].text;
    struct fixture f = open_file(dresses[_i].keywords, dresses[_i].name, text, strlen(text), &signal);
    ck_assert_msg(f.status == SG_OK, "%s", sg_text_view(&f.findings));
    static const double g[] = {0, .1, -.2, .3, 0};
    for (int k = 0; k < 5; k++) SAME(sg_signal_at(&signal, 0.02 * k).s, g[k] * 9.80665);
    SAME(sg_signal_at(&signal, 0.05).s, 0.05 * 9.80665); /* linear between samples */
    NEAR(sg_signal_at(&signal, -1).s, 0, 0);
    NEAR(sg_signal_at(&signal, 1).s, 0, 0);
    SAME(sg_signal_at(&signal, 1).sum, 0.02 * 0.2 * 9.80665); /* trapezia: dt times the sum */
    SAME(signal.ops->next_break(&signal, 0.03), 0.04);
    fixture_release(&f);
}
END_TEST

/* The integrals are those of the straight pieces, to rounding: cubic in each piece, by hand. */
START_TEST(integrals_of_a_record_are_exact)
{
    static const char text[] = "0 0\n1 6\n3 -6\n";
    struct sg_signal signal = {0};
    struct fixture f = open_file("", "a", text, strlen(text), &signal);
    ck_assert_int_eq(f.status, SG_OK);
    /* velocity 3 t^2, then 3 + 6 d - 3 d^2; displacement t^3, then 1 + 3 d + 3 d^2 - d^3 with d = t - 1;
     * from 3 on at rest */
    NEAR(sg_signal_at(&signal, 0.5).sum, 0.75, 1e-15);
    NEAR(sg_signal_at(&signal, 0.5).sum2, 0.125, 1e-15);
    NEAR(sg_signal_at(&signal, 2).sum, 6, 1e-14);
    NEAR(sg_signal_at(&signal, 2).sum2, 6, 1e-14);
    NEAR(sg_signal_at(&signal, 3).sum, 3, 1e-14);
    NEAR(sg_signal_at(&signal, 3).sum2, 11, 1e-13);
    NEAR(sg_signal_at(&signal, 5).sum2, 17, 1e-13);
    fixture_release(&f);
}
END_TEST

/* A parabola as velocity and a cubic as displacement: their differences are exact, but for the end points of
 * the second difference. */
START_TEST(a_velocity_is_differentiated_on_demand)
{
    static const char velocity[] = "0 0\n.5 25\n1.5 225\n2 400\n",
                      displacement[] = "0 0\n1 100\n2 400\n3 900\n";
    struct sg_signal signal = {0};
    struct fixture f =
        open_file("unit = \"cm/s\"; quantity = \"velocity\";", "a", velocity, strlen(velocity), &signal);
    ck_assert_msg(f.status == SG_OK, "%s", sg_text_view(&f.findings));
    NEAR(sg_signal_at(&signal, 0).s, 0, 1e-14); /* v = t^2 */
    NEAR(sg_signal_at(&signal, 1.5).s, 3, 1e-14);
    NEAR(sg_signal_before(&signal, 2).s, 4, 1e-13); /* behind its last point a record is zero */
    fixture_release(&f);
    f = open_file("unit = \"cm\"; quantity = \"displacement\";", "a", displacement, strlen(displacement),
                  &signal);
    ck_assert_msg(f.status == SG_OK, "%s", sg_text_view(&f.findings));
    for (int k = 0; k < 3; k++) NEAR(sg_signal_at(&signal, k).s, 2, 1e-13); /* u = t^2 */
    fixture_release(&f);
}
END_TEST

/* Motions whose differences are exact: records that start with some velocity, or away from their origin, keep
 * both; before the first point the acceleration is zero and the velocity that of the first point. */
static const struct {
    const char *keywords, *text;
    double a, v, u, early_v, early_u; /* at t = 2 and, early, at t = 0 */
    bool told;
} moving[] = {
    {"quantity = \"velocity\"; unit = \"m/s\";", "0 .25\n1 .25\n3 .25\n", 0, .25, .5, .25, 0, true},
    {"quantity = \"velocity\"; unit = \"cm/s\"; scale = -2.0;", "0 100\n1 200\n3 400\n", -2, -6, -8, -2, 0,
     true},
    {"quantity = \"velocity\"; unit = \"m/s\";", "-1 1\n0 2\n1 3\n3 5\n", 1, 4, 6, 2, 0, true},
    {"quantity = \"velocity\"; unit = \"m/s\";", "1 2\n2 2\n3 2\n", 0, 2, 4, 2, 0, true},
    {"quantity = \"velocity\"; unit = \"m/s\"; scale_to_peak = 0.5;", "0 3\n1 4\n3 6\n", .5, 2.5, 4, 1.5, 0,
     true},
    {"quantity = \"velocity\"; unit = \"m/s\";", "0 0\n1 2\n3 6\n", 2, 4, 4, 0, 0, false},
    {"quantity = \"displacement\"; unit = \"m\";", "0 0\n1 2\n3 6\n", 0, 2, 4, 2, 0, false},
    {"quantity = \"displacement\"; unit = \"mm\";", "0 3000\n1 5000\n3 9000\n", 0, 2, 7, 2, 3, true},
    {"quantity = \"displacement\"; unit = \"m\";", "1 3\n2 5\n3 7\n", 0, 2, 5, 2, 1, true},
};

START_TEST(a_motion_keeps_what_it_starts_with)
{
    struct sg_signal signal = {0};
    struct fixture f = open_file(moving[_i].keywords, "a", moving[_i].text, strlen(moving[_i].text), &signal);
    ck_assert_msg(f.status == SG_OK, "%s", sg_text_view(&f.findings));
    struct sg_signal_value late = sg_signal_at(&signal, 2), early = sg_signal_at(&signal, 0);
    /* sums of a few numbers below 10 */
    NEAR(late.s, moving[_i].a, 1e-14);
    NEAR(late.sum, moving[_i].v, 1e-14);
    NEAR(late.sum2, moving[_i].u, 1e-14);
    NEAR(early.sum, moving[_i].early_v, 1e-14);
    NEAR(early.sum2, moving[_i].early_u, 1e-14);
    ck_assert_int_eq(strstr(sg_text_view(&f.findings), "not from rest") != NULL, moving[_i].told);
    fixture_release(&f);
}
END_TEST

static const struct {
    const char *keywords, *name, *text, *words;
} faults[] = {
    /* headers and counts */
    {"", "a.AT2", "0 .1 -.2\n", "'a.AT2' has no header with NPTS and DT"},
    {"", "a.AT2", AT2("NPTS= 5, DT= 0.02") "0 .1 -.2\n.3\n", "ends after 4 values where NPTS says 5"},
    {"", "a.AT2", AT2("NPTS= 5, DT= 0.02"), "ends after 0 values"},
    {"", "a.AT2", AT2("NPTS= 4, DT= 0.02") "0 .1 -.2 .3\n0\n", "line 6: has more values than NPTS says"},
    {"", "a.AT2", AT2("NPTS= 4, DT= 0") "0 .1 -.2 .3\n", "line 4: DT must be a time above 0"},
    {"", "a.AT2", AT2("NPTS= 4, DT= -.01") "0 .1 -.2 .3\n", "line 4: DT must be a time above 0"},
    {"", "a.AT2", AT2("NPTS= 4, DT= nan") "0 .1 -.2 .3\n", "line 4: DT must be a time above 0"},
    {"", "a.AT2", AT2("NPTS= 4, DT= 10 MSEC") "0 .1 -.2 .3\n", "line 4: DT must be in seconds, SEC"},
    {"", "a.AT2", AT2("NPTS= 4, DT= 10ms") "0 .1 -.2 .3\n", "line 4: DT must be in seconds, SEC"},
    {"", "a.AT2", AT2("NPTS= 4, DT= 100 HZ") "0 .1 -.2 .3\n", "line 4: DT must be in seconds, SEC"},
    {"", "a.AT2", AT2("NPTS= 4.5, DT= .01") "0 .1 -.2 .3\n", "NPTS must be a whole number above 1"},
    {"", "a.AT2", AT2("NPTS= 1, DT= .01") "0\n", "NPTS must be a whole number above 1"},
    {"", "a.AT2", AT2("NPTS= 1e18, DT= .01") "0\n", "NPTS is more than the file can hold"},
    {"", "a.AT2", AT2("NPTS= four, DT= .01") "0\n", "has no number for NPTS and DT"},
    {"", "a.AT2", AT2("NPTS= 3, DT= .01") "0 nan 1\n", "line 5: has a number that is not finite"},
    {"", "a.AT2", AT2("NPTS= 3, DT= .01") "0 1e999 1\n", "line 5: has a number that is not finite"},
    {"", "a.AT2", AT2("NPTS= 3, DT= .01") "0 1,0 1\n", "line 5: has a word that is not a number"},
    {"dt = 0.02;", "a.AT2", AT2("NPTS= 3, DT= .01") "0 1 0\n", "says DT = 0.01 s"},
    /* units and quantities */
    {"", "a.AT2", HEADER("ACCELERATION IN UNITS OF FT/S/S", "NPTS= 2, DT= 1") "0 1\n",
     "names none that is known"},
    {"unit = \"m/s^2\";", "a.AT2", AT2("NPTS= 2, DT= 1") "0 1\n", "where the header of 'a.AT2' says 'g'"},
    {"", "a.VT2", HEADER("VELOCITY TIME SERIES IN UNITS OF CM/S", "NPTS= 2, DT= 1") "0 1\n",
     "is a record of velocity (cm/s), not of acceleration"},
    {"", "a.DT2", HEADER("DISPLACEMENT TIME SERIES IN UNITS OF CM", "NPTS= 2, DT= 1") "0 1\n",
     "is a record of displacement (cm), not of acceleration"},
    {"", "a.AT2", HEADER("VELOCITY TIME SERIES IN UNITS OF G", "NPTS= 2, DT= 1") "0 1\n",
     "the header says velocity, and the unit 'g' is of acceleration"},
    {"unit = \"mm/s\";", "a", "0 0\n1 1\n", "is a record of velocity (mm/s)"},
    /* whatever says velocity or displacement: a header without unit, the name alone, of any format */
    {"unit = \"g\";", "a.AT2", HEADER("VELOCITY TIME SERIES", "NPTS= 2, DT= 1") "0 1\n",
     "the header says velocity, and the unit 'g' is of acceleration"},
    {"unit = \"g\";", "a.AT2", HEADER("displacement time history", "NPTS= 2, DT= 1") "0 1\n",
     "the header says displacement, and the unit 'g' is of acceleration"},
    {"unit = \"g\";", "a.VT2", HEADER("no word", "NPTS= 2, DT= 1") "0 1\n",
     "its name says velocity, and the unit 'g' is of acceleration"},
    {"format = \"columns\";", "b/a.dt2", "0 0\n1 1\n", "its name says displacement, and the unit 'm/s^2'"},
    {"format = \"column\"; dt = 1.0;", "a.vt2", "0\n1\n", "its name says velocity, and the unit 'm/s^2'"},
    {"unit = \"cm/s\";", "a.VT2", HEADER("no word", "NPTS= 2, DT= 1") "0 1\n",
     "is a record of velocity (cm/s)"},
    {"unit = \"g\"; quantity = \"velocity\";", "a", "0 0\n1 1\n", "is velocity, and the unit 'g'"},
    /* columns */
    {"", "a", "0\n1\n2\n", "must be given: the file has one column"},
    {"dt = 0.01;", "a", "0 0\n1 1\n", "is for files of one column"},
    {"", "a", "0 0\n2 1\n1 2\n", "line 3: the first column must rise"},
    {"dt = 0.01;", "a", "0\n1 2\n", "line 2: has more than one number"},
    {"", "a", "0 0\n", "holds one value"},
    {"", "a", "", "holds no numbers"},
    /* scales */
    {"scale = 2.0; scale_to_peak = 1.0;", "a", "0 0\n1 1\n", "not both"},
    {"scale_to_peak = 1.0;", "a", "0 0\n1 0\n", "zero throughout"},
    {"scale = 1e300;", "a", "0 0\n1 1e300\n", "not finite"},
};

START_TEST(faults_name_what_is_wrong)
{
    struct sg_signal signal = {0};
    const char *text = faults[_i].text;
    struct fixture f = open_file(faults[_i].keywords, faults[_i].name, text, strlen(text), &signal);
    ck_assert_int_eq(f.status, SG_BAD_DECK);
    ck_assert_msg(strstr(sg_text_view(&f.findings), faults[_i].words) != NULL, "%d: %s", _i,
                  sg_text_view(&f.findings));
    fixture_release(&f);
}
END_TEST

START_TEST(bytes_that_are_no_text_are_refused)
{
    static const char text[] = AT2("NPTS= 2, DT= 1") "0 \0 1\n";
    struct sg_signal signal = {0};
    struct fixture f = open_file("", "a.AT2", text, sizeof text - 1, &signal);
    ck_assert_int_eq(f.status, SG_BAD_DECK);
    ck_assert_ptr_nonnull(strstr(sg_text_view(&f.findings), "zero byte"));
    fixture_release(&f);
}
END_TEST

Suite *sg_suite_record(void)
{
    Suite *suite = suite_create("record");
    TCase *cases = tcase_create("record");
    tcase_add_loop_test(cases, a_record_reads_the_same_in_every_dress, 0,
                        (int)(sizeof dresses / sizeof *dresses));
    tcase_add_test(cases, integrals_of_a_record_are_exact);
    tcase_add_test(cases, a_velocity_is_differentiated_on_demand);
    tcase_add_loop_test(cases, a_motion_keeps_what_it_starts_with, 0, (int)(sizeof moving / sizeof *moving));
    tcase_add_loop_test(cases, faults_name_what_is_wrong, 0, (int)(sizeof faults / sizeof *faults));
    tcase_add_test(cases, bytes_that_are_no_text_are_refused);
    suite_add_tcase(suite, cases);
    return suite;
}
