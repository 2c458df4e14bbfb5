#include "benchmarks/exact/ball.h"

#include <math.h>
#include <stdint.h>

#include "benchmarks/exact/exact.h"

sg_status sg_ball_check(const struct sg_ball *ball, struct sg_error *err)
{
    if (!(ball->height > 0.0) || isinf(ball->height))
        FAIL(err, SG_BAD_DECK, "ball: height is %g, must be positive", ball->height);
    if (!(ball->gravity > 0.0) || isinf(ball->gravity))
        FAIL(err, SG_BAD_DECK, "ball: gravity is %g, must be positive", ball->gravity);
    if (!(ball->restitution >= 0.0 && ball->restitution <= 1.0))
        FAIL(err, SG_BAD_DECK, "ball: restitution is %g, must be in [0, 1]", ball->restitution);
    return SG_OK;
}

static double fall_time(const struct sg_ball *ball)
{
    return sqrt(2.0 * ball->height / ball->gravity);
}

/* e + e^2 + .. + e^k, without cancellation for e near 1 */
static double power_sum(double e, double k)
{
    if (e >= 1.0) return k;
    if (e <= 0.0) return 0.0;
    return -e * expm1(k * log(e)) / (1.0 - e);
}

double sg_ball_impact_time(const struct sg_ball *ball, size_t k)
{
    return fall_time(ball) * (1.0 + 2.0 * power_sum(ball->restitution, (double)k));
}

double sg_ball_impact_speed(const struct sg_ball *ball, size_t k)
{
    return ball->gravity * fall_time(ball) * pow(ball->restitution, (double)k);
}

double sg_ball_accumulation(const struct sg_ball *ball)
{
    const double e = ball->restitution;
    return e < 1.0 ? fall_time(ball) * (1.0 + e) / (1.0 - e) : HUGE_VAL;
}

/* number of the last impact at or before t, t >= t_0 and before the accumulation; the logarithm may be
 * off by one for rounding */
static size_t last_impact(const struct sg_ball *ball, double t)
{
    const double e = ball->restitution, first = fall_time(ball);
    double guess;
    if (e < 1.0) {
        const double end = sg_ball_accumulation(ball);
        guess = floor(log((end - t) / (end - first)) / log(e));
    } else {
        guess = floor(0.5 * (t - first) / first);
    }
    size_t k = guess > 0.0 ? (size_t)guess : 0;
    while (k > 0 && sg_ball_impact_time(ball, k) > t) k--;
    while (sg_ball_impact_time(ball, k + 1) <= t &&
           sg_ball_impact_time(ball, k + 1) > sg_ball_impact_time(ball, k))
        k++;
    return k;
}

struct sg_ball_state sg_ball_at(const struct sg_ball *ball, double t)
{
    const double g = ball->gravity;
    if (t < fall_time(ball)) return (struct sg_ball_state){ball->height - 0.5 * g * t * t, -g * t, 0};
    if (t >= sg_ball_accumulation(ball))
        return (struct sg_ball_state){0.0, 0.0, ball->restitution > 0.0 ? SIZE_MAX : 1};
    const size_t k = last_impact(ball, t);
    const double s = t - sg_ball_impact_time(ball, k);
    const double start = sg_ball_impact_speed(ball, k + 1);
    return (struct sg_ball_state){fmax(0.0, s * (start - 0.5 * g * s)), start - g * s, k + 1};
}

/* --- for benchmarks --------------------------------------------------------------------------------- */

static const struct sg_keyword rows[] = {{.name = "height",
                                          .type = SG_REAL,
                                          .unit = "m",
                                          .flags = SG_REQUIRED,
                                          .meaning = "height of the release from rest",
                                          .example = "1.0",
                                          .range = SG_POSITIVE,
                                          .offset = offsetof(struct sg_ball, height)},
                                         {.name = "gravity",
                                          .type = SG_REAL,
                                          .unit = "m/s^2",
                                          .flags = SG_REQUIRED,
                                          .meaning = "acceleration of gravity",
                                          .example = "9.81",
                                          .range = SG_POSITIVE,
                                          .offset = offsetof(struct sg_ball, gravity)},
                                         {.name = "restitution",
                                          .type = SG_REAL,
                                          .unit = "1",
                                          .flags = SG_REQUIRED,
                                          .meaning = "speed after an impact over that before it",
                                          .example = "0.8",
                                          .range = SG_BETWEEN(0, 1),
                                          .offset = offsetof(struct sg_ball, restitution)},
                                         {0}};

static sg_status create(void *data, struct sg_error *err)
{
    return sg_ball_check(data, err);
}

SG_EXACT_FUNCTION(height, struct sg_ball, sg_ball_at(self, x[0].values[0]).height)
SG_EXACT_FUNCTION(impact_time, struct sg_ball, sg_ball_impact_time(self, (size_t)fmax(x[0].values[0], 0.0)))
SG_EXACT_FUNCTION(impact_speed, struct sg_ball, sg_ball_impact_speed(self, (size_t)fmax(x[0].values[0], 0.0)))
SG_EXACT_FUNCTION(accumulation, struct sg_ball, sg_ball_accumulation(self))

static const struct sg_exact_function functions[] = {
    {"height", 1, 0, height, 0, "height(t), m"},
    {"impact_time", 1, 0, impact_time, 0, "impact_time(k) of impact k from 0, s"},
    {"impact_speed", 1, 0, impact_speed, 0, "impact_speed(k) before impact k from 0, m/s"},
    {"accumulation", 0, 0, accumulation, 0, "time from which the ball rests, s"},
    {0}};

const struct sg_exact_ops sg_exact_ball = {
    .kind = {"ball", "a rigid ball that is dropped on rigid ground and bounces", rows},
    .size = sizeof(struct sg_ball),
    .create = create,
    .functions = functions};
