/* The damped oscillator in closed form: y'' + c y' + k y = r0 + r1 t from y(0) = 0, y'(0) = v,
 *
 *     y(h)  = v s1 + r0 s2 + r1 s3,     y'(h) = v ds1 + r0 s1 + r1 s2,
 *
 * s1 the impulse response, s2 and s3 its integrals. */
#ifndef SG_INTEGRATORS_OSCILLATOR_H
#define SG_INTEGRATORS_OSCILLATOR_H

#include <stddef.h>

struct sg_oscillator {
    double s1, ds1, s2, s3;
};

/* k >= 0 up to rounding, c >= 0; accurate to rounding for every k h^2, c h, 0 included */
struct sg_oscillator sg_oscillator_response(double k, double c, double h);

/* The chain of integrals S_0 .. S_(count - 1) at h into s, 4 <= count <= SG_OSCILLATOR_CHAIN: S_1 = s1,
 * S_m' = S_(m - 1), S_m(0) = 0 for m >= 1. By them the oscillator that starts as above under the force
 * sum_d r_d t^d has
 *
 *     y(h) = v S_1 + sum_d d! r_d S_(d + 2),     y'(h) = v S_0 + sum_d d! r_d S_(d + 1).  */
enum { SG_OSCILLATOR_CHAIN = 18 };
void sg_oscillator_chain(double k, double c, double h, size_t count, double *s);

/* Halves the time h, s, until k h^2 + c h < 1/2, where series need few terms and cancel nothing; returns how
 * often what is found there is to be doubled. */
int sg_oscillator_doublings(double k, double c, double *h);

#endif
