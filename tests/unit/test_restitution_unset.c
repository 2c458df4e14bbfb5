/* Strategy penalty where the deck gives no restitution: no dashpot, as with 1, by both laws and all schemes;
 * also in the deck that a run has resolved, which spells out defaults; and where it gives 0, which no dashpot
 * has. */
#include "run_fixture.h"

/* a ball of 2 kg at 3 m/s from 0.3 m: contact from t = 0.1 to some 0.42 */
static const char *const ball_text =
    "bodies = ( { type = \"particles\"; name = \"ball\"; positions = [0.3]; masses = [2.0]; } );"
    "initial = ( { body = \"ball\"; velocity = -3.0; } );"
    "contacts = ( { type = \"wall\"; node = \"ball\"; position = 0.0; stiffness = 200.0; hertz_stiffness = "
    "300.0; } );"
    "integrator = { type = \"trapezoidal\"; };"
    "strategy = { type = \"penalty\"; };"
    "time = { end = 0.7; step = 0.002; };";

static const char *const schemes[] = {
    "integrator.type=trapezoidal", "integrator.type=newmark",           "integrator.type=chaudhary-bathe",
    "integrator.type=theta",       "integrator.type=generalized-alpha", "integrator.type=central-difference",
    "integrator.type=bathe"};
static const char *const laws[] = {"strategy.law=kelvin-voigt", "strategy.law=hertz"};
enum { SCHEMES = sizeof schemes / sizeof *schemes, TRIALS = 2 * SCHEMES };

START_TEST(is_no_dashpot)
{
    struct run plain, elastic, again, zero;
    struct sg_text resolved = {0};
    const char *scheme = schemes[_i % SCHEMES], *law = laws[_i / SCHEMES];
    RUN(&plain, ball_text, scheme, law);
    RUN(&elastic, ball_text, scheme, law, "contacts.[0].restitution=1");
    sg_deck_print(plain.deck, &resolved);
    RUN(&again, sg_text_view(&resolved));
    RUN(&zero, ball_text, scheme, law, "contacts.[0].restitution=0");
    /* energy is lost by the scheme alone: of rho_inf = 0.8 and Bathe, and where contact begins inside a step
     */
    NEAR(run_last(&plain)->v[0], 3.0, 0.05);
    ck_assert(run_last(&plain)->dissipated == 0.0);
    ck_assert_double_eq(run_last(&plain)->v[0], run_last(&elastic)->v[0]);
    ck_assert_double_eq(run_last(&plain)->v[0], run_last(&again)->v[0]);
    ck_assert_double_eq(run_last(&plain)->v[0], run_last(&zero)->v[0]);
    sg_text_release(&resolved);
    run_release(&plain);
    run_release(&elastic);
    run_release(&again);
    run_release(&zero);
}
END_TEST

Suite *sg_suite_restitution_unset(void);
Suite *sg_suite_restitution_unset(void)
{
    Suite *suite = suite_create("restitution_unset");
    TCase *tcase = tcase_create("unset");
    tcase_add_loop_test(tcase, is_no_dashpot, 0, TRIALS);
    suite_add_tcase(suite, tcase);
    return suite;
}
