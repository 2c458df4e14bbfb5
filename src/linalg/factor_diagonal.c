#include <math.h>

#include "linalg/factor.h"
#include "linalg/kernels.h"
#include "support/arena.h"

static sg_status init(struct sg_arena *arena, struct sg_factor *f, struct sg_error *err)
{
    TRY(SG_ARENA_NEW(arena, &f->re, f->layout.n, err));
    if (f->layout.complex_valued) TRY(SG_ARENA_NEW(arena, &f->im, f->layout.n, err));
    return SG_OK;
}

/* returns how many entries are not positive */
SG_HOT static double invert(size_t n, double *restrict d)
{
    double bad = 0;
#pragma omp simd reduction(+ : bad)
    for (size_t i = 0; i < n; i++) {
        bad += d[i] > 0 ? 0.0 : 1.0;
        d[i] = 1 / d[i];
    }
    return bad;
}

/* the same of a m + c k, in one pass */
SG_HOT static double combine_and_invert(size_t n, const struct sg_mck *mck, const double weight[3],
                                        double *restrict d)
{
    const double *restrict m = mck->m->diag, *restrict k = mck->k->diag;
    double wm = weight[0], wk = weight[2], bad = 0;
#pragma omp simd reduction(+ : bad)
    for (size_t i = 0; i < n; i++) {
        double entry = wm * m[i] + wk * k[i];
        bad += entry > 0 ? 0.0 : 1.0;
        d[i] = 1 / entry;
    }
    return bad;
}

static double compute_general(struct sg_factor *f, const struct sg_mck *mck, const double weight[3])
{
    sg_combine_diagonals(mck, weight, f->re, NULL);
    return invert(f->layout.n, f->re);
}

/* no damping, and a stiffness matrix that is there */
static bool is_plain(const struct sg_mck *mck)
{
    return mck->c->zero && !mck->m->zero && !mck->k->zero;
}

static sg_status compute(struct sg_factor *f, const struct sg_mck *mck, const double weight[3],
                         struct sg_error *err)
{
    double bad =
        is_plain(mck) ? combine_and_invert(f->layout.n, mck, weight, f->re) : compute_general(f, mck, weight);
    if (bad == 0) return SG_OK;
    size_t i = 0;
    while (f->re[i] > 0 && isfinite(f->re[i])) i++;
    return sg_fail_pivot(i, 1 / f->re[i], 1 / f->re[i], err);
}

/* 1 / (a m + c k) in one pass; returns how many entries vanish or are not numbers */
SG_HOT static double combine_and_invert_complex(const struct sg_mck *mck, const double re[3],
                                                const double im[3], struct sg_factor *f)
{
    const double *restrict m = mck->m->diag, *restrict k = mck->k->diag;
    double *restrict x = f->re, *restrict y = f->im;
    double m_re = re[0], m_im = im[0], k_re = re[2], k_im = im[2], bad = 0;
#pragma omp simd reduction(+ : bad)
    for (size_t i = 0; i < f->layout.n; i++) {
        double p = m_re * m[i] + k_re * k[i], q = m_im * m[i] + k_im * k[i];
        double square = p * p + q * q, factor = 1 / square;
        bad += square > 0 ? 0.0 : 1.0;
        x[i] = p * factor;
        y[i] = -q * factor;
    }
    return bad;
}

/* returns how many entries vanish or are not numbers */
SG_HOT static double invert_complex(size_t n, double *restrict re, double *restrict im)
{
    double bad = 0;
#pragma omp simd reduction(+ : bad)
    for (size_t i = 0; i < n; i++) {
        double square = re[i] * re[i] + im[i] * im[i], factor = 1 / square;
        bad += square > 0 ? 0.0 : 1.0;
        re[i] *= factor;
        im[i] *= -factor;
    }
    return bad;
}

static double compute_general_complex(struct sg_factor *f, const struct sg_mck *mck, const double re[3],
                                      const double im[3])
{
    sg_combine_diagonals(mck, re, f->re, NULL);
    sg_combine_diagonals(mck, im, f->im, NULL);
    return invert_complex(f->layout.n, f->re, f->im);
}

static sg_status compute_complex(struct sg_factor *f, const struct sg_mck *mck,
                                 const double complex weight[3], struct sg_error *err)
{
    double real[3], imaginary[3];
    sg_split_weights(weight, real, imaginary);
    double bad = is_plain(mck) ? combine_and_invert_complex(mck, real, imaginary, f)
                               : compute_general_complex(f, mck, real, imaginary);
    if (bad == 0) return SG_OK;
    size_t i = 0;
    while (isfinite(f->re[i]) && isfinite(f->im[i])) i++;
    FAIL(err, SG_NO_SOLUTION, "the complex effective matrix is singular at dof %zu", i);
}

static void solve(const struct sg_factor *f, double *x)
{
    sg_scale(f->layout.n, f->re, x);
}

static void solve_complex(const struct sg_factor *f, double *restrict re, double *restrict im)
{
    sg_scale_complex(f, re, im);
}

const struct sg_factor_ops sg_factor_diagonal = {
    .init = init,
    .compute = compute,
    .compute_complex = compute_complex,
    .solve = solve,
    .solve_complex = solve_complex,
};
