/* Models with nonlinear elements go only where nonlinear systems are taken, in nodal coordinates. */
#include "run_fixture.h"

#define OSCILLATOR                                                                                           \
    "bodies = ( { type = \"particles\"; name = \"p\"; positions = [0.0]; masses = [1.0];"                    \
    "  springs = ( { node = 0; stiffness = 1.0; } ); } );"                                                   \
    "elements = ( { type = \"van_der_pol\"; node = \"p\"; coefficient = 5.0; } );"                           \
    "initial = ( { body = \"p\"; displacement = 1.0; velocity = 1.0; } );"                                   \
    "integrator = { type = \"exact\"; }; strategy = { type = \"event-driven\"; };"                           \
    "time = { end = 1.0; step = 0.001; };"

/* the job of a deck is refused, and its findings have `words` */
static void refused(const char *text, const char *words)
{
    struct run run;
    run_read(&run, (const char *const[]){text, NULL});
    run_build(&run);
    ck_assert_int_eq((int)run.status, (int)SG_BAD_DECK);
    sg_diagnostics_render(&run.diagnostics, &run.findings);
    ck_assert_msg(strstr(sg_text_view(&run.findings), words) != NULL, "no '%s' in: %s", words,
                  sg_text_view(&run.findings));
    run_release(&run);
}

START_TEST(linear_strategy_is_refused)
{
    refused(OSCILLATOR, "strategy.type: strategy 'event-driven' takes linear systems only");
}
END_TEST

START_TEST(linear_integrator_is_refused)
{
    refused(OSCILLATOR, "integrator.type: integrator 'exact' takes linear systems only");
}
END_TEST

Suite *sg_suite_nonlinear_route(void)
{
    Suite *suite = suite_create("nonlinear_route");
    TCase *tcase = tcase_create("refused");
    tcase_add_test(tcase, linear_strategy_is_refused);
    tcase_add_test(tcase, linear_integrator_is_refused);
    suite_add_tcase(suite, tcase);
    return suite;
}
