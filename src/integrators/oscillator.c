#include "integrators/oscillator.h"

#include <math.h>

/* Taylor series in h where k h^2 and c h are small: there the closed forms of s2 and s3 cancel. The
 * derivatives of s1 at 0 follow d_{j+2} = -c d_{j+1} - k d_j, d_0 = 0, d_1 = 1. */
static struct sg_oscillator series(double k, double c, double h)
{
    enum { TERMS = 24 };
    struct sg_oscillator o = {0.0, 1.0, 0.0, 0.0};
    double older = 0.0, newer = h; /* d_j h^j */
    double ch = c * h, kh2 = k * h * h, factorial = 1.0;
    for (int j = 1; j <= TERMS; j++) {
        factorial *= j; /* j! */
        double next = -ch * newer - kh2 * older;
        o.s1 += newer / factorial;
        o.ds1 += next / (factorial * h);
        o.s2 += newer * h / (factorial * (j + 1));
        o.s3 += newer * h * h / (factorial * (j + 1) * (j + 2));
        older = newer;
        newer = next;
    }
    return o;
}

/* k h^2 negligible beside a large c h */
static struct sg_oscillator dashpot(double c, double h)
{
    struct sg_oscillator o;
    o.s1 = -expm1(-c * h) / c;
    o.ds1 = exp(-c * h);
    o.s2 = (h - o.s1) / c;
    o.s3 = (0.5 * h * h - o.s2) / c;
    return o;
}

struct sg_oscillator sg_oscillator_response(double k, double c, double h)
{
    double kh2 = k * h * h, ch = c * h;
    if (fabs(kh2) + ch < 0.5) return series(k, c, h);
    if (kh2 < 1e-9) return dashpot(c, h);
    double half = 0.5 * c, square = k - half * half, decay = exp(-half * h);
    struct sg_oscillator o;
    if (square > 0.0) {
        double w = sqrt(square), sine = sin(w * h), cosine = cos(w * h);
        o.s1 = decay * sine / w;
        o.ds1 = decay * (cosine - half * sine / w);
    } else if (square < 0.0) {
        /* exponentials, not hyperbolic functions: they overflow long before the result does */
        double w = sqrt(-square), slow = exp((w - half) * h), fast = exp(-(w + half) * h);
        o.s1 = 0.5 * (slow - fast) / w;
        o.ds1 = 0.5 * (slow + fast) - half * o.s1;
    } else {
        o.s1 = decay * h;
        o.ds1 = decay * (1.0 - half * h);
    }
    /* s1' + c s1 + k s2 = 1 and its integral; without damping 1 - cos by the half angle */
    double sine = sin(0.5 * sqrt(k) * h);
    o.s2 = c == 0.0 ? 2.0 * sine * sine / k : (1.0 - o.ds1 - c * o.s1) / k;
    o.s3 = (h - o.s1 - c * o.s2) / k;
    return o;
}
