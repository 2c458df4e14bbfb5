#include <check.h>

#include "model_fixture.h"

#define TWO_BODIES                                                                                           \
    "bodies = ({type = \"particles\"; dim = 2; positions = [5.0, 6.0]; masses = [3.0];},"                    \
    "{type = \"multibody\"; name = \"m\"; positions = [1.0, 2.0, 3.0, 4.0]; masses = [2.0, 4.0];"            \
    "inertias = [0.5, 0.25];});"

/* a point has two dofs, a rigid body three; names tell them apart */
START_TEST(rigid_bodies_have_a_rotation)
{
    struct fixture f = fixture_model(TWO_BODIES);
    const struct sg_system *s = f.system;
    ck_assert_uint_eq(s->n_full, 8);
    ck_assert_uint_eq(s->dim, 2);
    ck_assert_uint_eq(sg_system_dof(s, 1, 0), 2);
    ck_assert_uint_eq(sg_system_dof(s, 2, 1), 6);
    ck_assert_uint_eq(sg_system_rotation(s, 0), SIZE_MAX);
    ck_assert_uint_eq(sg_system_rotation(s, 1), 4);
    ck_assert_str_eq(s->labels.dof_names[0], "particles.0.x");
    ck_assert_str_eq(s->labels.dof_names[4], "m.0.rotation");
    ck_assert_int_eq(s->labels.dof_nodes[7], 2);
    const double mass[8] = {3, 3, 2, 2, 0.5, 4, 4, 0.25};
    for (size_t i = 0; i < 8; i++) {
        SAME(sg_matrix_entry(&s->M, i, i), mass[i]);
        SAME(sg_system_row_mass(s, i), mass[i]);
    }
    fixture_release(&f);
}
END_TEST

/* L = sum m (x vy - y vx) + J omega of rigid bodies; one body's rotation is held */
START_TEST(momenta_of_rigid_bodies)
{
    struct fixture f =
        fixture_model(TWO_BODIES "supports = ({node = \"m.1\"; axes = \"r\";});"
                                 "initial = ({node = \"m.0\"; velocity_vector = [0.5, -1.0]; angle = 0.3;"
                                 "angular_velocity = 7.0; displacement_vector = [0.25, 0.0];},"
                                 "{node = \"m.1\"; velocity_vector = [0.0, 2.0];});");
    const struct sg_system *s = f.system;
    ck_assert_uint_eq(s->n, 7);
    SAME(s->u0[4], 0.3);
    struct sg_snapshot now = {.u = s->u0, .v = s->v0};
    double l = 0;
    sg_system_angular_momentum(s, &now, &l);
    /* by hand: body 0 at (1.25, 2), body 1 at (3, 4) */
    SAME(l, 2 * (1.25 * -1.0 - 2 * 0.5) + 0.5 * 7 + 4 * (3 * 2.0));
    SAME(sg_system_kinetic(s, s->v0, 0), 0.5 * 2 * 1.25 + 0.5 * 0.5 * 49 + 0.5 * 4 * 4);
    /* rotations have no part in linear momentum */
    double p[2] = {0, 0};
    for (size_t i = 0; i < s->n; i++)
        for (size_t d = 0; d < 2; d++) p[d] += s->momentum[i + d * s->n] * s->v0[i];
    SAME(p[0], 2 * 0.5);
    SAME(p[1], 2 * -1.0 + 4 * 2.0);
    fixture_release(&f);
}
END_TEST

static const struct {
    const char *deck, *finding;
} wrong[] = {
    {TWO_BODIES "supports = ({node = \"particles\"; axes = \"r\";});",
     "'r' is not made of different letters out of \"xy\""},
    {TWO_BODIES "supports = ({node = \"m.0\"; axes = \"xz\";});",
     "'xz' is not made of different letters out of \"xyr\""},
    {TWO_BODIES "initial = ({body = \"particles\"; angular_velocity = 1.0;});",
     "'particles.0' has no rotation that could have an initial value"},
    {TWO_BODIES
     "loads = ({type = \"moment\"; node = \"particles\"; signal = {type = \"constant\"; value = 1.0;};});",
     "'particles.0' has no rotation that a moment could turn"},
    {"bodies = ({type = \"multibody\"; positions = [0.0, 0.0]; masses = [1.0, 2.0]; inertias = [1.0];});",
     "has 2 numbers for 1 rigid body"},
};

START_TEST(wrong_rotations_are_told)
{
    fixture_refused(wrong[_i].deck, SG_BAD_DECK, wrong[_i].finding);
}
END_TEST

Suite *sg_suite_multibody(void)
{
    Suite *suite = suite_create("multibody");
    TCase *tc = tcase_create("multibody");
    tcase_add_test(tc, rigid_bodies_have_a_rotation);
    tcase_add_test(tc, momenta_of_rigid_bodies);
    tcase_add_loop_test(tc, wrong_rotations_are_told, 0, sizeof wrong / sizeof *wrong);
    suite_add_tcase(suite, tc);
    return suite;
}
