/* Whole runs without output: the bouncing bar and Newton's cradle. */
#include <stdio.h>

#include "plain.h"

struct run {
    const char *deck, *name;
    const char *overrides[3];
    double goal;
    size_t repetitions;
};

static const struct run runs[] = {
    {"bouncing_bar", "bouncing bar, botr, rho_inf 1", {"integrator.rho_inf=1.0"}, 15e-3, 15},
    {"bouncing_bar", "bouncing bar, botr, rho_inf 0.5", {"integrator.rho_inf=0.5"}, 0, 15},
    {"bouncing_bar", "bouncing bar, botr, rho_inf 0", {"integrator.rho_inf=0.0"}, 0, 15},
    {"bouncing_bar",
     "bouncing bar, generalized-alpha, rho_inf 0.8",
     {"integrator.type=generalized-alpha", "integrator.rho_inf=0.8"},
     0,
     15},
    {"newton_cradle", "cradle, two periods, botr, rho_inf 1", {"integrator.rho_inf=1.0"}, .3, 5},
    {"newton_cradle", "cradle, two periods, botr, rho_inf 0.5", {"integrator.rho_inf=0.5"}, .3, 5},
    {"newton_cradle", "cradle, two periods, botr, rho_inf 0", {"integrator.rho_inf=0.0"}, .3, 5},
};

/* product and plain loop by turns, so that both meet the same moods of the machine */
static sg_status time_both(struct bench_model *model, struct bench_times *times, struct bench_times *plain,
                           struct sg_summary *summary, struct sg_error *err)
{
    struct plain_trace trace = {0};
    sg_status status = plain_record(model, &trace, err);
    for (size_t i = 0; status == SG_OK && i < times->count; i++) {
        status = bench_run(model, &times->seconds[i], summary, err);
        if (status == SG_OK) status = plain_modal(model, &trace, &plain->seconds[i], err);
    }
    plain_trace_release(&trace);
    return status;
}

static sg_status measure(const struct run *run, struct bench_model *model, struct sg_error *err)
{
    struct bench_times times = {.count = run->repetitions}, plain = {.count = run->repetitions};
    struct sg_summary summary = {0};
    TRY(time_both(model, &times, &plain, &summary, err));
    bench_show(&(struct bench_line){run->name, &times, &plain, 1.0, run->goal});
    printf("    %lld increments, %lld localisation trials, %lld events, %lld solves, %lld factorisations\n",
           summary.steps, summary.rejected_steps, summary.events, summary.solves, summary.factorizations);
    return SG_OK;
}

sg_status bench_runs(struct sg_error *err)
{
    for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++) {
        struct bench_model model;
        sg_status status = bench_open(bench_shipped(runs[i].deck), runs[i].overrides, &model, err);
        if (status == SG_OK) status = measure(&runs[i], &model, err);
        bench_close(&model);
        TRY(status);
    }
    return SG_OK;
}
