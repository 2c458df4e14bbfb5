#include <string.h>

#include "plain.h"
#include "support/memory.h"

/* An integrator that writes down what is asked of another one. */
struct recording {
    struct sg_integrator_ops ops;
    struct sg_integrator inner;
    struct plain_trace *trace;
};

static sg_status grow(struct plain_trace *trace, struct sg_error *err)
{
    if (trace->count < trace->capacity) return SG_OK;
    size_t capacity = 2 * trace->capacity + 1024;
    struct plain_trial *items = NULL;
    TRY(SG_NEW(&items, capacity, err));
    if (trace->count > 0) memcpy(items, trace->items, trace->count * sizeof *items);
    sg_free(trace->items);
    trace->items = items;
    trace->capacity = capacity;
    return SG_OK;
}

static sg_status record_step(struct sg_integrator *self, struct sg_phase *phase, const struct sg_state *from,
                             struct sg_span span, struct sg_state *to, struct sg_error *err)
{
    struct recording *recording = self->data;
    struct plain_trace *trace = recording->trace;
    TRY(grow(trace, err));
    struct plain_trial *trial = &trace->items[trace->count++];
    *trial = (struct plain_trial){.t = span.t, .h = span.h};
    for (size_t i = 0; i < sg_effective_active_count(phase->op); i++)
        trial->active |= 1u << sg_effective_active_row(phase->op, i);
    return recording->inner.ops->step(&recording->inner, phase, from, span, to, err);
}

static struct sg_work pass_work(struct sg_integrator *self, struct sg_phase *phase,
                                const struct sg_state *from, struct sg_span span, const struct sg_state *to)
{
    struct recording *recording = self->data;
    return recording->inner.ops->work(&recording->inner, phase, from, span, to);
}

sg_status plain_record(struct bench_model *model, struct plain_trace *trace, struct sg_error *err)
{
    struct sg_integrator *integrator = &model->job.integrator;
    struct recording recording = {.ops = *integrator->ops, .inner = *integrator, .trace = trace};
    recording.ops.step = record_step;
    recording.ops.work = pass_work;
    integrator->ops = &recording.ops;
    integrator->data = &recording;
    double seconds = 0.0;
    struct sg_summary summary;
    sg_status status = bench_run(model, &seconds, &summary, err);
    *integrator = recording.inner;
    return status;
}

void plain_trace_release(struct plain_trace *trace)
{
    sg_free(trace->items);
    *trace = (struct plain_trace){0};
}

struct plain_scheme plain_scheme_of(const struct bench_model *model)
{
    struct {
        double rho;
    } spec = {1.0};
    static const struct sg_keyword row[] = {{.name = "rho_inf", .type = SG_REAL}, {0}};
    const struct sg_setting *node = sg_setting_child(sg_deck_root(model->deck), "integrator");
    const char *name = sg_setting_kind(node)->name;
    if (strcmp(name, "trapezoidal") == 0)
        return (struct plain_scheme){.am = 0.5, .af = 0.5, .beta = 0.25, .gamma = 0.5};
    sg_setting_fill(node, row, &spec);
    double rho = spec.rho;
    if (strcmp(name, "botr") == 0) return (struct plain_scheme){.botr = 1, .eta = (1.0 - rho) / (1.0 + rho)};
    double am = (2.0 * rho - 1.0) / (rho + 1.0), af = rho / (rho + 1.0), sum = 1.0 - am + af;
    return (struct plain_scheme){
        .stores_acceleration = 1, .am = am, .af = af, .beta = 0.25 * sum * sum, .gamma = 0.5 - am + af};
}
