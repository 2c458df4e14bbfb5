/* L D L^T in LAPACK's lower band storage, L with a unit diagonal. Where a LAPACK call a column would cost
 * more than its arithmetic, by our own loops. Complex: LU with pivoting. */
#include <lapacke.h>
#include <string.h>

#include "linalg/factor.h"
#include "linalg/kernels.h"
#include "linalg/narrow.h"
#include "support/arena.h"

/* widest band that our own loops factor faster */
enum { MODERATE = 48 };

static size_t rows_stored(const struct sg_factor *f)
{
    return f->layout.complex_valued ? 3 * f->layout.width + 1 : f->layout.width + 1;
}

static sg_status init(struct sg_arena *arena, struct sg_factor *f, struct sg_error *err)
{
    size_t n = f->layout.n, rows = rows_stored(f), parts = f->layout.complex_valued ? 2 : 1;
    if (n > INT32_MAX || f->layout.width >= INT32_MAX / 4 || (n != 0 && rows * parts > SIZE_MAX / n))
        FAIL(err, SG_NO_MEMORY, "a band of %zu x %zu is too large", rows, n);
    TRY(SG_ARENA_NEW(arena, &f->a, rows * parts * n, err));
    if (!f->layout.complex_valued) return SG_ARENA_NEW(arena, &f->re, n, err);
    TRY(SG_ARENA_NEW(arena, &f->pivot, n, err));
    return SG_ARENA_NEW(arena, &f->work, 2 * n, err);
}

/* Right-looking: returns the column whose pivot fails, n if none does. `diagonal` is that of S. */
SG_HOT static size_t factorize(size_t n, size_t width, double *restrict a, const double *restrict diagonal)
{
    for (size_t j = 0; j < n; j++) {
        double *restrict column = a + j * (width + 1);
        size_t below = n - 1 - j < width ? n - 1 - j : width;
        if (!(column[0] > SG_PIVOT_TOLERANCE * diagonal[j])) return j;
        double reciprocal = 1 / column[0];
        for (size_t k = 1; k <= below; k++) {
            double *next = column + k * (width + 1);
            double factor = column[k] * reciprocal;
            for (size_t i = k; i <= below; i++) next[i - k] -= factor * column[i];
            column[k] = factor;
        }
    }
    return n;
}

/* as LAPACK does it, L L^T, brought to the other form */
static size_t factorize_wide(size_t n, size_t width, double *a, const double *diagonal)
{
    lapack_int info = LAPACKE_dpbtrf_work(LAPACK_COL_MAJOR, 'L', (lapack_int)n, (lapack_int)width, a,
                                          (lapack_int)width + 1);
    if (info > 0) return (size_t)info - 1;
    for (size_t j = 0; j < n; j++) {
        double *column = a + j * (width + 1), root = column[0];
        if (!(root * root > SG_PIVOT_TOLERANCE * diagonal[j])) return j;
        column[0] = root * root;
        for (size_t i = 1; i <= width; i++) column[i] /= root;
    }
    return n;
}

static sg_status compute(struct sg_factor *f, const struct sg_mck *mck, const double weight[3],
                         struct sg_error *err)
{
    size_t n = f->layout.n, width = f->layout.width;
    memset(f->a, 0, n * (width + 1) * sizeof *f->a);
    struct sg_target target = {.base = f->a, .row = 1, .column = width};
    sg_target_combine(&target, mck, weight);
    for (size_t j = 0; j < n; j++) f->re[j] = f->a[j * (width + 1)];
    size_t failed = (width <= MODERATE ? factorize : factorize_wide)(n, width, f->a, f->re);
    if (failed < n) return sg_fail_pivot(failed, f->a[failed * (width + 1)], f->re[failed], err);
    for (size_t j = 0; j < n; j++) f->re[j] = 1 / f->a[j * (width + 1)];
    return SG_OK;
}

SG_HOT static void forward(const struct sg_factor *f, double *restrict x)
{
    size_t n = f->layout.n, width = f->layout.width;
    for (size_t j = 0; j < n; j++) {
        const double *restrict column = f->a + j * (width + 1);
        size_t below = n - 1 - j < width ? n - 1 - j : width;
        double value = x[j];
#pragma omp simd
        for (size_t i = 1; i <= below; i++) x[j + i] -= column[i] * value;
    }
}

SG_HOT static void backward(const struct sg_factor *f, double *restrict x)
{
    size_t n = f->layout.n, width = f->layout.width;
    for (size_t j = n; j-- > 0;) {
        const double *restrict column = f->a + j * (width + 1);
        size_t below = n - 1 - j < width ? n - 1 - j : width;
        double sum = 0;
#pragma omp simd reduction(+ : sum)
        for (size_t i = 1; i <= below; i++) sum += column[i] * x[j + i];
        x[j] -= sum;
    }
}

static void solve(const struct sg_factor *f, double *x)
{
    size_t n = f->layout.n, width = f->layout.width;
    bool narrow = width <= SG_NARROW;
    if (narrow)
        sg_narrow_forward(n, width, f->a, x);
    else
        forward(f, x);
    sg_scale(n, f->re, x);
    if (narrow)
        sg_narrow_backward(n, width, f->a, x);
    else
        backward(f, x);
}

static sg_status compute_complex(struct sg_factor *f, const struct sg_mck *mck,
                                 const double complex weight[3], struct sg_error *err)
{
    size_t n = f->layout.n, width = f->layout.width, rows = rows_stored(f);
    double real[3], imaginary[3];
    sg_split_weights(weight, real, imaginary);
    memset(f->a, 0, 2 * rows * n * sizeof *f->a);
    struct sg_target target = {.base = f->a + 4 * width, .row = 2, .column = 6 * width, .both = true};
    sg_target_combine(&target, mck, real);
    target.base++;
    sg_target_combine(&target, mck, imaginary);
    lapack_int order = (lapack_int)n, band = (lapack_int)width;
    lapack_int info = LAPACKE_zgbtrf_work(LAPACK_COL_MAJOR, order, order, band, band, (void *)f->a,
                                          (lapack_int)rows, f->pivot);
    if (info != 0) FAIL(err, SG_NO_SOLUTION, "the complex effective matrix is singular at dof %d", info - 1);
    return SG_OK;
}

static void solve_complex(const struct sg_factor *f, double *restrict re, double *restrict im)
{
    size_t n = f->layout.n;
    lapack_int order = (lapack_int)n, band = (lapack_int)f->layout.width;
    sg_interleave(n, re, im, f->work);
    LAPACKE_zgbtrs_work(LAPACK_COL_MAJOR, 'N', order, band, band, 1, (const void *)f->a,
                        (lapack_int)rows_stored(f), f->pivot, (void *)f->work, order);
    sg_separate(n, f->work, re, im);
}

const struct sg_factor_ops sg_factor_banded = {
    .init = init,
    .compute = compute,
    .compute_complex = compute_complex,
    .solve = solve,
    .solve_complex = solve_complex,
};
