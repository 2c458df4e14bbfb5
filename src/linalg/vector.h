/* Vector kernels of the hot loops. */
#ifndef SG_LINALG_VECTOR_H
#define SG_LINALG_VECTOR_H

#include <stddef.h>

/* x . y */
double sg_dot(size_t n, const double *x, const double *y);

/* y += s x; x and y apart */
void sg_axpy(size_t n, double s, const double *restrict x, double *restrict y);

/* complex y += (s_re + i s_im) x, real and imaginary parts apart */
struct sg_split {
    double *re, *im;
};
void sg_axpy_complex(size_t n, const double s[2], struct sg_split x, struct sg_split y);

/* index of the first entry that is not finite, or n */
size_t sg_first_nonfinite(size_t n, const double *x);

#endif
