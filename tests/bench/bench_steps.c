/* One step of a bar of 201 dofs in modal coordinates, through the contracts: integrator and gaps. Its
 * length is the one of a regular step (everything cached) or new each time, as in localisation. */
#include <stdio.h>
#include <string.h>

#include "plain.h"
#include "support/memory.h"

static const char deck[] =
    "bodies = ( { type = \"bar\"; name = \"bar\"; length = 1.0; elements = 200; area = 1.0; modulus = 1.0;"
    "  density = 1.0; mass = \"average\"; } );"
    "initial = ( { body = \"bar\"; velocity = -0.1; } );"
    "loads = ( { type = \"gravity\"; acceleration = -0.01; } );"
    "contacts = ( { type = \"wall\"; node = \"bar.left\"; gap = 0.0; stiffness_factor = 100.0; } );"
    "strategy = { type = \"event-driven\"; };"
    "integrator = { type = \"trapezoidal\"; };"
    "time = { end = 1.0; };";

enum { COUNT = 2000, REPETITIONS = 15 };

struct series {
    const char *what;
    bool new_steps, closed;
    double goal;
};

static const struct series series[] = {{"cached step", false, false, 1.5e-6},
                                       {"cached step, contact closed", false, true, 1.5e-6},
                                       {"new step", true, false, 1.5e-6},
                                       {"new step, contact closed", true, true, 1.5e-6}};

static sg_status trace_of(const struct series *s, struct plain_trace *trace, struct sg_error *err)
{
    TRY(SG_NEW(&trace->items, COUNT, err));
    trace->count = trace->capacity = COUNT;
    double t = 0.0;
    for (size_t i = 0; i < COUNT; i++) {
        double h = 1e-3 * (s->new_steps ? 1.0 + 1e-7 * (double)i : 1.0);
        trace->items[i] = (struct plain_trial){t, h, s->closed ? 1u : 0u};
        t += h;
    }
    return SG_OK;
}

struct states {
    double *arrays[6];
    struct sg_state from, to;
};

static sg_status states_init(struct states *s, const struct sg_system *system, struct sg_error *err)
{
    for (int k = 0; k < 6; k++) TRY(SG_NEW(&s->arrays[k], system->n, err));
    s->from = (struct sg_state){s->arrays[0], s->arrays[1], s->arrays[2]};
    s->to = (struct sg_state){s->arrays[3], s->arrays[4], s->arrays[5]};
    memcpy(s->from.u, system->u0, system->n * sizeof(double));
    memcpy(s->from.v, system->v0, system->n * sizeof(double));
    return SG_OK;
}

static sg_status march(struct sg_job *job, const struct plain_trace *trace, struct states *s,
                       struct sg_error *err)
{
    double gap = 0.0, rate = 0.0;
    for (size_t i = 0; i < trace->count; i++) {
        struct sg_span span = {trace->items[i].t, trace->items[i].h};
        TRY(job->integrator.ops->step(&job->integrator, &job->phase, &s->from, span, &s->to, err));
        sg_contact_set_gaps(job->contacts, s->to.u, s->to.v, &gap, &rate);
        struct sg_state kept = s->from;
        s->from = s->to;
        s->to = kept;
    }
    return SG_OK;
}

static sg_status once(struct sg_job *job, const struct plain_trace *trace, double *seconds,
                      struct sg_error *err)
{
    struct states s = {0};
    sg_status status = states_init(&s, job->system, err);
    double start = bench_clock();
    if (status == SG_OK) status = march(job, trace, &s, err);
    *seconds = bench_clock() - start;
    for (int k = 0; k < 6; k++) sg_free(s.arrays[k]);
    return status;
}

/* by turns, so that both meet the same moods of the machine */
static sg_status both(struct bench_model *model, const struct plain_trace *trace, double *const seconds[2],
                      struct sg_error *err)
{
    TRY(once(&model->job, trace, seconds[0], err));
    return plain_modal(model, trace, seconds[1], err);
}

static sg_status measure(struct bench_model *model, const char *name, const struct series *s,
                         struct sg_error *err)
{
    char label[96];
    unsigned char active = s->closed ? 1 : 0;
    struct plain_trace trace = {0};
    struct bench_times times = {.count = REPETITIONS}, plain = {.count = REPETITIONS};
    sg_effective_set_active(model->job.op, &active);
    sg_status status = trace_of(s, &trace, err);
    for (size_t i = 0; status == SG_OK && i < times.count; i++)
        status = both(model, &trace, (double *[]){&times.seconds[i], &plain.seconds[i]}, err);
    plain_trace_release(&trace);
    TRY(status);
    snprintf(label, sizeof label, "%s, %s", name, s->what);
    bench_show(&(struct bench_line){label, &times, &plain, COUNT, s->goal});
    return SG_OK;
}

static sg_status measure_all(struct bench_model *model, const char *name, struct sg_error *err)
{
    for (size_t k = 0; k < sizeof series / sizeof series[0]; k++) TRY(measure(model, name, &series[k], err));
    return SG_OK;
}

sg_status bench_steps(struct sg_error *err)
{
    static const struct {
        const char *name, *overrides[3];
    } schemes[] = {
        {"botr", {"integrator.type=botr", "integrator.rho_inf=0.5"}},
        {"botr at rho_inf 1", {"integrator.type=botr", "integrator.rho_inf=1.0"}},
        {"generalized-alpha", {"integrator.type=generalized-alpha"}},
        {"trapezoidal", {"integrator.type=trapezoidal"}},
    };
    for (size_t i = 0; i < sizeof schemes / sizeof schemes[0]; i++) {
        struct bench_model model;
        sg_status status = bench_open(deck, schemes[i].overrides, &model, err);
        if (status == SG_OK) status = measure_all(&model, schemes[i].name, err);
        bench_close(&model);
        TRY(status);
    }
    return SG_OK;
}
