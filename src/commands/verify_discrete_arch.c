/* The arch that snaps onto a line: the end of the motion against a static solution. */
#include <math.h>
#include <stdbool.h>

#include "benchmarks/arch.h"
#include "commands/verify.h"

static const char *const histories[] = {"gap", "contact_force", "displacement", "energy/strain", NULL};

enum trial { DECK, STOPPED, STIFF };

static const struct sg_trial trials[] = {
    [DECK] = {"as it ships", {NULL}},
    [STOPPED] = {"stopped at rest", {"time.stop.tolerance=1.0e-6", "time.stop.period=343.3"}},
    [STIFF] = {"torsion stiffness as printed", {"bodies.[0].torsion_stiffness=4.16e-3"}},
    {0}};

enum { INNER = 10, MIDDLE = 5 };

static sg_status exact_init(void *exact, struct sg_error *err)
{
    const struct sg_arch_spec spec = sg_arch_benchmark();
    return sg_arch_solve(&spec, NULL, exact, err);
}

static const double *at_end(const struct sg_verification *verification, size_t trial, const char *history)
{
    const struct sg_trace *trace = &verification->traces[trial];
    return sg_trace_last(trace) + sg_trace_column(trace, history);
}

/* --- the static state over the line --------------------------------------------------------------- */

static double static_reaction(const struct sg_verification *verification, size_t trial)
{
    (void)trial;
    return ((const struct sg_arch_equilibrium *)verification->exact)->reaction[MIDDLE];
}

static double static_thrust(const struct sg_verification *verification, size_t trial)
{
    (void)trial;
    return ((const struct sg_arch_equilibrium *)verification->exact)->thrust;
}

static double static_energy(const struct sg_verification *verification, size_t trial)
{
    (void)trial;
    return ((const struct sg_arch_equilibrium *)verification->exact)->energy;
}

/* --- the end of the motion ------------------------------------------------------------------------ */

static double pushing_steps(const struct sg_trace *trace, size_t *first)
{
    const size_t column = sg_trace_column(trace, "contact_force");
    double count = 0.0;
    for (size_t i = 0; i < trace->row_count; i++) {
        bool pushes = false;
        for (size_t j = 0; j < INNER; j++) pushes = pushes || sg_trace_row(trace, i)[column + j] > 0.0;
        if (pushes && count == 0.0) *first = i;
        count += pushes;
    }
    return count;
}

static double first_step(const struct sg_verification *verification, size_t trial)
{
    size_t first = 0;
    pushing_steps(&verification->traces[trial], &first);
    return (double)first;
}

static double contact_steps(const struct sg_verification *verification, size_t trial)
{
    size_t first = 0;
    return pushing_steps(&verification->traces[trial], &first);
}

/* nodes 5 and 6 as digits of one number, node j being the bit j */
static double closed_nodes(const struct sg_verification *verification, size_t trial)
{
    const double *force = at_end(verification, trial, "contact_force");
    double bits = 0.0;
    for (size_t j = 0; j < INNER; j++) bits += force[j] > 0.0 ? ldexp(1.0, (int)j + 1) : 0.0;
    return bits;
}

static double reaction(const struct sg_verification *verification, size_t trial)
{
    return at_end(verification, trial, "contact_force")[MIDDLE - 1];
}

/* the static state that touches where the moving one ended */
static sg_status settle(const struct sg_verification *verification, size_t trial,
                        struct sg_arch_equilibrium *state)
{
    const struct sg_arch_spec spec = sg_arch_benchmark();
    const double *gap = at_end(verification, trial, "gap");
    double gaps[SG_ARCH_NODES] = {0.0};
    struct sg_error err = {SG_OK, ""};
    for (size_t j = 0; j < INNER; j++) gaps[j + 1] = fmin(0.0, gap[j]);
    return sg_arch_solve(&spec, gaps, state, &err);
}

static double place_error(const struct sg_verification *verification, size_t trial)
{
    const struct sg_arch_spec spec = sg_arch_benchmark();
    const double *u = at_end(verification, trial, "displacement");
    struct sg_arch_equilibrium state;
    double worst = 0.0, node[2];
    if (settle(verification, trial, &state) != SG_OK) return NAN;
    for (size_t j = 0; j <= spec.rods; j++) {
        sg_arch_node(&spec, j, node);
        for (size_t i = 0; i < 2; i++) worst = fmax(worst, fabs(u[2 * j + i] - (state.x[j][i] - node[i])));
    }
    return worst;
}

static double reaction_error(const struct sg_verification *verification, size_t trial)
{
    struct sg_arch_equilibrium state;
    if (settle(verification, trial, &state) != SG_OK) return NAN;
    return reaction(verification, trial) / state.reaction[MIDDLE] - 1.0;
}

static double energy_error(const struct sg_verification *verification, size_t trial)
{
    struct sg_arch_equilibrium state;
    if (settle(verification, trial, &state) != SG_OK) return NAN;
    return *at_end(verification, trial, "energy/strain") / state.energy - 1.0;
}

static double end_time(const struct sg_verification *verification, size_t trial)
{
    return sg_trace_last(&verification->traces[trial])[0];
}

/* Digits as given in print or by another program. The motion has died out after 1500 s, but for 1e-16 m/s;
 * when it is stopped, the damping impulse is a millionth of the contact impulse, and by the softest
 * stiffness, 3.3e-4 N/m, the place is within 1e-6 m. */
static const struct sg_figure figures[] = {
    {"static: reaction of a node (N)", DECK, static_reaction, 4.6476e-5, 0.5e-9},
    {"static: thrust (N)", DECK, static_thrust, 3.0306e-4, 0.5e-8},
    {"static: energy (J)", DECK, static_energy, 4.487111e-6, 0.5e-12},
    {"first step in contact", DECK, first_step, 474.0, 0.5},
    {"closed in the end: 2^5 + 2^6", DECK, closed_nodes, 96.0, 0.5},
    {"reaction of a node (N)", DECK, reaction, 4.6455019982e-5, 1e-14},
    {"places: difference from static (m)", DECK, place_error, 0.0, 1e-10},
    {"reaction: relative to static", DECK, reaction_error, 0.0, 1e-8},
    {"strain energy: relative to static", DECK, energy_error, 0.0, 1e-8},
    {"stops at (s)", STOPPED, end_time, 1265.0, 0.25},
    {"places: difference from static (m)", STOPPED, place_error, 0.0, 1e-6},
    {"steps in contact", STIFF, contact_steps, 0.0, 0.5},
    {0}};

const struct sg_benchmark sg_benchmark_discrete_arch = {
    .name = "discrete_arch",
    .meaning = "arch that snaps onto a line and comes to rest: against a static solution",
    .trials = trials,
    .figures = figures,
    .histories = histories,
    .exact_size = sizeof(struct sg_arch_equilibrium),
    .exact_init = exact_init,
};
