#include "benchmarks/exact/bouncing_pendulum.h"

#include <math.h>

#include "benchmarks/exact/exact.h"

/* theta' where theta = s^2 - 15 degrees has run s from the start: it is of order s there, which makes the
 * integrand 2 s / theta' smooth */
static double integrand(double s, double start, double inertia)
{
    if (s == 0.0) return 2.0 * sqrt(inertia / (20.0 * cos(start)));
    return 2.0 * s / sqrt(20.0 * (sin(start) + sin(s * s - start)) / inertia);
}

void sg_bouncing_pendulum_solve(struct sg_bouncing_pendulum *pendulum)
{
    enum { INTERVALS = 2000 };
    const double pi = 3.14159265358979323846, start = pi / 12.0, end = pi / 4.0, inertia = 1.1;
    double width = sqrt(start + end) / INTERVALS, sum = 0.0;
    for (int k = 0; k <= INTERVALS; k++) { /* Simpson: order 4, 1e-13 here */
        double weight = k == 0 || k == INTERVALS ? 1.0 : k % 2 == 1 ? 4.0 : 2.0;
        sum += weight * integrand(k * width, start, inertia);
    }
    double rate = sqrt(20.0 * (sin(start) + sin(end)) / inertia);
    pendulum->time = sum * width / 3.0;
    pendulum->speed = rate * sin(end);
    pendulum->impulse = 1.8 * inertia / (sin(end) * sin(end)) * pendulum->speed;
}

double sg_bouncing_pendulum_impulse(const struct sg_bouncing_pendulum *pendulum, size_t impact)
{
    return pendulum->impulse * pow(0.8, (double)impact);
}

double sg_bouncing_pendulum_slack(const struct sg_bouncing_pendulum *pendulum, size_t impact, double step)
{
    const double inertia = 1.1, half = sqrt(0.5); /* sin and cos of 45 degrees */
    double sum = 0.0;
    for (size_t k = 0; k <= impact; k++) {
        double speed = pendulum->speed * pow(0.8, (double)k), turn = speed / half;
        sum += (half * turn * turn + 10.0 * half * half / inertia) * step / speed;
    }
    return sum;
}

/* --- for benchmarks --------------------------------------------------------------------------------- */

static const struct sg_keyword rows[] = {{0}};

static sg_status create(void *data, struct sg_error *err)
{
    (void)err;
    sg_bouncing_pendulum_solve(data);
    return SG_OK;
}

SG_EXACT_FUNCTION(time, struct sg_bouncing_pendulum, self->time)
SG_EXACT_FUNCTION(impulse, struct sg_bouncing_pendulum,
                  sg_bouncing_pendulum_impulse(self, (size_t)fmax(x[0].values[0], 0.0)))
SG_EXACT_FUNCTION(slack, struct sg_bouncing_pendulum,
                  sg_bouncing_pendulum_slack(self, (size_t)fmax(x[0].values[0], 0.0), x[1].values[0]))

static const struct sg_exact_function functions[] = {
    {"time", 0, 0, time, 0, "of the first impact, s"},
    {"impulse", 1, 0, impulse, 0, "impulse(k) of impact k from 0, N s"},
    {"slack", 2, 0, slack, 0,
     "slack(k, step): largest relative error of impulse k by rates at ends of steps, 1"},
    {0}};

const struct sg_exact_ops sg_exact_bouncing_pendulum = {
    .kind = {"bouncing-pendulum", "a rigid pendulum that swings against a wall", rows},
    .size = sizeof(struct sg_bouncing_pendulum),
    .create = create,
    .functions = functions};
