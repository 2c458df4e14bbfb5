/* Nonsmooth modes of five bars: linear frequencies and grazing energies, published orbits, the exact backbone
 * of the uniform bar, and the smooth backbones of the others, which were found by an independent program. */
#include <math.h>

#include "commands/verify.h"

static const char *const columns[] = {
    "energy_ratio", "period",   "energy", "switch_time", "determinant",       "energy_jump_sum",
    "iterations",   "residual", "defect", "dofs",        "residual_estimate", NULL};

static const double PI = 3.14159265358979323846, GAP = 1e-3;

/* --- reading -------------------------------------------------------------------------------------- */

static double at(const struct sg_trace *trace, size_t row, const char *column)
{
    return sg_trace_row(trace, row)[sg_trace_column(trace, column)];
}

static double first(const struct sg_verification *verification, size_t trial, const char *column)
{
    return at(&verification->traces[trial], 0, column);
}

/* 2 pi / (T ratio), rad/s */
static double frequency(const struct sg_verification *verification, size_t trial)
{
    const struct sg_trace *trace = &verification->traces[trial];
    return 2 * PI / (at(trace, 0, "period") * sg_trace_row(trace, 0)[0]);
}

/* in units of gap^2 */
static double grazing_energy(const struct sg_verification *verification, size_t trial)
{
    double ratio = first(verification, trial, "energy_ratio");
    return first(verification, trial, "energy") / (ratio * GAP * GAP);
}

/* the largest |column| over all orbits, NaN if one was not found */
static double largest(const struct sg_trace *trace, const char *column)
{
    double most = 0;
    for (size_t i = 0; i < trace->row_count; i++) {
        double value = fabs(at(trace, i, column));
        if (!(value <= most)) most = value; /* NaN stays */
    }
    return most;
}

static double steps(const struct sg_verification *verification, size_t trial)
{
    return largest(&verification->traces[trial], "iterations");
}

static double unclosed(const struct sg_verification *verification, size_t trial)
{
    return largest(&verification->traces[trial], "residual");
}

static double volume(const struct sg_verification *verification, size_t trial)
{
    const struct sg_trace *trace = &verification->traces[trial];
    double worst = 0;
    for (size_t i = 0; i < trace->row_count; i++) {
        double off = fabs(at(trace, i, "determinant") - 1);
        if (!(off <= worst)) worst = off;
    }
    return worst;
}

/* what closings take and openings do not give back, over the energy */
static double kept(const struct sg_verification *verification, size_t trial)
{
    const struct sg_trace *trace = &verification->traces[trial];
    double worst = 0;
    for (size_t i = 0; i < trace->row_count; i++) {
        double lost = fabs(at(trace, i, "energy_jump_sum")) / at(trace, i, "energy");
        if (!(lost <= worst)) worst = lost;
    }
    return worst;
}

/* --- the uniform bar ------------------------------------------------------------------------------ */

enum uniform_trial { BACKBONE };

static const struct sg_trial uniform_trials[] = {[BACKBONE] = {"1.02 to 1.32", {"analysis.samples=0"}}, {0}};

/* E(T) = g^2 / (2 (T - 3)^2) */
static double off_exact(const struct sg_verification *verification, size_t trial)
{
    const struct sg_trace *trace = &verification->traces[trial];
    double worst = 0;
    for (size_t i = 0; i < trace->row_count; i++) {
        double period = at(trace, i, "period"), exact = GAP * GAP / (2 * pow(period - 3, 2));
        double off = fabs(at(trace, i, "energy") / exact - 1);
        if (!(off <= worst)) worst = off;
    }
    return worst;
}

static double off_exact_grazing(const struct sg_verification *verification, size_t trial)
{
    return grazing_energy(verification, trial) / (PI * PI / 16) - 1;
}

static const struct sg_figure uniform_figures[] = {
    {"omega_1, rad/s", BACKBONE, frequency, 1.57079633, 1e-6},
    {"E_1 off pi^2 g^2 / 16, relative", BACKBONE, off_exact_grazing, 0, 1e-6},
    {"energy off g^2 / (2 (T - 3)^2), relative, worst", BACKBONE, off_exact, 0, 0.06},
    {"residual of the equations, largest", BACKBONE, unclosed, 0, 1e-9},
    {"determinant of the monodromy off 1, worst", BACKBONE, volume, 0, 1e-9},
    {0}};

const struct sg_benchmark sg_benchmark_nbm_modes_uniform = {
    .name = "nbm_modes_uniform",
    .meaning = "nonsmooth modes of a uniform bar: the exactly known backbone",
    .trials = uniform_trials,
    .figures = uniform_figures,
    .histories = columns,
};

/* --- orbits of figure 5 --------------------------------------------------------------------------- */

enum lin_trial { SMOOTH, ORBITS };
enum { MESHES = 3 };

#define RATIOS "analysis.at=[1.03, 1.10, 1.16, 1.22, 1.265, 1.28]"

static const struct sg_trial lin_trials[] = {
    [SMOOTH] = {"smooth", {"analysis.samples=0", RATIOS}},
    [ORBITS] = {"orbits of fig. 5",
                {"analysis.samples=0", "analysis.filter=all", "analysis.continuation=meshes",
                 "analysis.meshes=[2, 4, 10]", "analysis.periods=[3.7812]"}},
    {0}};

/* for g = 1: energy, closing, opening; and R_eps for g = 0.1 as published */
static const struct {
    double energy, closes, opens, residual;
} published[MESHES] = {{2.060729618, 1.503252908, 2.277947092, 5.14e-3},
                       {2.576173858, 1.474187073, 2.307012927, 5.34e-4},
                       {2.616391096, 1.466682309, 2.314517691, 1.67e-4}};

static double off_energy(const struct sg_verification *verification, size_t trial)
{
    const struct sg_trace *trace = &verification->traces[trial];
    double worst = trace->row_count == MESHES ? 0 : NAN;
    for (size_t i = 0; i < MESHES && i < trace->row_count; i++)
        worst = fmax(worst, fabs(at(trace, i, "energy") / (GAP * GAP) - published[i].energy));
    return worst;
}

static double off_times(const struct sg_verification *verification, size_t trial)
{
    const struct sg_trace *trace = &verification->traces[trial];
    double worst = trace->row_count == MESHES ? 0 : NAN;
    for (size_t i = 0; i < MESHES && i < trace->row_count; i++) {
        const double *times = sg_trace_row(trace, i) + sg_trace_column(trace, "switch_time");
        worst = fmax(worst, fmax(fabs(times[0] - published[i].closes), fabs(times[1] - published[i].opens)));
    }
    return worst;
}

/* relative: the published ones have three digits */
static double off_residual(const struct sg_verification *verification, size_t trial)
{
    const struct sg_trace *trace = &verification->traces[trial];
    double worst = trace->row_count == MESHES ? 0 : NAN;
    for (size_t i = 0; i < MESHES && i < trace->row_count; i++) {
        double scaled = at(trace, i, "residual_estimate") * pow(0.1 / GAP, 2);
        worst = fmax(worst, fabs(scaled / published[i].residual - 1));
    }
    return worst;
}

static double defect(const struct sg_verification *verification, size_t trial)
{
    return largest(&verification->traces[trial], "defect");
}

/* --- smooth backbones ----------------------------------------------------------------------------- */

enum { RATIO_COUNT = 6 };

/* the worst relative difference from a list; NaN in it: not known */
static double off_list(const struct sg_verification *verification, size_t trial, const double *list)
{
    const struct sg_trace *trace = &verification->traces[trial];
    double worst = 0;
    for (size_t i = 0; i < RATIO_COUNT; i++) {
        if (isnan(list[i])) continue;
        double off = i < trace->row_count ? fabs(at(trace, i, "energy_ratio") / list[i] - 1) : NAN;
        if (!(off <= worst)) worst = off;
    }
    return worst;
}

#define SMOOTH_MEASURE(name, ...)                                                                            \
    static double name(const struct sg_verification *verification, size_t trial)                             \
    {                                                                                                        \
        static const double list[RATIO_COUNT] = {__VA_ARGS__};                                               \
        return off_list(verification, trial, list);                                                          \
    }

/* Expected of a first independent program, which used few modes: up to 8 the energies of the parabolic bar at
 * 1.22 are 19.1 to 21.4, from 9 on 21.4 to 22.6. The 8.5 that it gives to the stepped bar at 1.16 is met
 * at 1.168: whatever the mesh, the order and the number of modes, there is nothing above 7.6 at 1.16. */
SMOOTH_MEASURE(off_lin, 1.21, 2.51, 5.97, 22.2, 165, 792)
SMOOTH_MEASURE(off_quad, 1.24, 2.46, 5.58, 20.7, 116, 365)
SMOOTH_MEASURE(off_heav, 1.25, 2.86, NAN, NAN, 816, NAN)

/* The mean over 20 quadratic, 14 cubic and 12 quartic elements of the median over 9 to 14 modes, by
 * tests/integration/test_backbones.py as a program of its own. At 1.03 the backbone has resonances. The three
 * meshes differ by 1 to 2 %, so 3 %. */
SMOOTH_MEASURE(off_lin_many, NAN, 2.57, 6.00, 23.2, 166, 780)
SMOOTH_MEASURE(off_quad_many, NAN, 2.53, 5.81, 22.05, 117.5, 365)
SMOOTH_MEASURE(off_heav_many, NAN, 2.945, 7.08, 35.4, 830, NAN)

static const struct sg_figure lin_figures[] = {
    {"omega_1, rad/s", SMOOTH, frequency, 1.435999, 1e-6},
    {"E_1 / g^2", SMOOTH, grazing_energy, 0.46408, 1e-4},
    {"E/E_1 off those expected, worst", SMOOTH, off_lin, 0, 0.06},
    {"E/E_1 off those of a second program by many modes, worst", SMOOTH, off_lin_many, 0, 0.03},
    {"energies for g = 1 off, worst", ORBITS, off_energy, 0, 1e-8},
    {"closings and openings off, worst, s", ORBITS, off_times, 0, 1e-8},
    {"R_eps for g = 0.1 off, relative, worst", ORBITS, off_residual, 0, 5e-3},
    {"velocity left at half a period", ORBITS, defect, 0, 1e-9},
    {"energy lost at closings and not regained, relative", ORBITS, kept, 0, 1e-9},
    {"determinant of the monodromy off 1, worst", ORBITS, volume, 0, 1e-9},
    {"steps of Newton's method, most", ORBITS, steps, 4, 4},
    {0}};

const struct sg_benchmark sg_benchmark_nbm_modes_lin = {
    .name = "nbm_modes_lin",
    .meaning = "nonsmooth modes of a tapered bar: published orbits, mesh by mesh",
    .trials = lin_trials,
    .figures = lin_figures,
    .histories = columns,
};

static const struct sg_trial smooth_trials[] = {[SMOOTH] = {"smooth", {"analysis.samples=0", RATIOS}}, {0}};

static const struct sg_figure quad_figures[] = {
    {"omega_1, rad/s", SMOOTH, frequency, 1.351732, 1e-6},
    {"E_1 / g^2", SMOOTH, grazing_energy, 0.40334, 1e-4},
    {"E/E_1 off those expected, worst", SMOOTH, off_quad, 0, 0.06},
    {"E/E_1 off those of a second program by many modes, worst", SMOOTH, off_quad_many, 0, 0.03},
    {"determinant of the monodromy off 1, worst", SMOOTH, volume, 0, 1e-9},
    {0}};

const struct sg_benchmark sg_benchmark_nbm_modes_quad = {
    .name = "nbm_modes_quad",
    .meaning = "nonsmooth modes of a bar that tapers as a parabola",
    .trials = smooth_trials,
    .figures = quad_figures,
    .histories = columns,
};

static const struct sg_trial heav_trials[] = {
    [SMOOTH] = {"smooth", {"analysis.samples=0", "analysis.at=[1.03, 1.10, 1.16, 1.22, 1.265]"}}, {0}};

static const struct sg_figure heav_figures[] = {
    {"omega_1, rad/s", SMOOTH, frequency, 1.437788, 1e-6},
    {"E_1 / g^2", SMOOTH, grazing_energy, 0.42338, 1e-4},
    {"E/E_1 off those expected, worst", SMOOTH, off_heav, 0, 0.06},
    {"E/E_1 off those of a second program by many modes, worst", SMOOTH, off_heav_many, 0, 0.03},
    {"determinant of the monodromy off 1, worst", SMOOTH, volume, 0, 1e-9},
    {0}};

const struct sg_benchmark sg_benchmark_nbm_modes_heav = {
    .name = "nbm_modes_heav",
    .meaning = "nonsmooth modes of a bar with a step",
    .trials = heav_trials,
    .figures = heav_figures,
    .histories = columns,
};

/* --- the soft support ----------------------------------------------------------------------------- */

static const struct sg_trial soft_trials[] = {
    [SMOOTH] = {"smooth", {"analysis.samples=0", "analysis.at=[1.03, 1.05, 1.2]"}}, {0}};

static const struct sg_figure soft_figures[] = {
    {"omega_1, rad/s", SMOOTH, frequency, 0.653271, 1e-6},
    {"E_1 / g^2", SMOOTH, grazing_energy, 0.18552, 1e-4},
    {"residual of the equations, largest", SMOOTH, unclosed, 0, 1e-9},
    {"determinant of the monodromy off 1, worst", SMOOTH, volume, 0, 1e-9},
    {0}};

const struct sg_benchmark sg_benchmark_nbm_modes_soft_support = {
    .name = "nbm_modes_soft_support",
    .meaning = "nonsmooth modes of a bar on a soft spring",
    .trials = soft_trials,
    .figures = soft_figures,
    .histories = columns,
};
