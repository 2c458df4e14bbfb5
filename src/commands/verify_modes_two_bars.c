/* Two bars and a stop: elastic contacts keep the energy, and a branch ends where the swing back grazes the
 * stop. */
#include <math.h>

#include "commands/verify.h"

static const char *const columns[] = {"energy", "energy_jump", "determinant", "defect", "switches",
                                      "margin", "end",         "piece",       NULL};

enum trial { BRANCH, ALONG };

#define QUIET "analysis.samples=0"

static const struct sg_trial trials[] = {
    [BRANCH] = {"frequency by frequency", {QUIET}},
    [ALONG] = {"along the branch", {QUIET, "analysis.continuation=arclength", "analysis.count=100"}},
    {0}};

enum { GRAZES = 1, MISSING = 3 };

static double at(const struct sg_trace *trace, size_t row, const char *column)
{
    return sg_trace_row(trace, row)[sg_trace_column(trace, column)];
}

static double worst_jump(const struct sg_verification *verification, size_t trial)
{
    const struct sg_trace *trace = &verification->traces[trial];
    double worst = 0;
    for (size_t i = 0; i < trace->row_count; i++)
        if (at(trace, i, "end") != MISSING)
            worst = fmax(worst, at(trace, i, "energy_jump") / at(trace, i, "energy"));
    return worst;
}

static double worst_volume(const struct sg_verification *verification, size_t trial)
{
    const struct sg_trace *trace = &verification->traces[trial];
    double worst = 0;
    for (size_t i = 0; i < trace->row_count; i++)
        if (at(trace, i, "end") != MISSING) worst = fmax(worst, fabs(at(trace, i, "determinant") - 1));
    return worst;
}

static double worst_defect(const struct sg_verification *verification, size_t trial)
{
    const struct sg_trace *trace = &verification->traces[trial];
    double worst = 0;
    for (size_t i = 0; i < trace->row_count; i++)
        if (at(trace, i, "end") != MISSING) worst = fmax(worst, at(trace, i, "defect"));
    return worst;
}

static size_t first_grazing(const struct sg_trace *trace)
{
    size_t i = 0;
    while (i + 1 < trace->row_count && at(trace, i, "end") != GRAZES) i++;
    return i;
}

static double grazing_ratio(const struct sg_verification *verification, size_t trial)
{
    const struct sg_trace *trace = &verification->traces[trial];
    size_t row = first_grazing(trace);
    return at(trace, row, "end") == GRAZES ? sg_trace_row(trace, row)[0] : NAN;
}

static double grazing_margin(const struct sg_verification *verification, size_t trial)
{
    const struct sg_trace *trace = &verification->traces[trial];
    return at(trace, first_grazing(trace), "margin");
}

/* the two ways to follow a branch come to one end */
static double same_end(const struct sg_verification *verification, size_t trial)
{
    return grazing_ratio(verification, trial) - grazing_ratio(verification, BRANCH);
}

/* switches in a period before and behind the grazing */
static double before(const struct sg_verification *verification, size_t trial)
{
    const struct sg_trace *trace = &verification->traces[trial];
    return at(trace, first_grazing(trace), "switches");
}

static double behind(const struct sg_verification *verification, size_t trial)
{
    const struct sg_trace *trace = &verification->traces[trial];
    return at(trace, first_grazing(trace) + 1, "switches");
}

static const struct sg_figure figures[] = {
    {"largest change of energy at a contact, relative", BRANCH, worst_jump, 0, 1e-12},
    {"determinant of the monodromy off 1, worst", BRANCH, worst_volume, 0, 1e-9},
    {"velocity left at half a period, largest", BRANCH, worst_defect, 0, 1e-9},
    {"frequency ratio of the grazing", BRANCH, grazing_ratio, 1.0123, 1e-4},
    {"margin there, m", BRANCH, grazing_margin, 0, 1e-5},
    {"switches in a period before it", BRANCH, before, 2, 0.5},
    {"switches in a period behind it", BRANCH, behind, 4, 0.5},
    {"frequency ratio of the grazing, off that frequency by frequency", ALONG, same_end, 0, 1e-5},
    {0}};

const struct sg_benchmark sg_benchmark_modes_two_bars = {
    .name = "modes_two_bars",
    .meaning = "two bars and a stop: orbits with several elastic contacts, up to a grazing",
    .trials = trials,
    .figures = figures,
    .histories = columns,
};
