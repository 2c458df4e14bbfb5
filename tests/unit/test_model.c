#include <check.h>
#include <math.h>
#include <stdio.h>

#include "model_fixture.h"

/* has what a test makes */
static struct sg_arena arena;

static void release_arena(void)
{
    sg_arena_release(&arena);
}

/* --- bodies --------------------------------------------------------------------------------------- */

static const struct {
    const char *mass;
    double own, coupling; /* of an element of mass 1 */
} masses[] = {{"consistent", 1.0 / 3, 1.0 / 6}, {"lumped", 0.5, 0}, {"average", 5.0 / 12, 1.0 / 12}};

/* four elements of length 0.5: m = 7 * 3 * 0.5 kg, k = 5 * 3 / 0.5 N/m */
START_TEST(bar_matrices_equal_hand_formulas)
{
    char deck[256];
    snprintf(deck, sizeof deck, BAR("elements = 4; mass = \"%s\";"), masses[_i].mass);
    struct fixture f = fixture_model(deck);
    const struct sg_system *s = f.system;
    double m = 10.5, k = 30;
    ck_assert_uint_eq(s->n, 5);
    ck_assert_int_eq(s->M.kind, masses[_i].coupling == 0 ? SG_DIAGONAL : SG_TRIDIAGONAL);
    ck_assert_int_eq(s->K.kind, SG_TRIDIAGONAL);
    for (size_t i = 0; i < 5; i++) {
        double share = i == 0 || i == 4 ? 1 : 2;
        SAME(sg_matrix_entry(&s->M, i, i), share * masses[_i].own * m);
        SAME(sg_matrix_entry(&s->K, i, i), share * k);
        if (i == 4) continue;
        SAME(sg_matrix_entry(&s->M, i + 1, i), masses[_i].coupling * m);
        SAME(sg_matrix_entry(&s->K, i + 1, i), -k);
    }
    SAME(s->max_stiffness, 2 * k);
    double total = 0;
    for (size_t i = 0; i < 5; i++) total += s->momentum[i];
    SAME(total, 42); /* rho A L */
    fixture_release(&f);
}
END_TEST

START_TEST(a_rigid_motion_has_no_strain)
{
    struct fixture f = fixture_model(BAR("elements = 4;"));
    double ones[5] = {1, 1, 1, 1, 1}, force[5];
    sg_matrix_multiply(&f.system->K, ones, force);
    for (size_t i = 0; i < 5; i++) NEAR(force[i], 0, 0); /* the entries cancel exactly */
    NEAR(sg_system_strain(f.system, ones, 0), 0, 0);
    SAME(sg_system_kinetic(f.system, ones, 0), 21); /* m / 2 */
    struct sg_modal *modal = NULL;
    ck_assert_int_eq(sg_modal_create(&arena, &f.system->M, &f.system->K, &modal, &f.err), SG_OK);
    NEAR(modal->k[0], 0, 1e-12); /* rounding of the largest, about 30 */
    ck_assert_double_gt(modal->k[1], 0.1);
    fixture_release(&f);
}
END_TEST

static double first_frequency_error(const char *mass, int elements)
{
    char deck[320];
    snprintf(deck, sizeof deck,
             BAR("elements = %d; mass = \"%s\";") "supports = ( { node = \"bar.left\"; } );", elements, mass);
    struct fixture f = fixture_model(deck);
    struct sg_modal *modal = NULL;
    ck_assert_int_eq(sg_modal_create(&arena, &f.system->M, &f.system->K, &modal, &f.err), SG_OK);
    double exact = acos(-1.0) / 2 * sqrt(5.0 / 7.0) / 2.0; /* pi c / (2 L) */
    double error = fabs(sqrt(modal->k[0]) - exact) / exact;
    fixture_release(&f);
    return error;
}

START_TEST(first_frequency_converges)
{
    /* order 2 for consistent and lumped, whose errors have opposite signs; the average has order 4 */
    static const double order[] = {2, 2, 4};
    double coarse = first_frequency_error(masses[_i].mass, 10);
    double fine = first_frequency_error(masses[_i].mass, 20);
    NEAR(log2(coarse / fine), order[_i], 0.03); /* next term of the series */
}
END_TEST

/* u(x) = rho g (L x - x^2 / 2) / E, met by linear elements exactly at their nodes */
START_TEST(static_elongation_equals_closed_form)
{
    struct fixture f =
        fixture_model(BAR("elements = 8;") "supports = ( { node = \"bar.left\"; } );"
                                           "loads = ( { type = \"gravity\"; acceleration = 9.81; } );");
    struct sg_system *s = f.system;
    struct sg_modal *modal = NULL;
    ck_assert_int_eq(sg_modal_create(&arena, &s->M, &s->K, &modal, &f.err), SG_OK);
    ck_assert_int_eq(sg_system_to_modal(s, modal, &f.err), SG_OK);
    double load[8], y[8], full[9];
    sg_system_load(s, 0, load);
    for (size_t i = 0; i < 8; i++) y[i] = load[i] / modal->k[i];
    sg_system_expand(s, y, 0, 0, full);
    for (size_t i = 0; i < 9; i++) {
        double x = 0.25 * (double)i;
        NEAR(full[i], 7 * 9.81 / 5 * (2 * x - x * x / 2), 1e-11); /* condition 1e3, values near 30 */
    }
    /* half of the lost potential is stored */
    NEAR(sg_system_strain(s, y, 0), -sg_system_gravity_energy(s, y, 0) / 2, 1e-9);
    fixture_release(&f);
}
END_TEST

START_TEST(particles_have_springs_and_dashpots)
{
    struct fixture f = fixture_model(
        "bodies = ( { type = \"particles\"; name = \"p\"; positions = [3, 1, 2]; masses = [1, 2, 4];"
        "  springs = ( { nodes = [0, 2]; stiffness = 10; damping = 0.5; }, { node = 1; stiffness = 7; } ); } "
        ");");
    const struct sg_system *s = f.system;
    static const double K[3][3] = {{10, 0, -10}, {0, 7, 0}, {-10, 0, 10}};
    static const double C[3][3] = {{0.5, 0, -0.5}, {0, 0, 0}, {-0.5, 0, 0.5}};
    for (size_t i = 0; i < 3; i++)
        for (size_t j = 0; j < 3; j++) {
            NEAR(sg_matrix_entry(&s->K, i, j), K[i][j], 0);
            NEAR(sg_matrix_entry(&s->C, i, j), C[i][j], 0);
        }
    ck_assert_int_eq(s->M.kind, SG_DIAGONAL);
    ck_assert_int_eq(s->K.kind, SG_DENSE); /* bandwidth 2 of 3 */
    ck_assert(s->damped && !s->proportional);
    ck_assert_uint_eq(s->labels.element_count, 1);
    ck_assert_int_eq(s->labels.element_nodes[0], 0);
    ck_assert_int_eq(s->labels.element_nodes[1], 2);
    fixture_release(&f);
}
END_TEST

START_TEST(classes_follow_the_bandwidth)
{
    /* a chain of 12 whose springs join next neighbours but one: bandwidth 2 */
    char deck[2048] = "bodies = ( { type = \"particles\"; positions = [0,1,2,3,4,5,6,7,8,9,10,11];"
                      "masses = [1,1,1,1,1,1,1,1,1,1,1,1]; springs = (";
    for (int i = 0; i + 2 < 12; i++)
        snprintf(deck + strlen(deck), sizeof deck - strlen(deck), "%s{ nodes = [%d, %d]; stiffness = 1; }",
                 i == 0 ? " " : ", ", i, i + 2);
    snprintf(deck + strlen(deck), sizeof deck - strlen(deck), " ); } );");
    struct fixture f = fixture_model(deck);
    ck_assert_int_eq(f.system->K.kind, SG_BANDED);
    ck_assert_uint_eq(f.system->K.width, 2);
    ck_assert_int_eq(f.system->C.kind, SG_DIAGONAL);
    ck_assert(f.system->C.zero && !f.system->damped && f.system->proportional);
    fixture_release(&f);
}
END_TEST

/* --- names ---------------------------------------------------------------------------------------- */

START_TEST(nodes_are_found_by_name)
{
    struct fixture f = fixture_model(
        "bodies = ( { type = \"bar\"; name = \"a\"; length = 1; area = 1; modulus = 1; density = 1;"
        "  elements = 2; position = 4.0; direction = \"negative\"; },"
        "  { type = \"particles\"; name = \"ball\"; positions = [9.0]; masses = [1.0]; } );");
    struct sg_node_ref ref = {0};
    const struct sg_setting *root = sg_deck_root(f.deck);
    static const struct {
        const char *name;
        size_t node;
        double position;
    } found[] = {{"a.left", 2, 3}, {"a.right", 0, 4},    {"a.0", 0, 4},   {"a.1", 1, 3.5},
                 {"ball", 3, 9},   {"ball.right", 3, 9}, {"ball.0", 3, 9}};
    for (size_t k = 0; k < sizeof found / sizeof *found; k++) {
        ck_assert(sg_system_find_node(f.system, &(struct sg_node_name){found[k].name, root, "bodies"},
                                      &f.diagnostics, &ref));
        ck_assert_uint_eq(ref.node, found[k].node);
        ck_assert_uint_eq(ref.full_dof, found[k].node);
        NEAR(ref.position[0], found[k].position, 0); /* binary fractions */
    }
    static const char *const lost[] = {
        "a", "a.3", "a.-1", "a.x", "a.", "", "b.left", "a.99999999999999999999", "al"};
    for (size_t k = 0; k < sizeof lost / sizeof *lost; k++) {
        size_t errors = f.diagnostics.errors;
        ck_assert(!sg_system_find_node(f.system, &(struct sg_node_name){lost[k], root, "bodies"},
                                       &f.diagnostics, &ref));
        ck_assert_uint_eq(f.diagnostics.errors, errors + 1);
    }
    ck_assert_str_eq(f.system->labels.dof_names[1], "a.1");
    ck_assert_str_eq(f.system->labels.dof_names[3], "ball.0");
    ck_assert_str_eq(f.system->labels.body_names[1], "ball");
    ck_assert_int_eq(f.system->labels.node_bodies[3], 1);
    fixture_release(&f);
}
END_TEST

/* --- supports, initial state ---------------------------------------------------------------------- */

START_TEST(fixed_dofs_are_eliminated)
{
    struct fixture f = fixture_model(BAR("elements = 4;") "supports = ( { node = \"bar.left\"; } );");
    const struct sg_system *s = f.system;
    ck_assert_uint_eq(s->n, 4);
    ck_assert_uint_eq(s->n_full, 5);
    ck_assert_uint_eq(s->free_of_full[0], SIZE_MAX);
    ck_assert_uint_eq(s->free_dof[0], 1);
    ck_assert_uint_eq(s->motion_count, 0);
    SAME(sg_matrix_entry(&s->K, 0, 0), 60);
    double x[4] = {1, 2, 3, 4}, full[5];
    sg_system_expand(s, x, 0, 0, full);
    for (size_t i = 0; i < 5; i++) NEAR(full[i], (double)i, 0);
    fixture_release(&f);
}
END_TEST

START_TEST(initial_fields_add_up)
{
    struct fixture f = fixture_model(BAR(
        "elements = 4; direction = \"negative\";") "initial = ( { body = \"bar\"; displacement = 1; "
                                                   "displacement_slope = 0.5;"
                                                   "              velocity = -2; velocity_slope = 4; } );");
    for (size_t i = 0; i < 5; i++) {
        double x = 2 - 0.5 * (double)i; /* from the left end, which is node 4 */
        SAME(f.system->u0[i], 1 + 0.5 * x);
        NEAR(f.system->v0[i], -2 + 4 * x, 1e-15);
    }
    fixture_release(&f);
}
END_TEST

/* A fixed node keeps its initial displacement: a uniform one strains nothing. */
START_TEST(a_support_holds_where_the_node_starts)
{
    struct fixture f =
        fixture_model(BAR("elements = 4;") "supports = ( { node = \"bar.left\"; } );"
                                           "initial = ( { body = \"bar\"; displacement = 0.25; } );");
    const struct sg_system *s = f.system;
    ck_assert_uint_eq(s->motion_count, 1);
    double full[5], force[4], load[4];
    sg_system_expand(s, s->u0, 3, 0, full);
    NEAR(full[0], 0.25, 0);
    NEAR(sg_system_strain(s, s->u0, 3), 0, 1e-13); /* cancels from 30 * 0.25^2 */
    sg_system_load(s, 3, load);
    sg_matrix_multiply(&s->K, s->u0, force);
    for (size_t i = 0; i < 4; i++) NEAR(load[i], force[i], 1e-13);
    ck_assert_ptr_nonnull(strstr(sg_text_view(&f.findings), "holds 'bar.0'"));
    fixture_release(&f);
}
END_TEST

/* --- damping -------------------------------------------------------------------------------------- */

START_TEST(damping_is_a_sum_of_mass_and_stiffness)
{
    struct fixture f = fixture_model(BAR("elements = 4;") "damping = { mass = 0.5; stiffness = 0.25; };");
    const struct sg_system *s = f.system;
    ck_assert(s->damped && s->proportional);
    for (size_t i = 0; i < 5; i++)
        for (size_t j = 0; j <= i; j++)
            SAME(sg_matrix_entry(&s->C, i, j),
                 0.5 * sg_matrix_entry(&s->M, i, j) + 0.25 * sg_matrix_entry(&s->K, i, j));
    fixture_release(&f);
}
END_TEST

START_TEST(ratios_fix_alpha_and_beta)
{
    /* two oscillators, omega = 2 and 5 rad/s, in falling order */
    struct fixture f =
        fixture_model("bodies = ( { type = \"particles\"; positions = [0, 1]; masses = [1, 1];"
                      "  springs = ( { node = 0; stiffness = 25; }, { node = 1; stiffness = 4; } ); } );"
                      "damping = { ratios = [0.1, 0.2]; modes = [1, 2]; };");
    /* 2 z w = alpha + beta w^2: 0.4 = alpha + 4 beta, 2 = alpha + 25 beta */
    SAME(f.system->beta, 1.6 / 21);
    SAME(f.system->alpha, 0.4 - 6.4 / 21);
    fixture_release(&f);
}
END_TEST

/* --- quantities ----------------------------------------------------------------------------------- */

START_TEST(quantities_have_their_shapes)
{
    struct fixture f = fixture_model(RICH);
    struct sg_quantities list = {0};
    sg_system_register(f.system, &list);
    static const struct {
        const char *name;
        size_t width;
    } expected[] = {
        {"displacement", RICH_FULL}, {"velocity", RICH_FULL},  {"energy/kinetic", 0},
        {"energy/strain", 0},        {"energy/gravity", 0},    {"energy/contact", 0},
        {"energy/external", 0},      {"energy/dissipated", 0}, {"energy/total", 0},
        {"momentum/linear", 1},      {"momentum/angular", 0},  {"center/displacement", 3},
        {"center/velocity", 3},
    };
    ck_assert_uint_eq(list.count, sizeof expected / sizeof *expected);
    for (size_t k = 0; k < list.count; k++) {
        ck_assert_str_eq(list.items[k].name, expected[k].name);
        ck_assert_uint_eq(list.items[k].width, expected[k].width);
        ck_assert(!list.items[k].on_request);
    }
    sg_quantities_release(&list);
    fixture_release(&f);
}
END_TEST

/* a bar that moves by 1 + x: its centre by 2, its momentum m * 2 */
START_TEST(centers_and_momentum_are_weighted_by_mass)
{
    struct fixture f = fixture_model(BAR("elements = 4;") "initial = ( { body = \"bar\"; velocity = 1;"
                                                          "  velocity_slope = 1; displacement = 3; } );");
    struct sg_quantities list = {0};
    sg_system_register(f.system, &list);
    struct sg_snapshot now = {.u = f.system->u0, .v = f.system->v0};
    double row = 0;
    for (size_t k = 0; k < list.count; k++) {
        const struct sg_quantity *q = &list.items[k];
        if (q->width > 1) continue;
        q->fill(q->owner, &now, &row);
        if (strcmp(q->name, "center/velocity") == 0) SAME(row, 2);
        if (strcmp(q->name, "center/displacement") == 0) SAME(row, 3);
        if (strcmp(q->name, "momentum/linear") == 0) SAME(row, 84);
        if (strcmp(q->name, "energy/total") == 0) SAME(row, 42 / 2.0 * (4 + 1 / 3.0)); /* mean of (1 + x)^2 */
    }
    sg_quantities_release(&list);
    fixture_release(&f);
}
END_TEST

Suite *sg_suite_model(void)
{
    Suite *suite = suite_create("model");
    TCase *cases = tcase_create("model");
    tcase_add_checked_fixture(cases, NULL, release_arena);
    tcase_add_loop_test(cases, bar_matrices_equal_hand_formulas, 0, 3);
    tcase_add_test(cases, a_rigid_motion_has_no_strain);
    tcase_add_loop_test(cases, first_frequency_converges, 0, 3);
    tcase_add_test(cases, static_elongation_equals_closed_form);
    tcase_add_test(cases, particles_have_springs_and_dashpots);
    tcase_add_test(cases, classes_follow_the_bandwidth);
    tcase_add_test(cases, nodes_are_found_by_name);
    tcase_add_test(cases, fixed_dofs_are_eliminated);
    tcase_add_test(cases, initial_fields_add_up);
    tcase_add_test(cases, a_support_holds_where_the_node_starts);
    tcase_add_test(cases, damping_is_a_sum_of_mass_and_stiffness);
    tcase_add_test(cases, ratios_fix_alpha_and_beta);
    tcase_add_test(cases, quantities_have_their_shapes);
    tcase_add_test(cases, centers_and_momentum_are_weighted_by_mass);
    suite_add_tcase(suite, cases);
    return suite;
}
