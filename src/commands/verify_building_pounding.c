/* The building of Depouhon, Detournay and Denoel 2014, section 4.3, with sections of ours: no exact solution
 * is known, but events must not depend on the step, nor a motion without pounding on the gap. */
#include <math.h>

#include "commands/verify.h"

static const char *const histories[] = {"gap", "energy/total", "energy/numerical", NULL};

enum trial { STRICT, LONG, WIDE, WIDER };
enum { FLOORS = 18 };

#define LONGER "time.step=2e-3", "time.contact_step=7.69891e-5"

static const struct sg_trial trials[] = {[STRICT] = {"step of the paper", {NULL}},
                                         [LONG] = {"2 ms in flight", {LONGER}},
                                         [WIDE] = {"gaps of 6 cm", {LONGER, "contacts.[0].gap=0.06"}},
                                         [WIDER] = {"gaps of 10 cm", {LONGER, "contacts.[0].gap=0.1"}},
                                         {0}};

static double closings(const struct sg_verification *verification, size_t trial)
{
    return (double)sg_trace_count(&verification->traces[trial], SG_EVENT_CLOSE);
}

/* rad/s */
static double highest_free(const struct sg_verification *verification, size_t trial)
{
    return verification->traces[trial].sizes.omega_free;
}

static double highest_closed(const struct sg_verification *verification, size_t trial)
{
    return verification->traces[trial].sizes.omega_closed;
}

/* events that are others than those of the strict step, one by one, or none */
static double strangers(const struct sg_verification *verification, size_t trial)
{
    const struct sg_trace *a = &verification->traces[STRICT], *b = &verification->traces[trial];
    double count = fabs((double)a->event_count - (double)b->event_count);
    for (size_t k = 0; k < a->event_count && k < b->event_count; k++)
        count += a->events[k].contact != b->events[k].contact || a->events[k].kind != b->events[k].kind;
    return count;
}

/* s */
static double delay(const struct sg_verification *verification, size_t trial)
{
    const struct sg_trace *a = &verification->traces[STRICT], *b = &verification->traces[trial];
    double most = 0.0;
    for (size_t k = 0; k < a->event_count && k < b->event_count; k++)
        most = fmax(most, fabs(a->events[k].t - b->events[k].t));
    return most;
}

/* m: max W^T u, the most by which a gap exceeds its first value */
static double excursion(const struct sg_trace *trace)
{
    size_t gap = sg_trace_column(trace, "gap");
    double most = 0.0;
    for (size_t i = 0; i < trace->row_count; i++)
        for (size_t j = 0; j < FLOORS; j++)
            most = fmax(most, sg_trace_row(trace, i)[gap + j] - sg_trace_row(trace, 0)[gap + j]);
    return most;
}

static double to_wide(const struct sg_verification *verification, size_t trial)
{
    return excursion(&verification->traces[trial]) / excursion(&verification->traces[WIDE]);
}

/* Times of events may move by 1e-4 s, a twentieth of the longer step. A system that never touches is linear
 * and the same whatever the gap: its excursion is saturated to rounding, 1e-16 of 0.1 m over 0.05 m; pounding
 * cuts it. */
static const struct sg_figure figures[] = {
    {"highest frequency (rad/s), to an independent program", STRICT, highest_free, 10701.638,
     1e-6 * 10701.638},
    {"with all contacts closed", STRICT, highest_closed, 32644.551, 1e-6 * 32644.551},
    {"closings", STRICT, closings, 91.0, 0.5},
    {"energy: largest drift over total", STRICT, sg_measure_drift, 0.0, 1e-4},
    {"events that differ from the strict step's", LONG, strangers, 0.0, 0.5},
    {"largest difference of their times (s)", LONG, delay, 0.0, 1e-4},
    {"closings", WIDE, closings, 0.0, 0.5},
    {"excursion max W^T u, to gaps of 6 cm", WIDER, to_wide, 1.0, 1e-12},
    {0}};

const struct sg_benchmark sg_benchmark_building_pounding = {
    .name = "building_pounding",
    .meaning =
        "an 18-storey building whose two parts pound in an earthquake: events by step, excursion by gap",
    .trials = trials,
    .figures = figures,
    .histories = histories,
};
