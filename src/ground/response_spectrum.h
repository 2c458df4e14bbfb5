/* Response spectra of records: the largest responses of oscillators
 *
 *     u'' + 2 xi w u' + w^2 u = -a(t),   w = 2 pi / T,   from rest,
 *
 * a straight between the record's points and 0 before and after. The motion is exact (the closed form of
 * integrators/oscillator.h piece by piece, which is the recursion of N. C. Nigam, P. C. Jennings: Calculation
 * of response spectra from strong-motion earthquake records, BSSA 59 (1969) 909-922); pieces are cut so that
 * w h <= 0.3. An extremum inside a piece is looked for where the cubic through both ends has one, and its
 * value is exact there: it is flat, so that the error is below 1e-6 of the response. What comes after the
 * record, free vibration, counts too. */
#ifndef SG_GROUND_RESPONSE_SPECTRUM_H
#define SG_GROUND_RESPONSE_SPECTRUM_H

#include <stddef.h>

#include "model/table.h"

struct sg_response {
    double displacement;        /* m: S_d, largest |u| */
    double pseudo_acceleration; /* m/s^2: w^2 S_d, what codes give */
    double acceleration;        /* m/s^2: largest |u'' + a| */
};

/* `record`: m/s^2 over s, x rising; period > 0, s; 0 <= damping < 1 */
struct sg_response sg_response_of(const struct sg_table *record, double period, double damping);

/* the same number alone, in half the time */
double sg_pseudo_acceleration_of(const struct sg_table *record, double period, double damping);

/* periods (s) evenly spread in logarithm, both ends included; count >= 2 */
void sg_response_periods(double shortest, double longest, size_t count, double *period);

#endif
