/* What each class of factors offers; for solver.c and the files of the classes alone. */
#ifndef SG_LINALG_FACTOR_H
#define SG_LINALG_FACTOR_H

#include "linalg/solver.h"

struct sg_factor_ops {
    /* layout set, the rest zero */
    sg_status (*init)(struct sg_arena *arena, struct sg_factor *f, struct sg_error *err);
    sg_status (*compute)(struct sg_factor *f, const struct sg_mck *mck, const double weight[3],
                         struct sg_error *err);
    sg_status (*compute_complex)(struct sg_factor *f, const struct sg_mck *mck,
                                 const double complex weight[3], struct sg_error *err);
    void (*solve)(const struct sg_factor *f, double *x);
    void (*solve_complex)(const struct sg_factor *f, double *restrict re, double *restrict im);
};

extern const struct sg_factor_ops sg_factor_diagonal, sg_factor_tridiagonal, sg_factor_banded,
    sg_factor_dense, sg_factor_sparse;

/* Where entry (i, j) of a column-major store stands: base[i * row + j * column]. */
struct sg_target {
    double *base;
    size_t row, column;
    bool both; /* upper triangle too */
};

/* target += weight A */
void sg_target_add(const struct sg_target *target, double weight, const struct sg_matrix *a);

/* target := sum of weight[i] times M, C, K; the target's memory is zero before */
void sg_target_combine(const struct sg_target *target, const struct sg_mck *mck, const double weight[3]);

/* the diagonals of the combination: d[n], and o[n] (NULL: there is none, off-diagonals ignored) */
void sg_combine_diagonals(const struct sg_mck *mck, const double weight[3], double *restrict d,
                          double *restrict o);

void sg_split_weights(const double complex weight[3], double real[3], double imaginary[3]);

/* z[2 i] + i z[2 i + 1] for LAPACK, from split arrays and back */
void sg_interleave(size_t n, const double *re, const double *im, double *restrict z);
void sg_separate(size_t n, const double *restrict z, double *re, double *im);

/* x := r x, entry by entry */
void sg_scale(size_t n, const double *restrict r, double *restrict x);

/* x + i y := (f->re + i f->im) (x + i y), entry by entry */
void sg_scale_complex(const struct sg_factor *f, double *restrict x, double *restrict y);

/* a pivot this small against its diagonal entry is rounding */
#define SG_PIVOT_TOLERANCE (8 * 2.220446049250313e-16)

sg_status sg_fail_pivot(size_t dof, double pivot, double diagonal, struct sg_error *err);

#endif
