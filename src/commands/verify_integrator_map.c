/* Integrators on a mass with a spring: the published period elongations and amplitude decays, from
 * eigenvalues and out of runs, and what is left of a speed at a rigid wall. */
#include <math.h>
#include <string.h>

#include "commands/verify.h"

enum { STEPS = 4, PHASES = 5 };
static const double phases[PHASES] = {0.1, 0.3, 0.5, 0.7, 0.9};

/* Percent, at dt/T = 0.01, 0.05, 0.1, 0.2, as many digits as are known: X(identifier, name, elongations,
 * decays) */
#define SCHEMES(X)                                                                                           \
    X(trapezoidal, "trapezoidal", (0.03289, 0.81712, 3.20749, 12.0033), (0.0, 0.0, 0.0, 0.0))                \
    X(bathe, "bathe", (0.01645, 0.40950, 1.61794, 6.18705), (0.00054, 0.06675, 0.51306, 3.52024))            \
    X(wilson, "wilson-theta", (0.07157, 1.71063, 6.14622, 19.3653), (0.01303, 1.44494, 8.40960, 29.63878))   \
    X(houbolt, "houbolt", (0.17963, 3.90844, 12.3206, 34.3668), (0.07683, 7.0445, 29.21332, 65.39968))       \
    X(alpha, "generalized-alpha", (0.03472, 0.86233, 3.38284, 12.6351),                                      \
      (0.00011, 0.01309, 0.09877, 0.64447))                                                                  \
    X(chaudhary, "chaudhary-bathe", (0.08221, 2.03353, 7.88549, 28.50817), (0.0, 0.0, 0.0, 0.0))

/* --- columns -------------------------------------------------------------------------------------- */

#define COLUMNS(id, name, e, d)                                                                              \
    "period_elongation/" name, "period_elongation_measured/" name, "amplitude_decay/" name,                  \
        "amplitude_decay_measured/" name,
#define REBOUNDS(name)                                                                                       \
    "rebound/" name "/phase_0.1", "rebound/" name "/phase_0.3", "rebound/" name "/phase_0.5",                \
        "rebound/" name "/phase_0.7", "rebound/" name "/phase_0.9"
static const char *const columns[] = {SCHEMES(COLUMNS) REBOUNDS("trapezoidal"),
                                      REBOUNDS("bathe"),
                                      REBOUNDS("chaudhary-bathe"),
                                      "contact_velocity/trapezoidal",
                                      "contact_velocity_formula/trapezoidal",
                                      NULL};

_Static_assert(sizeof columns / sizeof *columns <= SG_TRACE_HISTORIES, "a trace holds all columns");

enum trial { TABLE, RIGID };

static const struct sg_trial trials[] = {
    [TABLE] = {"dt/T 0.01 to 0.2", {"analysis.at=[0.01, 0.05, 0.1, 0.2]"}},
    /* the spring does (omega h)^2 = 4e-11 */
    [RIGID] = {"rigid mass", {"analysis.at=[1e-6]", "analysis.phases=[0.1, 0.3, 0.5, 0.7, 0.9]"}},
    {0}};

/* --- the published tables ------------------------------------------------------------------------- */

static double worst(const struct sg_verification *verification, const char *column, const double *published)
{
    const struct sg_trace *trace = &verification->traces[TABLE];
    size_t place = sg_trace_column(trace, column);
    double largest = 0.0;
    for (size_t i = 0; i < STEPS; i++) {
        double difference = fabs(sg_trace_row(trace, i)[place] - published[i]);
        if (!(difference <= largest)) largest = difference; /* NaN stays */
    }
    return largest;
}

#define UNPACK(...) __VA_ARGS__
#define MEASURE(id, quantity, name, list)                                                                    \
    static double id##_##quantity(const struct sg_verification *verification, size_t trial)                  \
    {                                                                                                        \
        static const double published[STEPS] = {UNPACK list};                                                \
        (void)trial;                                                                                         \
        return worst(verification, #quantity "/" name, published);                                           \
    }
#define MEASURES(id, name, e, d)                                                                             \
    MEASURE(id, period_elongation, name, e)                                                                  \
    MEASURE(id, period_elongation_measured, name, e)                                                         \
    MEASURE(id, amplitude_decay, name, d)                                                                    \
    MEASURE(id, amplitude_decay_measured, name, d)
SCHEMES(MEASURES)

/* --- at a wall ------------------------------------------------------------------------------------ */

struct exact {
    double
        elongation[STEPS]; /* 1: of the trapezoidal rule, in closed form: tan(omega* h / 2) = omega h / 2 */
    double trapezoidal[PHASES], bathe[PHASES],
        chaudhary[PHASES]; /* speed after a rigid wall over that before */
};

/* by hand: the wall is met at t + h/2 or at t + h, and left there or at the next of the two points */
static double bathe_law(double phi)
{
    if (phi <= 5.0 / 19.0) return (5.0 - 16.0 * phi) / 3.0;
    if (phi <= 0.5) return (22.0 * phi - 5.0) / 3.0;
    return phi <= 25.0 / 33.0 ? 5.0 - 6.0 * phi : 5.0 * phi - 10.0 / 3.0;
}

static sg_status exact_init(void *memory, struct sg_error *err)
{
    struct exact *exact = memory;
    static const double steps[STEPS] = {0.01, 0.05, 0.1, 0.2};
    const double pi = acos(-1.0);
    (void)err;
    for (size_t i = 0; i < STEPS; i++) exact->elongation[i] = pi * steps[i] / atan(pi * steps[i]);
    for (size_t k = 0; k < PHASES; k++) {
        double phi = phases[k];
        exact->trapezoidal[k] = phi <= 2.0 / 3.0 ? 3.0 - 4.0 * phi : 8.0 * phi - 5.0;
        exact->bathe[k] = bathe_law(phi);
        exact->chaudhary[k] = 1.0;
    }
    return SG_OK;
}

/* the columns of all phases stand together */
static double worst_rebound(const struct sg_trace *trace, const char *first, const double *law)
{
    const double *row = sg_trace_last(trace) + sg_trace_column(trace, first);
    double largest = 0.0;
    for (size_t k = 0; k < PHASES; k++) {
        double difference = fabs(row[k] - law[k]);
        if (!(difference <= largest)) largest = difference;
    }
    return largest;
}

static double trapezoidal_rebound(const struct sg_verification *verification, size_t trial)
{
    const struct exact *exact = verification->exact;
    return worst_rebound(&verification->traces[trial], "rebound/trapezoidal/phase_0.1", exact->trapezoidal);
}

static double bathe_rebound(const struct sg_verification *verification, size_t trial)
{
    const struct exact *exact = verification->exact;
    return worst_rebound(&verification->traces[trial], "rebound/bathe/phase_0.1", exact->bathe);
}

static double chaudhary_rebound(const struct sg_verification *verification, size_t trial)
{
    const struct exact *exact = verification->exact;
    return worst_rebound(&verification->traces[trial], "rebound/chaudhary-bathe/phase_0.1", exact->chaudhary);
}

static double trapezoidal_held(const struct sg_verification *verification, size_t trial)
{
    static const double one[STEPS] = {1.0, 1.0, 1.0, 1.0};
    (void)trial;
    return worst(verification, "contact_velocity/trapezoidal", one);
}

/* without decay eq. (3.14) is 1/b */
static double trapezoidal_formula(const struct sg_verification *verification, size_t trial)
{
    const struct exact *exact = verification->exact;
    double law[STEPS];
    (void)trial;
    for (size_t i = 0; i < STEPS; i++) law[i] = 1.0 / exact->elongation[i];
    return worst(verification, "contact_velocity_formula/trapezoidal", law);
}

static double trapezoidal_closed_form(const struct sg_verification *verification, size_t trial)
{
    const struct exact *exact = verification->exact;
    double law[STEPS];
    (void)trial;
    for (size_t i = 0; i < STEPS; i++) law[i] = 100.0 * (exact->elongation[i] - 1.0);
    return worst(verification, "period_elongation/trapezoidal", law);
}

#define FIGURES(id, name, e, d)                                                                              \
    {name ", off published period elongation, %", TABLE, id##_period_elongation, 0.0, 1e-4},                 \
        {name ", the same out of a run", TABLE, id##_period_elongation_measured, 0.0, 1e-4},                 \
        {name ", off published amplitude decay, %", TABLE, id##_amplitude_decay, 0.0, 1e-4},                 \
        {name ", the same out of a run", TABLE, id##_amplitude_decay_measured, 0.0, 1e-4},

static const struct sg_figure figures[] = {
    SCHEMES(FIGURES){"trapezoidal, off its closed form, %", TABLE, trapezoidal_closed_form, 0.0, 1e-9},
    {"trapezoidal, speed that it holds at a wall, off 1", TABLE, trapezoidal_held, 0.0, 1e-12},
    {"trapezoidal, eq. (3.14) off its closed form", TABLE, trapezoidal_formula, 0.0, 1e-11},
    {"trapezoidal, rebound off 3 - 4 phi, 8 phi - 5", RIGID, trapezoidal_rebound, 0.0, 1e-9},
    {"bathe, rebound off its law in four pieces", RIGID, bathe_rebound, 0.0, 1e-9},
    {"chaudhary-bathe, rebound off 1", RIGID, chaudhary_rebound, 0.0, 1e-9},
    {0}};

const struct sg_benchmark sg_benchmark_integrator_map = {
    .name = "integrator_map",
    .meaning = "integrators on a mass with a spring: period, amplitude, speed at and after a wall",
    .trials = trials,
    .figures = figures,
    .histories = columns,
    .exact_size = sizeof(struct exact),
    .exact_init = exact_init,
};
