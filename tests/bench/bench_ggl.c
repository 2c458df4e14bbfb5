/* Steps of the nonsmooth generalized-alpha method: a bar that meets a wall at Courant number 1.2, condensed
 * and by the generic Newton, and long ones for the growth; the pendulum and the block of the shipped decks.
 */
#include <math.h>
#include <stdio.h>

#include "bench.h"

struct ggl {
    const char *name, *deck;
    const char *overrides[8];
    double goal; /* s, 0: none */
};

/* *step: s, the fastest */
static sg_status measure(const struct ggl *g, double *step, struct sg_error *err)
{
    struct bench_model model;
    struct bench_times times = {.count = 7};
    struct sg_summary summary = {0};
    sg_status status = bench_open(bench_shipped(g->deck), g->overrides, &model, err);
    for (size_t i = 0; status == SG_OK && i < times.count; i++)
        status = bench_run(&model, &times.seconds[i], &summary, err);
    if (status == SG_OK)
        bench_show(&(struct bench_line){g->name, &times, NULL, (double)summary.steps, g->goal});
    bench_close(&model);
    *step = status == SG_OK ? bench_best(&times) / (double)summary.steps : NAN;
    return status;
}

/* as many elements as the bar's steps of 2 ms have the Courant number 1.2 with; 50 steps around the impact */
#define LONG(elements, step, end)                                                                            \
    {                                                                                                        \
        "bodies.[0].elements=" elements, "time.step=" step, "time.end=" end, "contacts.[0].gap=1e-6", NULL   \
    }

/* The work of a step is the same for each element: one product with K, one solve, some passes. A dozen
 * vectors of 1e3 dofs are 0.1 MB, in the second cache; of 1e4 1 MB, in the third; of 1e5 10 MB, in memory. */
static void show_growth(const double step[3])
{
    printf("  an element's share, ns: %.1f of 1e3 (0.1 MB: second cache), %.1f of 1e4 (1 MB: third), %.1f of "
           "1e5 "
           "(10 MB: memory)\n",
           step[0] / 1e3 * 1e9, step[1] / 1e4 * 1e9, step[2] / 1e5 * 1e9);
}

sg_status bench_ggl(struct sg_error *err)
{
    static const struct ggl rows[] = {
        {"bar, 200 elements, condensed, modal", "elastic_bar_impact", {NULL}, 3e-6},
        {"bar, 200 elements, condensed, nodal",
         "elastic_bar_impact",
         {"integrator.operator=nodal", NULL},
         3e-6},
        {"bar, 200 elements, generic Newton", "elastic_bar_impact", {"strategy.solver=schur", NULL}, 8e-6},
        {"pendulum", "bouncing_pendulum", {NULL}, 3e-6},
        {"block", "rocking_block", {"time.step=1e-3", NULL}, 3e-6},
        {"bar, 1e3 elements", "elastic_bar_impact", LONG("1000", "4e-4", "0.4"), 0},
        {"bar, 1e4 elements", "elastic_bar_impact", LONG("10000", "4e-5", "4e-3"), 0},
        {"bar, 1e5 elements", "elastic_bar_impact", LONG("100000", "4e-6", "4e-4"), 0},
    };
    enum { COUNT = sizeof rows / sizeof rows[0], LONG_ONES = 3 };
    double step[COUNT];
    for (size_t i = 0; i < COUNT; i++) TRY(measure(&rows[i], &step[i], err));
    show_growth(step + COUNT - LONG_ONES);
    return SG_OK;
}
