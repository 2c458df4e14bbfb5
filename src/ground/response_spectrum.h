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

#include "formats/table.h"
#include "support/status.h"

struct sg_peak_response {
    double displacement;        /* m: S_d, largest |u| */
    double pseudo_acceleration; /* m/s^2: w^2 S_d, what codes give */
    double acceleration;        /* m/s^2: largest |u'' + a| */
};

/* `record`: m/s^2 over s, x rising; period > 0, s; 0 <= damping < 1 */
struct sg_peak_response sg_response_of(const struct sg_table *record, double period, double damping);

/* the oscillators of a spectrum */
struct sg_oscillators {
    const double *period; /* s */
    size_t count;
    double damping; /* 1 */
};

/* Responses of one oscillator after the other. SG_NO_SOLUTION where one is not finite, SG_INTERRUPTED once
 * sg_stop_requested. */
sg_status sg_response_spectrum(const struct sg_table *record, const struct sg_oscillators *oscillators,
                               struct sg_peak_response *response, struct sg_error *err);

/* the pseudo-accelerations alone, in half the time */
sg_status sg_pseudo_accelerations(const struct sg_table *record, const struct sg_oscillators *oscillators,
                                  double *pseudo_acceleration, struct sg_error *err);

/* periods (s) evenly spread in logarithm, both ends included; count >= 2 */
void sg_response_periods(double shortest, double longest, size_t count, double *period);

#endif
