/* Exact motion of two masses on springs of their own that may not pass each other: between impacts each
 * swings harmonically about its own rest, which is 0,
 *
 *     x_i(t) = u_i cos w_i (t - t_k) + (v_i / w_i) sin w_i (t - t_k),    gap = x_2 - x_1 >= 0,
 *
 * and at an impact momentum is kept and the gap velocity turns to -e times itself. Impacts are found as the
 * first zeros of the gap by steps that can't pass one: with |gap''| <= B, the gap stays positive for s = (g'
 * + sqrt(g'^2 + 2 B g)) / B, and such steps converge like Newton's. */
#ifndef SG_BENCHMARKS_EXACT_SPRING_PAIR_H
#define SG_BENCHMARKS_EXACT_SPRING_PAIR_H

#include <stddef.h>

#include "support/status.h"

struct sg_spring_pair_state {
    double u[2], v[2]; /* m, m/s */
};

struct sg_spring_pair_spec {
    double mass[2], stiffness[2];      /* kg, N/m; > 0 */
    struct sg_spring_pair_state start; /* gap > 0 */
    double restitution;                /* 1 */
    double end;                        /* s: impacts are wanted up to here */
};

enum { SG_SPRING_PAIR_IMPACTS = 255 };

/* An arc of free motion from `t` on; but for the first it starts with an impact. */
struct sg_spring_pair_arc {
    double t;                           /* s */
    struct sg_spring_pair_state before; /* the impact */
    struct sg_spring_pair_state after;
};

struct sg_spring_pair {
    struct sg_spring_pair_spec spec;
    size_t impacts;
    struct sg_spring_pair_arc arcs[1 + SG_SPRING_PAIR_IMPACTS]; /* 1 + impacts */
};

/* The benchmark of Noh 2011: m = 2, 1; k = 3, 8; x = -5, 2; v = -3, 1; e = 1; 63 J; to 40 s */
struct sg_spring_pair_spec sg_spring_pair_benchmark(void);

/* SG_BAD_DECK for masses, stiffnesses or a gap that are not positive, or e outside [0, 1]; SG_NO_SOLUTION if
 * there are more than SG_SPRING_PAIR_IMPACTS impacts (as where they accumulate). */
sg_status sg_spring_pair_init(const struct sg_spring_pair_spec *spec, struct sg_spring_pair *pair,
                              struct sg_error *err);

/* at t >= 0; at an impact after it */
struct sg_spring_pair_state sg_spring_pair_at(const struct sg_spring_pair *pair, double t);

#endif
