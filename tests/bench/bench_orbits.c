/* Periodic orbits of the tapered bar with 40 dofs: one by half-period shooting with all modes, and a whole
 * backbone with multipliers, residual estimates and the search for the filter. */
#include <math.h>
#include <string.h>

#include "analyses/nonsmooth_branch.h"
#include "analyses/points.h"
#include "bench.h"

static sg_status ignore(void *self, const double *values, size_t count, struct sg_error *err)
{
    (void)self, (void)values, (void)count, (void)err;
    return SG_OK;
}

/* bench_open builds a job too, which analyses of points have not */
static sg_status open_deck(const char *const *overrides, struct bench_model *model, struct sg_error *err)
{
    const char *text = bench_shipped("nbm_modes_lin");
    *model = (struct bench_model){0};
    TRY(sg_deck_read_text(text, strlen(text), "bench", &model->deck, &model->diagnostics, err));
    for (; *overrides != NULL; overrides++)
        TRY(sg_deck_override(model->deck, *overrides, &model->diagnostics, err));
    return sg_deck_validate(model->deck, sg_grammar, &model->diagnostics, err);
}

static sg_status time_backbone(struct bench_model *model, double *seconds, struct sg_error *err)
{
    struct sg_points points = {0};
    const struct sg_observer nobody = {.point = ignore};
    const struct sg_points_pause none = {0};
    sg_status status = sg_points_create(&points, model->deck, &model->diagnostics, err);
    double start = bench_clock();
    if (status == SG_OK) status = sg_points_run(&points, &nobody, &none, err);
    *seconds = bench_clock() - start;
    sg_points_destroy(&points);
    return status;
}

static sg_status measure_backbone(struct sg_error *err)
{
    static const char *const overrides[] = {"analysis.samples=0", "analysis.count=40", NULL};
    struct bench_model model;
    struct bench_times times = {.count = 3};
    sg_status status = open_deck(overrides, &model, err);
    for (size_t i = 0; status == SG_OK && i < times.count; i++)
        status = time_backbone(&model, &times.seconds[i], err);
    if (status == SG_OK)
        bench_show(&(struct bench_line){"backbone, 40 points with multipliers", &times, NULL, 1, 2.0});
    bench_close(&model);
    return status;
}

/* from 1e-3 off, as continuation comes to it */
static sg_status time_orbit(struct sg_branch *branch, double *seconds, struct sg_error *err)
{
    size_t n = branch->model.phases->n;
    for (size_t k = 0; k < n; k++) branch->trial[k] = branch->x[k] * (1 + 1e-3 * cos(7.0 * (double)k));
    double start = bench_clock();
    struct sg_shot shot = sg_shoot_half(&branch->shooter, n, branch->period, branch->trial);
    *seconds = bench_clock() - start;
    if (shot.end != SG_SHOT_HIT) FAIL(err, SG_NO_SOLUTION, "the orbit is not found again");
    return SG_OK;
}

static sg_status measure_orbit(struct sg_error *err)
{
    static const char *const overrides[] = {"analysis.samples=0", NULL};
    static const struct sg_branch_rule rule = {.filter = 1000, .newton = 20};
    struct bench_model model;
    struct bench_times times = {.count = BENCH_REPETITIONS};
    struct sg_branch branch = {0};
    SG_LOCAL_ARENA(arena);
    sg_status status = open_deck(overrides, &model, err);
    if (status == SG_OK) status = sg_branch_init(&arena, &branch, model.deck, &rule, &model.diagnostics, err);
    if (status == SG_OK) status = sg_branch_start(&branch, 2 * acos(-1.0) / (branch.omega * 1.16), err);
    for (size_t i = 0; status == SG_OK && i < times.count; i++)
        status = time_orbit(&branch, &times.seconds[i], err);
    if (status == SG_OK)
        bench_show(&(struct bench_line){"orbit, half a period, all modes", &times, NULL, 1, 5e-3});
    bench_close(&model);
    return status;
}

sg_status bench_orbits(struct sg_error *err)
{
    TRY(measure_orbit(err));
    return measure_backbone(err);
}
