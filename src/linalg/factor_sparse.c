/* CHOLMOD for real, UMFPACK for complex-symmetric matrices, on the union pattern of M, C and K. Both in
 * their versions with 64-bit integers, since factors of large models outgrow 2^31 entries. */
#include <math.h>
#include <string.h>
#include <suitesparse/cholmod.h>
#include <suitesparse/umfpack.h>

#include "linalg/factor.h"
#include "support/arena.h"

struct sg_symbolic {
    size_t n;
    long *start, *row;                       /* lower triangle by columns, diagonal first */
    double *value[2];                        /* of S: real and imaginary part */
    long *full_start, *full_row, *full_from; /* both triangles, for UMFPACK; from: entry of the lower one */
    double *full[2];
    void *umfpack;
    double control[UMFPACK_CONTROL];
    cholmod_common common;
    cholmod_factor *cholmod;
};

struct sg_sparse_factor {
    cholmod_common *common; /* the analysis' */
    cholmod_factor *cholmod;
    cholmod_dense *x, *y, *e; /* CHOLMOD's workspace of a solve, kept */
    void *umfpack;
    long *index;  /* n */
    double *work; /* 10 n, and 2 n for the right-hand side */
};

static cholmod_sparse as_cholmod(const struct sg_symbolic *s)
{
    return (cholmod_sparse){
        .nrow = s->n,
        .ncol = s->n,
        .nzmax = (size_t)s->start[s->n],
        .p = s->start,
        .i = s->row,
        .x = s->value[0],
        .stype = -1,
        .itype = CHOLMOD_LONG,
        .xtype = CHOLMOD_REAL,
        .dtype = CHOLMOD_DOUBLE,
        .sorted = 1,
        .packed = 1,
    };
}

static sg_status check_cholmod(const cholmod_common *common, struct sg_error *err)
{
    if (common->status == CHOLMOD_OUT_OF_MEMORY || common->status == CHOLMOD_TOO_LARGE)
        FAIL(err, SG_NO_MEMORY, "out of memory: sparse factors");
    if (common->status < 0) FAIL(err, SG_INTERNAL, "CHOLMOD fails with status %d", common->status);
    return SG_OK;
}

static sg_status check_umfpack(long status, struct sg_error *err)
{
    if (status == UMFPACK_ERROR_out_of_memory) FAIL(err, SG_NO_MEMORY, "out of memory: sparse factors");
    if (status == UMFPACK_WARNING_singular_matrix)
        FAIL(err, SG_NO_SOLUTION, "the complex effective matrix is singular");
    if (status != UMFPACK_OK) FAIL(err, SG_INTERNAL, "UMFPACK fails with status %ld", status);
    return SG_OK;
}

static sg_status union_pattern(struct sg_arena *arena, const struct sg_mck *mck, struct sg_matrix *pattern,
                               struct sg_error *err)
{
    struct sg_triplets t = {.arena = arena, .n = mck->m->n};
    sg_matrix_to_triplets(mck->m, &t);
    sg_matrix_to_triplets(mck->c, &t);
    sg_matrix_to_triplets(mck->k, &t);
    return sg_matrix_init(arena, pattern, &t, SG_SPARSE, err);
}

static sg_status copy_pattern(struct sg_arena *arena, struct sg_symbolic *s, const struct sg_matrix *pattern,
                              struct sg_error *err)
{
    size_t count = pattern->start[s->n];
    TRY(SG_ARENA_NEW(arena, &s->start, s->n + 1, err));
    TRY(SG_ARENA_NEW(arena, &s->row, count, err));
    TRY(SG_ARENA_NEW(arena, &s->value[0], count, err));
    for (size_t j = 0; j <= s->n; j++) s->start[j] = (long)pattern->start[j];
    for (size_t e = 0; e < count; e++) s->row[e] = (long)pattern->row[e];
    return SG_OK;
}

/* column j of the full matrix: the rows above the diagonal come in the order of their columns, so that
 * all are sorted */
static void fill_full(struct sg_symbolic *s, long *next)
{
    long n = (long)s->n;
    for (long j = 0; j < n; j++)
        for (long e = s->start[j]; e < s->start[j + 1]; e++) {
            s->full_start[s->row[e] + 1] += s->row[e] != j;
            s->full_start[j + 1]++;
        }
    for (long j = 0; j < n; j++) {
        s->full_start[j + 1] += s->full_start[j];
        next[j] = s->full_start[j];
    }
    for (long j = 0; j < n; j++)
        for (long e = s->start[j]; e < s->start[j + 1]; e++) {
            long i = s->row[e];
            s->full_from[next[j]] = e;
            s->full_row[next[j]++] = i;
            if (i == j) continue;
            s->full_from[next[i]] = e;
            s->full_row[next[i]++] = j;
        }
}

static sg_status prepare_complex(struct sg_arena *arena, struct sg_symbolic *s, struct sg_error *err)
{
    size_t count = (size_t)s->start[s->n], full = 2 * count;
    SG_LOCAL_ARENA(scratch);
    long n = (long)s->n, *next = NULL;
    TRY(SG_ARENA_NEW(arena, &s->value[1], count, err));
    TRY(SG_ARENA_NEW(arena, &s->full_start, s->n + 1, err));
    TRY(SG_ARENA_NEW(arena, &s->full_row, full, err));
    TRY(SG_ARENA_NEW(arena, &s->full_from, full, err));
    TRY(SG_ARENA_NEW(arena, &s->full[0], full, err));
    TRY(SG_ARENA_NEW(arena, &s->full[1], full, err));
    TRY(SG_ARENA_NEW(&scratch, &next, s->n, err));
    fill_full(s, next);
    umfpack_zl_defaults(s->control);
    s->control[UMFPACK_STRATEGY] = UMFPACK_STRATEGY_SYMMETRIC;
    s->control[UMFPACK_IRSTEP] = 0;
    return check_umfpack(
        umfpack_zl_symbolic(n, n, s->full_start, s->full_row, NULL, NULL, &s->umfpack, s->control, NULL),
        err);
}

static sg_status analyze(struct sg_arena *arena, struct sg_symbolic *s, const struct sg_mck *mck,
                         bool complex_too, struct sg_error *err)
{
    SG_LOCAL_ARENA(scratch);
    struct sg_matrix pattern = {0};
    TRY(union_pattern(&scratch, mck, &pattern, err));
    TRY(copy_pattern(arena, s, &pattern, err));
    cholmod_sparse a = as_cholmod(s);
    s->cholmod = cholmod_l_analyze(&a, &s->common);
    TRY(check_cholmod(&s->common, err));
    return complex_too ? prepare_complex(arena, s, err) : SG_OK;
}

static void close_symbolic(void *symbolic)
{
    struct sg_symbolic *s = symbolic;
    cholmod_l_free_factor(&s->cholmod, &s->common);
    cholmod_l_finish(&s->common);
    if (s->umfpack != NULL) umfpack_zl_free_symbolic(&s->umfpack);
}

sg_status sg_symbolic_create(struct sg_arena *arena, const struct sg_mck *mck, bool complex_too,
                             struct sg_symbolic **symbolic, struct sg_error *err)
{
    *symbolic = NULL;
    struct sg_symbolic *s = NULL;
    TRY(SG_ARENA_NEW(arena, &s, 1, err));
    s->n = mck->m->n;
    cholmod_l_start(&s->common);
    TRY(sg_arena_own(arena, s, close_symbolic, err));
    s->common.print = 0;
    s->common.final_ll = 1; /* so that a negative pivot is noticed */
    s->common.quick_return_if_not_posdef = 1;
    TRY(analyze(arena, s, mck, complex_too, err));
    *symbolic = s;
    return SG_OK;
}

/* before the analysis that the factor was made from: the arena closes the last first */
static void close_factor(void *factor)
{
    struct sg_sparse_factor *sparse = factor;
    cholmod_l_free_factor(&sparse->cholmod, sparse->common);
    cholmod_l_free_dense(&sparse->x, sparse->common);
    cholmod_l_free_dense(&sparse->y, sparse->common);
    cholmod_l_free_dense(&sparse->e, sparse->common);
    if (sparse->umfpack != NULL) umfpack_zl_free_numeric(&sparse->umfpack);
}

static sg_status init(struct sg_arena *arena, struct sg_factor *f, struct sg_error *err)
{
    struct sg_symbolic *s = f->layout.symbolic;
    if (s == NULL || s->n != f->layout.n || (f->layout.complex_valued && s->umfpack == NULL))
        FAIL(err, SG_INTERNAL, "a sparse factor of %zu dofs needs the analysis of its pattern", f->layout.n);
    TRY(SG_ARENA_NEW(arena, &f->sparse, 1, err));
    f->sparse->common = &s->common;
    TRY(sg_arena_own(arena, f->sparse, close_factor, err));
    if (f->layout.complex_valued) {
        TRY(SG_ARENA_NEW(arena, &f->sparse->index, s->n, err));
        return SG_ARENA_NEW(arena, &f->sparse->work, 12 * s->n, err);
    }
    f->sparse->cholmod = cholmod_l_copy_factor(s->cholmod, &s->common);
    return check_cholmod(&s->common, err);
}

/* a walk down one column of the pattern */
struct cursor {
    const struct sg_symbolic *s;
    double *value;
    long column, at;
    bool missed; /* an entry that the pattern lacks */
};

static void put(struct cursor *c, size_t i, size_t j, double value)
{
    if (value == 0) return;
    if (c->column != (long)j) c->at = c->s->start[j];
    c->column = (long)j;
    long end = c->s->start[j + 1];
    while (c->at < end && c->s->row[c->at] < (long)i) c->at++;
    if (c->at < end && c->s->row[c->at] == (long)i)
        c->value[c->at] += value;
    else
        c->missed = true;
}

static void add(struct cursor *c, double weight, const struct sg_matrix *a)
{
    if (a->zero || weight == 0) return;
    for (size_t j = 0; j < a->n; j++) {
        if (a->kind == SG_SPARSE) {
            for (size_t e = a->start[j]; e < a->start[j + 1]; e++) put(c, a->row[e], j, weight * a->value[e]);
        } else if (a->kind == SG_BANDED) {
            for (size_t d = 0; d <= a->width && j + d < a->n; d++)
                put(c, j + d, j, weight * a->band[d + j * (a->width + 1)]);
        } else {
            put(c, j, j, weight * a->diag[j]);
            if (a->kind == SG_TRIDIAGONAL && j + 1 < a->n) put(c, j + 1, j, weight * a->off[j]);
        }
    }
}

static sg_status form(const struct sg_symbolic *s, const struct sg_mck *mck, const double weight[3],
                      double *value, struct sg_error *err)
{
    const struct sg_matrix *part[3] = {mck->m, mck->c, mck->k};
    struct cursor cursor = {.s = s, .value = value, .column = -1};
    memset(value, 0, (size_t)s->start[s->n] * sizeof *value);
    for (int p = 0; p < 3; p++) {
        cursor.column = -1;
        add(&cursor, weight[p], part[p]);
    }
    if (cursor.missed) FAIL(err, SG_INTERNAL, "a sparse matrix has entries outside its analysed pattern");
    for (long e = 0; e < s->start[s->n]; e++)
        if (!isfinite(value[e]))
            FAIL(err, SG_NO_SOLUTION, "the effective matrix is not finite at dof %ld", s->row[e]);
    return SG_OK;
}

static int solve_cholmod(const struct sg_factor *f, double *x)
{
    struct sg_sparse_factor *sparse = f->sparse;
    size_t n = f->layout.n;
    cholmod_dense b = {
        .nrow = n, .ncol = 1, .nzmax = n, .d = n, .x = x, .xtype = CHOLMOD_REAL, .dtype = CHOLMOD_DOUBLE};
    return cholmod_l_solve2(CHOLMOD_A, sparse->cholmod, &b, NULL, &sparse->x, NULL, &sparse->y, &sparse->e,
                            &f->layout.symbolic->common);
}

static sg_status compute(struct sg_factor *f, const struct sg_mck *mck, const double weight[3],
                         struct sg_error *err)
{
    struct sg_symbolic *s = f->layout.symbolic;
    cholmod_factor *l = f->sparse->cholmod;
    TRY(form(s, mck, weight, s->value[0], err));
    cholmod_sparse a = as_cholmod(s);
    cholmod_l_factorize(&a, l, &s->common);
    TRY(check_cholmod(&s->common, err));
    if (l->minor < s->n)
        FAIL(err, SG_NO_SOLUTION, "the effective matrix is not positive definite at dof %ld",
             ((const long *)l->Perm)[l->minor]);
    if (f->sparse->x != NULL) return SG_OK;
    /* a first solve makes the workspace, here, where its failure can be told */
    solve_cholmod(f, s->value[0]);
    return check_cholmod(&s->common, err);
}

static void solve(const struct sg_factor *f, double *x)
{
    bool solved = solve_cholmod(f, x) != 0;
    const double *y = solved ? f->sparse->x->x : NULL;
    for (size_t i = 0; i < f->layout.n; i++) x[i] = solved ? y[i] : NAN;
}

static sg_status compute_complex(struct sg_factor *f, const struct sg_mck *mck,
                                 const double complex weight[3], struct sg_error *err)
{
    struct sg_symbolic *s = f->layout.symbolic;
    double split[2][3];
    sg_split_weights(weight, split[0], split[1]);
    for (int part = 0; part < 2; part++) {
        TRY(form(s, mck, split[part], s->value[part], err));
        for (long e = 0; e < s->full_start[s->n]; e++) s->full[part][e] = s->value[part][s->full_from[e]];
    }
    if (f->sparse->umfpack != NULL) umfpack_zl_free_numeric(&f->sparse->umfpack);
    return check_umfpack(umfpack_zl_numeric(s->full_start, s->full_row, s->full[0], s->full[1], s->umfpack,
                                            &f->sparse->umfpack, s->control, NULL),
                         err);
}

static void solve_complex(const struct sg_factor *f, double *restrict re, double *restrict im)
{
    struct sg_symbolic *s = f->layout.symbolic;
    size_t n = s->n;
    double *work = f->sparse->work, *b_re = work + 10 * n, *b_im = work + 11 * n;
    memcpy(b_re, re, n * sizeof *re);
    memcpy(b_im, im, n * sizeof *im);
    long status = umfpack_zl_wsolve(UMFPACK_A, s->full_start, s->full_row, s->full[0], s->full[1], re, im,
                                    b_re, b_im, f->sparse->umfpack, s->control, NULL, f->sparse->index, work);
    for (size_t i = 0; status != UMFPACK_OK && i < n; i++) re[i] = im[i] = NAN;
}

const struct sg_factor_ops sg_factor_sparse = {
    .init = init,
    .compute = compute,
    .compute_complex = compute_complex,
    .solve = solve,
    .solve_complex = solve_complex,
};
