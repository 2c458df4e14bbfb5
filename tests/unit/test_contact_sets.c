/* Contact sets: frames of mixed kinds, held and moving nodes, friction, faults, and the strategies that need
 * one matrix for ever. */
#include "gap_fixture.h"
#include "results/quantity.h"

Suite *sg_suite_contact_sets(void);

/* --- sets ----------------------------------------------------------------------------------------- */

/* A wall that follows a ramp of 0.5 m/s, beside a fixed one and a circle: only what moves drifts, what is
 * straight keeps its normal, and rates are those of a difference. */
START_TEST(mixed_set)
{
    struct world w = square(2);
    struct trial t;
    begin_well(
        &t, &w,
        "{ type = \"plane\"; node = \"p.0\"; normal = [0.0, 1.0]; point = [0.0, -1.0]; motion = { type = "
        "\"piecewise-linear\"; times = [0.0, 2.0]; values = [0.0, 1.0]; }; },"
        "{ type = \"plane\"; node = \"p.1\"; normal = [1.0, 0.0]; point = [-2.0, 0.0]; },"
        "{ type = \"circle\"; node = \"p.2\"; center = [0.0, 0.0]; radius = 5.0; inside = true; }");
    ck_assert(!t.set->affine);
    ck_assert(!t.set->fixed[0] && t.set->fixed[1] && !t.set->fixed[2]);
    ck_assert_uint_eq(t.set->tangents, 0);
    struct sg_contact_frame frame;
    ck_assert_int_eq(sg_contact_frame_init(&frame, t.set, &t.err), SG_OK);
    ck_assert_ptr_null(frame.tangent);
    double u[DOFS] = {0}, v[DOFS], rate[3], later[DOFS];
    const double step = 1e-6;
    for (size_t i = 0; i < 8; i++) v[i] = 0.2 * (double)i - 0.5;
    sg_contact_set_place(t.set, 1.0, u, &frame);
    NEAR(frame.gap[0], 1.2 - 0.5, 1e-15);
    NEAR(frame.drift[0], -0.5, 1e-15);
    NEAR(frame.drift[1], 0.0, 0.0);
    NEAR(frame.drift[2], 0.0, 0.0);
    for (size_t j = 0; j < 3; j++) rate[j] = sg_columns_dot(frame.normal, j, v) + frame.drift[j];
    for (size_t i = 0; i < 8; i++) later[i] = u[i] + step * v[i];
    /* forward differences: the curvature of the circle, v^2 / (2 |x|) step, is below 1e-6 */
    for (size_t j = 0; j < 3; j++)
        NEAR((sg_contact_set_gap(t.set, j, 1.0 + step, later) - frame.gap[j]) / step, rate[j], 1e-6);
    sg_contact_frame_release(&frame);
    end(&t);
}
END_TEST

/* An affine set's frame is the set's own matrices: nothing is copied, nothing written but gaps. */
START_TEST(affine_set_lends_its_columns)
{
    struct world w = square(3);
    struct trial t;
    begin_well(&t, &w,
               "{ type = \"plane\"; node = \"p.0\"; normal = [0.0, 0.0, 2.0]; gap = 0.5; friction = 0.2; }");
    struct sg_contact_frame frame;
    ck_assert_int_eq(sg_contact_frame_init(&frame, t.set, &t.err), SG_OK);
    ck_assert(t.set->affine);
    ck_assert_ptr_eq(frame.normal, &t.set->w);
    ck_assert_ptr_eq(frame.tangent, &t.set->tangent);
    ck_assert_uint_eq(t.set->w.start[1], 1); /* the two dofs along the plane are no part of w */
    NEAR(entry(frame.tangent, 0, 0), 1.0, 0.0);
    NEAR(entry(frame.tangent, 1, 1), 1.0, 0.0);
    sg_contact_frame_release(&frame);
    end(&t);
}
END_TEST

/* Held dofs are no part of any column, and the others are what they were without. */
START_TEST(held_dofs_add_nothing)
{
    struct world free_world = square(2), held_world = square(2);
    held_world.held = "01110000";
    const char *contact =
        "{ type = \"segment\"; node = \"p.0\"; segment = [\"p.1\", \"p.2\"]; friction = 0.5; }";
    struct trial a, b;
    begin_well(&a, &free_world, contact);
    begin_well(&b, &held_world, contact);
    ck_assert_uint_eq(a.set->w.start[1], 6);
    ck_assert_uint_eq(b.set->w.start[1], 3);
    for (size_t i = 0; i < b.system.n; i++) {
        NEAR(entry(&b.set->w, 0, i), entry(&a.set->w, 0, b.free_dof[i]), 0.0);
        NEAR(entry(&b.set->tangent, 0, i), entry(&a.set->tangent, 0, b.free_dof[i]), 0.0);
    }
    end(&a);
    end(&b);
}
END_TEST

START_TEST(friction_is_recorded)
{
    struct world w = square(3);
    struct trial t;
    begin_well(&t, &w,
               "{ type = \"plane\"; node = \"p.0\"; normal = [0.0, 0.0, 1.0]; gap = 0.5; friction = 0.2; },"
               "{ type = \"plane\"; node = \"p.1\"; normal = [0.0, 0.0, 1.0]; gap = 0.5; }");
    struct sg_quantities list = {0};
    sg_contact_set_register(t.set, &list);
    const struct sg_quantity *friction = &list.items[list.count - 1];
    ck_assert_str_eq(friction->name, "friction_force");
    ck_assert_uint_eq(friction->width, 4);
    const double given[4] = {1, 2, 3, 4};
    double row[4] = {9, 9, 9, 9};
    friction->fill(friction->owner, &(struct sg_snapshot){.friction = given}, row);
    for (int i = 0; i < 4; i++) NEAR(row[i], given[i], 0.0);
    friction->fill(friction->owner, &(struct sg_snapshot){0}, row);
    for (int i = 0; i < 4; i++) NEAR(row[i], 0.0, 0.0);
    sg_quantities_release(&list);
    end(&t);
}
END_TEST

/* --- faults --------------------------------------------------------------------------------------- */

START_TEST(wrong_contacts_are_told)
{
    struct world line = square(1), plane = square(2), space = square(3);
    refused(&plane, "{ type = \"wall\"; node = \"p.0\"; gap = 1.0; }",
            "can't be used in a model with 2 coordinates");
    refused(&plane, "{ type = \"wall\"; node = \"p.0\"; gap = 1.0; }",
            "contacts that such a model can have: pair, plane, circle, nodes, segment");
    refused(&plane, "{ type = \"pair\"; nodes = [\"p.0\", \"p.1\"]; }",
            "must be given: a node has 2 coordinates");
    refused(&plane, "{ type = \"pair\"; nodes = [\"p.0\", \"p.1\"]; normal = [0.0, 0.0]; }",
            "is zero, so it has no direction");
    refused(&line, "{ type = \"nodes\"; nodes = [\"p.0\", \"p.1\"]; distance = 1.0; }",
            "can't be used in a model with 1 coordinate\n");
    refused(&space, "{ type = \"circle\"; node = \"p.0\"; center = [0.0, 0.0]; radius = 1.0; }",
            "can't be used in a model");
    refused(&plane, "{ type = \"sphere\"; node = \"p.0\"; center = [0.0, 0.0]; radius = 1.0; }",
            "can't be used in a model");
    refused(&space, "{ type = \"segment\"; node = \"p.0\"; segment = [\"p.1\", \"p.2\"]; }",
            "can't be used in a model");
    refused(&line, "{ type = \"wall\"; node = \"p.0\"; gap = 1.0; friction = 0.1; }",
            "contacts.[0].friction: friction needs a tangent: a model with one coordinate has none");
    refused(&plane, "{ type = \"plane\"; node = \"p.0\"; normal = [1.0]; gap = 1.0; }",
            "normal: has 1 number, but the model has 2 coordinates");
    refused(&plane, "{ type = \"plane\"; node = \"p.0\"; normal = [0.0, 0.0]; gap = 1.0; }",
            "normal: is zero, so it has no direction");
    refused(&plane, "{ type = \"plane\"; node = \"p.0\"; normal = [0.0, 1.0]; }", "a plane needs 'gap'");
    refused(&plane,
            "{ type = \"plane\"; node = \"p.0\"; normal = [0.0, 1.0]; gap = 1.0; point = [0.0, 0.0]; }",
            "either 'gap' or 'point'");
    refused(&plane, "{ type = \"plane\"; node = \"p.0\"; normal = [0.0, 1.0]; point = [0.0, 0.5]; }",
            "contacts.[0].point: the contact overlaps by 0.3 m at the start\n  hint: the normal points out");
    refused(
        &plane,
        "{ type = \"plane\"; node = \"p.0\"; normal = [0.0, 1.0]; gap = 0.0; motion = { type = \"constant\"; "
        "value = 0.25; }; }",
        "overlaps by 0.25 m at the start");
    refused(&plane, "{ type = \"circle\"; node = \"p.0\"; center = [0.0, 0.2]; radius = 1.0; }",
            "contacts.[0].radius: the contact overlaps by 0.7 m at the start");
    refused(&plane, "{ type = \"nodes\"; nodes = [\"p.0\", \"p.0\"]; distance = 1.0; }",
            "'p.0' and 'p.0' are the same node");
    refused(&plane, "{ type = \"nodes\"; nodes = [\"p.0\", \"p.7\"]; distance = 1.0; }", "'p.7' is no node");
    refused(&plane, "{ type = \"segment\"; node = \"p.1\"; segment = [\"p.1\", \"p.2\"]; }",
            "are the same node");
    refused(&plane, "{ type = \"segment\"; node = \"p.0\"; segment = [\"p.2\", \"p.1\"]; }",
            "contacts.[0].segment: the contact overlaps by");
    refused(&plane, "{ type = \"segment\"; node = \"p.0\"; segment = [\"p.1\", \"p.2\"]; gap = 1.0; }",
            "gap: goes with geometry = \"reference\" only");
    refused(&plane,
            "{ type = \"segment\"; node = \"p.3\"; segment = [\"p.0\", \"p.2\"]; geometry = \"reference\"; }",
            "stands beyond the ends");
    refused(
        &plane,
        "{ type = \"segment\"; node = \"p.0\"; segment = [\"p.1\", \"p.2\"]; geometry = \"reference\"; gap = "
        "1.0; distance = 0.1; }",
        "either 'gap' or 'distance'");
    refused(&line, "{ type = \"segment\"; node = \"p.0\"; segment = [\"p.1\", \"p.2\"]; }",
            "geometry: must be \"reference\" in a model with one coordinate");
    refused(&line,
            "{ type = \"segment\"; node = \"p.0\"; segment = [\"p.1\", \"p.2\"]; geometry = \"reference\"; }",
            "fraction: is needed in a model with one coordinate");
    struct world point = {.dim = 2, .moving = SIZE_MAX, .position = {0.0, 1.0}};
    refused(&point, "{ type = \"segment\"; node = \"p.0\"; segment = [\"p.1\", \"p.2\"]; }",
            "segment: has no length");
}
END_TEST

/* the set is gone then, the finding stays */
/* 0.1 + 0.2 is not 0.3, in any unit of length; a part in 1e9 is no rounding, in any unit */
START_TEST(overlap_is_judged_without_units)
{
    static const double units[] = {1e-9, 1.0, 1e6};
    for (size_t k = 0; k < sizeof units / sizeof *units; k++) {
        struct world w = {.dim = 2, .position = {0.0, 0.0, 0.3 * units[k]}, .moving = SIZE_MAX};
        struct trial t;
        char contact[128];
        const char *form = "{ type = \"nodes\"; nodes = [\"p.0\", \"p.1\"]; distance = %.17g; }";
        snprintf(contact, sizeof contact, form, (0.1 + 0.2) * units[k]);
        begin_well(&t, &w, contact);
        end(&t);
        snprintf(contact, sizeof contact, form, 0.3 * (1.0 + 1e-9) * units[k]);
        refused(&w, contact, "overlaps by");
    }
}
END_TEST

START_TEST(missing_side_file)
{
    struct world plane = square(2);
    struct trial t;
    begin(&t, &plane,
          "{ type = \"plane\"; node = \"p.0\"; normal = [0.0, 1.0]; gap = 1.0; motion = { type = \"table\"; "
          "file = "
          "\"nowhere.txt\"; }; }");
    ck_assert_int_eq(t.status, SG_NO_INPUT);
    ck_assert_ptr_null(t.set);
    ck_assert_ptr_nonnull(strstr(sg_text_view(&t.findings), "contacts.[0].motion.file: "));
    end(&t);
}
END_TEST

/* What is held across a plane can't touch it; a support that moves along it is no partner of the contact. */
START_TEST(supports_of_contacts)
{
    struct world w = square(2);
    w.held = "01000000";
    const char *floor = "{ type = \"plane\"; node = \"p.0\"; normal = [0.0, 1.0]; gap = 1.0; }";
    refused(&w, floor, "none of the contact's nodes can move");
    w.moving = 1;
    refused(&w, floor, "contacts.[0].node: the motion of 'd1' is prescribed");
    w.held = "10000000";
    w.moving = 0;
    struct trial t;
    begin_well(&t, &w, floor);
    ck_assert_uint_eq(t.set->w.start[1], 1);
    end(&t);
    refused(&w, "{ type = \"plane\"; node = \"p.0\"; normal = [0.0, 1.0]; gap = 1.0; friction = 0.1; }",
            "the motion of 'd0' is prescribed");
    refused(&w, "{ type = \"circle\"; node = \"p.0\"; center = [0.0, 0.0]; radius = 9.0; inside = true; }",
            "the motion of 'd0' is prescribed");
}
END_TEST

/* --- strategies that need one matrix for ever ----------------------------------------------------- */

#define BALL                                                                                                 \
    "bodies = ( { type = \"particles\"; name = \"ball\"; positions = [1.0]; masses = [1.0]; } );"            \
    "integrator = { type = \"trapezoidal\"; operator = \"nodal\"; }; strategy = { type = \"event-driven\"; " \
    "};"                                                                                                     \
    "time = { end = 0.1; step = 0.01; };"

START_TEST(event_driven_refuses_a_wall_that_moves)
{
    struct run run;
    const char *const deck[] = {
        BALL "contacts = ( { type = \"plane\"; node = \"ball\"; normal = [1.0]; point = [0.0]; " MOVES
             " } );",
        NULL};
    run_read(&run, deck);
    run_build(&run);
    ck_assert_int_eq(run.status, SG_BAD_DECK);
    sg_diagnostics_render(&run.diagnostics, &run.findings);
    ck_assert_msg(strstr(sg_text_view(&run.findings),
                         "contact 'ball-plane' has a normal or an obstacle that moves, which strategy "
                         "'event-driven' can't treat") != NULL,
                  "%s", sg_text_view(&run.findings));
    run_release(&run);
}
END_TEST

/* Across the axis a plane is a wall: equal in every bit. */
START_TEST(plane_is_a_wall_on_the_axis)
{
    struct run wall, plane;
    const char *fall = "loads=({type=\"gravity\";acceleration=-9.81;})";
    RUN(&wall, BALL, fall, "time.end=1",
        "contacts=({type=\"wall\";node=\"ball\";position=0.0;restitution=0.5;})");
    RUN(&plane, BALL, fall, "time.end=1",
        "contacts=({type=\"plane\";node=\"ball\";normal=[2.0];point=[0.0];restitution=0.5;})");
    ck_assert_uint_eq(wall.count, plane.count);
    ck_assert_uint_gt(wall.event_count, 0);
    for (size_t i = 0; i < wall.count; i++) NEAR(wall.rows[i].u[0], plane.rows[i].u[0], 0.0);
    run_release(&wall);
    run_release(&plane);
}
END_TEST

Suite *sg_suite_contact_sets(void)
{
    Suite *suite = suite_create("contact_sets");
    TCase *tcase = tcase_create("contact_sets");
    tcase_add_test(tcase, mixed_set);
    tcase_add_test(tcase, affine_set_lends_its_columns);
    tcase_add_test(tcase, held_dofs_add_nothing);
    tcase_add_test(tcase, friction_is_recorded);
    tcase_add_test(tcase, wrong_contacts_are_told);
    tcase_add_test(tcase, overlap_is_judged_without_units);
    tcase_add_test(tcase, missing_side_file);
    tcase_add_test(tcase, supports_of_contacts);
    tcase_add_test(tcase, event_driven_refuses_a_wall_that_moves);
    tcase_add_test(tcase, plane_is_a_wall_on_the_axis);
    suite_add_tcase(suite, tcase);
    return suite;
}
