/* A block of 224 x 224 nodes, 10^5 dofs, by time-stepping at position level: the time loop (its one or two
 * factorisations included) beside as many of CHOLMOD's factorisations and solves alone. */
#include <stdio.h>

#include "bench.h"
#include "linalg/solver.h"
#include "support/memory.h"

enum { STEPS = 100 };
static const double step = 0.002;

static void write_deck(char *text, size_t size, int cells, double gap)
{
    snprintf(
        text, size,
        "bodies = ( { type = \"plane\"; name = \"block\"; width = 1.0; height = 1.0; nx = %d; ny = %d;"
        "  modulus = 200.0; poisson = 0.3; density = 1.0; } );"
        "initial = ( { body = \"block\"; velocity_vector = [0.0, -0.1]; } );"
        "contacts = ( { type = \"plane\"; node = \"block.boundary\"; normal = [0.0, 1.0]; gap = %.17g; } );"
        "integrator = { type = \"trapezoidal\"; };"
        "strategy = { type = \"time-stepping\"; level = \"position\"; };"
        "time = { end = %.17g; step = %.17g; };",
        cells, cells, gap, STEPS * step, step);
}

/* seconds of one factorisation of M + (h^2 / 4) K and of one solve with it */
struct alone {
    double factor, solve;
};

static sg_status time_factor(const struct sg_system *system, struct sg_factor *factor, double *x,
                             struct alone *alone, struct sg_error *err)
{
    enum { SOLVES = 20 };
    const struct sg_mck mck = {&system->M, &system->C, &system->K};
    double start = bench_clock();
    TRY(sg_factor_compute(factor, &mck, (const double[]){1.0, 0.0, step * step / 4}, err));
    alone->factor = bench_clock() - start;
    start = bench_clock();
    for (int k = 0; k < SOLVES; k++) {
        for (size_t i = 0; i < system->n; i++) x[i] = system->momentum[i];
        sg_factor_solve(factor, x);
    }
    alone->solve = (bench_clock() - start) / SOLVES;
    return SG_OK;
}

static sg_status time_in(struct sg_arena *arena, const struct sg_system *system, struct alone *alone,
                         struct sg_error *err)
{
    const struct sg_mck mck = {&system->M, &system->C, &system->K};
    struct sg_factor_layout layout = sg_factor_layout_for(&mck);
    struct sg_factor factor = {0};
    double *x = NULL;
    TRY(sg_symbolic_create(arena, &mck, false, &layout.symbolic, err));
    TRY(sg_factor_init(arena, &factor, &layout, err));
    TRY(SG_ARENA_NEW(arena, &x, system->n, err));
    return time_factor(system, &factor, x, alone, err);
}

static sg_status time_alone(const struct sg_system *system, struct alone *alone, struct sg_error *err)
{
    struct sg_arena scratch = {0};
    sg_status status = time_in(&scratch, system, alone, err);
    sg_arena_release(&scratch);
    return status;
}

/* goal: 1.3 times the library alone */
static sg_status measure(const char *name, double gap, struct sg_error *err)
{
    struct bench_model model;
    struct bench_times times = {.count = 1}, library = {.count = 1};
    struct sg_summary summary = {0};
    struct alone alone = {0};
    char text[1024];
    write_deck(text, sizeof text, 223, gap);
    sg_status status = bench_open(text, NULL, &model, err);
    if (status == SG_OK) status = bench_run(&model, &times.seconds[0], &summary, err);
    if (status == SG_OK) status = time_alone(model.job.system, &alone, err);
    library.seconds[0] = (double)summary.factorizations * alone.factor + (double)summary.solves * alone.solve;
    if (status == SG_OK) {
        double steps = (double)summary.steps;
        bench_show(&(struct bench_line){name, &times, &library, steps, 1.3 * library.seconds[0] / steps});
        printf("    %zu dofs, %zu contacts, %lld solves of %.1f ms, %lld factorisations of %.2f s\n",
               model.job.system->n, model.job.contacts->q, summary.solves, 1e3 * alone.solve,
               summary.factorizations, alone.factor);
    }
    bench_close(&model);
    return status;
}

sg_status bench_plane(struct sg_error *err)
{
    TRY(measure("block in flight", 1.0, err));
    return measure("block that lands", 0.002, err);
}
