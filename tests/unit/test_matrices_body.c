/* Models by matrices from files: what the system gets, and contacts by columns in every strategy. */
#include <stdio.h>

#include "run_fixture.h"

Suite *sg_suite_matrices_body(void);

#define SYMMETRIC "%%MatrixMarket matrix coordinate real symmetric\n"
#define GENERAL   "%%MatrixMarket matrix coordinate real general\n"
#define ARRAY     "%%MatrixMarket matrix array real general\n"
#define FILE(name, text)                                                                                     \
    {                                                                                                        \
        name, text, sizeof(text) - 1                                                                         \
    }

/* three masses in a row by springs of 40 and 50 N/m, held at none; the same with couplings in the mass; with
 * a first dof without mass; positive on the diagonal, yet indefinite */
static const struct sg_side_file files[] = {
    FILE("m.mtx", GENERAL "3 3 3\n1 1 1\n2 2 2\n3 3 3\n"),
    FILE("k.mtx", SYMMETRIC "3 3 5\n1 1 40\n2 2 90\n3 3 50\n2 1 -40\n3 2 -50\n"),
    FILE("c.mtx", SYMMETRIC "3 3 3\n1 1 0.3\n2 1 -0.3\n2 2 0.3\n"),
    FILE("full.mtx", SYMMETRIC "3 3 5\n1 1 1\n2 1 0.25\n2 2 2\n3 2 -0.5\n3 3 3\n"),
    FILE("massless.mtx", GENERAL "3 3 2\n2 2 2\n3 3 3\n"),
    FILE("indefinite.mtx", SYMMETRIC "3 3 5\n1 1 1\n2 1 2\n2 2 2\n3 2 -0.5\n3 3 3\n"),
    /* stiffnesses that are less than semidefinite: with positive diagonals, by a diagonal, by a coupling of a
     * dof without its own, by rounding of a file, by less than rounding; and a dof that nothing ties */
    FILE("k_gains.mtx", SYMMETRIC "3 3 4\n1 1 40\n2 1 -50\n2 2 50\n3 3 10\n"),
    FILE("k_negative.mtx", SYMMETRIC "3 3 3\n1 1 40\n2 2 50\n3 3 -1e-3\n"),
    FILE("k_all.mtx", SYMMETRIC "3 3 3\n1 1 -40\n2 2 -50\n3 3 -1e-3\n"),
    FILE("k_snap.mtx", SYMMETRIC "3 3 3\n1 1 -1\n2 2 50\n3 3 60\n"),
    FILE("k_coupled.mtx", SYMMETRIC "3 3 3\n1 1 40\n3 1 1e-3\n2 2 50\n"),
    FILE("k_digits.mtx", SYMMETRIC "3 3 5\n1 1 40\n2 1 -40\n2 2 89.999999\n3 2 -50\n3 3 50\n"),
    FILE("k_rounded.mtx", SYMMETRIC "3 3 5\n1 1 40\n2 1 -40\n2 2 89.9999999999999\n3 2 -50\n3 3 50\n"),
    FILE("k_free.mtx", SYMMETRIC "3 3 3\n1 1 40\n3 1 -40\n3 3 40\n"),
    FILE("zero.mtx", SYMMETRIC "3 3 0\n"),
    FILE("x.mtx", ARRAY "3 1\n0.5\n-1\n2\n"),
    FILE("names.txt", "# a name a dof\n\nnose\n-\n tail \n"),
    FILE("f.mtx", ARRAY "3 2\n0\n0\n0\n1.5\n0\n-2\n"),
    FILE("u0.mtx", ARRAY "3 1\n0.01\n0\n-0.02\n"),
    FILE("v0.mtx", ARRAY "3 1\n-1\n0.5\n0.25\n"),
    FILE("pair.mtx", GENERAL "3 2 4\n1 1 -1\n2 1 1\n2 2 -1\n3 2 1\n"),
    FILE("pair_gaps.mtx", ARRAY "2 1\n0.1\n0.1\n"),
    FILE("twice.mtx", GENERAL "3 2 4\n1 1 -2\n2 1 2\n2 2 -2\n3 2 2\n"),
    FILE("twice_gaps.mtx", ARRAY "2 1\n0.2\n0.2\n"),
    FILE("dense.mtx", ARRAY "3 1\n1\n-0.5\n2\n"),
    FILE("dense_gap.mtx", ARRAY "1 1\n0\n"),
    FILE("plane_w.mtx", GENERAL "4 1 2\n1 1 -1\n3 1 1\n"),
    {0}};

static void start(struct run *run, const char *const *deck)
{
    run_read(run, deck);
    sg_deck_offer_side_files(run->deck, files);
    run_build(run);
}
/* START(&run, text, overrides..): built, or refused */
#define START(run, ...) start((run), (const char *const[]){__VA_ARGS__, NULL})

static void finish(struct run *run)
{
    run_must(run, "building");
    run_go(run);
    run_must(run, "running");
}

static void refused(struct run *run, const char *words)
{
    sg_text_release(&run->findings);
    sg_diagnostics_render(&run->diagnostics, &run->findings);
    ck_assert_int_eq(run->status, SG_BAD_DECK);
    ck_assert_msg(strstr(sg_text_view(&run->findings), words) != NULL, "no '%s' in: %s", words,
                  sg_text_view(&run->findings));
    run_release(run);
}

#define BODY(rest)                                                                                           \
    "bodies = ( { type = \"matrices\"; name = \"b\"; mass = \"m.mtx\"; stiffness = \"k.mtx\"; " rest " } );"
#define PARTICLES                                                                                            \
    "bodies = ( { type = \"particles\"; name = \"b\"; positions = [0.0, 0.0, 0.0]; masses = [1.0, 2.0, "     \
    "3.0]; springs = ( { nodes = [0, 1]; stiffness = 40.0; }, { nodes = [1, 2]; stiffness = 50.0; } ); } );"
#define MOVING "initial = ( { body = \"b\"; displacement_file = \"u0.mtx\"; velocity_file = \"v0.mtx\"; } );"
#define EVENTS                                                                                               \
    "integrator = { type = \"trapezoidal\"; }; strategy = { type = \"event-driven\"; };"                     \
    "time = { end = 4.0; step = 0.02; };"
#define STEPPING                                                                                             \
    "integrator = { type = \"theta\"; theta = 0.5; }; strategy = { type = \"time-stepping\"; level = "       \
    "\"velocity\"; }; time = { end = 4.0; step = 0.01; };"

static double entry_of(const struct sg_matrix *a, size_t i, size_t j)
{
    return sg_matrix_entry(a, i > j ? i : j, i > j ? j : i);
}

/* --- the system ----------------------------------------------------------------------------------- */

/* every entry of M, C, K, of loads and of the initial state is the file's */
START_TEST(system_is_the_files)
{
    static const double mass[3][3] = {{1, 0.25, 0}, {0.25, 2, -0.5}, {0, -0.5, 3}};
    static const double stiffness[3][3] = {{40, -40, 0}, {-40, 90, -50}, {0, -50, 50}};
    static const double damping[3][3] = {{0.3, -0.3, 0}, {-0.3, 0.3, 0}, {0, 0, 0}};
    static const double load[] = {1.5, 0, -2}, u0[] = {0.01, 0, -0.02}, v0[] = {-1, 0.5, 0.25};
    struct run run;
    START(&run,
          BODY("damping = \"c.mtx\";") MOVING EVENTS
          "loads = ( { type = \"vector\"; body = \"b\"; file = \"f.mtx\"; column = 2; signal = { type = "
          "\"constant\"; value = 2.0; }; } );",
          "bodies.[0].mass=\"full.mtx\"");
    run_must(&run, "building");
    const struct sg_system *system = run.job.system;
    ck_assert_ptr_null(system->modal);
    for (size_t i = 0; i < 3; i++) {
        for (size_t j = 0; j < 3; j++) {
            NEAR(entry_of(&system->M, i, j), mass[i][j], 0.0);
            NEAR(entry_of(&system->K, i, j), stiffness[i][j], 0.0);
            NEAR(entry_of(&system->C, i, j), damping[i][j], 0.0);
        }
        NEAR(system->loads[0].pattern[i], load[i], 0.0);
        NEAR(system->u0[i], u0[i], 0.0);
        NEAR(system->v0[i], v0[i], 0.0);
    }
    run_release(&run);
}
END_TEST

/* names stand for nodes, ends follow the positions, a dof without mass may be supported */
START_TEST(names_positions_supports)
{
    struct run run;
    START(&run,
          BODY("positions = \"x.mtx\"; names = \"names.txt\";") EVENTS
          "supports = ( { node = \"b.nose\"; } ); contacts = ( { type = \"wall\"; node = \"b.right\"; gap = "
          "1.0; "
          "stiffness = 5.0; }, { type = \"wall\"; node = \"b.left\"; gap = 2.0; stiffness = 5.0; }, "
          "{ type = \"pair\"; nodes = [\"b.1\", \"b.tail\"]; gap = 3.0; stiffness = 5.0; } );",
          "bodies.[0].mass=\"massless.mtx\"", "integrator.operator=nodal");
    run_must(&run, "building");
    const struct sg_system *system = run.job.system;
    const struct sg_columns *w = &run.job.contacts->w;
    ck_assert_uint_eq(system->n, 2);
    NEAR(entry_of(&system->M, 0, 0), 2, 0.0);
    NEAR(sg_columns_entry(w, 0, 1), 1, 0.0); /* right: dof 2 at 2 m */
    NEAR(sg_columns_entry(w, 1, 0), 1, 0.0); /* left: dof 1 at -1 m */
    NEAR(sg_columns_entry(w, 2, 1), 1, 0.0);
    NEAR(sg_columns_entry(w, 2, 0), -1, 0.0);
    run_release(&run);
    START(&run, BODY("names = \"names.txt\";") EVENTS "supports = ( { node = \"b.fin\"; } );");
    refused(&run, "\"nose\", \"tail\"");
}
END_TEST

START_TEST(mass_must_be_definite)
{
    struct run run;
    START(&run, BODY("") EVENTS, "bodies.[0].mass=\"massless.mtx\"");
    refused(&run, "node 'b.0' has the mass 0 kg");
    START(&run, BODY("") EVENTS, "bodies.[0].mass=\"indefinite.mtx\"");
    refused(&run,
            "'indefinite.mtx' is not positive definite where dofs are free to move, seen at node 'b.1'");
    /* without dof 0 it is */
    START(&run, BODY("") EVENTS "supports = ( { node = \"b.0\"; } );", "bodies.[0].mass=\"indefinite.mtx\"");
    run_must(&run, "building");
    run_release(&run);
}
END_TEST

static void told(struct run *run, const char *words)
{
    run_must(run, "building");
    sg_text_release(&run->findings);
    sg_diagnostics_render(&run->diagnostics, &run->findings);
    const char *text = sg_text_view(&run->findings);
    if (words == NULL)
        ck_assert_msg(strstr(text, "stiffness") == NULL, "%s", text);
    else
        ck_assert_msg(strstr(text, words) != NULL, "no '%s' in: %s", words, text);
    run_release(run);
}

START_TEST(negative_stiffness_is_told)
{
    static const struct {
        const char *file, *count, *node;
    } cases[] = {{"k_gains", "1 of the 3 eigenvalues", "is negative, seen at node 'b.1'"},
                 {"k_negative", "1 of the 3 eigenvalues", "is negative, seen at node 'b.2'"},
                 {"k_coupled", "1 of the 3 eigenvalues", "is negative, seen at node 'b.2'"},
                 {"k_all", "3 of the 3 eigenvalues", "are negative, seen at node 'b.0'"}};
    struct run run;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char set[64], words[160];
        snprintf(set, sizeof set, "bodies.[0].stiffness=\"%s.mtx\"", cases[i].file);
        snprintf(words, sizeof words, "%s of the stiffness where dofs are free to move %s", cases[i].count,
                 cases[i].node);
        START(&run, BODY("") EVENTS, set);
        ck_assert_uint_eq(run.job.system->growing, i == 3 ? 3 : 1);
        told(&run, words);
    }
    /* where its dofs are held it does not matter; a support's spring may make it good */
    START(&run, BODY("") EVENTS "supports = ( { node = \"b.1\"; } );",
          "bodies.[0].stiffness=\"k_gains.mtx\"");
    told(&run, NULL);
    START(&run, BODY("") EVENTS "supports = ( { node = \"b.1\"; stiffness = 20.0; } );",
          "bodies.[0].stiffness=\"k_gains.mtx\"");
    told(&run, NULL);
}
END_TEST

/* A mass of 1 kg leaves a place where it can't stay, k = -1 N/m, meets a spring of 100 N/m at 1 m, and comes
 * back: x = 0.5 sinh t, then about 100/99 with omega^2 = 99, then cosh t - v sinh t. */
START_TEST(unstable_motion_is_exact)
{
    const double first = asinh(2.0), v = 0.5 * cosh(first), omega = sqrt(99.0);
    const double closed = 2 * atan2(v / omega, 1 - 100.0 / 99.0) / omega, rest = 4.0 - first - closed;
    struct run run;
    START(&run,
          BODY("") "integrator = { type = \"exact\"; }; "
                   "strategy = { type = \"event-driven\"; gap_tolerance = 1e-13; }; "
                   "initial = ( { node = \"b.0\"; velocity = 0.5; } ); time = { end = 4.0; step = 0.01; }; "
                   "contacts = ( { type = \"wall\"; node = \"b.0\"; gap = 1.0; stiffness = 100.0; side = "
                   "\"upper\"; } );",
          "bodies.[0].stiffness=\"k_snap.mtx\"");
    finish(&run);
    /* roundings and the tolerance grow by e^2.2 at most */
    NEAR(run.rows[run.count - 1].u[0], cosh(rest) - v * sinh(rest), 1e-11);
    run_release(&run);
}
END_TEST

START_TEST(small_faults_of_a_stiffness_are_told)
{
    struct run run;
    START(&run, BODY("") EVENTS);
    told(&run, NULL);
    START(&run, BODY("") EVENTS, "bodies.[0].stiffness=\"k_rounded.mtx\"");
    told(&run, NULL);
    START(&run, BODY("") EVENTS, "bodies.[0].stiffness=\"k_digits.mtx\"");
    told(&run, "seen at node 'b.2', by less than 1e-6 of its diagonal");
    START(&run, BODY("") EVENTS, "bodies.[0].stiffness=\"k_free.mtx\"");
    told(&run, "1 of 3 free dofs has no stiffness, the first at node 'b.1'");
    START(&run, BODY("") EVENTS, "bodies.[0].stiffness=\"zero.mtx\"");
    told(&run, NULL);
}
END_TEST

/* rows that don't sum up to a mass can't be lumped; those that do are */
START_TEST(lumping)
{
    struct run run;
    const char *deck =
        BODY("") MOVING "integrator = { type = \"central-difference\"; }; strategy = { type = "
                        "\"time-stepping\"; level = \"velocity\"; }; time = { end = 0.1; step = 0.01; };";
    START(&run, deck, "bodies.[0].mass=\"full.mtx\"");
    run_must(&run, "building");
    static const double sums[] = {1.25, 1.75, 2.5};
    ck_assert(run.job.lumped);
    for (size_t i = 0; i < 3; i++) NEAR(entry_of(&run.job.system->M, i, i), sums[i], 1e-15);
    run_release(&run);
}
END_TEST

/* --- contacts ------------------------------------------------------------------------------------- */

#define ROWS(w, g, law)                                                                                      \
    "contacts = ( { type = \"rows\"; directions = \"" w "\"; gaps = \"" g "\"; " law " } );"
#define PAIRS(law)                                                                                           \
    "contacts = ( { type = \"pair\"; nodes = [\"b.0\", \"b.1\"]; gap = 0.1; " law " },"                      \
    "  { type = \"pair\"; nodes = [\"b.1\", \"b.2\"]; gap = 0.1; " law " } );"

/* largest difference of the displacements of two runs of the same steps, and that contacts acted */
static double distance(const struct run *a, const struct run *b)
{
    double worst = 0, pushed = 0;
    ck_assert_uint_eq(a->count, b->count);
    for (size_t i = 0; i < a->count; i++) {
        worst = fmax(worst, run_distance(a->rows[i].u, b->rows[i].u, 3));
        for (size_t j = 0; j < 2; j++)
            pushed = fmax(pushed, fmax(a->rows[i].force[j], a->rows[i].impulse[j]));
    }
    ck_assert(pushed > 0);
    return worst;
}

/* Event-driven in both coordinates, velocity level: the same steps as with pairs. 1e-9: what the search for
 * events makes of rounding. */
START_TEST(rows_are_pairs)
{
    static const char *const coordinates[] = {"integrator.operator=nodal", "integrator.operator=modal"};
    struct run a, b;
    for (size_t k = 0; k < 2; k++) {
        START(&a, BODY("") MOVING ROWS("pair.mtx", "pair_gaps.mtx", "stiffness = 300.0;") EVENTS,
              coordinates[k]);
        finish(&a);
        START(&b, PARTICLES MOVING PAIRS("stiffness = 300.0;") EVENTS, coordinates[k]);
        finish(&b);
        ck_assert_uint_eq(a.event_count, b.event_count);
        BELOW(distance(&a, &b), 1e-9);
        ck_assert_str_eq(a.job.contacts->names[1], "pair.mtx.2");
        run_release(&a);
        run_release(&b);
    }
    START(&a, BODY("") MOVING ROWS("pair.mtx", "pair_gaps.mtx", "restitution = 0.7;") STEPPING);
    finish(&a);
    START(&b, PARTICLES MOVING PAIRS("restitution = 0.7;") STEPPING);
    finish(&b);
    BELOW(distance(&a, &b), 1e-12);
    run_release(&a);
    run_release(&b);
}
END_TEST

/* The scale of a gap is free: twice the column and the gap, a quarter of the stiffness, half the force. Rigid
 * ones bounce alike. 1e-9: tolerances of events are of gaps, so that the search stops elsewhere. */
START_TEST(scale_of_a_gap)
{
    struct run a, b;
    START(&a, BODY("") MOVING ROWS("pair.mtx", "pair_gaps.mtx", "stiffnesses = [300.0, 400.0];") EVENTS,
          "strategy.gap_tolerance=1e-12", "strategy.time_tolerance=1e-12");
    finish(&a);
    START(&b, BODY("") MOVING ROWS("twice.mtx", "twice_gaps.mtx", "stiffnesses = [75.0, 100.0];") EVENTS,
          "strategy.gap_tolerance=1e-12", "strategy.time_tolerance=1e-12");
    finish(&b);
    BELOW(distance(&a, &b), 1e-9);
    for (size_t i = 0; i < a.count; i++) NEAR(a.rows[i].force[0], 2 * b.rows[i].force[0], 1e-6);
    run_release(&a);
    run_release(&b);
    START(&a, BODY("") MOVING ROWS("pair.mtx", "pair_gaps.mtx", "restitutions = [0.2, 0.9];") STEPPING);
    finish(&a);
    START(&b, BODY("") MOVING ROWS("twice.mtx", "twice_gaps.mtx", "restitutions = [0.2, 0.9];") STEPPING);
    finish(&b);
    NEAR(a.job.contacts->laws[1].restitution, 0.9, 0.0);
    BELOW(distance(&a, &b), 1e-12);
    run_release(&a);
    run_release(&b);
}
END_TEST

/* An impact along any column: v+ = v- - (1 + e) w.v- / (w . M^-1 w) M^-1 w, by hand, with a full mass and
 * without forces. w = (1, -0.5, 2), touching at the start. */
START_TEST(impact_along_a_column)
{
    static const double w[] = {1, -0.5, 2}, v[] = {-1, 0.5, 0.25};
    /* M x = w, M = (1, 1/4, 0; 1/4, 2, -1/2; 0, -1/2, 3), by elimination: x1 = 1 - x2 / 4, x3 = (2 + x2 / 2)
     * / 3 */
    const double x2 = (-0.5 - 0.25 + 1.0 / 3) / (2 - 0.0625 - 1.0 / 12),
                 x[] = {1 - x2 / 4, x2, (2 + x2 / 2) / 3};
    double wx = 0, wv = 0;
    for (size_t i = 0; i < 3; i++) {
        wx += w[i] * x[i];
        wv += w[i] * v[i];
    }
    struct run run;
    START(&run,
          BODY("") "initial = ( { body = \"b\"; velocity_file = \"v0.mtx\"; } );" ROWS(
              "dense.mtx", "dense_gap.mtx", "restitution = 0.5;") STEPPING,
          "bodies.[0].mass=\"full.mtx\"", "bodies.[0].stiffness=\"zero.mtx\"", "time.end=0.01");
    finish(&run);
    for (size_t i = 0; i < 3; i++) NEAR(run_last(&run)->v[i], v[i] - 1.5 * wv / wx * x[i], 1e-14);
    NEAR(run_last(&run)->impulse[0], -1.5 * wv / wx, 1e-14);
    run_release(&run);
}
END_TEST

/* a column beside a contact with friction has no tangents, and none of its own */
START_TEST(columns_have_no_tangents)
{
    const char *deck = "bodies = ( { type = \"particles\"; name = \"p\"; dim = 2; positions = [0.0, 0.0, "
                       "1.0, 0.0]; masses = "
                       "[1.0, 1.0]; } ); contacts = ( { type = \"rows\"; directions = \"plane_w.mtx\"; }, { "
                       "type = \"plane\"; "
                       "node = \"p.0\"; normal = [0.0, 1.0]; gap = 0.0; friction = 0.3; } );" STEPPING;
    struct run run;
    START(&run, deck);
    run_must(&run, "building");
    const struct sg_contact_set *set = run.job.contacts;
    ck_assert_uint_eq(set->tangents, 1);
    ck_assert_uint_eq(set->tangent.start[1], 0);
    ck_assert_uint_eq(set->tangent.start[2], 2);
    finish(&run);
    run_release(&run);
    START(&run, deck, "contacts.[0].friction=0.1");
    refused(&run, "a contact given as a column of a matrix has a gap, but no tangent");
}
END_TEST

Suite *sg_suite_matrices_body(void)
{
    Suite *suite = suite_create("matrices_body");
    TCase *tcase = tcase_create("matrices_body");
    tcase_add_test(tcase, system_is_the_files);
    tcase_add_test(tcase, names_positions_supports);
    tcase_add_test(tcase, mass_must_be_definite);
    tcase_add_test(tcase, negative_stiffness_is_told);
    tcase_add_test(tcase, unstable_motion_is_exact);
    tcase_add_test(tcase, small_faults_of_a_stiffness_are_told);
    tcase_add_test(tcase, lumping);
    tcase_add_test(tcase, rows_are_pairs);
    tcase_add_test(tcase, scale_of_a_gap);
    tcase_add_test(tcase, impact_along_a_column);
    tcase_add_test(tcase, columns_have_no_tangents);
    suite_add_tcase(suite, tcase);
    return suite;
}
