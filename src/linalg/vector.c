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

/* A sum is finite only where all its terms are, so it tells at once whether all is well, in lanes that don't
 * wait for each other. The search is for the message, and for finite terms too large to be summed. */
SG_HOT size_t sg_first_nonfinite(size_t n, const double *x)
{
    enum { LANES = 16 };
    double lane[LANES] = {0}, sum = 0.0;
    size_t i = 0;
    for (; i + LANES <= n; i += LANES)
        for (size_t k = 0; k < LANES; k++) lane[k] += x[i + k];
    for (; i < n; i++) sum += x[i];
    for (size_t k = 0; k < LANES; k++) sum += lane[k];
    if (isfinite(sum)) return n;
    for (i = 0; i < n; i++)
        if (!isfinite(x[i])) return i;
    return n;
}
