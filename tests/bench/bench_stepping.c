/* Time-stepping of bars that reach a wall after 40 of their 400 steps: a step, with and without the energies
 * of each; and at a million elements the share of the machine's copy bandwidth, measured in the same run. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench.h"
#include "support/memory.h"

/* a row of the table */
struct stepping {
    const char *integrator, *mass;
    long elements;
    double courant;
    bool energies;
    double goal; /* s, 0: none */
};

static int step_count(const struct stepping *s)
{
    return s->elements > 100000 ? 20 : 400;
}

static void write_deck(char *text, size_t size, const struct stepping *s)
{
    double step =
        s->courant / (double)s->elements; /* courant times that in which a wave crosses an element */
    snprintf(text, size,
             "bodies = ( { type = \"bar\"; name = \"bar\"; length = 1.0; elements = %ld; area = 1.0;"
             "  modulus = 1.0; density = 1.0; mass = \"%s\"; } );"
             "initial = ( { body = \"bar\"; velocity = -0.1; } );"
             "contacts = ( { type = \"wall\"; node = \"bar.left\"; gap = %.17g; } );"
             "strategy = { type = \"time-stepping\"; };"
             "integrator = { type = \"%s\"; operator = \"nodal\"; };"
             "time = { end = %.17g; step = %.17g; };",
             s->elements, s->mass, 0.1 * 0.1 * step * step_count(s), s->integrator, step * step_count(s),
             step);
}

/* an observer that asks for the total energy */
struct energies {
    const struct sg_system *system;
    double last;
};

static sg_status take_energy(void *self, const struct sg_snapshot *now, const struct sg_sampler *sampler,
                             int localized, struct sg_error *err)
{
    struct energies *energies = self;
    (void)sampler, (void)localized, (void)err;
    energies->last = sg_system_total(energies->system, now);
    return SG_OK;
}

static sg_status pass_event(void *self, const struct sg_event *event, struct sg_error *err)
{
    (void)self, (void)event, (void)err;
    return SG_OK;
}

struct figures {
    struct bench_times times;
    double steps, dofs;
};

static sg_status repeat(const char *text, const struct stepping *s, struct figures *f, struct sg_error *err)
{
    struct bench_model model;
    struct sg_summary summary = {0};
    struct energies energies = {0};
    sg_status status = bench_open(text, NULL, &model, err);
    energies.system = model.job.system;
    if (s->energies)
        model.observer = (struct sg_observer){.self = &energies, .step = take_energy, .event = pass_event};
    for (size_t i = 0; status == SG_OK && i < f->times.count; i++)
        status = bench_run(&model, &f->times.seconds[i], &summary, err);
    f->steps = (double)summary.steps;
    if (status == SG_OK) f->dofs = (double)model.job.system->n;
    bench_close(&model);
    return status;
}

static sg_status measure(const struct stepping *s, struct figures *f, struct sg_error *err)
{
    char text[1024], label[96];
    *f = (struct figures){.times.count = s->elements > 100000 ? 3 : 15};
    write_deck(text, sizeof text, s);
    TRY(repeat(text, s, f, err));
    snprintf(label, sizeof label, "%s, %ld elements%s", s->integrator, s->elements,
             s->energies ? ", energies" : "");
    bench_show(&(struct bench_line){label, &f->times, NULL, f->steps, s->goal});
    return SG_OK;
}

/* bytes a second, read and written, of copying arrays that no cache holds */
static sg_status copy_bandwidth(double *bandwidth, struct sg_error *err)
{
    enum { DOUBLES = 16 * 1024 * 1024 };
    double *from = NULL, *to = NULL, best = HUGE_VAL, probe = 0.0;
    sg_status status = SG_NEW_STREAMED(&from, (size_t)DOUBLES, err);
    if (status == SG_OK) status = SG_NEW_STREAMED(&to, (size_t)DOUBLES, err);
    for (int i = 0; status == SG_OK && i < 6; i++) {
        from[i] = i;
        double start = bench_clock();
        memcpy(to, from, DOUBLES * sizeof *to);
        best = fmin(best, bench_clock() - start);
        probe += to[i];
    }
    if (status == SG_OK && probe >= 0.0) *bandwidth = 2.0 * DOUBLES * sizeof(double) / best;
    sg_free(from);
    sg_free(to);
    return status;
}

/* What a step must move at least: u and v read and written, 1/m and the two diagonals of K read. */
static void show_bandwidth(const struct figures *f, double bandwidth)
{
    double bytes = 7.0 * sizeof(double), rate = bytes * f->dofs * f->steps / bench_best(&f->times);
    printf("    %.0f bytes a dof: %.1f GB/s, %.0f %% of the copy bandwidth of %.1f GB/s (goal 75 %%)\n",
           bytes, 1e-9 * rate, 100.0 * rate / bandwidth, 1e-9 * bandwidth);
}

sg_status bench_stepping(struct sg_error *err)
{
    static const struct stepping rows[] = {
        {"central-difference", "lumped", 200, 0.5, false, 0.5e-6},
        {"central-difference", "lumped", 200, 0.5, true, 0.8e-6},
        {"theta", "consistent", 200, 1.0, false, 2e-6},
        {"theta", "consistent", 1000, 1.0, false, 9e-6},
        {"central-difference", "lumped", 2000, 0.5, false, 0.0},
        {"central-difference", "lumped", 20000, 0.5, false, 0.0},
        {"theta", "consistent", 10000, 1.0, false, 0.0},
        {"theta", "consistent", 100000, 1.0, false, 0.0},
        {"central-difference", "lumped", 1000000, 0.5, false, 0.0},
    };
    struct figures f = {0};
    double bandwidth = 0.0;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) TRY(measure(&rows[i], &f, err));
    TRY(copy_bandwidth(&bandwidth, err));
    show_bandwidth(&f, bandwidth);
    return SG_OK;
}
