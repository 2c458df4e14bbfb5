#include "linalg/factor.h"

#include <string.h>

#include "linalg/kernels.h"

static void put(const struct sg_target *t, size_t i, size_t j, double value)
{
    t->base[i * t->row + j * t->column] += value;
    if (t->both && i != j) t->base[j * t->row + i * t->column] += value;
}

static void add_tridiagonal(const struct sg_target *t, double weight, const struct sg_matrix *a)
{
    for (size_t j = 0; j < a->n; j++) put(t, j, j, weight * a->diag[j]);
    if (a->kind != SG_TRIDIAGONAL) return;
    for (size_t j = 0; j + 1 < a->n; j++) put(t, j + 1, j, weight * a->off[j]);
}

static void add_columns(const struct sg_target *t, double weight, const struct sg_matrix *a)
{
    size_t stride = a->kind == SG_DENSE ? a->n + 1 : a->width + 1;
    for (size_t j = 0; j < a->n; j++)
        for (size_t d = 0; d <= a->width && j + d < a->n; d++)
            put(t, j + d, j, weight * a->band[d + j * stride]);
}

static void add_sparse(const struct sg_target *t, double weight, const struct sg_matrix *a)
{
    for (size_t j = 0; j < a->n; j++)
        for (size_t e = a->start[j]; e < a->start[j + 1]; e++) put(t, a->row[e], j, weight * a->value[e]);
}

void sg_target_add(const struct sg_target *target, double weight, const struct sg_matrix *a)
{
    if (a->zero || weight == 0) return;
    if (a->kind == SG_SPARSE)
        add_sparse(target, weight, a);
    else if (a->kind == SG_BANDED || a->kind == SG_DENSE)
        add_columns(target, weight, a);
    else
        add_tridiagonal(target, weight, a);
}

void sg_target_combine(const struct sg_target *target, const struct sg_mck *mck, const double weight[3])
{
    sg_target_add(target, weight[0], mck->m);
    sg_target_add(target, weight[1], mck->c);
    sg_target_add(target, weight[2], mck->k);
}

SG_HOT static void add_scaled(size_t n, double s, const double *restrict x, double *restrict y)
{
#pragma omp simd
    for (size_t i = 0; i < n; i++) y[i] += s * x[i];
}

void sg_combine_diagonals(const struct sg_mck *mck, const double weight[3], double *restrict d,
                          double *restrict o)
{
    const struct sg_matrix *part[3] = {mck->m, mck->c, mck->k};
    size_t n = mck->m->n;
    memset(d, 0, n * sizeof *d);
    if (o != NULL) memset(o, 0, n * sizeof *o);
    for (int p = 0; p < 3; p++) {
        if (part[p]->zero || weight[p] == 0) continue;
        add_scaled(n, weight[p], part[p]->diag, d);
        if (o != NULL && part[p]->kind == SG_TRIDIAGONAL) add_scaled(n, weight[p], part[p]->off, o);
    }
}

SG_HOT void sg_scale(size_t n, const double *restrict r, double *restrict x)
{
#pragma omp simd
    for (size_t i = 0; i < n; i++) x[i] *= r[i];
}

SG_HOT void sg_scale_complex(const struct sg_factor *f, double *restrict x, double *restrict y)
{
    const double *restrict re = f->re, *restrict im = f->im;
#pragma omp simd
    for (size_t i = 0; i < f->layout.n; i++) {
        double real = re[i] * x[i] - im[i] * y[i];
        y[i] = re[i] * y[i] + im[i] * x[i];
        x[i] = real;
    }
}

void sg_split_weights(const double complex weight[3], double real[3], double imaginary[3])
{
    for (int p = 0; p < 3; p++) {
        real[p] = creal(weight[p]);
        imaginary[p] = cimag(weight[p]);
    }
}

void sg_interleave(size_t n, const double *re, const double *im, double *restrict z)
{
    for (size_t i = 0; i < n; i++) {
        z[2 * i] = re[i];
        z[2 * i + 1] = im[i];
    }
}

void sg_separate(size_t n, const double *restrict z, double *re, double *im)
{
    for (size_t i = 0; i < n; i++) {
        re[i] = z[2 * i];
        im[i] = z[2 * i + 1];
    }
}

sg_status sg_fail_pivot(size_t dof, double pivot, double diagonal, struct sg_error *err)
{
    FAIL(err, SG_NO_SOLUTION,
         "the effective matrix is not positive definite: pivot %g at dof %zu, diagonal entry %g", pivot, dof,
         diagonal);
}
