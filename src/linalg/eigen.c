#include "linalg/eigen.h"

#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <stdbool.h>

#include "linalg/factor.h"
#include "linalg/lanczos.h"
#include "linalg/solver.h"
#include "linalg/sturm.h"
#include "support/arena.h"

sg_status sg_eigen_dense(size_t n, double *a, double *w, struct sg_error *err)
{
    if (n == 0) return SG_OK;
    if (n > INT32_MAX) FAIL(err, SG_NO_MEMORY, "dense eigenproblem of %zu dofs is too large", n);
    lapack_int order = (lapack_int)n;
    lapack_int info = LAPACKE_dsyevd(LAPACK_COL_MAJOR, 'V', 'L', order, a, order, w);
    if (info == LAPACK_WORK_MEMORY_ERROR)
        FAIL(err, SG_NO_MEMORY, "out of memory: eigenproblem of %zu dofs", n);
    if (info < 0) FAIL(err, SG_NO_SOLUTION, "eigenproblem of %zu dofs has an entry that is not finite", n);
    if (info > 0) FAIL(err, SG_NO_SOLUTION, "eigenproblem of %zu dofs did not converge", n);
    return SG_OK;
}

struct pencil {
    const struct sg_matrix *m, *k;
};

enum end { SMALLEST, LARGEST };

static sg_status fail_mass(struct sg_error *err)
{
    FAIL(err, SG_BAD_DECK, "the mass matrix is not positive definite");
}

/* M (or K + shift M), factored */
struct factored {
    struct sg_matrix none; /* the C there isn't */
    struct sg_symbolic *symbolic;
    struct sg_factor factor;
};

static sg_status factored_init(struct sg_arena *arena, struct factored *f, const struct pencil *p,
                               const double weight[2], struct sg_error *err)
{
    f->none = (struct sg_matrix){.kind = SG_DIAGONAL, .n = p->m->n, .zero = true};
    struct sg_mck mck = {p->m, &f->none, weight[1] == 0 ? &f->none : p->k};
    struct sg_factor_layout layout = sg_factor_layout_for(&mck);
    if (layout.kind == SG_SPARSE) TRY(sg_symbolic_create(arena, &mck, false, &f->symbolic, err));
    layout.symbolic = f->symbolic;
    TRY(sg_factor_init(arena, &f->factor, &layout, err));
    return sg_factor_compute(&f->factor, &mck, (const double[]){weight[0], 0, weight[1]}, err);
}

static bool tridiagonal(const struct sg_matrix *a)
{
    return a->kind == SG_DIAGONAL || a->kind == SG_TRIDIAGONAL;
}

/* by bisection of Sturm counts, which need M to be positive definite */
static void bisect(const struct pencil *p, enum end end, const double *none, double *value)
{
    struct sg_pencil pencil = {.n = p->m->n,
                               .kd = p->k->zero ? none : p->k->diag,
                               .ko = p->k->off == NULL ? none : p->k->off,
                               .md = p->m->diag,
                               .mo = p->m->off};
    double largest = sg_pencil_eigenvalue(&pencil, p->m->n - 1);
    *value = largest;
    if (end == LARGEST) return;
    *value = sg_pencil_eigenvalue(&pencil, 0);
    if (fabs(*value) <= 16 * DBL_EPSILON * fmax(fabs(*value), fabs(largest))) *value = 0;
}

static sg_status solve_tridiagonal(const struct pencil *p, enum end end, double *value, struct sg_error *err)
{
    SG_LOCAL_ARENA(scratch);
    struct factored mass = {0};
    double *none = NULL;
    sg_status status = factored_init(&scratch, &mass, p, (const double[]){1, 0}, NULL);
    if (status == SG_OK) status = SG_ARENA_NEW(&scratch, &none, p->m->n, NULL);
    if (status == SG_OK) bisect(p, end, none, value);
    if (status == SG_NO_SOLUTION) return fail_mass(err);
    if (status != SG_OK) FAIL(err, status, "out of memory: eigenvalues of %zu dofs", p->m->n);
    if (!isfinite(*value)) FAIL(err, SG_NO_SOLUTION, "an eigenvalue of %zu dofs is not finite", p->m->n);
    return SG_OK;
}

static sg_status all_values(const struct pencil *p, double *a, double *b, double *w, struct sg_error *err)
{
    size_t n = p->m->n;
    struct sg_target left = {.base = a, .row = 1, .column = n}, right = {.base = b, .row = 1, .column = n};
    sg_target_add(&left, 1, p->k);
    sg_target_add(&right, 1, p->m);
    lapack_int order = (lapack_int)n;
    lapack_int info = LAPACKE_dsygv(LAPACK_COL_MAJOR, 1, 'N', 'L', order, a, order, b, order, w);
    if (info == LAPACK_WORK_MEMORY_ERROR) FAIL(err, SG_NO_MEMORY, "out of memory: %zu eigenvalues", n);
    if (info > order) return fail_mass(err);
    if (info != 0) FAIL(err, SG_NO_SOLUTION, "eigenvalues of %zu dofs can't be found", n);
    return SG_OK;
}

static sg_status solve_dense(const struct pencil *p, enum end end, double *value, struct sg_error *err)
{
    size_t n = p->m->n;
    SG_LOCAL_ARENA(scratch);
    double *a = NULL, *b = NULL, *w = NULL;
    sg_status status = SG_ARENA_NEW(&scratch, &a, n * n, err);
    if (status == SG_OK) status = SG_ARENA_NEW(&scratch, &b, n * n, err);
    if (status == SG_OK) status = SG_ARENA_NEW(&scratch, &w, n, err);
    if (status == SG_OK) status = all_values(p, a, b, w, err);
    if (status == SG_OK) {
        double noise = (double)n * DBL_EPSILON * fmax(fabs(w[0]), fabs(w[n - 1]));
        *value = end == LARGEST ? w[n - 1] : fabs(w[0]) <= noise ? 0 : w[0];
    }
    return status;
}

struct iteration {
    const struct pencil *p;
    struct factored inverse;
};

static void apply_mass(void *context, const double *x, double *y)
{
    const struct iteration *it = context;
    sg_matrix_multiply(it->p->m, x, y);
}

/* Two operators that are self-adjoint in x . M y, as Lanczos' method wants them: M^-1 K, whose largest
 * eigenvalue is that of the pencil, and (K + shift M)^-1 M, with eigenvalues 1 / (lambda + shift): there the
 * smallest is largest and stands apart from the others, so that a few steps find it where thousands of
 * M^-1 K would not. */
static void apply_largest(void *context, const double *x, const double *mx, double *y)
{
    (void)mx;
    const struct iteration *it = context;
    sg_matrix_multiply(it->p->k, x, y);
    sg_factor_solve(&it->inverse.factor, y);
}

static void apply_smallest(void *context, const double *x, const double *mx, double *y)
{
    (void)x;
    const struct iteration *it = context;
    for (size_t i = 0; i < it->p->m->n; i++) y[i] = mx[i];
    sg_factor_solve(&it->inverse.factor, y);
}

static sg_status iterate_largest(const struct pencil *p, double *value, struct sg_error *err)
{
    SG_LOCAL_ARENA(scratch);
    struct iteration it = {.p = p};
    struct sg_lanczos op = {p->m->n, &it, apply_mass, apply_largest};
    sg_status status = factored_init(&scratch, &it.inverse, p, (const double[]){1, 0}, err);
    if (status == SG_NO_SOLUTION)
        status = fail_mass(err);
    else if (status == SG_OK)
        status = sg_lanczos_largest(&op, value, err);
    return status;
}

/* K + shift M with the smallest shift of a few that makes it positive definite */
static sg_status factor_shifted(struct sg_arena *scratch, struct iteration *it, double *shift, double limit,
                                struct sg_error *err)
{
    sg_status status = SG_NO_SOLUTION;
    while (status == SG_NO_SOLUTION && *shift < limit) {
        sg_arena_release(scratch);
        it->inverse = (struct factored){0};
        *shift *= 100;
        status = factored_init(scratch, &it->inverse, it->p, (const double[]){*shift, 1}, err);
    }
    return status;
}

/* largest eigenvalue of (K + shift M)^-1 M = 1 / (smallest + shift) */
static sg_status iterate_smallest(const struct pencil *p, double largest, double *value, struct sg_error *err)
{
    SG_LOCAL_ARENA(scratch);
    struct iteration it = {.p = p};
    struct sg_lanczos op = {p->m->n, &it, apply_mass, apply_smallest};
    double inverse = 0, shift = 1e-11 * largest;
    TRY(factor_shifted(&scratch, &it, &shift, 1e6 * largest, err));
    TRY(sg_lanczos_largest(&op, &inverse, err));
    *value = 1 / inverse - shift;
    if (fabs(*value) <= 1e-12 * largest) *value = 0;
    return SG_OK;
}

static sg_status solve_iteratively(const struct pencil *p, enum end end, double *value, struct sg_error *err)
{
    double largest = 0;
    TRY(iterate_largest(p, &largest, err));
    *value = largest;
    /* no positive eigenvalue: the scale of the shifts is that of K's entries instead */
    if (!(largest > 0)) largest = sg_matrix_max_abs(p->k) / sg_matrix_max_abs(p->m);
    if (end == SMALLEST && largest > 0) return iterate_smallest(p, largest, value, err);
    return SG_OK;
}

static sg_status solve(const struct pencil *p, enum end end, double *value, struct sg_error *err)
{
    *value = 0;
    if (p->m->n == 0) return SG_OK;
    if (!isfinite(sg_matrix_max_abs(p->m)) || (!p->k->zero && !isfinite(sg_matrix_max_abs(p->k))))
        FAIL(err, SG_NO_SOLUTION, "a matrix of %zu dofs has an entry that is not finite", p->m->n);
    if (tridiagonal(p->m) && tridiagonal(p->k)) return solve_tridiagonal(p, end, value, err);
    if (p->m->n <= SG_EIGEN_DENSE) return solve_dense(p, end, value, err);
    return solve_iteratively(p, end, value, err);
}

sg_status sg_eigen_largest(const struct sg_matrix *m, const struct sg_matrix *k, double *value,
                           struct sg_error *err)
{
    return solve(&(struct pencil){m, k}, LARGEST, value, err);
}

sg_status sg_eigen_smallest(const struct sg_matrix *m, const struct sg_matrix *k, double *value,
                            struct sg_error *err)
{
    return solve(&(struct pencil){m, k}, SMALLEST, value, err);
}

struct lowrank {
    size_t n;
    const double *k, *kappa;
    const struct sg_columns *w;
};

static void copy(void *context, const double *x, double *y)
{
    const struct lowrank *a = context;
    for (size_t i = 0; i < a->n; i++) y[i] = x[i];
}

static void apply_lowrank(void *context, const double *x, const double *gx, double *y)
{
    (void)gx;
    const struct lowrank *a = context;
    for (size_t i = 0; i < a->n; i++) y[i] = a->k[i] * x[i];
    for (size_t j = 0; j < a->w->q; j++)
        if (a->kappa[j] != 0) sg_columns_add(a->w, j, a->kappa[j] * sg_columns_dot(a->w, j, x), y);
}

sg_status sg_eigen_largest_lowrank(const double *k, const struct sg_columns *w, const double *kappa,
                                   double *value, struct sg_error *err)
{
    *value = 0;
    struct lowrank a = {w->n, k, kappa, w};
    struct sg_lanczos op = {w->n, &a, copy, apply_lowrank};
    if (w->n == 0) return SG_OK;
    TRY(sg_lanczos_largest(&op, value, err));
    /* the change is semidefinite: what Lanczos missed in a cluster at the top is made good */
    for (size_t i = 0; i < w->n; i++) *value = fmax(*value, k[i]);
    return SG_OK;
}
