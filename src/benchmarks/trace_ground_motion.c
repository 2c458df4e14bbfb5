#include <math.h>
#include <string.h>

#include "benchmarks/trace.h"
#include "ground/ground_motion.h"
#include "support/memory.h"

enum column { SEED, FIT_MEAN, FIT_WORST, END_VELOCITY, END_DISPLACEMENT, LOWEST_MEAN, COLUMNS };

static const char *const names[COLUMNS] = {"seed",         "fit_mean",         "fit_worst",
                                           "end_velocity", "end_displacement", "lowest_mean"};

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

static sg_status add_row(const struct sg_ground_motion *motion, size_t index, struct sg_trace *trace,
                         struct sg_error *err)
{
    const struct sg_motion_record *record = &motion->records[index];
    struct sg_signal_value end = sg_signal_at(&record->signal, motion->end);
    double peak[3], all[COLUMNS], *row = sg_trace_add_row(trace, err);
    if (row == NULL) return err->status;
    sg_ground_motion_peaks(motion, index, peak);
    all[SEED] = record->seed;
    all[FIT_MEAN] = record->fit.mean;
    all[FIT_WORST] = record->fit.worst;
    all[END_VELOCITY] = fabs(end.sum) / peak[1];
    all[END_DISPLACEMENT] = fabs(end.sum2) / peak[2];
    all[LOWEST_MEAN] = motion->has_target ? lowest_mean(motion) : NAN;
    for (size_t k = 0; k < trace->names->count; k++)
        for (size_t c = 0; c < COLUMNS; c++)
            if (strcmp(trace->names->items[k], names[c]) == 0) row[trace->first[k]] = all[c];
    return SG_OK;
}

static sg_status check_names(const struct sg_names *wanted, struct sg_error *err)
{
    for (size_t k = 0; k < wanted->count; k++) {
        size_t c = 0;
        while (c < COLUMNS && strcmp(wanted->items[k], names[c]) != 0) c++;
        if (c == COLUMNS)
            FAIL(err, SG_BAD_DECK,
                 "there is no column '%s' of ground motion; there are: %s, %s, %s, %s, %s, %s",
                 wanted->items[k], names[0], names[1], names[2], names[3], names[4], names[5]);
    }
    return SG_OK;
}

static sg_status make(struct sg_ground_motion *motion, const struct sg_deck *deck, struct sg_trace *trace,
                      struct sg_diagnostics *diagnostics, struct sg_error *err)
{
    SG_AUTO_FREE size_t *widths = NULL;
    TRY(sg_ground_motion_init(motion, deck, diagnostics, err));
    TRY(check_names(trace->names, err));
    while (motion->done < motion->count) TRY(sg_ground_motion_advance(motion, err));
    TRY(SG_NEW(&widths, trace->names->count, err));
    sg_status status = sg_trace_lay_out(trace, widths, false, err);
    for (size_t k = 0; k < motion->count && status == SG_OK; k++) status = add_row(motion, k, trace, err);
    return status;
}

sg_status sg_trace_ground_motion(const struct sg_deck *deck, struct sg_trace *trace,
                                 struct sg_diagnostics *diagnostics, struct sg_error *err)
{
    struct sg_ground_motion motion = {0};
    trace->status = make(&motion, deck, trace, diagnostics, err);
    sg_ground_motion_release(&motion);
    return trace->status;
}
