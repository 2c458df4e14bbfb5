/* Bars of growing length in nodal coordinates: the time of a step and of a dof, which should not grow.
 * The bar reaches the wall after 40 of its 100 steps. */
#include <stdio.h>

#include "plain.h"

enum { STEPS = 100 };

static void write_deck(char *text, size_t size, const char *integrator, long elements)
{
    double step = 0.5 / (double)elements; /* half the time in which a wave crosses an element */
    snprintf(text, size,
             "bodies = ( { type = \"bar\"; name = \"bar\"; length = 1.0; elements = %ld; area = 1.0;"
             "  modulus = 1.0; density = 1.0; mass = \"average\"; } );"
             "initial = ( { body = \"bar\"; velocity = -0.1; } );"
             "contacts = ( { type = \"wall\"; node = \"bar.left\"; gap = %.17g; stiffness_factor = 1.0; } );"
             "strategy = { type = \"event-driven\"; gap_tolerance = %.17g; time_tolerance = %.17g; };"
             "integrator = { type = \"%s\"; operator = \"nodal\"; };"
             "time = { end = %.17g; step = %.17g; };",
             elements, 0.1 * 40.3 * step, 1e-6 * step, 1e-6 * step, integrator, STEPS * step, step);
}

struct figures {
    struct bench_times times, plain;
    struct sg_summary summary;
    double dofs;
};

/* The operator keeps its factors from one run to the next: each run gets a model of its own. */
static sg_status measure_once(const char *text, struct plain_trace *trace, struct figures *f, size_t i,
                              struct sg_error *err)
{
    struct bench_model model;
    sg_status status = bench_open(text, NULL, &model, err);
    if (status == SG_OK) status = bench_run(&model, &f->times.seconds[i], &f->summary, err);
    if (status == SG_OK && i == 0) status = plain_record(&model, trace, err);
    if (status == SG_OK) status = plain_tridiagonal(&model, trace, &f->plain.seconds[i], err);
    if (status == SG_OK) f->dofs = (double)model.job.system->n;
    bench_close(&model);
    return status;
}

static void show(const char *label, const struct figures *f)
{
    const struct sg_summary *summary = &f->summary;
    double steps = (double)summary->steps;
    bench_show(&(struct bench_line){label, &f->times, &f->plain, steps, 0.0});
    printf("    %.2f ns a dof and step; %lld increments, %lld localisation trials, %lld events, %lld solves, "
           "%lld factorisations\n",
           1e9 * bench_best(&f->times) / steps / f->dofs, summary->steps, summary->rejected_steps,
           summary->events, summary->solves, summary->factorizations);
}

static sg_status measure(const char *integrator, long elements, struct sg_error *err)
{
    char text[1024], label[96];
    struct figures figures = {.times.count = elements > 10000 ? 3 : 9};
    struct plain_trace trace = {0};
    sg_status status = SG_OK;
    figures.plain.count = figures.times.count;
    write_deck(text, sizeof text, integrator, elements);
    for (size_t i = 0; status == SG_OK && i < figures.times.count; i++)
        status = measure_once(text, &trace, &figures, i, err);
    plain_trace_release(&trace);
    TRY(status);
    snprintf(label, sizeof label, "%s, %ld elements", integrator, elements);
    show(label, &figures);
    return SG_OK;
}

sg_status bench_growth(struct sg_error *err)
{
    static const char *const integrators[] = {"botr", "generalized-alpha"};
    for (int k = 0; k < 2; k++)
        for (long elements = 100; elements <= 100000; elements *= 10)
            TRY(measure(integrators[k], elements, err));
    return SG_OK;
}
