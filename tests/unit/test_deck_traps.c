#define _POSIX_C_SOURCE 200809L

#include <check.h>
#include <locale.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "deck_fixture.h"

Suite *sg_suite_deck_traps(void);

/* Bytes may hold a NUL. Each is one finding that starts so. */
static const struct {
    const char *bytes;
    size_t length;
    const char *finding;
} bytes[] = {
#define BYTES(text) text, sizeof text - 1
    {BYTES("a = 1;\nb = \"x\0y\";\n"), "deck.cfg:2: error: the deck holds a NUL byte\n"},
    {BYTES("a = \"\\x00\";"), "deck.cfg:1: error: text with a NUL '\"\\x00\"'\n"},
    {BYTES("\xef\xbb\xbf"
           "a = 1;"),
     "deck.cfg:1: error: the deck starts with a byte order mark\n"},
    {BYTES("a = 1; # caf\xe9\n"),
     "deck.cfg:1: error: the line is not UTF-8: '\\xe9'\n  hint: convert the file"},
    {BYTES("a = \"\xc0\x80\";"), "deck.cfg:1: error: the line is not UTF-8: '\\xc0'\n"},
    {BYTES("a = \"\xed\xa0\x80\";"), "deck.cfg:1: error: the line is not UTF-8: '\\xed'\n"},
    {BYTES("# comment\ra = 1;\n"), "deck.cfg:1: error: a carriage return inside a line\n"},
    {BYTES("a = 1;\n/* b = 2;\nc = 3;\n"), "deck.cfg:2: error: unterminated comment '/*'\n"},
    {BYTES("a = 1;\nb = \"x;\n"), "deck.cfg:2: error: unterminated text '\"x;'\n"},
    {BYTES("a = \"x;\nb = \"y\";\nc = 1;"), "deck.cfg:1: error: unterminated text: it runs on to line 2\n"},
    {BYTES("a = 1;\v"), "deck.cfg:1: error: unexpected character '\\x0b'\n"},
    {BYTES("a = 1;\n@include \"b.cfg\"\n"), "deck.cfg:2: error: includes are refused here: 'b.cfg'\n"},
    {BYTES("a = 1; @include \"b.cfg\"\n"), "deck.cfg:1: error: misplaced directive '@include'\n"},
    {BYTES("a = 5b = 3;"), "deck.cfg:1: error: not a number '5b'\n"},
#undef BYTES
};

START_TEST(bad_bytes_are_refused)
{
    struct sg_deck_trial trial = {0};
    sg_status status = sg_deck_read_text(bytes[_i].bytes, bytes[_i].length, "deck.cfg", &trial.deck,
                                         &trial.findings, &trial.err);
    const char *findings = sg_trial_render(&trial);
    ck_assert_int_eq(status, SG_BAD_DECK);
    ck_assert_ptr_null(trial.deck);
    ck_assert_msg(strncmp(findings, bytes[_i].finding, strlen(bytes[_i].finding)) == 0, "%s", findings);
    ck_assert_uint_eq(trial.findings.count, 1);
    sg_trial_release(&trial);
}
END_TEST

/* An integer of options.none: NULL if it must be refused. */
static const struct {
    const char *written;
    bool fine;
    long long value;
} integers[] = {
    {"2147483647", true, 2147483647LL},
    {"2147483648", false, 0},
    {"-2147483648", true, -2147483648LL},
    {"-2147483649", false, 0},
    {"3000000000", false, 0},
    {"3000000000L", true, 3000000000LL},
    {"3000000000LL", true, 3000000000LL},
    {"9223372036854775807L", true, 9223372036854775807LL},
    {"9223372036854775808L", false, 0},
    {"-9223372036854775808L", true, -9223372036854775807LL - 1},
    {"99999999999999999999999999L", false, 0},
    {"0x7fffffff", true, 2147483647LL},
    {"0xffffffff", false, 0},
    {"0xFFFFFFFFL", true, 4294967295LL},
    {"0xffffffffffffffffL", false, 0},
    {"010", true, 10},
};

START_TEST(integers_are_exact_or_refused)
{
    char set[64];
    struct sg_deck_trial trial;
    struct sg_trial_options options = {0};
    snprintf(set, sizeof set, "options.none=%s", integers[_i].written);
    sg_trial_init(&trial, sg_trial_deck, set);
    ck_assert_int_eq(trial.status, integers[_i].fine ? SG_OK : SG_BAD_DECK);
    ck_assert_uint_eq(trial.findings.count, integers[_i].fine ? 0 : 1);
    sg_setting_fill(sg_setting_child(sg_deck_root(trial.deck), "options"), sg_trial_option_rows, &options);
    if (integers[_i].fine) ck_assert_int_eq(options.none, integers[_i].value);
    sg_trial_release(&trial);
}
END_TEST

/* The faults are told of the keyword that has the number, wherever it stands. */
START_TEST(a_wrapped_integer_in_an_array_is_found)
{
    struct sg_deck_trial trial;
    char *text = sg_trial_edit("[1, 2]", "[1,\n2,\n3000000000]");
    sg_trial_init(&trial, text, NULL);
    ck_assert_str_eq(sg_trial_render(&trial),
                     "deck.cfg:17: error: options.weights.[2]: integer 3000000000 is beyond 32 bits\n"
                     "  hint: write 3000000000.0 for a real number, 3000000000L for an integer\n");
    sg_trial_release(&trial);
    free(text);
}
END_TEST

/* Reals as C reads them: exact equality, since both are correctly rounded. */
START_TEST(reals_read_under_any_locale)
{
    static const char *const locales[] = {"C", "de_DE.UTF-8", "fr_FR.UTF-8", "de_DE", "fr_FR"};
    for (size_t i = 0; i < sizeof locales / sizeof locales[0]; i++) {
        struct sg_deck_trial trial;
        struct sg_trial_options options = {0};
        if (setlocale(LC_ALL, locales[i]) == NULL) continue;
        sg_trial_init(&trial, sg_trial_deck, "options.bare=.5e-1");
        setlocale(LC_ALL, "C");
        ck_assert_str_eq(sg_trial_render(&trial), "");
        sg_setting_fill(sg_setting_child(sg_deck_root(trial.deck), "options"), sg_trial_option_rows,
                        &options);
        ck_assert(options.bare == 0.05);
        sg_trial_release(&trial);
    }
}
END_TEST

static void repeat(struct sg_text *text, const char *piece, size_t count)
{
    for (size_t i = 0; i < count; i++) sg_text_append(text, "%s", piece);
}

static void expect_start(struct sg_text *text, const char *finding)
{
    struct sg_deck_trial trial;
    sg_trial_init(&trial, sg_text_view(text), NULL);
    ck_assert_int_eq(trial.status, SG_BAD_DECK);
    ck_assert_msg(strncmp(sg_trial_render(&trial), finding, strlen(finding)) == 0, "%s",
                  sg_trial_render(&trial));
    sg_trial_release(&trial);
    sg_text_release(text);
}

START_TEST(what_is_deep_or_long_is_refused)
{
    struct sg_text text = {0};
    sg_text_append(&text, "a = ");
    repeat(&text, "(", 100000);
    expect_start(&text, "deck.cfg:1: error: groups and lists are nested deeper than 64");
    repeat(&text, "a = {", 65);
    expect_start(&text, "deck.cfg:1: error: groups and lists are nested deeper than 64");
    repeat(&text, "n", 256);
    expect_start(&text, "deck.cfg:1: error: name of more than 255 characters 'nnnn");
    sg_text_append(&text, "a = 1");
    repeat(&text, "0", 100);
    expect_start(&text, "deck.cfg:1: error: number of more than 64 characters '1000");
    sg_text_append(&text, "a = \"");
    repeat(&text, "x", 70000);
    sg_text_append(&text, "\"");
    expect_start(&text, "deck.cfg:1: error: text longer than 64 KiB '\"xxx");
    for (int i = 0; i < 1001; i++) sg_text_append(&text, "k%d = 1;\n", i);
    expect_start(&text, "deck.cfg:1001: error: more than 1000 keywords in one group");
    sg_text_append(&text, "a = (");
    repeat(&text, "1,", 200000);
    sg_text_append(&text, "1);");
    expect_start(&text, "deck.cfg:1: error: more than 200000 values");
}
END_TEST

/* --- files ---------------------------------------------------------------------------------------- */

static char folder[32];

static void enter(void)
{
    snprintf(folder, sizeof folder, "/tmp/sg_deck_XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    ck_assert_int_eq(chdir(folder), 0);
    ck_assert_int_eq(mkdir("decks", 0700), 0);
    ck_assert_int_eq(mkdir("decks/parts", 0700), 0);
}

static void leave(void)
{
    char command[64];
    ck_assert_int_eq(chdir("/"), 0);
    snprintf(command, sizeof command, "rm -r '%s'", folder);
    ck_assert_int_eq(system(command), 0);
}

static void put(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    ck_assert(fputs(text, file) >= 0);
    ck_assert_int_eq(fclose(file), 0);
}

static void read_file(struct sg_deck_trial *trial, const char *path)
{
    *trial = (struct sg_deck_trial){0};
    trial->status = sg_deck_read_file(path, &trial->deck, &trial->findings, &trial->err);
    if (trial->status == SG_OK)
        trial->status = sg_deck_validate(trial->deck, sg_trial_root, &trial->findings, &trial->err);
}

START_TEST(what_is_no_regular_file_is_no_input)
{
    struct sg_deck_trial trial;
    ck_assert_int_eq(mkfifo("decks/pipe", 0600), 0);
    put("decks/large", "a = 1;\n");
    ck_assert_int_eq(truncate("decks/large", 16 * 1024 * 1024 + 1), 0);
    const char *const paths[] = {"decks", "decks/absent", "decks/pipe", "decks/large", "/dev/zero", ""};
    const char *const words[] = {"can't open 'decks': it is a folder",
                                 "can't open 'decks/absent': No such file or directory",
                                 "can't open 'decks/pipe': it is not a regular file",
                                 "'decks/large' is too large: 16777217 bytes, at most 16777216 are read",
                                 "can't open '/dev/zero': it is not a regular file",
                                 "can't open '': No such file or directory"};
    for (size_t i = 0; i < 6; i++) {
        read_file(&trial, paths[i]);
        ck_assert_int_eq(trial.status, SG_NO_INPUT);
        ck_assert_str_eq(trial.err.text, words[i]);
        ck_assert_ptr_null(trial.deck);
        sg_trial_release(&trial);
    }
}
END_TEST

START_TEST(includes_keep_their_lines)
{
    struct sg_deck_trial trial;
    put("decks/main.cfg", "title = \"t\";\n"
                          "# @include \"not.cfg\"\n"
                          "  @include \"parts/bodies.cfg\"  # these\n"
                          "time = { end = 0; };\n");
    put("decks/parts/bodies.cfg", "bodies = (\n"
                                  "  { type = \"ball\"; name = \"b\";\n"
                                  "@include \"radius.cfg\"\n"
                                  "    color = 1; } );");
    put("decks/parts/radius.cfg", "\n/* a */ radius = -1;");
    read_file(&trial, "decks/main.cfg");
    ck_assert_str_eq(
        sg_trial_render(&trial),
        "decks/parts/radius.cfg:2: error: bodies.[0].radius: -1 is out of range, allowed: > 0 [m]\n"
        "decks/parts/bodies.cfg:4: error: bodies.[0].color: unknown keyword 'color'\n"
        "  hint: allowed here: type, name, radius\n"
        "decks/main.cfg:4: error: time.end: 0 is out of range, allowed: > 0 [s]\n");
    ck_assert_str_eq(sg_deck_source(trial.deck), "title = \"t\";\n"
                                                 "# @include \"not.cfg\"\n"
                                                 "  bodies = (\n"
                                                 "  { type = \"ball\"; name = \"b\";\n"
                                                 "\n/* a */ radius = -1;\n\n"
                                                 "    color = 1; } );\n"
                                                 "  # these\n"
                                                 "time = { end = 0; };\n");
    sg_trial_release(&trial);
}
END_TEST

START_TEST(bad_includes_are_refused)
{
    static const char *const names[] = {"/etc/passwd", "../secret", "parts/../x", "",
                                        "absent.cfg",  "parts",     "pipe",       "link.cfg",
                                        "main.cfg",    "a\\b",      "nul.cfg"};
    static const char *const words[] = {"an include has an absolute path",
                                        "an include's path has '..'",
                                        "an include's path has '..'",
                                        "the include names no file",
                                        "the include does not exist",
                                        "the include can't be read as a regular file of at most 16 MiB",
                                        "the include can't be read as a regular file of at most 16 MiB",
                                        "an include leads out of the deck's folder",
                                        "a file includes itself",
                                        "an include's path has a backslash",
                                        "the deck holds a NUL byte"};
    put("secret", "a = 1;\n");
    ck_assert_int_eq(symlink("../secret", "decks/link.cfg"), 0);
    ck_assert_int_eq(mkfifo("decks/pipe", 0600), 0);
    put("decks/nul.cfg", "x");
    ck_assert_int_eq(truncate("decks/nul.cfg", 2), 0);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct sg_deck_trial trial;
        char text[128];
        snprintf(text, sizeof text, "title = \"t\";\n@include \"%s\"\n", names[i]);
        put("decks/main.cfg", text);
        read_file(&trial, "decks/main.cfg");
        ck_assert_int_eq(trial.status, SG_BAD_DECK);
        ck_assert_uint_eq(trial.findings.count, 1);
        ck_assert_msg(strncmp(trial.findings.items[0].message, words[i], strlen(words[i])) == 0, "%s",
                      sg_trial_render(&trial));
        sg_trial_release(&trial);
    }
}
END_TEST

START_TEST(include_depth_and_number_are_bounded)
{
    struct sg_deck_trial trial;
    struct sg_text text = {0};
    for (int i = 0; i < 12; i++) {
        char path[64], line[64];
        snprintf(path, sizeof path, "decks/%d.cfg", i);
        snprintf(line, sizeof line, "@include \"%d.cfg\"\n", i + 1);
        put(path, line);
    }
    read_file(&trial, "decks/0.cfg");
    ck_assert_str_eq(sg_trial_render(&trial),
                     "decks/8.cfg:1: error: includes are nested deeper than 8: '9.cfg'\n");
    sg_trial_release(&trial);
    put("decks/empty.cfg", "");
    repeat(&text, "@include \"empty.cfg\"\n", 1001);
    put("decks/many.cfg", sg_text_view(&text));
    read_file(&trial, "decks/many.cfg");
    ck_assert_str_eq(sg_trial_render(&trial),
                     "decks/many.cfg:1001: error: more than 1000 includes: 'empty.cfg'\n");
    sg_trial_release(&trial);
    sg_text_release(&text);
}
END_TEST

START_TEST(side_files_lie_beside_the_deck)
{
    struct sg_deck_trial trial;
    char *path = NULL;
    put("decks/main.cfg", sg_trial_deck);
    read_file(&trial, "decks/main.cfg");
    ck_assert_int_eq(sg_deck_side_file(trial.deck, "quake.csv", &path, &trial.err), SG_OK);
    ck_assert_str_eq(path, "decks/quake.csv");
    free(path);
    ck_assert_int_eq(sg_deck_side_file(trial.deck, "/a/b", &path, &trial.err), SG_OK);
    ck_assert_str_eq(path, "/a/b");
    free(path);
    ck_assert_int_eq(sg_deck_side_file(trial.deck, "", &path, &trial.err), SG_BAD_DECK);
    ck_assert_ptr_null(path);
    sg_trial_release(&trial);
}
END_TEST

/* --- mutations ------------------------------------------------------------------------------------ */

static uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525U + 1013904223U;
    return *state >> 8;
}

/* Changes, cuts out or doubles a few bytes. */
static size_t mutate(char *text, size_t length, uint32_t *random)
{
    static const char bits[] = "(){}[]=;,\"\\/*#@.-+eLx0129 \nat\xc3\x80";
    size_t changes = 1 + next_random(random) % 2;
    for (size_t i = 0; i < changes; i++) {
        size_t at = next_random(random) % length, span = 1 + next_random(random) % 8;
        if (span > length - at - 1) span = 1;
        switch (next_random(random) % 3) {
        case 0:
            text[at] = bits[next_random(random) % (sizeof bits - 1)];
            break;
        case 1:
            memmove(text + at, text + at + span, length - at - span);
            length -= span;
            break;
        default:
            memmove(text + at + span, text + at, length - at);
            length += span;
        }
    }
    return length;
}

/* Whatever is read is either right, and then prints to what reads the same, or has findings. */
START_TEST(mutated_decks_are_right_or_told_wrong)
{
    enum { MUTATIONS = 2000 };
    uint32_t random = 20240229;
    size_t right = 0;
    for (int i = 0; i < MUTATIONS; i++) {
        char text[sizeof sg_trial_deck + 64];
        struct sg_deck_trial trial = {0}, again;
        struct sg_text printed = {0}, reprinted = {0};
        memcpy(text, sg_trial_deck, sizeof sg_trial_deck);
        size_t length = mutate(text, sizeof sg_trial_deck - 1, &random);
        trial.status = sg_deck_read_text(text, length, "deck.cfg", &trial.deck, &trial.findings, &trial.err);
        if (trial.status == SG_OK)
            trial.status = sg_deck_validate(trial.deck, sg_trial_root, &trial.findings, &trial.err);
        ck_assert(trial.status == SG_OK || trial.status == SG_BAD_DECK);
        ck_assert((trial.status == SG_OK) == (trial.findings.errors == 0));
        if (trial.status == SG_OK) {
            right++;
            sg_deck_print(trial.deck, &printed);
            sg_trial_init(&again, sg_text_view(&printed), NULL);
            ck_assert_str_eq(sg_trial_render(&again), "");
            sg_deck_print(again.deck, &reprinted);
            ck_assert_str_eq(sg_text_view(&printed), sg_text_view(&reprinted));
            sg_trial_release(&again);
        }
        sg_text_release(&printed);
        sg_text_release(&reprinted);
        sg_trial_release(&trial);
    }
    /* neither all nor none: the mutations reach both sides */
    ck_assert_msg(right > MUTATIONS / 20 && right < MUTATIONS * 19 / 20, "%zu are right", right);
}
END_TEST

Suite *sg_suite_deck_traps(void)
{
    Suite *suite = suite_create("deck_traps");
    TCase *text = tcase_create("text"), *files = tcase_create("files");
    tcase_set_timeout(text, 120);
    tcase_add_loop_test(text, bad_bytes_are_refused, 0, (int)(sizeof bytes / sizeof bytes[0]));
    tcase_add_loop_test(text, integers_are_exact_or_refused, 0, (int)(sizeof integers / sizeof integers[0]));
    tcase_add_test(text, a_wrapped_integer_in_an_array_is_found);
    tcase_add_test(text, reals_read_under_any_locale);
    tcase_add_test(text, what_is_deep_or_long_is_refused);
    tcase_add_test(text, mutated_decks_are_right_or_told_wrong);
    suite_add_tcase(suite, text);
    tcase_add_checked_fixture(files, enter, leave);
    tcase_add_test(files, what_is_no_regular_file_is_no_input);
    tcase_add_test(files, includes_keep_their_lines);
    tcase_add_test(files, bad_includes_are_refused);
    tcase_add_test(files, include_depth_and_number_are_bounded);
    tcase_add_test(files, side_files_lie_beside_the_deck);
    suite_add_tcase(suite, files);
    return suite;
}
