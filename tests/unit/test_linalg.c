#include <check.h>
#include <complex.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "linalg/columns.h"
#include "linalg/eigen.h"
#include "linalg/kernels.h"
#include "linalg/matrix.h"
#include "linalg/small.h"
#include "linalg/vector.h"

/* has what a test makes */
static struct sg_arena arena;

static void release_arena(void)
{
    sg_arena_release(&arena);
}

static const double PI = 3.14159265358979323846;

static double uniform(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) * 0x1p-52 - 1;
}

/* entries within `width`, each place twice, once from either side; `full` (n x n) gets their sums */
static struct sg_triplets random_triplets(size_t n, size_t width, uint64_t seed, double *full)
{
    struct sg_triplets t = {.arena = &arena, .n = n};
    memset(full, 0, n * n * sizeof *full);
    for (int round = 0; round < 2; round++)
        for (size_t j = 0; j < n; j++)
            for (size_t i = j; i <= j + width && i < n; i++) {
                double value = uniform(&seed);
                sg_triplets_add(&t, round ? j : i, round ? i : j, value);
                full[i + j * n] += value;
                if (i != j) full[j + i * n] += value;
            }
    ck_assert(!t.failed);
    return t;
}

static struct sg_matrix make(const struct sg_triplets *t, enum sg_matrix_class kind)
{
    struct sg_error err = {0};
    struct sg_matrix a;
    ck_assert_msg(sg_matrix_init(&arena, &a, t, kind, &err) == SG_OK, "%s", err.text);
    return a;
}

static void row_sums(size_t n, const double *full, double *sums)
{
    for (size_t i = 0; i < n; i++) {
        sums[i] = 0;
        for (size_t j = 0; j < n; j++) sums[i] += full[i + j * n];
    }
}

static void check_products(const struct sg_matrix *a, const double *full)
{
    /* sums of at most 40 products of order 1: some 40 * 1e-16 */
    const double tolerance = 4e-14;
    size_t n = a->n;
    double x[40], y[40], z[40], form = 0;
    uint64_t state = 5;
    for (size_t i = 0; i < n; i++) {
        x[i] = uniform(&state);
        z[i] = uniform(&state);
    }
    sg_matrix_multiply(a, x, y);
    for (size_t i = 0; i < n; i++) {
        double sum = 0;
        for (size_t j = 0; j < n; j++) sum += full[i + j * n] * x[j];
        ck_assert_double_eq_tol(y[i], sum, tolerance);
        form += z[i] * sum;
        y[i] = sum;
    }
    ck_assert_double_eq_tol(sg_matrix_form(a, z, x), form, tolerance);
    ck_assert_double_eq_tol(sg_matrix_form(a, x, z), form, tolerance);
    double twice[40], sums[40];
    row_sums(n, full, sums);
    /* the same in terms that are up to 4 times as large */
    ck_assert_double_eq_tol(sg_matrix_form_differences(a, (struct sg_row_sums){sums, 0, n}, z, x), form,
                            4 * tolerance);
    memcpy(twice, y, sizeof y);
    sg_matrix_multiply_add(a, -2, x, twice);
    for (size_t i = 0; i < n; i++) ck_assert_double_eq_tol(twice[i], -y[i], tolerance);
}

/* narrow and wide bands have loops of their own */
static const struct {
    enum sg_matrix_class kind;
    size_t width;
} shapes[] = {
    {SG_DIAGONAL, 0}, {SG_TRIDIAGONAL, 1}, {SG_BANDED, 0}, {SG_BANDED, 1}, {SG_BANDED, 2},
    {SG_BANDED, 3},   {SG_BANDED, 4},      {SG_BANDED, 5}, {SG_BANDED, 6}, {SG_BANDED, 7},
    {SG_SPARSE, 3},   {SG_SPARSE, 39},     {SG_DENSE, 2},  {SG_DENSE, 39},
};
enum { SHAPES = sizeof shapes / sizeof shapes[0] };

START_TEST(matrices_of_every_class)
{
    static const size_t sizes[] = {1, 2, 3, 4, 5, 17, 40};
    double full[1600];
    for (int s = 0; s < 7; s++) {
        size_t n = sizes[s];
        struct sg_triplets t = random_triplets(n, shapes[_i].width, 11, full);
        struct sg_matrix a = make(&t, shapes[_i].kind);
        double most = 0;
        ck_assert(!a.zero);
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++) {
                /* both add the same two numbers */
                ck_assert(sg_matrix_entry(&a, i, j) == full[i + j * n]);
                most = fmax(most, fabs(full[i + j * n]));
            }
        ck_assert(sg_matrix_max_abs(&a) == most);
        check_products(&a, full);
        struct sg_triplets back = {.arena = &arena, .n = n};
        sg_matrix_to_triplets(&a, &back);
        struct sg_matrix b = make(&back, SG_DENSE);
        ck_assert_mem_eq(b.band, full, n * n * sizeof *full);
    }
}
END_TEST

/* Springs of random stiffness between neighbours and the next but one, where the class holds them; moved by
 * 2^20 with displacements in multiples of 2^-12, so that the state is exact there. */
START_TEST(far_away_the_form_by_differences_keeps_its_digits)
{
    enum { N = 40 };
    static const size_t reach[] = {0, 1, 2, 2, 2}; /* by class */
    double x[N], far[N], near = 0;
    const struct sg_row_sums sums = {x, 0, 0}; /* nothing is grounded */
    uint64_t state = 3;
    struct sg_triplets t = {.arena = &arena, .n = N};
    for (size_t i = 0; i < N; i++) {
        x[i] = round(4096 * uniform(&state)) / 4096;
        far[i] = 1048576 + x[i];
    }
    for (size_t w = 1; w <= reach[_i]; w++)
        for (size_t i = 0; i + w < N; i++) {
            double k = 2 + uniform(&state), d = x[i + w] - x[i];
            sg_triplets_add(&t, i, i, k);
            sg_triplets_add(&t, i + w, i + w, k);
            sg_triplets_add(&t, i + w, i, -k);
            near += k * d * d;
        }
    struct sg_matrix a = make(&t, (enum sg_matrix_class)_i);
    /* some 80 terms of order 1 */
    ck_assert_double_eq_tol(sg_matrix_form_differences(&a, sums, far, far), near, 1e-14 * near);
    ck_assert_double_eq_tol(sg_matrix_form_differences(&a, sums, x, far), near, 1e-14 * near);
}
END_TEST

START_TEST(sparse_columns_are_sorted_and_start_at_the_diagonal)
{
    struct sg_triplets t = {.arena = &arena, .n = 5};
    static const size_t places[][2] = {{4, 0}, {2, 0}, {3, 1}, {0, 4}, {2, 1}, {3, 3}, {2, 0}};
    for (int e = 0; e < 7; e++) sg_triplets_add(&t, places[e][0], places[e][1], 1);
    struct sg_matrix a = make(&t, SG_SPARSE);
    static const size_t start[] = {0, 3, 6, 7, 8, 9}, row[] = {0, 2, 4, 1, 2, 3, 2, 3, 4};
    static const double value[] = {0, 2, 2, 0, 1, 1, 0, 1, 0};
    ck_assert_mem_eq(a.start, start, sizeof start);
    ck_assert_mem_eq(a.row, row, sizeof row);
    ck_assert_mem_eq(a.value, value, sizeof value);
    ck_assert_uint_eq(a.width, 4);
    ck_assert_uint_eq(sg_triplets_bandwidth(&t), 4);
}
END_TEST

START_TEST(zero_matrices)
{
    for (int kind = SG_DIAGONAL; kind <= SG_DENSE; kind++) {
        struct sg_triplets t = {.arena = &arena, .n = 3};
        sg_triplets_add(&t, 1, 1, 0);
        sg_triplets_add(&t, 2, 0, 0); /* no entry: fits any class */
        struct sg_matrix a = make(&t, (enum sg_matrix_class)kind);
        double x[3] = {1, 2, 3}, y[3] = {4, 5, 6};
        ck_assert(a.zero);
        sg_matrix_multiply_add(&a, 3, x, y);
        ck_assert(y[0] == 4 && y[1] == 5 && y[2] == 6);
        sg_matrix_multiply(&a, x, y);
        ck_assert(y[0] == 0 && y[1] == 0 && y[2] == 0);
        ck_assert(sg_matrix_form(&a, x, x) == 0);
        ck_assert(sg_matrix_form_differences(&a, (struct sg_row_sums){y, 0, 3}, x, x) == 0);
    }
}
END_TEST

START_TEST(entries_that_don_t_fit)
{
    struct sg_error err = {0};
    struct sg_matrix a;
    struct sg_triplets t = {.arena = &arena, .n = 4};
    sg_triplets_add(&t, 1, 0, 1);
    ck_assert_int_eq(sg_matrix_init(&arena, &a, &t, SG_DIAGONAL, &err), SG_INTERNAL);
    ck_assert_ptr_nonnull(strstr(err.text, "(1, 0)"));
    sg_triplets_add(&t, 0, 3, 1);
    ck_assert_int_eq(sg_matrix_init(&arena, &a, &t, SG_TRIDIAGONAL, &err), SG_INTERNAL);
    sg_triplets_add(&t, 4, 0, 1);
    for (int kind = SG_DIAGONAL; kind <= SG_DENSE; kind++)
        ck_assert_int_eq(sg_matrix_init(&arena, &a, &t, (enum sg_matrix_class)kind, &err), SG_INTERNAL);
}
END_TEST

START_TEST(largest_entry_shows_what_is_not_a_number)
{
    struct sg_triplets t = {.arena = &arena, .n = 3};
    sg_triplets_add(&t, 0, 0, (double)NAN);
    sg_triplets_add(&t, 2, 2, 7);
    struct sg_matrix a = make(&t, SG_DIAGONAL);
    ck_assert(isnan(sg_matrix_max_abs(&a)));
    ck_assert(!a.zero);
}
END_TEST

enum { ROWS = 61 };

/* columns with dots known by plain loops */
static void check_columns(const struct sg_columns *w)
{
    /* at most 61 products of order 1 */
    const double tolerance = 1e-14;
    double u[ROWS], v[ROWS], wu[8], wv[8];
    uint64_t state = 3;
    for (int i = 0; i < ROWS; i++) {
        u[i] = uniform(&state);
        v[i] = uniform(&state);
    }
    sg_columns_dots(w, u, v, wu, wv);
    for (size_t j = 0; j < w->q; j++) {
        double column[ROWS] = {0}, y[ROWS], du = 0, dv = 0;
        for (size_t e = w->start[j]; e < w->start[j + 1]; e++)
            column[w->row != NULL ? w->row[e] : w->first[j] + e - w->start[j]] = w->value[e];
        for (int i = 0; i < ROWS; i++) {
            du += column[i] * u[i];
            dv += column[i] * v[i];
            y[i] = u[i];
        }
        ck_assert_double_eq_tol(wu[j], du, tolerance);
        ck_assert_double_eq_tol(wv[j], dv, tolerance);
        ck_assert_double_eq_tol(sg_columns_dot(w, j, u), du, tolerance);
        sg_columns_add(w, j, -3, y);
        for (int i = 0; i < ROWS; i++) ck_assert_double_eq_tol(y[i], u[i] - 3 * column[i], 1e-15);
    }
}

START_TEST(sparse_columns)
{
    struct sg_error err = {0};
    struct sg_columns w;
    uint64_t state = 8;
    ck_assert_int_eq(sg_columns_init_sparse(&arena, &w, ROWS, 3, 7, &err), SG_OK);
    static const size_t start[] = {0, 2, 2, 7}, row[] = {0, 60, 5, 9, 11, 30, 31};
    memcpy(w.start, start, sizeof start);
    memcpy(w.row, row, sizeof row);
    for (int e = 0; e < 7; e++) w.value[e] = uniform(&state);
    check_columns(&w);
}
END_TEST

/* groups of three on the same rows, remainders, odd and even lengths, an empty column */
START_TEST(dense_columns)
{
    static size_t first[] = {0, 0, 0, 4, 4, 4, 30, 60}, length[] = {61, 61, 61, 12, 12, 12, 31, 0};
    size_t start[9] = {0};
    double value[300];
    uint64_t state = 21;
    for (int e = 0; e < 300; e++) value[e] = uniform(&state);
    for (int j = 0; j < 8; j++) start[j + 1] = start[j] + length[j];
    for (size_t q = 1; q <= 8; q++)
        check_columns(
            &(struct sg_columns){.n = ROWS, .q = q, .start = start, .first = first, .value = value});
}
END_TEST

START_TEST(small_complex_systems)
{
    double complex a[24 * 24], f[24 * 24], x[24], b[24];
    size_t pivot[24];
    uint64_t state = 31;
    for (size_t q = 1; q <= 24; q++) {
        for (size_t e = 0; e < q * q; e++) f[e] = a[e] = uniform(&state) + I * uniform(&state);
        if (q > 1) f[0] = a[0] = 0; /* no elimination without exchange */
        for (size_t i = 0; i < q; i++) x[i] = b[i] = uniform(&state) + I * uniform(&state);
        ck_assert(sg_small_factor_complex(q, f, pivot));
        sg_small_solve_complex(q, f, pivot, x);
        double size = 0;
        for (size_t j = 0; j < q; j++) size = fmax(size, cabs(x[j]));
        /* partial pivoting, q <= 24: 100 rounding errors */
        for (size_t i = 0; i < q; i++) {
            for (size_t j = 0; j < q; j++) b[i] -= a[i + j * q] * x[j];
            ck_assert_double_le(cabs(b[i]), 2e-14 * size * (double)q);
        }
    }
    double complex singular[4] = {1, 2, 2, 4};
    ck_assert(!sg_small_factor_complex(2, singular, pivot));
    double complex nan[1] = {(double)NAN};
    ck_assert(!sg_small_factor_complex(1, nan, pivot));
}
END_TEST

/* tridiagonal Toeplitz matrix: d on the diagonal, o beside it */
static struct sg_matrix toeplitz(size_t n, double d, double o, enum sg_matrix_class kind)
{
    struct sg_triplets t = {.arena = &arena, .n = n};
    for (size_t i = 0; i < n; i++) sg_triplets_add(&t, i, i, d);
    for (size_t i = 0; i + 1 < n && o != 0; i++) sg_triplets_add(&t, i + 1, i, o);
    struct sg_matrix a = make(&t, kind);
    return a;
}

START_TEST(dense_eigenvalues_of_a_string)
{
    enum { N = 50 };
    struct sg_error err = {0};
    double a[N * N] = {0}, w[N];
    for (int i = 0; i < N; i++) {
        a[i + i * N] = 2;
        if (i + 1 < N) a[i + 1 + i * N] = -1;
    }
    ck_assert_int_eq(sg_eigen_dense(N, a, w, &err), SG_OK);
    for (int k = 0; k < N; k++) {
        /* a few eps |A| */
        ck_assert_double_eq_tol(w[k], 2 - 2 * cos((k + 1) * PI / (N + 1)), 1e-14);
        double norm = 0;
        for (int i = 0; i < N; i++) norm += a[i + k * N] * a[i + k * N];
        ck_assert_double_eq_tol(norm, 1, 1e-14);
    }
    a[3] = (double)NAN;
    ck_assert_int_eq(sg_eigen_dense(N, a, w, &err), SG_NO_SOLUTION);
}
END_TEST

struct rod {
    size_t n;
    enum sg_matrix_class m, k;
    bool consistent;
};

/* all three ways: Sturm, LAPACK, Lanczos on banded, sparse, dense factors */
static const struct rod rods[] = {
    {1, SG_DIAGONAL, SG_DIAGONAL, false},         {2, SG_TRIDIAGONAL, SG_TRIDIAGONAL, true},
    {50, SG_DIAGONAL, SG_TRIDIAGONAL, false},     {3000, SG_TRIDIAGONAL, SG_TRIDIAGONAL, true},
    {50, SG_DIAGONAL, SG_BANDED, false},          {300, SG_SPARSE, SG_DENSE, true},
    {800, SG_TRIDIAGONAL, SG_BANDED, true},       {900, SG_DIAGONAL, SG_SPARSE, false},
    {1000, SG_SPARSE, SG_TRIDIAGONAL, true},      {610, SG_DENSE, SG_BANDED, true},
    {100000, SG_DIAGONAL, SG_TRIDIAGONAL, false},
};
enum { RODS = sizeof rods / sizeof rods[0] };

/* fixed at both ends: lambda_j = 2 - 2c lumped, 6 (1 - c) / (2 + c) consistent, c = cos(j pi / (n+1)) */
START_TEST(extreme_eigenvalues_of_rods)
{
    struct sg_error err = {0};
    const struct rod *rod = &rods[_i];
    struct sg_matrix m = toeplitz(rod->n, rod->consistent ? 4. / 6 : 1, rod->consistent ? 1. / 6 : 0, rod->m);
    struct sg_matrix k = toeplitz(rod->n, 2, -1, rod->k);
    double exact[2], value[2];
    for (int e = 0; e < 2; e++) {
        double angle = (e == 0 ? 1.0 : (double)rod->n) * PI / (double)(rod->n + 1), s = sin(angle / 2);
        exact[e] = rod->consistent ? 12 * s * s / (3 - 2 * s * s) : 4 * s * s;
    }
    ck_assert_msg(sg_eigen_smallest(&m, &k, &value[0], &err) == SG_OK, "%s", err.text);
    ck_assert_msg(sg_eigen_largest(&m, &k, &value[1], &err) == SG_OK, "%s", err.text);
    /* as eigen.h promises */
    ck_assert_double_eq_tol(value[1], exact[1], 1e-12 * exact[1]);
    ck_assert_double_eq_tol(value[0], exact[0], 1e-12 * exact[1]);
}
END_TEST

/* a free bar with uneven masses moves rigidly: exactly 0 */
START_TEST(rigid_modes_are_zero)
{
    static const struct rod cases[] = {{40, SG_DIAGONAL, SG_TRIDIAGONAL, false},
                                       {41, SG_DIAGONAL, SG_DENSE, false},
                                       {700, SG_DIAGONAL, SG_BANDED, false},
                                       {700, SG_DIAGONAL, SG_SPARSE, false}};
    struct sg_error err = {0};
    size_t n = cases[_i].n;
    struct sg_triplets tm = {.arena = &arena, .n = n}, tk = {.arena = &arena, .n = n};
    uint64_t state = 6;
    for (size_t i = 0; i < n; i++) {
        sg_triplets_add(&tm, i, i, 1.5 + uniform(&state));
        if (i + 1 == n) break;
        sg_triplets_add(&tk, i, i, 1);
        sg_triplets_add(&tk, i + 1, i + 1, 1);
        sg_triplets_add(&tk, i + 1, i, -1);
    }
    struct sg_matrix m = make(&tm, cases[_i].m), k = make(&tk, cases[_i].k);
    double value = 1;
    ck_assert_msg(sg_eigen_smallest(&m, &k, &value, &err) == SG_OK, "%s", err.text);
    ck_assert(value == 0);
}
END_TEST

/* spectrum 2 - 2c shifted by -3: from -3 + to 1 - */
START_TEST(indefinite_stiffness_has_a_negative_smallest_value)
{
    static const struct rod cases[] = {{30, SG_DIAGONAL, SG_TRIDIAGONAL, false},
                                       {30, SG_DIAGONAL, SG_BANDED, false},
                                       {700, SG_DIAGONAL, SG_BANDED, false}};
    struct sg_error err = {0};
    size_t n = cases[_i].n;
    struct sg_matrix m = toeplitz(n, 1, 0, SG_DIAGONAL), k = toeplitz(n, -1, -1, cases[_i].k);
    double value = 0, s = sin(PI / (double)(2 * (n + 1)));
    ck_assert_msg(sg_eigen_smallest(&m, &k, &value, &err) == SG_OK, "%s", err.text);
    ck_assert_double_eq_tol(value, 4 * s * s - 3, 1e-11); /* as eigen.h, for moduli up to 4 */
}
END_TEST

START_TEST(mass_must_be_positive_definite)
{
    static const struct rod cases[] = {{30, SG_DIAGONAL, SG_TRIDIAGONAL, false},
                                       {30, SG_TRIDIAGONAL, SG_TRIDIAGONAL, true},
                                       {30, SG_DENSE, SG_BANDED, true},
                                       {700, SG_SPARSE, SG_SPARSE, true}};
    struct sg_error err = {0};
    size_t n = cases[_i].n;
    struct sg_matrix k = toeplitz(n, 2, -1, cases[_i].k);
    struct sg_matrix m =
        toeplitz(n, cases[_i].consistent ? 1 : -1, cases[_i].consistent ? 1 : 0, cases[_i].m);
    double value = 0;
    ck_assert_int_eq(sg_eigen_largest(&m, &k, &value, &err), SG_BAD_DECK);
    ck_assert_int_eq(sg_eigen_smallest(&m, &k, &value, &err), SG_BAD_DECK);
    ck_assert_ptr_nonnull(strstr(err.text, "positive definite"));
}
END_TEST

START_TEST(eigenvalues_need_finite_entries)
{
    struct sg_error err = {0};
    struct sg_matrix m = toeplitz(5, 1, 0, SG_DIAGONAL), k = toeplitz(5, (double)INFINITY, 0, SG_DIAGONAL);
    double value = 0;
    ck_assert_int_eq(sg_eigen_largest(&m, &k, &value, &err), SG_NO_SOLUTION);
    ck_assert_int_eq(sg_eigen_smallest(&m, &k, &value, &err), SG_NO_SOLUTION);
}
END_TEST

START_TEST(no_stiffness_no_frequency)
{
    struct sg_error err = {0};
    static const size_t sizes[] = {20, 700};
    for (int s = 0; s < 2; s++) {
        struct sg_matrix m = toeplitz(sizes[s], 4, 1, SG_BANDED), k = toeplitz(sizes[s], 0, 0, SG_DIAGONAL);
        double value = 1;
        ck_assert_int_eq(sg_eigen_largest(&m, &k, &value, &err), SG_OK);
        ck_assert(value == 0);
        ck_assert_int_eq(sg_eigen_smallest(&m, &k, &value, &err), SG_OK);
        ck_assert(value == 0);
    }
}
END_TEST

START_TEST(low_rank_changes)
{
    enum { N = 60, Q = 3 };
    struct sg_error err = {0};
    size_t start[Q + 1] = {0, 60, 100, 120}, first[Q] = {0, 20, 40};
    double value[120], k[N], kappa[Q] = {50, 0, 7}, a[N * N] = {0}, w[N], largest = 0;
    uint64_t state = 12;
    for (int e = 0; e < 120; e++) value[e] = uniform(&state);
    struct sg_columns columns = {.n = N, .q = Q, .start = start, .first = first, .value = value};
    for (int i = 0; i < N; i++) a[i + i * N] = k[i] = 100 * (1 + uniform(&state));
    for (int j = 0; j < Q; j++)
        for (size_t r = 0; r < start[j + 1] - start[j]; r++)
            for (size_t c = 0; c < start[j + 1] - start[j]; c++)
                a[first[j] + r + (first[j] + c) * N] += kappa[j] * value[start[j] + r] * value[start[j] + c];
    ck_assert_int_eq(sg_eigen_dense(N, a, w, &err), SG_OK);
    ck_assert_int_eq(sg_eigen_largest_lowrank(k, &columns, kappa, &largest, &err), SG_OK);
    ck_assert_double_eq_tol(largest, w[N - 1], 1e-12 * w[N - 1]); /* as eigen.h promises */
    const double none[Q] = {0};
    double most = 0;
    for (int i = 0; i < N; i++) most = fmax(most, k[i]);
    ck_assert_int_eq(sg_eigen_largest_lowrank(k, &columns, none, &largest, &err), SG_OK);
    ck_assert_double_eq_tol(largest, most, 1e-12 * most);
    k[7] = (double)NAN;
    ck_assert_int_eq(sg_eigen_largest_lowrank(k, &columns, kappa, &largest, &err), SG_NO_SOLUTION);
}
END_TEST

/* what is not finite is found wherever it stands, in vectors of every length about the kernels' lanes; what
 * is only too large to be summed up is not taken for it */
START_TEST(what_is_not_finite_is_found)
{
    enum { MOST = 40 };
    const double bad[] = {(double)NAN, HUGE_VAL, -HUGE_VAL};
    for (size_t n = 0; n <= MOST; n++) {
        double x[MOST] = {0};
        for (size_t i = 0; i < n; i++) x[i] = 1.7e308;
        ck_assert_uint_eq(sg_first_nonfinite(n, x), n);
        for (size_t i = 0; i < n; i++) {
            x[i] = bad[i % 3];
            ck_assert_uint_eq(sg_first_nonfinite(n, x), i);
            x[n - 1 - i] = -bad[i % 3]; /* the other sign elsewhere must not hide it */
            ck_assert_uint_eq(sg_first_nonfinite(n, x), i < n - 1 - i ? i : n - 1 - i);
            x[i] = x[n - 1 - i] = -1.7e308;
        }
    }
}
END_TEST

/* the sums that are 0 need not be looked at: any range that holds the others gives the same */
START_TEST(ungrounded_rows_cost_nothing)
{
    enum { N = 9 };
    double sums[N] = {0, 0, 3, 0, 5, 0, 0, 0, 0}, x[N], expected = 0;
    struct sg_triplets t = {.arena = &arena, .n = N};
    for (size_t i = 0; i < N; i++) {
        x[i] = (double)(i * i);
        expected += sums[i] * x[i] * x[i];
        sg_triplets_add(&t, i, i, sums[i] + 2.0 * (i > 0) + 2.0 * (i + 1 < N));
        if (i == 0) continue;
        sg_triplets_add(&t, i, i - 1, -2);
        expected += 2 * (x[i] - x[i - 1]) * (x[i] - x[i - 1]);
    }
    for (int kind = SG_TRIDIAGONAL; kind <= SG_DENSE; kind++) {
        struct sg_matrix a = make(&t, (enum sg_matrix_class)kind);
        const struct sg_row_sums tight = {sums, 2, 5}, wide = {sums, 0, N};
        ck_assert(sg_matrix_form_differences(&a, tight, x, x) == expected); /* whole numbers */
        ck_assert(sg_matrix_form_differences(&a, wide, x, x) == expected);
    }
}
END_TEST

START_TEST(kernels_have_a_name)
{
    ck_assert(strcmp(sg_kernels_name(), "avx2") == 0 || strcmp(sg_kernels_name(), "baseline") == 0);
}
END_TEST

static void add_eigen_tests(TCase *tc)
{
    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, dense_eigenvalues_of_a_string);
    tcase_add_loop_test(tc, extreme_eigenvalues_of_rods, 0, RODS);
    tcase_add_loop_test(tc, rigid_modes_are_zero, 0, 4);
    tcase_add_loop_test(tc, indefinite_stiffness_has_a_negative_smallest_value, 0, 3);
    tcase_add_loop_test(tc, mass_must_be_positive_definite, 0, 4);
    tcase_add_test(tc, eigenvalues_need_finite_entries);
    tcase_add_test(tc, no_stiffness_no_frequency);
    tcase_add_test(tc, low_rank_changes);
}

Suite *sg_suite_linalg(void);
Suite *sg_suite_linalg(void)
{
    Suite *suite = suite_create("linalg");
    TCase *tc = tcase_create("matrices"), *eigen = tcase_create("eigenvalues");
    tcase_add_checked_fixture(tc, NULL, release_arena);
    tcase_add_loop_test(tc, matrices_of_every_class, 0, SHAPES);
    tcase_add_loop_test(tc, far_away_the_form_by_differences_keeps_its_digits, SG_TRIDIAGONAL, SG_DENSE + 1);
    tcase_add_test(tc, sparse_columns_are_sorted_and_start_at_the_diagonal);
    tcase_add_test(tc, zero_matrices);
    tcase_add_test(tc, entries_that_don_t_fit);
    tcase_add_test(tc, largest_entry_shows_what_is_not_a_number);
    tcase_add_test(tc, sparse_columns);
    tcase_add_test(tc, dense_columns);
    tcase_add_test(tc, small_complex_systems);
    tcase_add_test(tc, what_is_not_finite_is_found);
    tcase_add_test(tc, ungrounded_rows_cost_nothing);
    tcase_add_test(tc, kernels_have_a_name);
    add_eigen_tests(eigen);
    suite_add_tcase(suite, tc);
    suite_add_tcase(suite, eigen);
    return suite;
}
