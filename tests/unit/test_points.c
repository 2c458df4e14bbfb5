/* Analyses whose result is points: one by one, stopped and resumed; and decks that have none. */
#include <check.h>
#include <math.h>
#include <string.h>

#include "analyses/points.h"
#include "run_fixture.h"

Suite *sg_suite_points(void);

#define TRANSIENT                                                                                            \
    "bodies = ( { type = \"particles\"; name = \"ball\"; positions = [1.0]; masses = [3.0]; } );"            \
    "integrator = { type = \"newmark\"; }; strategy = { type = \"event-driven\"; };"                         \
    "time = { end = 1.0; step = 0.1; };"

struct kept {
    double rows[8][16];
    size_t count, width;
};

static sg_status keep(void *self, const double *values, size_t count, struct sg_error *err)
{
    struct kept *kept = self;
    (void)err;
    ck_assert(kept->count < 8 && count <= 16);
    memcpy(kept->rows[kept->count++], values, count * sizeof *values);
    kept->width = count;
    return SG_OK;
}

#define ANALYSIS                                                                                             \
    "analysis = { type = \"integrator\"; from = 0.01; to = 1.0; count = 5; phases = [0.25]; };"              \
    "integrator = { type = \"trapezoidal\"; };"

static sg_status stop_after_two(void *self, bool *stop, struct sg_error *err)
{
    const struct kept *kept = self;
    (void)err;
    *stop = kept->count == 2;
    return SG_OK;
}

static void create_points(struct sg_points *points, struct run *run)
{
    run->status = sg_points_create(points, run->deck, &run->diagnostics, &run->err);
    run_must(run, "points");
}

/* stopped after two points, and resumed by its archive */
START_TEST(points_can_be_resumed)
{
    struct run run;
    struct sg_points points = {0};
    struct kept kept = {.count = 0};
    struct sg_archive memory = {0};
    const struct sg_observer observer = {.self = &kept, .point = keep};
    run_read(&run, (const char *const[]){ANALYSIS, NULL});
    create_points(&points, &run);
    struct sg_points_pause pause = {&kept, stop_after_two}, none = {0};
    ck_assert_int_eq(sg_points_run(&points, &observer, &pause, &run.err), SG_INTERRUPTED);
    ck_assert_ptr_nonnull(strstr(run.err.text, "after 2 of 5 points"));
    sg_archive_rewind(&memory);
    points.ops->archive(&points, &memory);
    sg_points_destroy(&points);
    create_points(&points, &run);
    memory.loading = true;
    memory.cursor = 0;
    points.ops->archive(&points, &memory);
    ck_assert_int_eq(sg_archive_finish(&memory, &run.err), SG_OK);
    ck_assert_int_eq(sg_points_run(&points, &observer, &none, &run.err), SG_OK);
    ck_assert_uint_eq(kept.count, 5);
    for (int k = 0; k < 5; k++) NEAR(kept.rows[k][0], pow(10, -2 + 0.5 * k), 1e-15);
    size_t count = 0;
    const struct sg_point_column *columns = points.ops->columns(&points, &count);
    ck_assert_uint_eq(count, kept.width);
    ck_assert_str_eq(columns[count - 1].name, "rebound/trapezoidal/phase_0.25");
    NEAR(kept.rows[0][count - 1], 2, 0.01); /* 3 - 4/4 but for the spring, (omega h)^2 = 0.004 */
    sg_points_destroy(&points);
    sg_archive_release(&memory);
    run_release(&run);
}
END_TEST

/* transient decks have no points; what they must have is asked of them as ever */
START_TEST(transient_decks_have_no_points)
{
    struct run run;
    struct sg_points points = {0};
    run_read(&run, (const char *const[]){TRANSIENT, NULL});
    create_points(&points, &run);
    ck_assert_ptr_null(points.ops);
    sg_points_destroy(&points);
    run_release(&run);
}
END_TEST

Suite *sg_suite_points(void)
{
    Suite *suite = suite_create("points");
    TCase *tcase = tcase_create("points");
    tcase_add_test(tcase, points_can_be_resumed);
    tcase_add_test(tcase, transient_decks_have_no_points);
    suite_add_tcase(suite, tcase);
    return suite;
}
