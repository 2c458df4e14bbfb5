/* Models in two and three dimensions: names, momenta, supports, loads and initial states by axis. */
#include "analyses/transient.h"
#include "model_fixture.h"
#undef NEAR
#include "run_fixture.h"

/* has what a test makes */
static struct sg_arena arena;

static void release_arena(void)
{
    sg_arena_release(&arena);
}

/* --- names and shapes ----------------------------------------------------------------------------- */

#define PAIR_2D                                                                                              \
    "bodies = ( { type = \"particles\"; name = \"p\"; dim = 2; positions = [1.0, 2.0, -3.0, 0.5];"           \
    " masses = [2.0, 3.0]; }, { type = \"particles\"; name = \"q\"; dim = 2; positions = [4.0, 4.0];"        \
    " masses = [5.0]; } );"

#define TRIPLE_3D                                                                                            \
    "bodies = ( { type = \"particles\"; name = \"p\"; dim = 3;"                                              \
    " positions = [1.0, 2.0, -0.5, -3.0, 0.5, 2.0, 0.25, -1.0, 1.5]; masses = [2.0, 3.0, 0.5]; } );"

static const struct sg_quantity *quantity(const struct sg_quantities *list, const char *name)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i].name, name) == 0) return &list->items[i];
    ck_abort_msg("no quantity '%s'", name);
}

static size_t width_of(const struct sg_system *system, const char *name)
{
    struct sg_quantities list = {0};
    sg_system_register(system, &list);
    size_t width = quantity(&list, name)->width;
    sg_quantities_release(&list);
    return width;
}

START_TEST(dofs_are_named_by_node_and_axis)
{
    struct fixture f = fixture_model(PAIR_2D);
    const char *const expected[] = {"p.0.x", "p.0.y", "p.1.x", "p.1.y", "q.0.x", "q.0.y"};
    const struct sg_model_labels *labels = &f.system->labels;
    ck_assert_uint_eq(labels->dof_count, 6);
    ck_assert_uint_eq(labels->node_count, 3);
    ck_assert_uint_eq(labels->dim, 2);
    for (size_t i = 0; i < 6; i++) ck_assert_str_eq(labels->dof_names[i], expected[i]);
    struct sg_node_ref ref;
    ck_assert(
        sg_system_find_node(f.system, &(struct sg_node_name){"p.left", NULL, "node"}, &f.diagnostics, &ref));
    ck_assert_uint_eq(ref.node, 1); /* the smallest x */
    ck_assert_uint_eq(ref.full_dof, 2);
    ck_assert(ref.position[0] == -3.0 && ref.position[1] == 0.5 && ref.position[2] == 0);
    fixture_release(&f);
}
END_TEST

START_TEST(a_bar_has_one_coordinate_as_ever)
{
    struct fixture f = fixture_model(BAR("elements = 2;"));
    ck_assert_uint_eq(f.system->dim, 1);
    ck_assert_str_eq(f.system->labels.dof_names[2], "bar.2");
    ck_assert_uint_eq(width_of(f.system, "momentum/linear"), 1);
    ck_assert_uint_eq(width_of(f.system, "momentum/angular"), 0);
    ck_assert_uint_eq(width_of(f.system, "center/velocity"), 1);
    fixture_release(&f);
}
END_TEST

START_TEST(histories_are_as_wide_as_the_space)
{
    struct fixture f = fixture_model(PAIR_2D), g = fixture_model(TRIPLE_3D);
    ck_assert_uint_eq(width_of(f.system, "displacement"), 6);
    ck_assert_uint_eq(width_of(f.system, "momentum/linear"), 2);
    ck_assert_uint_eq(width_of(f.system, "momentum/angular"), 0);
    ck_assert_uint_eq(width_of(f.system, "center/displacement"), 4);
    ck_assert_uint_eq(width_of(g.system, "displacement"), 9);
    ck_assert_uint_eq(width_of(g.system, "momentum/linear"), 3);
    ck_assert_uint_eq(width_of(g.system, "momentum/angular"), 3);
    ck_assert_uint_eq(width_of(g.system, "center/displacement"), 3);
    fixture_release(&f);
    fixture_release(&g);
}
END_TEST

/* --- momenta -------------------------------------------------------------------------------------- */

static void record(const struct sg_system *system, const char *name, const struct sg_snapshot *now,
                   double *row)
{
    struct sg_quantities list = {0};
    sg_system_register(system, &list);
    const struct sg_quantity *asked = quantity(&list, name);
    asked->fill(asked->owner, now, row);
    sg_quantities_release(&list);
}

/* v = w x r about the origin: L = sum m (r . r w - r . w r), at current coordinates */
START_TEST(rigid_rotation_has_its_angular_momentum)
{
    struct fixture f = fixture_model(TRIPLE_3D);
    static const double mass[] = {2.0, 3.0, 0.5}, w[] = {0.5, -1.25, 2.0}, shift[] = {0.75, -0.5, 0.25};
    double u[9], v[9], expected[3] = {0}, row[3];
    for (size_t k = 0; k < 3; k++) {
        double r[3], product = 0, square = 0;
        for (size_t d = 0; d < 3; d++) {
            u[3 * k + d] = shift[(k + d) % 3];
            r[d] = f.system->labels.node_positions[3 * k + d] + u[3 * k + d];
            product += r[d] * w[d];
            square += r[d] * r[d];
        }
        for (size_t d = 0; d < 3; d++) {
            size_t e = (d + 1) % 3, g = (d + 2) % 3;
            v[3 * k + d] = w[e] * r[g] - w[g] * r[e];
            expected[d] += mass[k] * (square * w[d] - product * r[d]);
        }
    }
    struct sg_snapshot now = {.u = u, .v = v};
    record(f.system, "momentum/angular", &now, row);
    for (size_t d = 0; d < 3; d++) NEAR(row[d], expected[d], 1e-14 * 60); /* roundings of terms up to 60 */
    fixture_release(&f);
}
END_TEST

/* a driven node, a held coordinate and a free one: all count, where they are now */
START_TEST(prescribed_motion_counts_in_all_momenta)
{
    struct fixture f =
        fixture_model(PAIR_2D "supports = ( { node = \"p.0\"; axes = \"y\"; quantity = \"velocity\";"
                              "  motion = { type = \"constant\"; value = 0.5; }; }, { node = \"q\"; } );");
    const struct sg_system *s = f.system;
    ck_assert_uint_eq(s->n, 3); /* p.0.x, p.1.x, p.1.y */
    double u[] = {0.25, 0.5, -1.0}, v[] = {2.0, -1.0, 3.0}, row[4];
    struct sg_snapshot now = {.t = 4.0, .u = u, .v = v};
    record(s, "momentum/linear", &now, row);
    SAME(row[0], 2 * 2.0 + 3 * -1.0);
    SAME(row[1], 2 * 0.5 + 3 * 3.0);
    record(s, "momentum/angular", &now, row);
    /* p.0 at (1.25, 2 + 0.5 t), p.1 at (-2.5, -0.5) */
    SAME(row[0], 2 * (1.25 * 0.5 - 4.0 * 2.0) + 3 * (-2.5 * 3.0 + 0.5 * -1.0));
    record(s, "center/displacement", &now, row);
    SAME(row[0], (2 * 0.25 + 3 * 0.5) / 5);
    SAME(row[1], (2 * 2.0 + 3 * -1.0) / 5);
    ck_assert(row[2] == 0 && row[3] == 0);
    record(s, "center/velocity", &now, row);
    SAME(row[1], (2 * 0.5 + 3 * 3.0) / 5);
    SAME(sg_system_kinetic(s, v, 4.0), (2 * 4.0 + 2 * 0.25 + 3 * 1.0 + 3 * 9.0) / 2);
    fixture_release(&f);
}
END_TEST

/* M 1 of a consistent mass matrix, prescribed end included */
START_TEST(consistent_bar_keeps_its_momentum)
{
    struct fixture f =
        fixture_model(BAR("elements = 4;") "supports = ( { node = \"bar.left\"; quantity = \"velocity\";"
                                           "  motion = { type = \"constant\"; value = 2.0; }; } );");
    double u[4] = {0}, v[4] = {2, 2, 2, 2}, row[1];
    struct sg_snapshot now = {.u = u, .v = v};
    record(f.system, "momentum/linear", &now, row);
    SAME(row[0], 42 * 2.0); /* rho A L v */
    record(f.system, "momentum/angular", &now, row);
    ck_assert(row[0] == 0);
    record(f.system, "center/velocity", &now, row);
    SAME(row[0], 2.0);
    fixture_release(&f);
}
END_TEST

/* --- discrete beam -------------------------------------------------------------------------------- */

#define BEAM(more)                                                                                           \
    "bodies = ( { type = \"discrete_beam\"; name = \"b\"; positions = [-0.5, 0.0, 0.5, 1.0, 1.5];"           \
    " y = 0.25; masses = [1.0, 2.0, 3.0, 2.0, 1.0]; bending_stiffness = 0.75; " more "} );"

static double bent(const struct sg_system *s, const double *y)
{
    return sg_system_strain(s, y, 0);
}

START_TEST(beam_bends_as_its_energy_says)
{
    struct fixture f = fixture_model(BEAM(""));
    const struct sg_system *s = f.system;
    ck_assert_uint_eq(s->n, 5); /* x is held by the body */
    ck_assert_uint_eq(s->n_full, 10);
    double rise[5], tilt[5], parabola[5], wave[] = {1, -1, 1, -1, 1};
    for (size_t i = 0; i < 5; i++) {
        double x = s->labels.node_positions[2 * i];
        ck_assert(s->labels.node_positions[2 * i + 1] == 0.25);
        ck_assert_uint_eq(s->free_dof[i], 2 * i + 1);
        rise[i] = 1;
        tilt[i] = x;
        parabola[i] = 3 * x * x;
    }
    /* binary fractions all: no rounding */
    ck_assert(bent(s, rise) == 0 && bent(s, tilt) == 0);
    NEAR(bent(s, parabola), 0.75 * 0.5 / 2 * 3 * 36, 0); /* three inner nodes of curvature 6 */
    NEAR(bent(s, wave), 0.75 * 0.5 / 2 * 3 * 16 * 16, 0);
    fixture_release(&f);
}
END_TEST

START_TEST(beam_has_two_rigid_modes)
{
    struct fixture f = fixture_model(BEAM(""));
    struct sg_modal *modal = NULL;
    ck_assert_int_eq(sg_modal_create(&arena, &f.system->M, &f.system->K, &modal, &f.err), SG_OK);
    /* rounding is set to 0 by the modal basis */
    ck_assert(modal->k[0] == 0 && modal->k[1] == 0);
    ck_assert_double_gt(modal->k[2], 0.1);
    fixture_release(&f);
}
END_TEST

/* first frequency of a free-free beam with kb = rho A = length = 1: (cos l cosh l = 1: l = 4.7300407449) */
static double frequency_error(int elements)
{
    struct sg_text deck = {0};
    sg_text_append(&deck, "bodies = ( { type = \"discrete_beam\"; bending_stiffness = 1.0; positions = [");
    for (int i = 0; i <= elements; i++)
        sg_text_append(&deck, "%s%.17e", i == 0 ? "" : ", ", (double)i / elements);
    sg_text_append(&deck, "]; masses = [");
    for (int i = 0; i <= elements; i++)
        sg_text_append(&deck, "%s%.17e", i == 0 ? "" : ", ",
                       (i == 0 || i == elements ? 0.5 : 1.0) / elements);
    sg_text_append(&deck, "]; } );");
    struct fixture f = fixture_model(sg_text_view(&deck));
    struct sg_modal *modal = NULL;
    ck_assert_int_eq(sg_modal_create(&arena, &f.system->M, &f.system->K, &modal, &f.err), SG_OK);
    double error = fabs(sqrt(modal->k[2]) / pow(4.730040744862704, 2) - 1);
    fixture_release(&f);
    sg_text_release(&deck);
    return error;
}

START_TEST(beam_becomes_the_continuous_one)
{
    double coarse = frequency_error(20), fine = frequency_error(40);
    BELOW(fine, 5e-3);
    NEAR(coarse / fine, 4, 0.2); /* order 2; the next order is seen at 20 elements */
}
END_TEST

START_TEST(modes_of_a_beam_keep_momenta_and_centers)
{
    struct fixture f = fixture_model(BEAM("") "initial = ( { body = \"b\"; velocity_vector = [0.0, 1.5];"
                                              "  velocity_slope = 0.5; axis = \"y\"; } );");
    struct sg_system *s = f.system;
    double nodal[4][2] = {{0}}, row[2];
    const char *const names[] = {"momentum/linear", "momentum/angular", "center/velocity",
                                 "center/displacement"};
    struct sg_snapshot now = {.u = s->u0, .v = s->v0};
    for (size_t k = 0; k < 4; k++) record(s, names[k], &now, nodal[k]);
    /* v_y = 1.75 + 0.5 x about x = 0: p = 9 v(0.5), L = sum m x v */
    SAME(nodal[0][1], 9 * 2.0);
    SAME(nodal[1][0], 9 * 0.5 * 1.75 + 0.5 * (1 * 0.25 + 3 * 0.25 + 2 * 1.0 + 1 * 2.25));
    SAME(nodal[2][1], 2.0);
    struct sg_modal *modal = NULL;
    ck_assert_int_eq(sg_modal_create(&arena, &s->M, &s->K, &modal, &f.err), SG_OK);
    ck_assert_int_eq(sg_system_to_modal(s, modal, &f.err), SG_OK);
    now = (struct sg_snapshot){.u = s->u0, .v = s->v0};
    for (size_t k = 0; k < 4; k++) {
        record(s, names[k], &now, row);
        NEAR(row[0], nodal[k][0], 1e-13 * 18); /* orthonormality of the modes */
        if (k != 1) NEAR(row[1], nodal[k][1], 1e-13 * 18);
    }
    fixture_release(&f);
}
END_TEST

/* --- supports, loads, initial states -------------------------------------------------------------- */

START_TEST(supports_hold_the_axes_they_name)
{
    struct fixture f = fixture_model(
        PAIR_2D "supports = ( { node = \"p.0\"; axes = \"x\"; }, { node = \"p.1\"; axes = \"yx\"; } );"
                "initial = ( { node = \"p.0\"; displacement_vector = [0.5, 0.0]; } );");
    const struct sg_system *s = f.system;
    const bool free_dof[] = {false, true, false, false, true, true};
    for (size_t i = 0; i < 6; i++) ck_assert(free_dof[i] == (s->free_of_full[i] != SIZE_MAX));
    /* what starts displaced is held there, in a motion of its own */
    double u[3] = {0}, full[6];
    sg_system_expand(s, u, 3.0, 0, full);
    ck_assert(full[0] == 0.5 && full[1] == 0 && full[2] == 0);
    fixture_release(&f);
}
END_TEST

START_TEST(a_support_of_what_a_body_holds_is_no_fault)
{
    struct fixture f = fixture_model(BEAM("") "supports = ( { node = \"b.left\"; } );");
    ck_assert_uint_eq(f.system->n, 4);
    ck_assert_uint_eq(f.diagnostics.count, 0);
    fixture_release(&f);
}
END_TEST

START_TEST(loads_act_along_their_direction)
{
    struct fixture f = fixture_model(
        PAIR_2D
        "loads = ( { type = \"gravity\"; acceleration = -10.0; },"
        "  { type = \"gravity\"; acceleration = 2.0; direction = [3.0, -4.0]; },"
        "  { type = \"force\"; node = \"p.1\"; direction = [0.0, -2.0]; signal = { type = \"constant\";"
        "    value = 7.0; }; } );");
    double load[6];
    sg_system_load(f.system, 1.0, load);
    SAME(load[0], 2 * 1.2);
    SAME(load[1], 2 * -11.6);
    SAME(load[2], 3 * 1.2);
    SAME(load[3], 3 * -11.6 - 7);
    SAME(load[5], 5 * -11.6);
    double u[] = {1, 2, 0, 0, 0, 0.5};
    SAME(sg_system_gravity_energy(f.system, u, 0), -(2 * 1.2 + 2 * -11.6 * 2 + 5 * -11.6 * 0.5));
    fixture_release(&f);
}
END_TEST

START_TEST(initial_states_are_vectors)
{
    struct fixture f = fixture_model(
        PAIR_2D
        "initial = ( { body = \"p\"; displacement_vector = [1.0, -2.0]; velocity_vector = [0.5, 0.25];"
        "  velocity_slope = 2.0; axis = \"y\"; }, { node = \"q\"; velocity_vector = [0.0, 9.0]; } );");
    const double u[] = {1, -2, 1, -2, 0, 0}, v[] = {0.5, 0.25 + 8, 0.5, 0.25, 0, 9};
    for (size_t i = 0; i < 6; i++) ck_assert(f.system->u0[i] == u[i] && f.system->v0[i] == v[i]);
    fixture_release(&f);
}
END_TEST

static const struct {
    const char *deck, *words;
} faults[] = {
    {"bodies = ( { type = \"particles\"; name = \"a\"; positions = [0.0]; masses = [1.0]; },"
     " { type = \"discrete_beam\"; name = \"b\"; positions = [0, 1, 2]; masses = [1, 1, 1];"
     " bending_stiffness = 1; } );",
     "'b' has 2 coordinates a node, 'a' has 1"},
    {"bodies = ( { type = \"particles\"; dim = 2; positions = [0.0, 1.0, 2.0]; masses = [1.0]; } );",
     "has 3 numbers, which is no multiple of dim = 2"},
    {"bodies = ( { type = \"particles\"; dim = 2; positions = [0.0, 1.0]; masses = [1.0, 2.0]; } );",
     "has 2 numbers for 1 particle"},
    {"bodies = ( { type = \"particles\"; dim = 2; positions = [0, 1, 2, 3]; masses = [1, 2];"
     " springs = ( { nodes = [0, 1]; stiffness = 1; } ); } );",
     "elements"},
    {"bodies = ( { type = \"particles\"; dim = 3; positions = [0, 1, 2]; masses = [0.0]; } );",
     "node 'particles.0' has the mass 0 kg: "},
    {"bodies = ( { type = \"discrete_beam\"; positions = [0.0, 1.0, 2.1]; masses = [1, 1, 1];"
     " bending_stiffness = 1; } );",
     "they must be equal"},
    {"bodies = ( { type = \"discrete_beam\"; positions = [2.0, 1.0, 0.0]; masses = [1, 1, 1];"
     " bending_stiffness = 1; } );",
     "they must be equal"},
    {"bodies = ( { type = \"discrete_beam\"; positions = [0.0, 1.0, 2.0]; masses = [1, 1, 1, 1];"
     " bending_stiffness = 1; } );",
     "has 4 numbers where 'positions' has 3"},
    {PAIR_2D "supports = ( { node = \"q\"; axes = \"z\"; } );",
     "'z' is not made of different letters out of \"xy\""},
    {PAIR_2D "supports = ( { node = \"q\"; axes = \"xx\"; } );", "'xx' is not made of"},
    {PAIR_2D "supports = ( { node = \"q\"; axes = \"\"; } );", "is empty"},
    {PAIR_2D "supports = ( { node = \"q\"; axes = \"y\"; }, { node = \"q\"; } );",
     "'q.0.y' is supported twice"},
    {PAIR_2D
     "supports = ( { node = \"q\"; motion = { type = \"harmonic\"; amplitude = 1; frequency = 1; }; } );",
     "moves one coordinate"},
    {BEAM("") "supports = ( { node = \"b.0\"; axes = \"x\"; motion = { type = \"harmonic\"; amplitude = 1;"
              " frequency = 1; }; } );",
     "'b.0.x' can't move: its body holds it"},
    {BEAM("") "initial = ( { body = \"b\"; velocity_vector = [1.0, 0.0]; } );", "which its body holds"},
    {PAIR_2D "initial = ( { body = \"p\"; velocity = 1.0; } );", "give an array of 2 numbers"},
    {PAIR_2D "initial = ( { body = \"p\"; displacement_vector = [1.0]; } );",
     "has 1 number where a node has 2 coordinates"},
    {PAIR_2D "initial = ( { body = \"p\"; velocity = [1.0, 2.0, 3.0]; } );",
     "has 3 numbers where a node has 2 coordinates"},
    {PAIR_2D "initial = ( { body = \"p\"; displacement = [1.0, 0.0]; displacement_vector = [1.0, 0.0]; } );",
     "give either 'displacement' or 'displacement_vector', not both"},
    {BAR("elements = 1;") "initial = ( { body = \"bar\"; velocity = [1.0, 2.0]; } );",
     "has 2 numbers where a node has 1 coordinate"},
    {PAIR_2D "initial = ( { body = \"p\"; axis = \"z\"; } );", "z is no axis of a model in 2-D"},
    {PAIR_2D "initial = ( { body = \"p\"; }, { node = \"p.1\"; } );", "'p.1' has an initial state already"},
    {PAIR_2D "initial = ( { body = \"p\"; node = \"p.1\"; } );", "give either 'body' or 'node', not both"},
    {PAIR_2D "initial = ( { velocity_vector = [1.0, 0.0]; } );", "give either 'body' or 'node'"},
    {BAR("elements = 1;") "initial = ( { body = \"bar\"; velocity = 1.0; velocity_vector = [1.0]; } );",
     "give either 'velocity' or 'velocity_vector', not both"},
    {PAIR_2D "loads = ( { type = \"force\"; node = \"q\"; signal = { type = \"constant\"; value = 1; }; } );",
     "must be given: a node has 2 coordinates"},
    {PAIR_2D "loads = ( { type = \"gravity\"; acceleration = 1.0; direction = [1.0]; } );",
     "has 1 number where a node has 2 coordinates"},
    {PAIR_2D "loads = ( { type = \"gravity\"; acceleration = 1.0; direction = [0.0, 0.0]; } );",
     "has the length 0: it points nowhere"},
};

START_TEST(faults_are_told)
{
    fixture_refused(faults[_i].deck, SG_BAD_DECK, faults[_i].words);
}
END_TEST

/* One thing said in several ways: the same numbers, bit by bit. */
static const struct {
    const char *one, *other;
} sayings[] = {
    {PAIR_2D "initial = ( { body = \"p\"; velocity = [1.0, -2.0]; displacement = [0.5, 0.0]; } );", PAIR_2D
     "initial = ( { body = \"p\"; velocity_vector = [1.0, -2.0]; displacement_vector = [0.5, 0.0]; } );"},
    {PAIR_2D "initial = ( { node = \"p.1\"; velocity = (1, 2.5); } );",
     PAIR_2D "initial = { node = \"p.1\"; velocity = [1.0, 2.5]; };"},
    {BAR("elements = 3;") "initial = ( { body = \"bar\"; velocity = 2; displacement = 1.5; } );",
     BAR("elements = 3;") "initial = { body = \"bar\"; velocity = [2.0]; displacement_vector = [1.5]; };"},
    {BAR("elements = 3;") "initial = { body = \"bar\"; velocity = 0.0; velocity_vector = [3.0]; };",
     BAR("elements = 3;") "initial = { body = \"bar\"; velocity = [3]; };"},
};

START_TEST(a_start_may_be_a_number_or_an_array)
{
    struct fixture one = fixture_model(sayings[_i].one), other = fixture_model(sayings[_i].other);
    size_t bytes = one.system->n * sizeof(double);
    double sum = 0;
    ck_assert_uint_eq(one.system->n, other.system->n);
    ck_assert_int_eq(memcmp(one.system->u0, other.system->u0, bytes), 0);
    ck_assert_int_eq(memcmp(one.system->v0, other.system->v0, bytes), 0);
    for (size_t i = 0; i < one.system->n; i++) sum += fabs(one.system->v0[i]);
    ck_assert(sum > 0);
    fixture_release(&one);
    fixture_release(&other);
}
END_TEST

START_TEST(a_force_into_supports_is_told)
{
    struct fixture f = fixture_model(
        PAIR_2D
        "supports = ( { node = \"q\"; axes = \"x\"; } );"
        "loads = ( { type = \"force\"; node = \"q\"; direction = [1.0, 0.0]; signal = { type = \"constant\";"
        "  value = 1; }; }, { type = \"force\"; node = \"q\"; direction = [1.0, 1.0]; signal ="
        "  { type = \"constant\"; value = 1; }; } );");
    ck_assert_uint_eq(f.diagnostics.count, 1); /* the second one has a part that acts */
    ck_assert_ptr_nonnull(strstr(sg_text_view(&f.findings), "loads.[0].node: 'q' is supported"));
    ck_assert_uint_eq(f.system->load_count, 1);
    fixture_release(&f);
}
END_TEST

/* --- runs ----------------------------------------------------------------------------------------- */

#define FLIGHT                                                                                               \
    "bodies = ( { type = \"particles\"; name = \"p\"; dim = 2; positions = [1.0, 2.0, 0.0, -1.0];"           \
    " masses = [2.0, 4.0]; } );"                                                                             \
    "initial = ( { node = \"p.0\"; velocity_vector = [3.0, 4.0]; } );"                                       \
    "loads = ( { type = \"gravity\"; acceleration = -9.81; } );"                                             \
    "strategy = { type = \"event-driven\"; }; time = { end = 1.0; step = 0.01; };"                           \
    "integrator = { type = \"trapezoidal\"; };"

static const char *const flights[] = {"integrator.operator=nodal", "integrator.operator=modal",
                                      "integrator={type=\"exact\";}"};

/* the parabola, and L' = - m g x; constant acceleration is exact in all of these */
START_TEST(free_flight_is_a_parabola)
{
    struct run run;
    RUN(&run, FLIGHT, flights[_i]);
    ck_assert_uint_ge(run.count, 100);
    for (size_t k = 0; k < run.count; k++) {
        const struct run_row *row = &run.rows[k];
        double t = row->t, fall = 9.81 * t * t / 2;
        NEAR(row->u[0], 3 * t, 1e-12); /* 100 steps' roundings of numbers below 10 */
        NEAR(row->u[1], 4 * t - fall, 1e-12);
        NEAR(row->u[2], 0, 1e-12);
        NEAR(row->u[3], -fall, 1e-12);
        NEAR(row->v[1], 4 - 9.81 * t, 1e-12);
        NEAR(row->gravity, 9.81 * (2 * row->u[1] + 4 * row->u[3]), 1e-11);
        NEAR(row->numerical, 0, 1e-10); /* energies of some 200 J */
    }
    fixture_near(run_last(&run)->t, 1.0, 1e-15, __LINE__);
    run_release(&run);
}
END_TEST

/* what a file would hold: sampled as the recorder does */
START_TEST(angular_momentum_follows_the_weight)
{
    struct run run;
    PREPARE(&run, FLIGHT, flights[_i], "output={nodes=[\"p.1\",\"p.0\"];}");
    const struct sg_quantities *list = &run.job.quantities;
    ck_assert_uint_eq(quantity(list, "displacement")->width, 4);
    ck_assert_uint_eq(quantity(list, "center/displacement")->width, 2);
    ck_assert_uint_eq(run.job.labels.dim, 2);
    const struct sg_system *s = run.job.system;
    struct sg_snapshot now = {.u = s->u0, .v = s->v0};
    double chosen[4], angular;
    quantity(list, "velocity")->fill(quantity(list, "velocity")->owner, &now, chosen);
    NEAR(chosen[0], 0, 1e-15); /* a mode of one mass: sqrt(m) / sqrt(m) */
    NEAR(chosen[2], 3, 1e-14);
    NEAR(chosen[3], 4, 1e-14);
    const struct sg_quantity *asked = quantity(list, "momentum/angular");
    asked->fill(asked->owner, &now, &angular);
    NEAR(angular, 2 * (1 * 4 - 2 * 3), 1e-14);
    run_go(&run);
    run_must(&run, "flight");
    const struct run_row *end = run_last(&run);
    double l = 2 * ((1 + end->u[0]) * end->v[1] - (2 + end->u[1]) * end->v[0]);
    NEAR(l, -4 - 2 * 9.81 * (1 + 1.5), 1e-11); /* -4 - m g int (1 + 3 t) dt */
    run_release(&run);
}
END_TEST

/* In 2-D with contact: archived in the middle, taken up by a fresh job, the same bit by bit. */
#define BOUNCE                                                                                               \
    FLIGHT "contacts = ( { type = \"plane\"; node = \"p.0\"; normal = [0.6, 0.8]; point = [0.0, 1.0];"       \
           " restitution = 0.5; } );"

static void save(struct run *run, struct sg_archive *archive)
{
    sg_archive_rewind(archive);
    run->job.strategy.ops->archive(&run->job.strategy, archive);
    ck_assert_int_eq(sg_archive_finish(archive, &run->err), SG_OK);
}

static void advance(struct run *run, int increments)
{
    bool done = false;
    for (int i = 0; i < increments && !done; i++)
        ck_assert_int_eq(run->job.strategy.ops->advance(&run->job.strategy, &done, &run->err), SG_OK);
}

START_TEST(resumes_in_the_plane)
{
    struct run whole, fresh;
    struct sg_archive middle = {0}, ends[2] = {{0}, {0}};
    PREPARE(&whole, BOUNCE, flights[_i], "time.end=3.0");
    PREPARE(&fresh, BOUNCE, flights[_i], "time.end=3.0");
    ck_assert_int_eq(whole.job.strategy.ops->start(&whole.job.strategy, &whole.err), SG_OK);
    advance(&whole, 150);
    save(&whole, &middle);
    middle.loading = true;
    middle.cursor = 0;
    fresh.job.strategy.ops->archive(&fresh.job.strategy, &middle);
    ck_assert_int_eq(sg_archive_finish(&middle, &fresh.err), SG_OK);
    advance(&whole, 60);
    advance(&fresh, 60);
    save(&whole, &ends[0]);
    save(&fresh, &ends[1]);
    ck_assert_uint_gt(whole.event_count, 0);
    ck_assert_uint_eq(ends[0].length, ends[1].length);
    ck_assert(memcmp(ends[0].data, ends[1].data, ends[0].length) == 0); /* the promise of --resume */
    sg_archive_release(&middle);
    for (size_t k = 0; k < 2; k++) sg_archive_release(&ends[k]);
    run_release(&whole);
    run_release(&fresh);
}
END_TEST

Suite *sg_suite_dimensions(void);
Suite *sg_suite_dimensions(void)
{
    Suite *suite = suite_create("dimensions");
    TCase *model = tcase_create("model");
    tcase_add_checked_fixture(model, NULL, release_arena);
    tcase_add_test(model, dofs_are_named_by_node_and_axis);
    tcase_add_test(model, a_bar_has_one_coordinate_as_ever);
    tcase_add_test(model, histories_are_as_wide_as_the_space);
    tcase_add_test(model, rigid_rotation_has_its_angular_momentum);
    tcase_add_test(model, prescribed_motion_counts_in_all_momenta);
    tcase_add_test(model, consistent_bar_keeps_its_momentum);
    tcase_add_test(model, supports_hold_the_axes_they_name);
    tcase_add_test(model, a_support_of_what_a_body_holds_is_no_fault);
    tcase_add_test(model, loads_act_along_their_direction);
    tcase_add_test(model, initial_states_are_vectors);
    tcase_add_loop_test(model, faults_are_told, 0, (int)(sizeof faults / sizeof *faults));
    tcase_add_loop_test(model, a_start_may_be_a_number_or_an_array, 0,
                        (int)(sizeof sayings / sizeof *sayings));
    tcase_add_test(model, a_force_into_supports_is_told);
    suite_add_tcase(suite, model);
    TCase *beam = tcase_create("discrete beam");
    tcase_add_checked_fixture(beam, NULL, release_arena);
    tcase_add_test(beam, beam_bends_as_its_energy_says);
    tcase_add_test(beam, beam_has_two_rigid_modes);
    tcase_add_test(beam, beam_becomes_the_continuous_one);
    tcase_add_test(beam, modes_of_a_beam_keep_momenta_and_centers);
    suite_add_tcase(suite, beam);
    TCase *runs = tcase_create("runs");
    tcase_add_checked_fixture(runs, NULL, release_arena);
    tcase_add_loop_test(runs, free_flight_is_a_parabola, 0, 3);
    tcase_add_loop_test(runs, angular_momentum_follows_the_weight, 0, 3);
    tcase_add_loop_test(runs, resumes_in_the_plane, 0, 3);
    suite_add_tcase(suite, runs);
    return suite;
}
