/* Frames of listed nodes and members, against frames by storeys and closed forms. */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assembly/bodies/beam_element.h"
#include "linalg/solver.h"
#include "model_fixture.h"

/* has what a test makes */
static struct sg_arena arena;

static void release_arena(void)
{
    sg_arena_release(&arena);
}

#define COLUMN "modulus = 30.0e9; density = 2500.0; width = 0.6; height = 0.6;"
#define BEAM   "modulus = 30.0e9; density = 2500.0; width = 0.4; height = 0.6; line_mass = 3000.0;"

/* --- the same frame both ways --------------------------------------------------------------------- */

static void same_matrix(const struct sg_matrix *a, const struct sg_matrix *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++)
            ck_assert(sg_matrix_entry(a, i, j) == sg_matrix_entry(b, i, j)); /* the same operations */
}

static void same_models(const char *one, const char *other)
{
    struct fixture a = fixture_model(one), b = fixture_model(other);
    ck_assert_uint_eq(a.system->n, b.system->n);
    ck_assert_uint_eq(a.system->n_full, b.system->n_full);
    same_matrix(&a.system->M, &b.system->M, a.system->n);
    same_matrix(&a.system->K, &b.system->K, a.system->n);
    ck_assert(memcmp(a.system->reference, b.system->reference, a.system->n_full * sizeof(double)) == 0);
    fixture_release(&a);
    fixture_release(&b);
}

/* a portal of two storeys with a slip joint between its spans: nodes of the frame in its order */
#define STOREYS(rest)                                                                                        \
    "bodies = ({type = \"frame\"; storeys = 2; storey_heights = [3.5, 3.0]; spans = 2;"                      \
    "span_lengths = [5.0, 4.0]; subdivisions = 3; position = [1.0, 0.5]; column = {" COLUMN                  \
    "}; beam = {" BEAM "}; " rest "});"
#define NODES                                                                                                \
    "nodes = [0.0, 0.0, 5.0, 0.0, 9.0, 0.0, 0.0, 3.5, 5.0, 3.5, 9.0, 3.5, 0.0, 6.5, 5.0, 6.5, 9.0, 6.5,"     \
    " 5.0, 3.5, 5.0, 6.5]; position = [1.0, 0.5];"
#define COLUMNS "{ends = [0, 3, 1, 4, 2, 5, 3, 6, 4, 7, 5, 8]; subdivisions = 3; section = {" COLUMN "};}"
#define BEAMS   "{ends = [3, 4, 9, 5, 6, 7, 10, 8]; subdivisions = 3; section = {" BEAM "};}"

START_TEST(lists_make_the_frame_of_storeys)
{
    same_models(STOREYS("slip_joints = [1];"),
                "bodies = ({type = \"members\";" NODES "members = (" COLUMNS "," BEAMS ");"
                "held = ({nodes = [0, 1, 2];}); ties = ({nodes = [9, 4]; axes = \"y\";},"
                "{nodes = [7, 10]; axes = \"y\";});});");
    same_models(STOREYS("slip_joints = [1]; base = \"pinned\"; mass = \"lumped\";"),
                "bodies = ({type = \"members\"; mass = \"lumped\";" NODES "members = (" COLUMNS "," BEAMS ");"
                "held = ({nodes = [0, 1, 2]; axes = \"xy\";}); ties = ({nodes = [9, 4]; axes = \"y\";},"
                "{nodes = [7, 10]; axes = \"y\";});});");
}
END_TEST

/* Floors that move as one: with one element a beam there is nothing within to tie. A chain of ties, in any
 * order, is the same as one of all. */
START_TEST(ties_make_diaphragms)
{
    static const char frame[] =
        "bodies = ({type = \"frame\"; storeys = 1; storey_heights = [3.0]; spans = 3;"
        "span_lengths = [5.0]; diaphragms = true; column = {" COLUMN "}; beam = {" BEAM "};});";
#define PORTAL(ties)                                                                                         \
    "bodies = ({type = \"members\"; nodes = [0.0, 0.0, 5.0, 0.0, 10.0, 0.0, 15.0, 0.0, 0.0, 3.0, 5.0, 3.0,"  \
    "10.0, 3.0, 15.0, 3.0]; members = ({ends = [0, 4, 1, 5, 2, 6, 3, 7]; section = {" COLUMN                 \
    "};}, {ends = [4, 5, 5, 6, 6, 7]; section = {" BEAM                                                      \
    "};}); held = ({nodes = [0, 1, 2, 3];}); ties = (" ties ");});"
    same_models(frame, PORTAL("{nodes = [4, 5, 6, 7]; axes = \"x\";}"));
    same_models(frame, PORTAL("{nodes = [7, 6]; axes = \"x\";}, {nodes = [4, 5]; axes = \"x\";},"
                              "{nodes = [5, 7]; axes = \"x\";}"));
}
END_TEST

/* --- statics -------------------------------------------------------------------------------------- */

/* of a combination of M, C and K that must be definite */
static struct sg_factor factor_of(const struct sg_system *system, const double weight[3])
{
    struct sg_mck mck = {&system->M, &system->C, &system->K};
    struct sg_factor_layout layout = {.kind = SG_DENSE, .n = system->n};
    struct sg_factor factor;
    struct sg_error err = {0};
    ck_assert_int_eq(sg_factor_init(&arena, &factor, &layout, &err), SG_OK);
    ck_assert_msg(sg_factor_compute(&factor, &mck, weight, &err) == SG_OK, "%s", err.text);
    return factor;
}

/* displacement along an axis (or SG_ROTATION) of a node of the only body under the deck's loads, at rest */
static double deflection(const char *deck, size_t node, size_t way)
{
    struct fixture f = fixture_model(deck);
    const struct sg_system *s = f.system;
    double *x = calloc(s->n, sizeof *x), *full = calloc(s->n_full, sizeof *full);
    ck_assert(x != NULL && full != NULL);
    sg_system_load(s, 0, x);
    struct sg_factor factor = factor_of(s, (const double[]){0, 0, 1});
    sg_factor_solve(&factor, x);
    sg_system_expand(s, x, 0, 0, full);
    double found = full[way == SG_ROTATION ? sg_system_rotation(s, node) : sg_system_dof(s, node, way)];
    free(x);
    free(full);
    fixture_release(&f);
    return found;
}

/* E I = 2, E A = 600, L = 5, leaning as 3 to 4; a tip load of 1 N in x: (.8, -.6) across, .6 along. The
 * direction of the member across is (-.8, .6). */
#define LEANING(parts)                                                                                       \
    "bodies = ({type = \"members\"; name = \"m\"; nodes = [0.0, 0.0, 3.0, 4.0]; members = ({ends = [0, 1];"  \
    "subdivisions = " parts "; section = {modulus = 2.0; density = 1.0; area = 300.0; inertia = 1.0;};});"   \
    "held = ({nodes = [0];});}); loads = ({type = \"force\"; node = \"m.1\"; direction = [1.0, 0.0];"        \
    "signal = {type = \"constant\"; value = 1.0;};});"

START_TEST(a_leaning_cantilever_bends_as_it_should)
{
    static const char *const decks[] = {LEANING("1"), LEANING("7")};
    double bend = 0.8 * 125 / (3 * 2.0), stretch = 0.6 * 5 / 600, turn = -0.8 * 25 / (2 * 2.0);
    for (size_t k = 0; k < 2; k++) {
        /* cubics are exact; rounding of stiffnesses 1e3 apart, times a condition of 7^4 */
        NEAR(deflection(decks[k], 1, 0), 0.8 * bend + 0.6 * stretch, 1e-10);
        NEAR(deflection(decks[k], 1, 1), -0.6 * bend + 0.8 * stretch, 1e-10);
        NEAR(deflection(decks[k], 1, SG_ROTATION), turn, 1e-10);
    }
}
END_TEST

/* A truss of two bars, hinged everywhere, at 45 degrees: under F down its tip sinks by F L / (2 E A sin^2).
 * With rigid joints the bars' bending would take a part, so that it sank less. */
START_TEST(bars_of_a_truss_only_stretch)
{
#define TRUSS(hinges)                                                                                        \
    "bodies = ({type = \"members\"; name = \"t\"; nodes = [-1.0, 0.0, 1.0, 0.0, 0.0, 1.0]; members = ("      \
    "{ends = [0, 2, 2, 1]; hinges = \"" hinges "\"; section = {modulus = 7.0; density = 1.0; area = 2.0;"    \
    "inertia = 0.5;};}); held = ({nodes = [0, 1];});});"                                                     \
    "loads = ({type = \"force\"; node = \"t.2\"; direction = [0.0, 1.0];"                                    \
    "signal = {type = \"constant\"; value = -3.0;};});"
    double sink = 3.0 * sqrt(2.0) / (2 * 14.0 * 0.5);
    NEAR(deflection(TRUSS("both"), 2, 1), -sink, 1e-13 * 10);
    ck_assert_double_lt(-deflection(TRUSS("none"), 2, 1), 0.95 * sink);
}
END_TEST

/* A beam clamped at both ends with a hinge in the middle, loaded there: two cantilevers side by side,
 * (F / 2) l^3 / (3 E I) of half length l; by `hinges` at either side and by a tie. */
START_TEST(a_hinge_parts_a_beam)
{
#define SPAN(nodes, members, rest)                                                                           \
    "bodies = ({type = \"members\"; name = \"s\"; nodes = [0.0, 0.0, 2.0, 0.0, 4.0, 0.0" nodes               \
    "]; members = (" members "); held = ({nodes = [0, 2];}); " rest "});"                                    \
    "loads = ({type = \"force\"; node = \"s.1\"; direction = [0.0, 1.0];"                                    \
    "signal = {type = \"constant\"; value = 6.0;};});"
#define SEGMENT(ends, more)                                                                                  \
    "{ends = " ends "; " more " section = {modulus = 4.0; density = 1.0; area = 9.0; inertia = 1.0;};}"
    double exact = 3.0 * 8 / (3 * 4.0);
    NEAR(deflection(
             SPAN("", SEGMENT("[0, 1]", "hinges = \"second\"; subdivisions = 2;") "," SEGMENT("[1, 2]", ""),
                  ""),
             1, 1),
         exact, 1e-12);
    NEAR(deflection(SPAN("", SEGMENT("[0, 1]", "") "," SEGMENT("[1, 2]", "hinges = \"first\";"), ""), 1, 1),
         exact, 1e-12);
    NEAR(deflection(
             SPAN(", 2.0, 0.0", SEGMENT("[0, 1, 3, 2]", ""), "ties = ({nodes = [3, 1]; axes = \"xy\";});"), 1,
             1),
         exact, 1e-12);
    /* without a hinge the beam is F L^3 / (192 E I) */
    NEAR(deflection(SPAN("", SEGMENT("[0, 1, 1, 2]", ""), ""), 1, 1), 6.0 * 64 / (192 * 4.0), 1e-12);
}
END_TEST

/* The rotation of a node to which all members are hinged is no dof: the mass is definite with any hinges. */
START_TEST(no_rotation_is_loose)
{
    static const char *const decks[] = {TRUSS("none"), TRUSS("first"), TRUSS("second"), TRUSS("both")};
    for (size_t k = 0; k < 4; k++) {
        struct fixture f = fixture_model(decks[k]);
        factor_of(f.system, (const double[]){1, 0, 0});
        fixture_release(&f);
    }
}
END_TEST

START_TEST(sets_have_names)
{
    struct fixture f =
        fixture_model("bodies = ({type = \"members\"; name = \"m\"; nodes = [0.0, 0.0, 1.0, 0.0,"
                      "2.0, 0.0]; members = ({ends = [0, 1, 1, 2]; section = {" COLUMN "};});"
                      "sets = ({name = \"tips\"; nodes = [2, 0];});});");
    struct sg_node_list list;
    struct sg_node_name name = {.text = "m.tips"};
    ck_assert(sg_system_find_nodes(f.system, &name, NULL, &list));
    ck_assert_uint_eq(list.count, 2);
    ck_assert_uint_eq(sg_node_list_at(&list, 0), 2);
    ck_assert_uint_eq(sg_node_list_at(&list, 1), 0);
    fixture_release(&f);
}
END_TEST

/* --- faults --------------------------------------------------------------------------------------- */

static const struct {
    const char *deck, *finding;
} wrong[] = {
#define WRONG(nodes, ends, rest)                                                                             \
    "bodies = ({type = \"members\"; nodes = " nodes "; members = ({ends = " ends "; section = {" COLUMN      \
    "};}); " rest "});"
#define THREE "[0.0, 0.0, 1.0, 0.0, 2.0, 0.0]"
    {WRONG("[0.0, 0.0, 1.0, 0.0, 2.0]", "[0, 1]", ""), "nodes: has 5 numbers: each node has x and y"},
    {WRONG(THREE, "[0, 1, 2]", ""), "ends: has 3 numbers: each member has two ends"},
    {WRONG(THREE, "[0, 3]", ""), "ends: 3 is no node: they are 0 to 2"},
    {WRONG(THREE, "[0.5, 2.0]", ""), "ends: 0.5 is no node: they are 0 to 2"},
    {WRONG(THREE, "[0, 1, 1, 1, 1, 2]", ""), "nodes 1 and 1 are 0 m apart"},
    {WRONG("[0.0, 0.0, 1.0, 0.0, 1.0, 0.0]", "[0, 1, 1, 2]", ""), "nodes 1 and 2 are 0 m apart"},
    {WRONG(THREE, "[0, 1]", ""), "node 2 is an end of no member"},
    {WRONG(THREE, "[0, 1, 1, 2]", "held = ({nodes = [3];});"), "held.[0].nodes: 3 is no node"},
    {WRONG(THREE, "[0, 1, 1, 2]", "held = ({nodes = [0]; axes = \"xz\";});"),
     "'xz' is not made of different letters out of \"xyr\""},
    {WRONG(THREE, "[0, 1, 1, 2]", "ties = ({nodes = [0, 1]; axes = \"\";});"), "'' is not made of"},
    {WRONG(THREE, "[0, 1, 1, 2]", "ties = ({nodes = [0, 1]; axes = \"xx\";});"), "'xx' is not made of"},
    {WRONG(THREE, "[0, 1, 1, 2]", "sets = ({name = \"a.b\"; nodes = [1];});"), "'a.b' can't be a set's name"},
    {WRONG(THREE, "[0, 1, 1, 2]", "sets = ({name = \"12\"; nodes = [1];});"), "'12' can't be a set's name"},
    {WRONG(THREE, "[0, 1, 1, 2]", "sets = ({name = \"left\"; nodes = [1];});"), "'left' can't be"},
    {WRONG(THREE, "[0, 1, 1, 2]", "sets = ({name = \"a\"; nodes = [1];}, {name = \"a\"; nodes = [2];});"),
     "sets.[1].name: 'a' is a set already"},
    {WRONG(THREE, "[0, 1, 1, 2]", "sets = ({name = \"a\"; nodes = [1, 2, 1];});"), "has node 1 twice"},
    {WRONG(THREE, "[0, 1, 1, 2]", "storeys = ({name = \"s\"; upper = [1, 2]; lower = [0];});"),
     "has 1 feet for 2 heads"},
    {WRONG(THREE, "[0, 1, 1, 2]", "storeys = ({name = \"s\"; upper = [1]; lower = [0];});"),
     "is 0 m above 'lower'"},
    {WRONG(
         THREE, "[0, 1, 1, 2]",
         "storeys = ({name = \"s\"; upper = [1]; lower = [0];}, {name = \"s\"; upper = [2]; lower = [0];});"),
     "storeys.[1].name: 's' is a storey already"},
    {WRONG(THREE, "[0, 1, 1, 2]", "storeys = ({name = \"s\"; upper = [9]; lower = [0];});"),
     "upper: 9 is no node"},
    {"bodies = ({type = \"members\"; nodes = [0.0, 0.0, 1.0, 0.0]; members = ({ends = [0, 1]; section = "
     "{modulus = 1.0; density = 1.0; area = 1.0;};});});",
     "'width' and 'height', or 'area' and 'inertia'"},
};

START_TEST(wrong_members_are_told)
{
    fixture_refused(wrong[_i].deck, SG_BAD_DECK, wrong[_i].finding);
}
END_TEST

/* in one list or in two, either way round: a warning, since both count */
START_TEST(members_side_by_side_are_told)
{
    static const char *const decks[] = {
        WRONG(THREE, "[0, 1, 1, 2, 1, 0]", ""), WRONG(THREE, "[1, 2, 1, 2, 0, 1]", ""),
        WRONG(THREE, "[0, 1, 1, 2]; section = {" COLUMN "};}, {ends = [2, 1]", "")};
    for (size_t i = 0; i < sizeof decks / sizeof *decks; i++) {
        struct fixture f = fixture_model(decks[i]);
        ck_assert_int_eq(f.status, SG_OK);
        ck_assert_msg(strstr(sg_text_view(&f.findings), "have a member between them already: both count") !=
                          NULL,
                      "%s", sg_text_view(&f.findings));
        fixture_release(&f);
    }
    struct fixture f = fixture_model(WRONG(THREE, "[0, 1, 1, 2, 0, 2]", ""));
    ck_assert_ptr_null(strstr(sg_text_view(&f.findings), "already"));
    fixture_release(&f);
}
END_TEST

Suite *sg_suite_members(void)
{
    Suite *suite = suite_create("members");
    TCase *tc = tcase_create("members");
    tcase_add_checked_fixture(tc, NULL, release_arena);
    tcase_add_test(tc, lists_make_the_frame_of_storeys);
    tcase_add_test(tc, ties_make_diaphragms);
    tcase_add_test(tc, a_leaning_cantilever_bends_as_it_should);
    tcase_add_test(tc, bars_of_a_truss_only_stretch);
    tcase_add_test(tc, a_hinge_parts_a_beam);
    tcase_add_test(tc, no_rotation_is_loose);
    tcase_add_test(tc, sets_have_names);
    tcase_add_test(tc, members_side_by_side_are_told);
    tcase_add_loop_test(tc, wrong_members_are_told, 0, sizeof wrong / sizeof *wrong);
    suite_add_tcase(suite, tc);
    return suite;
}
