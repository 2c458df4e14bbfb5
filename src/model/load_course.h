/* The course of the loads over a step as polynomials of time, for integrators that take them in closed form.
 */
#ifndef SG_MODEL_LOAD_COURSE_H
#define SG_MODEL_LOAD_COURSE_H

#include <stddef.h>

#include "model/system.h"

/* Degree of the polynomials where a load is curved: with steps of a twentieth of a period
 * (sg_system_longest_step), w h = pi / 10, the interpolant in Chebyshev-Lobatto points differs from a sine by
 * less than 4 (w h / 4)^8 / 8! = 2e-13 of its amplitude. */
enum { SG_LOAD_DEGREE = 7 };

/* 0 without loads, 1 where all of them are straight lines between breaks, else SG_LOAD_DEGREE */
size_t sg_system_load_degree(const struct sg_system *system);

/* course (load_count x (degree + 1)): of load k, for 0 <= tau <= h,
 *
 *     s_k(t + tau) = sum_d course[k (degree + 1) + d] tau^d,    1 <= degree <= SG_LOAD_DEGREE,
 *
 * signals from the left at the end, where a jump may be; degree 1 joins the ends. */
void sg_system_load_course(const struct sg_system *system, double t, double h, size_t degree, double *course);

#endif
