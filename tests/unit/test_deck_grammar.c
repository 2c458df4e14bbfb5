#include <check.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "deck_fixture.h"

Suite *sg_suite_deck_grammar(void);

/* Decks drawn at random, spelled in all ways that libconfig's syntax allows, and beside each the text that it
 * must print to, made without reading anything. */
struct draw {
    struct sg_text deck, truth;
    uint32_t random;
    unsigned name; /* names are numbered: none is doubled */
};

static uint32_t below(struct draw *d, uint32_t n)
{
    d->random = d->random * 1664525U + 1013904223U;
    return (d->random >> 8) % n;
}

static void both(struct draw *d, const char *deck, const char *truth)
{
    sg_text_append(&d->deck, "%s", deck);
    sg_text_append(&d->truth, "%s", truth);
}

static void space(struct draw *d)
{
    static const char *const spaces[] = {
        " ", " ", " ", "", "\n", "\t", "# it's \"a\" { comment\n", "/* ( \n */ ", "//\n"};
    sg_text_append(&d->deck, "%s", spaces[below(d, sizeof spaces / sizeof spaces[0])]);
}

/* Rows of one type: an array draws all its items from one. What escapes mean does not depend on libconfig's
 * version: those that only some know stay as they are written. */
enum { SPELLINGS = 7 };
static const char *const values[][SPELLINGS][2] = {
    {{"1", "1"},
     {"-3", "-3"},
     {"+5", "5"},
     {"0x1F", "31"},
     {"010", "10"},
     {"-007", "-7"},
     {"2147483647", "2147483647"}},
    {{"5L", "5"},
     {"6LL", "6"},
     {"-4294967296L", "-4294967296L"},
     {"0xffffffffL", "4294967295L"},
     {"08L", "8"},
     {"9223372036854775807L", "9223372036854775807L"},
     {"3000000000L", "3000000000L"}},
    {{"2.5", "2.5"},
     {".5", "0.5"},
     {"1.", "1.0"},
     {"-1e3", "-1000.0"},
     {"1.5E-2", "0.015"},
     {"+0.0", "0.0"},
     {"010.5", "10.5"}},
    {{"true", "true"},
     {"TRUE", "true"},
     {"False", "false"},
     {"false", "false"},
     {"tRuE", "true"},
     {"FALSE", "false"},
     {"true", "true"}},
    {{"\"a\"", "\"a\""},
     {"\"a\" \"b\"", "\"ab\""},
     {"\"x\"\n# c\n\"\" \"y\"", "\"xy\""},
     {"\"\\\"\\x41\\n\"", "\"\\\"A\\n\""},
     {"\"C:\\\\d\\v\\a\\b\\q\"", "\"C:\\\\d\\\\v\\\\a\\\\b\\\\q\""},
     {"\"{ ( // # @include\"", "\"{ ( // # @include\""},
     {"\"two\nlines\\\n\"", "\"two\\nlines\\\\\\n\""}},
};
enum { TYPES = sizeof values / sizeof values[0] };

static void scalar(struct draw *d, uint32_t type)
{
    const char *const *spelling = values[type][below(d, SPELLINGS)];
    both(d, spelling[0], spelling[1]);
}

static void settings(struct draw *d, int indent, uint32_t count);

static void group(struct draw *d, int indent)
{
    both(d, "{", "{\n");
    settings(d, indent + 2, below(d, 4));
    both(d, "}", "");
    sg_text_append(&d->truth, "%*s}", indent, "");
}

static void array(struct draw *d)
{
    uint32_t count = below(d, 4), type = below(d, TYPES);
    both(d, "[", "[");
    for (uint32_t i = 0; i < count; i++) {
        space(d);
        if (i > 0) both(d, ",", ", ");
        space(d);
        scalar(d, type);
    }
    space(d);
    both(d, "]", "]");
}

static void value(struct draw *d, int indent);

static void list(struct draw *d, int indent)
{
    uint32_t count = below(d, 4);
    both(d, "(", "(");
    for (uint32_t i = 0; i < count; i++) {
        if (i > 0) both(d, ",", ",");
        space(d);
        sg_text_append(&d->truth, "\n%*s", indent + 2, "");
        value(d, indent + 2);
        space(d);
    }
    both(d, ")", "");
    if (count > 0) sg_text_append(&d->truth, "\n%*s", indent, "");
    sg_text_append(&d->truth, ")");
}

static void value(struct draw *d, int indent)
{
    uint32_t form = indent > 8 ? 0 : below(d, 8);
    if (form < 4)
        scalar(d, below(d, TYPES));
    else if (form < 5)
        array(d);
    else if (form < 6)
        list(d, indent);
    else
        group(d, indent);
}

static void settings(struct draw *d, int indent, uint32_t count)
{
    static const char *const ends[] = {";", ",", "\n", " ", ";\n"};
    for (uint32_t i = 0; i < count; i++) {
        space(d);
        sg_text_append(&d->deck, "k*%u-_", d->name);
        sg_text_append(&d->truth, "%*sk*%u-_ = ", indent, "", d->name++);
        space(d);
        sg_text_append(&d->deck, below(d, 3) > 0 ? "=" : ":");
        space(d);
        value(d, indent);
        sg_text_append(&d->deck, "%s", ends[below(d, sizeof ends / sizeof ends[0])]);
        sg_text_append(&d->truth, ";\n");
        space(d);
    }
}

static void release(struct draw *d)
{
    sg_text_release(&d->deck);
    sg_text_release(&d->truth);
}

static void read_deck(const struct draw *d, struct sg_deck_trial *trial)
{
    *trial = (struct sg_deck_trial){0};
    trial->status = sg_deck_read_text(sg_text_view(&d->deck), d->deck.length, "deck.cfg", &trial->deck,
                                      &trial->findings, &trial->err);
}

START_TEST(every_spelling_is_read_as_it_is_meant)
{
    enum { DECKS = 1500 };
    struct draw d = {.random = 20250314};
    for (int i = 0; i < DECKS; i++) {
        struct sg_deck_trial trial;
        struct sg_text printed = {0};
        settings(&d, 0, 1 + below(&d, 4));
        read_deck(&d, &trial);
        ck_assert_msg(trial.status == SG_OK, "%s%s", sg_trial_render(&trial), sg_text_view(&d.deck));
        sg_deck_print(trial.deck, &printed);
        ck_assert_str_eq(sg_text_view(&printed), sg_text_view(&d.truth));
        sg_text_release(&printed);
        sg_trial_release(&trial);
        release(&d);
    }
}
END_TEST

/* One line that is wrong: `message` is told of line `line` of it, counted from 0. The first group of faults
 * some versions of libconfig take. */
static const struct {
    const char *text;
    int line;
    const char *message;
} faults[] = {
    {"f = [1, 2,];", 0, "a value is missing after ',', found ']'"},
    {"f = (1,\n);", 1, "a value is missing after ',', found ')'"},
    {"f = (1,, 2);", 0, "expected a value, found ','"},
    {"f = [1, 2.0];", 0, "an array [ ] mixes integer and real numbers, found '2.0'"},
    {"f = [1, 2L];", 0, "an array [ ] mixes integers with and without L, found '2L'"},
    {"f = [\"a\",\ntrue];", 1, "an array [ ] mixes items of different type, found 'true'"},
    {"f = 0b11;", 0, "not a number '0b11'"},
    {"f = 0o7;", 0, "not a number '0o7'"},
    {"f = 1_000;", 0, "not a number '1_000'"},
    {"f 1;", 0, "expected '=' after 'f', found '1'"},
    {"f =\n;", 0, "expected a value after '=', found ';'"},
    {"f = = 1;", 0, "expected a value, found '='"},
    {"f = word;", 0, "expected a value, found 'word'"},
    {"f = (1 2);", 0, "expected ',' or ')', found '2'"},
    {"f = [1; 2];", 0, "expected ',' or ']', found ';'"},
    {"f = [{ }];", 0, "an array [ ] holds only numbers, booleans or texts, found '{'"},
    {"f = 1; 2;", 0, "expected a keyword, found '2'"},
    {"f = 1;;", 0, "expected a keyword, found ';'"},
    {"f = { g = 1; ];", 0, "expected a keyword or '}', found ']'"},
    {"f = 1; }", 0, "no bracket is open, found '}'"},
    {"f = 1;\nf = 2;", 1, "keyword 'f' is given twice in this group"},
    {"f = { a = { g = 1; }; g = 2;\ng = { }; };", 1, "keyword 'g' is given twice in this group"},
    {"; f = 1;", 0, "expected a keyword, found ';'"},
};

/* Wherever a fault stands between settings that are right, it alone is told, of its line. */
START_TEST(one_fault_is_told_of_its_line)
{
    struct draw d = {.random = 20250315U + (uint32_t)_i};
    for (int repeat = 0; repeat < 40; repeat++) {
        char finding[160];
        struct sg_deck_trial trial;
        int line = 1 + faults[_i].line;
        settings(&d, 0, below(&d, 3));
        sg_text_append(&d.deck, "\nbefore = 0;\n");
        for (const char *at = sg_text_view(&d.deck); *at != '\0'; at++) line += *at == '\n' ? 1 : 0;
        sg_text_append(&d.deck, "%s\n", faults[_i].text);
        settings(&d, 0, below(&d, 3));
        read_deck(&d, &trial);
        snprintf(finding, sizeof finding, "deck.cfg:%d: error: %s\n", line, faults[_i].message);
        ck_assert_int_eq(trial.status, SG_BAD_DECK);
        ck_assert_uint_eq(trial.findings.count, 1);
        ck_assert_msg(strncmp(sg_trial_render(&trial), finding, strlen(finding)) == 0, "%s%s%s", finding,
                      sg_trial_render(&trial), sg_text_view(&d.deck));
        sg_trial_release(&trial);
        release(&d);
    }
}
END_TEST

/* What one version takes and another refuses does not hide what all refuse, and is told beside it. */
START_TEST(faults_are_told_together)
{
    struct draw d = {0};
    struct sg_deck_trial trial;
    sg_text_append(&d.deck, "a = ;\nb = [1, 2.0, true];\nc = (1, );\nd = ;\n");
    read_deck(&d, &trial);
    ck_assert_uint_eq(trial.findings.count, 4);
    sg_diagnostics_sort(&trial.findings);
    for (size_t i = 0; i < 4; i++)
        ck_assert_uint_eq(trial.findings.items[i].line, i == 0 ? 1 : i == 3 ? 3 : 2);
    sg_trial_release(&trial);
    release(&d);
}
END_TEST

Suite *sg_suite_deck_grammar(void)
{
    Suite *suite = suite_create("deck_grammar");
    TCase *test = tcase_create("drawn");
    tcase_set_timeout(test, 120);
    tcase_add_test(test, every_spelling_is_read_as_it_is_meant);
    tcase_add_loop_test(test, one_fault_is_told_of_its_line, 0, (int)(sizeof faults / sizeof faults[0]));
    tcase_add_test(test, faults_are_told_together);
    suite_add_tcase(suite, test);
    return suite;
}
