/* Cholesky by LAPACK. Complex: LU with pivoting, which OpenBLAS blocks well, unlike zsytrf. */
#include <cblas.h>
#include <lapacke.h>
#include <string.h>

#include "linalg/factor.h"
#include "support/arena.h"

static sg_status init(struct sg_arena *arena, struct sg_factor *f, struct sg_error *err)
{
    size_t n = f->layout.n;
    if (n > INT32_MAX || (n != 0 && n > SIZE_MAX / (2 * n)))
        FAIL(err, SG_NO_MEMORY, "a dense matrix of %zu dofs is too large", n);
    if (!f->layout.complex_valued) {
        TRY(SG_ARENA_NEW(arena, &f->a, n * n, err));
        return SG_ARENA_NEW(arena, &f->re, n, err);
    }
    TRY(SG_ARENA_NEW(arena, &f->a, 2 * n * n, err));
    TRY(SG_ARENA_NEW(arena, &f->pivot, n, err));
    return SG_ARENA_NEW(arena, &f->work, 2 * n, err);
}

static sg_status compute(struct sg_factor *f, const struct sg_mck *mck, const double weight[3],
                         struct sg_error *err)
{
    size_t n = f->layout.n;
    lapack_int order = (lapack_int)n;
    memset(f->a, 0, n * n * sizeof *f->a);
    struct sg_target target = {.base = f->a, .row = 1, .column = n};
    sg_target_combine(&target, mck, weight);
    for (size_t i = 0; i < n; i++) f->re[i] = f->a[i + i * n];
    lapack_int info = LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', order, f->a, order);
    size_t sound = info > 0 ? (size_t)info - 1 : n;
    for (size_t i = 0; i < sound; i++) {
        double root = f->a[i + i * n];
        if (!(root * root > SG_PIVOT_TOLERANCE * f->re[i]))
            return sg_fail_pivot(i, root * root, f->re[i], err);
    }
    if (sound < n) return sg_fail_pivot(sound, f->a[sound + sound * n], f->re[sound], err);
    return SG_OK;
}

static void solve(const struct sg_factor *f, double *x)
{
    int n = (int)f->layout.n;
    cblas_dtrsv(CblasColMajor, CblasLower, CblasNoTrans, CblasNonUnit, n, f->a, n, x, 1);
    cblas_dtrsv(CblasColMajor, CblasLower, CblasTrans, CblasNonUnit, n, f->a, n, x, 1);
}

static sg_status compute_complex(struct sg_factor *f, const struct sg_mck *mck,
                                 const double complex weight[3], struct sg_error *err)
{
    size_t n = f->layout.n;
    lapack_int order = (lapack_int)n;
    double real[3], imaginary[3];
    sg_split_weights(weight, real, imaginary);
    memset(f->a, 0, 2 * n * n * sizeof *f->a);
    struct sg_target target = {.base = f->a, .row = 2, .column = 2 * n, .both = true};
    sg_target_combine(&target, mck, real);
    target.base++;
    sg_target_combine(&target, mck, imaginary);
    lapack_int info = LAPACKE_zgetrf_work(LAPACK_COL_MAJOR, order, order, (void *)f->a, order, f->pivot);
    if (info != 0) FAIL(err, SG_NO_SOLUTION, "the complex effective matrix is singular at dof %d", info - 1);
    return SG_OK;
}

static void solve_complex(const struct sg_factor *f, double *restrict re, double *restrict im)
{
    size_t n = f->layout.n;
    lapack_int order = (lapack_int)n;
    sg_interleave(n, re, im, f->work);
    LAPACKE_zgetrs_work(LAPACK_COL_MAJOR, 'N', order, 1, (const void *)f->a, order, f->pivot, (void *)f->work,
                        order);
    sg_separate(n, f->work, re, im);
}

const struct sg_factor_ops sg_factor_dense = {
    .init = init,
    .compute = compute,
    .compute_complex = compute_complex,
    .solve = solve,
    .solve_complex = solve_complex,
};
