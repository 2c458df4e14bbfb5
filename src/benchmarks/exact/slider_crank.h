/* Slider-crank with clearance in three angles, by another way than the program's (redundant coordinates,
 * pins): crank and rod as a double pendulum that carries the slider at its end, with angles a, b to the x
 * axis,
 *
 *     M(b - a) [a''; b''] = k sin(b - a) [b'^2; -a'^2] - weights,   y = l1 sin a + l2 sin b,   x as cos
 *
 * until the slider meets the wall at |y| = c. Both corners of a side strike at once, so that the slider does
 * not turn: Newton's law for y' and Coulomb's for x' of the slipping slider give one impulse P,
 *
 *     M [da'; db'] = -P (sgn y grad y + mu sgn x' grad x),   y'+ = -e y'-.
 *
 * Parameters: Flores, Leine and Glocker 2010, table 1. */
#ifndef SG_BENCHMARKS_EXACT_SLIDER_CRANK_H
#define SG_BENCHMARKS_EXACT_SLIDER_CRANK_H

#include <stddef.h>

#include "benchmarks/exact/smooth_motion.h"

enum { SG_CRANK_IMPACTS = 4 };

struct sg_slider_crank {
    double time[SG_CRANK_IMPACTS];    /* s */
    double impulse[SG_CRANK_IMPACTS]; /* N s, of both corners */
    double place[SG_CRANK_IMPACTS];   /* m, x of the slider's pin */
    double friction;                  /* mu */
};

/* up to the fourth impact; set `friction` before */
sg_status sg_slider_crank_solve(struct sg_slider_crank *crank, struct sg_error *err);

/* angles of crank and rod at t, before the first impact */
sg_status sg_slider_crank_free(double t, double angles[2], struct sg_error *err);

#endif
