/* Response spectra of two loads whose peaks are known in closed form, against the program's own. */
#include <math.h>

#include "benchmarks/exact/exact.h"
#include "ground/response_spectrum.h"
#include "model/signal.h"
#include "support/constants.h"

static const struct sg_keyword rows[] = {{0}};

/* The kind has no numbers of its own. */
struct response_spectrum {
    char none;
};

static double peak_of(double until, double period, double damping)
{
    double x[] = {0, until}, y[] = {1, 1};
    const struct sg_table load = {2, x, y};
    return sg_response_of(&load, period, damping).pseudo_acceleration;
}

/* A long step overshoots by exp(-pi xi / sqrt(1 - xi^2)) */
static double step_error(double period, double damping)
{
    double exact = 1 + exp(-SG_PI * damping / sqrt(1 - damping * damping));
    return peak_of(60, period, damping) / exact - 1;
}

/* A rectangular pulse without damping doubles, or makes 2 sin(pi d / T) where it is shorter than half the
 * period. */
static double pulse_error(double duration, double period)
{
    double exact = period <= 2 * duration ? 2 : 2 * sin(SG_PI * duration / period);
    return peak_of(duration, period, 0) / exact - 1;
}

SG_EXACT_FUNCTION(step, struct response_spectrum, step_error(x[0].values[0], x[1].values[0]))
SG_EXACT_FUNCTION(pulse, struct response_spectrum, pulse_error(x[0].values[0], x[1].values[0]))

static const struct sg_exact_function functions[] = {
    {"step_error", 2, 0, step, 0,
     "step_error(period, damping ratio): of the peak response to a step, relative"},
    {"pulse_error", 2, 0, pulse, 0,
     "pulse_error(duration, period): of that to a rectangular pulse, relative"},
    {0}};

const struct sg_exact_ops sg_exact_response_spectrum = {
    .kind = {"response-spectrum", "peak responses to a step and a pulse", rows},
    .size = sizeof(struct response_spectrum),
    .create = NULL,
    .functions = functions};
