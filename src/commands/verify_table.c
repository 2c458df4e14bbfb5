/* signorini verify --table: what all trials of some benchmarks cost and keep, side by side. */
#include <math.h>
#include <stdio.h>

#include "commands/verify.h"

/* total energy: its change from start to end, and its largest rise in a step, J; NaN where it is not in the
 * traces */
struct energy {
    double change, rise;
};

static struct energy energy_of(const struct sg_trace *trace)
{
    struct energy energy = {NAN, NAN};
    if (trace->row_count == 0 || !sg_trace_has(trace, "energy/total")) return energy;
    const size_t column = sg_trace_column(trace, "energy/total");
    energy.change = sg_trace_last(trace)[column] - sg_trace_row(trace, 0)[column];
    energy.rise = 0.0;
    for (size_t i = 1; i < trace->row_count; i++)
        energy.rise = fmax(energy.rise, sg_trace_row(trace, i)[column] - sg_trace_row(trace, i - 1)[column]);
    return energy;
}

static void print_row(const struct sg_benchmark *benchmark, const struct sg_trial *trial,
                      const struct sg_trace *trace)
{
    const struct sg_summary *s = &trace->summary;
    const struct energy energy = energy_of(trace);
    double steps = fmax((double)s->steps, 1.0);
    printf("| %s | %s | %lld | %.2e | %+.4f | %.2e | %.2f | %.2f |\n", benchmark->name, trial->label,
           s->steps, s->max_penetration, energy.change, energy.rise, (double)s->newton_iterations / steps,
           1e6 * trace->seconds / steps);
    fflush(stdout);
}

void sg_verify_table_head(void)
{
    printf("| benchmark | trial | steps | penetration (m) | energy change (J) | rise a step (J) | solves a "
           "step | "
           "us a step |\n|---|---|---|---|---|---|---|---|\n");
}

sg_status sg_verify_table(const struct sg_benchmark *benchmark, struct sg_error *err)
{
    for (const struct sg_trial *trial = benchmark->trials; trial->label != NULL; trial++) {
        struct sg_trace trace = {0};
        sg_status status = sg_trace_record(benchmark, trial, &trace, err);
        if (status == SG_OK) print_row(benchmark, trial, &trace);
        sg_trace_release(&trace);
        if (status != SG_OK) return status;
    }
    return SG_OK;
}
