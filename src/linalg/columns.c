#include "linalg/columns.h"

#include <math.h>
#include <stdbool.h>

#include "linalg/kernels.h"
#include "support/memory.h"

sg_status sg_columns_init_sparse(struct sg_columns *w, size_t n, size_t q, size_t entries,
                                 struct sg_error *err)
{
    *w = (struct sg_columns){.n = n, .q = q};
    sg_status status = SG_NEW(&w->start, q + 1, err);
    if (status == SG_OK) status = SG_NEW(&w->row, entries, err);
    if (status == SG_OK) status = SG_NEW(&w->value, entries, err);
    if (status != SG_OK) sg_columns_release(w);
    return status;
}

void sg_columns_release(struct sg_columns *w)
{
    sg_free(w->start);
    sg_free(w->row);
    sg_free(w->first);
    sg_free(w->value);
    *w = (struct sg_columns){0};
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
