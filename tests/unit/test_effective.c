/* The effective operator: Sherman-Morrison-Woodbury against dense solves of the assembled matrix, and
 * what it factorises. */
#include <check.h>
#include <complex.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "linalg/effective.h"
#include "run_fixture.h"
#include "support/memory.h"

/* has what a test makes */
static struct sg_arena arena;

static void release_arena(void)
{
    sg_arena_release(&arena);
}

Suite *sg_suite_effective(void);

enum { N = 14, Q = 6, ALL = N + Q };

/* M, C, K of one class, and contacts of which some are rigid */
struct bench {
    enum sg_matrix_class kind;
    struct sg_matrix m, c, k;
    struct sg_columns w;
    double kappa[Q], offset[Q];
    struct sg_effective *op;
    struct sg_error err;
    unsigned long long seed;
};

static bool has_entry(enum sg_matrix_class kind, size_t i, size_t j)
{
    switch (kind) {
    case SG_DIAGONAL:
        return i == j;
    case SG_TRIDIAGONAL:
        return i <= j + 1;
    case SG_BANDED:
        return i <= j + 3;
    case SG_SPARSE:
        return i == j || (7 * i + 3 * j) % 5 == 0;
    case SG_DENSE:
        break;
    }
    return true;
}

/* diagonally dominant, so positive definite; condition below 1e3 */
static void make_matrix(struct bench *b, struct sg_matrix *a, double size)
{
    struct sg_triplets t = {.arena = &arena, .n = N};
    for (size_t j = 0; j < N; j++)
        for (size_t i = j; i < N; i++) {
            if (!has_entry(b->kind, i, j)) continue;
            double x = run_random(&b->seed);
            sg_triplets_add(&t, i, j, size * (i == j ? N + 4 * fabs(x) : x));
        }
    ck_assert(!t.failed);
    ck_assert_int_eq(sg_matrix_init(&arena, a, &t, b->kind, &b->err), SG_OK);
}

/* pairs and single nodes, as contacts in nodal coordinates are */
static void make_sparse_columns(struct bench *b)
{
    ck_assert_int_eq(sg_columns_init_sparse(&arena, &b->w, N, Q, 2 * Q, &b->err), SG_OK);
    size_t entries = 0;
    for (size_t j = 0; j < Q; j++) {
        b->w.row[entries] = 2 * j;
        b->w.value[entries++] = j % 2 == 0 ? 1 : -1;
        if (j % 3 != 0) {
            b->w.row[entries] = 2 * j + 3 < N ? 2 * j + 3 : 1;
            b->w.value[entries++] = 1;
        }
        b->w.start[j + 1] = entries;
    }
}

/* dense ranges, as in modal coordinates */
static void make_ranges(struct bench *b)
{
    b->w = (struct sg_columns){.n = N, .q = Q};
    ck_assert_int_eq(SG_ARENA_NEW(&arena, &b->w.start, Q + 1, &b->err), SG_OK);
    ck_assert_int_eq(SG_ARENA_NEW(&arena, &b->w.first, Q, &b->err), SG_OK);
    ck_assert_int_eq(SG_ARENA_NEW(&arena, &b->w.value, Q * N, &b->err), SG_OK);
    for (size_t j = 0; j < Q; j++) {
        b->w.first[j] = j;
        b->w.start[j + 1] = b->w.start[j] + N - 2 * j;
        for (size_t k = b->w.start[j]; k < b->w.start[j + 1]; k++) b->w.value[k] = run_random(&b->seed);
    }
}

static void open_bench(struct bench *b, enum sg_matrix_class kind, bool ranges)
{
    *b = (struct bench){.kind = kind, .seed = 17 + (unsigned long long)kind};
    make_matrix(b, &b->m, 1);
    make_matrix(b, &b->c, 0.3);
    make_matrix(b, &b->k, 50);
    if (ranges)
        make_ranges(b);
    else
        make_sparse_columns(b);
    for (size_t j = 0; j < Q; j++) {
        b->kappa[j] = j % 3 == 2 ? HUGE_VAL : 1e3 * (1 + (double)j);
        b->offset[j] = 0.01 * (double)j;
    }
    struct sg_mck mck = {&b->m, &b->c, &b->k};
    struct sg_effective_rows rows = {.w = &b->w, .kappa = b->kappa, .offset = b->offset};
    b->op = NULL;
    ck_assert_int_eq(sg_effective_create(&arena, &mck, &rows, true, &b->op, &b->err), SG_OK);
}

static void random_set(struct bench *b, unsigned char *active)
{
    for (size_t j = 0; j < Q; j++) active[j] = run_random(&b->seed) > -0.2;
}

/* The saddle-point system [S W_r; W_r^T 0], S with the active springs, solved densely; x has the
 * solution and then the multipliers of the rigid rows, by contact. */
static void dense_solve(const struct bench *b, const double complex abc[3], const unsigned char *active,
                        double complex *x)
{
    double complex a[ALL * ALL] = {0};
    lapack_int pivot[ALL];
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < N; j++)
            a[j * ALL + i] = abc[0] * sg_matrix_entry(&b->m, i, j) + abc[1] * sg_matrix_entry(&b->c, i, j) +
                             abc[2] * sg_matrix_entry(&b->k, i, j);
    for (size_t l = 0; l < Q; l++) {
        bool rigid = active[l] && isinf(b->kappa[l]);
        if (!rigid) a[(N + l) * ALL + N + l] = 1;
        for (size_t i = 0; i < N; i++) {
            double wi = sg_columns_entry(&b->w, l, i);
            if (rigid) a[(N + l) * ALL + i] = a[i * ALL + N + l] = wi;
            for (size_t j = 0; j < N && active[l] && !rigid; j++)
                a[j * ALL + i] += abc[2] * b->kappa[l] * wi * sg_columns_entry(&b->w, l, j);
        }
    }
    ck_assert_int_eq(LAPACKE_zgesv(LAPACK_COL_MAJOR, ALL, 1, (lapack_complex_double *)a, ALL, pivot,
                                   (lapack_complex_double *)x, ALL),
                     0);
}

static void right_side(struct bench *b, double complex *x, double *re, double *im, bool is_complex)
{
    for (size_t i = 0; i < ALL; i++) x[i] = 0;
    for (size_t i = 0; i < N; i++) {
        re[i] = run_random(&b->seed);
        im[i] = is_complex ? run_random(&b->seed) : 0;
        x[i] = (re[i] + im[i] * I);
    }
}

/* conditions below 1e4 after the springs: 1e-16 times that and a few roundings */
static void check_solution(const struct bench *b, const unsigned char *active, const double complex *x,
                           const double *re, const double *im)
{
    double scale = 0, worst = 0;
    for (size_t i = 0; i < N; i++) {
        scale = fmax(scale, cabs(x[i]));
        worst = fmax(worst, cabs(x[i] - (re[i] + im[i] * I)));
    }
    BELOW(worst, 1e-11 * scale);
    for (size_t i = 0; i < sg_effective_active_count(b->op); i++) {
        size_t j = sg_effective_active_row(b->op, i);
        ck_assert(active[j]);
        if (isinf(b->kappa[j])) {
            /* S x = r - W lambda: the force that pushes open is -lambda */
            NEAR(sg_effective_reaction(b->op, i), -creal(x[N + j]), 1e-11 * (1 + cabs(x[N + j])));
            BELOW(fabs(sg_columns_dot(&b->w, j, re)), 1e-12 * scale * N);
        }
    }
}

START_TEST(woodbury_equals_dense_solves)
{
    struct bench b;
    open_bench(&b, (enum sg_matrix_class)(_i / 2), _i % 2 == 1);
    for (int trial = 0; trial < 60; trial++) {
        bool is_complex = trial % 2 == 1;
        double h = pow(10, -2 + run_random(&b.seed));
        /* the triple of BoTr at rho = 1 (s = 3 + i sqrt(3)), those of trapezoidal, and the mass alone */
        double complex s = (3 + sqrt(3) * I), abc[3] = {s * s, s * h, h * h};
        const double real[3] = {1, trial % 3 == 0 ? 0 : 0.5 * h, trial % 3 == 0 ? 0 : 0.25 * h * h};
        unsigned char active[Q];
        double re[N], im[N];
        double complex x[ALL];
        size_t slot = 0;
        random_set(&b, active);
        sg_effective_set_active(b.op, active);
        right_side(&b, x, re, im, is_complex);
        for (int k = 0; !is_complex && k < 3; k++) abc[k] = real[k];
        if (is_complex) {
            ck_assert_int_eq(sg_effective_prepare_complex(b.op, abc, &slot, &b.err), SG_OK);
            sg_effective_solve_smooth(b.op, slot, re, im);
            sg_effective_finish(b.op, slot, NULL, re, im);
        } else {
            ck_assert_int_eq(sg_effective_prepare(b.op, real[0], real[1], real[2], &slot, &b.err), SG_OK);
            sg_effective_solve(b.op, slot, re);
        }
        dense_solve(&b, abc, active, x);
        check_solution(&b, active, x, re, im);
    }
}
END_TEST

/* y = K u + sum kappa w (w.u + offset), entry by entry */
START_TEST(restoring_forces_are_those_of_the_matrices)
{
    struct bench b;
    open_bench(&b, (enum sg_matrix_class)_i, false);
    double u[N], y[N], expected[N];
    unsigned char active[Q];
    random_set(&b, active);
    sg_effective_set_active(b.op, active);
    for (size_t i = 0; i < N; i++) u[i] = run_random(&b.seed);
    for (size_t i = 0; i < N; i++) {
        expected[i] = 0;
        for (size_t j = 0; j < N; j++) expected[i] += sg_matrix_entry(&b.k, i, j) * u[j];
    }
    double offsets[N] = {0};
    for (size_t l = 0; l < Q; l++) {
        if (!active[l] || isinf(b.kappa[l])) continue;
        double stretch = b.kappa[l] * sg_columns_dot(&b.w, l, u);
        for (size_t i = 0; i < N; i++) {
            expected[i] += stretch * sg_columns_entry(&b.w, l, i);
            offsets[i] += b.kappa[l] * b.offset[l] * sg_columns_entry(&b.w, l, i);
        }
    }
    sg_effective_restoring(b.op, u, y);
    for (size_t i = 0; i < N; i++)
        NEAR(y[i], expected[i] + offsets[i], 1e-11); /* sums of 20 terms up to 1e4 */
}
END_TEST

START_TEST(delassus_is_w_m_inverse_w)
{
    struct bench b;
    open_bench(&b, (enum sg_matrix_class)(_i / 2), _i % 2 == 1);
    const double *g = NULL;
    const unsigned char none[Q] = {0};
    const double complex mass[3] = {1, 0, 0};
    double v[N] = {0}, r[Q], sum[N] = {0};
    ck_assert_int_eq(sg_effective_delassus(b.op, &g, &b.err), SG_OK);
    for (size_t j = 0; j < Q; j++) {
        double complex x[ALL] = {0};
        r[j] = run_random(&b.seed);
        for (size_t i = 0; i < N; i++) x[i] = sg_columns_entry(&b.w, j, i);
        dense_solve(&b, mass, none, x);
        for (size_t l = 0; l < Q; l++) {
            double expected = 0;
            for (size_t i = 0; i < N; i++) expected += sg_columns_entry(&b.w, l, i) * creal(x[i]);
            NEAR(g[j * Q + l], expected, 1e-14); /* entries below 1, a dozen terms */
        }
        for (size_t i = 0; i < N; i++) sum[i] += r[j] * creal(x[i]);
    }
    ck_assert_int_eq(sg_effective_apply_impulse(b.op, r, v, &b.err), SG_OK);
    BELOW(run_distance(v, sum, N), 1e-14);
}
END_TEST

static long long factorizations(const struct bench *b)
{
    return sg_effective_counts(b->op).factorizations;
}

/* Two steps that return again and again are factorised once each, whatever contacts do and whatever
 * trial steps come between. */
START_TEST(regular_steps_are_factorised_once)
{
    struct bench b;
    open_bench(&b, (enum sg_matrix_class)_i, false);
    long long each = _i == SG_DIAGONAL ? 0 : 1; /* in modal coordinates nothing is factorised */
    size_t slot = 0;
    unsigned char active[Q];
    const double steps[2] = {0.01, 0.002};
    for (int k = 0; k < 4; k++)
        ck_assert_int_eq(sg_effective_prepare(b.op, 1, 0, steps[k / 2], &slot, &b.err), SG_OK);
    ck_assert_int_eq(factorizations(&b), 2 * each);
    for (int trial = 0; trial < 100; trial++) {
        random_set(&b, active);
        sg_effective_set_active(b.op, active);
        ck_assert_int_eq(sg_effective_prepare(b.op, 1, 0, steps[trial % 2], &slot, &b.err), SG_OK);
        ck_assert_int_eq(sg_effective_prepare(b.op, 1, 0, steps[trial % 2], &slot, &b.err), SG_OK);
    }
    ck_assert_int_eq(factorizations(&b), 2 * each);
    for (int trial = 0; trial < 20; trial++) {
        /* a step of localisation: new, used once */
        ck_assert_int_eq(sg_effective_prepare(b.op, 1, 0, 1e-3 / (1 + trial), &slot, &b.err), SG_OK);
        ck_assert_int_eq(sg_effective_prepare(b.op, 1, 0, steps[trial % 2], &slot, &b.err), SG_OK);
    }
    ck_assert_int_eq(factorizations(&b), 22 * each);
}
END_TEST

Suite *sg_suite_effective(void)
{
    Suite *suite = suite_create("effective");
    TCase *tcase = tcase_create("effective");
    tcase_add_checked_fixture(tcase, NULL, release_arena);
    tcase_add_loop_test(tcase, woodbury_equals_dense_solves, 0, 2 * (SG_DENSE + 1));
    tcase_add_loop_test(tcase, restoring_forces_are_those_of_the_matrices, 0, SG_DENSE + 1);
    tcase_add_loop_test(tcase, delassus_is_w_m_inverse_w, 0, 2 * (SG_DENSE + 1));
    tcase_add_loop_test(tcase, regular_steps_are_factorised_once, 0, SG_DENSE + 1);
    suite_add_tcase(suite, tcase);
    return suite;
}
