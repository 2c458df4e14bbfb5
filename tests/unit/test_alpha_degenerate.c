/* The nonsmooth generalized-alpha method where a problem has no unique answer, or none of the size that
 * others have: contacts that repeat one another, bodies at rest, masses that lie far apart. */
#include <stdio.h>

#include "run_fixture.h"

#define ALPHA  "integrator = { type = \"generalized-alpha\"; };"
#define BOTH   "strategy = { type = \"time-stepping\"; level = \"both\"; };"
#define FLOOR  "type = \"plane\"; node = \"block\"; normal = [0.0, 1.0]; point = [0.0, 0.0]; "
#define DENSE  "strategy.solver=dense"
#define SPARSE "strategy.solver=sparse"
#define SMALL  3e-7 /* of shares that any others would do for: rows yield by 1e-8 of what they give */
#define BLOCK                                                                                                \
    "bodies = ( { type = \"multibody\"; name = \"block\"; positions = [0.0, 0.5]; masses = [2.0]; "          \
    "inertias = [0.4]; } ); loads = ( { type = \"gravity\"; acceleration = -10.0; } );" ALPHA BOTH           \
    "time = { end = 0.5; step = 0.01; };"

/* --- contacts that repeat one another ------------------------------------------------------------- */

/* corners at the same height: with three of them, or with friction at two, rows depend on one another */
static const char *const corners[] = {
    BLOCK "contacts = ( { " FLOOR "arm = [-0.5, -0.5]; friction = 0.3; }, { " FLOOR
          "arm = [0.5, -0.5]; friction = 0.3; } );",
    BLOCK "contacts = ( { " FLOOR "arm = [-0.5, -0.5]; }, { " FLOOR "arm = [0.0, -0.5]; }, { " FLOOR
          "arm = [0.5, -0.5]; } );",
    BLOCK "contacts = ( { " FLOOR "arm = [-0.5, -0.5]; friction = 0.3; }, { " FLOOR
          "arm = [-0.2, -0.5]; friction = 0.3; }, { " FLOOR "arm = [0.2, -0.5]; friction = 0.3; }, { " FLOOR
          "arm = [0.5, -0.5]; friction = 0.3; } );"};
static const double places[][4] = {{-0.5, 0.5}, {-0.5, 0, 0.5}, {-0.5, -0.2, 0.2, 0.5}};

/* forces carry the weight, without a moment, and are shared as the block's sides are alike */
static void check_shares(const struct run *run, size_t k)
{
    const struct run_row *last = run_last(run);
    size_t q = run->job.contacts->q;
    double sum = 0, moment = 0;
    for (size_t j = 0; j < q; j++) {
        sum += last->force[j];
        moment += places[k][j] * last->force[j];
        NEAR(last->force[j], last->force[q - 1 - j], SMALL * 20);
    }
    NEAR(sum, 20, 1e-9);
    NEAR(moment, 0, 1e-9);
    for (size_t i = 0; i < 3; i++) NEAR(last->u[i], 0, 1e-12);
}

START_TEST(a_block_rests_on_more_corners_than_it_needs)
{
    static const char *const levels[] = {"strategy.level=both", "strategy.level=velocity"};
    static const char *const forms[] = {"strategy.coupling=monolithic", "strategy.coupling=sequential",
                                        "strategy.coupling=decoupled"};
    static const char *const solvers[] = {DENSE, SPARSE};
    for (size_t k = 0; k < 3; k++)
        for (size_t l = 0; l < 4; l++)
            for (size_t s = 0; s < 2; s++) {
                struct run run;
                RUN(&run, corners[k], levels[l == 3], forms[l == 3 ? 0 : l], solvers[s]);
                check_shares(&run, k);
                run_release(&run);
            }
}
END_TEST

/* tilted by atan(3/4) against gravity's direction: with a mu of 0.8 it sticks, with 0.5 it slides as a body
 * of one piece does, without turning */
START_TEST(a_block_on_a_slope_sticks_or_slides)
{
    static const char *const friction[][2] = {{"contacts.[0].friction=0.8", "contacts.[1].friction=0.8"},
                                              {"contacts.[0].friction=0.5", "contacts.[1].friction=0.5"}};
    static const double pull[] = {0, 6 - 0.5 * 8};
    for (size_t k = 0; k < 2; k++) {
        struct run run;
        RUN(&run, corners[0], friction[k][0], friction[k][1], "loads.[0].acceleration=-10.0",
            "loads.[0].direction=[-0.6,0.8]", "contacts.[0].arm=[-0.9,-0.5]", "contacts.[1].arm=[0.9,-0.5]");
        const struct run_row *last = run_last(&run);
        /* the scheme is exact for constant acceleration; rounding of 50 steps */
        NEAR(last->v[0], pull[k] * 0.5, 1e-11);
        NEAR(last->u[2], 0, 1e-12);
        NEAR(last->force[0] + last->force[1], 16, 1e-9);
        run_release(&run);
    }
}
END_TEST

/* it falls flat on four corners with another restitution each: some of them are left at rest by others */
START_TEST(a_block_falls_flat)
{
    struct run run;
    RUN(&run, corners[2], "bodies.[0].positions=[0.0,0.7]", "contacts.[0].restitution=0.5",
        "contacts.[3].restitution=0.5", "time.end=2.0");
    double lost = 2 * 10 * 0.2;
    for (size_t i = 0; i < 3; i++) NEAR(run_last(&run)->v[i], 0, 1e-10);
    NEAR(run_last(&run)->u[1], -0.2, 1e-12);
    BELOW(run_deepest(&run), 1e-12);
    NEAR(run_last(&run)->gravity - run.rows[0].gravity, -lost, 0.02 * lost);
    run_release(&run);
}
END_TEST

/* the end of a bar held by two stops without play, while the other end strikes stops with some */
static const char *const held_bar =
    "bodies = ( { type = \"bar\"; name = \"bar\"; length = 1.0; elements = 8; area = 1.0; modulus = 100.0; "
    "density = 1.0; mass = \"consistent\"; } );"
    "contacts = ( { type = \"wall\"; node = \"bar.left\"; gap = 0.0; },"
    "             { type = \"wall\"; node = \"bar.left\"; side = \"upper\"; gap = 0.0; },"
    "             { type = \"wall\"; node = \"bar.right\"; side = \"upper\"; gap = 0.05; },"
    "             { type = \"wall\"; node = \"bar.right\"; gap = 0.2; } );"
    "loads = ( { type = \"gravity\"; acceleration = -3.0; } );"
    "initial = ( { node = \"bar.8\"; velocity = 2.0; } );" ALPHA BOTH "time = { end = 2.0; step = 0.01; };";

START_TEST(stops_without_play_hold_a_node)
{
    static const char *const ways[] = {"strategy.solver=dense", "strategy.solver=sparse",
                                       "strategy.solver=schur", "strategy.solver=condensed",
                                       "strategy.coupling=decoupled"};
    struct run first, run;
    RUN(&first, held_bar, ways[0]);
    /* gaps below 1e3 machine epsilons of 1 m are closed */
    for (size_t i = 0; i < first.count; i++) NEAR(first.rows[i].u[0], 0, 2.3e-13);
    for (size_t k = 1; k < sizeof ways / sizeof *ways; k++) {
        RUN(&run, held_bar, ways[k]);
        ck_assert_uint_eq(run.count, first.count);
        /* equal equations, solved to 1e-10 of 2 m/s in 200 steps */
        for (size_t i = 0; i < run.count; i++) BELOW(run_distance(first.rows[i].u, run.rows[i].u, 9), 1e-10);
        run_release(&run);
    }
    run_release(&first);
}
END_TEST

/* a contact at the very point that a pin holds can do nothing, and does no harm */
START_TEST(a_contact_at_a_pin_is_idle)
{
    static const char *const deck =
        BLOCK "constraints = ( { type = \"pin\"; nodes = [\"block\"]; arms = [0.0, -0.5]; } );"
              "contacts = ( { " FLOOR "arm = [0.0, -0.5]; friction = 0.2; }, { " FLOOR
              "arm = [0.5, 0.0]; friction = 0.2; } );"
              "initial = ( { node = \"block\"; angular_velocity = -0.5; velocity_vector = [0.25, 0.0]; } );";
    static const char *const levels[] = {"strategy.level=both", "strategy.level=velocity"};
    for (size_t l = 0; l < 2; l++) {
        struct run run;
        RUN(&run, deck, levels[l], "time.end=2.0");
        const struct run_row *last = run_last(&run);
        /* it lies on its side, turned by 45 degrees: the weight acts half-way to the pin */
        NEAR(last->u[2], -atan(1.0), l == 0 ? 1e-12 : 2e-3);
        NEAR(last->force[1], 10, l == 0 ? 1e-9 : 0.05);
        run_release(&run);
    }
}
END_TEST

/* --- rest ----------------------------------------------------------------------------------------- */

/* A body at rest that nothing pulls has no velocity to measure by. From 0.3 s on up to 6 N act on 2 kg for
 * 0.4 s.
 */
START_TEST(a_body_at_rest_waits_for_its_load)
{
    static const char *const deck =
        "bodies = ( { type = \"multibody\"; name = \"sled\"; positions = [0.0, 0.0]; masses = [2.0]; "
        "inertias = "
        "[0.1]; } ); constraints = ( { type = \"prismatic\"; nodes = [\"sled\"]; point = [0.0, 0.0]; "
        "direction = "
        "[1.0, 0.0]; } );"
        "loads = ( { type = \"force\"; node = \"sled\"; direction = [1.0, 0.0]; signal = { type = \"pulse\"; "
        "amplitude = 6.0; start = 0.3; duration = 0.4; }; } );" ALPHA BOTH
        "time = { end = 1.0; step = 0.01; };";
    static const char *const levels[] = {"strategy.level=both", "strategy.level=velocity",
                                         "strategy.level=position"};
    static const char *const solvers[] = {DENSE, SPARSE};
    for (size_t l = 0; l < 3; l++)
        for (size_t s = 0; s < 2; s++) {
            struct run run;
            RUN(&run, deck, levels[l], solvers[s]);
            /* half a sine: 2/pi of 6 N in the mean; by a rule of second order, 5e-4 */
            NEAR(run_last(&run)->v[0], 0.2 * 6 * 2 / acos(-1.0), 1e-3);
            for (size_t i = 0; i < 29; i++) NEAR(run.rows[i].v[0], 0, 0.0);
            run_release(&run);
        }
}
END_TEST

/* --- masses that lie far apart -------------------------------------------------------------------- */

/* v' = -(c/m) v^2 of a light mass: what a heavy one beside it does is no matter */
START_TEST(a_light_body_is_solved_for_beside_a_heavy_one)
{
    static const char *const deck =
        "bodies = ( { type = \"particles\"; name = \"light\"; positions = [1.0]; masses = [1.0e-3]; },"
        "           { type = \"particles\"; name = \"heavy\"; positions = [50.0]; masses = [1.0e-3]; } );"
        "elements = ( { type = \"dashpot\"; node = \"light\"; coefficient = 1.0e-3; exponent = 2.0; } );"
        "initial = ( { node = \"light\"; velocity = 2.0; }, { node = \"heavy\"; velocity = 10.0; } );" ALPHA
            BOTH "time = { end = 1.0; step = 0.002; };";
    static const char *const masses[] = {"bodies.[1].masses=[1.0e-3]", "bodies.[1].masses=[1.0e3]",
                                         "bodies.[1].masses=[1.0e9]", "bodies.[1].masses=[1.0e13]"};
    static const char *const solvers[] = {DENSE, SPARSE, "strategy.solver=schur"};
    for (size_t s = 0; s < 3; s++)
        for (size_t k = 0; k < 4; k++) {
            struct run run;
            RUN(&run, deck, masses[k], solvers[s]);
            NEAR(run_last(&run)->v[0], 2.0 / (1.0 + 2.0), 3e-6); /* of second order: 1.2e-6 */
            NEAR(run_last(&run)->u[1], 10, 1e-11);
            run_release(&run);
        }
}
END_TEST

/* --- piles ---------------------------------------------------------------------------------------- */

/* n disks that fall into a box in rows of four, each against walls and all others */
static char *write_pile(size_t n)
{
    size_t room = 400 * n + 130 * n * n, at = 0;
    unsigned long long state = 12345;
    char *text = malloc(room);
    ck_assert_ptr_nonnull(text);
#define ADD(...) (at += (size_t)snprintf(text + at, room - at, __VA_ARGS__))
    ADD("bodies = (");
    for (size_t i = 0; i < n; i++) {
        double x = 0.15 + 0.23 * (double)(i % 4), y = 0.15 + 0.25 * (double)(i / 4);
        x += 0.01 * run_random(&state);
        y += 0.02 * run_random(&state);
        ADD("%s{type = \"multibody\"; name = \"d%zu\"; positions = [%.6f, %.6f]; masses = [1.0]; inertias = "
            "[0.005];}",
            i > 0 ? ", " : "", i, x, y);
    }
    ADD("); contacts = (");
    for (size_t i = 0; i < n; i++) {
        ADD("%s{type = \"plane\"; node = \"d%zu\"; normal = [0.0, 1.0]; point = [0.0, 0.0]; radius = 0.1;}, "
            "{type = \"plane\"; node = \"d%zu\"; normal = [1.0, 0.0]; point = [0.0, 0.0]; radius = 0.1;}, "
            "{type = \"plane\"; node = \"d%zu\"; normal = [-1.0, 0.0]; point = [1.05, 0.0]; radius = 0.1;}",
            i > 0 ? ", " : "", i, i, i);
        for (size_t j = 0; j < i; j++)
            ADD(", {type = \"nodes\"; nodes = [\"d%zu\", \"d%zu\"]; distance = 0.2;}", j, i);
    }
    ADD("); loads = ({type = \"gravity\"; acceleration = -10.0;});" ALPHA BOTH
        "time = {end = 0.45; step = 2.0e-3;};");
#undef ADD
    ck_assert_uint_lt(at, room);
    return text;
}

/* packed without friction and without bounces: sets of contacts that can't be met throw iterates away, unless
 * rows yield. No step is halved. */
START_TEST(a_pile_is_packed)
{
    char *text = write_pile(40);
    struct run run;
    struct sg_summary summary = {0};
    RUN(&run, text);
    run.job.strategy.ops->summarize(&run.job.strategy, &summary);
    ck_assert_int_eq(summary.rejected_steps, 0);
    BELOW(run_deepest(&run), 1e-9);
    run_release(&run);
    free(text);
}
END_TEST

/* --- tolerances ----------------------------------------------------------------------------------- */

/* The loosest that the deck may ask for is what ends the iterations, too: a pendulum from the horizontal,
 * whose energy is that of the tight one but for what is left of each step. */
START_TEST(a_loose_tolerance_is_enough)
{
    static const char *const deck =
        "bodies = ( { type = \"multibody\"; name = \"bob\"; positions = [1.0, 0.0]; masses = [1.0]; inertias "
        "= "
        "[0.1]; } ); constraints = ( { type = \"pin\"; nodes = [\"bob\"]; arms = [-1.0, 0.0]; } );"
        "loads = ( { type = \"gravity\"; acceleration = -10.0; } );" ALPHA BOTH
        "time = { end = 3.0; step = 0.05; };";
    static const char *const forms[] = {"strategy.coupling=monolithic", "strategy.coupling=sequential",
                                        "strategy.coupling=decoupled"};
    struct run tight, loose;
    RUN(&tight, deck);
    for (size_t k = 0; k < 3; k++) {
        RUN(&loose, deck, forms[k], "strategy.residual_tolerance=1e-3");
        ck_assert_uint_eq(loose.count, 61);
        BELOW(run_distance(run_last(&tight)->u, run_last(&loose)->u, 3), 0.06); /* 60 steps of 1e-3 at most */
        run_release(&loose);
    }
    run_release(&tight);
}
END_TEST

Suite *sg_suite_alpha_degenerate(void);

Suite *sg_suite_alpha_degenerate(void)
{
    Suite *suite = suite_create("alpha_degenerate");
    TCase *tcase = tcase_create("alpha_degenerate");
    tcase_add_test(tcase, a_block_rests_on_more_corners_than_it_needs);
    tcase_add_test(tcase, a_block_on_a_slope_sticks_or_slides);
    tcase_add_test(tcase, a_block_falls_flat);
    tcase_add_test(tcase, stops_without_play_hold_a_node);
    tcase_add_test(tcase, a_contact_at_a_pin_is_idle);
    tcase_add_test(tcase, a_body_at_rest_waits_for_its_load);
    tcase_add_test(tcase, a_light_body_is_solved_for_beside_a_heavy_one);
    tcase_add_test(tcase, a_pile_is_packed);
    tcase_add_test(tcase, a_loose_tolerance_is_enough);
    suite_add_tcase(suite, tcase);
    return suite;
}
