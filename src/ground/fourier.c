#include "ground/fourier.h"

#include <math.h>

#include "support/constants.h"

size_t sg_fourier_length(size_t least)
{
    size_t n = 2;
    while (n < least) n *= 2;
    return n;
}

sg_status sg_fourier_init(struct sg_arena *arena, struct sg_fourier *fourier, size_t n, struct sg_error *err)
{
    double step = 2 * SG_PI / (double)n;
    fourier->n = n;
    TRY(SG_ARENA_NEW(arena, &fourier->root, n / 2, err));
    for (size_t k = 0; k < n / 2; k++) fourier->root[k] = cos(step * (double)k) - I * sin(step * (double)k);
    return SG_OK;
}

static void reverse_bits(size_t n, double complex *x)
{
    for (size_t i = 1, j = 0; i < n; i++) {
        size_t bit = n / 2;
        for (; j & bit; bit /= 2) j ^= bit;
        j ^= bit;
        if (i >= j) continue;
        double complex swap = x[i];
        x[i] = x[j];
        x[j] = swap;
    }
}

/* products by hand: C's own test for infinities */
static double complex times(double complex a, double complex b)
{
    double ar = creal(a), ai = cimag(a), br = creal(b), bi = cimag(b);
    return (ar * br - ai * bi) + I * (ar * bi + ai * br);
}

/* Evens and odds: with E and O the transforms of the even and the odd values and w = exp(-2 pi i / n),
 *
 *     X(k) = E(k) + w^k O(k),   X(k + n/2) = E(k) - w^k O(k),
 *
 * which is done for pairs, fours, eights .. (Cooley and Tukey 1965): n log2(n) / 2 products. Once the values
 * stand in the order of their reversed bits, evens and odds of all levels are neighbours, and each level
 * overwrites the one before. The roots w^k are a table, each right to a rounding: a recurrence would let
 * their errors grow. The way back is the same transform between two conjugations. */
static void combine(const struct sg_fourier *fourier, size_t half, double complex *x)
{
    size_t stride = fourier->n / (2 * half);
    for (size_t k = 0; k < half; k++) {
        double complex odd = times(fourier->root[k * stride], x[k + half]);
        x[k + half] = x[k] - odd;
        x[k] += odd;
    }
}

void sg_fourier_forward(const struct sg_fourier *fourier, double complex *x)
{
    size_t n = fourier->n;
    reverse_bits(n, x);
    for (size_t half = 1; half < n; half *= 2)
        for (size_t start = 0; start < n; start += 2 * half) combine(fourier, half, x + start);
}

void sg_fourier_backward(const struct sg_fourier *fourier, double complex *x)
{
    size_t n = fourier->n;
    for (size_t k = 0; k < n; k++) x[k] = conj(x[k]);
    sg_fourier_forward(fourier, x);
    for (size_t k = 0; k < n; k++) x[k] = conj(x[k]) / (double)n;
}
