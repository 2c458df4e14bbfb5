/* The discrete Fourier transform of lengths that are powers of 2, in place: 40 lines that add no package to
 * what the program needs, and whose order of additions is the same on every machine. */
#ifndef SG_GROUND_FOURIER_H
#define SG_GROUND_FOURIER_H

#include <complex.h>
#include <stddef.h>

#include "support/arena.h"
#include "support/status.h"

/* Zero-initialise; release in any case. */
struct sg_fourier {
    size_t n;             /* a power of 2 */
    double complex *root; /* n / 2: exp(-2 pi i k / n) */
};

/* the smallest power of 2 that is not below `least` */
size_t sg_fourier_length(size_t least);

sg_status sg_fourier_init(struct sg_arena *arena, struct sg_fourier *fourier, size_t n, struct sg_error *err);

/* X_j = sum_k x_k exp(-2 pi i j k / n) */
void sg_fourier_forward(const struct sg_fourier *fourier, double complex *x);

/* its inverse, 1 / n included */
void sg_fourier_backward(const struct sg_fourier *fourier, double complex *x);

#endif
