/* Dashpots of contact springs: the restitution that they have, and the one that a deck asks for. */
#include "contact/laws/spring_dashpot.h"
#include "penalty_fixture.h"

/* e of a damped ball by a Runge-Kutta integration of x'' = -x - 2 z x' up to f = 0 */
static double integrated_restitution(double z)
{
    double x = 0.0, v = 1.0, h = 1e-4, f = 1.0;
    while (f > 0.0) {
        double a1 = -x - 2.0 * z * v, v2 = v + 0.5 * h * a1, a2 = -(x + 0.5 * h * v) - 2.0 * z * v2;
        double v3 = v + 0.5 * h * a2, a3 = -(x + 0.5 * h * v2) - 2.0 * z * v3;
        double v4 = v + h * a3, a4 = -(x + h * v3) - 2.0 * z * v4;
        x += h / 6.0 * (v + 2.0 * v2 + 2.0 * v3 + v4);
        v += h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4);
        f = x + 2.0 * z * v;
    }
    return -v;
}

START_TEST(dashpot_gives_the_restitution)
{
    static const double ratios[] = {0.01, 0.3, 0.7, 0.95, 1.0, 1.2, 4.0};
    for (size_t k = 0; k < sizeof ratios / sizeof *ratios; k++) {
        double z = ratios[k], e = sg_spring_dashpot_restitution(z);
        /* at the end the acceleration is 0: an end a step late changes v by h^2 */
        NEAR(e, integrated_restitution(z), 5e-8 * (1.0 + z));
        /* the inverse, by bisection to the last bits of -log e */
        NEAR(sg_spring_dashpot_ratio(e), z, 1e-11 * (1.0 + z));
    }
    NEAR(sg_spring_dashpot_ratio(1.0), 0.0, 0.0);
    NEAR(sg_spring_dashpot_restitution(1.0), exp(-2.0), 1e-15);
    /* both sides of critical damping meet */
    NEAR(sg_spring_dashpot_restitution(1.0 - 1e-7), sg_spring_dashpot_restitution(1.0 + 1e-7), 1e-7);
}
END_TEST

static double rebound(const char *scheme, const char *e, const char *step, struct run *run)
{
    RUN(run, ball_text, scheme, e, step);
    return run_last(run)->v[0] / 3.0;
}

START_TEST(bounces_with_the_restitution)
{
    static const struct {
        const char *set;
        double e;
    } wanted[] = {{"contacts.[0].restitution=0.9", 0.9},
                  {"contacts.[0].restitution=0.5", 0.5},
                  {"contacts.[0].restitution=0.1", 0.1}};
    for (size_t k = 0; k < 3; k++) {
        struct run run;
        double e = wanted[k].e, loss = 9.0 * (1.0 - e * e);
        double coarse = fabs(rebound(schemes[_i], wanted[k].set, "time.step=0.0005", &run) - e);
        NEAR(run_last(&run)->dissipated, loss, 0.02 * loss);
        run_release(&run);
        double fine = fabs(rebound(schemes[_i], wanted[k].set, "time.step=0.00005", &run) - e);
        /* the force jumps to c v as the ball touches: an error of order h, c h / m of the speed at most */
        BELOW(fine, 1e-3);
        BELOW(fine, 0.3 * coarse + 1e-6);
        NEAR(run_last(&run)->dissipated, loss, 2e-3 * loss);
        BELOW(fabs(run_last(&run)->numerical), 2e-3 * 9.0);
        run_release(&run);
    }
}
END_TEST

static const char *const laws[] = {"strategy.law=kelvin-voigt", "strategy.law=hertz"};

/* Nothing given is no dashpot, as 1 is, by both laws; also in the deck that a run has resolved, which spells
 * out defaults; nor is 0, which no dashpot has. */
START_TEST(without_restitution_there_is_no_dashpot)
{
    static const char stiff[] = "contacts.[0].hertz_stiffness=300";
    struct run plain, elastic, again, zero;
    struct sg_text resolved = {0};
    const char *scheme = schemes[_i % SCHEME_COUNT], *law = laws[_i / SCHEME_COUNT];
    RUN(&plain, ball_text, scheme, law, stiff);
    RUN(&elastic, ball_text, scheme, law, stiff, "contacts.[0].restitution=1");
    sg_deck_print(plain.deck, &resolved);
    RUN(&again, sg_text_view(&resolved));
    RUN(&zero, ball_text, scheme, law, stiff, "contacts.[0].restitution=0");
    /* lost by the scheme alone: of rho_inf = 0.8 and Bathe, and where contact begins inside a step */
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

Suite *sg_suite_spring_dashpot(void);
Suite *sg_suite_spring_dashpot(void)
{
    Suite *suite = suite_create("spring_dashpot");
    TCase *cases = tcase_create("dashpots");
    tcase_add_test(cases, dashpot_gives_the_restitution);
    tcase_add_loop_test(cases, bounces_with_the_restitution, 0, SCHEME_COUNT);
    tcase_add_loop_test(cases, without_restitution_there_is_no_dashpot, 0, 2 * SCHEME_COUNT);
    suite_add_tcase(suite, cases);
    return suite;
}
