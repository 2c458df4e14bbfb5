#include "analyses/orbit_measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "linalg/dense.h"
#include "linalg/small.h"
#include "support/memory.h"

sg_status sg_orbit_monitor_init(struct sg_arena *arena, struct sg_orbit_monitor *monitor,
                                struct sg_shooter *shooter, struct sg_error *err)
{
    size_t m = 2 * shooter->phases->n;
    *monitor = (struct sg_orbit_monitor){.shooter = shooter};
    TRY(SG_ARENA_NEW(arena, &monitor->matrix, m * m, err));
    TRY(SG_ARENA_NEW(arena, &monitor->copy, m * m, err));
    TRY(SG_ARENA_NEW(arena, &monitor->multiplier, m, err));
    TRY(SG_ARENA_NEW(arena, &monitor->pivot, m, err));
    return SG_ARENA_NEW(arena, &monitor->numbers, 2 * m, err);
}

static int by_modulus(const void *a, const void *b)
{
    const double complex *x = a, *y = b;
    double mx = cabs(*x), my = cabs(*y);
    if (mx != my) return mx > my ? -1 : 1;
    return (cimag(*x) < cimag(*y)) - (cimag(*x) > cimag(*y));
}

/* The determinant is the product of the pivots and of the signs of the exchanges. Volume in phase space
 * stays: it is 1. */
static double determinant(struct sg_orbit_monitor *monitor, size_t m)
{
    double product = 1;
    memcpy(monitor->copy, monitor->matrix, m * m * sizeof *monitor->copy);
    if (!sg_small_factor(m, monitor->copy, monitor->pivot)) return 0;
    for (size_t i = 0; i < m; i++) {
        product /= monitor->copy[i + i * m];
        if (monitor->pivot[i] != i) product = -product;
    }
    return product;
}

/* Motion without damping can be reversed in time: with mu also 1 / mu is a multiplier. How well that holds
 * tells of the rounding in the matrix. */
static double pairing(const struct sg_orbit_monitor *monitor, size_t m)
{
    double worst = 0;
    for (size_t i = 0; i < m; i++) {
        double best = HUGE_VAL, size = fmax(1, cabs(monitor->multiplier[i]));
        for (size_t k = 0; k < m; k++)
            best = fmin(best, cabs(monitor->multiplier[i] * monitor->multiplier[k] - 1) / size);
        worst = fmax(worst, best);
    }
    return worst;
}

static void sum_jumps(const struct sg_orbit_flow *flow, struct sg_orbit_measure *measure)
{
    for (size_t i = 0; i < flow->switch_count; i++) {
        measure->jump = fmax(measure->jump, fabs(flow->switches[i].jump));
        measure->jumps += flow->switches[i].jump;
    }
}

/* The distance of two states, measured by the energy of a phase: (1/2) distance^2 is in J. */
static double distance(const struct sg_orbit_monitor *monitor, size_t mask, const double *u, const double *v)
{
    const struct sg_orbit_phases *phases = monitor->shooter->phases;
    const struct sg_orbit_flow *flow = &monitor->shooter->flow;
    size_t n = phases->n;
    double *a = monitor->numbers, *b = a + 2 * n, sum = 0;
    sg_orbit_to_modes(&phases->phase[mask], u, v, a, a + n);
    sg_orbit_to_modes(&phases->phase[mask], flow->u, flow->v, b, b + n);
    for (size_t k = 0; k < n; k++)
        sum += pow(phases->phase[mask].omega[k] * (a[k] - b[k]), 2) + pow(a[n + k] - b[n + k], 2);
    return sqrt(sum);
}

sg_status sg_orbit_measure(struct sg_orbit_monitor *monitor, double period, const double *u, const double *v,
                           struct sg_orbit_measure *measure, struct sg_error *err)
{
    struct sg_shooter *shooter = monitor->shooter;
    struct sg_orbit_flow *flow = &shooter->flow;
    size_t m = 2 * shooter->phases->n;
    *measure = (struct sg_orbit_measure){0};
    sg_orbit_flow_start(flow, u, v);
    size_t mask = flow->mask;
    measure->energy = sg_orbit_energy(shooter->phases, mask, u, v, monitor->numbers);
    measure->end = sg_shoot_monodromy(shooter, period, u, v, monitor->matrix);
    measure->margin = flow->margin;
    sum_jumps(flow, measure);
    measure->closing = distance(monitor, mask, u, v) / sqrt(2 * fabs(measure->energy));
    measure->determinant = determinant(monitor, m);
    memcpy(monitor->copy, monitor->matrix, m * m * sizeof *monitor->copy);
    TRY(sg_dense_eigenvalues(m, monitor->copy, monitor->multiplier, err));
    qsort(monitor->multiplier, m, sizeof *monitor->multiplier, by_modulus);
    measure->pairing = pairing(monitor, m);
    measure->largest = cabs(monitor->multiplier[0]);
    measure->stable = measure->largest <= 1 + SG_ORBIT_STABLE;
    return SG_OK;
}
