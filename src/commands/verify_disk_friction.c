/* A disk that slides and then rolls, against the closed motion: with a = mu g it slides until v0 / (3 a),
 * v = v0 - a t, omega = -2 a t / r, and then rolls with 2/3 v0. Friction takes a third of the energy. */
#include <math.h>

#include "commands/verify.h"

static const char *const histories[] = {
    "displacement", "velocity", "friction_force", "gap", "energy/total", "energy/dissipated", NULL};

enum trial { DECK, HALF, END, END_HALF, ALPHA, ALPHA_HALF };

#define HALVED   "time.step=1.5e-3"
#define THETA_1  "integrator.theta=1.0"
#define BRUELS   "integrator.type=generalized-alpha", "strategy.level=both"
#define RADIUS   0.1
#define SPEED    3.0
#define BRAKE    2.0 /* m/s^2: mu g */
#define ROLLS    0.5 /* s */
#define FRICTION 4.0 /* N: mu m g */

static const struct sg_trial trials[] = {
    [DECK] = {"Moreau-Jean", {NULL}},
    [HALF] = {"Moreau-Jean, half the step", {HALVED}},
    [END] = {"Moreau-Jean, theta 1", {THETA_1}},
    [END_HALF] = {"theta 1, half the step", {THETA_1, HALVED}},
    [ALPHA] = {"nonsmooth generalized-alpha", {BRUELS}},
    [ALPHA_HALF] = {"generalized-alpha, half the step", {BRUELS, HALVED}},
    {0}};

static const double *values(const struct sg_trace *trace, size_t i, const char *history)
{
    return sg_trace_row(trace, i) + sg_trace_column(trace, history);
}

/* m/s: of the rim that touches the floor */
static double slip(const struct sg_trace *trace, size_t i)
{
    const double *v = values(trace, i, "velocity");
    return v[0] + RADIUS * v[2];
}

/* s: the end of the first step that ends without slip */
static double rolls_from(const struct sg_verification *verification, size_t trial)
{
    const struct sg_trace *trace = &verification->traces[trial];
    for (size_t i = 1; i < trace->row_count; i++)
        if (fabs(slip(trace, i)) < 1e-9) return sg_trace_row(trace, i)[0];
    return NAN;
}

static double rolls_late(const struct sg_verification *verification, size_t trial)
{
    return rolls_from(verification, trial) - ROLLS;
}

/* m/s: largest slip from the step in which sliding ends */
static double slip_when_rolling(const struct sg_verification *verification, size_t trial)
{
    const struct sg_trace *trace = &verification->traces[trial];
    const double from = rolls_from(verification, trial);
    double most = isfinite(from) ? 0.0 : NAN;
    for (size_t i = 0; i < trace->row_count; i++)
        if (sg_trace_row(trace, i)[0] >= from) most = fmax(most, fabs(slip(trace, i)));
    return most;
}

/* m/s: of v and r omega, at the end of any step, beside the closed motion */
static double velocity_error(const void *exact, double t, const double *v)
{
    const double slides = fmin(t, ROLLS);
    (void)exact;
    return fmax(fabs(v[0] - (SPEED - BRAKE * slides)), fabs(RADIUS * v[2] + 2.0 * BRAKE * slides));
}

static double worst_velocity(const struct sg_verification *verification, size_t trial)
{
    struct sg_trace_span run = {"velocity", 0.0, HUGE_VAL};
    return sg_trace_worst(&verification->traces[trial], run, velocity_error, NULL);
}

static double speed_at_end(const struct sg_verification *verification, size_t trial)
{
    const struct sg_trace *trace = &verification->traces[trial];
    return values(trace, trace->row_count - 1, "velocity")[0];
}

static double spin_at_end(const struct sg_verification *verification, size_t trial)
{
    const struct sg_trace *trace = &verification->traces[trial];
    return values(trace, trace->row_count - 1, "velocity")[2];
}

/* m: gone beside v0 t - a t^2 / 2, then 2/3 v0 */
static double way_error(const struct sg_verification *verification, size_t trial)
{
    const struct sg_trace *trace = &verification->traces[trial];
    const double t = sg_trace_last(trace)[0];
    const double exact = SPEED * t - BRAKE * ROLLS * (t - 0.5 * ROLLS);
    return values(trace, trace->row_count - 1, "displacement")[0] - exact;
}

/* rad: turned, beside r angle = -a t^2, then -2/3 v0 */
static double angle_error(const struct sg_verification *verification, size_t trial)
{
    const struct sg_trace *trace = &verification->traces[trial];
    const double t = sg_trace_last(trace)[0];
    const double exact = -2.0 * BRAKE * ROLLS * (t - 0.5 * ROLLS) / RADIUS;
    return values(trace, trace->row_count - 1, "displacement")[2] - exact;
}

/* the trial before has twice the step */
static double way_order(const struct sg_verification *verification, size_t trial)
{
    return -log2(fabs(sg_measure_ratio(verification, trial, way_error)));
}

static double angle_order(const struct sg_verification *verification, size_t trial)
{
    return -log2(fabs(sg_measure_ratio(verification, trial, angle_error)));
}

static double energy_lost(const struct sg_verification *verification, size_t trial)
{
    const struct sg_trace *trace = &verification->traces[trial];
    return values(trace, 0, "energy/total")[0] - values(trace, trace->row_count - 1, "energy/total")[0];
}

/* J: what friction has taken beside what is missing, at the end of any step */
static double energy_unexplained(const struct sg_verification *verification, size_t trial)
{
    const struct sg_trace *trace = &verification->traces[trial];
    const double start = values(trace, 0, "energy/total")[0];
    double most = 0.0;
    for (size_t i = 0; i < trace->row_count; i++)
        most = fmax(most, fabs(start - values(trace, i, "energy/total")[0] -
                               values(trace, i, "energy/dissipated")[0]));
    return most;
}

/* N: beside mu m g in steps that slide to their end */
static double friction_error(const struct sg_verification *verification, size_t trial)
{
    const struct sg_trace *trace = &verification->traces[trial];
    double most = 0.0;
    for (size_t i = 1; i < trace->row_count && fabs(slip(trace, i)) > 1e-9; i++)
        most = fmax(most, fabs(fabs(values(trace, i, "friction_force")[0]) - FRICTION));
    return most;
}

static double penetration(const struct sg_verification *verification, size_t trial)
{
    struct sg_trace_span run = {"gap", 0.0, HUGE_VAL};
    return sg_trace_worst(&verification->traces[trial], run, sg_trace_itself, NULL);
}

/* Impulses of friction are exact, mu m g h in each step that slides, and what is needed to stop the slip in
 * the one in which sliding ends: so are velocities at the ends of all steps, to rounding. 1e-11: 250 or 500
 * steps of some 1e-14, on 3 m/s, 20 rad/s and 9 J.
 *
 * Sliding ends at v0 / (3 mu g) = 0.5 s, two thirds into a step of the deck, one third into a step of half
 * its length; both steps end at 0.501 s.
 *
 * The way is the velocity's integral. The trapezoidal rule (theta = 0.5) errs in the step of the kink alone,
 * by mu g s (1 - s) h^2 / 2 with s = 2/3: 2e-6 m. Right-hand rectangles (theta = 1) are too short by h / 2
 * times the loss of velocity, 1 m/s: 1.5e-3 m; generalized-alpha, where impulses act at the ends of steps,
 * too long by as much. The kink adds 2e-6 m of second order, which moves a measured order of 1 by 2 in a
 * thousand. Of order 2 there is nothing but the kink, and s (1 - s) is the same with half the step. */
static const struct sg_figure figures[] = {
    {"rolls, late by (s)", DECK, rolls_late, 1e-3, 1e-11},
    {"slip when it rolls (m/s)", DECK, slip_when_rolling, 0.0, 1e-12},
    {"velocity at the end (m/s)", DECK, speed_at_end, 2.0, 1e-11},
    {"spin at the end (rad/s)", DECK, spin_at_end, -20.0, 1e-10},
    {"velocities: error (m/s)", DECK, worst_velocity, 0.0, 1e-11},
    {"friction while it slides: error (N)", DECK, friction_error, 0.0, 1e-9},
    {"way: error (m)", DECK, way_error, 2e-6, 1e-10},
    {"energy lost (J)", DECK, energy_lost, 3.0, 1e-11},
    {"energy beside the work of friction (J)", DECK, energy_unexplained, 0.0, 1e-11},
    {"gap (m)", DECK, penetration, 0.0, 1e-12},
    {"rolls, late by (s)", HALF, rolls_late, 1e-3, 1e-11},
    {"order of the way", HALF, way_order, 2.0, 1e-3},
    {"order of the angle", HALF, angle_order, 2.0, 1e-3},
    {"velocities: error (m/s)", END, worst_velocity, 0.0, 1e-11},
    {"way: error (m)", END, way_error, -1.5e-3, 1e-5},
    {"order of the way", END_HALF, way_order, 1.0, 5e-3},
    {"order of the angle", END_HALF, angle_order, 1.0, 5e-3},
    {"rolls, late by (s)", ALPHA, rolls_late, 1e-3, 1e-11},
    {"slip when it rolls (m/s)", ALPHA, slip_when_rolling, 0.0, 1e-9},
    {"velocities: error (m/s)", ALPHA, worst_velocity, 0.0, 1e-9},
    {"friction while it slides: error (N)", ALPHA, friction_error, 0.0, 1e-8},
    {"way: error (m)", ALPHA, way_error, 1.5e-3, 1e-5},
    {"energy lost (J)", ALPHA, energy_lost, 3.0, 1e-8},
    {"energy beside the work of friction (J)", ALPHA, energy_unexplained, 0.0, 1e-8},
    {"gap (m)", ALPHA, penetration, 0.0, 1e-9},
    {"order of the way", ALPHA_HALF, way_order, 1.0, 5e-3},
    {"order of the angle", ALPHA_HALF, angle_order, 1.0, 5e-3},
    {0}};

const struct sg_benchmark sg_benchmark_disk_friction = {
    .name = "disk_friction",
    .meaning = "a thrown disk slides, then rolls: friction with rotation, order of the way",
    .trials = trials,
    .figures = figures,
    .histories = histories,
};
