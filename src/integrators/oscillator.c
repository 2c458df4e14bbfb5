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

/* The responses after twice the time: the second half starts from where the first has led. */
static struct sg_oscillator twice(struct sg_oscillator o, double k, double h)
{
    double stay = 1.0 - k * o.s2; /* y(h) from y(0) = 1, y'(0) = 0 */
    return (struct sg_oscillator){.s1 = o.s1 * (stay + o.ds1),
                                  .ds1 = o.ds1 * o.ds1 - k * o.s1 * o.s1,
                                  .s2 = o.s2 * (1.0 + stay) + o.s1 * o.s1,
                                  .s3 = o.s3 * (1.0 + stay) + o.s2 * (o.s1 + h)};
}

/* Beyond critical damping the closed forms of s2 and s3 cancel too. */
static struct sg_oscillator overdamped(double k, double c, double h)
{
    int doublings = 0;
    double part = h;
    while (k * part * part + c * part >= 0.5) {
        part *= 0.5;
        doublings++;
    }
    struct sg_oscillator o = series(k, c, part);
    for (; doublings > 0; doublings--) {
        o = twice(o, k, part);
        part *= 2.0;
    }
    return o;
}

struct sg_oscillator sg_oscillator_response(double k, double c, double h)
{
    double kh2 = k * h * h, ch = c * h;
    if (fabs(kh2) + ch < 0.5) return series(k, c, h);
    double half = 0.5 * c, square = k - half * half;
    if (!(square > 0.0)) return overdamped(k, c, h);
    double w = sqrt(square), decay = exp(-half * h), wave = sin(w * h);
    struct sg_oscillator o = {.s1 = decay * wave / w, .ds1 = decay * (cos(w * h) - half * wave / w)};
    /* s1' + c s1 + k s2 = 1 and its integral; without damping 1 - cos by the half angle */
    double sine = sin(0.5 * sqrt(k) * h);
    o.s2 = c == 0.0 ? 2.0 * sine * sine / k : (1.0 - o.ds1 - c * o.s1) / k;
    o.s3 = (h - o.s1 - c * o.s2) / k;
    return o;
}
