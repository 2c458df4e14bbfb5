/* The body `plane` in models: sets of nodes, supports, loads and contacts on them, stresses, free fall,
 * impacts. */
#include "plane_fixture.h"
#undef NEAR
#include "run_fixture.h"

#define MATERIAL "modulus = 200.0; poisson = 0.3; density = 1.5; thickness = 0.7; "
#define BLOCK(rest)                                                                                          \
    "bodies = ( { type = \"plane\"; name = \"b\"; width = 2.0; height = 1.0; nx = 3; ny = 2; "               \
    "position = [5.0, 1.0]; " MATERIAL rest "} ); "

/* --- sets ----------------------------------------------------------------------------------------- */

static double x_of(const struct fixture *f, size_t node, size_t axis)
{
    return f->system->labels.node_positions[2 * node + axis];
}

/* Chains of edges go around with the body on their left: the boundary's encloses the area, and no other. */
START_TEST(boundary_encloses_the_body)
{
    struct plane_mesh mesh = {plane_shapes[_i], 2, 1, 3, 2, "strain"};
    struct fixture f = plane_model(&mesh);
    struct sg_node_list boundary = plane_nodes(f.system, "b.boundary");
    double area = 0;
    for (size_t k = 0; k < boundary.set->edge_count; k++) {
        const struct sg_set_edge *edge = &boundary.set->edges[k], *next = edge + 1;
        if (k + 1 == boundary.set->edge_count) next = boundary.set->edges;
        ck_assert_uint_eq(edge->node[1], next->node[0]);
        size_t a = edge->node[0], b = edge->node[1];
        area += (x_of(&f, a, 0) * x_of(&f, b, 1) - x_of(&f, b, 0) * x_of(&f, a, 1)) / 2;
    }
    NEAR(area, 2, 1e-14);
    size_t sum = 0;
    static const char *const sides[] = {"b.bottom", "b.right", "b.top", "b.left"};
    for (size_t s = 0; s < 4; s++) {
        struct sg_node_list side = plane_nodes(f.system, sides[s]);
        sum += side.count - 1; /* corners are in two */
        for (size_t k = 0; k < side.count; k++) {
            double at = x_of(&f, sg_node_list_at(&side, k), s % 2 == 0 ? 1 : 0);
            NEAR(at, s == 0 ? -0.5 : s == 1 ? 1 : s == 2 ? 0.5 : -1, 1e-15);
        }
    }
    ck_assert_uint_eq(sum, boundary.count);
    NEAR(f.system->names->bodies[0].mass, 2 * 1.5 * 0.7, 1e-13);
    fixture_release(&f);
}
END_TEST

/* sixteen of a disk's chords would be less; the paper's digits */
START_TEST(circle_is_the_paper_s)
{
    struct fixture f = fixture_model("bodies = ( { type = \"plane\"; name = \"b\"; shape = \"circle\"; "
                                     "radius = 0.5; modulus = 1000.0; poisson = 0.0001; density = 1.0; } );");
    NEAR(f.system->names->bodies[0].mass, 0.776142, 5e-7);
    struct sg_node_list rim = plane_nodes(f.system, "b.boundary");
    ck_assert_uint_eq(rim.count, 8);
    for (size_t k = 0; k < 8; k++) {
        size_t node = sg_node_list_at(&rim, k);
        NEAR(hypot(x_of(&f, node, 0), x_of(&f, node, 1)), 0.5, 1e-16);
    }
    fixture_release(&f);
}
END_TEST

START_TEST(names_of_sets_stand_for_all_nodes)
{
    struct run run;
    PREPARE(&run,
            BLOCK("") "supports = ( { node = \"b.top\"; axes = \"y\"; } ); "
                      "initial = ( { node = \"b.bottom\"; velocity_vector = [0.0, 3.0]; } ); "
                      "contacts = ( { type = \"plane\"; node = \"b.left\"; normal = [1.0, 0.0]; gap = 0.1; },"
                      " { type = \"plane\"; name = \"floor\"; node = \"b.bottom\"; normal = [0.0, 1.0]; "
                      "   point = [0.0, 0.0]; } ); "
                      "loads = ( { type = \"force\"; node = \"b.right\"; direction = [1.0, 0.0]; "
                      "   signal = { type = \"constant\"; value = 2.0; }; } ); "
                      "integrator = { type = \"trapezoidal\"; operator = \"nodal\"; }; strategy = { type = "
                      "\"time-stepping\"; "
                      "level = \"position\"; }; time = { end = 0.1; step = 0.01; }; "
                      "output = { nodes = [\"b.top\", \"b.0\"]; };");
    const struct sg_system *system = run.job.system;
    const struct sg_contact_set *set = run.job.contacts;
    ck_assert_uint_eq(system->n, 24 - 4);
    ck_assert_uint_eq(run.job.chosen.count, 2 * 5);
    ck_assert_uint_eq(set->q, 3 + 4);
    ck_assert_str_eq(set->names[0], "b.8-plane");
    ck_assert_str_eq(set->names[3], "floor.1");
    ck_assert_str_eq(set->names[6], "floor.4");
    ck_assert(set->entry[2] == 0 && set->entry[3] == 1 && set->entry[6] == 1);
    for (size_t j = 3; j < 7; j++) NEAR(set->offset[j], 1, 0);
    double *v = plane_zeros(system->n_full), *push = plane_zeros(system->n_full);
    sg_system_expand(system, system->v0, 0, 1, v);
    for (size_t i = 0; i < 4; i++) NEAR(v[2 * i + 1], 3, 1e-12);
    for (size_t i = 4; i < 12; i++) NEAR(v[2 * i + 1], 0, 1e-12);
    ck_assert_uint_eq(system->load_count, 1);
    for (size_t i = 0; i < system->n; i++) push[system->free_dof[i]] = system->loads[0].pattern[i];
    for (size_t i = 0; i < 24; i++) NEAR(push[i], i % 2 == 0 && i / 2 % 4 == 3 ? 1 : 0, 0);
    free(v);
    free(push);
    run_release(&run);
}
END_TEST

START_TEST(faults_are_told)
{
    static const char *const faults[][2] = {
        {"shape = \"circle\"; width = 1.0; radius = 1.0;", "is used with shape = \"rectangle\" only"},
        {"width = 1.0; height = 1.0; nx = 2;", "is needed by shape = \"rectangle\""},
        {"width = 1.0; height = 1.0; nx = 2; ny = 2; position = [1.0e17, 0.0];", "can't be resolved"},
    };
    for (size_t k = 0; k < sizeof faults / sizeof *faults; k++) {
        char deck[512];
        snprintf(deck, sizeof deck, "bodies = ( { type = \"plane\"; " MATERIAL "%s } );", faults[k][0]);
        fixture_refused(deck, SG_BAD_DECK, faults[k][1]);
    }
    fixture_refused(
        "bodies = ( { type = \"plane\"; width = 1.0; height = 1.0; nx = 1; ny = 1; modulus = 1.0; "
        "poisson = 0.5; density = 1.0; } );",
        SG_BAD_DECK, "no finite stiffness");
    fixture_refused(BLOCK("") "elements = ( { type = \"spring\"; nodes = [\"b.0\", \"b.top\"]; "
                              "stiffness = 1.0; } );",
                    SG_BAD_DECK, "'b.top' is a set of 4 nodes where one is meant");
    fixture_refused(BLOCK("") "supports = ( { node = \"b.middle\"; } );", SG_BAD_DECK,
                    "its sets of nodes are \"bottom\", \"right\", \"top\", \"left\", \"boundary\"");
}
END_TEST

/* --- motion --------------------------------------------------------------------------------------- */

#define FALL                                                                                                 \
    "loads = ( { type = \"gravity\"; acceleration = -9.81; direction = [0.0, 1.0]; } ); "                    \
    "integrator = { type = \"trapezoidal\"; operator = \"nodal\"; }; "                                       \
    "strategy = { type = \"time-stepping\"; level = \"position\"; }; time = { end = 1.0; step = 0.125; };"

/* One cell of each kind falls as a point does: the trapezoidal rule is exact for parabolas, so that the rest
 * is rounding of the solves with the consistent mass. */
START_TEST(elements_fall_freely)
{
    struct run run;
    char deck[1024];
    snprintf(deck, sizeof deck,
             "bodies = ( { type = \"plane\"; name = \"b\"; width = 2.0; height = 1.0; nx = 1; ny = 1; "
             "element = \"%s\"; rotation = 0.3; " MATERIAL "} ); " FALL,
             sg_element_shape_name(plane_shapes[_i]));
    RUN(&run, deck);
    const struct run_row *end = run_last(&run);
    for (size_t i = 0; i < run.job.system->n_full; i++) {
        NEAR(end->u[i], i % 2 == 1 ? -9.81 / 2 : 0, 1e-11);
        NEAR(end->v[i], i % 2 == 1 ? -9.81 : 0, 1e-11);
    }
    run_release(&run);
}
END_TEST

/* A linear problem with unilateral contact is positively homogeneous: twice the speed and twice the gap give
 * twice the motion. Doubling is exact in binary, so that all bits agree. */
#define THROWN(speed, gap)                                                                                   \
    BLOCK("")                                                                                                \
    "initial = ( { body = \"b\"; velocity_vector = [0.25, " speed "]; } ); "                                 \
    "contacts = ( { type = \"plane\"; node = \"b.bottom\"; normal = [0.0, 1.0]; gap = " gap "; } );"         \
    "integrator = { type = \"trapezoidal\"; operator = \"nodal\"; }; strategy = { type = "                   \
    "\"time-stepping\"; level = \"position\"; }; time = { end = 1.0; step = 0.01; };"

START_TEST(motions_scale_with_the_speed)
{
    struct run one, two;
    RUN(&one, THROWN("-1.0", "0.125"));
    RUN(&two, THROWN("-2.0", "0.25"), "initial.[0].velocity_vector=[0.5, -2.0]");
    size_t touched = 0;
    for (size_t k = 0; k < one.count; k++) {
        for (size_t i = 0; i < one.job.system->n_full; i++) {
            ck_assert(2 * one.rows[k].u[i] == two.rows[k].u[i]);
            ck_assert(2 * one.rows[k].v[i] == two.rows[k].v[i]);
        }
        for (size_t j = 0; j < one.job.contacts->q; j++) {
            ck_assert(2 * one.rows[k].force[j] == two.rows[k].force[j]);
            touched += one.rows[k].force[j] > 0 ? 1 : 0;
        }
    }
    ck_assert_uint_gt(touched, 8);
    run_release(&one);
    run_release(&two);
}
END_TEST

/* --- stresses ------------------------------------------------------------------------------------- */

static void fill(const struct run *run, const char *name, double *row)
{
    const struct sg_quantities *list = &run->job.quantities;
    const struct sg_snapshot now = {.u = run->job.system->u0, .v = run->job.system->v0};
    for (size_t k = 0; k < list->count; k++) {
        if (strcmp(list->items[k].name, name) != 0) continue;
        ck_assert(list->items[k].on_request);
        list->items[k].fill(list->items[k].owner, &now, row);
        return;
    }
    ck_abort_msg("no quantity %s", name);
}

static double power_two(double x)
{
    return x * x;
}

/* Stretched along x by 1e-3 at fixed width: sigma_xx and sigma_yy of Hooke's law, also at the nodes, and of
 * von Mises the formula of principal stresses. */
START_TEST(stresses_are_hooke_s)
{
    bool strain = _i % 2 == 0;
    char deck[1024];
    struct run run;
    snprintf(deck, sizeof deck,
             BLOCK("element = \"%s\"; state = \"%s\"; ") "initial = ( { body = \"b\"; displacement_slope = "
                                                         "1.0e-3; } ); " FALL,
             sg_element_shape_name(plane_shapes[_i / 2]), strain ? "strain" : "stress");
    PREPARE(&run, deck);
    size_t elements = run.job.system->labels.element_count, nodes = run.job.system->labels.node_count;
    double *row = plane_zeros(3 * nodes + 3 * elements), e = 200, nu = 0.3;
    double xx = strain ? 1e-3 * e * (1 - nu) / ((1 + nu) * (1 - 2 * nu)) : 1e-3 * e / (1 - nu * nu);
    double yy = strain ? 1e-3 * e * nu / ((1 + nu) * (1 - 2 * nu)) : nu * xx, zz = strain ? yy : 0;
    double mises = sqrt((power_two(xx - yy) + power_two(yy - zz) + power_two(zz - xx)) / 2);
    fill(&run, "stress", row);
    for (size_t k = 0; k < elements; k++) {
        NEAR(row[3 * k], xx, 1e-13);
        NEAR(row[3 * k + 1], yy, 1e-13);
        NEAR(row[3 * k + 2], 0, 1e-13);
    }
    fill(&run, "stress_node", row);
    for (size_t k = 0; k < nodes; k++) {
        NEAR(row[3 * k], xx, 1e-13);
        NEAR(row[3 * k + 1], yy, 1e-13);
    }
    fill(&run, "von_mises", row);
    for (size_t k = 0; k < elements; k++) NEAR(row[k], mises, 1e-13);
    fill(&run, "von_mises_node", row);
    for (size_t k = 0; k < nodes; k++) NEAR(row[k], mises, 1e-13);
    free(row);
    run_release(&run);
}
END_TEST

Suite *sg_suite_plane(void)
{
    Suite *suite = suite_create("plane");
    TCase *tests = tcase_create("body plane");
    tcase_add_loop_test(tests, boundary_encloses_the_body, 0, PLANE_SHAPES);
    tcase_add_test(tests, circle_is_the_paper_s);
    tcase_add_test(tests, names_of_sets_stand_for_all_nodes);
    tcase_add_test(tests, faults_are_told);
    tcase_add_loop_test(tests, elements_fall_freely, 0, PLANE_SHAPES);
    tcase_add_test(tests, motions_scale_with_the_speed);
    tcase_add_loop_test(tests, stresses_are_hooke_s, 0, 2 * PLANE_SHAPES);
    suite_add_tcase(suite, tests);
    return suite;
}
