/* Exact periodic motions of a clamped uniform bar against a rigid wall: the piecewise-linear nonsmooth mode
 * of Urman, Legrand and Junca 2021 (Urman and Legrand 2023, eq. (64)).
 *
 * Length, wave speed and E A are 1. The bar starts at rest from u = -a x, a = gap / (T - 3), and
 *
 *     u(x, t) = f(t + x) - f(t - x),     f' = -a/2 on [-1, 1), a/2 on [1, T - 1), with period T,
 *
 * for periods 3 < T <= 4. Its end x = 1 is in contact from T - 2 to 2 s, and has the force 0 elsewhere. */
#ifndef SG_BENCHMARKS_EXACT_CLAMPED_BAR_H
#define SG_BENCHMARKS_EXACT_CLAMPED_BAR_H

#include "support/status.h"

struct sg_clamped_bar {
    double gap, period; /* m, s */
    double slope;       /* a, 1 */
};

/* SG_BAD_DECK unless 3 < period <= 4 and gap > 0 */
sg_status sg_clamped_bar_init(double gap, double period, struct sg_clamped_bar *bar, struct sg_error *err);

double sg_clamped_bar_displacement(const struct sg_clamped_bar *bar, double x, double t);

#endif
