/* Loops over narrow bands, one copy a width: unrolled, their latest values stay in registers, where a
 * loop of three turns would cost more than its arithmetic. For multiply.c and factor_banded.c alone. */
#ifndef SG_LINALG_NARROW_H
#define SG_LINALG_NARROW_H

#include <stddef.h>

#include "linalg/matrix.h"

/* widest band that has its own copy */
enum { SG_NARROW = 6 };

/* Unit lower triangular band L, column j at l[j * (width + 1)], its diagonal not read; entries beyond
 * the last row are 0. x := L^-1 x and x := L^-T x; width in 1 .. SG_NARROW. */
void sg_narrow_forward(size_t n, size_t width, const double *restrict l, double *restrict x);
void sg_narrow_backward(size_t n, size_t width, const double *restrict l, double *restrict x);

/* y += s A x for a symmetric band of such a width */
void sg_narrow_multiply(const struct sg_matrix *a, double s, const double *restrict x, double *restrict y);

#endif
