/* The Delassus operator of a step has the same bits in whatever order contacts closed: what a run that goes
 * on from a checkpoint finds must be what the undisturbed one has. */
#include <check.h>
#include <string.h>

#include "run_fixture.h"
#include "strategies/time_stepping/time_stepping.h"

Suite *sg_suite_response(void);

enum { CONTACTS = 6, ORDERS = 4 };

/* a chain whose solves round differently from either end */
#define CHAIN                                                                                                \
    "bodies = ( { type = \"particles\"; name = \"p\"; positions = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0];"           \
    "  masses = [1.0, 2.3, 0.7, 1.9, 3.1, 0.37];"                                                            \
    "  springs = ( { nodes = [0, 1]; stiffness = 310.0; }, { nodes = [1, 2]; stiffness = 77.0; },"           \
    "    { nodes = [2, 3]; stiffness = 530.0; }, { nodes = [3, 4]; stiffness = 190.0; },"                    \
    "    { nodes = [4, 5]; stiffness = 910.0; } ); } );"                                                     \
    "contacts = ( { type = \"wall\"; node = \"p.0\"; gap = 1.0; }, { type = \"wall\"; node = \"p.1\"; gap "  \
    "= 1.0; },"                                                                                              \
    "  { type = \"wall\"; node = \"p.2\"; gap = 1.0; }, { type = \"wall\"; node = \"p.3\"; gap = 1.0; },"    \
    "  { type = \"wall\"; node = \"p.4\"; gap = 1.0; }, { type = \"wall\"; node = \"p.5\"; gap = 1.0; } );"  \
    "integrator = { type = \"trapezoidal\"; };"                                                              \
    "strategy = { type = \"time-stepping\"; level = \"position\"; }; time = { end = 0.1; step = 0.1; };"

/* H of all contacts, after contacts were asked for in an order of their own */
static void operator_of(const size_t *order, size_t first, double h[CONTACTS * CONTACTS])
{
    static const size_t all[CONTACTS] = {0, 1, 2, 3, 4, 5};
    double part[CONTACTS * CONTACTS];
    struct run run;
    RUN(&run, CHAIN, NULL);
    struct sg_time_stepping *ts = run.job.strategy.data;
    struct sg_response *response = &ts->responses[0];
    struct sg_contact_list some = {order, first}, more = {order, CONTACTS}, list = {all, CONTACTS};
    run.status = sg_response_begin(response, (struct sg_kick){{0.0, 0.1}, 0}, &run.err);
    run_must(&run, "begin");
    run.status = sg_response_delassus(response, some, part, &run.err);
    if (run.status == SG_OK) run.status = sg_response_delassus(response, more, part, &run.err);
    if (run.status == SG_OK) run.status = sg_response_delassus(response, list, h, &run.err);
    run_must(&run, "operator");
    run_release(&run);
}

START_TEST(order_leaves_no_trace)
{
    static const size_t orders[ORDERS][CONTACTS] = {
        {5, 4, 3, 2, 1, 0}, {3, 0, 5, 1, 4, 2}, {1, 5, 0, 4, 2, 3}, {4, 2, 5, 3, 0, 1}};
    static const size_t rising[CONTACTS] = {0, 1, 2, 3, 4, 5};
    double right[CONTACTS * CONTACTS], h[CONTACTS * CONTACTS];
    operator_of(rising, CONTACTS, right);
    for (size_t first = 1; first <= CONTACTS; first++) {
        operator_of(orders[_i], first, h);
        ck_assert_msg(memcmp(h, right, sizeof h) == 0,
                      "contacts that closed in another order left other bits");
    }
}
END_TEST

Suite *sg_suite_response(void)
{
    Suite *suite = suite_create("response");
    TCase *all = tcase_create("all");
    tcase_add_loop_test(all, order_leaves_no_trace, 0, ORDERS);
    suite_add_tcase(suite, all);
    return suite;
}
