#include "linalg/vector.h"

#include <math.h>

#include "linalg/kernels.h"

SG_HOT double sg_dot(size_t n, const double *x, const double *y)
{
    double sum = 0.0;
#pragma omp simd reduction(+ : sum)
    for (size_t i = 0; i < n; i++) sum += x[i] * y[i];
    return sum;
}

SG_HOT void sg_axpy(size_t n, double s, const double *restrict x, double *restrict y)
{
    for (size_t i = 0; i < n; i++) y[i] += s * x[i];
}

SG_HOT void sg_axpy_complex(size_t n, const double s[2], struct sg_split x, struct sg_split y)
{
    double s_re = s[0], s_im = s[1];
    const double *restrict x_re = x.re, *restrict x_im = x.im;
    double *restrict y_re = y.re, *restrict y_im = y.im;
    for (size_t i = 0; i < n; i++) {
        y_re[i] += s_re * x_re[i] - s_im * x_im[i];
        y_im[i] += s_re * x_im[i] + s_im * x_re[i];
    }
}

/* One sum tells whether all is well (x - x is NaN for what is not finite), in four parts that don't wait
 * for each other; the search is for the message only. */
SG_HOT size_t sg_first_nonfinite(size_t n, const double *x)
{
    const double *a = x, *b = x + n / 4, *c = x + n / 4 * 2, *d = x + n / 4 * 3;
    double sa = 0.0, sb = 0.0, sc = 0.0, sd = 0.0;
#pragma omp simd reduction(+ : sa, sb, sc, sd)
    for (size_t i = 0; i < n / 4; i++) {
        sa += a[i] - a[i];
        sb += b[i] - b[i];
        sc += c[i] - c[i];
        sd += d[i] - d[i];
    }
    for (size_t i = n / 4 * 4; i < n; i++) sa += x[i] - x[i];
    if (sa + sb + sc + sd == 0.0) return n;
    for (size_t i = 0; i < n; i++)
        if (!isfinite(x[i])) return i;
    return n;
}
