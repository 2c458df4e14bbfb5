/* The damped oscillator in closed form: y'' + c y' + k y = r0 + r1 t from y(0) = 0, y'(0) = v,
 *
 *     y(h)  = v s1 + r0 s2 + r1 s3,     y'(h) = v ds1 + r0 s1 + r1 s2,
 *
 * s1 the impulse response, s2 and s3 its integrals. */
#ifndef SG_INTEGRATORS_OSCILLATOR_H
#define SG_INTEGRATORS_OSCILLATOR_H

struct sg_oscillator {
    double s1, ds1, s2, s3;
};

/* k >= 0 up to rounding, c >= 0; accurate to rounding for every k h^2, c h, 0 included */
struct sg_oscillator sg_oscillator_response(double k, double c, double h);

#endif
