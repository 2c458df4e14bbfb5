/* The block that falls on its corners: nonsmooth generalized-alpha and its rivals. */
#include <math.h>

#include "benchmarks/exact/rocking_block.h"
#include "commands/verify_impulses.h"

static const char *const histories[] = {"gap", "energy/total", "momentum/linear", "impulse", NULL};

enum trial { DECK, TENTH, FINE, SPARSE, INDEX_3, VELOCITY, MOREAU };

static const struct sg_trial trials[] = {[DECK] = {"nonsmooth generalized-alpha", {NULL}},
                                         [TENTH] = {"a tenth of the step", {"time.step=1e-3"}},
                                         [FINE] = {"a hundredth of the step", {"time.step=1e-4"}},
                                         [SPARSE] = {"sparse solver", {"strategy.solver=sparse"}},
                                         [INDEX_3] = {"index 3", {SG_TRIAL_INDEX_3}},
                                         [VELOCITY] = {"velocity level (2013)", {SG_TRIAL_VELOCITY}},
                                         [MOREAU] = {"Moreau-Jean", {SG_TRIAL_MOREAU}},
                                         {0}};

static sg_status exact_init(void *exact, struct sg_error *err)
{
    (void)err;
    sg_rocking_block_solve(exact);
    return SG_OK;
}

/* impacts of the corner that the exact motion names, in its order: error of time and impulse */
static struct sg_impact error_of(const struct sg_verification *verification, size_t trial, size_t k)
{
    const struct sg_rocking_block *block = verification->exact;
    const struct sg_trace *trace = &verification->traces[trial];
    struct sg_impact impacts[SG_BLOCK_IMPACTS];
    size_t earlier = 0;
    for (size_t i = 0; i < k; i++) earlier += block->corner[i] == block->corner[k];
    if (sg_trace_impacts(trace, block->corner[k], impacts, SG_BLOCK_IMPACTS) <= earlier)
        return (struct sg_impact){NAN, NAN};
    return (struct sg_impact){impacts[earlier].t - block->time[k],
                              impacts[earlier].impulse - block->impulse[k]};
}

/* s: the latest of the first four, after its exact time */
static double worst_time(const struct sg_verification *verification, size_t trial)
{
    double most = 0.0;
    for (size_t k = 0; k < SG_BLOCK_IMPACTS; k++) {
        double late = fabs(error_of(verification, trial, k).t);
        most = late <= most ? most : late;
    }
    return most;
}

static double worst_impulse(const struct sg_verification *verification, size_t trial)
{
    double most = 0.0;
    for (size_t k = 0; k < SG_BLOCK_IMPACTS; k++) {
        double off = fabs(error_of(verification, trial, k).impulse);
        most = off <= most ? most : off;
    }
    return most;
}

/* J over the floor: the block starts with 9.81 */
static double energy(const struct sg_verification *verification, size_t trial)
{
    return 9.81 + sg_measure_energy_change(verification, trial);
}

/* of the exact motion, against the figures that were published with the benchmark's corrected statement */
#define EXACT(name, expression)                                                                              \
    static double name(const struct sg_verification *verification, size_t trial)                             \
    {                                                                                                        \
        const struct sg_rocking_block *block = verification->exact;                                          \
        (void)trial;                                                                                         \
        return block->expression;                                                                            \
    }
EXACT(exact_time_0, time[0])
EXACT(exact_time_1, time[1])
EXACT(exact_time_2, time[2])
EXACT(exact_time_3, time[3])
EXACT(exact_impulse_0, impulse[0])
EXACT(exact_impulse_1, impulse[1])
EXACT(exact_impulse_2, impulse[2])
EXACT(exact_impulse_3, impulse[3])

/* m: the gap beside that of the deck's own solver */
static double apart(const struct sg_verification *verification, size_t trial)
{
    const struct sg_trace *a = &verification->traces[trial], *b = &verification->traces[DECK];
    return sg_trace_apart(a, b, "gap");
}

/* Impacts come at most a step late, the fourth by what three before it were late; their impulses are off by
 * some m g h. At rest on both corners the centre is 0.75 m high: 7.3575 J. Over 2 s the floor gives m g 2 s.
 */
static const struct sg_figure figures[] = {
    {"impact 1, exact (s)", DECK, exact_time_0, 0.183751, 1e-6},
    {"impact 2, exact (s)", DECK, exact_time_1, 0.296297, 1e-6},
    {"impact 3, exact (s)", DECK, exact_time_2, 0.472693, 1e-6},
    {"impact 4, exact (s)", DECK, exact_time_3, 0.518577, 1e-6},
    {"impulse 1, exact (N s)", DECK, exact_impulse_0, 1.8916, 1e-4},
    {"impulse 2, exact (N s)", DECK, exact_impulse_1, 1.7941, 1e-4},
    {"impulse 3, exact (N s)", DECK, exact_impulse_2, 1.0081, 1e-4},
    {"impulse 4, exact (N s)", DECK, exact_impulse_3, 0.77387, 1e-5},
    {"penetration (m)", DECK, sg_measure_penetration, 0.0, 1e-12},
    {"first four impacts: late (s)", DECK, worst_time, 0.0, 0.015},
    {"first four impulses: error (N s)", DECK, worst_impulse, 0.0, 0.1},
    {"energy at the end (J)", DECK, energy, 7.3575, 1e-9},
    {"sum of impulses (N s)", DECK, sg_measure_impulse, 19.62, 1e-9},
    {"solves a step", DECK, sg_measure_newton_mean, 1.0, 1.0},
    {"solves a step, most", DECK, sg_measure_newton_most, 2.0, 2.0},
    {"rejected steps", DECK, sg_measure_rejected, 0.0, 0.5},
    {"first four impacts: late (s)", TENTH, worst_time, 0.0, 0.002},
    {"first four impulses: error (N s)", TENTH, worst_impulse, 0.0, 0.01},
    {"penetration (m)", TENTH, sg_measure_penetration, 0.0, 1e-12},
    {"sum of impulses (N s)", TENTH, sg_measure_impulse, 19.62, 1e-9},
    {"first four impacts: late (s)", FINE, worst_time, 0.0, 0.00015},
    {"first four impulses: error (N s)", FINE, worst_impulse, 0.0, 0.001},
    {"gap beside the dense solver's (m)", SPARSE, apart, 0.0, 1e-9},
    {"sum of impulses (N s)", VELOCITY, sg_measure_impulse, 19.62, 1e-9},
    {"sum of impulses (N s)", MOREAU, sg_measure_impulse, 19.62, 1e-9},
    {0}};

const struct sg_benchmark sg_benchmark_rocking_block = {
    .name = "rocking_block",
    .meaning = "nonsmooth generalized-alpha: a rigid block on its two corners, down to rest",
    .trials = trials,
    .figures = figures,
    .histories = histories,
    .exact_size = sizeof(struct sg_rocking_block),
    .exact_init = exact_init,
};
