/* Templates of gnuplot's scripts: every place is filled once, and what is put into it stays there. */
#define _POSIX_C_SOURCE 200809L
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "drawing/gnuplot.h"

Suite *sg_suite_template(void);

static const struct sg_template blocks[] = {{"two", "a {{x %.3g}} b {{y %d}} c {{x %g}}"},
                                            {"title", "set label 1 {{title 12}} left"},
                                            {"style", "with {{style}} lines"},
                                            {"plain", "set output"},
                                            {"endless", "a {{x %g"},
                                            {"nameless", "a {{ %g}}"},
                                            {"format", "a {{x %s}}"},
                                            {"long", "a {{x %.99g}}"},
                                            {0}};

static struct sg_script script;

static void set_up(void)
{
    script = (struct sg_script){.template = blocks};
}

static void tear_down(void)
{
    sg_script_release(&script);
}

static const char *text_of(void)
{
    return sg_text_view(&script.text);
}

static const char *title_as(const char *title)
{
    sg_script_release(&script);
    set_up();
    SG_PUT(&script, "title", SG_TEXT("title", title));
    ck_assert_str_eq(script.fault, "");
    return text_of();
}

START_TEST(places_are_filled)
{
    SG_PUT(&script, "two", SG_NUMBER("y", 7), SG_NUMBER("x", 1.23456));
    ck_assert_str_eq(text_of(), "a 1.23 b 7 c 1.23456\n");
    sg_script_put(&script, "plain", NULL);
    SG_PUT(&script, "style", SG_WORDS("style", "dashtype 2"));
    ck_assert_str_eq(text_of(), "a 1.23 b 7 c 1.23456\nset output\nwith dashtype 2 lines\n");
    ck_assert_str_eq(script.fault, "");
}
END_TEST

START_TEST(elements_of_a_plot_are_listed)
{
    sg_script_plot(&script, "plain", NULL);
    sg_script_plot(&script, "plain", NULL);
    sg_script_end_plot(&script);
    sg_script_end_plot(&script);
    ck_assert_str_eq(text_of(), "plot set output, \\\n    set output\nplot [0:1] [1:10] NaN notitle\n");
}
END_TEST

/* One fault a row, and what is said of it. */
static const struct wrong {
    const char *block;
    struct sg_place places[4];
    const char *fault;
} wrongs[] = {
    {"two", {SG_NUMBER("x", 1)}, "block 'two': the place 'y' is not filled"},
    {"title", {{0}}, "block 'title': the place 'title' is not filled"},
    {"two",
     {SG_NUMBER("x", 1), SG_NUMBER("y", 2), SG_NUMBER("y", 3)},
     "block 'two': the place 'y' is filled twice"},
    {"two", {SG_NUMBER("x", 1), SG_NUMBER("y", 2), SG_NUMBER("z", 3)}, "block 'two' has no place 'z'"},
    {"plain", {SG_NUMBER("z", 3)}, "block 'plain' has no place 'z'"},
    {"two", {SG_NUMBER("x", 1), SG_NUMBER("y", 2.5)}, "block 'two': the place 'y' takes something else"},
    {"two", {SG_TEXT("x", "1"), SG_NUMBER("y", 2)}, "block 'two': the place 'x' takes something else"},
    {"title", {SG_NUMBER("title", 1)}, "block 'title': the place 'title' takes something else"},
    {"title", {SG_WORDS("title", "a")}, "block 'title': the place 'title' takes something else"},
    {"style", {SG_TEXT("style", "a")}, "block 'style': the place 'style' takes something else"},
    {"style", {SG_WORDS("style", "a'b")}, "block 'style': the place 'style' takes something else"},
    {"style", {SG_WORDS("style", "a\nb")}, "block 'style': the place 'style' takes something else"},
    {"style", {SG_WORDS("style", "`a`")}, "block 'style': the place 'style' takes something else"},
    {"format", {SG_NUMBER("x", 1)}, "block 'format': the place 'x' takes something else"},
    {"long", {SG_NUMBER("x", 1)}, "block 'long': the place 'x' takes something else"},
    {"endless", {SG_NUMBER("x", 1)}, "block 'endless': a place has no end or no name"},
    {"nameless", {SG_NUMBER("x", 1)}, "block 'nameless': a place has no end or no name"},
    {"nowhere", {{0}}, "there is no block 'nowhere'"},
};

START_TEST(wrong_use_is_told)
{
    sg_script_put(&script, wrongs[_i].block, wrongs[_i].places);
    ck_assert_str_eq(script.fault, wrongs[_i].fault);
    sg_script_put(&script, "nowhere", NULL); /* the first fault stands */
    ck_assert_str_eq(script.fault, wrongs[_i].fault);
}
END_TEST

START_TEST(text_of_users_stays_in_its_place)
{
    ck_assert_str_eq(title_as("'a'"), "set label 1 '’a’' left\n");
    ck_assert_str_eq(title_as("'"), "set label 1 '’' left\n");
    ck_assert_str_eq(title_as("a\\"), "set label 1 'a\\' left\n");
    ck_assert_str_eq(title_as("%s %n %d"), "set label 1 '%s %n %d' left\n");
    ck_assert_str_eq(title_as("@x `y` $z"), "set label 1 '@x `y` $z' left\n");
    ck_assert_str_eq(title_as("{{x %g}}"), "set label 1 '{{x %g}}' left\n");
    ck_assert_str_eq(title_as("a\n!b\r\t\x7f"), "set label 1 'a !b   ' left\n");
    ck_assert_str_eq(title_as(""), "set label 1 '' left\n");
}
END_TEST

/* Cut between characters of UTF-8, never within one. */
START_TEST(long_text_is_cut)
{
    ck_assert_str_eq(title_as("aaaaaaaaaaaa"), "set label 1 'aaaaaaaaaaaa' left\n");
    ck_assert_str_eq(title_as("aaaaaaaaaaaaa"), "set label 1 'aaaaaaaaaaaa…' left\n");
    ck_assert_str_eq(title_as("ééééééééééééé"), "set label 1 'éééééééééééé…' left\n");
    ck_assert_str_eq(title_as("’’’’’’’’’’’’"), "set label 1 '’’’’’’’’’’’’' left\n");
    sg_script_release(&script);
    set_up();
    SG_PUT(&script, "title", SG_SHORT("title", "abcd", 3));
    SG_PUT(&script, "title",
           SG_SHORT("title", "aaaaaaaaaaaaa", 99)); /* no more than the template has room for */
    ck_assert_str_eq(text_of(), "set label 1 'abc…' left\nset label 1 'aaaaaaaaaaaa…' left\n");
}
END_TEST

/* --- what gnuplot makes of it --------------------------------------------------------------------- */

/* Titles that would create a file "harm" in gnuplot's folder or end its script if they were taken as a
 * script. The picture must hold the last letters of each. */
static const char *const attacks[] = {
    "'; system 'touch harm'; a='END",
    "\"; system \"touch harm\"; END",
    "`touch harm` END",
    "\n!touch harm\nEND",
    "@harm END",
    "\\'; system 'touch harm' END",
    "%x %s %n END",
    "${harm} {/Symbol a} END",
    "éü’ 漢字 END",
    "# exit END",
    "a\\ END",
    "{{title 76}} END",
};

static void draw_title(const void *title, enum sg_plot_format format, struct sg_script *out)
{
    out->template = sg_template_modes;
    sg_plot_terminal(out, format, 5, 3);
    SG_PUT(out, "frame", SG_TEXT("title", title));
    sg_script_end_plot(out);
    sg_script_put(out, "end", NULL);
}

START_TEST(gnuplot_takes_text_literally)
{
    char folder[] = "/tmp/sg_template_XXXXXX", path[64], picture[65536] = "";
    struct sg_error err = {0};
    const struct sg_drawing drawing = {draw_title, attacks[_i]};
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/a.svg", folder);
    ck_assert_msg(sg_plot_draw(&drawing, path, &err) == SG_OK, "%s", err.text);
    FILE *file = fopen(path, "r");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_gt(fread(picture, 1, sizeof picture - 1, file), 0);
    fclose(file);
    ck_assert_ptr_nonnull(strstr(picture, "END"));
    ck_assert_ptr_nonnull(strstr(picture, "</svg>"));
    /* text that was run instead of shown would be missing from the picture */
    const char *harm = strstr(attacks[_i], "harm");
    ck_assert(harm == NULL || strstr(picture, "harm") != NULL);
    unlink(path);
    ck_assert_int_eq(rmdir(folder), 0);
}
END_TEST

static void draw_wrongly(const void *title, enum sg_plot_format format, struct sg_script *out)
{
    (void)title, (void)format;
    out->template = sg_template_modes;
    sg_script_put(out, "frame", NULL);
}

START_TEST(a_wrong_script_is_not_drawn)
{
    struct sg_error err = {0};
    const struct sg_drawing drawing = {draw_wrongly, NULL};
    ck_assert_int_eq(sg_plot_draw(&drawing, "/tmp/sg_template.svg", &err), SG_INTERNAL);
    ck_assert_ptr_nonnull(strstr(err.text, "the place 'title' is not filled"));
    ck_assert_int_ne(access("/tmp/sg_template.svg", F_OK), 0);
}
END_TEST

/* --- the templates themselves --------------------------------------------------------------------- */

#define ROW(name) {#name, sg_template_##name},
static const struct compiled {
    const char *name;
    const struct sg_template *rows;
} compiled[] = {SG_TEMPLATES(ROW)};
enum { COMPILED = sizeof compiled / sizeof *compiled };

/* Blocks have names of their own, and their places a known form. A letter beyond ASCII would be one of a
 * user. */
START_TEST(templates_are_well_formed)
{
    const struct sg_template *rows = compiled[_i].rows;
    ck_assert_ptr_nonnull(rows[0].block);
    for (size_t i = 0; rows[i].block != NULL; i++) {
        for (size_t j = 0; j < i; j++) ck_assert_str_ne(rows[i].block, rows[j].block);
        ck_assert_uint_gt(strlen(rows[i].text), 0);
        ck_assert_uint_lt(strlen(rows[i].text), 4095); /* C11's longest literal */
        for (const char *c = rows[i].text; *c != '\0'; c++) ck_assert_msg((unsigned char)*c < 128, "%s", c);
        for (const char *at = rows[i].text; (at = strstr(at, "{{")) != NULL; at += 2) {
            char name[32] = "", format[32] = "";
            ck_assert_int_ge(sscanf(at, "{{%31[a-z_0-9] %31[^}]}}", name, format), 1);
            bool number = format[0] == '%', text = strspn(format, "0123456789") == strlen(format);
            ck_assert_msg(number ? strchr("dgf", format[strlen(format) - 1]) != NULL : text, "%s", at);
        }
    }
}
END_TEST

Suite *sg_suite_template(void)
{
    Suite *suite = suite_create("template");
    TCase *all = tcase_create("templates");
    tcase_add_checked_fixture(all, set_up, tear_down);
    tcase_set_timeout(all, 60); /* gnuplot may build its font cache first */
    tcase_add_test(all, places_are_filled);
    tcase_add_test(all, elements_of_a_plot_are_listed);
    tcase_add_loop_test(all, wrong_use_is_told, 0, (int)(sizeof wrongs / sizeof *wrongs));
    tcase_add_test(all, text_of_users_stays_in_its_place);
    tcase_add_test(all, long_text_is_cut);
    tcase_add_loop_test(all, gnuplot_takes_text_literally, 0, (int)(sizeof attacks / sizeof *attacks));
    tcase_add_test(all, a_wrong_script_is_not_drawn);
    tcase_add_loop_test(all, templates_are_well_formed, 0, COMPILED);
    suite_add_tcase(suite, all);
    return suite;
}
