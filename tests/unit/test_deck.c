#define _POSIX_C_SOURCE 200809L

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "deck/file.h"
#include "deck_fixture.h"
#include "support/sha256.h"

Suite *sg_suite_deck(void);

START_TEST(a_right_deck_has_no_findings)
{
    struct sg_deck_trial trial;
    sg_trial_init(&trial, sg_trial_deck, NULL);
    ck_assert_str_eq(sg_trial_render(&trial), "");
    ck_assert_int_eq(trial.status, SG_OK);
    ck_assert_str_eq(sg_deck_source(trial.deck), sg_trial_deck);
    sg_trial_release(&trial);
}
END_TEST

static void fill_options(const struct sg_deck_trial *trial, struct sg_trial_options *options)
{
    memset(options, 0x5a, sizeof *options);
    sg_setting_fill(sg_setting_child(sg_deck_root(trial->deck), "options"), sg_trial_option_rows, options);
}

/* Numbers are compared exactly: a literal of the deck and the same literal in C are the same double. */
START_TEST(given_values_are_filled)
{
    struct sg_deck_trial trial;
    struct sg_trial_options o;
    sg_trial_init(&trial, sg_trial_deck, NULL);
    fill_options(&trial, &o);
    ck_assert_int_eq(o.count, 5000000000LL);
    ck_assert_int_eq(o.limit, -2);
    ck_assert_int_eq(o.verbose, 0);
    ck_assert_str_eq(o.label, "\"quoted\" \\ \n\x01 \xc3\xa9");
    ck_assert_int_eq(o.mode, 2);
    ck_assert_uint_eq(o.weights.count, 2);
    ck_assert(o.weights.data[0] == 1.0 && o.weights.data[1] == 2.0);
    ck_assert_uint_eq(o.names.count, 2);
    ck_assert_str_eq(o.names.data[0], "x");
    ck_assert_str_eq(o.names.data[1], "yz");
    ck_assert_uint_eq(sg_setting_count(o.parts), 2);
    ck_assert(sg_setting_given(sg_deck_root(trial.deck), "options"));
    sg_trial_release(&trial);
}
END_TEST

START_TEST(defaults_and_absences_are_filled)
{
    struct sg_deck_trial trial;
    struct sg_trial_options o;
    sg_trial_init(&trial, sg_trial_deck, "options={}");
    fill_options(&trial, &o);
    ck_assert(o.factor == 0.5 && isnan(o.bare));
    ck_assert(o.count == 3 && o.none == SG_NOT_GIVEN);
    ck_assert(o.limit == 4);
    ck_assert(o.verbose == 1 && o.quiet == -1);
    ck_assert_str_eq(o.label, "none");
    ck_assert_ptr_null(o.unset);
    ck_assert(o.mode == 1 && o.unmode == -1);
    ck_assert(o.weights.count == 2 && o.weights.data[1] == 2.5);
    ck_assert(o.names.count == 1 && o.no_names.data == NULL && o.no_weights.data == NULL);
    ck_assert_ptr_null(o.no_inner);
    ck_assert_ptr_null(o.no_parts);
    ck_assert_uint_eq(sg_setting_count(o.parts), 1);
    ck_assert(!sg_setting_given(sg_setting_child(sg_deck_root(trial.deck), "options"), "factor"));
    ck_assert_ptr_nonnull(sg_setting_child(o.inner, "depth"));
    sg_trial_release(&trial);
}
END_TEST

static const struct {
    const char *set;
    long long value;
} limits[] = {{"options.limit=all", -1}, {"options.limit=\"few\"", -2}, {"options.limit=0", 0}};

START_TEST(a_word_may_stand_for_an_integer)
{
    struct sg_deck_trial trial;
    struct sg_trial_options o;
    sg_trial_init(&trial, sg_trial_deck, limits[_i].set);
    ck_assert_str_eq(sg_trial_render(&trial), "");
    fill_options(&trial, &o);
    ck_assert_int_eq(o.limit, limits[_i].value);
    sg_trial_release(&trial);
}
END_TEST

START_TEST(kinds_are_chosen)
{
    struct sg_deck_trial trial;
    sg_trial_init(
        &trial, "title = \"t\"; time = { end = 1 }; bodies = ({ type = \"ball\", name = \"b\", radius = 1 })",
        NULL);
    const struct sg_setting *root = sg_deck_root(trial.deck);
    ck_assert_str_eq(sg_trial_render(&trial), "");
    ck_assert_str_eq(sg_setting_kind(sg_setting_item(sg_setting_child(root, "bodies"), 0))->name, "ball");
    ck_assert_str_eq(sg_setting_kind(sg_setting_child(root, "integrator"))->name, "generalized-alpha");
    ck_assert(!sg_setting_given(root, "integrator"));
    ck_assert_ptr_null(sg_setting_kind(sg_setting_child(root, "time")));
    ck_assert_ptr_null(sg_setting_item(sg_setting_child(root, "bodies"), 1));
    ck_assert_ptr_null(sg_setting_child(root, "load"));
    sg_trial_release(&trial);
}
END_TEST

/* One fault in the deck, one finding; the whole text is the contract. */
static const struct {
    const char *old, *fresh, *finding;
} faults[] = {
    {"length = 2", "lenght = 2",
     "deck.cfg:3: error: bodies.[0].lenght: unknown keyword 'lenght'\n"
     "  hint: did you mean 'length'? allowed here: type, name, length, elements, area\n"},
    {"elements = 20", "elements = 0",
     "deck.cfg:4: error: bodies.[0].elements: 0 is out of range, allowed: >= 1\n"},
    {"length = 2", "length = \"long\"",
     "deck.cfg:3: error: bodies.[0].length: wrong type: found text \"long\", wanted a real number [m]\n"},
    {"length = 2;", "",
     "deck.cfg:3: error: bodies.[0]: missing keyword 'length' (real number, m: length of the bar)\n"
     "  hint: for example: length = 1.0;\n"},
    {"elements = 20", "elements = 1e5",
     "deck.cfg:4: error: bodies.[0].elements: wrong type: found real number 100000.0, wanted an integer\n"
     "  hint: write it without point and exponent, as in 100000\n"},
    {"type = \"bar\"", "type = \"baar\"",
     "deck.cfg:3: error: bodies.[0].type: unknown body 'baar'\n"
     "  hint: did you mean 'bar'? there are: bar, ball\n"},
    {"type = \"bar\";", "",
     "deck.cfg:3: error: bodies.[0]: missing keyword 'type' (text: which body)\n  hint: one of: bar, ball\n"},
    {"type = \"bar\"", "typ = \"bar\"",
     "deck.cfg:3: error: bodies.[0].typ: unknown keyword 'typ'\n"
     "  hint: did you mean 'type'? allowed here: type, name\n"},
    {"type = \"generalized-alpha\"", "type = \"newmark\"",
     "deck.cfg:9: error: integrator.rho_inf: keyword 'rho_inf' belongs to integrator 'generalized-alpha', "
     "not to 'newmark'\n  hint: allowed here: type, beta\n"},
    {"rho_inf = 0.9", "rho_inf = 1.5",
     "deck.cfg:9: error: integrator.rho_inf: 1.5 is out of range, allowed: >= 0 and <= 1\n"},
    {"mode = \"average\"", "mode = \"consistant\"",
     "deck.cfg:20: error: options.mode: unknown choice 'consistant'\n"
     "  hint: did you mean 'consistent'? allowed: consistent, lumped, average\n"},
    {"verbose = false", "verbose = 0",
     "deck.cfg:18: error: options.verbose: wrong type: found integer 0, wanted true or false\n"
     "  hint: write true or false\n"},
    {"[1, 2]", "[1, -2]",
     "deck.cfg:15: error: options.weights.[1]: -2 is out of range, allowed: >= 0 [kg]\n"},
    {"[1, 2]", "[]", "deck.cfg:15: error: options.weights: found 0 items, wanted at least 1\n"},
    {"[1, 2]", "(1, 2, 3, 4, 5.5)", "deck.cfg:15: error: options.weights: found 5 items, wanted at most 4\n"},
    {"[1, 2]", "1.0",
     "deck.cfg:15: error: options.weights: wrong type: found real number 1.0, wanted an array of real "
     "numbers [kg]\n"
     "  hint: a single item is put in brackets too: [ .. ]\n"},
    {"count = 5000000000L", "count = 5000000000",
     "deck.cfg:19: error: options.count: integer 5000000000 is beyond 32 bits\n"
     "  hint: write 5000000000.0 for a real number, 5000000000L for an integer\n"},
    {"step = 0.25", "step = 1e400",
     "deck.cfg:13: error: time.step: the number is beyond the real numbers (1.8e308)\n"},
    {"title = \"Two bodies\";", "",
     "deck.cfg:1: error: title: missing keyword 'title' (text: one line about the run)\n"
     "  hint: for example: title = \"Two bars\";\n"},
    {"time = { end = 1; step = 0.25; };", "time = ( { end = 1; } );",
     "deck.cfg:13: error: time: wrong type: found a list of 1 item, wanted a group { .. }\n"
     "  hint: write one group: { .. }\n"},
    {"{ mass = 3; at = -4; }", "3",
     "deck.cfg:21: error: options.parts.[1]: wrong type: found integer 3, wanted a group { .. }\n"},
    {"limit = \"few\"", "limit = \"al\"",
     "deck.cfg:19: error: options.limit: unknown choice 'al'\n"
     "  hint: did you mean 'all'? allowed: an integer or \"all\" or \"few\"\n"},
    {"limit = \"few\"", "limit = 10",
     "deck.cfg:19: error: options.limit: 10 is out of range, allowed: >= 0 and <= 9 or \"all\" or \"few\"\n"},
    {"limit = \"few\"", "limit = 1.5",
     "deck.cfg:19: error: options.limit: wrong type: found real number 1.5, wanted an integer or \"all\" or "
     "\"few\"\n"},
    {"limit = \"few\"", "limit = \"5\"",
     "deck.cfg:19: error: options.limit: wrong type: found text \"5\", wanted an integer or \"all\" or "
     "\"few\"\n  hint: write it without quotes\n"},
    {"label = \"", "label = \"\\xe9",
     "deck.cfg:17: error: options.label: the text is not UTF-8\n"
     "  hint: an escape such as \\xe9 makes one byte: write the character itself\n"},
};

START_TEST(each_fault_is_one_finding)
{
    struct sg_deck_trial trial;
    char *text = sg_trial_edit(faults[_i].old, faults[_i].fresh);
    ck_assert_ptr_nonnull(text);
    sg_trial_init(&trial, text, NULL);
    ck_assert_str_eq(sg_trial_render(&trial), faults[_i].finding);
    ck_assert_int_eq(trial.status, SG_BAD_DECK);
    ck_assert_uint_eq(trial.findings.errors, 1);
    sg_trial_release(&trial);
    free(text);
}
END_TEST

static const struct {
    const char *text, *finding;
} syntax[] = {
    {"a = 1;\nlength 2.0;", "deck.cfg:2: error: expected '=' after 'length', found '2.0'\n"
                            "  hint: the line reads: length 2.0;\n"},
    {"a =\nb = 2;", "deck.cfg:1: error: expected a value after '=', found 'b'\n"
                    "  hint: the value seems to be missing; the line reads: a =\n"},
    {"a = 1,5;", "deck.cfg:1: error: expected a keyword, found '5'\n"
                 "  hint: the decimal sign is '.'; the line reads: a = 1,5;\n"},
    {"a = 1;;", "deck.cfg:1: error: expected a keyword, found ';'\n"
                "  hint: one ';' after a value is enough; the line reads: a = 1;;\n"},
    {"a = bar;", "deck.cfg:1: error: expected a value, found 'bar'\n"
                 "  hint: text is put in \"...\"; the line reads: a = bar;\n"},
    {"a = [1, 2.0];", "deck.cfg:1: error: an array [ ] mixes integer and real numbers, found '2.0'\n"
                      "  hint: write every number with a point, as in [1.0, 2.0], or a list, as in (1, 2.0); "
                      "the line reads: a = [1, 2.0];\n"},
    {"a = (1, 2,);", "deck.cfg:1: error: a value is missing after ',', found ')'\n"
                     "  hint: remove the ',' before the bracket; the line reads: a = (1, 2,);\n"},
    {"a = {\n b = 1;\n", "deck.cfg:1: error: expected a keyword or '}', found the end of the deck\n"
                         "  hint: a '}' seems to be missing: '{' of line 1 is open; the line reads: a = {\n"},
    {"a = { b = 1;\n b = 2; };", "deck.cfg:2: error: keyword 'b' is given twice in this group\n"
                                 "  hint: it is first given in line 1\n"},
    {"a = 1.0.0;", "deck.cfg:1: error: not a number '1.0.0'\n"
                   "  hint: numbers read like 12, -0.5, 1e-3, 0xff, 3000000000L\n"},
    {"a = .;", "deck.cfg:1: error: not a number '.'\n"
               "  hint: numbers read like 12, -0.5, 1e-3, 0xff, 3000000000L\n"},
    {"a = 'x';", "deck.cfg:1: error: unexpected character '''\n  hint: text is put in \"...\"\n"},
    {"a = [[1]];", "deck.cfg:1: error: an array [ ] holds only numbers, booleans or texts, found '['\n"
                   "  hint: write a list: ( ); the line reads: a = [[1]];\n"},
    {"a = 1; }", "deck.cfg:1: error: no bracket is open, found '}'\n  hint: the line reads: a = 1; }\n"},
};

START_TEST(each_syntax_error_is_explained)
{
    struct sg_deck_trial trial;
    sg_trial_init(&trial, syntax[_i].text, NULL);
    ck_assert_str_eq(sg_trial_render(&trial), syntax[_i].finding);
    ck_assert_int_eq(trial.status, SG_BAD_DECK);
    ck_assert_ptr_null(trial.deck);
    sg_trial_release(&trial);
}
END_TEST

START_TEST(all_faults_are_told_in_the_order_of_lines)
{
    struct sg_deck_trial trial;
    sg_trial_init(&trial,
                  "titel = \"t\";\n"
                  "bodies = ( { type = \"ball\";\n"
                  "  radius = -1; color = \"red\"; } );\n"
                  "time = { step = true;\n"
                  "};\n",
                  NULL);
    const char *const where[] = {"deck.cfg:1", "deck.cfg:2", "deck.cfg:3",
                                 "deck.cfg:3", "deck.cfg:4", "deck.cfg:4"};
    ck_assert_uint_eq(trial.findings.count, 6);
    for (size_t i = 0; i < 6; i++) ck_assert_str_eq(trial.findings.items[i].where, where[i]);
    sg_trial_release(&trial);
}
END_TEST

START_TEST(printed_deck_reads_back_the_same)
{
    struct sg_deck_trial first, second;
    struct sg_text a = {0}, b = {0}, ja = {0}, jb = {0};
    sg_trial_init(&first, sg_trial_deck, NULL);
    sg_deck_print(first.deck, &a);
    sg_deck_print_json(first.deck, &ja);
    sg_trial_init(&second, sg_text_view(&a), NULL);
    ck_assert_str_eq(sg_trial_render(&second), "");
    sg_deck_print(second.deck, &b);
    sg_deck_print_json(second.deck, &jb);
    ck_assert_str_eq(sg_text_view(&a), sg_text_view(&b));
    ck_assert_str_eq(sg_text_view(&ja), sg_text_view(&jb));
    ck_assert_ptr_nonnull(
        strstr(sg_text_view(&ja), "\"label\": \"\\\"quoted\\\" \\\\ \\n\\u0001 \xc3\xa9\""));
    ck_assert_ptr_nonnull(strstr(sg_text_view(&a), "count = 5000000000L;"));
    sg_text_release(&a);
    sg_text_release(&b);
    sg_text_release(&ja);
    sg_text_release(&jb);
    sg_trial_release(&first);
    sg_trial_release(&second);
}
END_TEST

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    ck_assert(fputs(text, file) >= 0);
    ck_assert_int_eq(fclose(file), 0);
}

/* Exit codes: 0 fine, 1 wrong, 77 no jsonschema here. */
static const char judge[] = "import copy, json, sys\n"
                            "try:\n"
                            "    from jsonschema import Draft202012Validator as V\n"
                            "except ImportError:\n"
                            "    sys.exit(77)\n"
                            "schema, deck = (json.load(open(p, encoding='utf-8')) for p in sys.argv[1:])\n"
                            "V.check_schema(schema)\n"
                            "v = V(schema)\n"
                            "for e in v.iter_errors(deck): sys.exit('refused: ' + str(e))\n"
                            "def bad(change):\n"
                            "    d = copy.deepcopy(deck)\n"
                            "    change(d)\n"
                            "    if v.is_valid(d): sys.exit('accepted: ' + json.dumps(d))\n"
                            "bad(lambda d: d.update(unknown=1))\n"
                            "bad(lambda d: d.pop('title'))\n"
                            "bad(lambda d: d.update(title=1))\n"
                            "bad(lambda d: d['bodies'].clear())\n"
                            "bad(lambda d: d['bodies'][0].update(lenght=1))\n"
                            "bad(lambda d: d['bodies'][0].pop('type'))\n"
                            "bad(lambda d: d['bodies'][0].pop('length'))\n"
                            "bad(lambda d: d['bodies'][0].pop('name'))\n"
                            "bad(lambda d: d['bodies'][0].update(type='baar'))\n"
                            "bad(lambda d: d['bodies'][0].update(length=0))\n"
                            "bad(lambda d: d['bodies'][0].update(elements=0))\n"
                            "bad(lambda d: d['bodies'][0].update(elements=1.5))\n"
                            "bad(lambda d: d['bodies'][1].update(length=1))\n"
                            "bad(lambda d: d['integrator'].update(type='newmark'))\n"
                            "bad(lambda d: d['integrator'].update(rho_inf=1.01))\n"
                            "bad(lambda d: d['load']['terms'][0].update(x=1))\n"
                            "bad(lambda d: d['load']['terms'].pop())\n"
                            "bad(lambda d: d['options'].update(mode='x'))\n"
                            "bad(lambda d: d['options'].update(limit='x'))\n"
                            "bad(lambda d: d['options'].update(limit=10))\n"
                            "bad(lambda d: d['options'].update(limit=1.5))\n"
                            "bad(lambda d: d['options'].update(verbose=1))\n"
                            "bad(lambda d: d['options'].update(weights=[-1]))\n"
                            "bad(lambda d: d['options'].update(weights=[1] * 5))\n"
                            "bad(lambda d: d['options'].update(names=[1]))\n"
                            "bad(lambda d: d['options']['inner'].update(depth=0))\n"
                            "bad(lambda d: d['options']['parts'][0].pop('mass'))\n"
                            "d = copy.deepcopy(deck)\n"
                            "d['options']['limit'] = 7\n"
                            "if not v.is_valid(d): sys.exit('a number is refused beside words')\n"
                            "d = copy.deepcopy(deck)\n"
                            "d['integrator'] = {'rho_inf': 0.5}\n"
                            "del d['options']\n"
                            "sys.exit(0 if v.is_valid(d) else 'a default kind is refused')\n";

static const char python[] = "/usr/bin/python3";

static int run_judge(const char *folder)
{
    char command[512];
    snprintf(command, sizeof command, "%s '%s/judge.py' '%s/schema.json' '%s/deck.json'", python, folder,
             folder, folder);
    int raw = system(command);
    return raw < 0 ? -1 : raw / 256;
}

static void remove_all(const char *folder)
{
    const char *const names[] = {"judge.py", "schema.json", "deck.json"};
    char path[256];
    for (size_t i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        unlink(path);
    }
    rmdir(folder);
}

START_TEST(an_independent_validator_agrees_with_the_schema)
{
    char folder[] = "/tmp/sg_schema_XXXXXX", path[256];
    struct sg_deck_trial trial;
    struct sg_text schema = {0}, json = {0};
    sg_trial_init(&trial, sg_trial_deck, NULL);
    sg_schema_print("Signorini deck", sg_trial_root, &schema);
    sg_deck_print_json(trial.deck, &json);
    ck_assert(!schema.failed && !json.failed);
    ck_assert_ptr_nonnull(mkdtemp(folder));
    const char *const names[] = {"judge.py", "schema.json", "deck.json"};
    const char *const texts[] = {judge, sg_text_view(&schema), sg_text_view(&json)};
    for (size_t i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        write_file(path, texts[i]);
    }
    int verdict = access(python, X_OK) == 0 ? run_judge(folder) : 77;
    remove_all(folder);
    ck_assert_msg(verdict == 0 || verdict == 77, "the validator says %d", verdict);
    sg_text_release(&schema);
    sg_text_release(&json);
    sg_trial_release(&trial);
}
END_TEST

static bool help_has(const char *topic, const char *words)
{
    struct sg_text text = {0};
    bool known = sg_help_print(sg_trial_root, topic, &text);
    bool found = strstr(sg_text_view(&text), words) != NULL;
    if (!known || !found) fprintf(stderr, "help %s: %s", topic, sg_text_view(&text));
    sg_text_release(&text);
    return known && found;
}

START_TEST(help_finds_paths_and_words)
{
    ck_assert(help_has("", "bodies         the bodies (required)"));
    ck_assert(help_has("bodies.bar.length", "bodies.[i].length\n    length of the bar\n"
                                            "    real number [m], > 0; required; for body 'bar'\n"
                                            "    example: length = 1.0;\n"));
    ck_assert(help_has("bodies.[0].length", "length of the bar"));
    ck_assert(help_has("bodies[i].length", "length of the bar"));
    ck_assert(help_has("integrator", "which integrator: generalized-alpha, newmark, exact"));
    ck_assert(help_has("integrator.exact", "modal, exact"));
    ck_assert(help_has("options.inner.depth", "real number [m], > 0; default 2"));
    ck_assert(help_has("load.sum.terms", "list of groups, at least 2; required; for signal 'sum'"));
    ck_assert(help_has("options.limit", "integer, >= 0 and <= 9 or \"all\" or \"few\"; default 4"));
    ck_assert(help_has("RADIUS", "radius of the ball"));
    ck_assert(help_has("hulbert", "generalized-alpha"));
}
END_TEST

START_TEST(help_suggests)
{
    struct sg_text text = {0};
    ck_assert(!sg_help_print(sg_trial_root, "bodies.lenght", &text));
    ck_assert_str_eq(sg_text_view(&text), "no keyword fits 'bodies.lenght'; did you mean 'length'?\n");
    sg_text_release(&text);
}
END_TEST

START_TEST(manual_has_every_keyword)
{
    struct sg_text text = {0};
    sg_manual_print(sg_trial_root, &text);
    const char *manual = sg_text_view(&text);
    ck_assert_ptr_nonnull(
        strstr(manual, "| `length` | real number | m | required | > 0 | length of the bar |\n"));
    ck_assert_ptr_nonnull(strstr(manual, "| a count \\| of things |\n"));
    ck_assert_ptr_nonnull(strstr(manual, "| >= 0 and <= 9 or \"all\" or \"few\" | a number or a word |\n"));
    ck_assert_ptr_nonnull(strstr(manual, "### `load.terms.[i]`"));
    ck_assert_ptr_nonnull(strstr(manual, "| `beta` |"));
    for (const struct sg_keyword *row = sg_trial_option_rows; row->name != NULL; row++) {
        char cell[64];
        snprintf(cell, sizeof cell, "| `%s` |", row->name);
        ck_assert_ptr_nonnull(strstr(manual, cell));
    }
    sg_text_release(&text);
}
END_TEST

START_TEST(builders_complain_by_node)
{
    struct sg_deck_trial trial;
    sg_trial_init(&trial, sg_trial_deck, "time.end=2");
    const struct sg_setting *root = sg_deck_root(trial.deck), *time = sg_setting_child(root, "time");
    sg_complain(&trial.findings, SG_WARNING, sg_setting_item(sg_setting_child(root, "bodies"), 1), "too %s",
                "round");
    sg_complain_about(&trial.findings, SG_ERROR, time, "end", "too late");
    sg_complain_about(&trial.findings, SG_NOTE, time, "unit", "seconds");
    sg_hint(&trial.findings, "count %d", 3);
    ck_assert_str_eq(sg_trial_render(&trial), "deck.cfg:5: warning: bodies.[1]: too round\n"
                                              "--set: error: time.end: too late\n"
                                              "deck.cfg:13: note: time.unit: seconds\n"
                                              "  hint: count 3\n");
    ck_assert_uint_eq(trial.findings.errors, 1);
    sg_trial_release(&trial);
}
END_TEST

/* What is read in pieces has the checksum of the whole, at and beside the ends of pieces of 64 KiB too. */
START_TEST(a_file_has_the_checksum_of_its_bytes)
{
    static const size_t sizes[] = {0, 1, 65535, 65536, 65537, 200000};
    static char bytes[200000];
    char path[] = "/tmp/signorini_sum_XXXXXX", whole[SG_SHA256_HEX], pieces[SG_SHA256_HEX];
    struct sg_error err = {0};
    int fd = mkstemp(path);
    ck_assert_int_ge(fd, 0);
    close(fd);
    for (size_t k = 0; k < sizeof bytes; k++) bytes[k] = (char)(k * 2654435761u >> 13);
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        FILE *file = fopen(path, "wb");
        ck_assert_ptr_nonnull(file);
        ck_assert_uint_eq(fwrite(bytes, 1, sizes[k], file), sizes[k]);
        ck_assert_int_eq(fclose(file), 0);
        ck_assert_int_eq(sg_file_checksum(path, pieces, &err), SG_OK);
        sg_sha256(bytes, sizes[k], whole);
        ck_assert_str_eq(pieces, whole);
    }
    remove(path);
    ck_assert_int_eq(sg_file_checksum(path, pieces, &err), SG_NO_INPUT);
    ck_assert_int_eq(sg_file_checksum("/tmp", pieces, &err), SG_NO_INPUT);
    ck_assert_ptr_nonnull(strstr(err.text, "it is a folder"));
}
END_TEST

Suite *sg_suite_deck(void)
{
    Suite *suite = suite_create("deck");
    TCase *tcase = tcase_create("deck");
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, a_file_has_the_checksum_of_its_bytes);
    tcase_add_test(tcase, a_right_deck_has_no_findings);
    tcase_add_test(tcase, given_values_are_filled);
    tcase_add_test(tcase, defaults_and_absences_are_filled);
    tcase_add_loop_test(tcase, a_word_may_stand_for_an_integer, 0, (int)(sizeof limits / sizeof limits[0]));
    tcase_add_test(tcase, kinds_are_chosen);
    tcase_add_loop_test(tcase, each_fault_is_one_finding, 0, (int)(sizeof faults / sizeof faults[0]));
    tcase_add_loop_test(tcase, each_syntax_error_is_explained, 0, (int)(sizeof syntax / sizeof syntax[0]));
    tcase_add_test(tcase, all_faults_are_told_in_the_order_of_lines);
    tcase_add_test(tcase, printed_deck_reads_back_the_same);
    tcase_add_test(tcase, an_independent_validator_agrees_with_the_schema);
    tcase_add_test(tcase, help_finds_paths_and_words);
    tcase_add_test(tcase, help_suggests);
    tcase_add_test(tcase, manual_has_every_keyword);
    tcase_add_test(tcase, builders_complain_by_node);
    suite_add_tcase(suite, tcase);
    return suite;
}
