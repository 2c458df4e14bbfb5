#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "deck_fixture.h"

Suite *sg_suite_deck_override(void);

/* What --set leads to, looked for in the resolved deck. */
static const struct {
    const char *set, *resolved;
} right[] = {
    {"title=Bars", "title = \"Bars\";\n"},
    {" title = \"My \\\"bars\\\"\" ", "title = \"My \\\"bars\\\"\";\n"},
    {"title=2024", "title = \"2024\";\n"},
    {"title=true", "title = \"true\";\n"},
    {"bodies.[0].length=3", "length = 3.0;\n"},
    {"bodies[0].length=3.5e2", "length = 350.0;\n"},
    {"bodies.[0].area=2", "area = 2.0;\n"},
    {"options.weights=[3, 4]", "weights = [3.0, 4.0];\n"},
    {"options.weights.[1]=0.5", "weights = [1.0, 0.5];\n"},
    {"options.names=(\"u\", \"v\")", "names = [\"u\", \"v\"];\n"},
    {"options.inner.depth=7", "depth = 7.0;\n"},
    {"options.quiet=TRUE", "quiet = true;\n"},
    {"options.mode=lumped", "mode = \"lumped\";\n"},
    {"options.count=0x10", "count = 16;\n"},
    {"options.parts=({mass=9})", "mass = 9.0;\n"},
    {"time={end=5;}", "end = 5.0;\n"},
};

START_TEST(right_overrides_are_resolved)
{
    struct sg_deck_trial trial;
    struct sg_text text = {0};
    sg_trial_init(&trial, sg_trial_deck, right[_i].set);
    ck_assert_str_eq(sg_trial_render(&trial), "");
    ck_assert_int_eq(trial.status, SG_OK);
    sg_deck_print(trial.deck, &text);
    ck_assert_ptr_nonnull(strstr(sg_text_view(&text), right[_i].resolved));
    sg_text_release(&text);
    sg_trial_release(&trial);
}
END_TEST

/* Each is one finding that starts so. */
static const struct {
    const char *set, *finding;
} wrong[] = {
    {"title", "--set: error: 'title' has no '=': PATH=VALUE is wanted\n"},
    {"=5", "--set: error: path '': a name is missing\n"},
    {"title=", "--set: error: title: there is no value after '='\n"},
    {"title=My title", "--set: error: title: 'My title' is not one deck value: "},
    {"title=a;x=2", "--set: error: title: 'a;x=2' is not one deck value: "},
    {"title=\"a\"; x = 2", "--set: error: title: '\"a\"; x = 2' is not one deck value: "},
    {"time.end=1; x = 2", "--set: error: time.end: '1; x = 2' is not one deck value: "},
    {"time.end=1;", "--set: error: time.end: '1;' is not one deck value: "},
    {"time.end=1 2", "--set: error: time.end: '1 2' is not one deck value: "},
    {"time.end=}", "--set: error: time.end: '}' is not one deck value: "},
    {"time.end=1\n@include \"x\"", "--set: error: time.end: '1\\n@include \"x\"' is not one deck value: "},
    {"title=\"a", "--set: error: title: '\"a' is not one deck value: unterminated text '\"a'\n"},
    {"title=a/*b", "--set: error: title: 'a/*b' is not one deck value: "},
    {"time.end=1 /*", "--set: error: time.end: '1 /*' is not one deck value: unterminated comment '/*'\n"},
    {"options.weights=[1, 2.0]",
     "--set: error: options.weights: '[1, 2.0]' is not one deck value: an array [ ]"},
    {"title=\xff", "--set: error: title: '\\xff' is not one deck value: the line is not UTF-8: '\\xff'\n"},
    {"bodies.0.length=1", "--set: error: path 'bodies.0.length': an index is put in brackets, as in [0]\n"},
    {"bodies[x].length=1",
     "--set: error: path 'bodies[x].length': an index is a number from 0 on, as in [0]\n"},
    {"bodies[0.length=1", "--set: error: path 'bodies[0.length': a ']' is missing\n"},
    {"bodies[0]length=1", "--set: error: path 'bodies[0]length': a '.' is missing after ']'\n"},
    {"bodies..length=1", "--set: error: path 'bodies..length': a name is missing\n"},
    {"time.=1", "--set: error: path 'time.': it ends with '.'\n"},
    {"[0]=1", "--set: error: path '[0]': it starts with a name\n"},
    {"bodies[2].name=x", "--set: error: bodies: index 2 is out of range, there are 2 items\n"},
    {"absent[0].name=x", "--set: error: absent: index 0 is out of range, there are 0 items\n"},
    {"title.sub=1", "--set: error: title: it is a text, not a group\n"},
    {"time[0]=1", "--set: error: time: it is a group, not a list\n"},
    {"bodies.name=x", "--set: error: bodies: it is a list, not a group\n"},
    {"time.end=-1", "--set: error: time.end: -1 is out of range, allowed: > 0 [s]\n"},
    {"time.end=nan", "--set: error: time.end: wrong type: found text \"nan\", wanted a real number [s]\n"},
    {"time.end=1e999", "--set: error: time.end: the number is beyond the real numbers (1.8e308)\n"},
    {"time.end=99999999999", "--set: error: time.end: integer 99999999999 is beyond 32 bits\n"},
    {"time.stop=1", "--set: error: time.stop: unknown keyword 'stop'\n  hint: did you mean 'step'?"},
    {"integrator.beta=1", "--set: error: integrator.beta: keyword 'beta' belongs to integrator 'newmark', "
                          "not to 'generalized-alpha'\n"},
    {"integrator.type=newmrk", "--set: error: integrator.type: unknown integrator 'newmrk'\n"},
    {"options.mode=1", "--set: error: options.mode: unknown choice '1'\n"},
};

START_TEST(wrong_overrides_are_one_finding)
{
    struct sg_deck_trial trial;
    sg_trial_init(&trial, sg_trial_deck, wrong[_i].set);
    const char *findings = sg_trial_render(&trial);
    ck_assert_int_eq(trial.status, SG_BAD_DECK);
    ck_assert_msg(strncmp(findings, wrong[_i].finding, strlen(wrong[_i].finding)) == 0, "%s", findings);
    ck_assert_uint_eq(trial.findings.count, 1);
    sg_trial_release(&trial);
}
END_TEST

START_TEST(a_replaced_kind_takes_its_keywords_along)
{
    struct sg_deck_trial trial;
    sg_trial_init(&trial, sg_trial_deck, "integrator.type=newmark");
    const struct sg_setting *integrator = sg_setting_child(sg_deck_root(trial.deck), "integrator");
    ck_assert_int_eq(trial.status, SG_OK);
    ck_assert_str_eq(sg_trial_render(&trial),
                     "deck.cfg:9: warning: integrator.rho_inf: keyword 'rho_inf' is dropped: it belongs to "
                     "integrator 'generalized-alpha', which --set replaced by 'newmark'\n");
    ck_assert_ptr_null(sg_setting_child(integrator, "rho_inf"));
    ck_assert_ptr_nonnull(sg_setting_child(integrator, "beta"));
    ck_assert_str_eq(sg_setting_kind(integrator)->name, "newmark");
    sg_trial_release(&trial);
}
END_TEST

START_TEST(the_same_kind_drops_nothing)
{
    struct sg_deck_trial trial;
    sg_trial_init(&trial, sg_trial_deck, "integrator.type=generalized-alpha");
    ck_assert_str_eq(sg_trial_render(&trial), "");
    ck_assert(sg_setting_given(sg_setting_child(sg_deck_root(trial.deck), "integrator"), "rho_inf"));
    sg_trial_release(&trial);
}
END_TEST

/* The deck's kind is what counts, not one that --set tried in between; the default kind counts too. */
START_TEST(the_kind_replaced_is_that_of_the_deck)
{
    struct sg_deck_trial trial = {0};
    char *text = sg_trial_edit("type = \"generalized-alpha\";", "");
    ck_assert_ptr_nonnull(text);
    ck_assert_int_eq(
        sg_deck_read_text(text, strlen(text), "deck.cfg", &trial.deck, &trial.findings, &trial.err), SG_OK);
    const char *const sets[] = {"integrator.type=newmark", "integrator.type=exact"};
    for (size_t i = 0; i < 2; i++)
        ck_assert_int_eq(sg_deck_override(trial.deck, sets[i], &trial.findings, &trial.err), SG_OK);
    ck_assert_int_eq(sg_deck_validate(trial.deck, sg_trial_root, &trial.findings, &trial.err), SG_OK);
    ck_assert_uint_eq(trial.findings.count, 1);
    ck_assert_str_eq(trial.findings.items[0].path, "integrator.rho_inf");
    sg_trial_release(&trial);
    free(text);
}
END_TEST

START_TEST(a_keyword_given_by_set_is_never_dropped)
{
    struct sg_deck_trial trial = {0};
    ck_assert_int_eq(sg_deck_read_text(sg_trial_deck, strlen(sg_trial_deck), "deck.cfg", &trial.deck,
                                       &trial.findings, &trial.err),
                     SG_OK);
    const char *const sets[] = {"integrator.type=newmark", "integrator.rho_inf=0.5"};
    for (size_t i = 0; i < 2; i++)
        ck_assert_int_eq(sg_deck_override(trial.deck, sets[i], &trial.findings, &trial.err), SG_OK);
    ck_assert_int_eq(sg_deck_validate(trial.deck, sg_trial_root, &trial.findings, &trial.err), SG_BAD_DECK);
    ck_assert_uint_eq(trial.findings.count, 1);
    ck_assert_str_eq(trial.findings.items[0].where, "--set");
    sg_trial_release(&trial);
}
END_TEST

/* A failed override leaves no half-made groups behind. */
START_TEST(a_failed_override_changes_nothing)
{
    struct sg_deck_trial trial = {0};
    ck_assert_int_eq(sg_deck_read_text(sg_trial_deck, strlen(sg_trial_deck), "deck.cfg", &trial.deck,
                                       &trial.findings, &trial.err),
                     SG_OK);
    ck_assert_int_eq(sg_deck_override(trial.deck, "a.b.c[0].d=1", &trial.findings, &trial.err), SG_BAD_DECK);
    ck_assert_int_eq(sg_deck_validate(trial.deck, sg_trial_root, &trial.findings, &trial.err), SG_OK);
    sg_trial_release(&trial);
}
END_TEST

Suite *sg_suite_deck_override(void)
{
    Suite *suite = suite_create("deck_override");
    TCase *tcase = tcase_create("deck_override");
    tcase_add_loop_test(tcase, right_overrides_are_resolved, 0, (int)(sizeof right / sizeof right[0]));
    tcase_add_loop_test(tcase, wrong_overrides_are_one_finding, 0, (int)(sizeof wrong / sizeof wrong[0]));
    tcase_add_test(tcase, a_replaced_kind_takes_its_keywords_along);
    tcase_add_test(tcase, the_same_kind_drops_nothing);
    tcase_add_test(tcase, the_kind_replaced_is_that_of_the_deck);
    tcase_add_test(tcase, a_keyword_given_by_set_is_never_dropped);
    tcase_add_test(tcase, a_failed_override_changes_nothing);
    suite_add_tcase(suite, tcase);
    return suite;
}
