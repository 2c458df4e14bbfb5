#include "commands/verify_impulses.h"

#include <math.h>

size_t sg_trace_impacts(const struct sg_trace *trace, size_t contact, struct sg_impact *impacts, size_t most)
{
    const size_t column = sg_trace_column(trace, "impulse") + contact;
    size_t count = 0;
    double before = 0.0;
    for (size_t i = 1; i < trace->row_count && count < most; i++) {
        const double *row = sg_trace_row(trace, i);
        double given = row[column] - sg_trace_row(trace, i - 1)[column];
        if (given > 0.0 && !(before > 0.0)) impacts[count++] = (struct sg_impact){row[0], given};
        before = given;
    }
    return count;
}

static double last(const struct sg_trace *trace, const char *history)
{
    return sg_trace_last(trace)[sg_trace_column(trace, history)];
}

/* contacts stand side by side, "impulse" being last in the rows */
double sg_measure_impulse(const struct sg_verification *verification, size_t trial)
{
    const struct sg_trace *trace = &verification->traces[trial];
    double sum = 0.0;
    for (size_t k = sg_trace_column(trace, "impulse"); k < trace->width; k++) sum += sg_trace_last(trace)[k];
    return sum;
}

double sg_measure_penetration(const struct sg_verification *verification, size_t trial)
{
    return verification->traces[trial].summary.max_penetration;
}

double sg_measure_energy_rise(const struct sg_verification *verification, size_t trial)
{
    const struct sg_trace *trace = &verification->traces[trial];
    const size_t column = sg_trace_column(trace, "energy/total");
    double most = 0.0;
    for (size_t i = 1; i < trace->row_count; i++)
        most = fmax(most, sg_trace_row(trace, i)[column] - sg_trace_row(trace, i - 1)[column]);
    return most;
}

double sg_measure_energy_change(const struct sg_verification *verification, size_t trial)
{
    const struct sg_trace *trace = &verification->traces[trial];
    return last(trace, "energy/total") - sg_trace_row(trace, 0)[sg_trace_column(trace, "energy/total")];
}

double sg_measure_newton_mean(const struct sg_verification *verification, size_t trial)
{
    const struct sg_summary *summary = &verification->traces[trial].summary;
    return (double)summary->newton_iterations / (double)summary->steps;
}

double sg_measure_newton_most(const struct sg_verification *verification, size_t trial)
{
    return (double)verification->traces[trial].summary.newton_most;
}

double sg_measure_rejected(const struct sg_verification *verification, size_t trial)
{
    return (double)verification->traces[trial].summary.rejected_steps;
}
