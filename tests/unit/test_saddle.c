/* Saddle-point systems: both engines, judged by products of the blocks written out by hand. */
#include <check.h>
#include <math.h>
#include <string.h>

#include "linalg/saddle.h"

Suite *sg_suite_saddle(void);

enum { N = 5, M = 2, SIZE = N + M };

/* A of each class of matrices, G^T and its columns, and the whole by hand */
struct parts {
    struct sg_arena arena;
    struct sg_matrix a;
    struct sg_columns w;
    size_t start[M + 1], row[M * N];
    double g[M * N], whole[SIZE][SIZE];
};

static double random_number(unsigned long long *seed)
{
    *seed = *seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return (double)(*seed >> 11) / 4503599627370496.0 - 1.0;
}

/* `repeated`: the second row of G is twice the first */
static void make(struct parts *p, enum sg_matrix_class kind, bool repeated)
{
    unsigned long long seed = 7;
    struct sg_triplets t = {.arena = &p->arena, .n = N};
    struct sg_error err;
    *p = (struct parts){.w = {.n = N, .q = M}};
    for (size_t i = 0; i < N; i++)
        for (size_t j = kind == SG_DIAGONAL ? i : i > 0 ? i - 1 : 0; j <= i; j++) {
            double value = i == j ? 4 + random_number(&seed) : random_number(&seed);
            sg_triplets_add(&t, i, j, value);
            p->whole[i][j] = p->whole[j][i] = 3 * value;
        }
    ck_assert_int_eq(sg_matrix_init(&p->arena, &p->a, &t, kind, &err), SG_OK);
    for (size_t j = 0; j <= M; j++) p->start[j] = j * N;
    for (size_t k = 0; k < M * N; k++) {
        size_t i = k % N, j = k / N;
        p->row[k] = i;
        p->g[k] = repeated && j > 0 ? 2 * p->g[i] : random_number(&seed);
        p->whole[i][N + j] = p->g[k];
        p->whole[N + j][i] = 0.5 * p->g[k];
    }
    p->w.start = p->start;
    p->w.row = p->row;
    p->w.value = p->g;
}

/* [3 A, G^T; G / 2, -R] */
static void fill(struct sg_saddle *saddle, const struct parts *p, double regularization)
{
    sg_saddle_clear(saddle, SIZE);
    sg_saddle_add_matrix((struct sg_block){saddle, 0, 0, 3}, &p->a);
    for (size_t j = 0; j < M; j++) {
        sg_saddle_add_column((struct sg_block){saddle, 0, N + j, 1}, &p->w, j);
        sg_saddle_add_row((struct sg_block){saddle, N + j, 0, 0.5}, &p->w, j);
        if (regularization > 0.0)
            sg_saddle_add((struct sg_block){saddle, N + j, N + j, -regularization}, 0, 0, 1);
    }
    for (size_t i = 0; i < SIZE; i++) saddle->scale[i] = i % 3 == 0 ? 0.25 : 2;
}

static void product(const struct parts *p, const double *x, double *y)
{
    for (size_t i = 0; i < SIZE; i++) {
        y[i] = 0;
        for (size_t j = 0; j < SIZE; j++) y[i] += p->whole[i][j] * x[j];
    }
}

static void open_engine(struct sg_saddle *saddle, struct parts *p, bool sparse)
{
    struct sg_error err;
    size_t capacity = sparse ? sg_saddle_entries(&p->a) + 2 * M * N + M : 0;
    ck_assert_int_eq(sg_saddle_init(&p->arena, saddle, SIZE, capacity, &err), SG_OK);
    ck_assert((saddle->dense == NULL) == sparse);
}

static void close_parts(struct parts *p)
{
    sg_arena_release(&p->arena);
}

/* whatever the class of A; twice, with the analysis that is kept */
START_TEST(solutions_fulfil_the_blocks)
{
    static const enum sg_matrix_class kinds[] = {SG_DIAGONAL, SG_TRIDIAGONAL, SG_BANDED, SG_SPARSE, SG_DENSE};
    for (int sparse = 0; sparse < 2; sparse++) {
        struct parts p;
        struct sg_saddle saddle;
        struct sg_error err;
        double x[2 * SIZE], b[SIZE], known[SIZE] = {1, -2, 3, 0.5, -1, 4, -3};
        make(&p, kinds[_i], false);
        open_engine(&saddle, &p, sparse);
        for (int turn = 0; turn < 2; turn++) {
            product(&p, known, b);
            fill(&saddle, &p, 0);
            memcpy(x, b, sizeof b);
            for (size_t i = 0; i < SIZE; i++) x[SIZE + i] = -2 * b[i];
            ck_assert_int_eq(sg_saddle_solve(&saddle, 1e-13, 2, x, &err), SG_OK);
            /* rounding of seven unknowns of size 1 to 4, condition number below 100 */
            for (size_t i = 0; i < SIZE; i++) ck_assert_double_eq_tol(x[i], known[i], 1e-12);
            for (size_t i = 0; i < SIZE; i++) ck_assert_double_eq_tol(x[SIZE + i], -2 * known[i], 2e-12);
        }
        close_parts(&p);
    }
}
END_TEST

/* Rows that repeat one another are found by their pivot; regularized rows share what they have to bear: the
 * motion is that of one row, and G^T y too. */
START_TEST(repeated_rows_are_told_and_regularized)
{
    for (int sparse = 0; sparse < 2; sparse++) {
        struct parts p;
        struct sg_saddle saddle;
        struct sg_error err;
        double x[SIZE], b[SIZE], known[SIZE] = {1, -2, 3, 0.5, -1, 4, 0}, found[SIZE];
        make(&p, SG_TRIDIAGONAL, true);
        open_engine(&saddle, &p, sparse);
        product(&p, known, b);
        fill(&saddle, &p, 0);
        memcpy(x, b, sizeof x);
        ck_assert_int_eq(sg_saddle_solve(&saddle, 1e-13, 1, x, &err), SG_NO_SOLUTION);
        fill(&saddle, &p, 1e-9);
        memcpy(x, b, sizeof x);
        ck_assert_int_eq(sg_saddle_solve(&saddle, 0, 1, x, &err), SG_OK);
        product(&p, x, found);
        /* rows yield by 1e-9 of multipliers of size 4 */
        for (size_t i = 0; i < SIZE; i++) ck_assert_double_eq_tol(found[i], b[i], 1e-8);
        for (size_t i = 0; i < N; i++) ck_assert_double_eq_tol(x[i], known[i], 1e-7);
        close_parts(&p);
    }
}
END_TEST

Suite *sg_suite_saddle(void)
{
    Suite *suite = suite_create("saddle");
    TCase *tcase = tcase_create("saddle");
    tcase_add_loop_test(tcase, solutions_fulfil_the_blocks, 0, 5);
    tcase_add_test(tcase, repeated_rows_are_told_and_regularized);
    suite_add_tcase(suite, tcase);
    return suite;
}
