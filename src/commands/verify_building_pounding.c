/* The building of Depouhon, Detournay and Denoel 2014, section 4.3, with sections of ours: no exact solution
 * is known, but events must not depend on the step (and a motion without pounding not on the gap: sweep_gap).
 */
#include <math.h>

#include "commands/verify.h"

static const char *const histories[] = {"gap", "energy/total", "energy/numerical", NULL};

enum trial { STRICT, LONG };

#define LONGER "time.step=2e-3", "time.contact_step=7.69891e-5"

static const struct sg_trial trials[] = {
    [STRICT] = {"step of the paper", {NULL}}, [LONG] = {"2 ms in flight", {LONGER}}, {0}};

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

/* Times of events may move by 1e-4 s, a twentieth of the longer step. */
static const struct sg_figure figures[] = {
    {"highest frequency (rad/s), to an independent program", STRICT, highest_free, 10701.638,
     1e-6 * 10701.638},
    {"with all contacts closed", STRICT, highest_closed, 32644.551, 1e-6 * 32644.551},
    {"closings", STRICT, closings, 91.0, 0.5},
    {"energy: largest drift over total", STRICT, sg_measure_drift, 0.0, 1e-4},
    {"events that differ from the strict step's", LONG, strangers, 0.0, 0.5},
    {"largest difference of their times (s)", LONG, delay, 0.0, 1e-4},
    {0}};

const struct sg_benchmark sg_benchmark_building_pounding = {
    .name = "building_pounding",
    .meaning = "an 18-storey building whose two parts pound in an earthquake: events by step",
    .trials = trials,
    .figures = figures,
    .histories = histories,
};
