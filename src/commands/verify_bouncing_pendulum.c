/* The pendulum that swings against an obstacle: nonsmooth generalized-alpha with bilateral constraints. */
#include <math.h>

#include "benchmarks/bouncing_pendulum.h"
#include "commands/verify_impulses.h"

static const char *const histories[] = {"gap",
                                        "contact_force",
                                        "energy/total",
                                        "constraint_violation",
                                        "constraint_force",
                                        "constraint_smooth",
                                        "displacement",
                                        "velocity",
                                        "impulse",
                                        NULL};

enum trial { DECK, TENTH, MINUTE, DAMPED, SEQUENTIAL, SMOOTH, SMOOTHER, SMOOTHEST, VELOCITY, MOREAU };

/* the obstacle out of reach */
#define FREE(step) "contacts.[0].point=[-5.0, 0.0]", "time.end=1.0", "time.step=" step

static const struct sg_trial trials[] = {[DECK] = {"nonsmooth generalized-alpha", {NULL}},
                                         [TENTH] = {"a tenth of the step", {"time.step=1e-4"}},
                                         [MINUTE] = {"for a minute", {"time.end=60.0"}},
                                         [DAMPED] = {"rho_inf 0", {"integrator.rho_inf=0.0"}},
                                         [SEQUENTIAL] = {"sequential", {"strategy.coupling=sequential"}},
                                         [SMOOTH] = {"no obstacle, step 4 ms", {FREE("4e-3")}},
                                         [SMOOTHER] = {"no obstacle, step 2 ms", {FREE("2e-3")}},
                                         [SMOOTHEST] = {"no obstacle, step 0.1 ms", {FREE("1e-4")}},
                                         [VELOCITY] = {"velocity level (2013)", {SG_TRIAL_VELOCITY}},
                                         [MOREAU] = {"Moreau-Jean", {SG_TRIAL_MOREAU}},
                                         {0}};

static sg_status exact_init(void *exact, struct sg_error *err)
{
    (void)err;
    sg_bouncing_pendulum_solve(exact);
    return SG_OK;
}

static struct sg_impact first(const struct sg_verification *verification, size_t trial)
{
    struct sg_impact impact = {NAN, NAN};
    sg_trace_impacts(&verification->traces[trial], 0, &impact, 1);
    return impact;
}

static double first_time(const struct sg_verification *verification, size_t trial)
{
    const struct sg_bouncing_pendulum *exact = verification->exact;
    return first(verification, trial).t - exact->time;
}

static double first_impulse(const struct sg_verification *verification, size_t trial)
{
    return first(verification, trial).impulse;
}

static double impulse_error(const struct sg_verification *verification, size_t trial)
{
    const struct sg_bouncing_pendulum *exact = verification->exact;
    return first_impulse(verification, trial) - exact->impulse;
}

/* 1: the largest error of the first four impulses, by what the rates of steps can make of it */
static double worst_impulse(const struct sg_verification *verification, size_t trial)
{
    enum { COUNT = 4 };
    const struct sg_bouncing_pendulum *exact = verification->exact;
    const struct sg_trace *trace = &verification->traces[trial];
    const double step = sg_trace_row(trace, 1)[0];
    struct sg_impact impact[COUNT];
    double most = 0.0;
    if (sg_trace_impacts(trace, 0, impact, COUNT) < COUNT) return NAN;
    for (size_t k = 0; k < COUNT; k++) {
        double off = fabs(impact[k].impulse / sg_bouncing_pendulum_impulse(exact, k) - 1.0);
        most = fmax(most, off / sg_bouncing_pendulum_slack(exact, k, step));
    }
    return most;
}

static double exact_time(const struct sg_verification *verification, size_t trial)
{
    (void)trial;
    return ((const struct sg_bouncing_pendulum *)verification->exact)->time;
}

static double exact_impulse(const struct sg_verification *verification, size_t trial)
{
    (void)trial;
    return ((const struct sg_bouncing_pendulum *)verification->exact)->impulse;
}

static double worst_of(const struct sg_verification *verification, size_t trial, const char *history)
{
    const struct sg_trace *trace = &verification->traces[trial];
    const size_t column = sg_trace_column(trace, history);
    double most = 0.0;
    for (size_t i = 0; i < trace->row_count; i++)
        for (size_t k = 0; k < 2; k++) most = fmax(most, fabs(sg_trace_row(trace, i)[column + k]));
    return most;
}

static double violation(const struct sg_verification *verification, size_t trial)
{
    return worst_of(verification, trial, "constraint_violation");
}

static double last(const struct sg_verification *verification, size_t trial, const char *history)
{
    const struct sg_trace *trace = &verification->traces[trial];
    return sg_trace_last(trace)[sg_trace_column(trace, history)];
}

static double rest_force(const struct sg_verification *verification, size_t trial)
{
    return last(verification, trial, "contact_force");
}

static double rest_reaction(const struct sg_verification *verification, size_t trial)
{
    return last(verification, trial, "constraint_force");
}

/* --- the smooth multiplier after the first impact ------------------------------------------------- */

enum { AFTER = 24 };

/* second differences of the multiplier, from the step after the impact on: what alternates stands out */
static void differences(const struct sg_verification *verification, size_t trial, double *d)
{
    const struct sg_trace *trace = &verification->traces[trial];
    const size_t column = sg_trace_column(trace, "constraint_smooth");
    const double t = first(verification, trial).t;
    size_t i = 0;
    while (i + AFTER + 3 < trace->row_count && sg_trace_row(trace, i)[0] < t - 1e-9) i++;
    for (size_t k = 0; k < AFTER; k++) {
        const double *row[3] = {sg_trace_row(trace, i + 1 + k), sg_trace_row(trace, i + 2 + k),
                                sg_trace_row(trace, i + 3 + k)};
        d[k] = 0.25 * (row[0][column] - 2.0 * row[1][column] + row[2][column]);
    }
}

/* N: half of the swing of the first steps */
static double alternation(const struct sg_verification *verification, size_t trial)
{
    double d[AFTER];
    differences(verification, trial, d);
    return fabs(d[0]);
}

static double ratio(const struct sg_verification *verification, size_t trial)
{
    double d[AFTER];
    differences(verification, trial, d);
    return d[AFTER - 1] / d[AFTER - 2];
}

/* how often the multiplier turns back in the steps after that of the impact */
static double turns(const struct sg_verification *verification, size_t trial)
{
    const struct sg_trace *trace = &verification->traces[trial];
    const size_t column = sg_trace_column(trace, "constraint_smooth");
    const double t = first(verification, trial).t;
    double count = 0.0, before = 0.0, steps = 0.0;
    for (size_t i = 1; i < trace->row_count && steps < AFTER; i++) {
        if (sg_trace_row(trace, i)[0] < t + 1.5e-3) continue;
        double change = sg_trace_row(trace, i)[column] - sg_trace_row(trace, i - 1)[column];
        count += change * before < 0.0;
        before = change;
        steps++;
    }
    return count;
}

/* --- order without impacts ------------------------------------------------------------------------ */

/* of a history's columns at the end, beside those of the finest step; the trial before has twice the step */
static double error_at_end(const struct sg_verification *verification, size_t trial, const char *history,
                           size_t columns)
{
    const struct sg_trace *trace = &verification->traces[trial], *fine = &verification->traces[SMOOTHEST];
    const size_t column = sg_trace_column(trace, history);
    double sum = 0.0;
    for (size_t k = 0; k < columns; k++) {
        double off = sg_trace_last(trace)[column + k] - sg_trace_last(fine)[column + k];
        sum += off * off;
    }
    return sqrt(sum);
}

static double order(const struct sg_verification *verification, const char *history, size_t columns)
{
    return log2(error_at_end(verification, SMOOTH, history, columns) /
                error_at_end(verification, SMOOTHER, history, columns));
}

static double position_order(const struct sg_verification *verification, size_t trial)
{
    (void)trial;
    return order(verification, "displacement", 3);
}

static double velocity_order(const struct sg_verification *verification, size_t trial)
{
    (void)trial;
    return order(verification, "velocity", 3);
}

static double multiplier_order(const struct sg_verification *verification, size_t trial)
{
    (void)trial;
    return order(verification, "constraint_smooth", 2);
}

/* The first impulse is that of a second program. An impact comes a step late at most. It is taken with the
 * rates of the step's ends, which differ from those of the impact by g'' h at most: 0.6 % of the first
 * impulse, 2.1 % in all of the fourth with the deck's step, a tenth of that with a tenth. Constraints hold to
 * Newton's tolerance, 1e-10 of the speed, of which quadratic convergence leaves less. At rest the obstacle
 * carries m g tan 45. The ratio of the multiplier's alternations nears -rho_inf from beyond, as that of a
 * double root. The orders' reference has a step of 0.1 ms: 1/400 of the error. */
static const struct sg_figure figures[] = {
    {"first impact, exact (s)", DECK, exact_time, 0.4861, 5e-5},
    {"first impulse, exact (N s)", DECK, exact_impulse, 11.735, 5e-4},
    {"first impact: late (s)", DECK, first_time, 0.0005, 0.0005},
    {"first impulse (N s)", DECK, first_impulse, 11.740, 5e-4},
    {"first impulse: error (N s)", DECK, impulse_error, 0.0, 0.02},
    {"first four impulses: error by its bound", DECK, worst_impulse, 0.0, 1.0},
    {"penetration (m)", DECK, sg_measure_penetration, 0.0, 1e-12},
    {"bilateral constraints (m)", DECK, violation, 0.0, 1e-13},
    {"force at rest (N)", DECK, rest_force, 10.0, 1e-9},
    {"reaction 1 at rest (N)", DECK, rest_reaction, -10.0, 1e-9},
    {"smooth multiplier alternates by (N)", DECK, alternation, 17.0, 4.0},
    {"ratio of its alternations", DECK, ratio, -0.82, 0.04},
    {"smooth multiplier turns back", DECK, turns, AFTER - 1, 0.5},
    {"solves a step", DECK, sg_measure_newton_mean, 1.0, 1.0},
    {"solves a step, most", DECK, sg_measure_newton_most, 1.5, 1.5},
    {"rejected steps", DECK, sg_measure_rejected, 0.0, 0.5},
    {"first four impulses: error by its bound", TENTH, worst_impulse, 0.0, 1.0},
    {"first impulse: error (N s)", TENTH, impulse_error, 0.0, 0.002},
    {"bilateral constraints (m)", MINUTE, violation, 0.0, 1e-10},
    {"penetration (m)", MINUTE, sg_measure_penetration, 0.0, 1e-9},
    {"smooth multiplier turns back", DAMPED, turns, 0.0, 0.5},
    {"first impulse (N s)", SEQUENTIAL, first_impulse, 11.740, 5e-4},
    {"bilateral constraints (m)", SEQUENTIAL, violation, 0.0, 1e-12},
    {"order of positions", SMOOTHEST, position_order, 2.0, 0.02},
    {"order of velocities", SMOOTHEST, velocity_order, 2.0, 0.02},
    {"order of smooth multipliers", SMOOTHEST, multiplier_order, 2.0, 0.02},
    {"bilateral constraints drift (m)", MOREAU, violation, 4.6e-4, 0.5e-4},
    {0}};

const struct sg_benchmark sg_benchmark_bouncing_pendulum = {
    .name = "bouncing_pendulum",
    .meaning = "nonsmooth generalized-alpha: bilateral and unilateral constraints, multipliers, order",
    .trials = trials,
    .figures = figures,
    .histories = histories,
    .exact_size = sizeof(struct sg_bouncing_pendulum),
    .exact_init = exact_init,
};
