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
    if (h == 0.0) return (struct sg_oscillator){0.0, 1.0, 0.0, 0.0};
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

/* --- chain of integrals --------------------------------------------------------------------------- */

/* S_m by its Taylor series, with the derivatives d_j of S_1 at 0 as above: sum over j >= 1 of
 * d_j h^(j + m - 1) / (j + m - 1)! */
static double chain_series(double k, double c, double h, size_t m)
{
    enum { TERMS = 20 };
    double sum = 0.0, older = 0.0, newer = 1.0, power = 1.0; /* d_j h^(j - 1); h^m / m! and on */
    for (size_t i = 1; i <= m; i++) power *= h / (double)i;
    for (size_t j = 1; j <= TERMS; j++) {
        sum += newer * power;
        double next = -c * h * newer - k * h * h * older;
        older = newer;
        newer = next;
        power /= (double)(j + m);
    }
    return sum;
}

/* From the two longest chains down by S_m'' + c S_m' + k S_m = h^(m-2) / (m-2)!, which cancels nothing where
 * k h^2 and c h are small. */
static void chain_short(double k, double c, double h, size_t count, double *s)
{
    s[count - 1] = chain_series(k, c, h, count - 1);
    s[count - 2] = chain_series(k, c, h, count - 2);
    double power[SG_OSCILLATOR_CHAIN] = {1.0}; /* h^i / i! */
    for (size_t i = 1; i < count; i++) power[i] = power[i - 1] * h / (double)i;
    for (size_t m = count - 1; m >= 2; m--) s[m - 2] = power[m - 2] - c * s[m - 1] - k * s[m];
}

/* After twice the time: the second half starts from where the first has led, S_m and S_(m-1), under the force
 * (h + t)^(m-2) / (m-2)!, a sum of powers of t. */
static void chain_twice(double k, double h, size_t count, double *s)
{
    double old[SG_OSCILLATOR_CHAIN] = {0.0}, power[SG_OSCILLATOR_CHAIN] = {1.0};
    double stay = 1.0 - k * s[2], response = s[1];
    for (size_t m = 0; m < count; m++) old[m] = s[m];
    for (size_t i = 1; i < count; i++) power[i] = power[i - 1] * h / (double)i;
    s[0] = old[0] * old[0] - k * response * response;
    for (size_t m = 1; m < count; m++) {
        s[m] = old[m] * stay + old[m - 1] * response;
        for (size_t j = 2; j <= m; j++) s[m] += power[m - j] * old[j];
    }
}

int sg_oscillator_doublings(double k, double c, double *h)
{
    int doublings = 0;
    for (; fabs(k) * *h * *h + c * *h >= 0.5; doublings++) *h *= 0.5;
    return doublings;
}

void sg_oscillator_chain(double k, double c, double h, size_t count, double *s)
{
    double part = h;
    int doublings = sg_oscillator_doublings(k, c, &part);
    chain_short(k, c, part, count, s);
    for (; doublings > 0; doublings--) {
        chain_twice(k, part, count, s);
        part *= 2.0;
    }
}
