/* Products with symmetric matrices of every class. */
#include <string.h>

#include "linalg/kernels.h"
#include "linalg/matrix.h"
#include "linalg/narrow.h"

SG_HOT static void add_diagonal(size_t n, double s, const double *restrict d, const double *restrict x,
                                double *restrict y)
{
#pragma omp simd
    for (size_t i = 0; i < n; i++) y[i] += s * (d[i] * x[i]);
}

SG_HOT static void set_diagonal(size_t n, const double *restrict d, const double *restrict x,
                                double *restrict y)
{
#pragma omp simd
    for (size_t i = 0; i < n; i++) y[i] = d[i] * x[i];
}

static double tridiagonal_row(const struct sg_matrix *a, const double *x, size_t i)
{
    double sum = a->diag[i] * x[i];
    if (i > 0) sum += a->off[i - 1] * x[i - 1];
    if (i + 1 < a->n) sum += a->off[i] * x[i + 1];
    return sum;
}

SG_HOT static void add_tridiagonal_inner(const struct sg_matrix *a, double s, const double *restrict x,
                                         double *restrict y)
{
    const double *restrict d = a->diag, *restrict o = a->off;
#pragma omp simd
    for (size_t i = 1; i < a->n - 1; i++) y[i] += s * (d[i] * x[i] + o[i - 1] * x[i - 1] + o[i] * x[i + 1]);
}

SG_HOT static void set_tridiagonal_inner(const struct sg_matrix *a, const double *restrict x,
                                         double *restrict y)
{
    const double *restrict d = a->diag, *restrict o = a->off;
#pragma omp simd
    for (size_t i = 1; i < a->n - 1; i++) y[i] = d[i] * x[i] + o[i - 1] * x[i - 1] + o[i] * x[i + 1];
}

static void add_tridiagonal(const struct sg_matrix *a, double s, const double *restrict x, double *restrict y)
{
    if (a->n > 2) add_tridiagonal_inner(a, s, x, y);
    y[0] += s * tridiagonal_row(a, x, 0);
    if (a->n > 1) y[a->n - 1] += s * tridiagonal_row(a, x, a->n - 1);
}

static void set_tridiagonal(const struct sg_matrix *a, const double *restrict x, double *restrict y)
{
    if (a->n > 2) set_tridiagonal_inner(a, x, y);
    y[0] = tridiagonal_row(a, x, 0);
    if (a->n > 1) y[a->n - 1] = tridiagonal_row(a, x, a->n - 1);
}

/* one column below the diagonal serves as a row too: y_below += s x_j c, and returns c . x_below */
static inline double cross(size_t count, double sx, const double *restrict c, const double *restrict x,
                           double *restrict y)
{
    double dot = 0;
#pragma omp simd reduction(+ : dot)
    for (size_t i = 0; i < count; i++) {
        y[i] += sx * c[i];
        dot += c[i] * x[i];
    }
    return dot;
}

SG_HOT static void add_banded(const struct sg_matrix *a, double s, const double *restrict x,
                              double *restrict y)
{
    for (size_t j = 0; j < a->n; j++) {
        const double *column = a->band + j * (a->width + 1);
        size_t below = a->n - 1 - j < a->width ? a->n - 1 - j : a->width;
        double dot = column[0] * x[j] + cross(below, s * x[j], column + 1, x + j + 1, y + j + 1);
        y[j] += s * dot;
    }
}

/* the lower triangle alone: half the memory traffic */
SG_HOT static void add_dense(const struct sg_matrix *a, double s, const double *restrict x,
                             double *restrict y)
{
    for (size_t j = 0; j < a->n; j++) {
        const double *column = a->band + j * a->n;
        double dot = cross(a->n - 1 - j, s * x[j], column + j + 1, x + j + 1, y + j + 1);
        y[j] += s * (column[j] * x[j] + dot);
    }
}

static void add_sparse(const struct sg_matrix *a, double s, const double *restrict x, double *restrict y)
{
    const size_t *restrict row = a->row;
    const double *restrict value = a->value;
    for (size_t j = 0; j < a->n; j++) {
        size_t e = a->start[j], end = a->start[j + 1];
        double sx = s * x[j], dot = value[e] * x[j];
        for (e++; e < end; e++) {
            y[row[e]] += sx * value[e];
            dot += value[e] * x[row[e]];
        }
        y[j] += s * dot;
    }
}

void sg_matrix_multiply_add(const struct sg_matrix *a, double s, const double *restrict x, double *restrict y)
{
    if (a->zero || a->n == 0) return;
    if (a->kind == SG_DIAGONAL)
        add_diagonal(a->n, s, a->diag, x, y);
    else if (a->kind == SG_TRIDIAGONAL)
        add_tridiagonal(a, s, x, y);
    else if (a->kind == SG_BANDED && a->width > 0 && a->width <= SG_NARROW)
        sg_narrow_multiply(a, s, x, y);
    else if (a->kind == SG_BANDED)
        add_banded(a, s, x, y);
    else if (a->kind == SG_SPARSE)
        add_sparse(a, s, x, y);
    else
        add_dense(a, s, x, y);
}

void sg_matrix_multiply(const struct sg_matrix *a, const double *restrict x, double *restrict y)
{
    if (a->n == 0) return;
    if (!a->zero && a->kind == SG_DIAGONAL) {
        set_diagonal(a->n, a->diag, x, y);
    } else if (!a->zero && a->kind == SG_TRIDIAGONAL) {
        set_tridiagonal(a, x, y);
    } else {
        memset(y, 0, a->n * sizeof *y);
        sg_matrix_multiply_add(a, 1, x, y);
    }
}

/* halves that don't wait for each other's additions */
SG_HOT static double form_diagonal(size_t n, const double *restrict d, const double *x, const double *y)
{
    double near = 0, far = 0;
    size_t half = n / 2;
#pragma omp simd reduction(+ : near, far)
    for (size_t i = 0; i < half; i++) {
        near += x[i] * d[i] * y[i];
        far += x[i + half] * d[i + half] * y[i + half];
    }
    if (n % 2 != 0) near += x[n - 1] * d[n - 1] * y[n - 1];
    return near + far;
}

SG_HOT static double form_off_diagonal(size_t n, const double *restrict o, const double *x, const double *y)
{
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (size_t i = 0; i < n - 1; i++) sum += o[i] * (x[i] * y[i + 1] + x[i + 1] * y[i]);
    return sum;
}

/* x_j c . y_below + y_j c . x_below */
static inline double form_column(size_t count, const double *restrict c, const double *x, const double *y)
{
    double cx = 0, cy = 0;
#pragma omp simd reduction(+ : cx, cy)
    for (size_t i = 1; i <= count; i++) {
        cx += c[i] * x[i];
        cy += c[i] * y[i];
    }
    return x[0] * (c[0] * y[0] + cy) + y[0] * cx;
}

SG_HOT static double form_columns(const struct sg_matrix *a, const double *x, const double *y)
{
    double sum = 0;
    size_t stride = a->kind == SG_DENSE ? a->n + 1 : a->width + 1;
    for (size_t j = 0; j < a->n; j++) {
        size_t below = a->n - 1 - j < a->width ? a->n - 1 - j : a->width;
        sum += form_column(below, a->band + j * stride, x + j, y + j);
    }
    return sum;
}

static double form_sparse(const struct sg_matrix *a, const double *x, const double *y)
{
    double sum = 0;
    for (size_t j = 0; j < a->n; j++) {
        size_t e = a->start[j], end = a->start[j + 1];
        double cx = 0, cy = a->value[e] * y[j];
        for (e++; e < end; e++) {
            cx += a->value[e] * x[a->row[e]];
            cy += a->value[e] * y[a->row[e]];
        }
        sum += x[j] * cy + y[j] * cx;
    }
    return sum;
}

double sg_matrix_form(const struct sg_matrix *a, const double *x, const double *y)
{
    if (a->zero || a->n == 0) return 0;
    if (a->kind == SG_SPARSE) return form_sparse(a, x, y);
    if (a->kind == SG_BANDED || a->kind == SG_DENSE) return form_columns(a, x, y);
    double sum = form_diagonal(a->n, a->diag, x, y);
    return a->kind == SG_TRIDIAGONAL ? sum + form_off_diagonal(a->n, a->off, x, y) : sum;
}

/* --- forms by differences ------------------------------------------------------------------------- */

SG_HOT static double pairs_tridiagonal(size_t n, const double *restrict o, const double *x, const double *y)
{
    double near = 0, far = 0;
    size_t half = (n - 1) / 2;
#pragma omp simd reduction(+ : near, far)
    for (size_t i = 0; i < half; i++) {
        size_t k = i + half;
        near += o[i] * ((x[i + 1] - x[i]) * (y[i + 1] - y[i]));
        far += o[k] * ((x[k + 1] - x[k]) * (y[k + 1] - y[k]));
    }
    if ((n - 1) % 2 != 0) near += o[n - 2] * ((x[n - 1] - x[n - 2]) * (y[n - 1] - y[n - 2]));
    return near + far;
}

/* the columns of bands and of dense matrices, each below its diagonal */
SG_HOT static double pairs_columns(const struct sg_matrix *a, const double *x, const double *y)
{
    double sum = 0;
    size_t stride = a->kind == SG_DENSE ? a->n + 1 : a->width + 1;
    for (size_t j = 0; j < a->n; j++) {
        const double *restrict c = a->band + j * stride;
        size_t below = a->n - 1 - j < a->width ? a->n - 1 - j : a->width;
        double xj = x[j], yj = y[j], pairs = 0;
#pragma omp simd reduction(+ : pairs)
        for (size_t i = 1; i <= below; i++) pairs += c[i] * ((x[j + i] - xj) * (y[j + i] - yj));
        sum += pairs;
    }
    return sum;
}

static double pairs_sparse(const struct sg_matrix *a, const double *x, const double *y)
{
    double sum = 0;
    for (size_t j = 0; j < a->n; j++)
        for (size_t e = a->start[j] + 1; e < a->start[j + 1]; e++) {
            size_t i = a->row[e];
            sum += a->value[e] * ((x[i] - x[j]) * (y[i] - y[j]));
        }
    return sum;
}

double sg_matrix_form_differences(const struct sg_matrix *a, struct sg_row_sums sums, const double *x,
                                  const double *y)
{
    if (a->n == 0) return 0;
    size_t at = sums.first;
    double own = form_diagonal(sums.end - at, sums.value + at, x + at, y + at);
    if (a->zero || a->kind == SG_DIAGONAL) return own;
    if (a->kind == SG_TRIDIAGONAL) return own - pairs_tridiagonal(a->n, a->off, x, y);
    return own - (a->kind == SG_SPARSE ? pairs_sparse(a, x, y) : pairs_columns(a, x, y));
}
