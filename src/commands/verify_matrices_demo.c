/* A bar by its matrices from files, with contacts by columns of a file, against the same bar by the program's
 * own element, walls, gravity and force: two routes that share nothing but the solvers. */
#include <math.h>

#include "commands/verify.h"

static const char *const histories[] = {
    "displacement", "velocity", "contact_force", "gap", NULL,
};

enum { NODES = 21, CONTACTS = 2 };

/* each pair: by matrices, by elements */
enum trial {
    EVENTS,
    EVENTS_BAR,
    DAMPED,
    DAMPED_BAR,
    POSITION,
    POSITION_BAR,
    VELOCITY,
    VELOCITY_BAR,
};

#define BAR                                                                                                  \
    "bodies.[0]={type=\"bar\";name=\"bar\";length=10.0;elements=20;area=1.0;modulus=900.0;density=1.0;}",    \
        "initial.[0]={body=\"bar\";velocity=-10.0;}",                                                        \
        "loads=({type=\"gravity\";acceleration=-10.0;},{type=\"force\";node=\"bar.right\";"                  \
        "signal={type=\"harmonic\";amplitude=20.0;frequency=0.5;};})",                                       \
        "contacts=({type=\"wall\";node=\"bar.left\";gap=1.0;stiffness=1.0e5;},"                              \
        "{type=\"wall\";node=\"bar.right\";gap=2.0;side=\"upper\";stiffness=1.0e5;})"

#define STEPPING(level)                                                                                      \
    "integrator={type=\"central-difference\";}", "strategy={type=\"time-stepping\";level=\"" level "\";}",   \
        "time={end=2.0;step=0.002;}"

static const struct sg_trial trials[] = {
    [EVENTS] = {"event-driven", {NULL}},
    [EVENTS_BAR] = {"event-driven, body 'bar'", {BAR}},
    [DAMPED] = {"damped", {"bodies.[0].damping=\"matrices_demo_damping.mtx\""}},
    [DAMPED_BAR] = {"damped, body 'bar'", {BAR, "damping={stiffness=0.002;}"}},
    [POSITION] = {"position level", {STEPPING("position")}},
    [POSITION_BAR] = {"position level, body 'bar'", {BAR, STEPPING("position")}},
    [VELOCITY] = {"velocity level", {STEPPING("velocity")}},
    [VELOCITY_BAR] = {"velocity level, body 'bar'", {BAR, STEPPING("velocity")}},
    {0}};

/* the largest difference of the trial before, by the largest value there is; infinite if steps differ */
static double difference(const struct sg_verification *verification, size_t trial, const char *history,
                         size_t width)
{
    const struct sg_trace *a = &verification->traces[trial], *b = a - 1;
    size_t column = sg_trace_column(a, history);
    double worst = 0.0, largest = 0.0;
    if (a->row_count != b->row_count) return HUGE_VAL;
    for (size_t i = 0; i < a->row_count; i++)
        for (size_t k = column; k < column + width; k++) {
            worst = fmax(worst, fabs(sg_trace_row(a, i)[k] - sg_trace_row(b, i)[k]));
            largest = fmax(largest, fabs(sg_trace_row(b, i)[k]));
        }
    return worst / largest;
}

static double displacement(const struct sg_verification *verification, size_t trial)
{
    return difference(verification, trial, "displacement", NODES);
}

static double velocity(const struct sg_verification *verification, size_t trial)
{
    return difference(verification, trial, "velocity", NODES);
}

static double force(const struct sg_verification *verification, size_t trial)
{
    return difference(verification, trial, "contact_force", CONTACTS);
}

static double gap(const struct sg_verification *verification, size_t trial)
{
    return difference(verification, trial, "gap", CONTACTS);
}

/* whether either contact pushes at all */
static double contacts_that_act(const struct sg_verification *verification, size_t trial)
{
    const struct sg_trace *trace = &verification->traces[trial];
    size_t column = sg_trace_column(trace, "contact_force");
    double count = 0.0;
    for (size_t j = 0; j < CONTACTS; j++) {
        double largest = 0.0;
        for (size_t i = 0; i < trace->row_count; i++)
            largest = fmax(largest, sg_trace_row(trace, i)[column + j]);
        count += largest > 0.0;
    }
    return count;
}

/* Event-driven, a difference of rounding moves the times at which the search for an event may stop: gaps
 * agree to its tolerance, 1e-8 of the largest, forces, which jump, to 1e-7. Time-stepping has no search:
 * rounding of 1000 steps, enlarged by impacts. */
static const struct sg_figure figures[] = {
    {"contacts that act", EVENTS, contacts_that_act, 2.0, 0.5},
    {"displacement: difference of 'bar'", EVENTS_BAR, displacement, 0.0, 1e-8},
    {"gap: difference", EVENTS_BAR, gap, 0.0, 1e-8},
    {"contact force: difference", EVENTS_BAR, force, 0.0, 1e-7},
    {"displacement: difference of 'bar'", DAMPED_BAR, displacement, 0.0, 1e-8},
    {"gap: difference", DAMPED_BAR, gap, 0.0, 1e-8},
    {"contacts that act", POSITION, contacts_that_act, 2.0, 0.5},
    {"displacement: difference of 'bar'", POSITION_BAR, displacement, 0.0, 1e-12},
    {"velocity: difference", POSITION_BAR, velocity, 0.0, 1e-12},
    {"contact force: difference", POSITION_BAR, force, 0.0, 1e-12},
    {"contacts that act", VELOCITY, contacts_that_act, 2.0, 0.5},
    {"displacement: difference of 'bar'", VELOCITY_BAR, displacement, 0.0, 1e-12},
    {"velocity: difference", VELOCITY_BAR, velocity, 0.0, 1e-12},
    {"contact force: difference", VELOCITY_BAR, force, 0.0, 1e-12},
    {0}};

const struct sg_benchmark sg_benchmark_matrices_demo = {
    .name = "matrices_demo",
    .meaning = "a bar by matrices from files, against the same bar by elements",
    .trials = trials,
    .figures = figures,
    .histories = histories,
};
