/* Shapes of elements, and lists of node sets. */
#include <check.h>

#include "model/node_sets.h"

START_TEST(edges_go_around_with_the_element_on_the_left)
{
    static const double quad[8][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}, {0, -1}, {1, 0}, {0, 1}, {-1, 0}};
    for (size_t e = 0; e < 4; e++) {
        size_t at[3];
        ck_assert_uint_eq(sg_element_shape_edge(SG_SHAPE_QUAD4, e, at), 2);
        ck_assert_uint_eq(sg_element_shape_edge(SG_SHAPE_QUAD8, e, at), 3);
        const double *a = quad[at[0]], *b = quad[at[1]], *m = quad[at[2]];
        for (size_t d = 0; d < 2; d++) ck_assert(m[d] == (a[d] + b[d]) / 2);
        /* the center, (0, 0), is to the left: the cross product of the way and of what leads there */
        ck_assert((b[0] - a[0]) * -a[1] - (b[1] - a[1]) * -a[0] > 0);
    }
    size_t at[3];
    ck_assert_uint_eq(sg_element_shape_edge(SG_SHAPE_TRI6, 2, at), 3);
    ck_assert(at[0] == 2 && at[1] == 0 && at[2] == 5);
    ck_assert_uint_eq(sg_element_shape_nodes(SG_SHAPE_COUNT), 0);
    ck_assert_str_eq(sg_element_shape_name(SG_SHAPE_COUNT), "?");
}
END_TEST

START_TEST(sets_belong_to_bodies)
{
    SG_LOCAL_ARENA(arena);
    struct sg_node_sets sets = {.arena = &arena};
    for (size_t body = 0; body < 30; body++) {
        sets.body = body;
        sg_node_sets_open(&sets, "empty");
        sg_node_sets_open(&sets, "edge");
        for (size_t i = 0; i < 50; i++) {
            const size_t ends[2] = {100 * body + i, 100 * body + i + 1};
            sg_node_sets_add(&sets, ends[0]);
            sg_node_sets_add_edge(&sets, SG_SHAPE_LINE2, ends);
        }
    }
    ck_assert(!sets.failed);
    const struct sg_node_set *set = sg_node_sets_find(&sets, 17, "edge");
    ck_assert_ptr_nonnull(set);
    ck_assert(set->count == 50 && set->edge_count == 50);
    ck_assert(set->nodes[49] == 1749 && set->edges[49].node[1] == 1750);
    ck_assert_uint_eq(sg_node_sets_find(&sets, 17, "empty")->count, 0);
    ck_assert_ptr_null(sg_node_sets_find(&sets, 17, "Edge"));
    ck_assert_ptr_null(sg_node_sets_find(&sets, 30, "edge"));
}
END_TEST

Suite *sg_suite_node_sets(void)
{
    Suite *suite = suite_create("node_sets");
    TCase *tests = tcase_create("node sets");
    tcase_add_test(tests, edges_go_around_with_the_element_on_the_left);
    tcase_add_test(tests, sets_belong_to_bodies);
    suite_add_tcase(suite, tests);
    return suite;
}
