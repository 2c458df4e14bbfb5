#include "linalg/solver.h"

#include "linalg/factor.h"

static const struct sg_factor_ops *ops_of(enum sg_matrix_class kind)
{
    static const struct sg_factor_ops *const table[] = {
        [SG_DIAGONAL] = &sg_factor_diagonal, [SG_TRIDIAGONAL] = &sg_factor_tridiagonal,
        [SG_BANDED] = &sg_factor_banded,     [SG_SPARSE] = &sg_factor_sparse,
        [SG_DENSE] = &sg_factor_dense,
    };
    return table[kind];
}

struct sg_factor_layout sg_factor_layout_for(const struct sg_mck *mck)
{
    struct sg_factor_layout layout = {.n = mck->m->n};
    const struct sg_matrix *part[3] = {mck->m, mck->c, mck->k};
    for (int p = 0; p < 3; p++) {
        if (part[p]->zero) continue;
        if (part[p]->kind > layout.kind) layout.kind = part[p]->kind;
        if (part[p]->width > layout.width) layout.width = part[p]->width;
    }
    return layout;
}

sg_status sg_factor_init(struct sg_arena *arena, struct sg_factor *f, const struct sg_factor_layout *layout,
                         struct sg_error *err)
{
    *f = (struct sg_factor){.layout = *layout};
    return ops_of(layout->kind)->init(arena, f, err);
}

static sg_status check_parts(const struct sg_factor *f, const struct sg_mck *mck, bool complex_valued,
                             struct sg_error *err)
{
    const struct sg_matrix *part[3] = {mck->m, mck->c, mck->k};
    if (f->layout.complex_valued != complex_valued)
        FAIL(err, SG_INTERNAL, "a %s factor is asked for %s values",
             f->layout.complex_valued ? "complex" : "real", complex_valued ? "complex" : "real");
    for (int p = 0; p < 3; p++) {
        bool fits = part[p]->n == f->layout.n && part[p]->kind <= f->layout.kind &&
                    (f->layout.kind != SG_BANDED || part[p]->width <= f->layout.width);
        if (!fits && (part[p]->n != f->layout.n || !part[p]->zero))
            FAIL(err, SG_INTERNAL,
                 "matrix %c (%zu dofs, half bandwidth %zu) does not fit its factor (%zu, %zu)", "MCK"[p],
                 part[p] -> n, part[p] -> width, f -> layout.n, f->layout.width);
    }
    return SG_OK;
}

sg_status sg_factor_compute(struct sg_factor *f, const struct sg_mck *mck, const double weight[3],
                            struct sg_error *err)
{
    TRY(check_parts(f, mck, false, err));
    if (f->layout.n == 0) return SG_OK;
    return ops_of(f->layout.kind)->compute(f, mck, weight, err);
}

sg_status sg_factor_compute_complex(struct sg_factor *f, const struct sg_mck *mck,
                                    const double complex weight[3], struct sg_error *err)
{
    TRY(check_parts(f, mck, true, err));
    if (f->layout.n == 0) return SG_OK;
    return ops_of(f->layout.kind)->compute_complex(f, mck, weight, err);
}

void sg_factor_solve(const struct sg_factor *f, double *x)
{
    if (f->layout.n != 0) ops_of(f->layout.kind)->solve(f, x);
}

void sg_factor_solve_complex(const struct sg_factor *f, double *restrict re, double *restrict im)
{
    if (f->layout.n != 0) ops_of(f->layout.kind)->solve_complex(f, re, im);
}
