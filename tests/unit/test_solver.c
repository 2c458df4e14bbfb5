#include <check.h>
#include <complex.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "linalg/solver.h"

/* has what a test makes */
static struct sg_arena arena;

static void release_arena(void)
{
    sg_arena_release(&arena);
}

static double uniform(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) * 0x1p-52 - 1;
}

/* random couplings within `width`, diagonally dominant: positive definite */
static struct sg_triplets random_triplets(size_t n, size_t width, double scale, uint64_t *state)
{
    struct sg_triplets t = {.arena = &arena, .n = n};
    for (size_t j = 0; j < n; j++)
        for (size_t i = j; i <= j + width && i < n; i++)
            sg_triplets_add(&t, i, j, scale * (i == j ? 2.1 * (double)width + 1 : uniform(state)));
    ck_assert(!t.failed);
    return t;
}

static struct sg_matrix random_matrix(size_t n, size_t width, enum sg_matrix_class kind, uint64_t seed)
{
    struct sg_error err = {0};
    struct sg_matrix a;
    struct sg_triplets t = random_triplets(n, width, 1, &seed);
    ck_assert_int_eq(sg_matrix_init(&arena, &a, &t, kind, &err), SG_OK);
    return a;
}

/* a chain of springs, free at both ends */
static struct sg_matrix free_bar(size_t n, enum sg_matrix_class kind)
{
    struct sg_error err = {0};
    struct sg_matrix a;
    struct sg_triplets t = {.arena = &arena, .n = n};
    for (size_t i = 0; i + 1 < n; i++) {
        sg_triplets_add(&t, i, i, 1);
        sg_triplets_add(&t, i + 1, i + 1, 1);
        sg_triplets_add(&t, i + 1, i, -1);
    }
    ck_assert_int_eq(sg_matrix_init(&arena, &a, &t, kind, &err), SG_OK);
    return a;
}

static struct sg_matrix zero_matrix(size_t n)
{
    struct sg_error err = {0};
    struct sg_matrix a;
    struct sg_triplets t = {.arena = &arena, .n = n};
    ck_assert_int_eq(sg_matrix_init(&arena, &a, &t, SG_DIAGONAL, &err), SG_OK);
    ck_assert(a.zero);
    return a;
}

struct fixture {
    struct sg_matrix m, c, k;
    struct sg_mck mck;
    struct sg_symbolic *symbolic;
    struct sg_factor factor;
};

static void fixture_init(struct fixture *f, enum sg_matrix_class kind, bool complex_valued)
{
    struct sg_error err = {0};
    f->mck = (struct sg_mck){&f->m, &f->c, &f->k};
    struct sg_factor_layout layout = sg_factor_layout_for(&f->mck);
    ck_assert_int_le(layout.kind, kind);
    layout.kind = kind;
    layout.complex_valued = complex_valued;
    f->symbolic = NULL;
    if (kind == SG_SPARSE)
        ck_assert_int_eq(sg_symbolic_create(&arena, &f->mck, complex_valued, &f->symbolic, &err), SG_OK);
    layout.symbolic = f->symbolic;
    ck_assert_msg(sg_factor_init(&arena, &f->factor, &layout, &err) == SG_OK, "%s", err.text);
}

static double norm(const double *x, size_t n)
{
    double most = 0;
    for (size_t i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
    return most;
}

/* y += weight S x, real parts */
static void combine(const struct fixture *f, const double weight[3], double sign, const double *x, double *y)
{
    sg_matrix_multiply_add(&f->m, sign * weight[0], x, y);
    sg_matrix_multiply_add(&f->c, sign * weight[1], x, y);
    sg_matrix_multiply_add(&f->k, sign * weight[2], x, y);
}

static double size_of(const struct fixture *f, const double weight[3])
{
    return fabs(weight[0]) * sg_matrix_max_abs(&f->m) + fabs(weight[1]) * sg_matrix_max_abs(&f->c) +
           fabs(weight[2]) * sg_matrix_max_abs(&f->k);
}

/* max |b - S x| / (|S| |x|) */
static double residual(const struct fixture *f, const double weight[3])
{
    size_t n = f->m.n;
    double *x = calloc(n, sizeof *x), *r = calloc(n, sizeof *r);
    ck_assert(x != NULL && r != NULL);
    uint64_t state = 77;
    for (size_t i = 0; i < n; i++) x[i] = r[i] = uniform(&state);
    sg_factor_solve(&f->factor, x);
    combine(f, weight, -1, x, r);
    double result = norm(r, n) / (size_of(f, weight) * norm(x, n));
    free(x);
    free(r);
    return result;
}

static double residual_complex(const struct fixture *f, const double complex weight[3])
{
    size_t n = f->m.n;
    double re[3], im[3], *z = calloc(4 * n, sizeof *z);
    ck_assert_ptr_nonnull(z);
    double *x = z, *y = z + n, *rx = z + 2 * n, *ry = z + 3 * n;
    for (int p = 0; p < 3; p++) {
        re[p] = creal(weight[p]);
        im[p] = cimag(weight[p]);
    }
    uint64_t state = 78;
    for (size_t i = 0; i < n; i++) {
        x[i] = rx[i] = uniform(&state);
        y[i] = ry[i] = uniform(&state);
    }
    sg_factor_solve_complex(&f->factor, x, y);
    combine(f, re, -1, x, rx);
    combine(f, im, 1, y, rx);
    combine(f, re, -1, y, ry);
    combine(f, im, -1, x, ry);
    double size = (size_of(f, re) + size_of(f, im)) * fmax(norm(x, n), norm(y, n));
    double result = fmax(norm(rx, n), norm(ry, n)) / size;
    free(z);
    return result;
}

/* Backward stable solvers leave a few rounding errors a row: 1e-14 has a margin of some 20. */
static const double BACKWARD = 1e-14;

static const size_t orders[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 50, 51, 53, 120};
enum { ORDERS = sizeof orders / sizeof orders[0] };

/* steps so small that M rules, and so large that K does */
static const double steps[] = {1e-9, 1e-3, 1, 1e6};

struct classes {
    enum sg_matrix_class m, c, k, factor;
    size_t width; /* of K; M has at most 1 */
};

static const struct classes cases[] = {
    {SG_DIAGONAL, SG_DIAGONAL, SG_DIAGONAL, SG_DIAGONAL, 0},
    {SG_DIAGONAL, SG_TRIDIAGONAL, SG_TRIDIAGONAL, SG_TRIDIAGONAL, 1},
    {SG_TRIDIAGONAL, SG_DIAGONAL, SG_TRIDIAGONAL, SG_TRIDIAGONAL, 1},
    {SG_TRIDIAGONAL, SG_DIAGONAL, SG_DIAGONAL, SG_TRIDIAGONAL, 0},
    {SG_TRIDIAGONAL, SG_DIAGONAL, SG_BANDED, SG_BANDED, 3},
    {SG_TRIDIAGONAL, SG_DIAGONAL, SG_BANDED, SG_BANDED, 2},
    {SG_DIAGONAL, SG_DIAGONAL, SG_BANDED, SG_BANDED, 6},
    {SG_DIAGONAL, SG_DIAGONAL, SG_BANDED, SG_BANDED, 7},
    {SG_DIAGONAL, SG_BANDED, SG_BANDED, SG_BANDED, 60},
    {SG_BANDED, SG_TRIDIAGONAL, SG_SPARSE, SG_SPARSE, 4},
    {SG_DIAGONAL, SG_SPARSE, SG_SPARSE, SG_SPARSE, 70},
    {SG_SPARSE, SG_BANDED, SG_DENSE, SG_DENSE, 9},
    {SG_DENSE, SG_DIAGONAL, SG_TRIDIAGONAL, SG_DENSE, 1},
};
enum { CASES = sizeof cases / sizeof cases[0] };

static void make_case(struct fixture *f, const struct classes *c, size_t n)
{
    *f = (struct fixture){0};
    f->m = random_matrix(n, c->m == SG_DIAGONAL ? 0 : 1, c->m, 3);
    f->c = random_matrix(n, c->c == SG_DIAGONAL ? 0 : c->c == SG_TRIDIAGONAL ? 1 : c->width, c->c, 4);
    f->k = random_matrix(n, c->width, c->k, 5);
}

START_TEST(real_solves_of_every_class)
{
    struct sg_error err = {0};
    struct fixture f;
    for (int o = 0; o < ORDERS; o++) {
        make_case(&f, &cases[_i], orders[o]);
        fixture_init(&f, cases[_i].factor, false);
        for (int s = 0; s < 4; s++) {
            double h = steps[s], weight[3] = {1, .5 * h, .25 * h * h};
            ck_assert_msg(sg_factor_compute(&f.factor, &f.mck, weight, &err) == SG_OK, "%s", err.text);
            ck_assert_double_le(residual(&f, weight), BACKWARD);
        }
    }
}
END_TEST

START_TEST(complex_solves_of_every_class)
{
    struct sg_error err = {0};
    struct fixture f;
    for (int o = 0; o < ORDERS; o++) {
        make_case(&f, &cases[_i], orders[o]);
        fixture_init(&f, cases[_i].factor, true);
        for (int s = 0; s < 4; s++) {
            /* poles from nearly real to nearly imaginary */
            double h = steps[s];
            double complex pole = 3 * cexp(I * (.05 + .5 * s));
            double complex weight[3] = {pole * pole, pole * h, h * h};
            ck_assert_msg(sg_factor_compute_complex(&f.factor, &f.mck, weight, &err) == SG_OK, "%s",
                          err.text);
            ck_assert_double_le(residual_complex(&f, weight), BACKWARD);
        }
    }
}
END_TEST

/* widely varying masses and stiffnesses along a bar */
START_TEST(uneven_bars)
{
    struct sg_error err = {0};
    size_t n = 201;
    struct sg_triplets m = {.arena = &arena, .n = n}, k = {.arena = &arena, .n = n};
    uint64_t state = 9;
    for (size_t i = 0; i < n; i++) {
        sg_triplets_add(&m, i, i, pow(10, 4 * uniform(&state)));
        double stiffness = pow(10, 5 * uniform(&state));
        sg_triplets_add(&k, i, i, stiffness);
        if (i == 0) continue;
        sg_triplets_add(&k, i - 1, i - 1, stiffness);
        sg_triplets_add(&k, i, i - 1, -stiffness);
    }
    struct fixture f = {.c = zero_matrix(n)}, g = {.c = zero_matrix(n)};
    ck_assert_int_eq(sg_matrix_init(&arena, &f.m, &m, SG_DIAGONAL, &err), SG_OK);
    ck_assert_int_eq(sg_matrix_init(&arena, &f.k, &k, SG_TRIDIAGONAL, &err), SG_OK);
    ck_assert_int_eq(sg_matrix_init(&arena, &g.m, &m, SG_DIAGONAL, &err), SG_OK);
    ck_assert_int_eq(sg_matrix_init(&arena, &g.k, &k, SG_TRIDIAGONAL, &err), SG_OK);
    fixture_init(&f, SG_TRIDIAGONAL, false);
    fixture_init(&g, SG_TRIDIAGONAL, true);
    for (int s = 0; s < 4; s++) {
        double weight[3] = {1, 0, steps[s] * steps[s]};
        double complex pole = cexp(1.2 * I), weights[3] = {pole * pole, 0, steps[s] * steps[s]};
        ck_assert_int_eq(sg_factor_compute(&f.factor, &f.mck, weight, &err), SG_OK);
        ck_assert_double_le(residual(&f, weight), BACKWARD);
        ck_assert_int_eq(sg_factor_compute_complex(&g.factor, &g.mck, weights, &err), SG_OK);
        ck_assert_double_le(residual_complex(&g, weights), BACKWARD);
    }
}
END_TEST

/* x of the tridiagonal Toeplitz system (2 on, -1 off the diagonal; f = 1): x_i = i (n + 1 - i) / 2 */
START_TEST(closed_form_of_a_loaded_string)
{
    struct sg_error err = {0};
    size_t n = 99;
    static const enum sg_matrix_class kinds[] = {SG_TRIDIAGONAL, SG_BANDED, SG_SPARSE, SG_DENSE};
    for (int c = 0; c < 4; c++) {
        struct sg_triplets t = {.arena = &arena, .n = n};
        for (size_t i = 0; i < n; i++) sg_triplets_add(&t, i, i, 2);
        for (size_t i = 1; i < n; i++) sg_triplets_add(&t, i, i - 1, -1);
        struct fixture f = {.m = zero_matrix(n), .c = zero_matrix(n)};
        ck_assert_int_eq(sg_matrix_init(&arena, &f.k, &t, kinds[c], &err), SG_OK);
        fixture_init(&f, kinds[c], false);
        ck_assert_int_eq(sg_factor_compute(&f.factor, &f.mck, (const double[]){0, 0, 1}, &err), SG_OK);
        double x[99];
        for (size_t i = 0; i < n; i++) x[i] = 1;
        sg_factor_solve(&f.factor, x);
        /* condition number 4000: 1e-16 * 4000, and a margin of 10 */
        for (size_t i = 0; i < n; i++) {
            double exact = (double)((i + 1) * (n - i)) / 2;
            ck_assert_double_eq_tol(x[i], exact, 4e-12 * exact);
        }
    }
}
END_TEST

START_TEST(indefinite_matrices_are_refused_by_dof)
{
    static const size_t bad[] = {0, 3, 20, 40};
    struct sg_error err = {0};
    size_t n = 41;
    for (int b = 0; b < 4; b++) {
        struct fixture f = {.m = random_matrix(n, 0, SG_DIAGONAL, 1), .c = zero_matrix(n)};
        struct sg_triplets t = {.arena = &arena, .n = n};
        for (size_t i = 0; i < n; i++) sg_triplets_add(&t, i, i, i == bad[b] ? -5 : 1);
        ck_assert_int_eq(sg_matrix_init(&arena, &f.k, &t, SG_DIAGONAL, &err), SG_OK);
        fixture_init(&f, (enum sg_matrix_class)_i, false);
        sg_error_clear(&err);
        ck_assert_int_eq(sg_factor_compute(&f.factor, &f.mck, (const double[]){1, 0, 1}, &err),
                         SG_NO_SOLUTION);
        char expected[32];
        snprintf(expected, sizeof expected, "dof %zu", bad[b]);
        ck_assert_msg(strstr(err.text, expected) != NULL, "'%s' lacks '%s'", err.text, expected);
        /* usable again */
        const double weight[3] = {1, 0, .01};
        ck_assert_int_eq(sg_factor_compute(&f.factor, &f.mck, weight, &err), SG_OK);
        ck_assert_double_le(residual(&f, weight), BACKWARD);
    }
}
END_TEST

START_TEST(rigid_motion_is_refused)
{
    static const enum sg_matrix_class kinds[] = {SG_TRIDIAGONAL, SG_BANDED, SG_DENSE};
    static const size_t sizes[] = {2, 3, 10, 11, 100, 101};
    struct sg_error err = {0};
    for (int s = 0; s < 6; s++) {
        struct fixture f = {.m = random_matrix(sizes[s], 0, SG_DIAGONAL, 1), .c = zero_matrix(sizes[s])};
        f.k = free_bar(sizes[s], kinds[_i]);
        fixture_init(&f, kinds[_i], false);
        ck_assert_int_eq(sg_factor_compute(&f.factor, &f.mck, (const double[]){0, 0, 1}, &err),
                         SG_NO_SOLUTION);
        ck_assert_int_eq(sg_factor_compute(&f.factor, &f.mck, (const double[]){1, 0, 1e6}, &err), SG_OK);
    }
}
END_TEST

START_TEST(vanishing_complex_pivots_are_refused)
{
    struct sg_error err = {0};
    struct fixture f;
    make_case(&f, &cases[_i], 12);
    fixture_init(&f, cases[_i].factor, true);
    const double complex weight[3] = {0, 0, 0};
    ck_assert_int_eq(sg_factor_compute_complex(&f.factor, &f.mck, weight, &err), SG_NO_SOLUTION);
}
END_TEST

START_TEST(not_a_number_is_refused)
{
    struct sg_error err = {0};
    struct fixture f;
    make_case(&f, &cases[_i], 12);
    fixture_init(&f, cases[_i].factor, false);
    ck_assert_int_ne(sg_factor_compute(&f.factor, &f.mck, (const double[]){(double)NAN, 0, 1}, &err), SG_OK);
}
END_TEST

/* storage that was used for another triple leaves no trace: the same bits */
START_TEST(recomputed_factors_equal_fresh_ones)
{
    struct sg_error err = {0};
    struct fixture f, g;
    const double weight[3] = {1, .1, 2};
    double x[51], y[51];
    make_case(&f, &cases[_i], 51);
    make_case(&g, &cases[_i], 51);
    fixture_init(&f, cases[_i].factor, false);
    fixture_init(&g, cases[_i].factor, false);
    ck_assert_int_eq(sg_factor_compute(&f.factor, &f.mck, (const double[]){1e9, 3, 1}, &err), SG_OK);
    ck_assert_int_eq(sg_factor_compute(&f.factor, &f.mck, weight, &err), SG_OK);
    ck_assert_int_eq(sg_factor_compute(&g.factor, &g.mck, weight, &err), SG_OK);
    for (int i = 0; i < 51; i++) x[i] = y[i] = i - 20;
    sg_factor_solve(&f.factor, x);
    sg_factor_solve(&g.factor, y);
    ck_assert_mem_eq(x, y, sizeof x);
}
END_TEST

START_TEST(misuse_is_told)
{
    struct sg_error err = {0};
    size_t n = 20;
    struct fixture f = {.m = random_matrix(n, 0, SG_DIAGONAL, 1), .c = zero_matrix(n)};
    f.k = random_matrix(n, 2, SG_BANDED, 1);
    struct sg_matrix wide = random_matrix(n, 3, SG_BANDED, 1), dense = random_matrix(n, 2, SG_DENSE, 1);
    struct sg_matrix small = random_matrix(n - 1, 1, SG_TRIDIAGONAL, 1);
    fixture_init(&f, SG_BANDED, false);
    const double weight[3] = {1, 0, 1};
    const double complex weights[3] = {1, 0, I};
    struct sg_mck mck = f.mck;
    ck_assert_int_eq(sg_factor_compute_complex(&f.factor, &mck, weights, &err), SG_INTERNAL);
    mck.k = &wide;
    ck_assert_int_eq(sg_factor_compute(&f.factor, &mck, weight, &err), SG_INTERNAL);
    mck.k = &dense;
    ck_assert_int_eq(sg_factor_compute(&f.factor, &mck, weight, &err), SG_INTERNAL);
    mck.k = &small;
    ck_assert_int_eq(sg_factor_compute(&f.factor, &mck, weight, &err), SG_INTERNAL);
}
END_TEST

START_TEST(sparse_factors_keep_to_their_pattern)
{
    struct sg_error err = {0};
    size_t n = 20;
    struct sg_factor orphan;
    struct sg_factor_layout layout = {.kind = SG_SPARSE, .n = n};
    ck_assert_int_eq(sg_factor_init(&arena, &orphan, &layout, &err), SG_INTERNAL);
    struct fixture f = {.m = random_matrix(n, 0, SG_DIAGONAL, 1), .c = zero_matrix(n)};
    f.k = random_matrix(n, 2, SG_SPARSE, 1);
    struct sg_matrix wide = random_matrix(n, 3, SG_BANDED, 1);
    fixture_init(&f, SG_SPARSE, false);
    layout.symbolic = f.symbolic;
    layout.complex_valued = true; /* analysed for real factors only */
    ck_assert_int_eq(sg_factor_init(&arena, &orphan, &layout, &err), SG_INTERNAL);
    struct sg_mck mck = f.mck;
    mck.k = &wide;
    ck_assert_int_eq(sg_factor_compute(&f.factor, &mck, (const double[]){1, 0, 1}, &err), SG_INTERNAL);
}
END_TEST

START_TEST(layout_follows_the_parts)
{
    struct fixture f;
    make_case(&f, &cases[_i], 80);
    f.mck = (struct sg_mck){&f.m, &f.c, &f.k};
    struct sg_factor_layout layout = sg_factor_layout_for(&f.mck);
    ck_assert_int_eq(layout.kind, cases[_i].factor);
    ck_assert_uint_eq(layout.n, 80);
    if (layout.kind == SG_BANDED) ck_assert_uint_eq(layout.width, cases[_i].width);
}
END_TEST

Suite *sg_suite_solver(void);
Suite *sg_suite_solver(void)
{
    Suite *suite = suite_create("solver");
    TCase *tc = tcase_create("factors");
    tcase_add_checked_fixture(tc, NULL, release_arena);
    tcase_set_timeout(tc, 60);
    tcase_add_loop_test(tc, real_solves_of_every_class, 0, CASES);
    tcase_add_loop_test(tc, complex_solves_of_every_class, 0, CASES);
    tcase_add_test(tc, uneven_bars);
    tcase_add_test(tc, closed_form_of_a_loaded_string);
    tcase_add_loop_test(tc, indefinite_matrices_are_refused_by_dof, SG_DIAGONAL, SG_DENSE + 1);
    tcase_add_loop_test(tc, rigid_motion_is_refused, 0, 3);
    tcase_add_loop_test(tc, vanishing_complex_pivots_are_refused, 0, CASES);
    tcase_add_loop_test(tc, not_a_number_is_refused, 0, CASES);
    tcase_add_loop_test(tc, recomputed_factors_equal_fresh_ones, 0, CASES);
    tcase_add_test(tc, misuse_is_told);
    tcase_add_test(tc, sparse_factors_keep_to_their_pattern);
    tcase_add_loop_test(tc, layout_follows_the_parts, 0, CASES);
    suite_add_tcase(suite, tc);
    return suite;
}
