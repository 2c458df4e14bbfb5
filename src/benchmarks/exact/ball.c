#include "benchmarks/exact/ball.h"

#include <math.h>
#include <stdint.h>

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
