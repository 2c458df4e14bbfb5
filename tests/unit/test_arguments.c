/* Command lines: every way to write an option, and what is said about wrong ones. */
#include <check.h>

#include <string.h>

#include "commands/arguments.h"

Suite *sg_suite_arguments(void);

static const struct sg_option options[] = {{"output", 'o', "FILE", "", false},
                                           {"only", 0, "NAME", "", true},
                                           {"rtol", 0, "R", "", false},
                                           {"resume", 'r', NULL, "", false},
                                           {0}};

enum { WORDS = 12 };

struct bench {
    struct sg_arguments arguments;
    struct sg_error err;
    char text[256];
};

/* splits `line` at blanks */
static sg_status parse(struct bench *b, const char *line)
{
    char *argv[WORDS];
    int argc = 0;
    memset(b, 0, sizeof *b);
    strcpy(b->text, line);
    for (char *word = strtok(b->text, " "); word != NULL && argc < WORDS; word = strtok(NULL, " "))
        argv[argc++] = word;
    return sg_arguments_init(&b->arguments, argc, argv, options, &b->err);
}

START_TEST(all_spellings_of_a_value)
{
    static const char *const lines[] = {"plot -o x", "plot -ox", "plot --output x", "plot --output=x",
                                        "plot -o y --output=x"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        struct bench b;
        ck_assert_int_eq(parse(&b, lines[i]), SG_OK);
        ck_assert_str_eq(sg_arguments_text(&b.arguments, "output", ""), "x");
        ck_assert_uint_eq(b.arguments.word_count, 0);
        sg_arguments_release(&b.arguments);
    }
}
END_TEST

START_TEST(words_flags_and_the_double_dash)
{
    struct bench b;
    ck_assert_int_eq(parse(&b, "plot a -r b -- -o --only"), SG_OK);
    ck_assert(sg_arguments_has(&b.arguments, "resume"));
    ck_assert(!sg_arguments_has(&b.arguments, "output"));
    ck_assert_uint_eq(b.arguments.word_count, 4);
    ck_assert_str_eq(b.arguments.words[1], "b");
    ck_assert_str_eq(b.arguments.words[3], "--only");
    ck_assert_int_eq(sg_arguments_expect(&b.arguments, 4, 4, &b.err), SG_OK);
    ck_assert_int_eq(sg_arguments_expect(&b.arguments, 1, 3, &b.err), SG_USAGE);
    ck_assert_ptr_nonnull(strstr(b.err.text, "--only"));
    ck_assert_int_eq(sg_arguments_expect(&b.arguments, 5, 5, &b.err), SG_USAGE);
    sg_arguments_release(&b.arguments);
}
END_TEST

START_TEST(options_with_many_words)
{
    struct bench b;
    ck_assert_int_eq(parse(&b, "plot f --only a b -r --only=c d"), SG_OK);
    ck_assert_str_eq(sg_arguments_item(&b.arguments, "only", 0), "a");
    ck_assert_str_eq(sg_arguments_item(&b.arguments, "only", 1), "b");
    ck_assert_str_eq(sg_arguments_item(&b.arguments, "only", 2), "c");
    ck_assert_ptr_null(sg_arguments_item(&b.arguments, "only", 3));
    ck_assert_str_eq(b.arguments.words[1], "d");
    sg_arguments_release(&b.arguments);
}
END_TEST

START_TEST(numbers)
{
    static const long long range[2] = {1, 8};
    struct bench b;
    double real = 0;
    long long integer = 5;
    ck_assert_int_eq(parse(&b, "compare --rtol -1e-3 --output 9"), SG_OK);
    ck_assert_int_eq(sg_arguments_real(&b.arguments, "rtol", 7, &real, &b.err), SG_OK);
    ck_assert(real == -1e-3);
    ck_assert_int_eq(sg_arguments_real(&b.arguments, "only", 7, &real, &b.err), SG_OK);
    ck_assert(real == 7);
    ck_assert_int_eq(sg_arguments_integer(&b.arguments, "only", range, &integer, &b.err), SG_OK);
    ck_assert_int_eq(integer, 5);
    ck_assert_int_eq(sg_arguments_integer(&b.arguments, "output", range, &integer, &b.err), SG_USAGE);
    ck_assert_ptr_nonnull(strstr(b.err.text, "from 1 to 8"));
    sg_arguments_release(&b.arguments);
    static const char *const wrong[] = {"compare --rtol 1x", "compare --rtol nan", "compare --rtol inf",
                                        "compare --rtol 1e999"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        ck_assert_int_eq(parse(&b, wrong[i]), SG_OK);
        ck_assert_int_eq(sg_arguments_real(&b.arguments, "rtol", 7, &real, &b.err), SG_USAGE);
        sg_arguments_release(&b.arguments);
    }
}
END_TEST

START_TEST(wrong_lines_are_told)
{
    static const struct {
        const char *line, *told;
    } wrong[] = {{"plot --ouput x", "did you mean '--output'"},
                 {"plot --xyzzy", "unknown option '--xyzzy'"},
                 {"plot -q", "unknown option '-q'"},
                 {"plot -o", "needs a value: FILE"},
                 {"plot --output --resume", "needs a value"},
                 {"plot --resume=yes", "takes no value"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct bench b;
        ck_assert_int_eq(parse(&b, wrong[i].line), SG_USAGE);
        ck_assert_msg(strstr(b.err.text, wrong[i].told) != NULL, "%s", b.err.text);
        sg_arguments_release(&b.arguments);
    }
}
END_TEST

START_TEST(help_is_always_there)
{
    struct bench b;
    ck_assert_int_eq(parse(&b, "plot --help"), SG_OK);
    ck_assert(b.arguments.help);
    sg_arguments_release(&b.arguments);
}
END_TEST

Suite *sg_suite_arguments(void)
{
    Suite *suite = suite_create("arguments");
    TCase *all = tcase_create("arguments");
    tcase_add_test(all, all_spellings_of_a_value);
    tcase_add_test(all, words_flags_and_the_double_dash);
    tcase_add_test(all, options_with_many_words);
    tcase_add_test(all, numbers);
    tcase_add_test(all, wrong_lines_are_told);
    tcase_add_test(all, help_is_always_there);
    suite_add_tcase(suite, all);
    return suite;
}
