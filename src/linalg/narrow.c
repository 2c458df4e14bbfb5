#include "linalg/narrow.h"

#ifdef __clang__
#define UNROLL _Pragma("clang loop unroll(full)")
#else
#define UNROLL _Pragma("GCC unroll 8")
#endif

#define INLINE static inline __attribute__((always_inline))

/* ahead[i] = x[j + 1 + i] less the rows done so far */
INLINE void forward(size_t n, size_t width, const double *restrict l, double *restrict x)
{
    double ahead[SG_NARROW + 1] = {0};
    for (size_t i = 0; i < width && i < n; i++) ahead[i] = x[i];
    for (size_t j = 0; j < n; j++) {
        const double *column = l + j * (width + 1);
        double value = ahead[0];
        ahead[width] = j + width < n ? x[j + width] : 0;
        x[j] = value;
        UNROLL for (size_t i = 0; i < width; i++) ahead[i] = ahead[i + 1] - column[i + 1] * value;
    }
}

/* done[i] = x[j + 1 + i]; only the product with done[0] waits for the row before */
INLINE void backward(size_t n, size_t width, const double *restrict l, double *restrict x)
{
    double done[SG_NARROW] = {0};
    for (size_t j = n; j-- > 0;) {
        const double *column = l + j * (width + 1);
        double sum = x[j];
        UNROLL for (size_t i = width - 1; i > 0; i--) sum -= column[i + 1] * done[i];
        sum -= column[1] * done[0];
        UNROLL for (size_t i = width - 1; i > 0; i--) done[i] = done[i - 1];
        done[0] = x[j] = sum;
    }
}

/* right[i] = x[j + i]; below[i] = what the columns so far add to y[j + i] */
INLINE void multiply(const struct sg_matrix *matrix, size_t width, double s, const double *restrict x,
                     double *restrict y)
{
    size_t n = matrix->n;
    const double *restrict a = matrix->band;
    double right[SG_NARROW + 1] = {0}, below[SG_NARROW + 2] = {0};
    for (size_t i = 0; i < width && i < n; i++) right[i] = x[i];
    for (size_t j = 0; j < n; j++) {
        const double *column = a + j * (width + 1);
        right[width] = j + width < n ? x[j + width] : 0;
        double sum = below[0] + column[0] * right[0];
        UNROLL for (size_t i = 1; i <= width; i++) sum += column[i] * right[i];
        UNROLL for (size_t i = 1; i <= width; i++) below[i - 1] = below[i] + column[i] * right[0];
        UNROLL for (size_t i = 0; i < width; i++) right[i] = right[i + 1];
        y[j] += s * sum;
    }
}

void sg_narrow_forward(size_t n, size_t width, const double *restrict l, double *restrict x)
{
    if (width == 1) forward(n, 1, l, x);
    if (width == 2) forward(n, 2, l, x);
    if (width == 3) forward(n, 3, l, x);
    if (width == 4) forward(n, 4, l, x);
    if (width == 5) forward(n, 5, l, x);
    if (width == 6) forward(n, 6, l, x);
}

void sg_narrow_backward(size_t n, size_t width, const double *restrict l, double *restrict x)
{
    if (width == 1) backward(n, 1, l, x);
    if (width == 2) backward(n, 2, l, x);
    if (width == 3) backward(n, 3, l, x);
    if (width == 4) backward(n, 4, l, x);
    if (width == 5) backward(n, 5, l, x);
    if (width == 6) backward(n, 6, l, x);
}

void sg_narrow_multiply(const struct sg_matrix *a, double s, const double *restrict x, double *restrict y)
{
    if (a->width == 1) multiply(a, 1, s, x, y);
    if (a->width == 2) multiply(a, 2, s, x, y);
    if (a->width == 3) multiply(a, 3, s, x, y);
    if (a->width == 4) multiply(a, 4, s, x, y);
    if (a->width == 5) multiply(a, 5, s, x, y);
    if (a->width == 6) multiply(a, 6, s, x, y);
}
