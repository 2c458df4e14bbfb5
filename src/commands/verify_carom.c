/* A ball of one element in a box: angles of its rebounds and its energy by three implicit schemes, after Noh
 * 2011. */
#include <math.h>

#include "commands/verify.h"

enum { NODES = 8, WALLS = 4, CONTACTS = NODES * WALLS, REBOUNDS = 5, PHASES = 8 };

static const char *const histories[] = {"energy/total", "center/velocity", "momentum/linear", "impulse",
                                        NULL};

/* the deck's start by three schemes, then of each an ensemble, whose last trial names it */
enum trial {
    BATHE,
    TRAPEZOIDAL_PLAIN,
    CHAUDHARY,
    BATHE_PHASES = CHAUDHARY + PHASES,
    TRAPEZOIDAL_PHASES = BATHE_PHASES + PHASES,
    CHAUDHARY_PHASES = TRAPEZOIDAL_PHASES + PHASES
};

/* Starts that meet the walls at other instants of a step, in which the ball flies .01 m each way: eighths of
 * it, so chosen that both walls' are all pairs of a lattice. */
#define AT(x, y) "bodies.[0].position=[" #x ", " #y "]"
#define PHASES_OF(label, ...)                                                                                \
    {label, {AT(-2.25, -2.25), __VA_ARGS__}}, {label, {AT(-2.25125, -2.25375), __VA_ARGS__}},                \
        {label, {AT(-2.2525, -2.2575), __VA_ARGS__}}, {label, {AT(-2.25375, -2.25125), __VA_ARGS__}},        \
        {label, {AT(-2.255, -2.255), __VA_ARGS__}}, {label, {AT(-2.25625, -2.25875), __VA_ARGS__}},          \
        {label, {AT(-2.2575, -2.2525), __VA_ARGS__}},                                                        \
    {                                                                                                        \
        label,                                                                                               \
        {                                                                                                    \
            AT(-2.25875, -2.25625), __VA_ARGS__                                                              \
        }                                                                                                    \
    }

static const struct sg_trial trials[] = {
    [BATHE] = {"bathe, update", {NULL}},
    [TRAPEZOIDAL_PLAIN] = {"trapezoidal, no update",
                           {"integrator.type=trapezoidal", "strategy.update=false"}},
    [CHAUDHARY] = {"chaudhary-bathe, no update",
                   {"integrator.type=chaudhary-bathe", "strategy.update=false"}},
    PHASES_OF("bathe, update, 8 phases", NULL),
    PHASES_OF("trapezoidal, no update, 8 phases", "integrator.type=trapezoidal", "strategy.update=false"),
    PHASES_OF("chaudhary-bathe, no update, 8 phases", "integrator.type=chaudhary-bathe",
              "strategy.update=false"),
    {0}};

/* momentum over the center's velocity, kg */
static double mass(const struct sg_verification *verification, size_t trial)
{
    const struct sg_trace *trace = &verification->traces[trial];
    const double *row = sg_trace_row(trace, 0);
    return row[sg_trace_column(trace, "momentum/linear")] / row[sg_trace_column(trace, "center/velocity")];
}

/* --- rebounds ------------------------------------------------------------------------------------- */

/* the wall that pushed in the step that ends with row i, or WALLS */
static size_t pushed_by(const struct sg_trace *trace, size_t i)
{
    size_t column = sg_trace_column(trace, "impulse");
    for (size_t j = 0; j < CONTACTS; j++)
        if (sg_trace_row(trace, i)[column + j] != sg_trace_row(trace, i - 1)[column + j]) return j / NODES;
    return WALLS;
}

/* degrees between a flight's velocity and the wall that it came from */
static double angle_of(const double *v, size_t wall)
{
    bool level = wall < 2; /* bottom and top */
    return atan2(fabs(v[level ? 1 : 0]), fabs(v[level ? 0 : 1])) * 180.0 / acos(-1.0);
}

/* After the first rebounds, of the state just before the next wall, or at the end of the run. Returns how
 * many there are. */
static size_t angles(const struct sg_trace *trace, double angle[REBOUNDS])
{
    size_t column = sg_trace_column(trace, "center/velocity"), count = 0, last = WALLS;
    for (size_t i = 1; i < trace->row_count; i++) {
        size_t wall = pushed_by(trace, i);
        if (wall == WALLS || wall == last) continue;
        if (last != WALLS) angle[count++] = angle_of(sg_trace_row(trace, i - 1) + column, last);
        if (count == REBOUNDS) return count;
        last = wall;
    }
    if (last != WALLS) angle[count++] = angle_of(sg_trace_last(trace) + column, last);
    return count;
}

static double extreme_angle(const struct sg_verification *verification, size_t trial, double sign)
{
    double angle[REBOUNDS];
    size_t count = angles(&verification->traces[trial], angle);
    if (count < (trial == CHAUDHARY ? REBOUNDS - 1 : REBOUNDS)) return NAN; /* the slower ball has four */
    double extreme = angle[0];
    for (size_t k = 1; k < count; k++)
        if (sign * angle[k] > sign * extreme) extreme = angle[k];
    return extreme;
}

static double steepest(const struct sg_verification *verification, size_t trial)
{
    return extreme_angle(verification, trial, 1.0);
}

static double flattest(const struct sg_verification *verification, size_t trial)
{
    return extreme_angle(verification, trial, -1.0);
}

/* --- energy --------------------------------------------------------------------------------------- */

/* E/E0 in flights: while a wall pushes, energy swings between the ball and the multipliers. */
static double extreme_energy(const struct sg_trace *trace, double sign)
{
    size_t column = sg_trace_column(trace, "energy/total");
    double first = sg_trace_row(trace, 0)[column], extreme = 1.0;
    for (size_t i = 1; i < trace->row_count; i++) {
        double ratio = sg_trace_row(trace, i)[column] / first;
        if (pushed_by(trace, i) == WALLS && !(sign * ratio <= sign * extreme)) extreme = ratio;
    }
    return extreme;
}

static double most_energy(const struct sg_verification *verification, size_t trial)
{
    return extreme_energy(&verification->traces[trial], 1.0);
}

static double least_energy(const struct sg_verification *verification, size_t trial)
{
    return extreme_energy(&verification->traces[trial], -1.0);
}

static double inverse_of_energy(const struct sg_verification *verification, size_t trial)
{
    return 1.0 / most_energy(verification, trial);
}

/* --- ensembles ------------------------------------------------------------------------------------ */

/* of the rebounds of all phases: the mean angle, or its root mean square distance from 45 degrees */
static double phases_angle(const struct sg_verification *verification, size_t last, bool distance)
{
    double sum = 0.0, angle[REBOUNDS];
    size_t count = 0;
    for (size_t k = last + 1 - PHASES; k <= last; k++) {
        size_t rebounds = angles(&verification->traces[k], angle);
        for (size_t i = 0; i < rebounds; i++) sum += distance ? pow(angle[i] - 45.0, 2.0) : angle[i];
        count += rebounds;
    }
    sum /= (double)count;
    return distance ? sqrt(sum) : sum;
}

static double mean_angle(const struct sg_verification *verification, size_t trial)
{
    return phases_angle(verification, trial, false);
}

static double scatter(const struct sg_verification *verification, size_t trial)
{
    return phases_angle(verification, trial, true);
}

/* E/E0 at the end */
static double mean_energy(const struct sg_verification *verification, size_t last)
{
    double sum = 0.0;
    for (size_t k = last + 1 - PHASES; k <= last; k++) {
        const struct sg_trace *trace = &verification->traces[k];
        size_t column = sg_trace_column(trace, "energy/total");
        sum += sg_trace_last(trace)[column] / sg_trace_row(trace, 0)[column];
    }
    return sum / PHASES;
}

static double inverse_of_mean(const struct sg_verification *verification, size_t trial)
{
    return 1.0 / mean_energy(verification, trial);
}

/* The mass is that of the paper's element by another program, to its digits. A rigid body with e = 1 keeps
 * its 45 degrees and its energy; the limits are those of the paper's figures, which are of one start. A start
 * a part of a step's way beside it takes other angles, and at last another way: of the 40 rebounds of eight
 * phases the mean tells of the method. They scatter by 2 to 3 degrees, so that a mean is known to half a
 * degree, and energies of Chaudhary and Bathe's scheme by .05, so .02. The trapezoidal rule's differ by a
 * factor of 15. */
static const struct sg_figure figures[] = {
    {"mass (kg)", BATHE, mass, 0.776142, 5e-7},
    {"flattest of five rebounds (degrees)", BATHE, flattest, 45.0, 2.0},
    {"steepest of five rebounds (degrees)", BATHE, steepest, 45.0, 2.0},
    {"energy made: E0 / most E to 21 s", TRAPEZOIDAL_PLAIN, inverse_of_energy, 0.0, 0.2},
    {"flattest of four rebounds (degrees)", CHAUDHARY, flattest, 43.5, 3.5},
    {"steepest of four rebounds (degrees)", CHAUDHARY, steepest, 43.5, 3.5},
    {"energy: least E/E0", CHAUDHARY, least_energy, 0.925, 0.075},
    {"energy: most E/E0", CHAUDHARY, most_energy, 0.925, 0.075},
    {"mean angle of all rebounds (degrees)", BATHE_PHASES, mean_angle, 45.0, 1.5},
    {"root mean square distance from 45 degrees", BATHE_PHASES, scatter, 0.0, 4.0},
    {"energy made: E0 / mean E at 21 s", TRAPEZOIDAL_PHASES, inverse_of_mean, 0.0, 0.5},
    {"mean angle of all rebounds (degrees)", CHAUDHARY_PHASES, mean_angle, 43.5, 1.5},
    {"energy: mean E/E0 at 21 s", CHAUDHARY_PHASES, mean_energy, 0.925, 0.075},
    {0}};

const struct sg_benchmark sg_benchmark_carom = {
    .name = "carom",
    .meaning = "ball of one plane element in a box: mass, angles of rebounds, energy of three schemes",
    .trials = trials,
    .figures = figures,
    .histories = histories,
};
