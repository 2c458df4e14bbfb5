/* Findings: their order, and what is dropped or left out. */
#include <check.h>
#include <string.h>

#include "deck/diagnostics.h"

Suite *sg_suite_diagnostics(void);

static void expect(struct sg_diagnostics *d, const char *wanted)
{
    struct sg_text text = {0};
    sg_diagnostics_sort(d);
    sg_diagnostics_render(d, &text);
    ck_assert_str_eq(sg_text_view(&text), wanted);
    sg_text_release(&text);
}

START_TEST(in_the_order_of_lines)
{
    struct sg_diagnostics d = {0};
    sg_complain_at(&d, SG_ERROR, "a.cfg:10", "x", "ten");
    sg_hint(&d, "moves with it");
    sg_complain_at(&d, SG_ERROR, "--set", "y", "set");
    sg_complain_at(&d, SG_WARNING, "b:2.cfg:7", "", "other file");
    sg_complain_at(&d, SG_ERROR, "a.cfg:9", "x", "nine");
    sg_complain_at(&d, SG_ERROR, "a.cfg:10", "w", "ten again");
    sg_complain_at(&d, SG_ERROR, "a.cfg", "", "whole file");
    expect(&d, "a.cfg: error: whole file\n"
               "a.cfg:9: error: x: nine\n"
               "a.cfg:10: error: x: ten\n  hint: moves with it\n"
               "a.cfg:10: error: w: ten again\n"
               "--set: error: y: set\n"
               "b:2.cfg:7: warning: other file\n");
    sg_diagnostics_release(&d);
}
END_TEST

START_TEST(consequences_are_cut)
{
    struct sg_diagnostics d = {0};
    sg_complain_at(&d, SG_ERROR, "a:1", "", "cause");
    sg_complain_at(&d, SG_ERROR, "a:2", "", "consequence");
    sg_complain_at(&d, SG_WARNING, "a:3", "", "consequence");
    sg_diagnostics_cut(&d, 1);
    ck_assert_uint_eq(d.count, 1);
    ck_assert_uint_eq(d.errors, 1);
    expect(&d, "a:1: error: cause\n");
    sg_diagnostics_release(&d);
}
END_TEST

START_TEST(a_hundred_are_shown)
{
    struct sg_diagnostics d = {0};
    struct sg_text text = {0};
    for (int i = 0; i < 103; i++) sg_complain_at(&d, SG_ERROR, "a:1", "", "fault");
    sg_diagnostics_render(&d, &text);
    size_t lines = 0;
    for (const char *c = sg_text_view(&text); *c != '\0'; c++) lines += *c == '\n' ? 1 : 0;
    ck_assert_uint_eq(lines, 101);
    ck_assert_ptr_nonnull(strstr(sg_text_view(&text), "\n3 more findings are not shown\n"));
    sg_text_release(&text);
    sg_diagnostics_release(&d);
}
END_TEST

Suite *sg_suite_diagnostics(void)
{
    Suite *suite = suite_create("diagnostics");
    TCase *tcase = tcase_create("diagnostics");
    tcase_add_test(tcase, in_the_order_of_lines);
    tcase_add_test(tcase, consequences_are_cut);
    tcase_add_test(tcase, a_hundred_are_shown);
    suite_add_tcase(suite, tcase);
    return suite;
}
