/* Drifts of storeys against the displacements of their nodes, in both coordinates. */
#include <check.h>
#include <math.h>
#include <string.h>

#include "run_fixture.h"

Suite *sg_suite_storeys(void);

#define SECTIONS                                                                                             \
    "column = {modulus = 30.0e9; density = 2500.0; width = 0.4; height = 0.4;};"                             \
    "beam = {modulus = 30.0e9; density = 2500.0; width = 0.3; height = 0.5; line_mass = 500.0;};"
#define SHAKEN                                                                                               \
    "loads = ({type = \"force\"; node = \"t.line0\"; direction = [1.0, 0.0];"                                \
    "  signal = {type = \"harmonic\"; amplitude = 5.0e4; frequency = 1.3;};});"                              \
    "integrator = {type = \"trapezoidal\";}; strategy = {type = \"event-driven\";};"                         \
    "time = {end = 1.0; step = 0.01;};"

/* two storeys of 3.5 m and 3 m, three spans, a slip joint at line 1 */
#define TOWER(rest)                                                                                          \
    "bodies = ({type = \"frame\"; name = \"t\"; storeys = 2; storey_heights = [3.5, 3.0]; spans = 3;"        \
    "span_lengths = [5.0]; slip_joints = [1]; " rest SECTIONS "});" SHAKEN

static const struct sg_quantity *find(const struct run *run, const char *name)
{
    for (size_t i = 0; i < run->job.quantities.count; i++)
        if (strcmp(run->job.quantities.items[i].name, name) == 0) return &run->job.quantities.items[i];
    return NULL;
}

/* mean over the column lines a .. b of u_x at a level less that at the level below; joints are level by level
 */
static double by_hand(const struct run *run, size_t level, size_t a, size_t b)
{
    const struct sg_system *s = run->job.system;
    const double *u = run_last(run)->u;
    double sum = 0;
    for (size_t line = a; line <= b; line++)
        sum += u[sg_system_dof(s, 4 * level + line, 0)] - u[sg_system_dof(s, 4 * (level - 1) + line, 0)];
    return sum / (double)(b - a + 1);
}

static const char *const operators[] = {"integrator.operator=modal", "integrator.operator=nodal"};

START_TEST(drifts_are_those_of_the_floors)
{
    struct run run;
    double drift[4], ratio[4];
    RUN(&run, TOWER(""), operators[_i]);
    const struct sg_model_labels *labels = &run.job.labels;
    const struct sg_quantity *quantity = find(&run, "drift"), *relative = find(&run, "drift_ratio");
    ck_assert(quantity != NULL && relative != NULL && !quantity->on_request && relative->on_request);
    ck_assert_uint_eq(quantity->width, 4);
    quantity->fill(quantity->owner, &run.last, drift);
    relative->fill(relative->owner, &run.last, ratio);
    static const char *const names[] = {"t.storey1_part0", "t.storey1_part1", "t.storey2_part0",
                                        "t.storey2_part1"};
    for (size_t k = 0; k < 4; k++) {
        double expected = by_hand(&run, 1 + k / 2, k % 2 == 0 ? 0 : 2, k % 2 == 0 ? 1 : 3);
        ck_assert_str_eq(labels->storey_names[k], names[k]);
        ck_assert(labels->storey_heights[k] == (k < 2 ? 3.5 : 3.0));
        /* sums of 60 modes of some millimetres */
        NEAR(drift[k], expected, 1e-15);
        NEAR(ratio[k], expected / labels->storey_heights[k], 1e-15);
    }
    ck_assert(fabs(drift[0]) > 1e-4 && fabs(drift[0] - drift[1]) > 1e-5); /* the parts go their own ways */
    run_release(&run);
}
END_TEST

/* Feet that a support moves count with their motion. */
START_TEST(moving_feet_count)
{
    struct run run;
    double drift[4];
    RUN(&run,
        TOWER(
            "base = \"free\"; ") "supports = ({node = \"t.base\"; motion = {type = \"harmonic\"; amplitude = "
                                 "0.1; frequency = 0.8;}; axes = \"x\"; quantity = "
                                 "\"acceleration\";}, {node = \"t.base\"; axes = \"yr\";});");
    const struct sg_quantity *quantity = find(&run, "drift");
    quantity->fill(quantity->owner, &run.last, drift);
    for (size_t k = 0; k < 4; k++)
        NEAR(drift[k], by_hand(&run, 1 + k / 2, k % 2 == 0 ? 0 : 2, k % 2 == 0 ? 1 : 3), 1e-15);
    ck_assert(fabs(run_last(&run)->u[0]) > 1e-3);
    run_release(&run);
}
END_TEST

/* A floor that moves as one: its ties lead to one dof. Nodes and members as lists have storeys by hand. */
START_TEST(tied_floors_and_listed_storeys)
{
    struct run run;
    double drift[4];
    RUN(&run, TOWER("diaphragms = true; "));
    const struct sg_quantity *quantity = find(&run, "drift");
    quantity->fill(quantity->owner, &run.last, drift);
    NEAR(drift[0], run_last(&run)->u[sg_system_dof(run.job.system, 5, 0)], 1e-15);
    run_release(&run);
    RUN(&run,
        "bodies = ({type = \"members\"; name = \"t\"; nodes = [0.0, 0.0, 4.0, 1.0, 0.0, 3.0, 4.0, 3.0];"
        "members = ({ends = [0, 2, 1, 3, 2, 3]; section = {modulus = 30.0e9; density = 2500.0; width = 0.4;"
        "height = 0.4;};}); held = ({nodes = [0, 1];}); sets = ({name = \"line0\"; nodes = [2];});"
        "storeys = ({name = \"only\"; upper = [2, 3]; lower = [0, 1];});});" SHAKEN);
    quantity = find(&run, "drift");
    ck_assert_str_eq(run.job.labels.storey_names[0], "t.only");
    ck_assert(run.job.labels.storey_heights[0] == 2.5);
    quantity->fill(quantity->owner, &run.last, drift);
    const double *u = run_last(&run)->u;
    NEAR(drift[0], 0.5 * (u[6] + u[9]), 1e-15);
    run_release(&run);
}
END_TEST

START_TEST(models_without_storeys_have_no_drift)
{
    struct run run;
    RUN(&run, "bodies = ({type = \"particles\"; positions = [0.0]; masses = [1.0];});"
              "integrator = {type = \"trapezoidal\";}; strategy = {type = \"event-driven\";};"
              "time = {end = 1.0; step = 0.1;};");
    ck_assert_ptr_null(find(&run, "drift"));
    run_release(&run);
}
END_TEST

Suite *sg_suite_storeys(void)
{
    Suite *suite = suite_create("storeys");
    TCase *tc = tcase_create("storeys");
    tcase_add_loop_test(tc, drifts_are_those_of_the_floors, 0, 2);
    tcase_add_test(tc, moving_feet_count);
    tcase_add_test(tc, tied_floors_and_listed_storeys);
    tcase_add_test(tc, models_without_storeys_have_no_drift);
    suite_add_tcase(suite, tc);
    return suite;
}
