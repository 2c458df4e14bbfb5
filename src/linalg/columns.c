#include "linalg/columns.h"

#include <math.h>
#include <stdbool.h>

#include "linalg/kernels.h"

sg_status sg_columns_init_sparse(struct sg_arena *arena, struct sg_columns *w, size_t n, size_t q,
                                 size_t entries, struct sg_error *err)
{
    *w = (struct sg_columns){.n = n, .q = q};
    TRY(SG_ARENA_NEW(arena, &w->start, w->q + 1, err));
    TRY(SG_ARENA_NEW(arena, &w->row, entries, err));
    return SG_ARENA_NEW(arena, &w->value, entries, err);
}

SG_HOT static double dense_dot(size_t count, const double *restrict w, const double *restrict x)
{
    double near = 0, far = 0;
    size_t half = count / 2;
#pragma omp simd reduction(+ : near, far)
    for (size_t i = 0; i < half; i++) {
        near += w[i] * x[i];
        far += w[i + half] * x[i + half];
    }
    if (count % 2 != 0) near += w[count - 1] * x[count - 1];
    return near + far;
}

SG_HOT static void dense_add(size_t count, double s, const double *restrict w, double *restrict y)
{
#pragma omp simd
    for (size_t i = 0; i < count; i++) y[i] += s * w[i];
}

double sg_columns_dot(const struct sg_columns *w, size_t j, const double *x)
{
    size_t begin = w->start[j], end = w->start[j + 1];
    if (w->row == NULL) return dense_dot(end - begin, w->value + begin, x + w->first[j]);
    double sum = 0;
    for (size_t e = begin; e < end; e++) sum += w->value[e] * x[w->row[e]];
    return sum;
}

double sg_columns_dot_abs(const struct sg_columns *w, size_t j, const double *x)
{
    double sum = 0;
    for (size_t k = w->start[j]; k < w->start[j + 1]; k++) {
        size_t i = w->row != NULL ? w->row[k] : w->first[j] + k - w->start[j];
        sum += fabs(w->value[k] * x[i]);
    }
    return sum;
}

void sg_columns_add(const struct sg_columns *w, size_t j, double s, double *y)
{
    size_t begin = w->start[j], end = w->start[j + 1];
    if (w->row == NULL) {
        dense_add(end - begin, s, w->value + begin, y + w->first[j]);
        return;
    }
    for (size_t e = begin; e < end; e++) y[w->row[e]] += s * w->value[e];
}

/* two halves at once: four independent chains of additions hide their latency */
SG_HOT static void dots_of_one(size_t count, const double *restrict w, const double *restrict u,
                               const double *restrict v, double *restrict out)
{
    double u0 = 0, u1 = 0, v0 = 0, v1 = 0;
    size_t half = count / 2;
#pragma omp simd reduction(+ : u0, u1, v0, v1)
    for (size_t i = 0; i < half; i++) {
        u0 += w[i] * u[i];
        v0 += w[i] * v[i];
        u1 += w[i + half] * u[i + half];
        v1 += w[i + half] * v[i + half];
    }
    if (count % 2 != 0) {
        u0 += w[count - 1] * u[count - 1];
        v0 += w[count - 1] * v[count - 1];
    }
    out[0] = u0 + u1;
    out[1] = v0 + v1;
}

void sg_columns_dot_two(const struct sg_columns *w, size_t j, const double *x, const double *y,
                        double dots[2])
{
    size_t begin = w->start[j], end = w->start[j + 1];
    if (w->row == NULL) {
        dots_of_one(end - begin, w->value + begin, x + w->first[j], y + w->first[j], dots);
        return;
    }
    dots[0] = dots[1] = 0;
    for (size_t e = begin; e < end; e++) {
        dots[0] += w->value[e] * x[w->row[e]];
        dots[1] += w->value[e] * y[w->row[e]];
    }
}

/* three columns on the same rows: u and v are read once for all */
SG_HOT static void dots_of_three(size_t count, const double *restrict w, const double *restrict u,
                                 const double *restrict v, double *restrict out)
{
    const double *restrict a = w, *restrict b = w + count, *restrict c = w + 2 * count;
    double au = 0, av = 0, bu = 0, bv = 0, cu = 0, cv = 0;
#pragma omp simd reduction(+ : au, av, bu, bv, cu, cv)
    for (size_t i = 0; i < count; i++) {
        au += a[i] * u[i];
        av += a[i] * v[i];
        bu += b[i] * u[i];
        bv += b[i] * v[i];
        cu += c[i] * u[i];
        cv += c[i] * v[i];
    }
    out[0] = au;
    out[1] = av;
    out[2] = bu;
    out[3] = bv;
    out[4] = cu;
    out[5] = cv;
}

static bool same_rows(const struct sg_columns *w, size_t j, size_t k)
{
    return w->first[j] == w->first[k] && w->start[j + 1] - w->start[j] == w->start[k + 1] - w->start[k];
}

static void dense_dots(const struct sg_columns *w, const double *u, const double *v, double *wu, double *wv)
{
    double out[6];
    for (size_t j = 0; j < w->q;) {
        bool three = j + 2 < w->q && same_rows(w, j, j + 1) && same_rows(w, j, j + 2);
        size_t taken = three ? 3 : 1, count = w->start[j + 1] - w->start[j], at = w->first[j];
        if (three)
            dots_of_three(count, w->value + w->start[j], u + at, v + at, out);
        else
            dots_of_one(count, w->value + w->start[j], u + at, v + at, out);
        for (size_t k = 0; k < taken; k++, j++) {
            wu[j] = out[2 * k];
            wv[j] = out[2 * k + 1];
        }
    }
}

void sg_columns_dots(const struct sg_columns *w, const double *u, const double *v, double *wu, double *wv)
{
    if (w->row == NULL) {
        dense_dots(w, u, v, wu, wv);
        return;
    }
    for (size_t j = 0; j < w->q; j++) {
        double su = 0, sv = 0;
        for (size_t e = w->start[j]; e < w->start[j + 1]; e++) {
            su += w->value[e] * u[w->row[e]];
            sv += w->value[e] * v[w->row[e]];
        }
        wu[j] = su;
        wv[j] = sv;
    }
}

void sg_columns_range(const struct sg_columns *w, size_t j, size_t *first, size_t *count)
{
    size_t entries = w->start[j + 1] - w->start[j];
    if (w->row == NULL) {
        *first = w->first[j];
        *count = entries;
        return;
    }
    size_t low = w->n, high = 0;
    for (size_t k = w->start[j]; k < w->start[j + 1]; k++) {
        if (w->row[k] < low) low = w->row[k];
        if (w->row[k] >= high) high = w->row[k] + 1;
    }
    *first = entries > 0 ? low : 0;
    *count = entries > 0 ? high - low : 0;
}

double sg_columns_entry(const struct sg_columns *w, size_t j, size_t i)
{
    size_t start = w->start[j], count = w->start[j + 1] - start;
    if (w->row == NULL)
        return i >= w->first[j] && i < w->first[j] + count ? w->value[start + i - w->first[j]] : 0.0;
    double sum = 0.0;
    for (size_t k = start; k < start + count; k++)
        if (w->row[k] == i) sum += w->value[k];
    return sum;
}

/* the rows on which two dense columns overlap, and both columns from there on */
static size_t overlap(const struct sg_columns *w, const size_t column[2], size_t *first,
                      const double *value[2])
{
    size_t end = w->n;
    *first = 0;
    for (int c = 0; c < 2; c++) {
        size_t j = column[c], stop = w->first[j] + w->start[j + 1] - w->start[j];
        if (w->first[j] > *first) *first = w->first[j];
        if (stop < end) end = stop;
    }
    if (end <= *first) return 0;
    for (int c = 0; c < 2; c++) value[c] = w->value + w->start[column[c]] + (*first - w->first[column[c]]);
    return end - *first;
}

SG_HOT static double dense_form(size_t count, const double *const w[2], const double *restrict d)
{
    const double *restrict a = w[0], *restrict b = w[1];
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (size_t i = 0; i < count; i++) sum += a[i] * b[i] * d[i];
    return sum;
}

SG_HOT static void dense_forms(size_t count, const double *const w[2], const double *restrict d,
                               const double *restrict e, double sum[2])
{
    const double *restrict a = w[0], *restrict b = w[1];
    double first = 0, second = 0;
#pragma omp simd reduction(+ : first, second)
    for (size_t i = 0; i < count; i++) {
        first += a[i] * b[i] * d[i];
        second += a[i] * b[i] * e[i];
    }
    sum[0] = first;
    sum[1] = second;
}

void sg_columns_form(const struct sg_columns *w, size_t j, size_t k, const double *const d[2], double sum[2])
{
    sum[0] = sum[1] = 0;
    if (w->row == NULL) {
        size_t at = 0;
        const double *value[2];
        size_t count = overlap(w, (const size_t[2]){j, k}, &at, value);
        if (count > 0 && d[1] == NULL) sum[0] = dense_form(count, value, d[0] + at);
        if (count > 0 && d[1] != NULL) dense_forms(count, value, d[0] + at, d[1] + at, sum);
        return;
    }
    for (size_t e = w->start[j]; e < w->start[j + 1]; e++) {
        double product = w->value[e] * sg_columns_entry(w, k, w->row[e]);
        sum[0] += product * d[0][w->row[e]];
        if (d[1] != NULL) sum[1] += product * d[1][w->row[e]];
    }
}

SG_HOT static void dense_add_scaled(size_t count, double s, const double *restrict w,
                                    const double *restrict d, double *restrict y)
{
#pragma omp simd
    for (size_t i = 0; i < count; i++) y[i] += s * (w[i] * d[i]);
}

SG_HOT static void dense_add_complex(size_t count, const double s[2], const double *restrict w,
                                     struct sg_split d, struct sg_split y)
{
    const double s_re = s[0], s_im = s[1], *restrict d_re = d.re, *restrict d_im = d.im;
    double *restrict y_re = y.re, *restrict y_im = y.im;
#pragma omp simd
    for (size_t i = 0; i < count; i++) {
        y_re[i] += w[i] * (s_re * d_re[i] - s_im * d_im[i]);
        y_im[i] += w[i] * (s_re * d_im[i] + s_im * d_re[i]);
    }
}

static void add_scaled_at(const double s[2], size_t row, double w, struct sg_split d, struct sg_split y)
{
    double d_im = d.im != NULL ? d.im[row] : 0;
    y.re[row] += w * (s[0] * d.re[row] - s[1] * d_im);
    if (y.im != NULL) y.im[row] += w * (s[0] * d_im + s[1] * d.re[row]);
}

void sg_columns_add_scaled(const struct sg_columns *w, size_t j, const double s[2], struct sg_split d,
                           struct sg_split y)
{
    size_t begin = w->start[j], count = w->start[j + 1] - begin;
    if (w->row != NULL) {
        for (size_t e = begin; e < begin + count; e++) add_scaled_at(s, w->row[e], w->value[e], d, y);
        return;
    }
    size_t at = w->first[j];
    if (y.im == NULL)
        dense_add_scaled(count, s[0], w->value + begin, d.re + at, y.re + at);
    else
        dense_add_complex(count, s, w->value + begin, (struct sg_split){d.re + at, d.im + at},
                          (struct sg_split){y.re + at, y.im + at});
}
