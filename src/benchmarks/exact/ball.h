/* Exact motion of a rigid ball that is dropped on rigid ground and bounces with restitution e.
 *
 *     h'' = -g,   h >= 0,   h'+ = -e h'-  at an impact.
 *
 * With t_0 = sqrt(2 h0 / g) and V = g t_0, the ball leaves impact k = 0, 1, ... with speed e^(k+1) V, and
 *
 *     t_k = t_0 + 2 t_0 (e + e^2 + .. + e^k).
 *
 * For e < 1 the impacts accumulate at t_0 (1 + e) / (1 - e); from there on the ball rests. */
#ifndef SG_BENCHMARKS_EXACT_BALL_H
#define SG_BENCHMARKS_EXACT_BALL_H

#include <stddef.h>

#include "support/status.h"

struct sg_ball {
    double height;      /* m, h0 > 0: of the release from rest */
    double gravity;     /* m/s^2, g > 0 */
    double restitution; /* 1, e in [0, 1] */
};

struct sg_ball_state {
    double height, velocity; /* m, m/s (upwards > 0) */
    size_t impacts;          /* at times <= t; SIZE_MAX at rest beyond the accumulation of infinitely many */
};

/* SG_BAD_DECK for a value out of its range. */
sg_status sg_ball_check(const struct sg_ball *ball, struct sg_error *err);

/* s, of impact k = 0, 1, ...; for e = 0 the only impact, k = 0, is returned for every k */
double sg_ball_impact_time(const struct sg_ball *ball, size_t k);

/* m/s, speed of approach at impact k: e^k V */
double sg_ball_impact_speed(const struct sg_ball *ball, size_t k);

/* s, where the impacts accumulate: the ball is at rest from then on. HUGE_VAL for e = 1. */
double sg_ball_accumulation(const struct sg_ball *ball);

/* Any t >= 0; at an impact the state after it. */
struct sg_ball_state sg_ball_at(const struct sg_ball *ball, double t);

#endif
