#include <check.h>

#include "model_fixture.h"

/* --- faults --------------------------------------------------------------------------------------- */

#define PARTICLES(rest) "bodies = ( { type = \"particles\"; " rest " } );"
#define TWO             PARTICLES("positions = [0, 1]; masses = [1, 1];")
#define SHAKEN(rest)    TWO "supports = ( { node = \"particles.0\"; " rest " } );"

static const struct {
    const char *deck, *words;
} faults[] = {
    {"bodies = ( );", "there is no body"},
    {BAR("elements = 2000000000;"), "the limit is 10000000"},
    {BAR("elements = 2; name = \"a.b\";"), "has a dot"},
    {BAR("elements = 2; position = 1e20;"), "can't be resolved"},
    {"bodies = ( { type = \"bar\"; length = 1; area = 1e308; modulus = 1e308; density = 1; elements = 1; } "
     ");",
     "stiffness of 'bar.0' is not a finite"},
    {"bodies = ( { type = \"bar\"; length = 1; area = 1e308; modulus = 1e-9; density = 1e9; elements = 1; } "
     ");",
     "mass of 'bar.0' is not a finite"},
    {"bodies = ( { type = \"particles\"; positions = [0]; masses = [1]; },"
     "           { type = \"particles\"; positions = [0]; masses = [1]; } );",
     "also the name of bodies.[0]"},
    {PARTICLES("positions = [0, 1]; masses = [1];"), "has 1 number where 'positions' has 2"},
    {PARTICLES("positions = [0, 1]; masses = [1, 0];"), "'particles.1' has the mass 0 kg"},
    {PARTICLES("positions = [0, 1]; masses = [1, 1]; springs = ( { stiffness = 1; } );"),
     "give either 'nodes'"},
    {PARTICLES(
         "positions = [0, 1]; masses = [1, 1]; springs = ( { node = 0; nodes = [0, 1]; stiffness = 1; } );"),
     "not both"},
    {PARTICLES("positions = [0, 1]; masses = [1, 1]; springs = ( { nodes = [0, 2]; stiffness = 1; } );"),
     "2 is no particle: they are 0 to 1"},
    {PARTICLES("positions = [0, 1]; masses = [1, 1]; springs = ( { nodes = [0.0, 0.5]; stiffness = 1; } );"),
     "0.5 is no particle"},
    {PARTICLES("positions = [0, 1]; masses = [1, 1]; springs = ( { nodes = [1, 1]; stiffness = 1; } );"),
     "to itself"},
    {PARTICLES("positions = [0, 1]; masses = [1, 1]; springs = ( { node = 5; stiffness = 1; } );"),
     "5 is no particle"},
    {TWO "supports = ( { node = \"particles.0\"; }, { node = \"particles.0\"; } );", "supported twice"},
    {TWO "supports = ( { node = \"particles.0\"; }, { node = \"particles.1\"; } );",
     "every node is supported"},
    {TWO "supports = ( { node = \"bar.left\"; } );", "names no body: there is 'particles'"},
    {TWO "supports = ( { node = \"particles\"; } );", "\"particles.0\" to \"particles.1\""},
    {SHAKEN("quantity = \"velocity\";"), "needs a 'motion'"},
    {SHAKEN("motion = { type = \"pulse\"; amplitude = 1; duration = 1; };"),
     "makes the support's velocity jump"},
    {SHAKEN("motion = { type = \"piecewise-linear\"; times = [0, 1]; values = [0, 1]; };"),
     "quantity = \"acceleration\""},
    {SHAKEN("quantity = \"velocity\"; motion = { type = \"pulse\"; amplitude = 1; duration = 1; shape = "
            "\"rectangle\"; };"),
     "with jumps"},
    {TWO "loads = ( { type = \"force\"; node = \"particles.7\"; signal = { type = \"constant\"; value = 1; "
         "}; } );",
     "'particles.7' is no node"},
    {TWO "initial = ( { body = \"ball\"; } );", "names no body"},
    {TWO "initial = ( { body = \"particles\"; }, { body = \"particles\"; } );",
     "has an initial state already"},
    {TWO "initial = ( { body = \"particles\"; displacement = 1e308; displacement_slope = 1e308; } );",
     "is not a finite number"},
    {TWO "damping = { ratios = [0.1, 0.1]; };", "must be given together"},
    {TWO "damping = { ratios = [0.1, 0.1]; modes = [1, 2]; mass = 1; };", "give either 'mass'"},
    {TWO "damping = { ratios = [0.1, 0.1]; modes = [1, 2]; };", "mode 1 is rigid"},
    {TWO "damping = { ratios = [0.1, 0.1]; modes = [1, 3]; };", "3 is no mode: they are 1 to 2"},
    {PARTICLES("positions = [0, 1]; masses = [1, 1];"
               "springs = ( { node = 0; stiffness = 1; }, { node = 1; stiffness = 1; } );") //
     "damping = { ratios = [0.1, 0.1]; modes = [1, 2]; };",
     "have the same frequency"},
};

START_TEST(faults_are_findings)
{
    fixture_refused(faults[_i].deck, SG_BAD_DECK, faults[_i].words);
}
END_TEST

START_TEST(all_faults_are_told_at_once)
{
    struct fixture f = fixture_deck(
        TWO
        "supports = ( { node = \"x\"; } ); initial = ( { body = \"y\"; } );"
        "loads = ( { type = \"force\"; node = \"z\"; signal = { type = \"harmonic\"; amplitude = 1; }; } );"
        "damping = { ratios = [0.1, 0.1]; };");
    fixture_create(&f);
    ck_assert_int_eq(f.status, SG_BAD_DECK);
    ck_assert_uint_eq(f.diagnostics.errors, 5);
    fixture_release(&f);
}
END_TEST

START_TEST(a_missing_table_is_no_input)
{
    fixture_refused(TWO "initial = ( { body = \"particles\"; displacement_table = \"no_such_file\"; } );",
                    SG_NO_INPUT, "no_such_file");
}
END_TEST

static void warned(const char *deck, const char *words)
{
    struct fixture f = fixture_model(deck);
    ck_assert_msg(strstr(sg_text_view(&f.findings), words) != NULL, "%s", sg_text_view(&f.findings));
    fixture_release(&f);
}

START_TEST(doubtful_decks_are_warned_about)
{
    warned(TWO
           "supports = ( { node = \"particles.0\"; } ); loads = ( { type = \"force\"; node = \"particles.0\";"
           "  signal = { type = \"constant\"; value = 1; }; } );",
           "has no effect");
    warned(PARTICLES("positions = [0, 1, 2]; masses = [1, 1, 1]; springs = ( { node = 0; stiffness = 1; },"
                     "{ node = 1; stiffness = 100; }, { node = 2; stiffness = 400; } );") //
           "damping = { ratios = [0.5, 0.01]; modes = [1, 2]; };",
           "is damped negatively");
}
END_TEST

Suite *sg_suite_model_faults(void)
{
    Suite *suite = suite_create("model_faults");
    TCase *cases = tcase_create("model_faults");
    tcase_add_loop_test(cases, faults_are_findings, 0, (int)(sizeof faults / sizeof *faults));
    tcase_add_test(cases, all_faults_are_told_at_once);
    tcase_add_test(cases, a_missing_table_is_no_input);
    tcase_add_test(cases, doubtful_decks_are_warned_about);
    suite_add_tcase(suite, cases);
    return suite;
}
