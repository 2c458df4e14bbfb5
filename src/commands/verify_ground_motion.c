/* Records made for Eurocode 8: how well they fit, that they come to rest, and the response spectrum itself
 * against closed forms. */
#include <math.h>

#include "commands/verify.h"
#include "ground/ground_motion.h"

enum column { SEED, MEAN, WORST, VELOCITY, DISPLACEMENT, FLOOR, COLUMNS };

static const char *const histories[] = {NULL};

enum trial { SHIPPED, SOFT };

static const struct sg_trial trials[] = {
    [SHIPPED] = {"type 1, soil A", {NULL}},
    [SOFT] = {"type 2, soil D", {"spectrum.shape=2", "spectrum.soil=D", "generate.count=3", NULL}},
    {0}};

/* smallest ratio of the mean of the spectra to the target from .1 to 2 s */
static double lowest_mean(const struct sg_ground_motion *motion)
{
    double lowest = HUGE_VAL;
    for (size_t i = 0; i < motion->periods; i++) {
        double mean = 0;
        if (motion->period[i] < 0.1 || motion->period[i] > 2) continue;
        for (size_t k = 0; k < motion->count; k++)
            mean += motion->response[k * motion->periods + i].pseudo_acceleration / (double)motion->count;
        lowest = fmin(lowest, mean / sg_code_spectrum_at(&motion->target, motion->period[i]));
    }
    return lowest;
}

static sg_status add_rows(const struct sg_ground_motion *motion, struct sg_trace *trace, struct sg_error *err)
{
    double lowest = lowest_mean(motion);
    for (size_t k = 0; k < motion->count; k++) {
        const struct sg_motion_record *record = &motion->records[k];
        struct sg_signal_value end = sg_signal_at(&record->signal, motion->end);
        double peak[3], *row = sg_trace_add_row(trace, err);
        if (row == NULL) return err->status;
        sg_ground_motion_peaks(motion, k, peak);
        row[SEED] = record->seed;
        row[MEAN] = record->fit.mean;
        row[WORST] = record->fit.worst;
        row[VELOCITY] = fabs(end.sum) / peak[1];
        row[DISPLACEMENT] = fabs(end.sum2) / peak[2];
        row[FLOOR] = lowest;
    }
    return SG_OK;
}

static sg_status make(struct sg_ground_motion *motion, const struct sg_deck *deck, struct sg_trace *trace,
                      struct sg_diagnostics *diagnostics, struct sg_error *err)
{
    trace->histories = histories;
    trace->width = COLUMNS;
    TRY(sg_ground_motion_init(motion, deck, diagnostics, err));
    while (motion->done < motion->count) TRY(sg_ground_motion_advance(motion, err));
    return add_rows(motion, trace, err);
}

static sg_status record(const struct sg_deck *deck, struct sg_trace *trace,
                        struct sg_diagnostics *diagnostics, struct sg_error *err)
{
    struct sg_ground_motion motion;
    sg_status status = make(&motion, deck, trace, diagnostics, err);
    sg_ground_motion_release(&motion);
    return status;
}

static double largest(const struct sg_verification *verification, size_t trial, enum column column)
{
    const struct sg_trace *trace = &verification->traces[trial];
    double worst = 0;
    for (size_t i = 0; i < trace->row_count; i++) worst = fmax(worst, sg_trace_row(trace, i)[column]);
    return worst;
}

static double records(const struct sg_verification *verification, size_t trial)
{
    return (double)verification->traces[trial].row_count;
}

static double mean_error(const struct sg_verification *verification, size_t trial)
{
    return largest(verification, trial, MEAN);
}

static double end_velocity(const struct sg_verification *verification, size_t trial)
{
    return largest(verification, trial, VELOCITY);
}

static double end_displacement(const struct sg_verification *verification, size_t trial)
{
    return largest(verification, trial, DISPLACEMENT);
}

static double lowest_of_means(const struct sg_verification *verification, size_t trial)
{
    return sg_trace_row(&verification->traces[trial], 0)[FLOOR];
}

/* of a long step, whose overshoot is exp(-pi xi / sqrt(1 - xi^2)), over periods and damping ratios */
static double error_of_step(const struct sg_verification *verification, size_t trial)
{
    double x[] = {0, 60}, y[] = {1, 1}, worst = 0;
    const struct sg_table step = {2, x, y};
    (void)verification, (void)trial;
    for (int i = 0; i < 12; i++)
        for (int j = 0; j < 18; j++) {
            double period = 0.02 * pow(1.7, i), damping = 0.05 * j;
            double exact = 1 + exp(-acos(-1.0) * damping / sqrt(1 - damping * damping));
            double found = sg_response_of(&step, period, damping).pseudo_acceleration;
            worst = fmax(worst, fabs(found / exact - 1));
        }
    return worst;
}

/* of a rectangular pulse of .3 s without damping: 2, or 2 sin(pi .3 / T) where T > .6 s */
static double error_of_pulse(const struct sg_verification *verification, size_t trial)
{
    double x[] = {0, 0.3}, y[] = {1, 1}, worst = 0;
    const struct sg_table pulse = {2, x, y};
    (void)verification, (void)trial;
    for (int i = 0; i < 24; i++) {
        double period = 0.02 * pow(1.3, i);
        double exact = period <= 0.6 ? 2 : 2 * sin(acos(-1.0) * 0.3 / period);
        worst = fmax(worst, fabs(sg_response_of(&pulse, period, 0).pseudo_acceleration / exact - 1));
    }
    return worst;
}

static const struct sg_figure figures[] = {
    {"records", SHIPPED, records, 10, 0.5},
    {"largest mean error of a spectrum, .1 to 2 s", SHIPPED, mean_error, 0, 0.05},
    {"lowest mean of ten spectra over target", SHIPPED, lowest_of_means, 1, 0.1},
    {"velocity at the end over its peak", SHIPPED, end_velocity, 0, 1e-10},
    {"displacement at the end over its peak", SHIPPED, end_displacement, 0, 1e-10},
    {"response spectrum of a step", SHIPPED, error_of_step, 0, 1e-6},
    {"response spectrum of a rectangular pulse", SHIPPED, error_of_pulse, 0, 1e-6},
    {"largest mean error of a spectrum, .1 to 2 s", SOFT, mean_error, 0, 0.05},
    {0}};

const struct sg_benchmark sg_benchmark_ground_motion_ec8 = {
    .name = "ground_motion_ec8",
    .meaning = "records that fit Eurocode 8, and response spectra against closed forms",
    .trials = trials,
    .figures = figures,
    .histories = histories,
    .record = record,
    .grammar = sg_ground_grammar,
};
