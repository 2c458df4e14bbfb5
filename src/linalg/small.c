#include "linalg/small.h"

#include <math.h>

#include "linalg/vector.h"

static double modulus1(double complex z)
{
    return fabs(creal(z)) + fabs(cimag(z));
}

/* a b, without the compiler's careful handling of infinite factors */
static inline double complex product(double complex a, double complex b)
{
    double re = creal(a) * creal(b) - cimag(a) * cimag(b), im = creal(a) * cimag(b) + cimag(a) * creal(b);
    return re + im * I;
}

/* y -= a b */
static inline void subtract_product(double complex *y, double complex a, double complex b)
{
    *y -= product(a, b);
}

/* 1 / a by Smith's scaling, without the compiler's careful division */
static double complex inverse(double complex a)
{
    double re = creal(a), im = cimag(a);
    if (fabs(re) >= fabs(im)) {
        double ratio = im / re, size = re + im * ratio;
        return 1 / size - ratio / size * I;
    }
    double ratio = re / im, size = re * ratio + im;
    return ratio / size - 1 / size * I;
}

static void swap(double complex *a, double complex *b)
{
    double complex kept = *a;
    *a = *b;
    *b = kept;
}

static size_t find_pivot(size_t q, const double complex *column, size_t from)
{
    size_t best = from;
    for (size_t i = from + 1; i < q; i++)
        if (modulus1(column[i]) > modulus1(column[best])) best = i;
    return best;
}

bool sg_small_factor_complex(size_t q, double complex *a, size_t *pivot)
{
    for (size_t j = 0; j < q; j++) {
        double complex *column = a + j * q;
        pivot[j] = find_pivot(q, column, j);
        double size = modulus1(column[pivot[j]]);
        if (!(size > 0) || isinf(size)) return false;
        for (size_t k = 0; k < q && pivot[j] != j; k++) swap(&a[j + k * q], &a[pivot[j] + k * q]);
        column[j] = inverse(column[j]);
        for (size_t i = j + 1; i < q; i++) column[i] = product(column[i], column[j]);
        for (size_t k = j + 1; k < q; k++)
            for (size_t i = j + 1; i < q; i++) subtract_product(&a[i + k * q], column[i], a[j + k * q]);
    }
    return true;
}

void sg_small_solve_complex(size_t q, const double complex *a, const size_t *pivot, double complex *x)
{
    for (size_t j = 0; j < q; j++) swap(&x[j], &x[pivot[j]]);
    for (size_t j = 0; j < q; j++)
        for (size_t i = j + 1; i < q; i++) subtract_product(&x[i], a[i + j * q], x[j]);
    for (size_t j = q; j-- > 0;) {
        x[j] = product(x[j], a[j + j * q]);
        for (size_t i = 0; i < j; i++) subtract_product(&x[i], a[i + j * q], x[j]);
    }
}

/* one past the last nonzero of column[from .. q); from + 1 at least */
static size_t find_end(size_t q, const double *column, size_t from)
{
    while (q > from + 1 && column[q - 1] == 0.0) q--;
    return q;
}

/* the largest of column[from .. end) */
static size_t find_real_pivot(size_t end, const double *column, size_t from)
{
    size_t best = from;
    double most = fabs(column[from]);
    for (size_t i = from + 1; i < end; i++) {
        double size = fabs(column[i]);
        if (!(size > most)) continue;
        best = i;
        most = size;
    }
    return best;
}

static void swap_real(double *a, double *b)
{
    double kept = *a;
    *a = *b;
    *b = kept;
}

/* y -= s x: short ones here, as a call would cost more than they */
static inline void subtract(size_t n, double s, const double *restrict x, double *restrict y)
{
    enum { SHORT = 24 };
    if (n > SHORT) {
        sg_axpy(n, -s, x, y);
        return;
    }
    for (size_t i = 0; i < n; i++) y[i] -= s * x[i];
}

bool sg_small_factor(size_t q, double *a, size_t *pivot)
{
    for (size_t j = 0; j < q; j++) {
        double *column = a + j * q;
        size_t end = find_end(q, column, j), best = find_real_pivot(end, column, j);
        double size = fabs(column[best]), inverse = 1 / column[best];
        if (!(size > 0) || isinf(size)) return false;
        pivot[j] = best;
        for (size_t k = j; k < q && best != j; k++) swap_real(&a[j + k * q], &a[best + k * q]);
        column[j] = inverse;
        for (size_t i = j + 1; i < end; i++) column[i] *= inverse;
        for (double *other = column + q + j; other < a + q * q; other += q)
            if (*other != 0.0) subtract(end - j - 1, *other, column + j + 1, other + 1);
    }
    return true;
}

void sg_small_solve(size_t q, const double *a, const size_t *pivot, double *x)
{
    for (size_t j = 0; j < q; j++) {
        swap_real(&x[j], &x[pivot[j]]);
        if (x[j] != 0.0) subtract(q - j - 1, x[j], a + j * q + j + 1, x + j + 1);
    }
    for (size_t j = q; j-- > 0;) {
        x[j] *= a[j + j * q];
        if (x[j] != 0.0) subtract(j, x[j], a + j * q, x);
    }
}

double sg_small_condition(size_t q, const double *a)
{
    double least = INFINITY, most = 0.0;
    for (size_t j = 0; j < q; j++) {
        double size = fabs(a[j + j * q]); /* inverted */
        least = size < least ? size : least;
        most = size > most ? size : most;
    }
    return q == 0 ? 1.0 : least / most;
}
