#include "model/load_course.h"

#include <math.h>
#include <stdbool.h>

#include "model/scratch.h"
#include "support/constants.h"

size_t sg_system_load_degree(const struct sg_system *system)
{
    for (size_t k = 0; k < system->load_count; k++) {
        const struct sg_load *load = &system->loads[k];
        if (load->order != SG_VALUE || !system->signals[load->signal].straight) return SG_LOAD_DEGREE;
    }
    return system->load_count > 0;
}

/* the point i of 0 .. degree, of 1 */
static double point(size_t i, size_t degree)
{
    double sine = sin(0.5 * SG_PI * (double)i / (double)degree);
    return i == degree ? 1.0 : sine * sine;
}

/* the value of load k at t into row[k stride] */
static void sample(const struct sg_system *system, double t, bool before, double *row, size_t stride)
{
    struct sg_signal_value *values = system->scratch->values;
    for (size_t k = 0; k < system->signal_count; k++)
        values[k] = before ? sg_signal_before(&system->signals[k], t) : sg_signal_at(&system->signals[k], t);
    for (size_t k = 0; k < system->load_count; k++) {
        const struct sg_load *load = &system->loads[k];
        row[k * stride] = sg_signal_pick(&values[load->signal], load->order);
    }
}

/* From values at points of [0, h] to coefficients of powers: divided differences, then Horner's scheme of
 * Newton's form, in place. Rounding is that of the values: it moves the polynomial as they would. */
static void interpolate(double h, size_t degree, double *c)
{
    double at[SG_LOAD_DEGREE + 1];
    for (size_t i = 0; i <= degree; i++) at[i] = h * point(i, degree);
    for (size_t order = 1; order <= degree; order++)
        for (size_t i = degree; i >= order; i--) c[i] = (c[i] - c[i - 1]) / (at[i] - at[i - order]);
    for (size_t i = degree; i-- > 0;)
        for (size_t d = i; d < degree; d++) c[d] -= at[i] * c[d + 1];
}

void sg_system_load_course(const struct sg_system *system, double t, double h, size_t degree, double *course)
{
    for (size_t i = 0; i <= degree; i++)
        sample(system, t + h * point(i, degree), i == degree, course + i, degree + 1);
    for (size_t k = 0; k < system->load_count; k++) interpolate(h, degree, course + k * (degree + 1));
}
